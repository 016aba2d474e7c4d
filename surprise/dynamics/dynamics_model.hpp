#pragma once
/// \file  The dynamics model of the normal world, and how likely a shot is under it: detection from the
/// states of objects.
///
/// \code
///   #include "sim/world.hpp"
///   // given: const Scene& before, const Scene& novel
///   const DynamicsModel& model = shipped_dynamics(2);
///   ShotResult shot = run_shot(novel, {.angle = 0.5}, {.record_every = model.training.stride});
///   // found.p; found.findings.front(): "wood restitution, more than normal"
///   DynamicsDetection found = detect(model, before, shot.trace);
/// \endcode
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/profile.hpp"
#include "sim/shot.hpp"
#include "statistics/sequential_evidence.hpp"
#include "surprise/dynamics/body_sum.hpp"
#include "surprise/dynamics/context_ranks.hpp"
#include "surprise/dynamics/mechanism.hpp"

namespace startle {

/// The training data: shots in the normal world at generated levels (dynamics_shots.hpp), some for the
/// networks and others for the ranks.
struct DynamicsTraining {
  std::string profile = "startle";
  std::uint64_t seed = 1;
  std::size_t levels = 2800;  ///< for the networks, at least 1
  /// For the ranks, so many plainly drawn ones and so many verified ones, at least 1; fewer than 15 are too
  /// few for p-values
  std::size_t calibration_levels = 1000;
  int stride = 2;      ///< steps of the simulation between frames, 1 to 50; agents are shown one in five
  double pixel = 0;    ///< to which places are seen, as for contact_events(), 0 to 1 world units; 0: exactly
  bool video = false;  ///< places are read off videos (video_tracker.hpp), not given; pixel is 0
                       ///< then. Networks learn from places as uncertain as those, ranks from videos
  std::size_t width = 96;  ///< of both hidden layers, a multiple of 8, 8 to 512
  int steps = 60000;       ///< of training, each of 64 observations, at least 1
};
/// Throws Error naming the field, what was found and what is allowed.
void require_valid(const DynamicsTraining& training);

using MechanismSums = std::array<std::array<MechanismSum, mechanism_count>, changeable_count>;

struct [[nodiscard]] DynamicsModel {
  DynamicsTraining training;
  std::array<Perceptron, mechanism_count> mechanisms;
  std::array<double, mechanism_count> body_correlations{};  ///< body_correlation() of normal shots
  /// Of score/sqrt(information + 1), in the context of the information
  std::array<std::array<ContextRanks, mechanism_count>, changeable_count> ranks;
  ContextRanks combined;  ///< of log_evidence() of a shot's statistics, in the context of all its information
  std::map<std::string, std::vector<double>>
      normal_levels;  ///< by family of levels: the largest evidence of each of them, rising
                      ///< (agents/normal_levels.hpp); empty: agents cannot detect by this model
};

/// Directions in which a mechanism of a material may be off: less and more, for each.
inline constexpr std::size_t statistic_count = 2 * changeable_count * mechanism_count;

/// Names of them in the order of DynamicsDetection::p_values: "ice friction, less".
std::vector<std::string> dynamics_statistics();

/// What is off: "ice friction, less than normal".
struct Deviation {
  MaterialClass material = MaterialClass::wood;
  Mechanism mechanism = Mechanism::gravity;
  bool more = false;  ///< the parameter seems larger
  double p = 1;       ///< of that direction alone
  double sigmas = 0;  ///< score/sqrt(information)
};

struct [[nodiscard]] DynamicsDetection {
  double p = 1;      ///< of the shot in the normal world
  PValues p_values;  ///< statistic_count: index (material x mechanisms + mechanism) x 2 + more; none where a
                     ///< mechanism says nothing
  std::vector<Deviation> findings;  ///< the least likely first
};

MechanismSums mechanism_sums(const DynamicsModel& model, const std::vector<ContactEvent>& contact_events);
DynamicsDetection detect(const DynamicsModel& model, const MechanismSums& sums);
/// What the model sees of a shot: the trace itself, or, for dynamics from video, what is read off the video
/// of it.
Trace seen_by(const DynamicsModel& model, const Scene& before, const Shot& shot, const Trace& happened);
/// `before`: the scene's shapes, kinds and materials are used, no parameter. `seen`: by seen_by().
/// Throws Error for a trace that is not recorded every model.training.stride steps.
DynamicsDetection detect(const DynamicsModel& model, const Scene& before, const Trace& seen);

/// `progress`: called with what is being done, from one thread at a time. The same settings give the same
/// model to the bit, on any number of threads.
DynamicsModel train_dynamics(const DynamicsTraining& training, int threads = 0,
                             const std::function<void(const std::string&)>& progress = {});

/// Computes correlations and ranks anew from shots at `training.calibration_levels` plainly drawn levels,
/// where nobody selected the shots, and at as many verified levels that are played with good shots.
/// `progress` as above.
void rank_normal_shots(DynamicsModel& model, int threads = 0,
                       const std::function<void(const std::string&)>& progress = {});

/// As a file holds it; weights have five significant digits there and in train_dynamics()'s result.
std::string dynamics_model_json(const DynamicsModel& model);
/// Throws Error naming `place` and what is wrong with the text.
DynamicsModel parse_dynamics_model(const std::string& text, const std::string& place);
/// Throws Error for a file that cannot be read or is no dynamics model.
DynamicsModel read_dynamics_model(const std::filesystem::path& path);
/// The models that come with the program, surprise/dynamics/models/2.json and 5.json: for frames every 2
/// steps (0.04 s) and every 5 (0.1 s, what agents are shown). Throws Error for any other number.
const DynamicsModel& shipped_dynamics(int stride);
/// The one for videos, surprise/dynamics/models/video.json, a picture every 2 steps.
const DynamicsModel& shipped_video_dynamics();

}  // namespace startle
