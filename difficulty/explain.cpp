#include "difficulty/explain.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "difficulty/ordered_scene.hpp"
#include "difficulty/played_level.hpp"
#include "difficulty/tiers.hpp"

namespace startle {

namespace {

std::string number(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string plural(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string label(const Scene& scene, std::size_t index) {
  return "#" + std::to_string(index) + " " + appearance(scene.objects[index]);
}

std::string join(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

std::string labels(const Scene& scene, const std::vector<std::size_t>& objects) {
  std::vector<std::string> names;
  for (std::size_t object : objects) names.push_back(label(scene, object));
  return join(names);
}

std::string describe(const Cases& cases) {
  std::vector<std::string> texts;
  for (movement::Case c : movement::all)
    if (cases[c]) texts.push_back("case " + std::to_string(c) + " " + movement::name(c));
  return join(texts);
}

std::vector<std::size_t> novel_objects(const Scene& scene, const Novelty& novelty) {
  Scene novel = scene;
  apply(novelty, novel);
  const OrderedScene ordered(scene);
  std::vector<std::size_t> objects;
  for (std::size_t i : ordered.numbers())
    if (novel.objects[i].novel && novel.objects[i].alive) objects.push_back(i);
  return objects;
}

std::vector<std::string> known_groups(const SearchSpace& space) {
  std::vector<std::string> known;
  for (std::size_t g = 0; g < space.groups.size(); ++g)
    if (space.known_normal[g]) known.push_back(space.groups[g]);
  return known;
}

std::string trajectories_text(const std::vector<Trajectory>& trajectories, bool upper) {
  std::vector<std::string> texts;
  for (const Trajectory& trajectory : trajectories)
    if (trajectory.upper == upper)
      texts.push_back(number(degrees(trajectory.shot.angle), 2) + " deg (" + number(trajectory.time, 2) +
                      " s)");
  return texts.empty()
             ? ""
             : std::string("      by ") + (upper ? "upper" : "lower") + " trajectory: " + join(texts) + "\n";
}

/// The objects moved in the normal world, each with what is different in the novel one.
std::string impacted_text(const Scene& scene, const Hit& hit) {
  std::string text;
  for (const ImpactedObject& moved : hit.impacted) {
    text += "        " + label(scene, moved.object) + ": " + describe(moved.cases) + " (" + moved.reason +
            ")\n";
    const ImpactedObject* novel = find_impacted(hit.impacted_novel, moved.object);
    if (novel == nullptr)
      text += "          with the novelty: does not move\n";
    else if (novel->cases != moved.cases)
      text += "          with the novelty: " + describe(novel->cases) + " (" + novel->reason + ")\n";
  }
  for (const ImpactedObject& moved : hit.impacted_novel)
    if (find_impacted(hit.impacted, moved.object) == nullptr)
      text += "        " + label(scene, moved.object) + ": only with the novelty: " + describe(moved.cases) +
              " (" + moved.reason + ")\n";
  return text;
}

/// Angle of a best shot, where the target has several best trajectories; else empty.
std::string by_trajectory(const TargetOutcome& outcome, const Hit& hit) {
  if (outcome.hits.size() < 2) return "";
  return " by " + number(degrees(outcome.target.trajectories[hit.trajectory].shot.angle), 2) + " deg";
}

std::string visibility_text(const BestShot& shot) {
  if (shot.p_visible == 1) return "makes the novelty visible";
  return (shot.p_visible == 0 ? "makes nothing visible"
                              : "makes the novelty visible with chance " + number(shot.p_visible, 4)) +
         (shot.found_normal.empty() ? "" : "; then known not to be novel: " + join(shot.found_normal));
}

/// The best target, or those that tie, and what the next shot comes to.
std::string best_text(const Scene& scene, const Interaction& interaction) {
  const TargetOutcome& best = interaction.targets[*interaction.best];
  const std::size_t ties = interaction.best_targets().size();
  const std::string score = "score " + std::to_string(best.impact_score);
  const std::size_t tied = interaction.tied_targets();
  const std::string one = "  Best target: " + label(scene, best.target.object) + ", " + score +
                          ", the highest; " +
                          (tied > ties ? "the first of " + std::to_string(tied) + " that tie; " : "");
  if (interaction.best_shots.size() == 1)
    return one + "it " + visibility_text(interaction.best_shots.front()) + "\n";
  std::string text = ties == 1 ? one + "of equally likely best shots\n"
                               : "  Best targets: " + std::to_string(ties) + " tie with " + score +
                                     ", each equally likely; of their best shots\n";
  for (const BestShot& shot : interaction.best_shots) {
    const TargetOutcome& outcome = interaction.targets[shot.target];
    text += "    " + number(shot.probability, 4) + " " + label(scene, outcome.target.object) +
            by_trajectory(outcome, outcome.hits[shot.hit]) + " " + visibility_text(shot) + "\n";
  }
  return text + "  The next shot makes the novelty visible with probability " +
         number(interaction.best_detectable(), 4) + "\n";
}

/// How likely best shots are detected, and by which objects most likely.
std::string detection_text(const Scene& scene, const Interaction& interaction) {
  constexpr std::size_t most_objects = 4;
  std::string text;
  for (const BestShot& shot : interaction.best_shots) {
    const TargetOutcome& outcome = interaction.targets[shot.target];
    const std::optional<ShotDetection>& detection = outcome.hits[shot.hit].detection;
    if (!detection) continue;
    std::vector<std::string> objects;
    for (const DetectionByObject& by : detection->objects)
      if (objects.size() < most_objects)
        objects.push_back(label(scene, by.object) + " " + number(by.alone, 2));
    text += "    " + label(scene, outcome.target.object) + by_trajectory(outcome, outcome.hits[shot.hit]) +
            ": " + number(detection->chance, 2) +
            (objects.empty() ? "" : "; by one object alone: " + join(objects)) + "\n";
  }
  return text.empty() ? "" : "  Chance that the reference observer detects a best shot at\n" + text;
}

std::string interaction_text(const Scene& scene, const Interaction& interaction) {
  const InteractionCounts& counts = interaction.counts;
  const std::string N = std::to_string(counts.targets), n = std::to_string(counts.detectable);
  const std::vector<std::size_t> best = interaction.best_targets();
  std::string text = "  Targets (N = " + N + "):\n";
  for (std::size_t i = 0; i < interaction.targets.size(); ++i)
    text += explain_target(scene, interaction.targets[i], std::count(best.begin(), best.end(), i) > 0,
                           best.size());
  std::vector<std::size_t> visible;
  for (const TargetOutcome& outcome : interaction.targets)
    if (!outcome.detectable.empty()) visible.push_back(outcome.target.object);
  text += std::string("  Targets ") + (counts.chances ? "likely to" : "that") +
          " make the novelty visible (n = " + n + ")" +
          (visible.empty() ? "" : ": " + labels(scene, visible)) + "\n";
  if (counts.chances)
    text += "  With the chance of each, an expected n = " + number(counts.expected(), 4) +
            "; that none makes it visible has chance " + number(counts.nothing(), 4) + "\n";
  text += "  M = " +
          (counts.targets == 0 ? std::string("1, as there are no targets")
                               : "(" + N + " - " + (counts.chances ? number(counts.expected(), 4) : n) +
                                     ")/" + N + " = " + number(share_undetectable(counts), 4)) +
          "\n";
  if (!interaction.best) return text + "  No target to shoot at: the bird is spent, the state stays\n";
  return text + best_text(scene, interaction) + detection_text(scene, interaction);
}

/// "0.25 x (1 - 1 + 0.5)/2 + ..." of all ends, and of what never ends. A probability of 1 is left out.
std::string terms(const std::vector<RolloutEnd>& ends, std::size_t birds, bool with_m) {
  std::string text;
  double rest = 1;
  const std::string B = std::to_string(birds);
  const auto add = [&](double probability, const std::string& outcome) {
    text += (text.empty() ? "" : " + ") + (probability > 1 - 1e-9 ? "" : number(probability, 4) + " x ") +
            outcome;
  };
  // Ends with the same outcome are one term.
  std::map<std::pair<std::size_t, double>, double> outcomes;
  for (const RolloutEnd& end : ends) {
    outcomes[{end.interaction, end.undetectable}] += end.probability;
    rest -= end.probability;
  }
  for (const auto& [end, probability] : outcomes)
    add(probability,
        "(" + std::to_string(end.first) + " - 1" + (with_m ? " + " + number(end.second, 4) : "") + ")/" + B);
  if (rest > 1e-9) add(rest, "1");
  return text;
}

std::string sums_text(const Difficulty& d) {
  std::string text;
  if (d.birds == 0) {
    text = "No bird is left, nothing can be detected: PID = BID = 1\n";
  } else {
    text = "PID = " + terms(d.ends.pid, d.birds, true) + " = " + number(d.pid, 4) +
           (d.ends.pid.empty() ? ": no interaction can make the novelty visible\n"
                               : ": where M of an interaction is not 1 the sum ends\n");
    text += "BID = " + terms(d.ends.bid, d.birds, false) + " = " + number(d.bid, 4) +
            (d.ends.bid.empty() ? ": no best target makes the novelty visible\n"
                                : ": from the interactions at which a best shot makes the novelty visible\n");
  }
  text += "Value = " + number(d.alpha, 2) + " x " + number(d.pid, 4) + " + " + number(1 - d.alpha, 2) +
          " x " + number(d.bid, 4) + " = " + number(d.value, 4) +
          (d.value == 1 ? ": the novelty cannot be detected\n" : "\n");
  if (d.detection) {
    text += "The reference observer detects " + number(d.detection->best, 2) + " of best first shots, " +
            number(d.detection->random, 2) + " of random ones, and one bird at least with chance " +
            number(d.detection->any, 2);
    if (d.detection->shots)
      text += "; " + number(*d.detection->shots, 1) + " best shots to the first detected";
    text += "\n";
  }
  if (d.value_error > 0)
    text += "Too many states for all to be followed: the value is exact to within " +
            number(d.value_error, 4) + "\n";
  return text;
}

using Json = nlohmann::ordered_json;

Json object_json(const Scene& scene, std::size_t index) {
  return {{"object", index}, {"appearance", appearance(scene.objects[index])}};
}

Json impacted_json(const Scene& scene, const std::vector<ImpactedObject>& impacted) {
  Json list = Json::array();
  for (const ImpactedObject& moved : impacted) {
    Json entry = object_json(scene, moved.object);
    entry["cases"] = Json::array();
    for (movement::Case c : movement::all)
      if (moved.cases[c]) entry["cases"].push_back(static_cast<int>(c));
    entry["reason"] = moved.reason;
    list.push_back(entry);
  }
  return list;
}

Json target_json(const Scene& scene, const TargetOutcome& outcome, bool best) {
  Json json = object_json(scene, outcome.target.object);
  json["best"] = best;
  json["trajectories"] = Json::array();
  for (const Trajectory& t : outcome.target.trajectories)
    json["trajectories"].push_back({{"parabola", t.upper ? "upper" : "lower"},
                                    {"angle_deg", degrees(t.shot.angle)},
                                    {"time_s", t.time},
                                    {"aim", {t.aim.x, t.aim.y}}});
  json["impact_score"] = outcome.impact_score;
  json["detectable"] = outcome.detectable;
  json["best_hits"] = Json::array();
  for (const Hit& hit : outcome.hits)
    json["best_hits"].push_back({{"trajectory", hit.trajectory},
                                 {"impacted", impacted_json(scene, hit.impacted)},
                                 {"impacted_with_novelty", impacted_json(scene, hit.impacted_novel)},
                                 {"detectable", hit.detectable}});
  return json;
}

Json end_json(const std::vector<RolloutEnd>& ends, bool with_m) {
  Json list = Json::array();
  for (const RolloutEnd& end : ends) {
    list.push_back({{"interaction", end.interaction}, {"probability", end.probability}});
    if (with_m) list.back()["M"] = end.undetectable;
  }
  return list;
}

Json best_shot_json(const Interaction& interaction, const BestShot& shot) {
  const TargetOutcome& outcome = interaction.targets[shot.target];
  Json json{{"object", outcome.target.object},
            {"trajectory", outcome.hits[shot.hit].trajectory},
            {"probability", shot.probability},
            {"p_visible", shot.p_visible},
            {"found_normal", shot.found_normal}};
  if (const std::optional<ShotDetection>& detection = outcome.hits[shot.hit].detection) {
    json["detected"] = detection->chance;
    json["detected_by"] = Json::array();
    for (const DetectionByObject& by : detection->objects)
      json["detected_by"].push_back({{"object", by.object}, {"alone", by.alone}});
  }
  return json;
}

Json interaction_json(const Scene& scene, const Interaction& interaction) {
  const std::vector<std::size_t> best = interaction.best_targets();
  Json json{{"interaction", interaction.chance.interaction},
            {"probability", interaction.chance.reached},
            {"probability_pid", interaction.chance.pid},
            {"after", nullptr},
            {"after_hit", nullptr},
            {"bird", interaction.bird},
            {"N", interaction.counts.targets},
            {"n", interaction.counts.detectable},
            {"M", share_undetectable(interaction.counts)},
            {"best_targets", Json::array()},
            {"best_detectable", interaction.best_detectable()},
            {"best_shots", Json::array()},
            {"targets", Json::array()}};
  if (interaction.counts.chances) {
    json["expected_n"] = interaction.counts.expected();
    json["chance_of_nothing"] = interaction.counts.nothing();
  }
  if (interaction.after) json["after"] = *interaction.after;
  if (interaction.after_hit) json["after_hit"] = *interaction.after_hit;
  for (std::size_t t : best) json["best_targets"].push_back(interaction.targets[t].target.object);
  for (const BestShot& shot : interaction.best_shots)
    json["best_shots"].push_back(best_shot_json(interaction, shot));
  for (std::size_t t = 0; t < interaction.targets.size(); ++t)
    json["targets"].push_back(
        target_json(scene, interaction.targets[t], std::count(best.begin(), best.end(), t) > 0));
  return json;
}

}  // namespace

std::string explain_target(const Scene& scene, const TargetOutcome& outcome, bool best, std::size_t ties) {
  std::string text = "    " + label(scene, outcome.target.object) + ", impact score " +
                     std::to_string(outcome.impact_score) +
                     (!best      ? "\n"
                      : ties > 1 ? ", one of " + std::to_string(ties) + " best targets\n"
                                 : ", best target\n");
  text += trajectories_text(outcome.target.trajectories, false) +
          trajectories_text(outcome.target.trajectories, true);
  for (const Hit& hit : outcome.hits)
    text += "      moves " + plural(hit.impacted.size(), "object") + by_trajectory(outcome, hit) + ":\n" +
            impacted_text(scene, hit);
  const bool sure = outcome.p_visible == 0 || outcome.p_visible == 1;
  text += outcome.detectable.empty()
              ? std::string(sure ? "      makes nothing visible\n"
                                 : "      is not likely to make the novelty visible\n")
              : std::string(sure ? "      makes" : "      is likely to make") + " the novelty visible in " +
                    labels(scene, outcome.detectable) + "\n";
  return text;
}

std::vector<ExplanationPart> explain_parts(const Scene& scene, const Novelty& novelty,
                                           const Difficulty& difficulty) {
  const std::vector<std::size_t> novel = novel_objects(scene, novelty);
  std::string text = "Novelty " + novelty.name + ": " + novelty.description + "\n";
  text += plural(novel.size(), "novel object") + (novel.empty() ? "" : ": " + labels(scene, novel)) + "\n";
  const SearchSpace& space = difficulty.search_space;
  text += std::string("The agent searches by ") + name(space.grouping) + ": " + join(space.groups) + "\n";
  if (const std::vector<std::string> known = known_groups(space); !known.empty())
    text += "Known not to be novel: " + join(known) + "\n";
  text += plural(difficulty.birds, "bird") + ", " + difficulty.state_update + " state update" +
          (difficulty.method == Method::extended ? ", extended method" : "") +
          (difficulty.ties == Ties::first ? ", of best targets that tie the first in the level's file" : "") +
          "\n";
  std::vector<ExplanationPart> parts{{"Novelty " + novelty.name, text}};
  for (std::size_t i = 0; i < difficulty.interactions.size(); ++i) {
    const Interaction& interaction = difficulty.interactions[i];
    std::string title = "Interaction " + std::to_string(interaction.chance.interaction) + " of " +
                        std::to_string(difficulty.birds) + ", " + interaction.bird;
    if (interaction.after)
      title += interaction.after_hit ? ", after the shot at " + label(scene, *interaction.after_hit)
                                     : ", after no shot";
    if (interaction.chance.reached < 1 - 1e-9)
      title += ", probability " + number(interaction.chance.reached, 4);
    if (interaction.chance.pid == 0) title += " (BID only)";
    parts.push_back({title, title + "\n" + interaction_text(scene, interaction)});
  }
  parts.push_back({"Sums", sums_text(difficulty)});
  return parts;
}

namespace {

/// "2 wood RectFat, 1 pig BasicSmall": the most frequent ones first, three at most.
std::string novel_appearances(const Scene& novel) {
  std::map<std::string, std::size_t> counts;
  for (const SceneObject& object : novel.objects)
    if (object.alive && object.novel) ++counts[appearance(object)];
  std::vector<std::pair<std::string, std::size_t>> kinds(counts.begin(), counts.end());
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < kinds.size() && i < most; ++i)
    text += (i > 0 ? ", " : "") + std::to_string(kinds[i].second) + " " + kinds[i].first;
  return text + (kinds.size() > most ? " and others" : "");
}

/// Where the novel objects are among all that can move, in thirds from the slingshot on: "near", "in the
/// middle", "far", or where they are in more than one third, "from near to far" and the like.
std::string novel_place(const Scene& novel) {
  std::vector<double> all, changed;
  for (const SceneObject& object : novel.objects) {
    if (!object.alive || object.kind == Kind::platform) continue;
    const double away = std::fabs(object.pose.position.x - novel.slingshot.x);
    all.push_back(away);
    if (object.novel) changed.push_back(away);
  }
  if (changed.empty()) return "";
  const auto ends = std::minmax_element(all.begin(), all.end());
  const double nearest = *ends.first, width = std::max(*ends.second - nearest, 1e-9);
  const auto third = [&](double away) { return std::min(static_cast<int>(3 * (away - nearest) / width), 2); };
  const auto [first, last] = std::minmax_element(changed.begin(), changed.end());
  constexpr const char* names[] = {"near", "the middle", "far"};
  const int from = third(*first), to = third(*last);
  if (from != to) return std::string(", from ") + names[from] + " to " + names[to];
  return std::string(from == 1 ? ", in " : ", ") + names[from];
}

}  // namespace

std::vector<std::string> level_reasons(const OrderedScene& ordered, const Novelty& novelty) {
  const Scene& normal = ordered.scene();
  Scene novel = normal;
  apply(ordered.novelty(novelty), novel);
  const PredictedLevel level = predict_level(ordered, novelty);
  const auto alive = std::count_if(normal.objects.begin(), normal.objects.end(),
                                   [](const SceneObject& object) { return object.alive; });
  std::vector<std::string> lines{std::string(name(tier_of(level.p_level))) +
                                 ": a play of this level detects " + novelty.name + " (" +
                                 novelty.description + ") with a chance of " + number(level.p_level, 2)};
  const std::size_t changed = count_novel(novel);
  lines.push_back("  novel: " + (changed > 0
                                     ? std::to_string(changed) + " of " + std::to_string(alive) +
                                           " objects (" + novel_appearances(novel) + ")" + novel_place(novel)
                                     : std::string(novelty.world.any() ? "the world" : "nothing")));
  lines.push_back("  targets: shots at " + std::to_string(level.telling_targets) + " of " +
                  std::to_string(level.targets) + " are detected with a chance of " +
                  number(telling_p_detected, 1) + " or more");
  lines.push_back("  shots: the player's are detected with a chance of " +
                  number(level.player_p_detected, 2) + ", those at random targets of " +
                  number(level.mean_p_detected, 2) + ", the surest of " + number(level.max_p_detected, 2));
  lines.push_back("  length: a play has " + number(level.shots, 1) + " shots, of " +
                  std::to_string(normal.birds_left()) + " birds");
  return lines;
}

std::string explain_text(const Scene& scene, const Novelty& novelty, const Difficulty& difficulty) {
  std::string text;
  for (const ExplanationPart& part : explain_parts(scene, novelty, difficulty))
    text += (text.empty() ? "" : "\n") + part.text;
  return text;
}

std::string explain_json(const Scene& scene, const Novelty& novelty, const Difficulty& difficulty) {
  Json json{{"novelty", novelty.name},
            {"description", novelty.description},
            {"birds", difficulty.birds},
            {"alpha", difficulty.alpha},
            {"state_update", difficulty.state_update},
            {"method", name(difficulty.method)},
            {"ties", name(difficulty.ties)},
            {"novel_objects", novel_objects(scene, novelty)},
            {"search_space",
             {{"grouping", name(difficulty.search_space.grouping)},
              {"groups", difficulty.search_space.groups},
              {"known_normal", known_groups(difficulty.search_space)}}},
            {"interactions", Json::array()}};
  for (const Interaction& interaction : difficulty.interactions)
    json["interactions"].push_back(interaction_json(scene, interaction));
  json["pid"] = difficulty.pid;
  json["pid_ends"] = end_json(difficulty.ends.pid, true);
  json["bid"] = difficulty.bid;
  json["bid_ends"] = end_json(difficulty.ends.bid, false);
  json["detected_at"] = nullptr;
  if (const auto at = difficulty.detected_at()) json["detected_at"] = *at;
  json["value"] = difficulty.value;
  json["value_error"] = difficulty.value_error;
  if (difficulty.detection) {
    json["detected_best"] = difficulty.detection->best;
    json["detected_random"] = difficulty.detection->random;
    json["detected_any"] = difficulty.detection->any;
    json["detected_after"] = nullptr;
    if (difficulty.detection->shots) json["detected_after"] = *difficulty.detection->shots;
  }
  return json.dump(2);
}

}  // namespace startle
