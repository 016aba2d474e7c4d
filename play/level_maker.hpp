#pragma once
/// \file  Makes a set of levels beside the window's work: what `startle levels generate` does. No window
/// here.
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

namespace startle {

struct MakeRequest {
  std::string family;           ///< empty: all by turns
  std::string novelty;          ///< empty: no difficulty is asked for; a family is then needed
  std::string tier = "medium";  ///< easy, medium or hard: how hard the novelty is to detect
  int count = 10;
  std::uint64_t seed = 1;
  std::filesystem::path folder;  ///< for the levels and their manifest
  std::string profile = "startle";
  std::string version;  ///< of the program, for the manifest
};

/// The command that makes the same levels.
std::string make_command(const MakeRequest& request);

/// One set at a time.
class LevelMaker {
 public:
  LevelMaker() = default;
  ~LevelMaker();  ///< cancels
  LevelMaker(const LevelMaker&) = delete;
  LevelMaker& operator=(const LevelMaker&) = delete;

  /// Throws Error for a request that cannot be met: unknown names, a count out of 1 to 1000, no folder, or a
  /// set under way.
  void start(const MakeRequest& request);
  /// Levels found so far are kept and written.
  void cancel() { cancelled_ = true; }

  bool running() const { return running_; }
  struct Progress {
    std::string phase;  ///< "looking for the tier's thresholds", "searching"
    std::size_t done = 0, total = 1;
    int candidates = 0;
  };
  Progress progress() const;

  struct Outcome {
    std::filesystem::path folder;
    std::size_t levels = 0;  ///< written
    std::string message;     ///< for people
    bool failed = false;
  };
  /// Once after each start(), when it is no longer running: what came of it.
  bool take_outcome(Outcome& outcome);

 private:
  void make(const MakeRequest& request);

  mutable std::mutex mutex_;
  Progress progress_;
  Outcome outcome_;
  bool has_outcome_ = false;
  std::atomic<bool> running_ = false, cancelled_ = false;
  std::thread thread_;
};

}  // namespace startle
