#include "app/surprise/surprise_detector.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "levels/files.hpp"
#include "sim/error.hpp"
#include "sim/hash.hpp"
#include "surprise/surprise_score.hpp"

namespace startle {
namespace {

constexpr double moved_distance = 0.01;  // world units, and radians; what stands still moves by less, if at all
constexpr int largest_side = 1024;       // pixels of a picture that an agent may ask for
constexpr double below_ground = 0.05;    // of the world's width: what such a picture shows below the ground (docs/agents.md)
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

std::vector<Clip> clips_of_shot(const SeenShot& seen, const Sight& sight, const ClipFormat& format) {
  const std::optional<std::size_t> motion = first_motion(seen);
  if (!motion) return {};
  const Observation& world = seen.before;
  const View view = clip_view(bird_at(seen, *motion), world.rest, world.ground_y, format);

  // A picture shows the world from edge to edge, and its lower border is always at the same height.
  const double world_width = 2 * world.half_width, bottom = world.ground_y - below_ground * world_width;
  const int width = std::clamp(static_cast<int>(std::lround(world_width * format.pixels / format.view)), 1, largest_side);
  const double scale = width / world_width;  // pixels a unit
  const double left_edge = view.centre.x - 0.5 * format.view + world.half_width, lower_edge = view.centre.y - 0.5 * format.view - bottom;
  const int left = static_cast<int>(std::lround(left_edge * scale)), lower = static_cast<int>(std::lround(lower_edge * scale));
  const int height = std::clamp(lower + format.pixels, 1, largest_side);
  std::map<int, std::vector<std::uint8_t>> cut;  // by frame
  const auto frame_at = [&](int frame) -> const std::vector<std::uint8_t>& {
    std::vector<std::uint8_t>& pixels = cut[frame];
    if (!pixels.empty()) return pixels;
    const Bitmap picture = sight.picture_of_frame(static_cast<std::size_t>(frame), width, height);
    for (int y = 0; y < format.pixels; ++y)
      for (int x = 0; x < format.pixels; ++x) {  // beyond the picture its border goes on: sky and ground
        const int column = std::clamp(left + x, 0, width - 1), row = std::clamp(height - lower - format.pixels + y, 0, height - 1);
        const std::uint8_t* at = picture.rgb.data() + 3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column));
        pixels.insert(pixels.end(), at, at + 3);
      }
    return pixels;
  };

  const int last = static_cast<int>(seen.frames.size()) - 1, first = static_cast<int>(*motion) - format.lead;
  std::vector<Clip> clips;
  for (int k = 0; k < most_clips && (k == 0 || first + k * (format.frames - 1) < last); ++k) {
    Clip clip{.frames = format.frames, .pixels = format.pixels, .rgb = {}, .masks = {}};
    for (int t = 0; t < format.frames; ++t) {
      const std::vector<std::uint8_t>& frame = frame_at(std::clamp(first + k * (format.frames - 1) + t, 0, last));
      clip.rgb.insert(clip.rgb.end(), frame.begin(), frame.end());
    }
    clips.push_back(std::move(clip));
  }
  return clips;
}

double surprise_of_shot(const SeenShot& seen, const Sight& sight, Predictor& model, const ClipFormat& format) {
  const std::vector<Clip> clips = clips_of_shot(seen, sight, format);
  std::vector<const Clip*> pointers;
  for (const Clip& clip : clips) pointers.push_back(&clip);
  const std::vector<Prediction> predictions = model.predict(pointers);
  double largest = 0;
  for (std::size_t i = 0; i < clips.size(); ++i) largest = std::max(largest, clip_score(frame_errors(clips[i], predictions[i]), ClipScore::sum));
  return largest;
}

double SurpriseDetector::likelihood(const SeenShot& seen, const Expectation&, const Sight& sight, Random&) {
  const double surprise = surprise_of_shot(seen, sight, *model_, format_);
  return surprise / (surprise + threshold_);
}

std::string model_hash(const std::filesystem::path& model) {
  std::ifstream file(model, std::ios::binary);
  std::string part(1 << 20, '\0');  // files of predictions are as large as the clips
  Hash hash;
  while (file.read(part.data(), static_cast<std::streamsize>(part.size())) || file.gcount() > 0) hash.add(std::string_view(part.data(), static_cast<std::size_t>(file.gcount())));
  return hexadecimal(hash.value());
}

std::filesystem::path threshold_path(const std::filesystem::path& model) {
  std::filesystem::path path = model;
  return path.replace_extension(".detector.json");
}

std::string threshold_json(const DetectorThreshold& threshold) {
  return nlohmann::ordered_json{{"format", format_name},         {"version", 1},
                                {"program", threshold.program},  {"command", threshold.command},
                                {"model_hash", threshold.model_hash}, {"level_set_hash", threshold.levels_hash},
                                {"false_alarms", threshold.false_alarms}, {"threshold", threshold.threshold},
                                {"trials", threshold.trials}}
             .dump(1) +
         "\n";
}

DetectorThreshold read_threshold(const std::filesystem::path& path, const std::filesystem::path& model) {
  DetectorThreshold threshold;
  try {
    const auto json = nlohmann::json::parse(read_file(path));
    if (json.at("format") != format_name || json.at("version") != 1)
      throw Error(path.string() + ": found format " + json.at("format").dump() + " of version " + json.at("version").dump() + ", needed is " + format_name + ", version 1");
    threshold = {.model_hash = json.at("model_hash"), .threshold = json.at("threshold"), .false_alarms = json.at("false_alarms"), .command = json.at("command"),
                 .program = json.at("program"), .levels_hash = json.at("level_set_hash"), .trials = json.at("trials")};
  } catch (const nlohmann::json::exception& error) {
    throw Error(path.string() + ": this is no threshold of a detector: " + error.what());
  }
  if (!(threshold.threshold > 0)) throw Error(path.string() + ": threshold: found " + std::to_string(threshold.threshold) + ", allowed is over 0");
  if (threshold.model_hash != model_hash(model))
    throw Error(path.string() + ": was found for another model than " + model.string() + "; startle surprise agent-threshold finds one for it");
  return threshold;
}

}  // namespace startle
