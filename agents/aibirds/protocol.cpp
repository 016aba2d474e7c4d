#include "agents/aibirds/protocol.hpp"

#include <algorithm>
#include <cmath>

#include "agents/agent.hpp"
#include "core/bits.hpp"

namespace startle::aibirds {
namespace {

[[noreturn]] void refuse(Code code, const std::string& what) {
  throw AgentFailure(Status::protocol_error,
                     "request " + std::to_string(static_cast<int>(code)) + ": " + what);
}

/// Reads numbers one after the other. Past the end it gives zeros and says so.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::uint8_t byte() { return static_cast<std::uint8_t>(number(1)); }
  std::uint32_t u32() { return number(4); }
  std::int32_t i32() { return static_cast<std::int32_t>(number(4)); }
  float f32() { return bit_cast<float>(number(4)); }
  std::string text(std::size_t length) {
    if (!take(length)) return {};
    return std::string(bytes_.substr(at_ - length, length));
  }
  bool complete() const { return complete_; }
  std::size_t used() const { return at_; }

 private:
  bool take(std::size_t length) {
    if (bytes_.size() - at_ < length) complete_ = false;
    if (!complete_) return false;
    at_ += length;
    return true;
  }
  std::uint32_t number(std::size_t length) {
    if (!take(length)) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = at_ - length; i < at_; ++i)
      value = value << 8 | static_cast<std::uint8_t>(bytes_[i]);
    return value;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool complete_ = true;
};

ScreenShot read_shot(Reader& reader, bool polar, Dialect dialect) {
  ScreenShot shot{.polar = polar};
  if (dialect == Dialect::alpha) {
    shot.has_focus = true;
    shot.focus_x = reader.i32();
    shot.focus_y = reader.i32();
  }
  shot.a = reader.i32();
  shot.b = reader.i32();
  if (dialect == Dialect::alpha && polar) std::swap(shot.a, shot.b);
  shot.hold_ms = reader.i32();
  shot.tap_ms = reader.i32();
  return shot;
}

std::vector<ScreenShot> read_sequence(Reader& reader, Code code, Dialect dialect) {
  const std::size_t count = reader.byte();
  if (count > longest_sequence)
    refuse(code,
           "found " + std::to_string(count) + " shots, allowed are " + std::to_string(longest_sequence));
  std::vector<ScreenShot> shots;
  for (std::size_t i = 0; i < count && reader.complete(); ++i) {
    const std::uint8_t kind = reader.byte();
    if (!reader.complete()) break;
    const bool polar = kind == static_cast<std::uint8_t>(Code::shoot_polar) ||
                       kind == static_cast<std::uint8_t>(Code::fast_shoot_polar);
    if (!polar && kind != static_cast<std::uint8_t>(Code::shoot) &&
        kind != static_cast<std::uint8_t>(Code::fast_shoot))
      refuse(code, "found a shot of code " + std::to_string(kind) + ", allowed are 31, 32, 41 and 42");
    shots.push_back(read_shot(reader, polar, dialect));
  }
  return shots;
}

/// A length that the sender gives; negative ones arrive as large ones.
std::size_t read_length(Reader& reader, Code code, const char* what, std::size_t most) {
  const std::uint32_t length = reader.u32();
  if (length > most)
    refuse(code, "found " + std::to_string(length) + " " + what + ", allowed are " + std::to_string(most));
  return length;
}

std::string read_description(Reader& reader, Code code) {
  return reader.text(read_length(reader, code, "bytes of description", longest_description));
}

void read_novelty_report(Reader& reader, Request& request) {
  request.novel = reader.f32();
  request.not_novel = reader.f32();
  const std::size_t objects = read_length(reader, request.code, "objects", most_objects);
  for (std::size_t i = 0; i < objects && reader.complete(); ++i) request.objects.push_back(reader.i32());
  request.novelty_level = reader.i32();
  request.description = read_description(reader, request.code);
}

/// The fields of the code that `request` has.
void read_fields(Reader& reader, Request& request, Dialect dialect) {
  switch (request.code) {
    case Code::screenshot:
    case Code::state:
    case Code::best_scores:
    case Code::current_level:
    case Code::levels:
    case Code::scores:
    case Code::zoom_out:
    case Code::zoom_in:
    case Code::click_centre:
    case Code::restart_level:
    case Code::load_next_level:
    case Code::ground_truth_and_screenshot:
    case Code::ground_truth:
    case Code::noisy_ground_truth_and_screenshot:
    case Code::noisy_ground_truth:
    case Code::current_score:
    case Code::ready_for_new_set:
    case Code::novelty_info:
    case Code::initial_screenshot:
      break;
    case Code::configure:
      request.number = reader.u32();
      request.mode = reader.byte();
      break;
    case Code::set_speed:
    case Code::load_level:
    case Code::novelty_hint:
      request.number = reader.u32();
      break;
    case Code::shoot:
    case Code::fast_shoot:
      request.shots.push_back(read_shot(reader, false, dialect));
      break;
    case Code::shoot_polar:
    case Code::fast_shoot_polar:
      request.shots.push_back(read_shot(reader, true, dialect));
      break;
    case Code::shoot_sequence:
    case Code::fast_shoot_sequence:
      request.shots = read_sequence(reader, request.code, dialect);
      break;
    case Code::shoot_and_record:
      request.shots.push_back(read_shot(reader, false, dialect));
      request.frequency = reader.i32();
      if (dialect == Dialect::hydra) reader.i32();
      break;
    case Code::batch_ground_truth:
      request.frequency = reader.i32();
      request.frames = reader.i32();
      break;
    case Code::report_novelty:
      read_novelty_report(reader, request);
      break;
    case Code::describe_novelty:
      request.description = read_description(reader, request.code);
      break;
    default:
      throw AgentFailure(Status::protocol_error,
                         "unknown request code " + std::to_string(static_cast<int>(request.code)));
  }
}

void append(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFF);
}

}  // namespace

Vec2 release_point(const ScreenShot& shot, Vec2 rest) {
  const Vec2 focus = shot.has_focus
                         ? Vec2{static_cast<double>(shot.focus_x), static_cast<double>(shot.focus_y)}
                         : rest;
  if (shot.polar) {
    const Vec2 along = direction(radians(shot.b / 100.0));
    return {focus.x - shot.a * along.x, focus.y + shot.a * along.y};
  }
  const Vec2 point{static_cast<double>(shot.a), static_cast<double>(shot.b)};
  return shot.has_focus ? focus + point : point;
}

Decoded decode(std::string_view bytes, Dialect dialect) {
  if (bytes.empty()) return {};
  Reader reader(bytes);
  Decoded decoded;
  decoded.request.code = static_cast<Code>(reader.byte());
  read_fields(reader, decoded.request, dialect);
  if (reader.complete()) decoded.bytes = reader.used();
  return decoded;
}

std::string byte_reply(std::uint8_t value) { return std::string(1, static_cast<char>(value)); }

std::string number_reply(std::uint32_t value) {
  std::string bytes;
  append(bytes, value);
  return bytes;
}

std::string configure_reply(unsigned round, unsigned minutes, unsigned levels) {
  std::string bytes;
  for (const unsigned value : {round, minutes, levels}) bytes += static_cast<char>(std::min(value, 255u));
  return bytes;
}

std::string image_reply(const Bitmap& picture) {
  std::string bytes;
  bytes.reserve(8 + picture.rgb.size());
  append(bytes, static_cast<std::uint32_t>(picture.width));
  append(bytes, static_cast<std::uint32_t>(picture.height));
  bytes.append(reinterpret_cast<const char*>(picture.rgb.data()), picture.rgb.size());
  return bytes;
}

std::string ground_truth_reply(const std::string& json) { return text_reply(json + std::string(5, ' ')); }

std::string batch_reply(const std::vector<std::string>& json) {
  std::string bytes = number_reply(static_cast<std::uint32_t>(json.size()));
  for (const std::string& one : json) bytes += ground_truth_reply(one);
  return bytes;
}

std::string scores_reply(const std::vector<std::uint32_t>& scores, bool with_number) {
  std::string bytes;
  if (with_number) append(bytes, static_cast<std::uint32_t>(scores.size()));
  for (const std::uint32_t score : scores) append(bytes, score);
  return bytes;
}

std::string text_reply(const std::string& text) {
  return number_reply(static_cast<std::uint32_t>(text.size())) + text;
}

std::string new_set_reply(const NewSet& set) {
  std::string bytes;
  for (const std::uint32_t value : {set.minutes, set.interactions, set.levels, set.attempts})
    append(bytes, value);
  for (const std::uint8_t value : {set.mode, set.order, set.novelty_given}) bytes += static_cast<char>(value);
  return bytes;
}

}  // namespace startle::aibirds
