#pragma once
/// \file  The messages of Science Birds' agent protocol (AIBirds, port 2004) as bytes: pure functions, no
/// sockets.
///
/// A request is one byte, its code, and the fields of that code; there is no length before it. A reply is its
/// fields alone. One request is answered before the next is sent. Every number is big-endian: `I` 4 bytes
/// without sign, `i` 4 bytes with sign, `f` IEEE 754 single, `B` 1 byte. docs/aibirds.md has the table and
/// what each message does here.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "render/frames.hpp"
#include "sim/geometry.hpp"

namespace startle::aibirds {

/// Codes with the fields of request -> reply. A *shot* is 4 or 6 numbers `i`, see Dialect.
enum class Code : std::uint8_t {
  configure = 1,          ///< I agent, B mode (0 competition, 1 training) -> B round, B minutes, B levels
  set_speed = 2,          ///< I speed -> B done
  screenshot = 11,        ///< -> I width, I height, RGB from the top left
  state = 12,             ///< -> B GameState
  best_scores = 13,       ///< -> I score of each level, without their number
  current_level = 14,     ///< -> I, from 1; 0: none was loaded
  levels = 15,            ///< -> I
  scores = 23,            ///< -> I n, n x I score
  shoot = 31,             ///< shot -> B done
  shoot_polar = 32,       ///< shot -> B done
  shoot_sequence = 33,    ///< B n (<= 16), n x (B 31 or 32 or 41 or 42, shot) -> n x B done
  zoom_out = 34,          ///< -> B done
  zoom_in = 35,           ///< -> B done
  click_centre = 36,      ///< -> B done
  shoot_and_record = 38,  ///< i x, i y, i hold, i tap, i frequency (hydra: and i option) -> I n, n x ground
                          ///< truth
  fast_shoot = 41,        ///< as 31
  fast_shoot_polar = 42,  ///< as 32
  fast_shoot_sequence = 43,                ///< as 33
  load_level = 51,                         ///< I level, from 1 -> B done
  restart_level = 52,                      ///< -> B done
  load_next_level = 53,                    ///< -> I level; 0: none is left
  ground_truth_and_screenshot = 61,        ///< -> ground truth, screenshot
  ground_truth = 62,                       ///< -> I bytes, JSON and 5 bytes that agents cut off
  noisy_ground_truth_and_screenshot = 63,  ///< as 61
  noisy_ground_truth = 64,                 ///< as 62
  current_score = 65,                      ///< -> I
  report_novelty = 66,      ///< f novel, f not novel, i n, n x i object, i novelty level, i bytes, UTF-8 -> B
                            ///< done
  describe_novelty = 67,    ///< I bytes, UTF-8 -> B done
  ready_for_new_set = 68,   ///< -> NewSet, 19 bytes
  novelty_info = 69,        ///< -> i (1 novel, 0 not, -1 not given)
  batch_ground_truth = 70,  ///< i frequency, i frames -> as 38
  initial_screenshot = 71,  ///< -> as 11
  novelty_hint = 72,        ///< I level of the hint -> I bytes, JSON
};

/// What code 12 answers. Startle never answers with those left out here: 0 unknown, 1 main menu, 2 episode
/// menu, 4 loading, 8 new test set, 9 new training set, 10 resume training.
enum class GameState : std::uint8_t {
  level_selection = 3,
  playing = 5,
  won = 6,
  lost = 7,
  new_trial = 11,
  novelty_report_wanted = 12,
  evaluation_terminated = 13,
};

/// Clients that differ in the length of a message, which the bytes do not say.
enum class Dialect {
  phyq,   ///< shot: x, y, hold, tap. Phy-Q, NovPhy, DataLab 5, BamBirds for Science Birds
  hydra,  ///< the same, and one more number in code 38
  alpha,  ///< shot: focus x, focus y, dx, dy, hold, tap. Science Birds to 0.2, AIBirds before it
};

inline constexpr std::size_t longest_sequence = 16;        ///< shots of codes 33 and 43
inline constexpr std::size_t most_objects = 4096;          ///< of code 66
inline constexpr std::size_t longest_description = 10000;  ///< bytes, codes 66 and 67

/// A shot as it is sent. Pixels, from the top left, y down.
struct ScreenShot {
  bool polar = false;
  bool has_focus = false;  ///< Dialect::alpha: a and b are relative to the focus
  std::int32_t focus_x = 0, focus_y = 0;
  /// Cartesian: x and y of the point of release. Polar: distance from the focus (without one: from the bird
  /// at rest) in pixels, and the angle of launch above +x in hundredths of a degree; Dialect::alpha sends
  /// these two the other way round, and here they are in order.
  std::int32_t a = 0, b = 0;
  std::int32_t hold_ms = 0;  ///< before the release; means nothing here
  std::int32_t tap_ms = 0;   ///< after the release, game time; 0 and less: no tap

  /// Whether the bird is released where it rests, which is no shot. Never true of Cartesian coordinates
  /// without a focus, because the bird does not rest on a whole pixel.
  bool no_pull() const { return a == 0 && (polar || (has_focus && b == 0)); }
};

/// Where the bird is let go, in pixels. `rest`: the bird before it is pulled back.
Vec2 release_point(const ScreenShot& shot, Vec2 rest);

struct Request {
  Code code = Code::state;
  std::uint32_t number = 0;           ///< 1: agent; 2: speed; 51: level; 72: level of the hint
  std::uint8_t mode = 0;              ///< 1
  std::vector<ScreenShot> shots;      ///< one; 33 and 43: as many as were sent
  std::int32_t frequency = 1;         ///< 38 and 70: every how many frames
  std::int32_t frames = 0;            ///< 70: at most
  double novel = 0, not_novel = 0;    ///< 66
  std::vector<std::int32_t> objects;  ///< 66
  std::int32_t novelty_level = 0;     ///< 66
  std::string description;            ///< 66 and 67
};

struct Decoded {
  std::size_t bytes = 0;  ///< of `request`; 0: it is not complete yet
  Request request;
};

/// The first request in `bytes`. Throws AgentFailure(protocol_error) for an unknown code and for numbers over
/// the limits above: what comes after them cannot be read.
Decoded decode(std::string_view bytes, Dialect dialect);

std::string byte_reply(std::uint8_t value);
/// Also for numbers with sign, by two's complement.
std::string number_reply(std::uint32_t value);
/// Three bytes; what is over 255 is answered as 255.
std::string configure_reply(unsigned round, unsigned minutes, unsigned levels);
std::string image_reply(const Bitmap& picture);
std::string ground_truth_reply(const std::string& json);
/// n and each of them.
std::string batch_reply(const std::vector<std::string>& json);
std::string scores_reply(const std::vector<std::uint32_t>& scores, bool with_number);
std::string text_reply(const std::string& text);

struct NewSet {
  std::uint32_t minutes = 0;       ///< time for the set
  std::uint32_t interactions = 0;  ///< most shots and levels loaded
  std::uint32_t levels = 0;
  std::uint32_t attempts = 1;  ///< at each level
  std::uint8_t mode = 0, order = 0, novelty_given = 0;
};
std::string new_set_reply(const NewSet& set);

}  // namespace startle::aibirds
