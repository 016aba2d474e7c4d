#include "sim/novelty_elements.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/text.hpp"
#include "sim/profile.hpp"

namespace startle {
namespace {

constexpr double fan_reach = 6, fan_half_width = 2;  // world units; ours
constexpr double piece = 0.64;  // side of a platform of scale 1. That of a turbulence is not public; with
                                // this one it begins where the walls below it do in NovPhy's tasks

constexpr const char* element_types[] = {
    "Fan", "Magnet", "Storm", "InverseGravity", "NovelAirTurbulence", "InverseAirTurbulence"};

struct Element {
  std::string type;
  double x = NAN, y = NAN, rotation = 0, scale_x = 1, scale_y = 1;
};

/// NaN for anything but a finite number.
double number_in(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  const double value = parse_number<double>(text).value_or(NAN);
  return std::isfinite(value) ? value : NAN;
}

/// Empty for what is none of them.
std::optional<Element> read(const UnknownElement& unknown) {
  if (unknown.parent != "GameObjects" || unknown.element != "Novelty") return std::nullopt;
  Element element;
  for (const auto& [key, value] : unknown.attributes) {
    if (key == "type") element.type = value;
    if (key == "x") element.x = number_in(value);
    if (key == "y") element.y = number_in(value);
    if (key == "rotation") element.rotation = number_in(value);
    if (key == "scaleX") element.scale_x = std::fabs(number_in(value));
    if (key == "scaleY") element.scale_y = std::fabs(number_in(value));
  }
  const bool known = std::find(std::begin(element_types), std::end(element_types), element.type) !=
                     std::end(element_types);
  const bool placed = !std::isnan(element.x + element.y + element.rotation) && element.scale_x > 0 &&
                      element.scale_y > 0;
  return known && placed ? std::optional(element) : std::nullopt;
}

/// The field of the catalogue's entry.
ForceField field_of(const char* entry) { return find_novelty(entry).world.fields.front(); }

ForceField fan(const Element& element, Vec2 place) {
  const Vec2 along = direction(radians(element.rotation)), across{-along.y, along.x};
  const double reach = fan_reach * element.scale_x, half = fan_half_width * element.scale_y;
  const Bounds box = bounds(Polygon{place + half * across, place - half * across,
                                    place + reach * along - half * across,
                                    place + reach * along + half * across});
  return {.region = {box.xmin, box.xmax, box.ymin, box.ymax},
          .acceleration = length(field_of("fan").acceleration) * along};
}

ForceField turbulence(const Element& element, Vec2 place, double upward) {
  const double half_width = piece * element.scale_x / 2, half_height = piece * element.scale_y / 2;
  return {
      .region = {place.x - half_width, place.x + half_width, place.y - half_height, place.y + half_height},
      .acceleration = upward * field_of("turbulence").acceleration};
}

/// Two fields, as a selector cannot say "all but these": what it draws, and twice as much the other way for
/// its own kind.
std::vector<ForceField> magnet(Vec2 place) {
  const double pull = field_of("magnet").pull;
  const Selector own_kind{.kind = Kind::block, .material = Material::wood, .type = "Circle"};
  return {{.centre = place, .pull = pull},
          {.centre = place, .pull = -2 * pull, .on_birds = false, .on = own_kind}};
}

/// Where the element stands so far away, or is so large or small, that its region has no extent in doubles,
/// there is no field.
void add_region(const ForceField& field, WorldChange& world) {
  const Region& region = field.region;
  const double width = region.right - region.left, height = region.top - region.bottom;
  if (width > 0 && height > 0 && std::isfinite(width) && std::isfinite(height)) world.fields.push_back(field);
}

void add(const Element& element, Vec2 foot, WorldChange& world) {
  const Vec2 place = Vec2{element.x, element.y} - foot;
  if (element.type == "Fan") add_region(fan(element, place), world);
  if (element.type == "NovelAirTurbulence") add_region(turbulence(element, place, 1), world);
  if (element.type == "InverseAirTurbulence") add_region(turbulence(element, place, -1), world);
  if (element.type == "Storm") world.fields.push_back(field_of("storm"));
  if (element.type == "InverseGravity") world.gravity = -1;
  if (element.type == "Magnet")
    for (const ForceField& field : magnet(place)) world.fields.push_back(field);
}

}  // namespace

bool is_novelty_element(const UnknownElement& element) { return read(element).has_value(); }

std::optional<Novelty> own_novelty_of(const Level& level) {
  Novelty novelty{.name = own_novelty, .description = {}, .rules = {}};
  const Vec2 foot{level.slingshot.x, profile()->ground_y};
  for (const UnknownElement& unknown : level.unknown) {
    const std::optional<Element> element = read(unknown);
    if (!element) continue;
    add(*element, foot, novelty.world);
    novelty.description += (novelty.description.empty() ? "" : ", ") + element->type + " at (" +
                           shortest(element->x) + ", " + shortest(element->y) + ")";
  }
  return novelty.world.any() ? std::optional(novelty) : std::nullopt;
}

}  // namespace startle
