#include "render/video.hpp"

#include <gif_lib.h>
#include <png.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "render/gif.hpp"
#include "render/png.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

using namespace startle;
using startle::testing::Folder;

namespace {

/// PATH for as long as it lives.
struct SearchPath {
  std::string old = std::getenv("PATH");
  explicit SearchPath(const std::filesystem::path& folder) { setenv("PATH", folder.c_str(), 1); }
  ~SearchPath() { setenv("PATH", old.c_str(), 1); }
};

/// A program called ffmpeg that does what the lines say.
void pretend_ffmpeg(const std::filesystem::path& folder, const std::string& lines) {
  std::ofstream(folder / "ffmpeg") << "#!/bin/sh\n" << lines;
  std::filesystem::permissions(folder / "ffmpeg", std::filesystem::perms::owner_all);
}

/// A GIF as a player shows it: what is on the screen after each image, and for how long, hundredths of a
/// second.
struct ReadGif {
  std::vector<Bitmap> pictures;
  std::vector<int> delays;
  bool forever = false;

  explicit ReadGif(const std::filesystem::path& path) {
    int error = 0;
    GifFileType* gif = DGifOpenFileName(path.c_str(), &error);
    REQUIRE(gif);
    REQUIRE(DGifSlurp(gif) == GIF_OK);
    Bitmap screen(gif->SWidth, gif->SHeight);
    for (int i = 0; i < gif->ImageCount; ++i) {
      const SavedImage& image = gif->SavedImages[i];
      for (int e = 0; e < image.ExtensionBlockCount; ++e)
        if (image.ExtensionBlocks[e].Function == APPLICATION_EXT_FUNC_CODE)
          forever = std::string(reinterpret_cast<const char*>(image.ExtensionBlocks[e].Bytes), 11) ==
                        "NETSCAPE2.0" &&
                    image.ExtensionBlocks[e + 1].ByteCount == 3;
      GraphicsControlBlock control{};
      REQUIRE(DGifSavedExtensionToGCB(gif, i, &control) == GIF_OK);
      const GifImageDesc& place = image.ImageDesc;
      for (int y = 0; y < place.Height; ++y)
        for (int x = 0; x < place.Width; ++x) {
          const int index = image.RasterBits[y * place.Width + x];
          if (index == control.TransparentColor) continue;
          const GifColorType colour = place.ColorMap->Colors[index];
          const auto at = 3 *
                          (static_cast<std::size_t>(place.Top + y) * static_cast<std::size_t>(screen.width) +
                           static_cast<std::size_t>(place.Left + x));
          screen.rgb[at] = colour.Red, screen.rgb[at + 1] = colour.Green, screen.rgb[at + 2] = colour.Blue;
        }
      pictures.push_back(screen);
      delays.push_back(control.DelayTime);
    }
    DGifCloseFile(gif, &error);
  }
};

Bitmap noise(int width, int height, std::uint64_t seed, std::vector<std::uint8_t> levels = {}) {
  Random random(seed);
  Bitmap picture(width, height);
  for (std::uint8_t& byte : picture.rgb)
    byte = levels.empty()
               ? static_cast<std::uint8_t>(random.integer(0, 255))
               : levels[static_cast<std::size_t>(random.integer(0, static_cast<int>(levels.size()) - 1))];
  return picture;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("[render] video: a GIF shows the pictures that went in, each for its time") {
  const Folder folder, none;
  const SearchPath path(none.path);  // no ffmpeg
  // At most 6^3 = 216 colours in a picture: none is changed.
  std::vector<Bitmap> pictures;
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    pictures.push_back(noise(37, 11, seed, {0, 51, 102, 153, 204, 255}));
  pictures.push_back(pictures.back());
  pictures.back().rgb[3 * (5 * 37 + 20)] ^= 1;  // one pixel, a colour of its own
  for (const char* name : {"a.gif", "b.gif"}) {
    VideoWriter video(folder.path / name, 37, 11, 30);
    for (std::size_t i = 0; i < pictures.size(); ++i)
      for (std::size_t times = 0; times <= i; ++times) video.add(pictures[i]);
    video.finish();
  }
  const ReadGif gif(folder.path / "a.gif");
  REQUIRE(gif.pictures.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) CHECK(gif.pictures[i].rgb == pictures[i].rgb);
  // 30 pictures a second, shown 1, 2, 3, 4 and 5 times: they start at pictures 0, 1, 3, 6, 10, and the video
  // ends at 15. In hundredths 0, 3, 10, 20, 33, 50.
  CHECK(gif.delays == std::vector<int>{3, 7, 10, 13, 17});
  CHECK(gif.forever);
  CHECK(bytes_of(folder.path / "a.gif") == bytes_of(folder.path / "b.gif"));
  CHECK(folder.entries() == 2);
}

TEST_CASE(
    "[render] video: a GIF of pictures with more than 255 colours comes near to them, and what stays the "
    "same is not drawn again") {
  const Folder folder;
  Bitmap first(64, 48);
  for (int y = 0; y < 48; ++y)  // 3072 colours
    for (int x = 0; x < 64; ++x) {
      std::uint8_t* pixel = &first.rgb[3 * static_cast<std::size_t>(y * 64 + x)];
      pixel[0] = static_cast<std::uint8_t>(4 * x), pixel[1] = static_cast<std::uint8_t>(5 * y),
      pixel[2] = 128;
    }
  Bitmap second = first;
  for (int x = 10; x < 20; ++x) second.rgb[3 * static_cast<std::size_t>(20 * 64 + x)] = 7;
  {
    VideoWriter video(folder.path / "a.gif", 64, 48, 25);
    video.add(first);
    video.add(second);
    video.finish();
  }
  const ReadGif gif(folder.path / "a.gif");
  REQUIRE(gif.pictures.size() == 2);
  // 255 boxes of a square of 252 x 235 shades: 15 x 16 if all were equal. Median cut's boxes are at most
  // twice as long, so no shade is off by more than 16.
  for (std::size_t i = 0; i < first.rgb.size(); ++i)
    REQUIRE(std::abs(first.rgb[i] - gif.pictures[0].rgb[i]) <= 16);
  for (std::size_t i = 0; i < first.rgb.size(); ++i) {
    const bool changed = second.rgb[i] != first.rgb[i] ||
                         (i % 3 != 0 && second.rgb[i - i % 3] != first.rgb[i - i % 3]);
    REQUIRE(gif.pictures[1].rgb[i] == (changed ? second.rgb[i] : gif.pictures[0].rgb[i]));
  }
}

TEST_CASE("[render] video: a GIF that cannot be written is an error") {
  GifWriter full("/dev/full", 64, 48, 25);
  const auto write = [&] {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) full.add(noise(64, 48, seed));
    full.finish();
  };
  CHECK_THROWS_WITH(write(), Catch::Contains("/dev/full: cannot be written"));
  CHECK_THROWS_WITH(GifWriter("/dev/null", 65536, 1, 25), Catch::Contains("65536x1"));
  CHECK_THROWS_WITH(GifWriter("/dev/null/a.gif", 8, 8, 25),
                    Catch::Contains("/dev/null/a.gif: cannot be written"));
}

TEST_CASE("[render] palette: few colours are kept, many are brought together by how many pixels have them") {
  CHECK(quantise({}, 255).indices.empty());
  const Palette kept = quantise({0x102030, 0xFFFFFF, 0x102030}, 2);
  REQUIRE(kept.colours.size() == 2);
  CHECK(kept.colours[kept.indices[0]] == 0x102030);
  CHECK(kept.colours[kept.indices[1]] == 0xFFFFFF);
  CHECK(kept.indices[2] == kept.indices[0]);
  // Red 0, 0, 0, 10, 200, 201: half of the pixels are 0, so the cut is behind them. Means: 0, and (10 + 200 +
  // 201) / 3 = 137.
  const Palette two = quantise({0x000000, 0x000000, 0x000000, 0x0A0000, 0xC80000, 0xC90000}, 2);
  REQUIRE(two.colours.size() == 2);
  CHECK(two.colours[two.indices[0]] == 0);
  CHECK(two.colours[two.indices[3]] == 0x890000);
  CHECK(two.indices[3] == two.indices[5]);
}

TEST_CASE(
    "[render] video: without ffmpeg an MP4 is an error that names the package, and nothing is left behind") {
  const Folder folder, programs;
  const SearchPath path(programs.path);
  CHECK_THROWS_WITH(VideoWriter(folder.path / "a.mp4", 8, 8, 25), Catch::Contains("apt-get install ffmpeg"));
  CHECK(folder.entries() == 0);
}

TEST_CASE("[render] video: frames reach ffmpeg as they are, and the video appears when it is finished") {
  const Folder folder, programs;
  pretend_ffmpeg(programs.path, "for last; do :; done\n/bin/cat > \"$last\"\n");  // the last argument is the
                                                                                  // file to write
  const SearchPath path(programs.path);
  Bitmap picture(3, 2);
  for (std::size_t i = 0; i < picture.rgb.size(); ++i) picture.rgb[i] = static_cast<std::uint8_t>(10 * i);
  {
    VideoWriter video(folder.path / "a.mp4", 3, 2, 25);
    video.add(picture);
    CHECK_THROWS_AS(video.add(Bitmap(4, 2)), Error);
    CHECK_FALSE(std::filesystem::exists(folder.path / "a.mp4"));
    video.add(picture);
    video.finish();
  }
  CHECK(std::filesystem::file_size(folder.path / "a.mp4") == 2 * 18);
  CHECK(folder.entries() == 1);
  {
    VideoWriter abandoned(folder.path / "b.mp4", 3, 2, 25);
    abandoned.add(picture);
  }
  CHECK(folder.entries() == 1);
}

TEST_CASE("[render] video: an ffmpeg that fails is an error, and nothing is left behind") {
  const Folder folder, programs;
  pretend_ffmpeg(programs.path, "exit 3\n");
  const SearchPath path(programs.path);
  const auto make = [&] {
    VideoWriter video(folder.path / "a.mp4", 640, 480, 25);
    for (int i = 0; i < 20; ++i) video.add(Bitmap(640, 480));
    video.finish();
  };
  CHECK_THROWS_WITH(make(), Catch::Contains("exit code 3"));
  CHECK(folder.entries() == 0);
}

TEST_CASE("[render] video: the real ffmpeg makes videos that play, with the frames that went in") {
  if (std::system("ffmpeg -version >/dev/null 2>&1 && ffprobe -version >/dev/null 2>&1") != 0)
    return;  // not installed
  const Folder folder;
  constexpr int count = 10, rate = 25;
  for (const char* name : {"video.mp4", "video.gif"}) {
    const std::filesystem::path video_path = folder.path / name;
    VideoWriter video(video_path, 97, 64, rate);  // an odd width, which MP4 does not take as it is
    for (int i = 0; i < count; ++i) {
      Bitmap picture(97, 64);
      for (std::size_t p = 0; p < picture.rgb.size(); p += 3)
        picture.rgb[p] = static_cast<std::uint8_t>(20 * i + 20);  // redder and redder
      video.add(picture);
    }
    video.finish();
    const std::filesystem::path facts = folder.path / "facts", raw = folder.path / "raw";
    REQUIRE(std::system(("ffprobe -v error -count_frames -select_streams v:0 -show_entries "
                         "stream=codec_name,r_frame_rate,nb_read_frames -of csv=p=0 '" +
                         video_path.string() + "' > '" + facts.string() + "'")
                            .c_str()) == 0);
    std::ifstream probed(facts);
    std::string line;
    std::getline(probed, line);
    CHECK(line == (std::string(name) == "video.mp4" ? "h264,25/1,10" : "gif,25/1,10"));
    REQUIRE(std::system(("ffmpeg -v error -i '" + video_path.string() + "' -f rawvideo -pix_fmt rgb24 '" +
                         raw.string() + "' -y")
                            .c_str()) == 0);
    std::ifstream decoded(raw, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(decoded), {}};
    REQUIRE(bytes.size() == (std::string(name) == "video.mp4" ? 98U : 97U) * 64 * 3 * count);
    const std::size_t frame = bytes.size() / count;
    for (int i = 0; i < count; ++i) {  // the first pixel of the middle row, as near as a lossy video comes
      const int red = static_cast<unsigned char>(bytes[frame * static_cast<std::size_t>(i) + frame / 2]);
      CAPTURE(name, i);
      CHECK(std::abs(red - (20 * i + 20)) <= 12);
    }
  }
}

TEST_CASE("[render] video: bad names and sizes") {
  const Folder folder;
  CHECK_THROWS_WITH(VideoWriter(folder.path / "a.avi", 8, 8, 25), Catch::Contains(".avi"));
  CHECK_THROWS_AS(VideoWriter(folder.path / "a.gif", 0, 8, 25), Error);
  CHECK_THROWS_AS(VideoWriter(folder.path / "missing" / "a.gif", 8, 8, 25), Error);
  CHECK(folder.entries() == 0);
}

TEST_CASE("[render] video: pictures beside each other, and captions") {
  Bitmap left(2, 3), right(5, 3);
  left.rgb.assign(left.rgb.size(), 10);
  right.rgb.assign(right.rgb.size(), 20);
  const Bitmap both = side_by_side(left, right);
  REQUIRE(both.width == 11);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 11; ++x)
      CHECK(both.rgb[3 * static_cast<std::size_t>(11 * y + x)] == (x < 2 ? 10 : x < 6 ? 255 : 20));
  CHECK_THROWS_AS(side_by_side(left, Bitmap(2, 4)), Error);

  Bitmap captioned(200, 100);
  add_caption(captioned, "normal");
  CHECK(captioned.rgb != Bitmap(200, 100).rgb);
  CHECK(captioned.rgb.back() == 0);
  CHECK_NOTHROW(add_caption(left, "wider than the picture"));
}

TEST_CASE("[render] PNG: libpng reads back what was written") {
  Random random(1);
  Bitmap picture(37, 5);
  for (std::uint8_t& byte : picture.rgb) byte = static_cast<std::uint8_t>(random.integer(0, 255));
  const std::string bytes = png_bytes(picture);
  CHECK(bytes == png_bytes(picture));
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()));
  REQUIRE(image.width == 37);
  REQUIRE(image.height == 5);
  image.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> read(PNG_IMAGE_SIZE(image));
  REQUIRE(png_image_finish_read(&image, nullptr, read.data(), 0, nullptr));
  CHECK(read == picture.rgb);

  // A mask keeps its numbers: 16 bits, big-endian, unscaled in the file (depth and colour type stand in bytes
  // 24 and 25).
  CHECK(png_bytes(Mask(4, 4)).substr(24, 2) == std::string("\x10\0", 2));
}
