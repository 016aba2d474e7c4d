#pragma once
/// \file  A predictor of objects in the spirit of PLATO (Piloto et al. 2022), on LibTorch. Others use
/// learned_scorer.hpp.
///
/// PLATO learns codes of objects from pictures and masks; here an object is what its mask holds: whether it
/// is seen, place, size and colour (object_slots.hpp). As PLATO it is given masks that keep their ids, in
/// training and in use; with ModelConfig::masks it is given none: a slot network finds the things in each
/// frame (slot_network.hpp), and which of them is the object seen before is inferred from the network's own
/// prediction. The predictor is PLATO's: an interaction network with an LSTM for each object, all objects
/// sharing its weights. With h = ModelConfig::channels, for object i at frame t:
/// \code{.unparsed}
///   u_i = [seen, state (as last seen), size (where most was seen of it), frames since it was seen,
///          ever seen, is an occluder, h_i]      13 + h numbers
///   e_i = sum over j != i of m(u_i, u_j)        m: two linear layers of h with ReLU
///   h_i = LSTM([u_i without h_i, e_i])
///   next state = state as last seen + linear(h_i), seen with probability sigmoid(linear(h_i))
/// \endcode
/// The state is (4 x, 4 y, 16 width, 16 height, 2 red, 2 green, 2 blue), so that all vary by about as much.
/// The error of an object at a frame is (seen - probability)^2, and where it is seen also the squared
/// distance of the states, in which place and size count nine times: a wrong place should not drown in what
/// nobody can know, the frame in which a thing comes out. An object never seen before has no state to be
/// compared with: it costs 6, as one that is a fifth of the picture away from where it is expected, which is
/// more than one that comes back at an unexpected moment. The error of a frame is the sum over objects.
///
/// Things found are given to objects known, seen or not, by the least squared distance to their predicted
/// states (a quarter of that of sizes: what is half hidden looks smaller), the nearest pair first, no farther
/// than 2; those left over are new objects. An object that is not found stays where the network says, however
/// long it is hidden.
#include <mutex>
#include <unordered_map>

#include "surprise/networks/learned_network.hpp"
#include "surprise/networks/object_slots.hpp"

namespace startle {

class ObjectNetwork : public LearnedNetwork {
 public:
  ObjectNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device,
                std::shared_ptr<const LearnedNetwork> masks = {});

  /// [B, T, slots, 9]: seen, state, is an occluder. With given masks each slot is an object, with found ones
  /// the things of each frame come in the order of their size.
  at::Tensor read(const std::vector<const Clip*>& clips) const override;
  at::Tensor loss(const at::Tensor& clips, const TrainingMoment& moment) override;
  ErrorSum error(const at::Tensor& clips, const TrainingConfig& training) const override;
  ErrorSum control_error(const at::Tensor& clips, const TrainingConfig& training) const override;
  std::vector<ClipSurprise> score(const std::vector<const Clip*>& clips) const override;

 private:
  struct Output {
    at::Tensor errors, changes;  ///< of objects at frames 1 ... T - 1, [B, T - 1, slots]; changes: of the
                                 ///< prediction that nothing changes
    at::Tensor hidden;           ///< after the last step, [B, slots, h]
    at::Tensor steps;            ///< frames 0 ... T - 2: known, seen, seen next, then states as last seen, as
                                 ///< expected and as seen next, and the largest size, [B, T - 1, slots, 26]
  };
  Output forward(const at::Tensor& clips) const;
  /// The things found in each of the frames, bytes [N, H, W, 3], the largest first. Frames seen before are
  /// remembered: clips have many in common.
  std::vector<std::vector<ObjectState>> found(const at::Tensor& frames) const;

  mutable std::mutex mutex_;
  mutable std::unordered_map<std::size_t, std::vector<ObjectState>> known_;  ///< by a hash of the frame
};

}  // namespace startle
