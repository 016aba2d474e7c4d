/// \file  For fit-detection: the features of shots that observe_shots has observed.
///
/// Usage: detection_features OBSERVED.csv FEATURES.csv
/// Writes a line an observed shot: all that OBSERVED.csv says; predicted detection; the chance that it makes
/// the novelty visible by the published (0 or 1) and by the extended method; `change` and the features
/// (detection_features.hpp).
/// All are of the shot as it was announced.
#include "difficulty/detection_features.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "difficulty/detection_model.hpp"
#include "difficulty/ordered_scene.hpp"
#include "levels/level_file.hpp"
#include "reasoning/impulse/visibility.hpp"
#include "reasoning/qualitative/detectability.hpp"
#include "reasoning/qualitative/targets.hpp"
#include "sim/world.hpp"
#include "tools/observed_scene.hpp"

using namespace startle;

namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> parts;
  std::istringstream stream(line);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

/// Chances to become visible in the next bird's shot: published, extended.
std::array<double, 2> visible(const Scene& normal, const Scene& novel, const SupportGraph& graph,
                              KnockOn& shots, const Shot& shot) {
  const BirdType& bird = normal.bird();
  const std::optional<FirstTouch> touch = first_touched(normal, graph.geometry, bird, shot);
  if (!touch) return {0, 0};
  std::array<double, 2> chances{0, 0};
  if (touch->object != ground_index)
    chances[0] = detectable_objects(normal, novel, impacted_objects(normal, graph, touch->object, bird),
                                    impacted_objects(novel, graph, touch->object, bird))
                         .empty()
                     ? 0
                     : 1;
  shots.follow(touch->object, bird, touch->trajectory);
  std::vector<double> of_objects;
  chances[1] = visibility_chance(normal, novel, shots, of_objects);
  return chances;
}

/// All observed shots of one scene.
std::string described(const std::vector<std::string>& lines) {
  const std::vector<std::string> observed = split(lines.front());
  const OrderedScene ordered = scene_of(read_level(observed[0]),
                                        {.profile = observed[10], .birds_before = std::stoi(observed[11])})
                                   .value();
  const Scene& normal = ordered.scene();
  const SupportGraph graph = support_graph(normal);
  const ContactNetwork network = contact_network(normal, graph.geometry);
  KnockOn shots(normal, graph, network);
  std::string out;
  for (const std::string& line : lines) {
    const std::vector<std::string> parts = split(line);
    Scene novel = normal;
    if (!parts[5].empty())
      apply(ordered.novelty(at_strength(find_novelty(parts[5]), *parse_double(parts[6]))), novel);
    ShotComparison comparison(normal, novel, graph, network, shots);
    const Shot shot{.angle = *parse_double(parts[3])};
    const DetectionFeatures features = detection_features(comparison.launches(shot, detection_aim_noise));
    out += line + ',' + general(detection_chance(features), 6);
    for (const double chance : visible(normal, novel, graph, shots, shot)) out += ',' + general(chance, 6);
    out += ',' + general(features.change, 6);
    for (const DetectionFeatureInfo& info : detection_feature_table())
      out += ',' + general(features.*info.member, 6);
    out += '\n';
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw Error("usage: detection_features OBSERVED.csv FEATURES.csv");
    std::ifstream observed(argv[1]);
    std::string line, header;
    if (!std::getline(observed, header)) throw Error(std::string(argv[1]) + ": cannot be read");
    require_observed_columns(argv[1], header);
    std::vector<std::vector<std::string>> levels;
    std::map<std::string, std::size_t> known;
    while (std::getline(observed, line)) {
      const auto [entry, fresh] = known.try_emplace(scene_key(line), levels.size());
      if (fresh) levels.emplace_back();
      levels[entry->second].push_back(line);
    }
    std::ofstream out(argv[2]);
    out << header << ",predicted,published,extended,change";
    for (const DetectionFeatureInfo& info : detection_feature_table()) out << ',' << info.name;
    out << '\n';
    parallel_in_order<std::string>(
        levels.size(), 0, [&](std::size_t i) { return described(levels[i]); },
        [&](const std::string& lines) {
          out << lines;
          return out.good();
        });
    if (!out.flush()) throw Error(std::string(argv[2]) + ": cannot be written");
  } catch (const std::exception& error) {
    std::cerr << "detection_features: " << error.what() << '\n';
    return 1;
  }
}
