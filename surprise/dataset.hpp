#pragma once
/// \file  Data sets of clips: HDF5 files that models are trained and validated on, made by `startle surprise
/// dataset`.
///
/// \code
///   const ClipReader reader("train.h5");
///   std::vector<Clip> batch = reader.read({5, 0, 17});
/// \endcode
///
/// Layout of a file with N clips of T frames of P x P pixels, readable by any HDF5 library:
///   /frames    uint8 [N, T, P, P, 3], RGB, deflated, one clip a chunk
///   /masks     uint8 [N, T, P, P], ids of Mask (render/frames.hpp), over 255 as 255; only when asked for
///   /metadata  compound [N]: a ClipOrigin each
///   attributes of /: format "startle-clips", version, program, command, profile, seed, split, novelty,
///              frames, pixels, stride, lead, view
///
/// The same settings and program give the same bytes.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "render/clip.hpp"

namespace startle {

/// Sets of one seed hold different levels for each: clips of one level never stand on both sides of a split.
enum class Split { train, validation, test };
const char* name(Split split);
std::optional<Split> split_from_name(const std::string& name);

/// What a data set holds and what made it.
struct DatasetInfo {
  ClipFormat format;
  std::size_t count = 0;  ///< number of clips, >= 1
  std::uint64_t seed = 1;
  Split split = Split::train;
  std::string profile = "startle";  ///< of the levels; or the name of a SceneSet
  std::string novelty = {};  ///< name in the catalogue of the novelty whose world the clips show; empty: the
                             ///< normal world
  bool masks = false;
  std::string program = {};  ///< version of the program
  std::string command;       ///< that makes these very bytes
  friend bool operator==(const DatasetInfo&, const DatasetInfo&) = default;
};

/// Where a clip comes from.
struct ClipOrigin {
  std::string
      family;  ///< generator family of the level; kind of scene in the scene sets of probes and IntPhys,
               ///< where bird, shot and cut say nothing
  std::uint64_t level = 0;  ///< number of the level within the set; clips with the same number show the same
                            ///< level
  int bird = 0;             ///< number of the bird shot: 0 in the level as generated, 1 after one other shot
  Shot shot;
  ClipCut cut;
};

/// Clips of a data set in any order. A read fetches just the chunks asked for. All of HDF5 goes through one
/// lock, so any thread may read, but threads do not read faster than one: read ahead in one thread.
class ClipReader {
 public:
  /// Reads all but the pictures. Throws Error when the file cannot be read, is no HDF5 file, no clip set, of
  /// another version, or holds what its attributes do not say (shapes, types, values out of range, no clips),
  /// or is damaged. A file without the checksum that Startle's end with (hdf5_guard.hpp) is read as a whole
  /// first, by a child process.
  explicit ClipReader(const std::filesystem::path& path);
  ~ClipReader();
  ClipReader(ClipReader&&) noexcept;
  ClipReader& operator=(ClipReader&&) noexcept;

  const DatasetInfo& info() const;
  std::size_t size() const { return info().count; }
  /// Throws Error when the index is out of range, as read() does.
  const ClipOrigin& origin(std::size_t index) const;

  /// The clips with these indices, in this order; the same one may be asked for twice. Masks are left empty
  /// unless `with_masks`. Throws Error for an index out of range, for masks that the file does not hold, and
  /// when the file is damaged.
  std::vector<Clip> read(const std::vector<std::size_t>& indices, bool with_masks = false) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct MadeClip {
  ClipOrigin origin;
  Clip clip;
};

/// Scenes whose clips are drawn one by one, in place of being shot at generated levels. They have no
/// novelties.
struct SceneSet {
  std::string profile;                                    ///< DatasetInfo::profile of its sets
  std::function<void(const DatasetInfo&)> require_valid;  ///< throws Error for clips that it cannot give
  /// Clip `number` of the set; depends on seed, split, format and number alone. Called from any thread, but
  /// where `in_order`.
  std::function<MadeClip(const DatasetInfo&, std::uint64_t number)> clip;
  bool in_order = false;  ///< clips are asked for by one thread, by rising numbers
};

struct DatasetOptions {
  const SceneSet* scenes = nullptr;  ///< none: shots at generated levels
  int threads = 0;                   ///< 0: all of the machine
  /// Called with the number of clips that are done: first with those found finished, then after each block;
  /// from any thread, one call at a time.
  std::function<void(std::size_t clips)> progress = {};
  /// Once it answers false no further block is begun; false is returned and finished blocks stay.
  std::function<bool()> keep_going = {};
};

/// Makes the data set `settings` describes (docs/surprise-data.md says which levels and shots) and writes it
/// to `path`.
///
/// Clips are made in blocks, each a file in the folder `path`.partial, put together in order at the end.
/// Ended at any moment and called again with the same settings it goes on after the blocks that are finished;
/// the bytes are the same, whatever the number of threads. A finished file with these settings is left as it
/// is.
///
/// Throws Error for settings out of range, when `path` or `path`.partial holds anything else, and when it
/// cannot be written; finished blocks stay then, too.
bool make_dataset(const std::filesystem::path& path, const DatasetInfo& settings,
                  const DatasetOptions& options = {});

}  // namespace startle
