#include "levels/level_text.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "core/text.hpp"
#include "sim/profile.hpp"

namespace startle {

std::vector<std::string> object_type_names(Kind kind) {
  std::vector<std::string> result;
  for (const ObjectType& type : profile()->object_types)
    if (type.kind == kind) result.push_back(type.type);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<std::string> bird_type_names() {
  std::vector<std::string> result;
  for (const BirdType& type : profile()->bird_types) result.push_back(type.type);
  std::sort(result.begin(), result.end());
  return result;
}

std::string level_name(const std::string& source_name) {
  std::string result = std::filesystem::path(source_name).stem().string();
  if (first_invalid_utf8(result) != std::string_view::npos)
    for (char& c : result)
      if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  return result;
}

namespace {

/// Throws for what neither format can hold, naming level and place.
struct WriteCheck {
  const Level& level;

  void fail(const std::string& place, const std::string& found, const std::string& allowed) const {
    const bool printable = first_invalid_utf8(level.name) == std::string_view::npos;
    throw Error("level '" + (printable ? level.name : "?") + "': " + place + " is " + found +
                "; allowed: " + allowed);
  }
  void number(const std::string& place, double value) const {
    if (!std::isfinite(value))
      fail(place, std::isnan(value) ? "not a number" : "infinite", "a finite number");
  }
  void text(const std::string& place, const std::string& value) const {
    if (first_invalid_utf8(value) != std::string_view::npos) fail(place, "not UTF-8", "UTF-8 text");
  }
};

}  // namespace

void require_writable(const StoredLevel& level) {
  require_writable(static_cast<const Level&>(level));
  if (!level.difficulty) return;
  const StoredDifficulty& difficulty = *level.difficulty;
  const WriteCheck check{level};
  check.text("difficulty.novelty", difficulty.novelty);
  check.number("difficulty.alpha", difficulty.alpha);
  check.number("difficulty.pid", difficulty.pid);
  check.number("difficulty.bid", difficulty.bid);
  check.number("difficulty.value", difficulty.value);
  check.number("difficulty.p_level", difficulty.p_level);
  for (std::size_t i = 0; i < difficulty.measured.size(); ++i) {
    const MeasuredPLevel& measured = difficulty.measured[i];
    const std::string player = "difficulty.measured[" + std::to_string(i) + "].";
    check.number(player + "p_level", measured.p_level);
    check.number(player + "interval", measured.low);
    check.number(player + "interval", measured.high);
  }
  if (difficulty.third) {
    check.number("difficulty.thresholds.low", difficulty.third->thresholds.low);
    check.number("difficulty.thresholds.high", difficulty.third->thresholds.high);
  }
}

void require_writable(const Level& level) {
  const WriteCheck check{level};
  const auto number = [&](const std::string& place, double value) { check.number(place, value); };
  const auto text = [&](const std::string& place, const std::string& value) { check.text(place, value); };
  const auto nth = [](const char* list, std::size_t i) {
    return std::string(list) + "[" + std::to_string(i) + "]";
  };

  text("name", level.name);
  if (level.novelty) text("novelty.description", level.novelty->description);
  number("camera.x", level.camera.x);
  number("camera.y", level.camera.y);
  number("camera.min_width", level.camera.min_width);
  number("camera.max_width", level.camera.max_width);
  number("slingshot.x", level.slingshot.x);
  number("slingshot.y", level.slingshot.y);
  for (std::size_t i = 0; i < level.birds.size(); ++i) text(nth("birds", i), level.birds[i]);
  for (std::size_t i = 0; i < level.objects.size(); ++i) {
    const LevelObject& object = level.objects[i];
    const std::string place = nth("objects", i);
    text(place + ".type", object.type);
    number(place + ".x", object.position.x);
    number(place + ".y", object.position.y);
    number(place + ".rotation_deg", object.rotation_deg);
    number(place + ".scale_x", object.scale_x);
    number(place + ".scale_y", object.scale_y);
  }
  for (std::size_t i = 0; i < level.unknown.size(); ++i) {
    const UnknownElement& unknown = level.unknown[i];
    const std::string place = nth("unknown", i);
    text(place + ".parent", unknown.parent);
    text(place + ".element", unknown.element);
    for (const auto& [key, value] : unknown.attributes) {
      text(place + ".attributes", key);
      text(place + ".attributes", value);
    }
  }
  if (level.provenance) {
    text("provenance.family", level.provenance->family);
    text("provenance.profile", level.provenance->profile);
    number("provenance.settle_shift", level.provenance->settle_shift);
    for (std::size_t i = 0; i < level.provenance->solution.size(); ++i) {
      const Shot& shot = level.provenance->solution[i];
      const std::string place = nth("provenance.solution", i);
      number(place + ".angle_rad", shot.angle);
      number(place + ".stretch", shot.stretch);
      number(place + ".tap_time_s", shot.tap_time);
    }
  }
}

}  // namespace startle
