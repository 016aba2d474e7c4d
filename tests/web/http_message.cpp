#include "web/http_message.hpp"

#include <string>

#include "tests/catch.hpp"

using namespace startle;

namespace {

/// What comes of bytes that arrive in pieces of that size.
std::optional<HttpRequest> read_in_pieces(HttpReader& reader, const std::string& bytes, std::size_t piece) {
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.add(bytes.substr(at, piece));
    if (auto request = reader.next()) return request;
    if (reader.refused() != 0) return std::nullopt;
  }
  return std::nullopt;
}

int refusal(const std::string& bytes) {
  HttpReader reader({});
  reader.add(bytes);
  CHECK_FALSE(reader.next());
  return reader.refused();
}

std::string with_header(const std::string& line) {
  return "GET / HTTP/1.1\r\nHost: a\r\n" + line + "\r\n\r\n";
}

}  // namespace

TEST_CASE("[web] a request is the same however its bytes arrive") {
  const std::string bytes =
      "POST /api/levels/a%20b/shots?x=1&y=%C3%A4 HTTP/1.1\r\nHost: example:80\r\nContent-LENGTH: 4\r\n"
      "Accept: a\r\naccept:  b \r\n\r\n{\"a\"";
  const std::size_t piece = GENERATE(1U, 2U, 3U, 7U, 1000U);
  HttpReader reader({});
  const auto request = read_in_pieces(reader, bytes, piece);
  REQUIRE(request);
  CHECK(request->method == "POST");
  CHECK(request->path == std::vector<std::string>{"api", "levels", "a b", "shots"});
  CHECK(request->query == std::map<std::string, std::string>{{"x", "1"}, {"y", "\xC3\xA4"}});
  CHECK(request->header("host") == "example:80");
  CHECK(request->header("accept") == "a, b");
  CHECK(request->body == "{\"a\"");
  CHECK(request->keep_alive);
  CHECK(reader.empty());
}

TEST_CASE("[web] requests that come at once are read one after the other") {
  HttpReader reader({});
  reader.add(
      "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"
      "GET /3 HTTP/1.0\r\n\r\n");
  CHECK(reader.next()->path == std::vector<std::string>{"1"});
  const auto second = reader.next();
  CHECK(second->path == std::vector<std::string>{"2"});
  CHECK(second->body == "x");
  const auto third = reader.next();
  CHECK(third->path == std::vector<std::string>{"3"});
  CHECK_FALSE(third->keep_alive);
  CHECK_FALSE(reader.next());
  CHECK(reader.refused() == 0);
}

TEST_CASE("[web] the first byte beyond a limit is refused, the last within it is not") {
  const HttpLimits limits{.header_bytes = 100, .body_bytes = 10};
  const std::string start = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
  const auto refused = [&](std::size_t header, std::size_t body) {
    HttpReader reader(limits);
    reader.add(start + std::string(header - start.size(), 'x'));
    CHECK_FALSE(reader.next());
    if (reader.refused() != 0) return reader.refused();
    reader.add("\r\nContent-Length: " + std::to_string(body) + "\r\n\r\n");
    const auto request = reader.next();
    CHECK((request || reader.refused() != 0 || body > 0));
    return reader.refused();
  };
  CHECK(refused(80, 10) == 0);  // and "\r\nContent-Length: 10", 20 bytes
  CHECK(refused(81, 10) == 431);
  CHECK(refused(80, 11) == 413);
  CHECK(refused(101, 0) == 431);
}

TEST_CASE("[web] headers have 16 KiB and a body 64 KiB where nothing else is said") {
  const auto refused = [](std::size_t header, std::size_t body) {
    const std::string start = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body) +
                              "\r\nX: ";
    HttpReader reader({});
    reader.add(start + std::string(header - start.size(), 'x') + "\r\n\r\n" + std::string(body, 'y'));
    const auto request = reader.next();
    CHECK(request.has_value() == (reader.refused() == 0));
    return reader.refused();
  };
  CHECK(refused(16384, 65536) == 0);
  CHECK(refused(16385, 0) == 431);
  CHECK(refused(1000, 65537) == 413);
}

TEST_CASE("[web] the largest headers are taken however they arrive") {
  const std::string start = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
  const std::string bytes = start + std::string(100 - start.size(), 'x') + "\r\n\r\n";
  const std::size_t piece = GENERATE(1U, 3U, 1000U);
  HttpReader reader({.header_bytes = 100});
  CHECK(read_in_pieces(reader, bytes, piece));
}

TEST_CASE("[web] what can be read in two ways is refused") {
  CHECK(refusal(with_header("Transfer-Encoding: chunked")) == 501);
  CHECK(refusal(with_header("Content-Length: 1\r\nContent-Length: 1")) == 400);
  for (const char* length : {"-1", "+1", "1 1", "0x1", "1e1", "", "99999999999999999999999"})
    CHECK(refusal(with_header(std::string("Content-Length: ") + length)) == 400);
  CHECK(refusal(with_header("Host: b")) == 400);
  CHECK(refusal(with_header("Name : blank before the colon")) == 400);
  CHECK(refusal(with_header("Name: a\r\n folded")) == 400);
  CHECK(refusal(with_header("Name: a\nOther: b")) == 400);
  CHECK(refusal(with_header(std::string("Name: a\0b", 9))) == 400);
  CHECK(refusal(with_header("no colon")) == 400);
  CHECK(refusal("GET / HTTP/1.1\r\n\r\n") == 400);  // no host
  CHECK(refusal("GET / HTTP/2.0\r\nHost: a\r\n\r\n") == 505);
  CHECK(refusal("GET /\r\nHost: a\r\n\r\n") == 400);
  CHECK(refusal("GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n") == 400);
  CHECK(refusal("G(T / HTTP/1.1\r\nHost: a\r\n\r\n") == 400);
  CHECK(refusal("\r\n\r\n") == 400);
}

TEST_CASE("[web] nothing is read after a refusal") {
  HttpReader reader({});
  reader.add("nonsense\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK_FALSE(reader.next());
  reader.add("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK_FALSE(reader.next());
  CHECK(reader.refused() == 400);
}

TEST_CASE("[web] paths are decoded after they are split, and hold no NUL and no broken text") {
  HttpReader reader({});
  reader.add("GET /a%2Fb/..%2f.. HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(reader.next()->path == std::vector<std::string>{"a/b", "../.."});
  for (const char* path : {"%", "%2", "%zz", "%00", "%ff", "%c3", "%+1", "a%0"})
    CHECK(refusal(std::string("GET /") + path + " HTTP/1.1\r\nHost: a\r\n\r\n") == 400);
}

TEST_CASE("[web] each status has its reason") {
  const std::string reason = GENERATE(
      "200 OK", "304 Not Modified", "400 Bad Request", "403 Forbidden", "404 Not Found",
      "405 Method Not Allowed", "413 Content Too Large", "415 Unsupported Media Type",
      "421 Misdirected Request", "431 Request Header Fields Too Large", "500 Internal Server Error",
      "501 Not Implemented", "503 Service Unavailable", "505 HTTP Version Not Supported");
  const HttpResponse response{.status = std::stoi(reason)};
  CHECK_THAT(http_text(response, true, false), Catch::StartsWith("HTTP/1.1 " + reason + "\r\n"));
}

TEST_CASE("[web] an answer has its length, and none of its body for HEAD") {
  const HttpResponse response{.type = "text/plain", .body = "abc", .headers = {{"X-Name", "value"}}};
  CHECK(http_text(response, true, false) ==
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\nX-Name: value\r\n"
        "Connection: keep-alive\r\n\r\nabc");
  const std::string head = http_text(response, false, true);
  CHECK_THAT(head, Catch::EndsWith("Content-Length: 3\r\nX-Name: value\r\nConnection: close\r\n\r\n"));
}
