#pragma once
/// \file  The learned laws of the normal world, and how likely a shot is under them: detection from the states of objects.
///
/// \code
///   const LawModel& model = shipped_laws(2);
///   ShotResult shot = run_shot(novel, {.angle = 0.5}, {.record_every = model.training.steps_a_look});
///   LawJudgement found = judge(model, before, shot.trace);   // found.p; found.findings.front(): "wood rebound, more than normal"
/// \endcode
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "noticing/context_ranks.hpp"
#include "noticing/law.hpp"
#include "sim/profile.hpp"
#include "sim/shot.hpp"

namespace startle {

/// What was learned from: shots in the normal world at generated levels (law_examples.hpp), for the networks and, others, for the ranks.
struct LawTraining {
  std::string profile = "startle";
  std::uint64_t seed = 1;
  std::size_t levels = 2800;  ///< for the networks, at least 1
  std::size_t calibration_levels =
      800;               ///< for the ranks, at least 1; fewer than 15 are too few to say anything
  int steps_a_look = 2;  ///< steps of the simulation between looks, 1 to 50; agents are shown one in five
  double pixel = 0;      ///< how well the onlooker sees, as for encounters(), 0 to 1 world units; 0: exactly
  bool film = false;  ///< the onlooker is told no place, but reads a film (film_reader.hpp); pixel is 0 then
  std::size_t width = 96;  ///< of both hidden layers, a multiple of 8, 8 to 512
  int steps = 60000;       ///< of training, each of 64 readings, at least 1
};
/// Throws Error naming the field, what was found and what is allowed.
void require_valid(const LawTraining& training);

/// All that one law says of one material in a shot.
struct LawSum {
  double score = 0, information = 0;
};
using LawSums = std::array<std::array<LawSum, law_count>, changeable_count>;

struct LawModel {
  LawTraining training;
  std::array<Perceptron, law_count> laws;
  std::array<std::array<ContextRanks, law_count>, changeable_count>
      ranks;              ///< of score/sqrt(information + 1), in the context of the information
  ContextRanks combined;  ///< of log_evidence() of a shot's streams, in the context of all its information
};

/// Directions in which a law of a material may be off: less and more, for each.
inline constexpr std::size_t law_stream_count = 2 * changeable_count * law_count;

/// What is off: "ice rub, less than normal".
struct LawFinding {
  Stuff material = Stuff::wood;
  Law law = Law::fall;
  bool more = false;  ///< the parameter seems larger
  double p = 1;       ///< of that direction alone
  double sigmas = 0;  ///< score/sqrt(information)
};

struct LawJudgement {
  double p = 1;  ///< of the shot in the normal world
  std::vector<double>
      streams;  ///< law_stream_count p-values: index (material x laws + law) x 2 + more; 1 where a law says nothing
  std::vector<LawFinding> findings;  ///< the least likely first
};

LawSums law_sums(const LawModel& model, const std::vector<Encounter>& encounters);
LawJudgement judge(const LawModel& model, const LawSums& sums);
/// What the model's onlooker makes of a shot: the trace itself, or, for laws of films, the film of it read.
Trace seen_by(const LawModel& model, const Scene& before, const Shot& shot, const Trace& happened);
/// `before`: the scene's shapes, kinds and materials are looked at, no parameter. `seen`: by seen_by(). Throws Error for a trace that is not recorded every model.training.steps_a_look steps.
LawJudgement judge(const LawModel& model, const Scene& before, const Trace& seen);

/// `progress`: called with what is being done, from one thread at a time. The same settings give the same model to the bit, on any number of threads.
LawModel train_laws(const LawTraining& training, int threads = 0,
                    const std::function<void(const std::string&)>& progress = {});

/// As a file holds it; weights have five significant digits there and in train_laws()'s result.
std::string law_model_json(const LawModel& model);
/// Throws Error naming `place` and what is wrong with the text.
LawModel parse_law_model(const std::string& text, const std::string& place);
/// Throws Error for a file that cannot be read or is no model of laws.
LawModel read_law_model(const std::filesystem::path& path);
/// The models that come with the program, noticing/laws/2.json and 5.json: for looks every 2 steps (0.04 s) and every 5 (0.1 s, what agents are shown). Throws Error for
/// any other number.
const LawModel& shipped_laws(int steps_a_look);
/// The one for films, noticing/laws/film.json, a picture every 2 steps.
const LawModel& shipped_film_laws();

}  // namespace startle
