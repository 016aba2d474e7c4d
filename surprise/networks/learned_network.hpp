#pragma once
/// \file  What all networks share: weights in one vector, files, and what training asks of them. Includes
/// LibTorch.
#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "surprise/clip_scorer.hpp"
#include "surprise/networks/model_config.hpp"
#include "surprise/networks/tensor_file.hpp"

namespace startle {

/// The weights lie in one vector, so that optimiser, norm and exchange are a few operations; each weight is a
/// view of it and has its gradient in the same place of `gradient()`. Buffers (running means of batch
/// normalisation) lie in another.
class NetworkWeights {
 public:
  enum class First {
    fan_in,  ///< uniform in +-1/sqrt(fan in), PyTorch's default
    normal,  ///< normal with mean 0 and deviation 0.02 (Radford et al. 2016)
    zero,
    one
  };
  /// Shape [out, in, ...]; `fan_in` 0: the product of all but the first.
  void add(const std::string& name, const std::vector<std::int64_t>& shape, First first = First::fan_in,
           std::int64_t fan_in = 0);
  /// Of a linear layer or convolution: NAME.weight of that shape, [out, in, ...], and with `bias` NAME.bias,
  /// [out], both with the weight's fan in.
  void add_layer(const std::string& name, const std::vector<std::int64_t>& shape, bool bias = true);
  void add_buffer(const std::string& name, const std::vector<std::int64_t>& shape, First first);
  /// After the last add(): draws the weights from `seed` by our own generator: they do not depend on the
  /// version of LibTorch.
  void allocate(std::uint64_t seed, const at::Device& device);

  at::Tensor& weights() { return flat_; }
  const at::Tensor& weights() const { return flat_; }
  at::Tensor& gradient() { return flat_gradient_; }
  at::Tensor& buffers() { return flat_buffers_; }
  /// A weight or buffer by its name.
  const at::Tensor& operator[](const std::string& name) const { return views_.at(name); }
  /// The linear layer of that name, with its bias where it has one: [..., in] to [..., out].
  at::Tensor linear(const std::string& name, const at::Tensor& x) const;
  /// True for weights whose name begins with `prefix`, by their place in weights().
  at::Tensor where_named(const std::string& prefix) const;

  /// `flat` is weights() or of its size; `buffers` buffers() or nothing.
  std::map<std::string, NamedTensor> named(const at::Tensor& flat, const std::string& prefix = "") const;
  std::map<std::string, NamedTensor> named_buffers(const std::string& prefix = "") const;
  /// The opposite: copies the tensors named with `prefix` into `flat`, or the buffers. Throws Error where one
  /// is missing or has another shape.
  void copy_named(const TensorFile& file, at::Tensor& flat, const std::string& source,
                  const std::string& prefix = "") const;
  void copy_named_buffers(const TensorFile& file, const std::string& source, const std::string& prefix = "");

 private:
  struct Slot {
    std::string name;
    std::vector<std::int64_t> shape;
    First first = First::fan_in;
    std::int64_t fan_in = 0, offset = 0, count = 0;
  };
  static void append(std::vector<Slot>& slots, const std::string& name,
                     const std::vector<std::int64_t>& shape, First first, std::int64_t fan_in);
  static at::Tensor first_values(const std::vector<Slot>& slots, std::uint64_t seed);
  static std::map<std::string, NamedTensor> named(const std::vector<Slot>& slots, const at::Tensor& flat,
                                                  const std::string& prefix);
  static void copy_named(const std::vector<Slot>& slots, const TensorFile& file, at::Tensor& flat,
                         const std::string& source, const std::string& prefix);

  std::vector<Slot> slots_, buffer_slots_;
  std::map<std::string, at::Tensor> views_;
  at::Tensor flat_, flat_gradient_, flat_buffers_;
};

/// A sum of squared errors, or of what else models are chosen by, and over how many values.
struct ErrorSum {
  double sum = 0, count = 0;
};

/// Where training is.
struct TrainingMoment {
  const TrainingConfig& training;
  int step = 0;            ///< steps done
  std::int64_t first = 0;  ///< position of the batch's first clip among those of the step, which several
                           ///< processes share
};

/// A network as training and scoring see it. `clips` in its functions are what read() makes of clips, on the
/// network's device.
class LearnedNetwork : public NetworkWeights {
 public:
  explicit LearnedNetwork(const ModelConfig& config, std::shared_ptr<const LearnedNetwork> masks = {});
  virtual ~LearnedNetwork() = default;
  const ModelConfig& config() const { return config_; }
  /// What makes masks of frames for it (mask_model_network()); none where it needs none.
  const std::shared_ptr<const LearnedNetwork>& masks() const { return masks_; }

  /// What the network reads of clips, [B, ...] on the processor; may be called by another thread. Throws
  /// Error when a clip has another size than the configuration says, or lacks masks that are needed.
  virtual at::Tensor read(const std::vector<const Clip*>& clips) const = 0;
  /// What training makes smaller, a mean; its gradient goes to gradient().
  virtual at::Tensor loss(const at::Tensor& clips, const TrainingMoment& moment) = 0;
  /// Errors as models are chosen by in that training, squared but where the network says otherwise, and those
  /// of the prediction that nothing changes (mask: of the constant prediction of each class's share).
  virtual ErrorSum error(const at::Tensor& clips, const TrainingConfig& training) const = 0;
  virtual ErrorSum control_error(const at::Tensor& clips, const TrainingConfig& training) const = 0;
  /// Whether the model kept of a training is the one of the least error; else it is the last one.
  virtual bool chosen_by_error() const { return true; }
  /// The learning rate of each weight as a share of the configuration's; undefined: 1.
  virtual at::Tensor rate_shares() const { return {}; }
  /// Errors and features of a batch of clips. A network that scores no clips, as the mask network, throws
  /// Error.
  virtual std::vector<ClipSurprise> score(const std::vector<const Clip*>& clips) const = 0;

 protected:
  /// read() of frames: bytes, [B, T, H, W, 3].
  at::Tensor read_frames(const std::vector<const Clip*>& clips) const;
  at::Device device() const;
  const ModelConfig config_;
  std::shared_ptr<const LearnedNetwork> masks_;
};

/// Throws Error where one of the values, which are `what`, is not.
void require_finite(const at::Tensor& values, const std::string& what);

/// Which rows (of the first dimension) of a tensor on the processor are alike, bit for bit; elsewhere all
/// count as different.
struct AlikeRows {
  at::Tensor first;  ///< of each kind the first row, in order
  at::Tensor kind;   ///< of each row, index into `first`
};
AlikeRows alike_rows(const at::Tensor& rows);

/// Throws Error for errors that are not finite. From sums over frames t = 1 ... T - 1, [B, T - 1] each, and
/// features [B, n] or nothing.
std::vector<ClipSurprise> clip_surprises(const at::Tensor& errors, const at::Tensor& changes,
                                         const at::Tensor& features = {});

/// The network that a configuration says, with first weights drawn from `seed`. `masks`: the one that
/// mask_model_network() says. Throws Error for a configuration that is not valid, and where `masks` is
/// missing or of another kind.
std::unique_ptr<LearnedNetwork> make_network(const ModelConfig& config, std::uint64_t seed,
                                             const at::Device& device,
                                             std::shared_ptr<const LearnedNetwork> masks = {});

/// A model as a file holds it: the network's tensors by their names, those of its mask network under
/// mask_model/, and both configurations in the metadata.
TensorFile model_file(const LearnedNetwork& network);
/// The opposite. Throws Error, led by `source`, where configuration and tensors do not fit each other.
std::unique_ptr<LearnedNetwork> network_of(const TensorFile& file, const std::string& source,
                                           const at::Device& device);
/// What makes masks for another network: the network of a file, or the one that makes masks for that. Throws
/// Error when neither is `network`.
std::shared_ptr<const LearnedNetwork> mask_network_of(const std::filesystem::path& path, Network network,
                                                      const at::Device& device);

/// The configuration as the metadata of a model's file, and back. Throws Error, led by `source`, for metadata
/// of anything else.
std::map<std::string, std::string> model_metadata(const ModelConfig& config);
ModelConfig model_config_of(const std::map<std::string, std::string>& metadata, const std::string& source);

/// Device named cpu, cuda or auto (cuda where there is one). Throws Error for another name, or cuda where
/// there is none.
at::Device find_device(const std::string& name);

/// Clips stacked as bytes, [B, T, H, W, 3], on the processor. Throws Error when a clip has another size than
/// `format`.
at::Tensor stack_clips(const std::vector<const Clip*>& clips, const ClipFormat& format);

}  // namespace startle
