/// \file  Fuzz target: any bytes as a file of tensors give tensors or an Error, and such tensors survive
/// writing and reading.
#include <cstdint>
#include <cstdlib>

#include "core/error.hpp"
#include "fuzz/as_file.hpp"
#include "surprise/networks/tensor_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path path = as_file(data, size);
  startle::TensorFile file;
  try {
    file = startle::read_tensors(path);
  } catch (const startle::Error&) {
    return 0;
  }
  startle::write_tensors(path, file);
  const startle::TensorFile again = startle::read_tensors(path);
  if (again.metadata != file.metadata || again.tensors.size() != file.tensors.size()) std::abort();
  for (const auto& [name, tensor] : file.tensors)
    if (again.tensors.at(name).values != tensor.values || again.tensors.at(name).shape != tensor.shape)
      std::abort();
  return 0;
}
