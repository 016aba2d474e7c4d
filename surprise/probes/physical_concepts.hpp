#pragma once
/// \file  The Physical Concepts data set (Piloto et al. 2022; CC BY 4.0), which is not part of Startle: probe
/// tuples, and freeform videos to train on.
///
/// Probes: a folder "probes" with one a concept - continuity, directional_inertia, object_persistence,
/// solidity, unchangeableness -, each with files data.tfrecord-00000-of-000NN of records
/// (surprise/probes/tfrecord.hpp), one a tuple: possible_image and impossible_image, uint8 [2, 15, 64, 64,
/// 3], possible_mask and impossible_mask, uint8 [2, 15, 64, 64], each as one string of bytes.
///
/// Freeform videos: a folder "freeform" with the folders train and test of such files; each record has image,
/// uint8 [15, 64, 64, 3], and mask, uint8 [15, 64, 64].
///
/// The cameras' poses are not read.
#include <filesystem>
#include <memory>
#include <optional>

#include "surprise/dataset.hpp"
#include "surprise/probes/probe_tuple.hpp"

namespace startle {

class PhysicalConcepts {
 public:
  /// `folder`: that of the concepts, or the one which holds it as "probes". Throws Error when it holds files
  /// of none of them.
  explicit PhysicalConcepts(const std::filesystem::path& folder);
  ~PhysicalConcepts();
  PhysicalConcepts(PhysicalConcepts&&) noexcept;
  PhysicalConcepts& operator=(PhysicalConcepts&&) noexcept;

  /// The next tuple of a concept, in the order of the files, numbered from 0, without scenes and splices;
  /// empty when there is no other. Throws Error with the file for records that are damaged or of another
  /// layout.
  std::optional<ProbeTuple> next(ProbeConcept kind);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The freeform videos of a split.
class PhysicalConceptsVideos {
 public:
  /// `folder`: "freeform", or the one which holds it. Throws Error when it holds no files of that split.
  PhysicalConceptsVideos(const std::filesystem::path& folder, Split split);
  ~PhysicalConceptsVideos();

  /// Video `number`, in the order of the files, from 0. They are read forwards: numbers rise from call to
  /// call. Throws Error when there are too few videos, and with the file for records that are damaged or of
  /// another layout.
  Clip clip(std::uint64_t number);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace startle
