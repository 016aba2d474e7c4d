#pragma once
/// \file  Whether this program was asked to end, and how soon. Signal handlers say so; long loops look at it.
#include <atomic>

namespace startle {

enum class Interruption {
  none,
  finish,  ///< Ctrl-C: what is under way is finished, nothing further is begun
  stop     ///< SIGTERM: what is under way is given up, too
};

/// What is thrown where work is given up. No std::exception: whoever records what goes wrong with a level or
/// a trial must not take this for such a fault.
struct Interrupted {};

namespace detail {
inline std::atomic<Interruption> interruption{Interruption::none};
static_assert(std::atomic<Interruption>::is_always_lock_free, "signal handlers write it");
}  // namespace detail

inline Interruption interruption() { return detail::interruption.load(std::memory_order_relaxed); }

/// Says that the program is to end; `none` takes it back (for tests). Signal handlers may call it.
inline void set_interruption(Interruption how) { detail::interruption = how; }

/// Throws Interrupted where work is to be given up. Costs nothing beside a step of a simulation.
inline void give_up_if_stopped() {
  if (interruption() == Interruption::stop) throw Interrupted{};
}

}  // namespace startle
