#include "levels/level_json.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <locale>
#include <nlohmann/json.hpp>
#include <set>

#include "core/files.hpp"
#include "difficulty/played_level.hpp"
#include "difficulty/tiers.hpp"
#include "levels/level_text.hpp"
#include "levels/level_xml.hpp"
#include "reasoning/qualitative/movement.hpp"
#include "tests/levels/level_samples.hpp"

using namespace startle;

namespace {

/// Everything the format can say, as level_to_json writes it.
const std::string full_text = R"({
  "format": "startle-level",
  "version": 1,
  "name": "two towers",
  "width": 2,
  "camera": {"x": 0.5, "y": -1, "min_width": 20, "max_width": 30},
  "slingshot": {"x": -12, "y": -2.5},
  "birds": ["BirdRed", "BirdBlue"],
  "objects": [
    {"kind": "block", "type": "RectFat", "material": "ice", "x": 1.5, "y": -3.3114, "rotation_deg": 90.00001},
    {"kind": "pig", "type": "BasicSmall", "x": 2, "y": -3.25, "rotation_deg": 0},
    {"kind": "tnt", "type": "TNT", "x": 3, "y": -3.18, "rotation_deg": -45},
    {"kind": "platform", "type": "Platform", "x": 4, "y": 0.1, "rotation_deg": 0, "scale_x": 2, "scale_y": 0.5}
  ],
  "unknown": [
    {"parent": "GameObjects", "element": "Novelty", "attributes": {"type": "Fan", "x": "1e0"}}
  ],
  "provenance": {
    "family": "towers",
    "seed": 18446744073709551615,
    "index": 7,
    "profile": "startle",
    "settle_shift": 0.001,
    "solution": [
      {"angle_rad": 0.7853981633974483, "stretch": 1, "tap_time_s": -1},
      {"angle_rad": 1.2, "stretch": 0.5, "tap_time_s": 0.8}
    ]
  },
  "novelty": {
    "description": "wind and a magnet",
    "rules": [
      {"on": {"kind": "block", "material": "wood", "type": "RectFat"}, "parameter": "restitution", "factor": 4},
      {"parameter": "life", "value": 10},
      {"on": {"kind": "pig"}, "parameter": "friction", "offset": -0.1}
    ],
    "gravity": -1,
    "tilt_rad": 0.1,
    "air_drag": 0.3,
    "ground_friction": 0.05,
    "fields": [
      {"region": {"left": 1, "right": 3, "bottom": 0, "top": 5}, "acceleration": {"x": 6, "y": 0.5}, "period_s": 1, "from_bird": 1},
      {"region": {"top": 2}, "centre": {"x": 9, "y": 3}, "pull": -5, "on_birds": false, "on": {"material": "stone"}}
    ],
    "events": [
      {"vanish": true, "on": {"material": "ice"}},
      {"at_s": 1.5, "velocity": {"x": 0, "y": 4}, "on": {"kind": "pig"}}
    ]
  },
  "difficulty": {
    "novelty": "T3",
    "method": "p_level",
    "version": 1,
    "p_level": 0.085,
    "tier": "hard",
    "measured": [
      {"player": "best-target", "plays": 8, "p_level": 0.125, "interval": [0, 0.4]},
      {"player": "random-target", "plays": 6, "p_level": 0.5, "interval": [0.25, 0.75]}
    ]
  }
}
)";

const std::string minimal_text =
    R"({"format": "startle-level", "version": 1, "slingshot": {"x": -5, "y": -2.5}, "birds": [], "objects": []})";

/// What the format says of PID and BID, in the place of p_level; the players are those of full_text.
const std::string value_difficulty = R"("difficulty": {
    "novelty": "T3",
    "method": "published",
    "alpha": 0.5,
    "pid": 0.96,
    "bid": 1,
    "ties": "first",
    "value": 0.98,
    "third": "high",
    "thresholds": {"low": 0.55, "high": 0.75, "count": 100},
    "measured": [)";
const std::string value_text = [] {
  const std::size_t begin = full_text.find("\"difficulty\""), end = full_text.find("\"measured\": [", begin);
  return full_text.substr(0, begin) + value_difficulty +
         full_text.substr(end + std::string("\"measured\": [").size());
}();

StoredLevel read(const std::string& text) { return level_from_json(text, "folder/sample.json"); }

}  // namespace

TEST_CASE("[levels] a stored tier is the band of its p_level, and each player has one measurement") {
  const auto with = [](const std::string& tier, const std::string& players) {
    StoredLevel level{};
    std::string text = level_to_json(level);
    const std::size_t end = text.rfind('}');
    return text.substr(0, text.find_last_not_of(" \n", end - 1) + 1) +
           ",\n  \"difficulty\": {\"novelty\": \"T2\", \"method\": \"p_level\", \"version\": " +
           std::to_string(played_level_version) + ", \"p_level\": 0.1, \"tier\": \"" + tier +
           "\", \"measured\": [" + players + "]}\n}\n";
  };
  const std::string one = R"({"player": "best-target", "plays": 4, "p_level": 0.5, "interval": [0.2, 0.8]})";
  const StoredLevel level = read(with("hard", one));
  REQUIRE(level.difficulty);
  CHECK(level.difficulty->measured.size() == 1);
  CHECK_THROWS_WITH(read(with("easy", one)),
                    Catch::Contains("tier") && Catch::Contains("easy") && Catch::Contains("hard, which"));
  CHECK_THROWS_WITH(read(with("hard", one + ", " + one)),
                    Catch::Contains("player") && Catch::Contains("not in the list yet"));
}

TEST_CASE("[levels] JSON: every field of a level is read") {
  const StoredLevel level = read(full_text);
  StoredLevel expected;
  expected.name = "two towers";
  expected.width = 2;
  expected.camera = {0.5, -1, 20, 30};
  expected.slingshot = {-12, -2.5};
  expected.birds = {"BirdRed", "BirdBlue"};
  expected.objects = {{Kind::block, "RectFat", Material::ice, {1.5, -3.3114}, 90.00001, 1, 1},
                      {Kind::pig, "BasicSmall", Material::none, {2, -3.25}, 0, 1, 1},
                      {Kind::tnt, "TNT", Material::none, {3, -3.18}, -45, 1, 1},
                      {Kind::platform, "Platform", Material::none, {4, 0.1}, 0, 2, 0.5}};
  expected.unknown = {{"GameObjects", "Novelty", {{"type", "Fan"}, {"x", "1e0"}}}};
  expected.provenance = {
      "towers", 18446744073709551615u, 7, "startle", 0.001, {{0.7853981633974483, 1, -1}, {1.2, 0.5, 0.8}}};
  constexpr double open = std::numeric_limits<double>::infinity();
  const Selector pigs{.kind = Kind::pig};
  expected.novelty = Novelty{
      .name = "own",
      .description = "wind and a magnet",
      .rules = {{{.kind = Kind::block, .material = Material::wood, .type = "RectFat"},
                 Parameter::restitution,
                 {ChangeKind::factor, 4}},
                {{}, Parameter::life, {ChangeKind::value, 10}},
                {pigs, Parameter::friction, {ChangeKind::offset, -0.1}}},
      .world = {.gravity = -1,
                .tilt = 0.1,
                .air_drag = 0.3,
                .ground_friction = 0.05,
                .fields = {{.region = {1, 3, 0, 5}, .acceleration = {6, 0.5}, .period = 1, .from_bird = 1},
                           {.region = {-open, open, -open, 2},
                            .centre = {9, 3},
                            .pull = -5,
                            .on_birds = false,
                            .on = {.material = Material::stone}}},
                .events = {{.vanish = true, .on = {.material = Material::ice}},
                           {.at = 1.5, .velocity = {0, 4}, .on = pigs}}}};
  expected.difficulty.emplace();
  expected.difficulty->novelty = "T3";
  expected.difficulty->source = DifficultySource::p_level;
  expected.difficulty->version = 1;
  expected.difficulty->p_level = 0.085;
  expected.difficulty->value = 0.915;
  expected.difficulty->tier = Tier::hard;
  expected.difficulty->measured = {{"best-target", 8, 0.125, 0, 0.4}, {"random-target", 6, 0.5, 0.25, 0.75}};
  CHECK(level == expected);
}

TEST_CASE("[levels] JSON: the written text is the stated one, byte for byte") {
  CHECK(level_to_json(read(full_text)) == full_text);
}

TEST_CASE(
    "[levels] JSON: a difficulty is of p_level with a tier, or of PID and BID with or without a third") {
  const StoredLevel of_plays = read(full_text), of_values = read(value_text);
  CHECK(tier_name(of_plays.difficulty) == "hard");
  CHECK(tier_or_third(of_plays.difficulty) == "hard");
  StoredDifficulty expected;
  static_cast<DifficultyValues&>(expected) = {0.96, 1, 0.98};
  expected.novelty = "T3";
  expected.source = DifficultySource::published;
  expected.ties = Ties::first;
  expected.third = PlacedThird{Third::high, {0.55, 0.75, 100, 0.5}};
  expected.measured = of_plays.difficulty->measured;
  CHECK(of_values.difficulty == expected);
  CHECK(tier_or_third(of_values.difficulty) == "high");
  CHECK(tier_name(of_values.difficulty).empty());
  CHECK(level_to_json(of_values) == value_text);
  const std::string third =
      "\"third\": \"high\",\n    \"thresholds\": {\"low\": 0.55, \"high\": 0.75, "
      "\"count\": 100},\n    ";
  const StoredLevel plain = read(replaced(value_text, third, ""));
  expected.third.reset();
  CHECK(plain.difficulty == expected);
  CHECK(tier_or_third(plain.difficulty).empty());
}

TEST_CASE(
    "[levels] JSON: what is predicted of a level is stored with its tier and the version of the model") {
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    StoredLevel level = read(minimal_text);
    const double p = i < 5 ? std::array{0.0, 0.3, 0.7, 1.0, 0.15}[static_cast<std::size_t>(i)]
                           : random.uniform();
    level.difficulty = stored_p_level("T2@0.5", p);
    for (int k = random.integer(0, 2); k > 0; --k)
      level.difficulty->measured.push_back(
          {k > 1 ? "best-target" : "random-target", random.integer(1, 100), random.uniform(), 0.25, 1});
    const std::string text = level_to_json(level);
    const StoredLevel again = read(text);
    REQUIRE(again == level);
    REQUIRE(again.difficulty->tier == tier_of(p));
    REQUIRE(again.difficulty->version == played_level_version);
    REQUIRE(again.difficulty->value == 1 - p);
    const auto json = nlohmann::json::parse(text)["difficulty"];
    REQUIRE(json["p_level"].get<double>() == p);
    REQUIRE(json["tier"] == name(tier_of(p)));
    REQUIRE(json.size() == (level.difficulty->measured.empty() ? 5 : 6));
  }
}

TEST_CASE("[levels] JSON: difficulties of earlier versions are refused by name of the version") {
  const auto refused = [](const std::string& text, const std::string& place) {
    require_error([&] { return read(text); }, {"folder/sample.json", place, "is of Startle 0.2 or before",
                                               "tiers are of p_level now", "startle difficulty --write"});
  };
  for (const char* method : {"grounded", "detection", "observer"})
    for (const std::string& text : {full_text, value_text})
      refused(replaced(text, text == full_text ? "\"p_level\",\n" : "\"published\",\n",
                       "\"" + std::string(method) + "\",\n"),
              "/difficulty/method");
  for (const char* key : {"shown_shots", "visible_shots", "noticed", "detected"})
    for (const std::string& text : {full_text, value_text})
      refused(replaced(text, "\"measured\": [", "\"" + std::string(key) + "\": [], \"measured\": ["),
              std::string("/difficulty/") + key);
  // As Startle 0.2 wrote them.
  const std::string begin = minimal_text.substr(0, minimal_text.size() - 1) +
                            R"(, "difficulty": {"novelty": "T3", "method": )";
  for (const char* rest :
       {R"("published", "alpha": 0.5, "pid": 0.96, "bid": 1, "value": 0.98, "tier": "hard",
           "thresholds": {"low": 0.55, "high": 0.75, "count": 100}}})",
        R"("extended", "alpha": 0.5, "pid": 1, "bid": 1, "value": 1, "tier": "undetectable",
           "thresholds": {"low": 0.55, "high": 0.75, "count": 100}}})",
        R"("detection", "value": 0.95, "tier": "hard",
           "thresholds": {"low": 0.4, "high": 0.8, "count": 0}}})",
        R"("observer", "value": 0.5,
           "detected": {"shots": 8, "of": 16, "interval": [0.28, 0.72]}}})"})
    refused(begin + rest, "/difficulty/");
}

TEST_CASE("[levels] JSON: what may be left out has the defaults of Level, and the file names the level") {
  const StoredLevel level = read(minimal_text);
  StoredLevel expected;
  expected.name = "sample";
  CHECK(level == expected);
  CHECK(level_from_json("\xEF\xBB\xBF" + minimal_text, "sample.json") == expected);  // with byte order mark
}

TEST_CASE("[levels] JSON: any level comes back equal, and its text byte for byte") {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    StoredLevel level{random_level(random), {}};
    level.name = "level \"" + std::to_string(i) + "\"";
    if (random.chance(0.5)) level.provenance = random_provenance(random);
    if (random.chance(0.5)) level.novelty = random_novelty(random);
    if (random.chance(0.5)) level.difficulty = random_difficulty(random);
    const std::string text = level_to_json(level);
    const StoredLevel again = read(text);
    REQUIRE(again == level);
    REQUIRE(level_to_json(again) == text);
  }
}

TEST_CASE("[levels] JSON: equal levels give equal bytes, also where zero has a sign") {
  StoredLevel level = read(minimal_text), other = level;
  other.slingshot.x = -0.0;
  level.slingshot.x = 0.0;
  REQUIRE(level == other);
  CHECK(level_to_json(level) == level_to_json(other));
  CHECK(level_to_xml(level) == level_to_xml(other));
}

TEST_CASE("[levels] formats: a locale with decimal comma changes nothing") {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  StoredLevel level = read(full_text);
  level.slingshot.x = 123456.5;
  const std::string json = level_to_json(level), xml = level_to_xml(level);
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string comma_json = level_to_json(level), comma_xml = level_to_xml(level);
  const StoredLevel comma_level = read(json);
  std::locale::global(before);
  CHECK(comma_json == json);
  CHECK(comma_xml == xml);
  CHECK(comma_level == level);
}

TEST_CASE("[levels] JSON: whole numbers may be written in any way, seeds only exactly") {
  CHECK(read(replaced(full_text, "\"width\": 2", "\"width\": 2.0")).width == 2);
  CHECK(read(replaced(full_text, "\"y\": -2.5", "\"y\": -25e-1")).slingshot.y == -2.5);
  // 2^63 + 1 is not a double.
  CHECK(read(replaced(full_text, "18446744073709551615", "9223372036854775809")).provenance->seed ==
        9223372036854775809u);
}

TEST_CASE("[levels] JSON: what is wrong is named with its place, what was found and what is allowed") {
  struct Case {
    const char *from, *to;
    std::vector<std::string> message;
  };
  const std::vector<Case> cases{
      {"startle-level", "startle-profile", {"line 2", "/format", "\"startle-profile\"", "startle-level"}},
      {"\"version\": 1", "\"version\": 2, \"new\": 3", {"line 3", "/version", "found 2", "allowed: 1"}},
      {"\"version\": 1", "\"version\": \"1\"", {"/version", "found \"1\"", "allowed: a number"}},
      {"\"format\": \"startle-level\",", "", {"the whole text", "\"format\" is missing"}},
      {"\"width\": 2", "\"widht\": 2", {"line 5", "/widht", "\"widht\" is unknown", "width, camera"}},
      {"\"width\": 2", "\"a/b~c\": 2", {"/a~1b~0c"}},
      {"\"width\": 2",
       "\"width\": 0",
       {"line 5", "/width", "found 0", "a whole number from 1 to 2147483647"}},
      {"\"width\": 2", "\"width\": -1", {"/width", "found -1", "a whole number from 1"}},
      {"\"width\": 2", "\"width\": 1.5", {"/width", "found 1.5"}},
      {"\"width\": 2", "\"width\": 2147483648", {"/width", "found 2147483648"}},
      {"\"width\": 2", "\"width\": null", {"/width", "found null"}},
      {"\"width\": 2", "\"width\": 2, \"width\": 2", {"line 5", "\"width\" stands twice"}},
      {"\"two towers\"", "5", {"line 4", "/name", "found 5", "a string"}},
      {"\"min_width\": 20",
       "\"min_width\": -20",
       {"line 6", "/camera/min_width", "found -20", "a number > 0"}},
      {", \"max_width\": 30", "", {"/camera", "\"max_width\" is missing"}},
      {"{\"x\": -12, \"y\": -2.5}", "[-12, -2.5]", {"line 7", "/slingshot", "found an array", "an object"}},
      {"\"x\": -12", "\"x\": \"-12\"", {"/slingshot/x", "found \"-12\"", "a number"}},
      {"\"x\": -12", "\"x\": true", {"/slingshot/x", "found true or false", "a number"}},
      {"\"x\": -12", "\"x\": NaN", {"line 7", "invalid literal"}},
      {"\"x\": -12", "\"x\": -Infinity", {"line 7", "invalid number"}},
      {"\"x\": -12", "\"x\": 1e999", {"number overflow"}},
      {"\"x\": -12", "\"x\": -12,5", {"line 7", "syntax error"}},
      {"\"BirdBlue\"",
       "\"BirdGreen\"",
       {"line 8", "/birds/1", "\"BirdGreen\"", "BirdBlack, BirdBlue, BirdRed, BirdWhite, BirdYellow"}},
      {"[\"BirdRed\", \"BirdBlue\"]", "{}", {"/birds", "found an object", "an array"}},
      {"\"kind\": \"pig\"",
       "\"kind\": \"bird\"",
       {"line 11", "/objects/1/kind", "\"bird\"", "block, pig, tnt, platform"}},
      {"\"kind\": \"pig\", ", "", {"/objects/1", "\"kind\" is missing"}},
      {"BasicSmall", "PinkPig", {"/objects/1/type", "\"PinkPig\"", "BasicBig, BasicMedium, BasicSmall"}},
      {"RectFat", "Rect", {"/objects/0/type", "\"Rect\"", "RectFat", "TriangleHole"}},
      {"\"material\": \"ice\"",
       "\"material\": \"gold\"",
       {"/objects/0/material", "\"gold\"", "wood, ice, stone"}},
      {"\"material\": \"ice\", ", "", {"/objects/0", "\"material\" is missing"}},
      {"\"BasicSmall\"",
       "\"BasicSmall\", \"material\": \"wood\"",
       {"/objects/1/material", "\"material\" is unknown"}},
      {"\"y\": -3.25, ", "", {"line 11", "/objects/1", "\"y\" is missing"}},
      {"\"scale_x\": 2", "\"scale_x\": 0", {"/objects/3/scale_x", "found 0", "a number > 0"}},
      {"\"scale_y\": 0.5", "\"scale_y\": -0.5", {"/objects/3/scale_y", "found -0.5", "a number > 0"}},
      {"\"rotation_deg\": -45", "\"scale_x\": 2", {"/objects/2/scale_x", "is unknown"}},
      {"\"x\": \"1e0\"", "\"x\": 1", {"/unknown/0/attributes/x", "found 1", "a string"}},
      {"18446744073709551615",
       "18446744073709551616",
       {"/provenance/seed", "a whole number from 0 to 18446744073709551615"}},
      {"18446744073709551615", "-1", {"/provenance/seed", "found -1"}},
      {"18446744073709551615", "1.5", {"/provenance/seed", "found 1.5"}},
      {"\"index\": 7", "\"index\": \"7\"", {"/provenance/index", "found \"7\""}},
      {"0.001", "-0.001", {"/provenance/settle_shift", "a number >= 0"}},
      {"\"stretch\": 0.5",
       "\"stretch\": 1.5",
       {"line 26", "/provenance/solution/1/stretch", "found 1.5", "> 0 and <= 1"}},
      {"\"stretch\": 0.5", "\"stretch\": 0", {"/provenance/solution/1/stretch", "found 0"}},
      {"\"factor\": 4",
       "\"factor\": -4",
       {"line 32", "/novelty/rules/0/factor", "found -4", "a number >= 0"}},
      {"\"factor\": 4",
       "\"factor\": 4, \"value\": 1",
       {"/novelty/rules/0", "one of the keys factor, offset and value"}},
      {", \"factor\": 4", "", {"/novelty/rules/0", "one of the keys factor, offset and value"}},
      {"\"parameter\": \"restitution\"",
       "\"parameter\": \"colour\"",
       {"/novelty/rules/0/parameter", "\"colour\"", "density, friction, restitution"}},
      {"\"value\": 10", "\"value\": 0", {"/novelty/rules/1/value", "found 0", "a number >= "}},
      {"{\"kind\": \"pig\"}, \"parameter\"",
       "{\"kind\": \"pigs\"}, \"parameter\"",
       {"/novelty/rules/2/on/kind", "\"pigs\"", "block, pig, tnt"}},
      {"{\"kind\": \"pig\"}, \"parameter\"",
       "{\"kind\": \"pig\", \"material\": \"wood\"}, \"parameter\"",
       {"/novelty/rules/2/on/material", "\"wood\"", "none, as kind is pig"}},
      {"{\"kind\": \"pig\"}, \"parameter\"",
       "{\"kind\": \"pig\", \"type\": \"RectFat\"}, \"parameter\"",
       {"/novelty/rules/2/on/type", "\"RectFat\"", "BasicBig, BasicMedium, BasicSmall"}},
      {"{\"kind\": \"pig\"}, \"parameter\"",
       "{\"group\": \"pigs\"}, \"parameter\"",
       {"/novelty/rules/2/on/group", "is unknown"}},
      {"\"gravity\": -1", "\"gravity\": NaN", {"invalid literal"}},
      {"\"gravity\": -1",
       "\"gravity\": 1e9",
       {"/novelty/gravity", "found 1", "a number from -10000 to 10000"}},
      {"\"pull\": -5", "\"pull\": 0", {"/novelty/fields/1/pull", "found 0", "a number other than 0"}},
      {"\"acceleration\": {\"x\": 6,",
       "\"acceleration\": {\"x\": -20000,",
       {"/novelty/fields/0/acceleration/x", "found -20000", "a number from -10000 to 10000"}},
      {"\"air_drag\": 0.3",
       "\"air_drag\": -0.3",
       {"/novelty/air_drag", "found -0.3", "a number from 0 to 10000"}},
      {"\"ground_friction\": 0.05",
       "\"ground_friction\": -1",
       {"/novelty/ground_friction", "found -1", "a number from 0 to 10000"}},
      {"\"right\": 3", "\"right\": 0.5", {"/novelty/fields/0/region/right", "found 0.5", "a number > 1"}},
      {"\"bottom\": 0, \"top\": 5",
       "\"bottom\": 5, \"top\": 0",
       {"/novelty/fields/0/region/top", "found 0", "a number > 5"}},
      {"\"acceleration\": {\"x\": 6, \"y\": 0.5}",
       "\"acceleration\": {\"x\": 0, \"y\": 0}",
       {"/novelty/fields/0", "other than 0"}},
      {"\"acceleration\": {\"x\": 6, \"y\": 0.5}",
       "\"acceleration\": 6",
       {"/novelty/fields/0/acceleration", "found 6", "an object"}},
      {"\"period_s\": 1", "\"period_s\": 0", {"/novelty/fields/0/period_s", "found 0", "a number > 0"}},
      {"\"from_bird\": 1",
       "\"from_bird\": -1",
       {"/novelty/fields/0/from_bird", "found -1", "a whole number from 0"}},
      {"\"on_birds\": false", "\"on_birds\": 0", {"/novelty/fields/1/on_birds", "found 0", "true or false"}},
      {"\"centre\": {\"x\": 9, \"y\": 3}, ",
       "",
       {"/novelty/fields/1", "both or none of the keys centre and pull"}},
      {"\"material\": \"stone\"",
       "\"material\": \"glass\"",
       {"/novelty/fields/1/on/material", "\"glass\"", "wood, ice, stone"}},
      {"\"vanish\": true",
       "\"vanish\": false",
       {"/novelty/events/0", "either vanish, which is true, or a velocity"}},
      {"\"at_s\": 1.5", "\"at_s\": -1", {"/novelty/events/1/at_s", "found -1", "a number >= 0"}},
      {"\"at_s\": 1.5", "\"vanish\": true", {"/novelty/events/1", "either vanish"}},
      {"\"method\": \"p_level\"",
       "\"method\": \"guessed\"",
       {"line 51", "/difficulty/method", "\"guessed\"", "published, extended, simulated, p_level"}},
      {"\"method\": \"p_level\",", "", {"/difficulty", "\"method\" is missing"}},
      {"\"version\": 1,\n    \"p", "\"version\": 0,\n    \"p", {"/difficulty/version", "found 0", "from 1"}},
      {"\"version\": 1,\n    \"p", "\"version\": 1.5,\n    \"p", {"/difficulty/version", "found 1.5"}},
      {"\"version\": 1,\n    \"p", "\"p", {"/difficulty", "\"version\" is missing"}},
      {"\"p_level\": 0.085", "\"p_level\": 1.01", {"/difficulty/p_level", "found 1.01", "from 0 to 1"}},
      {"\"p_level\": 0.085", "\"p_level\": -0.01", {"/difficulty/p_level", "found -0.01"}},
      {"\"p_level\": 0.085,", "", {"/difficulty", "\"p_level\" is missing"}},
      {"\"hard\"", "\"harder\"", {"/difficulty/tier", "\"harder\"", "easy, medium, hard"}},
      {"\"hard\"", "\"undetectable\"", {"/difficulty/tier", "\"undetectable\"", "easy, medium, hard"}},
      {"\"tier\": \"hard\",", "", {"/difficulty", "\"tier\" is missing"}},
      {"\"tier\": \"hard\"",
       "\"tier\": \"hard\", \"alpha\": 0.5",
       {"/difficulty/alpha", "\"alpha\" is unknown"}},
      {"\"tier\": \"hard\"",
       "\"tier\": \"hard\", \"third\": \"high\"",
       {"/difficulty/third", "\"third\" is unknown"}},
      {"\"best-target\"",
       "\"best\"",
       {"line 56", "/difficulty/measured/0/player", "\"best\"", "best-target, random-target"}},
      {"\"player\": \"best-target\", ", "", {"/difficulty/measured/0", "\"player\" is missing"}},
      {"\"plays\": 8", "\"plays\": 0", {"/difficulty/measured/0/plays", "found 0", "from 1"}},
      {"\"plays\": 6", "\"plays\": 6.5", {"/difficulty/measured/1/plays", "found 6.5"}},
      {"\"plays\": 6, ", "", {"/difficulty/measured/1", "\"plays\" is missing"}},
      {"\"p_level\": 0.5",
       "\"p_level\": 1.5",
       {"/difficulty/measured/1/p_level", "found 1.5", "a number from 0 to 1"}},
      {"\"p_level\": 0.125", "\"p_level\": \"1\"", {"/difficulty/measured/0/p_level", "found \"1\""}},
      {"[0, 0.4]", "[-0.1, 0.4]", {"/difficulty/measured/0/interval/0", "found -0.1", "from 0 to 1"}},
      {"[0, 0.4]", "[0, 1.4]", {"/difficulty/measured/0/interval/1", "found 1.4", "from 0 to 1"}},
      {"[0.25, 0.75]", "[0.25, 0.125]", {"/difficulty/measured/1/interval/1", "found 0.125", ">= 0.25"}},
      {"[0, 0.4]", "[0.4]", {"/difficulty/measured/0/interval", "two numbers"}},
      {"[0, 0.4]", "[0, 0.2, 0.4]", {"/difficulty/measured/0/interval", "two numbers"}},
      {"[0, 0.4]", "0.4", {"/difficulty/measured/0/interval", "found 0.4", "an array"}},
      {", \"interval\": [0, 0.4]", "", {"/difficulty/measured/0", "\"interval\" is missing"}},
      {"\"interval\": [0, 0.4]",
       "\"interval\": [0, 0.4], \"value\": 1",
       {"/difficulty/measured/0/value", "\"value\" is unknown"}},
      {"\"measured\": [", "\"measured\": 5, \"x\": [", {"/difficulty/x", "\"x\" is unknown"}},
      {"\"two towers\"", "\"two \xFF towers\"", {"line 4", "UTF-8"}},
      {"\"two towers\"", "\"two \\ud800 towers\"", {"line 4", "surrogate"}},
      {"\"two towers\"", "[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]", {"line 4", "deeper than 16"}},
  };
  for (const Case& one : cases) {
    INFO(one.from << " -> " << one.to);
    std::vector<std::string> parts = one.message;
    parts.push_back("folder/sample.json");
    require_error([&] { return read(replaced(full_text, one.from, one.to)); }, parts);
  }
  const std::vector<Case> of_values{
      {"\"pid\": 0.96", "\"pid\": 1.01", {"/difficulty/pid", "found 1.01", "a number from 0 to 1"}},
      {"\"bid\": 1,", "\"bid\": -0.5,", {"/difficulty/bid", "found -0.5"}},
      {"\"value\": 0.98,", "", {"/difficulty", "\"value\" is missing"}},
      {"\"value\": 0.98,", "\"value\": 2,", {"/difficulty/value", "found 2", "a number from 0 to 1"}},
      {"\"value\": 0.98,", "\"value\": 0.98, \"p_level\": 1,", {"/difficulty/p_level", "is unknown"}},
      {"\"alpha\": 0.5", "\"alpha\": 1.5", {"/difficulty/alpha", "found 1.5", "a number from 0 to 1"}},
      {"\"first\"", "\"last\"", {"/difficulty/ties", "\"last\"", "share, first"}},
      {"\"third\": \"high\"", "\"third\": \"hard\"", {"/difficulty/third", "\"hard\"", "low, middle, high"}},
      {"\"third\": \"high\",", "", {"/difficulty", "\"third\" is missing"}},
      {"\"high\": 0.75", "\"high\": 0.5", {"/difficulty/thresholds/high", "found 0.5", "a number >= 0.55"}},
      {"\"count\": 100",
       "\"count\": 100.5",
       {"/difficulty/thresholds/count", "found 100.5", "a whole number"}},
      {"\"plays\": 8", "\"plays\": -1", {"/difficulty/measured/0/plays", "found -1"}},
  };
  for (const Case& one : of_values) {
    INFO(one.from << " -> " << one.to);
    require_error([&] { return read(replaced(value_text, one.from, one.to)); }, one.message);
  }
}

TEST_CASE("[levels] JSON: a novelty that changes nothing is refused, and one with one rule is enough") {
  const auto with = [](const std::string& novelty) {
    return minimal_text.substr(0, minimal_text.size() - 1) + ", \"novelty\": " + novelty + "}";
  };
  for (const char* nothing : {"{}", R"({"description": "none"})", R"({"gravity": 1, "air_drag": 0})",
                              R"({"fields": [], "rules": []})"})
    require_error([&] { return read(with(nothing)); },
                  {"/novelty", "something that changes: rules, gravity"});
  const StoredLevel level = read(with(R"({"rules": [{"parameter": "density", "factor": 2}]})"));
  CHECK(level.novelty == Novelty{.name = "own",
                                 .description = {},
                                 .rules = {{{}, Parameter::density, {ChangeKind::factor, 2}}}});
}

TEST_CASE("[levels] JSON: text that is no level is refused") {
  for (const char* text :
       {"", " ", "null", "5", "[]", "{}", "\"startle-level\"", "{\"format\": 5}", "{,}", "hello"}) {
    INFO(text);
    require_error([&] { return read(text); }, {"folder/sample.json"});
  }
  require_error([&] { return read(full_text + "{}"); }, {"end of input"});
  require_error([&] { return read(full_text + std::string(1, '\0') + "rest"); }, {"line 61", "zero byte"});
  require_error([&] { return read(std::string(100000, '[')); }, {"deeper than 16"});
  require_error([&] { return read("{\"format\": \"" + std::string(100000, 'x') + "\"}"); },
                {"xxx\"...; allowed: startle-level"});
}

TEST_CASE("[levels] JSON: text cut off anywhere is refused") {
  for (std::size_t size = 0; size + 2 < full_text.size(); ++size)  // without the last bracket at least
    CHECK_THROWS_AS(read(full_text.substr(0, size)), Error);
}

TEST_CASE("[levels] JSON: text with wrong bytes is a level or an Error") {
  Random random(2);
  int levels = 0, errors = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string text = damaged(full_text, random);
    try {
      const StoredLevel level = read(text);
      REQUIRE(read(level_to_json(level)) == level);
      ++levels;
    } catch (const Error&) {
      ++errors;
    }
  }
  CHECK(levels > 100);
  CHECK(errors > 1000);
}

TEST_CASE("[levels] formats: numbers that are not finite and text that is not UTF-8 are not written") {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  const auto refused = [](const std::function<void(StoredLevel&)>& change,
                          const std::vector<std::string>& parts) {
    StoredLevel level = read(full_text);
    change(level);
    require_error([&] { level_to_json(level); }, parts);
    if (!parts.front().starts_with("difficulty."))
      require_error([&] { level_to_xml(level); }, parts);  // which does not hold it
  };
  refused([&](StoredLevel& level) { level.objects[2].position.y = nan; },
          {"two towers", "objects[2].y", "not a number", "a finite number"});
  refused([&](StoredLevel& level) { level.objects[3].scale_x = infinity; },
          {"objects[3].scale_x", "infinite"});
  refused([&](StoredLevel& level) { level.camera.min_width = -infinity; }, {"camera.min_width", "infinite"});
  refused([&](StoredLevel& level) { level.provenance->solution[1].angle = nan; },
          {"provenance.solution[1].angle_rad"});
  refused([&](StoredLevel& level) { level.difficulty->value = nan; }, {"difficulty.value", "not a number"});
  refused([&](StoredLevel& level) { level.difficulty->p_level = infinity; },
          {"difficulty.p_level", "infinite"});
  refused(
      [&](StoredLevel& level) {
        level.difficulty->third = PlacedThird{Third::low, {0, infinity, 1, 1}};
      },
      {"difficulty.thresholds.high", "infinite"});
  refused([&](StoredLevel& level) { level.difficulty->measured[1].p_level = nan; },
          {"difficulty.measured[1].p_level", "not a number"});
  refused([&](StoredLevel& level) { level.difficulty->measured[0].low = -infinity; },
          {"difficulty.measured[0].interval", "infinite"});
  refused([&](StoredLevel& level) { level.difficulty->measured[0].high = nan; },
          {"difficulty.measured[0].interval", "not a number"});
  refused([&](StoredLevel& level) { level.name = "\xC0\xAF"; }, {"name is not UTF-8"});
  refused([&](StoredLevel& level) { level.unknown[0].attributes[1].second = "\xED\xA0\x80"; },
          {"unknown[0].attributes is not UTF-8"});
}

TEST_CASE("[levels] JSON: a novelty that the file cannot hold is not written") {
  const auto refused = [](const std::function<void(StoredLevel&)>& change,
                          const std::vector<std::string>& parts) {
    StoredLevel level = read(full_text);
    change(level);
    require_error([&] { level_to_json(level); }, parts);
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   infinity = std::numeric_limits<double>::infinity();
  refused([&](StoredLevel& level) { level.novelty->world.gravity = nan; },
          {"two towers", "novelty.gravity", "not a number", "a finite number"});
  refused([&](StoredLevel& level) { level.novelty->world.fields[1].pull = infinity; },
          {"novelty.fields[1].pull", "infinite"});
  refused([&](StoredLevel& level) { level.novelty->world.fields[0].region.left = nan; },
          {"novelty.fields[0].region.left", "not a number"});
  refused([&](StoredLevel& level) { level.novelty->world.events[0].on.objects = {1}; },
          {"novelty.events[0].on", "single objects"});
  refused([&](StoredLevel& level) { level.novelty->rules[1].change.share = 0.5; },
          {"novelty.rules[1].", "share"});
  refused([&](StoredLevel& level) { level.novelty->name = "T2"; }, {"novelty.name", "\"T2\"", "own"});
  refused([&](StoredLevel& level) { level.novelty->description = "\xC0"; },
          {"novelty.description is not UTF-8"});
}

TEST_CASE("[levels] JSON: the schema lists the names that the reader knows") {
  const auto schema = nlohmann::json::parse(
      read_file(std::filesystem::path(STARTLE_SOURCE) / "docs/level.schema.json"));
  using Names = std::vector<std::string>;
  const auto listed_in = [&](const char* place) {
    return schema.at(nlohmann::json::json_pointer(place)).get<Names>();
  };
  CHECK(listed_in("/properties/birds/items/enum") == bird_type_names());
  CHECK(listed_in("/properties/objects/items/properties/kind/enum") ==
        Names{name(Kind::block), name(Kind::pig), name(Kind::tnt), name(Kind::platform)});
  CHECK(listed_in("/$defs/block/properties/type/enum") == object_type_names(Kind::block));
  CHECK(listed_in("/$defs/block/properties/material/enum") ==
        Names{name(Material::wood), name(Material::ice), name(Material::stone)});
  CHECK(listed_in("/$defs/pig/properties/type/enum") == object_type_names(Kind::pig));
  CHECK(Names{schema["$defs"]["tnt"]["properties"]["type"]["const"]} == object_type_names(Kind::tnt));
  CHECK(Names{schema["$defs"]["platform"]["properties"]["type"]["const"]} ==
        object_type_names(Kind::platform));
  CHECK(listed_in("/$defs/difficulty/properties/method/enum") ==
        Names{name(Method::published), name(Method::extended), "simulated", "p_level"});
  CHECK(listed_in("/$defs/difficulty/properties/tier/enum") ==
        Names{name(Tier::easy), name(Tier::medium), name(Tier::hard)});
  CHECK(listed_in("/$defs/difficulty/properties/third/enum") ==
        Names{name(Third::low), name(Third::middle), name(Third::high)});
  CHECK(listed_in("/$defs/difficulty/properties/ties/enum") == Names{name(Ties::share), name(Ties::first)});
  Names parameters;
  for (const ParameterInfo& info : parameter_table) parameters.push_back(info.name);
  CHECK(listed_in("/$defs/novelty/properties/rules/items/properties/parameter/enum") == parameters);
}

TEST_CASE("[levels] JSON: schema, documentation and reader know the same keys") {
  const std::filesystem::path docs = std::filesystem::path(STARTLE_SOURCE) / "docs";
  const auto schema = nlohmann::json::parse(read_file(docs / "level.schema.json"));
  const auto text = nlohmann::json::parse(full_text);
  const auto keys = [](const nlohmann::json& object) {
    std::set<std::string> result;
    for (const auto& [key, value] : object.items()) result.insert(key);
    return result;
  };
  CHECK(keys(schema["properties"]) == keys(text));
  CHECK(keys(schema["properties"]["camera"]["properties"]) == keys(text["camera"]));
  const nlohmann::json& novelty = schema["$defs"]["novelty"]["properties"];
  CHECK(keys(novelty) == keys(text["novelty"]));
  for (const char* list : {"rules", "fields", "events"}) {
    std::set<std::string> used;
    for (const auto& item : text["novelty"][list]) used.merge(keys(item));
    CHECK(keys(novelty[list]["items"]["properties"]) == used);
  }
  CHECK(keys(novelty["fields"]["items"]["properties"]["region"]["properties"]) ==
        keys(text["novelty"]["fields"][0]["region"]));
  CHECK(keys(schema["$defs"]["group"]["properties"]) == keys(text["novelty"]["rules"][0]["on"]));
  CHECK(keys(schema["$defs"]["provenance"]["properties"]) == keys(text["provenance"]));
  const auto of_values = nlohmann::json::parse(value_text)["difficulty"];
  std::set<std::string> difficulty = keys(text["difficulty"]);
  difficulty.merge(keys(of_values));
  const nlohmann::json& of_schema = schema["$defs"]["difficulty"]["properties"];
  CHECK(keys(of_schema) == difficulty);
  CHECK(keys(of_schema["thresholds"]["properties"]) == keys(of_values["thresholds"]));
  CHECK(keys(of_schema["measured"]["items"]["properties"]) == keys(text["difficulty"]["measured"][0]));
  CHECK(keys(schema["$defs"]["shot"]["properties"]) == keys(text["provenance"]["solution"][0]));
  std::set<std::string> unknown = keys(text["unknown"][0]);
  unknown.insert("birds_before");  // of birds alone
  CHECK(keys(schema["$defs"]["unknown"]["properties"]) == unknown);
  for (const auto& object : text["objects"])
    CHECK(keys(schema["$defs"][object["kind"].get<std::string>()]["properties"]) == keys(object));
  CHECK(keys(nlohmann::json::parse(minimal_text)) == schema["required"].get<std::set<std::string>>());

  // The examples in the documentation are levels.
  const std::string page = read_file(docs / "level-format.md");
  const auto example = [&](const std::string& language) {
    const std::size_t begin = page.find("```" + language + "\n") + language.size() + 4;
    return page.substr(begin, page.find("```", begin) - begin);
  };
  const StoredLevel level = level_from_json(example("json"), "example.json");
  CHECK(level_to_json(level) == example("json"));
  CHECK(level_from_xml(example("xml"), "example.xml").objects.size() == level.objects.size());
}
