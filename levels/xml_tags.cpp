#include "levels/xml_tags.hpp"

#include <algorithm>
#include <cstdint>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_name_char(char c) { return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; }

/// Control characters that XML 1.0 forbids, also as entities.
bool is_forbidden(char c) { return static_cast<unsigned char>(c) < 0x20 && !is_blank(c); }

void append_utf8(std::string& text, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

std::string utf8_from_utf16(std::string_view bytes, bool big_endian, const std::string& source) {
  if (bytes.size() % 2 != 0)
    throw Error(source + ": UTF-16 text has an odd number of bytes: the file is cut off");
  const auto unit = [&](std::size_t i) -> std::uint32_t {
    const auto first = static_cast<unsigned char>(bytes[i]),
               second = static_cast<unsigned char>(bytes[i + 1]);
    return big_endian ? first << 8 | second : second << 8 | first;
  };
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    std::uint32_t code = unit(i);
    if (code >= 0xD800 && code < 0xE000) {
      const std::uint32_t low = i + 2 < bytes.size() ? unit(i + 2) : 0;
      if (code >= 0xDC00 || low < 0xDC00 || low >= 0xE000)
        throw Error(source + ": UTF-16 text has half a surrogate pair at byte " + std::to_string(i));
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      i += 2;
    }
    append_utf8(text, code);
  }
  return text;
}

/// What the bytes are shows in the byte order mark, else in the zero byte beside the first '<'; the header is
/// not asked.
std::string utf8_from(std::string_view bytes, const std::string& source) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\xEF\xBB\xBF")) return std::string(bytes.substr(3));
  if (bytes.starts_with("\xFF\xFE")) return utf8_from_utf16(bytes.substr(2), false, source);
  if (bytes.starts_with("\xFE\xFF")) return utf8_from_utf16(bytes.substr(2), true, source);
  if (bytes.starts_with("<\0"sv)) return utf8_from_utf16(bytes, false, source);
  if (bytes.starts_with("\0<"sv)) return utf8_from_utf16(bytes, true, source);
  return std::string(bytes);
}

}  // namespace

XmlTags::XmlTags(std::string_view bytes, std::string source_name)
    : text_(utf8_from(bytes, source_name)), source_(std::move(source_name)) {
  const std::size_t invalid = first_invalid_utf8(text_);
  if (invalid != std::string::npos)
    fail(invalid, "found a byte that is not UTF-8; allowed: UTF-8 or UTF-16 text");
  const auto forbidden = std::find_if(text_.begin(), text_.end(), is_forbidden);
  if (forbidden != text_.end())
    fail(static_cast<std::size_t>(forbidden - text_.begin()),
         "found control character " + std::to_string(static_cast<int>(*forbidden)) + ", which XML forbids");
}

std::size_t XmlTags::line(std::size_t offset) const {
  return 1 + static_cast<std::size_t>(
                 std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

void XmlTags::fail(std::size_t offset, const std::string& what) const {
  throw Error(source_ + ": line " + std::to_string(line(offset)) + ": " + what);
}

bool XmlTags::skip(std::string_view token) {
  if (!std::string_view(text_).substr(position_).starts_with(token)) return false;
  position_ += token.size();
  return true;
}

void XmlTags::skip_past(std::string_view end, const char* what) {
  const std::size_t found = text_.find(end, position_);
  if (found == std::string::npos) fail(position_, std::string(what) + " does not end; is the file cut off?");
  position_ = found + end.size();
}

void XmlTags::skip_blanks() {
  while (is_blank(peek())) ++position_;
}

std::string XmlTags::read_name(const char* what) {
  const std::size_t begin = position_;
  if (is_name_start(peek()))
    while (is_name_char(peek())) ++position_;
  if (position_ == begin) {
    const std::string found = position_ < text_.size() ? shown(text_.substr(position_, 1))
                                                       : "the end of the file";
    fail(position_, "found " + found + "; allowed here: " + what);
  }
  return text_.substr(begin, position_ - begin);
}

std::string XmlTags::read_entity() {
  const std::size_t begin = position_, end = text_.find(';', begin);
  const std::string entity = end == std::string::npos ? "" : text_.substr(begin + 1, end - begin - 1);
  position_ = begin + entity.size() + 2;  // past '&', the name and ';'
  if (entity == "lt") return "<";
  if (entity == "gt") return ">";
  if (entity == "amp") return "&";
  if (entity == "quot") return "\"";
  if (entity == "apos") return "'";
  if (entity.starts_with("#")) {
    const bool hexadecimal = entity.starts_with("#x");
    const std::string_view digits = std::string_view(entity).substr(hexadecimal ? 2 : 1);
    const std::uint32_t code = parse_number<std::uint32_t>(digits, hexadecimal ? 16 : 10).value_or(0);
    const bool character = code < 0x110000 && !(code >= 0xD800 && code < 0xE000) &&
                           (code >= 0x20 || code == '\t' || code == '\n' || code == '\r');
    if (character) {
      std::string text;
      append_utf8(text, code);
      return text;
    }
  }
  fail(begin,
       "found " + shown(text_.substr(begin, end == std::string::npos ? 10 : end + 1 - begin)) +
           "; allowed after '&': lt; gt; amp; quot; apos; or the number of a character, as #10; or #x0A;");
}

std::string XmlTags::read_value(const std::string& attribute) {
  const char quote = peek();
  if (quote != '"' && quote != '\'')
    fail(position_, "attribute " + shown(attribute) + " has no value in quotes");
  const std::size_t begin = position_++;
  std::string value;
  while (peek() != quote) {
    const char c = peek();
    // A '<' can only mean that the closing quote was forgotten, and so can the end of the text.
    if (position_ == text_.size() || c == '<')
      fail(begin, "the value of attribute " + shown(attribute) + " has no closing quote");
    if (c == '&') {
      value += read_entity();
    } else {
      value += is_blank(c) ? ' ' : c;  // as XML prescribes
      ++position_;
    }
  }
  ++position_;
  return value;
}

std::optional<XmlTag> XmlTags::next() {
  while (true) {
    skip_blanks();
    if (position_ == text_.size()) return std::nullopt;
    if (skip("<!--")) {
      skip_past("-->", "a comment");
    } else if (skip("<?")) {
      skip_past("?>", "a <? ?> section");
    } else {
      break;
    }
  }

  XmlTag tag;
  tag.offset = position_;
  const std::string found = shown(std::string_view(text_).substr(position_, 9));
  if (!skip("<")) fail(position_, "found " + found + " outside all tags; allowed: elements and comments");
  if (peek() == '!') fail(position_, "found " + found + "; allowed: elements and comments");
  if (skip("/")) tag.type = XmlTag::Type::end;
  tag.name = read_name("the name of an element");
  std::set<std::string> seen;
  while (true) {
    const std::size_t before = position_;
    skip_blanks();
    if (skip(">")) return tag;
    if (tag.type == XmlTag::Type::start && skip("/>")) {
      tag.type = XmlTag::Type::empty;
      return tag;
    }
    if (position_ == text_.size())
      fail(tag.offset, "<" + shown(tag.name) + " does not end; is the file cut off?");
    if (tag.type == XmlTag::Type::end || position_ == before)
      fail(position_, "found " + shown(text_.substr(position_, 1)) + " in the tag " + shown(tag.name) +
                          "; allowed here: '>' or a blank");
    const std::size_t offset = position_;
    std::string attribute = read_name("the name of an attribute, '>' or '/>'");
    if (!seen.insert(attribute).second)
      fail(offset, "attribute " + shown(attribute) + " stands twice in one tag");
    skip_blanks();
    if (!skip("=")) fail(position_, "attribute " + shown(attribute) + " is not followed by '='");
    skip_blanks();
    std::string value = read_value(attribute);
    tag.attributes.emplace_back(std::move(attribute), std::move(value));
  }
}

bool is_xml_name(std::string_view name) {
  return !name.empty() && is_name_start(name[0]) && std::all_of(name.begin(), name.end(), is_name_char);
}

std::string xml_attribute_value(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (is_forbidden(c))
      throw Error("the text " + shown(text) + " cannot be written as XML: it holds a control character");
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\t':
        result += "&#9;";
        break;
      case '\n':
        result += "&#10;";
        break;
      case '\r':
        result += "&#13;";
        break;
      default:
        result += c;
    }
  }
  return result + "\"";
}

}  // namespace startle
