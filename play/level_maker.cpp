#include "play/level_maker.hpp"

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "levels/generators.hpp"
#include "levels/level_set.hpp"
#include "levels/search.hpp"

namespace startle {
namespace {

/// One thread stays with the window.
int threads() { return std::max(1, hardware_threads() - 1); }

}  // namespace

std::string make_command(const MakeRequest& request) {
  std::string line = "startle levels generate";
  if (!request.family.empty()) line += " --family " + request.family;
  if (!request.novelty.empty()) line += " --novelty " + request.novelty + " --tier " + request.tier;
  return line + " --count " + std::to_string(request.count) + " --seed " + std::to_string(request.seed) +
         " --profile " + request.profile + " --out DIR";
}

LevelMaker::~LevelMaker() {
  cancelled_ = true;
  if (thread_.joinable()) thread_.join();
}

void LevelMaker::start(const MakeRequest& request) {
  if (running_) throw Error("levels are being made already");
  if (request.folder.empty()) throw Error("a folder for the levels is needed");
  if (request.count < 1 || request.count > 1000)
    throw Error("number of levels: found " + std::to_string(request.count) + ", allowed is 1 to 1000");
  if (request.family.empty() && request.novelty.empty()) throw Error("a family is needed, or a novelty");
  if (!request.family.empty()) find_generator(request.family);
  if (!request.novelty.empty()) {
    find_novelty(request.novelty);
    if (!tier_from_name(request.tier))
      throw Error("tier: found '" + request.tier + "', allowed are easy, medium and hard");
  }
  profile(request.profile);
  require_place_for_set(request.folder, make_command(request));
  if (thread_.joinable()) thread_.join();
  cancelled_ = false;
  has_outcome_ = false;
  progress_ = {.phase = "starting"};
  running_ = true;
  thread_ = std::thread([this, request] {
    try {
      make(request);
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex_);
      outcome_ = {.folder = request.folder, .message = error.what(), .failed = true};
      has_outcome_ = true;
    }
    running_ = false;
  });
}

void LevelMaker::make(const MakeRequest& request) {
  const auto constants = profile(request.profile);
  const auto keep_going = [this] { return !cancelled_; };
  const auto set_progress = [this](const std::string& phase, std::size_t done, std::size_t total,
                                   int candidates) {
    const std::lock_guard lock(mutex_);
    progress_ = {phase, done, total, candidates};
  };
  const auto total = static_cast<std::size_t>(request.count);
  std::vector<StoredLevel> levels;
  LevelSetInfo info{.version = request.version, .seed = request.seed, .profile = request.profile};
  if (request.novelty.empty()) {
    set_progress("making levels", 0, total, 0);
    levels = without_difficulty(generate_levels(
        request.family, request.count, request.seed, constants, threads(),
        [&](int done) { set_progress("making levels", static_cast<std::size_t>(done), total, 0); },
        keep_going));
  } else {
    const SearchGoal goal = goal_of(find_novelty(request.novelty), tier_from_name(request.tier).value());
    set_progress("searching levels", 0, total, 0);
    SearchResult found = search_levels(
        goal, {.family = request.family, .count = request.count, .seed = request.seed, .threads = threads()},
        constants,
        [&](std::size_t done, int candidates) { set_progress("searching levels", done, total, candidates); },
        keep_going);
    levels = std::move(found.levels);
    info.goal = goal;
    info.diversity = found.diversity;
  }
  MakeRequest made = request;
  made.count = static_cast<int>(levels.size());
  info.command = make_command(made);
  if (!levels.empty()) write_level_set(levels, request.folder, info);
  const std::lock_guard lock(mutex_);
  outcome_ = {.folder = request.folder, .levels = levels.size()};
  outcome_.message = levels.empty()
                         ? std::string(cancelled_ ? "Stopped: no level yet." : "No such level was found.")
                         : std::to_string(levels.size()) +
                               (levels.size() < total ? " of " + std::to_string(total) : std::string()) +
                               " levels are in " + request.folder.string();
  has_outcome_ = true;
}

LevelMaker::Progress LevelMaker::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

bool LevelMaker::take_outcome(Outcome& outcome) {
  const std::lock_guard lock(mutex_);
  if (running_ || !has_outcome_) return false;
  has_outcome_ = false;
  outcome = outcome_;
  return true;
}

}  // namespace startle
