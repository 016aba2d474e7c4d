#include "agents/messages.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base64.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "sim/shape.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

// What every shot sends is written as text, number by number: a tree of JSON first would take three times as
// long.

/// So that it is read back to the bit, and as a number with a point.
void write(std::string& to, double value) {
  const std::string written = shortest(value);
  to += written;
  if (written.find_first_of(".e") == std::string::npos) to += ".0";
}

void write(std::string& to, int value) { to += std::to_string(value); }

void write(std::string& to, Vec2 point) {
  to += '[';
  write(to, point.x);
  to += ',';
  write(to, point.y);
  to += ']';
}

void write(std::string& to, const std::string& text) { to += Json(text).dump(); }

template <typename Value>
void write(std::string& to, const char* key, const Value& value) {
  to.append(",\"").append(key).append("\":");
  write(to, value);
}

/// Of each, with commas between.
template <typename List, typename Write>
void write_list(std::string& to, const List& list, const Write& each) {
  to += '[';
  bool first = true;
  for (const auto& one : list) {
    if (!first) to += ',';
    first = false;
    each(one);
  }
  to += ']';
}

void write(std::string& to, const SeenObject& object) {
  to += "{\"id\":";
  write(to, object.id);
  write(to, "kind", std::string(name(object.kind)));
  write(to, "type", object.type);
  if (object.material != Material::none) write(to, "material", std::string(name(object.material)));
  write(to, "x", object.pose.position.x);
  write(to, "y", object.pose.position.y);
  write(to, "angle", object.pose.angle);
  if (!object.shape->discs.empty()) {
    const Disc& disc = object.shape->discs.front();
    write(to, "centre", transformed(disc.centre, object.pose));
    write(to, "radius", disc.radius);
  } else {
    to += ",\"outline\":";
    write_list(to, transformed(object.shape->outlines.front(), object.pose),
               [&](Vec2 vertex) { write(to, vertex); });
  }
  to += '}';
}

void write(std::string& to, const Observation& o) {
  to += "{\"level\":";
  write(to, o.level);
  write(to, "shot", o.shot);
  to += ",\"birds\":";
  write_list(to, o.birds, [&](const std::string& bird) { write(to, bird); });
  write(to, "score", o.score);
  write(to, "slingshot", o.slingshot);
  write(to, "rest", o.rest);
  write(to, "max_stretch", o.max_stretch);
  write(to, "launch_speed", o.launch_speed);
  write(to, "flight_gravity", o.flight_gravity);
  write(to, "ground_y", o.ground_y);
  write(to, "half_width", o.half_width);
  to += ",\"objects\":";
  write_list(to, o.objects, [&](const SeenObject& object) { write(to, object); });
  to += '}';
}

/// Only what changed since the frame before, which is nearly always little.
void write_frames(std::string& to, const SeenShot& seen) {
  std::map<int, Pose> last;
  for (const SeenObject& object : seen.before.objects)
    if (object.kind != Kind::platform) last[object.id] = object.pose;
  write_list(to, seen.frames, [&](const SeenFrame& frame) {
    std::map<int, Pose> now;
    std::vector<SeenBody> moved;
    std::vector<int> gone;
    for (const SeenBody& body : frame.bodies) {
      now[body.id] = body.pose;
      const auto before = last.find(body.id);
      if (before == last.end() || !(before->second.position == body.pose.position) ||
          before->second.angle != body.pose.angle)
        moved.push_back(body);
    }
    for (const auto& [id, pose] : last)
      if (!now.contains(id)) gone.push_back(id);
    last = std::move(now);
    to += "{\"time\":";
    write(to, frame.time);
    to += ",\"moved\":";
    write_list(to, moved, [&](const SeenBody& body) {
      to += '[';
      write(to, body.id);
      for (const double value : {body.pose.position.x, body.pose.position.y, body.pose.angle}) {
        to += ',';
        write(to, value);
      }
      to += ']';
    });
    to += ",\"gone\":";
    write_list(to, gone, [&](int id) { write(to, id); });
    to += '}';
  });
}

[[noreturn]] void refuse(const std::string& what) { throw AgentFailure(Status::protocol_error, what); }

/// An answer: an object whose "type" is one of those allowed.
Json parse_answer(const std::string& line, const std::string& wanted) {
  Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) refuse("found " + shown(line) + ", which is no JSON object");
  const auto type = json.find("type");
  if (type == json.end() || !type->is_string()) refuse("found " + shown(line) + ", which has no type");
  if (*type != wanted && *type != "picture")
    refuse("found a message of type " + shown(type->get<std::string>()) + ", allowed are " + wanted +
           " and picture");
  return json;
}

void expect_keys(const Json& json, std::initializer_list<const char*> required,
                 std::initializer_list<const char*> optional) {
  for (const char* key : required)
    if (!json.contains(key))
      refuse("type " + json["type"].get<std::string>() + ": key " + key + " is missing");
  for (const auto& item : json.items()) {
    const std::string& key = item.key();
    const auto is_key = [&](const char* known) { return key == known; };
    if (key != "type" && std::none_of(required.begin(), required.end(), is_key) &&
        std::none_of(optional.begin(), optional.end(), is_key))
      refuse("type " + json["type"].get<std::string>() + ": unknown key " + shown(key));
  }
}

/// Null where the line is no message of that type.
Json message_of_type(const std::string& line, const char* type) {
  if (line.find(type) == std::string::npos) return nullptr;
  Json json = Json::parse(line, nullptr, false);
  return json.is_object() && json.contains("type") && json["type"] == type ? json : Json(nullptr);
}

double number(const Json& json, const char* key, double otherwise) {
  const auto value = json.find(key);
  if (value == json.end()) return otherwise;
  if (!value->is_number())
    refuse(std::string(key) + ": found " + value->type_name() + ", allowed is a number");
  return value->get<double>();
}

PictureRequest picture_request(const Json& json) {
  expect_keys(json, {"width", "height"}, {"frame"});
  const auto whole = [&](const char* key, int low, int high) {
    const Json& value = json[key];
    if (!value.is_number_integer())
      refuse(std::string(key) + ": found " + value.type_name() + ", allowed is a whole number");
    if (value < low || value > high)
      throw AgentFailure(Status::invalid_action, std::string("picture: ") + key + ": found " + value.dump() +
                                                     ", allowed are " + std::to_string(low) + " to " +
                                                     std::to_string(high));
    return value.get<int>();
  };
  PictureRequest request{.width = whole("width", 1, 1024), .height = whole("height", 1, 1024), .frame = {}};
  if (json.contains("frame")) request.frame = static_cast<std::size_t>(whole("frame", 0, 1000000));
  return request;
}

/// Throws Error for what is no whole number that fits; the library casts whatever it finds.
template <typename Whole = int>
Whole whole_of(const Json& json) {
  const bool fits = json.is_number_unsigned()
                        ? std::in_range<Whole>(json.get<std::uint64_t>())
                        : json.is_number_integer() && std::in_range<Whole>(json.get<std::int64_t>());
  if (fits) return json.get<Whole>();
  throw Error("message: found " + json.dump() + ", allowed are whole numbers from " +
              std::to_string(std::numeric_limits<Whole>::min()) + " to " +
              std::to_string(std::numeric_limits<Whole>::max()));
}

Vec2 point_of(const Json& json) { return {json.at(0).get<double>(), json.at(1).get<double>()}; }

Vec2 in_body_frame(Vec2 point, const Pose& pose) {
  const Vec2 x = direction(pose.angle), from = point - pose.position;
  return {dot(from, x), cross(x, from)};
}

/// The profile's shape for the appearance where it has this outline at this place; else the outline.
std::shared_ptr<const Shape> shape_of(const Json& json, const SeenObject& object, const Profile& profile) {
  const ObjectType* type = profile.find(object.kind, object.type, object.material);
  if (json.contains("radius")) {
    const Vec2 centre = point_of(json.at("centre"));
    const double radius = json.at("radius").get<double>();
    if (type && !type->shape->discs.empty() && type->shape->discs.front().radius == radius &&
        transformed(type->shape->discs.front().centre, object.pose) == centre)
      return type->shape;
    return std::make_shared<Shape>(disc_shape(radius, in_body_frame(centre, object.pose)));
  }
  Polygon outline;
  for (const Json& vertex : json.at("outline")) outline.push_back(point_of(vertex));
  if (type && !type->shape->outlines.empty() &&
      transformed(type->shape->outlines.front(), object.pose) == outline)
    return type->shape;
  for (Vec2& vertex : outline) vertex = in_body_frame(vertex, object.pose);
  return std::make_shared<Shape>(polygon_shape(outline));
}

Observation observation_of(const Json& json, const Profile& profile) {
  Observation o{.level = whole_of(json.at("level")),
                .shot = whole_of(json.at("shot")),
                .birds = json.at("birds").get<std::vector<std::string>>(),
                .score = json.at("score").get<double>(),
                .slingshot = point_of(json.at("slingshot")),
                .rest = point_of(json.at("rest"))};
  o.max_stretch = json.at("max_stretch").get<double>();
  o.launch_speed = json.at("launch_speed").get<double>();
  o.flight_gravity = json.at("flight_gravity").get<double>();
  o.ground_y = json.at("ground_y").get<double>();
  o.half_width = json.at("half_width").get<double>();
  constexpr std::array<Kind, 4> kinds{Kind::block, Kind::pig, Kind::tnt, Kind::platform};
  for (const Json& entry : json.at("objects")) {
    SeenObject object{
        .id = whole_of(entry.at("id")), .type = entry.at("type").get<std::string>(), .shape = {}};
    const std::string kind = entry.at("kind").get<std::string>();
    const auto known = std::find_if(kinds.begin(), kinds.end(), [&](Kind k) { return name(k) == kind; });
    if (known == kinds.end())
      throw Error("message: kind: found " + shown(kind) + ", allowed are block, pig, tnt and platform");
    object.kind = *known;
    if (entry.contains("material")) {
      const auto material = material_from_name(entry.at("material").get<std::string>());
      if (!material)
        throw Error("message: material: found " + shown(entry.at("material").get<std::string>()));
      object.material = *material;
    }
    object.pose = {{entry.at("x").get<double>(), entry.at("y").get<double>()},
                   entry.at("angle").get<double>()};
    object.shape = shape_of(entry, object, profile);
    o.objects.push_back(std::move(object));
  }
  return o;
}

std::vector<SeenFrame> frames_of(const Json& json, const Observation& before) {
  std::map<int, Pose> at;
  for (const SeenObject& object : before.objects)
    if (object.kind != Kind::platform) at[object.id] = object.pose;
  std::vector<SeenFrame> frames;
  for (const Json& entry : json) {
    for (const Json& body : entry.at("moved"))
      at[whole_of(body.at(0))] = {{body.at(1).get<double>(), body.at(2).get<double>()},
                                  body.at(3).get<double>()};
    for (const Json& id : entry.at("gone")) at.erase(whole_of(id));
    SeenFrame& frame = frames.emplace_back(SeenFrame{.time = entry.at("time").get<double>(), .bodies = {}});
    for (const auto& [id, pose] : at) frame.bodies.push_back({id, pose});
  }
  return frames;
}

/// What `read` makes of the message; its complaints, and those of the JSON library about missing keys and
/// wrong types, as Error.
template <typename Read>
auto read_message(const std::string& line, const char* type, const Read& read) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("type") || json.at("type") != type)
    throw Error("message: found " + shown(line) + ", awaited one of type " + type);
  try {
    return read(json);
  } catch (const Json::exception& error) {
    throw Error(std::string("message of type ") + type + ": " + error.what());
  }
}

}  // namespace

const char* name(Separation separation) { return separation == Separation::fork ? "fork" : "reset"; }

std::optional<Separation> parse_ready(const std::string& line) {
  const Json json = message_of_type(line, "ready");
  if (json.is_null()) return {};
  expect_keys(json, {"trials"}, {});
  for (const Separation separation : {Separation::fork, Separation::reset})
    if (json["trials"] == name(separation)) return separation;
  refuse("trials: found " + json["trials"].dump() + ", allowed are \"fork\" and \"reset\"");
}

std::optional<ProgramEnd> parse_over(const std::string& line) {
  const Json json = message_of_type(line, "over");
  if (json.is_null()) return {};
  expect_keys(json, {}, {"code", "signal"});
  const auto whole = [&](const char* key) {
    if (!json.contains(key)) return 0;
    if (!json[key].is_number_integer() || json[key] < 0 || json[key] > 255)
      refuse(std::string(key) + ": found " + json[key].dump() + ", allowed are 0 to 255");
    return json[key].get<int>();
  };
  return ProgramEnd{.code = whole("code"), .signal = whole("signal")};
}

std::string ready_message(Separation separation) {
  return Json{{"type", "ready"}, {"trials", name(separation)}}.dump();
}

std::string over_message(const ProgramEnd& end) {
  return Json{{"type", "over"}, {"code", end.code}, {"signal", end.signal}}.dump();
}

std::string begin_message(const Briefing& briefing) {
  return Json{{"type", "begin"},
              {"protocol", "startle-agent"},
              {"version", protocol_version},
              {"seed", briefing.seed},
              {"levels", briefing.levels}}
      .dump();
}

std::string act_message(const Observation& now) {
  std::string text = R"({"type":"act","observation":)";
  write(text, now);
  return text + "}";
}

std::string report_message(const SeenShot& seen) {
  std::string text = R"({"type":"report","shot":{"angle":)";
  write(text, seen.shot.angle);
  write(text, "stretch", seen.shot.stretch);
  write(text, "tap_time", seen.shot.tap_time);
  text += '}';
  write(text, "bird", seen.bird);
  write(text, "first_bird", seen.first_bird);
  text += ",\"frames\":";
  write_frames(text, seen);
  text += ",\"observation\":";
  write(text, seen.after);
  return text + "}";
}

std::string picture_message(const Bitmap& picture) {
  return Json{{"type", "picture"},
              {"width", picture.width},
              {"height", picture.height},
              {"rgb", to_base64(picture.rgb)}}
      .dump();
}

std::string end_message() { return R"({"type":"end"})"; }

std::string message_type(const std::string& line) {
  // The long ones, as the runner writes them: who plays on reads them in whole, once.
  for (const char* type : {"act", "report"})
    if (line.starts_with(std::string(R"({"type":")") + type + "\",")) return type;
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("type") || !json.at("type").is_string())
    throw Error("message: found " + shown(line) + ", which is no JSON object with a type");
  return json.at("type").get<std::string>();
}

Briefing parse_begin(const std::string& line) {
  return read_message(line, "begin", [](const Json& json) {
    if (json.at("protocol") != "startle-agent" || json.at("version") != protocol_version)
      throw Error("begin: found protocol " + json.at("protocol").dump() + ", version " +
                  json.at("version").dump() + ", known is version " + std::to_string(protocol_version) +
                  " of startle-agent");
    return Briefing{.seed = whole_of<std::uint64_t>(json.at("seed")), .levels = whole_of(json.at("levels"))};
  });
}

Observation parse_act(const std::string& line, const Profile& profile) {
  return read_message(line, "act",
                      [&](const Json& json) { return observation_of(json.at("observation"), profile); });
}

SeenShot parse_report_request(const std::string& line, const Observation& before, const Profile& profile) {
  return read_message(line, "report", [&](const Json& json) {
    const Json& shot = json.at("shot");
    return SeenShot{.shot = {.angle = shot.at("angle").get<double>(),
                             .stretch = shot.at("stretch").get<double>(),
                             .tap_time = shot.at("tap_time").get<double>()},
                    .bird = json.at("bird").get<std::string>(),
                    .before = before,
                    .after = observation_of(json.at("observation"), profile),
                    .first_bird = whole_of(json.at("first_bird")),
                    .frames = frames_of(json.at("frames"), before)};
  });
}

Bitmap parse_picture(const std::string& line) {
  return read_message(line, "picture", [](const Json& json) {
    const int width = whole_of(json.at("width")), height = whole_of(json.at("height"));
    if (width < 1 || height < 1 || width > 1024 || height > 1024)
      throw Error("picture: found " + std::to_string(width) + " x " + std::to_string(height) + " pixels");
    Bitmap picture(width, height);
    const std::size_t wanted = picture.rgb.size();
    std::optional<std::vector<std::uint8_t>> rgb = from_base64(json.at("rgb").get<std::string>());
    if (!rgb) throw Error("picture: rgb: found what is no base64 text");
    picture.rgb = std::move(*rgb);
    if (picture.rgb.size() != wanted)
      throw Error("picture: rgb: found " + std::to_string(picture.rgb.size()) + " bytes, its size needs " +
                  std::to_string(wanted));
    return picture;
  });
}

std::string answer_message(const Shot& shot) {
  return Json{{"type", "shot"}, {"angle", shot.angle}, {"stretch", shot.stretch}, {"tap_time", shot.tap_time}}
      .dump();
}

std::string answer_message(const Report& report) {
  Json json{{"type", "report"}, {"novelty", report.novelty}};
  if (!report.description.empty()) json["description"] = report.description;
  return json.dump();
}

std::string answer_message(const PictureRequest& request) {
  Json json{{"type", "picture"}, {"width", request.width}, {"height", request.height}};
  if (request.frame) json["frame"] = *request.frame;
  return json.dump();
}

std::variant<Shot, PictureRequest> parse_action(const std::string& line, const Observation& now) {
  const Json json = parse_answer(line, "shot");
  if (json["type"] == "picture") return picture_request(json);
  if (json.contains("drag")) {
    expect_keys(json, {"drag"}, {"tap_time"});
    const Json& drag = json["drag"];
    if (!drag.is_array() || drag.size() != 2 || !drag[0].is_number() || !drag[1].is_number())
      refuse("drag: allowed is [x, y]");
    Shot shot;
    try {
      shot = Shot::from_drag_point({drag[0].get<double>(), drag[1].get<double>()}, now.rest, now.max_stretch,
                                   number(json, "tap_time", -1));
    } catch (const Error& error) {
      throw AgentFailure(Status::invalid_action, error.what());
    }
    check(shot);
    return shot;
  }
  expect_keys(json, {"angle"}, {"stretch", "tap_time"});
  const Shot shot{.angle = number(json, "angle", 0),
                  .stretch = number(json, "stretch", 1),
                  .tap_time = number(json, "tap_time", -1)};
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
