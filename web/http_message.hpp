#pragma once
/// \file  Requests and answers of HTTP/1.1, as text and as structs.
///
/// Read is the part of RFC 9112 that browsers and reverse proxies send: a body has a Content-Length. What can
/// be read in two ways is refused, since a proxy in front may read it the other way.
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace startle {

struct HttpRequest {
  std::string method;                          ///< "GET"
  std::vector<std::string> path;               ///< decoded segments: {"api", "levels"}; "/" has none
  std::map<std::string, std::string> query;    ///< decoded; of a name given twice, the last one
  std::map<std::string, std::string> headers;  ///< names in small letters, values without blanks around
  std::string body;
  bool keep_alive = true;  ///< the connection serves for more
  std::string peer = {};   ///< address of the client as the connection has it; empty where there is none

  /// Empty where there is none; `name` in small letters.
  std::string header(const std::string& name) const;
};

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";  ///< of the body
  std::string body;
  std::map<std::string, std::string> headers = {};  ///< besides type and length
};

/// The largest request that is read.
struct HttpLimits {
  std::size_t header_bytes = 16 * 1024;  ///< request line and headers
  std::size_t body_bytes = 64 * 1024;
};

/// Puts one request after the other together from the bytes of a connection.
class HttpReader {
 public:
  explicit HttpReader(const HttpLimits& limits) : limits_(limits) {}

  void add(std::string_view bytes) { buffer_ += bytes; }
  /// Nothing has come of the next request.
  bool empty() const { return buffer_.empty(); }

  /// The next request; empty until all of it has come, and for one that is refused: then refused() is the
  /// status to answer with, nothing more can be read, and the connection is to be closed.
  std::optional<HttpRequest> next();
  int refused() const { return refused_; }

 private:
  std::optional<HttpRequest> refuse(int status);

  HttpLimits limits_;
  std::string buffer_;
  std::size_t searched_ = 0;              ///< bytes in which the headers do not end
  std::size_t body_from_ = 0, body_ = 0;  ///< of `pending_`
  std::optional<HttpRequest> pending_;    ///< its headers have come
  int refused_ = 0;
};

/// The bytes of an answer; without the body where the request's method was HEAD.
std::string http_text(const HttpResponse& response, bool keep_alive, bool head);

/// Text in the form of URLs, decoded. Empty for what is no such text, for a NUL and for what is not UTF-8.
std::optional<std::string> url_decoded(std::string_view text);

}  // namespace startle
