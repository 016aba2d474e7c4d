#pragma once
/// \file  Which function answers which request, and what holds for all of them: who may ask, and what
/// browsers are to refuse.
#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "web/http_message.hpp"

namespace startle {

/// What a handler throws for a thing that is not there; answered with 404.
class NotFound : public Error {
 public:
  using Error::Error;
};

/// A request for a handler.
struct Call {
  const HttpRequest& request;
  std::vector<std::string> arguments;  ///< segments of the path in place of "*", in order
};

class Router {
 public:
  using Handler = std::function<HttpResponse(const Call&)>;

  /// `site`: where browsers find the server behind a reverse proxy, "https://play.example.org"; empty: they
  /// connect to it. Throws Error for what is no such address.
  explicit Router(const std::string& site);

  /// `path`: "/api/levels/*/scene". GET answers HEAD, too. A handler throws Error for bad input, which is
  /// answered with 400 and the message, and NotFound.
  void add(const std::string& method, const std::string& path, Handler handler);

  /// Never throws for what is wrong with the request.
  HttpResponse answer(const HttpRequest& request) const;

 private:
  struct Route {
    std::string method;
    std::vector<std::string> path;
    Handler handler;
  };
  HttpResponse routed(const HttpRequest& request) const;
  /// The answer to a request that is not to be looked at any further: 0 for one that may be.
  int forbidden(const HttpRequest& request) const;

  std::vector<Route> routes_;
  std::string site_;       ///< as an Origin header has it
  std::string site_host_;  ///< as a Host header has it
};

/// {"error": what}.
HttpResponse error_response(int status, const std::string& what);

}  // namespace startle
