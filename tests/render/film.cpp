#include "render/film.hpp"

#include <png.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "render/png.hpp"
#include "sim/error.hpp"
#include "sim/random.hpp"
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

}  // namespace

TEST_CASE("[render] film: without ffmpeg the error names the package, and nothing is left behind") {
  const Folder folder, programs;
  const SearchPath path(programs.path);
  CHECK_THROWS_WITH(FilmWriter(folder.path / "a.gif", 8, 8, 25), Catch::Contains("apt-get install ffmpeg"));
  CHECK(folder.entries() == 0);
}

TEST_CASE("[render] film: frames reach ffmpeg as they are, and the film appears when it is finished") {
  const Folder folder, programs;
  pretend_ffmpeg(programs.path, "for last; do :; done\n/bin/cat > \"$last\"\n");  // the last argument is the file to write
  const SearchPath path(programs.path);
  Bitmap picture(3, 2);
  for (std::size_t i = 0; i < picture.rgb.size(); ++i) picture.rgb[i] = static_cast<std::uint8_t>(10 * i);
  {
    FilmWriter film(folder.path / "a.mp4", 3, 2, 25);
    film.add(picture);
    CHECK_THROWS_AS(film.add(Bitmap(4, 2)), Error);
    CHECK_FALSE(std::filesystem::exists(folder.path / "a.mp4"));
    film.add(picture);
    film.finish();
  }
  CHECK(std::filesystem::file_size(folder.path / "a.mp4") == 2 * 18);
  CHECK(folder.entries() == 1);
  {
    FilmWriter abandoned(folder.path / "b.gif", 3, 2, 25);
    abandoned.add(picture);
  }
  CHECK(folder.entries() == 1);
}

TEST_CASE("[render] film: an ffmpeg that fails is an error, and nothing is left behind") {
  const Folder folder, programs;
  pretend_ffmpeg(programs.path, "exit 3\n");
  const SearchPath path(programs.path);
  const auto make = [&] {
    FilmWriter film(folder.path / "a.gif", 640, 480, 25);
    for (int i = 0; i < 20; ++i) film.add(Bitmap(640, 480));
    film.finish();
  };
  CHECK_THROWS_WITH(make(), Catch::Contains("exit status 3"));
  CHECK(folder.entries() == 0);
}

TEST_CASE("[render] film: the real ffmpeg makes films that play, with the frames that went in") {
  if (std::system("ffmpeg -version >/dev/null 2>&1 && ffprobe -version >/dev/null 2>&1") != 0) return;  // not installed
  const Folder folder;
  constexpr int count = 10, rate = 25;
  for (const char* name : {"film.mp4", "film.gif"}) {
    const std::filesystem::path film_path = folder.path / name;
    FilmWriter film(film_path, 97, 64, rate);  // an odd width, which MP4 does not take as it is
    for (int i = 0; i < count; ++i) {
      Bitmap picture(97, 64);
      for (std::size_t p = 0; p < picture.rgb.size(); p += 3) picture.rgb[p] = static_cast<std::uint8_t>(20 * i + 20);  // redder and redder
      film.add(picture);
    }
    film.finish();
    const std::filesystem::path facts = folder.path / "facts", raw = folder.path / "raw";
    REQUIRE(std::system(("ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=codec_name,r_frame_rate,nb_read_frames -of csv=p=0 '" + film_path.string() +
                         "' > '" + facts.string() + "'")
                            .c_str()) == 0);
    std::ifstream probed(facts);
    std::string line;
    std::getline(probed, line);
    CHECK(line == (std::string(name) == "film.mp4" ? "h264,25/1,10" : "gif,25/1,10"));
    REQUIRE(std::system(("ffmpeg -v error -i '" + film_path.string() + "' -f rawvideo -pix_fmt rgb24 '" + raw.string() + "' -y").c_str()) == 0);
    std::ifstream decoded(raw, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(decoded), {}};
    REQUIRE(bytes.size() == (std::string(name) == "film.mp4" ? 98U : 97U) * 64 * 3 * count);
    const std::size_t frame = bytes.size() / count;
    for (int i = 0; i < count; ++i) {  // the first pixel of the middle row, as near as a lossy film comes
      const int red = static_cast<unsigned char>(bytes[frame * static_cast<std::size_t>(i) + frame / 2]);
      CAPTURE(name, i);
      CHECK(std::abs(red - (20 * i + 20)) <= 12);
    }
  }
}

TEST_CASE("[render] film: bad names and sizes") {
  const Folder folder;
  CHECK_THROWS_WITH(FilmWriter(folder.path / "a.avi", 8, 8, 25), Catch::Contains(".avi"));
  CHECK_THROWS_AS(FilmWriter(folder.path / "a.gif", 0, 8, 25), Error);
  CHECK_THROWS_AS(FilmWriter(folder.path / "missing" / "a.gif", 8, 8, 25), Error);
  CHECK(folder.entries() == 0);
}

TEST_CASE("[render] film: pictures beside each other, and captions") {
  Bitmap left(2, 3), right(5, 3);
  left.rgb.assign(left.rgb.size(), 10);
  right.rgb.assign(right.rgb.size(), 20);
  const Bitmap both = side_by_side(left, right);
  REQUIRE(both.width == 11);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 11; ++x) CHECK(both.rgb[3 * static_cast<std::size_t>(11 * y + x)] == (x < 2 ? 10 : x < 6 ? 255 : 20));
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

  // A mask keeps its numbers: 16 bits, big-endian, unscaled in the file (depth and colour type stand in bytes 24 and 25).
  CHECK(png_bytes(Mask(4, 4)).substr(24, 2) == std::string("\x10\0", 2));
}
