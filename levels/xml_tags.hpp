#pragma once
/// \file  XML text as a flat sequence of tags, which is how Science Birds itself reads levels.
///
/// Most public level files are not well-formed (Camera, Score and Slingshot are never closed) and many lie
/// about their encoding, so no standard XML parser reads them. Tags are well-formed in all of them; what
/// encloses what is left to the caller.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace startle {

struct XmlTag {
  enum class Type { start, end, empty };  ///< <a>, </a>, <a/>
  Type type = Type::start;
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;  ///< in file order, entities resolved
  std::size_t offset = 0;                                       ///< for XmlTags::fail
};

class XmlTags {
 public:
  /// Takes UTF-8, with or without byte order mark, or UTF-16 of either byte order, whatever the header
  /// claims. Throws Error for bytes that are neither.
  XmlTags(std::string_view bytes, std::string source_name);

  /// The next tag; empty at the end. Comments and <? ?> are skipped. Throws Error, naming source and line,
  /// for text outside tags, malformed tags, a repeated attribute, unknown entities, DOCTYPE and CDATA.
  std::optional<XmlTag> next();

  std::size_t line(std::size_t offset) const;
  [[noreturn]] void fail(std::size_t offset, const std::string& what) const;

 private:
  char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  bool skip(std::string_view token);
  void skip_past(std::string_view end, const char* what);
  void skip_blanks();
  std::string read_name(const char* what);
  std::string read_value(const std::string& attribute);
  std::string read_entity();

  std::string text_;  ///< UTF-8, no byte order mark, no control characters but blanks
  std::string source_;
  std::size_t position_ = 0;
};

/// True for a name of an element or attribute: a letter, '_', ':' or non-ASCII character first, then also
/// digits, '-' and '.'.
bool is_xml_name(std::string_view name);

/// Text as an attribute value with its quotes. Throws Error for control characters that XML cannot hold.
std::string xml_attribute_value(std::string_view text);

}  // namespace startle
