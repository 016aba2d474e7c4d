/// \file  What crosses the border between the world and an agent.
#include "agents/game.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "agents/detectors.hpp"
#include "agents/normal_world.hpp"
#include "agents/programs/messages.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "sim/novelty.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"
#include "statistics/kolmogorov_smirnov.hpp"
#include "tests/agents/samples.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// All messages of a level played with these shots.
std::string transcript(const Scene& start, const std::vector<double>& angles_deg) {
  Game game(start);
  std::string text = begin_message({.seed = 5, .levels = 1}) + "\n" + act_message(game.now()) + "\n";
  for (double angle : angles_deg) {
    if (game.over()) break;
    text += report_message(game.shoot({.angle = radians(angle)})) + "\n" + act_message(game.now()) + "\n";
  }
  return text + end_message();
}

/// Every number and every word that an agent in C++ can reach. Structures are taken apart member by member:
/// one that gets another member does not compile here before somebody has looked at it.
struct GameReached {
  std::vector<double> numbers;
  std::string words;

  void add(Vec2 v) { numbers.insert(numbers.end(), {v.x, v.y}); }
  void add(const Pose& pose) {
    add(pose.position);
    numbers.push_back(pose.angle);
  }
  void add(const Shape& shape) {
    const auto& [parts, discs, outlines, area, centroid] = shape;
    for (const auto* polygons : {&parts, &outlines})
      for (const Polygon& polygon : *polygons)
        for (Vec2 v : polygon) add(v);
    for (const Disc& disc : discs) {
      add(disc.centre);
      numbers.push_back(disc.radius);
    }
    numbers.push_back(area);
    add(centroid);
  }
  void add(const Observation& o) {
    const auto& [level, shot, birds, score, slingshot, rest, max_stretch, ground_y, half_width, launch_speed,
                 flight_gravity, objects] = o;
    numbers.insert(numbers.end(), {double(level), double(shot), score, max_stretch, ground_y, half_width,
                                   launch_speed, flight_gravity});
    add(slingshot);
    add(rest);
    for (const std::string& bird : birds) words += bird + "\n";
    for (const SeenObject& object : objects) {
      const auto& [id, kind, type, material, pose, shape] = object;
      numbers.insert(numbers.end(),
                     {double(id), double(static_cast<int>(kind)), double(static_cast<int>(material))});
      words += type + "\n";
      add(pose);
      add(*shape);
    }
  }
  void add(const SeenShot& seen) {
    const auto& [shot, bird, before, after, first_bird, frames] = seen;
    const auto& [angle, stretch, tap_time] = shot;
    numbers.insert(numbers.end(), {angle, stretch, tap_time, double(first_bird)});
    words += bird + "\n";
    add(before);
    add(after);
    for (const SeenFrame& frame : frames) {
      const auto& [time, bodies] = frame;
      numbers.push_back(time);
      for (const SeenBody& body : bodies) {
        const auto& [id, pose] = body;
        numbers.push_back(id);
        add(pose);
      }
    }
  }
};

/// Words that no message may hold: names of parameters and of novelties, tiers, and everything that says that
/// there is a novelty.
std::vector<std::string> hidden_words() {
  std::vector<std::string> words{"density", "friction", "restitution", "defence",  "gravity_scale",
                                 "damping", "\"life",   "easy",        "medium\"", "hard",
                                 "tier",    "novel",    "difficulty",  "pid",      "bid\"",
                                 "profile", "family",   "solution",    "T1",       "T2",
                                 "T3",      "mass",     "rest_mark",   "alive"};
  for (const Novelty& novelty : novelty_catalogue()) words.push_back(novelty.name);
  return words;
}

}  // namespace

TEST_CASE("[agents] no byte of any message names a parameter, a tier, a novelty or a level's name") {
  for (const char* folder : {"T1/easy", "T3/hard", "wood-density-up/medium"}) {
    for (const PlayableLevel& level : playable(benchmark_levels(folder, 2))) {
      for (const Scene* scene : {&level.normal, &level.novel}) {
        const std::string text = transcript(*scene, {15, 40, 65});
        for (const std::string& word : hidden_words()) {
          INFO(level.name << ": " << word);
          CHECK(text.find(word) == std::string::npos);
        }
        CHECK(text.find(level.name) == std::string::npos);
      }
    }
  }
}

TEST_CASE("[agents] no number of a hidden parameter stands in any message") {
  // Every parameter of every object, and its life, gets digits that nothing else has.
  Scene scene = playable({small_level()}).front().normal;
  int number = 0;
  std::vector<std::string> hidden;
  const auto mark = [&](double& value, const std::string& before) {
    const std::string digits = "7391" + std::to_string(100 + ++number);
    value = std::stod(before + digits);
    hidden.push_back(digits);
  };
  for (SceneObject& object : scene.objects) {
    Parameters& p = object.parameters;
    mark(p.density, "1.");
    mark(p.friction, "0.");
    mark(p.restitution, "0.0");
    mark(p.life, "10.");
    mark(p.defence, "0.0");
    mark(p.gravity_scale, "1.");
    mark(p.linear_damping, "0.0");
    mark(p.angular_damping, "0.0");
    mark(object.life, "10.");
  }
  const std::string text = transcript(taken_at_rest(scene), {10, 20});
  REQUIRE(hidden.size() == 36);
  // The same of what crosses the border within C++, number by number.
  Game game(taken_at_rest(scene));
  GameReached reached;
  reached.add(game.now());
  for (const double angle : {70, 10})
    if (!game.over()) reached.add(game.shoot({.angle = radians(angle)}));
  CHECK(reached.numbers.size() > 1000);
  std::vector<double> values;
  for (const SceneObject& object : scene.objects) {
    const Parameters& p = object.parameters;
    values.insert(values.end(), {p.density, p.friction, p.restitution, p.life, p.defence, p.gravity_scale,
                                 p.linear_damping, p.angular_damping, object.life});
  }
  REQUIRE(values.size() == hidden.size());
  for (const double value : values) {
    INFO(value);
    CHECK(std::find(reached.numbers.begin(), reached.numbers.end(), value) == reached.numbers.end());
  }
  for (const std::string& word : hidden_words()) {
    INFO(word);
    CHECK(reached.words.find(word) == std::string::npos);
  }
  CHECK(text.size() > 5000);
  for (const std::string& digits : hidden) {
    INFO(digits);
    CHECK(text.find(digits) == std::string::npos);
  }
}

TEST_CASE("[agents] before the first shot a novel level looks like the normal one in pictures, too") {
  const PlayableLevel level = playable(benchmark_levels("T3/hard", 1)).front();
  for (const Novelty& novelty : novelty_catalogue()) {
    INFO(novelty.name);
    CHECK(Game(novel_twin(level.normal, novelty)).picture(160, 90).rgb ==
          Game(level.normal).picture(160, 90).rgb);
  }
}

TEST_CASE(
    "[agents] before the first shot a novel level looks like the normal one, for every novelty of the "
    "catalogue") {
  const Level level = benchmark_levels("T1/easy", 1).front();
  const Scene normal = settle(make_scene(level, profile()));
  for (const Novelty& novelty : novelty_catalogue()) {
    INFO(novelty.name);
    CHECK(act_message(Game(novel_twin(normal, novelty)).now()) == act_message(Game(normal).now()));
  }
}

TEST_CASE("[agents] what the hidden fields of a scene say changes no message") {
  const PlayableLevel level = playable({small_level()}).front();
  Scene marked = level.normal;
  for (SceneObject& object : marked.objects) object.novel = true;  // says so, and behaves as ever
  CHECK(transcript(taken_at_rest(marked), {10, 20}) == transcript(level.normal, {10, 20}));
}

TEST_CASE(
    "[agents] a normal world happens as imagined, bit for bit, shot after shot, and a novel one does not") {
  int levels = 0, novel_seen = 0;
  for (const char* folder : {"T1/easy", "T2/easy", "T3/medium"}) {
    for (const PlayableLevel& level : playable(benchmark_levels(folder, 2))) {
      Random random(stream_seed(3, level.name));
      for (const bool novel : {false, true}) {
        Game game(novel ? level.novel : level.normal);
        NormalWorld world(profile());
        double worst = 0;
        while (!game.over()) {
          const SeenShot& seen = game.shoot(
              {.angle = radians(random.uniform(5, 70)), .tap_time = random.uniform(0.5, 2)});
          worst = std::max(worst, simulation_error(seen, world.follow(seen)));
        }
        INFO(level.name);
        if (novel)
          novel_seen += worst > 0;
        else
          CHECK(worst == 0);
        ++levels;
      }
    }
  }
  CHECK(levels == 12);
  CHECK(novel_seen > 2);
}

TEST_CASE("[agents] shots out of range are refused and change nothing") {
  Game game(playable({small_level()}).front().normal);
  const std::string before = act_message(game.now());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Shot& shot : {Shot{.angle = nan}, Shot{.angle = 101}, Shot{.stretch = 0}, Shot{.stretch = 1.01},
                           Shot{.stretch = nan}, Shot{.tap_time = nan},
                           Shot{.tap_time = std::numeric_limits<double>::infinity()}}) {
    CHECK_THROWS_AS(game.shoot(shot), AgentFailure);
    CHECK(act_message(game.now()) == before);
  }
  while (!game.over()) game.shoot({.angle = radians(80)});
  CHECK_THROWS_AS(game.shoot({}), Error);
}

TEST_CASE("[agents] what is recorded of a game is the shot itself, and changes nothing that an agent sees") {
  const Scene start = playable({small_level()}).front().normal;
  const Shot shot{.angle = radians(20)};
  Game plain(start);
  const std::string seen = report_message(plain.shoot(shot));
  for (const int every : {1, 3, 5, 7}) {
    const WorldOptions recording{.record_every = every, .record_events = true, .record_motion = true};
    Game game(start, 1, recording);
    CHECK(report_message(game.shoot(shot)) == seen);
    CHECK(game.picture_of_frame(4, 64, 36).rgb == plain.picture_of_frame(4, 64, 36).rgb);
    const Trace direct = run_shot(game.hidden_before(), shot, recording).trace;
    CHECK(game.hidden_trace().hash == direct.hash);
    REQUIRE(game.hidden_trace().frames.size() == direct.frames.size());
    CHECK(game.hidden_trace().frames.back().step == direct.frames.back().step);
    CHECK(game.hidden_trace().masses.size() == direct.masses.size());
  }
}

TEST_CASE("[agents] errors of prediction, by hand") {
  // One object, three frames on end averaged. It should stay at x = 0 and stands at 0, 3, 6, 0: averages 0,
  // 1, 3, 3.
  SeenShot seen{.first_bird = 1};
  seen.before.objects.push_back({.id = 0});
  std::vector<SeenFrame> expected;
  for (double x : {0.0, 3.0, 6.0, 0.0}) {
    seen.frames.push_back(
        {0.1 * static_cast<double>(seen.frames.size()), {{0, {{x, 0}, 0}}, {1, {{100 * x, 0}, 0}}}});
    expected.push_back({seen.frames.back().time, {{0, {{0, 0}, 0}}}});
  }
  CHECK(simulation_error(seen, expected) == Approx(3));
  // Against constant velocity: frame 2 should stand at 6, which it does; frame 3 at 9, and stands at 0:
  // averages 0, 9/3.
  CHECK(constant_velocity_error(seen) == Approx(3));
  // It should have gone after the second frame: 3, 1, 1 are added up over frames 1 to 3 (frame 3 counts as
  // frame 2 once gone).
  for (std::size_t f : {2u, 3u}) expected[f].bodies.clear();
  CHECK(simulation_error(seen, expected) == Approx((3 + 1 + 1) / 3.0));
  CHECK(simulation_error(seen, {}) == 0);
}

TEST_CASE("[agents] observer: what an agent saw is the trace, as far as places go") {
  for (const PlayableLevel& level : playable(benchmark_levels("T2/easy", 2))) {
    Game game(level.novel);
    NormalWorld world(profile());
    while (!game.over()) {
      const Scene hidden = game.hidden();
      const SeenShot& seen = game.shoot({.angle = radians(25)});
      const Scene before = world.imagine(seen.before);
      world.follow(seen);
      const Trace trace = trace_of(seen, before),
                  truth =
                      run_shot(hidden, {.angle = radians(25)}, {.record_every = trace.record_every}).trace;
      INFO(level.name);
      REQUIRE(trace.frames.size() == truth.frames.size());
      // Ids of the agent skip the dead, whose numbers nothing else has.
      std::vector<BodyId> alive;
      for (std::size_t i = 0; i < hidden.objects.size(); ++i)
        if (hidden.objects[i].alive) alive.push_back(static_cast<BodyId>(i));
      REQUIRE(alive.size() == before.objects.size());
      for (std::size_t f = 0; f < truth.frames.size(); ++f) {
        CHECK(trace.frames[f].step == truth.frames[f].step);
        std::vector<BodyState> moving = truth.frames[f].bodies;
        std::erase_if(moving, [&](const BodyState& body) {  // what stands still for good is in no frame
          const auto i = static_cast<std::size_t>(body.id);
          return i < hidden.objects.size() && hidden.objects[i].is_static();
        });
        REQUIRE(trace.frames[f].bodies.size() == moving.size());
        for (std::size_t b = 0; b < moving.size(); ++b) {
          const BodyState &mine = trace.frames[f].bodies[b], &real = moving[b];
          CHECK(mine.pose.position == real.pose.position);
          const auto id = static_cast<std::size_t>(mine.id);
          const BodyId number = id < alive.size()
                                    ? alive[id]
                                    : static_cast<BodyId>(hidden.objects.size() + id - alive.size());
          CHECK(number == real.id);
        }
      }
    }
  }
}

TEST_CASE("[agents] observer: in the normal world the detector's p-values are uniform") {
  // A column close to the slingshot: the flight up to it says little of the launch, so that other launches
  // differ as much as the aim noise.
  Level level{.name = "column", .width = 2, .slingshot = {-6, -2.5}, .birds = {"BirdRed"}};
  for (const double y : {-3.31, -2.93, -2.55})
    level.objects.push_back({Kind::block, "SquareSmall", Material::wood, {-4, y}, 0});
  level.objects.push_back({Kind::pig, "BasicSmall", Material::none, {9, -3.2}, 0});
  const Scene start = settle(make_scene(level, profile()));
  const auto detector = std::find_if(detectors().begin(), detectors().end(),
                                     [](const DetectorInfo& info) { return info.name == "observer"; });
  constexpr int shots = 150;
  Random aim(11), alarm(12);
  std::vector<double> p;
  for (int i = 0; i < shots; ++i) {
    Game game(start);
    NormalWorld world(profile());
    const SeenShot& seen = game.shoot({.angle = aim.uniform(-0.15, 0.05)});
    Expectation expected{.before = world.imagine(seen.before), .frames = {}};
    // The trial is this shot: one level with one bird.
    p.push_back(p_of_likelihood(detector->make()->likelihood(seen, expected, game, alarm)));
  }
  const KolmogorovSmirnov uniform = ks_one_sample(p, [](double x) { return std::clamp(x, 0.0, 1.0); });
  INFO("D " << uniform.statistic << ", p " << uniform.p);
  CHECK(uniform.p > 0.01);
}

TEST_CASE("[agents] observer: p-values of trials are calibrated in normal worlds, and small in novel ones") {
  std::vector<double> normal, novel;
  for (const PlayableLevel& level : playable(benchmark_levels("T2/easy", 8)))
    for (const TrialPlan& plan : plan_trials({level}, {})) {
      const TrialResult r = run_trial({.name = "best-target+observer", .command = {}}, plan, {level}, {});
      INFO(r.error);
      REQUIRE(r.status == Status::ok);
      double smallest = 1;
      for (const PlayedShot& shot : r.levels.at(0).shots) {
        const double p = p_of_likelihood(shot.novelty);
        REQUIRE(p > 0);
        REQUIRE(p <= smallest + 1e-9);  // what was seen of a level stays seen
        smallest = p;
      }
      (plan.world == "novel" ? novel : normal).push_back(smallest);
    }
  // Uniform or larger in normal worlds: at most q of them are up to q, give or take two standard deviations.
  const auto share = [](const std::vector<double>& of, double q) {
    return static_cast<double>(std::count_if(of.begin(), of.end(), [&](double p) { return p <= q + 1e-9; })) /
           static_cast<double>(of.size());
  };
  const auto spread = [](double q, std::size_t n) {
    return 2 * std::sqrt(q * (1 - q) / static_cast<double>(n));
  };
  REQUIRE(normal.size() == 8);
  for (const double q : {0.05, 0.1, 0.25, 0.5}) {
    CAPTURE(q, share(normal, q), share(novel, q));
    CHECK(share(normal, q) <= q + spread(q, normal.size()));
    CHECK(share(novel, q) >= share(normal, q));
  }
  CHECK(share(novel, 0.05) > 0.4);
}

TEST_CASE("[agents] trial test: levels are added up, and a level's p-value is the smallest so far") {
  class Said : public TrialTest {
   public:
    explicit Said(std::vector<double> p) : p_(std::move(p)) {}
    std::vector<std::size_t> birds;

   private:
    void begin_level(std::size_t shots) override { birds.push_back(shots); }
    double level_p(const SeenShot&, const Expectation&, const ObservationSource&, Random&) override {
      return p_.at(next_++);
    }
    std::vector<double> p_;
    std::size_t next_ = 0;
  };
  Said detector({0.04, 0.5, 0.03, 0.2});
  detector.begin({.seed = 1, .levels = 3});
  Random random(1);
  const Game game(settle(make_scene(small_level(), profile())));
  std::vector<double> found;
  for (const auto& [level, birds] : {std::pair{1, 2}, {1, 1}, {2, 3}, {3, 1}}) {
    SeenShot seen;
    seen.before.level = level;
    seen.before.birds.assign(static_cast<std::size_t>(birds), "BirdRed");
    found.push_back(p_of_likelihood(detector.likelihood(seen, {}, game, random)));
  }
  CHECK(detector.birds == std::vector<std::size_t>{2, 3, 1});
  SequentialTest expected(3);
  CHECK(found[0] == Approx(expected.if_next(0.04)));
  CHECK(found[1] == Approx(found[0]));
  expected.add(0.04);
  CHECK(found[2] == Approx(expected.if_next(0.03)));
  expected.add(0.03);
  CHECK(found[3] == Approx(expected.if_next(0.2)));
}

TEST_CASE("[agents] a level without pigs is over at once and not solved") {
  StoredLevel level = small_level();
  level.objects.pop_back();
  const Game game(settle(make_scene(level, profile())));
  CHECK(game.over());
  CHECK_FALSE(game.solved());
  CHECK(game.score() == 0);
}
