#include "agents/mcp_trial.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "agents/messages.hpp"
#include "agents/seen_text.hpp"
#include "core/base64.hpp"
#include "core/text.hpp"
#include "render/png.hpp"

namespace startle {
namespace {

using RpcJson = nlohmann::ordered_json;

// JSON-RPC 2.0, section 5.1; the last one is of those left to servers.
constexpr int parse_error = -32700, invalid_request = -32600, unknown_method = -32601,
              invalid_params = -32602, trial_is_taken = -32000;

/// The oldest first.
constexpr std::array protocol_versions{"2024-11-05", "2025-03-26", "2025-06-18"};
constexpr const char* with_batches = "2025-03-26";  // of them the only one
constexpr std::size_t longest_batch = 100;          // messages

constexpr int default_width = 512, default_height = 256, largest_picture = 1024;  // pixels

// The words of agents/clients/chat.py.
constexpr const char* rules =
    "You play a two-dimensional physics game in the manner of Angry Birds, and you look out for changes of "
    "the world. A bird is launched from a slingshot at structures of wood, ice and stone blocks, at pigs and "
    "TNT. A level is won when all pigs are gone. Lengths are in world units, x to the right, y up; times are "
    "in seconds; angles are in degrees, 0 to the right, 90 straight up.\n\n"
    "In some trials the world is novel: some objects look as always but behave differently. They may bounce, "
    "slide, fall, weigh or break otherwise than such objects do. After each shot you say how likely it is, "
    "from 0 to 1, that the world of this trial is novel. 0.5 or more counts as an alarm. Half of the trials "
    "are normal, and a false alarm counts against you.\n\n"
    "Look by calling look, shoot by calling shoot, and after each shot report by calling report. Go on until "
    "the trial is over.";

/// What the protocol calls an error: the message itself is wrong.
struct RpcError {
  int code;
  std::string text;
};

/// A tool's result that says what is wrong with the call.
struct ToolError {
  std::string text;
};

RpcJson integer(int low, int high, const std::string& description) {
  return {{"type", "integer"}, {"minimum", low}, {"maximum", high}, {"description", description}};
}

RpcJson number_between(double low, double high, const std::string& description) {
  return {{"type", "number"}, {"minimum", low}, {"maximum", high}, {"description", description}};
}

RpcJson tool(const std::string& name, const std::string& title, const std::string& description, bool reads,
             const RpcJson& properties, const RpcJson& required) {
  return {{"name", name},
          {"title", title},
          {"description", description},
          {"inputSchema",
           {{"type", "object"},
            {"properties", properties},
            {"required", required},
            {"additionalProperties", false}}},
          {"annotations",
           {{"title", title},
            {"readOnlyHint", reads},
            {"destructiveHint", false},
            {"idempotentHint", reads},
            {"openWorldHint", false}}}};
}

RpcJson tools() {
  const RpcJson look{
      {"as",
       {{"type", "string"},
        {"enum", {"objects", "picture"}},
        {"description", "objects: numbers, places and sizes, the default; picture: an image"}}},
      {"frame",
       {{"type", "integer"},
        {"minimum", 0},
        {"description",
         "of the last shot, 0.1 s apart, while its report is due; without it the level as it stands"}}},
      {"width", integer(1, largest_picture, "of a picture, pixels; default 512")},
      {"height", integer(1, largest_picture, "of a picture, pixels; default 256")}};
  const RpcJson shoot{
      {"angle", number_between(-360, 360, "direction of the launch in degrees, -90 to 180")},
      {"stretch", number_between(0.01, 1, "share of the longest pull, over 0 to 1; default 1")},
      {"tap_time", number_between(-1, 1000,
                                  "when the bird uses its power, seconds after the launch; -1: never, the "
                                  "default")}};
  const RpcJson report{
      {"novelty", number_between(0, 1, "likelihood, 0 to 1")},
      {"description", {{"type", "string"}, {"description", "what behaves differently, in a few words"}}}};
  return RpcJson::array(
      {tool("look", "Look", "Shows the level, or a moment of the last shot. Changes nothing.", true, look,
            RpcJson::array()),
       tool("shoot", "Shoot", "Launches the next bird, and says what happened.", false, shoot, {"angle"}),
       tool("report", "Report", "Says how likely it is that the world of this trial is novel.", false, report,
            {"novelty"})});
}

// Arguments of a tool

std::string argument_words(const RpcJson& value) {
  if (value.is_string()) return shown(value.get<std::string>());
  return value.is_primitive() ? value.dump() : std::string(value.type_name());
}

/// Null where it is not given.
RpcJson argument(const RpcJson& given, const char* key) {
  return given.contains(key) ? given[key] : RpcJson(nullptr);
}

void expect_arguments(const RpcJson& given, const std::vector<std::string>& known) {
  for (const auto& item : given.items())
    if (std::find(known.begin(), known.end(), item.key()) == known.end())
      throw ToolError{"unknown argument " + shown(item.key()) + ", allowed are " + listed(known)};
}

/// A number, or text that is one, as some models and clients write them. Null for anything else.
std::optional<double> number_of(const RpcJson& value) {
  if (value.is_number()) return value.get<double>();
  return value.is_string() ? parse_number<double>(value.get<std::string>()) : std::nullopt;
}

double number_argument(const RpcJson& given, const char* key, double low, double high,
                       std::optional<double> otherwise = {}) {
  const RpcJson value = argument(given, key);
  if (value.is_null() && otherwise) return *otherwise;
  const std::optional<double> number = number_of(value);
  // The comparison is written so that NaN fails it.
  if (!number || !(*number >= low && *number <= high))
    throw ToolError{std::string(key) + ": found " + (value.is_null() ? "nothing" : argument_words(value)) +
                    ", allowed are numbers, " + shortest(low) + " to " + shortest(high)};
  return *number;
}

std::optional<int> whole_argument(const RpcJson& given, const char* key, int low, int high) {
  const RpcJson value = argument(given, key);
  if (value.is_null()) return {};
  // Some clients write whole numbers as 3.0.
  const double number = number_of(value).value_or(NAN);
  if (!(number >= low && number <= high && number == std::floor(number)))
    throw ToolError{std::string(key) + ": found " + argument_words(value) + ", allowed are whole numbers, " +
                    std::to_string(low) + " to " + std::to_string(high)};
  return static_cast<int>(number);
}

std::string text_argument(const RpcJson& given, const char* key, const std::string& otherwise) {
  const RpcJson value = argument(given, key);
  if (value.is_null()) return otherwise;
  if (!value.is_string())
    throw ToolError{std::string(key) + ": found " + argument_words(value) + ", allowed is text"};
  return value.get<std::string>();
}

// Results of a tool

double rounded(double value) { return std::round(value * 1000) / 1000 + 0.0; }

RpcJson rounded_point(Vec2 p) { return {rounded(p.x), rounded(p.y)}; }

struct ToolResult {
  RpcJson content = RpcJson::array();
  RpcJson structured = nullptr;
  bool is_error = false;

  void say(const std::string& text) { content.push_back({{"type", "text"}, {"text", text}}); }
};

RpcJson level_json(const Observation& seen) {
  RpcJson objects = RpcJson::array();
  for (const SeenObject& object : seen.objects) {
    RpcJson& json = objects.emplace_back(
        RpcJson{{"id", object.id}, {"kind", name(object.kind)}, {"type", object.type}});
    if (object.material != Material::none) json["material"] = name(object.material);
    json["centre"] = rounded_point(object.pose.position);
    json["angle"] = rounded(degrees(object.pose.angle));
    if (!object.shape->discs.empty()) {
      json["radius"] = rounded(object.shape->discs.front().radius);
    } else {
      for (const Vec2 corner : transformed(object.shape->outlines.front(), object.pose))
        json["outline"].push_back(rounded_point(corner));
    }
  }
  return {{"level", seen.level},
          {"shot", seen.shot},
          {"birds", seen.birds},
          {"score", seen.score},
          {"slingshot", rounded_point(seen.slingshot)},
          {"rest", rounded_point(seen.rest)},
          {"max_stretch", rounded(seen.max_stretch)},
          {"launch_speed", rounded(seen.launch_speed)},
          {"flight_gravity", rounded(seen.flight_gravity)},
          {"ground_y", rounded(seen.ground_y)},
          {"half_width", rounded(seen.half_width)},
          {"objects", std::move(objects)}};
}

std::ptrdiff_t pigs(const Observation& seen) {
  return std::count_if(seen.objects.begin(), seen.objects.end(),
                       [](const SeenObject& object) { return object.kind == Kind::pig; });
}

RpcJson shot_json(const SeenShot& seen) {
  RpcJson moved = RpcJson::array(), hardly_moved = RpcJson::array();
  for (const SeenMotion& motion : seen_motions(seen)) {
    if (motion.hardly_moved) {
      hardly_moved.push_back(motion.id);
      continue;
    }
    RpcJson places = RpcJson::array();
    for (const SeenMotion::Place& place : motion.places)
      places.push_back({rounded(place.time), rounded(place.pose.position.x), rounded(place.pose.position.y)});
    RpcJson& json = moved.emplace_back(RpcJson{{"id", motion.id},
                                               {"what", motion.what},
                                               {"time_x_y", std::move(places)},
                                               {"turned", rounded(degrees(motion.turned))}});
    if (motion.gone) json["gone"] = rounded(*motion.gone);
  }
  const std::ptrdiff_t pigs_left = pigs(seen.after);
  return {{"bird", seen.bird},
          {"angle", rounded(degrees(seen.shot.angle))},
          {"frames", seen.frames.size()},
          {"moved", std::move(moved)},
          {"hardly_moved", std::move(hardly_moved)},
          {"pigs_left", pigs_left},
          {"birds_left", seen.after.birds},
          {"score", seen.after.score},
          {"level_over", pigs_left == 0 || seen.after.birds.empty()}};
}

/// What a shot did, and what is due.
std::string shot_words(const SeenShot& seen) {
  const std::ptrdiff_t pigs_left = pigs(seen.after);
  const char* over = pigs_left == 0             ? " The level is over: all pigs are gone."
                     : seen.after.birds.empty() ? " The level is over: no birds are left."
                                                : "";
  return shot_text(seen) + "\n\nPigs left: " + std::to_string(pigs_left) +
         ". Birds left: " + (seen.after.birds.empty() ? "none" : listed(seen.after.birds)) + ". Score " +
         shortest(seen.after.score) + "." + over + "\nThe shot has frames 0 to " +
         std::to_string(seen.frames.size() - 1) + ". Its report is due: call report.";
}

ToolResult frame_result(const SeenShot& seen, std::size_t number) {
  const SeenFrame& frame = seen.frames.at(number);
  ToolResult result;
  std::string text = "Frame " + std::to_string(number) + ", " + fixed(frame.time, 1) +
                     " s after the launch (number, what, centre, angle):";
  RpcJson bodies = RpcJson::array();
  for (const SeenBody& body : frame.bodies) {
    const auto object = std::find_if(seen.before.objects.begin(), seen.before.objects.end(),
                                     [&](const SeenObject& o) { return o.id == body.id; });
    const std::string what = object != seen.before.objects.end() ? object_words(*object)
                             : body.id == seen.first_bird        ? "bird"
                                                                 : "another bird";
    const RpcJson centre = rounded_point(body.pose.position);
    const double angle = rounded(degrees(body.pose.angle));
    bodies.push_back({{"id", body.id}, {"what", what}, {"centre", centre}, {"angle", angle}});
    text += "\n" + std::to_string(body.id) + ": " + what + " (" + shortest(centre[0].get<double>()) + ", " +
            shortest(centre[1].get<double>()) + ") " + shortest(angle);
  }
  result.say(text);
  result.structured = {{"frame", number}, {"time", rounded(frame.time)}, {"bodies", std::move(bodies)}};
  return result;
}

// Messages

RpcJson message_json(const RpcJson& id, const char* key, RpcJson value) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {key, std::move(value)}};
}

RpcJson error_json(const RpcJson& id, const RpcError& error) {
  return message_json(id, "error", {{"code", error.code}, {"message", error.text}});
}

/// A request or a notification.
struct RpcMessage {
  RpcJson id = nullptr;  ///< null: a notification, which gets no answer
  std::string method;    ///< empty: an answer, which nobody asked for
  RpcJson params = RpcJson::object();
};

RpcJson parse_line(const std::string& line) {
  RpcJson json = RpcJson::parse(line, nullptr, false);
  if (json.is_discarded()) throw RpcError{parse_error, "found " + shown(line) + ", which is no JSON"};
  return json;
}

/// Throws RpcError; `id` then is that of the message, where it has one.
RpcMessage rpc_message(const RpcJson& json, RpcJson& id) {
  if (json.is_array()) throw RpcError{invalid_request, "found a batch, allowed is one message a line"};
  if (!json.is_object() || argument(json, "jsonrpc") != "2.0")
    throw RpcError{invalid_request, "found " +
                                        shown(json.dump(-1, ' ', false, RpcJson::error_handler_t::replace)) +
                                        ", which is no message of JSON-RPC 2.0"};
  RpcMessage message;
  if (json.contains("id")) {
    if (!json["id"].is_string() && !json["id"].is_number_integer())
      throw RpcError{invalid_request,
                     "id: found " + argument_words(json["id"]) + ", allowed are texts and whole numbers"};
    id = message.id = json["id"];
  }
  if (!json.contains("method") && (json.contains("result") || json.contains("error"))) return message;
  if (!argument(json, "method").is_string())
    throw RpcError{invalid_request,
                   "method: found " + argument_words(argument(json, "method")) + ", allowed is text"};
  message.method = json["method"].get<std::string>();
  if (json.contains("params")) message.params = json["params"];
  if (!message.params.is_object() && !message.id.is_null())
    throw RpcError{invalid_params,
                   "params: found " + argument_words(message.params) + ", allowed is an object"};
  return message;
}

/// Of messages that came in one list.
struct RpcBatch {
  std::deque<RpcJson> rest;  ///< messages after the call that waits
  RpcJson answers = RpcJson::array();
};

bool needs_answer(const RpcMessage& message) { return !message.id.is_null() && !message.method.empty(); }

}  // namespace

struct McpTrial::Impl {
  enum class Due { nothing, shot, report, end };

  std::string version;
  Briefing briefing;
  Due due = Due::nothing;
  const ObservationSource* source = nullptr;
  const SeenShot* seen = nullptr;  ///< the shot whose report is due
  std::optional<Shot> shot;
  std::optional<Report> report;
  std::string protocol;           ///< agreed upon with this client; empty before
  RpcJson waits = nullptr;        ///< id of the call that waits for its answer
  std::optional<RpcBatch> batch;  ///< which holds the call that waits

  RpcJson result_json(const ToolResult& result) const {
    RpcJson json{{"content", result.content}, {"isError", result.is_error}};
    if (!result.structured.is_null() && protocol >= "2025-06-18")
      json["structuredContent"] = result.structured;
    return json;
  }

  /// To the call that waits.
  std::string late_answer(const ToolResult& result) {
    if (waits.is_null()) return "";
    RpcJson answer = message_json(std::exchange(waits, nullptr), "result", result_json(result));
    if (!batch) return answer.dump();
    batch->answers.push_back(std::move(answer));
    return go_on_with_batch();
  }

  /// Null where none is due, or not yet.
  RpcJson answer(const RpcJson& json) {
    RpcJson id = nullptr;
    try {
      const RpcMessage message = rpc_message(json, id);
      if (!needs_answer(message)) return nullptr;
      const std::optional<RpcJson> result = result_of(message);
      if (result) return message_json(id, "result", *result);
      waits = id;
      return nullptr;
    } catch (const RpcError& error) {
      return error_json(id, error);
    }
  }

  std::string begin_batch(const RpcJson& messages) {
    if (messages.empty() || messages.size() > longest_batch)
      return error_json(nullptr,
                        {invalid_request, "found a batch of " + std::to_string(messages.size()) +
                                              " messages, allowed are 1 to " + std::to_string(longest_batch)})
          .dump();
    batch.emplace().rest.assign(messages.begin(), messages.end());
    return go_on_with_batch();
  }

  /// All answers in one, once no call waits.
  std::string go_on_with_batch() {
    while (!batch->rest.empty()) {
      const RpcJson message = std::move(batch->rest.front());
      batch->rest.pop_front();
      RpcJson given = answer(message);
      if (!waits.is_null()) return "";
      if (!given.is_null()) batch->answers.push_back(std::move(given));
    }
    const RpcJson answers = std::move(batch->answers);
    batch.reset();
    return answers.empty() ? "" : answers.dump();
  }

  RpcJson initialize(const RpcJson& params) {
    if (!protocol.empty()) throw RpcError{invalid_request, "initialize: found a second one"};
    const RpcJson wanted = argument(params, "protocolVersion");
    if (!wanted.is_string())
      throw RpcError{invalid_params,
                     "protocolVersion: found " + argument_words(wanted) + ", allowed is text"};
    const bool known = std::find(protocol_versions.begin(), protocol_versions.end(), wanted) !=
                       protocol_versions.end();
    protocol = known ? wanted.get<std::string>() : protocol_versions.back();
    return {{"protocolVersion", protocol},
            {"capabilities", {{"tools", RpcJson::object()}}},
            {"serverInfo", {{"name", "startle"}, {"version", version}}},
            {"instructions",
             std::string(rules) + " Levels of this trial: " + std::to_string(briefing.levels) + "."}};
  }

  /// Empty: the answer comes later.
  std::optional<RpcJson> result_of(const RpcMessage& message) {
    if (message.method == "ping") return RpcJson::object();
    if (message.method == "initialize") return initialize(message.params);
    if (message.method != "tools/list" && message.method != "tools/call")
      throw RpcError{unknown_method, "method: found " + shown(message.method) +
                                         ", allowed are initialize, ping, tools/list and tools/call"};
    if (protocol.empty()) throw RpcError{invalid_request, message.method + ": found before initialize"};
    if (message.method == "tools/call") return call(message.params);
    if (!argument(message.params, "cursor").is_null())
      throw RpcError{invalid_params, "cursor: found one, but all tools are in one list"};
    return RpcJson{{"tools", tools()}};
  }

  std::optional<RpcJson> call(const RpcJson& params) {
    const RpcJson name = argument(params, "name"), given = argument(params, "arguments");
    if (name != "look" && name != "shoot" && name != "report")
      throw RpcError{invalid_params,
                     "name: found " + argument_words(name) + ", allowed are look, shoot and report"};
    if (!given.is_null() && !given.is_object())
      throw RpcError{invalid_params, "arguments: found " + argument_words(given) + ", allowed is an object"};
    const RpcJson arguments = given.is_null() ? RpcJson::object() : given;
    try {
      if (due == Due::end) throw ToolError{"the trial is over; there is nothing more to do"};
      if (name == "look") return result_json(look(arguments));
      if (name == "shoot")
        shoot(arguments);
      else
        give_report(arguments);
      return {};
    } catch (const ToolError& error) {
      ToolResult result{.is_error = true};
      result.say(name.get<std::string>() + ": " + error.text);
      return result_json(result);
    }
  }

  ToolResult look(const RpcJson& given) const {
    expect_arguments(given, {"as", "frame", "width", "height"});
    const std::string as = text_argument(given, "as", "objects");
    if (as != "objects" && as != "picture")
      throw ToolError{"as: found " + shown(as) + ", allowed are objects and picture"};
    const auto frame_of_shot = [&]() -> std::optional<int> {
      if (argument(given, "frame").is_null()) return {};
      if (!seen) throw ToolError{"frame: found one, allowed only while the report of a shot is due"};
      return whole_argument(given, "frame", 0, static_cast<int>(seen->frames.size()) - 1);
    };
    const std::optional<int> frame = frame_of_shot();
    const std::optional<int> width = whole_argument(given, "width", 1, largest_picture),
                             height = whole_argument(given, "height", 1, largest_picture);
    if (as == "picture")
      return picture(frame, width.value_or(default_width), height.value_or(default_height));
    if (width || height) throw ToolError{"width and height: found with objects, allowed with picture"};
    if (frame) return frame_result(*seen, static_cast<std::size_t>(*frame));
    ToolResult result;
    result.say(level_text(source->now()) + "\n\n" +
               (seen ? shot_words(*seen) : "A shot is due: call shoot."));
    result.structured = level_json(source->now());
    if (seen) result.structured["last_shot"] = shot_json(*seen);
    result.structured["due"] = seen ? "report" : "shoot";
    return result;
  }

  ToolResult picture(std::optional<int> frame, int width, int height) const {
    const Bitmap drawn = frame ? source->picture_of_frame(static_cast<std::size_t>(*frame), width, height)
                               : source->picture(width, height);
    const Observation& now = source->now();
    ToolResult result;
    result.content.push_back(
        {{"type", "image"}, {"data", to_base64(png_bytes(drawn))}, {"mimeType", "image/png"}});
    result.say((frame ? "Frame " + std::to_string(*frame) + " of the shot" : "The level as it stands") +
               ". The picture shows x from " + shortest(rounded(-now.half_width)) + " to " +
               shortest(rounded(now.half_width)) + "; its lower border lies " +
               shortest(rounded(now.half_width / 10)) +
               " below the ground at y = " + shortest(rounded(now.ground_y)) + ".");
    return result;
  }

  void shoot(const RpcJson& given) {
    if (due == Due::report) throw ToolError{"the report of the last shot is due; call report first"};
    expect_arguments(given, {"angle", "stretch", "tap_time"});
    shot = Shot{.angle = radians(number_argument(given, "angle", -360, 360)),
                .stretch = number_argument(given, "stretch", 0.01, 1, 1),
                .tap_time = number_argument(given, "tap_time", -1, latest_tap_s, -1)};
  }

  void give_report(const RpcJson& given) {
    if (due == Due::shot) throw ToolError{"a shot is due; call shoot first"};
    expect_arguments(given, {"novelty", "description"});
    const Report made{.novelty = number_argument(given, "novelty", 0, 1),
                      .description = text_argument(given, "description", "")};
    try {
      check(made);
    } catch (const AgentFailure& failure) {
      throw ToolError{failure.what()};
    }
    report = made;
  }
};

McpTrial::McpTrial(const std::string& version) : impl_(std::make_unique<Impl>()) { impl_->version = version; }

McpTrial::~McpTrial() = default;

void McpTrial::begin(const Briefing& briefing) { impl_->briefing = briefing; }

std::string McpTrial::shot_due(const ObservationSource& source) {
  impl_->due = Impl::Due::shot;
  impl_->source = &source;
  impl_->seen = nullptr;
  const Observation& now = source.now();
  const std::string level = std::to_string(now.level);
  ToolResult result;
  result.say("The report is taken. " +
             (now.shot == 1 ? "Level " + std::to_string(now.level - 1) + " is over. Level " + level + " of " +
                                  std::to_string(impl_->briefing.levels) + " begins: call look, then shoot."
                            : "Shot " + std::to_string(now.shot) + " of level " + level +
                                  " is due: call look, then shoot."));
  result.structured = {{"due", "shoot"}, {"level", now.level}, {"shot", now.shot}};
  return impl_->late_answer(result);
}

std::string McpTrial::report_due(const SeenShot& seen, const ObservationSource& source) {
  impl_->due = Impl::Due::report;
  impl_->source = &source;
  impl_->seen = &seen;
  ToolResult result;
  result.say(shot_words(seen));
  result.structured = shot_json(seen);
  result.structured["due"] = "report";
  return impl_->late_answer(result);
}

std::string McpTrial::over() {
  impl_->due = Impl::Due::end;
  impl_->source = nullptr;
  impl_->seen = nullptr;
  ToolResult result;
  result.say("The report is taken. The trial is over; there is nothing more to do.");
  result.structured = {{"due", "nothing"}};
  return impl_->late_answer(result);
}

void McpTrial::connected() {
  impl_->protocol.clear();
  impl_->waits = nullptr;
  impl_->batch.reset();
}

std::string McpTrial::answer(const std::string& line) {
  try {
    const RpcJson json = parse_line(line);
    if (json.is_array() && impl_->protocol == with_batches) return impl_->begin_batch(json);
    const RpcJson answer = impl_->answer(json);
    return answer.is_null() ? "" : answer.dump();
  } catch (const RpcError& error) {
    return error_json(nullptr, error).dump();
  }
}

std::optional<Shot> McpTrial::take_shot() { return std::exchange(impl_->shot, std::nullopt); }

std::optional<Report> McpTrial::take_report() { return std::exchange(impl_->report, std::nullopt); }

std::string McpTrial::due() const {
  return impl_->due == Impl::Due::report ? "a report is due" : "a shot is due";
}

std::string mcp_refusal(const std::string& line) {
  RpcJson id = nullptr;
  try {
    if (!needs_answer(rpc_message(parse_line(line), id))) return "";
    throw RpcError{
        trial_is_taken,
        "another connection plays this trial, or did when this one came; once it has ended, connect "
        "again"};
  } catch (const RpcError& error) {
    return error_json(id, error).dump();
  }
}

}  // namespace startle
