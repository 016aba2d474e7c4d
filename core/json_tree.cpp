#include "core/json_tree.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

using Type = JsonNode::Type;

constexpr std::size_t deepest = 16;  // a level needs 5

/// Iterates over the text and counts the lines passed: nlohmann's parser gives its listener no positions.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* position = nullptr;
  std::size_t* line = nullptr;

  reference operator*() const { return *position; }
  CountingIterator& operator++() {
    if (position[0] == '\n') ++*line;
    ++position;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& other) const { return position == other.position; }
};

/// Builds the tree from the parser's events.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(const std::string& source_name, const std::size_t& line) : source_(source_name), line_(line) {}

  JsonNode root;

  bool null() override { return add({}); }
  bool boolean(bool value) override { return add({.type = Type::boolean, .truth = value}); }
  bool number_integer(std::int64_t value) override {
    return add({.type = Type::number, .number = static_cast<double>(value)});
  }
  bool number_unsigned(std::uint64_t value) override {
    return add({.type = Type::number, .number = static_cast<double>(value), .natural = value});
  }
  bool number_float(double value, const std::string&) override {
    return add({.type = Type::number, .number = value});
  }
  bool string(std::string& value) override { return add({.type = Type::string, .text = value}); }
  bool binary(nlohmann::json::binary_t&) override { return false; }  // JSON text has none
  bool start_object(std::size_t) override { return open(Type::object); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Type::array); }
  bool end_array() override { return close(); }
  bool key(std::string& value) override {
    if (!open_.back().keys.insert(value).second) fail("key " + shown(value) + " stands twice in one object");
    key_ = value;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    const std::string what = error.what();  // "[json.exception.parse_error.101] parse error at line ..."
    throw Error(source_ + ": " + what.substr(std::min(what.size(), what.find("] ") + 2)));
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(source_ + ": line " + std::to_string(line_) + ": " + what);
  }

  bool add(JsonNode node) {
    place(std::move(node));
    return true;
  }
  JsonNode& place(JsonNode node) {
    node.line = line_;
    if (open_.empty()) return root = std::move(node);
    node.key = std::move(key_);
    key_.clear();
    open_.back().node->members.push_back(std::move(node));
    return open_.back().node->members.back();
  }
  bool open(Type type) {
    if (open_.size() == deepest) fail("values are nested deeper than " + std::to_string(deepest) + " levels");
    open_.push_back({&place({.type = type}), {}});  // the address stays valid: other programs are added only
                                                    // once this is closed
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const std::string& source_;
  const std::size_t& line_;
  struct Open {
    JsonNode* node;
    std::set<std::string> keys;
  };
  std::vector<Open> open_;
  std::string key_;
};

std::string described(const JsonNode& node) {
  switch (node.type) {
    case Type::null:
      return "null";
    case Type::boolean:
      return "true or false";
    case Type::number:
      return node.natural ? std::to_string(*node.natural) : number_text(node.number);
    case Type::string:
      return shown(node.text);
    case Type::array:
      return "an array";
    case Type::object:
      return "an object";
  }
  return "";
}

/// A key as a step of a JSON pointer.
std::string step(const std::string& key) {
  std::string result = "/";
  for (char c : key) result += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return result;
}

}  // namespace

JsonNode parse_json(std::string_view text, const std::string& source_name) {
  // The parser takes a zero byte for the end and would ignore what follows.
  const std::size_t zero = text.find('\0');
  if (zero != std::string_view::npos) {
    const std::string_view before = text.substr(0, zero);
    throw Error(source_name + ": line " + std::to_string(1 + std::count(before.begin(), before.end(), '\n')) +
                ": found a zero byte; allowed: JSON text in UTF-8");
  }
  std::size_t line = 1;
  Builder builder(source_name, line);
  nlohmann::json::sax_parse(CountingIterator{text.data(), &line},
                            CountingIterator{text.data() + text.size(), &line}, &builder);
  return std::move(builder.root);
}

void JsonView::complain(const std::string& what) const {
  throw Error(*source_ + ": line " + std::to_string(node_->line) + ", " +
              (pointer_.empty() ? "the whole text" : pointer_) + ": " + what);
}

void JsonView::fail(const std::string& allowed) const {
  complain("found " + described(*node_) + "; allowed: " + allowed);
}

void JsonView::expect(Type type, const char* allowed) const {
  if (node_->type != type) fail(allowed);
}

const JsonNode* JsonView::find(const std::string& key) const {
  expect(Type::object, "an object");
  for (const JsonNode& member : node_->members)
    if (member.key == key) return &member;
  return nullptr;
}

void JsonView::expect_keys(std::initializer_list<const char*> required,
                           std::initializer_list<const char*> optional) const {
  expect(Type::object, "an object");
  std::vector<std::string> known(required.begin(), required.end());
  known.insert(known.end(), optional.begin(), optional.end());
  for (const auto& [key, value] : members())
    if (std::find(known.begin(), known.end(), key) == known.end())
      value.complain("key " + shown(key) + " is unknown; allowed keys: " + listed(known));
  for (const char* key : required)
    if (!has(key)) complain("key " + shown(key) + " is missing; allowed keys: " + listed(known));
}

bool JsonView::has(const std::string& key) const { return find(key) != nullptr; }

JsonView JsonView::at(const std::string& key) const {
  const JsonNode* node = find(key);
  if (node == nullptr) complain("key " + shown(key) + " is missing");
  return {*node, *source_, pointer_ + step(key)};
}

std::vector<JsonView> JsonView::items() const {
  expect(Type::array, "an array");
  std::vector<JsonView> result;
  for (std::size_t i = 0; i < node_->members.size(); ++i)
    result.emplace_back(node_->members[i], *source_, pointer_ + "/" + std::to_string(i));
  return result;
}

std::vector<std::pair<std::string, JsonView>> JsonView::members() const {
  expect(Type::object, "an object");
  std::vector<std::pair<std::string, JsonView>> result;
  for (const JsonNode& node : node_->members)
    result.emplace_back(node.key, JsonView(node, *source_, pointer_ + step(node.key)));
  return result;
}

double JsonView::number() const {
  expect(Type::number, "a number");
  return node_->number;
}

bool JsonView::boolean() const {
  expect(Type::boolean, "true or false");
  return node_->truth;
}

double JsonView::number_above(double least) const {
  if (node_->type != Type::number || !(node_->number > least)) fail("a number > " + number_text(least));
  return node_->number;
}

double JsonView::number_from(double least) const {
  if (node_->type != Type::number || !(node_->number >= least)) fail("a number >= " + number_text(least));
  return node_->number;
}

int JsonView::integer_from(int least) const {
  constexpr int most = std::numeric_limits<int>::max();
  const double value = node_->number;
  if (node_->type != Type::number || !(value >= least && value <= most) || std::floor(value) != value)
    fail("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return static_cast<int>(value);
}

std::uint64_t JsonView::natural() const {
  if (!node_->natural) fail("a whole number from 0 to 18446744073709551615");
  return *node_->natural;
}

const std::string& JsonView::string() const {
  expect(Type::string, "a string");
  return node_->text;
}

std::string JsonView::string_of(const std::vector<std::string>& allowed) const {
  if (node_->type != Type::string || std::find(allowed.begin(), allowed.end(), node_->text) == allowed.end())
    fail(listed(allowed));
  return node_->text;
}

}  // namespace startle
