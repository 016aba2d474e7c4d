#include "difficulty/explain.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

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
  for (std::size_t c = 1; c <= 9; ++c)
    if (cases[c]) texts.push_back("case " + std::to_string(c) + " " + case_name(c));
  return join(texts);
}

std::vector<std::size_t> novel_objects(const Scene& scene, const Novelty& novelty) {
  Scene novel = scene;
  apply(novelty, novel);
  std::vector<std::size_t> objects;
  for (std::size_t i = 0; i < novel.objects.size(); ++i)
    if (novel.objects[i].novel && novel.objects[i].alive) objects.push_back(i);
  return objects;
}

std::string trajectories_text(const std::vector<Trajectory>& trajectories, bool upper) {
  std::vector<std::string> texts;
  for (const Trajectory& trajectory : trajectories)
    if (trajectory.upper == upper)
      texts.push_back(number(degrees(trajectory.shot.angle), 2) + " deg (" + number(trajectory.time, 2) + " s)");
  return texts.empty() ? "" : std::string("      by ") + (upper ? "upper" : "lower") + " trajectory: " + join(texts) + "\n";
}

const ImpactedObject* find(const std::vector<ImpactedObject>& impacted, std::size_t object) {
  const auto found = std::find_if(impacted.begin(), impacted.end(), [&](const ImpactedObject& o) { return o.object == object; });
  return found == impacted.end() ? nullptr : &*found;
}

/// The objects moved in the normal world, each with what is different in the novel one.
std::string impacted_text(const Scene& scene, const TargetOutcome& outcome) {
  std::string text;
  for (const ImpactedObject& moved : outcome.impacted) {
    text += "        " + label(scene, moved.object) + ": " + describe(moved.cases) + " (" + moved.reason + ")\n";
    const ImpactedObject* novel = find(outcome.impacted_novel, moved.object);
    if (novel == nullptr) text += "          with the novelty: does not move\n";
    else if (novel->cases != moved.cases)
      text += "          with the novelty: " + describe(novel->cases) + " (" + novel->reason + ")\n";
  }
  for (const ImpactedObject& moved : outcome.impacted_novel)
    if (find(outcome.impacted, moved.object) == nullptr)
      text += "        " + label(scene, moved.object) + ": only with the novelty: " + describe(moved.cases) + " (" +
              moved.reason + ")\n";
  return text;
}

std::string interaction_text(const Scene& scene, const Interaction& interaction) {
  const InteractionCounts& counts = interaction.counts;
  const std::string N = std::to_string(counts.targets), n = std::to_string(counts.detectable);
  std::string text = "  Targets (N = " + N + "):\n";
  for (std::size_t i = 0; i < interaction.targets.size(); ++i)
    text += explain_target(scene, interaction.targets[i], interaction.best == i);
  std::vector<std::size_t> showing;
  for (const TargetOutcome& outcome : interaction.targets)
    if (!outcome.detectable.empty()) showing.push_back(outcome.target.object);
  text += "  Targets that show the novelty (n = " + n + ")" + (showing.empty() ? "" : ": " + labels(scene, showing)) + "\n";
  text += "  M = " + (counts.targets == 0 ? std::string("1, as there are no targets")
                                          : "(" + N + " - " + n + ")/" + N + " = " + number(share_undetectable(counts), 4)) +
          "\n";
  if (!interaction.best) return text + "  No target to shoot at: the bird is spent, the state stays\n";
  const TargetOutcome& best = interaction.targets[*interaction.best];
  const auto ties = std::count_if(interaction.targets.begin(), interaction.targets.end(),
                                  [&](const TargetOutcome& o) { return o.impact_score == best.impact_score; });
  text += "  Best target: " + label(scene, best.target.object) + ", score " + std::to_string(best.impact_score) +
          (ties > 1 ? ", the first of " + std::to_string(ties) + " with the highest score" : ", the highest") +
          (counts.best_detectable ? "; it shows the novelty\n" : "; it shows nothing\n");
  if (!interaction.found_normal.empty()) text += "  Now known not to be novel: " + join(interaction.found_normal) + "\n";
  return text;
}

std::string sums_text(const Difficulty& d) {
  const std::string B = std::to_string(d.birds);
  std::string text;
  if (d.birds == 0) {
    text = "No bird is left, nothing can be detected: PID = BID = 1\n";
  } else {
    text = "PID = (";
    for (std::size_t i = 0; i < d.pid_interactions; ++i)
      text += (i == 0 ? "" : " + ") + number(share_undetectable(d.interactions[i].counts), 4);
    text += ")/" + B + " = " + number(d.pid, 4);
    text += d.interactions[d.pid_interactions - 1].counts.detectable > 0
                ? ": M of interaction " + std::to_string(d.pid_interactions) + " is not 1, which ends the sum\n"
                : ": no interaction can show the novelty\n";
    const auto at = d.detected_at();
    text += at ? "BID = (" + std::to_string(*at) + " - 1)/" + B + " = " + number(d.bid, 4) + ": the best target of interaction " +
                     std::to_string(*at) + " shows the novelty\n"
               : "BID = 1: no best target shows the novelty\n";
  }
  return text + "Value = " + number(d.alpha, 2) + " x " + number(d.pid, 4) + " + " + number(1 - d.alpha, 2) + " x " +
         number(d.bid, 4) + " = " + number(d.value, 4) + "\n";
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
    for (int c = 1; c <= 9; ++c)
      if (moved.cases[static_cast<std::size_t>(c)]) entry["cases"].push_back(c);
    entry["reason"] = moved.reason;
    list.push_back(entry);
  }
  return list;
}

Json target_json(const Scene& scene, const TargetOutcome& outcome) {
  Json json = object_json(scene, outcome.target.object);
  json["trajectories"] = Json::array();
  for (const Trajectory& t : outcome.target.trajectories)
    json["trajectories"].push_back({{"parabola", t.upper ? "upper" : "lower"},
                                    {"angle_deg", degrees(t.shot.angle)},
                                    {"time_s", t.time},
                                    {"aim", {t.aim.x, t.aim.y}}});
  json["impact_score"] = outcome.impact_score;
  json["impacted"] = impacted_json(scene, outcome.impacted);
  json["impacted_with_novelty"] = impacted_json(scene, outcome.impacted_novel);
  json["detectable"] = outcome.detectable;
  return json;
}

}  // namespace

const char* case_name(std::size_t number) {
  static constexpr std::array<const char*, 10> names{"", "directly hit and destroyed", "directly hit and flips", "directly hit and slides", "falls without rotating",
                                                     "falls while rotating", "slides and stops", "slides and falls", "flips and stops", "flips and falls"};
  return names[number];
}

std::string explain_target(const Scene& scene, const TargetOutcome& outcome, bool best) {
  std::string text = "    " + label(scene, outcome.target.object) + ", impact score " + std::to_string(outcome.impact_score) +
                     (best ? ", best target\n" : "\n");
  text += trajectories_text(outcome.target.trajectories, false) + trajectories_text(outcome.target.trajectories, true);
  text += "      moves " + plural(outcome.impacted.size(), "object") + ":\n" + impacted_text(scene, outcome);
  text += outcome.detectable.empty() ? "      shows nothing\n"
                                     : "      shows the novelty in " + labels(scene, outcome.detectable) + "\n";
  return text;
}

std::vector<ExplanationPart> explain_parts(const Scene& scene, const Novelty& novelty, const Difficulty& difficulty) {
  const std::vector<std::size_t> novel = novel_objects(scene, novelty);
  std::string text = "Novelty " + novelty.name + ": " + novelty.description + "\n";
  text += plural(novel.size(), "novel object") + (novel.empty() ? "" : ": " + labels(scene, novel)) + "\n";
  text += std::string("The agent searches by ") + name(difficulty.search_space.grouping) + ": " +
          join(difficulty.search_space.groups) + "\n";
  text += plural(difficulty.birds, "bird") + ", " + name(difficulty.state_update) + " state update" + (difficulty.method == Method::extended ? ", extended method" : "") + "\n";
  std::vector<ExplanationPart> parts{{"Novelty " + novelty.name, text}};
  for (std::size_t i = 0; i < difficulty.interactions.size(); ++i) {
    const Interaction& interaction = difficulty.interactions[i];
    const std::string title = "Interaction " + std::to_string(i + 1) + " of " + std::to_string(difficulty.birds) + ", " + interaction.bird +
                              (i < difficulty.pid_interactions ? "" : " (BID only)");
    parts.push_back({title, title + "\n" + interaction_text(scene, interaction)});
  }
  parts.push_back({"Sums", sums_text(difficulty)});
  return parts;
}

std::string explain_text(const Scene& scene, const Novelty& novelty, const Difficulty& difficulty) {
  std::string text;
  for (const ExplanationPart& part : explain_parts(scene, novelty, difficulty)) text += (text.empty() ? "" : "\n") + part.text;
  return text;
}

std::string explain_json(const Scene& scene, const Novelty& novelty, const Difficulty& difficulty) {
  Json json{{"novelty", novelty.name},
            {"description", novelty.description},
            {"birds", difficulty.birds},
            {"alpha", difficulty.alpha},
            {"state_update", name(difficulty.state_update)},
            {"method", name(difficulty.method)},
            {"novel_objects", novel_objects(scene, novelty)},
            {"search_space", {{"grouping", name(difficulty.search_space.grouping)}, {"groups", difficulty.search_space.groups}}},
            {"interactions", Json::array()}};
  for (const Interaction& interaction : difficulty.interactions) {
    Json entry{{"bird", interaction.bird},
               {"N", interaction.counts.targets},
               {"n", interaction.counts.detectable},
               {"M", share_undetectable(interaction.counts)},
               {"best_target", nullptr},
               {"best_target_detectable", interaction.counts.best_detectable},
               {"found_normal", interaction.found_normal},
               {"targets", Json::array()}};
    if (interaction.best) entry["best_target"] = interaction.targets[*interaction.best].target.object;
    for (const TargetOutcome& outcome : interaction.targets) entry["targets"].push_back(target_json(scene, outcome));
    json["interactions"].push_back(std::move(entry));
  }
  json["pid"] = difficulty.pid;
  json["pid_interactions"] = difficulty.pid_interactions;
  json["bid"] = difficulty.bid;
  json["detected_at"] = nullptr;
  if (const auto at = difficulty.detected_at()) json["detected_at"] = *at;
  json["value"] = difficulty.value;
  return json.dump(2);
}

}  // namespace startle
