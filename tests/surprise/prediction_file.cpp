#include "surprise/prediction_file.hpp"

#include <hdf5.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <set>

#include "core/error.hpp"
#include "core/random.hpp"
#include "surprise/predictor.hpp"
#include "surprise/surprise_score.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

namespace startle {
namespace {

using testing::Folder;

const ClipFormat format{.frames = 4, .pixels = 8};

Clip noise_clip(std::uint64_t seed, bool masks = true) {
  Clip clip{.frames = 4,
            .pixels = 8,
            .rgb = std::vector<std::uint8_t>(4 * 8 * 8 * 3),
            .masks = std::vector<std::uint8_t>(masks ? 4 * 8 * 8 : 0)};
  Random random(seed);
  for (std::uint8_t& value : clip.rgb) value = static_cast<std::uint8_t>(random.integer(0, 255));
  return clip;
}

/// Two groups of four clips.
std::vector<Clip> group(std::size_t i) {
  std::vector<Clip> clips;
  for (std::size_t k = 0; k < 4; ++k) clips.push_back(noise_clip(10 * i + k + 1));
  return clips;
}

template <typename T>
void put(hid_t file, const char* name, const std::vector<hsize_t>& shape, hid_t type,
         const std::vector<T>& values) {
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t array = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  REQUIRE(H5Dwrite(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  H5Dclose(array);
  H5Sclose(space);
}

/// What another program would write, with one thing changed by each test.
struct Written {
  std::vector<std::uint64_t> ids;
  std::vector<float> frames;
  std::vector<double> errors;
  std::vector<hsize_t> frames_shape, errors_shape;

  std::filesystem::path to(const Folder& folder) const {
    const auto path = folder / "predictions.h5";
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (!ids.empty()) put(file, "clip", {ids.size()}, H5T_NATIVE_UINT64, ids);
    if (!frames.empty()) put(file, "frames", frames_shape, H5T_NATIVE_FLOAT, frames);
    if (!errors.empty()) put(file, "errors", errors_shape, H5T_NATIVE_DOUBLE, errors);
    H5Fclose(file);
    return path;
  }
};

/// Frames 1 ... 3 of both clips predicted as a quarter of their value, or errors 1, 2, 3 and 4, 5, 6.
Written quarter(const std::vector<Clip>& clips, bool with_first = false) {
  Written written;
  for (const Clip& clip : clips) {
    written.ids.push_back(clip_id(clip));
    for (std::size_t i = with_first ? 0 : clip.frame_size(); i < clip.rgb.size(); ++i)
      written.frames.push_back(clip.rgb[i] / 255.0F / 4);
  }
  written.frames_shape = {clips.size(), with_first ? 4U : 3U, 8, 8, 3};
  return written;
}
Written errors_of(const std::vector<Clip>& clips) {
  Written written = quarter(clips);
  written.frames.clear();
  for (std::size_t i = 0; i < 3 * clips.size(); ++i) written.errors.push_back(static_cast<double>(i + 1));
  written.errors_shape = {clips.size(), 3};
  return written;
}

}  // namespace

TEST_CASE(
    "[surprise] clips to test: a clip set in the order of ids, the same for any number of threads, and "
    "nothing when interrupted") {
  const Folder folder;
  const DatasetInfo info{
      .format = format, .split = Split::test, .profile = "probes", .program = "test", .command = "by a test"};
  CHECK(write_clips_to_score(folder / "one.h5", info, {.count = 2, .make = group, .threads = 1}) == 8);
  int done = 0;
  CHECK(write_clips_to_score(folder / "two.h5", info,
                             {.count = 2, .make = group, .threads = 2, .progress = [&] { ++done; }}) == 8);
  CHECK(done == 2);
  const auto bytes = [&](const char* name) {
    std::ifstream file(folder / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  CHECK(bytes("one.h5") == bytes("two.h5"));
  const ClipReader reader(folder / "one.h5");
  CHECK(reader.info().count == 8);
  CHECK(reader.info().masks);
  std::set<std::uint64_t> wanted;
  for (std::size_t i = 0; i < 2; ++i)
    for (const Clip& clip : group(i)) wanted.insert(clip_id(clip));
  auto next = wanted.begin();
  for (std::size_t i = 0; i < 8; ++i, ++next) {
    CHECK(reader.origin(i).level == *next);
    CHECK(clip_id(reader.read({i})[0]) == *next);
    CHECK(reader.origin(i).family.empty());
  }
  CHECK(write_clips_to_score(folder / "none.h5", info,
                             {.count = 2, .make = group, .threads = 1, .keep_going = [] { return false; }}) ==
        0);
  CHECK_FALSE(std::filesystem::exists(folder / "none.h5"));
  CHECK_THROWS_AS(write_clips_to_score(folder / "none.h5", info,
                                       {.count = 1, .make = [](std::size_t) { return std::vector<Clip>(); }}),
                  Error);
  CHECK_THROWS_AS(write_clips_to_score(folder / "no such folder/clips.h5", info, {.count = 1, .make = group}),
                  Error);
  // Where one has no masks the file has none.
  CHECK(write_clips_to_score(folder / "bare.h5", info,
                             {.count = 1, .make = [](std::size_t) {
                                return std::vector{noise_clip(1, false), noise_clip(2)};
                              }}) == 2);
  CHECK_FALSE(ClipReader(folder / "bare.h5").info().masks);
}

TEST_CASE(
    "[surprise] predictions of other programs: frames as numbers and bytes, with the first one and without, "
    "and errors") {
  const Folder folder;
  const Clip a = noise_clip(1), b = noise_clip(2);
  for (const bool with_first : {false, true}) {
    const auto scorer = load_predictions(quarter({a, b}, with_first).to(folder), format);
    CHECK(scorer->name() == "predictions");
    const std::vector<ClipSurprise> scored = scorer->score({&b, &a, &b});
    REQUIRE(scored.size() == 3);
    for (std::size_t t = 1; t < 4; ++t) {
      // (x - x/4)^2 summed over a frame.
      double sum = 0;
      for (std::size_t i = 0; i < b.frame_size(); ++i)
        sum += std::pow(0.75 * b.frame(static_cast<int>(t))[i] / 255.0, 2);
      CHECK(scored[0].errors.error[t - 1] == Approx(sum).epsilon(1e-6));
    }
    CHECK(scored[2].errors.error == scored[0].errors.error);
    CHECK(scored[1].errors.error != scored[0].errors.error);
    CHECK(scored[1].feature.empty());
  }
  // Bytes: copying the last frame is the control, bit for bit.
  const auto path = folder / "bytes.h5";
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put<std::uint64_t>(file, "clip", {1}, H5T_NATIVE_UINT64, {clip_id(a)});
  put(file, "frames", {1, 3, 8, 8, 3}, H5T_NATIVE_UINT8,
      std::vector<std::uint8_t>(a.rgb.begin(), a.rgb.end() - static_cast<std::ptrdiff_t>(a.frame_size())));
  H5Fclose(file);
  const ClipSurprise copied = load_predictions(path, format)->score({&a})[0],
                     control = make_copy_last()->score({&a})[0];
  CHECK(copied.errors.error == control.errors.error);
  CHECK(copied.errors.change == control.errors.change);

  const auto errors = load_predictions(errors_of({a, b}).to(folder), format)->score({&b});
  CHECK(errors[0].errors.error == std::vector<double>{4, 5, 6});
  CHECK(errors[0].errors.change == std::vector<double>{0, 0, 0});
  // A little beyond [0, 1] is cut, as all models' predictions are.
  Written beyond = quarter({a});
  for (float& value : beyond.frames) value = -0.5F;
  Written zero = quarter({a});
  for (float& value : zero.frames) value = 0;
  const auto errors_of_a = [&](const Written& written) {
    return load_predictions(written.to(folder), format)->score({&a})[0].errors.error;
  };
  const std::vector<double> cut = errors_of_a(beyond);  // one after the other: HDF5 locks files that are open
  CHECK(cut == errors_of_a(zero));
}

TEST_CASE(
    "[surprise] predictions of other programs: what is wrong with a file is said before anything is tested") {
  const Folder folder;
  const Clip a = noise_clip(1), b = noise_clip(2);
  const auto refused = [&](const Written& written, const std::string& why) {
    INFO(why);
    CHECK_THROWS_WITH(load_predictions(written.to(folder), format),
                      Catch::StartsWith((folder / "predictions.h5").string() + ": ") && Catch::Contains(why));
  };
  Written wrong = quarter({a, b});
  wrong.ids.clear();
  refused(wrong, "/clip is missing");
  wrong = quarter({a, b});
  wrong.frames.clear();
  refused(wrong, "found neither /frames nor /errors");
  wrong = quarter({a, b});
  wrong.errors = {1, 2, 3, 4, 5, 6};
  wrong.errors_shape = {2, 3};
  refused(wrong, "found both /frames and /errors");
  wrong = quarter({a, b});
  wrong.frames_shape = {3, 2, 8, 8, 3};
  refused(wrong, "/frames: found shape 3 x 2 x 8 x 8 x 3, allowed is 2 x 3 x 8 x 8 x 3 or 2 x 4 x 8 x 8 x 3");
  wrong.frames_shape = {2, 3, 3, 8, 8};
  refused(wrong, "/frames: found shape");
  wrong.frames_shape = {2 * 3 * 8 * 8 * 3};
  refused(wrong, "/frames: found shape");
  wrong = errors_of({a, b});
  wrong.errors_shape = {3, 2};
  refused(wrong, "/errors: found shape 3 x 2, allowed is 2 x 3");
  wrong = quarter({a, b});
  wrong.ids[1] = wrong.ids[0];
  refused(wrong, "/clip: entries 0 and 1 have the same id");
  wrong = quarter({a, b});
  wrong.frames.back() = std::numeric_limits<float>::quiet_NaN();
  refused(wrong, "/frames: entry 1, of frame 3: found nan");
  wrong.frames.back() = 255;
  refused(wrong, "found 255, allowed are numbers of about 0 to 1");
  wrong = errors_of({a, b});
  wrong.errors[1] = -1;
  refused(wrong, "/errors: entry 0, of frame 2: found -1, allowed are finite numbers from 0");
  wrong.errors[1] = std::numeric_limits<double>::infinity();
  refused(wrong, "found inf");

  const auto with = [&](const std::function<void(hid_t)>& fill, const std::string& why) {
    const auto path = folder / "by hand.h5";
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    fill(file);
    H5Fclose(file);
    CHECK_THROWS_WITH(load_predictions(path, format), Catch::Contains(why));
  };
  with([](hid_t f) { put<double>(f, "clip", {1}, H5T_NATIVE_DOUBLE, {1}); },
       "/clip: found type float64, allowed is uint64, as level in /metadata of the clips, or int64");
  with([](hid_t f) { put<std::int32_t>(f, "clip", {1}, H5T_NATIVE_INT32, {1}); }, "/clip: found type int32");
  with(
      [](hid_t f) {
        put<std::uint64_t>(f, "clip", {1, 1}, H5T_NATIVE_UINT64, {1});
      },
      "/clip: found shape 1 x 1");
  with(
      [&](hid_t f) {
        put<std::uint64_t>(f, "clip", {1}, H5T_NATIVE_UINT64, {1});
        put<std::int32_t>(f, "frames", {1, 3, 8, 8, 3}, H5T_NATIVE_INT32,
                          std::vector<std::int32_t>(3 * 8 * 8 * 3));
      },
      "/frames: found type int32, allowed are uint8 and floating-point numbers");
  CHECK_THROWS_WITH(load_predictions(folder / "none.h5", format), Catch::Contains("does not exist"));
  CHECK_THROWS_WITH(load_predictions(folder.path, format), Catch::Contains("is a folder"));
  std::ofstream(folder / "text.h5") << std::string(100, 'x');
  CHECK_THROWS_WITH(load_predictions(folder / "text.h5", format), Catch::Contains("is no HDF5 file"));
  const auto whole = quarter({a, b}).to(folder);
  std::filesystem::resize_file(whole, std::filesystem::file_size(whole) - 1000);
  CHECK_THROWS_WITH(load_predictions(whole, format), Catch::Contains("is cut off"));

  // A clip that it does not have: of another seed, or left out.
  const auto one = load_predictions(quarter({a}).to(folder), format);
  CHECK_NOTHROW(one->score({&a}));
  CHECK_THROWS_WITH(one->score({&a, &b}), Catch::Contains("/clip: has no id " + std::to_string(clip_id(b))) &&
                                              Catch::Contains("seed"));
}

TEST_CASE("[surprise] scores of other programs: a number a clip, as a table and as an array") {
  const Folder folder;
  const Clip a = noise_clip(1), b = noise_clip(2);
  const std::string id_a = std::to_string(clip_id(a)), id_b = std::to_string(clip_id(b));
  const auto table = [&](const std::string& text) {
    const auto path = folder / "mine.csv";
    std::ofstream(path) << text;
    return path;
  };
  const auto array = [&](const std::vector<double>& values, const std::vector<hsize_t>& shape) {
    const auto path = folder / "mine.h5";
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put<std::uint64_t>(file, "clip", {2}, H5T_NATIVE_UINT64, {clip_id(a), clip_id(b)});
    if (!values.empty()) put(file, "scores", shape, H5T_NATIVE_DOUBLE, values);
    H5Fclose(file);
    return path;
  };
  // As NumPy casts ids to int64: of two one is negative as a rule.
  const auto of_signed_ids = [&] {
    const auto path = folder / "signed/mine.h5";
    std::filesystem::create_directories(path.parent_path());
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put<std::int64_t>(file, "clip", {2}, H5T_NATIVE_INT64,
                      {static_cast<std::int64_t>(clip_id(a)), static_cast<std::int64_t>(clip_id(b))});
    put<double>(file, "scores", {2}, H5T_NATIVE_DOUBLE, {-1e-3, 2.5});
    H5Fclose(file);
    return path;
  };
  CHECK((clip_id(a) >> 63) + (clip_id(b) >> 63) > 0);
  for (const auto& path : {table("clip,score\n" + id_b + ",2.5\r\n" + id_a + ",-1e-3"),
                           array({-1e-3, 2.5}, {2}), of_signed_ids()}) {
    const auto scorer = load_scores(path);
    CHECK(scorer->name() == "mine");
    const std::vector<ClipSurprise> scored = scorer->score({&b, &a});
    REQUIRE(scored.size() == 2);
    // Every clip score is that number; the log of a number below 0 is none.
    for (const ClipScore score : clip_scores()) {
      CHECK(clip_score(scored[0], score) == 2.5);
      CHECK(clip_score(scored[1], score) == -1e-3);
    }
    const Clip other = noise_clip(3);
    CHECK_THROWS_WITH(
        scorer->score({&a, &other}),
        Catch::Contains("has no id " + std::to_string(clip_id(other))) && Catch::Contains("--write-clips"));
  }
  const auto refused = [&](const std::filesystem::path& path, const std::string& why) {
    INFO(why);
    CHECK_THROWS_WITH(load_scores(path), Catch::StartsWith(path.string() + ": ") && Catch::Contains(why));
  };
  const std::string allowed = ", allowed are the id of a clip, a comma and a finite number";
  refused(table(""), "holds no score");
  refused(table("clip,score\n"), "holds no score");
  refused(table(id_a + ",1\n"),
          "line 1: found \"" + id_a + ",1\", needed are the names of the columns, clip,score");
  for (const char* wrong : {",nan", ",inf", ",", ",one", ",1,2", ", 1", ""})
    refused(table("clip,score\n" + id_b + ",1\n" + id_a + wrong + "\n"),
            "line 3: found \"" + id_a + wrong + "\"" + allowed);
  refused(table("clip,score\n1.5e19,1\n"), "line 2: found \"1.5e19,1\"" + allowed);
  refused(table("clip,score\n" + id_a + ",1\n" + id_a + ",1\n"),
          "line 3: found \"" + id_a + ",1\", but a line before has that id");
  refused(array({}, {}), "/scores is missing");
  refused(array({1, 2, 3}, {3}), "/scores: found shape 3, allowed is 2, the number of ids in /clip");
  refused(array({1, std::numeric_limits<double>::quiet_NaN()}, {2}),
          "/scores: entry 1: found nan, allowed are finite numbers");
  refused(folder / "none.csv", "does not exist");
  refused(folder.path, "is a folder");
  std::ofstream(folder / "text.h5") << std::string(100, 'x');
  refused(folder / "text.h5", "is no HDF5 file");
  std::ofstream(folder / "mine.txt") << "clip,score\n";
  refused(folder / "mine.txt", "found the ending '.txt', allowed are .csv and .h5");
  // Predictions are no scores, and the other way round.
  refused(quarter({a, b}).to(folder), "/scores is missing");
  CHECK_THROWS_WITH(load_predictions(array({1, 2}, {2}), format),
                    Catch::Contains("found neither /frames nor /errors"));
}

}  // namespace startle
