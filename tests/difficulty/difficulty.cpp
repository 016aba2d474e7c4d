// The rollout of algorithms 2 and 3 through scenes.

#include "difficulty/difficulty.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "difficulty/explain.hpp"
#include "difficulty/impact_score.hpp"
#include "reasoning/impulse/knock_on.hpp"
#include "reasoning/impulse/visibility.hpp"
#include "scenes.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

const StateUpdate by_simulation{"simulated", [](const Scene& before, const Trajectory& flown) {
                                  return run_shot(before, flown.shot).scene;
                                }};

Novelty novelty_on(std::vector<std::size_t> objects, Parameter parameter, double factor) {
  Novelty novelty{
      .name = "test", .description = "", .rules = {{{}, parameter, {ChangeKind::factor, factor}}}};
  novelty.rules.front().selector.objects = std::move(objects);
  return novelty;
}

void check_consistent(const Scene& scene, const Novelty& novelty, const Difficulty& d) {
  REQUIRE((d.pid >= 0 && d.pid <= 1));
  REQUIRE((d.bid >= 0 && d.bid <= 1));
  REQUIRE(d.value == d.alpha * d.pid + (1 - d.alpha) * d.bid);
  REQUIRE(d.birds == scene.birds_left());
  Scene novel = scene;
  apply(novelty, novel);
  std::vector<double> reached(d.birds + 1, 0), pid_reached(d.birds + 1, 0), visible(d.birds + 1, 0),
      pid_ended(d.birds + 1, 0);
  for (const Interaction& interaction : d.interactions) {
    const std::size_t number = interaction.chance.interaction;
    REQUIRE((number >= 1 && number <= d.birds));
    reached[number] += interaction.chance.reached;
    pid_reached[number] += interaction.chance.pid;
    double ended = 0, going_on = interaction.best_shots.empty() ? 1 : 0;  // with their shots; those likely to
                                                                          // show it are not followed
    for (const BestShot& shot : interaction.best_shots) {
      ended += shot.probability * (shot.p_visible >= likely_visible ? 1 : shot.p_visible);
      going_on += shot.p_visible >= likely_visible ? 0 : shot.probability;
    }
    visible[number] += interaction.chance.reached * ended;
    pid_ended[number] += interaction.chance.pid * (1 - interaction.counts.nothing() * going_on);
    REQUIRE(interaction.counts.targets == static_cast<int>(interaction.targets.size()));
    REQUIRE(interaction.best.has_value() == !interaction.targets.empty());
    int showing = 0;
    for (const TargetOutcome& outcome : interaction.targets) {
      showing += !outcome.detectable.empty();
      REQUIRE(!outcome.target.trajectories.empty());
      REQUIRE(!outcome.hits.empty());
      for (const Hit& hit : outcome.hits) {
        REQUIRE(!hit.impacted.empty());
        REQUIRE(hit.impacted.front().object == outcome.target.object);
        for (std::size_t object : hit.detectable)
          REQUIRE(std::count(outcome.detectable.begin(), outcome.detectable.end(), object) == 1);
      }
      for (std::size_t object : outcome.detectable) REQUIRE(novel.objects[object].novel);
      REQUIRE(outcome.impact_score <= interaction.targets[*interaction.best].impact_score);
    }
    REQUIRE(interaction.counts.detectable == showing);
    double sum = 0;
    for (const BestShot& shot : interaction.best_shots) {
      sum += shot.probability;
      REQUIRE(interaction.targets[shot.target].impact_score ==
              interaction.targets[*interaction.best].impact_score);
      REQUIRE((shot.p_visible >= even_chance) ==
              !interaction.targets[shot.target].hits[shot.hit].detectable.empty());
    }
    if (interaction.best) REQUIRE(sum == Approx(1));
    // Every target with the highest score is shot at, equally often.
    std::vector<double> share(interaction.targets.size(), 0);
    for (const BestShot& shot : interaction.best_shots) share[shot.target] += shot.probability;
    const auto best = static_cast<double>(interaction.best_targets().size());
    for (std::size_t t = 0; t < share.size(); ++t)
      REQUIRE(share[t] == Approx(interaction.targets[t].impact_score ==
                                         interaction.targets[*interaction.best].impact_score
                                     ? 1 / best
                                     : 0));
  }
  // Rollouts end, or go on to the next interaction.
  for (std::size_t i = 1; i < d.birds; ++i) {
    REQUIRE(reached[i + 1] == Approx(reached[i] - visible[i]).margin(1e-9));
    REQUIRE(pid_reached[i + 1] == Approx(pid_reached[i] - pid_ended[i]).margin(1e-9));
  }
  REQUIRE(d.pid == expected_difficulty(d.ends.pid, d.birds));
  REQUIRE(d.bid == expected_difficulty(d.ends.bid, d.birds));
  if (d.novel_objects == 0) REQUIRE((d.pid == 1 && d.bid == 1 && d.value_error == 0));
}

const std::vector<std::string> some_novelties{
    "T1", "T2", "T3", "wood-friction-up", "ice-density-down", "stone-life-down", "pig-life-up"};

}  // namespace

TEST_CASE("[difficulty] one novel block in the open: detected by the first shot") {
  // One target, hit directly: whatever of cases 2 and 3 it has, restitution shows (2 to 9), and stone this
  // wide is not destroyed.
  const Scene scene = scene_of({block("RectFat", Material::stone, 1, ground)}, 2);
  const Difficulty d = compute_difficulty(scene, novelty_on({0}, Parameter::restitution, 4),
                                          {.method = Method::published});
  CHECK(d.novel_objects == 1);
  REQUIRE(d.interactions.size() == 1);
  CHECK(d.interactions[0].counts.targets == 1);
  CHECK(d.interactions[0].counts.detectable == 1);
  CHECK(d.pid == 0);
  CHECK(d.bid == 0);
  CHECK(d.value == 0);
  CHECK(d.detected_at() == 1.0);
}

TEST_CASE("[difficulty] a novel block out of reach: undetectable to detect") {
  // Walled in by platforms on every side; the wood outside is reachable but normal.
  const Scene scene = scene_of(
      {block("SquareSmall", Material::stone, 4, ground), platform(3.3, ground + 0.75, 0.5, 2.4),
       platform(4.7, ground + 0.75, 0.5, 2.4), platform(4, ground + 1.7, 3, 0.5),
       block("RectFat", Material::wood, 0, ground)},
      2);
  const Difficulty d = compute_difficulty(scene, novelty_on({0}, Parameter::restitution, 4),
                                          {.method = Method::published});
  CHECK(d.novel_objects == 1);
  CHECK(d.interactions.size() == 2);
  CHECK(d.interactions[0].counts.targets == 1);
  CHECK(d.pid == 1);
  CHECK(d.bid == 1);
  CHECK(d.value == 1);
  CHECK(!d.detected_at());
}

TEST_CASE("[difficulty] one of two open blocks is novel: the arithmetic by hand") {
  // Two stone blocks far apart (no influence on each other), both targets. Search by object; either hit moves
  // one object, so both score 1 and tie. Only block 1 is novel: M_1 = (2 - 1)/2 = 1/2, PID = 0.5/2 = 0.25.
  // With probability 1/2 block 1 is shot at and shows it: (1 - 1)/2 = 0. Else the shot at 0 clears block 0
  // (score 0 from now on), so 1 is best at the second shot: (2 - 1)/2 = 0.5. BID = 1/2 x 0 + 1/2 x 0.5 =
  // 0.25. Value = (0.25 + 0.25)/2 = 0.25.
  const Scene scene = scene_of(
      {block("RectFat", Material::stone, 0, ground), block("RectFat", Material::stone, 4, ground)}, 2);
  const Difficulty d = compute_difficulty(scene, novelty_on({1}, Parameter::restitution, 4),
                                          {.method = Method::published});
  REQUIRE(d.interactions.size() == 2);
  CHECK(d.interactions[0].counts.targets == 2);
  CHECK(d.interactions[0].counts.detectable == 1);
  REQUIRE(d.interactions[0].best_shots.size() == 2);
  CHECK(d.interactions[0].best_targets() == std::vector<std::size_t>{0, 1});
  CHECK(d.interactions[0].best_detectable() == 0.5);
  CHECK(d.interactions[0].best_shots[0].found_normal == std::vector<std::string>{"#0 stone RectFat"});
  CHECK(d.interactions[0].best_shots[1].found_normal.empty());
  CHECK(d.interactions[1].chance.reached == 0.5);
  CHECK(d.interactions[1].chance.pid == 0);
  CHECK(d.interactions[1].after == 0u);
  CHECK(d.interactions[1].after_hit == 0u);
  CHECK(d.interactions[1].best_targets().size() == 1);
  CHECK(d.interactions[1].targets[*d.interactions[1].best].target.object == 1);
  CHECK(d.pid == 0.25);
  CHECK(d.bid == 0.25);
  CHECK(d.value == 0.25);
  CHECK(d.value_error == 0);
  CHECK(d.detected_at() == 1.5);
}

TEST_CASE("[difficulty] slingshot on the right: the same two blocks, mirrored, give the same arithmetic") {
  Scene scene = scene_of(
      {block("RectFat", Material::stone, 0, ground), block("RectFat", Material::stone, -4, ground)}, 2);
  scene.slingshot.x = 5;
  const Difficulty d = compute_difficulty(scene, novelty_on({1}, Parameter::restitution, 4),
                                          {.method = Method::published});
  REQUIRE(d.interactions.size() == 2);
  CHECK(d.interactions[0].counts.targets == 2);
  CHECK(d.interactions[0].targets[0].target.trajectories[0].velocity.x < 0);
  CHECK(d.value == 0.25);
}

TEST_CASE("[difficulty] a change of defence alone is looked for: the pig that should die lives") {
  // The bird does 29.6 hit points to a pig with a life of 1 and a defence of 1; 1000 points more of defence
  // and it does none.
  const Scene scene = scene_of({pig("BasicSmall", 1, ground)}, 2);
  Novelty novelty = novelty_on({0}, Parameter::defence, 1);
  novelty.rules.front().change = {ChangeKind::offset, 1000};
  const Difficulty d = compute_difficulty(scene, novelty, {.method = Method::published});
  REQUIRE(d.interactions.size() == 1);
  CHECK(d.interactions[0].targets[0].hits[0].impacted.front().cases[movement::hit_and_destroyed]);
  CHECK(!d.interactions[0].targets[0].hits[0].impacted_novel.front().cases[movement::hit_and_destroyed]);
  CHECK(d.value == 0);
}

TEST_CASE(
    "[difficulty] a change of density: seen in what moves, not in scores nor in the next state, which are "
    "the normal world's") {
  // A plank [2, 3.5456] on a left post 0 (2.2616 to 2.4456, dies of any blow) and a right post 1 (3.0616
  // to 3.2456), with a stone 3 on its right end, about 3.3556. Without post 0 the plank (wood, 0.427 kg,
  // centre 2.7728) with the stone (0.569 kg) balances on post 1: centre 3.11. With a stone of a tenth of the
  // density (0.057 kg) the centre is at 2.84 < 3.0616: both fall left. Falling does not show density.
  // Platforms above and before the plank let the bird through to the posts alone.
  std::vector<LevelObject> objects;
  for (double x : {2.3536, 3.1536}) {
    objects.push_back(block("RectMedium", Material::wood, x, ground));
    objects.back().rotation_deg = 90;
    objects.back().position.y = ground + 0.7728;
  }
  const double top = ground + 1.5456;
  objects.push_back(block("RectMedium", Material::wood, 2.7728, top));
  objects.push_back(block("SquareSmall", Material::stone, 3.3556, top + 0.184));
  objects.push_back(platform(1.2, top + 0.8, 0.4, 2.5));  // 1.072 to 1.328, from the plank's lower side up
  objects.push_back(platform(3, top + 1.7, 5.5, 0.3));    // 1.24 to 4.76
  Scene scene = scene_of(objects, 2);
  scene.objects[0].life = 1;
  const Difficulty d = compute_difficulty(scene, novelty_on({3}, Parameter::density, 0.1),
                                          {.method = Method::published});
  REQUIRE(d.interactions.size() == 2);
  REQUIRE(d.interactions[0].targets.size() == 1);
  const TargetOutcome& hit = d.interactions[0].targets[0];
  CHECK(hit.target.object == 0);
  CHECK(hit.hits[0].impacted.size() == 1);
  CHECK(hit.hits[0].impacted_novel.size() == 3);
  CHECK(hit.detectable.empty());
  CHECK(hit.impact_score == 1);  // post 0 alone; in the novel world three objects move
  // The plank has stayed in the normal world: what the bird reaches next is the other post. In the novel
  // world the plank would lie before it.
  REQUIRE(d.interactions[1].targets.size() == 1);
  CHECK(d.interactions[1].targets[0].target.object == 1);
}

TEST_CASE("[difficulty] alpha: mixes PID and BID, and outside [0, 1] is refused") {
  const Scene scene = scene_of(
      {block("RectFat", Material::stone, 0, ground), block("RectFat", Material::stone, 4, ground)}, 2);
  const Novelty novelty = novelty_on({1}, Parameter::restitution, 4);
  CHECK(compute_difficulty(scene, novelty, {.alpha = 1, .method = Method::published}).value == 0.25);
  CHECK(compute_difficulty(scene, novelty, {.alpha = 0, .method = Method::published}).value == 0.25);
  for (double alpha : {-0.1, 1.1, std::nan("")})
    CHECK_THROWS_AS(compute_difficulty(scene, novelty, {.alpha = alpha, .method = Method::published}), Error);
}

TEST_CASE("[difficulty] defined results: no birds, no objects, nothing novel") {
  const Novelty& t1 = find_novelty("T1");
  const Difficulty no_birds = compute_difficulty(scene_of({pig("BasicSmall", 1, ground)}, 0), t1,
                                                 {.method = Method::published});
  CHECK(no_birds.value == 1);
  CHECK(no_birds.interactions.empty());
  CHECK(no_birds.novel_objects == 1);
  const Difficulty empty = compute_difficulty(scene_of({}, 2), t1, {.method = Method::published});
  CHECK(empty.value == 1);
  CHECK(empty.interactions.size() == 2);
  const Difficulty no_pigs = compute_difficulty(scene_of({block("RectFat", Material::stone, 1, ground)}, 2),
                                                t1, {.method = Method::published});
  CHECK(no_pigs.value == 1);
  CHECK(no_pigs.novel_objects == 0);
  CHECK(no_pigs.interactions[0].counts.targets == 1);
}

TEST_CASE("[difficulty] a scene that is novel already is refused") {
  Scene scene = scene_of({pig("BasicSmall", 1, ground)});
  apply(find_novelty("T1"), scene);
  CHECK_THROWS_AS(compute_difficulty(scene, find_novelty("T1"), {.method = Method::published}), Error);
}

TEST_CASE("[difficulty] random scenes: consistent, in range, and the same again") {
  Random random(31);
  for (int trial = 0; trial < 60; ++trial) {
    const Scene scene = random_scene(random, random.integer(1, 4));
    const Novelty& novelty = find_novelty(random.choice(some_novelties));
    const Difficulty d = compute_difficulty(scene, novelty, {.method = Method::published});
    INFO("trial " << trial << " " << novelty.name);
    check_consistent(scene, novelty, d);
    REQUIRE(explain_json(scene, novelty, compute_difficulty(scene, novelty, {.method = Method::published})) ==
            explain_json(scene, novelty, d));
  }
}

TEST_CASE("[difficulty] random scenes: more novel objects never leave fewer detectable targets") {
  Random random(32);
  for (int trial = 0; trial < 60; ++trial) {
    const Scene scene = random_scene(random, 1);
    std::vector<std::size_t> few, all;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      all.push_back(i);
      if (random.chance(0.4)) few.push_back(i);
    }
    if (few.empty()) few.push_back(0);
    for (Parameter parameter : {Parameter::friction, Parameter::gravity_scale}) {
      const Difficulty less = compute_difficulty(scene, novelty_on(few, parameter, 0.5),
                                                 {.method = Method::published});
      const Difficulty more = compute_difficulty(scene, novelty_on(all, parameter, 0.5),
                                                 {.method = Method::published});
      REQUIRE(more.interactions[0].counts.targets == less.interactions[0].counts.targets);
      REQUIRE(more.interactions[0].counts.detectable >= less.interactions[0].counts.detectable);
      REQUIRE(more.pid <= less.pid);
    }
  }
}

TEST_CASE("[difficulty] random scenes: more birds change only the denominator once the novelty is detected") {
  Random random(33);
  for (int trial = 0; trial < 40; ++trial) {
    Scene scene = random_scene(random, 3);
    const Novelty& novelty = find_novelty(random.choice(some_novelties));
    const Difficulty three = compute_difficulty(scene, novelty, {.method = Method::published});
    scene.birds.assign(6, "BirdRed");
    const Difficulty six = compute_difficulty(scene, novelty, {.method = Method::published});
    for (std::size_t i = 0; i < three.interactions.size(); ++i) {
      REQUIRE(six.interactions[i].counts.targets == three.interactions[i].counts.targets);
      REQUIRE(six.interactions[i].counts.detectable == three.interactions[i].counts.detectable);
    }
    // Shown by then in all rollouts: what is left out is only what follows.
    double pid = 0, bid = 0;
    for (const RolloutEnd& end : three.ends.pid) pid += end.probability;
    for (const RolloutEnd& end : three.ends.bid) bid += end.probability;
    if (pid > 1 - 1e-9) REQUIRE(six.pid == Approx(three.pid / 2));
    if (bid > 1 - 1e-9) REQUIRE(six.bid == Approx(three.bid / 2));
  }
}

TEST_CASE("[difficulty] random scenes: a group that holds a novel object is never found normal") {
  Random random(34);
  int found = 0;
  for (int trial = 0; trial < 80; ++trial) {
    const Scene scene = random_scene(random, 4);
    Novelty novelty = find_novelty(random.choice(some_novelties));
    if (random.chance(0.5))
      novelty = novelty_on(
          {static_cast<std::size_t>(random.integer(0, static_cast<int>(scene.objects.size()) - 1))},
          novelty.rules.front().parameter, 3);
    Scene novel = scene;
    apply(novelty, novel);
    const Difficulty d = compute_difficulty(scene, novelty, {.method = Method::published});
    for (const Interaction& interaction : d.interactions)
      for (const BestShot& shot : interaction.best_shots)
        for (const std::string& group : shot.found_normal) {
          ++found;
          for (std::size_t i = 0; i < novel.objects.size(); ++i) {
            INFO("trial " << trial << " " << novelty.name << " group " << group << " object " << i);
            REQUIRE((!novel.objects[i].novel || d.search_space.groups[d.search_space.group_of[i]] != group));
          }
        }
  }
  CHECK(found > 10);
}

TEST_CASE("[difficulty] simulated state update: it is the best target's first trajectory that is flown") {
  // A block in the open is reached on a lower and on an upper parabola. The one pushes the ice away, the
  // other hardly moves it. Nothing is novel: both birds fly.
  Scene scene = scene_of({block("RectFat", Material::ice, 1, ground)}, 2);
  scene.objects[0].life = 1000;
  const Difficulty d = compute_difficulty(scene, find_novelty("T1"),
                                          {.state_update = by_simulation, .method = Method::published});
  REQUIRE(d.interactions.size() == 2);
  const std::vector<Trajectory>& trajectories = d.interactions[0].targets[0].target.trajectories;
  REQUIRE(trajectories.size() >= 2);
  const auto next_place = [&](const Trajectory& flown) {  // where the next bird would touch the block
    const Scene next = by_simulation.next(scene, flown);
    return find_targets(next, scene.profile->bird("BirdRed")).front().trajectories.front().aim.x;
  };
  REQUIRE(std::fabs(next_place(trajectories.front()) - next_place(trajectories.back())) > 0.1);
  CHECK(d.interactions[1].targets[0].target.trajectories.front().aim.x == next_place(trajectories.front()));
}

TEST_CASE("[difficulty] simulated state update: the same first interaction, consistent and repeatable") {
  Random random(35);
  for (int trial = 0; trial < 5; ++trial) {
    const Scene scene = random_scene(random, 2, 3);
    for (const char* name : {"T1", "T3"}) {
      const Novelty& novelty = find_novelty(name);
      const Difficulty d = compute_difficulty(scene, novelty,
                                              {.state_update = by_simulation, .method = Method::published});
      check_consistent(scene, novelty, d);
      const Difficulty qualitative = compute_difficulty(scene, novelty, {.method = Method::published});
      CHECK(d.interactions[0].counts.targets == qualitative.interactions[0].counts.targets);
      CHECK(d.interactions[0].counts.detectable == qualitative.interactions[0].counts.detectable);
      const Difficulty again = compute_difficulty(
          scene, novelty, {.state_update = by_simulation, .method = Method::published});
      CHECK(explain_json(scene, novelty, again) == explain_json(scene, novelty, d));
    }
  }
}

TEST_CASE(
    "[difficulty] extended method: chances are those of the targets, each for itself, and lost life is that "
    "of the living") {
  Random random(53);
  int targets = 0, wounded = 0, detectable_hits = 0, several = 0;
  for (int k = 0; k < 8; ++k) {
    const Scene scene = random_scene(random, 2);
    DifficultyOptions options;
    options.method = Method::extended;
    const Difficulty difficulty = compute_difficulty(scene, find_novelty("T2"), options);
    for (const Interaction& interaction : difficulty.interactions) {
      double sum = 0, none = 1;
      int detectable = 0;
      for (const TargetOutcome& outcome : interaction.targets) {
        ++targets;
        sum += outcome.p_visible;
        none *= 1 - outcome.p_visible;
        detectable += !outcome.detectable.empty();
        REQUIRE((outcome.p_visible >= 0 && outcome.p_visible <= 1));
        REQUIRE_FALSE(outcome.hits.empty());
        several += outcome.hits.size() > 1;
        for (const Hit& hit : outcome.hits) {
          // One trajectory shows no more than all; what one makes detectable, all do.
          REQUIRE(hit.p_visible <= outcome.p_visible + 1e-12);
          for (std::size_t i : hit.detectable) {
            ++detectable_hits;
            REQUIRE(std::find(outcome.detectable.begin(), outcome.detectable.end(), i) !=
                    outcome.detectable.end());
          }
          for (const LifeLost& lost : hit.life_lost) {
            ++wounded;
            REQUIRE_FALSE(scene.objects[lost.object].is_static());
            REQUIRE(lost.points > 0);
            REQUIRE(lost.points < scene.objects[lost.object].life);
          }
        }
        if (outcome.target.trajectories.size() == 1)
          REQUIRE(outcome.hits.front().p_visible == Approx(outcome.p_visible).margin(1e-12));
      }
      REQUIRE(interaction.counts.targets == static_cast<int>(interaction.targets.size()));
      REQUIRE(interaction.counts.detectable == detectable);
      if (interaction.targets.empty()) continue;
      REQUIRE(interaction.counts.chances);
      REQUIRE(interaction.counts.chances->targets == Approx(sum));
      REQUIRE(interaction.counts.chances->nothing == Approx(none));
      double probability = 0;
      for (const BestShot& shot : interaction.best_shots) probability += shot.probability;
      REQUIRE(probability == Approx(1));
    }
  }
  CHECK(targets > 50);
  CHECK(wounded > 20);
  CHECK(detectable_hits > 5);
  CHECK(several > 5);  // trajectories with the same score
}

TEST_CASE("[difficulty] extended method: what is visible with a chance of just 1/2 counts as detectable") {
  // A block whose life is just what the hardest of the hits takes dies by it with chance 1/2; with a billion
  // times the life it does not.
  Scene scene = scene_of({block("RectFat", Material::stone, 1, ground)}, 1);
  SceneObject& object = scene.objects[0];
  object.parameters.defence = 0;
  object.life = object.parameters.life = 1e9;
  const Novelty tough = novelty_on({0}, Parameter::life, 1e9);
  const auto outcome = [&] { return compute_difficulty(scene, tough).interactions.at(0).targets.at(0); };
  double most = 0;
  for (const Hit& hit : outcome().hits)
    for (const LifeLost& lost : hit.life_lost) most = std::max(most, lost.points);
  REQUIRE(most > 0);
  object.life = object.parameters.life = most;
  const TargetOutcome even = outcome();
  double p_visible = 0;
  for (const Hit& hit : even.hits) p_visible = std::max(p_visible, hit.p_visible);
  REQUIRE(p_visible == 0.5);
  CHECK(even.detectable == std::vector<std::size_t>{0});
  CHECK(std::any_of(even.hits.begin(), even.hits.end(),
                    [](const Hit& hit) { return hit.detectable == std::vector<std::size_t>{0}; }));
}

TEST_CASE("[difficulty] groups are those of the objects as they were given, platforms have none") {
  // Given from right to left; the platform is the leftmost.
  const Scene scene = scene_of(
      {block("RectFat", Material::stone, 6, ground), block("RectFat", Material::ice, 4, ground),
       block("RectFat", Material::wood, 2, ground), platform(0, ground + 3)},
      1);
  const SearchSpace space = compute_difficulty(scene, novelty_on({1}, Parameter::restitution, 4),
                                               {.method = Method::published})
                                .search_space;
  REQUIRE(space.group_of.size() == 4);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(space.groups.at(space.group_of[i]) == "#" + std::to_string(i) + " " + appearance(scene.objects[i]));
  CHECK(space.group_of[3] == SearchSpace::no_group);
}

TEST_CASE("[difficulty] reasoning covers objects, its extension fields over the whole world, no events") {
  Novelty objects = novelty_on({0}, Parameter::friction, 2), gust = objects, draught = objects,
          later = objects, heavy = objects;
  heavy.world.gravity = 2;
  gust.world.fields = {{.acceleration = {3, 0}}, {.acceleration = {0, 1}}};
  draught.world.fields = {{.acceleration = {3, 0}},
                          {.region = {.left = 0, .right = 1}, .acceleration = {3, 0}}};
  later.world.fields = {{.acceleration = {3, 0}}, {.acceleration = {3, 0}}};
  later.world.fields[1].from_bird = 1;
  CHECK(covers(Method::published, objects));
  CHECK(covers(Method::extended, objects));
  for (const Novelty& novelty : {heavy, gust}) {
    CHECK_FALSE(covers(Method::published, novelty));
    CHECK(covers(Method::extended, novelty));
    CHECK_THROWS_WITH(require_covered(Method::published, novelty),
                      Catch::Contains("extended reasoning and simulation"));
  }
  for (const Novelty& novelty : {draught, later}) {
    CHECK_FALSE(covers(Method::extended, novelty));
    CHECK_THROWS_WITH(require_covered(Method::extended, novelty), Catch::Contains("only simulation"));
  }
  // A detection is predicted only of what is covered: a storm from the second bird on shows in no first shot.
  const Scene scene = scene_of({block("SquareSmall", Material::wood, 3, ground)});
  const auto predicts = [&](const Novelty& novelty) {
    return compute_difficulty(scene, novelty, {.predict = Predict::detection}).detection.has_value();
  };
  CHECK(predicts(objects));
  CHECK(predicts(gust));
  CHECK_FALSE(predicts(draught));
  CHECK_FALSE(predicts(later));
}

TEST_CASE("[difficulty] published method: what an explosion destroys is gone for the next bird") {
  // Under a roof TNT stands before a pig with little life. The first bird can hit the TNT alone.
  Scene scene = scene_of({{.kind = Kind::tnt, .type = "TNT", .position = {0, ground + 0.3}},
                          pig("BasicSmall", 0.7, ground),
                          platform(1, ground + 1, 4, 0.5),
                          platform(1.9, ground + 0.4, 0.5, 1.2)},
                         2);
  scene.objects[1].life = 0.1;
  const Difficulty d = compute_difficulty(scene, find_novelty("T3"),
                                          {.method = Method::published});  // nothing is of stone
  REQUIRE(d.interactions.size() == 2);
  REQUIRE(d.interactions[0].targets.size() == 1);
  CHECK(d.interactions[0].targets[0].target.object == 0);
  CHECK(d.interactions[1].targets.empty());
}

TEST_CASE("[difficulty] the error of the value is the mean of those of PID and BID, weighted by alpha") {
  Random random(36);
  int inexact = 0, bid_alone = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Scene scene = random_scene(random, 4);
    const Novelty& novelty = find_novelty(random.choice(some_novelties));
    const auto error = [&](double alpha) {
      return compute_difficulty(scene, novelty,
                                {.alpha = alpha, .method = Method::published, .most_states = 1})
          .value_error;
    };
    const double pid = error(1), bid = error(0);
    CHECK(error(0.25) == Approx(0.25 * pid + 0.75 * bid));
    inexact += bid > 0;
    bid_alone += bid > 0 && pid == 0;
  }
  CHECK(inexact > 0);
  CHECK(bid_alone > 0);
}

TEST_CASE(
    "[difficulty] life lost: what a shot takes is noted however little it is, and nothing where it takes "
    "none") {
  for (Method method : {Method::published, Method::extended}) {
    Scene scene = scene_of({block("RectFat", Material::stone, 0, ground)}, 1);
    scene.objects[0].life = 1e6;
    const auto lost = [&](double defence) {
      scene.objects[0].parameters.defence = defence;
      const Difficulty d = compute_difficulty(scene, find_novelty("T1"), {.method = method});
      return d.interactions.at(0).targets.at(0).hits.at(0).life_lost;
    };
    const auto undefended = lost(0);
    REQUIRE(undefended.size() == 1);
    // A blow is weakened by the defence; the extended method follows several, of which the first is hardest.
    const double first = life_lost_to(scene, 0, scene.profile->bird("BirdRed"));
    if (method == Method::published) {
      CHECK(undefended[0].points == Approx(first));
      const auto little = lost(first - 0.5);
      REQUIRE(little.size() == 1);
      CHECK(little[0].points == Approx(0.5));
    } else {
      double low = 0, high = 10 * undefended[0].points;  // bisects for a defence that leaves 1/4 to 3/4
      std::vector<LifeLost> little = undefended;
      for (int k = 0; k < 60 && (little.empty() || little[0].points > 0.75 || little[0].points < 0.25); ++k) {
        const double middle = 0.5 * (low + high);
        little = lost(middle);
        (little.empty() || little[0].points < 0.25 ? high : low) = middle;
      }
      REQUIRE(little.size() == 1);
      CHECK((little[0].points > 0.25 && little[0].points < 0.75));
    }
    CHECK(lost(1e6).empty());
  }
}

TEST_CASE("[difficulty] extended method: detectable is what is novel and moves, not what else moves") {
  const Scene scene = scene_of(
      {block("RectFat", Material::stone, 0, ground), block("RectFat", Material::stone, 4, ground)}, 1);
  const Difficulty d = compute_difficulty(scene, novelty_on({1}, Parameter::restitution, 4),
                                          {.method = Method::extended});
  REQUIRE(d.interactions.at(0).targets.size() == 2);
  for (const TargetOutcome& outcome : d.interactions[0].targets)
    CHECK(outcome.detectable ==
          (outcome.target.object == 1 ? std::vector<std::size_t>{1} : std::vector<std::size_t>{}));
}

TEST_CASE(
    "[difficulty] extended method: a target's score is that of its best trajectories, which are its hits") {
  Random random(54);
  int better_first = 0, better_later = 0;
  for (int k = 0; k < 12; ++k) {
    const Scene given = random_scene(random, 1);
    const OrderedScene ordered(given);
    const Scene& scene = ordered.scene();
    const Difficulty d = compute_difficulty(scene, find_novelty("T1"), {.method = Method::extended});
    const BirdType& bird = scene.profile->bird("BirdRed");
    const SupportGraph graph = support_graph(scene);
    const ContactNetwork network = contact_network(scene, graph.geometry);
    for (const TargetOutcome& outcome : d.interactions.at(0).targets) {
      std::vector<int> scores;
      for (const Trajectory& trajectory : outcome.target.trajectories)
        scores.push_back(impact_score(
            d.search_space, knocked_on(scene, graph, network, outcome.target.object, bird, trajectory)));
      const int best = *std::max_element(scores.begin(), scores.end());
      REQUIRE(outcome.impact_score == best);
      std::vector<std::size_t> of_hits, of_best;
      for (const Hit& hit : outcome.hits) of_hits.push_back(hit.trajectory);
      for (std::size_t t = 0; t < scores.size(); ++t)
        if (scores[t] == best) of_best.push_back(t);
      REQUIRE(of_hits == of_best);
      for (std::size_t h = 0; h < of_hits.size(); ++h)
        REQUIRE(outcome.shot(h) == outcome.target.trajectories[of_hits[h]].shot);
      REQUIRE(outcome.shot() == outcome.target.trajectories[of_hits[0]].shot);
      better_first += scores.size() > 1 && scores[0] > scores[1];
      better_later += scores.size() > 1 && scores[0] < scores[1];
    }
  }
  CHECK(better_first > 0);
  CHECK(better_later > 0);
}

TEST_CASE(
    "[difficulty] one novel object is enough for all states to be followed, and for an error to be said") {
  // Three open blocks tie. After a shot at either normal one the state is another.
  const Scene scene = scene_of(
      {block("RectFat", Material::stone, 0, ground), block("RectFat", Material::stone, 3, ground),
       block("RectFat", Material::stone, 6, ground)},
      3);
  const Novelty novelty = novelty_on({2}, Parameter::restitution, 4);
  const Difficulty all = compute_difficulty(scene, novelty, {.method = Method::published});
  CHECK(std::count_if(all.interactions.begin(), all.interactions.end(),
                      [](const Interaction& i) { return i.chance.interaction == 2; }) == 2);
  CHECK(all.value_error == 0);
  // Where nothing is novel one way through the states is as good as all.
  const Difficulty none = compute_difficulty(scene, find_novelty("T1"), {.method = Method::published});
  CHECK(none.novel_objects == 0);
  CHECK(none.interactions.front().best_shots.size() == 3);
  CHECK(none.interactions.size() == 3);
  CHECK(none.value_error == 0);
  const Difficulty one = compute_difficulty(scene, novelty, {.method = Method::published, .most_states = 1});
  CHECK(std::count_if(one.interactions.begin(), one.interactions.end(),
                      [](const Interaction& i) { return i.chance.interaction == 2; }) == 1);
  CHECK(one.value_error > 0);
}
