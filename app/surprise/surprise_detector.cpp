#include "app/surprise/surprise_detector.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/hash.hpp"
#include "surprise/detection.hpp"
#include "surprise/surprise_score.hpp"

namespace startle {
namespace {

constexpr double moved_distance = 0.01;  // world units, and radians; what stands still moves by less, if at
                                         // all
constexpr int largest_side = 1024;       // pixels of a picture that an agent may ask for
constexpr double below_ground = 0.05;    // of the world's width: what such a picture shows below the ground
                                         // (docs/agent-protocol.md)
constexpr const char* format_name = "startle-detector";

/// The first frame in which an object is not where it was before the shot.
std::optional<std::size_t> first_motion(const SeenShot& seen) {
  for (std::size_t f = 0; f < seen.frames.size(); ++f) {
    std::map<int, Pose> now;
    for (const SeenBody& body : seen.frames[f].bodies) now[body.id] = body.pose;
    for (const SeenObject& object : seen.before.objects) {
      if (object.kind == Kind::platform) continue;
      const auto found = now.find(object.id);
      if (found == now.end() || length(found->second.position - object.pose.position) > moved_distance ||
          std::abs(found->second.angle - object.pose.angle) > moved_distance)
        return f;
    }
  }
  return std::nullopt;
}

/// Where the bird, or what came out of it, was in that frame, or last before.
Vec2 bird_at(const SeenShot& seen, std::size_t frame) {
  for (std::size_t f = frame + 1; f-- > 0;)
    for (const SeenBody& body : seen.frames[f].bodies)
      if (body.id >= seen.first_bird) return body.pose.position;
  return seen.before.rest;
}

}  // namespace

std::vector<Clip> clips_of_shot(const SeenShot& seen, const ObservationSource& source,
                                const ClipFormat& format) {
  const std::optional<std::size_t> motion = first_motion(seen);
  if (!motion) return {};
  const Observation& world = seen.before;
  const View view = clip_view(bird_at(seen, *motion), world.rest, world.ground_y, format);

  // A picture shows the world from edge to edge, and its lower border is always at the same height.
  const double world_width = 2 * world.half_width, bottom = world.ground_y - below_ground * world_width;
  const int width = std::clamp(static_cast<int>(std::lround(world_width * format.pixels / format.view)), 1,
                               largest_side);
  const double scale = width / world_width;  // pixels a unit
  const double left_edge = view.centre.x - 0.5 * format.view + world.half_width,
               lower_edge = view.centre.y - 0.5 * format.view - bottom;
  const int left = static_cast<int>(std::lround(left_edge * scale)),
            lower = static_cast<int>(std::lround(lower_edge * scale));
  const int height = std::clamp(lower + format.pixels, 1, largest_side);
  std::map<int, std::vector<std::uint8_t>> cut;  // by frame
  const auto frame_at = [&](int frame) -> const std::vector<std::uint8_t>& {
    std::vector<std::uint8_t>& pixels = cut[frame];
    if (!pixels.empty()) return pixels;
    const Bitmap picture = source.picture_of_frame(static_cast<std::size_t>(frame), width, height);
    for (int y = 0; y < format.pixels; ++y)
      for (int x = 0; x < format.pixels; ++x) {  // beyond the picture its border goes on: sky and ground
        const int column = std::clamp(left + x, 0, width - 1),
                  row = std::clamp(height - lower - format.pixels + y, 0, height - 1);
        const std::uint8_t* at = picture.rgb.data() +
                                 3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                                      static_cast<std::size_t>(column));
        pixels.insert(pixels.end(), at, at + 3);
      }
    return pixels;
  };

  const int last = static_cast<int>(seen.frames.size()) - 1, first = static_cast<int>(*motion) - format.lead;
  std::vector<Clip> clips;
  for (int k = 0; k < most_clips && (k == 0 || first + k * (format.frames - 1) < last); ++k) {
    Clip clip{.frames = format.frames, .pixels = format.pixels, .rgb = {}, .masks = {}};
    for (int t = 0; t < format.frames; ++t) {
      const std::vector<std::uint8_t>& frame = frame_at(
          std::clamp(first + k * (format.frames - 1) + t, 0, last));
      clip.rgb.insert(clip.rgb.end(), frame.begin(), frame.end());
    }
    clips.push_back(std::move(clip));
  }
  return clips;
}

std::optional<ContextScore> surprise_of_shot(const SeenShot& seen, const ObservationSource& source,
                                             Predictor& model, const ClipFormat& format) {
  const std::vector<Clip> clips = clips_of_shot(seen, source, format);
  if (clips.empty()) return std::nullopt;
  std::vector<const Clip*> pointers;
  for (const Clip& clip : clips) pointers.push_back(&clip);
  const std::vector<Prediction> predictions = model.predict(pointers);
  std::vector<FrameErrors> errors;
  for (std::size_t i = 0; i < clips.size(); ++i) errors.push_back(frame_errors(clips[i], predictions[i]));
  return context_score(errors);
}

double SurpriseDetector::shot_p(const SeenShot& seen, const Expectation&, const ObservationSource& source,
                                Random&) {
  const auto surprise = surprise_of_shot(seen, source, *model_, format_);
  return surprise ? normal_.either(surprise->context, surprise->score) : 1;
}

std::string model_hash(const std::filesystem::path& model) {
  std::ifstream file(model, std::ios::binary);
  std::string part(1 << 20, '\0');  // files of predictions are as large as the clips
  Hash hash;
  while (file.read(part.data(), static_cast<std::streamsize>(part.size())) || file.gcount() > 0)
    hash.add(std::string_view(part.data(), static_cast<std::size_t>(file.gcount())));
  return hexadecimal(hash.value());
}

std::filesystem::path normal_surprise_path(const std::filesystem::path& model) {
  std::filesystem::path path = model;
  return path.replace_extension(".detector.json");
}

std::string normal_surprise_json(const NormalSurprise& normal) {
  nlohmann::ordered_json shots = nlohmann::ordered_json::array();
  for (const ContextScore& shot : normal.shots)
    shots.push_back({{"log_change", shot.context}, {"log_error_over_change", shot.score}});
  return nlohmann::ordered_json{{"format", format_name},
                                {"version", 2},
                                {"program", normal.program},
                                {"command", normal.command},
                                {"model_hash", normal.model_hash},
                                {"level_set_hash", normal.levels_hash},
                                {"normal_shots", shots}}
             .dump() +
         "\n";
}

NormalSurprise read_normal_surprise(const std::filesystem::path& path, const std::filesystem::path& model) {
  NormalSurprise normal;
  try {
    const auto json = nlohmann::json::parse(read_file(path));
    if (json.at("format") != format_name || json.at("version") != 2)
      throw Error(path.string() + ": found format " + json.at("format").dump() + " of version " +
                  json.at("version").dump() + ", needed is " + format_name + ", version 2");
    normal = {.model_hash = json.at("model_hash"),
              .command = json.at("command"),
              .program = json.at("program"),
              .levels_hash = json.at("level_set_hash"),
              .shots = {}};
    for (const auto& shot : json.at("normal_shots"))
      normal.shots.push_back({shot.at("log_change"), shot.at("log_error_over_change")});
  } catch (const nlohmann::json::exception& error) {
    throw Error(path.string() + ": this is no file of startle surprise agent-calibrate: " + error.what());
  }
  if (normal.shots.size() < least_normal_shots)
    throw Error(path.string() + ": normal_shots: found " + std::to_string(normal.shots.size()) +
                ", needed are " + std::to_string(least_normal_shots));
  if (normal.model_hash != model_hash(model))
    throw Error(path.string() + ": was found for another model than " + model.string() +
                "; startle surprise agent-calibrate finds one for it");
  return normal;
}

}  // namespace startle
