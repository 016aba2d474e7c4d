#pragma once
/// \file  Several games played side by side, and what is seen of them as arrays of fixed size: what learners
/// step through.
///
/// Which of the levels a game plays next is drawn by a random stream of its own, so that a game depends on
/// its seed alone and not on the games beside it, nor on the number of threads.
///
/// An episode is one level; or, where the world changes within it, a row of levels, as in the protocol shift
/// of agents run.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "agents/game.hpp"
#include "core/random.hpp"
#include "levels/stored_level.hpp"
#include "sim/profile.hpp"

namespace startle {

/// The names that codes stand for. Code 0 of a type means that there is nothing. The same for all profiles.
const std::vector<std::string>& object_type_codes();
const std::vector<std::string>& bird_type_codes();
const std::vector<std::string>& kind_codes();
const std::vector<std::string>& material_codes();

/// Columns of an object: type, kind, material (codes), x, y, angle, and width and height of the box around
/// its shape in the body's frame.
inline constexpr std::size_t object_columns = 8;
/// x and y of the bird at rest, longest pull, launch speed, flight gravity of the next bird (0: none is
/// left), top of the ground, half width.
inline constexpr std::size_t launch_columns = 7;

struct BatchOptions {
  int count = 1;                  ///< games
  int width = 128, height = 128;  ///< of pictures, pixels
  int threads = 0;                ///< 0: all of the machine
  /// A step of a game that is over starts the next one and does not look at the action. Without it, such a
  /// step is refused.
  bool start_again = false;
  /// Above 0: an episode has twice as many levels. The world is normal in the first k of them, k drawn from 1
  /// to this, and novel in the others.
  int shift_after = 0;
};

/// Where the batch writes, row-major, one entry a game. All of it must be there; it is written whole.
struct BatchArrays {
  std::uint8_t* pictures = nullptr;  ///< [count][height][width][3]
  double* objects = nullptr;  ///< [count][most_objects][object_columns], row = id of the object; zeros where
                              ///< it is gone
  std::int64_t* birds = nullptr;  ///< [count][most_birds], codes, the next bird first, then zeros
  double* launch = nullptr;       ///< [count][launch_columns]
  double* rewards = nullptr;      ///< [count] score gained
  bool* over = nullptr;           ///< [count] the episode
  double* scores = nullptr;       ///< [count] of the episode so far
  std::int64_t* shots = nullptr;  ///< [count] taken in the episode
  std::int64_t* pigs = nullptr;   ///< [count] left in the level
  bool* solved = nullptr;         ///< [count] whether the last shot has cleared its level
  std::int64_t* level = nullptr;  ///< [count] number of the level in the episode, from 1
  std::int64_t* shift = nullptr;  ///< [count] normal levels of an episode that is over; 0: it is not, or its
                                  ///< world does not change
};

/// Belongs to one thread at a time. A copy plays on by itself, from the same state, bit for bit.
class Batch {
 public:
  /// `novelty`: false, the normal world; true, the novelty stored with each level; or the name of one. The
  /// novel world starts from the same objects at the same places (novel_twin). Throws Error for a level that
  /// cannot be used, one without birds or pigs, one without the novelty asked for or in which it changes
  /// nothing, no level, options out of range, and a world that is to change without a novelty.
  Batch(const std::vector<StoredLevel>& levels, std::shared_ptr<const Profile> profile,
        const std::variant<bool, std::string>& novelty, const BatchOptions& options);

  const BatchOptions& options() const { return options_; }
  std::size_t levels() const { return starts_->size(); }
  /// The largest over the levels.
  std::size_t most_objects() const { return most_objects_; }
  std::size_t most_birds() const { return most_birds_; }

  /// A new game.
  struct Start {
    std::optional<std::uint64_t> seed;  ///< starts the random stream anew
    std::optional<std::size_t> level;   ///< index of the one to play; none: drawn
  };
  /// New games in all places. Throws Error, before any is begun, for a level that there is not and where a
  /// stream was never seeded.
  void reset(const std::vector<Start>& starts);
  /// Shots at one level.
  struct PlayedLevel {
    std::size_t level = 0;
    std::vector<Shot> shots = {};
  };
  /// What became of a game so far, from which it can be played again.
  struct Played {
    std::optional<std::uint64_t> seed;     ///< none: never reset
    std::uint64_t drawn = 0, episode = 0;  ///< levels and episodes, since the seed was given
    std::vector<PlayedLevel> levels = {};  ///< of this episode; the last one is being played
  };
  const Played& played(std::size_t i) const { return slots_.at(i).played; }
  /// Plays all games again. Throws Error, and AgentFailure for a shot out of range, for what these levels and
  /// options cannot have led to.
  void replay(const std::vector<Played>& games);
  /// One shot in each game. Throws before any game is touched: AgentFailure for a shot out of range, Error
  /// for a game that is over or was never reset.
  void step(const std::vector<Shot>& shots);
  /// What is seen now; rewards are those of the last step, 0 after a reset.
  void write(const BatchArrays& arrays) const;

  /// The game being played. Throws Error where there is none yet.
  const Game& game(std::size_t i) const;
  /// That of its last shot: the level before, where that shot has ended it. Throws Error when there is none.
  const Game& game_of_last_shot(std::size_t i) const;

 private:
  struct Slot {
    std::optional<Random> random;
    std::optional<Game> game;
    std::optional<Game> ended;  ///< the level before, until the next shot
    Played played;
    int shift = 0;             ///< normal levels of this episode
    double earlier_score = 0;  ///< of the levels before this one
    double reward = 0;
  };
  int episode_levels() const { return std::max(1, 2 * options_.shift_after); }
  bool over(const Slot& slot) const;
  void seed(Slot& slot, std::uint64_t seed);
  void begin(Slot& slot, std::optional<std::size_t> level);
  void begin_level(Slot& slot, std::optional<std::size_t> level);
  void shoot(Slot& slot, const Shot& shot);
  void write_one(std::size_t i, const BatchArrays& arrays) const;

  BatchOptions options_;
  struct Starts {
    Scene first, later;  ///< later: in levels after the change
  };
  std::shared_ptr<const std::vector<Starts>> starts_;  ///< copies share them
  std::size_t most_objects_ = 0, most_birds_ = 0;
  std::vector<Slot> slots_;
};

}  // namespace startle
