// Folders of rollouts: shards, going on, splits, the description.
#include "tests/folder.hpp"

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <set>

#include "rollouts/croissant.hpp"
#include "rollouts/shard_file.hpp"
#include "tests/catch.hpp"
#include "tests/rollouts/scenes.hpp"

using namespace startle;
using namespace startle::test;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Three levels at rest, the last one without pigs.
LevelsAtRest three_levels(const testing::Folder& folder) {
  std::vector<fs::path> files;
  for (const double x : {1.0, 2.0, 3.0}) {
    Level level = level_of({block("RectFat", Material::wood, {x, -3.28})}, {"BirdRed", "BirdYellow"});
    if (x < 3) level.objects.push_back(pig({x + 1, -3.26}));
    level.name = "level-" + std::to_string(files.size());
    files.push_back(folder / (level.name + ".json"));
    write_file(files.back(), level_to_json({level, {}}));
  }
  return levels_at_rest(files, profile(), {.threads = 1});
}

RolloutSettings settings_of(const std::vector<std::string>& agents = {"best-target", "random"}) {
  RolloutSettings settings{.program = "startle test",
                           .command = "startle rollouts",
                           .date = "2026-01-02",
                           .trials = 2,
                           .shard_size = 3};
  for (const std::string& agent : agents) settings.agents.push_back({agent, ""});
  return settings;
}

/// All files of a folder and their bytes.
std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder))
    files[entry.path().filename().string()] = bytes_of(entry.path());
  return files;
}

std::vector<RolloutLevel> levels_of(const testing::Folder& folder, const std::string& novelty = {}) {
  std::vector<LeftOutLevel> left_out;
  return rollout_levels(three_levels(folder), novelty, left_out);
}

}  // namespace

TEST_CASE("[rollouts] each level is played in its worlds by each agent, but for levels without pigs") {
  const testing::Folder folder;
  std::vector<LeftOutLevel> left_out;
  const LevelsAtRest set = three_levels(folder);
  const std::vector<RolloutLevel> normal = rollout_levels(set, "", left_out);
  REQUIRE(normal.size() == 2);
  REQUIRE(left_out.size() == 1);
  CHECK(left_out[0].reason == LeftOut::no_pigs);
  CHECK(normal[0].set == folder.path.filename().string());
  CHECK(plan_episodes(normal, settings_of()).size() == 2 * 2 * 2);

  left_out.clear();
  const std::vector<RolloutLevel> novel = rollout_levels(set, "T2", left_out);
  REQUIRE(novel.size() == 2);
  const std::vector<EpisodePlan> plans = plan_episodes(novel, settings_of());
  CHECK(plans.size() == 2 * 2 * 2 * 2);
  CHECK(std::count_if(plans.begin(), plans.end(), [](const EpisodePlan& plan) { return plan.novel; }) == 8);

  left_out.clear();
  CHECK(rollout_levels(set, "ice-friction-down", left_out).empty());
  CHECK(counted(left_out) == "no pigs 1, not touched by the novelty 2");
  left_out.clear();
  CHECK(rollout_levels(set, "stored", left_out).empty());
  left_out.clear();
  CHECK(rollout_levels(set, "own", left_out).empty());
  CHECK_THROWS_AS(rollout_levels(set, "T99", left_out), Error);
}

TEST_CASE("[rollouts] both worlds of a level begin with the same shot, and differ where the novelty acts") {
  const testing::Folder folder;
  const std::vector<RolloutLevel> levels = levels_of(folder, "T2");
  const auto play = [&](bool novel) {
    return play_episode(levels[0], {.novel = novel}, {"random", ""}, 5, {});
  };
  const RolloutTables normal = play(false), novel = play(true);
  CHECK(normal.shots[0].angle == novel.shots[0].angle);
  CHECK(normal.episodes[0].seed == novel.episodes[0].seed);
  CHECK(normal.episodes[0].novel == 0);
  CHECK(novel.episodes[0].novel == 1);
  CHECK(novel.episodes[0].novelty.text() == "T2");
  CHECK(normal.bodies[0].novel == 0);
  CHECK(novel.bodies[0].novel == 1);
}

TEST_CASE("[rollouts] what an agent played is what its shots are when they are flown again") {
  const testing::Folder folder;
  const RolloutLevel level = levels_of(folder, "T2")[0];
  for (const int every : {1, 3, 5}) {
    const RolloutRecording recording{.every = every, .width = 16, .height = 9};
    RolloutTables played = play_episode(level, {.novel = true}, {"random", ""}, 5, recording);
    REQUIRE(!played.shots.empty());
    std::vector<Shot> shots;
    for (ShotRow& shot : played.shots) {
      shots.push_back({.angle = shot.angle, .stretch = shot.stretch, .tap_time = shot.tap_time});
      shot.likelihood = 0.25;
    }
    RolloutTables again = episode_of(level.playable.novel, shots, recording);
    again.episodes = played.episodes;
    CHECK(shard_bytes(again, recording, {}) == shard_bytes(played, recording, {}));
  }
}

TEST_CASE("[rollouts] the bytes depend neither on threads nor on interruptions") {
  const testing::Folder given, one, four, broken;
  const std::vector<RolloutLevel> levels = levels_of(given, "T2");
  RolloutSettings settings = settings_of();
  settings.recording = {.every = 5, .width = 24, .height = 16, .masks = true};
  const RolloutSummary summary = make_rollouts(one.path, levels, settings, {.threads = 1});
  CHECK(summary.complete);
  REQUIRE(summary.shards.size() == 6);  // 16 episodes
  make_rollouts(four.path, levels, settings, {.threads = 4});
  const auto whole = contents(one.path);
  CHECK(whole.size() == 8);
  CHECK(contents(four.path) == whole);

  std::atomic<int> asked{0};
  for (int stop = 1;; stop += 3) {
    asked = 0;
    const RolloutSummary part = make_rollouts(broken.path, levels, settings,
                                              {.threads = 2, .keep_going = [&] { return ++asked <= stop; }});
    if (part.complete) break;
    CHECK_FALSE(fs::exists(broken / "croissant.json"));
    CHECK(Json::parse(bytes_of(broken / "rollouts.json")).at("complete") == false);
    REQUIRE(stop < 100);
  }
  CHECK(contents(broken.path) == whole);

  // A shard that is damaged is made again, the others are kept.
  std::string bytes = whole.at("rollouts-00001.h5");
  bytes[bytes.size() / 2] ^= 1;
  write_file(broken / "rollouts-00001.h5", bytes);
  CHECK(make_rollouts(broken.path, levels, settings, {}).found == 5);
  CHECK(contents(broken.path) == whole);
}

TEST_CASE("[rollouts] a folder of other settings is refused by name of what differs") {
  const testing::Folder given, folder;
  const std::vector<RolloutLevel> levels = levels_of(given);
  const RolloutSettings settings = settings_of({"best-target"});
  make_rollouts(folder.path, levels, settings, {.keep_going = [] { return false; }});
  const auto refused = [&](const auto& change, const std::string& message) {
    RolloutSettings other = settings;
    change(other);
    CHECK_THROWS_WITH(make_rollouts(folder.path, levels, other, {}), Catch::Contains(message));
  };
  refused([](RolloutSettings& s) { s.recording.every = 2; }, "another every: found 5, asked for is 2");
  refused([](RolloutSettings& s) { s.seed = 9; }, "another seed: found 1, asked for is 9");
  refused([](RolloutSettings& s) { s.agents = {{"random", ""}}; }, "another agents");
  refused([](RolloutSettings& s) { s.program = "startle other"; }, "another program");
  CHECK_THROWS_WITH(make_rollouts(folder.path, {levels[0]}, settings, {}), Catch::Contains("another levels"));
  write_file(folder / "rollouts.json", "{\"format\": \"something\"}");
  CHECK_THROWS_WITH(make_rollouts(folder.path, levels, settings, {}),
                    Catch::Contains("choose another folder"));
  write_file(folder / "rollouts.json", "[");
  CHECK_THROWS_WITH(make_rollouts(folder.path, levels, settings, {}),
                    Catch::Contains("choose another folder"));
}

TEST_CASE("[rollouts] files of others are kept, and none outside the folder is read") {
  const testing::Folder given, folder;
  const std::vector<RolloutLevel> levels = levels_of(given);
  const RolloutSettings settings = settings_of({"best-target"});
  for (const char* name : {"rollouts-00000.h5", "croissant.json"}) {
    write_file(folder / name, "mine");
    CHECK_THROWS_WITH(make_rollouts(folder.path, levels, settings, {}),
                      Catch::Contains("choose another folder"));
    CHECK(folder.entries() == 1);
    CHECK(bytes_of(folder / name) == "mine");
    fs::remove(folder / name);
  }
  make_rollouts(folder.path, levels, settings, {.keep_going = [] { return false; }});
  Json list = Json::parse(bytes_of(folder / "rollouts.json"));
  list["shards"] = {{{"file", "../outside.h5"}, {"sha256", ""}, {"bytes", 0}, {"rows", Json::object()}}};
  write_file(folder / "rollouts.json", list.dump());
  CHECK_THROWS_WITH(make_rollouts(folder.path, levels, settings, {}), Catch::Contains("../outside.h5"));
}

TEST_CASE("[rollouts] what cannot be made is an error") {
  const testing::Folder given, folder;
  const std::vector<RolloutLevel> levels = levels_of(given);
  CHECK_THROWS_WITH(make_rollouts(folder.path, {}, settings_of(), {}), Catch::Contains("no level"));
  CHECK_THROWS_WITH(make_rollouts(folder.path, levels, settings_of({"random", "random"}), {}),
                    Catch::Contains("found twice"));
  CHECK_THROWS_WITH(make_rollouts(folder.path, levels, settings_of({std::string(200, 'a')}), {}),
                    Catch::Contains("found 200 bytes, allowed are 128"));
  CHECK_THROWS_AS(make_rollouts(folder / "missing", levels, settings_of(), {}), Error);
  CHECK(folder.entries() == 0);
}

TEST_CASE("[rollouts] an agent that fails ends its episode, which says so") {
  const testing::Folder given;
  const std::vector<RolloutLevel> levels = levels_of(given);
  const RolloutTables tables = play_episode(levels[0], {}, {"gone", "exit 3"}, 1, {});
  CHECK(tables.episodes[0].status.text() == "crash");
  CHECK(tables.episodes[0].shots == 0);
  CHECK(tables.bodies.size() == levels[0].playable.normal.objects.size());
}

TEST_CASE("[rollouts] files hold every column, row for row") {
  const testing::Folder given, folder;
  const std::vector<RolloutLevel> levels = levels_of(given);
  RolloutSettings settings = settings_of({"best-target"});
  settings.trials = 1;
  settings.recording = {.every = 5, .width = 20, .height = 10, .masks = true};
  make_rollouts(folder.path, levels, settings, {});
  RolloutTables tables = play_episode(levels[0], {.level = 0}, settings.agents[0], 1, settings.recording);
  tables.append(play_episode(levels[1], {.level = 1}, settings.agents[0], 1, settings.recording));
  const fs::path file = folder / "rollouts-00000.h5";
  const auto same = [&](const std::string& name, const auto& rows, auto member, hid_t type) {
    using Value = std::decay_t<decltype(rows[0].*member)>;
    const std::vector<Value> found = column<Value>(file, name, type);
    REQUIRE(found.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) REQUIRE(found[i] == rows[i].*member);
  };
  same("/states/x", tables.states, &StateRow::x, H5T_NATIVE_FLOAT);
  same("/states/life", tables.states, &StateRow::life, H5T_NATIVE_DOUBLE);
  same("/contacts/impulse_x", tables.contacts, &ContactRow::impulse_x, H5T_NATIVE_FLOAT);
  same("/supports/upper", tables.supports, &SupportRow::upper, H5T_NATIVE_INT16);
  same("/events/kind", tables.events, &EventRow::kind, H5T_NATIVE_UINT8);
  same("/frames/first_state", tables.frames, &FrameRow::first_state, H5T_NATIVE_INT64);
  same("/shots/hash", tables.shots, &ShotRow::hash, H5T_NATIVE_UINT64);
  same("/bodies/mass", tables.bodies, &BodyRow::mass, H5T_NATIVE_DOUBLE);
  const auto pixels = column<std::uint8_t>(file, "/frames/picture", H5T_NATIVE_UINT8);
  CHECK(pixels.size() == tables.frames.size() * 20 * 10 * 3);
  CHECK(std::set<std::uint8_t>(pixels.begin(), pixels.end()).size() > 5);
  const auto mask = column<std::uint16_t>(file, "/frames/mask", H5T_NATIVE_UINT16);
  REQUIRE(mask.size() == tables.frames.size() * 20 * 10);
  CHECK(*std::min_element(mask.begin(), mask.end()) == 0);
  CHECK(*std::max_element(mask.begin(), mask.end()) < 2 + tables.bodies.size());
  CHECK(*std::max_element(mask.begin(), mask.end()) >= 2);
}

TEST_CASE("[rollouts] the description names every column, every file and its hash") {
  const testing::Folder given, folder;
  const std::vector<RolloutLevel> levels = levels_of(given);
  const RolloutSettings settings = settings_of({"best-target"});
  make_rollouts(folder.path, levels, settings, {});
  const Json json = Json::parse(bytes_of(folder / "croissant.json"));
  for (const char* key :
       {"@context", "@type", "conformsTo", "name", "description", "license", "url", "creator",
        "datePublished", "version", "citeAs", "distribution", "recordSet", "rai:dataCollection",
        "rai:dataUseCases", "rai:dataLimitations", "rai:dataBiases", "rai:personalSensitiveInformation"})
    CHECK(json.contains(key));
  CHECK(json.at("datePublished") == "2026-01-02");
  const Json list = Json::parse(bytes_of(folder / "rollouts.json"));
  CHECK(list.at("complete") == true);
  for (const Json& shard : list.at("shards")) {
    const auto file = std::find_if(json.at("distribution").begin(), json.at("distribution").end(),
                                   [&](const Json& one) { return one.at("@id") == shard.at("file"); });
    REQUIRE(file != json.at("distribution").end());
    CHECK(file->at("sha256") == shard.at("sha256"));
    CHECK(shard.at("sha256").get<std::string>().size() == 64);
    CHECK(shard.at("bytes") == fs::file_size(folder / shard.at("file").get<std::string>()));
  }
  std::size_t columns = 0, fields = 0;
  for (const TableInfo& table : rollout_tables()) columns += table.columns.size();
  std::set<std::string> ids;
  for (const Json& set : json.at("recordSet"))
    for (const Json& field : set.at("field")) {
      ++fields;
      CHECK(ids.insert(field.at("@id")).second);
      CHECK(field.at("source").at("extract").at("column") == field.at("@id"));
      CHECK(field.at("source").at("fileSet").at("@id") == "shards");
    }
  CHECK(fields == columns);
}
