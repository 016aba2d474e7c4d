#pragma once
/// \file  A game of one Science Birds agent: which requests are answered with what. No sockets, no clock.
///
/// What it may load and what is recorded is for its Play (play.hpp) to say.
#include <cstdint>
#include <memory>
#include <string>

#include "agents/aibirds/ground_truth.hpp"
#include "agents/aibirds/play.hpp"
#include "agents/aibirds/protocol.hpp"
#include "agents/aibirds/trials.hpp"
#include "core/random.hpp"

namespace startle::aibirds {

class Session {
 public:
  /// `trials` must live longer.
  Session(Trials& trials, SessionOptions options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// The reply. Throws Error for what is no fault of the agent.
  std::string answer(const Request& request);
  /// The reply to a spectator (codes 1, 11 and 61 to 64), from the game as it stands; it changes
  /// nothing, and `noise` is the spectator's own. Throws AgentFailure(protocol_error) for other codes.
  std::string show(const Request& request, Random& noise) const;

  /// As those of Play.
  std::uint32_t team() const { return play_->team(); }
  std::string agent() const { return play_->agent(); }
  bool in_trial() const { return play_->in_trial(); }
  void fail(Status status, const std::string& error) { play_->fail(status, error); }
  void abandon() { play_->abandon(); }

 private:
  std::string act_on(const Request& request);
  bool shoot(const ScreenShot& sent);
  Screen screen_now() const;
  std::string ground_truth_now(bool noisy, Random& noise) const;
  std::string shot_frames(std::int32_t frequency, std::int32_t most);
  Bitmap screenshot() const;
  Bitmap first_screenshot() const;

  const std::size_t all_levels_;
  const SessionOptions options_;
  std::unique_ptr<Play> play_;
};

}  // namespace startle::aibirds
