#include "web/enrol_pace.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

namespace startle {

bool EnrolPace::take(const std::string& address, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  if (spent_until_.size() >= most_addresses)
    std::erase_if(spent_until_, [&](const auto& entry) { return entry.second <= now; });
  const bool known = spent_until_.contains(address);
  Clock::time_point& until = spent_until_[known || spent_until_.size() < most_addresses ? address : ""];
  const Clock::time_point after = std::max(until, now) + one_more_in;
  if (after > now + at_once * one_more_in) return false;
  until = after;
  return true;
}

std::string address_of(const HttpRequest& request, bool behind_proxy) {
  std::string address = request.peer;
  if (const std::string forwarded = request.header("x-forwarded-for"); behind_proxy && !forwarded.empty()) {
    address = forwarded.substr(forwarded.rfind(',') + 1);
    address.erase(0, address.find_first_not_of(" \t"));
  }
  std::array<unsigned char, 16> bytes{};
  if (inet_pton(AF_INET6, address.c_str(), bytes.data()) != 1) return address;
  constexpr std::array<unsigned char, 12> of_v4{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  const bool v4 = std::equal(of_v4.begin(), of_v4.end(), bytes.begin());
  return std::string(bytes.begin(), v4 ? bytes.end() : bytes.begin() + 8);
}

}  // namespace startle
