#include "surprise/dynamics/context_ranks_json.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace startle {

nlohmann::ordered_json json_of(const ContextRanks& ranks) {
  auto bins = nlohmann::ordered_json::array();
  for (const ContextRanks::Bin& bin : ranks.bins)
    bins.push_back({{"upto", bin.upto},
                    {"quantiles", bin.quantiles},
                    {"low_excess", bin.low_excess},
                    {"high_excess", bin.high_excess}});
  return bins;
}

ContextRanks ranks_of(const nlohmann::ordered_json& json) {
  ContextRanks ranks;
  for (const nlohmann::ordered_json& bin : json) {
    ranks.bins.push_back({bin.at("upto").get<double>(), bin.at("quantiles").get<std::vector<double>>(),
                          bin.at("low_excess").get<double>(), bin.at("high_excess").get<double>()});
    const ContextRanks::Bin& read = ranks.bins.back();
    if (read.quantiles.size() != 19 || !std::is_sorted(read.quantiles.begin(), read.quantiles.end()) ||
        !(read.low_excess > 0) || !(read.high_excess > 0))
      throw Error("found invalid ranks, needed are 19 rising quantiles and excesses above 0");
  }
  return ranks;
}

}  // namespace startle
