/// \file  Answers of agent programs: what is taken and what is refused.
#include "agents/programs/messages.hpp"

#include <array>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "agents/game.hpp"
#include "core/random.hpp"
#include "tests/agents/json_schema.hpp"
#include "tests/agents/samples.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

Status refusal(const std::string& line, bool of_report = false) {
  try {
    if (of_report)
      parse_report(line);
    else
      parse_action(line, Observation{.rest = {-6, -1.7}});
  } catch (const AgentFailure& failure) {
    CHECK(std::string(failure.what()).size() < 300);
    return failure.status();
  }
  return Status::ok;
}

const JsonSchema& schema() {
  static const JsonSchema read(nlohmann::json::parse(std::ifstream(STARTLE_SCHEMA)));
  return read;
}

}  // namespace

TEST_CASE(
    "[agents] the schema allows every message that the runner sends, and none that lacks a key or has one "
    "more") {
  std::vector<std::string> lines{begin_message({.seed = (std::uint64_t{1} << 53) - 1, .levels = 20}),
                                 end_message(), picture_message(Bitmap(4, 3))};
  std::vector<StoredLevel> levels = benchmark_levels("T1/easy", 2);
  levels.push_back(small_level());
  for (const PlayableLevel& level : playable(levels)) {
    Game game(level.novel);
    for (const double angle : {10, 40, 65}) {
      if (game.over()) break;
      lines.push_back(act_message(game.now()));
      lines.push_back(report_message(game.shoot({.angle = radians(angle), .tap_time = 1})));
    }
  }
  REQUIRE(lines.size() > 10);
  for (const std::string& line : lines) {
    const auto message = nlohmann::json::parse(line);
    INFO(line.substr(0, 200));
    CHECK(schema().allows(message, "to_agent"));
    auto more = message;
    more["more"] = 1;
    CHECK_FALSE(schema().allows(more, "to_agent"));
    // Without any one of its keys, at any depth; "material" alone may be missing, "moved" and "gone" may not.
    const std::function<void(const nlohmann::json&, const nlohmann::json::json_pointer&)> strip =
        [&](const nlohmann::json& at, const auto& path) {
          if (at.is_array() && !at.empty()) strip(at.front(), path / 0);
          if (!at.is_object()) return;
          for (const auto& [key, value] : at.items()) {
            if (key == "material") continue;
            auto less = message;
            less[path].erase(key);
            INFO("without " << (path / key).to_string());
            CHECK_FALSE(schema().allows(less, "to_agent"));
            strip(value, path / key);
          }
        };
    strip(message, nlohmann::json::json_pointer());
  }
}

TEST_CASE("[agents] the schema allows the answers that are taken and refuses those that are refused") {
  const auto taken = [&](const std::string& line) {
    for (const bool of_report : {false, true})
      if (refusal(line, of_report) == Status::ok) return true;
    return false;
  };
  // All keys of all answers, each with values in and out of range and of other types, in all combinations of
  // up to four.
  const std::vector<std::pair<std::string, std::vector<std::string>>> keys{
      {"type", {"\"shot\"", "\"report\"", "\"picture\"", "\"begin\"", "1"}},
      {"angle", {"0.5", "-6.28", "6.29", "\"1\"", "null"}},
      {"stretch", {"1", "0.25", "0", "1.01", "true"}},
      {"tap_time", {"-1", "1000", "1000.5", "\"2\""}},
      {"drag", {"[-6.5, -1.7]", "[1]", "[1, 2, 3]", "[1, \"2\"]", "1"}},
      {"novelty", {"0", "1", "0.5", "1.5", "-0.1", "[]"}},
      {"description", {"\"slow\"", "7"}},
      {"width", {"64", "0", "1025", "6.5", "\"64\""}},
      {"height", {"64", "0", "1025"}},
      {"frame", {"0", "-1", "1.5"}},
      {"more", {"1"}}};
  std::size_t allowed = 0, lines = 0;
  const auto compare = [&](const std::string& members) {
    const std::string line = "{" + members + "}";
    const bool allows = schema().allows(nlohmann::json::parse(line), "from_agent");
    if (allows != taken(line))
      FAIL_CHECK(line << (allows ? " is allowed by the schema and refused"
                                 : " is taken and not allowed by the schema"));
    allowed += allows;
    ++lines;
  };
  std::function<void(std::size_t, const std::string&, int)> add = [&](std::size_t from,
                                                                      const std::string& members, int left) {
    compare(members);
    for (std::size_t k = from; left > 0 && k < keys.size(); ++k)
      for (const std::string& value : keys[k].second)
        add(k + 1, members + (members.empty() ? "" : ",") + "\"" + keys[k].first + "\":" + value, left - 1);
  };
  add(0, "", 4);
  CHECK(lines > 10000);
  CHECK(allowed > 20);
}

TEST_CASE("[agents] answers that are taken") {
  const Observation now{.rest = {-6, -1.7}};
  CHECK(std::get<Shot>(parse_action(R"({"type":"shot","angle":0.5})", now)) == Shot{.angle = 0.5});
  CHECK(std::get<Shot>(parse_action(R"({"tap_time":1.5,"stretch":0.25,"angle":-1,"type":"shot"})", now)) ==
        Shot{-1, 0.25, 1.5});
  // Dragged half a unit straight to the left: shot to the right with half the pull.
  const Shot dragged = std::get<Shot>(parse_action(R"({"type":"shot","drag":[-6.5,-1.7]})", now));
  CHECK(dragged.angle == Approx(0).margin(1e-6));
  CHECK(dragged.stretch == Approx(0.5));
  CHECK(std::get<Report>(parse_report(R"({"type":"report","novelty":1,"description":"pigs fall slowly"})"))
            .description == "pigs fall slowly");
  const PictureRequest request = std::get<PictureRequest>(
      parse_report(R"({"type":"picture","width":64,"height":48,"frame":3})"));
  CHECK((request.width == 64 && request.height == 48 && request.frame == 3u));
}

TEST_CASE("[agents] answers that are refused, and as what") {
  for (const char* line :
       {"", "garbage", "[1,2]", "null", "{", R"({"angle":1})", R"({"type":"shoot","angle":1})",
        R"({"type":"report","novelty":1})", R"({"type":"shot"})", R"({"type":"shot","angle":NaN})",
        R"({"type":"shot","angle":1e999})", R"({"type":"shot","angle":"1"})",
        R"({"type":"shot","angle":1,"power":2})", R"({"type":"shot","drag":[1]})",
        R"({"type":"shot","drag":[1,2],"angle":3})", R"({"type":"picture","width":64})",
        R"({"type":"picture","width":6.5,"height":64})", "{\"type\":\"shot\",\"angle\":1,\"\xff\":1}"}) {
    INFO(line);
    CHECK(refusal(line) == Status::protocol_error);
  }
  for (const char* line :
       {R"({"type":"shot","angle":1000})", R"({"type":"shot","angle":1,"stretch":0})",
        R"({"type":"shot","angle":1,"stretch":2})", R"({"type":"shot","drag":[-6,-1.7]})",
        R"({"type":"picture","width":0,"height":64})", R"({"type":"picture","width":64,"height":5000})"}) {
    INFO(line);
    CHECK(refusal(line) == Status::invalid_action);
  }
  CHECK(refusal(R"({"type":"report","novelty":1.01})", true) == Status::invalid_action);
  CHECK(refusal(R"({"type":"report","novelty":-0.1})", true) == Status::invalid_action);
  CHECK(refusal(R"({"type":"report"})", true) == Status::protocol_error);
  CHECK(refusal(R"({"type":"report","novelty":0,"description":7})", true) == Status::protocol_error);
  CHECK(refusal(R"({"type":"report","novelty":0,"description":")" + std::string(10001, 'x') + "\"}", true) ==
        Status::invalid_action);
  // Deep nesting must not cost the stack.
  CHECK(refusal(R"({"type":"shot","angle":)" + std::string(30000, '[') + std::string(30000, ']') + "}") ==
        Status::protocol_error);
}

TEST_CASE("[agents] random bytes and damaged answers are never taken for anything but what they say") {
  Random random(11);
  const std::string good = R"({"type":"shot","angle":0.5,"stretch":0.75,"tap_time":1})";
  for (int i = 0; i < 3000; ++i) {
    std::string line = good;
    for (int k = random.integer(1, 4); k > 0; --k)
      line[static_cast<std::size_t>(random.integer(0, static_cast<int>(line.size()) - 1))] =
          static_cast<char>(random.integer(0, 255));
    try {
      const auto taken = parse_action(line, Observation{});
      if (const Shot* shot = std::get_if<Shot>(&taken)) CHECK_NOTHROW(check(*shot));
    } catch (const AgentFailure&) {
    }
  }
}

TEST_CASE("[agents] the frames of a report message rebuild what was seen") {
  Game game(playable({small_level()}).front().novel);
  const SeenShot& seen = game.shoot({.angle = radians(12)});
  const auto json = nlohmann::json::parse(report_message(seen));
  std::map<int, std::array<double, 3>> now;
  for (const SeenObject& o : seen.before.objects)
    if (o.kind != Kind::platform) now[o.id] = {o.pose.position.x, o.pose.position.y, o.pose.angle};
  REQUIRE(json["frames"].size() == seen.frames.size());
  std::size_t moved = 0;
  for (std::size_t f = 0; f < seen.frames.size(); ++f) {
    for (const auto& body : json["frames"][f]["moved"]) {
      now[body[0]] = {body[1], body[2], body[3]};
      ++moved;
    }
    for (const auto& id : json["frames"][f]["gone"]) now.erase(id.get<int>());
    std::map<int, std::array<double, 3>> wanted;
    for (const SeenBody& b : seen.frames[f].bodies)
      wanted[b.id] = {b.pose.position.x, b.pose.position.y, b.pose.angle};
    CHECK(now == wanted);
  }
  CHECK(moved > seen.frames.size());
}

TEST_CASE("[agents] numbers that are not whole or fit no whole number are refused where one is awaited") {
  const auto begin = [](const std::string& seed, const std::string& levels) {
    return parse_begin(R"({"type":"begin","protocol":"startle-agent","version":1,"seed":)" + seed +
                       ",\"levels\":" + levels + "}");
  };
  CHECK(begin("18446744073709551615", "2147483647").seed == 18446744073709551615U);
  for (const char* seed : {"-1", "1e308", "0.5", "18446744073709551616", "null"})
    CHECK_THROWS_AS(begin(seed, "1"), Error);
  for (const char* levels : {"1e308", "1.0", "2147483648", "18446744073709551615", "\"1\""})
    CHECK_THROWS_AS(begin("1", levels), Error);
  CHECK_THROWS_AS(parse_picture(R"({"type":"picture","width":1e308,"height":1,"rgb":""})"), Error);
}

TEST_CASE("[agents] pictures go as base64 of their bytes") {
  Bitmap picture(1, 1);
  picture.rgb = {'M', 'a', 'n'};
  CHECK(nlohmann::json::parse(picture_message(picture))["rgb"] == "TWFu");
  picture = Bitmap(1, 2);
  picture.rgb = {'p', 'l', 'e', 'a', 's', 'u'};
  picture.rgb.pop_back();
  CHECK(nlohmann::json::parse(picture_message(picture))["rgb"] == "cGxlYXM=");
  picture.rgb.pop_back();
  CHECK(nlohmann::json::parse(picture_message(picture))["rgb"] == "cGxlYQ==");
}
