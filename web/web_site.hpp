#pragma once
/// \file  The game in a browser: a page and its API, served over HTTP (docs/web.md).
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "web/http_server.hpp"

namespace startle {

struct WebSiteOptions {
  std::vector<std::filesystem::path> levels;  ///< files and folders
  std::string profile = "startle";
  std::string site;  ///< where browsers find the server behind a reverse proxy, "https://play.example.org";
                     ///< empty: they connect to it
  HttpServerOptions server = {};
};

class WebSite {
 public:
  /// Reads the levels and listens. Throws Error for levels, profile, site, address or port that cannot be
  /// used.
  explicit WebSite(const WebSiteOptions& options);
  ~WebSite();
  WebSite(const WebSite&) = delete;
  WebSite& operator=(const WebSite&) = delete;

  int port() const;
  std::size_t levels() const;
  std::size_t left_out() const;  ///< files that cannot be read or played

  /// The answer to a request, as run() gives it. Several threads may ask.
  HttpResponse answer(const HttpRequest& request) const;
  /// Serves until `go_on`, which is asked a few times a second, says false.
  void run(const std::function<bool()>& go_on);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace startle
