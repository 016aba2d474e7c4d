/// \file  Is what is hidden in a PredRNN's memory? A linear probe of h, c and m, by how long the hidden thing
/// has not been seen.
///
///   bench_memory [--clips=200] [--seed=1] MODEL
///
/// Clips of the training world, in which balls roll behind pillars (roll) and still things are covered by
/// curtains (cover): half to fit by, half of another seed to test by. At each pixel of the network's grid
/// that a screen covers wholly, ridge regressions from the states there, of all layers after the frame, to
/// what lies behind: what share of the pixel a thing fills (place), and where it fills half or more of it,
/// its colour. Beside the model the same regression on the states of the network before training, which hold
/// an echo of what was seen, too, and the guess that a hidden thing is where it was seen last. R^2 is over
/// the test clips' frames in which a thing is wholly hidden, by the frames since it was seen (the latest of
/// several), and against their mean: 0 is knowing nothing. "-": fewer than 200 pixels.
#include <ATen/Parallel.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "networks/predrnn_network.hpp"
#include "probes/probe_scene.hpp"

namespace {

using namespace startle;

constexpr std::size_t outputs = 4;  // place, red, green, blue
constexpr int longest = 8;          // frames hidden; more count as so many

/// A grid pixel behind a screen in some frame, as the probe sees it.
struct Covered {
  std::size_t clip = 0;
  int frame = 0, row = 0, column = 0;
  int hidden_for = 0;  ///< frames, of the thing of that frame that was seen the latest; 0: none is wholly
                       ///< hidden
  double place = 0, last_place = 0;
  std::array<double, 3> colour{};  ///< of the thing there, in [0, 1]
};

struct Scenes {
  std::vector<Clip> clips;
  std::vector<Covered> covered;
};

/// What a clip hides: the same scene is drawn without its screens.
void add_scene(const ProbeScene& scene, int patch, Scenes& scenes) {
  ProbeScene bare = scene;
  bare.screens.clear();
  const Clip seen = record(scene), all = record(bare);
  const int n = seen.pixels, grid = n / patch;
  const auto at = [&](int t, int y, int x) { return static_cast<std::size_t>((t * n + y) * n + x); };
  const std::size_t things = scene.things.size();
  std::vector<int> last_seen(things, -1);
  for (int t = 0; t < seen.frames - 1; ++t) {
    std::vector<int> shown(things, 0), there(things, 0);
    for (int i = 0; i < n * n; ++i)
      for (std::size_t k = 0; k < things; ++k) {
        shown[k] += seen.masks[at(t, 0, 0) + static_cast<std::size_t>(i)] == k + 2;
        there[k] += all.masks[at(t, 0, 0) + static_cast<std::size_t>(i)] == k + 2;
      }
    int hidden_for = 0;
    for (std::size_t k = 0; k < things; ++k) {
      if (shown[k] > 0)
        last_seen[k] = t;
      else if (there[k] > 0 && last_seen[k] >= 0)
        hidden_for = hidden_for == 0 ? t - last_seen[k] : std::min(hidden_for, t - last_seen[k]);
    }
    if (hidden_for == 0) continue;
    for (int row = 0; row < grid; ++row)
      for (int column = 0; column < grid; ++column) {
        Covered pixel{.clip = scenes.clips.size(),
                      .frame = t,
                      .row = row,
                      .column = column,
                      .hidden_for = std::min(hidden_for, longest)};
        bool screened = true;
        double filled = 0;
        for (int y = row * patch; y < (row + 1) * patch; ++y)
          for (int x = column * patch; x < (column + 1) * patch; ++x) {
            screened = screened && seen.masks[at(t, y, x)] >= screen_mask;
            if (const int id = all.masks[at(t, y, x)]; id >= 2) {
              filled += 1;
              for (std::size_t c = 0; c < 3; ++c) pixel.colour[c] += all.rgb[3 * at(t, y, x) + c] / 255.0;
            }
            for (std::size_t k = 0; k < things; ++k)
              if (last_seen[k] >= 0 && all.masks[at(last_seen[k], y, x)] == k + 2) pixel.last_place += 1;
          }
        if (!screened) continue;
        for (double& value : pixel.colour) value /= std::max(1.0, filled);
        pixel.place = filled / (patch * patch);
        pixel.last_place /= patch * patch;
        scenes.covered.push_back(pixel);
      }
  }
  scenes.clips.push_back(seen);
}

Scenes make_scenes(const std::string& kind, std::size_t count, std::uint64_t seed, int patch) {
  Scenes scenes;
  for (std::uint64_t number = 0; scenes.clips.size() < count; ++number) {
    Random random(stream_seed(seed, "bench/memory/" + kind, number));
    add_scene(freeform_scene(kind, random), patch, scenes);
  }
  return scenes;
}

/// States at the covered pixels, one a row, with a 1 at the end.
Eigen::MatrixXf features(const PredRnnNetwork& network, const Scenes& scenes) {
  constexpr std::size_t at_once = 16;
  const ModelConfig& config = network.config();
  const std::int64_t size = config.layers * 3 * config.channels;
  Eigen::MatrixXf result(static_cast<Eigen::Index>(scenes.covered.size()), size + 1);
  auto next = scenes.covered.begin();
  for (std::size_t first = 0; first < scenes.clips.size(); first += at_once) {
    std::vector<const Clip*> clips;
    for (std::size_t i = first; i < std::min(first + at_once, scenes.clips.size()); ++i)
      clips.push_back(&scenes.clips[i]);
    std::vector<at::Tensor> memory;
    network.forward(to_patches(stack_clips(clips, config.clips), config.patch), Precision::float32, {},
                    &memory);
    for (at::Tensor& step : memory) step = step.permute({0, 2, 3, 1}).contiguous();
    for (; next != scenes.covered.end() && next->clip < first + clips.size(); ++next) {
      const at::Tensor& step = memory[static_cast<std::size_t>(next->frame)];
      const std::int64_t grid = step.size(1),
                         place = ((static_cast<std::int64_t>(next->clip - first) * grid + next->row) * grid +
                                  next->column) *
                                 size;
      const auto row = next - scenes.covered.begin();
      result.row(row).head(size) = Eigen::Map<const Eigen::RowVectorXf>(step.data_ptr<float>() + place, size);
      result(row, size) = 1;
    }
  }
  return result;
}

bool counts(const Covered& pixel, std::size_t output) { return output == 0 || pixel.place >= 0.5; }
double target(const Covered& pixel, std::size_t output) {
  return output == 0 ? pixel.place : pixel.colour[output - 1];
}

/// Weights of the ridge regression to that output; each feature is penalised by a thousandth of its mean
/// square.
Eigen::VectorXd fit(const Eigen::MatrixXf& x, const Scenes& scenes, std::size_t output) {
  constexpr Eigen::Index block = 4096;
  Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(x.cols(), x.cols());
  Eigen::VectorXd products = Eigen::VectorXd::Zero(x.cols());
  for (Eigen::Index from = 0; from < x.rows();) {
    Eigen::MatrixXd part(block, x.cols());
    Eigen::VectorXd y(block);
    Eigen::Index rows = 0;
    for (; from < x.rows() && rows < block; ++from) {
      const Covered& pixel = scenes.covered[static_cast<std::size_t>(from)];
      if (!counts(pixel, output)) continue;
      part.row(rows) = x.row(from).cast<double>();
      y[rows++] = target(pixel, output);
    }
    squares.selfadjointView<Eigen::Lower>().rankUpdate(part.topRows(rows).transpose());
    products += part.topRows(rows).transpose() * y.head(rows);
  }
  squares.diagonal() *= 1.001;
  squares.diagonal().array() += 1e-6;
  return squares.selfadjointView<Eigen::Lower>().ldlt().solve(products);
}

/// Squared errors and squared distances from the mean.
struct Fit {
  double count = 0, sum = 0, squares = 0, errors = 0;
  void add(double truth, double guess) {
    count += 1;
    sum += truth;
    squares += truth * truth;
    errors += (truth - guess) * (truth - guess);
  }
  double r2() const { return 1 - errors / std::max(1e-12, squares - sum * sum / count); }
};

using ByAge = std::map<int, std::array<Fit, outputs>>;

ByAge probed(const PredRnnNetwork& network, const Scenes& known, const Scenes& test) {
  const Eigen::MatrixXf x = features(network, known), x_test = features(network, test);
  ByAge result;
  for (std::size_t output = 0; output < outputs; ++output) {
    const Eigen::VectorXf guess = x_test * fit(x, known, output).cast<float>();
    for (std::size_t i = 0; i < test.covered.size(); ++i)
      if (const Covered& pixel = test.covered[i]; counts(pixel, output))
        result[pixel.hidden_for][output].add(target(pixel, output), guess[static_cast<Eigen::Index>(i)]);
  }
  return result;
}

/// Three digits; "-" where too little was hidden to say.
std::string text(double r2, const Fit& of) {
  constexpr double fewest = 200;
  if (of.count < fewest) return "-";
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.3f", r2);
  return digits;
}
std::string place_text(const Fit& place) { return text(place.r2(), place); }
std::string colour_text(const std::array<Fit, outputs>& fits) {
  return text((fits[1].r2() + fits[2].r2() + fits[3].r2()) / 3, fits[1]);
}

void print_tables(const std::string& path, std::size_t clips, std::uint64_t seed) {
  const std::unique_ptr<LearnedNetwork> loaded = network_of(read_tensors(path), path, at::kCPU);
  const auto* trained = dynamic_cast<const PredRnnNetwork*>(loaded.get());
  if (!trained || trained->config().masks || !(trained->config().clips == probe_format()))
    throw Error(path + ": needed is a model of network predrnn on frames, of clips of the world of probes");
  const PredRnnNetwork untrained(trained->config(), seed, at::kCPU);
  for (const char* kind : {"roll", "cover"}) {
    const Scenes known = make_scenes(kind, clips, 2 * seed, trained->config().patch),
                 test = make_scenes(kind, clips, 2 * seed + 1, trained->config().patch);
    if (known.covered.empty() || test.covered.empty())
      throw Error("--clips: found " + std::to_string(clips) +
                  ", in which nothing is hidden; needed are more");
    ByAge of_trained = probed(*trained, known, test), of_untrained = probed(untrained, known, test);
    std::map<int, Fit> last;
    for (const Covered& pixel : test.covered) last[pixel.hidden_for].add(pixel.place, pixel.last_place);
    std::printf(
        "%s, R^2 over %zu clips\n| frames hidden | grid pixels | place, model | untrained | last seen | "
        "colour, model | untrained |\n|---|---|---|---|---|---|---|\n",
        kind, clips);
    for (const auto& [age, fits] : of_trained)
      std::printf("| %d%s | %.0f | %s | %s | %s | %s | %s |\n", age, age == longest ? " and more" : "",
                  fits[0].count, place_text(fits[0]).c_str(), place_text(of_untrained[age][0]).c_str(),
                  place_text(last[age]).c_str(), colour_text(fits).c_str(),
                  colour_text(of_untrained[age]).c_str());
    std::printf("\n");
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t clips = 200;
  std::uint64_t seed = 1;
  std::string model;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument.rfind("--clips=", 0) == 0)
      clips = std::strtoull(argument.c_str() + 8, nullptr, 10);
    else if (argument.rfind("--seed=", 0) == 0)
      seed = std::strtoull(argument.c_str() + 7, nullptr, 10);
    else
      model = argument;
  }
  if (model.empty() || clips < 1) {
    std::fprintf(stderr, "bench_memory [--clips=200] [--seed=1] MODEL\n");
    return 2;
  }
  const torch::NoGradGuard no_gradients;
  at::set_num_threads(1);
  try {
    print_tables(model, clips, seed);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_memory: %s\n", error.what());
    return 2;
  }
  return 0;
}
