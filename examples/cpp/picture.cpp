// Draws a level as SVG, with the objects that a novelty changes outlined, and the middle of a shot as PNG.
//
//   picture LEVEL NOVELTY OUT          writes OUT.svg and OUT.png
#include <cstdio>
#include <exception>
#include <fstream>
#include <startle/level.hpp>
#include <startle/novelty.hpp>
#include <startle/render.hpp>
#include <startle/world.hpp>
#include <string>

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::fprintf(stderr, "usage: picture LEVEL NOVELTY OUT\n");
    return 2;
  }
  const std::string out = argv[3];
  const startle::StoredLevel level = startle::read_level(argv[1]);
  const startle::Scene scene = startle::settle(startle::make_scene(level, startle::profile()));
  const startle::Scene novel = startle::novel_twin(scene, startle::find_novelty(argv[2], level));

  startle::SceneMarks marks;
  for (std::size_t i = 0; i < novel.objects.size(); ++i)
    if (novel.objects[i].novel) marks.impacted.push_back(i);
  std::ofstream(out + ".svg") << startle::scene_svg(scene, {.title = level.name, .marks = marks});

  const startle::Trace trace = startle::run_shot(novel, {.angle = startle::radians(25)},
                                                 {.record_every = 5, .record_events = true})
                                   .trace;
  startle::Bitmap picture(800, 400);
  startle::FramePainter(novel, trace, startle::Style::people)
      .paint(trace.frames[trace.frames.size() / 2], startle::whole_view(novel, trace, 800, 400), picture);
  std::ofstream(out + ".png", std::ios::binary) << startle::png_bytes(picture);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
