#include "surprise/networks/batch_reader.hpp"

#include "surprise/networks/schedule.hpp"

namespace startle {

BatchReader::BatchReader(const ClipSource& source, const LearnedNetwork& network,
                         const TrainingConfig& config, int first_step, int rank, int processes)
    : thread_([=, this, &source, &network] { run(source, network, config, first_step, rank, processes); }) {}

BatchReader::~BatchReader() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

at::Tensor BatchReader::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !ready_.empty() || error_; });
  if (ready_.empty()) std::rethrow_exception(error_);
  at::Tensor batch = std::move(ready_.front());
  ready_.pop_front();
  changed_.notify_all();
  return batch;
}

void BatchReader::run(const ClipSource& source, const LearnedNetwork& network, const TrainingConfig& config,
                      int first_step, int rank, int processes) {
  constexpr std::size_t ahead = 2;
  try {
    ClipOrder order(source.count, config.seed);
    for (int step = first_step; step < config.steps; ++step) {
      std::vector<std::size_t> indices;
      for (int i = rank * (config.batch / processes); i < (rank + 1) * (config.batch / processes); ++i)
        indices.push_back(
            order.at(static_cast<std::uint64_t>(step) * static_cast<std::uint64_t>(config.batch) +
                     static_cast<std::uint64_t>(i)));
      const std::vector<Clip> clips = source.read(indices);
      std::vector<const Clip*> pointers;
      for (const Clip& clip : clips) pointers.push_back(&clip);
      at::Tensor batch = network.read(pointers);
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ready_.size() < ahead || stop_; });
      if (stop_) return;
      ready_.push_back(std::move(batch));
      changed_.notify_all();
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
    changed_.notify_all();
  }
}

}  // namespace startle
