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
  CHECK(mapped(level, {"novel_object_0=RectFat"}) == level);
}

TEST_CASE("[levels] names: a name that stands for several kinds is mapped by kind, and else refused") {
  const std::string bird = "<Bird type=\"novel_object_0\"/>",
                    block = "<Block type=\"novel_object_0\" material=\"wood\" x=\"1\" y=\"2\"/>",
                    pig = "<Pig type=\"novel_object_0\" x=\"6\" y=\"-2.5\"/>";
  const Level level = read(bird, block + pig);
  require_error([&] { return mapped(level, {"novel_object_0=RectFat/wood"}); },
                {"--map novel_object_0=RectFat/wood", "stands for Bird and Block and Pig", "level sample",
                 "--map Block:novel_object_0=RectFat/wood"});
  const LevelObject made_block{Kind::block, "RectFat", Material::stone, {1, 2}, 0, 1, 1},
      made_pig{Kind::pig, "BasicBig", Material::none, {6, -2.5}, 0, 1, 1};
  const Level one = mapped(level, {"Block:novel_object_0=RectFat/stone"});
  CHECK(one.objects == std::vector<LevelObject>{made_block});
  CHECK(one.unknown == std::vector<UnknownElement>{level.unknown[0], level.unknown[2]});
  const Level all = mapped(level, {"Block:novel_object_0=RectFat/stone", "Pig:novel_object_0=BasicBig",
                                   "Bird:novel_object_0=BirdBlack"});
  CHECK(all.objects == std::vector<LevelObject>{made_block, made_pig});
  CHECK(all.birds == std::vector<std::string>{"BirdBlack"});
  CHECK(all.unknown.empty());
  // What mappings by kind leave over may be one kind.
  CHECK(mapped(level, {"novel_object_0=BasicBig", "Block:novel_object_0=RectFat/stone",
                       "Bird:novel_object_0=BirdBlack"}) == all);

  // Nor is a pig made a block, or a bird anything else, without a word.
  require_error([&] { return mapped(read("", pig), {"novel_object_0=RectFat/wood"}); },
                {"stands for Pig", "RectFat is a Block", "--map Pig:novel_object_0=RectFat/wood"});
  CHECK(mapped(read("", pig), {"Pig:novel_object_0=RectFat/wood"}).objects.at(0).kind == Kind::block);
  require_error([&] { return mapped(read(bird, ""), {"novel_object_0=RectFat/wood"}); },
                {"stands for Bird", "only a bird can be taken for a bird"});
  require_error([&] { return mapped(read("", pig), {"novel_object_0=BirdRed"}); },
                {"stands for Pig", "only a bird can be taken for a bird"});
  CHECK(mapped(read(bird, ""), {"Pig:novel_object_0=BasicBig"}) == read(bird, ""));
}

TEST_CASE("[levels] names: what is ignored of a mapped element is counted") {
  const Level level = read("",
                           "<Block type=\"novel_object_0\" material=\"m\" x=\"1\" y=\"2\" scaleX=\"3\"/>");
  CHECK(level.ignored.listed().empty());
  CHECK(mapped(level, {"novel_object_0=RectFat/wood"}).ignored.listed() ==
        std::vector<std::string>{"attribute \"scaleX\" of <Block>"});
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
        return level_from_json(
            replaced(level_to_json({level, {}}), "\"birds_before\": 2", "\"birds_before\": 3"), "a.json");
      },
      {"birds_before", "found 3", "at most 2"});
}

TEST_CASE("[levels] names: what no name can be mapped to is refused with what is allowed") {
  for (const char* bad :
       {"", "=", "a", "a=", "=wood", "a=Rect", "a=RectFat/", "a=RectFat/lead", "a=BasicSmall/wood", "a=/wood",
        "a=RectFat/wood/ice", "a=b=RectFat", "block:a=RectFat", ":a=RectFat", "Pig:=BasicSmall",
        "Pig:a=BirdRed", "Bird:a=BasicSmall", "Pig:a=wood"}) {
    INFO(bad);
    require_error([&] { parse_mapped_name(bad); }, {"--map", "NAME=TYPE/MATERIAL", "RectFat", "BirdRed"});
  }
  // Places that the reader refuses of known objects, too.
  for (const char* place : {"x=\"1,5\" y=\"0\"", "y=\"0\"", "x=\"nan\" y=\"0\""}) {
    INFO(place);
    const Level level = read("", std::string("<Pig type=\"PinkPig\" ") + place + "/>");
    require_error([&] { return mapped(level, {"PinkPig=BasicSmall"}); }, {"sample, mapped", "Pig"});
  }
}
