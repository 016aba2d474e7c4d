#pragma once
/// \file  JSON text read from front to back into what it is for, without a tree of it: for messages that come
/// many times a second.
///
/// \code
///   int id = 0;
///   std::vector<double> places;
///   JsonReader in(R"({"places": [0.5, 1], "id": 7})");
///   in.object(JsonMember{"id", [&] { id = in.whole<int>(); }},
///             JsonMember{"places", [&] { in.array([&] { places.push_back(in.number()); }); }});
///   in.end();
/// \endcode
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/text.hpp"

namespace startle {

/// A key that an object may have. `read` is called where it stands, and must read one value.
template <typename Read>
struct JsonMember {
  std::string_view key;
  Read read;
  bool required = true;
};
template <typename Read>
JsonMember(std::string_view, Read) -> JsonMember<Read>;
template <typename Read>
JsonMember(std::string_view, Read, bool) -> JsonMember<Read>;

/// Every function reads what must come next, and throws Error with the byte, what was found and what is
/// allowed where something else comes: also for text that is not JSON (RFC 8259) up to there.
class JsonReader {
 public:
  /// `text` must outlive the reader.
  explicit JsonReader(std::string_view text) : text_(text) {}

  /// An object with the required ones of these members and no others, each once, in any order.
  template <typename... Reads>
  void object(const JsonMember<Reads>&... members);
  /// An array: `each` is called for every element, and must read it.
  template <typename Each>
  void array(const Each& each);
  /// Throws for numbers that double cannot hold, too: too large ones, and others than 0 that would become 0.
  double number();
  /// A whole number that the type can hold, written without point and exponent.
  template <typename Whole>
  Whole whole();
  std::string string() { return std::string(string_text()); }
  /// Nothing but blanks up to the end of the text.
  void end();

 private:
  char next();
  bool take(char mark);
  void expect(char mark, const char* allowed);
  std::string_view number_text();
  /// Valid up to the next call.
  std::string_view string_text();
  [[noreturn]] void fail(std::size_t at, const std::string& allowed) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::string unescaped_;
};

template <typename... Reads>
void JsonReader::object(const JsonMember<Reads>&... members) {
  expect('{', "an object");
  unsigned long long found = 0;
  static_assert(sizeof...(Reads) <= std::numeric_limits<unsigned long long>::digits);
  for (bool first = true; !take('}'); first = false) {
    if (!first) expect(',', "a comma or the end of the object");
    const std::size_t start = at_;
    const std::string key(string_text());
    expect(':', "a colon");
    unsigned long long bit = 1;
    const auto is_read = [&](const auto& member) {
      if (key == member.key) {
        if ((found & bit) != 0) fail(start, "one key " + key);
        member.read();
        found |= bit;
        return true;
      }
      bit <<= 1;
      return false;
    };
    if (!(is_read(members) || ...)) fail(start, "a key of " + listed({std::string(members.key)...}));
  }
  unsigned long long bit = 1;
  const auto check = [&](std::string_view key, bool required) {
    if (required && (found & bit) == 0) fail(at_, "key " + std::string(key) + ", which is missing");
    bit <<= 1;
  };
  (check(members.key, members.required), ...);
}

template <typename Each>
void JsonReader::array(const Each& each) {
  expect('[', "an array");
  for (bool first = true; !take(']'); first = false) {
    if (!first) expect(',', "a comma or the end of the array");
    each();
  }
}

template <typename Whole>
Whole JsonReader::whole() {
  next();
  const std::size_t start = at_;
  const std::optional<Whole> value = parse_number<Whole>(number_text());
  if (!value)
    fail(start, "a whole number from " + std::to_string(std::numeric_limits<Whole>::min()) + " to " +
                    std::to_string(std::numeric_limits<Whole>::max()));
  return *value;
}

}  // namespace startle
