// What every shot sends: act and report, written and read number by number. A tree of JSON in between would
// take several times as long.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "agents/programs/messages.hpp"
#include "core/error.hpp"
#include "core/json_reader.hpp"
#include "core/text.hpp"
#include "sim/shape.hpp"

namespace startle {
namespace {

/// So that it is read back to the bit, and as a number with a point.
void write(std::string& to, double value) {
  const std::size_t start = to.size();
  append_shortest(to, value);
  if (value == std::trunc(value) && to.find('e', start) == std::string::npos) to += ".0";
}

void write(std::string& to, int value) { to += std::to_string(value); }

void write(std::string& to, Vec2 point) {
  to += '[';
  write(to, point.x);
  to += ',';
  write(to, point.y);
  to += ']';
}

void write(std::string& to, const std::string& text) { to += quoted(text); }

void write(std::string& to, const SeenBody& body) {
  to += '[';
  write(to, body.id);
  for (const double value : {body.pose.position.x, body.pose.position.y, body.pose.angle}) {
    to += ',';
    write(to, value);
  }
  to += ']';
}

void write(std::string& to, const SeenObject& object);
void write(std::string& to, const Observation& o);

/// With commas between.
template <typename Value>
void write(std::string& to, const std::vector<Value>& list) {
  to += '[';
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) to += ',';
    write(to, list[i]);
  }
  to += ']';
}

template <typename Value>
void write(std::string& to, const char* key, const Value& value) {
  to.append(",\"").append(key).append("\":");
  write(to, value);
}

void write(std::string& to, const SeenObject& object) {
  to += "{\"id\":";
  write(to, object.id);
  to.append(",\"kind\":\"").append(name(object.kind)).append("\"");
  write(to, "type", object.type);
  if (object.material != Material::none)
    to.append(",\"material\":\"").append(name(object.material)).append("\"");
  write(to, "x", object.pose.position.x);
  write(to, "y", object.pose.position.y);
  write(to, "angle", object.pose.angle);
  if (!object.shape->discs.empty()) {
    const Disc& disc = object.shape->discs.front();
    write(to, "centre", transformed(disc.centre, object.pose));
    write(to, "radius", disc.radius);
  } else {
    write(to, "outline", transformed(object.shape->outlines.front(), object.pose));
  }
  to += '}';
}

void write(std::string& to, const Observation& o) {
  to += "{\"level\":";
  write(to, o.level);
  write(to, "shot", o.shot);
  write(to, "birds", o.birds);
  write(to, "score", o.score);
  write(to, "slingshot", o.slingshot);
  write(to, "rest", o.rest);
  write(to, "max_stretch", o.max_stretch);
  write(to, "launch_speed", o.launch_speed);
  write(to, "flight_gravity", o.flight_gravity);
  write(to, "ground_y", o.ground_y);
  write(to, "half_width", o.half_width);
  write(to, "objects", o.objects);
  to += '}';
}

/// Before the shot: all that can move, by id.
std::vector<SeenBody> bodies_of(const Observation& before) {
  std::vector<SeenBody> bodies;
  for (const SeenObject& object : before.objects)
    if (object.kind != Kind::platform) bodies.push_back({object.id, object.pose});
  return bodies;
}

/// Where it is, or would be.
std::vector<SeenBody>::iterator place_of(std::vector<SeenBody>& bodies, int id) {
  return std::lower_bound(bodies.begin(), bodies.end(), id,
                          [](const SeenBody& body, int wanted) { return body.id < wanted; });
}

/// Only what changed since the frame before, which is nearly always little.
void write_frames(std::string& to, const SeenShot& seen) {
  const std::vector<SeenBody> start = bodies_of(seen.before);
  const std::vector<SeenBody>* last = &start;
  std::vector<SeenBody> moved;
  std::vector<int> gone;
  to += '[';
  for (const SeenFrame& frame : seen.frames) {
    moved.clear();
    gone.clear();
    auto before = last->begin();
    for (const SeenBody& body : frame.bodies) {
      for (; before != last->end() && before->id < body.id; ++before) gone.push_back(before->id);
      const bool is_known = before != last->end() && before->id == body.id;
      if (!is_known || !(before->pose.position == body.pose.position) ||
          before->pose.angle != body.pose.angle)
        moved.push_back(body);
      if (is_known) ++before;
    }
    for (; before != last->end(); ++before) gone.push_back(before->id);
    last = &frame.bodies;
    if (to.back() != '[') to += ',';
    to += "{\"time\":";
    write(to, frame.time);
    write(to, "moved", moved);
    write(to, "gone", gone);
    to += '}';
  }
  to += ']';
}

Vec2 in_body_frame(Vec2 point, const Pose& pose) {
  const Vec2 x = direction(pose.angle), from = point - pose.position;
  return {dot(from, x), cross(x, from)};
}

/// The profile's shape for the appearance where it has this disc at this place; else the disc.
std::shared_ptr<const Shape> shape_of(const Disc& disc, const SeenObject& object, const Profile& profile) {
  const ObjectType* type = profile.find(object.kind, object.type, object.material);
  if (type && !type->shape->discs.empty() && type->shape->discs.front().radius == disc.radius &&
      transformed(type->shape->discs.front().centre, object.pose) == disc.centre)
    return type->shape;
  return std::make_shared<Shape>(disc_shape(disc.radius, in_body_frame(disc.centre, object.pose)));
}

/// The same for outlines.
std::shared_ptr<const Shape> shape_of(Polygon outline, const SeenObject& object, const Profile& profile) {
  const ObjectType* type = profile.find(object.kind, object.type, object.material);
  if (type && !type->shape->outlines.empty() &&
      transformed(type->shape->outlines.front(), object.pose) == outline)
    return type->shape;
  for (Vec2& vertex : outline) vertex = in_body_frame(vertex, object.pose);
  return std::make_shared<Shape>(polygon_shape(outline));
}

/// An array of so many values.
template <std::size_t size, typename Read>
void read_tuple(JsonReader& in, const Read& read) {
  std::size_t count = 0;
  in.array([&] {
    if (count == size) throw Error("found more than " + std::to_string(size) + " values in an array of them");
    read(count++);
  });
  if (count < size)
    throw Error("found " + std::to_string(count) + " values in an array, awaited " + std::to_string(size));
}

Vec2 read_point(JsonReader& in) {
  Vec2 point;
  read_tuple<2>(in, [&](std::size_t i) { (i == 0 ? point.x : point.y) = in.number(); });
  return point;
}

Kind read_kind(JsonReader& in) {
  const std::string found = in.string();
  for (const Kind kind : {Kind::block, Kind::pig, Kind::tnt, Kind::platform})
    if (name(kind) == found) return kind;
  throw Error("kind: found " + shown(found) + ", allowed are block, pig, tnt and platform");
}

Material read_material(JsonReader& in) {
  const std::string found = in.string();
  if (const auto material = material_from_name(found)) return *material;
  throw Error("material: found " + shown(found) + ", allowed are wood, ice and stone");
}

SeenObject read_object(JsonReader& in, const Profile& profile) {
  SeenObject object;
  std::optional<Polygon> outline;
  std::optional<Vec2> centre;
  std::optional<double> radius;
  in.object(JsonMember{"id", [&] { object.id = in.whole<int>(); }},
            JsonMember{"kind", [&] { object.kind = read_kind(in); }},
            JsonMember{"type", [&] { object.type = in.string(); }},
            JsonMember{"material", [&] { object.material = read_material(in); }, false},
            JsonMember{"x", [&] { object.pose.position.x = in.number(); }},
            JsonMember{"y", [&] { object.pose.position.y = in.number(); }},
            JsonMember{"angle", [&] { object.pose.angle = in.number(); }},
            JsonMember{"outline",
                       [&] {
                         outline.emplace();
                         in.array([&] { outline->push_back(read_point(in)); });
                       },
                       false},
            JsonMember{"centre", [&] { centre = read_point(in); }, false},
            JsonMember{"radius", [&] { radius = in.number(); }, false});
  if (centre && radius)
    object.shape = shape_of(Disc{*centre, *radius}, object, profile);
  else if (outline)
    object.shape = shape_of(std::move(*outline), object, profile);
  else
    throw Error("object " + std::to_string(object.id) + ": found no outline, and no centre with a radius");
  return object;
}

Observation read_observation(JsonReader& in, const Profile& profile) {
  Observation o;
  in.object(JsonMember{"level", [&] { o.level = in.whole<int>(); }},
            JsonMember{"shot", [&] { o.shot = in.whole<int>(); }},
            JsonMember{"birds", [&] { in.array([&] { o.birds.push_back(in.string()); }); }},
            JsonMember{"score", [&] { o.score = in.number(); }},
            JsonMember{"slingshot", [&] { o.slingshot = read_point(in); }},
            JsonMember{"rest", [&] { o.rest = read_point(in); }},
            JsonMember{"max_stretch", [&] { o.max_stretch = in.number(); }},
            JsonMember{"launch_speed", [&] { o.launch_speed = in.number(); }},
            JsonMember{"flight_gravity", [&] { o.flight_gravity = in.number(); }},
            JsonMember{"ground_y", [&] { o.ground_y = in.number(); }},
            JsonMember{"half_width", [&] { o.half_width = in.number(); }},
            JsonMember{"objects", [&] { in.array([&] { o.objects.push_back(read_object(in, profile)); }); }});
  return o;
}

SeenBody read_body(JsonReader& in) {
  SeenBody body;
  read_tuple<4>(in, [&](std::size_t i) {
    if (i == 0)
      body.id = in.whole<int>();
    else
      (i == 1 ? body.pose.position.x : i == 2 ? body.pose.position.y : body.pose.angle) = in.number();
  });
  return body;
}

std::vector<SeenFrame> read_frames(JsonReader& in, const Observation& before) {
  std::vector<SeenBody> now = bodies_of(before);
  std::sort(now.begin(), now.end(), [](const SeenBody& a, const SeenBody& b) { return a.id < b.id; });
  const auto move = [&] {
    const SeenBody body = read_body(in);
    const auto place = place_of(now, body.id);
    if (place != now.end() && place->id == body.id)
      *place = body;
    else
      now.insert(place, body);
  };
  const auto remove = [&] {
    const int id = in.whole<int>();
    const auto place = place_of(now, id);
    if (place != now.end() && place->id == id) now.erase(place);
  };
  std::vector<SeenFrame> frames;
  in.array([&] {
    double time = 0;
    in.object(JsonMember{"time", [&] { time = in.number(); }}, JsonMember{"moved", [&] { in.array(move); }},
              JsonMember{"gone", [&] { in.array(remove); }});
    frames.push_back({.time = time, .bodies = now});
  });
  return frames;
}

Shot read_shot(JsonReader& in) {
  Shot shot;
  in.object(JsonMember{"angle", [&] { shot.angle = in.number(); }},
            JsonMember{"stretch", [&] { shot.stretch = in.number(); }},
            JsonMember{"tap_time", [&] { shot.tap_time = in.number(); }});
  return shot;
}

/// All of the message that is `in`.
template <typename... Reads>
void read_message(JsonReader& in, const std::string& type, const JsonMember<Reads>&... members) {
  const auto check_type = [&] {
    if (const std::string found = in.string(); found != type)
      throw Error("found one of type " + shown(found));
  };
  try {
    in.object(JsonMember{"type", check_type}, members...);
    in.end();
  } catch (const Error& error) {
    throw Error("message of type " + type + ": " + error.what());
  }
}

}  // namespace

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
  write(text, "observation", seen.after);
  return text + "}";
}

Observation parse_act(const std::string& line, const Profile& profile) {
  JsonReader in(line);
  Observation now;
  read_message(in, "act", JsonMember{"observation", [&] { now = read_observation(in, profile); }});
  return now;
}

SeenShot parse_report_request(const std::string& line, const Observation& before, const Profile& profile) {
  JsonReader in(line);
  SeenShot seen{.shot = {}, .bird = {}, .before = before, .after = {}, .frames = {}};
  read_message(in, "report", JsonMember{"shot", [&] { seen.shot = read_shot(in); }},
               JsonMember{"bird", [&] { seen.bird = in.string(); }},
               JsonMember{"first_bird", [&] { seen.first_bird = in.whole<int>(); }},
               JsonMember{"frames", [&] { seen.frames = read_frames(in, before); }},
               JsonMember{"observation", [&] { seen.after = read_observation(in, profile); }});
  return seen;
}

}  // namespace startle
