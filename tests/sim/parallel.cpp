#include "core/parallel.hpp"

#include <cstddef>
#include <vector>

#include "tests/catch.hpp"

using namespace startle;

TEST_CASE(
    "[sim] parallel: results are taken in the order of their jobs, for any number of threads, until there "
    "are enough") {
  for (const int threads : {1, 2, 7}) {
    std::vector<std::size_t> taken;
    parallel_in_order<std::size_t>(
        1000, threads, [](std::size_t i) { return i * i; },
        [&](std::size_t result) {
          taken.push_back(result);
          return taken.size() < 100;
        });
    REQUIRE(taken.size() == 100);
    for (std::size_t i = 0; i < taken.size(); ++i) REQUIRE(taken[i] == i * i);
  }
}

TEST_CASE("[sim] parallel: in order, nothing is begun where none is wanted, and no more once asked to end") {
  std::size_t begun = 0, taken = 0;
  const auto job = [&](std::size_t i) { return ++begun, i; };
  const auto take = [&](std::size_t) { return ++taken, true; };
  parallel_in_order<std::size_t>(0, 1, job, take);
  CHECK(begun == 0);
  parallel_in_order<std::size_t>(50, 1, job, take, [&] { return taken < 7; });
  CHECK(begun == 7);
  CHECK(taken == 7);
}
