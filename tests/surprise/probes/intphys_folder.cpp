#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "core/files.hpp"
#include "render/png.hpp"
#include "surprise/dataset.hpp"
#include "surprise/probes/intphys/folder.hpp"
#include "surprise/probes/scene_sets.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

namespace startle {
namespace {

namespace fs = std::filesystem;
using testing::Folder;

}  // namespace

TEST_CASE("[probes] IntPhys folders: what is written is read again, and laid out as the original") {
  const Folder folder;
  const fs::path root = folder.path / "data";
  const IntPhysFolderSettings settings{
      .format = intphys_format(41, 32), .train = 2, .dev = 1, .test = 1, .seed = 3};
  REQUIRE(write_intphys_folder(root, settings, "test"));

  for (const IntPhysPart part : {IntPhysPart::dev, IntPhysPart::test}) {
    CAPTURE(name(part));
    const std::vector<IntPhysRecord> records = read_intphys_records(root / name(part));
    REQUIRE(records.size() == 54);
    CHECK(records[0].name == (part == IntPhysPart::dev ? "01" : "0001"));
    CHECK(records[53].block == IntPhysBlock::continuity);
    std::set<std::array<bool, 4>> orders;
    const IntPhysSource source{.sets = 1, .format = settings.format, .seed = 3, .part = part};
    for (std::size_t i = 0; i < records.size(); ++i) {
      REQUIRE(records[i].possible);
      orders.insert(*records[i].possible);
      CHECK(records[i].scenario == intphys_scenarios()[i % 18]);
      CHECK(fs::exists(records[i].clips[0] / "status.json") == (part == IntPhysPart::dev));
      if (i % 9 != 0) continue;
      const IntPhysClips made = source.clips(i), read = read_intphys_clips(records[i], 0, 0);
      CHECK(*read.possible == *made.possible);
      for (std::size_t k = 0; k < 4; ++k) {
        CHECK(read.clips[k].frames == 41);
        CHECK(read.clips[k].rgb == made.clips[k].rgb);
      }
    }
    CHECK(orders.size() > 3);  // of six: no place is that of the possible clips
  }

  // Depth and masks beside the pictures, for both kinds of clips from the same frames.
  const IntPhysSource test{.sets = 1, .format = settings.format, .seed = 3, .part = IntPhysPart::test};
  const IntPhysSet set = test.set(13);
  const std::array<int, 4> order = test.order(13);
  for (std::size_t k = 0; k < 4; ++k)
    for (const int t : {0, 20, 40}) {
      const std::string number = std::string(t < 9 ? "00" : "0") + std::to_string(t + 1) + ".png";
      const fs::path clip = root / "test/O1/0014" / std::to_string(k + 1);
      const Mask depth = read_grey_png(read_file(clip / "depth" / ("depth_" + number)), "depth"),
                 masks = read_grey_png(read_file(clip / "masks" / ("masks_" + number)), "masks");
      const IntPhysVideo& video = set.videos[set.video_of(order[k], t)];
      const std::size_t first = static_cast<std::size_t>(t) * 256;
      for (std::size_t i = 0; i < 256; ++i) REQUIRE(depth.ids[i] == 65535 - video.depth[first + i]);
      for (std::size_t i = 1; i < 256; ++i)  // levels change where ids do
        if (i % 16 != 0)
          REQUIRE((masks.ids[i] == masks.ids[i - 1]) ==
                  (video.clip.masks[first + i] == video.clip.masks[first + i - 1]));
    }

  // The training clips say what each level of grey is.
  const auto status = nlohmann::json::parse(read_file(root / "train/00001/status.json"));
  CHECK(status.at("header").at("is_possible") == true);
  CHECK(status.at("header").at("block_type") == "train");
  REQUIRE(status.at("frames").size() == 41);
  const Mask masks = read_grey_png(read_file(root / "train/00001/masks/masks_007.png"), "masks");
  std::set<int> seen(masks.ids.begin(), masks.ids.end()), said;
  for (const auto& [name, level] : status.at("frames")[6].at("masks").items()) said.insert(level.get<int>());
  CHECK(seen == said);
  const std::string task = read_file(root / "test_task.txt");
  CHECK(task.substr(0, 10) == "O1/0001/1\n");
  CHECK(std::count(task.begin(), task.end(), '\n') == 216);

  // A clip that is missing is made again with the same bytes; nothing else is touched.
  const std::string before = read_file(root / "test/O2/0003/2/masks/masks_010.png");
  fs::remove_all(root / "test/O2/0003");
  fs::create_directories(root / "test/O2/0003.unfinished/1");
  REQUIRE(write_intphys_folder(root, settings, "test", 1));
  CHECK(read_file(root / "test/O2/0003/2/masks/masks_010.png") == before);
  CHECK(!fs::exists(root / "test/O2/0003.unfinished"));
  IntPhysFolderSettings other = settings;
  other.seed = 4;
  CHECK_THROWS_WITH(write_intphys_folder(root, other, "test"), Catch::Contains("other settings"));
  fs::create_directories(folder.path / "mine/letters");
  CHECK_THROWS_WITH(write_intphys_folder(folder.path / "mine", settings, "test"),
                    Catch::Contains("something else"));

  // Frames are taken by whole steps and averaged down; anything else is refused, with the file.
  const fs::path clip = root / "test/O1/0001/1";
  const Clip whole = read_intphys_clip(clip, 0, 0), small = read_intphys_clip(clip, 41, 24);
  // Pixel (0, 0) of 24 covers 4/3 pixels of 32 each way: weights 1, 1/3 in a row and a column, over 16/9.
  const auto at = [&](int row, int column) {
    return static_cast<double>(whole.rgb[static_cast<std::size_t>((row * 32 + column) * 3)]);
  };
  CHECK(small.rgb[0] == std::lround((at(0, 0) + (at(0, 1) + at(1, 0)) / 3 + at(1, 1) / 9) / (16.0 / 9)));
  // What systems and programs leave is no picture, and no quadruplet.
  const std::size_t records = read_intphys_records(root / "test").size();
  write_file(clip / "scene/._scene_001.png", "no picture");
  fs::create_directory(root / "test/O1/.git");
  fs::create_directory(root / "test/O1/__MACOSX");
  CHECK(read_intphys_clip(clip, 0, 0).rgb == whole.rgb);
  CHECK(read_intphys_records(root / "test").size() == records);
  CHECK_THROWS_WITH(read_intphys_clip(clip, 20, 0), Catch::Contains("found 41"));
  CHECK_THROWS_WITH(read_intphys_clip(clip, 0, 64), Catch::Contains("32 x 32"));
  write_file(clip / "scene/scene_005.png", "no picture");
  CHECK_THROWS_WITH(read_intphys_clip(clip, 0, 0), Catch::Contains("scene_005.png"));
  fs::remove(root / "dev/O1/02/3/status.json");
  CHECK_THROWS_WITH(read_intphys_records(root / "dev"), Catch::Contains("02"));
  fs::remove_all(root / "dev/O1/02/3");
  CHECK_THROWS_WITH(read_intphys_records(root / "dev"), Catch::Contains("no clip 3"));
  CHECK_THROWS_WITH(read_intphys_records(root), Catch::Contains("no quadruplet"));
}

TEST_CASE(
    "[probes] IntPhys folders: the original's older names of folders, and its test sets without labels") {
  const Folder folder;
  Bitmap picture(20, 20);
  for (std::size_t i = 0; i < picture.rgb.size(); ++i) picture.rgb[i] = static_cast<std::uint8_t>(i % 251);
  for (int k = 1; k <= 4; ++k) {
    const fs::path clip = folder.path / "O2/0007_O2_test_occluded_dynamic_2_nobj3" / std::to_string(k);
    fs::create_directories(clip / "scene");
    for (int t = 1; t <= 100; ++t)
      write_file(clip / "scene" /
                     ("scene_" +
                      std::string(t < 10    ? "00"
                                  : t < 100 ? "0"
                                            : "") +
                      std::to_string(t) + ".png"),
                 png_bytes(picture));
  }
  const std::vector<IntPhysRecord> records = read_intphys_records(folder.path);
  REQUIRE(records.size() == 1);
  CHECK(records[0].name == "0007");
  CHECK(!records[0].possible);
  CHECK(name(*records[0].scenario) == "occluded_dynamic_2_nobj3");
  const Clip clip = read_intphys_clips(records[0], 50, 10).clips[3];
  CHECK(clip.frames == 50);
  CHECK(clip.rgb.size() == 50U * 10 * 10 * 3);
  // 2 x 2 pixels of 20 make one of 10.
  CHECK(clip.rgb[0] ==
        std::lround((picture.rgb[0] + picture.rgb[3] + picture.rgb[60] + picture.rgb[63]) / 4.0));
}

TEST_CASE("[probes] IntPhys folders: training clips become clip sets, with masks by their names") {
  const Folder folder;
  const fs::path root = folder.path / "data";
  const ClipFormat format = intphys_format(41, 32);
  REQUIRE(write_intphys_folder(root, {.format = format, .train = 11, .seed = 5}, "test"));
  const auto make = [&](const char* file, Split split, std::size_t count, int frames, int pixels,
                        bool masks = true) {
    const SceneSet clips = published_scene_set(split == Split::train ? root : root / "train", split);
    return make_dataset(folder.path / file,
                        {.format = intphys_format(frames, pixels),
                         .count = count,
                         .split = split,
                         .profile = intphys_folder_profile,
                         .masks = masks,
                         .program = "test",
                         .command = "test"},
                        {.scenes = &clips, .threads = 2});
  };
  REQUIRE(make("train.h5", Split::train, 10, 41, 32));
  REQUIRE(make("validation.h5", Split::validation, 1, 41, 16));
  std::set<int> ids;
  for (std::uint64_t i = 0; i < 11; ++i) {
    Random random(stream_seed(5, "intphys/folder/train", i));
    const std::string kind = random.choice(intphys_kinds());
    const Clip made = record(intphys_freeform(kind, format, random), format).clip;
    ids.insert(made.masks.begin(), made.masks.end());
    if (i != 9) {  // the tenth is for validation
      const Clip clip = ClipReader(folder.path / "train.h5").read({i - i / 10}, true)[0];
      CHECK(clip.rgb == made.rgb);
      CHECK(clip.masks == made.masks);
      continue;
    }
    const Clip clip = ClipReader(folder.path / "validation.h5").read({0}, true)[0];
    bool same = true;  // of 2 x 2 pixels the centre is the last one's corner
    for (std::size_t t = 0; t < 41; ++t)
      for (std::size_t y = 0; y < 16; ++y)
        for (std::size_t x = 0; x < 16; ++x)
          same = same &&
                 clip.masks[(t * 16 + y) * 16 + x] == made.masks[(t * 32 + 2 * y + 1) * 32 + 2 * x + 1];
    CHECK(same);
  }
  CHECK(ids.size() > 4);  // walls, floor, things and screens
  CHECK(*ids.rbegin() >= 64);

  CHECK_THROWS_WITH(make("more.h5", Split::train, 11, 41, 32),
                    Catch::Contains("found 10 clips for --split train"));
  CHECK_THROWS_WITH(published_scene_set(root, Split::test), Catch::Contains("train and validation"));
  CHECK_THROWS_WITH(published_scene_set(folder.path, Split::train),
                    Catch::Contains("freeform/train") && Catch::Contains("train/00001/scene"));
  const fs::path clip = root / "train/00001", status = clip / "status.json";
  const std::string whole = read_file(status);
  auto json = nlohmann::json::parse(whole);
  const auto refuses = [&](const char* what) {
    write_file(status, json.dump());
    CHECK_THROWS_WITH(read_intphys_clip(clip, 0, 0, true), Catch::Contains(what));
    CHECK(read_intphys_clip(clip, 0, 0).masks.empty());
    json = nlohmann::json::parse(whole);
  };
  json["frames"][3]["masks"].erase("floor");
  refuses("masks_004.png: found grey level");
  json["frames"][2]["masks"]["object_59"] = 7;
  refuses("status.json: frames/2/masks: found 'object_59', allowed are object_1 to object_58");
  json["frames"][2]["masks"]["floor"] = 1e300;
  refuses("status.json: frames/2/masks: found 1e+300 for 'floor', allowed are grey levels from 0 to 255");
  json["frames"][2].erase("masks");
  refuses("status.json: frames");
  json["frames"].erase(40);
  refuses("found 41 pictures, 41 masks and 40 frames");
  fs::remove(status);
  CHECK_THROWS_WITH(read_intphys_clip(clip, 0, 0, true),
                    Catch::Contains("00001/status.json: ") && !Catch::Contains("frames"));
}

}  // namespace startle
