#include "app/level_sets.hpp"

#include <algorithm>

#include "app/command.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "difficulty/detection_model.hpp"
#include "sim/novelty.hpp"
#include "statistics/percentile.hpp"

namespace startle {
namespace {

constexpr std::size_t named = 3;   ///< most files that are named
constexpr double unsuited = 0.75;  ///< median value above which a novelty does not suit a set

std::string described(const LeftOutLevel& level) {
  return level.error.empty() ? level.file + ": " + name(level.reason) : level.error;
}

}  // namespace

void require_all(const std::vector<LeftOutLevel>& left_out, std::size_t files) {
  if (left_out.empty()) return;
  std::string text = "--strict: " + std::to_string(left_out.size()) + " of " + std::to_string(files) +
                     " files are left out: " + counted(left_out);
  for (std::size_t i = 0; i < std::min(named, left_out.size()); ++i) text += "\n  " + described(left_out[i]);
  if (left_out.size() > named) text += "\n  ...";
  throw Error(text);
}

void report_left_out(const std::string& of, const std::vector<LeftOutLevel>& left_out, std::size_t files) {
  if (left_out.empty()) return;
  report(of + std::to_string(left_out.size()) + " of " + std::to_string(files) +
         " files are left out: " + counted(left_out));
  std::size_t said = 0;
  for (const LeftOutLevel& level : left_out) {
    if (level.reason != LeftOut::no_level) continue;
    if (said++ == named) break;
    report(level.error);
  }
}

void report_tiers(const std::string& novelty, const std::vector<TierAndValue>& levels) {
  if (levels.empty()) return;
  const auto count = [&](const std::string& tier) {
    return static_cast<std::size_t>(std::count_if(
        levels.begin(), levels.end(), [&](const TierAndValue& level) { return level.tier == tier; }));
  };
  std::vector<double> values;
  for (const TierAndValue& level : levels) values.push_back(level.value);
  const double median = percentile(values, 50);
  const std::size_t undetectable = count("undetectable"), none = count("");
  std::string text = novelty + ": ";
  if (undetectable > 0)
    text += "cannot be detected (value 1) in " + std::to_string(undetectable) + " of " +
            std::to_string(levels.size()) + " levels; ";
  text += "easy " + std::to_string(count("easy")) + ", medium " + std::to_string(count("medium")) +
          ", hard " + std::to_string(count("hard"));
  if (none > 0) text += ", without tier " + std::to_string(none);
  report(text + "; median value " + fixed(median, 3));
  if (median > unsuited)
    report(
        novelty +
        ": is hardly visible in most of these levels; startle difficulty --suggest says which novelties suit "
        "them");
}

void report_extrapolated(const std::string& novelty) {
  const double strength = parse_novelty_name(novelty).strength;
  if (strength > 0 && (strength < least_fitted_strength || strength > greatest_fitted_strength))
    report(novelty + ": predicted detection was fitted at strengths from " + shortest(least_fitted_strength) +
           " to " + shortest(greatest_fitted_strength) + "; this one is beyond");
}

}  // namespace startle
