#include "web/router.hpp"

#include <arpa/inet.h>
#include <zlib.h>

#include <algorithm>

#include "core/text.hpp"

namespace startle {
namespace {

constexpr std::size_t worth_compressing = 1024;  // bytes

/// Everything from this server alone, no script or style within a page, in no frame of another site.
constexpr const char* content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// "name:8080" and "[::1]:8080" without the port.
std::string host_name(const std::string& host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

/// A site of somebody else can let its own name lead to this machine (DNS rebinding), but not an address of
/// numbers.
bool is_numeric_or_local(const std::string& name) {
  in_addr v4{};
  in6_addr v6{};
  if (name == "localhost" || inet_pton(AF_INET, name.c_str(), &v4) == 1) return true;
  return name.starts_with('[') && name.ends_with(']') &&
         inet_pton(AF_INET6, name.substr(1, name.size() - 2).c_str(), &v6) == 1;
}

bool compressible(const std::string& type) {
  return type.starts_with("text/") || type == "application/json" || type == "image/svg+xml";
}

std::string gzipped(const std::string& text) {
  z_stream stream{};
  constexpr int with_gzip_header = 15 + 16, level = 5;
  if (deflateInit2(&stream, level, Z_DEFLATED, with_gzip_header, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error("gzip: cannot be set up");
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::vector<std::string> segments_of(const std::string& path) {
  std::vector<std::string> segments;
  for (std::size_t from = 1; from < path.size();) {
    const std::size_t end = std::min(path.find('/', from), path.size());
    segments.push_back(path.substr(from, end - from));
    from = end + 1;
  }
  return segments;
}

/// The segments in place of "*"; false where the path is another one.
bool matches(const std::vector<std::string>& pattern, const std::vector<std::string>& path,
             std::vector<std::string>& arguments) {
  if (pattern.size() != path.size()) return false;
  arguments.clear();
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (pattern[i] == "*")
      arguments.push_back(path[i]);
    else if (pattern[i] != path[i])
      return false;
  }
  return true;
}

}  // namespace

HttpResponse error_response(int status, const std::string& what) {
  return {.status = status, .body = "{\"error\":" + quoted(what) + "}"};
}

Router::Router(const std::string& site) : site_(site) {
  if (site.empty()) return;
  const std::size_t at = site.find("://");
  const std::string scheme = site.substr(0, at);
  site_host_ = at == std::string::npos ? "" : site.substr(at + 3);
  if ((scheme != "http" && scheme != "https") || site_host_.empty() ||
      site_host_.find_first_of("/?#@ ") != std::string::npos)
    throw Error("--site: found '" + site + "', allowed is for example https://play.example.org");
}

void Router::add(const std::string& method, const std::string& path, Handler handler) {
  routes_.push_back({method, segments_of(path), std::move(handler)});
}

int Router::forbidden(const HttpRequest& request) const {
  const std::string host = request.header("host"), origin = request.header("origin");
  const bool known = (!site_host_.empty() && host == site_host_) || is_numeric_or_local(host_name(host));
  if (!known) return 421;
  if (request.method == "GET" || request.method == "HEAD") return 0;
  // What may change something comes from our own page: browsers say from where.
  const std::string from = request.header("sec-fetch-site");
  const bool own_page = from.empty() || from == "same-origin" || from == "none";
  const bool own_origin = origin.empty() || origin == site_ || origin == "http://" + host;
  if (!own_page || !own_origin) return 403;
  // A form of another site cannot send this type.
  const std::string type = request.header("content-type");
  return type.substr(0, type.find(';')) == "application/json" ? 0 : 415;
}

HttpResponse Router::routed(const HttpRequest& request) const {
  switch (const int status = forbidden(request)) {
    case 0:
      break;
    case 403:
      return error_response(status, "the request comes from another site");
    case 415:
      return error_response(status, "Content-Type: allowed is application/json");
    default:
      return error_response(status, "Host: this server does not answer for that name; see --site");
  }
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  Call call{request, {}};
  std::string allowed;
  for (const Route& route : routes_) {
    if (!matches(route.path, request.path, call.arguments)) continue;
    if (route.method == method) return route.handler(call);
    allowed += (allowed.empty() ? "" : ", ") + route.method;
  }
  if (allowed.empty()) return error_response(404, "there is no such page");
  HttpResponse response = error_response(405, "allowed: " + allowed);
  response.headers["Allow"] = allowed;
  return response;
}

HttpResponse Router::answer(const HttpRequest& request) const {
  HttpResponse response;
  try {
    response = routed(request);
  } catch (const NotFound& error) {
    response = error_response(404, error.what());
  } catch (const Error& error) {
    response = error_response(400, error.what());
  }
  response.headers.try_emplace("Cache-Control", "no-store");
  response.headers["Content-Security-Policy"] = content_policy;
  response.headers["X-Content-Type-Options"] = "nosniff";
  response.headers["Referrer-Policy"] = "no-referrer";
  response.headers["Cross-Origin-Opener-Policy"] = "same-origin";
  response.headers["Cross-Origin-Resource-Policy"] = "same-origin";
  if (!compressible(response.type)) return response;
  response.headers["Vary"] = "Accept-Encoding";
  if (response.body.size() < worth_compressing ||
      request.header("accept-encoding").find("gzip") == std::string::npos)
    return response;
  response.body = gzipped(response.body);
  response.headers["Content-Encoding"] = "gzip";
  return response;
}

}  // namespace startle
