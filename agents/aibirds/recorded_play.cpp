#include <algorithm>

#include "agents/aibirds/play.hpp"

namespace startle::aibirds {
namespace {

/// The trials of a plan: their levels in order, one try each, a report after each shot.
class RecordedPlay : public Play {
 public:
  using Play::Play;

  const Scene& start() const override { return scene_of(level_); }
  std::optional<std::size_t> set_size() const override {
    return plan_ ? std::optional(set_levels_) : std::nullopt;
  }

  GameState state() const override {
    if (terminated_) return GameState::evaluation_terminated;
    if (waiting_) return GameState::new_trial;
    if (report_wanted_) return GameState::novelty_report_wanted;
    return Play::state();
  }

  NewSet new_set() override {
    if (waiting_ && !terminated_) take_trial();
    if (!plan_ || terminated_) return {.attempts = 0};
    return {.minutes = options_.trial_minutes(),
            .interactions = set_interactions_,
            .levels = static_cast<std::uint32_t>(set_levels_),
            .mode = 1};
  }

  /// The next level, or the one on the screen once more.
  bool load(std::uint32_t number) override {
    if (!may_load()) return refuse(why_no_load());
    const std::size_t levels = plan_->levels.size();
    if (trial_over_ && !options_.one_set) {
      move_on();  // the agent is told so by the state, as in Science Birds: this is no refusal
      return false;
    }
    if (trial_over_) {
      if (number == earlier_ + levels + 1) return load_first_of_next();
      return refuse_number(number);
    }
    const std::size_t next = began_ ? level_ + 1 : 0;
    if (number == earlier_ + next + 1 && next < levels) {
      load_level(next);
      return true;
    }
    if (options_.one_set && next == levels && number == earlier_ + levels + 1) return load_first_of_next();
    if (began_ && number == earlier_ + level_ + 1) return restart();
    return refuse_number(number);
  }

  std::uint32_t load_next() override {
    if (!may_load()) {
      refuse(why_no_load());
      return 0;
    }
    const std::size_t next = game_ ? level_ + 1 : 0;
    if (next < plan_->levels.size() && !trial_over_) {
      load_level(next);
      return level_number();
    }
    if (options_.one_set) return load_first_of_next() ? level_number() : 0;
    move_on();
    return 0;
  }

  /// Before the first shot only: there is one try.
  bool restart() override {
    if (!may_load()) return refuse(why_no_load());
    if (!game_) return refuse("no level is loaded");
    if (trial_over_ || game_->last_shot())
      return refuse("a level has one try: it is loaded again before its first shot only");
    load_level(level_);
    return true;
  }

  bool may_shoot() const override { return Play::may_shoot() && !trial_over_; }
  std::string why_no_shot() const override {
    if (!plan_ || waiting_ || terminated_ || report_wanted_) return why_no_load();
    return trial_over_ ? "the trial is over" : Play::why_no_shot();
  }

  bool report(const Request& request) override {
    if (!report_wanted_) return refuse(no_report_due);
    const Report report{.novelty = request.novel,
                        .description = request.description.empty() ? description_ : request.description};
    if (!sound(report)) return false;
    keep_shot(report.novelty, report.description);
    report_wanted_ = false;
    description_.clear();
    end_level_when_over();
    return true;
  }

  bool describe(const std::string& description) override {
    if (!report_wanted_) return refuse(no_report_due);
    if (!sound({.description = description})) return false;
    description_ = description;
    return true;
  }

  bool in_trial() const override { return plan_ != nullptr && !trial_over_; }

  void fail(Status status, const std::string& error) override {
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

  void abandon() override {
    if (in_trial()) trials_.give_back(agent(), *plan_);
    plan_ = nullptr;
  }

 private:
  static constexpr const char* no_report_due = "no report of novelty is due: one is after each shot";

  bool sound(const Report& report) {
    try {
      check(report);
      return true;
    } catch (const AgentFailure& failure) {
      return refuse(failure.what());
    }
  }

  bool refuse_number(std::uint32_t number) {
    return refuse("level " + std::to_string(number) +
                  " is not next: the levels of a trial are played in order");
  }

  const Scene& scene_of(std::size_t level) const {
    const TrialPlan::PlannedLevel& planned = plan_->levels[level];
    const PlayableLevel& playable = trials_.levels()[planned.level];
    return planned.novel ? playable.novel : playable.normal;
  }

  bool may_load() const { return plan_ && !waiting_ && !terminated_ && !report_wanted_; }

  /// Where may_load() is false.
  std::string why_no_load() const {
    if (terminated_) return "all trials are finished or being played";
    if (report_wanted_) return "a report of novelty (code 66) is due first";
    return "no trial is under way: code 68 begins one";
  }

  void take_trial() {
    const bool goes_on = options_.one_set && set_levels_ > 0;
    plan_ = trials_.take(agent(), fingerprint(options_));
    terminated_ = plan_ == nullptr;
    waiting_ = began_ = trial_over_ = report_wanted_ = zoomed_in = false;
    game_.reset();
    description_.clear();
    if (!plan_) return;
    result_ = {.agent = agent(),
               .unit = plan_->unit,
               .world = plan_->world,
               .trial = plan_->trial,
               .novelty = plan_->novelty,
               .tier = plan_->tier,
               .shift = plan_->shift,
               .error = {},
               .levels = {}};
    if (!goes_on) {
      set_levels_ = set_interactions_ = 0;
      add_to_set(*plan_);
      if (options_.one_set)
        for (const TrialPlan* plan : trials_.open(agent())) add_to_set(*plan);
      scores_.assign(set_levels_, 0);
    }
    noise = Random(stream_seed(plan_->seed, "aibirds/noise"));
  }

  void add_to_set(const TrialPlan& plan) {
    set_levels_ += plan.levels.size();
    // Each level is loaded once, and each of its birds flies once.
    for (const TrialPlan::PlannedLevel& planned : plan.levels)
      set_interactions_ += 1 +
                           static_cast<std::uint32_t>(trials_.levels()[planned.level].normal.birds_left());
  }

  /// The level before is left as it stands: what it scored counts, solved it is not.
  void load_level(std::size_t level) {
    if (!began_) trials_.begin(agent(), *plan_);
    show_level(scene_of(level), level);
    began_ = true;
    const TrialPlan::PlannedLevel& planned = plan_->levels[level];
    result_.levels.resize(level);
    result_.levels.push_back(unplayed(trials_.levels()[planned.level], planned.novel));
    end_level_when_over();
  }

  /// What the trial has to offer is over: the agent goes to the next one.
  void move_on() {
    if (!trial_over_) end_trial();
    waiting_ = true;
    terminated_ = trials_.open(agent()).empty();
  }

  /// One set: the next trial, of which the agent hears nothing. False: that was the last.
  bool load_first_of_next() {
    const std::size_t levels = plan_->levels.size();
    move_on();
    if (terminated_) return false;
    take_trial();
    if (!plan_) return false;
    earlier_ += levels;
    // Longer where another connection gave a trial back
    scores_.resize(std::max(scores_.size(), earlier_ + plan_->levels.size()));
    load_level(0);
    return true;
  }

  void keep_shot(double novelty, const std::string& description) {
    record_shot(novelty, description);
    trials_.report(agent(), *plan_, result_.levels.back().shots.back());
  }

  void flown() override {
    if (options_.ask_novelty) {
      report_wanted_ = true;
      return;
    }
    keep_shot(0, "");
    end_level_when_over();
  }

  void level_over() override {
    result_.levels.back().solved = game_->solved();
    result_.levels.back().score = game_->score();
    if (level_ + 1 == plan_->levels.size()) end_trial();
  }

  void end_trial() {
    trial_over_ = true;
    add_unplayed(result_, *plan_, trials_.levels());
    const std::size_t finished = trials_.finish(result_);
    log(std::to_string(finished) + " of " + std::to_string(trials_.count()) + " trials finished" +
        (result_.status == Status::ok ? "" : ", this one failed: " + std::string(name(result_.status))));
  }

  const TrialPlan* plan_ = nullptr;
  std::size_t set_levels_ = 0;  ///< as given with code 68
  std::uint32_t set_interactions_ = 0;
  bool began_ = false;       ///< a level of the trial was loaded
  bool trial_over_ = false;  ///< its last level is, or it failed
  bool waiting_ = true;      ///< for the agent to be ready for the next trial
  bool terminated_ = false;  ///< none is left
  bool report_wanted_ = false;
  std::string description_;  ///< given with code 67, of the shot to be reported
};

}  // namespace

std::unique_ptr<Play> recorded_play(Trials& trials, const SessionOptions& options) {
  return std::make_unique<RecordedPlay>(trials, options);
}

}  // namespace startle::aibirds
