#pragma once
/// \file  What says how likely a whole shot is in the normal world, from what its bodies do: learned laws, and the reference observer.
#include <memory>
#include <string>
#include <vector>

#include "difficulty/observer.hpp"
#include "noticing/law_model.hpp"
#include "surprise/evaluation.hpp"  // ChosenShot, JudgedTwin

namespace startle {

class ShotJudge {
 public:
  virtual ~ShotJudge() = default;
  virtual std::string name() const = 0;
  /// One shot in the normal and in the novel world; `cut`: of its clips. `number` names the shot, for whatever is left to chance. Called from any thread.
  virtual JudgedTwin judge(const ChosenShot& shot, const Scene& novel, const ClipCut& cut,
                           std::uint64_t number) const = 0;
};

/// "objects": learned laws (noticing/law_model.hpp), which see places and angles exactly at the model's looks; "film": laws of films, which read them off pictures. The model
/// must outlive it.
std::unique_ptr<ShotJudge> make_law_judge(const LawModel& model);

/// "observer": the reference observer, which is told a launch off the true one by its aim noise; and "observer, clip": the same through the window and at the times of
/// the shot's clip.
std::unique_ptr<ShotJudge> make_observer_judge(const ObserverOptions& options);
std::unique_ptr<ShotJudge> make_clip_observer_judge(const ObserverOptions& options, const ClipFormat& format);

}  // namespace startle
