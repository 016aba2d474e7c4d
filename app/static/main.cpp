/// \file  The engine within a page: what web/static/worker.js and Node call, compiled by emscripten.
#include <exception>
#include <string>

#include "web/router.hpp"
#include "web/static_site.hpp"

namespace startle {
namespace {

/// The levels are packed beside the module (CMakeLists.txt).
StaticSite& site() {
  static StaticSite site("/levels", "/work");
  return site;
}

HttpResponse last_answer;

}  // namespace
}  // namespace startle

/// Answers a request, and gives the status. Type and bytes stay until the next request.
extern "C" int startle_answer(const char* method, const char* target, const char* body) {
  using namespace startle;
  try {
    last_answer = site().answer(method, target, body);
  } catch (const std::exception& error) {
    last_answer = error_response(500, error.what());
  }
  return last_answer.status;
}
extern "C" const char* startle_answer_type() { return startle::last_answer.type.c_str(); }
extern "C" const char* startle_answer_bytes() { return startle::last_answer.body.data(); }
extern "C" int startle_answer_size() { return static_cast<int>(startle::last_answer.body.size()); }
