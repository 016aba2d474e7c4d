#pragma once
/// \file  Levels and checks that the tests of both formats share.
#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "levels/stored_level.hpp"
#include "tests/catch.hpp"

namespace startle {

/// Any level that both formats can hold, without name, provenance and difficulty; numbers over the whole
/// range of double, texts with everything that needs escaping, unknown elements in reading order.
Level random_level(Random& random);
Provenance random_provenance(Random& random);
StoredDifficulty random_difficulty(Random& random);
Novelty random_novelty(Random& random);

/// Runs `action`, which must throw Error, and requires all `parts` in its message.
void require_error(const std::function<void()>& action, const std::vector<std::string>& parts);

/// `text` with the first occurrence of `from` (there must be one) replaced.
std::string replaced(std::string text, const std::string& from, const std::string& to);

/// `text` with one to three of its bytes overwritten.
std::string damaged(std::string text, Random& random);

}  // namespace startle
