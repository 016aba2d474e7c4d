#include "web/http_message.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/text.hpp"

namespace startle {
namespace {

const std::map<int, const char*> reasons{{200, "OK"},
                                         {304, "Not Modified"},
                                         {400, "Bad Request"},
                                         {403, "Forbidden"},
                                         {404, "Not Found"},
                                         {405, "Method Not Allowed"},
                                         {409, "Conflict"},
                                         {413, "Content Too Large"},
                                         {415, "Unsupported Media Type"},
                                         {421, "Misdirected Request"},
                                         {429, "Too Many Requests"},
                                         {431, "Request Header Fields Too Large"},
                                         {500, "Internal Server Error"},
                                         {501, "Not Implemented"},
                                         {503, "Service Unavailable"},
                                         {505, "HTTP Version Not Supported"},
                                         {507, "Insufficient Storage"}};

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

/// The part of `text` before `mark`, which is taken from it with the mark; all where there is none.
std::string_view cut(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + mark.size());
  return part;
}

/// Path and query; false for what no browser sends.
bool read_target(std::string_view target, HttpRequest& request) {
  std::string_view query = target;
  std::string_view path = cut(query, "?");
  if (path.empty() || path.front() != '/') return false;
  path.remove_prefix(1);
  while (!path.empty()) {
    const std::optional<std::string> segment = url_decoded(cut(path, "/"));
    if (!segment) return false;
    request.path.push_back(*segment);
  }
  while (!query.empty()) {
    std::string_view value = cut(query, "&");
    const std::optional<std::string> name = url_decoded(cut(value, "=")), text = url_decoded(value);
    if (!name || !text) return false;
    request.query[*name] = *text;
  }
  return true;
}

/// The status to refuse with; 0: the headers are sound.
int read_head(std::string_view head, HttpRequest& request) {
  std::string_view line = cut(head, "\r\n");
  request.method = cut(line, " ");
  const std::string_view target = cut(line, " ");
  if (!is_token(request.method) || !read_target(target, request)) return 400;
  if (line != "HTTP/1.1" && line != "HTTP/1.0") return line.starts_with("HTTP/") ? 505 : 400;
  while (!head.empty()) {
    std::string_view value = cut(head, "\r\n");
    const std::string_view name = cut(value, ":");
    value = trimmed(value);
    // A blank before the colon and a line that goes on the one before are read differently by others.
    if (!is_token(name) || value.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos)
      return 400;
    const auto [place, is_new] = request.headers.try_emplace(in_small_letters(name), value);
    if (is_new) continue;
    if (place->first == "host" || place->first == "content-length" || place->first == "origin") return 400;
    place->second += ", " + std::string(value);
  }
  if (line == "HTTP/1.1" && !request.headers.contains("host")) return 400;
  const std::string connection = in_small_letters(request.header("connection"));
  request.keep_alive = line == "HTTP/1.1" ? connection.find("close") == std::string::npos
                                          : connection.find("keep-alive") != std::string::npos;
  return request.headers.contains("transfer-encoding") ? 501 : 0;
}

/// Digits alone: neither a sign nor a blank.
std::optional<std::size_t> content_length(const HttpRequest& request) {
  const auto found = request.headers.find("content-length");
  if (found == request.headers.end()) return 0;
  return parse_number<std::size_t>(found->second);
}

}  // namespace

std::string HttpRequest::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

std::optional<std::string> url_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) <= ' ' || c == 0x7F) return std::nullopt;
    if (c != '%') {
      decoded += c;
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    const std::optional<unsigned> value = parse_number<unsigned>(digits, 16);
    if (digits.size() != 2 || !value || *value == 0) return std::nullopt;
    decoded += static_cast<char>(*value);
    i += 2;
  }
  if (first_invalid_utf8(decoded) != std::string::npos) return std::nullopt;
  return decoded;
}

std::optional<HttpRequest> HttpReader::refuse(int status) {
  refused_ = status;
  buffer_.clear();
  pending_.reset();
  return std::nullopt;
}

std::optional<HttpRequest> HttpReader::next() {
  if (refused_ != 0) return std::nullopt;
  if (!pending_) {
    const std::size_t end = buffer_.find("\r\n\r\n", searched_);
    const bool ends = end != std::string::npos;
    if (!ends) searched_ = buffer_.size() < 3 ? 0 : buffer_.size() - 3;
    if ((ends ? end : searched_) > limits_.header_bytes) return refuse(431);
    if (!ends) return std::nullopt;
    HttpRequest request;
    if (const int status = read_head(std::string_view(buffer_).substr(0, end), request))
      return refuse(status);
    const std::optional<std::size_t> length = content_length(request);
    if (!length) return refuse(400);
    if (*length > limits_.body_bytes) return refuse(413);
    body_from_ = end + 4;
    body_ = *length;
    pending_ = std::move(request);
  }
  if (buffer_.size() < body_from_ + body_) return std::nullopt;
  pending_->body = buffer_.substr(body_from_, body_);
  buffer_.erase(0, body_from_ + body_);
  searched_ = 0;
  return std::exchange(pending_, std::nullopt);
}

std::string http_text(const HttpResponse& response, bool keep_alive, bool head) {
  const auto reason = reasons.find(response.status);
  std::string text = "HTTP/1.1 " + std::to_string(response.status) + " " +
                     (reason == reasons.end() ? "" : reason->second) + "\r\n";
  if (response.status != 304)
    text += "Content-Type: " + response.type + "\r\nContent-Length: " + std::to_string(response.body.size()) +
            "\r\n";
  for (const auto& [name, value] : response.headers) text += name + ": " + value + "\r\n";
  text += keep_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
  if (!head && response.status != 304) text += response.body;
  return text;
}

}  // namespace startle
