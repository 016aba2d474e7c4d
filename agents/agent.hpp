#pragma once
/// \file  The agent interface: what an agent sees, what it does, what it says.
///
/// An agent sees what a player sees: where things are and what they look like. Parameters of objects, tiers,
/// novelties, names of levels, and whether a level is novel never cross this border; nothing below has a
/// place for them.
///
/// \code
///   class Straight : public Agent {
///    public:
///     Shot act(const ObservationSource&) override { return {.angle = radians(20)}; }
///     Report report(const SeenShot&, const ObservationSource&) override { return {.novelty = 0}; }
///   };
/// \endcode
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "render/frames.hpp"
#include "sim/geometry.hpp"
#include "sim/level.hpp"
#include "sim/shot.hpp"

namespace startle {

/// One object as it stands. Lengths are world units, angles radians.
struct SeenObject {
  int id = 0;                          ///< stays the same as long as the level is played
  Kind kind = Kind::block;             ///< block, pig, tnt or platform
  std::string type;                    ///< appearance: "RectFat", "BasicSmall"
  Material material = Material::none;  ///< blocks only
  Pose pose;
  std::shared_ptr<const Shape> shape;  ///< body frame
};

/// A level between two shots.
struct Observation {
  int level = 1;                   ///< number of the level within the trial, from 1
  int shot = 1;                    ///< number of the shot to come, from 1
  std::vector<std::string> birds;  ///< left, the next one first; empty: none
  double score = 0;
  Vec2 slingshot;            ///< centre
  Vec2 rest;                 ///< where the bird sits before it is pulled back
  double max_stretch = 1;    ///< longest pull
  double ground_y = -3.5;    ///< top of the ground
  double half_width = 8.75;  ///< the world is |x| <= half_width
  /// Flight of the next bird: it starts at rest - stretch x max_stretch x direction(angle) with stretch x
  /// launch_speed in that direction, and falls with flight_gravity.
  double launch_speed = 10;         ///< m/s at the longest pull
  double flight_gravity = 0;        ///< m/s^2, downward
  std::vector<SeenObject> objects;  ///< that still exist, by id
};

/// A body in flight or in place. Ids from SeenShot::first_bird on are the bird, its children and its egg.
struct SeenBody {
  int id = 0;
  Pose pose;
};

/// Everything that can move, at one time after the release; what is missing is gone.
struct SeenFrame {
  double time = 0;               ///< s
  std::vector<SeenBody> bodies;  ///< by id
};

/// Seconds between two frames of a shot; a whole number of steps.
inline constexpr double frame_interval = 0.1;

/// What one shot looked like.
struct SeenShot {
  Shot shot;
  std::string bird;               ///< type of the bird that flew
  Observation before, after;      ///< `after` at rest, or after the longest time a shot is watched
  int first_bird = 0;             ///< id of the bird; objects have lower ids
  std::vector<SeenFrame> frames;  ///< at 0, frame_interval, 2 frame_interval ...
};

/// What an agent can look at while it is asked.
class ObservationSource {
 public:
  virtual ~ObservationSource() = default;
  virtual const Observation& now() const = 0;
  /// The whole level as it stands, drawn in flat colours (Style::training). Throws Error for sides outside 1
  /// to 1024 pixels.
  virtual Bitmap picture(int width, int height) const = 0;
  /// The same at frame number `frame` (from 0) of the last shot. Throws Error when there is none, and as
  /// above.
  virtual Bitmap picture_of_frame(std::size_t frame, int width, int height) const = 0;
};

/// The start of a trial.
struct Briefing {
  std::uint64_t seed = 0;  ///< below 2^53; for whatever the agent leaves to chance
  int levels = 1;          ///< of the trial, played in order, one try each
};

/// After a shot.
struct Report {
  double novelty = 0;       ///< likelihood, in [0, 1], that the world is not the normal one; 0.5 and above
                            ///< is an alarm
  std::string description;  ///< what is different, in words; may be empty
};

/// Plays one trial: begin, then for each shot act and report. An agent object lives for one trial and belongs
/// to one thread. It may throw AgentFailure; anything else it throws counts as a crash.
class Agent {
 public:
  virtual ~Agent() = default;
  /// The agent itself where the runner gives it the truth (agents/built_in.hpp), else null.
  virtual class Oracle* oracle() { return nullptr; }
  /// Where it plays: one of `processes` (agents/trials/trial.hpp).
  virtual std::string process() const { return "built in"; }
  virtual void begin(const Briefing&) {}
  /// Called while birds and pigs are left.
  virtual Shot act(const ObservationSource& source) = 0;
  virtual Report report(const SeenShot& seen, const ObservationSource& source) = 0;
  virtual void end() {}
};

/// How a trial ended.
enum class Status { ok, timeout, crash, protocol_error, invalid_action };
const char* name(Status status);

/// The agent cannot go on.
class AgentFailure : public std::runtime_error {
 public:
  AgentFailure(Status status, const std::string& what) : std::runtime_error(what), status_(status) {}
  Status status() const { return status_; }

 private:
  Status status_;
};

/// Throw AgentFailure(invalid_action) naming the value and what is allowed: angle within a full turn, 2 pi (a
/// larger one is in degrees), stretch over 0 to 1, tap time at most latest_tap_s; novelty in [0, 1],
/// description at most 10,000 bytes of UTF-8.
void check(const Shot& shot);
void check(const Report& report);

}  // namespace startle
