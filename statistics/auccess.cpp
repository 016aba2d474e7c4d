#include "statistics/auccess.hpp"

#include <string>

#include "core/error.hpp"
#include "core/math.hpp"

namespace startle {

double success_weight(std::optional<std::size_t> attempts, std::size_t most) {
  if (most < 1) throw Error("auccess: found at most 0 attempts, allowed are 1 and more");
  if (!attempts) return 0;
  if (*attempts < 1) throw Error("auccess: found a task solved in 0 attempts, allowed are 1 and more");
  if (*attempts > most) return 0;
  // Solved within k for k = n ... K: the logarithms between cancel, ln(K + 1) - ln n is left, over ln(K + 1).
  return 1 - math::log(static_cast<double>(*attempts)) / math::log(static_cast<double>(most) + 1);
}

std::optional<double> auccess(const std::vector<std::optional<std::size_t>>& attempts, std::size_t most) {
  if (attempts.empty()) return std::nullopt;
  double sum = 0;
  for (const std::optional<std::size_t>& task : attempts) sum += success_weight(task, most);
  return sum / static_cast<double>(attempts.size());
}

}  // namespace startle
