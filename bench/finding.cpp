/// \file  How well a slot network finds the things in frames, against the masks that it never sees.
///
///   startle surprise dataset --scenes probes --masks --count 200 --seed 6 --split test --out test.h5
///   bench_finding --data=test.h5 [--picture=FILE.svg] MODEL
///
/// MODEL is one of network slot, or of network object that holds one; beside it the same network before
/// training. Of each clip every third frame:
///   ARI     adjusted Rand index of the pixels, things found against things given, background included;
///           "of things": over the pixels of given things, of frames with two or more
///   found   of the given things of 12 pixels or more, how many some thing found covers with an intersection
///           of at least half of the union
///   astray  things found, a frame, that are so for no given thing
///   ms      processor time of a frame
/// Wall and floor are one background. The picture shows the middle frame of the first 48 clips, and below
/// each what is found in it. Pixels of one colour that hang together are one thing to it; given things of one
/// colour that touch, as pillars that overlap, are counted apart all the same.
#include <ATen/Parallel.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/base64.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "render/png.hpp"
#include "render/svg.hpp"
#include "statistics/adjusted_rand_index.hpp"
#include "surprise/dataset.hpp"
#include "surprise/networks/slot_network.hpp"

namespace {

using namespace startle;

constexpr int every = 3;             // frames of a clip
constexpr double least_pixels = 12;  // of a given thing that is asked for

struct Sums {
  double frames = 0, ari = 0, frames_of_several = 0, ari_of_things = 0, given = 0, found = 0, astray = 0,
         seconds = 0;
};

void add_frame(std::vector<std::uint8_t> given, const std::vector<std::uint8_t>& found, Sums& sums) {
  for (std::uint8_t& id : given) id = id < 2 ? 0 : id;  // wall and floor, or sky and ground
  std::vector<std::uint8_t> given_things, found_there;
  std::array<double, 256> of_given{}, of_found{};
  std::map<std::pair<int, int>, double> both;
  for (std::size_t i = 0; i < given.size(); ++i) {
    of_given[given[i]] += 1;
    of_found[found[i]] += 1;
    both[{given[i], found[i]}] += 1;
    if (given[i] < 2) continue;
    given_things.push_back(given[i]);
    found_there.push_back(found[i]);
  }
  std::array<bool, 256> is_found{}, is_a_thing{};
  for (const auto& [ids, count] : both) {
    const auto g = static_cast<std::size_t>(ids.first), f = static_cast<std::size_t>(ids.second);
    if (g >= 2 && f >= 2 && 2 * count >= of_given[g] + of_found[f] - count)
      is_found[g] = is_a_thing[f] = true;
  }
  sums.frames += 1;
  sums.ari += adjusted_rand_index(given, found);
  if (std::set<std::uint8_t>(given_things.begin(), given_things.end()).size() > 1) {
    sums.frames_of_several += 1;
    sums.ari_of_things += adjusted_rand_index(given_things, found_there);
  }
  for (std::size_t id = 2; id < 256; ++id) {
    if (of_given[id] >= least_pixels) {
      sums.given += 1;
      sums.found += is_found[id] ? 1 : 0;
    }
    if (of_found[id] > 0 && !is_a_thing[id]) sums.astray += 1;
  }
}

/// By the kind of scene, and over all as "all".
std::map<std::string, Sums> found_by(const SlotNetwork& network, const ClipReader& reader) {
  std::map<std::string, Sums> sums;
  for (std::size_t index = 0; index < reader.size(); ++index) {
    const Clip clip = reader.read({index}, true).front();
    const auto side = static_cast<std::int64_t>(clip.pixels);
    const at::Tensor frames = at::from_blob(const_cast<std::uint8_t*>(clip.rgb.data()),
                                            {clip.frames, side, side, 3}, at::kByte)
                                  .slice(0, 0, clip.frames, every)
                                  .contiguous();
    const std::clock_t begin = std::clock();
    const at::Tensor things = network.things(frames);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    const std::string& kind = reader.origin(index).family;
    for (const std::string& row : {kind, std::string("all")}) sums[row].seconds += seconds;
    for (std::int64_t i = 0; i < things.size(0); ++i) {
      const std::uint8_t *given = clip.masks.data() + i * every * side * side,
                         *found = things[i].data_ptr<std::uint8_t>();
      for (const std::string& row : {kind, std::string("all")})
        add_frame({given, given + side * side}, {found, found + side * side}, sums[row]);
    }
  }
  return sums;
}

void write_picture(const SlotNetwork& network, const ClipReader& reader, const std::string& path) {
  constexpr std::size_t columns = 16, most = 48;
  constexpr std::array<std::array<std::uint8_t, 3>, 8> colours{{{214, 39, 40},
                                                                {31, 119, 180},
                                                                {44, 160, 44},
                                                                {255, 193, 7},
                                                                {148, 103, 189},
                                                                {23, 190, 207},
                                                                {227, 119, 194},
                                                                {255, 127, 14}}};
  const std::size_t side = static_cast<std::size_t>(reader.info().format.pixels),
                    shown = std::min(most, reader.size()), gap = 2;
  Bitmap picture(static_cast<int>(columns * (side + gap)),
                 static_cast<int>((shown + columns - 1) / columns * 2 * (side + gap)));
  const auto draw = [&](std::size_t column, std::size_t row, const auto& colour_at) {
    for (std::size_t i = 0; i < side * side; ++i)
      for (std::size_t c = 0; c < 3; ++c)
        picture.rgb[((row * (side + gap) + i / side) * static_cast<std::size_t>(picture.width) +
                     column * (side + gap) + i % side) *
                        3 +
                    c] = colour_at(i, c);
  };
  for (std::size_t index = 0; index < shown; ++index) {
    const Clip clip = reader.read({index}).front();
    const std::uint8_t* frame = clip.frame(clip.frames / 2);
    const auto n = static_cast<std::int64_t>(side);
    const at::Tensor things = network.things(
        at::from_blob(const_cast<std::uint8_t*>(frame), {1, n, n, 3}, at::kByte).clone());
    const std::uint8_t* ids = things.data_ptr<std::uint8_t>();
    draw(index % columns, index / columns * 2,
         [&](std::size_t i, std::size_t c) { return frame[3 * i + c]; });
    draw(index % columns, index / columns * 2 + 1, [&](std::size_t i, std::size_t c) {
      return ids[i] < 2 ? std::uint8_t{240} : colours[(ids[i] - 2U) % colours.size()][c];
    });
  }
  constexpr int left = 56;
  std::ostringstream svg;
  svg << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" << left + picture.width << ' '
      << picture.height << R"("><image x=")" << left << R"(" y="0" width=")" << picture.width
      << R"(" height=")" << picture.height << R"(" href="data:image/png;base64,)"
      << to_base64(png_bytes(picture)) << R"("/><g font-family=")" << svg_font
      << R"(" font-size="14" text-anchor="end">)";
  const int rows = picture.height / static_cast<int>(side + gap);
  for (int row = 0; row < rows; ++row)
    svg << R"(<text x=")" << left - 8 << R"(" y=")"
        << row * static_cast<int>(side + gap) + static_cast<int>(side) / 2 + 5 << R"(">)"
        << (row % 2 == 0 ? "frame" : "found") << "</text>";
  svg << "</g></svg>\n";
  write_file(path, svg.str());
}

void print_row(const std::string& name, const Sums& s) {
  std::printf("| %s | %.3f | %.3f | %.3f | %.3f | %.1f |\n", name.c_str(), s.ari / s.frames,
              s.ari_of_things / s.frames_of_several, s.found / s.given, s.astray / s.frames,
              1000 * s.seconds / s.frames);
}

}  // namespace

int main(int count, char** arguments) {
  std::string data, model, picture;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument.rfind("--data=", 0) == 0)
      data = argument.substr(7);
    else if (argument.rfind("--picture=", 0) == 0)
      picture = argument.substr(10);
    else
      model = argument;
  }
  if (model.empty() || data.empty()) {
    std::fprintf(stderr, "bench_finding --data=FILE [--picture=FILE.svg] MODEL\n");
    return 2;
  }
  const torch::NoGradGuard no_gradients;
  at::set_num_threads(1);
  try {
    const std::shared_ptr<const LearnedNetwork> network = network_of(read_tensors(model), model, at::kCPU);
    const auto slots = std::dynamic_pointer_cast<const SlotNetwork>(network->masks() ? network->masks()
                                                                                     : network);
    if (!slots)
      throw Error(model + ": found a model of network " + name(network->config().network) +
                  ", needed is one of network slot, or that holds one");
    const ClipReader reader(data);
    if (!picture.empty()) write_picture(*slots, reader, picture);
    std::printf(
        "| | ARI | ARI of things | found | astray a frame | ms a frame |\n|---|---|---|---|---|---|\n");
    for (const auto& [kind, sums] : found_by(*slots, reader)) print_row(kind, sums);
    print_row("all, untrained", found_by(SlotNetwork(slots->config(), 1, at::kCPU), reader).at("all"));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_finding: %s\n", error.what());
    return 2;
  }
  return 0;
}
