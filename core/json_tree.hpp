#pragma once
/// \file  JSON text as a tree that knows its lines, and views of its values that complain precisely.
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace startle {

/// One JSON value. Objects keep their keys in the order of the text.
struct JsonNode {
  enum class Type { null, boolean, number, string, array, object };
  Type type = Type::null;
  bool truth = false;                         ///< a boolean
  double number = 0;                          ///< a number, rounded to double
  std::optional<std::uint64_t> natural = {};  ///< the same number exactly, when it is written as an integer
                                              ///< in [0, 2^64)
  std::string text = {};                      ///< a string
  std::string key = {};                       ///< under which it stands in its object
  std::vector<JsonNode> members = {};         ///< of an object or an array
  std::size_t line = 1;                       ///< in the text, from 1
};

/// Reads one JSON text (RFC 8259; a UTF-8 byte order mark is skipped). Throws Error, naming source and line,
/// for text that is not JSON, a number beyond double, a key that stands twice in one object, and nesting
/// deeper than 16.
JsonNode parse_json(std::string_view text, const std::string& source_name);

/// A value of a document and where it stands. Every access that the value cannot serve throws Error with
/// source, line, JSON pointer (RFC 6901), what was found and what is allowed. Node and source name must
/// outlive the view.
class JsonView {
 public:
  JsonView(const JsonNode& node, const std::string& source_name, std::string pointer = "")
      : node_(&node), source_(&source_name), pointer_(std::move(pointer)) {}

  /// The value must be an object with all keys of `required` and none outside `required` and `optional`.
  void expect_keys(std::initializer_list<const char*> required,
                   std::initializer_list<const char*> optional = {}) const;
  bool has(const std::string& key) const;
  JsonView at(const std::string& key) const;
  /// Members of an array, or of an object with their keys.
  std::vector<JsonView> items() const;
  std::vector<std::pair<std::string, JsonView>> members() const;

  bool is_number() const { return node_->type == JsonNode::Type::number; }
  double number() const;
  bool boolean() const;
  double number_above(double least) const;  ///< > least
  double number_from(double least) const;   ///< >= least
  int integer_from(int least) const;        ///< whole, >= least, at most the largest int
  std::uint64_t natural() const;            ///< whole, in [0, 2^64)
  const std::string& string() const;
  std::string string_of(const std::vector<std::string>& allowed) const;

  [[noreturn]] void fail(const std::string& allowed) const;
  /// Throws Error with the place and this text.
  [[noreturn]] void complain(const std::string& what) const;

 private:
  void expect(JsonNode::Type type, const char* allowed) const;
  const JsonNode* find(const std::string& key) const;

  const JsonNode* node_;
  const std::string* source_;
  std::string pointer_;
};

}  // namespace startle
