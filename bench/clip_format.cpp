// Which clips show most of a novelty? The same shots in the normal and the novel world, cut to clips of
// several formats: where twins differ in no pixel, no model can say them apart, so this is the ceiling of all
// of them.
//
//   bench_clip_format [levels per novelty and tier, default 6 [folder of the level sets, default
//   levels/benchmark]]
//
// Two shots a level: at the best target of the reasoning, and at a target drawn at random. Prints, per format
// and novelty, the share of twins that differ visibly (some frame whose squared difference, values in [0, 1]
// summed over pixels and channels, is more than `visible`), and the mean over twins of the squared difference
// summed over the clip. "in the world" is the share of twins in which a novel object goes another way at any
// time and place (simulated/twin.hpp), "change" the mean squared change from frame to frame.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "difficulty/difficulty.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"
#include "surprise/clip.hpp"

namespace {

using namespace startle;

constexpr double visible = 1;

struct Variant {
  std::string name;
  ClipFormat format;
  Vec2 shift = {};  ///< of the view
};

std::vector<Variant> variants() {
  std::vector<Variant> all{{"default", {}}};
  for (const int stride : {2, 4, 5, 6, 8, 10})
    all.push_back({"stride " + std::to_string(stride), {.stride = stride}});
  for (const int lead : {1, 2, 3, 4}) all.push_back({"lead " + std::to_string(lead), {.lead = lead}});
  for (const double view : {3.5, 4.6, 6.0, 8.0}) {
    char name[32];
    std::snprintf(name, sizeof name, "view %.1f", view);
    all.push_back({name, {.view = view}});
  }
  all.push_back({"view 9.2, 128 pixels", {.pixels = 128, .view = 9.2}});
  all.push_back({"left by 0.7", {}, {-0.7, 0}});
  all.push_back({"right by 0.7", {}, {0.7, 0}});
  all.push_back({"up by 0.7", {}, {0, 0.7}});
  return all;
}

struct Difference {
  double sum = 0, largest = 0, change = 0;
};

double squared_difference(const std::uint8_t* a, const std::uint8_t* b, std::size_t count) {
  long long sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return static_cast<double>(sum) / (255.0 * 255.0);
}

Difference twin_difference(const Scene& normal, const Scene& novel, const Shot& shot,
                           const Variant& variant) {
  ShotClip seen = make_clip(normal, shot, variant.format);
  if (!(variant.shift == Vec2{})) {
    seen.cut.view.centre = seen.cut.view.centre + variant.shift;
    seen = make_clip(normal, shot, variant.format, seen.cut);
  }
  const ShotClip twin = make_clip(novel, shot, variant.format, seen.cut);
  Difference difference;
  for (int t = 0; t < variant.format.frames; ++t) {
    const double d = squared_difference(seen.clip.frame(t), twin.clip.frame(t), seen.clip.frame_size());
    difference.sum += d;
    difference.largest = std::max(difference.largest, d);
    if (t > 0)
      difference.change += squared_difference(seen.clip.frame(t), seen.clip.frame(t - 1),
                                              seen.clip.frame_size()) /
                           (variant.format.frames - 1);
  }
  return difference;
}

struct Twin {
  const Novelty* novelty = nullptr;
  bool in_world = false;
  std::vector<Difference> seen;  ///< per variant
};

std::vector<Twin> twins_of(const std::filesystem::path& file, const Novelty& novelty,
                           const std::vector<Variant>& formats, std::uint64_t index) {
  const Scene normal = settle(make_scene(read_level(file), profile()));
  const Scene novel = novel_twin(normal, novelty);
  const Interaction first =
      compute_difficulty(normal, novelty, {.method = Method::published}).interactions.at(0);
  if (!first.best) return {};
  Random random(stream_seed(1, "bench/clip_format", index));
  const Target& best = first.targets[*first.best].target;
  const Target& other = random.choice(first.targets).target;
  std::vector<Twin> twins;
  for (const Shot& shot : {best.trajectories.front().shot, random.choice(other.trajectories).shot}) {
    Twin twin{
        .novelty = &novelty,
        .in_world = !visibly_different_objects(normal, novel, fly_normal(normal, shot), {}, true).empty(),
        .seen = {}};
    for (const Variant& variant : formats) twin.seen.push_back(twin_difference(normal, novel, shot, variant));
    twins.push_back(std::move(twin));
  }
  return twins;
}

int run(std::size_t per_cell, const std::filesystem::path& folder) {
  const std::vector<Variant> formats = variants();
  std::vector<std::pair<std::filesystem::path, const Novelty*>> jobs;
  std::vector<const Novelty*> novelties;
  for (const Novelty& novelty : novelty_catalogue()) {
    if (!std::filesystem::is_directory(folder / novelty.name)) continue;
    novelties.push_back(&novelty);
    for (const char* tier : {"easy", "medium", "hard"}) {
      const auto files = find_level_files({folder / novelty.name / tier});
      for (std::size_t i = 0; i < std::min(per_cell, files.size()); ++i) jobs.push_back({files[i], &novelty});
    }
  }
  std::vector<std::vector<Twin>> done(jobs.size());
  parallel_for(jobs.size(), 0,
               [&](std::size_t i) { done[i] = twins_of(jobs[i].first, *jobs[i].second, formats, i); });

  std::vector<Twin> twins;
  for (const auto& of_level : done) twins.insert(twins.end(), of_level.begin(), of_level.end());
  const auto row = [&](const std::string& name, const char* pattern, const auto& value) {
    std::printf("| %s |", name.c_str());
    double all = 0;
    for (const Novelty* novelty : novelties) {
      double sum = 0, count = 0;
      for (const Twin& twin : twins) {
        if (twin.novelty != novelty) continue;
        sum += value(twin);
        ++count;
      }
      all += sum / count;
      std::printf(pattern, sum / count);
    }
    std::printf(pattern, all / static_cast<double>(novelties.size()));
    std::printf("\n");
  };
  const auto head = [&](const char* what) {
    std::printf("\n%s, %zu twins\n\n| |", what, twins.size());
    for (const Novelty* novelty : novelties) std::printf(" %s |", novelty->name.c_str());
    std::printf(" mean |\n|---|");
    for (std::size_t i = 0; i <= novelties.size(); ++i) std::printf("---|");
    std::printf("\n");
  };
  head("Share of twins that differ visibly");
  row("in the world", " %.2f |", [](const Twin& twin) { return twin.in_world ? 1.0 : 0.0; });
  for (std::size_t v = 0; v < formats.size(); ++v)
    row(formats[v].name, " %.2f |",
        [v](const Twin& twin) { return twin.seen[v].largest > visible ? 1.0 : 0.0; });
  head("Squared difference of a clip");
  for (std::size_t v = 0; v < formats.size(); ++v)
    row(formats[v].name, " %.0f |", [v](const Twin& twin) { return twin.seen[v].sum; });
  head("Change from frame to frame");
  for (std::size_t v = 0; v < formats.size(); ++v)
    row(formats[v].name, " %.1f |", [v](const Twin& twin) { return twin.seen[v].change; });
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(count > 1 ? static_cast<std::size_t>(std::atoi(arguments[1])) : 6,
               count > 2 ? arguments[2] : "levels/benchmark");
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
