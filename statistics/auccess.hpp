#pragma once
/// \file  AUCCESS: how often tasks are solved, early attempts counting most [Bakhtin et al., PHYRE, NeurIPS
/// 2019, §4.2].
#include <cstddef>
#include <optional>
#include <vector>

namespace startle {

/// What one task adds: 1 - ln(attempts)/ln(most + 1), from 1 (solved at once) down; 0 when it took more than
/// `most` attempts or was not solved (empty). attempts >= 1, most >= 1; else Error.
double success_weight(std::optional<std::size_t> attempts, std::size_t most);

/// sum over k = 1 ... most of w_k s_k over sum of w_k, w_k = ln(k + 1) - ln k and s_k the share of tasks
/// solved within k attempts; this is the mean of success_weight() over the tasks. `attempts`: one a task. In
/// [0, 1]; PHYRE has most = 100 and writes it in percent. Empty without tasks.
std::optional<double> auccess(const std::vector<std::optional<std::size_t>>& attempts,
                              std::size_t most = 100);

}  // namespace startle
