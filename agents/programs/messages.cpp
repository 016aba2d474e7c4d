#include "agents/programs/messages.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base64.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

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
