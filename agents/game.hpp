#pragma once
/// \file  A level being played: the one place where the world meets an agent.
///
/// The game holds the world with all that is hidden in it, and hands out Observation, SeenShot and pictures,
/// in which it is not.
#include <vector>

#include "agents/agent.hpp"
#include "sim/scene.hpp"
#include "sim/trace.hpp"
#include "sim/world_options.hpp"

namespace startle {

class Game : public ObservationSource {
 public:
  /// `start`: the level at rest, with or without a novelty; `level`: its number in the trial; `recording`:
  /// what hidden_trace() holds, besides which the game has what an agent sees.
  explicit Game(Scene start, int level = 1, const WorldOptions& recording = {.record_events = true});

  const Observation& now() const override { return now_; }
  Bitmap picture(int width, int height) const override;
  Bitmap picture_of_frame(std::size_t frame, int width, int height) const override;
  /// What a player sees on a screen: part of the level as it stands, drawn for people (Style::people), with
  /// the birds that are left.
  Bitmap screenshot(const View& view, int width, int height) const;
  /// The last shot, or null when there is none.
  const SeenShot* last_shot() const { return shots_ > 0 ? &seen_ : nullptr; }

  /// No pig or no bird is left.
  bool over() const;
  /// No pig is left, of those that there were.
  bool solved() const { return had_pigs_ && scene_.cleared(); }
  /// Score; of a solved level with that of the unused birds.
  double score() const;
  /// Flies the next bird. Throws AgentFailure for a shot out of range, Error when the level is over.
  const SeenShot& shoot(const Shot& shot);

  /// The world itself. Agents never get hold of a Game; only the oracle, recorders and tests look here.
  const Scene& hidden() const { return scene_; }
  /// The last shot as it was simulated, and the world before it.
  const Trace& hidden_trace() const { return trace_; }
  const Scene& hidden_before() const { return before_; }

 private:
  Observation observe() const;

  Scene scene_, before_;
  WorldOptions recording_;
  Trace trace_;
  std::vector<Frame> frames_;  ///< frame_interval apart, whatever trace_ has
  Observation now_;
  SeenShot seen_;
  int level_;
  int shots_ = 0;
  bool had_pigs_;
};

/// What frames of a shot from the scene look like: without life, and without what never moves.
std::vector<SeenFrame> seen_frames(const Scene& scene, const std::vector<Frame>& frames);

/// Steps between recorded frames that make frame_interval.
int steps_a_frame(const Profile& profile);

}  // namespace startle
