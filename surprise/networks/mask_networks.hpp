#pragma once
/// \file  Mask predictor, CNN encoder-decoder and conditional GAN of [IntPhys §3.1], on LibTorch. Others use
/// learned_scorer.hpp.
///
/// A semantic mask has three values a pixel, one a class in the order of entity_classes(): how much it is
/// background, occluder, object.
///
/// Layers are those of IntPhys 2019's published code where that differs from its tables; with c =
/// ModelConfig::channels (64 there), P pixels:
/// \code{.unparsed}
///   encoder  conv 7x7 c, stride 2; max pool; 2 residual blocks c;
///            2 residual blocks 2c, the first with stride 2    -> 2c x P/8 x P/8
///            (the first layers of ResNet-18, there pretrained on ImageNet, here trained with the rest);
///            linear to `code`, sigmoid
///   decoder  conv 3x3 4c, up 2; conv 2c, up 2; conv c, up 2; conv 3, sigmoid
///            (each but the last: batch normalisation, ReLU)
///   mask     encoder -> linear -> decoder                                           table 41
///   cnn      encoder of two frames, side by side -> linear -> decoder               table 2
///   gan      generator: conv 4x4 stride 2 of c, 2c, 4c, 8c, and 8c to one pixel,
///            with 100 numbers of noise, and back                                    table 3
///            discriminator: conv 4x4 stride 2 of c, 2c, 4c, each of the two masks
///            seen and of the third; both, 8c; to one number                         table 4
/// \endcode
/// Left out: the discriminator's optional second head, on the third mask alone. Generator and discriminator
/// take their steps at once, not by turns.
#include "surprise/networks/learned_network.hpp"

namespace startle {

class MaskNetwork : public LearnedNetwork {
 public:
  MaskNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device);
  /// Masks of frames as bytes, [B, T, H, W, 3]: numbers in [0, 1] of that shape, without gradient.
  at::Tensor of_clips(const at::Tensor& frames) const;

  /// [B, T, H, W, 4] bytes: the frames, and the class of each pixel. Throws Error for clips without masks.
  at::Tensor read(const std::vector<const Clip*>& clips) const override;
  /// Of four frames of each clip, drawn anew each step.
  at::Tensor loss(const at::Tensor& clips, const TrainingMoment& moment) override;
  ErrorSum error(const at::Tensor& clips, const TrainingConfig& training) const override;
  ErrorSum control_error(const at::Tensor& clips, const TrainingConfig& training) const override;
  /// Throws Error: it tests no clips.
  std::vector<ClipSurprise> score(const std::vector<const Clip*>& clips) const override;

 private:
  /// Frames in [0, 1], [N, 3, H, W], to masks of that shape.
  at::Tensor forward(const at::Tensor& frames, bool training) const;
};

/// MaskNetwork::of_clips() of a network that is one, as LearnedNetwork::masks() of those that
/// mask_model_network() gives one.
at::Tensor masks_of_clips(const LearnedNetwork& masks, const at::Tensor& frames);

/// What cnn and gan share: triplets of frames t - history, t and t + span.
class SpanNetwork : public LearnedNetwork {
 public:
  using LearnedNetwork::LearnedNetwork;
  at::Tensor read(const std::vector<const Clip*>& clips) const override;
  ErrorSum error(const at::Tensor& clips, const TrainingConfig& training) const override;
  ErrorSum control_error(const at::Tensor& clips, const TrainingConfig& training) const override;
  /// error[t - 1] for the frames t that a triplet of the clip ends with, 0 for those before.
  std::vector<ClipSurprise> score(const std::vector<const Clip*>& clips) const override;

 protected:
  /// Frames in [0, 1] and their masks, [N, 3, H, W], at the three places; N is clips x triplets.
  struct Triplets {
    at::Tensor first, second, first_mask, second_mask, target;
  };
  /// All triplets of the clips, or `most` of each clip, drawn with `seed`.
  Triplets triplets(const at::Tensor& clips, std::size_t most = 0, std::uint64_t seed = 0) const;
  /// Masks predicted by the network as it is used, [N, 3, H, W].
  virtual at::Tensor predicted(const Triplets& triplets) const = 0;
  /// How implausible each target is, and the same where nothing changes, [N] each.
  virtual std::pair<at::Tensor, at::Tensor> errors_and_changes(const Triplets& triplets) const;
};

class CnnNetwork : public SpanNetwork {
 public:
  CnnNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device,
             std::shared_ptr<const LearnedNetwork> masks);
  at::Tensor loss(const at::Tensor& clips, const TrainingMoment& moment) override;

 private:
  at::Tensor predicted(const Triplets& triplets) const override;
};

/// A clip's frames are compared with 1 minus the discriminator's score. Models are chosen by the generator's
/// error.
class GanNetwork : public SpanNetwork {
 public:
  GanNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device,
             std::shared_ptr<const LearnedNetwork> masks);
  /// Of discriminator (real masks count as 0.9) and generator together; each gets the gradient of its own.
  at::Tensor loss(const at::Tensor& clips, const TrainingMoment& moment) override;
  /// Its error is the generator's, and the discriminator detectors.
  bool chosen_by_error() const override { return false; }
  /// A quarter for the discriminator: 2e-4 beside 8e-4.
  at::Tensor rate_shares() const override;

 private:
  enum class Use { train, train_frozen, detector };
  at::Tensor generated(const Triplets& triplets, std::uint64_t seed, bool training) const;
  /// Logits, [N]. `train_frozen`: as in training, but its weights get no gradient.
  at::Tensor discriminated(const at::Tensor& history, const at::Tensor& target, Use use) const;
  at::Tensor predicted(const Triplets& triplets) const override;
  std::pair<at::Tensor, at::Tensor> errors_and_changes(const Triplets& triplets) const override;
};

}  // namespace startle
