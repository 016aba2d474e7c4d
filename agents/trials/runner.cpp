#include "agents/trials/runner.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>
#include <utility>

#include "agents/built_in.hpp"
#include "agents/detectors.hpp"
#include "agents/programs/messages.hpp"
#include "agents/shooters.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "difficulty/played_level.hpp"
#include "levels/level_set.hpp"
#include "sim/embedded_profiles.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

std::vector<std::string> words_of(const std::string& command) {
  std::istringstream in(command);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool is_program(const std::string& word, const std::filesystem::path& run_in) {
  if (word.find('/') != std::string::npos) {
    std::error_code none;
    return access((run_in / word).c_str(), X_OK) == 0 && !std::filesystem::is_directory(run_in / word, none);
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/" + word).c_str(), X_OK) == 0) return true;
  return false;
}

/// What a script's first line asks for where the system has no such program, with what to do; else empty.
std::string missing_interpreter(const std::filesystem::path& file) {
  std::string line(256, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(in.gcount()));
  line.erase(std::min(line.find('\n'), line.size()));
  if (!line.starts_with("#!")) return {};
  if (line.ends_with('\r'))
    return ": its first line ends with a carriage return, as on Windows; save it with Unix line ends";
  const std::vector<std::string> words = words_of(line.substr(2));
  if (words.empty()) return {};
  const bool by_env = words.size() > 1 && std::filesystem::path(words[0]).filename() == "env";
  if (by_env && (words[1].starts_with('-') || words[1].find('=') != std::string::npos)) return {};
  const std::string& name = words[by_env ? 1 : 0];
  if (is_program(name, "")) return {};
  return ": its first line asks for " + shown(name) +
         ", which is not there; install it, or name what runs it";
}

/// Where the word is that of a file which cannot be run: why, and what to do. Else empty.
std::string why_not_run(const std::string& word, const std::filesystem::path& run_in) {
  std::error_code none;
  const std::filesystem::path file = run_in / word;
  if (std::filesystem::is_directory(file, none)) return ": it is a folder; name the program in it";
  if (!std::filesystem::is_regular_file(file, none)) return {};
  if (access(file.c_str(), X_OK) != 0)
    return ": the file has no run bit; give it one (chmod +x " + shell_word(word) +
           "), or name what runs it, as 'python3 " + word + "'";
  if (word.find('/') == std::string::npos)
    return ": a program of this folder is called by its path, ./" + word;
  return missing_interpreter(file);
}

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_' || c == '.' || c == '+';
  });
}

std::string known_agents() {
  std::vector<std::string> names{oracle_name};
  for (const ShooterInfo& info : shooters()) names.push_back(info.name);
  for (const DetectorInfo& info : detectors()) names.push_back(info.name);
  return listed(names) + ", SHOOTER+DETECTOR";
}

}  // namespace

AgentSpec parse_agent(const std::string& text, const std::filesystem::path& folder) {
  if (is_built_in(text)) return {.name = text, .command = {}};
  AgentSpec spec{.name = text, .command = text};
  if (const std::size_t sign = text.find('='); sign != std::string::npos && is_name(text.substr(0, sign)))
    spec = {.name = text.substr(0, sign), .command = text.substr(sign + 1)};
  const std::vector<std::string> words = words_of(spec.command);
  if (words.empty())
    throw Error("--agent: found " + shown(text) + ", allowed are a built-in agent or a command");
  if (is_built_in(spec.name))
    throw Error("--agent: " + shown(text) + ": this name is that of a built-in agent");
  const bool is_path = words.front().find('/') != std::string::npos, alone = words.size() == 1;
  const bool no_program = alone && !is_program(words.front(), folder);
  const std::string why = is_path || no_program ? why_not_run(words.front(), folder) : "";
  if (!why.empty()) throw Error("--agent: found " + shown(text) + why);
  if (no_program)
    throw Error("--agent: found " + shown(text) +
                ", which is no program and no built-in agent; built in are " + known_agents());
  return spec;
}

std::string fingerprint(const AgentSpec& agent, const std::filesystem::path& folder) {
  if (agent.command.empty()) return "built in";
  Hash hash;
  hash.add(agent.command);
  for (const std::string& word : words_of(agent.command)) {
    std::error_code none;
    if (const std::filesystem::path file = folder / word; std::filesystem::is_regular_file(file, none))
      hash.add(read_file(file));
  }
  return agent.command + " " + hexadecimal(hash.value());
}

std::string fingerprint(const AgentSpec& agent, const TrialOptions& given) {
  const std::string what = fingerprint(agent, working_folder(given.limits));
  if (agent.command.empty()) return what;
  return with_limits(
      what, given.limits.action_s, given.limits.trial_s,
      ", " + std::to_string(given.limits.memory_mb) + " MiB, retries " + std::to_string(given.retries));
}

int retries_of(const std::string& fingerprint) {
  const std::string limits = limits_of(fingerprint);
  return parse_number<int>(limits.substr(limits.rfind(' ') + 1)).value_or(0);
}

namespace {

/// Novelty to be played, and the tier or third stored for it; either may be empty.
std::pair<std::string, std::string> cell_of(const StoredLevel& level,
                                            const std::optional<std::string>& novelty) {
  const std::optional<StoredDifficulty>& stored = level.difficulty;
  const std::string played = novelty ? *novelty : stored ? stored->novelty : "";
  return {played, stored && stored->novelty == played ? tier_or_third(stored) : ""};
}

}  // namespace

std::vector<PlayableLevel> playable_levels(const std::vector<StoredLevel>& levels,
                                           std::shared_ptr<const Profile> profile,
                                           const std::optional<std::string>& novelty, int threads) {
  std::vector<PlayableLevel> playable(levels.size());
  parallel_for(levels.size(), threads, [&](std::size_t i) {
    const StoredLevel& level = levels[i];
    const auto [played, tier] = cell_of(level, novelty);
    if (novelty && novelty->empty()) {
      playable[i] = {.name = level.name,
                     .hash = level_hash(level),
                     .normal = taken_at_rest(settle(make_scene(level, profile)))};
      return;
    }
    if (played.empty())
      throw Error("level " + level.name + ": no novelty is stored with it; --novelty names one");
    PlayableLevel& made = playable[i] = {.name = level.name,
                                         .hash = level_hash(level),
                                         .novelty = played,
                                         .change = find_novelty(played, level),
                                         .tier = tier};
    made.normal = taken_at_rest(settle(make_scene(level, profile)));
    made.novel = novel_twin(made.normal, made.change);
    if (!anything_novel(made.novel))
      throw Error("level " + level.name + ": novelty " + made.novelty + " changes nothing in it");
  });
  std::vector<std::string> names;
  for (const PlayableLevel& level : playable) names.push_back(level.name);
  std::sort(names.begin(), names.end());
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
    throw Error("level " + *twice + ": this name stands twice; results are stored by name");
  return playable;
}

std::vector<PlayableLevel> playable_levels(const PlacedSet& set, int threads) {
  std::vector<PlayableLevel> playable(set.levels.size());
  parallel_for(set.levels.size(), threads, [&](std::size_t i) {
    const PlacedLevel& level = set.levels[i];
    PlayableLevel& made = playable[i] = {.name = level.name,
                                         .hash = level_hash(level.level),
                                         .novelty = level.novelty,
                                         .change = level.change,
                                         .tier = level.tier};
    made.normal = taken_at_rest(level.rest);
    made.novel = novel_twin(made.normal, made.change);
  });
  return playable;
}

Manifest set_notes(const PlacedSet& set) {
  Manifest notes;
  if (!set.left_out.empty()) notes["left_out"] = counted(set.left_out);
  for (const auto& [novelty, computed] : set.computed) {
    const std::string levels = std::to_string(computed.values.size()) + " levels";
    if (computed.source == DifficultySource::p_level) {
      notes["tiers " + novelty] = "p_level, version " + std::to_string(played_level_version) + ", of " +
                                  levels;
      continue;
    }
    const std::string how = std::string(name(computed.source)) + " alpha " + shortest(computed.alpha);
    if (const auto never = std::count(computed.values.begin(), computed.values.end(), 1.0); never > 0)
      notes["undetectable " + novelty] = "value 1 by " + how + " in " + std::to_string(never) + " of " +
                                         levels;
    if (const auto& t = computed.thirds)
      notes["thirds " + novelty] = how + ", low below " + shortest(t->low) + ", high above " +
                                   shortest(t->high) + ", of " + levels;
  }
  return notes;
}

std::string profile_fingerprint(const Profile& profile) {
  Hash hash;
  hash.add(embedded_profiles().at(profile.name));
  return profile.name + " " + hexadecimal(hash.value());
}

Manifest make_manifest(const std::vector<PlayableLevel>& levels, const Profile& profile,
                       const RunOptions& options) {
  Hash of_levels;
  for (const PlayableLevel& level : levels) {
    of_levels.add(level.hash);
    of_levels.add(level.novelty);
  }
  const auto number = [](auto value) {
    std::ostringstream text;
    text << value;
    return text.str();
  };
  Manifest manifest{{"program", options.program},
                    {"agent_protocol", number(protocol_version)},
                    {"levels", number(levels.size()) + " " + hexadecimal(of_levels.value())},
                    {"profile", profile_fingerprint(profile)},
                    {"protocol", name(options.plan.protocol)},
                    {"secret", options.plan.secret.text()},
                    {"trials", number(options.plan.trials)},
                    {"sandbox", options.trial.limits.sandbox ? "yes" : "no"}};
  if (options.plan.protocol == Protocol::shift) {
    manifest["most_before"] = number(options.plan.most_before);
    manifest["after"] = number(options.plan.after);
  }
  manifest.insert(options.set.begin(), options.set.end());
  return manifest;
}

namespace {

/// As make_manifest() writes it.
bool is_count(const std::string& text) {
  const auto value = parse_number<int>(text);
  return value && *value >= 1 && std::to_string(*value) == text;
}
bool is_line(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= ' '; });
}
/// Ends in a blank and a hash.
std::optional<std::string> before_hash(const std::string& text) {
  const std::size_t space = text.rfind(' ');
  if (space == text.npos) return std::nullopt;
  const std::string digits = text.substr(space + 1);
  if (hexadecimal(parse_number<std::uint64_t>(digits, 16).value_or(0)) != digits) return std::nullopt;
  return text.substr(0, space);
}

/// What a manifest may hold. A key that ends in a blank is the beginning of one.
struct ManifestKey {
  const char *key, *allowed;
  enum class Where { always, shift, maybe } where;
  bool (*is_value)(const std::string& text);
};
using Where = ManifestKey::Where;
constexpr ManifestKey manifest_keys[] = {
    {"program", "one line", Where::always, is_line},
    {"agent_protocol", "a whole number from 1", Where::always, is_count},
    {"levels", "a number and a hash", Where::always,
     [](const std::string& text) { return is_count(before_hash(text).value_or("")); }},
    {"profile", "a name and a hash", Where::always,
     [](const std::string& text) { return is_line(before_hash(text).value_or("")); }},
    {"protocol", "single and shift", Where::always,
     [](const std::string& text) { return text == name(Protocol::single) || text == name(Protocol::shift); }},
    {"secret", "32 hexadecimal digits, in small letters", Where::maybe,
     [](const std::string& text) { return RunSecret::parse(text).text() == text; }},
    {"trials", "a whole number from 1", Where::always, is_count},
    {"sandbox", "yes and no", Where::always,
     [](const std::string& text) { return text == "yes" || text == "no"; }},
    {"most_before", "a whole number from 1", Where::shift, is_count},
    {"after", "a whole number from 1", Where::shift, is_count},
    {"left_out", "one line", Where::maybe, is_line},
    {"tiers ", "one line", Where::maybe, is_line},
    {"order", "one line", Where::maybe, is_line}};

const ManifestKey* find_key(const std::string& key) {
  const auto found = std::find_if(
      std::begin(manifest_keys), std::end(manifest_keys), [&](const ManifestKey& k) {
        const std::string_view known = k.key;
        return known == key || (known.back() == ' ' && key.size() > known.size() && key.starts_with(known));
      });
  return found == std::end(manifest_keys) ? nullptr : found;
}

}  // namespace

void check_manifest(const Manifest& manifest, const std::string& place) {
  for (const auto& [key, value] : manifest) {
    const ManifestKey* known = find_key(key);
    if (!known) throw Error(place + ": manifest: found key " + shown(key) + ", which Startle does not write");
    bool fits = false;
    try {
      fits = known->is_value(value);
    } catch (const Error&) {  // of RunSecret::parse()
    }
    if (!fits)
      throw Error(place + ": manifest: " + key + ": found " + shown(value) + ", allowed are " +
                  known->allowed);
  }
  const auto require = [&](Where where, bool there) {
    for (const ManifestKey& known : manifest_keys)
      if (known.where == where && manifest.contains(known.key) != there)
        throw Error(place + ": manifest: " + known.key + ": found " +
                    (there ? std::string("none, allowed are ") + known.allowed
                           : shown(manifest.at(known.key)) + ", allowed is none: the protocol is single"));
  };
  require(Where::always, true);
  require(Where::shift, manifest.at("protocol") == name(Protocol::shift));
}

bool is_of_levels(const std::string& key) {
  return key == "levels" || key == "left_out" || key.starts_with("tiers ");
}

RunTrials::RunTrials(const std::vector<PlayableLevel>& levels, RunOptions options)
    : levels_(levels), options_(std::move(options)), plans_(plan_trials(levels, options_.plan)) {
  // Whatever its name: job scripts export it.
  options_.trial.limits.withheld = options_.plan.secret.text();
  for (const std::string& text : options_.agents) {
    agents_.push_back(parse_agent(text, working_folder(options_.trial.limits)));
    for (std::size_t i = 0; i + 1 < agents_.size(); ++i)
      if (agents_[i].name == agents_.back().name)
        throw Error("--agent: " + shown(agents_.back().name) + " stands twice");
  }
}

std::map<std::string, std::string> RunTrials::fingerprints() const {
  std::map<std::string, std::string> by_name;
  for (const AgentSpec& agent : agents_) by_name[agent.name] = fingerprint(agent, options_.trial);
  return by_name;
}

TrialKey RunTrials::key(std::size_t trial) const {
  const TrialPlan& plan = plans_[trial % plans_.size()];
  return {agents_[trial / plans_.size()].name, plan.unit, plan.world, plan.trial};
}

bool RunTrials::of_program(std::size_t trial) const {
  return !agents_[trial / plans_.size()].command.empty();
}

TrialResult RunTrials::run(std::size_t trial, ReadyPrograms& programs, const OnReport& on_report) const {
  TrialOptions options = options_.trial;
  options.on_report = on_report;
  return run_trial(agents_[trial / plans_.size()], plans_[trial % plans_.size()], levels_, options,
                   &programs);
}

std::optional<std::size_t> TrialQueue::next() {
  const std::lock_guard lock(mutex_);
  if (stopped_ || handed_out_ == trials_.size()) return std::nullopt;
  return trials_[handed_out_++];
}

void TrialQueue::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

void TrialQueue::begin(const TrialKey& trial) {
  const std::lock_guard lock(mutex_);
  store_.begin(trial);
}

void TrialQueue::report(const TrialKey& trial, const PlayedShot& shot) {
  const std::lock_guard lock(mutex_);
  store_.report(trial, shot);
}

void TrialQueue::add(const TrialResult& result) {
  const std::lock_guard lock(mutex_);
  store_.add(result);
  ++done_;
  if (progress_) progress_(result);
}

std::size_t TrialQueue::done() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

namespace {

/// A thread that takes trials from the queue beside this one. What goes wrong in it stops the queue, and
/// comes out of join().
class Beside {
 public:
  Beside(const std::function<void(TrialQueue&)>& work, TrialQueue& queue) : queue_(queue) {
    if (work)
      thread_ = std::thread([this, &work] {
        try {
          work(queue_);
        } catch (...) {
          error_ = std::current_exception();
          queue_.stop();
        }
      });
  }
  ~Beside() {
    queue_.stop();
    if (thread_.joinable()) thread_.join();
  }
  void join() {
    if (thread_.joinable()) thread_.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  TrialQueue& queue_;
  std::exception_ptr error_;
  std::thread thread_;
};

TrialResult played_trial(const RunTrials& trials, std::size_t trial, ReadyPrograms& programs,
                         TrialQueue& queue) {
  if (!trials.of_program(trial)) return trials.run(trial, programs);
  const TrialKey key = trials.key(trial);
  queue.begin(key);
  return trials.run(trial, programs, [&](const PlayedShot& shot) { queue.report(key, shot); });
}

}  // namespace

RunSummary run_agents(const std::vector<PlayableLevel>& levels, std::shared_ptr<const Profile> profile,
                      const RunOptions& options, const std::filesystem::path& out, const RunHooks& hooks) {
  const RunTrials trials(levels, options);
  ResultsStore store(out, make_manifest(levels, *profile, options));
  for (const auto& [name, print] : trials.fingerprints()) {
    store.forget_failed_agent(name, print);
    store.add_agent(name, print);
  }
  const std::set<TrialKey> finished = store.finished();

  RunSummary summary;
  std::vector<std::size_t> left;
  const auto shards = static_cast<std::size_t>(options.shards);
  for (auto i = static_cast<std::size_t>(options.shard - 1); i < trials.size(); i += shards) {
    ++summary.planned;
    if (finished.contains(trials.key(i)))
      ++summary.found;
    else
      left.push_back(i);
  }
  const std::size_t count = left.size();
  if (hooks.expect) hooks.expect(count);
  const Reaper reaper;
  ReadyPrograms programs;
  TrialQueue queue(store, std::move(left), hooks.progress);
  Beside beside(hooks.other_players, queue);
  parallel_for(
      count, options.threads,
      [&](std::size_t) {  // as many as there are trials; those that others took are nobody's here
        if (const auto trial = queue.next()) queue.add(played_trial(trials, *trial, programs, queue));
      },
      hooks.keep_going);
  if (hooks.keep_going && !hooks.keep_going()) queue.stop();
  beside.join();
  summary.complete = queue.done() == count;
  for (const AgentSpec& agent : trials.agents())
    if (!agent.command.empty()) summary.heads[agent.name] = store.head(agent.name);
  return summary;
}

}  // namespace startle
