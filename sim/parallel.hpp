#pragma once
/// \file  Work shared among threads, with results that do not depend on their number.
#include <cstddef>
#include <functional>

namespace startle {

/// Number of hardware threads, at least 1.
int hardware_threads();

/// Calls job(0) ... job(count - 1), each once, on up to `threads` threads (0: all of the machine). Jobs are handed
/// out in order; they must write to places of their own, indexed by job. When jobs throw, the exception of the
/// lowest index is rethrown after the running ones have ended. `keep_going`, when given, is asked before each job; once it
/// answers false no further job starts.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& job,
                  const std::function<bool()>& keep_going = {});

}  // namespace startle
