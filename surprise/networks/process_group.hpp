#pragma once
/// \file  Several processes that train one model, on one machine or many: c10d's gloo. Includes LibTorch.
#include <ATen/core/Tensor.h>

#include <memory>
#include <string>

namespace startle {

/// How the processes of a training find each other.
struct ProcessGroupOptions {
  int rank = 0;            ///< of this process, in [0, processes)
  int processes = 1;       ///< number of processes; 1: this one is alone
  std::string rendezvous;  ///< tcp://HOST:PORT of the process of rank 0, or the path of a file on a disk that
                           ///< all see, which must not be there before
};

/// Every process calls the same functions in the same order with tensors of the same size on the processor; a
/// call returns once all have called it. With one process nothing is done.
class ProcessGroup {
 public:
  /// Waits for the others, at most half an hour. Throws Error for options outside their range, and when the
  /// others cannot be reached.
  explicit ProcessGroup(const ProcessGroupOptions& options);
  ~ProcessGroup();

  int rank() const { return rank_; }
  int processes() const { return processes_; }
  void sum(at::Tensor& values);
  /// Of the process of rank 0 to all.
  void broadcast(at::Tensor& values);

 private:
  struct Impl;
  int rank_, processes_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace startle
