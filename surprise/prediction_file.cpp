#include "surprise/prediction_file.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <type_traits>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "surprise/dataset_file.hpp"
#include "surprise/hdf5_file.hpp"
#include "surprise/hdf5_guard.hpp"
#include "surprise/surprise_score.hpp"

namespace startle {
namespace {

namespace fs = std::filesystem;

enum class Kind { bytes, numbers, errors };

struct PredictionFile {
  fs::path path;
  ClipFormat format;
  Kind kind = Kind::errors;
  bool with_first = false;  ///< /frames begins with frame 0
  std::map<std::uint64_t, std::size_t> place;
  Hdf5Id file, array;

  ~PredictionFile() {
    const Hdf5Lock lock;
    array.reset();
    file.reset();
  }

  [[noreturn]] void fail(const std::string& what) const { throw Error(path.string() + ": " + what); }
  hsize_t predicted_frames() const { return static_cast<hsize_t>(format.frames - 1); }
  const char* array_name() const { return kind == Kind::errors ? "/errors" : "/frames"; }

  void open() {
    file = Hdf5Id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file.valid()) fail("cannot be read: " + hdf5_reason());
    const std::size_t count = read_ids();
    const bool frames = there("frames"), errors = there("errors");
    if (frames == errors)
      fail(frames ? "found both /frames and /errors, allowed is one of them"
                  : "found neither /frames nor /errors, needed is one of them");
    array = open_array(frames ? "frames" : "errors");
    const auto [type, size] = type_of(array);
    if (frames) {
      const bool byte = type == H5T_INTEGER && size == 1;
      if (!byte && type != H5T_FLOAT)
        fail("/frames: found another type, allowed are unsigned 8 bit and floating-point numbers");
      kind = byte ? Kind::bytes : Kind::numbers;
    } else {
      if (type != H5T_INTEGER && type != H5T_FLOAT) fail("/errors: found another type, allowed are numbers");
      kind = Kind::errors;
    }
    const hsize_t side = static_cast<hsize_t>(format.pixels);
    const std::vector<hsize_t> found = array_shape(array);
    std::vector<hsize_t> wanted{count, predicted_frames()}, with_all;
    if (frames) {
      for (const hsize_t extent : {side, side, hsize_t{3}}) wanted.push_back(extent);
      with_all = wanted;
      ++with_all[1];
    }
    with_first = frames && found == with_all;
    if (found != wanted && !with_first)
      fail(std::string(array_name()) + ": found shape " + shape_text(found) + ", allowed is " +
           shape_text(wanted) + (frames ? " or " + shape_text(with_all) : "") + ", " + std::to_string(count) +
           " being the number of ids in /clip");
  }

  bool there(const char* name) const { return H5Lexists(file, name, H5P_DEFAULT) > 0; }

  Hdf5Id open_array(const std::string& name) const {
    Hdf5Id opened(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!opened.valid()) fail("/" + name + " cannot be read: " + hdf5_reason());
    return opened;
  }

  static std::pair<H5T_class_t, std::size_t> type_of(const Hdf5Id& of) {
    const Hdf5Id type(H5Dget_type(of), H5Tclose);
    const bool is_signed = H5Tget_class(type) == H5T_INTEGER && H5Tget_sign(type) != H5T_SGN_NONE;
    return {H5Tget_class(type), is_signed ? 0 : H5Tget_size(type)};
  }

  std::size_t read_ids() {
    if (!there("clip"))
      fail("/clip is missing: the ids of the clips, which the file of clips has as level in /metadata");
    const Hdf5Id clip = open_array("clip");
    if (type_of(clip) != std::pair{H5T_INTEGER, sizeof(std::uint64_t)})
      fail("/clip: found another type, allowed is unsigned 64 bit, as level in /metadata of the clips");
    const std::vector<hsize_t> shape = array_shape(clip);
    if (shape.size() != 1 || shape[0] == 0)
      fail("/clip: found shape " + shape_text(shape) + ", allowed is one id a clip, at least one");
    std::error_code none;
    // No array of frames or errors is that much smaller than its ids: a wrong size must not cost memory.
    if (shape[0] > fs::file_size(path, none))
      fail("/clip: found " + std::to_string(shape[0]) + " ids, more than the file can hold");
    std::vector<std::uint64_t> ids(shape[0]);
    if (H5Dread(clip, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, ids.data()) < 0)
      fail("/clip cannot be read: " + hdf5_reason());
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (const auto [known, is_new] = place.emplace(ids[i], i); !is_new)
        fail("/clip: entries " + std::to_string(known->second) + " and " + std::to_string(i) +
             " have the same id " + std::to_string(ids[i]));
    return ids.size();
  }

  /// Numbers of one clip, checked: those of its frames, or its errors.
  template <typename T>
  std::vector<T> read_clip(std::size_t index, hid_t memory_type) const {
    std::vector<hsize_t> count = array_shape(array), start(count.size(), 0);
    start[0] = index;
    count[0] = 1;
    if (with_first) {
      start[1] = 1;
      --count[1];
    }
    std::size_t size = 1;
    for (const hsize_t extent : count) size *= extent;
    std::vector<T> values(size);
    const Hdf5Id from(H5Dget_space(array), H5Sclose),
        to(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    if (H5Sselect_hyperslab(from, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) < 0 ||
        H5Dread(array, memory_type, to, from, H5P_DEFAULT, values.data()) < 0)
      fail(std::string(array_name()) + ": entry " + std::to_string(index) +
           " cannot be read: " + hdf5_reason());
    if constexpr (std::is_floating_point_v<T>) {
      const T low = kind == Kind::errors ? 0 : -1,
              high = kind == Kind::errors ? std::numeric_limits<T>::max() : 2;
      const auto wrong = std::find_if(values.begin(), values.end(),
                                      [&](T value) { return !(value >= low && value <= high); });
      if (wrong != values.end()) {
        const std::size_t frame =
            static_cast<std::size_t>(wrong - values.begin()) / (size / predicted_frames()) + 1;
        fail(std::string(array_name()) + ": entry " + std::to_string(index) + ", of frame " +
             std::to_string(frame) + ": found " + shortest(static_cast<double>(*wrong)) + ", allowed are " +
             (kind == Kind::errors ? "finite numbers from 0"
                                   : "numbers of about 0 to 1 (values from 0 to 255 go as unsigned 8 bit)"));
      }
    }
    return values;
  }

  std::vector<double> errors(std::size_t index) const { return read_clip<double>(index, H5T_NATIVE_DOUBLE); }

  std::vector<float> frames(std::size_t index) const {
    if (kind == Kind::numbers) {
      std::vector<float> values = read_clip<float>(index, H5T_NATIVE_FLOAT);
      for (float& value : values) value = std::clamp(value, 0.0F, 1.0F);
      return values;
    }
    const std::vector<std::uint8_t> bytes = read_clip<std::uint8_t>(index, H5T_NATIVE_UINT8);
    std::vector<float> values(bytes.size());
    std::transform(bytes.begin(), bytes.end(), values.begin(),
                   [](std::uint8_t byte) { return byte / 255.0F; });
    return values;
  }

  /// All that may ever be asked for.
  void read_whole() {
    open();
    for (std::size_t i = 0; i < place.size(); ++i) kind == Kind::errors ? void(errors(i)) : void(frames(i));
  }
};

class FilePredictions : public ClipScorer {
 public:
  explicit FilePredictions(std::unique_ptr<const PredictionFile> file) : file_(std::move(file)) {}
  std::string name() const override { return file_->path.stem().string(); }

  std::vector<ClipSurprise> score(const std::vector<const Clip*>& clips) override {
    std::vector<ClipSurprise> scored;
    for (const Clip* clip : clips) {
      const auto found = file_->place.find(clip_id(*clip));
      if (found == file_->place.end())
        file_->fail("/clip: has no id " + std::to_string(clip_id(*clip)) +
                    ", that of a clip to be tested: needed are predictions for all clips of this suite, seed "
                    "and number of tuples or sets");
      const Hdf5Lock lock;
      ClipSurprise surprise;
      if (file_->kind == Kind::errors) {
        surprise.errors = {.error = file_->errors(found->second),
                           .change = std::vector<double>(file_->predicted_frames(), 0)};
      } else {
        surprise.errors = frame_errors(*clip, {.frames = file_->frames(found->second), .feature = {}});
      }
      scored.push_back(std::move(surprise));
    }
    return scored;
  }

 private:
  std::unique_ptr<const PredictionFile> file_;
};

}  // namespace

std::uint64_t clip_id(const Clip& clip) {
  Hash hash;
  hash.add(std::string_view(reinterpret_cast<const char*>(clip.rgb.data()), clip.rgb.size()));
  return hash.value();
}

std::size_t write_clips_to_score(const fs::path& path, DatasetInfo info, const ClipsToScore& clips) {
  std::vector<std::vector<StoredClip>> groups(clips.count);
  std::mutex mutex;
  std::size_t done = 0, masked = 0, count = 0;
  parallel_for(
      clips.count, clips.threads,
      [&](std::size_t group) {
        const std::vector<Clip> made = clips.make(group);
        for (const Clip& clip : made) {
          // Where and when it was seen says nothing here, but a clip set wants a view.
          ClipOrigin origin{.family = {}, .level = clip_id(clip), .bird = 0, .shot = {}, .cut = {}};
          origin.cut.view.width = info.format.view;
          groups[group].push_back(
              {origin, deflated(clip.rgb), clip.masks.empty() ? std::string() : deflated(clip.masks)});
        }
        const std::lock_guard lock(mutex);
        for (const Clip& clip : made) masked += clip.masks.empty() ? 0 : 1;
        count += made.size();
        ++done;
        if (clips.progress) clips.progress();
      },
      clips.keep_going);
  if (done < clips.count) return 0;
  if (count == 0) throw Error("clips to test: found none, at least one is needed");
  std::map<std::uint64_t, StoredClip> in_order;
  for (std::vector<StoredClip>& group : groups)
    for (StoredClip& clip : group) in_order.emplace(clip.origin.level, std::move(clip));
  info.count = in_order.size();
  info.masks = masked == count;
  NewFile file(path);
  ClipFileWriter writer(file.temporary(), info);
  for (auto& [id, clip] : in_order) {
    if (!info.masks) clip.masks.clear();
    writer.add(clip);
  }
  writer.close();
  file.commit();
  return info.count;
}

std::unique_ptr<ClipScorer> load_predictions(const fs::path& path, const ClipFormat& format) {
  auto file = std::make_unique<PredictionFile>();
  file->path = path;
  file->format = format;
  std::error_code error;
  if (!fs::exists(path, error)) file->fail("this file does not exist");
  if (fs::is_directory(path, error)) file->fail("is a folder; predictions are one file");
  has_hdf5_checksum(path);  // refuses what is cut off
  // The lock is let go before an Error leaves this function: the destructor of PredictionFile takes it again.
  const Hdf5Lock lock;
  try_in_child(path, [&] {
    auto* all = new PredictionFile;  // never deleted: the child ends without closing anything, and holds the
                                     // lock already
    all->path = path;
    all->format = format;
    all->read_whole();
  });
  file->open();
  return std::make_unique<FilePredictions>(std::move(file));
}

}  // namespace startle
