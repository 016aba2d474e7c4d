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

/// `folder`, or what it holds under that name.
fs::path part_of(const fs::path& folder, const char* part) {
  std::error_code error;
  return fs::is_directory(folder / part, error) ? folder / part : folder;
}

/// The records of a folder's files data.tfrecord-*, file after file.
class Records {
 public:
  explicit Records(const fs::path& folder) {
    std::error_code error;
    for (const fs::path& file : list_folder(folder, error))
      if (file.filename().string().starts_with("data.tfrecord-")) files_.push_back(file);
    std::reverse(files_.begin(), files_.end());
  }

  /// None are left.
  bool empty() const { return files_.empty() && !reader_; }
  std::optional<std::string> next() {
    while (!empty()) {
      if (!reader_) {
        file_ = files_.back().string();
        reader_.emplace(files_.back());
        files_.pop_back();
      }
      if (std::optional<std::string> record = reader_->next()) {
        ++read_;
        return record;
      }
      reader_.reset();
    }
    return std::nullopt;
  }
  std::uint64_t read() const { return read_; }       ///< how many were
  const std::string& file() const { return file_; }  ///< of the last one

 private:
  std::vector<fs::path> files_;  // those not begun, last first
  std::optional<TfRecordReader> reader_;
  std::string file_;
  std::uint64_t read_ = 0;
};

/// The videos in features PREFIXimage and PREFIXmask.
template <std::size_t count>
std::array<Clip, count> clips_of(const std::map<std::string, ExampleFeature>& features,
                                 const std::string& prefix, const std::string& source) {
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
  const std::string& rgb = bytes_of(prefix + "image", count * frames * pixels * 3);
  const std::string& masks = bytes_of(prefix + "mask", count * frames * pixels);
  std::array<Clip, count> clips;
  for (std::size_t k = 0; k < count; ++k) {
    const auto part = [&](const std::string& bytes, std::vector<std::uint8_t>& out) {
      const auto size = static_cast<std::ptrdiff_t>(bytes.size() / count),
                 begin = static_cast<std::ptrdiff_t>(k) * size;
      out.assign(bytes.begin() + begin, bytes.begin() + begin + size);
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
  std::map<ProbeConcept, Records> records;
};

PhysicalConcepts::PhysicalConcepts(const fs::path& folder) : impl_(std::make_unique<Impl>()) {
  bool any = false;
  for (const ProbeConcept kind : probe_concepts()) {
    const Records& records =
        impl_->records.emplace(kind, part_of(folder, "probes") / folder_name(kind)).first->second;
    any = any || !records.empty();
  }
  if (!any)
    throw Error(folder.string() +
                ": found no probes/continuity/data.tfrecord-* nor files of another concept");
}
PhysicalConcepts::~PhysicalConcepts() = default;
PhysicalConcepts::PhysicalConcepts(PhysicalConcepts&&) noexcept = default;
PhysicalConcepts& PhysicalConcepts::operator=(PhysicalConcepts&&) noexcept = default;

std::optional<ProbeTuple> PhysicalConcepts::next(ProbeConcept kind) {
  Records& records = impl_->records.at(kind);
  const std::uint64_t number = records.read();
  const std::optional<std::string> record = records.next();
  if (!record) return std::nullopt;
  const std::string source = records.file() + ": tuple " + std::to_string(number);
  const auto features = parse_example(*record, source);
  return ProbeTuple{.kind = kind,
                    .number = number,
                    .scenes = {},
                    .splices = {},
                    .possible = clips_of<2>(features, "possible_", source),
                    .impossible = clips_of<2>(features, "impossible_", source)};
}

struct PhysicalConceptsVideos::Impl {
  fs::path folder;
  Records records{folder};
};

PhysicalConceptsVideos::PhysicalConceptsVideos(const fs::path& folder, Split split)
    : impl_(new Impl{.folder = part_of(folder, "freeform") / name(split)}) {
  if (impl_->records.empty())
    throw Error(folder.string() + ": found no freeform/" + name(split) +
                "/data.tfrecord-*, of which the published set of Physical Concepts has train and test, nor "
                "training clips of IntPhys such as train/00001/scene");
}
PhysicalConceptsVideos::~PhysicalConceptsVideos() = default;

Clip PhysicalConceptsVideos::clip(std::uint64_t number) {
  Records& records = impl_->records;
  std::optional<std::string> record;
  while (records.read() <= number)
    if (record = records.next(); !record)
      throw Error(impl_->folder.string() + ": found " + std::to_string(records.read()) +
                  " videos, needed are more than " + std::to_string(number));
  const std::string source = records.file() + ": video " + std::to_string(number);
  return clips_of<1>(parse_example(record.value(), source), "", source)[0];
}

}  // namespace startle
