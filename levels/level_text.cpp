#include "levels/level_text.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/error.hpp"
#include "sim/profile.hpp"
#include "sim/text.hpp"

namespace startle {

std::string number_text(double value) { return shortest(value + 0.0); }  // -0 + 0 = 0

std::size_t first_invalid_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i);
    const std::size_t size = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
    if (size == 0) return i;
    for (std::size_t k = 1; k < size; ++k)
      if ((byte(i + k) & 0xC0) != 0x80) return i;
    // Second bytes that would make an overlong form, a surrogate, or a code point above U+10FFFF.
    const unsigned second = byte(i + 1);
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0) ||
        (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second >= 0x90))
      return i;
    i += size;
  }
  return std::string_view::npos;
}

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  return quoted(std::string(text.substr(0, longest))) + (text.size() > longest ? "..." : "");
}

std::string listed(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) result += (result.empty() ? "" : ", ") + name;
  return result;
}

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

void require_writable(const Level& level) {
  const auto fail = [&](const std::string& place, const std::string& found, const std::string& allowed) {
    const bool printable = first_invalid_utf8(level.name) == std::string_view::npos;
    throw Error("level '" + (printable ? level.name : "?") + "': " + place + " is " + found +
                "; allowed: " + allowed);
  };
  const auto number = [&](const std::string& place, double value) {
    if (!std::isfinite(value))
      fail(place, std::isnan(value) ? "not a number" : "infinite", "a finite number");
  };
  const auto text = [&](const std::string& place, const std::string& value) {
    if (first_invalid_utf8(value) != std::string_view::npos) fail(place, "not UTF-8", "UTF-8 text");
  };
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
  if (level.difficulty) {
    text("difficulty.novelty", level.difficulty->novelty);
    text("difficulty.method", level.difficulty->method);
    number("difficulty.alpha", level.difficulty->alpha);
    number("difficulty.pid", level.difficulty->pid);
    number("difficulty.bid", level.difficulty->bid);
    number("difficulty.value", level.difficulty->value);
    if (level.difficulty->shown_shots)
      number("difficulty.shown_shots.aim_noise", level.difficulty->shown_shots->aim_noise);
    if (level.difficulty->tier) {
      text("difficulty.tier", level.difficulty->tier->tier);
      number("difficulty.thresholds.low", level.difficulty->tier->low);
      number("difficulty.thresholds.high", level.difficulty->tier->high);
    }
  }
}

}  // namespace startle
