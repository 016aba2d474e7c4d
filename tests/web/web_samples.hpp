#pragma once
/// \file  A server of a few levels, and a client that sends any bytes.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "core/text.hpp"
#include "web/web_site.hpp"

namespace startle::testing {

inline const std::string web_levels = STARTLE_BENCHMARK "/T2/easy";
inline const std::string web_level = "T2-easy-5005-0003";

/// Options of a server of one folder of the benchmark, on a port that is free.
inline WebSiteOptions web_options() {
  WebSiteOptions options;
  options.levels = {web_levels};
  options.server.port = 0;
  options.server.threads = 2;
  return options;
}

/// Serves while it lives.
class RunningSite {
 public:
  explicit RunningSite(const WebSiteOptions& options = web_options())
      : site_(options), thread_([this] { site_.run([this] { return !stop_; }); }) {}
  ~RunningSite() {
    stop_ = true;
    thread_.join();
  }
  RunningSite(const RunningSite&) = delete;
  RunningSite& operator=(const RunningSite&) = delete;
  int port() const { return site_.port(); }

 private:
  WebSite site_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

/// A connection to this machine that sends bytes as they are given.
class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~RawClient() { close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool connected() const { return connected_; }
  /// False: the server has closed.
  bool write(const std::string& bytes) {
    return send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  /// What comes until `end` stands in it, the server closes, or nothing has come for that time.
  std::string read(const std::string& end, int milliseconds = 10000) {
    std::string text;
    std::array<char, 65536> bytes;
    while (end.empty() || text.find(end) == std::string::npos) {
      const ssize_t count = some(bytes, milliseconds);
      if (count <= 0) break;
      text.append(bytes.data(), static_cast<std::size_t>(count));
    }
    return text;
  }
  /// Whether the server closes the connection within that time; what it sends before is passed over.
  bool closes(int milliseconds = 10000) {
    std::array<char, 65536> bytes;
    for (;;) {
      const ssize_t count = some(bytes, milliseconds);
      if (count <= 0) return count != waited_in_vain;
    }
  }

 private:
  static constexpr ssize_t waited_in_vain = -2;
  ssize_t some(std::array<char, 65536>& bytes, int milliseconds) {
    pollfd waited{socket_, POLLIN, 0};
    if (poll(&waited, 1, milliseconds) != 1) return waited_in_vain;
    return recv(socket_, bytes.data(), bytes.size(), 0);
  }

  int socket_;
  bool connected_ = false;
};

/// An answer, whose connection is then closed.
struct RawAnswer {
  int status = 0;
  std::string head, body;
};
inline RawAnswer raw_answer(int port, const std::string& request) {
  RawClient client(port);
  client.write(request);
  const std::string text = client.read("");
  const std::size_t end = text.find("\r\n\r\n");
  if (!text.starts_with("HTTP/1.1 ") || end == std::string::npos) return {};
  return {parse_number<int>(text.substr(9, 3)).value_or(0), text.substr(0, end), text.substr(end + 4)};
}

/// A request as browsers make it.
inline HttpRequest get_request(std::vector<std::string> path) {
  return {.method = "GET", .path = std::move(path), .headers = {{"host", "127.0.0.1:8080"}}};
}
inline HttpRequest post_request(std::vector<std::string> path, const nlohmann::json& body) {
  return {.method = "POST",
          .path = std::move(path),
          .headers = {{"host", "127.0.0.1:8080"},
                      {"origin", "http://127.0.0.1:8080"},
                      {"content-type", "application/json"}},
          .body = body.dump()};
}
inline HttpRequest level_request(const std::string& what, const nlohmann::json& body) {
  return post_request({"api", "levels", web_level, what}, body);
}

}  // namespace startle::testing
