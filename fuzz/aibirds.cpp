/// \file  Fuzz target: any bytes as requests of Science Birds agents, in each dialect; a request takes
/// neither more bytes than there are nor fewer than it needs.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "agents/agent.hpp"
#include "agents/aibirds/protocol.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace startle;
  using aibirds::Dialect;
  for (const Dialect dialect : {Dialect::phyq, Dialect::hydra, Dialect::alpha}) {
    std::string_view bytes(reinterpret_cast<const char*>(data), size);
    try {
      while (!bytes.empty()) {
        const std::size_t used = aibirds::decode(bytes, dialect).bytes;
        if (used > bytes.size()) std::abort();
        if (used == 0) break;
        if (aibirds::decode(bytes.substr(0, used - 1), dialect).bytes != 0) std::abort();
        bytes.remove_prefix(used);
      }
    } catch (const AgentFailure&) {
    }
  }
  return 0;
}
