#pragma once
/// \file  Whether a level stands and can be cleared, found out beside the window's work and anew whenever the
/// level changes. No window here.
///
/// The rules are those of generated levels (levels/verify.hpp, `startle levels check`): within 5 s everything
/// comes to rest, nothing moves further than VerificationOptions allow or breaks, and the solver's shots
/// clear it from there. Unlike verify(), nothing is changed: neither where objects stand in the file nor the
/// birds.
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "levels/solver.hpp"
#include "levels/stored_level.hpp"
#include "sim/profile.hpp"
#include "sim/world.hpp"

namespace startle {

/// What has been found out about a level. Later parts are there only once `phase` has come so far.
struct LevelFindings {
  enum class Phase { placing, settling, solving, done };
  Phase phase = Phase::placing;  ///< what is being found out

  // placing
  std::vector<std::string> errors, warnings;                  ///< of validate()
  std::vector<std::pair<std::size_t, std::size_t>> overlaps;  ///< objects that overlap deeper than
                                                              ///< overlap_tolerance

  // settling
  bool stands = false;
  SettleResult settled;
  std::vector<std::size_t> moved;  ///< objects that move or turn further than allowed while settling, or
                                   ///< break
  /// By reasoning (reasoning/qualitative/stability.hpp), as generated levels are, too.
  bool reasoned_stable = false;

  // solving
  bool playable = false;  ///< there are pigs and birds
  bool solvable = false;  ///< false: no solution was found, which does not mean that there is none
  Solution solution;

  bool verified() const {
    return phase == Phase::done && errors.empty() && overlaps.empty() && stands && solvable;
  }
};

/// Finds out one part after the other; stops when `keep_going` says no. `report` is called after each part.
void find_out(const StoredLevel& level, std::shared_ptr<const Profile> profile,
              const std::function<bool()>& keep_going,
              const std::function<void(const LevelFindings&)>& report);

/// The level as it is to be saved: with its solution where that is whole, and without one where it is not.
StoredLevel with_solution(StoredLevel level, const LevelFindings& findings, const Profile& profile);

/// In a few words: "stands, can be cleared with 2 birds".
std::string summary(const LevelFindings& findings);

/// Runs find_out() in a thread of its own for the level given last.
class LevelChecker {
 public:
  explicit LevelChecker(std::shared_ptr<const Profile> profile);
  ~LevelChecker();
  LevelChecker(const LevelChecker&) = delete;
  LevelChecker& operator=(const LevelChecker&) = delete;

  /// What is under way for another level is dropped.
  void check(const StoredLevel& level);
  /// True when there is something new of the level given last, which `findings` then is.
  bool update(LevelFindings& findings);

 private:
  void work();

  std::shared_ptr<const Profile> profile_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<StoredLevel> next_;
  std::optional<LevelFindings> new_;
  std::atomic<std::uint64_t> asked_ = 0;  ///< number of the level given last
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace startle
