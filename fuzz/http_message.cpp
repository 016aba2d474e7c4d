/// \file  Fuzz target: bytes as HTTP requests give what they say or a refusal, within limits, and the same
/// however they arrive.
#include "web/http_message.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

using namespace startle;

constexpr HttpLimits limits{.header_bytes = 512, .body_bytes = 64};

/// What is read of bytes that arrive in pieces of that size, and the refusal.
struct Read {
  std::vector<HttpRequest> requests;
  int refused = 0;
};

Read read_in_pieces(std::string_view bytes, std::size_t piece) {
  HttpReader reader(limits);
  Read read;
  for (std::size_t at = 0; at < bytes.size() && reader.refused() == 0; at += piece) {
    reader.add(bytes.substr(at, piece));
    while (auto request = reader.next()) read.requests.push_back(*request);
  }
  read.refused = reader.refused();
  return read;
}

bool same(const HttpRequest& a, const HttpRequest& b) {
  return a.method == b.method && a.path == b.path && a.query == b.query && a.headers == b.headers &&
         a.body == b.body && a.keep_alive == b.keep_alive;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Read whole = read_in_pieces(bytes, size + 1), single = read_in_pieces(bytes, 1);
  if (whole.requests.size() != single.requests.size() || whole.refused != single.refused) std::abort();
  for (std::size_t i = 0; i < whole.requests.size(); ++i)
    if (!same(whole.requests[i], single.requests[i]) || whole.requests[i].body.size() > limits.body_bytes)
      std::abort();
  return 0;
}
