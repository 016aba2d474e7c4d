#include "core/parallel.hpp"

#include <atomic>
#include <stdexcept>
#include <vector>

#include "core/interrupt.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[core] parallel_for: each job runs once, on any number of threads") {
  for (int threads : {1, 2, 7}) {
    std::vector<std::atomic<int>> runs(1000);
    parallel_for(runs.size(), threads, [&](std::size_t i) { ++runs[i]; });
    for (const auto& r : runs) REQUIRE(r == 1);
  }
}

TEST_CASE("[core] parallel_for: an exception comes back, and stopping keeps what is finished") {
  CHECK_THROWS_AS(parallel_for(100, 4,
                               [](std::size_t i) {
                                 if (i == 50) throw std::runtime_error("x");
                               }),
                  std::runtime_error);
  std::atomic<int> done{0};
  parallel_for(
      1000, 2, [&](std::size_t) { ++done; }, [&] { return done < 10; });
  CHECK(done >= 10);
  CHECK(done <= 12);
}

TEST_CASE(
    "[core] parallel_for: a job that is given up counts as not begun, where the caller reckons with that") {
  std::vector<std::atomic<int>> done(100);
  const auto job = [&](std::size_t i) {
    if (i == 20) set_interruption(Interruption::stop);
    give_up_if_stopped();
    ++done[i];
  };
  parallel_for(done.size(), 4, job, [] { return interruption() == Interruption::none; });
  CHECK(done[20] == 0);
  CHECK(done[99] == 0);
  CHECK(done[0] == 1);
  CHECK_THROWS_AS(parallel_for(4, 2, job), Interrupted);
  set_interruption(Interruption::none);
  CHECK_NOTHROW(give_up_if_stopped());
}
