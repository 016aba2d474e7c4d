#pragma once
/// \file  Evaluation: the same shots in the normal and in the novel world, and how surprised predictors are
/// by either.
///
/// \code
///   #include "surprise/networks/predrnn.hpp"
///   const auto levels = read_evaluation_levels("levels/benchmark", *profile(), 5);
///   auto model = load_predictor("model.safetensors");
///   const Evaluation e = evaluate(levels, {model.get()}, {}, {}, profile());
///   // e.twins[i].predictors[0].novel.errors: errors of the model, frame by frame;
///   // surprise/evaluation_metrics.hpp makes tables of them
/// \endcode
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "difficulty/tiers.hpp"
#include "levels/stored_level.hpp"
#include "render/clip.hpp"
#include "sim/novelty.hpp"
#include "sim/profile.hpp"
#include "statistics/sequential_evidence.hpp"
#include "surprise/clip_scorer.hpp"
#include "surprise/surprise_score.hpp"

namespace startle {

/// A level, which is the normal world, and the novelty that makes its twin.
struct EvaluationLevel {
  StoredLevel level;
  const Novelty* novelty = nullptr;
  Tier tier = Tier::medium;
};

/// The levels below a folder that say for which novelty and tier they were made (StoredLevel::difficulty), as
/// `startle levels generate --tier` writes them, at most `limit` of each novelty and tier (0: all), in order
/// of their paths. They come out by turns of novelty and tier, so that a run that ends early has seen some of
/// each. Throws Error for a level that cannot be used under the profile, that says no novelty or tier, or has
/// the name of another, and for a folder without levels.
std::vector<EvaluationLevel> read_evaluation_levels(const std::filesystem::path& folder,
                                                    const Profile& profile, std::size_t limit = 0);

/// Why a shot was chosen. No choice looks at the novel world: shots picked because they make the novelty
/// visible would show it at every tier, and the tiers say just how likely shots are to do so.
enum class ShotKind {
  best,      ///< at the reasoning's best target in the level as it stands: what the difficulty is about
  solution,  ///< one of the stored shots that clear the level in the normal world, each from the normal
             ///< world's state after those before
  random     ///< at a target drawn at random: the chance that PID is about
};
const std::vector<ShotKind>& shot_kinds();
const char* name(ShotKind kind);

struct ChosenShot {
  ShotKind kind = ShotKind::best;
  int bird = 0;  ///< number of the bird that flies, from 0
  Shot shot;
  Scene scene;  ///< normal world, at rest, from which it is shot
};

/// The shots at one level: the best target's, all of the solution, and at `random_targets` targets that are
/// not the best one, drawn without replacement (fewer where there are fewer; each target's first trajectory,
/// as for the best one). A shot equal to an earlier one from the same state is left out. Random targets are a
/// function of seed and the level's name. `normal`: the level at rest in the normal world.
std::vector<ChosenShot> choose_shots(const EvaluationLevel& level, const Scene& normal, int random_targets,
                                     std::uint64_t seed);

/// The same of a shot in the normal and in the novel world.
template <typename T>
struct TwinPair {
  T normal, novel;
  const T& of(bool in_novel) const { return in_novel ? novel : normal; }
};

/// One shot in both worlds, seen by the same camera at the same times, with one cut.
struct TwinClips : TwinPair<ShotClip> {
  bool visible = false;  ///< a body in view is visibly elsewhere, or there in one world alone, for as long as
                         ///< VisibleDifference says (simulated/twin.hpp)
};
TwinClips make_twin_clips(const ChosenShot& shot, const Novelty& novelty, const ClipFormat& format);

/// One predictor on one pair of twins.
using TwinErrors = TwinPair<ClipSurprise>;

/// A detector of whole shots (shot_detector.hpp) on one shot: how likely it is in the normal world.
struct DetectorOutput {
  double p = 1;      ///< in (0, 1]
  PValues p_values;  ///< that evidence is added up of; at least one
};
using TwinOutputs = TwinPair<DetectorOutput>;

struct EvaluatedTwin {
  std::size_t level = 0;  ///< index in Evaluation::levels
  ShotKind kind = ShotKind::best;
  int bird = 0;
  Shot shot;
  /// ||x_novel[t] - x_normal[t]||^2 for t = 1 ... T - 1 (from 0): what there is to see. All 0: nobody can
  /// distinguish the two clips.
  std::vector<double> difference;
  TwinPair<double> change = {};        ///< sum over t of ||x[t] - x[t-1]||^2 of either clip
  bool visible = false;                ///< TwinClips::visible
  std::vector<TwinErrors> predictors;  ///< in the order of Evaluation::predictors
  std::vector<TwinOutputs> outputs;    ///< in the order of Evaluation::detectors
};

/// The detectors that rank clips among normal clips of the same evaluation (surprise/detection.hpp).
struct RankedDetectors {
  std::size_t first = 0;  ///< index in Evaluation::detectors; all after it are ranked, too
  std::array<std::size_t, 2> normal_clips{};  ///< of levels of even and of odd index; clips of one half are
                                              ///< ranked among those of the other
};

struct Evaluation {
  ClipFormat format;
  std::vector<std::string> predictors = {};  ///< names; with EvaluationOptions::physics the last four are
                                             ///< "physics" and its kin
  std::vector<std::string> detectors = {};   ///< names
  /// By name of a detector that gives a shot several p-values: what each is of, "stone down, less".
  std::map<std::string, std::vector<std::string>> statistics = {};
  std::vector<EvaluationLevel> levels = {};
  std::vector<EvaluatedTwin> twins = {};  ///< by level, in its order of shots
  /// Names of levels left out: the novelty changes no object of theirs.
  std::vector<std::string> without_novelty = {};
  std::optional<RankedDetectors> ranked;  ///< empty: no detector ranks clips
};

/// Whether the predictor gives a clip one number (ClipSurprise::whole). `evaluation`: of one twin at least.
bool gives_one_number(const Evaluation& evaluation, std::size_t predictor);
/// Whether it does, or gives errors that nothing says the change of: then they are no squared errors of
/// frames. `evaluation`: of one twin at least.
bool has_unit_of_its_own(const Evaluation& evaluation, std::size_t predictor);

struct EvaluationOptions {
  ClipFormat format;
  int random_targets = 1;  ///< >= 0
  std::uint64_t seed = 1;
  int threads = 0;       ///< of simulation and rendering; 0: all of the machine
  bool physics = false;  ///< perfect physics (surprise/physics_prediction.hpp) as more predictors: "physics",
                         ///< one frame ahead from estimated speeds; "physics, exact speeds"; and both ", 2
                         ///< frames ahead"
};

class ShotDetector;

/// Simulates all shots of all levels and lets every predictor, which may be any clip scorer, score all
/// clips, and every detector test all shots. The result does not depend on the number of threads (of those of
/// a predictor it may, in the last digits). Twins without any difference are predicted once, so that their
/// errors are equal. `progress` is called after each level. Once `keep_going` answers false the evaluation
/// ends with the levels done. Throws Error when a predictor refuses the clips.
Evaluation evaluate(const std::vector<EvaluationLevel>& levels, const std::vector<ClipScorer*>& predictors,
                    const std::vector<const ShotDetector*>& detectors, const EvaluationOptions& options,
                    std::shared_ptr<const Profile> profile, const std::function<void()>& progress = {},
                    const std::function<bool()>& keep_going = {});

/// The clips that evaluate() shows predictors of a level, by shot, the normal and the novel one each; none
/// where the novelty changes nothing.
std::vector<Clip> clips_of_level(const EvaluationLevel& level, const EvaluationOptions& options,
                                 std::shared_ptr<const Profile> profile);

/// The shot of a twin again, to be looked at.
ChosenShot shot_of(const Evaluation& evaluation, const EvaluatedTwin& twin,
                   std::shared_ptr<const Profile> profile);

}  // namespace startle
