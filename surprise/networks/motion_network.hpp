#pragma once
/// \file  A predictor of how bodies move on: the PredRNN's cell on crops that move with them, on LibTorch.
/// Others use predrnn.hpp and learned_scorer.hpp.
///
/// Regions of wood, ice, stone and pigs that move are followed from frame to frame
/// (surprise/followed_region.hpp). Of each one the network sees a crop of the last frame and one of the frame
/// before, which goes along with the region, and its last motion. It says how much speed the region gains
/// until the next frame. Two frames show speed, not its change: so how fast a body falls must be known, not
/// followed, and a body that gains speed in another way is not where it is expected. With h =
/// ModelConfig::channels, n = crop_pixels / ModelConfig::patch:
/// \code{.unparsed}
///   input    patches of red, green, blue and the region's own share, less noise in training; motion / 8 and
///            the match, the same everywhere: patch^2 4 + 3 channels, n x n
///   cells    ModelConfig::layers of ST-LSTM (predrnn_network.hpp), over the two frames
///   head     linear of the top layer's h to 64, ReLU, linear to (a_x, a_y, s)
///   density  of the true gain of speed g, pixels a frame: Student's t with 4 degrees of freedom around a,
///            1/(2 pi exp(2 s)) (1 + |g - a|^2/(4 exp(2 s)))^-3
///   loss     -log of it: the mean over materials of the mean over their regions
/// \endcode
/// Most that moves is of wood and stone. So in training as many regions of a clip are taken of each material,
/// and each material counts the same: what is asked of the network is asked by material (direction_test.hpp).
/// The prediction of a frame is the frame before with each region moved by its motion + a (moved_frame());
/// what does not move stays. The first prediction is the first frame. Errors by which models are chosen are
/// mean distances of a to the gain of speed, in pixels; that nothing gains speed is the control.
#include "surprise/followed_region.hpp"
#include "surprise/networks/learned_network.hpp"
#include "surprise/predictor.hpp"

namespace startle {

class MotionNetwork : public LearnedNetwork {
 public:
  MotionNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device);

  /// Up to 16 regions of each clip, shared equally among the materials as far as each has regions, with what
  /// the network sees of them and what becomes of them, [B, 16, values]. Throws Error when a clip has another
  /// size than the configuration says.
  at::Tensor read(const std::vector<const Clip*>& clips) const override;
  at::Tensor loss(const at::Tensor& clips, const TrainingMoment& moment) override;
  ErrorSum error(const at::Tensor& clips, const TrainingConfig& training) const override;
  ErrorSum control_error(const at::Tensor& clips, const TrainingConfig& training) const override;
  std::vector<ClipSurprise> score(const std::vector<const Clip*>& clips) const override;
  /// With the likelihood of what its regions gain.
  Prediction predict(const Clip& clip) const;

 private:
  /// Of regions, [N, values], to a_x, a_y, s: [N, 3].
  at::Tensor forward(const at::Tensor& regions, const at::Tensor& noise = {}) const;
};

}  // namespace startle
