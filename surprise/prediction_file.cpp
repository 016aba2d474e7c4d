#include "surprise/prediction_file.hpp"

#include <algorithm>
#include <cmath>
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
#include "surprise/predictor.hpp"

namespace startle {
namespace {

namespace fs = std::filesystem;

enum class Content { bytes, numbers, errors, scores };

struct PredictionFile {
  fs::path path;
  ClipFormat format;
  Content kind = Content::errors;
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
  const char* array_name() const {
    return kind == Content::errors ? "/errors" : kind == Content::scores ? "/scores" : "/frames";
  }

  /// Where `kind` is scores, a file of them is asked for, else one of frames or errors.
  void open() {
    file = Hdf5Id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file.valid()) fail("cannot be read: " + hdf5_reason());
    kind == Content::scores ? open_scores(read_ids()) : open_predictions(read_ids());
  }

  void open_scores(std::size_t count) {
    if (!there("scores")) fail("/scores is missing: a number for each id in /clip");
    array = open_array("scores");
    require_numbers();
    if (const std::vector<hsize_t> found = array_shape(array); found != std::vector<hsize_t>{count})
      fail("/scores: found shape " + shape_text(found) + ", allowed is " + std::to_string(count) +
           ", the number of ids in /clip");
  }

  void open_predictions(std::size_t count) {
    const bool frames = there("frames"), errors = there("errors");
    if (frames == errors)
      fail(frames ? "found both /frames and /errors, allowed is one of them"
                  : "found neither /frames nor /errors, needed is one of them");
    array = open_array(frames ? "frames" : "errors");
    kind = Content::errors;
    if (frames) {
      const std::string type = type_name(array);
      kind = type == "uint8" ? Content::bytes : Content::numbers;
      if (kind == Content::numbers && !type.starts_with("float"))
        fail("/frames: found type " + type + ", allowed are uint8 and floating-point numbers");
    } else {
      require_numbers();
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

  /// As NumPy names it: "uint64", "float32"; "text", "other" for what is no number.
  static std::string type_name(const Hdf5Id& of) {
    const Hdf5Id type(H5Dget_type(of), H5Tclose);
    const std::string bits = std::to_string(8 * H5Tget_size(type));
    switch (H5Tget_class(type)) {
      case H5T_INTEGER:
        return (H5Tget_sign(type) == H5T_SGN_NONE ? "uint" : "int") + bits;
      case H5T_FLOAT:
        return "float" + bits;
      case H5T_STRING:
        return "text";
      default:
        return "other";
    }
  }

  /// Of the array.
  void require_numbers() const {
    if (const std::string type = type_name(array); type == "text" || type == "other")
      fail(std::string(array_name()) + ": found type " + type + ", allowed are numbers");
  }

  std::size_t read_ids() {
    if (!there("clip"))
      fail("/clip is missing: the ids of the clips, which the file of clips has as level in /metadata");
    const Hdf5Id clip = open_array("clip");
    const std::string type = type_name(clip);
    if (type != "uint64" && type != "int64")
      fail("/clip: found type " + type +
           ", allowed is uint64, as level in /metadata of the clips, or int64 of the same bits");
    const std::vector<hsize_t> shape = array_shape(clip);
    if (shape.size() != 1 || shape[0] == 0)
      fail("/clip: found shape " + shape_text(shape) + ", allowed is one id a clip, at least one");
    std::error_code none;
    // No array of frames or errors is that much smaller than its ids: a wrong size must not cost memory.
    if (shape[0] > fs::file_size(path, none))
      fail("/clip: found " + std::to_string(shape[0]) + " ids, more than the file can hold");
    std::vector<std::uint64_t> ids(shape[0]);
    // As NumPy casts them: the larger half of the ids is negative in int64.
    if (H5Dread(clip, type == "int64" ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                ids.data()) < 0)
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
      constexpr T largest = std::numeric_limits<T>::max();
      const T low = kind == Content::scores   ? -largest
                    : kind == Content::errors ? 0
                                              : -1,
              high = kind == Content::bytes || kind == Content::numbers ? 2 : largest;
      const auto wrong = std::find_if(values.begin(), values.end(),
                                      [&](T value) { return !(value >= low && value <= high); });
      if (wrong != values.end()) {
        const std::string found = ": found " + shortest(static_cast<double>(*wrong)) + ", allowed are ";
        if (kind == Content::scores)
          fail("/scores: entry " + std::to_string(index) + found + "finite numbers");
        const std::size_t frame =
            static_cast<std::size_t>(wrong - values.begin()) / (size / predicted_frames()) + 1;
        fail(std::string(array_name()) + ": entry " + std::to_string(index) + ", of frame " +
             std::to_string(frame) + found +
             (kind == Content::errors
                  ? "finite numbers from 0"
                  : "numbers of about 0 to 1 (values from 0 to 255 go as unsigned 8 bit)"));
      }
    }
    return values;
  }

  /// Errors of a clip, or its score.
  std::vector<double> errors(std::size_t index) const { return read_clip<double>(index, H5T_NATIVE_DOUBLE); }

  std::vector<float> frames(std::size_t index) const {
    if (kind == Content::numbers) {
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
    const bool pictures = kind == Content::bytes || kind == Content::numbers;
    for (std::size_t i = 0; i < place.size(); ++i) pictures ? void(frames(i)) : void(errors(i));
  }

  /// Where the clip's entry is.
  std::size_t place_of(const Clip& clip) const {
    const auto found = place.find(clip_id(clip));
    if (found == place.end()) fail("/clip: " + missing(clip_id(clip)));
    return found->second;
  }

  static std::string missing(std::uint64_t id) {
    return "has no id " + std::to_string(id) +
           ", that of a clip to be tested: needed are all that --write-clips writes with the same levels or "
           "suite, number and seed";
  }
};

/// Predicted frames.
class FilePredictions : public Predictor {
 public:
  explicit FilePredictions(std::unique_ptr<const PredictionFile> file) : file_(std::move(file)) {}
  std::string name() const override { return file_->path.stem().string(); }

  std::vector<Prediction> predict(const std::vector<const Clip*>& clips) override {
    std::vector<Prediction> predictions;
    for (const Clip* clip : clips) {
      const std::size_t place = file_->place_of(*clip);
      const Hdf5Lock lock;
      predictions.push_back({.frames = file_->frames(place), .feature = {}});
    }
    return predictions;
  }

 private:
  std::unique_ptr<const PredictionFile> file_;
};

/// Errors of frames.
class FileErrors : public ClipScorer {
 public:
  explicit FileErrors(std::unique_ptr<const PredictionFile> file) : file_(std::move(file)) {}
  std::string name() const override { return file_->path.stem().string(); }

  std::vector<ClipSurprise> score(const std::vector<const Clip*>& clips) override {
    std::vector<ClipSurprise> scored;
    for (const Clip* clip : clips) {
      const std::size_t place = file_->place_of(*clip);
      const Hdf5Lock lock;
      scored.push_back({.errors = {.error = file_->errors(place),
                                   .change = std::vector<double>(file_->predicted_frames(), 0)},
                        .feature = {}});
    }
    return scored;
  }

 private:
  std::unique_ptr<const PredictionFile> file_;
};

/// One number a clip.
class FileScores : public ClipScorer {
 public:
  FileScores(fs::path path, std::map<std::uint64_t, double> scores)
      : path_(std::move(path)), scores_(std::move(scores)) {}
  std::string name() const override { return path_.stem().string(); }

  std::vector<ClipSurprise> score(const std::vector<const Clip*>& clips) override {
    std::vector<ClipSurprise> scored;
    for (const Clip* clip : clips) {
      const auto found = scores_.find(clip_id(*clip));
      if (found == scores_.end())
        throw Error(path_.string() + ": " + PredictionFile::missing(clip_id(*clip)));
      scored.push_back({.errors = {}, .feature = {}, .events = {}, .whole = found->second});
    }
    return scored;
  }

 private:
  fs::path path_;
  std::map<std::uint64_t, double> scores_;
};

/// A file that is open, and was read as a whole by a child process before.
std::unique_ptr<PredictionFile> open_file(const fs::path& path, const ClipFormat& format, Content kind) {
  const auto described = [&](PredictionFile& file) {
    file.path = path;
    file.format = format;
    file.kind = kind;
  };
  auto file = std::make_unique<PredictionFile>();
  described(*file);
  has_hdf5_checksum(path);  // refuses what is cut off
  // The lock is let go before an Error leaves this function: the destructor of PredictionFile takes it again.
  const Hdf5Lock lock;
  try_in_child(path, [&] {
    auto* all = new PredictionFile;  // never deleted: the child ends without closing anything, and holds the
                                     // lock already
    described(*all);
    all->read_whole();
  });
  file->open();
  return file;
}

void require_file(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) throw Error(path.string() + ": this file does not exist");
  if (fs::is_directory(path, error)) throw Error(path.string() + ": is a folder, needed is one file");
}

std::map<std::uint64_t, double> scores_of_array(const fs::path& path) {
  const auto file = open_file(path, {}, Content::scores);
  const Hdf5Lock lock;
  std::map<std::uint64_t, double> scores;
  for (const auto& [id, place] : file->place) scores[id] = file->errors(place)[0];
  return scores;
}

std::map<std::uint64_t, double> scores_of_table(const fs::path& path) {
  const std::string text = read_file(path);
  std::map<std::uint64_t, double> scores;
  std::size_t number = 0;
  for (std::size_t from = 0; from < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::string line = text.substr(from, end - from);
    from = end + 1;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const auto fail = [&](const std::string& allowed) {
      throw Error(path.string() + ": line " + std::to_string(number + 1) + ": found " + shown(line) + ", " +
                  allowed);
    };
    if (number == 0) {
      if (line != "clip,score") fail("needed are the names of the columns, clip,score");
      continue;
    }
    const std::size_t comma = line.find(',');
    const std::string_view cells = line;
    const auto id = parse_number<std::uint64_t>(cells.substr(0, comma));
    const auto score = comma == std::string::npos ? std::nullopt
                                                  : parse_number<double>(cells.substr(comma + 1));
    if (!id || !score || !std::isfinite(*score))
      fail("allowed are the id of a clip, a comma and a finite number");
    if (!scores.emplace(*id, *score).second) fail("but a line before has that id");
  }
  if (scores.empty()) throw Error(path.string() + ": holds no score, needed is one a clip");
  return scores;
}

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
  require_file(path);
  std::unique_ptr<PredictionFile> file = open_file(path, format, Content::errors);
  if (file->kind == Content::errors) return std::make_unique<FileErrors>(std::move(file));
  return std::make_unique<FilePredictions>(std::move(file));
}

std::unique_ptr<ClipScorer> load_scores(const fs::path& path) {
  require_file(path);
  const std::string ending = path.extension().string();
  if (ending != ".csv" && ending != ".h5")
    throw Error(path.string() + ": found the ending '" + ending + "', allowed are .csv and .h5");
  return std::make_unique<FileScores>(path, ending == ".csv" ? scores_of_table(path) : scores_of_array(path));
}

}  // namespace startle
