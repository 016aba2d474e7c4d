#include "agents/aibirds/session.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/error.hpp"

namespace startle::aibirds {

Trials::Trials(std::vector<PlayableLevel> levels, std::uint64_t seed, ResultsStore* attempts)
    : levels_(std::move(levels)), store_(attempts) {
  if (store_) finished_ = store_->finished();
  TrialPlan& plan = plans_.emplace_back();
  plan.world = "normal";
  plan.seed = seed;
  for (std::size_t i = 0; i < levels_.size(); ++i) plan.stages.push_back({i, false});
}

Trials::Trials(std::vector<PlayableLevel> levels, std::vector<TrialPlan> plans, ResultsStore& store)
    : levels_(std::move(levels)),
      plans_(std::move(plans)),
      store_(&store),
      recorded_(true),
      finished_(store.finished()) {}

bool Trials::is_open(const std::string& agent, const TrialPlan& plan) const {
  const TrialKey key{agent, plan.unit, plan.world, plan.trial};
  return !recorded() || (!finished_.contains(key) && !taken_.contains(key));
}

void Trials::add_agent(const std::string& agent, const std::string& fingerprint) {
  try {
    store_->add_agent(agent, fingerprint);
  } catch (const Error& error) {
    throw AgentFailure(Status::protocol_error, error.what());
  }
}

void Trials::expect(const std::string& agent, const std::string& fingerprint) {
  const std::lock_guard lock(mutex_);
  add_agent(agent, fingerprint);
}

const TrialPlan* Trials::take(const std::string& agent, const std::string& fingerprint) {
  const std::lock_guard lock(mutex_);
  for (const TrialPlan& plan : plans_) {
    if (!is_open(agent, plan)) continue;
    if (recorded()) {
      add_agent(agent, fingerprint);
      taken_.insert({agent, plan.unit, plan.world, plan.trial});
    }
    return &plan;
  }
  return nullptr;
}

std::vector<const TrialPlan*> Trials::open(const std::string& agent) const {
  const std::lock_guard lock(mutex_);
  std::vector<const TrialPlan*> found;
  for (const TrialPlan& plan : plans_)
    if (is_open(agent, plan)) found.push_back(&plan);
  return found;
}

void Trials::give_back(const std::string& agent, const TrialPlan& plan) {
  const std::lock_guard lock(mutex_);
  taken_.erase({agent, plan.unit, plan.world, plan.trial});
}

void Trials::finish(const TrialResult& result) {
  const std::lock_guard lock(mutex_);
  if (!recorded()) return;
  store_->add(result);
  finished_.insert(key_of(result));
  taken_.erase(key_of(result));
}

void Trials::finish_attempt(TrialResult result) {
  const std::lock_guard lock(mutex_);
  while (finished_.contains(key_of(result))) ++result.trial;
  store_->add(result);
  finished_.insert(key_of(result));
}

bool Trials::all_finished(const std::string& agent) const {
  const std::lock_guard lock(mutex_);
  return recorded() && std::all_of(plans_.begin(), plans_.end(), [&](const TrialPlan& plan) {
           return finished_.contains({agent, plan.unit, plan.world, plan.trial});
         });
}

Session::Session(Trials& trials, SessionOptions options) : trials_(trials), options_(std::move(options)) {
  if (!trials_.recorded() && options_.dialect == Dialect::alpha)
    new_set();  // such clients know no state over 7
}

std::string Session::agent() const {
  return options_.name.empty() ? "team-" + std::to_string(team_) : options_.name;
}

std::string fingerprint(const SessionOptions& options) {
  return std::string("AIBirds TCP, ") +
         (options.dev ? "ground truth with labels" : "ground truth with noise") +
         (options.ask_novelty ? "" : ", never asked for novelty") +
         (options.one_set ? ", all trials as one set" : "") +
         (options.screen_width == screen_width ? ""
                                               : ", screen of " + std::to_string(options.screen_width) +
                                                     " x " + std::to_string(screen_height));
}

const Scene& Session::start(std::size_t level) const {
  const TrialPlan::Stage& stage = plan_->stages[level];
  const PlayableLevel& playable = trials_.levels()[stage.level];
  return stage.novel ? playable.novel : playable.normal;
}

State Session::state() const {
  if (terminated_) return State::evaluation_terminated;
  if (waiting_) return State::new_trial;
  if (report_wanted_) return State::novelty_report_wanted;
  if (!on_screen()) return State::level_selection;
  if (!game_->over()) return State::playing;
  return game_->solved() ? State::won : State::lost;
}

/// Code 68: the next trial, where the agent is due one; otherwise the numbers again.
std::string Session::new_set() {
  if (waiting_ && !terminated_) {
    const bool goes_on = options_.one_set && set_levels_ > 0;
    plan_ = trials_.take(agent(), fingerprint(options_));
    terminated_ = plan_ == nullptr;
    waiting_ = began_ = trial_over_ = report_wanted_ = zoomed_in_ = false;
    game_.reset();
    description_.clear();
    if (plan_) {
      result_ = {.agent = agent(),
                 .unit = plan_->unit,
                 .world = plan_->world,
                 .trial = plan_->trial,
                 .novelty = plan_->novelty,
                 .tier = plan_->tier,
                 .shift = plan_->shift};
      if (!goes_on) {
        set_levels_ = set_interactions_ = 0;
        add_to_set(*plan_);
        if (options_.one_set)
          for (const TrialPlan* plan : trials_.open(agent())) add_to_set(*plan);
        scores_.assign(set_levels_, 0);
      }
      noise_ = Random(stream_seed(plan_->seed, "aibirds/noise"));
    }
  }
  if (!plan_ || terminated_) return new_set_reply({.attempts = 0});
  constexpr std::uint32_t no_limit = 1000000;
  return new_set_reply({.minutes = options_.trial_minutes,
                        .interactions = trials_.recorded() ? set_interactions_ : no_limit,
                        .levels = static_cast<std::uint32_t>(set_levels_),
                        .attempts = trials_.recorded() ? 1 : no_limit,
                        .mode = static_cast<std::uint8_t>(trials_.recorded() ? 1 : 0)});
}

void Session::add_to_set(const TrialPlan& plan) {
  set_levels_ += plan.stages.size();
  // Each level is loaded once, and each of its birds flies once.
  for (const TrialPlan::Stage& stage : plan.stages)
    set_interactions_ += 1 + static_cast<std::uint32_t>(trials_.levels()[stage.level].normal.birds_left());
}

bool Session::load(std::size_t level) {
  end_attempt();
  if (trials_.keeps_attempts()) trials_.expect(agent(), fingerprint(options_));
  // The level before is left as it stands: what it scored counts, solved it is not.
  game_.emplace(start(level), static_cast<int>(level) + 1);
  level_ = level;
  began_ = true;
  zoomed_in_ = false;
  const TrialPlan::Stage& stage = plan_->stages[level];
  const PlayableLevel& playable = trials_.levels()[stage.level];
  if (trials_.recorded()) {
    result_.levels.resize(level);
    result_.levels.push_back(unplayed(playable, stage.novel));
  } else if (trials_.keeps_attempts()) {
    result_.agent = agent();
    result_.unit = playable.name;
    result_.levels.assign(1, unplayed(playable, stage.novel));
  }
  end_level_when_over();
  return true;
}

/// What a recorded trial has to offer is over: the agent goes to the next one.
void Session::move_on() {
  if (!trial_over_) end_trial();
  waiting_ = true;
  terminated_ = trials_.open(agent()).empty();
}

/// One set: the next trial, of which the agent hears nothing. False: that was the last.
bool Session::next_in_set() {
  const std::size_t levels = plan_->stages.size();
  move_on();
  if (terminated_) return false;
  new_set();
  if (!plan_) return false;
  earlier_ += levels;
  scores_.resize(std::max(
      scores_.size(), earlier_ + plan_->stages.size()));  // longer where another connection gave a trial back
  return true;
}

bool Session::load_number(std::uint32_t number) {
  if (!trials_.recorded() && waiting_) new_set();
  if (!plan_ || waiting_ || terminated_ || report_wanted_) return false;
  const std::size_t levels = plan_->stages.size();
  if (!trials_.recorded()) return number >= 1 && number <= levels && load(number - 1);
  if (trial_over_) {
    if (!options_.one_set) move_on();
    return options_.one_set && number == earlier_ + levels + 1 && next_in_set() && load(0);
  }
  const std::size_t next = began_ ? level_ + 1 : 0;
  if (number == earlier_ + next + 1 && next < levels) return load(next);
  if (options_.one_set && next == levels && number == earlier_ + levels + 1) return next_in_set() && load(0);
  return began_ && number == earlier_ + level_ + 1 && restart();
}

std::uint32_t Session::load_next() {
  if (!trials_.recorded() && waiting_) new_set();
  if (!plan_ || waiting_ || terminated_ || report_wanted_) return 0;
  const std::size_t next = on_screen() ? level_ + 1 : 0;
  if (next < plan_->stages.size() && !trial_over_)
    return load(next) ? static_cast<std::uint32_t>(earlier_ + next + 1) : 0;
  if (options_.one_set) return next_in_set() && load(0) ? static_cast<std::uint32_t>(earlier_ + 1) : 0;
  if (trials_.recorded())
    move_on();
  else if (load(0))  // free: from the start again
    return 1;
  return 0;
}

/// In a recorded trial only before the first shot: there is one try.
bool Session::restart() {
  if (!plan_ || waiting_ || terminated_ || report_wanted_ || !on_screen()) return false;
  if (trials_.recorded() && (trial_over_ || game_->last_shot())) return false;
  return load(level_);
}

bool Session::shoot(const ScreenShot& sent) {
  if (state() != State::playing || trial_over_ || sent.no_pull()) return false;
  const Screen screen = screen_now();
  const Observation& now = game_->now();
  const Vec2 release = screen.to_world(release_point(sent, screen.to_pixels(now.rest)));
  try {
    game_->shoot(Shot::from_drag_point(release, now.rest, now.max_stretch,
                                       sent.tap_ms > 0 ? sent.tap_ms / 1000.0 : -1));
  } catch (const AgentFailure&) {
    return false;
  } catch (const Error&) {  // the point of release is the bird itself
    return false;
  }
  if (!result_.levels.empty()) {
    result_.levels.back().score = game_->hidden().score;
    if (trials_.recorded() && options_.ask_novelty) {
      report_wanted_ = true;
      return true;
    }
    record_shot(0, "");
  }
  end_level_when_over();
  return true;
}

void Session::record_shot(double novelty, const std::string& description) {
  result_.levels.back().shots.push_back({game_->last_shot()->shot, novelty, description});
}

bool Session::report(const Request& request) {
  if (!trials_.recorded()) return true;
  if (!report_wanted_) return false;
  const Report report{.novelty = request.novel,
                      .description = request.description.empty() ? description_ : request.description};
  try {
    check(report);
  } catch (const AgentFailure&) {
    return false;
  }
  record_shot(report.novelty, report.description);
  report_wanted_ = false;
  description_.clear();
  end_level_when_over();
  return true;
}

bool Session::describe(const std::string& description) {
  if (!trials_.recorded()) return true;
  if (!report_wanted_) return false;
  try {
    check(Report{.description = description});
  } catch (const AgentFailure&) {
    return false;
  }
  description_ = description;
  return true;
}

void Session::end_level_when_over() {
  if (!game_->over()) return;
  const double score = std::clamp(std::round(game_->score()), 0.0, 4294967295.0);
  if (game_->solved())
    scores_[earlier_ + level_] = std::max(scores_[earlier_ + level_], static_cast<std::uint32_t>(score));
  if (result_.levels.empty()) return;
  result_.levels.back().solved = game_->solved();
  result_.levels.back().score = game_->score();
  if (!trials_.recorded())
    end_attempt();
  else if (level_ + 1 == plan_->stages.size())
    end_trial();
}

/// Free play: what was flown at the level is an attempt, whether it is over or left.
void Session::end_attempt() {
  if (trials_.recorded()) return;
  if (!result_.levels.empty() && !result_.levels.front().shots.empty()) trials_.finish_attempt(result_);
  result_.levels.clear();
}

void Session::end_trial() {
  trial_over_ = true;
  add_unplayed(result_, *plan_, trials_.levels());
  trials_.finish(result_);
}

void Session::fail(Status status, const std::string& error) {
  end_attempt();
  if (!in_trial()) return;
  if (!began_) {
    abandon();
    return;
  }
  result_.status = status;
  result_.error = error;
  report_wanted_ = false;
  end_trial();
}

void Session::abandon() {
  if (in_trial()) trials_.give_back(agent(), *plan_);
  plan_ = nullptr;
}

Screen Session::screen_now() const { return screen(game_->now(), zoomed_in_, options_.screen_width); }

std::string Session::ground_truth_now(bool noisy, Random& noise) const {
  if (!on_screen()) return empty_ground_truth();
  return ground_truth(game_->now(), game_->last_shot(), *game_->hidden().profile, screen_now(),
                      {.labels = options_.dev, .noise = noisy || !options_.dev ? &noise : nullptr});
}

std::string Session::shot_frames(std::int32_t frequency, std::int32_t most) {
  std::vector<std::string> frames;
  const SeenShot* shot = on_screen() ? game_->last_shot() : nullptr;
  const auto every = static_cast<std::size_t>(std::max(frequency, 1));
  if (shot)
    for (std::size_t f = 0; f < shot->frames.size() && f < static_cast<std::size_t>(std::max(most, 0));
         f += every)
      frames.push_back(
          ground_truth_of_frame(*shot, f, *game_->hidden().profile, screen_now(),
                                {.labels = options_.dev, .noise = options_.dev ? nullptr : &noise_}));
  if (frames.empty()) frames.push_back(ground_truth_now(false, noise_));
  return batch_reply(frames);
}

Bitmap Session::screenshot() const {
  if (!on_screen()) return Bitmap(options_.screen_width, screen_height);  // black
  return game_->screenshot(screen_now().view, options_.screen_width, screen_height);
}

Bitmap Session::first_screenshot() const {
  if (!on_screen()) return screenshot();
  return Game(start(level_)).screenshot(screen_now().view, options_.screen_width, screen_height);
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
                                                     " of an observer, allowed are 1, 11 and 61 to 64");
  }
}

std::string Session::answer(const Request& request) {
  const auto done = [](bool yes) { return byte_reply(yes ? 1 : 0); };
  switch (request.code) {
    case Code::configure: {
      // Another name in the middle of a trial would leave the trial to nobody.
      if (!in_trial()) team_ = request.number;
      if (request.mode != 0) return configure_reply(0, 0, 0);
      const bool known = plan_ != nullptr;
      return configure_reply(1, options_.trial_minutes,
                             static_cast<unsigned>(known ? set_levels_ : trials_.levels().size()));
    }
    case Code::set_speed:
    case Code::click_centre:
      return done(true);
    case Code::screenshot:
      return image_reply(screenshot());
    case Code::initial_screenshot:
      return image_reply(first_screenshot());
    case Code::state:
      return byte_reply(static_cast<std::uint8_t>(state()));
    case Code::best_scores:
    case Code::scores:
      return scores_reply(scores_, request.code == Code::scores);
    case Code::current_level:
      return number_reply(on_screen() ? static_cast<std::uint32_t>(earlier_ + level_ + 1) : 0);
    case Code::levels:
      return number_reply(static_cast<std::uint32_t>(plan_                ? set_levels_
                                                     : trials_.recorded() ? 0
                                                                          : trials_.levels().size()));
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
      zoomed_in_ = request.code == Code::zoom_in;
      return done(true);
    case Code::load_level:
      return done(load_number(request.number));
    case Code::restart_level:
      return done(restart());
    case Code::load_next_level:
      return number_reply(load_next());
    case Code::ground_truth_and_screenshot:
    case Code::noisy_ground_truth_and_screenshot: {
      const bool noisy = request.code == Code::noisy_ground_truth_and_screenshot;
      return ground_truth_reply(ground_truth_now(noisy, noise_)) + image_reply(screenshot());
    }
    case Code::ground_truth:
    case Code::noisy_ground_truth:
      return ground_truth_reply(ground_truth_now(request.code == Code::noisy_ground_truth, noise_));
    case Code::current_score:
      return number_reply(
          on_screen() ? static_cast<std::uint32_t>(std::clamp(std::round(game_->score()), 0.0, 4294967295.0))
                      : 0);
    case Code::report_novelty:
      return done(report(request));
    case Code::describe_novelty:
      return done(describe(request.description));
    case Code::ready_for_new_set:
      return new_set();
    case Code::novelty_info:
      return number_reply(static_cast<std::uint32_t>(-1));
    case Code::novelty_hint:
      return text_reply("{}");
  }
  return {};
}

}  // namespace startle::aibirds
