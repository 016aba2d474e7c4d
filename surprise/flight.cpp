#include "surprise/flight.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "core/parallel.hpp"
#include "statistics/percentile.hpp"

namespace startle {
namespace {

constexpr double least_gain = 0.7, most_gain = 2.2;  // pixels a frame, downwards, by which physics expects a
                                                     // falling body to be faster in the next frame
constexpr double same_region = 4;                    // pixels between centres

/// One region of one predictor.
struct Flight {
  std::size_t level = 0;
  bool novel = false;
  double lower = 0;  ///< pixels
};

/// The region of that colour in that frame with the nearest centre.
const MovingRegion* region_at(const Residuals& residuals, const MovingRegion& to) {
  const MovingRegion* found = nullptr;
  double least = same_region;
  for (const MovingRegion& region : residuals.regions) {
    if (region.frame != to.frame || region.material != to.material) continue;
    const double distance = length(region.centre - to.centre);
    if (distance <= least) found = &region, least = distance;
  }
  return found;
}

std::optional<double> median_of(const std::vector<Flight>& flights, const std::vector<std::size_t>& sample,
                                bool novel) {
  std::vector<double> values;
  for (const std::size_t i : sample)
    if (flights[i].novel == novel) values.push_back(flights[i].lower);
  if (values.empty()) return std::nullopt;
  return percentile(std::move(values), 50);
}

FlightRow row_of(FlightRow row, const std::vector<Flight>& flights, std::uint64_t seed) {
  std::vector<std::size_t> levels, all;
  std::vector<double> off;
  for (std::size_t i = 0; i < flights.size(); ++i) {
    levels.push_back(flights[i].level);
    all.push_back(i);
  }
  const auto normal = [&](const std::vector<std::size_t>& sample) {
    return median_of(flights, sample, false);
  };
  const auto shift = [&](const std::vector<std::size_t>& sample) -> std::optional<double> {
    const std::optional<double> before = normal(sample), after = median_of(flights, sample, true);
    return before && after ? std::optional(*after - *before) : std::nullopt;
  };
  row.median = {.value = normal(all), .interval = bootstrap_clusters(levels, normal, seed)};
  row.shift = {.value = shift(all), .interval = bootstrap_clusters(levels, shift, seed)};
  for (const Flight& flight : flights)
    if (!flight.novel) off.push_back(std::fabs(flight.lower - *row.median.value));
  row.spread = 1.4826 * percentile(std::move(off), 50);
  return row;
}

}  // namespace

std::vector<FlightRow> flight_rows(const Evaluation& e, std::uint64_t seed, int threads) {
  const auto physics = static_cast<std::size_t>(
      std::find(e.predictors.begin(), e.predictors.end(), "physics") - e.predictors.begin());
  if (physics == e.predictors.size()) return {};
  std::map<std::tuple<std::string, MaterialClass, std::size_t>, std::vector<Flight>> found;
  for (const EvaluatedTwin& twin : e.twins)
    for (const bool novel : {false, true})
      for (const MovingRegion& falling : twin.predictors[physics].of(novel).residuals.regions) {
        const double gain = falling.motion.y - falling.motion_before.y;
        if (gain < least_gain || gain > most_gain) continue;
        for (std::size_t p = 0; p < e.predictors.size(); ++p)
          if (const MovingRegion* region = region_at(twin.predictors[p].of(novel).residuals, falling))
            found[{e.levels[twin.level].novelty->name, falling.material, p}].push_back(
                {twin.level, novel, region->residual.y});
      }
  std::vector<FlightRow> rows;
  std::vector<const std::vector<Flight>*> flights;
  for (const auto& [key, all] : found) {
    const auto novel = static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [](const Flight& flight) { return flight.novel; }));
    if (novel < least_flights || all.size() - novel < least_flights) continue;
    rows.push_back({.novelty = std::get<0>(key),
                    .material = std::get<1>(key),
                    .predictor = std::get<2>(key),
                    .normal = all.size() - novel,
                    .novel = novel});
    flights.push_back(&all);
  }
  parallel_for(rows.size(), threads,
               [&](std::size_t i) { rows[i] = row_of(std::move(rows[i]), *flights[i], seed); });
  return rows;
}

}  // namespace startle
