#pragma once
/// \file  Folders laid out as the IntPhys 2019 data set, so that readers made for one read the other:
/// generated sets written, and sets of either read.
///
/// \code{.unparsed}
///   train/00001/scene/scene_001.png   8-bit RGB
///               depth/depth_001.png   16-bit grey: 65535 less the distance in mm
///               masks/masks_001.png   8-bit grey: one level a thing (of test sets: a piece),
///                                     drawn anew for each frame
///               status.json           header and, frame by frame, places of all things and screens
///                                     and the grey level of each
///   dev/O1/01/1/...                   a quadruplet in folders 1 to 4, shuffled; status.json holds
///                                     the header alone: is_possible, and the scenario as block_name
///   test/O1/0001/1/...                the same without status.json
///   dev_task.txt, test_task.txt       names of all clips, "O1/0001/1", a line each
///   test_reference.txt                "O1/0001/1 1 O1_test_visible_static_nobj1": whether it is
///                                     possible, and the scenario
/// \endcode
///
/// Identical frames of the four clips of a quadruplet have identical pictures, depths and masks.
#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "surprise/probes/intphys/evaluation.hpp"

namespace startle {

struct IntPhysFolderSettings {
  ClipFormat format = intphys_format();
  std::size_t train = 0;  ///< clips
  std::size_t dev = 0;    ///< sets of each scenario of each block
  std::size_t test = 0;   ///< the same
  std::uint64_t seed = 1;
};

/// Writes the folder. A clip or quadruplet is written under a name that ends in ".unfinished" and renamed
/// when it is whole; those that are there already are left as they are, so the same call goes on after an
/// interruption. `progress` is called after each clip and quadruplet, by any thread, one call at a time; once
/// `keep_going` answers false nothing further is begun, and false is returned. Throws Error when the folder
/// was made with other settings (intphys.json in it says which), is something else, or cannot be written.
bool write_intphys_folder(const std::filesystem::path& folder, const IntPhysFolderSettings& settings,
                          const std::string& program, int threads = 0,
                          const std::function<void()>& progress = {},
                          const std::function<bool()>& keep_going = {});

/// A quadruplet on disk.
struct IntPhysRecord {
  IntPhysBlock block = IntPhysBlock::permanence;
  std::string name;  ///< "0001": of a longer name of the folder the part before its first "_"
  std::optional<IntPhysScenario> scenario;  ///< by the name of the folder, a header's block_name, or
                                            ///< test_reference.txt
  std::array<std::filesystem::path, 4> clips;
  std::optional<std::array<bool, 4>> possible;  ///< by the headers, or test_reference.txt
};

/// The quadruplets of a part, a folder that holds O1, O2 or O3, in order of block and name. Throws Error for
/// a folder without any, a quadruplet that is not of the folders 1 to 4, and one of which not two clips are
/// possible.
std::vector<IntPhysRecord> read_intphys_records(const std::filesystem::path& part);

/// The folders of the training clips, in order of their names. `folder` holds them, or holds "train" which
/// does; empty where neither does.
std::vector<std::filesystem::path> intphys_train_clips(const std::filesystem::path& folder);

/// The pictures of a clip's folder, square. `pixels`: they are averaged down to that size (exact areas), or
/// left as they are when 0. `frames`: of a whole multiple of so many frames every so manieth, the first
/// included, is taken; all when 0. `masks`: of training clips, too, with the ids of IntPhysVideo, as
/// status.json says which grey level is what in which frame; "object_N" and "occluder_N" number from 1, and
/// all else but "floor" is 0, as walls and sky; a pixel has the id at its centre. Throws Error with the file
/// for pictures that are missing, damaged, not square, of different sizes or smaller than asked for, for
/// other numbers of frames, and for masks that status.json does not explain.
Clip read_intphys_clip(const std::filesystem::path& clip, int frames, int pixels, bool masks = false);

/// A quadruplet with its clips, for run_intphys().
IntPhysClips read_intphys_clips(const IntPhysRecord& record, int frames, int pixels);

}  // namespace startle
