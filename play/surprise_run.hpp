#pragma once
/// \file  `startle surprise score` run beside the window: a program of its own, so that the window neither
/// needs LibTorch nor waits for it.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/child_process.hpp"
#include "render/frames.hpp"
#include "sim/shot.hpp"

namespace startle {

/// What the model is asked about: the shots, one after the other, at the level; with a novelty each again in
/// its world.
struct SurpriseRequest {
  std::filesystem::path level;
  std::vector<Shot> shots;
  std::string novelty;  ///< empty: the normal world alone
  std::string profile = "startle";
  friend bool operator==(const SurpriseRequest&, const SurpriseRequest&) = default;
};

/// One shot in one world, as the model saw it.
struct SurpriseClip {
  int shot = 1;                    ///< from 1
  std::string world;               ///< "normal" or the novelty's name
  int first_step = 0, stride = 1;  ///< frame f shows the world after step first_step + f stride
  std::vector<double> surprise;  ///< of frames 1, 2, ...: squared error of the prediction, summed over pixels
                                 ///< and channels
  Bitmap strip;                  ///< three rows: seen, predicted, error; a column a frame, each a square

  int frames() const { return static_cast<int>(surprise.size()) + 1; }
  int pixels() const { return strip.height / 3; }
};

/// The program beside this one; empty when it is not there, as in a build without learning.
std::filesystem::path surprise_program();

/// The command line for that request, from the program's own name on; pictures go to `strips`.
std::vector<std::string> surprise_arguments(const SurpriseRequest& request,
                                            const std::filesystem::path& strips);
/// What the program has printed, with the pictures it wrote. Throws Error for what is not its output.
std::vector<SurpriseClip> read_surprise(const std::string& json, const std::filesystem::path& strips);

/// One question at a time.
class SurpriseRun {
 public:
  SurpriseRun() = default;
  ~SurpriseRun();  ///< ends the program
  SurpriseRun(const SurpriseRun&) = delete;
  SurpriseRun& operator=(const SurpriseRun&) = delete;

  /// Starts the program, and ends one that runs for another question. Throws Error when it cannot be started.
  void start(const SurpriseRequest& request);
  /// To be called once a frame.
  void update();

  bool running() const { return process_ != nullptr; }
  const SurpriseRequest& request() const { return request_; }  ///< the last one
  const std::vector<SurpriseClip>& clips() const {
    return clips_;
  }  ///< that answer it; empty while it runs and where it failed
  const std::string& failure() const { return failure_; }  ///< why there is no answer

 private:
  void end();

  SurpriseRequest request_;
  std::vector<SurpriseClip> clips_;
  std::string failure_;
  std::filesystem::path folder_;  ///< for the pictures it writes
  std::unique_ptr<ChildProcess> process_;
  std::string printed_, said_;  ///< by it, up to now
};

}  // namespace startle
