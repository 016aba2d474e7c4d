#include "core/json_reader.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.hpp"

namespace startle {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

/// The next character that is no blank, which is not taken; 0 at the end.
char JsonReader::next() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n'))
    ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool JsonReader::take(char mark) {
  if (next() != mark) return false;
  ++at_;
  return true;
}

void JsonReader::expect(char mark, const char* allowed) {
  if (!take(mark)) fail(at_, allowed);
}

double JsonReader::number() {
  next();
  const std::size_t start = at_;
  const std::optional<double> value = parse_double(number_text());
  if (!value) fail(start, "a number that double can hold");
  return *value;
}

/// A number as RFC 8259 has it, which is narrower than what is read from text elsewhere.
std::string_view JsonReader::number_text() {
  next();
  const std::size_t start = at_;
  const auto here = [&](std::string_view marks) {
    return at_ < text_.size() && marks.find(text_[at_]) != std::string_view::npos;
  };
  const auto digits = [&] {
    if (at_ == text_.size() || !is_digit(text_[at_])) fail(start, "a number");
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  };
  if (here("-")) ++at_;
  if (here("0"))
    ++at_;  // no other digit may follow
  else
    digits();
  if (here(".")) {
    ++at_;
    digits();
  }
  if (here("eE")) {
    ++at_;
    if (here("+-")) ++at_;
    digits();
  }
  return text_.substr(start, at_ - start);
}

std::string_view JsonReader::string_text() {
  expect('"', "a string");
  const std::size_t start = at_;
  bool plain = true;  // nothing escaped, nothing but ASCII
  for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte == '\\' && at_ + 1 < text_.size()) ++at_;
    plain = plain && byte != '\\' && byte >= 0x20 && byte < 0x80;
  }
  if (at_ == text_.size()) fail(start - 1, "a string");
  const std::string_view inside = text_.substr(start, at_ - start);
  ++at_;
  if (plain) return inside;
  const nlohmann::json whole = nlohmann::json::parse(text_.substr(start - 1, at_ - start + 1), nullptr,
                                                     false);
  if (!whole.is_string()) fail(start - 1, "a string of UTF-8");
  unescaped_ = whole.get<std::string>();
  return unescaped_;
}

void JsonReader::end() {
  next();
  if (at_ < text_.size()) fail(at_, "the end");
}

void JsonReader::fail(std::size_t at, const std::string& allowed) const {
  const std::string_view found = text_.substr(std::min(at, text_.size()));
  throw Error("byte " + std::to_string(at) + ": found " + (found.empty() ? "the end" : shown(found)) +
              ", allowed is " + allowed);
}

}  // namespace startle
