#pragma once
/// \file  Clips written for a program in any language to test, and what that program says of them, as HDF5
/// files.
///
/// \code
///   // given: const DatasetInfo& info, std::size_t count, std::vector<Clip> (*clips_of_tuple)(std::size_t)
///   write_clips_to_score("clips.h5", info, {.count = count, .make = clips_of_tuple});
///   // a program of any kind reads clips.h5 and writes predictions.h5
///   // a ClipScorer as any other, for these clips
///   const auto scorer = load_predictions("predictions.h5", info.format);
/// \endcode
///
/// The clips are a clip set (surprise/dataset.hpp). A clip is known by its id, a hash of its frames, which
/// stands as `level` in its entry of /metadata. Clips stand in the order of their ids, so that neither order
/// nor entry says which belong together, or which are possible.
///
/// Predictions for N clips of T frames of P x P pixels, with the clips in any order:
///   /clip    uint64 [N], the clips' ids, each once; or int64 of the same bits
/// and one of
///   /frames  [N, T - 1, P, P, 3], frame 1 to frame T - 1 (from 0) as predicted from those before each; or
///            [N, T, P, P, 3], whose first is not looked at. Bytes are value/255; floating-point numbers are
///            values in [0, 1], cut to that range as the predictions of all models are
///   /errors  [N, T - 1], numbers >= 0 in a unit of your own: how surprising frame 1 to frame T - 1 is
///
/// Scores are one number a clip in a unit of your own, larger for what is more surprising: a table (.csv) of
/// the columns clip and score, or the arrays /clip and /scores, [N].
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "surprise/clip_scorer.hpp"
#include "surprise/dataset.hpp"

namespace startle {

/// The same for clips of the same pictures.
std::uint64_t clip_id(const Clip& clip);

struct ClipsToScore {
  std::size_t count = 0;                                     ///< of groups that `make` gives, 0 ... count - 1
  std::function<std::vector<Clip>(std::size_t group)> make;  ///< called from several threads; all clips have
                                                             ///< masks or none has
  int threads = 0;                                           ///< 0: all of the machine
  std::function<void()> progress = {};                       ///< after each group, one call at a time
  std::function<bool()> keep_going = {};                     ///< once it answers false the work ends
};

/// Writes the clips to `path`, which is replaced when they are all done. `info`: count and masks are those of
/// the clips. Returns how many clips there are, 0 when `keep_going` ended it, and nothing was written. Throws
/// Error when the file cannot be written, and without any clip.
std::size_t write_clips_to_score(const std::filesystem::path& path, DatasetInfo info,
                                 const ClipsToScore& clips);

/// A scorer, named after the file, of the clips that it has predictions for. Throws Error, with the file, the
/// array and what was found and is allowed, for a file that cannot be read or is damaged, for arrays that are
/// missing or have another type or shape than said above for clips of `format`, for an id that stands there
/// twice, for numbers that are not finite or (frames) farther than 1 from [0, 1] or (errors) negative. Its
/// score() throws Error for a clip that the file does not have: one of another suite, seed or number.
std::unique_ptr<ClipScorer> load_predictions(const std::filesystem::path& path, const ClipFormat& format);

/// A scorer, named after the file, of the clips that it has scores for (ClipSurprise::whole). Throws Error,
/// with the file, the line or array and what was found and is allowed, for a file that cannot be read or is
/// damaged, for another table or arrays than said above, for an id that stands there twice, and for a score
/// that is not finite. Its score() throws Error for a clip that the file does not have.
std::unique_ptr<ClipScorer> load_scores(const std::filesystem::path& path);

}  // namespace startle
