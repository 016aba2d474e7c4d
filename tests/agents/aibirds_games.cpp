/// \file  Games over TCP, played by a client written from the table of the protocol.
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <list>
#include <set>
#include <tuple>

#include "agents/aibirds/session.hpp"
#include "agents/game.hpp"
#include "core/error.hpp"
#include "sim/novelty.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"
#include "tests/agents/aibirds_client.hpp"
#include "tests/agents/samples.hpp"
#include "tests/catch.hpp"

using namespace startle;
using aibirds::Trials;

namespace {

const std::vector<PlayableLevel>& small_levels() {
  static const std::vector<PlayableLevel> levels = playable({small_level("first"), small_level("second")});
  return levels;
}

/// Trials of a plan with their results.
struct Recorded {
  TestFolder folder;
  ResultsStore store;
  Trials trials;
  explicit Recorded(const std::vector<PlayableLevel>& levels = small_levels(), const PlanOptions& plan = {})
      : store(folder.path / "results.sqlite", Manifest{{"made", "by a test"}}),
        trials(levels, plans_by_level(levels, plan), store) {}
};

/// Plays all there is, shooting from these points of release in turn.
std::string play_all(Client& client, long team, const std::vector<std::pair<int, int>>& releases,
                     char ground_truth_code) {
  client.configure(team);
  std::size_t shots = 0;
  for (int asked = 0; asked < 2000; ++asked) {
    switch (client.state()) {
      case 11:
        client.ready();
        break;
      case 3:
      case 6:
      case 7:
        client.u32("\x35");
        break;
      case 5: {
        client.ground_truth_text(ground_truth_code);
        const auto [x, y] = releases[shots++ % releases.size()];
        CHECK(client.shoot(x, y, 1500) == 1);
        break;
      }
      case 12:
        client.ground_truth_text(ground_truth_code);
        CHECK(client.report() == 1);
        break;
      case 13:
        return client.all_received;
      default:
        FAIL("unknown state");
    }
  }
  FAIL("no end");
  return "";
}

const std::vector<std::pair<int, int>> some_shots{{150, 290}, {120, 330}, {160, 400}, {100, 262}};

/// A shot to the left, which hits nothing.
constexpr int aside_x = 640, aside_y = 240;

template <typename Condition>
bool soon(const Condition& condition) {
  for (int i = 0; i < 600; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

const TrialResult& only(const std::vector<TrialResult>& results) {
  REQUIRE(results.size() == 1);
  return results.front();
}

}  // namespace

TEST_CASE("[aibirds] a recorded game, byte for byte") {
  Recorded recorded;
  Served served(recorded.trials);
  Client client(served.port);
  const std::string aside = number(aside_x) + number(aside_y) + number(0) + number(0);
  const std::vector<std::pair<std::string, std::string>> transcript{
      {"01 0000002A 01", "00 00 00"},
      {"01 0000002A 00", "01 3C 02"},  // competition: round 1, 60 minutes, 2 levels
      {"02 00000064", "01"},
      {"0C", "0B"},                                            // new trial
      {"33 00000001", "00"},                                   // not before the agent is ready
      {"44", "0000003C 00000003 00000001 00000001 01 00 00"},  // 60 minutes, 1 level and 2 birds, 1 level, 1
                                                               // attempt
      {"0C", "03"},                                            // level selection
      {"0E", "00000000"},
      {"0F", "00000001"},
      {"45", "FFFFFFFF"},  // whether it is novel is not sent
      {"48 00000001", "00000002 7B7D"},
      {"1F" + to_hex(aside), "00"},  // no level yet
      {"33 00000002", "00"},         // there is one level
      {"33 00000001", "01"},
      {"22", "01"},
      {"23", "01"},
      {"22", "01"},
      {"24", "01"},
      {"0C", "05"},  // playing
      {"0E", "00000001"},
      {"34", "01"},  // no shot has been fired: it may be loaded again
      {"42 3F400000 3E800000 00000000 00000000 00000000", "00"},  // no report is wanted
      {"1F" + to_hex(aside), "01"},
      {"0C", "0C"},                  // report the likelihood of novelty
      {"1F" + to_hex(aside), "00"},  // not before that
      {"35", "00000000"},
      {"42 7FC00000 3E800000 00000000 00000000 00000000", "00"},     // NaN
      {"42 3F800001 00000000 00000000 00000000 00000000", "00"},     // over 1
      {"42 00000000 00000000 00000000 00000000 00000001 FF", "00"},  // no UTF-8
      {"0C", "0C"},
      {"42 3F400000 3E800000 00000001 FFFFFF85 00000000 00000002 6869", "01"},
      {"0C", "05"},
      {"34", "00"},  // one try
      {"33 00000001", "00"},
      {"21 02 1F" + to_hex(aside) + "1F" + to_hex(aside), "01 00"},  // the second before the report on the
                                                                     // first
      {"43 00000003 6F6464", "01"},
      {"42 3E800000 3F400000 00000000 00000000 00000000", "01"},
      {"0C", "07"},  // lost
      {"41", "00000000"},
      {"17", "00000001 00000000"},
      {"0D", "00000000"},
      {"35", "00000000"},  // no level is left
      {"0C", "0B"},
      {"44", "0000003C 00000003 00000001 00000001 01 00 00"},
      {"0C", "03"},
  };
  for (const auto& [request, reply] : transcript) {
    const std::string wanted = from_hex(reply);
    INFO("request " << request);
    CHECK(to_hex(client.ask(from_hex(request), wanted.size())) == to_hex(wanted));
  }
  const TrialResult result = only(recorded.store.results());
  CHECK(result.agent == "team-42");
  CHECK(result.unit == "first");
  CHECK(result.world == "normal");
  CHECK(result.status == Status::ok);
  REQUIRE(result.levels.size() == 1);
  CHECK(!result.levels[0].solved);
  CHECK(result.levels[0].score == 0);
  REQUIRE(result.levels[0].shots.size() == 2);
  CHECK(result.levels[0].shots[0].novelty == 0.75);
  CHECK(result.levels[0].shots[0].description == "hi");
  CHECK(result.levels[0].shots[1].novelty == 0.25);
  CHECK(result.levels[0].shots[1].description == "odd");
  // (640, 240) is (17.5, -1) in the world, the bird rests at (-6.15, -1.7): it is pulled by (-23.65, -0.7),
  // which is longer than allowed.
  const Shot& shot = result.levels[0].shots[0].shot;
  CHECK(shot.angle == Approx(std::atan2(-0.7, -23.65)));
  CHECK(shot.stretch == 1);
  CHECK(shot.tap_time == -1);

  // A trial of which no level was loaded is there for the next who comes.
  client.close();
  REQUIRE(soon([&] {
    const TrialPlan* plan = recorded.trials.take(
        "team-42", "AIBirds TCP, ground truth with noise, limits: 120 s an answer, 3600 s a trial");
    return plan && plan->unit == "first" && plan->world == "novel";
  }));
  CHECK(recorded.store.results().size() == 1);
}

TEST_CASE(
    "[aibirds] whole evaluations: results are those of the same shots without TCP, bit for bit, also with "
    "two games at once") {
  std::vector<std::vector<TrialResult>> all;
  for (const int agents : {1, 2}) {
    Recorded recorded;
    Served served(recorded.trials);
    std::vector<std::thread> threads;
    for (int a = 1; a <= agents; ++a)
      threads.emplace_back([&, a] {
        Client client(served.port);
        play_all(client, a, some_shots, 64);
      });
    for (std::thread& thread : threads) thread.join();
    all.push_back(recorded.store.results());
    CHECK(all.back().size() == 4 * static_cast<std::size_t>(agents));
  }
  int shots = 0;
  for (TrialResult& result : all[0]) {
    CHECK(result.status == Status::ok);
    REQUIRE(result.levels.size() == 1);
    const auto& level = *std::find_if(small_levels().begin(), small_levels().end(),
                                      [&](const auto& l) { return l.name == result.unit; });
    Game game(result.world == "novel" ? level.novel : level.normal);
    for (const PlayedShot& played : result.levels[0].shots) {
      game.shoot(played.shot);
      CHECK(played.shot.tap_time == 1.5);
      ++shots;
    }
    CHECK(game.over());
    CHECK(game.solved() == result.levels[0].solved);
    CHECK(game.score() == result.levels[0].score);
    // The second run, in which another agent played beside it, has the same and that of the other.
    CHECK(std::count(all[1].begin(), all[1].end(), result) == 1);
    result.agent = "team-2";
    CHECK(std::count(all[1].begin(), all[1].end(), result) == 1);
  }
  CHECK(shots > 4);
}

TEST_CASE("[aibirds] connections of one name share its trials, and the server ends when all are finished") {
  Recorded recorded;
  aibirds::ServerOptions options;
  options.session.name = "pair";
  Served served(recorded.trials, options);
  std::vector<std::thread> threads;
  for (int a = 0; a < 2; ++a)
    threads.emplace_back([&, a] {
      Client client(served.port);
      play_all(client, a, some_shots, 62);
    });
  for (std::thread& thread : threads) thread.join();
  served.wait();
  CHECK(served.finished);
  CHECK(recorded.store.results().size() == 4);
  for (const TrialResult& result : recorded.store.results()) CHECK(result.agent == "pair");
}

TEST_CASE(
    "[aibirds] a trial of several levels: one after the other, one try each, and what is left is not "
    "solved") {
  Recorded recorded(small_levels(), {.protocol = Protocol::shift, .most_before = 1, .after = 2});
  Served served(recorded.trials);
  Client client(served.port);
  client.configure(1);
  CHECK(to_hex(client.ready()) == "0000003C000000090000000300000001010000");
  CHECK(client.load(3) == 0);
  CHECK(client.u32("\x35") == 1);
  CHECK(client.shoot(aside_x, aside_y) == 1);
  CHECK(client.report() == 1);
  CHECK(client.load(3) == 0);
  CHECK(client.load(2) == 1);  // with a bird left
  CHECK(client.u32("\x0E") == 2);
  CHECK(client.load(1) == 0);
  CHECK(client.u32("\x35") == 3);
  CHECK(client.state() == 5);
  CHECK(client.u32("\x35") == 0);  // the last one is left as well
  CHECK(client.state() == 13);
  CHECK(client.ready() == std::string(19, '\0'));
  const TrialResult result = only(recorded.store.results());
  CHECK(result.status == Status::ok);
  REQUIRE(result.levels.size() == 3);
  CHECK(result.levels[0].shots.size() == 1);
  CHECK(result.levels[1].shots.empty());
  for (const PlayedLevel& level : result.levels) CHECK(!level.solved);
}

namespace {

/// As Phy-Q's SBEnvironmentWrapper and its agents' threads play the levels 1 to `levels`: code 68 before the
/// first one, then level after level by its number, which is loaded a second time by reset(). It asks for the
/// state at most ten times before it gives a level up. Returns the levels won.
int play_as_phyq(Client& client, int levels, int pull) {
  const auto count = [&](const char* label) {
    const auto features = client.features();
    return std::count_if(features.begin(), features.end(), [&](const auto& f) {
      return f["properties"]["label"].template get<std::string>().starts_with(label);
    });
  };
  const auto report_if_asked = [&](int state) {
    if (state == 12) CHECK(client.report() == 1);
    return state;
  };
  const auto load = [&](int level) {
    CHECK(client.load(level) == 1);
    CHECK(client.byte("\x22") == 1);
    REQUIRE(client.state() == 5);
    REQUIRE(count("pig") > 0);
    return count("bird");
  };
  client.configure(28888);
  CHECK(client.byte("\x02" + number(100)) == 1);
  REQUIRE(client.state() == 11);
  client.ready();
  REQUIRE(client.state() == 3);
  CHECK(client.u32("\x45") == 0xFFFFFFFF);
  load(1);
  REQUIRE(client.state() == 5);
  client.ready();
  int won = 0;
  for (int level = 1; level <= levels; ++level) {
    auto birds = load(level);
    if (level == 1) birds = load(level);
    int state = 5;
    while (state != 6 && state != 7) {
      state = report_if_asked(client.state());
      CHECK(client.shoot(pull, 290) == 1);
      --birds;
      for (int asked = 0; (birds == 0 || count("pig") == 0) && state != 6 && state != 7; ++asked) {
        REQUIRE(asked <= 10);
        state = report_if_asked(client.state());
      }
    }
    won += state == 6;
    CHECK((client.u32("\x41") > 0) >= (state == 6));
  }
  return won;
}

}  // namespace

TEST_CASE(
    "[aibirds] one set: the client of Phy-Q, which asks for no new trial, plays ten trials to the end") {
  std::vector<StoredLevel> levels;
  for (const char* name : {"a", "b", "c", "d", "e"}) levels.push_back(small_level(name));
  Recorded recorded(playable(levels));
  aibirds::ServerOptions options;
  options.session.one_set = options.session.dev = true;
  Served served(recorded.trials, options);
  Client client(served.port);
  const int won = play_as_phyq(client, 10, 150);
  const std::vector<TrialResult> results = recorded.store.results();
  REQUIRE(results.size() == 10);
  int solved = 0;
  for (const TrialResult& result : results) {
    CHECK(result.status == Status::ok);
    REQUIRE(result.levels.size() == 1);
    CHECK(!result.levels[0].shots.empty());
    for (const PlayedShot& shot : result.levels[0].shots) CHECK(shot.novelty == 0.75);
    solved += result.levels[0].solved;
  }
  CHECK(solved == won);
  CHECK(recorded.trials.all_finished("team-28888"));
  // A level that is over cannot be had again, and stands as it was; after the last there is nothing.
  const int state = client.state();
  CHECK(client.load(10) == 0);
  CHECK(client.state() == state);
  CHECK(client.u32("\x0E") == 10);
  CHECK(client.u32("\x17") == 10);
  for (int i = 0; i < 10; ++i) client.u32();
  CHECK(client.load(11) == 0);
  CHECK(client.state() == 13);
}

TEST_CASE("[aibirds] who runs the server sees each trial that is finished, and why requests are refused") {
  Recorded recorded;
  Served served(recorded.trials);
  {
    Client client(served.port);
    client.configure(4);
    CHECK(client.load(1) == 0);  // before code 68
    client.ready();
    CHECK(client.load(2) == 0);
    for (int again = 0; again < 3; ++again) CHECK(client.shoot(aside_x, aside_y) == 0);  // no level yet
    CHECK(client.load(1) == 1);
    CHECK(client.report() == 0);
    CHECK(client.shoot(aside_x, aside_y) == 1);
    CHECK(client.shoot(aside_x, aside_y) == 0);
    CHECK(client.byte("\x42" + from_hex("40000000 3E800000 00000000 00000000 00000000")) == 0);
    CHECK(client.report() == 1);
    CHECK(client.byte("\x34") == 0);
    play_all(client, 4, some_shots, 62);
  }
  CHECK(soon([&] { return recorded.store.results().size() == 4; }));
  const std::string said = served.said();
  INFO(said);
  std::size_t from = 0;
  for (const char* line :
       {"127.0.0.1: connected", "team-4: refused request 51: no trial is under way: code 68 begins one",
        "team-4: refused request 51: level 2 is not next", "team-4: refused request 31: no level is loaded",
        "team-4: refused request 66: no report of novelty is due",
        "team-4: refused request 31: a report of novelty (code 66) is due first",
        "team-4: refused request 66: novelty: found 2", "team-4: refused request 52: a level has one try",
        "team-4: 1 of 4 trials finished\n", "team-4: 4 of 4 trials finished\n"}) {
    INFO(line);
    const std::size_t found = said.find(line, from);
    REQUIRE(found != std::string::npos);
    from = found;
  }
  const std::string shot_early = "31: no level is loaded";
  CHECK(said.find(shot_early) == said.rfind(shot_early));

  // However many there are, few are shown.
  Trials trials(small_levels(), 1);
  Served free(trials);
  {
    Client client(free.port);
    client.configure(4);
    for (int level = 10; level < 60; ++level) CHECK(client.load(level) == 0);
  }
  const std::string lines = free.said();
  CHECK_THAT(lines, Catch::Contains("refused request 51: level 10, there are 1 to 2"));
  CHECK_THAT(lines, Catch::Contains("further refused requests are not shown"));
  CHECK(lines.find("level 40") == std::string::npos);
}

TEST_CASE("[aibirds] one set: numbers, and the next level by code 53, run through trials of several levels") {
  Recorded recorded(small_levels(), {.protocol = Protocol::shift, .trials = 2, .most_before = 1, .after = 1});
  aibirds::ServerOptions options;
  options.session.one_set = true;
  Served served(recorded.trials, options);
  Client client(served.port);
  client.configure(1);
  // 2 trials of 2 levels, each loaded once and of 2 birds.
  CHECK(to_hex(client.ready()) ==
        "0000003C"
        "0000000C"
        "00000004"
        "00000001"
        "010000");
  CHECK(client.u32("\x0F") == 4);
  CHECK(client.load(2) == 0);
  CHECK(client.load(3) == 0);
  CHECK(client.u32("\x35") == 1);
  CHECK(client.load(3) == 0);  // of the next trial, before this one's last
  CHECK(client.load(2) == 1);
  CHECK(client.load(4) == 0);
  CHECK(client.u32("\x35") == 3);
  CHECK(recorded.store.results().size() == 1);
  CHECK(client.load(2) == 0);
  CHECK(client.load(3) == 1);  // once more, before the first shot
  CHECK(client.load(4) == 1);
  CHECK(client.u32("\x0E") == 4);
  CHECK(client.u32("\x35") == 0);
  CHECK(client.state() == 13);
  CHECK(recorded.store.results().size() == 2);
}

TEST_CASE("[aibirds] free play that is recorded: each attempt in which a shot was flown, in any order") {
  TestFolder folder;
  const Manifest manifest{{"made", "by a test"}};
  const auto levels = small_levels();
  const auto key = [](const TrialResult& r) {
    return std::tuple(r.unit, r.trial, r.levels.at(0).shots.size());
  };
  for (const int run : {0, 1}) {
    ResultsStore store(folder.path / "results.sqlite", manifest);
    Trials trials(levels, 1, &store);
    Served served(trials);
    Client client(served.port);
    client.configure(3);
    client.ready();
    CHECK(client.load(2) == 1);
    CHECK(client.load(1) == 1);  // nothing was flown in the second
    CHECK(client.shoot(aside_x, aside_y) == 1);
    CHECK(client.state() == 5);  // nobody asks for reports
    CHECK(client.shoot(aside_x, aside_y) == 1);
    CHECK(client.state() == 7);
    CHECK(client.byte("\x34") == 1);
    CHECK(client.shoot(150, 290) == 1);
    CHECK(client.load(2) == 1);  // left after a bird
    CHECK(client.shoot(150, 290) == 1);
    client.close();
    const std::size_t wanted = run == 0 ? 3 : 6;
    REQUIRE(soon([&] { return store.results().size() == wanted; }));
    const std::vector<TrialResult> results = store.results();
    std::vector<std::tuple<std::string, int, std::size_t>> keys;
    for (const TrialResult& result : results) {
      keys.push_back(key(result));
      CHECK(result.agent == "team-3");
      CHECK(result.world == "normal");
      CHECK(result.status == Status::ok);
      CHECK(!result.levels[0].novel);
      CHECK(result.levels[0].hash == levels[result.unit == "second"].hash);
      Game game(levels[result.unit == "second"].normal);
      for (const PlayedShot& shot : result.levels[0].shots) game.shoot(shot.shot);
      CHECK(result.levels[0].solved == game.solved());
      CHECK(result.levels[0].score == (game.over() ? game.score() : game.hidden().score));
    }
    using Keys = std::vector<std::tuple<std::string, int, std::size_t>>;
    if (run == 0) CHECK(keys == Keys{{"first", 0, 2}, {"first", 1, 1}, {"second", 0, 1}});
    if (run == 1)
      CHECK(keys == Keys{{"first", 0, 2},
                         {"first", 1, 1},
                         {"first", 2, 2},
                         {"first", 3, 1},
                         {"second", 0, 1},
                         {"second", 1, 1}});
  }
}

TEST_CASE("[aibirds] spectators see the game of the agent they name, else the last one, and change nothing") {
  Recorded recorded;
  aibirds::ServerOptions options;
  options.spectator_port = 0;
  Served served(recorded.trials, options);
  REQUIRE(served.spectator_port > 0);
  Client early(served.spectator_port);
  CHECK(early.ground_truth_text(62) == R"([{"type":"FeatureCollection","features":[]}])");  // nobody plays
  const std::string empty = R"([{"type":"FeatureCollection","features":[]}])";
  const auto configured = [&](std::uint32_t team) {
    auto client = std::make_unique<Client>(served.port);
    client->configure(team);
    client->ready();
    return client;
  };
  const auto of_1 = configured(1), of_2 = configured(2);  // one after the other: which is the last one is
                                                          // settled
  Client &first = *of_1, &undisturbed = *of_2;
  CHECK(first.load(1) == 1);
  CHECK(early.ground_truth_text(62) == empty);  // the last game is that of 2, without a level
  early.configure(1);
  const auto seen = early.features(64);
  CHECK(seen.size() == 8);
  early.send("\x0B");
  first.send("\x0B");
  CHECK(early.picture() == first.picture());
  early.send("\x3D");
  early.ground_truth_text();
  early.picture();
  // The noise that the agent sees is the same as without a spectator.
  CHECK(undisturbed.load(1) == 1);
  CHECK(first.features(62) == undisturbed.features(62));
  first.close();
  CHECK(
      // That of 2
      soon([&] { return early.features(62).size() == 8 && recorded.store.results().size() == 1; }));
  early.send("\x1F");
  early.send(number(150) + number(290) + number(0) + number(0));
  CHECK(early.is_closed());
  CHECK(undisturbed.state() == 5);
}

TEST_CASE("[aibirds] the wide screen: 24 pixels a unit, in pictures, ground truth and shots") {
  Trials trials(small_levels(), 1);
  aibirds::ServerOptions options;
  options.session.dev = true;
  options.session.screen_width = aibirds::wide_screen_width;
  Served served(trials, options);
  Client client(served.port);
  CHECK(client.load(1) == 1);
  const auto features = client.features();
  // The ground at -3.5: 240 + 24 x 2.5. The slingshot at (-6, -2.5): x from -6.485 to -5.8, y from -3.505 to
  // -1.45, about (0, -1) at (420, 240).
  CHECK(features[0]["properties"]["yindex"] == 300);
  CHECK(features[1]["geometry"]["coordinates"] ==
        nlohmann::json::parse("[[[264,300],[264,251],[281,251],[281,300]]]"));
  client.send("\x0B");
  CHECK(client.u32() == 840);
  CHECK(client.u32() == 480);
  client.receive(std::size_t{840} * 480 * 3);
  CHECK(client.shoot(150, 290) == 1);
  Game game(small_levels()[0].normal);
  const Vec2 release{(150 - 420) / 24.0, -1 - (290 - 240) / 24.0};
  game.shoot(Shot::from_drag_point(release, game.now().rest, game.now().max_stretch));
  CHECK(client.u32("\x41") == std::lround(game.hidden().score));
}

TEST_CASE("[aibirds] a shot without a pull is answered 0, and no bird is gone") {
  Trials trials(small_levels(), 1);
  for (const auto dialect : {aibirds::Dialect::phyq, aibirds::Dialect::alpha}) {
    aibirds::ServerOptions options;
    options.session.dev = true;
    options.session.dialect = dialect;
    Served served(trials, options);
    Client client(served.port);
    client.configure(1);
    CHECK(client.load(1) == 1);
    const bool alpha = dialect == aibirds::Dialect::alpha;
    const std::string focus = alpha ? number(208) + number(253) : "", times = number(0) + number(0);
    for (const long angle : {0L, 4500L, -1L}) {
      const std::string no_distance = alpha ? number(angle) + number(0) : number(0) + number(angle);
      CHECK(client.byte("\x20" + focus + no_distance + times) == 0);
      CHECK(client.byte("\x2A" + focus + no_distance + times) == 0);
    }
    if (alpha) CHECK(client.byte("\x1F" + focus + number(0) + number(0) + times) == 0);
    const auto birds = [&] {
      const auto features = client.features();
      return std::count_if(features.begin(), features.end(),
                           [](const auto& f) { return f["properties"]["label"] == "bird_red_1"; });
    };
    CHECK(birds() == 2);
    CHECK(client.byte("\x20" + focus + (alpha ? number(4500) + number(1) : number(1) + number(4500)) +
                      times) == 1);
    CHECK(birds() == 1);
  }
}

TEST_CASE("[aibirds] an agent that sends field by field is not kept waiting for acknowledgements") {
  Trials trials(small_levels(), 1);
  Served served(trials, {});
  Client client(served.port);
  client.configure(1);
  double least_ms = 1e9;  // the system holds them back for 40 ms, but not at the beginning of a connection
  for (int i = 0; i < 60; ++i) {
    const auto start = std::chrono::steady_clock::now();
    client.send("\x02");
    CHECK(client.byte(number(1)) == 1);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    if (i >= 30) least_ms = std::min(least_ms, taken.count());
  }
  CHECK(least_ms < 30);
}

TEST_CASE("[aibirds] agents that cannot report are not asked") {
  Recorded recorded;
  aibirds::ServerOptions options;
  options.session.ask_novelty = false;
  Served served(recorded.trials, options);
  Client client(served.port);
  client.configure(9);
  client.ready();
  CHECK(client.load(1) == 1);
  CHECK(client.shoot(aside_x, aside_y) == 1);
  CHECK(client.shoot(aside_x, aside_y) == 1);
  CHECK(client.state() == 7);
  const TrialResult result = only(recorded.store.results());
  REQUIRE(result.levels.at(0).shots.size() == 2);
  CHECK(result.levels[0].shots[1].novelty == 0);
  CHECK_THAT(recorded.store.agents().at("team-9"), Catch::Contains("never asked"));
}

TEST_CASE("[aibirds] ground truth: pixels by hand") {
  Trials trials(small_levels(), 1);
  aibirds::ServerOptions options;
  options.session.dev = true;
  Served served(trials, options);
  Client client(served.port);
  CHECK(client.ground_truth_text(62) == R"([{"type":"FeatureCollection","features":[]}])");
  CHECK(client.load(1) == 1);
  const auto features = client.features();
  REQUIRE(features.size() == 8);
  // 640 pixels show 35 units, about (0, -1) in the middle (320, 240): 18.2857 pixels a unit. The ground at
  // -3.5 is at 240
  // + 45.71.
  CHECK(features[0]["properties"]["label"] == "Ground");
  CHECK(features[0]["properties"]["yindex"] == 286);
  CHECK(features[0]["geometry"].empty());
  // The slingshot at (-6, -2.5): x from -6.485 to -5.8, y from -3.505 to -1.45.
  CHECK(features[1]["properties"]["label"] == "Slingshot");
  CHECK(features[1]["geometry"]["coordinates"] ==
        nlohmann::json::parse("[[[201,286],[201,248],[214,248],[214,286]]]"));
  std::vector<std::string> labels;
  for (std::size_t i = 2; i < features.size(); ++i) labels.push_back(features[i]["properties"]["label"]);
  CHECK(labels == std::vector<std::string>{"pig_basic_small_1", "bird_red_1", "bird_red_1",
                                           "wood_rect_small_1", "stone_rect_small_1", "wood_rect_medium_1"});
  for (const auto& feature : features) {
    CHECK(feature["type"] == "Feature");
    CHECK(feature["properties"]["id"].is_string());
    CHECK(feature["properties"]["colormap"].is_array());
  }
  // The beam, 1.5456 x 0.184 units about (2.5, -2.53) before it settles: about 28 x 3 pixels about (365.7,
  // 268).
  const auto beam = features[7]["geometry"]["coordinates"][0];
  REQUIRE(beam.size() == 4);
  double left = 1e9, right = -1e9;
  for (const auto& corner : beam) {
    CHECK(corner[0].is_number_integer());
    left = std::min(left, corner[0].get<double>());
    right = std::max(right, corner[0].get<double>());
    CHECK(std::abs(corner[1].get<double>() - 268) <= 3);
  }
  CHECK(std::abs(left - 351.6) <= 1.1);
  CHECK(std::abs(right - 379.8) <= 1.1);
  // The next bird is in the slingshot, at (-6.15, -1.7): pixels (207.5, 252.8); its disc of 0.17 has its
  // centre at (0.05, -0.03) from there.
  const auto bird = features[3]["geometry"]["coordinates"][0][0];
  CHECK(std::abs(bird[0].get<double>() - (207.5 + 18.2857 * 0.22)) <= 1);
  CHECK(std::abs(bird[1].get<double>() - (252.8 + 18.2857 * 0.03)) <= 1);
  // Zoomed in by 35/25.
  CHECK(client.byte("\x23") == 1);
  CHECK(client.features()[1]["geometry"]["coordinates"][0][0] ==
        nlohmann::json::parse("[154,304]"));  // 320 - 166.02, 240 + 64.13
  CHECK(client.byte("\x22") == 1);
  // After a shot there are the dots of its flight, and one bird less.
  CHECK(client.shoot(150, 290) == 1);
  const auto after = client.features();
  CHECK(after[2]["properties"]["label"] == "Trajectory");
  CHECK(after[2]["geometry"]["type"] == "MultiPoint");
  CHECK(after[2]["geometry"]["coordinates"].size() > 5);
  CHECK(std::count_if(after.begin(), after.end(),
                      [](const auto& f) { return f["properties"]["label"] == "bird_red_1"; }) == 1);
}

TEST_CASE(
    "[aibirds] ground truth: without --dev no labels, and objects are shifted by up to 2 pixels, birds are "
    "not") {
  Trials trials(small_levels(), 1);
  aibirds::ServerOptions plain, dev;
  dev.session.dev = true;
  Served served_plain(trials, plain), served_dev(trials, dev);
  Client blurred(served_plain.port), again(served_plain.port), sharp(served_dev.port);
  for (Client* client : {&blurred, &again, &sharp}) CHECK(client->load(1) == 1);
  const auto exact = sharp.features();
  double largest = 0;
  for (const char code : {62, 64, 62, 64, 62, 64, 62, 64}) {
    const auto noisy = blurred.features(code);
    CHECK(noisy == again.features(code));  // the same requests, the same noise
    REQUIRE(noisy.size() == exact.size());
    for (std::size_t i = 1; i < noisy.size(); ++i) {
      CHECK(noisy[i]["properties"]["label"] == (i == 1 ? "Slingshot" : "Object"));
      CHECK(!noisy[i]["properties"].contains("currentLife"));
      CHECK(noisy[i]["properties"]["id"] == exact[i]["properties"]["id"]);
      const auto &a = noisy[i]["geometry"]["coordinates"][0], &b = exact[i]["geometry"]["coordinates"][0];
      REQUIRE(a.size() == b.size());
      const double dx = a[0][0].get<double>() - b[0][0].get<double>(),
                   dy = a[0][1].get<double>() - b[0][1].get<double>();
      for (std::size_t k = 0; k < a.size(); ++k) {  // a whole object is shifted
        CHECK(a[k][0].get<double>() - b[k][0].get<double>() == dx);
        CHECK(a[k][1].get<double>() - b[k][1].get<double>() == dy);
      }
      const std::string label = exact[i]["properties"]["label"];
      if (i == 1 || label.starts_with("bird")) CHECK((dx == 0 && dy == 0));
      CHECK(std::hypot(dx, dy) <= 2.84);  // 2, rounded to whole pixels
      largest = std::max(largest, std::hypot(dx, dy));
    }
  }
  CHECK(largest >= 1);
  CHECK(sharp.ground_truth_text(62) == sharp.ground_truth_text(62));
  CHECK(sharp.ground_truth_text(64) != sharp.ground_truth_text(64));
}

TEST_CASE("[aibirds] ground truth of a flight: as many frames as were seen, every one or every third") {
  Trials trials(small_levels(), 1);
  aibirds::ServerOptions options;
  options.session.dev = true;
  Served served(trials, options);
  Client client(served.port);
  CHECK(client.load(1) == 1);
  const auto batch = [&](const std::string& request) {
    std::vector<std::string> frames(client.u32(request));
    for (std::string& frame : frames) frame = client.ground_truth_text();
    return frames;
  };
  const auto before = client.features();
  const auto all = batch("\x26" + number(150) + number(290) + number(0) + number(0) + number(1));
  CHECK(all.size() > 10);
  Game game(small_levels()[0].normal);
  const aibirds::Screen screen = aibirds::screen(game.now(), false);
  const Vec2 release = screen.to_world({150, 290});
  CHECK(game.shoot(Shot::from_drag_point(release, game.now().rest, game.now().max_stretch)).frames.size() ==
        all.size());
  CHECK(nlohmann::json::parse(all[0])[0]["features"].size() == before.size());  // nothing has happened at the
                                                                                // release
  const auto thirds = batch("\x46" + number(3) + number(300));
  CHECK(thirds.size() == (all.size() + 2) / 3);
  for (std::size_t i = 0; i < thirds.size(); ++i) CHECK(thirds[i] == all[3 * i]);
  CHECK(batch("\x46" + number(1) + number(4)).size() == 4);
  CHECK(batch("\x46" + number(-5) + number(-1)).size() == 1);  // as it stands
  CHECK(batch("\x26" + number(150) + number(290) + number(0) + number(0) + number(0)).size() > 10);  // each
                                                                                                     // frame
  CHECK(batch("\x26" + number(150) + number(290) + number(0) + number(0) + number(1)).empty());  // no bird is
                                                                                                 // left
}

TEST_CASE(
    "[aibirds] pictures: the level on the screen, black without one, the first one again after a shot") {
  Trials trials(small_levels(), 1);
  Served served(trials);
  Client client(served.port);
  client.send("\x0B");
  CHECK(client.picture() == std::string(640 * 480 * 3, '\0'));
  CHECK(client.load(1) == 1);
  client.send("\x0B");
  const std::string first = client.picture();
  const auto pixel = [&](int x, int y) {
    return first.substr(3 * (640 * static_cast<std::size_t>(y) + static_cast<std::size_t>(x)), 3);
  };
  // The sky is blue, above
  CHECK(static_cast<unsigned char>(pixel(5, 5)[2]) > static_cast<unsigned char>(pixel(5, 5)[0]));
  CHECK(static_cast<unsigned char>(pixel(320, 470)[0]) >
        static_cast<unsigned char>(pixel(320, 470)[2]));  // the ground brown, below
  client.send("\x3D");
  client.ground_truth_text();
  CHECK(client.picture() == first);
  CHECK(client.shoot(150, 290) == 1);
  client.send("\x0B");
  CHECK(client.picture() != first);
  client.send("\x47");
  CHECK(client.picture() == first);
}

TEST_CASE("[aibirds] free play: any level, any number of times, in the normal world") {
  Trials trials(small_levels(), 1);
  Served served(trials);
  Client client(served.port);
  client.configure(28888);
  CHECK(client.state() == 11);
  client.ready();
  CHECK(client.state() == 3);
  CHECK(client.u32("\x0F") == 2);
  CHECK(client.load(2) == 1);
  CHECK(client.load(1) == 1);
  CHECK(client.load(0) == 0);
  CHECK(client.load(3) == 0);
  CHECK(client.u32("\x0E") == 1);
  const std::string before = client.ready();  // as agents of Phy-Q do while playing
  CHECK(client.state() == 5);
  for (int round = 0; round < 2; ++round) {
    for (int bird = 0; bird < 2; ++bird) CHECK(client.shoot(aside_x, aside_y) == 1);
    CHECK(client.state() == 7);
    CHECK(client.shoot(aside_x, aside_y) == 0);
    CHECK(client.byte("\x34") == 1);
    CHECK(client.state() == 5);
  }
  CHECK(client.report() == 1);  // nobody asked, nothing is kept
  CHECK(client.u32("\x35") == 2);
  CHECK(client.u32("\x35") == 1);  // from the start again
}

TEST_CASE("[aibirds] the score of a level that is won has its unused birds") {
  StoredLevel level = small_level();
  level.birds.push_back("BirdRed");
  const std::vector<PlayableLevel> levels = playable({level});
  Trials trials(levels, 1);
  Served served(trials);
  Client client(served.port);
  CHECK(client.load(1) == 1);
  Game game(levels[0].normal);
  const aibirds::Screen screen = aibirds::screen(game.now(), false);
  bool won = false;
  for (int y = 255; y < 330 && !won; y += 3) {  // until one shot clears it
    CHECK(client.byte("\x34") == 1);
    CHECK(client.shoot(120, y) == 1);
    won = client.state() == 6;
    game = Game(levels[0].normal);
    game.shoot(Shot::from_drag_point(screen.to_world({120.0, static_cast<double>(y)}), game.now().rest,
                                     game.now().max_stretch));
    CHECK(game.solved() == won);
    CHECK(client.u32("\x41") == std::lround(game.score()));
  }
  REQUIRE(won);
  CHECK(game.score() >= 20000 + 5000);
  CHECK(client.u32("\x17") == 1);
  CHECK(client.u32() == std::lround(game.score()));
}

TEST_CASE("[aibirds] no byte that is sent names a parameter, a tier, a novelty or a level's name") {
  std::vector<std::string> words{"density", "friction", "restitution", "defence",  "gravity", "damping",
                                 "life",    "easy",     "hard",        "tier",     "novel",   "difficulty",
                                 "pid",     "profile",  "family",      "solution", "T1",      "T2",
                                 "T3",      "mass",     "alive"};
  for (const Novelty& novelty : novelty_catalogue()) words.push_back(novelty.name);
  std::vector<PlayableLevel> levels;
  for (const char* folder : {"T1/easy", "T3/hard"})
    for (PlayableLevel& level : playable(benchmark_levels(folder, 1))) levels.push_back(std::move(level));
  for (const PlayableLevel& level : levels) words.push_back(level.name);
  for (const bool dev : {false, true}) {
    Recorded recorded(levels);
    aibirds::ServerOptions options;
    options.session.dev = dev;
    Served served(recorded.trials, options);
    Client client(served.port);
    const std::string bytes = play_all(client, 1, some_shots, 62);
    CHECK(recorded.store.results().size() == 4);
    CHECK_THAT(bytes, Catch::Contains("FeatureCollection"));
    for (const std::string& word : words) {
      if (dev && word == "life") continue;
      INFO(word);
      CHECK(bytes.find(word) == std::string::npos);
    }
  }
}

TEST_CASE(
    "[aibirds] before the first shot a novel level is the same to the byte, for every novelty, and later its "
    "life is not sent") {
  const StoredLevel level = benchmark_levels("T1/easy", 1).front();
  const Scene normal = taken_at_rest(settle(make_scene(level, profile())));
  const auto seen = [&](const Scene& scene) {
    const Game game(scene);
    return aibirds::ground_truth(game.now(), nullptr, *profile(), aibirds::screen(game.now(), false),
                                 {.labels = true});
  };
  for (const Novelty& novelty : novelty_catalogue()) {
    INFO(novelty.name);
    CHECK(seen(novel_twin(normal, novelty)) == seen(normal));
  }
  Scene hurt = normal;
  for (SceneObject& object : hurt.objects) {
    object.life *= 0.5;
    object.parameters.life *= 3;
    object.novel = true;
  }
  CHECK(seen(taken_at_rest(hurt)) == seen(normal));
}

TEST_CASE("[aibirds] bad agents end their own game, with a status, and the others go on") {
  Recorded recorded;
  aibirds::ServerOptions options;
  options.session.action_s = 30;
  Served served(recorded.trials, options);
  Client good(served.port);
  good.configure(1);
  good.ready();
  CHECK(good.load(1) == 1);
  const auto begin = [&](long team) {
    auto client = std::make_unique<Client>(served.port);
    client->configure(team);
    client->ready();
    CHECK(client->load(1) == 1);
    return client;
  };
  const auto result_of = [&](const std::string& agent) {
    TrialResult found;
    CHECK(soon([&] {
      for (const TrialResult& r : recorded.store.results())
        if (r.agent == agent) found = r;
      return !found.agent.empty();
    }));
    return found;
  };
  const auto check = [&](const std::string& agent, Status status, const std::string& error) {
    const TrialResult result = result_of(agent);
    CHECK(std::string(name(result.status)) == name(status));
    CHECK_THAT(result.error, Catch::Contains(error));
    CHECK(good.state() == 5);
  };

  const auto garbage = begin(2);
  garbage->send(std::string(100000, '\xEE'));
  CHECK(garbage->is_closed());
  check("team-2", Status::protocol_error, "unknown request code 238");

  const auto oversize = begin(3);
  oversize->send("\x43" + number(-1));
  CHECK(oversize->is_closed());
  check("team-3", Status::protocol_error, "4294967295 bytes");

  const auto gone = begin(4);
  CHECK(gone->shoot(aside_x, aside_y) == 1);
  CHECK(gone->report() == 1);
  gone->close();
  check("team-4", Status::crash, "closed the connection");
  CHECK(result_of("team-4").levels.at(0).shots.size() == 1);

  const auto half = begin(5);
  half->send("\x1F\x01\x02");  // the rest of the shot never comes
  half->close();
  check("team-5", Status::crash, "closed");

  for (const char* agent : {"team-2", "team-3", "team-4", "team-5"})
    CHECK(recorded.store.agents().contains(agent));
  CHECK(good.shoot(aside_x, aside_y) == 1);
}

TEST_CASE("[aibirds] agents that never ask again, or take no reply, run out of time") {
  Recorded recorded;
  aibirds::ServerOptions options;
  options.session.action_s = 1;
  Served served(recorded.trials, options);
  Client silent(served.port), deaf(served.port);
  silent.configure(1);
  silent.ready();
  CHECK(silent.load(1) == 1);
  deaf.configure(2);
  deaf.ready();
  CHECK(deaf.load(1) == 1);
  deaf.send(std::string(200, '\x0B'));  // 200 pictures of 900 kB, of which it reads none
  CHECK(silent.is_closed());
  REQUIRE(soon([&] { return recorded.store.results().size() == 2; }));
  for (const TrialResult& result : recorded.store.results()) {
    CHECK(std::string(name(result.status)) == "timeout");
    CHECK_THAT(result.error, Catch::Contains(result.agent == "team-1" ? "sent no request" : "took no reply"));
  }
}

TEST_CASE("[aibirds] who connects and says nothing holds up nobody") {
  Recorded recorded;
  aibirds::ServerOptions options;
  options.most_games = 8;
  options.most_strangers = 16;
  Served served(recorded.trials, options);
  std::list<Client> idle;
  for (int i = 0; i < 50; ++i) idle.emplace_back(served.port);
  const auto start = std::chrono::steady_clock::now();
  Client good(served.port);
  good.configure(1);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
  good.ready();
  CHECK(good.load(1) == 1);
  for (int i = 0; i < 20; ++i) idle.emplace_back(served.port);
  CHECK(good.shoot(aside_x, aside_y) == 1);  // who has spoken stays
}

TEST_CASE("[aibirds] connections that send one byte hold up nobody, and push out nobody who is silent") {
  Recorded recorded;
  aibirds::ServerOptions options;
  options.most_games = 8;
  options.most_strangers = 16;
  options.first_request_s = 1;
  Served served(recorded.trials, options);
  Client loading(served.port);
  std::list<Client> half;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 64; ++i) {
    half.emplace_back(served.port);
    half.back().send("\x01");  // the number and the mode never come
    if (i % 16 == 15) {
      Client good(served.port);
      good.configure(i);
    }
  }
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(4));
  for (Client& client : half) CHECK(client.is_closed());
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
  loading.configure(1);
  CHECK(loading.state() == 11);
}

TEST_CASE("[aibirds] who asks when all places are taken waits for one") {
  Recorded recorded;
  aibirds::ServerOptions options;
  options.most_games = 1;
  Served served(recorded.trials, options);
  auto first = std::make_unique<Client>(served.port);
  first->configure(1);
  Client second(served.port);
  auto gone = std::make_unique<Client>(served.port);
  gone->send("\x0C");
  gone.reset();
  second.send("\x0C\x0C");  // two requests at once
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  CHECK(first->state() == 11);
  first.reset();
  CHECK(second.receive(2) == "\x0B\x0B");
}

TEST_CASE("[aibirds] the number of a team is that of the connection which gave it first") {
  const std::string seven = "\x01" + number(7) + "\x01";
  Recorded recorded;
  Served served(recorded.trials);
  auto agent = std::make_unique<Client>(served.port);
  agent->configure(7);
  agent->ready();
  CHECK(agent->load(1) == 1);
  Client stranger(served.port), other(served.port);
  stranger.send(seven);
  other.configure(8);
  other.send(seven);
  CHECK(stranger.is_closed());
  CHECK(other.is_closed());
  CHECK(agent->shoot(aside_x, aside_y) == 1);
  CHECK(agent->report() == 1);
  // Once it has left, its trial is recorded, and it may come again.
  agent.reset();
  Client again(served.port);
  again.configure(7);
  again.configure(9);
  Client next(served.port);
  next.configure(7);
  play_all(next, 7, some_shots, 62);
  CHECK(recorded.trials.all_finished("team-7"));

  // In free play nothing is recorded under a number.
  Trials trials(small_levels(), 1);
  Served free(trials);
  Client one(free.port), two(free.port);
  one.configure(7);
  two.configure(7);
  CHECK(one.load(1) == 1);
  CHECK(two.load(2) == 1);
}

TEST_CASE(
    "[aibirds] an agent that loads for 8 s before its first request plays, and silent connections do not "
    "push it out") {
  Recorded recorded;
  aibirds::ServerOptions options;
  options.most_games = 8;
  Served served(recorded.trials, options);
  Client slow(served.port);  // the longest-silent one of all
  std::list<Client> idle;
  for (int second = 0; second < 8; ++second) {
    for (int i = 0; i < 2; ++i) idle.emplace_back(served.port);
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  play_all(slow, 1, some_shots, 62);
  CHECK(recorded.trials.all_finished("team-1"));
  for (const TrialResult& result : recorded.store.results()) CHECK(result.status == Status::ok);
}

TEST_CASE("[aibirds] one address of many has its share of the places") {
  Recorded recorded;
  aibirds::ServerOptions options;
  options.host = "0.0.0.0";
  options.most_per_peer = 2;
  Served served(recorded.trials, options);
  Client first(served.port), second(served.port);
  first.configure(1);
  second.configure(2);
  Client third(served.port);
  CHECK(third.is_closed());
  first.close();
  CHECK(soon([&] {
    Client next(served.port);
    return next.answers();
  }));
  second.ready();
}

TEST_CASE("[aibirds] the time for a trial is that of all its requests") {
  Recorded recorded;
  aibirds::ServerOptions options;
  options.session.trial_s = 1;
  Served served(recorded.trials, options);
  Client client(served.port);
  client.configure(1);
  client.ready();
  CHECK(client.load(1) == 1);
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    client.state();
  }
  CHECK(client.is_closed());
  REQUIRE(soon([&] { return recorded.store.results().size() == 1; }));
  CHECK_THAT(recorded.store.results()[0].error, Catch::Contains("time for a trial"));
}

TEST_CASE("[aibirds] free play has no end: the time for a trial is for recorded ones") {
  Trials trials(small_levels(), 1);
  aibirds::ServerOptions options;
  options.session.trial_s = 0.05;
  Served served(trials, options);
  Client client(served.port);
  CHECK(client.load(1) == 1);
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    CHECK(client.state() == 5);
  }
}

TEST_CASE("[aibirds] clients that know no state over 7 start in level selection, with shots of six numbers") {
  Trials trials(small_levels(), 1);
  aibirds::ServerOptions options;
  options.session.dialect = aibirds::Dialect::alpha;
  Served served(trials, options);
  Client client(served.port);
  client.configure(1);
  CHECK(client.state() == 3);
  CHECK(client.load(1) == 1);
  const std::string tail = number(432) + number(-13) + number(0) + number(0);  // from (208, 253) to (640,
                                                                               // 240)
  CHECK(client.byte("\x1F" + number(208) + number(253) + tail) == 1);
  CHECK(client.byte("\x29" + number(208) + number(253) + tail) == 1);
  CHECK(client.state() == 7);
}

TEST_CASE("[aibirds] a server that is stopped records nothing of the games under way") {
  Recorded recorded;
  Served served(recorded.trials);
  Client client(served.port);
  client.configure(1);
  client.ready();
  CHECK(client.load(1) == 1);
  CHECK(client.shoot(aside_x, aside_y) == 1);
  served.stop();
  CHECK(!served.finished);
  CHECK(client.is_closed());
  CHECK(recorded.store.results().empty());
  CHECK(recorded.trials
            .take("team-1", "AIBirds TCP, ground truth with noise, limits: 120 s an answer, 3600 s a trial")
            ->world == "normal");
}

TEST_CASE(
    "[aibirds] a server whose results cannot be written ends with an error, and what is finished stays") {
  Recorded recorded;
  // As another program would take the place of the results away, and give it back.
  const auto execute = [&](const char* sql) {
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open((recorded.folder.path / "results.sqlite").c_str(), &database) == SQLITE_OK);
    CHECK(sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(database);
  };
  aibirds::ServerOptions options;
  options.port = 0;
  aibirds::Server server(recorded.trials, options);
  std::string error;
  std::atomic<bool> stop{false};
  struct Serving {
    std::atomic<bool>& stop;
    std::thread thread;
    void wait() {
      if (thread.joinable()) thread.join();
    }
    ~Serving() {
      stop = true;
      wait();
    }
  } serving{stop, std::thread([&] {
              try {
                server.run([&] { return !stop; });
              } catch (const Error& thrown) {
                error = thrown.what();
              }
            })};
  {
    Client client(server.port());
    client.configure(1);
    for (const bool last : {false, true}) {
      client.ready();
      CHECK(client.load(1) == 1);
      CHECK(client.shoot(aside_x, aside_y) == 1);
      CHECK(client.report() == 1);
      CHECK(client.shoot(aside_x, aside_y) == 1);
      if (last) {
        execute("ALTER TABLE trials RENAME TO away");
        client.send("\x42" + from_hex("3F400000 3E800000 00000000 00000000 00000000"));
        CHECK(client.is_closed());
      } else {
        CHECK(client.report() == 1);
        client.u32("\x35");
        CHECK(client.state() == 11);
      }
    }
  }
  serving.wait();
  execute("ALTER TABLE away RENAME TO trials");
  CHECK_THAT(error, Catch::Contains("no such table") && Catch::Contains("results.sqlite"));
  CHECK(only(recorded.store.results()).status == Status::ok);
}

TEST_CASE("[aibirds] a port in use and an address that is none of ours are refused") {
  Trials trials(small_levels(), 1);
  Served served(trials);
  aibirds::ServerOptions options;
  options.port = served.port;
  CHECK_THROWS_WITH(aibirds::Server(trials, options),
                    Catch::Contains(std::to_string(served.port)) && Catch::Contains("--port"));
  options.host = "nowhere";
  CHECK_THROWS_WITH(aibirds::Server(trials, options), Catch::Contains("nowhere"));
  options.host = "192.0.2.1";
  CHECK_THROWS_AS(aibirds::Server(trials, options), Error);
}
