/// \file  What overlays are given: hand cases, and agreement with what the modules below compute.
#include "play/insight.hpp"

#include <chrono>
#include <thread>

#include "../difficulty/scenes.hpp"
#include "levels/level_file.hpp"
#include "reasoning/qualitative/detectability.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

Novelty bouncy(std::size_t object) {
  Novelty novelty{.name = "bouncy",
                  .description = "one block bounces",
                  .rules = {{{}, Parameter::restitution, {ChangeKind::factor, 4}}}};
  novelty.rules.front().selector.objects = {object};
  return novelty;
}

std::shared_ptr<const Insight> waited_for(Insights& insights, const Scene& scene, const Scene& start,
                                          const std::string& novelty, Method method = Method::published) {
  for (int i = 0; i < 6000; ++i) {
    if (auto insight = insights.of(
            scene, start, novelty.empty() ? std::nullopt : std::optional(find_novelty(novelty)), method))
      return insight;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return nullptr;
}

}  // namespace

TEST_CASE(
    "[play] insight: two blocks far apart, of which one bounces: who shows what, as worked in "
    "docs/difficulty.md") {
  const Scene scene = scene_of(
      {block("RectFat", Material::stone, 0, ground), block("RectFat", Material::stone, 4, ground)}, 2);
  const Novelty novelty = bouncy(1);
  const Insight insight = make_insight(scene, &novelty, Method::published);
  REQUIRE(insight.next() != nullptr);
  CHECK(insight.next()->targets.size() == 2);
  CHECK(insight.outcome(0) == &insight.next()->targets[0]);
  CHECK(insight.outcome(1) == &insight.next()->targets[1]);
  CHECK(insight.difficulty.value == 0.25);

  CHECK_FALSE(insight.detectability[0].novel);
  CHECK(insight.detectability[0].detectable_by.empty());
  const ObjectDetectability& novel = insight.detectability[1];
  CHECK(novel.novel);
  CHECK(novel.detectable_by == std::vector<std::size_t>{1});  // only the hit on itself
  CHECK(novel.moved_by == std::vector<std::size_t>{1});
  REQUIRE(novel.changes.size() == 1);
  CHECK(novel.changes[0].parameter == Parameter::restitution);
  CHECK(novel.changes[0].novel == 4 * novel.changes[0].normal);
  CHECK(novel.changes[0].visible_in == detecting_cases(Parameter::restitution));

  // The step by step account is the one of the command line.
  REQUIRE(insight.explanation.size() == 4);  // what is asked, two interactions, sums
  CHECK(insight.explanation[1].title == "Interaction 1 of 2, BirdRed");
  std::string joined;
  for (const ExplanationPart& part : insight.explanation) joined += (joined.empty() ? "" : "\n") + part.text;
  CHECK(joined == explain_text(scene, novelty, insight.difficulty));
}

TEST_CASE(
    "[play] insight: a block on a block falls when the lower one goes, and the upper one brings nothing "
    "down") {
  const LevelObject lower = block("RectFat", Material::wood, 0, ground);
  const double top = ground +
                     bounds(*profile()->find(Kind::block, "RectFat", Material::wood)->shape).height();
  const Scene scene = scene_of({lower, block("RectFat", Material::wood, 0, top), platform(3, 1)}, 1);
  const Insight insight = make_insight(scene, nullptr);
  CHECK(insight.influences[0].vertical == std::vector<Fall>{{1, FallDirection::down}});
  CHECK(insight.influences[1].vertical.empty());
  REQUIRE(insight.influences[0].horizontal);
  CHECK(insight.influences[0].speed > 0);
  CHECK(insight.influences[0].damage ==
        bird_damage(scene, scene.objects[0], scene.profile->bird("BirdRed"), insight.influences[0].speed));
  CHECK_FALSE(insight.influences[2].horizontal);  // a platform is not pushed
  // The ground carries the lower block, that one the upper.
  REQUIRE(insight.graph.supporters[1].size() == 1);
  CHECK(insight.graph.edges[insight.graph.supporters[1][0]].lower == 0);
  // Without a novelty there are targets and cases, and nothing about detection.
  CHECK(insight.outcome(0) != nullptr);
  CHECK(insight.explanation.empty());
  for (const ObjectDetectability& one : insight.detectability) CHECK_FALSE(one.novel);
}

TEST_CASE("[play] insight: without a bird there are no targets and no push") {
  const Scene scene = scene_of({block("RectFat", Material::wood, 0, ground), pig("BasicSmall", 2, ground)},
                               0);
  const Novelty& novelty = find_novelty("T1");
  const Insight insight = make_insight(scene, &novelty);
  CHECK(insight.next() == nullptr);
  CHECK(insight.outcome(0) == nullptr);
  CHECK_FALSE(insight.influences[0].horizontal);
  CHECK(insight.detectability[1].novel);
  CHECK(insight.detectability[1].detectable_by.empty());
  CHECK(insight.explanation.back().text.find("No bird is left") != std::string::npos);
}

TEST_CASE("[play] insight: objects shown by targets are those of the difficulty, at random levels") {
  Random random(11);
  for (int i = 0; i < 20; ++i) {
    const Scene scene = random_scene(random, 2);
    const Novelty& novelty = find_novelty(i % 2 == 0 ? "T1" : "wood-friction-down");
    const Insight insight = make_insight(scene, &novelty, i % 4 < 2 ? Method::published : Method::extended);
    std::size_t pairs = 0, given = 0;
    for (const TargetOutcome& outcome : insight.next()->targets) pairs += outcome.detectable.size();
    for (const ObjectDetectability& one : insight.detectability) {
      given += one.detectable_by.size();
      CHECK((one.novel || one.detectable_by.empty()));
    }
    CHECK(given == pairs);
  }
}

TEST_CASE(
    "[play] insight: a novelty taken out of a scene again leaves the level's parameters, and what was lost "
    "of life lost") {
  const Scene start = scene_of(
      {block("RectFat", Material::stone, 0, ground), block("RectFat", Material::wood, 3, ground)}, 2);
  Scene novel = start;
  apply(find_novelty("T3"), novel);  // stone has five times the life
  REQUIRE(novel.objects[0].novel);
  novel.objects[0].life -= 0.75 * start.objects[0].life;
  novel.objects[1].life *= 0.5;
  const Scene normal = without_novelty(novel, start);
  CHECK(normal.objects[0].life == Approx(0.25 * start.objects[0].life));
  CHECK(normal.objects[1].life == Approx(0.5 * start.objects[1].life));
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK_FALSE(normal.objects[i].novel);
    CHECK(normal.objects[i].parameters.life == start.objects[i].parameters.life);
  }
  const Scene settled = settle(start);
  CHECK(at_rest(without_novelty(settled, start)));
}

TEST_CASE("[play] insights: worked out once a scene, beside the window's work, and kept") {
  const Scene start = scene_of(
      {block("RectFat", Material::stone, 0, ground), block("RectFat", Material::stone, 4, ground)}, 2);
  Insights insights;
  const auto first = waited_for(insights, start, start, "T3");
  REQUIRE(first);
  CHECK(insights.of(start, start, find_novelty("T3"), Method::published) == first);
  Scene after = start;
  after.objects[0].alive = false;
  after.next_bird = 1;
  const auto second = waited_for(insights, after, start, "T3");
  REQUIRE(second);
  CHECK(second != first);
  CHECK(second->next()->targets.size() == 1);
  CHECK(insights.of(start, start, find_novelty("T3"), Method::published) == first);  // a shot taken back
  CHECK(waited_for(insights, start, start, "") != first);
  const auto extended = waited_for(insights, start, start, "T3", Method::extended);
  CHECK(extended->difficulty.method == Method::extended);
}
