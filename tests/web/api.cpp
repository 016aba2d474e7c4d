#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/hash.hpp"
#include "levels/level_file.hpp"
#include "play/game_session.hpp"
#include "play/insight.hpp"
#include "play/twin_flight.hpp"
#include "render/artwork.hpp"
#include "render/png.hpp"
#include "simulated/twin.hpp"
#include "tests/catch.hpp"
#include "tests/web/web_samples.hpp"

using namespace startle;
using namespace startle::testing;
using nlohmann::json;

namespace {

const WebSite& shared_site() {
  static const WebSite site(web_options());
  return site;
}

json answer_to(const HttpRequest& request) {
  const HttpResponse response = shared_site().answer(request);
  INFO(response.body.substr(0, 300));
  REQUIRE(response.status == 200);
  CHECK(response.type == "application/json");
  return json::parse(response.body);
}

/// The message of a request that is refused.
std::string fault_of(const HttpRequest& request, int status) {
  const HttpResponse response = shared_site().answer(request);
  CHECK(response.status == status);
  return json::parse(response.body).at("error");
}

std::size_t web_level_count() { return find_level_files({web_levels}).size(); }
StoredLevel read_web_level() { return read_level(web_levels + "/" + web_level + ".json"); }

json shot_json(const Shot& shot) {
  json result = {{"angle", shot.angle}, {"stretch", shot.stretch}};
  if (shot.tap_time >= 0) result["tap_time"] = shot.tap_time;
  return result;
}

using WholePose = std::array<long, 3>;
WholePose whole(const Pose& pose) {
  return {std::lround(1000 * pose.position.x), std::lround(1000 * pose.position.y),
          std::lround(1000 * pose.angle)};
}

/// Poses by step and body, as docs/web.md says to read them.
std::vector<std::map<int, WholePose>> poses_of(const json& trace) {
  std::vector<std::map<int, WholePose>> frames(trace.at("steps").get<std::size_t>() + 1);
  for (const json& body : trace.at("bodies")) {
    std::map<std::size_t, WholePose> changes;
    for (const json& run : body.value("moves", json::array()))
      for (std::size_t i = 1; i < run.size(); i += 3)
        changes[run[0].get<std::size_t>() + (i - 1) / 3] = {run[i], run[i + 1], run[i + 2]};
    WholePose now = body.at("pose");
    const std::size_t end = body.value("gone", frames.size());
    for (std::size_t step = body.at("born"); step < end; ++step) {
      if (const auto change = changes.find(step); change != changes.end())
        for (std::size_t k = 0; k < 3; ++k) now[k] += change->second[k];
      frames[step][body.at("id")] = now;
    }
  }
  return frames;
}

void check_trace(const json& sent, const Trace& trace) {
  CHECK(sent.at("hash") == hexadecimal(trace.hash));
  const auto frames = poses_of(sent);
  REQUIRE(frames.size() == trace.frames.size());
  for (std::size_t step = 0; step < frames.size(); ++step) {
    std::map<int, WholePose> expected;
    for (const BodyState& body : trace.frames[step].bodies) expected[body.id] = whole(body.pose);
    if (frames[step] != expected) FAIL("step " << step);
  }
}

std::string hexadecimal_colour(Colour c) {
  char text[16];
  std::snprintf(text, sizeof text, c.a == 255 ? "#%02X%02X%02X" : "#%02X%02X%02X%02X", c.r, c.g, c.b, c.a);
  return text;
}

void check_marks(const json& sent, const Artwork& artwork) {
  REQUIRE(sent.size() == artwork.size());
  for (std::size_t i = 0; i < artwork.size(); ++i) {
    json rings = json::array();
    for (const Polygon& ring : artwork[i].rings) {
      rings.push_back(json::array());
      for (const Vec2 p : ring)
        for (const double value : {p.x, p.y}) rings.back().push_back(std::lround(1000 * value));
    }
    CHECK(sent[i].at("rings") == rings);
    CHECK(sent[i].value("width", 0L) == std::lround(1000 * artwork[i].width));
    CHECK(sent[i].value("closed", false) == artwork[i].closed);
    const Paint& paint = artwork[i].paint;
    const json& colours = sent[i].at("paint");
    if (paint.kind == Paint::Kind::flat) {
      CHECK(colours == hexadecimal_colour(paint.from));
      continue;
    }
    const bool linear = paint.kind == Paint::Kind::linear;
    REQUIRE(colours.size() == (linear ? 6 : 5));
    CHECK(colours[colours.size() - 2] == hexadecimal_colour(paint.from));
    CHECK(colours[colours.size() - 1] == hexadecimal_colour(paint.to));
    CHECK(colours[0].get<double>() == Approx(paint.a.x).margin(0.001));
    CHECK(colours[1].get<double>() == Approx(paint.a.y).margin(0.001));
    CHECK(colours[2].get<double>() == Approx(linear ? paint.b.x : length(paint.b - paint.a)).margin(0.001));
  }
}

void check_target(const json& sent, const TargetOutcome& outcome, bool best) {
  CHECK(sent.at("id") == outcome.target.object);
  CHECK(sent.at("best") == best);
  CHECK(sent.at("impact") == outcome.impact_score);
  CHECK(sent.at("visible") == outcome.p_visible);
  REQUIRE(sent.at("trajectories").size() == outcome.target.trajectories.size());
  for (std::size_t i = 0; i < outcome.target.trajectories.size(); ++i) {
    const Trajectory& trajectory = outcome.target.trajectories[i];
    const json& path = sent.at("trajectories")[i];
    CHECK(path.at("upper") == trajectory.upper);
    CHECK(path.at("angle") == trajectory.shot.angle);
    CHECK(path.at("points").size() == 29);
    CHECK(path.at("points").front()[0].get<double>() == Approx(trajectory.start.x).margin(0.001));
    CHECK(path.at("points").back()[1].get<double>() ==
          Approx(trajectory.at(trajectory.time).y).margin(0.001));
  }
  REQUIRE(sent.at("hits").size() == outcome.hits.size());
  for (std::size_t i = 0; i < outcome.hits.size(); ++i) {
    CHECK(sent.at("hits")[i].at("detectable") == outcome.hits[i].detectable);
    CHECK(sent.at("hits")[i].at("visible") == outcome.hits[i].p_visible);
    REQUIRE(sent.at("hits")[i].at("impacted").size() == outcome.hits[i].impacted.size());
    for (std::size_t k = 0; k < outcome.hits[i].impacted.size(); ++k)
      CHECK(sent.at("hits")[i].at("impacted")[k].at("id") == outcome.hits[i].impacted[k].object);
  }
}

}  // namespace

TEST_CASE("[web] the list has every level of the folder, with tier and novelty") {
  const json list = answer_to(get_request({"api", "levels"})).at("levels");
  CHECK(list.size() == web_level_count());
  CHECK(list.size() == shared_site().levels());
  const auto entry = std::find_if(list.begin(), list.end(),
                                  [](const json& level) { return level.at("id") == web_level; });
  REQUIRE(entry != list.end());
  CHECK(entry->at("tier") == "easy");
  CHECK(entry->at("novelty") == "T2");
  CHECK(entry->at("birds") == read_web_level().birds.size());
}

TEST_CASE("[web] levels of one name have ids that differ") {
  WebSiteOptions options = web_options();
  options.levels = {web_levels, web_levels + "/" + web_level + ".json"};
  const WebSite site(options);
  const json list = json::parse(site.answer(get_request({"api", "levels"})).body).at("levels");
  REQUIRE(list.size() == web_level_count() + 1);
  CHECK(list.back().at("id") == web_level + "~2");
  CHECK(site.answer(get_request({"api", "levels", web_level + "~2"})).status == 200);
}

TEST_CASE("[web] a thumbnail is a picture, and is kept by browsers") {
  const HttpResponse response = shared_site().answer(
      get_request({"api", "levels", web_level, "thumbnail.png"}));
  CHECK(response.type == "image/png");
  const Bitmap picture = read_png(response.body, "thumbnail");
  CHECK(picture.width == 256);
  CHECK(picture.height == 144);
  CHECK_THAT(response.headers.at("Cache-Control"), Catch::Contains("max-age"));
}

TEST_CASE("[web] a level has artwork for all that it shows") {
  const json level = answer_to(get_request({"api", "levels", web_level}));
  const json& scene = level.at("scene");
  CHECK(scene.at("objects").size() == read_web_level().objects.size());
  for (const json& object : scene.at("objects")) CHECK(level.at("art").contains(object.at("art")));
  for (const json& bird : scene.at("waiting")) CHECK(level.at("art").contains(bird.at("art")));
  CHECK(level.at("art").contains(scene.at("bird").at("art")));
  CHECK(level.at("art").at("slingshot/behind").size() == 4);  // the fourth is the band
  CHECK(level.at("art").at("slingshot/before").size() == 5);
}

TEST_CASE("[web] artwork is the engine's, mark by mark") {
  const json level = answer_to(get_request({"api", "levels", web_level}));
  const Scene scene = GameSession(read_web_level(), profile()).start();
  std::set<std::string> names;
  for (const json& object : level.at("scene").at("objects")) {
    const auto index = object.at("id").get<std::size_t>();
    const SceneObject& drawn = scene.objects[index];
    const std::string art = object.at("art");
    names.insert(art);
    check_marks(level.at("art").at(art),
                object_artwork(drawn.kind, drawn.type, drawn.material, *drawn.shape, index % 4));
    for (int stage = 1; stage <= crack_stages; ++stage)
      check_marks(level.at("art").at(art + "/cracks" + std::to_string(stage)),
                  cracks(drawn.material, *drawn.shape, stage, index % 4));
  }
  CHECK(names.size() > 8);
  const json& bird = level.at("scene").at("bird");
  check_marks(level.at("art").at(bird.at("art")), bird_artwork(scene.bird()));
  CHECK(bird.at("gravity") == profile()->flight_gravity(scene.bird()));
}

TEST_CASE("[web] platforms of one type have the artwork of their own sizes") {
  const std::string id = "T2-easy-5005-0053";
  const json level = answer_to(get_request({"api", "levels", id}));
  const Scene scene = GameSession(read_level(web_levels + "/" + id + ".json"), profile()).start();
  int platforms = 0;
  for (const json& object : level.at("scene").at("objects")) {
    const auto index = object.at("id").get<std::size_t>();
    const SceneObject& drawn = scene.objects[index];
    if (drawn.kind != Kind::platform) continue;
    ++platforms;
    check_marks(level.at("art").at(object.at("art").get<std::string>()),
                object_artwork(drawn.kind, drawn.type, drawn.material, *drawn.shape, index % 4));
  }
  CHECK(platforms == 3);
}

TEST_CASE("[web] frames are those of the engine, shot after shot, in both worlds") {
  const std::string world = GENERATE("", "T2", "T1");
  const Novelty* novelty = world.empty() ? nullptr : &find_novelty(world);
  GameSession session(read_web_level(), profile(), novelty);
  json shots = json::array();
  for (const Shot& shot : {Shot{.angle = radians(20)}, Shot{.angle = radians(8.25), .stretch = 0.93}}) {
    shots.push_back(shot_json(shot));
    const json answer = answer_to(level_request("shots", {{"world", world}, {"shots", shots}}));
    session.shoot(shot);
    session.finish();
    const FlownShot& flown = session.shots().back();
    check_trace(answer.at("trace"), flown.trace);
    CHECK(answer.at("trace").at("end") == name(flown.trace.end));
    CHECK(answer.at("scene").at("score") == session.score());
    CHECK(answer.at("scene").at("birds") == session.scene().birds_left());
    CHECK(answer.at("scene").at("pigs") == session.scene().pigs_left());
    for (const json& object : answer.at("scene").at("objects")) {
      const SceneObject& expected = session.scene().objects[object.at("id").get<std::size_t>()];
      CHECK(expected.alive);
      CHECK(object.at("pose") == json(whole(expected.pose)));
    }
  }
}

TEST_CASE("[web] another server gives the same answer, so that a kill loses nothing") {
  const json shots = {{{"angle", 0.3}}, {{"angle", 0.2}, {"tap_time", 1}}};
  const HttpRequest request = level_request("shots", {{"world", "T2"}, {"shots", shots}});
  CHECK(WebSite(web_options()).answer(request).body == shared_site().answer(request).body);
}

TEST_CASE("[web] a tap changes nothing before it, and is the window's") {
  StoredLevel level = read_web_level();
  GameSession session(level, profile());
  const Shot shot{.angle = radians(40)};
  session.shoot(shot);
  session.finish();
  const json plain = answer_to(level_request("shots", {{"shots", {shot_json(shot)}}}));
  constexpr std::size_t step = 25;
  REQUIRE(session.tap(step));
  session.finish();
  const Shot tapped = session.shots().back().shot;
  const json answer = answer_to(level_request("shots", {{"shots", {shot_json(tapped)}}}));
  CHECK(answer.at("tapped") == true);
  CHECK(plain.at("tapped") == false);
  check_trace(answer.at("trace"), session.shots().back().trace);
  const auto before = poses_of(plain.at("trace")), after = poses_of(answer.at("trace"));
  for (std::size_t i = 0; i <= step; ++i) CHECK(before[i] == after[i]);
  CHECK(before[step + 3] != after[step + 3]);
}

TEST_CASE("[web] twins are those of the window, and say when which objects are apart") {
  const Shot shot{.angle = radians(20)};
  const json answer = answer_to(level_request("twins", {{"novelty", "T2"}, {"shots", {shot_json(shot)}}}));
  const Scene normal = GameSession(read_web_level(), profile()).start();
  const TwinFlight flight = fly_twins(normal, find_novelty("T2"), shot);
  check_trace(answer.at("normal"), flight.normal_trace);
  check_trace(answer.at("novel"), flight.novel_trace);
  REQUIRE(flight.first_apart() >= 0);
  CHECK(answer.at("first_apart") == flight.first_apart());
  for (int step = 0; step <= flight.steps(); ++step) {
    std::vector<std::size_t> apart;
    for (std::size_t i = 0; i < normal.objects.size(); ++i)
      for (const json& interval : answer.at("apart").value(std::to_string(i), json::array()))
        if (interval[0] <= step && step <= interval[1]) apart.push_back(i);
    if (apart != flight.apart_at(step)) FAIL("step " << step);
  }
}

TEST_CASE("[web] the twins of a shot in a novel world start from the same objects without the novelty") {
  const Shot first{.angle = radians(20)}, second{.angle = radians(10)};
  const json answer = answer_to(level_request(
      "twins", {{"world", "T2"}, {"novelty", "T3"}, {"shots", {shot_json(first), shot_json(second)}}}));
  GameSession session(read_web_level(), profile(), &find_novelty("T2"));
  session.shoot(first);
  session.finish();
  const Scene standing = without_novelty(session.scene(), make_scene(read_web_level(), profile()));
  check_trace(answer.at("normal"), fly_twins(standing, find_novelty("T3"), second).normal_trace);
}

TEST_CASE("[web] insight is what reasoning says, of the normal world") {
  const json answer = answer_to(level_request("insight", {{"novelty", "T2"}, {"shots", json::array()}}));
  const Scene normal = GameSession(read_web_level(), profile()).start();
  const Insight insight = make_insight(normal, &find_novelty("T2"));
  CHECK(answer.at("pid") == insight.difficulty.pid);
  CHECK(answer.at("bid") == insight.difficulty.bid);
  CHECK(answer.at("detection").at("best") == insight.difficulty.detection->best);
  REQUIRE(answer.at("targets").size() == insight.next()->targets.size());
  for (std::size_t i = 0; i < insight.next()->targets.size(); ++i)
    check_target(answer.at("targets")[i], insight.next()->targets[i], insight.next()->best == i);
  std::vector<std::size_t> novel;
  for (std::size_t i = 0; i < insight.detectability.size(); ++i)
    if (insight.detectability[i].novel) novel.push_back(i);
  CHECK(answer.at("novel") == novel);
  CHECK(answer.at("value") == insight.difficulty.value);
  CHECK(answer.at("explanation").size() == insight.explanation.size());
  CHECK(answer.at("stored").at("tier") == "easy");
  // The world that was played in does not matter where nothing has been flown in it.
  const json in_novel = answer_to(
      level_request("insight", {{"world", "T2"}, {"novelty", "T2"}, {"shots", json::array()}}));
  CHECK(in_novel == answer);
}

TEST_CASE("[web] a novel scene is sent as a normal one until it moves") {
  const json normal = answer_to(level_request("shots", {{"shots", json::array()}}));
  const std::string novelty = GENERATE("T1", "T2", "T3", "gravity-down", "wood-friction-up");
  CHECK(answer_to(level_request("shots", {{"world", novelty}, {"shots", json::array()}})) == normal);
}

TEST_CASE("[web] what browsers are sent of a scene has these keys and no other") {
  const json answer = answer_to(level_request("shots", {{"world", "T2"}, {"shots", {{{"angle", 0.3}}}}}));
  const auto keys = [](const json& object) {
    std::set<std::string> names;
    for (const auto& [name, value] : object.items()) names.insert(name);
    return names;
  };
  using Names = std::set<std::string>;
  CHECK(keys(answer) == Names{"before", "scene", "tapped", "trace"});
  CHECK(keys(answer.at("trace")) == Names{"bodies", "end", "events", "hash", "score", "step_s", "steps"});
  CHECK(keys(answer.at("before")) == Names{"bird", "birds", "box", "cleared", "ground", "max_stretch",
                                           "objects", "pigs", "rest", "score", "slingshot", "step_s",
                                           "waiting"});
  for (const json& object : answer.at("before").at("objects"))
    for (const std::string& name : keys(object))
      CHECK(Names{"id", "art", "pose", "name", "cracks"}.contains(name));
  for (const json& body : answer.at("trace").at("bodies"))
    for (const std::string& name : keys(body))
      CHECK(Names{"id", "art", "born", "gone", "pose", "moves", "cracks"}.contains(name));
}

TEST_CASE("[web] bad requests are answered with place, found and allowed") {
  const auto shots = [](const json& shot) { return level_request("shots", {{"shots", {shot}}}); };
  CHECK_THAT(fault_of(shots({{"angle", 7}}), 400), Catch::Contains("/shots/0/angle"));
  CHECK_THAT(fault_of(shots({{"angle", "x"}}), 400), Catch::Contains("/shots/0/angle"));
  CHECK_THAT(fault_of(shots({{"angle", 0}, {"stretch", 0}}), 400), Catch::Contains("over 0 up to 1"));
  CHECK_THAT(fault_of(shots({{"angle", 0}, {"stretch", 1.01}}), 400), Catch::Contains("over 0 up to 1"));
  CHECK_THAT(fault_of(shots({{"angle", 0}, {"tap_time", 1001}}), 400), Catch::Contains("1000"));
  CHECK_THAT(fault_of(shots({{"angle", 0}, {"gravity", 1}}), 400), Catch::Contains("gravity"));
  CHECK_THAT(fault_of(shots(json::object()), 400), Catch::Contains("angle"));
  CHECK_THAT(fault_of(level_request("shots", json::object()), 400), Catch::Contains("shots"));
  CHECK_THAT(fault_of(level_request("shots", {{"shots", json::array()}, {"world", "T9"}}), 400),
             Catch::Contains("novelty"));
  CHECK_THAT(fault_of(level_request("twins", {{"shots", json::array()}, {"novelty", "T2"}}), 400),
             Catch::Contains("found none"));
  CHECK_THAT(fault_of(post_request({"api", "levels", "none", "shots"}, {{"shots", json::array()}}), 404),
             Catch::Contains("none"));
  const json many(1000, {{"angle", 0.1}});
  CHECK_THAT(fault_of(level_request("shots", {{"shots", many}}), 400), Catch::Contains("one a bird"));
}

TEST_CASE("[web] strengths of novelties are those of the level's file, so that none is kept for strangers") {
  CHECK_THAT(fault_of(level_request("shots", {{"shots", json::array()}, {"world", "T2@0.123"}}), 400),
             Catch::Contains("allowed are"));
}

TEST_CASE("[web] a shot after the last pig or bird is refused") {
  const StoredLevel level = read_web_level();
  json solution = json::array();
  for (const Shot& shot : level.provenance->solution) solution.push_back(shot_json(shot));
  const json answer = answer_to(level_request("shots", {{"shots", solution}}));
  CHECK(answer.at("scene").at("cleared") == true);
  if (solution.size() == level.birds.size()) return;
  solution.push_back({{"angle", 0.1}});
  CHECK_THAT(fault_of(level_request("shots", {{"shots", solution}}), 400), Catch::Contains("no pig"));
}

TEST_CASE("[web] the page comes with its files, and again only where they have changed") {
  const HttpResponse index = shared_site().answer(get_request({}));
  CHECK(index.status == 200);
  CHECK_THAT(index.type, Catch::Contains("text/html"));
  for (std::size_t at = 0; (at = index.body.find("/page/", at)) != std::string::npos; at += 6) {
    const std::size_t end = index.body.find('"', at);
    CHECK(shared_site().answer(get_request({"page", index.body.substr(at + 6, end - at - 6)})).status == 200);
  }
  HttpRequest again = get_request({});
  again.headers["if-none-match"] = index.headers.at("ETag");
  const HttpResponse unchanged = shared_site().answer(again);
  CHECK(unchanged.status == 304);
  CHECK(unchanged.body.empty());
}

TEST_CASE("[web] no level, and a level that is none, are said") {
  WebSiteOptions options = web_options();
  options.levels = {"/nowhere"};
  CHECK_THROWS_WITH(WebSite(options), Catch::Contains("/nowhere"));
  options.levels = {std::string(STARTLE_SOURCE) + "/docs/agent.schema.json"};
  CHECK_THROWS_WITH(WebSite(options), Catch::Contains("no level can be played"));
  options = web_options();
  options.site = "play.example.org";
  CHECK_THROWS_WITH(WebSite(options), Catch::Contains("https://"));
  options = web_options();
  options.server.address = "localhost";
  CHECK_THROWS_WITH(WebSite(options), Catch::Contains("127.0.0.1"));
}
