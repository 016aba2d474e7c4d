#include "surprise/probes/physical_concepts.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "core/error.hpp"
#include "core/folders.hpp"
#include "surprise/probes/tfrecord.hpp"

namespace startle {
namespace {

namespace fs = std::filesystem;

std::string folder_name(ProbeConcept kind) {
  std::string text = name(kind);
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

std::array<Clip, 2> clips_of(const std::map<std::string, ExampleFeature>& features, const std::string& kind,
                             const std::string& source) {
  const ClipFormat format = probe_format();
  const auto frames = static_cast<std::size_t>(format.frames),
             pixels = static_cast<std::size_t>(format.pixels) * static_cast<std::size_t>(format.pixels);
  const auto bytes_of = [&](const std::string& key, std::size_t size) -> const std::string& {
    const auto found = features.find(key);
    if (found == features.end() || found->second.bytes.size() != 1)
      throw Error(source + ": found no feature '" + key + "' of one string of bytes");
    const std::string& bytes = found->second.bytes[0];
    if (bytes.size() != size)
      throw Error(source + ": " + key + ": found " + std::to_string(bytes.size()) + " bytes, needed are " +
                  std::to_string(size));
    return bytes;
  };
  const std::string& rgb = bytes_of(kind + "_image", 2 * frames * pixels * 3);
  const std::string& masks = bytes_of(kind + "_mask", 2 * frames * pixels);
  std::array<Clip, 2> clips;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto part = [&](const std::string& bytes, std::vector<std::uint8_t>& out) {
      const auto half = static_cast<std::ptrdiff_t>(bytes.size() / 2),
                 begin = static_cast<std::ptrdiff_t>(k) * half;
      out.assign(bytes.begin() + begin, bytes.begin() + begin + half);
    };
    clips[k].frames = format.frames;
    clips[k].pixels = format.pixels;
    part(rgb, clips[k].rgb);
    part(masks, clips[k].masks);
  }
  return clips;
}

}  // namespace

struct PhysicalConcepts::Impl {
  struct Stream {
    std::vector<fs::path> files;  // those not begun, last first
    std::optional<TfRecordReader> reader;
    std::string file;
    std::uint64_t number = 0;
  };
  std::map<ProbeConcept, Stream> streams;
};

PhysicalConcepts::PhysicalConcepts(const fs::path& folder) : impl_(std::make_unique<Impl>()) {
  std::error_code error;
  const fs::path root = fs::is_directory(folder / "probes", error) ? folder / "probes" : folder;
  bool any = false;
  for (const ProbeConcept kind : probe_concepts()) {
    Impl::Stream& stream = impl_->streams[kind];
    for (const fs::path& file : list_folder(root / folder_name(kind), error))
      if (file.filename().string().starts_with("data.tfrecord-")) stream.files.push_back(file);
    std::reverse(stream.files.begin(), stream.files.end());
    any = any || !stream.files.empty();
  }
  if (!any)
    throw Error(folder.string() +
                ": found no probes/continuity/data.tfrecord-* nor files of another concept");
}
PhysicalConcepts::~PhysicalConcepts() = default;
PhysicalConcepts::PhysicalConcepts(PhysicalConcepts&&) noexcept = default;
PhysicalConcepts& PhysicalConcepts::operator=(PhysicalConcepts&&) noexcept = default;

std::optional<ProbeTuple> PhysicalConcepts::next(ProbeConcept kind) {
  Impl::Stream& stream = impl_->streams[kind];
  while (true) {
    if (!stream.reader) {
      if (stream.files.empty()) return std::nullopt;
      stream.file = stream.files.back().string();
      stream.reader.emplace(stream.files.back());
      stream.files.pop_back();
    }
    const std::optional<std::string> record = stream.reader->next();
    if (!record) {
      stream.reader.reset();
      continue;
    }
    const std::string source = stream.file + ": tuple " + std::to_string(stream.number);
    const auto features = parse_example(*record, source);
    ProbeTuple tuple{.kind = kind,
                     .number = stream.number++,
                     .scenes = {},
                     .splices = {},
                     .possible = clips_of(features, "possible", source),
                     .impossible = clips_of(features, "impossible", source)};
    return tuple;
  }
}

}  // namespace startle
