#pragma once
/// \file  The scorers that `startle probe` compares: models and the controls beside them.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/surprise/probe.hpp"
#include "surprise/networks/learned_scorer.hpp"

namespace startle {

struct ProbeScorers {
  std::vector<std::unique_ptr<ClipScorer>> all = {};  ///< models, then controls
  std::size_t models = 0;                      ///< the first so many: those of --predictions, then networks
  std::size_t untrained = 0;                   ///< so many after them are untrained networks
  std::size_t predictions = 0;                 ///< so many of the models are those of --predictions
  std::vector<std::string> model_hashes = {};  ///< of the models' files
  /// By index of a calibrated scorer (probe_calibration.hpp): index of the original; they are the last ones.
  std::map<std::size_t, std::size_t> calibrated = {};
  std::vector<ClipScorer*> pointers() const;
};

/// Predictions of other programs (surprise/prediction_file.hpp) and models under the names of their files,
/// then the controls: of each kind of model the network untrained (a PredRNN where there is neither), and
/// make_controls(). Throws Error as load_predictions(), for a model of clips with another number of frames or
/// pixels than `clips`, and for a file named as a control is; reports models of clips of other scenes unless
/// quiet. `seed`: of the untrained networks.
ProbeScorers load_probe_scorers(const ProbeCommandOptions& options, const ClipFormat& clips,
                                std::uint64_t seed);

/// `startle probe` with its suite and those options that say what is tested, as results have it.
std::string scorers_command(const ProbeCommandOptions& options);

}  // namespace startle
