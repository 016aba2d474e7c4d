#pragma once
/// \file  Models of any network as clip scorers. Needs no LibTorch header.
///
/// \code
///   // given: const Clip& clip_a, const Clip& clip_b
///   const auto model = load_scorer("run/model.safetensors");
///   const std::vector<ClipSurprise> surprise = model->score({&clip_a, &clip_b});
/// \endcode
#include <cstdint>
#include <filesystem>
#include <memory>

#include "surprise/clip_scorer.hpp"
#include "surprise/networks/predrnn.hpp"

namespace startle {

/// A model exported by training, whatever its network. What its errors are: predrnn, squared errors of
/// frames, or of masks where it reads masks; cnn, of the mask a span ahead; gan, 1 minus the discriminator's
/// score; object, of the states of objects (object_network.hpp), for clips with masks. Throws Error when the
/// file cannot be read, or configuration and weights do not fit each other, and for a mask network, which
/// scores no clips.
std::unique_ptr<ClipScorer> load_scorer(const std::filesystem::path& path,
                                        const PredictionOptions& options = {});

/// The network of that model as it is before the first step of training with that seed; a mask network that
/// it reads by stays as trained.
std::unique_ptr<ClipScorer> load_untrained_scorer(const std::filesystem::path& path, std::uint64_t seed,
                                                  const PredictionOptions& options = {});

}  // namespace startle
