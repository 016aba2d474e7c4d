// Milliseconds a frame of the play screen with 60 objects, 1280 x 720, plain and with each overlay, and of
// the twin view.
//
//   xvfb-run -a -s "-screen 0 1600x1000x24" env LIBGL_ALWAYS_SOFTWARE=1 bench_viewer
//
// plain: the level stands. shot: a shot runs through it, simulated while it is shown. The others: that
// overlay alone; all: all of them, but the surprise of a model. CPU is that of all threads: the software
// renderer has its own. Ratios to `plain` of the same run are what counts; `fps` is for the 60 frames a
// second that a display asks for.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "core/files.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"
#include "viewer/display.hpp"
#include "viewer/screen.hpp"
#include "viewer/screens/play_screen.hpp"
#include "viewer/screens/twin_screen.hpp"

namespace {

using namespace startle;
using K = sf::Keyboard;

/// 60 objects: twelve columns of four blocks and a pig.
Level sixty() {
  const auto constants = profile();
  Level level{
      .name = "sixty", .width = 2, .slingshot = {-8, -2.5}, .birds = {"BirdRed", "BirdRed", "BirdRed"}};
  const auto put = [&](Kind kind, const std::string& type, Material material, double x, double& top) {
    const Bounds box = bounds(*constants->find(kind, type, material)->shape);
    level.objects.push_back(
        {.kind = kind, .type = type, .material = material, .position = {x, top - box.ymin}});
    top += box.height();
  };
  for (int column = 0; column < 12; ++column) {
    double top = constants->ground_y;
    for (int i = 0; i < 4; ++i)
      put(Kind::block, "RectFat",
          i % 3 == 0   ? Material::wood
          : i % 3 == 1 ? Material::ice
                       : Material::stone,
          column - 3.0, top);
    put(Kind::pig, "BasicSmall", Material::none, column - 3.0, top);
  }
  return level;
}

std::filesystem::path level_file() {
  static const std::filesystem::path path = [] {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "bench-viewer-sixty.json";
    write_level({sixty(), {}}, file);
    return file;
  }();
  return path;
}

sf::Event pressed(K::Key key) {
  sf::Event event{};
  event.type = sf::Event::KeyPressed;
  event.key.code = key;
  return event;
}

void run(benchmark::State& state, const std::vector<K::Key>& keys, bool flying) {
  ViewerOptions options;
  options.paths = {level_file()};
  Viewer viewer(options);
  viewer.window().setFramerateLimit(0);
  auto made = std::make_unique<PlayScreen>(viewer, std::vector<PlayItem>{{level_file(), "T1"}}, 0);
  PlayScreen& screen = *made;
  viewer.open(std::move(made));
  for (const K::Key key : keys) screen.handle(pressed(key));
  // Textures, the landscape and what overlays say are made beside the first frames.
  for (int i = 0; i < 60; ++i) viewer.frame();
  for (auto _ : state) {
    if (flying && screen.title().find("shot") == std::string::npos) {
      state.PauseTiming();
      screen.handle(pressed(K::R));
      screen.handle(pressed(K::Up));
      screen.handle(pressed(K::Space));
      state.ResumeTiming();
    }
    viewer.frame();
  }
  state.counters["fps"] = benchmark::Counter(static_cast<double>(state.iterations()),
                                             benchmark::Counter::kIsRate);
}

void plain(benchmark::State& state) { run(state, {}, false); }
BENCHMARK(plain)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
void shot(benchmark::State& state) { run(state, {}, true); }
BENCHMARK(shot)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);

void overlay(benchmark::State& state, std::vector<K::Key> keys) { run(state, keys, false); }
BENCHMARK_CAPTURE(overlay, targets, {K::F2})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(overlay, support, {K::F3})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(overlay, influence, {K::F4, K::Tab})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(overlay, cases, {K::F5})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(overlay, detectability, {K::F6})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(overlay, arithmetic, {K::F7})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(overlay, all, {K::F2, K::F3, K::F4, K::F5, K::F6, K::F7, K::Tab})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void twins(benchmark::State& state) {
  ViewerOptions options;
  options.paths = {level_file()};
  Viewer viewer(options);
  viewer.window().setFramerateLimit(0);
  auto made = std::make_unique<TwinScreen>(viewer, sixty(), settle(make_scene(sixty(), profile())), "T1",
                                           Shot{.angle = radians(20)});
  TwinScreen& screen = *made;
  viewer.open(std::move(made));
  while (screen.title().find("apart") == std::string::npos) viewer.frame();
  for (auto _ : state) {
    viewer.frame();
  }
  state.counters["fps"] = benchmark::Counter(static_cast<double>(state.iterations()),
                                             benchmark::Counter::kIsRate);
}
BENCHMARK(twins)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  startle::require_display("bench_viewer", "xvfb-run gives it one that nobody sees");
  benchmark::RunSpecifiedBenchmarks();
}
