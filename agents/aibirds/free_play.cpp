#include "agents/aibirds/play.hpp"

namespace startle::aibirds {
namespace {

constexpr std::uint32_t no_limit = 1000000;

/// All levels in the normal world, in any order, any number of times.
class FreePlay : public Play {
 public:
  FreePlay(Trials& trials, const SessionOptions& options) : Play(trials, options) {
    if (options_.dialect == Dialect::alpha) begin();  // such clients know no state over 7
  }

  const Scene& start() const override { return trials_.levels()[level_].normal; }
  std::optional<std::size_t> set_size() const override { return trials_.levels().size(); }
  GameState state() const override { return begun_ ? Play::state() : GameState::new_trial; }

  NewSet new_set() override {
    begin();
    return {.minutes = options_.trial_minutes(),
            .interactions = no_limit,
            .levels = static_cast<std::uint32_t>(trials_.levels().size()),
            .attempts = no_limit};
  }

  bool load(std::uint32_t number) override {
    begin();
    if (number < 1 || number > trials_.levels().size())
      return refuse("level " + std::to_string(number) + ", there are 1 to " +
                    std::to_string(trials_.levels().size()));
    load_level(number - 1);
    return true;
  }

  std::uint32_t load_next() override {
    begin();
    load_level(game_ && level_ + 1 < trials_.levels().size() ? level_ + 1 : 0);  // after the last one the
                                                                                 // first again
    return level_number();
  }

  bool restart() override {
    if (!game_) return refuse("no level is loaded");
    load_level(level_);
    return true;
  }

  bool report(const Request&) override { return true; }
  bool describe(const std::string&) override { return true; }

  bool in_trial() const override { return false; }
  void fail(Status, const std::string&) override { end_attempt(); }
  void abandon() override {}

 private:
  void begin() {
    if (begun_) return;
    begun_ = true;
    scores_.assign(trials_.levels().size(), 0);
    noise = Random(stream_seed(trials_.seed(), "aibirds/noise"));
  }

  void load_level(std::size_t level) {
    end_attempt();
    if (trials_.keeps_attempts()) trials_.expect(agent(), fingerprint(options_));
    const PlayableLevel& playable = trials_.levels()[level];
    show_level(playable.normal, level);
    if (trials_.keeps_attempts()) {
      result_ = {.agent = agent(),
                 .unit = playable.name,
                 .world = "normal",
                 .novelty = {},
                 .tier = {},
                 .error = {},
                 .levels = {}};
      result_.levels.assign(1, unplayed(playable, false));
    }
    end_level_when_over();
  }

  void flown() override {
    if (trials_.keeps_attempts()) record_shot(0, "");
    end_level_when_over();
  }

  void level_over() override {
    if (!trials_.keeps_attempts()) return;
    result_.levels.back().solved = game_->solved();
    result_.levels.back().score = game_->score();
    end_attempt();
  }

  /// What was flown at the level is an attempt, whether it is over or left.
  void end_attempt() {
    if (!result_.levels.empty() && !result_.levels.front().shots.empty()) {
      const int attempt = trials_.finish_attempt(result_);
      log("attempt " + std::to_string(attempt) + " at " + result_.unit + " recorded, " +
          (result_.levels.front().solved ? "cleared" : "not cleared"));
    }
    result_.levels.clear();
  }

  bool begun_ = false;  ///< before that the agent is to say that it is ready
};

}  // namespace

std::unique_ptr<Play> free_play(Trials& trials, const SessionOptions& options) {
  return std::make_unique<FreePlay>(trials, options);
}

}  // namespace startle::aibirds
