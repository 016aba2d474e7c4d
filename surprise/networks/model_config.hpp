#pragma once
/// \file  What a model is and how it is trained, as one struct that is stored as JSON beside every model and
/// every run.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "render/clip.hpp"

namespace startle {

/// What a model is made of. The headers named say more.
enum class Network {
  predrnn,  ///< next frame from all before [Lin §4.1], predrnn_network.hpp
  mask,     ///< semantic mask (background, occluders, objects) of one frame [IntPhys table 41],
            ///< mask_networks.hpp
  cnn,      ///< mask of a frame `span` ahead from two frames [IntPhys table 2], mask_networks.hpp
  gan,  ///< the same from two masks, by a generator and a discriminator that tests it [IntPhys tables 3 and
        ///< 4], mask_networks.hpp
  object,  ///< states of the objects at the next frame from all before, object_network.hpp
  slot,    ///< which pixels of one frame belong together, found without labels (Locatello et al. 2020),
           ///< slot_network.hpp
  motion   ///< next frame from the last two: how moving regions of one colour move on, motion_network.hpp
};
const std::vector<Network>& networks();
const char* name(Network network);
/// Throws Error for another name.
Network network_from_name(const std::string& name);

inline constexpr int crop_pixels = 24;  ///< motion: width of a crop, which holds where a region can move to

/// A network and the clips it reads. Each member says which networks it is for; in the others it keeps its
/// default.
struct ModelConfig {
  Network network = Network::predrnn;
  /// predrnn: it reads and predicts what a mask network makes of the frames, in place of the frames. object:
  /// its objects are those that a slot network finds in the frames, in place of those that a clip's masks
  /// give
  bool masks = false;
  int layers = 4;  ///< predrnn, motion: of ST-LSTM cells, 1 to 16
  /// predrnn: of each layer (the spatiotemporal memory passes through all); mask, cnn, gan: of the first
  /// layer, 64 in IntPhys 2019; object: of the hidden state of an object; slot: of every layer and slot. 1 to
  /// 1024
  int channels = 32;
  int kernel =
      3;  ///< predrnn, motion: width of the convolutions in pixels of the patched frame, odd, 1 to 15
  int patch =
      4;  ///< predrnn, motion: a square of patch x patch pixels becomes one pixel with patch * patch * 3
          ///< channels (motion: 4 instead of 3); divides clips.pixels, or the width of a crop
  double forget_bias = 1;  ///< predrnn: added to the forget gates, which stay the more open the larger it is:
                           ///< 1 in [Lin §4.1]. -20 to 20
  bool residual = false;   ///< predrnn; true: the output is added to the last input, so that the network
                           ///< predicts what changes; false: as [Lin §4.1]
  int code = 512;          ///< mask, cnn: numbers that a frame is squeezed into, 1 to 65536
  int span = 5;     ///< cnn, gan: frames from the last one seen to the one predicted, >= 1: 5 short-term, 35
                    ///< long-term
  int history = 2;  ///< cnn, gan: frames between the two seen, >= 1: 2 short-term, 5 long-term; history +
                    ///< span < clips.frames
  int slots = 8;    ///< object: objects of a clip at most (the first that appear); slot: things of a frame at
                    ///< most, background included. 1 to 64
  int occluders_from = 64;  ///< mask, object: ids in masks from which on they are occluders; 0 and 1 are
                            ///< background, the others objects. 2 to 256
  ClipFormat clips;
  friend bool operator==(const ModelConfig&, const ModelConfig&) = default;
};

/// How the inputs of training are chosen. When a model is used every input is a true frame.
enum class Sampling {
  teacher,  ///< every input is a true frame
  reverse   ///< at first half of the inputs are the model's own predictions, later none (PredRNN-V2's reverse
            ///< scheduled sampling)
};

enum class Precision {
  float32,
  bfloat16  ///< convolutions in bfloat16, everything else in float32; pays only where the processor has
            ///< instructions for it
};

struct TrainingConfig {
  int batch = 8;                ///< clips a step, over all processes, >= 2
  int steps = 4000;             ///< >= 1
  double learning_rate = 1e-3;  ///< highest one, > 0: it rises to it linearly, then falls to zero as half a
                                ///< cosine
  double warm_up = 0.025;       ///< length of the rise as a share of the steps, in [0, 1)
  double clip_norm = 1.0;       ///< gradients with a larger Euclidean norm are scaled to it, > 0
  double beta1 = 0.9, beta2 = 0.95;  ///< of Adam [Lin §5], in [0, 1)
  Sampling sampling = Sampling::teacher;
  /// predrnn: in the loss a pixel that has changed since the frame before counts 1 + change_weight times as
  /// much as one that has not, in [0, 1e6]. Otherwise what little comes out from behind a pillar drowns in
  /// still pixels. 0: plain mean squared error
  double change_weight = 0;
  Precision precision = Precision::float32;
  std::uint64_t seed = 1;      ///< of weights, order of clips and sampling
  int validate_every = 250;    ///< steps, >= 1
  int validation_clips = 256;  ///< the first ones of the validation set, all where it has fewer, >= 2
  int patience = 0;            ///< validations without improvement after which training stops; 0: never
  int checkpoint_every = 100;  ///< steps, >= 1: what a killed training loses at most
  friend bool operator==(const TrainingConfig&, const TrainingConfig&) = default;
};

struct LearningConfig {
  ModelConfig model;
  TrainingConfig training;
  friend bool operator==(const LearningConfig&, const LearningConfig&) = default;
};

/// False for mask and slot, which find what one frame shows: they are trained for use by others.
bool scores_clips(Network network);

/// The network that makes of frames what this one reads, and that training must be given: mask for cnn, gan,
/// and predrnn with masks, slot for object with masks; none for the others.
std::optional<Network> mask_model_network(const ModelConfig& config);

/// `small`: the default, trains on two cores: predrnn in half an hour, the others in minutes. `reference`:
/// for a GPU; predrnn with 4 x 128 channels, batch 64, learning rate 3e-4 [Lin §5], 50,000 steps; mask, cnn
/// and gan in the sizes of their tables. Throws Error for another name.
LearningConfig learning_config(const std::string& size, Network network = Network::predrnn);

/// Throws Error that names the key, what was found and what is allowed, for values outside the ranges above.
/// `source` leads the message.
void validate(const ModelConfig& config, const std::string& source);
void validate(const LearningConfig& config, const std::string& source);

/// JSON; the same text, byte for byte, for the same configuration. Keys that are missing on reading keep
/// their defaults: those of `base`, or where the text says another network than `base`, that network's small
/// ones. Keys that are unknown, or of another network, and values outside their range throw Error with the
/// key.
std::string model_config_to_json(const ModelConfig& config);
ModelConfig model_config_from_json(const std::string& text, const std::string& source);
std::string learning_config_to_json(const LearningConfig& config);
LearningConfig learning_config_from_json(const std::string& text, const std::string& source,
                                         const LearningConfig& base = {});

}  // namespace startle
