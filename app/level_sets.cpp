#include "app/level_sets.hpp"

#include <algorithm>
#include <map>

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

Error none_can_be_played(const std::string& of, const std::vector<LeftOutLevel>& left_out) {
  std::string text = of + ": no level can be played: " + counted(left_out);
  for (const LeftOutLevel& level : left_out) {
    if (level.reason != LeftOut::no_level) continue;
    text += "\n  " + level.error;
    break;
  }
  return Error(text);
}

void report_tiers(const std::string& novelty, const std::vector<double>& difficulties) {
  std::map<Tier, int> counts;
  for (const double difficulty : difficulties) ++counts[tier_of(1 - difficulty)];
  std::string text = novelty + ", by predicted p_level:";
  for (const Tier tier : {Tier::easy, Tier::medium, Tier::hard})
    text += std::string(tier == Tier::easy ? " " : ", ") + name(tier) + " " + std::to_string(counts[tier]);
  report(text);
}

void report_values(const std::string& novelty, const std::vector<double>& values,
                   const std::optional<ThirdThresholds>& thirds) {
  if (values.empty()) return;
  const double median = percentile(values, 50);
  const auto undetectable = std::count(values.begin(), values.end(), 1.0);
  std::vector<std::string> parts;
  if (undetectable > 0)
    parts.push_back("cannot be detected (value 1) in " + std::to_string(undetectable) + " of " +
                    std::to_string(values.size()) + " levels");
  if (thirds) {
    std::map<Third, int> counts;
    for (const double value : values) ++counts[third_of(value, *thirds)];
    parts.push_back("thirds: low " + std::to_string(counts[Third::low]) + ", middle " +
                    std::to_string(counts[Third::middle]) + ", high " + std::to_string(counts[Third::high]));
  }
  parts.push_back("median value " + fixed(median, 3));
  std::string text = novelty + ": ";
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i > 0 ? "; " : "") + parts[i];
  report(text);
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
