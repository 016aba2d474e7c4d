#include "levels/level_xml.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"
#include "levels/level_text.hpp"
#include "levels/xml_tags.hpp"
#include "sim/novelty_elements.hpp"
#include "sim/profile.hpp"

namespace startle {
namespace {

/// Place of an unknown element in the written file: Score stands before the birds, where the game looks for
/// it, and all others of the level just before the objects.
int section(const UnknownElement& unknown) {
  if (unknown.parent == "Level") return unknown.element == "Score" ? 0 : 2;
  return unknown.parent == "Birds" ? 1 : 3;
}

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& source_name) : tags_(bytes, source_name) {
    level_.name = level_name(source_name);
  }

  /// Level, Birds and GameObjects enclose others and must be closed. All other elements are leaves: whether
  /// they are closed at once, later or never makes no difference. Programs that repair XML close them at the
  /// end of the level.
  Level read() {
    std::map<std::string, std::size_t> leaves;  // start tags that have not been closed
    std::size_t root = 0, opened = 0;           // where Level and parent_ begin
    bool finished = false;
    while (const std::optional<XmlTag> tag = tags_.next()) {
      if (finished) fail(*tag, "found " + text_of(*tag) + " after </Level>; allowed: nothing");
      if (tag->type == XmlTag::Type::end) {
        if (const auto leaf = leaves.find(tag->name); leaf != leaves.end() && leaf->second > 0) {
          --leaf->second;
          continue;
        }
        if (tag->name != parent_ || parent_.empty())
          fail(*tag, "found " + text_of(*tag) +
                         (parent_.empty() ? ", which closes nothing; allowed: <Level>"
                                          : "; allowed: </" + parent_ + ">"));
        finished = parent_ == "Level";
        parent_ = "Level";
        opened = root;
        continue;
      }
      if (parent_.empty() && tag->name != "Level")
        fail(*tag, "found " + text_of(*tag) + "; allowed as the first element: <Level>");
      if (tag->name == "Level" || tag->name == "Birds" || tag->name == "GameObjects") {
        if (!parent_.empty() && parent_ != "Level")
          fail(*tag, "found " + text_of(*tag) + " in <" + parent_ + "> of line " +
                         std::to_string(tags_.line(opened)) + ", which is not closed");
        once(*tag);
        ignore_others(*tag,
                      tag->name == "Level" ? std::vector<std::string>{"width"} : std::vector<std::string>{});
        if (tag->name == "Level") {
          if (has(*tag, "width")) level_.width = integer(*tag, "width");
          finished = tag->type == XmlTag::Type::empty;
          parent_ = "Level";
          root = opened = tag->offset;
        }
        if (tag->type == XmlTag::Type::start) {
          parent_ = tag->name;
          opened = tag->offset;
        }
      } else {
        element(*tag);
        if (tag->type == XmlTag::Type::start) ++leaves[tag->name];
      }
    }
    if (!finished && parent_.empty()) tags_.fail(0, "found no element; allowed: <Level>");
    if (!finished) tags_.fail(opened, "<" + parent_ + "> is not closed; is the file cut off?");
    if (seen_.count("Slingshot") == 0) tags_.fail(root, "<Level> has no <Slingshot x=\"...\" y=\"...\" />");
    std::stable_sort(
        level_.unknown.begin(), level_.unknown.end(),
        [](const UnknownElement& a, const UnknownElement& b) { return section(a) < section(b); });
    level_.novelty = own_novelty_of(level_);
    return std::move(level_);
  }

 private:
  void element(const XmlTag& tag) {
    if (parent_ == "Level" && tag.name == "Camera") {
      once(tag);
      ignore_others(tag, {"x", "y", "minWidth", "maxWidth"});
      Camera& camera = level_.camera;
      camera.x = number(tag, "x", camera.x);
      camera.y = number(tag, "y", camera.y);
      camera.min_width = positive(tag, "minWidth", camera.min_width);
      camera.max_width = positive(tag, "maxWidth", camera.max_width);
    } else if (parent_ == "Level" && tag.name == "Slingshot") {
      once(tag);
      ignore_others(tag, {"x", "y"});
      level_.slingshot = {number(tag, "x"), number(tag, "y")};
    } else if (parent_ == "Birds" && tag.name == "Bird") {
      if (profile()->find_bird(required(tag, "type")) == nullptr) return keep(tag);
      ignore_others(tag, {"type"});
      level_.birds.push_back(required(tag, "type"));
    } else if (parent_ == "GameObjects" && tag.name == "Block") {
      block(tag);
    } else if (parent_ == "GameObjects" && tag.name == "Pig") {
      object(tag, Kind::pig, required(tag, "type"));
    } else if (parent_ == "GameObjects" && tag.name == "TNT") {
      const std::string type = value(tag, "type", "");
      object(tag, Kind::tnt, type.empty() ? "TNT" : type);
    } else if (parent_ == "GameObjects" && tag.name == "Platform") {
      object(tag, Kind::platform, value(tag, "type", "Platform"));
    } else {
      keep(tag);
    }
  }

  void block(const XmlTag& tag) {
    const std::string type = required(tag, "type");
    const std::optional<Material> material = material_from_name(required(tag, "material"));
    if (!material || profile()->find(Kind::block, type, *material) == nullptr) return keep(tag);
    ignore_others(tag, {"type", "material", "x", "y", "rotation", "id"});
    LevelObject& block = place(tag, Kind::block, type);
    block.material = *material;
  }

  void object(const XmlTag& tag, Kind kind, const std::string& type) {
    if (profile()->find(kind, type) == nullptr) return keep(tag);
    std::vector<std::string> known{"type", "material", "x", "y", "rotation", "id"};
    if (kind == Kind::platform) known.insert(known.end(), {"scaleX", "scaleY"});
    ignore_others(tag, known);
    if (!value(tag, "material", "").empty()) ignore(tag, "material");  // a public set says "None"
    LevelObject& object = place(tag, kind, type);
    if (kind != Kind::platform) return;
    object.scale_x = scale(tag, "scaleX");
    object.scale_y = scale(tag, "scaleY");
  }

  LevelObject& place(const XmlTag& tag, Kind kind, const std::string& type) {
    LevelObject object;
    object.kind = kind;
    object.type = type;
    object.position = {number(tag, "x"), number(tag, "y")};
    object.rotation_deg = number(tag, "rotation", 0);
    level_.objects.push_back(object);
    return level_.objects.back();
  }

  void keep(const XmlTag& tag) {
    level_.unknown.push_back(
        {parent_, tag.name, tag.attributes, parent_ == "Birds" ? level_.birds.size() : 0});
  }

  void once(const XmlTag& tag) {
    if (!seen_.insert(tag.name).second) fail(tag, "found a second " + text_of(tag) + "; allowed: one");
  }

  static const std::string* find(const XmlTag& tag, const std::string& attribute) {
    for (const auto& [name, value] : tag.attributes)
      if (name == attribute) return &value;
    return nullptr;
  }
  static bool has(const XmlTag& tag, const std::string& attribute) { return find(tag, attribute) != nullptr; }
  static std::string value(const XmlTag& tag, const std::string& attribute, const std::string& otherwise) {
    const std::string* found = find(tag, attribute);
    return found != nullptr ? *found : otherwise;
  }

  /// An attribute that must be there and not be empty.
  std::string required(const XmlTag& tag, const std::string& attribute) {
    const std::string* found = find(tag, attribute);
    if (found == nullptr) fail(tag, text_of(tag) + " has no attribute " + attribute);
    if (found->empty()) {
      const Kind kind = tag.name == "Pig" ? Kind::pig : Kind::block;
      fail(tag, attribute, *found,
           attribute == "material"
               ? "ice, stone, wood"
               : listed(tag.name == "Bird" ? bird_type_names() : object_type_names(kind)));
    }
    return *found;
  }

  void ignore(const XmlTag& tag, const std::string& attribute) {
    ++level_.ignored.counts["attribute " + shown(attribute) + " of <" + tag.name + ">"];
  }
  /// The game asks an element for the attributes that it knows and never sees any other.
  void ignore_others(const XmlTag& tag, const std::vector<std::string>& known) {
    for (const auto& [name, value] : tag.attributes)
      if (std::find(known.begin(), known.end(), name) == known.end()) ignore(tag, name);
  }

  double number(const XmlTag& tag, const std::string& attribute) {
    if (!has(tag, attribute)) fail(tag, text_of(tag) + " has no attribute " + attribute);
    return number(tag, attribute, 0);
  }
  double number(const XmlTag& tag, const std::string& attribute, double otherwise) {
    const std::string* text = find(tag, attribute);
    if (text == nullptr) return otherwise;
    double result = 0;
    if (!parse(*text, result) || !std::isfinite(result))
      fail(tag, attribute, *text,
           text->find(',') != std::string::npos ? "a finite number with a decimal point, not a comma"
                                                : "a finite number, as -1.25");
    return result;
  }
  double positive(const XmlTag& tag, const std::string& attribute, double otherwise) {
    const double result = number(tag, attribute, otherwise);
    if (!(result > 0)) fail(tag, attribute, *find(tag, attribute), "a number > 0");
    return result;
  }
  /// A negative scale, as in one of Phy-Q's levels, mirrors; a platform is a box and looks the same mirrored.
  double scale(const XmlTag& tag, const std::string& attribute) {
    const double result = number(tag, attribute, 1);
    if (result == 0) fail(tag, attribute, *find(tag, attribute), "a number other than 0");
    return std::fabs(result);
  }
  /// "2.0" too, as programs write it that know no whole numbers.
  int integer(const XmlTag& tag, const std::string& attribute) {
    constexpr int most = std::numeric_limits<int>::max();
    double result = 0;
    if (!parse(*find(tag, attribute), result) || !(result >= 1 && result <= most) ||
        result != std::floor(result))
      fail(tag, attribute, *find(tag, attribute), "a whole number from 1 to " + std::to_string(most));
    return static_cast<int>(result);
  }

  /// The whole text but for blanks around it, and a '+' as .NET allows it; the same in every locale.
  static bool parse(std::string_view text, double& number) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    const std::optional<double> read = parse_number<double>(text);
    if (read) number = *read;
    return read.has_value();
  }

  static std::string text_of(const XmlTag& tag) {
    const std::string name = tag.name.size() > 60 ? tag.name.substr(0, 60) + "..." : tag.name;
    return (tag.type == XmlTag::Type::end ? "</" : "<") + name + ">";
  }
  [[noreturn]] void fail(const XmlTag& tag, const std::string& what) const { tags_.fail(tag.offset, what); }
  [[noreturn]] void fail(const XmlTag& tag, const std::string& attribute, const std::string& found,
                         const std::string& allowed) const {
    fail(tag,
         text_of(tag) + ", attribute " + attribute + ": found " + shown(found) + "; allowed: " + allowed);
  }

  XmlTags tags_;
  Level level_;
  std::string parent_;          // open element that encloses others; empty before <Level>
  std::set<std::string> seen_;  // elements that may stand once only
};

std::string attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + number_text(value) + "\"";
}
std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=" + xml_attribute_value(value);
}

std::string object_tag(const LevelObject& object) {
  const std::string place = attribute("x", object.position.x) + attribute("y", object.position.y) +
                            attribute("rotation", object.rotation_deg);
  switch (object.kind) {
    case Kind::block:
      return "<Block" + attribute("type", object.type) + attribute("material", name(object.material)) +
             place + " />";
    case Kind::pig:
      return "<Pig" + attribute("type", object.type) + attribute("material", "") + place + " />";
    case Kind::tnt:
      return "<TNT" + attribute("type", object.type == "TNT" ? "" : object.type) + place + " />";
    case Kind::platform:
      return "<Platform" + attribute("type", object.type) + attribute("material", "") + place +
             attribute("scaleX", object.scale_x) + attribute("scaleY", object.scale_y) + " />";
    default:
      throw Error(std::string("an object of kind ") + name(object.kind) +
                  " cannot be written; allowed: block, pig, tnt, platform");
  }
}

std::string unknown_tag(const UnknownElement& unknown) {
  const std::string place = "unknown element " + shown(unknown.element) + ": ";
  if (unknown.parent != "Level" && unknown.parent != "Birds" && unknown.parent != "GameObjects")
    throw Error(place + "parent " + shown(unknown.parent) +
                " cannot be written as XML; allowed: Level, Birds, GameObjects");
  if (!is_xml_name(unknown.element)) throw Error(place + "its name cannot be written as XML");
  std::string text = "<" + unknown.element;
  std::set<std::string> seen;
  for (const auto& [key, value] : unknown.attributes) {
    if (!is_xml_name(key) || !seen.insert(key).second)
      throw Error(place + "attribute " + shown(key) + " is no XML name or stands twice");
    text += attribute(key, value);
  }
  return text + " />";
}

}  // namespace

Level level_from_xml(std::string_view bytes, const std::string& source_name) {
  return Reader(bytes, source_name).read();
}

std::string level_to_xml(const Level& level) {
  require_writable(level);
  std::string unknown[4];
  std::vector<std::string> unknown_birds(level.birds.size() + 1);  // by the number of known birds before them
  for (const UnknownElement& element : level.unknown) {
    const int where = section(element);
    std::string& text = where == 1 ? unknown_birds[std::min(element.birds_before, level.birds.size())]
                                   : unknown[where];
    text += (where % 2 == 0 ? "  " : "    ") + unknown_tag(element) + "\n";
  }
  for (std::size_t i = 0; i < level.birds.size(); ++i)
    unknown[1] += unknown_birds[i] + "    <Bird" + attribute("type", level.birds[i]) + " />\n";
  unknown[1] += unknown_birds.back();
  std::string text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Level width=\"" +
                     std::to_string(level.width) + "\">\n  <Camera" + attribute("x", level.camera.x) +
                     attribute("y", level.camera.y) + attribute("minWidth", level.camera.min_width) +
                     attribute("maxWidth", level.camera.max_width) + " />\n" + unknown[0] + "  <Birds>\n";
  text += unknown[1] + "  </Birds>\n  <Slingshot" + attribute("x", level.slingshot.x) +
          attribute("y", level.slingshot.y) + " />\n" + unknown[2] + "  <GameObjects>\n";
  for (const LevelObject& object : level.objects) text += "    " + object_tag(object) + "\n";
  return text + unknown[3] + "  </GameObjects>\n</Level>\n";
}

}  // namespace startle
