#include "levels/name_map.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "levels/level_text.hpp"
#include "levels/level_xml.hpp"
#include "sim/profile.hpp"

namespace startle {
namespace {

constexpr Kind mapped_kinds[] = {Kind::block, Kind::pig, Kind::tnt, Kind::platform};

/// Elements that can have a name of their own.
const std::vector<std::string> named_elements{"Bird", "Block", "Novelty", "Pig", "Platform", "TNT"};

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

/// Whether the name of the mapping, whatever its kind, is that of the element.
bool has_name_of(const MappedName& one, const UnknownElement& element) {
  return one.type.empty() ? element.element == "Block" && value_of(element, "material") == one.name
                          : value_of(element, "type") == one.name;
}

/// Whether the mapping holds for the element: it is of its kind, or no other mapping of the name is.
bool holds_for(const MappedName& one, const UnknownElement& element, const std::vector<MappedName>& all) {
  if (!has_name_of(one, element)) return false;
  if (!one.element.empty()) return one.element == element.element;
  return std::none_of(all.begin(), all.end(), [&](const MappedName& other) {
    return other.element == element.element && other.name == one.name &&
           other.type.empty() == one.type.empty();
  });
}

/// Throws Error where a mapping without a kind would make one thing of another.
void require_kinds(const Level& level, const std::vector<MappedName>& all) {
  for (const MappedName& one : all) {
    if (!one.element.empty() || one.type.empty()) continue;
    std::set<std::string> elements;
    for (const UnknownElement& element : level.unknown)
      if (holds(named_elements, element.element) && holds_for(one, element, all))
        elements.insert(element.element);
    if (elements.empty()) continue;
    const std::string own = element_of(one.kind);
    const bool fits = *elements.begin() == own || (*elements.begin() == "Novelty" && one.kind != Kind::bird);
    if (elements.size() == 1 && fits) continue;
    std::string found;
    for (const std::string& element : elements) found += (found.empty() ? "" : " and ") + element;
    const bool possible = own == "Bird" ? elements.contains("Bird")
                                        : elements.size() > 1 || !elements.contains("Bird");
    throw Error("--map " + one.text + ": " + shown(one.name) + " stands for " + found + " in level " +
                level.name + ", and " + one.type + " is a " + own +
                (possible ? "; say which is meant, as --map " +
                                (elements.contains(own) ? own : *elements.rbegin()) + ":" + one.text
                          : "; only a bird can be taken for a bird"));
  }
}

/// The element under the names that stand for its own.
UnknownElement mapped(const UnknownElement& unknown, const std::vector<MappedName>& all) {
  UnknownElement element = unknown;
  for (const MappedName& one : all) {
    if (one.type.empty()) {
      // Of what another mapping has made a block, too.
      if (element.element == "Block" && value_of(unknown, "material") == one.name)
        set_attribute(element, "material", name(one.material));
    } else if (holds_for(one, unknown, all) && (one.kind == Kind::bird) == (element.parent == "Birds")) {
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

/// As the reader of files takes it: that knows what may stand in which attribute, and what is ignored.
Level level_of(UnknownElement element, const std::string& level) {
  Level alone;
  alone.name = level;
  alone.unknown = {std::move(element)};
  return level_from_xml(level_to_xml(alone), level + ", mapped");
}

}  // namespace

MappedName parse_mapped_name(const std::string& text) {
  const auto refuse = [&] {
    throw Error(
        "--map: found " + shown(text) +
        "; allowed: [KIND:]NAME=TYPE, [KIND:]NAME=TYPE/MATERIAL or [Block:]NAME=MATERIAL, with KIND " +
        listed(named_elements) + ", MATERIAL wood, ice or stone and TYPE one of " +
        listed(object_type_names(Kind::block)) + ", " + listed(object_type_names(Kind::pig)) + ", " +
        listed(bird_type_names()) + ", TNT, Platform; a Bird is a bird, the others are objects");
  };
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos) refuse();
  MappedName result{.text = text, .name = text.substr(0, sign)};
  if (const std::size_t colon = result.name.find(':'); colon != std::string::npos) {
    result.element = result.name.substr(0, colon);
    result.name.erase(0, colon + 1);
    if (!holds(named_elements, result.element)) refuse();
  }
  if (result.name.empty()) refuse();
  const std::string to = text.substr(sign + 1);
  const std::size_t slash = to.find('/');
  const std::string type = to.substr(0, slash);
  if (slash == std::string::npos) {
    if (const auto material = material_from_name(to); material && *material != Material::none) {
      if (!result.element.empty() && result.element != "Block") refuse();
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
    if (!result.element.empty() && result.element != "Bird") refuse();
    result.kind = Kind::bird;
    return result;
  }
  if (result.element == "Bird") refuse();
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
  require_kinds(level, names);
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
      const Level read = level_of(made, level.name);
      level.objects.push_back(read.objects.at(0));
      for (const auto& [what, count] : read.ignored.counts) level.ignored.counts[what] += count;
    }
  }
  level.unknown = std::move(kept);
  return level;
}

}  // namespace startle
