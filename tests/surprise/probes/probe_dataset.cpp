
#include <filesystem>
#include <set>

#include "core/files.hpp"
#include "surprise/dataset.hpp"
#include "surprise/probes/intphys/scene.hpp"
#include "surprise/probes/scene_sets.hpp"
#include "surprise/probes/training_scenes.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

namespace startle {

TEST_CASE(
    "[probes] probes: clip sets of training scenes are read as any other, the same for any number of "
    "threads") {
  const SceneSet& scenes = *GENERATE(&probe_scene_set(), &freeform_scene_set());
  CAPTURE(scenes.profile);
  const testing::Folder folder;
  DatasetInfo settings{.format = probe_format(),
                       .count = 60,
                       .seed = 3,
                       .profile = scenes.profile,
                       .masks = true,
                       .program = "test",
                       .command = "test"};
  CHECK(make_dataset(folder / "one.h5", settings, {.scenes = &scenes, .threads = 1}));
  CHECK(make_dataset(folder / "two.h5", settings, {.scenes = &scenes, .threads = 2}));
  CHECK(read_file(folder / "one.h5") == read_file(folder / "two.h5"));

  const ClipReader reader(folder / "one.h5");
  CHECK(reader.info() == settings);
  std::set<std::string> kinds;
  for (std::size_t i = 0; i < reader.size(); ++i) {
    kinds.insert(reader.origin(i).family);
    CHECK(reader.origin(i).level == i);
  }
  CHECK(kinds.size() == (scenes.profile == probe_profile ? event_kinds().size() : 1));
  // The clip of number 7 alone, in a set that is too short to end its block.
  settings.count = 8;
  CHECK(make_dataset(folder / "short.h5", settings, {.scenes = &scenes, .threads = 1}));
  CHECK(ClipReader(folder / "short.h5").read({7}, true)[0].rgb == reader.read({7}, true)[0].rgb);
  settings.split = Split::validation;
  CHECK(make_dataset(folder / "validation.h5", settings, {.scenes = &scenes, .threads = 1}));
  CHECK(ClipReader(folder / "validation.h5").read({7})[0].rgb != reader.read({7})[0].rgb);

  settings.novelty = "T1";
  CHECK_THROWS_WITH(make_dataset(folder / "bad.h5", settings, {.scenes = &scenes, .threads = 1}),
                    Catch::Contains("novelty"));
  settings.novelty.clear();
  settings.format = ClipFormat{};
  CHECK_THROWS_WITH(make_dataset(folder / "bad.h5", settings, {.scenes = &scenes, .threads = 1}),
                    Catch::Contains("format"));
  CHECK(!std::filesystem::exists(folder / "bad.h5"));
}

TEST_CASE("[probes] IntPhys: clip sets of training scenes, of any length and size of that world") {
  const testing::Folder folder;
  DatasetInfo settings{.format = intphys_format(45, 32),
                       .count = 55,
                       .seed = 3,
                       .profile = intphys_profile,
                       .masks = true,
                       .program = "test",
                       .command = "test"};
  CHECK(make_dataset(folder / "one.h5", settings, {.scenes = &intphys_scene_set(), .threads = 1}));
  CHECK(make_dataset(folder / "two.h5", settings, {.scenes = &intphys_scene_set(), .threads = 2}));
  CHECK(read_file(folder / "one.h5") == read_file(folder / "two.h5"));
  const ClipReader reader(folder / "one.h5");
  CHECK(reader.info() == settings);
  std::set<std::string> kinds;
  for (std::size_t i = 0; i < reader.size(); ++i) kinds.insert(reader.origin(i).family);
  CHECK(kinds.size() == intphys_kinds().size());
  const Clip clip = reader.read({7}, true)[0];
  CHECK(clip.frames == 45);
  CHECK(clip.masks.size() == 45U * 32 * 32);

  settings.split = Split::validation;
  settings.count = 8;
  CHECK(make_dataset(folder / "validation.h5", settings, {.scenes = &intphys_scene_set(), .threads = 1}));
  CHECK(ClipReader(folder / "validation.h5").read({7})[0].rgb != clip.rgb);
  settings.format.stride += 1;
  CHECK_THROWS_WITH(make_dataset(folder / "bad.h5", settings, {.scenes = &intphys_scene_set(), .threads = 1}),
                    Catch::Contains("format"));
  settings.format = intphys_format();
  settings.novelty = "T1";
  CHECK_THROWS_WITH(make_dataset(folder / "bad.h5", settings, {.scenes = &intphys_scene_set(), .threads = 1}),
                    Catch::Contains("novelty"));
}

}  // namespace startle
