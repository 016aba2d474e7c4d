#pragma once
/// \file  PredRNN on LibTorch, for training and for prediction; includes LibTorch. Others use predrnn.hpp.
///
/// ST-LSTM cell (Wang et al. 2017; [Lin §4.1]) with h channels; all convolutions are kernel x kernel with zero padding and no bias:
/// \code
///   X = conv_x(x)   7h channels, in order i f g i' f' g' o     H = conv_h(h)   4h: i f g o     M = conv_m(m)   3h: i' f' g'
///   i  = sig(Xi + Hi)     f  = sig(Xf + Hf + 1)     g  = tanh(Xg + Hg)      c = f c + i g
///   i' = sig(Xi' + Mi')   f' = sig(Xf' + Mf' + 1)   g' = tanh(Xg' + Mg')    m = f' m + i' g'
///   o  = sig(Xo + Ho + conv_o([c, m]))     h = o tanh(conv_last([c, m]))    conv_last is 1 x 1
/// \endcode
/// The lowest layer takes the frame, cut into patches, and m of the top layer at the step before; every other layer takes h and m of the layer
/// below at the same step. h, c and m are zero at first. The prediction of the next frame is a 1 x 1 convolution of the top layer's h;
/// with ModelConfig::residual that is added to the frame read last.
#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "surprise/model_config.hpp"
#include "surprise/tensor_file.hpp"

namespace startle {

struct CellWeights {
  at::Tensor x, h, m, o, last;  ///< [7h, c_in, k, k], [4h, h, k, k], [3h, h, k, k], [h, 2h, k, k], [h, 2h, 1, 1]
};

/// h, c, m of one layer, each [batch, h, rows, columns]; undefined stands for zeros.
struct CellState {
  at::Tensor h, c, m;
};

/// Weights whose results are added are joined, so that a step is two large convolutions in place of three: [x, h] gives i f g o, [x, m] gives i' f' g'.
struct JoinedCell {
  at::Tensor xh, xm, o, last;  ///< [4h, c_in + h, k, k], [3h, c_in + h, k, k], and o, last as they are
};
JoinedCell join(const CellWeights& weights, Precision precision = Precision::float32);

/// One step of one cell from its input x: `state` has h and c of this layer at the step before, and the m that comes in.
CellState st_lstm_step(const at::Tensor& x, const CellState& state, const JoinedCell& cell);

/// Frames as bytes or as numbers in [0, 1], [B, T, H, W, 3], to [T, B, patch * patch * 3, H / patch, W / patch] in [0, 1] and back. The channel
/// of pixel (y, x) of a patch and colour c is (y * patch + x) * 3 + c.
at::Tensor to_patches(const at::Tensor& frames, int patch);
at::Tensor from_patches(const at::Tensor& patches, int patch);

struct NetworkOutput {
  at::Tensor predictions;  ///< [T - 1, B, patch * patch * 3, rows, columns], not clipped; the first is that of frame 1
  at::Tensor hidden;       ///< h of the top layer after the last step, [B, h, rows, columns]
};

/// The weights lie in one vector, so that optimiser, norm and exchange are a few operations; each weight is a view of it and has its
/// gradient in the same place of `gradient()`.
class PredRnnNetwork {
 public:
  /// Weights uniform in +-1/sqrt(fan_in), PyTorch's default for convolutions without bias, drawn from `seed` by our own generator: they do not
  /// depend on the version of LibTorch. Throws Error for a configuration that is not valid.
  PredRnnNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device);

  const ModelConfig& config() const { return config_; }
  at::Tensor& weights() { return flat_; }
  at::Tensor& gradient() { return flat_gradient_; }

  /// Every input is a true frame, except where `own` is given: [T - 1, B, 1, 1, 1], 1 where the input is to be the network's own prediction of
  /// that frame (never for the first frame). `patches` as to_patches() gives them.
  NetworkOutput forward(const at::Tensor& patches, Precision precision = Precision::float32, const at::Tensor& own = {}) const;

  /// Names: layers.<l>.conv_x, .conv_h, .conv_m, .conv_o, .conv_last, and conv_out. `flat` is weights() or of its size.
  std::map<std::string, NamedTensor> named(const at::Tensor& flat, const std::string& prefix = "") const;
  /// The opposite: copies the tensors named with `prefix` into `flat`. Throws Error where one is missing or has another shape.
  void copy_named(const TensorFile& file, at::Tensor& flat, const std::string& source, const std::string& prefix = "") const;

 private:
  struct Slot {
    std::string name;
    std::vector<std::int64_t> shape;
    std::int64_t offset = 0, count = 0;
  };
  ModelConfig config_;
  std::vector<Slot> slots_;
  at::Tensor flat_, flat_gradient_;
  std::vector<CellWeights> layers_;
  at::Tensor out_;
};

/// The configuration as the metadata of a model's file, and back. Throws Error, led by `source`, for metadata of anything else.
std::map<std::string, std::string> model_metadata(const ModelConfig& config);
ModelConfig model_config_of(const std::map<std::string, std::string>& metadata, const std::string& source);

/// Device named cpu, cuda or auto (cuda where there is one). Throws Error for another name, or cuda where there is none.
at::Device find_device(const std::string& name);

/// Clips stacked as bytes, [B, T, H, W, 3], on the processor. Throws Error when a clip has another size than `format`.
at::Tensor stack_clips(const std::vector<const Clip*>& clips, const ClipFormat& format);

}  // namespace startle
