#pragma once
/// \file  Work shared among threads, with results that do not depend on their number.
#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace startle {

/// Number of hardware threads, at least 1.
int hardware_threads();

/// Calls job(0) ... job(count - 1), each once, on up to `threads` threads (0: all of the machine). Jobs are
/// handed out in order; they must write to places of their own, indexed by job. When jobs throw, the
/// exception of the lowest index is rethrown after the running ones have ended. `keep_going`, when given, is
/// asked before each job; once it answers false no further job starts, and a job that throws Interrupted
/// counts as one that did not start.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& job,
                  const std::function<bool()>& keep_going = {});

/// Runs job(0), job(1) ... on threads and hands the results to take() in that order, one at a time, until it
/// answers false. What take() sees therefore does not depend on the number of threads.
template <typename Result, typename Job, typename Take>
void parallel_in_order(std::size_t most, int threads, const Job& job, const Take& take,
                       const std::function<bool()>& keep_going = {}) {
  std::map<std::size_t, Result> waiting;  // for those before them
  std::size_t next = 0;
  std::mutex mutex;
  std::atomic<bool> enough{most == 0};
  parallel_for(
      most, threads,
      [&](std::size_t i) {
        Result result = job(i);
        const std::lock_guard lock(mutex);
        waiting.emplace(i, std::move(result));
        for (auto first = waiting.begin(); !enough && first != waiting.end() && first->first == next;
             first = waiting.erase(first), ++next)
          if (!take(std::move(first->second))) enough = true;
      },
      [&] { return !enough && (!keep_going || keep_going()); });
}

}  // namespace startle
