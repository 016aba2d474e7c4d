#pragma once
/// \file  Reads a training run's batches ahead of time. Includes LibTorch.
#include <ATen/core/Tensor.h>

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "surprise/networks/learned_network.hpp"
#include "surprise/networks/trainer.hpp"

namespace startle {

/// Reads the next batches on a thread of its own while the network learns from the last. Source and network
/// must outlive it.
class BatchReader {
 public:
  /// Which part of each batch is read: that of the process `rank` among `processes`, whose number
  /// divides `config.batch`.
  BatchReader(const ClipSource& source, const LearnedNetwork& network, const TrainingConfig& config,
              int first_step, int rank, int processes);
  ~BatchReader();
  BatchReader(const BatchReader&) = delete;
  BatchReader& operator=(const BatchReader&) = delete;

  /// The next step's clips, batch / processes of them, as the network reads them. Throws what the source
  /// threw.
  at::Tensor next();

 private:
  void run(const ClipSource& source, const LearnedNetwork& network, const TrainingConfig& config,
           int first_step, int rank, int processes);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<at::Tensor> ready_;
  std::exception_ptr error_;
  bool stop_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace startle
