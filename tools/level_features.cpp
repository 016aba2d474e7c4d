/// \file  For fit-played-levels: the features of levels that were played.
///
/// Usage: level_features PLAYED.csv FEATURES.csv
/// PLAYED.csv: of `startle observe LEVELS --novelty ... --plays N --format csv`, of either player; run in the
/// folder from which it named the levels. Writes a line each: all that PLAYED.csv says; the prediction that
/// Startle has now; the value; and the features (difficulty/played_level.hpp). Levels in which no shot
/// changes anything are left out.
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "difficulty/difficulty.hpp"
#include "difficulty/played_level.hpp"
#include "levels/level_file.hpp"
#include "sim/runs.hpp"

using namespace startle;

namespace {

const std::string played_columns =
    "level,novelty,tier,player,birds,plays,predicted,p_level,low,high,shots,cleared,false_alarms";

/// All lines of one level.
std::string described(const std::vector<std::string>& lines) {
  const std::string path = lines.front().substr(0, lines.front().find(','));
  const OrderedScene scene(settle(make_scene(read_level(path), profile())));
  std::string out;
  for (const std::string& line : lines) {
    std::istringstream parts(line);
    std::string level, name, tier, player;
    for (std::string* part : {&level, &name, &tier, &player}) std::getline(parts, *part, ',');
    const Novelty& novelty = find_novelty(name);
    const LevelDescription description = describe_level(scene, novelty);
    if (!description.changed) continue;
    const bool best = player == "best-target";
    const PredictedLevel predicted = predict_level(scene, novelty);
    out += line + ',' + general(best ? predicted.p_level : predicted.p_level_random, 6) + ',' +
           general(compute_difficulty(scene, novelty).value, 6);
    for (const LevelFeatureInfo& info : level_feature_table())
      out += ',' + general((best ? description.best : description.random).*info.member, 6);
    out += '\n';
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw Error("usage: level_features PLAYED.csv FEATURES.csv");
    std::ifstream played(argv[1]);
    std::string line;
    if (!std::getline(played, line)) throw Error(std::string(argv[1]) + ": cannot be read");
    if (line != played_columns)
      throw Error(std::string(argv[1]) + ": found columns " + shown(line) + ", needed are " + played_columns);
    std::vector<std::vector<std::string>> levels;
    std::map<std::string, std::size_t> known;
    while (std::getline(played, line)) {
      const auto [entry, fresh] = known.try_emplace(line.substr(0, line.find(',')), levels.size());
      if (fresh) levels.emplace_back();
      levels[entry->second].push_back(line);
    }
    std::ofstream out(argv[2]);
    out << played_columns << ",predicted_now,value";
    for (const LevelFeatureInfo& info : level_feature_table()) out << ',' << info.name;
    out << '\n';
    parallel_in_order<std::string>(
        levels.size(), 1, [&](std::size_t i) { return described(levels[i]); },
        [&](const std::string& lines) {
          out << lines;
          return out.good();
        });
    if (!out.flush()) throw Error(std::string(argv[2]) + ": cannot be written");
  } catch (const std::exception& error) {
    std::cerr << "level_features: " << error.what() << '\n';
    return 1;
  }
}
