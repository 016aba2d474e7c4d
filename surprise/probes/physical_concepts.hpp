#pragma once
/// \file  Probe tuples of the Physical Concepts data set (Piloto et al. 2022; CC BY 4.0), which is not part
/// of Startle.
///
/// A folder "probes" with one a concept - continuity, directional_inertia, object_persistence, solidity,
/// unchangeableness -, each with files data.tfrecord-00000-of-000NN of records
/// (surprise/probes/tfrecord.hpp), one a tuple: possible_image and impossible_image, uint8 [2, 15, 64, 64,
/// 3], possible_mask and impossible_mask, uint8 [2, 15, 64, 64], each as one string of bytes. The cameras'
/// poses are not read.
#include <filesystem>
#include <memory>
#include <optional>

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

}  // namespace startle
