/// \file  Traces and trials shown again, and videos made beside the window's work.
#include "play/recording.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/hash.hpp"
#include "levels/level_file.hpp"
#include "play/video_export.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

using namespace startle;

namespace {

namespace fs = std::filesystem;
using startle::testing::Folder;

const std::string levels = STARTLE_SOURCE "/levels";

void run(const std::string& arguments) {
  REQUIRE(std::system((STARTLE_PROGRAM " " + arguments + " >/dev/null 2>&1").c_str()) == 0);
}

nlohmann::json json_of(const fs::path& path) { return nlohmann::json::parse(read_file(path)); }

}  // namespace

TEST_CASE("[play] a trace is shown as startle simulate computed it") {
  const Folder folder;
  const fs::path file = folder.path / "trace.json";
  const std::string level = levels + "/data/platforms/platforms-1-0000.json";
  run("simulate " + level + " --shot 15 --shot 62.5,1.4,0.9 --novelty T2 --quiet --trace " + file.string());
  CHECK(is_trace_file(file));
  CHECK_FALSE(is_trace_file(level));
  CHECK_FALSE(is_trace_file(folder.path / "none"));
  CHECK_FALSE(is_sqlite_file(file));
  const Recording recording = read_trace(file);
  CHECK(recording.warning.empty());
  CHECK(recording.novelty == "T2");
  CHECK(recording.level == read_level(level));
  REQUIRE(recording.shots.size() == 2);
  const auto json = json_of(file);
  for (std::size_t i = 0; i < 2; ++i) {
    const FlownShot& shot = recording.shots[i];
    CHECK(shot.complete);
    CHECK(hexadecimal(shot.trace.hash) == json["shots"][i]["hash"].get<std::string>());
    CHECK(shot.trace.frames.size() == json["shots"][i]["frames"].size());
    CHECK(shot.scores.size() == shot.trace.frames.size());
  }
  CHECK(recording.shots[1].shot.stretch == 0.9);
}

TEST_CASE("[play] a trace of another engine is shown as recorded, and that is said") {
  const Folder folder;
  const fs::path file = folder.path / "trace.json";
  run("simulate " + levels + "/data/castles/castles-1-0001.json --shot 25 --shot 30 --quiet --trace " +
      file.string());
  auto json = json_of(file);
  json["shots"][1]["hash"] = "0123456789abcdef";
  json["shots"][1]["frames"][5]["bodies"][0][1] = 1.25;
  write_file(file, json.dump());
  CHECK(is_trace_file(file));  // in whatever order the keys are
  const Recording recording = read_trace(file);
  CHECK_THAT(recording.warning, Catch::Contains("shot 2") && Catch::Contains("0123456789abcdef"));
  REQUIRE(recording.shots.size() == 2);
  CHECK(recording.shots[1].trace.frames[5].bodies[0].pose.position.x == 1.25);
  CHECK(recording.shots[1].trace.frames.size() == json["shots"][1]["frames"].size());
  CHECK(recording.shots[1].scores.back() == json["shots"][1]["score"]);
}

TEST_CASE("[play] a damaged trace is refused with its name and the reason") {
  const Folder folder;
  const fs::path file = folder.path / "trace.json";
  run("simulate " + levels + "/data/castles/castles-1-0001.json --shot 25 --quiet --trace " + file.string());
  const auto whole = json_of(file);
  const auto refused = [&](const std::string& text, const std::string& reason) {
    write_file(file, text);
    CAPTURE(reason);
    CHECK_THROWS_WITH(read_trace(file), Catch::StartsWith(file.string()) && Catch::Contains(reason));
  };
  const auto without = [&](const std::function<void(nlohmann::json&)>& change) {
    nlohmann::json json = whole;
    change(json);
    return json.dump();
  };
  refused(whole.dump().substr(0, 1000), "parse");
  refused(without([](auto& j) { j.erase("level_data"); }), "level_data");
  refused(without([](auto& j) { j["shots"] = nlohmann::json::array(); }), "no shots");
  refused(without([](auto& j) { j["level_data"]["objects"][0]["type"] = "Elephant"; }), "Elephant");
  refused(without([](auto& j) { j["profile"] = "mars"; }), "mars");
  refused(without([](auto& j) { j["novelty"] = "T99"; }), "T99");
  refused(without([](auto& j) { j["shots"][0].erase("angle_deg"); }), "angle_deg");
  refused(without([](auto& j) { j["shots"][0]["stretch"] = 7; }), "stretch");
  // The following only matter where the hash differs, and what is recorded is shown.
  const auto other = [&](const std::function<void(nlohmann::json&)>& change) {
    return without([&](nlohmann::json& j) {
      j["shots"][0]["hash"] = "0";
      change(j["shots"][0]);
    });
  };
  refused(other([](auto& shot) { shot["frames"].erase(3); }), "frame 3");
  refused(other([](auto& shot) { shot["frames"] = nlohmann::json::array(); }), "without frames");
  refused(other([](auto& shot) { shot["events"][0]["kind"] = "sneeze"; }), "sneeze");
  refused(other([](auto& shot) { shot["frames"][2]["bodies"][0][0] = -4; }), "id -4");
}

TEST_CASE("[play] trials of a results file: listed, filtered, and flown again to what was recorded") {
  const Folder folder;
  const fs::path file = folder.path / "results.sqlite";
  run("agents run --agent pig-shooter+simulation --agent oracle --levels " + levels +
      "/benchmark/T1/easy --limit 2 --out " + file.string() + " --quiet");
  CHECK(is_sqlite_file(file));
  RecordedTrials trials(file, {levels});
  REQUIRE(trials.entries().size() == 8);  // two agents, two levels, two worlds
  std::size_t shots = 0;
  for (const TrialEntry& entry : trials.entries()) {
    const Recording recording = trials.open(entry);
    CHECK(recording.warning.empty());
    CHECK(recording.level.name == entry.name);
    CHECK(recording.novelty == (entry.world == "novel" ? "T1" : ""));
    CHECK(recording.shots.size() == entry.shots);
    CHECK(recording.remarks.size() == entry.shots);
    const GameSession session(recording.start, recording.shots);
    CHECK(session.cleared() == entry.solved);
    CHECK(session.score() == entry.score);
    shots += entry.shots;
  }
  CHECK(shots > 8);
  const auto count = [&](const TrialFilter& filter) {
    return std::count_if(trials.entries().begin(), trials.entries().end(),
                         [&](const TrialEntry& e) { return filter.passes(e); });
  };
  CHECK(count({}) == 8);
  CHECK(count({.agent = "oracle"}) == 4);
  CHECK(count({.agent = "oracle", .world = "novel"}) == 2);
  CHECK(count({.level = "t1-EASY"}) == 8);
  CHECK(count({.status = "crash"}) == 0);
  CHECK(count({.tier = "easy", .level = trials.entries()[0].name}) == 4);

  // Results that this program does not come to are shown, and described.
  AgentResults changed = read_results({file});
  changed.trials[0].levels[0].score += 10;
  const fs::path copy = folder.path / "other.sqlite";
  ResultsStore(copy, changed.manifest).add_all(changed);
  RecordedTrials others(copy, {levels});
  CHECK_THAT(others.open(others.entries()[0]).warning,
             Catch::Contains("score") && Catch::Contains("startle"));

  // Levels that are not there, or are others of the same name.
  RecordedTrials elsewhere(file, {levels + "/data"});
  CHECK_THROWS_WITH(elsewhere.open(elsewhere.entries()[0]), Catch::Contains("found no level"));
  StoredLevel level = read_level(levels + "/benchmark/T1/easy/" + trials.entries()[0].name + ".json");
  level.objects[0].position.x += 0.01;
  fs::create_directory(folder.path / "levels");
  write_level(level, folder.path / "levels" / "named-otherwise.json");
  RecordedTrials moved(file, {folder.path / "levels"});
  CHECK_THROWS_WITH(moved.open(moved.entries()[0]), Catch::Contains("is not the one that was played"));
  CHECK_THROWS_AS(RecordedTrials(file, {folder.path / "nowhere"}), Error);
}

TEST_CASE("[play] a video is made beside the window's work, and says what came of it") {
  const Folder folder;
  const std::string old = std::getenv("PATH");
  const auto message_of = [&](VideoExport& videos) {
    std::string message;
    for (int i = 0; i < 6000 && !videos.take_message(message); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK_FALSE(videos.take_message(message));
    return message;
  };
  const Scene scene = settle(make_scene(read_level(levels + "/data/castles/castles-1-0001.json"), profile()));
  const RecordedWorld world = record("", scene, {{.angle = 0.6}});
  const VideoFormat small{32, 18, 10};
  VideoExport videos;
  CHECK_THROWS_AS(videos.start(folder.path / "a.gif", {}, small), Error);

  setenv("PATH", folder.path.c_str(), 1);
  videos.start(folder.path / "a.mp4", world, small);
  CHECK_THAT(message_of(videos), Catch::Contains("apt-get install ffmpeg"));
  CHECK(fs::is_empty(folder.path));

  videos.start(folder.path / "c.gif", world, small);  // needs no program
  CHECK_THAT(message_of(videos), Catch::StartsWith("Saved ") && Catch::Contains("c.gif"));

  // One that takes what it is given: the last argument is the file to write.
  std::ofstream(folder.path / "ffmpeg") << "#!/bin/sh\nfor last; do :; done\n/bin/cat > \"$last\"\n";
  fs::permissions(folder.path / "ffmpeg", fs::perms::owner_all);
  videos.start(folder.path / "a.mp4", world, small);
  CHECK_THAT(message_of(videos), Catch::StartsWith("Saved ") && Catch::Contains("a.mp4"));
  const auto frames = fs::file_size(folder.path / "a.mp4") / (32 * 18 * 3);
  // Ten frames a second of a world of 50 steps a second, 0.4 s before and after.
  CHECK(frames >= static_cast<std::uintmax_t>(world.shots[0].trace.steps / 5 + 8));
  CHECK(frames <= static_cast<std::uintmax_t>(world.shots[0].trace.steps / 5 + 10));
  CHECK(videos.progress() == 1);

  videos.start(folder.path / "b.gif", world, small);
  videos.cancel();
  const std::string message = message_of(videos);
  setenv("PATH", old.c_str(), 1);
  CHECK(fs::exists(folder.path / "b.gif") == (message.find("Saved") == 0));
  for (const auto& entry : fs::directory_iterator(folder.path))
    CHECK_THAT(entry.path().string(), !Catch::Contains(".part"));
}

TEST_CASE("[play] files that are saved get names that are free, and safe") {
  const Folder folder;
  CHECK(free_name(folder.path, "castles-1", ".png") == folder.path / "castles-1-1.png");
  write_file(folder.path / "castles-1-1.png", "x");
  CHECK(free_name(folder.path, "castles-1", ".png") == folder.path / "castles-1-2.png");
  CHECK(free_name(folder.path, "../a b/c", ".gif").parent_path() == folder.path);
  CHECK(free_name(folder.path, "", ".gif") == folder.path / "level-1.gif");
}
