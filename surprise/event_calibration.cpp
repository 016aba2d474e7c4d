#include "surprise/event_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/math.hpp"
#include "surprise/dynamics/context_ranks_json.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "startle-event-calibration";
constexpr int format_version = 2;
constexpr double alike = 0.3;         // distance up to which events are kept as one
constexpr double scenes_near = 3;     // an event is odd that is far from those of so many scenes
constexpr double least_share = 0.01;  // of the mean error or change, below which it counts as none

double squared_distance(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>((a[i] - b[i]) * (a[i] - b[i]));
  return sum;
}

float rounded(float value) { return std::round(value * 1000) / 1000; }

}  // namespace

const char* name(ClipEventKind kind) {
  constexpr std::array<const char*, clip_event_kinds> names{
      "frame", "appears", "missing", "returns", "moves", "changes", "path", "hides", "stops", "gone"};
  return names[static_cast<std::size_t>(kind)];
}

EventCalibration::EventCalibration(const std::vector<PossibleClip>& possible) {
  double errors = 0, changes = 0, frames = 0;
  for (const PossibleClip& clip : possible) {
    for (const double error : clip.surprise.errors.error) errors += error, ++frames;
    for (const double change : clip.surprise.errors.change) changes += change;
  }
  if (errors > 0) error_unit_ = errors / frames;
  if (changes > 0) change_unit_ = changes / frames;
  learn(possible);
  std::array<std::vector<ContextScore>, clip_event_kinds> normal;
  for (const PossibleClip& clip : possible) {
    if (clip.scene % 2 == 0) continue;
    ++ranked_;
    const auto found = oddest(clip.surprise);
    for (std::size_t k = 0; k < clip_event_kinds; ++k)
      if (found[k].context > 0) normal[k].push_back(found[k]);
  }
  if (ranked_ < least_normal_shots)
    throw Error("calibration: found " + std::to_string(ranked_) +
                " possible clips of every second scene, needed are at least " +
                std::to_string(least_normal_shots));
  for (std::size_t k = 0; k < clip_event_kinds; ++k) {
    if (normal[k].size() < least_normal_shots)
      for (const ContextScore& clip : normal[k]) kinds_[k].few.push_back(clip.score);
    kinds_[k].ranks = rank_contexts(std::move(normal[k]));
  }
  std::vector<ContextScore> scores;
  for (const PossibleClip& clip : possible)
    if (clip.scene % 2 == 1) scores.push_back(score(clip.surprise));
  combined_ = rank_contexts(std::move(scores));
}

std::vector<ClipEvent> EventCalibration::events_of(const ClipSurprise& clip) const {
  if (clip.events) return *clip.events;
  std::vector<ClipEvent> events;
  const auto in_units = [](double value, double unit) {
    return static_cast<float>(math::log(std::max(0.0, value) / unit + least_share));
  };
  for (std::size_t t = 0; t < clip.errors.error.size(); ++t)
    events.push_back({ClipEventKind::frame,
                      static_cast<int>(t) + 1,
                      {in_units(clip.errors.error[t], error_unit_),
                       in_units(t < clip.errors.change.size() ? clip.errors.change[t] : 0, change_unit_)}});
  return events;
}

/// From every second scene.
void EventCalibration::learn(const std::vector<PossibleClip>& possible) {
  std::array<std::vector<std::size_t>, clip_event_kinds> last_scene;  // that each known event was met in
  for (const PossibleClip& clip : possible) {
    if (clip.scene % 2 == 1) continue;
    for (const ClipEvent& event : events_of(clip.surprise)) {
      std::vector<Known>& known = kinds_[static_cast<std::size_t>(event.kind)].known;
      std::vector<std::size_t>& scenes = last_scene[static_cast<std::size_t>(event.kind)];
      if (!known.empty() && known.front().features.size() != event.features.size())
        throw Error("calibration: found events of " + std::to_string(event.features.size()) +
                    " features, those before have " + std::to_string(known.front().features.size()));
      std::size_t nearest = known.size();
      double least = alike * alike;
      for (std::size_t i = 0; i < known.size(); ++i)
        if (const double distance = squared_distance(known[i].features, event.features); distance <= least) {
          least = distance;
          nearest = i;
        }
      if (nearest == known.size()) {
        known.push_back({event.features, 1});
        for (float& feature : known.back().features) feature = rounded(feature);
        scenes.push_back(clip.scene);
      } else if (scenes[nearest] != clip.scene) {
        ++known[nearest].scenes;
        scenes[nearest] = clip.scene;
      }
    }
  }
}

double EventCalibration::oddness(const ClipEvent& event) const {
  std::vector<std::pair<double, double>> nearest;  // squared distance and scenes, the farthest first
  double scenes = 0;
  for (const Known& known : kinds_[static_cast<std::size_t>(event.kind)].known) {
    const double distance = squared_distance(known.features, event.features);
    if (scenes >= scenes_near && distance >= nearest.front().first) continue;
    nearest.emplace_back(distance, known.scenes);
    std::push_heap(nearest.begin(), nearest.end());
    scenes += known.scenes;
    while (scenes - nearest.front().second >= scenes_near) {
      scenes -= nearest.front().second;
      std::pop_heap(nearest.begin(), nearest.end());
      nearest.pop_back();
    }
  }
  return nearest.empty() ? 0 : std::sqrt(nearest.front().first);
}

std::array<ContextScore, clip_event_kinds> EventCalibration::oddest(const ClipSurprise& clip) const {
  std::array<ContextScore, clip_event_kinds> found{};
  for (const ClipEvent& event : events_of(clip)) {
    ContextScore& score = found[static_cast<std::size_t>(event.kind)];
    score.score = std::max(score.score, oddness(event));
    ++score.context;
  }
  return found;
}

double EventCalibration::p(const Kind& kind, const ContextScore& oddest) const {
  if (!kind.ranks.bins.empty()) return kind.ranks.above(oddest.context, oddest.score);
  const auto as_odd = std::count_if(kind.few.begin(), kind.few.end(),
                                    [&](double score) { return score >= oddest.score; });
  return static_cast<double>(1 + as_odd) / static_cast<double>(1 + ranked_);
}

ContextScore EventCalibration::score(const ClipSurprise& clip) const {
  const auto found = oddest(clip);
  double least = 1, events = 0;
  for (std::size_t k = 0; k < clip_event_kinds; ++k) {
    if (found[k].context == 0) continue;
    least = std::min(least, p(kinds_[k], found[k]));
    events += found[k].context;
  }
  return {events, -math::log(least)};
}

double EventCalibration::p(const ClipSurprise& clip) const {
  const ContextScore found = score(clip);
  return combined_.above(found.context, found.score);
}

std::string EventCalibration::json() const {
  Json json{{"format", format_name},         {"version", format_version}, {"error_unit", error_unit_},
            {"change_unit", change_unit_},   {"ranked", ranked_},         {"kinds", Json::object()},
            {"combined", json_of(combined_)}};
  for (std::size_t k = 0; k < clip_event_kinds; ++k) {
    if (kinds_[k].known.empty() && kinds_[k].few.empty()) continue;
    Json known = Json::array();
    for (const Known& event : kinds_[k].known) {
      Json row = Json::array({event.scenes});
      for (const float feature : event.features) row.push_back(std::round(feature * 1000.0) / 1000.0);
      known.push_back(std::move(row));
    }
    json["kinds"][name(static_cast<ClipEventKind>(k))] = {
        {"known", std::move(known)}, {"ranks", json_of(kinds_[k].ranks)}, {"few", kinds_[k].few}};
  }
  return json.dump() + "\n";
}

EventCalibration EventCalibration::parse(const std::string& text, const std::string& place) {
  try {
    const Json json = Json::parse(text);
    if (json.value("format", "") != format_name || json.value("version", 0) != format_version)
      throw Error("found another format, needed is " + std::string(format_name) + ", version " +
                  std::to_string(format_version));
    EventCalibration calibration;
    calibration.error_unit_ = json.at("error_unit");
    calibration.change_unit_ = json.at("change_unit");
    calibration.ranked_ = json.at("ranked");
    calibration.combined_ = ranks_of(json.at("combined"));
    for (std::size_t k = 0; k < clip_event_kinds; ++k) {
      const char* kind = name(static_cast<ClipEventKind>(k));
      if (!json.at("kinds").contains(kind)) continue;
      const Json& stored = json.at("kinds").at(kind);
      calibration.kinds_[k].ranks = ranks_of(stored.at("ranks"));
      stored.at("few").get_to(calibration.kinds_[k].few);
      for (const Json& row : stored.at("known")) {
        std::vector<float> features = row.get<std::vector<float>>();
        std::vector<Known>& known = calibration.kinds_[k].known;
        if (features.size() < 2 || (!known.empty() && features.size() != known.front().features.size() + 1))
          throw Error(std::string(kind) + ": found an event of " + std::to_string(features.size()) +
                      " numbers, needed are as many as in the others, at least 2");
        const double scenes = features.front();
        features.erase(features.begin());
        known.push_back({std::move(features), scenes});
      }
    }
    return calibration;
  } catch (const nlohmann::json::exception& error) {
    throw Error(place + ": this is no calibration: " + error.what());
  } catch (const Error& error) {
    throw Error(place + ": " + error.what());
  }
}

}  // namespace startle
