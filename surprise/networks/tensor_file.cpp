#include "surprise/networks/tensor_file.hpp"

#include <c10/util/Half.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/json_tree.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the file's numbers are little-endian and are copied as they are");

constexpr std::uint64_t largest_header = 16u << 20;  // bytes; a network has some hundred tensors of a hundred
                                                     // bytes each
constexpr const char* metadata_key = "__metadata__";

/// Number of values; Error when they are more than any file could hold.
std::uint64_t count_of(const std::vector<std::int64_t>& shape, const std::string& place) {
  std::uint64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size != 0 && count > (std::uint64_t{1} << 40) / static_cast<std::uint64_t>(size))
      throw Error(place + ": the shape has more than 2^40 values");
    count *= static_cast<std::uint64_t>(size);
  }
  return count;
}

struct Entry {
  std::string name;
  std::vector<std::int64_t> shape;
  bool half = false;
  std::uint64_t begin = 0, end = 0;
};

struct Header {
  std::vector<Entry> entries;  ///< in the order of their bytes
  std::map<std::string, std::string> metadata;
  std::uint64_t data_size = 0;
};

/// Reads and checks everything but the numbers; the stream then stands at the first of them.
Header read_header(std::ifstream& stream, const std::filesystem::path& path) {
  const std::string source = path.string();
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw Error(source + ": is a folder; a file is needed");
  stream.open(path, std::ios::binary);
  if (!stream) throw Error(source + ": cannot be read: " + std::strerror(errno));
  const std::uint64_t file_size = std::filesystem::file_size(path, error);
  std::uint64_t length = 0;
  if (error || file_size < sizeof length || !stream.read(reinterpret_cast<char*>(&length), sizeof length))
    throw Error(source + ": found fewer than 8 bytes, allowed is a safetensors file");
  if (length > largest_header || length > file_size - sizeof length)
    throw Error(source + ": the header is to have " + std::to_string(length) + " bytes, the file has " +
                std::to_string(file_size) + "; it is no safetensors file or is cut short");
  std::string text(length, '\0');
  if (!stream.read(text.data(), static_cast<std::streamsize>(length)))
    throw Error(source + ": cannot be read to its end");

  Header header;
  header.data_size = file_size - sizeof length - length;
  const JsonNode root = parse_json(text, source);
  const JsonView json(root, source);
  for (const auto& [key, value] : json.members()) {
    if (key == metadata_key) {
      for (const auto& [name, item] : value.members()) header.metadata[name] = item.string();
      continue;
    }
    value.expect_keys({"dtype", "shape", "data_offsets"});
    Entry entry;
    entry.name = key;
    entry.half = value.at("dtype").string_of({"F32", "F16"}) == "F16";
    for (const JsonView& size : value.at("shape").items()) entry.shape.push_back(size.integer_from(0));
    const std::vector<JsonView> offsets = value.at("data_offsets").items();
    if (offsets.size() != 2) value.at("data_offsets").fail("two numbers, begin and end");
    entry.begin = offsets[0].natural();
    entry.end = offsets[1].natural();
    const std::uint64_t bytes = count_of(entry.shape, source + ": tensor '" + key + "'") *
                                (entry.half ? 2 : 4);
    if (entry.end < entry.begin || entry.end - entry.begin != bytes)
      throw Error(source + ": tensor '" + key + "': found bytes " + std::to_string(entry.begin) + " to " +
                  std::to_string(entry.end) + ", its shape needs " + std::to_string(bytes));
    header.entries.push_back(std::move(entry));
  }
  std::stable_sort(header.entries.begin(), header.entries.end(), [](const Entry& a, const Entry& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::uint64_t position = 0;
  for (const Entry& entry : header.entries) {
    if (entry.begin != position)
      throw Error(source + ": tensor '" + entry.name + "': begins at byte " + std::to_string(entry.begin) +
                  " of the data, allowed is " + std::to_string(position) + ", where the one before ends");
    position = entry.end;
  }
  if (position != header.data_size)
    throw Error(source + ": the tensors need " + std::to_string(position) + " bytes of data, found are " +
                std::to_string(header.data_size) +
                (position > header.data_size ? "; the file is cut short" : ""));
  return header;
}

/// Error at the first value that is none. `type`: what holds them in the file.
void require_finite(const std::vector<float>& values, const std::string& place, const std::string& type) {
  const auto bad = std::find_if(values.begin(), values.end(),
                                [](float value) { return !std::isfinite(value); });
  if (bad != values.end())
    throw Error(place + ": value " + std::to_string(bad - values.begin()) + ": found " + number_text(*bad) +
                ", allowed are finite numbers" + type);
}

}  // namespace

void write_tensors(const std::filesystem::path& path, const TensorFile& file, bool half) {
  std::string header = "{";
  if (!file.metadata.empty()) {
    std::string items;
    for (const auto& [key, value] : file.metadata)
      items += (items.empty() ? "" : ",") + quoted(key) + ":" + quoted(value);
    header += quoted(metadata_key) + ":{" + items + "}";
  }
  std::string data;
  for (const auto& [name, tensor] : file.tensors) {
    const std::string place = path.string() + ": tensor '" + name + "'";
    if (count_of(tensor.shape, place) != tensor.values.size())
      throw Error(place + ": found " + std::to_string(tensor.values.size()) + " values, its shape needs " +
                  std::to_string(count_of(tensor.shape, place)));
    const std::size_t begin = data.size();
    require_finite(tensor.values, place, "");
    if (half) {
      for (const float value : tensor.values) {
        const c10::Half rounded(value);
        require_finite({rounded}, place + ": " + number_text(value) + " as F16", " to 65504");
        data.append(reinterpret_cast<const char*>(&rounded.x), 2);
      }
    } else {
      data.append(reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size() * sizeof(float));
    }
    std::string shape;
    for (const std::int64_t size : tensor.shape) shape += (shape.empty() ? "" : ",") + std::to_string(size);
    header += std::string(header.size() > 1 ? "," : "") + quoted(name) +
              ":{\"dtype\":" + (half ? "\"F16\"" : "\"F32\"") + ",\"shape\":[" + shape +
              "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(data.size()) + "]}";
  }
  header += "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');  // the numbers then stand at a multiple of eight, as
                                                    // readers that map the file like it
  const std::uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  bytes += header;
  bytes += data;
  write_file(path, bytes);
}

TensorFile read_tensors(const std::filesystem::path& path) {
  std::ifstream stream;
  Header header = read_header(stream, path);
  TensorFile file;
  file.metadata = std::move(header.metadata);
  for (const Entry& entry : header.entries) {
    std::string bytes(entry.end - entry.begin, '\0');
    if (!stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
      throw Error(path.string() + ": cannot be read to its end");
    NamedTensor tensor{.shape = entry.shape,
                       .values = std::vector<float>(bytes.size() / (entry.half ? 2 : 4))};
    if (entry.half) {
      for (std::size_t i = 0; i < tensor.values.size(); ++i) {
        c10::Half value;
        std::memcpy(&value.x, bytes.data() + 2 * i, 2);
        tensor.values[i] = value;
      }
    } else if (!bytes.empty()) {
      std::memcpy(tensor.values.data(), bytes.data(), bytes.size());
    }
    require_finite(tensor.values, path.string() + ": tensor '" + entry.name + "'", "");
    file.tensors.emplace(entry.name, std::move(tensor));
  }
  return file;
}

std::map<std::string, std::string> read_tensor_metadata(const std::filesystem::path& path) {
  std::ifstream stream;
  return read_header(stream, path).metadata;
}

}  // namespace startle
