#include "agents/aibirds/session.hpp"

#include <algorithm>
#include <limits>

#include "core/error.hpp"

namespace startle::aibirds {
namespace {
constexpr const char* no_pull = "the shot has no pull: the bird is let go where it sits";
}

Session::Session(Trials& trials, SessionOptions options)
    : all_levels_(trials.levels().size()),
      options_(std::move(options)),
      play_(trials.recorded() ? recorded_play(trials, options_) : free_play(trials, options_)) {}

bool Session::shoot(const ScreenShot& sent) {
  if (!play_->may_shoot()) return play_->refuse(play_->why_no_shot());
  if (sent.no_pull()) return play_->refuse(no_pull);
  const Screen screen = screen_now();
  const Observation& now = play_->game()->now();
  const Vec2 release = screen.to_world(release_point(sent, screen.to_pixels(now.rest)));
  Shot shot;
  try {
    shot = Shot::from_drag_point(release, now.rest, now.max_stretch,
                                 sent.tap_ms > 0 ? sent.tap_ms / 1000.0 : -1);
  } catch (const Error&) {  // the point of release is the bird itself
    return play_->refuse(no_pull);
  }
  return play_->shoot(shot);
}

Screen Session::screen_now() const {
  return screen(play_->game()->now(), play_->zoomed_in, options_.screen_width);
}

std::string Session::ground_truth_now(bool noisy, Random& noise) const {
  if (!play_->game()) return empty_ground_truth();
  return ground_truth(play_->game()->now(), play_->game()->last_shot(), *play_->game()->hidden().profile,
                      screen_now(),
                      {.labels = options_.dev, .noise = noisy || !options_.dev ? &noise : nullptr});
}

std::string Session::shot_frames(std::int32_t frequency, std::int32_t most) {
  std::vector<std::string> frames;
  const SeenShot* shot = play_->game() ? play_->game()->last_shot() : nullptr;
  const auto every = static_cast<std::size_t>(std::max(frequency, 1));
  if (shot)
    for (std::size_t f = 0; f < shot->frames.size() && f < static_cast<std::size_t>(std::max(most, 0));
         f += every)
      frames.push_back(
          ground_truth_of_frame(*shot, f, *play_->game()->hidden().profile, screen_now(),
                                {.labels = options_.dev, .noise = options_.dev ? nullptr : &play_->noise}));
  if (frames.empty()) frames.push_back(ground_truth_now(false, play_->noise));
  return batch_reply(frames);
}

Bitmap Session::screenshot() const {
  if (!play_->game()) return Bitmap(options_.screen_width, screen_height);  // black
  return play_->game()->screenshot(screen_now().view, options_.screen_width, screen_height);
}

Bitmap Session::first_screenshot() const {
  if (!play_->game()) return screenshot();
  return Game(play_->start()).screenshot(screen_now().view, options_.screen_width, screen_height);
}

std::string Session::show(const Request& request, Random& noise) const {
  switch (request.code) {
    case Code::configure:
      return configure_reply(0, 0, 0);
    case Code::screenshot:
      return image_reply(screenshot());
    case Code::ground_truth:
    case Code::noisy_ground_truth:
      return ground_truth_reply(ground_truth_now(request.code == Code::noisy_ground_truth, noise));
    case Code::ground_truth_and_screenshot:
    case Code::noisy_ground_truth_and_screenshot:
      return ground_truth_reply(
                 ground_truth_now(request.code == Code::noisy_ground_truth_and_screenshot, noise)) +
             image_reply(screenshot());
    default:
      throw AgentFailure(Status::protocol_error, "found request " +
                                                     std::to_string(static_cast<int>(request.code)) +
                                                     " of a spectator, allowed are 1, 11 and 61 to 64");
  }
}

std::string Session::answer(const Request& request) {
  const std::string reply = act_on(request);
  play_->log_refusal(request.code);
  return reply;
}

std::string Session::act_on(const Request& request) {
  const auto done = [](bool yes) { return byte_reply(yes ? 1 : 0); };
  switch (request.code) {
    case Code::configure: {
      play_->set_team(request.number);
      if (request.mode != 0) return configure_reply(0, 0, 0);
      return configure_reply(1, options_.trial_minutes(),
                             static_cast<unsigned>(play_->set_size().value_or(all_levels_)));
    }
    case Code::set_speed:
    case Code::click_centre:
      return done(true);
    case Code::screenshot:
    case Code::ground_truth:
    case Code::noisy_ground_truth:
    case Code::ground_truth_and_screenshot:
    case Code::noisy_ground_truth_and_screenshot:
      return show(request, play_->noise);
    case Code::initial_screenshot:
      return image_reply(first_screenshot());
    case Code::state:
      return byte_reply(static_cast<std::uint8_t>(play_->state()));
    case Code::best_scores:
    case Code::scores:
      return scores_reply(play_->scores(), request.code == Code::scores);
    case Code::current_level:
      return number_reply(play_->level_number());
    case Code::levels:
      return number_reply(static_cast<std::uint32_t>(play_->set_size().value_or(0)));
    case Code::shoot:
    case Code::shoot_polar:
    case Code::fast_shoot:
    case Code::fast_shoot_polar:
      return done(shoot(request.shots.front()));
    case Code::shoot_sequence:
    case Code::fast_shoot_sequence: {
      std::string reply;
      for (const ScreenShot& shot : request.shots) reply += done(shoot(shot));
      return reply;
    }
    case Code::shoot_and_record:
      if (!shoot(request.shots.front())) return batch_reply({});
      return shot_frames(request.frequency, std::numeric_limits<std::int32_t>::max());
    case Code::batch_ground_truth:
      return shot_frames(request.frequency, request.frames);
    case Code::zoom_out:
    case Code::zoom_in:
      play_->zoomed_in = request.code == Code::zoom_in;
      return done(true);
    case Code::load_level:
      return done(play_->load(request.number));
    case Code::restart_level:
      return done(play_->restart());
    case Code::load_next_level:
      return number_reply(play_->load_next());
    case Code::current_score:
      return number_reply(play_->game() ? play_->score() : 0);
    case Code::report_novelty:
      return done(play_->report(request));
    case Code::describe_novelty:
      return done(play_->describe(request.description));
    case Code::ready_for_new_set:
      return new_set_reply(play_->new_set());
    case Code::novelty_info:
      return number_reply(static_cast<std::uint32_t>(-1));
    case Code::novelty_hint:
      return text_reply("{}");
  }
  return {};
}

}  // namespace startle::aibirds
