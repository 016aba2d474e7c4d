#pragma once
/// \file  Who may see the researcher's page: whoever says the password, and then holds a key.
#include <chrono>
#include <deque>
#include <functional>
#include <mutex>
#include <string>

#include "core/error.hpp"

namespace startle {

/// Too many passwords were tried, or one is being tried at this moment.
class DoorBusy : public Error {
 public:
  using Error::Error;
};

class ResearcherDoor {
 public:
  using Clock = std::chrono::steady_clock;

  /// `hash`: of the password. `now`: for tests.
  explicit ResearcherDoor(std::string hash, std::function<Clock::time_point()> now = Clock::now)
      : hash_(std::move(hash)), now_(std::move(now)) {}

  /// A key for the right password, empty for a wrong one. One password is tried at a time, so that trying
  /// holds one thread at most. Throws DoorBusy, without a look at the password, while another one is tried,
  /// and for a minute after `most_failures` wrong ones within a minute.
  std::string key(const std::string& password);
  /// Whether the key is one of the last few; none outlives the server.
  bool fits(const std::string& key);

  static constexpr std::size_t most_failures = 10, most_keys = 16;

 private:
  std::string hash_;
  std::function<Clock::time_point()> now_;
  std::mutex trying_;
  std::deque<Clock::time_point> failures_;  ///< for who holds trying_
  std::mutex keys_mutex_;
  std::deque<std::string> keys_;  ///< hashes of them: how long it takes to compare two says nothing
};

}  // namespace startle
