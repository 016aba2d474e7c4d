#pragma once
/// \file  PredRNN on LibTorch, for training and for prediction; includes LibTorch. Others use predrnn.hpp and
/// learned_scorer.hpp.
///
/// ST-LSTM cell (Wang et al. 2017; [Lin §4.1]) with h channels; all convolutions are kernel x kernel with
/// zero padding and no bias:
/// \code{.unparsed}
///   X = conv_x(x)   7h channels, in order i f g i' f' g' o     H = conv_h(h)   4h: i f g o
///   M = conv_m(m)   3h: i' f' g'
///   i  = sig(Xi + Hi)     f  = sig(Xf + Hf + b)     g  = tanh(Xg + Hg)      c = f c + i g
///   i' = sig(Xi' + Mi')   f' = sig(Xf' + Mf' + b)   g' = tanh(Xg' + Mg')    m = f' m + i' g'
///   b is ModelConfig::forget_bias, 1 in Lin et al.
///   o  = sig(Xo + Ho + conv_o([c, m]))     h = o tanh(conv_last([c, m]))    conv_last is 1 x 1
/// \endcode
/// The lowest layer takes the frame, cut into patches, and m of the top layer at the step before; every other
/// layer takes h and m of the layer below at the same step. h, c and m are zero at first. The prediction of
/// the next frame is a 1 x 1 convolution of the top layer's h; with ModelConfig::residual that is added to
/// the frame read last.
#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "surprise/networks/learned_network.hpp"

namespace startle {

struct CellWeights {
  at::Tensor x, h, m, o, last;  ///< [7h, c_in, k, k], [4h, h, k, k], [3h, h, k, k], [h, 2h, k, k], [h, 2h, 1,
                                ///< 1]
};

/// h, c, m of one layer, each [batch, h, rows, columns]; undefined stands for zeros.
struct CellState {
  at::Tensor h, c, m;
};

/// Weights whose results are added are joined, so that a step is two large convolutions in place of three:
/// [x, h] gives i f g o, [x, m] gives i' f' g'.
struct JoinedCell {
  at::Tensor xh, xm, o, last;  ///< [4h, c_in + h, k, k], [3h, c_in + h, k, k], and o, last as they are
  double forget_bias = 1;
};
JoinedCell join(const CellWeights& weights, Precision precision = Precision::float32, double forget_bias = 1);

/// One step of one cell from its input x: `state` has h and c of this layer at the step before, and the m
/// that comes in.
CellState st_lstm_step(const at::Tensor& x, const CellState& state, const JoinedCell& cell);

/// Frames as bytes or as numbers in [0, 1], [B, T, H, W, 3], to [T, B, patch * patch * 3, H / patch, W /
/// patch] in [0, 1] and back. The channel of pixel (y, x) of a patch and colour c is (y * patch + x) * 3 + c.
at::Tensor to_patches(const at::Tensor& frames, int patch);
at::Tensor from_patches(const at::Tensor& patches, int patch);

struct NetworkOutput {
  at::Tensor predictions;  ///< [T - 1, B, patch * patch * 3, rows, columns], not clipped; the first is that
                           ///< of frame 1
  at::Tensor hidden;       ///< h of the top layer after the last step, [B, h, rows, columns]
};

class PredRnnNetwork : public LearnedNetwork {
 public:
  /// Weights uniform in +-1/sqrt(fan_in), PyTorch's default for convolutions without bias. `masks`: where
  /// config.masks. Throws Error for a configuration that is not valid.
  PredRnnNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device,
                 std::shared_ptr<const LearnedNetwork> masks = {});

  /// Every input is a true frame, except where `own` is given: [T - 1, B, 1, 1, 1], 1 where the input is to
  /// be the network's own prediction of that frame (never for the first frame). `patches` as to_patches()
  /// gives them. `all_memory`, where given, gets h, c, m of every layer, side by side, after each of the
  /// frames read: T - 1 of [B, layers * 3 h, rows, columns]. Without gradients, frames that clips have in
  /// common from their beginning are gone through once.
  NetworkOutput forward(const at::Tensor& patches, Precision precision = Precision::float32,
                        const at::Tensor& own = {}, std::vector<at::Tensor>* all_memory = nullptr) const;

  at::Tensor read(const std::vector<const Clip*>& clips) const override;
  at::Tensor loss(const at::Tensor& clips, const TrainingMoment& moment) override;
  ErrorSum error(const at::Tensor& clips, const TrainingConfig& training) const override;
  ErrorSum control_error(const at::Tensor& clips, const TrainingConfig& training) const override;
  std::vector<ClipSurprise> score(const std::vector<const Clip*>& clips) const override;

 private:
  struct Step;  // what the network goes through at each frame
  /// What the last convolution puts out, [..., outputs, rows, columns], as what is expected after the frames
  /// read, [..., patch * patch * 3, rows, columns].
  at::Tensor expected(const at::Tensor& outputs, const at::Tensor& read) const;
  /// Patches of the frames, or of their masks.
  at::Tensor seen(const at::Tensor& clips) const;
  std::vector<CellWeights> layers_;
  at::Tensor out_;
};

}  // namespace startle
