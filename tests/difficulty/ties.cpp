// Ties by the rule of Pinto et al., the first object of the list, and what is known to be normal.

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "core/error.hpp"
#include "core/random.hpp"
#include "difficulty/difficulty.hpp"
#include "difficulty/explain.hpp"
#include "reasoning/qualitative/detectability.hpp"
#include "reasoning/qualitative/support.hpp"
#include "scenes.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

Novelty novelty_on(Selector selector, Parameter parameter = Parameter::restitution, double factor = 4) {
  return {.name = "test",
          .description = "",
          .rules = {{std::move(selector), parameter, {ChangeKind::factor, factor}}}};
}
Novelty novelty_on_object(std::size_t object) {
  Selector selector;
  selector.objects = {object};
  return novelty_on(selector);
}

const DifficultyOptions by_the_paper{.method = Method::published, .ties = Ties::first};

/// Algorithms 2 and 3 as the paper prints them, one after the other, each with a state of its own. Objects
/// are looked at in the order of the list, and a later one must score more to become the best target. Only
/// what a hit does is the library's.
class Paper {
 public:
  Paper(const Scene& level, const Novelty& novelty) : ordered_(level), novelty_(ordered_.novelty(novelty)) {
    relation_ = blocking_relation(ordered_.scene());
  }

  double pid() {
    begin();
    double pid = 0;
    const std::size_t interactions = scene_.birds_left();
    for (std::size_t i = 0; i < interactions; ++i) {
      look();
      double n = 0;
      for (const Hittable& target : targets_) n += target.detectable ? 1 : 0;
      const double N = static_cast<double>(targets_.size()), M = targets_.empty() ? 1 : (N - n) / N;
      pid += M;
      if (M != 1) break;
      shoot();
    }
    return pid / static_cast<double>(interactions);
  }

  double bid() {
    begin();
    const std::size_t interactions = scene_.birds_left();
    std::size_t bid = 0;
    bool detected = false;
    for (std::size_t i = 0; i < interactions && !detected; ++i) {
      ++bid;
      look();
      detected = best_ && targets_[*best_].detectable;
      if (!detected) shoot();
    }
    if (!detected) bid = interactions + 1;
    return static_cast<double>(bid - 1) / static_cast<double>(interactions);
  }

  bool tied() const { return tied_; }

 private:
  struct Hittable {
    std::size_t object = 0;
    std::vector<ImpactedObject> impacted, with_novelty;
    bool detectable = false;
    std::size_t score = 0;
  };

  void begin() {
    scene_ = ordered_.scene();
    space_ = make_search_space(scene_, novelty_, ordered_.numbers());
  }

  void look() {
    targets_.clear();
    best_.reset();
    Scene novel = scene_;
    apply(novelty_, novel);
    const BirdType& bird = scene_.profile->bird(scene_.birds[scene_.next_bird]);
    const SupportGraph graph = support_graph(scene_);
    VerticalImpact normal_impact(scene_, graph), novel_impact(novel, graph);
    for (const Target& target : find_targets(scene_, graph.geometry, bird, relation_)) {
      Hittable hit{.object = target.object,
                   .impacted = impacted_objects(normal_impact, target.object, bird),
                   .with_novelty = impacted_objects(novel_impact, target.object, bird)};
      hit.detectable = !detectable_objects(scene_, novel, hit.impacted, hit.with_novelty).empty();
      std::set<std::string> moved;
      for (const ImpactedObject& one : hit.impacted)
        if (const std::size_t group = space_.group_of[one.object];
            group != SearchSpace::no_group && !space_.known_normal[group])
          moved.insert(space_.groups[group]);
      hit.score = moved.size();
      targets_.push_back(std::move(hit));
    }
    for (std::size_t number = 0; number < scene_.objects.size(); ++number)  // the list
      for (std::size_t t = 0; t < targets_.size(); ++t) {
        if (ordered_.numbers()[targets_[t].object] != number) continue;
        tied_ = tied_ || (best_ && targets_[t].score == targets_[*best_].score);
        if (!best_ || targets_[t].score > targets_[*best_].score) best_ = t;
      }
  }

  void shoot() {
    if (!best_) {
      ++scene_.next_bird;
      return;
    }
    const Hittable& hit = targets_[*best_];
    const BirdType& bird = scene_.profile->bird(scene_.birds[scene_.next_bird]);
    Scene novel = scene_;
    apply(novelty_, novel);
    std::vector<ImpactedObject> seen = hit.with_novelty;
    std::erase_if(seen, [&](const ImpactedObject& one) { return novel.objects[one.object].novel; });
    narrow(space_, scene_, novelty_, hit.object, bird, seen);
    ShotEffects effects{hit.impacted, {}};
    if (const double lost = life_lost_to(scene_, hit.object, bird); lost > 0)
      effects.life_lost.push_back({hit.object, lost});
    add_explosions(effects, scene_, hit.object, bird);
    scene_ = update_qualitatively(scene_, effects);
  }

  OrderedScene ordered_;
  Novelty novelty_;
  Relation relation_;
  Scene scene_;
  SearchSpace space_;
  std::vector<Hittable> targets_;
  std::optional<std::size_t> best_;
  bool tied_ = false;
};

Scene shuffled(const Scene& scene, Random& random) {
  std::vector<std::size_t> order(scene.objects.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(order);
  return reordered(scene, order);
}

std::string message(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("[ties] first: two blocks tie, and the order of the file says which is shot at") {
  // Far apart on the ground, both targets, search by object, so both score 1. Only the hit on the novel one
  // makes it visible: PID = (2 - 1)/2 / 2. The first shot is at object 0. At the novel one: BID = (1 - 1)/2.
  // At the other: it slides, is then known to be normal, and BID = (2 - 1)/2.
  const Scene scene = scene_of(
      {block("RectFat", Material::stone, 0, ground), block("SquareHole", Material::stone, 6, ground)}, 2);
  for (const std::size_t novel : {0u, 1u}) {
    const Difficulty d = compute_difficulty(scene, novelty_on_object(novel), by_the_paper);
    CHECK(d.pid == 0.25);
    CHECK(d.bid == (novel == 0 ? 0 : 0.5));
    CHECK(d.value_error == 0);
    REQUIRE(!d.interactions.empty());
    const Interaction& first = d.interactions.front();
    CHECK(first.best_targets().size() == 1);
    CHECK(first.tied_targets() == 2);
    CHECK(first.targets[first.best.value()].target.object == 0);
    CHECK(compute_difficulty(scene, novelty_on_object(novel), {.method = Method::published}).bid == 0.25);
    const std::string text = explain_text(scene, novelty_on_object(novel), d);
    CHECK_THAT(text, Catch::Contains("of best targets that tie the first in the level's file") &&
                         Catch::Contains("the first of 2 that tie"));
  }
}

TEST_CASE("[ties] first: PID and BID are those of the paper's algorithms, in whatever order the file has") {
  Random random(41);
  int tied = 0, moved = 0, unlike_share = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Scene scene = random_scene(random, random.integer(1, 4), 5);
    const Novelty& novelty = find_novelty(random.choice(
        std::vector<std::string>{"T1", "T2", "T3", "wood-friction-up", "stone-life-down", "pig-life-up"}));
    const double share = compute_difficulty(scene, novelty, {.method = Method::published}).value;
    std::set<double> values;
    for (int order = 0; order < 3; ++order) {
      const Scene listed = order == 0 ? scene : shuffled(scene, random);
      Paper paper(listed, novelty);
      const Difficulty d = compute_difficulty(listed, novelty, by_the_paper);
      INFO("trial " << trial << " " << novelty.name << " order " << order);
      CHECK(d.pid == Approx(paper.pid()).margin(1e-12));
      CHECK(d.bid == Approx(paper.bid()).margin(1e-12));
      CHECK(d.interactions.size() <= d.birds);
      for (const Interaction& interaction : d.interactions) {
        CHECK(interaction.best_shots.size() <= 1);
        CHECK(interaction.chance.reached == 1);
      }
      tied += paper.tied();
      values.insert(d.value);
      unlike_share += std::abs(d.value - share) > 1e-9;
    }
    moved += values.size() > 1;
  }
  // The test is of something: ties are common, and the order of the list decides on values.
  CHECK(tied > 60);
  CHECK(moved > 5);
  CHECK(unlike_share > 10);
}

TEST_CASE("[ties] first: by the extended method, too, one target is shot at") {
  Random random(7);
  for (int trial = 0; trial < 10; ++trial) {
    const Scene scene = shuffled(random_scene(random, 2, 4), random);
    const Difficulty d = compute_difficulty(scene, find_novelty("T2"), {.ties = Ties::first});
    for (const Interaction& interaction : d.interactions) {
      if (!interaction.best) continue;
      REQUIRE(interaction.best_targets().size() == 1);
      const TargetOutcome& best = interaction.targets[*interaction.best];
      for (const TargetOutcome& other : interaction.targets)
        CHECK((other.impact_score < best.impact_score || other.target.object >= best.target.object));
    }
  }
}

TEST_CASE("[ties] names: round trip, and nothing for other words") {
  for (const Ties ties : {Ties::share, Ties::first}) CHECK(ties_from_name(name(ties)) == ties);
  CHECK(!ties_from_name("last"));
}

TEST_CASE("[known normal] example 3 of Pinto et al.: the novelty is in types, and no wood is novel") {
  // 0 and 1 wood of two types, 2 ice, 3 a pig; a hit moves all of them.
  const Scene scene = scene_of({block("RectFat", Material::wood, 0, ground),
                                block("SquareSmall", Material::wood, 1, ground),
                                block("RectFat", Material::ice, 2, ground), pig("BasicSmall", 4, ground)});
  Selector of_type;
  of_type.type = "RectFat";
  of_type.material = Material::ice;
  const Novelty novelty = novelty_on(of_type);
  const std::vector<ImpactedObject> impacted{moved(0, {3}), moved(1, {4}), moved(2, {4}), moved(3, {5})};
  const auto score = [&](const std::vector<std::string>& known) {
    SearchSpace space = make_search_space(scene, novelty);
    mark_known_normal(space, scene, novelty, known);
    return impact_score(space, impacted);
  };
  CHECK(score({}) == 4);
  CHECK(score({"wood"}) == 2);  // each wood object 0, the others 1
  CHECK(score({"wood RectFat"}) == 3);
  CHECK(score({"wood", "pig"}) == 1);
  CHECK(score({"wood", "pigs"}) == 1);
  CHECK(score({"#1", "#3"}) == 2);
  CHECK(score({"stone", "TNT"}) == 4);  // there is none
}

TEST_CASE("[known normal] a group is known when all its objects are") {
  const Scene scene = scene_of({block("RectFat", Material::wood, 0, ground),
                                block("SquareSmall", Material::wood, 2, ground),
                                block("RectFat", Material::stone, 4, ground)});
  SearchSpace space = make_search_space(scene, find_novelty("T3"));
  mark_known_normal(space, scene, find_novelty("T3"), {"wood RectFat"});
  CHECK(space.known_normal == std::vector<bool>{false, false});
  mark_known_normal(space, scene, find_novelty("T3"), {"wood RectFat", "#1"});
  CHECK(space.known_normal == std::vector<bool>{true, false});
}

TEST_CASE("[known normal] the best target is another one, and the value with it") {
  // A wood block on a wood block of another type, both moved by a hit on the lower one: score 2. An ice block
  // apart: score 1. The novelty is in that type of ice. Unknowing, the agent shoots at the wood, which says
  // nothing, and then at the ice: BID = (2 - 1)/2. Knowing that wood is normal it shoots at the ice: BID = 0.
  const double height = bounds(*profile()->find(Kind::block, "RectFat", Material::wood)->shape).height();
  const Scene scene = scene_of(
      {block("RectFat", Material::wood, 0, ground), block("SquareSmall", Material::wood, 0, ground + height),
       block("SquareHole", Material::ice, 8, ground)},
      2);
  Selector of_type;
  of_type.type = "SquareHole";
  of_type.material = Material::ice;
  const Novelty novelty = novelty_on(of_type);
  DifficultyOptions options = by_the_paper;
  const Difficulty unknowing = compute_difficulty(scene, novelty, options);
  options.known_normal = {"wood"};
  const Difficulty knowing = compute_difficulty(scene, novelty, options);
  CHECK(unknowing.bid == 0.5);
  CHECK(knowing.bid == 0);
  CHECK(knowing.pid == unknowing.pid);  // N and n are the same: what scores 0 is still a target
  CHECK_THAT(explain_text(scene, novelty, knowing),
             Catch::Contains("Known not to be novel: wood RectFat, wood SquareSmall\n"));
  CHECK(explain_text(scene, novelty, unknowing).find("Known not to be novel") == std::string::npos);
}

TEST_CASE("[known normal] what is no name, no object, or not true is refused") {
  const Scene scene = scene_of({block("RectFat", Material::wood, 0, ground), pig("BasicSmall", 4, ground)});
  const auto refused = [&](const char* known, const std::string& novelty = "T1") {
    return message(
        [&] { return compute_difficulty(scene, find_novelty(novelty), {.known_normal = {known}}); });
  };
  CHECK(refused("wood").empty());
  CHECK_THAT(refused("wod"), Catch::Contains("'wod'") && Catch::Contains("wood, ice, stone, pig, TNT"));
  CHECK_THAT(refused("#2"), Catch::Contains("'#2'") && Catch::Contains("#0 to #1"));
  CHECK_THAT(refused("#x"), Catch::Contains("'#x'"));
  CHECK_THAT(refused("pig"), Catch::Contains("T1 changes #1 pig BasicSmall"));
}
