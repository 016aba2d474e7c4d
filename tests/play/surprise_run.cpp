/// \file  What the window asks startle-surprise, and how it reads the answer.
#include "play/surprise_run.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "render/png.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

using namespace startle;
using namespace startle::testing;

namespace {

constexpr const char* answer =
    R"({"clips": [{"level": "a", "shot": 1, "world": "normal", "first_step": 12, "stride": 6, "surprise": [0.5, 2.0], "strip": "a.png"}]})";

}  // namespace

TEST_CASE("[play] surprise: the question is the command that a person would type") {
  const std::vector<std::string> arguments = surprise_arguments(
      {.level = "dir/a level.json",
       .shots = {{.angle = radians(40)}, {.angle = radians(20), .tap_time = 1.2}},
       .novelty = "T2",
       .profile = "anu"},
      "out");
  CHECK(arguments == std::vector<std::string>{"startle-surprise", "score", "dir/a level.json", "--format",
                                              "json", "--quiet", "--profile", "anu", "--clip-pictures", "out",
                                              "--shot=40", "--shot=20,1.2", "--novelty", "T2"});
  const std::vector<std::string> normal = surprise_arguments(
      {.level = "a.json", .shots = {{.angle = radians(-5)}}, .novelty = {}}, "out");
  CHECK(normal.back() == "--shot=-5");
}

TEST_CASE("[play] surprise: the answer holds a number and three pictures for each frame") {
  const Folder folder;
  Bitmap strip(12, 12);  // three frames of 4 x 4 pixels: seen, predicted, error
  strip.rgb[3 * 4] = 7;  // the first of the second frame
  write_file(folder.path / "a.png", png_bytes(strip));
  const std::vector<SurpriseClip> clips = read_surprise(answer, folder.path);
  REQUIRE(clips.size() == 1);
  CHECK(clips[0].world == "normal");
  CHECK(clips[0].first_step == 12);
  CHECK(clips[0].stride == 6);
  CHECK(clips[0].frames() == 3);
  CHECK(clips[0].pixels() == 4);
  CHECK(clips[0].surprise == std::vector<double>{0.5, 2.0});
  CHECK(clips[0].strip.rgb == strip.rgb);
}

TEST_CASE("[play] surprise: what is no answer is refused") {
  const Folder folder;
  CHECK_THROWS_AS(read_surprise("", folder.path), Error);
  CHECK_THROWS_AS(read_surprise("{\"clips\": 3}", folder.path), Error);
  CHECK_THROWS_AS(read_surprise(answer, folder.path), Error);   // without its picture
  write_file(folder.path / "a.png", png_bytes(Bitmap(8, 12)));  // two frames only
  CHECK_THROWS_AS(read_surprise(answer, folder.path), Error);
}
