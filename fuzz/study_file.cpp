/// \file  Fuzz target: any bytes as the file of a study with people give a study or an Error.
#include <cstdint>

#include "core/error.hpp"
#include "fuzz/as_file.hpp"
#include "people/study_store.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path path = as_file(data, size);
  try {
    const startle::StudyStore store(path);
    store.record().questions();
    for (const startle::StudyParticipant& participant : store.participants()) store.events(participant);
  } catch (const startle::Error&) {
  }
  return 0;
}
