#pragma once
/// \file  Named arrays of numbers in one file of the safetensors layout, readable by LibTorch, Python and by
/// hand.
///
/// Eight bytes: length n of the header, little-endian. n bytes: JSON {"name": {"dtype": "F32" or "F16",
/// "shape": [...], "data_offsets": [begin, end]}, ..., "__metadata__": {"key": "text"}}. Then the numbers,
/// little-endian, without gaps.
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace startle {

struct NamedTensor {
  std::vector<std::int64_t> shape;  ///< no entry: a single number
  std::vector<float> values;        ///< row-major, as many as the product of the shape
};

struct TensorFile {
  std::map<std::string, NamedTensor> tensors;
  std::map<std::string, std::string> metadata;
};

/// With `half` as F16 (rounded to nearest), else as F32. Written as by write_file(). Throws Error when it
/// cannot be written, and for values that are not finite, or not in F16.
void write_tensors(const std::filesystem::path& path, const TensorFile& file, bool half = false);

/// F32 and F16 alike become float. Throws Error, naming file and tensor, for a file that is no safetensors
/// file, is cut short, has bytes that belong to no tensor or to two, sizes that do not fit the shape, another
/// dtype, or a value that is not finite, with its index.
TensorFile read_tensors(const std::filesystem::path& path);

/// The metadata alone, without reading the numbers.
std::map<std::string, std::string> read_tensor_metadata(const std::filesystem::path& path);

}  // namespace startle
