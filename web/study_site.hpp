#pragma once
/// \file  A study with people in browsers: its page and its API, served over HTTP (docs/web.md). Open play,
/// which shows what novelties there are, is not served beside it.
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "web/http_server.hpp"

namespace startle {

struct StudySiteOptions {
  std::filesystem::path study;
  std::string program;  ///< "startle 0.2.0": that made the study
  std::string site;     ///< where browsers find the server behind a reverse proxy; empty: they connect to it
  int most_enrolled = 0;   ///< see StudyRouteOptions
  std::string researcher;  ///< hash of the password of the researcher's page (password_hash()); empty: there
                           ///< is none
  std::function<void(const std::string&)> report_failure;
  HttpServerOptions server = {};
};

class StudySite {
 public:
  /// Opens the study and listens. Throws Error for a study, site, address or port that cannot be used.
  explicit StudySite(const StudySiteOptions& options);
  ~StudySite();
  StudySite(const StudySite&) = delete;
  StudySite& operator=(const StudySite&) = delete;

  int port() const;
  /// The answer to a request, as run() gives it. Several threads may ask.
  HttpResponse answer(const HttpRequest& request) const;
  /// Serves until `go_on`, which is asked a few times a second, says false.
  void run(const std::function<bool()>& go_on);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace startle
