#include "web/page_routes.hpp"

#include "core/hash.hpp"
#include "core/text.hpp"
#include "web/page_files.hpp"

namespace startle {
namespace {

const std::map<std::string, const char*> types{{"html", "text/html; charset=utf-8"},
                                               {"css", "text/css; charset=utf-8"},
                                               {"js", "text/javascript; charset=utf-8"},
                                               {"svg", "image/svg+xml"}};

HttpResponse page_file(const Call& call, const std::string& name) {
  const auto found = page_files().find(name);
  if (found == page_files().end()) throw NotFound("there is no file " + shown(name));
  Hash hash;
  hash.add(found->second);
  const std::string tag = '"' + hexadecimal(hash.value()) + '"';
  HttpResponse response{.type = types.at(name.substr(name.rfind('.') + 1)), .body = found->second};
  response.headers["ETag"] = tag;
  response.headers["Cache-Control"] = "no-cache";  // asked for again, and then mostly 304
  if (call.request.header("if-none-match") != tag) return response;
  response.status = 304;
  response.body.clear();
  return response;
}

}  // namespace

void add_page_routes(Router& router, const std::map<std::string, std::string>& pages) {
  for (const auto& [path, file] : pages)
    router.add("GET", path, [file = file](const Call& call) { return page_file(call, file); });
  router.add("GET", "/page/*", [](const Call& call) { return page_file(call, call.arguments[0]); });
}

}  // namespace startle
