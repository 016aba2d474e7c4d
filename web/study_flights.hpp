#pragma once
/// \file  Shots of a study's participants, flown by the server in the world of the item, which is never sent.
/// What is flown is a function of the level, the world and the shots so far.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "people/study_session.hpp"
#include "sim/world.hpp"
#include "web/flown_shots.hpp"
#include "web/recent.hpp"

namespace startle {

/// The shots of the level in play, as the events have them.
struct ShotsInPlay {
  std::vector<Shot> ended;
  std::optional<Shot> flying;  ///< released, and not ended
};
ShotsInPlay shots_in_play(const std::vector<StudyEvent>& events);

class StudyFlights {
 public:
  StudyFlights(const StudyRecord& record, std::shared_ptr<const Profile> profile)
      : record_(record), profile_(std::move(profile)) {}

  /// The level in play after these shots, each of which must have had its bird. State must be playing().
  std::shared_ptr<const Scene> scene(const StudySession& session, const std::vector<Shot>& shots);
  /// The last of the shots, one at least, with all that is seen of it.
  WebShot last(const StudySession& session, const std::vector<Shot>& shots);
  /// The last of the shots: what it left, and its trace without frames; of its events, the use of the power.
  std::shared_ptr<const ShotResult> result(const StudySession& session, const std::vector<Shot>& shots);

 private:
  static constexpr std::size_t most_kept = 1024;  ///< scenes of each kind, some 40 KB each

  StudyRecord record_;
  std::shared_ptr<const Profile> profile_;
  Recent<Scene> starts_{most_kept};        ///< by level and world
  Recent<ShotResult> results_{most_kept};  ///< by level, world and shots
};

}  // namespace startle
