#include "agents/aibirds/play.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"

namespace startle::aibirds {
namespace {
constexpr std::size_t max_logged_refusals = 20;
}

std::string fingerprint(const SessionOptions& options) {
  std::string what = "AIBirds TCP, ground truth with ";
  what += options.dev ? "labels" : "noise";
  if (!options.ask_novelty) what += ", never asked for novelty";
  if (options.one_set) what += ", all trials as one set";
  if (options.screen_width != screen_width)
    what += ", screen of " + std::to_string(options.screen_width) + " x " + std::to_string(screen_height);
  return with_limits(what, options.action_s, options.trial_s);
}

std::string Play::agent() const {
  return options_.name.empty() ? "team-" + std::to_string(team_) : options_.name;
}

std::uint32_t Play::score() const {
  return static_cast<std::uint32_t>(std::clamp(std::round(game_->score()), 0.0, 4294967295.0));
}

GameState Play::state() const {
  if (!game_) return GameState::level_selection;
  if (!game_->over()) return GameState::playing;
  return game_->solved() ? GameState::won : GameState::lost;
}

void Play::show_level(const Scene& scene, std::size_t level) {
  game_.emplace(scene, static_cast<int>(level) + 1);
  level_ = level;
  zoomed_in = false;
}

bool Play::shoot(const Shot& shot) {
  try {
    game_->shoot(shot);
  } catch (const AgentFailure& failure) {  // the shot is out of range
    return refuse(failure.what());
  } catch (const Error& error) {  // it cannot be flown
    return refuse(error.what());
  }
  flown();
  return true;
}

std::string Play::why_no_shot() const { return game_ ? "the level is over" : "no level is loaded"; }

bool Play::refuse(const std::string& reason) {
  refusal_ = reason;
  return false;
}

void Play::log_refusal(Code code) {
  const std::string reason = std::exchange(refusal_, {});
  if (reason.empty() || logged_refusals_.size() == max_logged_refusals) return;
  const std::string line = "refused request " + std::to_string(static_cast<int>(code)) + ": " + reason;
  if (!logged_refusals_.insert(line).second) return;
  log(line);
  if (logged_refusals_.size() == max_logged_refusals) log("further refused requests are not shown");
}

void Play::log(const std::string& line) const {
  if (options_.log) options_.log(agent() + ": " + line);
}

void Play::record_shot(double novelty, const std::string& description) {
  PlayedLevel& played = result_.levels.back();
  played.shots.push_back({game_->last_shot()->shot, novelty, description});
  played.score = game_->hidden().score;
}

void Play::end_level_when_over() {
  if (!game_->over()) return;
  if (game_->solved()) scores_[earlier_ + level_] = std::max(scores_[earlier_ + level_], score());
  level_over();
}

}  // namespace startle::aibirds
