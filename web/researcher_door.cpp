#include "web/researcher_door.hpp"

#include <algorithm>

#include "agents/trials/secret.hpp"
#include "core/password.hpp"

namespace startle {
namespace {

std::string hash_of_key(const std::string& key) { return hash_of_texts({"researcher", key}); }

}  // namespace

std::string ResearcherDoor::key(const std::string& password) {
  const std::unique_lock lock(trying_, std::try_to_lock);
  if (!lock) throw DoorBusy("a password is being tried; try again in a moment");
  const Clock::time_point now = now_();
  while (!failures_.empty() && now - failures_.front() >= std::chrono::minutes(1)) failures_.pop_front();
  if (failures_.size() >= most_failures) throw DoorBusy("too many wrong passwords; try again in a minute");
  if (!password_matches(hash_, password)) {
    failures_.push_back(now);
    return {};
  }
  const std::string key = RunSecret::fresh().text();
  const std::lock_guard keys_lock(keys_mutex_);
  keys_.push_back(hash_of_key(key));
  if (keys_.size() > most_keys) keys_.pop_front();
  return key;
}

bool ResearcherDoor::fits(const std::string& key) {
  const std::string hash = hash_of_key(key);
  const std::lock_guard lock(keys_mutex_);
  return std::find(keys_.begin(), keys_.end(), hash) != keys_.end();
}

}  // namespace startle
