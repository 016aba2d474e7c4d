#include "agents/aibirds/play.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace startle::aibirds {

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
  } catch (const AgentFailure&) {  // the shot is out of range
    return false;
  } catch (const Error&) {  // it cannot be flown
    return false;
  }
  flown();
  return true;
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
