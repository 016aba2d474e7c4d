#include "surprise/networks/process_group.hpp"

#include <chrono>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "core/error.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

constexpr std::chrono::minutes patience{30};  // another process may be validating, or not have been started
                                              // yet

c10::intrusive_ptr<c10d::Store> make_store(const ProcessGroupOptions& options) {
  constexpr std::string_view scheme = "tcp://";
  const std::string& place = options.rendezvous;
  if (place.rfind(scheme, 0) != 0) return c10::make_intrusive<c10d::FileStore>(place, options.processes);
  const std::size_t colon = place.rfind(':');
  c10d::TCPStoreOptions tcp;
  tcp.port = parse_number<std::uint16_t>(std::string_view(place).substr(colon + 1)).value_or(0);
  if (colon < scheme.size() || tcp.port == 0)
    throw Error("--rendezvous: found '" + place +
                "', allowed are tcp://HOST:PORT with a port from 1 to 65535, and the path of a file");
  tcp.isServer = options.rank == 0;
  tcp.numWorkers = static_cast<std::size_t>(options.processes);
  tcp.timeout = patience;
  return c10::make_intrusive<c10d::TCPStore>(place.substr(scheme.size(), colon - scheme.size()), tcp);
}

}  // namespace

struct ProcessGroup::Impl {
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo;
};

ProcessGroup::ProcessGroup(const ProcessGroupOptions& options)
    : rank_(options.rank), processes_(options.processes), impl_(std::make_unique<Impl>()) {
  if (processes_ < 1 || processes_ > 4096)
    throw Error("--processes: found " + std::to_string(processes_) +
                ", allowed are whole numbers from 1 to 4096");
  if (rank_ < 0 || rank_ >= processes_)
    throw Error("--rank: found " + std::to_string(rank_) + ", allowed are whole numbers from 0 to " +
                std::to_string(processes_ - 1));
  if (processes_ == 1) return;
  if (options.rendezvous.empty()) throw Error("--rendezvous: is needed with more than one process");
  try {
    auto gloo = c10d::ProcessGroupGloo::Options::create(patience);
    // The interface of the machine's own name; where that leads nowhere, as in many containers, the loopback.
    gloo->devices.push_back(c10d::ProcessGroupGloo::createDefaultDevice());
    impl_->gloo = c10::make_intrusive<c10d::ProcessGroupGloo>(make_store(options), rank_, processes_, gloo);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error("--rendezvous: " + options.rendezvous + ": the processes do not meet: " + error.what());
  }
}

ProcessGroup::~ProcessGroup() = default;

void ProcessGroup::sum(at::Tensor& values) {
  if (processes_ == 1) return;
  std::vector<at::Tensor> tensors{values};
  try {
    impl_->gloo->allreduce(tensors)->wait();
  } catch (const std::exception& error) {
    throw Error(std::string("training: another process has ended or cannot be reached: ") + error.what());
  }
}

void ProcessGroup::broadcast(at::Tensor& values) {
  if (processes_ == 1) return;
  std::vector<at::Tensor> tensors{values};
  try {
    impl_->gloo->broadcast(tensors)->wait();
  } catch (const std::exception& error) {
    throw Error(std::string("training: another process has ended or cannot be reached: ") + error.what());
  }
}

}  // namespace startle
