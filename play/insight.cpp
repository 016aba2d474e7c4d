#include "play/insight.hpp"

#include <algorithm>
#include <chrono>

#include "core/hash.hpp"
#include "reasoning/qualitative/detectability.hpp"
#include "sim/world.hpp"

namespace startle {
namespace {

constexpr std::size_t most_kept = 24;

Influence influence_of(const Scene& scene, const SupportGraph& graph, std::size_t object) {
  Influence influence;
  influence.vertical = vertical_impact(scene, graph, object);
  if (scene.objects[object].is_static() || scene.birds_left() == 0) return influence;
  const BirdType& bird = scene.profile->bird(scene.birds[scene.next_bird]);
  influence.horizontal = horizontal_influence(scene, graph, object, bird);
  influence.speed = speed_at_height(scene, bird, graph.geometry.shapes[object].centroid.y);
  influence.damage = bird_damage(scene, scene.objects[object], bird, influence.speed);
  return influence;
}

ObjectDetectability detectability_of(const Scene& normal, const Scene& novel, std::size_t object,
                                     const Interaction* next) {
  ObjectDetectability result;
  if (!novel.objects[object].novel || !novel.objects[object].alive) return result;
  result.novel = true;
  for (const ParameterInfo& info : parameter_table) {
    const double before = normal.objects[object].parameters.*info.member,
                 now = novel.objects[object].parameters.*info.member;
    if (before != now)
      result.changes.push_back({info.parameter, before, now, detecting_cases(info.parameter)});
  }
  if (next == nullptr) return result;
  for (const TargetOutcome& outcome : next->targets) {
    if (std::find(outcome.detectable.begin(), outcome.detectable.end(), object) != outcome.detectable.end())
      result.detectable_by.push_back(outcome.target.object);
    const bool moves = std::any_of(outcome.hits.begin(), outcome.hits.end(), [&](const Hit& hit) {
      return std::any_of(hit.impacted_novel.begin(), hit.impacted_novel.end(),
                         [&](const ImpactedObject& o) { return o.object == object; });
    });
    if (moves) result.moved_by.push_back(outcome.target.object);
  }
  return result;
}

/// Of all that an insight depends on.
std::uint64_t digest_of(const Scene& scene, const std::optional<Novelty>& novelty, Method method) {
  Hash digest;
  digest.add(scene.profile->name);
  digest.add(scene.slingshot.x);
  digest.add(scene.slingshot.y);
  for (std::size_t i = scene.next_bird; i < scene.birds.size(); ++i) digest.add(scene.birds[i]);
  for (const SceneObject& object : scene.objects) {
    digest.add(static_cast<std::uint64_t>(object.kind));
    digest.add(static_cast<std::uint64_t>(object.material));
    digest.add(object.type);
    digest.add(static_cast<std::uint64_t>(object.alive));
    digest.add(object.life);
    digest.add(object.pose.position.x);
    digest.add(object.pose.position.y);
    digest.add(object.pose.angle);
  }
  digest.add(novelty ? novelty->name + " " + novelty->description : std::string());
  digest.add(static_cast<std::uint64_t>(method));
  return digest.value();
}

}  // namespace

Scene without_novelty(const Scene& scene, const Scene& start) {
  Scene normal = scene;
  remove_novelty(normal, start);
  return at_rest(scene) ? taken_at_rest(std::move(normal)) : normal;
}

const TargetOutcome* Insight::outcome(std::size_t object) const {
  if (next() == nullptr) return nullptr;
  const auto& targets = next()->targets;
  const auto found = std::find_if(targets.begin(), targets.end(),
                                  [&](const TargetOutcome& o) { return o.target.object == object; });
  return found == targets.end() ? nullptr : &*found;
}

Insight make_insight(const Scene& normal, const Novelty* novelty, Method method) {
  Insight insight;
  insight.scene = normal;
  if (novelty != nullptr) insight.novelty = *novelty;
  insight.graph = support_graph(normal);
  insight.influences.resize(normal.objects.size());
  for (std::size_t i = 0; i < normal.objects.size(); ++i)
    if (normal.objects[i].alive) insight.influences[i] = influence_of(normal, insight.graph, i);
  // Without a novelty the rollout through the states still gives targets, and what hits move in the normal
  // world.
  const bool predicted = novelty != nullptr && method == Method::extended && covers(method, *novelty);
  insight.difficulty = compute_difficulty(
      normal, insight.novelty,
      {.method = method, .predict = predicted ? Predict::detection_by_object : Predict::nothing});
  insight.detectability.resize(normal.objects.size());
  if (novelty == nullptr) return insight;
  Scene novel = normal;
  apply(*novelty, novel);
  for (std::size_t i = 0; i < normal.objects.size(); ++i)
    insight.detectability[i] = detectability_of(normal, novel, i, insight.next());
  insight.explanation = explain_parts(normal, *novelty, insight.difficulty);
  if (!predicted || normal.birds_left() == 0 || normal.cleared()) return insight;
  ExplanationPart why{.title = "Why it is easy or hard", .text = {}};
  for (const std::string& line : level_reasons(normal, *novelty)) why.text += line + "\n";
  insight.explanation.insert(insight.explanation.begin(), std::move(why));
  return insight;
}

std::shared_ptr<const Insight> Insights::of(const Scene& scene, const Scene& start,
                                            const std::optional<Novelty>& novelty, Method method) {
  if (work_.valid() && work_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    kept_.emplace_back(working_on_, work_.get());
    if (kept_.size() > most_kept) kept_.erase(kept_.begin());
  }
  const Key key = digest_of(scene, novelty, method);
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const auto& entry) { return entry.first == key; });
  if (found != kept_.end()) {
    std::rotate(found, found + 1, kept_.end());
    return kept_.back().second;
  }
  if (!work_.valid()) {
    working_on_ = key;
    work_ = std::async(std::launch::async, [normal = without_novelty(scene, start), novelty, method] {
      return std::make_shared<const Insight>(make_insight(normal, novelty ? &*novelty : nullptr, method));
    });
  }
  return nullptr;
}

}  // namespace startle
