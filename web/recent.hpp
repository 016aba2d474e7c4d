#pragma once
/// \file  Values that were made lately, for several threads.
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace startle {

/// Keeps the last few values by name; the one that was asked for longest ago goes first.
template <typename Value>
class Recent {
 public:
  explicit Recent(std::size_t most) : most_(most) {}

  /// The value of that name, made now unless it is kept. Two threads may make the same one at once: what is
  /// kept here is a function of its name.
  std::shared_ptr<const Value> get(const std::string& name, const std::function<Value()>& make) {
    if (const auto kept = find(name)) return kept;
    const auto made = std::make_shared<const Value>(make());
    const std::lock_guard lock(mutex_);
    if (const auto found = places_.find(name); found != places_.end()) return found->second->second;
    kept_.emplace_front(name, made);
    places_[name] = kept_.begin();
    if (kept_.size() > most_) {
      places_.erase(kept_.back().first);
      kept_.pop_back();
    }
    return made;
  }

 private:
  std::shared_ptr<const Value> find(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(name);
    if (found == places_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found->second);
    return found->second->second;
  }

  using Entries = std::list<std::pair<std::string, std::shared_ptr<const Value>>>;
  std::size_t most_;
  std::mutex mutex_;
  Entries kept_;  ///< the one asked for last stands first
  std::map<std::string, typename Entries::iterator> places_;
};

}  // namespace startle
