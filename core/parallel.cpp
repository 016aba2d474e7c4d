#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "core/interrupt.hpp"

namespace startle {

int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& job,
                  const std::function<bool()>& keep_going) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  std::exception_ptr failure;
  std::size_t failed_job = count;
  const auto work = [&] {
    while (!failed && (!keep_going || keep_going())) {
      const std::size_t i = next++;
      if (i >= count) return;
      try {
        job(i);
      } catch (const Interrupted&) {
        // A job that was given up is as one that was never begun, for whoever reckons with such.
        if (keep_going && !keep_going()) return;
        const std::lock_guard lock(mutex);
        failed = true;
        if (!failure) failure = std::current_exception();
      } catch (...) {
        const std::lock_guard lock(mutex);
        failed = true;
        if (i < failed_job) {
          failed_job = i;
          failure = std::current_exception();
        }
      }
    }
  };
  const std::size_t wanted = static_cast<std::size_t>(threads > 0 ? threads : hardware_threads());
  std::vector<std::thread> pool;
  try {
    for (std::size_t i = 1; i < std::min(wanted, count); ++i) pool.emplace_back(work);
  } catch (const std::system_error&) {
    // The machine gives no more threads: those there are, this one among them, do all of it.
  }
  work();
  for (std::thread& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace startle
