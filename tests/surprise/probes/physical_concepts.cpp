#include "surprise/probes/physical_concepts.hpp"

#include <filesystem>

#include "core/error.hpp"
#include "core/files.hpp"
#include "surprise/probes/probe_evaluation.hpp"
#include "surprise/probes/scene_sets.hpp"
#include "surprise/probes/tfrecord.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

namespace startle {
namespace {

namespace fs = std::filesystem;
using testing::Folder;

/// Written by make_physical_concepts_fixture.py, which says what every byte is.
const fs::path fixture = fs::path(STARTLE_TEST_FOLDER) / "fixtures/physical_concepts";

/// The records of a compressed file as an uncompressed one.
std::string records(const fs::path& path) {
  TfRecordReader reader(path);
  std::string bytes;
  const auto put = [&](std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i));
  };
  const auto masked = [](std::string_view text) {
    const std::uint32_t crc = crc32c(text);
    return (crc >> 15 | crc << 17) + 0xA282EAD8U;
  };
  while (const auto record = reader.next()) {
    const std::size_t head = bytes.size();
    put(record->size(), 8);
    put(masked(bytes.substr(head, 8)), 4);
    bytes += *record;
    put(masked(*record), 4);
  }
  return bytes;
}

}  // namespace

TEST_CASE("[probes] TFRecord: check sums are those of the standard") {
  CHECK(crc32c("123456789") == 0xE3069283U);            // check value of CRC-32C
  CHECK(crc32c(std::string(32, '\0')) == 0x8A9136AAU);  // RFC 3720, B.4
  CHECK(crc32c(std::string(32, '\xff')) == 0x62A8AB43U);
  CHECK(crc32c("") == 0);
}

TEST_CASE("[probes] TFRecord: damaged files are refused with the number of the record") {
  const Folder folder;
  const std::string good = records(fixture / "probes/continuity/data.tfrecord-00000-of-00002");
  const fs::path file = folder.path / "file";
  const auto read_all = [&](const std::string& bytes) {
    write_file(file, bytes);
    TfRecordReader reader(file);
    int count = 0;
    while (reader.next()) ++count;
    return count;
  };
  CHECK(read_all(good) == 2);
  CHECK(read_all("") == 0);
  std::string bad = good;
  bad[good.size() - 100] ^= 1;
  CHECK_THROWS_WITH(read_all(bad), Catch::Contains("record 2") && Catch::Contains("check sum"));
  bad = good;
  bad[3] ^= 1;
  CHECK_THROWS_WITH(read_all(bad), Catch::Contains("record 1") && Catch::Contains("no TFRecord"));
  CHECK_THROWS_WITH(read_all(good.substr(0, good.size() - 2)),
                    Catch::Contains("record 2") && Catch::Contains("cut off"));
  CHECK_THROWS_WITH(read_all(good.substr(0, 5)), Catch::Contains("record 1") && Catch::Contains("cut off"));
  const std::string compressed = read_file(fixture / "probes/continuity/data.tfrecord-00000-of-00002");
  CHECK_THROWS_AS(read_all(compressed.substr(0, compressed.size() / 2)), Error);
  CHECK_THROWS_WITH(TfRecordReader(folder.path / "none"), Catch::Contains("none"));
}

TEST_CASE(
    "[probes] TFRecord: examples hold bytes, packed and single numbers, other fields are skipped, other "
    "bytes refused") {
  using namespace std::string_literals;
  // Example { features { feature { key "a" value { bytes_list { value "xy" value "z" } } } ... } }, by hand:
  // field number * 8 + 2, length, content.
  const std::string a =
      "\x0a\x01"
      "a\x12\x09\x0a\x07\x0a\x02xy\x0a\x01z"s;
  const std::string f =
      "\x0a\x01"
      "f\x12\x0c\x12\x0a\x0a\x08\x00\x00\x80\x3f\x00\x00\x00\xc0"s;  // packed floats 1, -2
  const std::string g =
      "\x0a\x01"
      "g\x12\x07\x12\x05\x0d\x00\x00\x00\x3f"s;  // one float 0.5, wire type 5
  const std::string i =
      "\x0a\x01"
      "i\x12\x06\x1a\x04\x0a\x02\xac\x02"s;  // packed integer 300
  std::string features = "\x10\x07"s;        // an unknown number, field 2
  for (const std::string& entry : {a, f, g, i}) features += "\x0a"s + static_cast<char>(entry.size()) + entry;
  const std::string example = "\x0a"s + static_cast<char>(features.size()) + features;
  const auto parsed = parse_example(example, "test");
  CHECK(parsed.size() == 4);
  CHECK(parsed.at("a").bytes == std::vector<std::string>{"xy", "z"});
  CHECK(parsed.at("f").floats == std::vector<float>{1, -2});
  CHECK(parsed.at("g").floats == std::vector<float>{0.5F});
  CHECK(parsed.at("i").integers == std::vector<std::int64_t>{300});
  CHECK(parse_example("", "test").empty());
  CHECK_THROWS_WITH(parse_example(example.substr(0, example.size() - 1), "test"),
                    Catch::StartsWith("test: "));
  for (const char bytes : {1, 2, 3, 5}) {  // of a packed list of floats, after the lengths of what holds it
    const auto holding = [](char key, const std::string& content) {
      return key + (static_cast<char>(content.size()) + content);
    };
    const std::string floats = holding('\x12',
                                       holding('\x0a', std::string(static_cast<std::size_t>(bytes), 'x')));
    const std::string message = holding('\x0a', holding('\x0a',
                                                        "\x0a\x01"
                                                        "f" +
                                                            holding('\x12', floats)));
    CHECK_THROWS_WITH(parse_example(message, "test"),
                      Catch::Contains("packed list of floats of " + std::to_string(bytes) + " bytes"));
  }
  CHECK_THROWS_WITH(parse_example("\x0f", "test"), Catch::Contains("wire type 7"));
  CHECK_THROWS_AS(parse_example(std::string(11, '\xff'), "test"), Error);
}

TEST_CASE("[probes] Physical Concepts: tuples of every file in order, as their writer says") {
  PhysicalConcepts data(fixture);
  std::uint64_t count = 0;
  while (const auto tuple = data.next(ProbeConcept::continuity)) {
    CHECK(tuple->number == count);
    for (std::size_t k = 0; k < 4; ++k) {
      const Clip& clip = k < 2 ? tuple->possible[k] : tuple->impossible[k - 2];
      REQUIRE(clip.rgb.size() == 15U * 64 * 64 * 3);
      for (const int t : {0, 7, 14}) {
        const std::size_t inside = static_cast<std::size_t>(t * 64 * 64 + static_cast<int>(8 * (k + 1)) * 64 +
                                                            4 * t);
        CHECK(clip.rgb[3 * inside] == 200);
        CHECK(clip.rgb[3 * inside + 1] == 50 + k);
        CHECK(clip.rgb[3 * inside + 2] == t);
        CHECK(clip.masks[inside] == 3 + k);
        CHECK(clip.rgb[3 * (inside - 64)] == 10 + count);
        CHECK(clip.masks[inside - 64] == 0);
      }
    }
    ++count;
  }
  CHECK(count == 3);
  CHECK(data.next(ProbeConcept::solidity));
  CHECK_FALSE(data.next(ProbeConcept::solidity));
  CHECK_FALSE(data.next(ProbeConcept::unchangeableness));

  PhysicalConcepts again(fixture / "probes");  // the folder of the concepts itself
  const auto copy_last = make_copy_last();
  const ProbeRun run = run_probes(
      {copy_last.get()},
      {.tuples = 5, .threads = 1, .source = [&](ProbeConcept kind) { return again.next(kind); }});
  CHECK(run.tuples.size() == 4);
  const ProbeTables tables = probe_tables(run, {.threads = 1});
  CHECK(tables.row(ProbeConcept::continuity, 0, ClipScore::sum).metrics.twins == 3);
  CHECK_FALSE(tables.row(ProbeConcept::unchangeableness, 0, ClipScore::sum).metrics.paired_accuracy.value);

  const Folder folder;
  CHECK_THROWS_WITH(PhysicalConcepts(folder.path), Catch::Contains("data.tfrecord"));
}

TEST_CASE("[probes] Physical Concepts: freeform videos become clip sets, in the order of the files") {
  const Folder folder;
  DatasetInfo settings{.format = probe_format(),
                       .count = 3,
                       .profile = "physical-concepts",
                       .masks = true,
                       .program = "test",
                       .command = "test"};
  const auto make = [&](const char* file) {
    const SceneSet videos = published_scene_set(fixture, settings.split);
    return make_dataset(folder.path / file, settings, {.scenes = &videos, .threads = 1});
  };
  REQUIRE(make("train.h5"));
  const ClipReader reader(folder.path / "train.h5");
  for (std::size_t n = 0; n < 3; ++n) {
    const Clip clip = reader.read({n}, true)[0];
    const std::size_t inside = 7 * 64 * 64 + 8 * 64 + 4 * 7;  // of frame 7, the square's first pixel
    CHECK(clip.rgb[3 * inside] == 200);
    CHECK(clip.rgb[3 * inside + 2] == 7);
    CHECK(clip.masks[inside] == 3);
    CHECK(clip.rgb[3 * (inside - 64)] == 10 + n);
    CHECK(clip.masks[inside - 64] == 0);
  }
  // As after an interruption: the first videos are passed over.
  CHECK(PhysicalConceptsVideos(fixture / "freeform", Split::train).clip(2).rgb == reader.read({2})[0].rgb);

  settings.count = 4;
  CHECK_THROWS_WITH(make("long.h5"), Catch::Contains("found 3 videos"));
  settings.split = Split::validation;
  CHECK_THROWS_WITH(make("validation.h5"), Catch::Contains("freeform/validation"));
}

}  // namespace startle
