/// \file  A trial as tools of the Model Context Protocol: every message, good and bad.
#include <nlohmann/json.hpp>

#include "agents/game.hpp"
#include "agents/mcp_agent.hpp"
#include "agents/mcp_trial.hpp"
#include "agents/seen_text.hpp"
#include "core/base64.hpp"
#include "core/error.hpp"
#include "render/png.hpp"
#include "tests/agents/samples.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

using Json = nlohmann::json;

Json call_message(const std::string& tool, const Json& arguments, const Json& id = 7) {
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"method", "tools/call"},
          {"params", {{"name", tool}, {"arguments", arguments}}}};
}

Json initialize_message(const Json& version) {
  return {{"jsonrpc", "2.0"},
          {"id", 1},
          {"method", "initialize"},
          {"params",
           {{"protocolVersion", version}, {"capabilities", Json::object()}, {"clientInfo", Json::object()}}}};
}

/// A trial of one level, whose first shot is due, and a client that has not said anything.
struct PlayedTrial {
  PlayedTrial() {
    trial.begin({.seed = 1, .levels = 1});
    CHECK(trial.shot_due(game).empty());
  }
  Json ask(const Json& message) { return Json::parse(trial.answer(message.dump())); }
  Json initialize(const std::string& version = "2025-06-18") { return ask(initialize_message(version)); }
  /// Of a call that is answered at once.
  Json result(const std::string& tool, const Json& arguments) {
    return ask(call_message(tool, arguments)).at("result");
  }
  /// The shot is made and flies; the late answer.
  Json shoot(const Json& arguments, const Json& id = 7) {
    CHECK(trial.answer(call_message("shoot", arguments, id).dump()).empty());
    const std::optional<Shot> shot = trial.take_shot();
    REQUIRE(shot.has_value());
    const std::string late = trial.report_due(game.shoot(*shot), game);
    return late.empty() ? Json() : Json::parse(late);
  }

  Game game{playable({small_level()}).front().normal};
  McpTrial trial{"1.2.3"};
};

std::string text_of(const Json& result) { return result.at("content").back().at("text"); }

}  // namespace

TEST_CASE("[agents] MCP: a client and the trial agree on a version of the protocol") {
  for (const std::string version : {"2024-11-05", "2025-03-26", "2025-06-18"}) {
    PlayedTrial played;
    const Json hello = played.initialize(version);
    CHECK(hello["id"] == 1);
    CHECK(hello["jsonrpc"] == "2.0");
    CHECK(hello["result"]["protocolVersion"] == version);
    CHECK(hello["result"]["capabilities"] == Json{{"tools", Json::object()}});
    CHECK(hello["result"]["serverInfo"] == Json{{"name", "startle"}, {"version", "1.2.3"}});
    CHECK_THAT(hello["result"]["instructions"].get<std::string>(),
               Catch::Contains("world is novel") && Catch::Contains("Levels of this trial: 1."));
    CHECK(played.result("look", Json::object()).contains("structuredContent") == (version == "2025-06-18"));
  }
  PlayedTrial played;
  CHECK(played.initialize("2031-01-01")["result"]["protocolVersion"] == "2025-06-18");
  CHECK(played.initialize()["error"]["code"] == -32600);  // a second time
  played.trial.connected();
  CHECK(played.initialize("2024-11-05")["result"]["protocolVersion"] == "2024-11-05");
}

TEST_CASE("[agents] MCP: before it has initialised a client may ping alone") {
  PlayedTrial played;
  CHECK(played.ask({{"jsonrpc", "2.0"}, {"id", "a"}, {"method", "ping"}}) ==
        Json{{"jsonrpc", "2.0"}, {"id", "a"}, {"result", Json::object()}});
  CHECK(played.ask({{"jsonrpc", "2.0"}, {"id", 2}, {"method", "tools/list"}})["error"]["code"] == -32600);
  const Json early = played.ask(call_message("shoot", {{"angle", 10}}));
  CHECK(early["error"]["code"] == -32600);
  CHECK_THAT(early["error"]["message"].get<std::string>(), Catch::Contains("before initialize"));
  CHECK(!played.trial.take_shot());
}

TEST_CASE("[agents] MCP: a message that is none is answered by an error of JSON-RPC") {
  struct Case {
    std::string line;
    int code;
    Json id;
  };
  const std::vector<Case> cases{
      {R"({"jsonrpc":"2.0","id":4,"meth)", -32700, nullptr},
      {"look", -32700, nullptr},
      {"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\xff\"}", -32700, nullptr},
      {R"([{"jsonrpc":"2.0","id":4,"method":"ping"}])", -32600, nullptr},
      {"3", -32600, nullptr},
      {R"({"id":4,"method":"ping"})", -32600, nullptr},
      {R"({"jsonrpc":"1.0","id":4,"method":"ping"})", -32600, nullptr},
      {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", -32600, nullptr},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", -32600, nullptr},
      {R"({"jsonrpc":"2.0","id":4})", -32600, 4},
      {R"({"jsonrpc":"2.0","id":4,"method":5})", -32600, 4},
      {R"({"jsonrpc":"2.0","id":4,"method":"ping","params":[1]})", -32602, 4},
      {R"({"jsonrpc":"2.0","id":"x","method":"resources/list"})", -32601, "x"},
      {R"({"jsonrpc":"2.0","id":4,"method":"initialize"})", -32602, 4},
      {R"({"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":3}})", -32602, 4}};
  PlayedTrial played;
  for (const auto& [line, code, id] : cases) {
    INFO(line);
    const Json answer = Json::parse(played.trial.answer(line));
    CHECK(answer["error"]["code"] == code);
    CHECK(answer.at("id") == id);
    CHECK(answer["jsonrpc"] == "2.0");
    CHECK(!answer["error"]["message"].get<std::string>().empty());
  }
  const std::vector<Case> calls{
      {R"({"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"x"}})", -32602, 4},
      {R"({"jsonrpc":"2.0","id":4,"method":"tools/call"})", -32602, 4},
      {R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"jump"}})", -32602, 4},
      {R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"look","arguments":3}})", -32602,
       4}};
  played.initialize();
  for (const auto& [line, code, id] : calls) {
    INFO(line);
    const Json answer = Json::parse(played.trial.answer(line));
    CHECK(answer["error"]["code"] == code);
    CHECK(answer.at("id") == id);
  }
  for (const char* line :
       {R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})",
        R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"shoot","arguments":{"angle":1}}})",
        R"({"jsonrpc":"2.0","id":9,"result":{}})"})
    CHECK(played.trial.answer(line).empty());
  CHECK(!played.trial.take_shot());
}

TEST_CASE("[agents] MCP: three tools say what they take") {
  PlayedTrial played;
  played.initialize();
  const Json tools = played.ask({{"jsonrpc", "2.0"}, {"id", 2}, {"method", "tools/list"}})["result"]["tools"];
  std::map<std::string, Json> by_name;
  for (const Json& tool : tools) {
    by_name[tool["name"]] = tool;
    CHECK(tool["inputSchema"]["type"] == "object");
    CHECK(tool["inputSchema"]["additionalProperties"] == false);
    CHECK(tool["inputSchema"]["properties"].is_object());
    CHECK(tool["annotations"]["readOnlyHint"] == (tool["name"] == "look"));
    CHECK(tool["description"].is_string());
  }
  REQUIRE(by_name.size() == 3);
  CHECK(by_name["look"]["inputSchema"]["required"] == Json::array());
  CHECK(by_name["look"]["inputSchema"]["properties"]["as"]["enum"] == Json{"objects", "picture"});
  CHECK(by_name["shoot"]["inputSchema"]["required"] == Json::array({"angle"}));
  CHECK(by_name["report"]["inputSchema"]["required"] == Json::array({"novelty"}));
}

TEST_CASE("[agents] MCP: shoot and report by turns play the trial, and what follows answers them") {
  PlayedTrial played;
  played.initialize();
  const Json shot = played.shoot({{"angle", 30}, {"stretch", 0.75}, {"tap_time", nullptr}}, "shot");
  CHECK(shot["id"] == "shot");
  CHECK(shot["result"]["isError"] == false);
  const Json& seen = shot["result"]["structuredContent"];
  CHECK(seen["due"] == "report");
  CHECK(seen["bird"] == "BirdRed");
  CHECK(seen["pigs_left"] == 1);
  CHECK(seen["birds_left"] == Json::array({"BirdRed"}));
  CHECK(seen["level_over"] == false);
  CHECK_THAT(text_of(shot["result"]), Catch::Contains("BirdRed was launched at 30 degrees") &&
                                          Catch::Contains("Pigs left: 1") && Catch::Contains("call report"));

  const std::string words = "bounces: \xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa6";
  CHECK(played.trial.answer(call_message("report", {{"novelty", 1}, {"description", words}}, 8).dump())
            .empty());
  const std::optional<Report> report = played.trial.take_report();
  REQUIRE(report.has_value());
  CHECK(report->novelty == 1);
  CHECK(report->description == words);
  CHECK(!played.trial.take_report());
  const Json next = Json::parse(played.trial.shot_due(played.game));
  CHECK(next["id"] == 8);
  CHECK(next["result"]["structuredContent"] == Json{{"due", "shoot"}, {"level", 1}, {"shot", 2}});
  CHECK_THAT(text_of(next["result"]), Catch::Contains("Shot 2 of level 1 is due"));

  const Json last = played.shoot({{"angle", 90}, {"stretch", 0.5}});
  CHECK(last["result"]["structuredContent"]["level_over"] == true);
  CHECK_THAT(text_of(last["result"]), Catch::Contains("no birds are left"));
  played.trial.answer(call_message("report", {{"novelty", 0.25}}, 9).dump());
  CHECK(played.trial.take_report()->description.empty());
  const Json over = Json::parse(played.trial.over());
  CHECK(over["id"] == 9);
  CHECK(over["result"]["structuredContent"] == Json{{"due", "nothing"}});
  for (const char* tool : {"look", "shoot", "report"}) {
    const Json late = played.result(tool, Json::object());
    CHECK(late["isError"] == true);
    CHECK_THAT(text_of(late), Catch::Contains("the trial is over"));
  }
}

TEST_CASE("[agents] MCP: the same degrees are the shot that a program gives in radians") {
  PlayedTrial played;
  played.initialize();
  played.trial.answer(call_message("shoot", {{"angle", -12.5}}).dump());
  CHECK(*played.trial.take_shot() == Shot{.angle = radians(-12.5), .stretch = 1, .tap_time = -1});
}

TEST_CASE("[agents] MCP: a call out of turn, or with wrong arguments, says what is due and allowed") {
  PlayedTrial played;
  played.initialize();
  struct Case {
    std::string tool;
    Json arguments;
    std::string words;
  };
  const auto refused = [&](const std::vector<Case>& cases) {
    for (const auto& [tool, arguments, words] : cases) {
      INFO(tool + " " + arguments.dump());
      const Json result = played.result(tool, arguments);
      CHECK(result["isError"] == true);
      CHECK_THAT(text_of(result), Catch::Contains(words));
      CHECK(!played.trial.take_shot());
      CHECK(!played.trial.take_report());
    }
  };
  refused({{"report", {{"novelty", 0.5}}, "a shot is due; call shoot first"},
           {"shoot", Json::object(), "angle: found nothing, allowed are numbers, -360 to 360"},
           {"shoot", {{"angle", 361}}, "angle: found 361, allowed are numbers, -360 to 360"},
           {"shoot", {{"angle", "361"}}, "angle: found \"361\", allowed are numbers, -360 to 360"},
           {"shoot", {{"angle", "north"}}, "angle: found \"north\", allowed are numbers"},
           {"shoot", {{"angle", "nan"}}, "angle: found \"nan\", allowed are numbers"},
           {"shoot", {{"angle", ""}}, "angle: found \"\", allowed are numbers"},
           {"shoot", {{"angle", true}}, "angle: found true"},
           {"shoot", {{"angle", {1}}}, "angle: found array"},
           {"shoot", {{"angle", 30}, {"stretch", 0}}, "stretch: found 0, allowed are numbers, 0.01 to 1"},
           {"shoot",
            {{"angle", 30}, {"tap_time", 1001}},
            "tap_time: found 1001, allowed are numbers, -1 to 1000"},
           {"shoot", {{"angle", 30}, {"power", 3}}, "unknown argument \"power\", allowed are angle, stretch"},
           {"look", {{"as", "video"}}, "as: found \"video\", allowed are objects and picture"},
           {"look", {{"as", 1}}, "as: found 1, allowed is text"},
           {"look", {{"as", "picture"}, {"width", 0}}, "width: found 0, allowed are whole numbers, 1 to"},
           {"look", {{"as", "picture"}, {"height", 1025}}, "1 to 1024"},
           {"look", {{"as", "picture"}, {"height", 2.5}}, "height: found 2.5"},
           {"look", {{"width", 64}}, "allowed with picture"},
           {"look", {{"frame", 0}}, "frame: found one, allowed only while the report"}});
  const Json frames = played.shoot({{"angle", 30}})["result"]["structuredContent"]["frames"];
  const int last = frames.get<int>() - 1;
  refused({{"shoot", {{"angle", 30}}, "the report of the last shot is due; call report first"},
           {"report", Json::object(), "novelty: found nothing, allowed are numbers, 0 to 1"},
           {"report", {{"novelty", 1.5}}, "novelty: found 1.5, allowed are numbers, 0 to 1"},
           {"report", {{"novelty", 0}, {"description", 3}}, "description: found 3, allowed is text"},
           {"report", {{"novelty", 0}, {"description", std::string(10001, 'x')}}, "10000 bytes"},
           {"look", {{"frame", last + 1}}, "0 to " + std::to_string(last)},
           {"look", {{"frame", -1}}, "frame: found -1"}});
  played.trial.answer(call_message("report", {{"novelty", 0.5}}).dump());
  CHECK(played.trial.take_report()->novelty == 0.5);
}

TEST_CASE("[agents] MCP: numbers that are given as text are taken") {
  PlayedTrial played;
  played.initialize();
  CHECK(played.result("look", {{"as", "picture"}, {"width", "64"}})["isError"] == false);
  CHECK(played.shoot({{"angle", "-45.5"}, {"stretch", "1e-1"}})["result"]["structuredContent"]["angle"] ==
        -45.5);
  played.trial.answer(call_message("report", {{"novelty", "0.5"}}).dump());
  CHECK(played.trial.take_report()->novelty == 0.5);
}

TEST_CASE("[agents] MCP: batches are answered in the version that has them, in one answer") {
  PlayedTrial played;
  const Json ping{{"jsonrpc", "2.0"}, {"id", "p"}, {"method", "ping"}};
  const Json notification{{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}};
  CHECK(played.ask(Json::array({initialize_message("2025-03-26")}))["error"]["code"] == -32600);
  played.initialize("2025-03-26");

  const Json both = played.ask(Json::array({ping, notification, call_message("look", Json::object(), 2), 3}));
  REQUIRE(both.size() == 3);
  CHECK(both[0] == Json{{"jsonrpc", "2.0"}, {"id", "p"}, {"result", Json::object()}});
  CHECK(both[1]["id"] == 2);
  CHECK(both[1]["result"]["isError"] == false);
  CHECK(both[2]["error"]["code"] == -32600);
  CHECK(played.trial.answer(Json::array({notification}).dump()).empty());
  CHECK(played.ask(Json::array())["error"]["code"] == -32600);
  CHECK(played.ask(Json(std::vector<Json>(101, ping)))["error"]["code"] == -32600);

  // A shot, its report and what follows: the answer comes when all of it is done.
  const Json turn = Json::array({ping, call_message("shoot", {{"angle", 30}}, 4),
                                 call_message("report", {{"novelty", 0.25}}, 5),
                                 call_message("look", Json::object(), 6)});
  CHECK(played.trial.answer(turn.dump()).empty());
  CHECK(played.trial.report_due(played.game.shoot(*played.trial.take_shot()), played.game).empty());
  CHECK(played.trial.take_report()->novelty == 0.25);
  const Json answers = Json::parse(played.trial.shot_due(played.game));
  REQUIRE(answers.size() == 4);
  for (const int i : {1, 2, 3}) {
    CHECK(answers[i]["id"] == 3 + i);
    CHECK(answers[i]["result"]["isError"] == false);
  }
  CHECK(played.ask(ping)["id"] == "p");

  // One that goes in the middle leaves nothing behind.
  CHECK(played.trial.answer(turn.dump()).empty());
  played.trial.connected();
  CHECK(played.trial.report_due(played.game.shoot(*played.trial.take_shot()), played.game).empty());
  CHECK(!played.trial.take_report());
  for (const char* version : {"2024-11-05", "2025-06-18"}) {
    played.trial.connected();
    played.initialize(version);
    CHECK(played.ask(Json::array({ping}))["error"]["code"] == -32600);
  }
}

TEST_CASE("[agents] MCP: look gives the level, moments of a shot, and pictures of both") {
  PlayedTrial played;
  played.initialize();
  const auto picture_of = [](const Json& result) {
    const Json& image = result.at("content").at(0);
    CHECK(image["type"] == "image");
    CHECK(image["mimeType"] == "image/png");
    const auto bytes = from_base64(image["data"].get<std::string>());
    REQUIRE(bytes.has_value());
    return read_png({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, "picture");
  };
  const Json level = played.result("look", Json::object());
  CHECK(level == played.result("look", {{"as", "objects"}, {"frame", nullptr}}));
  CHECK_THAT(text_of(level), Catch::Contains(level_text(played.game.now())) && Catch::Contains("call shoot"));
  CHECK(level["structuredContent"]["due"] == "shoot");
  CHECK(level["structuredContent"]["birds"] == Json::array({"BirdRed", "BirdRed"}));
  const Json& beam = level["structuredContent"]["objects"][2];
  CHECK(beam["kind"] == "block");
  CHECK(beam["material"] == "wood");
  CHECK(beam["centre"][0].get<double>() == Approx(2.5).margin(0.01));
  CHECK(beam["outline"].size() == 4);

  const Bitmap before = picture_of(played.result("look", {{"as", "picture"}}));
  CHECK(before.rgb == played.game.picture(512, 256).rgb);
  played.shoot({{"angle", 12}});
  const Json again = played.result("look", Json::object());
  CHECK_THAT(text_of(again), Catch::Contains("was launched at 12 degrees") && Catch::Contains("call report"));
  CHECK(again["structuredContent"]["last_shot"]["bird"] == "BirdRed");
  CHECK(again["structuredContent"]["due"] == "report");
  const Bitmap after = picture_of(
      played.result("look", {{"as", "picture"}, {"frame", 3}, {"width", 80}, {"height", 33}}));
  CHECK(after.width == 80);
  CHECK(after.height == 33);
  CHECK(after.rgb == played.game.picture_of_frame(3, 80, 33).rgb);

  const Json frame = played.result("look", {{"frame", 3}})["structuredContent"];
  CHECK(frame["time"].get<double>() == Approx(0.3));
  CHECK(frame["bodies"].size() == 5);  // four objects and the bird
  CHECK(frame["bodies"][4]["what"] == "bird");
}

TEST_CASE("[agents] MCP: a client that connects anew goes on with the trial") {
  PlayedTrial played;
  played.initialize();
  CHECK(played.trial.answer(call_message("shoot", {{"angle", 30}}).dump()).empty());
  played.trial.connected();
  CHECK(played.trial.report_due(played.game.shoot(*played.trial.take_shot()), played.game).empty());
  CHECK(played.ask(call_message("look", Json::object()))["error"]["code"] == -32600);
  played.initialize();
  CHECK(played.result("look", Json::object())["structuredContent"]["due"] == "report");
}

TEST_CASE("[agents] MCP: no message holds a parameter, tier, novelty or name of a level") {
  const std::vector<PlayableLevel> levels = playable(benchmark_levels("T1/easy", 1));
  Game game(levels.front().novel);
  McpTrial trial("1");
  trial.begin({.seed = 1, .levels = 1});
  trial.shot_due(game);
  std::string all = trial.answer(initialize_message("2025-06-18").dump());
  all.erase(all.find("\"instructions\""));  // the rules, which have the word novel
  for (const char* as : {"objects", "picture"})
    all += trial.answer(call_message("look", {{"as", as}}).dump());
  trial.answer(call_message("shoot", {{"angle", 20}}).dump());
  all += trial.report_due(game.shoot(*trial.take_shot()), game);
  all += trial.answer(call_message("look", {{"frame", 1}}).dump());
  all += trial.answer(call_message("shoot", {{"angle", 20}}).dump());
  trial.answer(call_message("report", {{"novelty", 0}}).dump());
  all += trial.shot_due(game);
  for (std::size_t at; (at = all.find("\"data\":\"")) != std::string::npos;)
    all.erase(at, all.find('"', at + 8) - at);  // base64 may hold anything
  CHECK_THAT(all, Catch::Contains("hardly_moved") && Catch::Contains("image/png"));
  for (const char* word : {"T1", "easy", "novel", "density", "friction", "restitution", "\"life",
                           "gravity_scale", "damping", "tier", "difficulty"}) {
    INFO(word);
    CHECK(all.find(word) == std::string::npos);
  }
}

TEST_CASE("[agents] MCP: a second client is refused, whatever it asks") {
  const Json refusal = Json::parse(mcp_refusal(initialize_message("2025-06-18").dump()));
  CHECK(refusal["id"] == 1);
  CHECK(refusal["error"]["code"] == -32000);
  CHECK_THAT(refusal["error"]["message"].get<std::string>(),
             Catch::Contains("another connection plays this trial"));
  CHECK(mcp_refusal(R"({"jsonrpc":"2.0","method":"notifications/initialized"})").empty());
  CHECK(Json::parse(mcp_refusal("{"))["error"]["code"] == -32700);
}

TEST_CASE("[agents] MCP: a client that is no program, or a trial that is gone, is named") {
  McpAgent agent({.client = {"no-such-client", "{config}"}, .server = "startle", .version = "1"});
  CHECK_THROWS_WITH(agent.begin({}), Catch::Contains("no-such-client"));
  CHECK_THROWS_WITH(carry_mcp("/nowhere/socket"), Catch::Contains("/nowhere/socket: no trial is there"));
  CHECK_THROWS_WITH(carry_mcp("/" + std::string(200, 'x')), Catch::Contains("TMPDIR"));
}

TEST_CASE("[agents] what bodies did in a shot: places, turns, what is gone, and what hardly moved") {
  const Game game(playable({small_level()}).front().normal);
  SeenShot seen{.shot = {.angle = radians(45)}, .bird = "BirdRed", .before = game.now(), .after = game.now()};
  seen.first_bird = 4;
  Pose pig = seen.before.objects[3].pose, post = seen.before.objects[0].pose;
  std::vector<SeenBody> bodies;
  for (const SeenObject& object : seen.before.objects) bodies.push_back({object.id, object.pose});
  seen.frames.push_back({0, bodies});
  seen.frames.back().bodies.push_back({4, {{-6, 0}, 0}});
  for (int i = 1; i <= 20; ++i) {
    seen.frames.push_back({0.1 * i, bodies});
    std::vector<SeenBody>& now = seen.frames.back().bodies;
    now[0].pose.position.x = post.position.x + 0.004 * i;  // hardly moves
    now[2].pose.angle += radians(4.5 * i);                 // turns
    now.push_back({4, {{-6 + 0.5 * i, 0}, 0}});            // flies
    if (i >= 5) now.erase(now.begin() + 3);                // the pig is gone
  }
  const std::vector<SeenMotion> motions = seen_motions(seen);
  REQUIRE(motions.size() == 4);
  CHECK(motions[0].id == 0);
  CHECK(motions[0].hardly_moved);
  CHECK(motions[1].id == 2);
  CHECK(!motions[1].hardly_moved);
  CHECK(degrees(motions[1].turned) == Approx(90));
  CHECK(motions[2].what == "pig BasicSmall");
  CHECK(motions[2].gone.value() == Approx(0.5));
  CHECK(motions[2].places.front().pose.position == pig.position);
  CHECK(motions[3].what == "bird");
  CHECK(motions[3].places.size() == 8);
  CHECK(motions[3].places.back().pose.position.x == Approx(4));
  const std::string text = shot_text(seen);
  CHECK_THAT(text, Catch::Contains("2: wood block RectMedium: t=0") && Catch::Contains("turned 90 degrees") &&
                       Catch::Contains("3: pig BasicSmall: t=0(2.") &&
                       Catch::Contains("destroyed or gone at t=0.5") &&
                       Catch::Contains("4: bird: t=0(-6, 0)") && Catch::EndsWith("by a few degrees: 0"));
}
