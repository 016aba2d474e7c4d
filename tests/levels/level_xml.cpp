#include "levels/level_xml.hpp"

#include <algorithm>
#include <set>

#include "levels/level_json.hpp"
#include "levels/xml_tags.hpp"
#include "sim/novelty_elements.hpp"
#include "sim/scene.hpp"
#include "tests/levels/level_samples.hpp"

using namespace startle;

namespace {

/// Well-formed, ANU dialect.
const std::string anu_text = R"(<?xml version="1.0" encoding="utf-16"?>
<Level width="2">
  <Camera x="0" y="-1" minWidth="20" maxWidth="30" />
  <Score highScore="0" />
  <Birds>
    <Bird type="BirdRed" />
    <Bird type="BirdBlue" />
  </Birds>
  <Slingshot x="-12.0" y="-2.5" />
  <GameObjects>
    <Block type="RectFat" material="stone" x="1.5" y="-3.25" rotation="90.00001" />
    <Pig type="BasicSmall" material="" x="2" y="-3.125" rotation="1.5" />
    <TNT type="" x="3" y="-3" rotation="0" />
    <Platform type="Platform" material="" x="4" y="0.5" rotation="0" scaleX="2" scaleY="0.5" />
    <Novelty type="Fan" material="" x="-2.32" y="-0.09932" rotation="0.00612" />
  </GameObjects>
</Level>
)";

/// The same level as the first dialect has it: tags left open, blanks, attributes missing, single quotes,
/// tabs.
const std::string open_text = R"(<?xml version="1.0" encoding="utf-16"?>
<!-- a comment with <Block type="RectFat"> -->
<Level width ="2">
<Camera minWidth = "20" maxWidth="30">
<Score highScore="0">
<Birds>
	<Bird type="BirdRed"/><Bird type='BirdBlue'></Bird>
</Birds>
<Slingshot x=" -12.0 " y="-2.5">
<GameObjects>
<Block rotation="+9.000001e1" y="-3.25" x="1.50" material="stone" type="RectFat" id="7"/>
<Pig type="BasicSmall" x="2" y="-3.125" rotation="1.5"/>
<TNT x="3" y="-3">
<Platform type="Platform" x="4" y=".5" scaleX="2" scaleY="0.5">
<Novelty type="Fan" material="" x="-2.32" y="-0.09932" rotation="0.00612"/>
</GameObjects>
</Level>)";

Level expected_level() {
  Level level;
  level.name = "sample";
  level.width = 2;
  level.camera = {0, -1, 20, 30};
  level.slingshot = {-12, -2.5};
  level.birds = {"BirdRed", "BirdBlue"};
  level.objects = {{Kind::block, "RectFat", Material::stone, {1.5, -3.25}, 90.00001, 1, 1},
                   {Kind::pig, "BasicSmall", Material::none, {2, -3.125}, 1.5, 1, 1},
                   {Kind::tnt, "TNT", Material::none, {3, -3}, 0, 1, 1},
                   {Kind::platform, "Platform", Material::none, {4, 0.5}, 0, 2, 0.5}};
  level.unknown = {
      {"Level", "Score", {{"highScore", "0"}}},
      {"GameObjects",
       "Novelty",
       {{"type", "Fan"}, {"material", ""}, {"x", "-2.32"}, {"y", "-0.09932"}, {"rotation", "0.00612"}}}};
  level.novelty = own_novelty_of(level);
  return level;
}

Level read(const std::string& text) { return level_from_xml(text, "folder/sample.xml"); }

std::string utf16(const std::u16string& text, bool big_endian) {
  std::string bytes;
  for (char16_t unit : text) {
    const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 0xFF);
    bytes += big_endian ? std::string{high, low} : std::string{low, high};
  }
  return bytes;
}

std::string utf16(const std::string& ascii, bool big_endian) {
  return utf16(std::u16string(ascii.begin(), ascii.end()), big_endian);
}

std::string with_crlf(const std::string& text) {
  std::string result;
  for (char c : text) result += c == '\n' ? "\r\n" : std::string(1, c);
  return result;
}

/// A level with one thing in its GameObjects.
std::string level_with(const std::string& object) {
  return "<Level>\n<Slingshot x=\"-5\" y=\"-2.5\"/>\n<GameObjects>\n" + object +
         "\n</GameObjects>\n</Level>\n";
}

}  // namespace

TEST_CASE("[levels] XML: a well-formed level is read") { CHECK(read(anu_text) == expected_level()); }

TEST_CASE("[levels] XML: the dialect with open tags, blanks and missing attributes means the same") {
  CHECK(read(open_text) == expected_level());
}

TEST_CASE("[levels] XML: a mirrored platform is the same box") {
  CHECK(read(replaced(anu_text, "scaleY=\"0.5\"", "scaleY=\"-0.5\"")) == expected_level());
}

TEST_CASE("[levels] XML: the bytes decide on the encoding, whatever the header says") {
  for (const std::string& text : {anu_text, with_crlf(anu_text), with_crlf(open_text)}) {
    CHECK(read(text) == expected_level());
    CHECK(read("\xEF\xBB\xBF" + text) == expected_level());
    CHECK(read("\xFF\xFE" + utf16(text, false)) == expected_level());
    CHECK(read("\xFE\xFF" + utf16(text, true)) == expected_level());
    CHECK(read(utf16(text, false)) == expected_level());
    CHECK(read(utf16(text, true)) == expected_level());
  }
}

TEST_CASE("[levels] XML: characters beyond ASCII survive in every encoding") {
  // U+00E9, U+96EA and U+1F426, which takes two units of UTF-16; in UTF-8: C3 A9, E9 9B AA, F0 9F 90 A6.
  const std::u16string wide =
      u"<Level><Slingshot x='0' y='0'/><GameObjects><Fan "
      u"note='\u00E9\u96EA\U0001F426'/></GameObjects></Level>";
  const Level level = read(utf16(wide, false));
  REQUIRE(level.unknown.size() == 1);
  CHECK(level.unknown[0].attributes[0].second == "\xC3\xA9\xE9\x9B\xAA\xF0\x9F\x90\xA6");
  CHECK(read(utf16(wide, true)) == level);
  CHECK(read(level_to_xml(level)) == level);
  CHECK(read(level_with("<Fan note='&#xE9;&#x96EA;&#128038;'/>")).unknown == level.unknown);
}

TEST_CASE("[levels] XML: entities and blanks in values are resolved") {
  const Level level = read(level_with("<Fan a='&lt;&gt;&amp;&quot;&apos;' b='1\n\t2' c='&#10;&#x9;' d=''/>"));
  CHECK(level.unknown[0].attributes == std::vector<std::pair<std::string, std::string>>{
                                           {"a", "<>&\"'"}, {"b", "1  2"}, {"c", "\n\t"}, {"d", ""}});
  CHECK(read(level_to_xml(level)) == level);
}

TEST_CASE("[levels] XML: what is left out has the defaults of Level") {
  const Level level = read("<Level><Slingshot x='-8' y='-2.5'/></Level>");
  Level expected;
  expected.name = "sample";
  expected.slingshot = {-8, -2.5};
  CHECK(level == expected);
  CHECK(read("<Level><Birds/><Slingshot x='-8' y='-2.5'/><GameObjects/></Level>") == expected);
}

TEST_CASE("[levels] XML: elements and names that no profile knows are kept as they are") {
  const std::vector<std::pair<std::string, std::string>> unknown{
      {"Block", "<Block type=\"novel_object_0\" material=\"wood\" x=\"1,5\" y=\"?\" />"},
      {"Block", "<Block type=\"RectFat\" material=\"novel_material_3\" x=\"1\" y=\"2\" rotation=\"0\" />"},
      {"Pig", "<Pig type=\"PinkPig\" x=\"1\" y=\"2\" rotation=\"0\" />"},
      {"Pig", "<Pig type=\"BasicBigTwoShots\" x=\"1\" y=\"2\" rotation=\"0\" />"},
      {"TNT", "<TNT type=\"Mega\" x=\"1\" y=\"2\" />"},
      {"Platform", "<Platform type=\"Ice\" x=\"1\" y=\"2\" />"},
      {"Novelty",
       "<Novelty type=\"Storm\" material=\"\" x=\"1\" y=\"2\" rotation=\"0\" scaleX=\"7\" scaleY=\"10\" />"},
      {"Block", "<Block type=\"TNT\" material=\"wood\" />"}};
  for (const auto& [element, text] : unknown) {
    INFO(text);
    const Level level = read(level_with(text));
    CHECK(level.objects.empty());
    REQUIRE(level.unknown.size() == 1);
    CHECK(level.unknown[0].parent == "GameObjects");
    CHECK(level.unknown[0].element == element);
    CHECK_THAT(level_to_xml(level), Catch::Contains("\n    " + text + "\n  </GameObjects>"));
  }

  const Level level = read(
      "<Level><GameObjects><Fan/></GameObjects><assetBundle path='a/b'><Slingshot x='0' y='0'>"
      "<Birds><Bird type='novel_object_1'/><Bird type='BirdRed'/></Birds><Score highScore='9'></Level>");
  CHECK(level.birds == std::vector<std::string>{"BirdRed"});
  CHECK(level.unknown == std::vector<UnknownElement>{{"Level", "Score", {{"highScore", "9"}}},
                                                     {"Birds", "Bird", {{"type", "novel_object_1"}}},
                                                     {"Level", "assetBundle", {{"path", "a/b"}}},
                                                     {"GameObjects", "Fan", {}}});
  CHECK(read(level_to_xml(level)) == level);
}

TEST_CASE("[levels] XML: what the game does not look at is ignored, counted by kind and said") {
  std::string text = anu_text;
  for (const auto& [from, to] : std::vector<std::pair<const char*, const char*>>{
           {"<Level ", "<Level xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "},
           {"width=\"2\"", "width=\"2.0\""},
           {"<Birds>", "<Birds count=\"2\">"},
           {"\"BirdRed\"", "\"BirdRed\" material=\"None\""},
           {"\"BirdBlue\"", "\"BirdBlue\" material=\"\""},
           {"type=\"RectFat\"", "type=\"RectFat\" scaleX=\"1\" scaleY=\"1\""},
           {"\"BasicSmall\" material=\"\"", "\"BasicSmall\" material=\"None\" scaleX=\"2\""},
           {"<TNT type=\"\"", "<TNT type=\"\" material=\"none\""},
           {"\"Platform\" material=\"\"", "\"Platform\" material=\"wood\""}})
    text = replaced(text, from, to);
  const Level level = read(text);
  CHECK(level == expected_level());
  CHECK(level.ignored.listed() ==
        std::vector<std::string>{"attribute \"count\" of <Birds>",
                                 "attribute \"material\" of <Bird> (2 times)",
                                 "attribute \"material\" of <Pig>", "attribute \"material\" of <Platform>",
                                 "attribute \"material\" of <TNT>", "attribute \"scaleX\" of <Block>",
                                 "attribute \"scaleX\" of <Pig>", "attribute \"scaleY\" of <Block>",
                                 "attribute \"xmlns:xsi\" of <Level>"});
  const std::vector<std::string> warnings = validate(level, *profile()).warnings;
  CHECK(std::count(warnings.begin(), warnings.end(),
                   "attribute \"material\" of <Bird> (2 times) is ignored, as by the game") == 1);
  CHECK(validate(level, *profile()).errors.empty());
  CHECK(read(level_to_xml(level)).ignored.listed().empty());
  CHECK(read(anu_text).ignored.listed().empty());
  CHECK(read(open_text).ignored.listed().empty());
}

TEST_CASE("[levels] XML: leaves that a program which repairs XML closed at the end of the level are leaves") {
  const std::string nested = R"(<Level width="2">
  <Camera x="0" y="-1" minWidth="20" maxWidth="30"><Score highScore="0">
    <Birds><Bird type="BirdRed"/><Bird type="BirdBlue"/></Birds>
    <Slingshot x="-12" y="-2.5">
      <GameObjects>
        <Block type="RectFat" material="stone" x="1.5" y="-3.25" rotation="90.00001"/>
        <Pig type="BasicSmall" x="2" y="-3.125" rotation="1.5"><TNT x="3" y="-3"/>
        <Platform type="Platform" x="4" y="0.5" scaleX="2" scaleY="0.5"/></Pig>
        <Novelty type="Fan" material="" x="-2.32" y="-0.09932" rotation="0.00612"/>
      </GameObjects>
    </Slingshot></Score>
  </Camera>
</Level>)";
  CHECK(read(nested) == expected_level());
  require_error([&] { return read(replaced(nested, "</Camera>", "</Camera></Camera>")); },
                {"line 12", "</Camera>", "allowed: </Level>"});
}

TEST_CASE("[levels] XML: what is wrong is named with its line, what was found and what is allowed") {
  struct Case {
    const char *from, *to;
    std::vector<std::string> message;
  };
  const std::vector<Case> cases{
      {"x=\"1.5\"",
       "x=\"1,5\"",
       {"line 11", "<Block>", "attribute x", "\"1,5\"", "decimal point, not a comma"}},
      {"x=\"1.5\"", "x=\"1.5 0\"", {"line 11", "attribute x", "\"1.5 0\"", "a finite number"}},
      {"x=\"1.5\"", "x=\"\"", {"line 11", "attribute x", "\"\"", "a finite number"}},
      {"x=\"1.5\"", "x=\"nan\"", {"attribute x", "\"nan\"", "a finite number"}},
      {"x=\"1.5\"", "x=\"inf\"", {"attribute x", "\"inf\"", "a finite number"}},
      {"x=\"1.5\"", "x=\"1e999\"", {"attribute x", "\"1e999\"", "a finite number"}},
      {"x=\"1.5\"", "x=\"+-1\"", {"attribute x", "\"+-1\""}},
      {"x=\"1.5\"", "x=\"0x10\"", {"attribute x", "\"0x10\""}},
      {"x=\"1.5\" ", "", {"line 11", "<Block> has no attribute x"}},
      {"x=\"1.5\"", "x=\"1.5\" x=\"1.5\"", {"line 11", "\"x\" stands twice"}},
      {"x=\"1.5\"", "life=\"1.5\"", {"line 11", "<Block> has no attribute x"}},
      {"x=\"1.5\"", "x=1.5", {"line 11", "\"x\" has no value in quotes"}},
      {"x=\"1.5\"", "x \"1.5\"", {"line 11", "\"x\" is not followed by '='"}},
      {"x=\"1.5\"", "x=\"1.5", {"line 11", "in the tag \"Block\"", "'>' or a blank"}},
      {"x=\"1.5\" y=\"-3.25\" rotation=\"90.00001\"", "x=\"1.5", {"line 11", "\"x\" has no closing quote"}},
      {"x=\"1.5\"", "x=\"&nbsp;\"", {"line 11", "\"&nbsp;\"", "amp;"}},
      {"x=\"1.5\"", "x=\"&#xD800;\"", {"line 11", "&#xD800;"}},
      {"x=\"1.5\"", "x=\"&#0;\"", {"line 11", "&#0;"}},
      {"material=\"stone\"", "material=\"\"", {"line 11", "attribute material", "\"\"", "ice, stone, wood"}},
      {"material=\"stone\" ", "", {"line 11", "<Block> has no attribute material"}},
      {"type=\"RectFat\"", "type=\"\"", {"line 11", "attribute type", "RectFat", "TriangleHole"}},
      {"type=\"BasicSmall\" ", "", {"line 12", "<Pig> has no attribute type"}},
      {"scaleY=\"0.5\"",
       "scaleY=\"0\"",
       {"line 14", "<Platform>", "attribute scaleY", "\"0\"", "a number other than 0"}},
      {"width=\"2\"",
       "width=\"0\"",
       {"line 2", "<Level>", "attribute width", "\"0\"", "from 1 to 2147483647"}},
      {"width=\"2\"", "width=\"2.5\"", {"line 2", "attribute width", "\"2.5\""}},
      {"width=\"2\"", "width=\"99999999999\"", {"line 2", "attribute width"}},
      {"minWidth=\"20\"", "minWidth=\"-20\"", {"line 3", "<Camera>", "attribute minWidth", "a number > 0"}},
      {"\"BirdRed\"", "\"\"", {"line 6", "<Bird>", "attribute type", "BirdBlack, BirdBlue"}},
      {"type=\"BirdRed\"", "", {"line 6", "<Bird> has no attribute type"}},
      {"<Slingshot x=\"-12.0\" y=\"-2.5\" />", "", {"line 2", "no <Slingshot"}},
      {"<Slingshot x=\"-12.0\" ", "<Slingshot ", {"line 9", "<Slingshot> has no attribute x"}},
      {"<Score", "<Camera x=\"0\" y=\"0\"/><Score", {"line 4", "a second <Camera>"}},
      {"</Level>", "<Birds/></Level>", {"line 17", "a second <Birds>"}},
      {"</Birds>", "", {"line 10", "<GameObjects>", "<Birds> of line 5, which is not closed"}},
      {"</GameObjects>", "", {"line 17", "</Level>", "allowed: </GameObjects>"}},
      {"</Level>", "", {"line 2", "<Level> is not closed", "cut off"}},
      {"</Level>", "</Level><Level/>", {"line 17", "<Level> after </Level>"}},
      {"</Level>", "</Fan></Level>", {"line 17", "</Fan>", "allowed: </Level>"}},
      {"</Level>", "text</Level>", {"line 17", "text", "outside all tags"}},
      {"</Level>", "</Level x=\"1\">", {"line 17", "found \"x\""}},
      {"<Level width=\"2\">", "", {"line 3", "<Camera>", "first element: <Level>"}},
      {"<Level width=\"2\">", "</Level>", {"line 2", "</Level>", "closes nothing"}},
      {"<Level width=\"2\">", "<!DOCTYPE Level><Level>", {"line 2", "<!DOCTYPE", "elements and comments"}},
      {"<Birds>", "<![CDATA[x]]><Birds>", {"line 5", "<![CDATA[", "elements and comments"}},
      {"<Birds>", "<!-- never closed <Birds>", {"line 5", "a comment does not end"}},
      {"<Birds>", "< Birds>", {"line 5", "the name of an element"}},
      {"<Birds>", "<\x01 Birds>", {"line 5", "control character 1"}},
      {"<Birds>", "<\xE9 Birds>", {"line 5", "not UTF-8"}},
  };
  for (const Case& one : cases) {
    INFO(one.from << " -> " << one.to);
    std::vector<std::string> parts = one.message;
    parts.push_back("folder/sample.xml");
    require_error([&] { return read(replaced(anu_text, one.from, one.to)); }, parts);
  }
}

TEST_CASE("[levels] XML: text that is no level is refused") {
  for (const char* text : {"", " ", "<", "<?xml version=\"1.0\"?>", "<!-- -->", "{}", "Level", "<level/>",
                           "<Level/>", "&lt;Level&gt;"}) {
    INFO(text);
    require_error([&] { return read(text); }, {"folder/sample.xml"});
  }
  require_error([&] { return read("\xFF\xFE" + utf16(anu_text, false) + "x"); }, {"odd number of bytes"});
  require_error([&] { return read("\xFF\xFE" + utf16(std::u16string(u"<Level\xDC00>"), false)); },
                {"half a surrogate pair at byte 12"});
  require_error([&] { return read("\xFF\xFE" + utf16(std::u16string(u"<Level\xD800>"), false)); },
                {"half a surrogate pair at byte 12"});
}

TEST_CASE("[levels] XML: text cut off anywhere is refused") {
  const std::string wide = "\xFF\xFE" + utf16(open_text, false);
  for (const std::string& text : {anu_text.substr(0, anu_text.size() - 1), open_text, wide})
    for (std::size_t size = 0; size < text.size(); ++size) CHECK_THROWS_AS(read(text.substr(0, size)), Error);
}

TEST_CASE("[levels] XML: text with wrong bytes is a level or an Error, and such a level survives writing") {
  Random random(3);
  int levels = 0, errors = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string text = damaged(random.chance(0.5) ? anu_text : open_text, random);
    try {
      const Level level = read(text);
      REQUIRE(read(level_to_xml(level)) == level);
      ++levels;
    } catch (const Error&) {
      ++errors;
    }
  }
  CHECK(levels > 100);
  CHECK(errors > 1000);
}

TEST_CASE("[levels] XML: any level comes back equal, also by way of JSON") {
  Random random(4);
  for (int i = 0; i < 2000; ++i) {
    Level level = random_level(random);
    level.name = "sample";
    const std::string text = level_to_xml(level);
    const Level again = read(text);
    REQUIRE(again == level);
    REQUIRE(level_to_xml(again) == text);
    REQUIRE(level_to_xml(level_from_json(level_to_json({again, {}}), "other.json")) == text);
  }
}

TEST_CASE("[levels] XML: the written text is well-formed: every tag is closed") {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    XmlTags tags(level_to_xml(random_level(random)), "written");
    std::vector<std::string> open;
    while (const auto tag = tags.next()) {
      if (tag->type == XmlTag::Type::start) open.push_back(tag->name);
      if (tag->type != XmlTag::Type::end) continue;
      REQUIRE_FALSE(open.empty());
      REQUIRE(open.back() == tag->name);
      open.pop_back();
    }
    REQUIRE(open.empty());
  }
}

TEST_CASE("[levels] XML: what XML cannot hold is not written") {
  const auto refused = [](const UnknownElement& unknown, const std::vector<std::string>& parts) {
    Level level = expected_level();
    level.unknown = {unknown};
    require_error([&] { level_to_xml(level); }, parts);
  };
  refused({"Fan", "Blade", {}}, {"\"Blade\"", "parent \"Fan\"", "Level, Birds, GameObjects"});
  refused({"Level", "a b", {}}, {"\"a b\"", "name"});
  refused({"Level", "", {}}, {"name"});
  refused({"Level", "Fan", {{"x=", "1"}}}, {"\"Fan\"", "\"x=\""});
  refused({"Level", "Fan", {{"x", "1"}, {"x", "2"}}}, {"\"x\"", "twice"});
  refused({"Level", "Fan", {{"x", std::string("\x01", 1)}}}, {"control character"});
  Level level = expected_level();
  level.objects[0].kind = Kind::egg;
  require_error([&] { level_to_xml(level); }, {"egg", "block, pig, tnt, platform"});
}
