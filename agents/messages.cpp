#include "agents/messages.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>

#include "levels/level_text.hpp"
#include "sim/error.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

Json point(Vec2 p) { return {p.x, p.y}; }

Json object_json(const SeenObject& object) {
  Json json{{"id", object.id}, {"kind", name(object.kind)}, {"type", object.type}};
  if (object.material != Material::none) json["material"] = name(object.material);
  json["x"] = object.pose.position.x;
  json["y"] = object.pose.position.y;
  json["angle"] = object.pose.angle;
  if (!object.shape->discs.empty()) {
    const Disc& disc = object.shape->discs.front();
    json["centre"] = point(transformed(disc.centre, object.pose));
    json["radius"] = disc.radius;
  } else {
    Json outline = Json::array();
    for (Vec2 vertex : transformed(object.shape->outlines.front(), object.pose)) outline.push_back(point(vertex));
    json["outline"] = std::move(outline);
  }
  return json;
}

Json observation_json(const Observation& o) {
  Json json{{"level", o.level},
            {"shot", o.shot},
            {"birds", o.birds},
            {"score", o.score},
            {"slingshot", point(o.slingshot)},
            {"rest", point(o.rest)},
            {"max_stretch", o.max_stretch},
            {"launch_speed", o.launch_speed},
            {"flight_gravity", o.flight_gravity},
            {"ground_y", o.ground_y},
            {"half_width", o.half_width}};
  Json objects = Json::array();
  for (const SeenObject& object : o.objects) objects.push_back(object_json(object));
  json["objects"] = std::move(objects);
  return json;
}

/// Only what changed since the frame before, which is nearly always little.
Json frames_json(const SeenShot& seen) {
  Json frames = Json::array();
  std::map<int, Pose> last;
  for (const SeenObject& object : seen.before.objects)
    if (object.kind != Kind::platform) last[object.id] = object.pose;
  for (const SeenFrame& frame : seen.frames) {
    Json moved = Json::array(), gone = Json::array();
    std::map<int, Pose> now;
    for (const SeenBody& body : frame.bodies) {
      now[body.id] = body.pose;
      const auto before = last.find(body.id);
      if (before != last.end() && before->second.position == body.pose.position && before->second.angle == body.pose.angle) continue;
      moved.push_back({body.id, body.pose.position.x, body.pose.position.y, body.pose.angle});
    }
    for (const auto& [id, pose] : last)
      if (!now.contains(id)) gone.push_back(id);
    frames.push_back({{"time", frame.time}, {"moved", std::move(moved)}, {"gone", std::move(gone)}});
    last = std::move(now);
  }
  return frames;
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = static_cast<std::uint32_t>(bytes[i]) << 16;
    if (left > 1) group |= static_cast<std::uint32_t>(bytes[i + 1]) << 8;
    if (left > 2) group |= bytes[i + 2];
    for (std::size_t k = 0; k < 4; ++k) text += k <= left ? letters[(group >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

[[noreturn]] void refuse(const std::string& what) { throw AgentFailure(Status::protocol_error, what); }

/// An answer: an object whose "type" is one of those allowed.
Json parse_answer(const std::string& line, const std::string& wanted) {
  Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) refuse("found " + shown(line) + ", which is no JSON object");
  const auto type = json.find("type");
  if (type == json.end() || !type->is_string()) refuse("found " + shown(line) + ", which has no type");
  if (*type != wanted && *type != "picture")
    refuse("found a message of type " + shown(type->get<std::string>()) + ", allowed are " + wanted + " and picture");
  return json;
}

void expect_keys(const Json& json, std::initializer_list<const char*> required, std::initializer_list<const char*> optional) {
  for (const char* key : required)
    if (!json.contains(key)) refuse("type " + json["type"].get<std::string>() + ": key " + key + " is missing");
  for (const auto& [key, value] : json.items()) {
    const auto is_key = [&](const char* known) { return key == known; };
    if (key != "type" && std::none_of(required.begin(), required.end(), is_key) && std::none_of(optional.begin(), optional.end(), is_key))
      refuse("type " + json["type"].get<std::string>() + ": unknown key " + shown(key));
  }
}

double number(const Json& json, const char* key, double otherwise) {
  const auto value = json.find(key);
  if (value == json.end()) return otherwise;
  if (!value->is_number()) refuse(std::string(key) + ": found " + value->type_name() + ", allowed is a number");
  return value->get<double>();
}

PictureRequest picture_request(const Json& json) {
  expect_keys(json, {"width", "height"}, {"frame"});
  const auto whole = [&](const char* key, int low, int high) {
    const Json& value = json[key];
    if (!value.is_number_integer()) refuse(std::string(key) + ": found " + value.type_name() + ", allowed is a whole number");
    if (value < low || value > high)
      throw AgentFailure(Status::invalid_action, std::string("picture: ") + key + ": found " + value.dump() + ", allowed are " +
                                                     std::to_string(low) + " to " + std::to_string(high));
    return value.get<int>();
  };
  PictureRequest request{.width = whole("width", 1, 1024), .height = whole("height", 1, 1024), .frame = {}};
  if (json.contains("frame")) request.frame = static_cast<std::size_t>(whole("frame", 0, 1000000));
  return request;
}

}  // namespace

std::string begin_message(const Briefing& briefing) {
  return Json{
      {"type", "begin"}, {"protocol", "startle-agent"}, {"version", protocol_version}, {"seed", briefing.seed}, {"levels", briefing.levels}}
      .dump();
}

std::string act_message(const Observation& now) { return Json{{"type", "act"}, {"observation", observation_json(now)}}.dump(); }

std::string report_message(const SeenShot& seen) {
  return Json{{"type", "report"},
              {"shot", {{"angle", seen.shot.angle}, {"stretch", seen.shot.stretch}, {"tap_time", seen.shot.tap_time}}},
              {"bird", seen.bird},
              {"first_bird", seen.first_bird},
              {"frames", frames_json(seen)},
              {"observation", observation_json(seen.after)}}
      .dump();
}

std::string picture_message(const Bitmap& picture) {
  return Json{{"type", "picture"}, {"width", picture.width}, {"height", picture.height}, {"rgb", base64(picture.rgb)}}.dump();
}

std::string end_message() { return R"({"type":"end"})"; }

std::variant<Shot, PictureRequest> parse_action(const std::string& line, const Observation& now) {
  const Json json = parse_answer(line, "shot");
  if (json["type"] == "picture") return picture_request(json);
  if (json.contains("drag")) {
    expect_keys(json, {"drag"}, {"tap_time"});
    const Json& drag = json["drag"];
    if (!drag.is_array() || drag.size() != 2 || !drag[0].is_number() || !drag[1].is_number()) refuse("drag: allowed is [x, y]");
    Shot shot;
    try {
      shot = Shot::from_drag_point({drag[0].get<double>(), drag[1].get<double>()}, now.rest, now.max_stretch, number(json, "tap_time", -1));
    } catch (const Error& error) {
      throw AgentFailure(Status::invalid_action, error.what());
    }
    check(shot);
    return shot;
  }
  expect_keys(json, {"angle"}, {"stretch", "tap_time"});
  const Shot shot{.angle = number(json, "angle", 0), .stretch = number(json, "stretch", 1), .tap_time = number(json, "tap_time", -1)};
  check(shot);
  return shot;
}

std::variant<Report, PictureRequest> parse_report(const std::string& line) {
  const Json json = parse_answer(line, "report");
  if (json["type"] == "picture") return picture_request(json);
  expect_keys(json, {"novelty"}, {"description"});
  Report report{.novelty = number(json, "novelty", 0), .description = {}};
  if (const auto text = json.find("description"); text != json.end()) {
    if (!text->is_string()) refuse("description: allowed is text");
    report.description = text->get<std::string>();
  }
  check(report);
  return report;
}

}  // namespace startle
