#include "levels/name_map.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"
#include "levels/level_text.hpp"
#include "levels/level_xml.hpp"
#include "sim/profile.hpp"

namespace startle {
namespace {

constexpr Kind mapped_kinds[] = {Kind::block, Kind::pig, Kind::tnt, Kind::platform};

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void set_attribute(UnknownElement& element, const std::string& name, const std::string& value) {
  std::erase_if(element.attributes, [&](const auto& attribute) { return attribute.first == name; });
  element.attributes.emplace_back(name, value);
}

std::string value_of(const UnknownElement& element, const std::string& name) {
  for (const auto& [key, value] : element.attributes)
    if (key == name) return value;
  return "";
}

const char* element_of(Kind kind) {
  switch (kind) {
    case Kind::pig:
      return "Pig";
    case Kind::tnt:
      return "TNT";
    case Kind::platform:
      return "Platform";
    case Kind::bird:
      return "Bird";
    default:
      return "Block";
  }
}

/// The element under the names that stand for its own.
UnknownElement mapped(UnknownElement element, const std::vector<MappedName>& names) {
  const std::string type = value_of(element, "type"), material = value_of(element, "material");
  for (const MappedName& one : names) {
    if (one.type.empty()) {
      if (element.element == "Block" && material == one.name)
        set_attribute(element, "material", name(one.material));
    } else if (type == one.name && (one.kind == Kind::bird) == (element.parent == "Birds")) {
      element.element = element_of(one.kind);
      set_attribute(element, "type", one.type);
      if (one.kind != Kind::block)
        set_attribute(element, "material", "");
      else if (one.material != Material::none)
        set_attribute(element, "material", name(one.material));
    }
  }
  return element;
}

bool is_known(const UnknownElement& element) {
  const std::string type = value_of(element, "type");
  if (element.parent == "Birds") return element.element == "Bird" && profile()->find_bird(type) != nullptr;
  if (element.parent != "GameObjects") return false;
  const auto material = material_from_name(value_of(element, "material"));
  return std::any_of(std::begin(mapped_kinds), std::end(mapped_kinds), [&](Kind kind) {
    return element.element == element_of(kind) && material &&
           (*material != Material::none) == (kind == Kind::block) &&
           profile()->find(kind, type, *material) != nullptr;
  });
}

/// As the reader of files takes it: that knows what may stand in which attribute.
LevelObject object_from(UnknownElement element, const std::string& level) {
  const bool scaled = element.element == "Platform";
  std::erase_if(element.attributes, [&](const auto& attribute) {
    return !holds({"type", "material", "x", "y", "rotation"}, attribute.first) &&
           !(scaled && (attribute.first == "scaleX" || attribute.first == "scaleY"));
  });
  Level alone;
  alone.name = level;
  alone.unknown = {std::move(element)};
  return level_from_xml(level_to_xml(alone), level + ", mapped").objects.at(0);
}

}  // namespace

MappedName parse_mapped_name(const std::string& text) {
  const auto refuse = [&] {
    throw Error("--map: found " + shown(text) +
                "; allowed: NAME=TYPE, NAME=TYPE/MATERIAL or NAME=MATERIAL, with MATERIAL wood, ice or stone "
                "and TYPE one of " +
                listed(object_type_names(Kind::block)) + ", " + listed(object_type_names(Kind::pig)) + ", " +
                listed(bird_type_names()) + ", TNT, Platform");
  };
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0) refuse();
  MappedName result{.name = text.substr(0, sign)};
  const std::string to = text.substr(sign + 1);
  const std::size_t slash = to.find('/');
  const std::string type = to.substr(0, slash);
  if (slash == std::string::npos) {
    if (const auto material = material_from_name(to); material && *material != Material::none) {
      result.material = *material;
      return result;
    }
  } else {
    const auto material = material_from_name(to.substr(slash + 1));
    if (!material || *material == Material::none || !holds(object_type_names(Kind::block), type)) refuse();
    result.material = *material;
  }
  result.type = type;
  if (holds(bird_type_names(), type)) {
    result.kind = Kind::bird;
    return result;
  }
  for (Kind kind : mapped_kinds)
    if (holds(object_type_names(kind), type)) {
      result.kind = kind;
      return result;
    }
  refuse();
  return result;
}

Level with_mapped_names(Level level, const std::vector<MappedName>& names) {
  if (names.empty()) return level;
  std::vector<UnknownElement> kept;
  std::size_t birds_added = 0;  // all of them before the unknown birds that follow
  for (UnknownElement& element : level.unknown) {
    const UnknownElement made = mapped(element, names);
    if (element.parent == "Birds") element.birds_before += birds_added;
    if (!is_known(made)) {
      kept.push_back(std::move(element));
    } else if (made.parent == "Birds") {
      const std::size_t place = std::min(element.birds_before, level.birds.size());
      level.birds.insert(level.birds.begin() + static_cast<std::ptrdiff_t>(place), value_of(made, "type"));
      ++birds_added;
    } else {
      level.objects.push_back(object_from(made, level.name));
    }
  }
  level.unknown = std::move(kept);
  return level;
}

}  // namespace startle
