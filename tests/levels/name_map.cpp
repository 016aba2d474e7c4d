#include "levels/name_map.hpp"

#include "levels/level_json.hpp"
#include "levels/level_xml.hpp"
#include "tests/levels/level_samples.hpp"

using namespace startle;

namespace {

Level read(const std::string& birds, const std::string& objects) {
  return level_from_xml("<Level width=\"2\"><Birds>" + birds +
                            "</Birds><Slingshot x=\"-12\" y=\"-2.5\"/><GameObjects>" + objects +
                            "</GameObjects></Level>",
                        "sample.xml");
}

Level mapped(const Level& level, const std::vector<std::string>& map) {
  std::vector<MappedName> names;
  for (const std::string& text : map) names.push_back(parse_mapped_name(text));
  return with_mapped_names(level, names);
}

const std::string strange_birds =
    "<Bird type=\"BirdGreen\"/><Bird type=\"BirdRed\"/><Bird type=\"BirdPink\"/><Bird "
    "type=\"BirdGreen\"/><Bird type=\"BirdBlue\"/><Bird type=\"BirdPink\"/>";

}  // namespace

TEST_CASE("[levels] names: unknown blocks, pigs and materials become what they are mapped to") {
  const Level level = read(
      "<Bird type=\"BirdRed\"/>",
      "<Block type=\"novel_object_0\" material=\"novel\" x=\"1\" y=\"2\" rotation=\"90\" scaleX=\"3\"/>"
      "<Block type=\"RectTiny\" material=\"novel_material_3\" x=\"+4\" y=\"-2\"/>"
      "<Block type=\"novel_object_1\" material=\"stone\" x=\"5\" y=\"-2\"/>"
      "<Pig type=\"PinkPig\" x=\"6\" y=\"-2.5\" rotation=\"0.5\"/>"
      "<Novelty type=\"Ramp\" material=\"\" x=\"7\" y=\"0\" rotation=\"10\" scaleX=\"2\" scaleY=\"-0.5\"/>"
      "<Novelty type=\"Fan\" x=\"8\" y=\"0\"/>");
  REQUIRE(level.unknown.size() == 6);
  const Level made = mapped(level, {"novel_object_0=RectFat/wood", "novel_material_3=ice",
                                    "novel_object_1=Circle", "PinkPig=BasicSmall", "Ramp=Platform"});
  CHECK(made.objects ==
        std::vector<LevelObject>{{Kind::block, "RectFat", Material::wood, {1, 2}, 90, 1, 1},
                                 {Kind::block, "RectTiny", Material::ice, {4, -2}, 0, 1, 1},
                                 {Kind::block, "Circle", Material::stone, {5, -2}, 0, 1, 1},
                                 {Kind::pig, "BasicSmall", Material::none, {6, -2.5}, 0.5, 1, 1},
                                 {Kind::platform, "Platform", Material::none, {7, 0}, 10, 2, 0.5}});
  CHECK(made.unknown == std::vector<UnknownElement>{level.unknown[5]});
  CHECK(made.birds == level.birds);
  CHECK(mapped(level, {}) == level);
  // A type without its material is still unknown, and stays as the file has it; a bird is none among objects.
  CHECK(mapped(level, {"novel_object_0=RectFat", "Fan=BirdRed"}) == level);
}

TEST_CASE(
    "[levels] names: the launch order of birds is the file's, of mapped ones and of those that are left "
    "out") {
  const Level level = read(strange_birds, "");
  CHECK(level.birds == std::vector<std::string>{"BirdRed", "BirdBlue"});
  const Level green = mapped(level, {"BirdGreen=BirdBlack"});
  CHECK(green.birds == std::vector<std::string>{"BirdBlack", "BirdRed", "BirdBlack", "BirdBlue"});
  const std::vector<std::string> all{"BirdBlack", "BirdRed",  "BirdYellow",
                                     "BirdBlack", "BirdBlue", "BirdYellow"};
  CHECK(mapped(level, {"BirdGreen=BirdBlack", "BirdPink=BirdYellow"}).birds == all);
  // One after the other, and by way of either format.
  CHECK(mapped(green, {"BirdPink=BirdYellow"}).birds == all);
  for (const Level& level_back : {level_from_xml(level_to_xml(green), "sample.xml"),
                                  Level(level_from_json(level_to_json({green, {}}), "sample.json"))}) {
    CHECK(level_back == green);
    CHECK(mapped(level_back, {"BirdPink=BirdYellow"}).birds == all);
  }
  CHECK(level_to_xml(level).find("BirdGreen") < level_to_xml(level).find("BirdRed"));
  // A place behind the last bird there is: as in a file changed by hand.
  require_error(
      [&] {
        level_from_json(replaced(level_to_json({level, {}}), "\"birds_before\": 2", "\"birds_before\": 3"),
                        "a.json");
      },
      {"birds_before", "found 3", "at most 2"});
}

TEST_CASE("[levels] names: what no name can be mapped to is refused with what is allowed") {
  for (const char* bad : {"", "=", "a", "a=", "=wood", "a=Rect", "a=RectFat/", "a=RectFat/lead",
                          "a=BasicSmall/wood", "a=/wood", "a=RectFat/wood/ice", "a=b=RectFat"}) {
    INFO(bad);
    require_error([&] { parse_mapped_name(bad); }, {"--map", "NAME=TYPE/MATERIAL", "RectFat", "BirdRed"});
  }
  // Places that the reader refuses of known objects, too.
  for (const char* place : {"x=\"1,5\" y=\"0\"", "y=\"0\"", "x=\"nan\" y=\"0\""}) {
    INFO(place);
    const Level level = read("", std::string("<Pig type=\"PinkPig\" ") + place + "/>");
    require_error([&] { mapped(level, {"PinkPig=BasicSmall"}); }, {"sample, mapped", "Pig"});
  }
}
