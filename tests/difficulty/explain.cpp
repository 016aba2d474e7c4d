#include "difficulty/explain.hpp"

#include <nlohmann/json.hpp>

#include "scenes.hpp"
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

Scene two_blocks() {
  return scene_of(
      {block("RectFat", Material::stone, 0, ground), block("RectFat", Material::stone, 4, ground)}, 2);
}

}  // namespace

TEST_CASE("[explain] text: says N, n, M, the best target, both sums and the value") {
  // Worked by hand in the test of the same scene: PID 0.25, BID 0.25, value 0.25.
  const Scene scene = two_blocks();
  const std::string text = explain_text(scene, bouncy(1),
                                        compute_difficulty(scene, bouncy(1), {.method = Method::published}));
  for (const char* part :
       {"Novelty bouncy: one block bounces",
        "1 novel object: #1 stone RectFat",
        "searches by object",
        "2 birds, qualitative",
        "Interaction 1 of 2, BirdRed\n",
        "Targets (N = 2)",
        "(n = 1): #1 stone RectFat",
        "M = (2 - 1)/2 = 0.5000\n",
        "one of 2 best targets",
        "Best targets: 2 tie with score 1, each equally likely",
        "0.5000 #0 stone RectFat makes nothing visible; then known not to be novel: #0 stone RectFat\n",
        "0.5000 #1 stone RectFat makes the novelty visible\n",
        "The next shot makes the novelty visible with probability 0.5000\n",
        "Interaction 2 of 2, BirdRed, after the shot at #0 stone RectFat, probability 0.5000 (BID only)",
        "by lower trajectory: ",
        "makes the novelty visible in #1 stone RectFat",
        "Best target: #1 stone RectFat, score 1, the highest; it makes the novelty visible\n",
        "PID = (1 - 1 + 0.5000)/2 = 0.2500",
        "BID = 0.5000 x (1 - 1)/2 + 0.5000 x (2 - 1)/2 = 0.2500",
        "Value = 0.50 x 0.2500 + 0.50 x 0.2500 = 0.2500\n"}) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("[explain] text: defined results are said in words") {
  const Novelty& t1 = find_novelty("T1");
  const Scene none = scene_of({pig("BasicSmall", 1, ground)}, 0);
  CHECK(explain_text(none, t1, compute_difficulty(none, t1, {.method = Method::published}))
            .find("No bird is left") != std::string::npos);
  const Scene empty = scene_of({}, 1);
  const std::string text = explain_text(empty, t1,
                                        compute_difficulty(empty, t1, {.method = Method::published}));
  CHECK(text.find("0 novel objects\n") != std::string::npos);
  CHECK(text.find("M = 1, as there are no targets") != std::string::npos);
  CHECK(text.find("BID = 1 = 1.0000: no best target") != std::string::npos);
  CHECK(text.find("= 1.0000: the novelty cannot be detected\n") != std::string::npos);
}

TEST_CASE("[explain] JSON: the facts of the difficulty, readable again") {
  const Scene scene = two_blocks();
  const Difficulty d = compute_difficulty(scene, bouncy(1), {.method = Method::published});
  const std::string written = explain_json(scene, bouncy(1), d);
  CHECK(written.find("{\n  \"novelty\": \"bouncy\",\n") == 0);
  const auto json = nlohmann::json::parse(written);
  CHECK(json.at("pid") == 0.25);
  CHECK(json.at("bid") == 0.25);
  CHECK(json.at("value") == 0.25);
  CHECK(json.at("value_error") == 0);
  CHECK(json.at("detected_at") == 1.5);
  CHECK(json.at("bid_ends").at(1) == nlohmann::json{{"interaction", 2}, {"probability", 0.5}});
  CHECK(json.at("pid_ends").at(0) == nlohmann::json{{"interaction", 1}, {"probability", 1.0}, {"M", 0.5}});
  CHECK(json.at("novel_objects") == std::vector<int>{1});
  CHECK(json.at("search_space").at("grouping") == "object");
  REQUIRE(json.at("interactions").size() == 2);
  const auto& first = json.at("interactions").at(0);
  CHECK(first.at("N") == 2);
  CHECK(first.at("n") == 1);
  CHECK(first.at("M") == 0.5);
  CHECK(first.at("best_targets") == std::vector<int>{0, 1});
  CHECK(first.at("best_detectable") == 0.5);
  REQUIRE(first.at("best_shots").size() == 2);
  CHECK(first.at("best_shots").at(0).at("object") == 0);
  CHECK(first.at("best_shots").at(0).at("probability") == 0.5);
  CHECK(first.at("best_shots").at(0).at("found_normal") == std::vector<std::string>{"#0 stone RectFat"});
  CHECK(first.at("best_shots").at(1).at("p_visible") == 1);
  CHECK(first.at("targets").at(1).at("best") == true);
  const auto& second = json.at("interactions").at(1);
  CHECK(second.at("probability") == 0.5);
  CHECK(second.at("after") == 0);
  CHECK(second.at("after_hit") == 0);
  const auto& target = first.at("targets").at(0);
  CHECK(target.at("appearance") == "stone RectFat");
  const Trajectory& trajectory = d.interactions[0].targets[0].target.trajectories[0];
  CHECK(target.at("trajectories").at(0).at("angle_deg").get<double>() == degrees(trajectory.shot.angle));
  CHECK(target.at("trajectories").at(0).at("time_s").get<double>() == trajectory.time);
  CHECK(target.at("best_hits").at(0).at("impacted").at(0).at("object") == 0);
  CHECK(!target.at("best_hits").at(0).at("impacted").at(0).at("cases").empty());
}

TEST_CASE("[explain] text: rollouts that never end are a term, and states left out are said") {
  const Scene scene = two_blocks();
  Difficulty d;
  d.birds = 2;
  d.alpha = 0.25;
  d.ends.pid = {{1, 0.5, 1}};
  d.ends.bid = {{1, 0, 0.75}, {2, 0, 0.2}};
  d.pid = 0.25;
  d.bid = 0.15;
  d.value = 0.175;
  d.value_error = 0.05;
  const std::string text = explain_text(scene, bouncy(1), d);
  for (const char* part :
       {"PID = (1 - 1 + 0.5000)/2 = 0.2500: where M",
        "BID = 0.7500 x (1 - 1)/2 + 0.2000 x (2 - 1)/2 + 0.0500 x 1 = 0.1500: from the interactions",
        "Value = 0.25 x 0.2500 + 0.75 x 0.1500 = 0.1750\n",
        "Too many states for all to be followed: the value is exact to within 0.0500\n"}) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  }
  d.interactions.resize(2);
  d.interactions[1].chance = {2, 0.95, 0};
  CHECK(explain_text(scene, bouncy(1), d).find("Interaction 2 of 2, , probability 0.9500 (BID only)") !=
        std::string::npos);
  CHECK(explain_text(scene, bouncy(1), d).find("Interaction 1 of 2, \n") != std::string::npos);
  d.value_error = 0;
  CHECK(explain_text(scene, bouncy(1), d).find("Too many states") == std::string::npos);
}

TEST_CASE(
    "[explain] text of a target: its trajectories, what its hits move, and what the novelty changes of "
    "that") {
  const Scene scene = scene_of({block("RectFat", Material::stone, 0, ground),
                                block("RectFat", Material::stone, 4, ground), pig("BasicSmall", 8, ground)});
  const auto trajectory = [](double angle, double time, bool upper) {
    Trajectory t;
    t.shot.angle = radians(angle);
    t.time = time;
    t.upper = upper;
    return t;
  };
  TargetOutcome outcome;
  outcome.target = {0, {trajectory(10, 1, false), trajectory(12.5, 1.25, false), trajectory(60, 2.5, true)}};
  outcome.impact_score = 2;
  outcome.detectable = {0, 2};
  Hit hit;
  hit.impacted = {moved(0, {3, 6}), moved(1, {4})};
  hit.impacted_novel = {moved(0, {3, 7}), moved(2, {5})};
  outcome.hits = {hit};
  const std::string name = "    #0 stone RectFat, impact score 2",
                    lower = "      by lower trajectory: 10.00 deg (1.00 s), 12.50 deg (1.25 s)\n",
                    upper = "      by upper trajectory: 60.00 deg (2.50 s)\n",
                    moves =
                        "        #0 stone RectFat: case 3 directly hit and slides, case 6 slides and stops "
                        "(by hand)\n"
                        "          with the novelty: case 3 directly hit and slides, case 7 slides and "
                        "falls (by hand)\n"
                        "        #1 stone RectFat: case 4 falls without rotating (by hand)\n"
                        "          with the novelty: does not move\n"
                        "        #2 pig BasicSmall: only with the novelty: case 5 falls while rotating (by "
                        "hand)\n",
                    shows = "      makes the novelty visible in #0 stone RectFat, #2 pig BasicSmall\n";
  CHECK(explain_target(scene, outcome, false, 1) ==
        name + "\n" + lower + upper + "      moves 2 objects:\n" + moves + shows);
  CHECK(explain_target(scene, outcome, true, 1).find(name + ", best target\n") == 0);
  CHECK(explain_target(scene, outcome, true, 3).find(name + ", one of 3 best targets\n") == 0);
  // Of several best trajectories each says its angle. What moves alike in both worlds is said once.
  outcome.target.trajectories.pop_back();
  outcome.hits = {{.trajectory = 0, .impacted = {moved(1, {6})}, .impacted_novel = {moved(1, {6})}},
                  {.trajectory = 1}};
  outcome.detectable.clear();
  CHECK(explain_target(scene, outcome, false, 1) ==
        name + "\n" + lower +
            "      moves 1 object by 10.00 deg:\n"
            "        #1 stone RectFat: case 6 slides and stops (by hand)\n"
            "      moves 0 objects by 12.50 deg:\n"
            "      makes nothing visible\n");
  // A chance is no more than a chance.
  const auto says = [&](const std::string& end) {
    INFO(explain_target(scene, outcome, false, 1));
    CHECK(explain_target(scene, outcome, false, 1).ends_with("\n      " + end + "\n"));
  };
  outcome.p_visible = 0.4;
  says("is not likely to make the novelty visible");
  outcome.detectable = {0};
  outcome.p_visible = 0.6;
  says("is likely to make the novelty visible in #0 stone RectFat");
  outcome.p_visible = 1;
  says("makes the novelty visible in #0 stone RectFat");
}

TEST_CASE("[explain] text of the extended method: targets are likely to make a novelty visible, or not") {
  const Scene scene = two_blocks();
  const auto text = [&](Method method) {
    return explain_text(scene, bouncy(1), compute_difficulty(scene, bouncy(1), {.method = method}));
  };
  CHECK(text(Method::extended).find("Targets likely to make the novelty visible (n = ") != std::string::npos);
  CHECK(text(Method::published).find("Targets that make the novelty visible (n = 1)") != std::string::npos);
}

TEST_CASE("[explain] text of the extended method: chances have four digits") {
  const Scene scene = two_blocks();
  Difficulty d = compute_difficulty(scene, bouncy(1));
  d.interactions.front().counts = {
      .targets = 2, .detectable = 1, .chances = {{.targets = 5.0 / 6, .nothing = 1.0 / 3}}};
  d.interactions.front().best_shots.front().p_visible = 1.0 / 3;
  const std::string text = explain_text(scene, bouncy(1), d);
  for (const char* part : {"an expected n = 0.8333; that none makes it visible has chance 0.3333\n",
                           "makes the novelty visible with chance 0.3333"}) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(text.find("0.33333") == std::string::npos);
}

TEST_CASE("[explain] text and JSON: what is best is called so, and nothing else") {
  const Scene scene = two_blocks();
  Difficulty d = compute_difficulty(scene, bouncy(1), {.method = Method::published});
  Interaction& first = d.interactions[0];
  first.best_shots.erase(first.best_shots.begin());  // the second alone is shot at
  first.best = 1;
  first.best_shots[0].probability = 1;
  const std::string text = explain_text(scene, bouncy(1), d);
  INFO(text);
  for (const char* part :
       {"    #0 stone RectFat, impact score 1\n", "    #1 stone RectFat, impact score 1, best target\n",
        "2 birds, qualitative state update\n"})
    CHECK(text.find(part) != std::string::npos);
  const auto json = nlohmann::json::parse(explain_json(scene, bouncy(1), d));
  CHECK(json.at("interactions").at(0).at("targets").at(0).at("best") == false);
  CHECK(json.at("interactions").at(0).at("targets").at(1).at("best") == true);
  d.method = Method::extended;
  CHECK(explain_text(scene, bouncy(1), d).find("2 birds, qualitative state update, extended method\n") !=
        std::string::npos);
}

TEST_CASE("[explain] text: chances are said with four digits") {
  const Scene scene = two_blocks();
  Difficulty d = compute_difficulty(scene, bouncy(1), {.method = Method::published});
  Interaction& first = d.interactions[0];
  first.counts.chances = VisibilityChances{.targets = 0.123456, .nothing = 0.876543};
  first.best_shots[0].p_visible = 0.234567;
  first.best_shots[1].p_visible = 0.345678;
  first.chance.reached = 0.456789;
  d.ends.pid = {{1, 0.567891, 0.95}};
  d.value_error = 0.012345;
  d.alpha = 0.123;
  const std::string text = explain_text(scene, bouncy(1), d);
  INFO(text);
  for (const char* part :
       {"an expected n = 0.1235; that none makes it visible has chance 0.8765\n",
        "M = (2 - 0.1235)/2 = 0.9383\n", "makes the novelty visible with chance 0.2346; then known",
        "makes the novelty visible with chance 0.3457\n",
        "makes the novelty visible with probability 0.2901\n",  // the mean of both
        ", probability 0.4568\n", "PID = 0.9500 x (1 - 1 + 0.5679)/2 + 0.0500 x 1 = ",
        "the value is exact to within 0.0123\n", "Value = 0.12 x 0.2500 + 0.88 x "})
    CHECK(text.find(part) != std::string::npos);
}
