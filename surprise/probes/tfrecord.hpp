#pragma once
/// \file  Records of TensorFlow's TFRecord files, and the tf.train.Example messages in them. Only what such
/// data sets use: no TensorFlow, no protocol compiler.
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace startle {

/// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78), of which records hold a masked form: rotated right
/// by 15 bits, plus 0xA282EAD8.
std::uint32_t crc32c(std::string_view bytes);

/// A file of records, plain or gzip-compressed: length (8 bytes, little endian), masked CRC-32C of these,
/// data, masked CRC-32C of the data.
class TfRecordReader {
 public:
  /// Throws Error when the file cannot be opened.
  explicit TfRecordReader(const std::filesystem::path& path);
  ~TfRecordReader();
  TfRecordReader(TfRecordReader&&) noexcept;
  TfRecordReader& operator=(TfRecordReader&&) noexcept;

  /// The next record; empty at the end of the file. Throws Error with file and number of the record when it
  /// is cut off, its check sums are wrong, or it is larger than 64 MiB.
  std::optional<std::string> next();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// One feature of an Example: of one of the three kinds.
struct ExampleFeature {
  std::vector<std::string> bytes;
  std::vector<float> floats;
  std::vector<std::int64_t> integers;
};

/// The features of a serialised tf.train.Example by name. Fields that are not those of its definition are
/// skipped. Throws Error, led by `source`, when the bytes are no message.
std::map<std::string, ExampleFeature> parse_example(std::string_view bytes, const std::string& source);

}  // namespace startle
