#pragma once
/// \file  A server of HTTP/1.1 for browsers on the same machine and for a reverse proxy.
///
/// One thread waits for all connections at once and reads and writes; a few others answer requests that have
/// come whole. So a slow or silent client holds a place in a table and no thread, and has its time.
///
/// It is our own because cpp-httplib gives each connection a thread for as long as it stays open: as many
/// idle connections as it has threads keep everybody else waiting, and thousands may come. Here one thread
/// polls them all, and a thread is taken for a whole request alone. Boost.Beast and Asio would poll and
/// parse, but who makes room for whom, what waits, and what is refused because a proxy may read it otherwise
/// would still be ours, for 160 MB of headers; and the page without a server reads requests, too
/// (static_site.hpp).
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "web/http_message.hpp"

namespace startle {

struct HttpServerOptions {
  std::string address = "127.0.0.1";  ///< IPv4 or IPv6; "0.0.0.0": other machines may connect
  int port = 8080;                    ///< 0: one that is free
  HttpLimits limits = {};
  unsigned threads = 0;  ///< that answer; 0: one a core
  /// Connections at once. When one more comes, the one that has waited longest for a request is closed; where
  /// all are being answered, the new one.
  std::size_t most_connections = 900;
  std::size_t most_waiting = 64;             ///< requests for a thread; more are answered with 503
  std::chrono::milliseconds request{10000};  ///< from a request's first byte to its last
  std::chrono::milliseconds idle{60000};     ///< between two requests
  std::chrono::milliseconds answer{60000};   ///< for the client to take an answer
};

class HttpServer {
 public:
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  /// Listens. `handler` is called by several threads; what it throws is answered with 500. Throws Error when
  /// address or port cannot be used.
  HttpServer(const HttpServerOptions& options, Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;
  /// Serves until `go_on`, which is asked a few times a second, says false.
  void run(const std::function<bool()>& go_on);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace startle
