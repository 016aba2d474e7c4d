#pragma once
/// \file  A network that finds the things in a frame by itself: slot attention (Locatello et al. 2020), on
/// LibTorch. Others use learned_scorer.hpp.
///
/// It is trained on frames alone, to reconstruct them as well as it can as a few things: every pixel x_p is
/// drawn from one of K slots, slot k having mixed with weight a_k(p) and one colour c_k. With C =
/// ModelConfig::channels, K = ModelConfig::slots, P pixels:
/// \code{.unparsed}
///   tokens   conv 5x5 C, stride 2; conv 3x3 C; conv 3x3 C (each with ReLU); + linear of the place;
///            layer norm, two linear layers, layer norm: P/2 x P/2 of them
///   slots    K vectors, learned; three times: softmax over the slots of
///            <linear(norm(slot)), key(token)> / sqrt(C), means of value(token) weighted by it and
///            divided by the token's share, a GRU cell, and two linear layers added
///   place    s_k, mean of the places of the tokens by the last weights, and e_k, their standard deviation
///            (as Biza et al. 2023)
///   decoder  two linear layers of 3C/2 of the slot and (p - s_k) / (2 e_k + .02), and one to ln a_k(p),
///            softmax over k; two linear layers of the slot to c_k
///   loss     mean over p of -ln sum over k of a_k(p) exp(-|x_p - c_k|^2 / 2 sigma^2), sigma = .1, + H / 2
/// \endcode
/// H is the entropy of the slots' mean weights. Without it two slots that draw the same wall share it in
/// pieces; with it a slot more has to earn its keep. A slot has one colour, since one that may have another
/// in each place draws a block and the floor below it at once.
///
/// What no network learns here: which of the slots are background, and which of their pieces are one thing
/// (label_things() in object_slots.hpp).
#include "surprise/networks/learned_network.hpp"

namespace startle {

class SlotNetwork : public LearnedNetwork {
 public:
  SlotNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device);
  /// Of frames as bytes, [N, H, W, 3]: the slot that each pixel is of, from 0, [N, H, W], bytes on the
  /// processor.
  at::Tensor groups(const at::Tensor& frames) const;
  /// The things in frames as bytes, [N, H, W, 3]: ids, [N, H, W], bytes on the processor, 0 for background
  /// and from 2 on as label_things() gives them.
  at::Tensor things(const at::Tensor& frames) const;

  /// Bytes, [B, T, H, W, 3].
  at::Tensor read(const std::vector<const Clip*>& clips) const override;
  /// Of two frames of each clip and some pixels of each, drawn anew each step.
  at::Tensor loss(const at::Tensor& clips, const TrainingMoment& moment) override;
  /// The loss, of three frames of each clip at a quarter of the pixels.
  ErrorSum error(const at::Tensor& clips, const TrainingConfig& training) const override;
  /// The same where one slot has the frame's mean colour.
  ErrorSum control_error(const at::Tensor& clips, const TrainingConfig& training) const override;
  /// Throws Error: it tests no clips.
  std::vector<ClipSurprise> score(const std::vector<const Clip*>& clips) const override;

 private:
  struct Slots {
    at::Tensor vector, place, extent;  ///< [N, K, C], [N, K, 2], [N, K, 2]; places are (x, y) in a frame of
                                       ///< side 1
  };
  struct Mixture {
    at::Tensor colour, log_weight;  ///< [N, K, 3], [N, K, P]
  };
  Slots attend(const at::Tensor& frames) const;
  /// At points, [N or 1, P, 2].
  Mixture decode(const Slots& slots, const at::Tensor& points) const;
  /// One number a frame: that of the loss. `colours` are those of the frames at the points, [N, P, 3].
  at::Tensor losses(const at::Tensor& frames, const at::Tensor& points, const at::Tensor& colours) const;
};

}  // namespace startle
