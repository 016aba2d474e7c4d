#pragma once
/// \file  What reasoning and difficulty compute of a scene, gathered for overlays and worked out beside the
/// window's work. No window here.
///
/// Nothing is computed anew here: targets, cases, influence, detectability and arithmetic are those of
/// reasoning/ and difficulty/, by the same calls as `startle explain` makes.
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "difficulty/difficulty.hpp"
#include "difficulty/explain.hpp"
#include "reasoning/qualitative/horizontal_influence.hpp"
#include "reasoning/qualitative/support.hpp"
#include "reasoning/qualitative/vertical_impact.hpp"
#include "sim/novelty.hpp"
#include "sim/scene.hpp"

namespace startle {

/// The scene with a novelty's changes undone: it has the level's parameters, and each object keeps its share
/// of life left. `start` is the level as make_scene() gives it, without novelty. At rest if the scene is at
/// rest.
Scene without_novelty(const Scene& scene, const Scene& start);

/// What one object brings about when it is hit or gone.
struct Influence {
  std::vector<Fall> vertical;                     ///< vertical impact: what falls once the object is gone
  std::optional<HorizontalInfluence> horizontal;  ///< with the next bird; empty without one, and for
                                                  ///< platforms
  double speed = 0;   ///< of the bird at the height of the object's centre, m/s; 0: it cannot come so high
  double damage = 0;  ///< hit points that a blow at that speed takes off
};

/// Whether the novelty can be detected in one object by the next shot.
struct ObjectDetectability {
  bool novel = false;                      ///< alive, and changed by the novelty
  std::vector<std::size_t> detectable_by;  ///< targets (object indices) whose hit makes it move detectably
  std::vector<std::size_t> moved_by;       ///< targets whose hit moves it in the novel world
  struct ChangedParameter {
    Parameter parameter;
    double normal = 0, novel = 0;
    Cases visible_in;  ///< detecting_cases() of the parameter
  };
  std::vector<ChangedParameter> changes;
};

struct Insight {
  Scene scene;      ///< normal: no novel object
  Novelty novelty;  ///< whose name is empty: none was asked about, and what depends on one is empty
  SupportGraph graph;
  std::vector<Influence> influences;               ///< by object index; empty entries for dead ones
  std::vector<ObjectDetectability> detectability;  ///< by object index
  Difficulty difficulty;
  std::vector<ExplanationPart> explanation;  ///< of `difficulty`

  /// The next shot's; null without a bird.
  const Interaction* next() const {
    return difficulty.interactions.empty() ? nullptr : &difficulty.interactions.front();
  }
  /// Of that target; null when the object is none.
  const TargetOutcome* outcome(std::size_t object) const;
};

/// `normal`: no object novel. `novelty` null: what can be said without one.
Insight make_insight(const Scene& normal, const Novelty* novelty, Method method = Method::extended);

/// Insights of scenes that are asked about frame by frame, each worked out once, in a thread; the last few
/// are kept.
class Insights {
 public:
  /// To be called once a frame. Null until it has been worked out. `start` as for without_novelty();
  /// `novelty` empty: none.
  std::shared_ptr<const Insight> of(const Scene& scene, const Scene& start,
                                    const std::optional<Novelty>& novelty, Method method);

 private:
  using Key = std::uint64_t;
  std::vector<std::pair<Key, std::shared_ptr<const Insight>>> kept_;  ///< the one asked for last stands last
  Key working_on_ = 0;
  std::future<std::shared_ptr<const Insight>> work_;
};

}  // namespace startle
