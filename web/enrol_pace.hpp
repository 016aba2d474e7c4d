#pragma once
/// \file  How fast people are enrolled who come from one address, so that a loop cannot fill a study.
#include <chrono>
#include <map>
#include <mutex>
#include <string>

#include "web/http_message.hpp"

namespace startle {

class EnrolPace {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr int at_once = 10;                      ///< from one address
  static constexpr std::chrono::seconds one_more_in{60};  ///< after those

  /// Whether one more may be enrolled from this address now. Any thread may ask.
  bool take(const std::string& address, Clock::time_point now = Clock::now());

 private:
  static constexpr std::size_t most_addresses = 10000;  ///< more share one pace
  std::mutex mutex_;
  std::map<std::string, Clock::time_point> spent_until_;  ///< by address: when all of its pace is back
};

/// Where a request comes from: the client's address; of an IPv6 address only the first half, which is that of
/// one subscriber line. Behind a reverse proxy the client's address is the last one in the header
/// X-Forwarded-For, which the proxy has added; without that header it is the proxy's.
std::string address_of(const HttpRequest& request, bool behind_proxy);

}  // namespace startle
