/// \file  A step of training: where its time goes, and (with --step) what bench/training_reference.py holds
/// plain PyTorch against.
///
///   bench_training [--channels=32] [--threads=1] [--batch=8] [--steps=6] [--step]
///
/// Times are processor times of all threads, the least of the steps. With --step that of a step as the
/// trainer takes it. Without, a table of forms of the same sums, forward and backward, run by turns in one
/// process, with ratios to the first, the form in which the equations are written; last the convolutions of
/// the joined form and nothing else, below which no form in float32 can come.
#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include "surprise/networks/predrnn_network.hpp"

namespace {

using namespace startle;

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Bench {
  int channels = 32, threads = 1, batch = 8, steps = 6;
  bool one_number = false;
  bool bfloat16 = false;  // of that one number
};

/// As the trainer does it.
void training_step(PredRnnNetwork& network, at::Tensor& first, at::Tensor& second, const at::Tensor& clips,
                   Precision precision) {
  const at::Tensor patches = to_patches(clips, network.config().patch);
  network.gradient().zero_();
  at::mse_loss(network.forward(patches, precision).predictions, patches.narrow(0, 1, patches.size(0) - 1))
      .backward();
  const torch::NoGradGuard no_gradients;
  at::Tensor& gradient = network.gradient();
  const double norm = gradient.norm().item<double>();
  if (norm > 1) gradient.mul_(1 / norm);
  first.mul_(0.9).add_(gradient, 0.1);
  second.mul_(0.95).addcmul_(gradient, gradient, 0.05);
  network.weights().addcdiv_(first, second.sqrt().add_(1e-8), -1e-3);
}

/// Ways to compute the same network.
struct Form {
  const char* name;
  bool joined = false;  ///< conv_x and conv_h as one convolution of [x, h], conv_x and conv_m as one of [x,
                        ///< m]
  bool frames_at_once = false;  ///< conv_x of the lowest layer for all steps in one convolution
  bool channels_last = false;   ///< memory format of what goes into convolutions
  bool bfloat16 = false;        ///< convolutions in bfloat16
  bool narrow = false;          ///< gates as one view each, in place of one split
  double forward = std::numeric_limits<double>::infinity(), both = forward;
};

/// The network in that form; mean squared error of its predictions.
at::Tensor loss_in_form(const Form& form, const std::vector<CellWeights>& cells, const at::Tensor& out,
                        const at::Tensor& patches) {
  const auto laid_out = [&](const at::Tensor& values) {
    return form.channels_last ? values.contiguous(at::MemoryFormat::ChannelsLast) : values;
  };
  const auto convolve = [&](const at::Tensor& input, const at::Tensor& weight) {
    const at::ScalarType type = form.bfloat16 ? at::kBFloat16 : at::kFloat;
    return at::conv2d(laid_out(input.to(type)), laid_out(weight.to(type)), {}, 1, weight.size(2) / 2)
        .to(at::kFloat);
  };
  const std::int64_t h = out.size(1), steps = patches.size(0) - 1;
  const auto gates_of = [&](const at::Tensor& gates) {
    if (!form.narrow) return gates.split(h, 1);
    std::vector<at::Tensor> views;
    for (std::int64_t i = 0; i < gates.size(1) / h; ++i) views.push_back(gates.narrow(1, i * h, h));
    return views;
  };
  std::vector<JoinedCell> joined;
  for (const CellWeights& cell : cells) joined.push_back(join(cell));
  std::vector<at::Tensor> of_frames;
  if (form.frames_at_once)
    of_frames = convolve(patches.narrow(0, 0, steps).flatten(0, 1), cells[0].x)
                    .unflatten(0, {steps, patches.size(1)})
                    .unbind(0);
  const auto remember = [](const std::vector<at::Tensor>& gates, const at::Tensor& before) {
    const at::Tensor taken = gates[0].sigmoid() * gates[2].tanh();
    return before.defined() ? (gates[1] + 1.0).sigmoid() * before + taken : taken;
  };
  std::vector<CellState> states(cells.size());
  at::Tensor memory;
  std::vector<at::Tensor> tops;
  for (std::int64_t t = 0; t < steps; ++t) {
    at::Tensor input = patches[t];
    for (std::size_t l = 0; l < cells.size(); ++l) {
      CellState& state = states[l];
      std::vector<at::Tensor> ifg, ifg_m;
      at::Tensor o;
      if (form.joined && state.h.defined() && memory.defined() && !(form.frames_at_once && l == 0)) {
        ifg = gates_of(convolve(at::cat({input, state.h}, 1), joined[l].xh));
        ifg_m = gates_of(convolve(at::cat({input, memory}, 1), joined[l].xm));
        o = ifg[3];
      } else {
        const std::vector<at::Tensor> x = gates_of(form.frames_at_once && l == 0
                                                       ? of_frames[static_cast<std::size_t>(t)]
                                                       : convolve(input, cells[l].x));
        ifg = {x[0], x[1], x[2]};
        ifg_m = {x[3], x[4], x[5]};
        o = x[6];
        if (state.h.defined()) {
          const std::vector<at::Tensor> from_h = gates_of(convolve(state.h, cells[l].h));
          for (std::size_t i = 0; i < 3; ++i) ifg[i] = ifg[i] + from_h[i];
          o = o + from_h[3];
        }
        if (memory.defined()) {
          const std::vector<at::Tensor> from_m = gates_of(convolve(memory, cells[l].m));
          for (std::size_t i = 0; i < 3; ++i) ifg_m[i] = ifg_m[i] + from_m[i];
        }
      }
      state.c = remember(ifg, state.c);
      memory = remember(ifg_m, memory);
      const at::Tensor both = at::cat({state.c, memory}, 1);
      state.h = (o + convolve(both, cells[l].o)).sigmoid() * convolve(both, cells[l].last).tanh();
      input = state.h;
    }
    tops.push_back(input);
  }
  return at::mse_loss(convolve(at::cat(tops), out).unflatten(0, {steps, patches.size(1)}),
                      patches.narrow(0, 1, steps));
}

/// The convolutions of the joined form, each with its gradients by input and weight, and nothing else.
class Convolutions {
 public:
  Convolutions(const std::vector<CellWeights>& cells, const at::Tensor& out, std::int64_t batch,
               std::int64_t side, std::int64_t steps) {
    for (const CellWeights& cell : cells) {
      const JoinedCell joined = join(cell);
      for (const at::Tensor& weight : {joined.xh, joined.xm, joined.o, joined.last})
        add(weight, batch, side, steps);
    }
    add(out, batch * steps, side, 1);
  }
  void forward() {
    for (Part& part : parts_)
      for (std::int64_t i = 0; i < part.times; ++i)
        part.output = at::conv2d(part.input, part.weight, {}, 1, part.weight.size(2) / 2);
  }
  void both() {
    for (Part& part : parts_)
      for (std::int64_t i = 0; i < part.times; ++i)
        at::conv2d(part.input, part.weight, {}, 1, part.weight.size(2) / 2).backward(part.gradient);
  }
  /// Multiplications and additions, forward and backward.
  double operations() const {
    double sum = 0;
    for (const Part& part : parts_)
      sum += 6.0 * static_cast<double>(part.times * part.weight.numel() * part.input.size(0) *
                                       part.input.size(2) * part.input.size(3));
    return sum;
  }

 private:
  struct Part {
    at::Tensor input, weight, gradient, output;
    std::int64_t times = 1;
  };
  void add(const at::Tensor& weight, std::int64_t batch, std::int64_t side, std::int64_t times) {
    parts_.push_back({.input = at::randn({batch, weight.size(1), side, side}).set_requires_grad(true),
                      .weight = weight.detach().clone().set_requires_grad(true),
                      .gradient = at::randn({batch, weight.size(0), side, side}),
                      .output = {},
                      .times = times});
  }
  std::vector<Part> parts_;
};

}  // namespace

int main(int argc, char** argv) {
  Bench bench;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto number = [&](const char* name, int& value) {
      const std::string prefix = std::string("--") + name + "=";
      if (argument.rfind(prefix, 0) != 0) return false;
      value = std::atoi(argument.c_str() + prefix.size());
      return true;
    };
    if (argument == "--step")
      bench.one_number = true;
    else if (argument == "--bfloat16")
      bench.bfloat16 = true;
    else if (!number("channels", bench.channels) && !number("threads", bench.threads) &&
             !number("batch", bench.batch) && !number("steps", bench.steps)) {
      std::fprintf(stderr, "bench_training: unknown argument %s\n", argv[i]);
      return 2;
    }
  }
  at::set_num_threads(bench.threads);
  ModelConfig config;
  config.channels = bench.channels;
  PredRnnNetwork network(config, 1, at::kCPU);
  at::Tensor first = at::zeros_like(network.weights()), second = at::zeros_like(network.weights());
  const at::Tensor clips = at::randint(
      0, 256, {bench.batch, config.clips.frames, config.clips.pixels, config.clips.pixels, 3}, at::kByte);

  if (bench.one_number) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < bench.steps; ++i) {
      const double begin = processor_seconds();
      training_step(network, first, second, clips, bench.bfloat16 ? Precision::bfloat16 : Precision::float32);
      least = std::min(least, processor_seconds() - begin);
    }
    std::printf("%.6f\n", least);
    return 0;
  }

  const std::int64_t h = bench.channels;
  const auto leaf = [](std::int64_t outputs, std::int64_t inputs, std::int64_t k) {
    return ((at::rand({outputs, inputs, k, k}) * 2 - 1) / std::sqrt(static_cast<double>(inputs * k * k)))
        .set_requires_grad(true);
  };
  std::vector<CellWeights> cells;
  for (int l = 0; l < config.layers; ++l)
    cells.push_back({leaf(7 * h, l == 0 ? 48 : h, 3), leaf(4 * h, h, 3), leaf(3 * h, h, 3), leaf(h, 2 * h, 3),
                     leaf(h, 2 * h, 1)});
  const at::Tensor out = leaf(48, h, 1), patches = to_patches(clips, config.patch);
  std::vector<Form> forms{
      {.name = "as written"},
      {.name = "as written, a view a gate", .narrow = true},
      {.name = "frames at once", .frames_at_once = true},
      {.name = "channels last", .channels_last = true},
      {.name = "joined", .joined = true},
      {.name = "joined, frames at once", .joined = true, .frames_at_once = true},
      {.name = "joined, channels last", .joined = true, .channels_last = true},
      {.name = "bfloat16", .bfloat16 = true},
      {.name = "joined, bfloat16", .joined = true, .bfloat16 = true},
      {.name = "joined, bfloat16, channels last", .joined = true, .channels_last = true, .bfloat16 = true}};
  Convolutions alone(cells, out, bench.batch, patches.size(3), patches.size(0) - 1);
  double alone_forward = std::numeric_limits<double>::infinity(), alone_both = alone_forward;
  double loss = 0;
  for (int i = 0; i < bench.steps; ++i) {
    const double start = processor_seconds();
    {
      const torch::NoGradGuard no_gradients;
      alone.forward();
    }
    const double forward_done = processor_seconds();
    alone.both();
    alone_forward = std::min(alone_forward, forward_done - start);
    alone_both = std::min(alone_both, processor_seconds() - forward_done);
    for (Form& form : forms) {
      const double begin = processor_seconds();
      const at::Tensor result = loss_in_form(form, cells, out, patches);
      const double middle = processor_seconds();
      result.backward();
      form.forward = std::min(form.forward, middle - begin);
      form.both = std::min(form.both, processor_seconds() - begin);
      if (loss == 0) loss = result.item<double>();
      if (std::abs(result.item<double>() / loss - 1) > (form.bfloat16 ? 1e-3 : 1e-5)) {
        std::fprintf(stderr, "bench_training: %s: loss %g, as written %g\n", form.name, result.item<double>(),
                     loss);
        return 1;
      }
    }
  }
  for (const Form& form : forms)
    std::printf("%-34s forward %.3f s  %.2f   forward and backward %.3f s  %.2f\n", form.name, form.forward,
                form.forward / forms[0].forward, form.both, form.both / forms[0].both);
  std::printf(
      "%-34s forward %.3f s  %.2f   forward and backward %.3f s  %.2f: %.0f thousand million operations a "
      "second\n",
      "joined, convolutions alone", alone_forward, alone_forward / forms[0].forward, alone_both,
      alone_both / forms[0].both, 1e-9 * alone.operations() / alone_both);
}
