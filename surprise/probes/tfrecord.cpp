#include "surprise/probes/tfrecord.hpp"

#include <zlib.h>

#include <array>
#include <cstring>

#include "core/bits.hpp"
#include "core/error.hpp"

namespace startle {
namespace {

constexpr std::uint64_t largest_record = 64 << 20;

std::uint32_t masked(std::uint32_t crc) { return (crc >> 15 | crc << 17) + 0xA282EAD8U; }

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// A message of the protocol-buffer wire format, field after field.
class Message {
 public:
  Message(std::string_view bytes, const std::string& source) : rest_(bytes), source_(source) {}

  bool done() const { return rest_.empty(); }
  struct Field {
    std::uint64_t number = 0, value = 0;  ///< value: of a varint or a fixed number
    int type = 0;                         ///< 0 varint, 1 fixed 64, 2 bytes, 5 fixed 32
    std::string_view bytes;
  };
  Field next() {
    const std::uint64_t key = varint();
    Field field{.number = key >> 3, .type = static_cast<int>(key & 7U), .bytes = {}};
    if (field.number == 0) fail("a field with number 0");
    switch (field.type) {
      case 0:
        field.value = varint();
        break;
      case 1:
        field.value = little_endian(take(8));
        break;
      case 2:
        field.bytes = take(varint());
        break;
      case 5:
        field.value = little_endian(take(4));
        break;
      default:
        fail("wire type " + std::to_string(field.type));
    }
    return field;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= static_cast<std::uint64_t>(byte & 127U) << shift;
      if (byte < 128) return value;
    }
    fail("a number of more than ten bytes");
  }

 private:
  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) fail("a message that ends too early");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(source_ + ": found " + what + ", needed is a tf.train.Example");
  }

  std::string_view rest_;
  const std::string& source_;
};

/// FloatList and Int64List hold one number a field, or many packed in one.
void add_float(ExampleFeature& feature, const Message::Field& field, const std::string& source) {
  if (field.type == 5) feature.floats.push_back(bit_cast<float>(static_cast<std::uint32_t>(field.value)));
  if (field.type != 2) return;
  if (field.bytes.size() % 4 != 0)
    throw Error(source + ": found a packed list of floats of " + std::to_string(field.bytes.size()) +
                " bytes, allowed are multiples of 4");
  for (std::size_t i = 0; i < field.bytes.size(); i += 4)
    feature.floats.push_back(
        bit_cast<float>(static_cast<std::uint32_t>(little_endian(field.bytes.substr(i, 4)))));
}
void add_integer(ExampleFeature& feature, const Message::Field& field, const std::string& source) {
  if (field.type == 0) feature.integers.push_back(static_cast<std::int64_t>(field.value));
  if (field.type != 2) return;
  Message numbers(field.bytes, source);
  while (!numbers.done()) feature.integers.push_back(static_cast<std::int64_t>(numbers.varint()));
}

ExampleFeature parse_feature(std::string_view bytes, const std::string& source) {
  ExampleFeature feature;
  Message message(bytes, source);
  while (!message.done()) {
    const Message::Field list = message.next();  // 1 BytesList, 2 FloatList, 3 Int64List
    if (list.type != 2 || list.number > 3) continue;
    Message values(list.bytes, source);
    while (!values.done()) {
      const Message::Field value = values.next();
      if (value.number != 1) continue;
      if (list.number == 1 && value.type == 2) feature.bytes.emplace_back(value.bytes);
      if (list.number == 2) add_float(feature, value, source);
      if (list.number == 3) add_integer(feature, value, source);
    }
  }
  return feature;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> made{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1U ? 0x82F63B78U : 0U);
      made[i] = value;
    }
    return made;
  }();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) crc = crc >> 8 ^ table[(crc ^ static_cast<unsigned char>(c)) & 255U];
  return ~crc;
}

struct TfRecordReader::Impl {
  std::filesystem::path path;
  gzFile file = nullptr;
  std::uint64_t number = 0;  // of the record being read, from 1

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(path.string() + ": record " + std::to_string(number) + ": " + what);
  }

  /// As many bytes; fewer only at the end of the file.
  std::string read(std::uint64_t count) {
    std::string bytes(count, '\0');
    const int got = gzread(file, bytes.data(), static_cast<unsigned>(count));
    int code = Z_OK;
    const char* message = gzerror(file, &code);
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
      fail(code == Z_BUF_ERROR ? "the file is cut off" : std::string("damaged compression: ") + message);
    bytes.resize(static_cast<std::size_t>(got));
    return bytes;
  }
};

TfRecordReader::TfRecordReader(const std::filesystem::path& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || !(impl_->file = gzopen(path.c_str(), "rb")))
    throw Error(path.string() + ": cannot be read");
  gzbuffer(impl_->file, 1 << 18);
}
TfRecordReader::~TfRecordReader() {
  if (impl_ && impl_->file) gzclose(impl_->file);
}
TfRecordReader::TfRecordReader(TfRecordReader&&) noexcept = default;
TfRecordReader& TfRecordReader::operator=(TfRecordReader&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

std::optional<std::string> TfRecordReader::next() {
  Impl& in = *impl_;
  ++in.number;
  const std::string head = in.read(12);
  if (head.empty()) return std::nullopt;
  if (head.size() < 12) in.fail("the file is cut off");
  const std::string_view length = std::string_view(head).substr(0, 8);
  if (masked(crc32c(length)) != little_endian(std::string_view(head).substr(8)))
    in.fail("the length's check sum is wrong: damaged, or no TFRecord file");
  const std::uint64_t size = little_endian(length);
  if (size > largest_record)
    in.fail("found " + std::to_string(size) + " bytes, allowed are " + std::to_string(largest_record));
  std::string data = in.read(size);
  const std::string check = data.size() == size ? in.read(4) : std::string();
  if (check.size() < 4) in.fail("the file is cut off");
  if (masked(crc32c(data)) != little_endian(check)) in.fail("the check sum is wrong: damaged");
  return data;
}

std::map<std::string, ExampleFeature> parse_example(std::string_view bytes, const std::string& source) {
  std::map<std::string, ExampleFeature> features;
  Message example(bytes, source);
  while (!example.done()) {
    const Message::Field field = example.next();  // Example.features
    if (field.number != 1 || field.type != 2) continue;
    Message map(field.bytes, source);
    while (!map.done()) {
      const Message::Field entry = map.next();  // Features.feature: a map, entry after entry
      if (entry.number != 1 || entry.type != 2) continue;
      std::string key;
      std::string_view value;
      Message pair(entry.bytes, source);
      while (!pair.done()) {
        const Message::Field part = pair.next();
        if (part.type == 2 && part.number == 1) key = part.bytes;
        if (part.type == 2 && part.number == 2) value = part.bytes;
      }
      features[key] = parse_feature(value, source);
    }
  }
  return features;
}

}  // namespace startle
