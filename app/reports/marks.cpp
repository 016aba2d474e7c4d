#include "app/reports/marks.hpp"

#include <algorithm>
#include <set>

namespace startle {
namespace {

/// From release to first contact.
PathMark path_of(const Trajectory& trajectory, bool faint) {
  constexpr int pieces = 32;
  PathMark mark{.points = {}, .upper = trajectory.upper, .faint = faint};
  for (int i = 0; i <= pieces; ++i) mark.points.push_back(trajectory.at(trajectory.time * i / pieces));
  return mark;
}

}  // namespace

SceneMarks marks_of(const Difficulty& difficulty) {
  SceneMarks marks;
  if (difficulty.interactions.empty()) return marks;
  const Interaction& first = difficulty.interactions.front();
  const std::vector<std::size_t> best_targets = first.best_targets();
  std::set<std::size_t> impacted, detectable;  // by any of the best shots
  for (std::size_t i = 0; i < first.targets.size(); ++i) {
    const TargetOutcome& outcome = first.targets[i];
    marks.targets.push_back(outcome.target.object);
    const bool best = std::count(best_targets.begin(), best_targets.end(), i) > 0;
    for (bool upper : {false, true}) {
      const auto& paths = outcome.target.trajectories;
      const auto found = std::find_if(paths.begin(), paths.end(),
                                      [&](const Trajectory& t) { return t.upper == upper; });
      if (found == paths.end()) continue;
      marks.paths.push_back(path_of(*found, !best));
      if (!best) break;
    }
    if (!best) continue;
    marks.best.push_back(outcome.target.object);
    for (const Hit& hit : outcome.hits) {
      for (const ImpactedObject& moved : hit.impacted) impacted.insert(moved.object);
      detectable.insert(hit.detectable.begin(), hit.detectable.end());
    }
  }
  marks.impacted.assign(impacted.begin(), impacted.end());
  marks.detectable.assign(detectable.begin(), detectable.end());
  std::stable_sort(marks.paths.begin(), marks.paths.end(),
                   [](const PathMark& a, const PathMark& b) { return a.faint > b.faint; });
  return marks;
}

}  // namespace startle
