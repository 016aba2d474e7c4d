#pragma once
/// \file  How well two ways to put the same things into groups agree (Hubert and Arabie 1985).
#include <cstdint>
#include <vector>

namespace startle {

/// With n_ij things in group i of `a` and group j of `b`, a_i and b_j in all, n things, and C(m) = m (m - 1)
/// / 2:
///   (sum C(n_ij) - E) / ((sum C(a_i) + sum C(b_j)) / 2 - E), E = sum C(a_i) sum C(b_j) / C(n)
/// 1 where both are the same but for the names of the groups, about 0 where one says nothing of the other,
/// down to -1/2. 1 where nothing can differ: fewer than two things, or both in one group, or in groups of
/// one. Throws Error when the sizes differ.
double adjusted_rand_index(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b);

}  // namespace startle
