/// \file  Answers of agent programs: what is taken and what is refused.
#include "agents/messages.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "agents/game.hpp"
#include "sim/random.hpp"
#include "tests/agents/samples.hpp"

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

}  // namespace

TEST_CASE("[agents] answers that are taken") {
  const Observation now{.rest = {-6, -1.7}};
  CHECK(std::get<Shot>(parse_action(R"({"type":"shot","angle":0.5})", now)) == Shot{.angle = 0.5});
  CHECK(std::get<Shot>(parse_action(R"({"tap_time":1.5,"stretch":0.25,"angle":-1,"type":"shot"})", now)) == Shot{-1, 0.25, 1.5});
  // Dragged half a unit straight to the left: shot to the right with half the pull.
  const Shot dragged = std::get<Shot>(parse_action(R"({"type":"shot","drag":[-6.5,-1.7]})", now));
  CHECK(dragged.angle == Approx(0).margin(1e-6));
  CHECK(dragged.stretch == Approx(0.5));
  CHECK(std::get<Report>(parse_report(R"({"type":"report","novelty":1,"description":"pigs fall slowly"})")).description ==
        "pigs fall slowly");
  const PictureRequest request = std::get<PictureRequest>(parse_report(R"({"type":"picture","width":64,"height":48,"frame":3})"));
  CHECK((request.width == 64 && request.height == 48 && request.frame == 3u));
}

TEST_CASE("[agents] answers that are refused, and as what") {
  for (const char* line : {"", "garbage", "[1,2]", "null", "{", R"({"angle":1})", R"({"type":"shoot","angle":1})",
                           R"({"type":"report","novelty":1})", R"({"type":"shot"})", R"({"type":"shot","angle":NaN})",
                           R"({"type":"shot","angle":1e999})", R"({"type":"shot","angle":"1"})", R"({"type":"shot","angle":1,"power":2})",
                           R"({"type":"shot","drag":[1]})", R"({"type":"shot","drag":[1,2],"angle":3})", R"({"type":"picture","width":64})",
                           R"({"type":"picture","width":6.5,"height":64})", "{\"type\":\"shot\",\"angle\":1,\"\xff\":1}"}) {
    INFO(line);
    CHECK(refusal(line) == Status::protocol_error);
  }
  for (const char* line : {R"({"type":"shot","angle":1000})", R"({"type":"shot","angle":1,"stretch":0})",
                           R"({"type":"shot","angle":1,"stretch":2})", R"({"type":"shot","drag":[-6,-1.7]})",
                           R"({"type":"picture","width":0,"height":64})", R"({"type":"picture","width":64,"height":5000})"}) {
    INFO(line);
    CHECK(refusal(line) == Status::invalid_action);
  }
  CHECK(refusal(R"({"type":"report","novelty":1.01})", true) == Status::invalid_action);
  CHECK(refusal(R"({"type":"report","novelty":-0.1})", true) == Status::invalid_action);
  CHECK(refusal(R"({"type":"report"})", true) == Status::protocol_error);
  CHECK(refusal(R"({"type":"report","novelty":0,"description":7})", true) == Status::protocol_error);
  CHECK(refusal(R"({"type":"report","novelty":0,"description":")" + std::string(10001, 'x') + "\"}", true) == Status::invalid_action);
  // Deep nesting must not cost the stack.
  CHECK(refusal(R"({"type":"shot","angle":)" + std::string(30000, '[') + std::string(30000, ']') + "}") == Status::protocol_error);
}

TEST_CASE("[agents] random bytes and damaged answers are never taken for anything but what they say") {
  Random random(11);
  const std::string good = R"({"type":"shot","angle":0.5,"stretch":0.75,"tap_time":1})";
  for (int i = 0; i < 3000; ++i) {
    std::string line = good;
    for (int k = random.integer(1, 4); k > 0; --k)
      line[static_cast<std::size_t>(random.integer(0, static_cast<int>(line.size()) - 1))] = static_cast<char>(random.integer(0, 255));
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
    for (const SeenBody& b : seen.frames[f].bodies) wanted[b.id] = {b.pose.position.x, b.pose.position.y, b.pose.angle};
    CHECK(now == wanted);
  }
  CHECK(moved > seen.frames.size());
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
