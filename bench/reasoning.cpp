/// \file  Time of the reasoning against the number of objects, the number of targets being the same. Aim: no
/// faster than n log n from 10 to 300.
///
/// Two storeys of a house and two posts (10 objects) stand in reach; further houses of eight objects stand
/// where no bird comes. One bird: one state is looked at. Processor time of one thread, the least of many
/// runs.
///
/// Usage: bench_reasoning [PLOT.svg]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/files.hpp"
#include "difficulty/difficulty.hpp"
#include "render/plot_svg.hpp"

using namespace startle;

namespace {

constexpr double ground = -3.5;
constexpr double first_in_reach = -2, first_out_of_reach = 120, apart = 2.6;  // world units

double add(Level& level, Kind kind, const char* type, Material material, double x, double bottom,
           double turn = 0) {
  const Bounds box = bounds(transformed(*profile()->find(kind, type, material)->shape, {{}, radians(turn)}));
  level.objects.push_back({.kind = kind,
                           .type = type,
                           .material = material,
                           .position = {x, bottom - box.ymin},
                           .rotation_deg = turn});
  return bottom + box.height();
}

void add_house(Level& level, double x) {
  double floor = ground;
  add(level, Kind::pig, "BasicSmall", Material::none, x, floor);
  for (Material material : {Material::wood, Material::stone}) {
    add(level, Kind::block, "RectSmall", material, x - 0.6, floor, 90);
    const double top = add(level, Kind::block, "RectSmall", material, x + 0.6, floor, 90);
    floor = add(level, Kind::block, "RectMedium", material, x, top);
  }
  add(level, Kind::block, "SquareHole", Material::stone, x, floor);
}

Scene scene_of(std::size_t objects) {
  Level level;
  level.birds = {"BirdRed"};
  add_house(level, first_in_reach);
  for (double x : {first_in_reach + apart, first_in_reach + 1.5 * apart})
    add(level, Kind::block, "RectSmall", Material::wood, x, ground, 90);
  for (double x = first_out_of_reach; level.objects.size() + 8 <= objects; x += apart) add_house(level, x);
  level.width = 40;  // landscapes
  return make_scene(level, profile());
}

double milliseconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

double least_time(const Scene& scene, Method method) {
  const Novelty& novelty = find_novelty("T2");
  double least = 1e9;
  for (int run = 0; run < 100; ++run) {
    const double before = milliseconds();
    if (compute_difficulty(scene, novelty, {.method = method}).interactions.size() != 1)
      throw Error("bench: one state is to be looked at");
    least = std::min(least, milliseconds() - before);
  }
  return least;
}

}  // namespace

int main(int count, char** arguments) try {
  std::vector<PointSeries> series{
      {"published", "#1f77b4", {}}, {"extended", "#d62728", {}}, {"n log n from 10 objects", "#999999", {}}};
  std::printf("%8s %8s %14s %14s\n", "objects", "targets", "published, ms", "extended, ms");
  for (std::size_t n : {10U, 18U, 42U, 82U, 154U, 226U, 298U}) {
    const Scene scene = scene_of(n);
    if (scene.objects.size() != n)
      throw Error("bench: the level must have " + std::to_string(n) + " objects");
    const auto targets = compute_difficulty(scene, find_novelty("T2")).interactions.front().counts.targets;
    const double published = least_time(scene, Method::published),
                 extended = least_time(scene, Method::extended), x = static_cast<double>(n);
    std::printf("%8zu %8d %14.3f %14.3f\n", n, targets, published, extended);
    series[0].points.push_back({x, published});
    series[1].points.push_back({x, extended});
    series[2].points.push_back({x, series[1].points.front().y * x * std::log(x) / (10 * std::log(10.0))});
  }
  if (count > 1) {
    const double most = 1.1 * std::max(series[0].points.back().y, series[1].points.back().y);
    write_file(arguments[1],
               plot_svg(LinePlot{.frame = {.title = "Reasoning about one state, the same targets",
                                           .x_label = "objects",
                                           .y_label = "ms",
                                           .width = 520,
                                           .height = 300},
                                 .x_low = 0,
                                 .x_high = 300,
                                 .y_low = 0,
                                 .y_high = most,
                                 .series = series,
                                 .lines = {}}));
  }
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "bench_reasoning: %s\n", error.what());
  return 2;
}
