#include "agents/ranks.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

namespace fs = std::filesystem;

fs::path with(const fs::path& path, const char* ending) { return path.string() + ending; }
fs::path state_of(const fs::path& part) { return with(part, ".state"); }
fs::path secret_file_of(const fs::path& out) { return with(out, ".secret"); }

/// What a rank says when it is done. Without the launch's name, what it said in an earlier one would count.
std::string done_text(const Rank& rank) {
  return rank.launch.empty() ? "done\n" : "done " + rank.launch + "\n";
}

/// What the rank last said; empty when it has not said anything.
std::string state_text(const fs::path& part) {
  std::ifstream file(state_of(part), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Says every two seconds that this rank is alive, until it is done; takes back what it said where it ends
/// otherwise.
class SignOfLife {
 public:
  SignOfLife(fs::path part, std::string done_text)
      : part_(std::move(part)), done_text_(std::move(done_text)) {
    write_file(state_of(part_), "alive 0\n");
    thread_ = std::thread([this] { beat(); });
  }
  ~SignOfLife() {
    stop();
    std::error_code none;
    if (!done_) fs::remove(state_of(part_), none);
  }
  void done() {
    stop();
    write_file(state_of(part_), done_text_);
    done_ = true;
  }

 private:
  void beat() {
    std::unique_lock lock(mutex_);
    for (long beats = 1; !over_.wait_for(lock, std::chrono::seconds(2), [this] { return stopped_; });
         ++beats) {
      try {
        write_file(state_of(part_), "alive " + std::to_string(beats) + "\n");
      } catch (const Error&) {
        // A full disk is reported by whoever writes results.
      }
    }
  }
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    over_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  fs::path part_;
  std::string done_text_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool stopped_ = false, done_ = false;
  std::thread thread_;
};

std::set<TrialKey> planned_trials(const std::vector<PlayableLevel>& levels, const RunOptions& options) {
  std::set<TrialKey> keys;
  for (const std::string& text : options.agents)
    for (const TrialPlan& plan : plan_trials(levels, options.plan))
      keys.insert(
          {parse_agent(text, working_folder(options.trial.limits)).name, plan.unit, plan.world, plan.trial});
  return keys;
}

/// Whether the files hold all of it. Every rank has closed its part when this is asked; a state file left
/// from an earlier run can say so too early, and then trials are missing.
bool hold(const std::vector<fs::path>& files, std::set<TrialKey> planned) {
  for (const fs::path& file : files)
    if (fs::exists(file))
      for (const TrialKey& key : ResultsStore(file).finished()) planned.erase(key);
  return planned.empty();
}

/// False when stopped by keep_going.
bool wait_for_others(const fs::path& out, const Rank& rank, const std::set<TrialKey>& planned,
                     const std::function<bool()>& keep_going, const std::function<void()>& waiting,
                     double patience_s) {
  using Clock = std::chrono::steady_clock;
  const auto count = static_cast<std::size_t>(rank.count);
  std::vector<std::string> heard(count);
  std::vector<Clock::time_point> when(count, Clock::now());
  for (bool announced = false;; announced = true) {
    bool all_done = true, all_silent = true;
    std::optional<int> lost;
    for (int r = 1; r < rank.count; ++r) {
      const auto i = static_cast<std::size_t>(r);
      const std::string text = state_text(part_of(out, {r, rank.count}));
      if (text != heard[i]) {
        heard[i] = text;
        when[i] = Clock::now();
      }
      const bool done = text == done_text(rank),
                 silent = std::chrono::duration<double>(Clock::now() - when[i]).count() > patience_s;
      all_done &= done;
      all_silent &= silent;
      if (silent && !done) lost = r;  // who is done says nothing any more, however long the others take
    }
    if (all_done) {
      std::vector<fs::path> files = parts_beside(out);
      files.push_back(out);
      if (hold(files, planned)) return true;
      if (all_silent) lost = 1;  // one of them was done in an earlier run, and is not in this one
    }
    if (lost)
      throw Error(part_of(out, {*lost, rank.count}).string() + ": nothing was heard of rank " +
                  std::to_string(*lost) + " for " + number_text(patience_s) +
                  " s; what is finished stays, and the same command goes on from there");
    if (keep_going && !keep_going()) return false;
    if (!announced && waiting) waiting();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

/// All files beside `out` whose names begin as a part's does, each with the rest of its name.
std::vector<std::pair<fs::path, std::string>> files_of_parts(const fs::path& out) {
  const std::string start = out.filename().string() + ".part-";
  std::vector<std::pair<fs::path, std::string>> files;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::absolute(out).parent_path(), none)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(start)) continue;
    int number = 0, count = 0, used = 0;
    if (std::sscanf(name.c_str() + start.size(), "%d-of-%d%n", &number, &count, &used) == 2)
      files.emplace_back(out.parent_path() / name,
                         name.substr(start.size() + static_cast<std::size_t>(used)));
  }
  return files;
}

/// Removes the parts beside `out` and what belongs to them. A rank killed while it wrote its state leaves a
/// file under a temporary name.
void remove_parts(const fs::path& out) {
  for (const auto& [file, rest] : files_of_parts(out)) {
    std::error_code none;
    if (rest.empty() || rest == "-wal" || rest == "-shm" || rest == ".state" ||
        rest.starts_with(".state.tmp-"))
      fs::remove(file, none);
  }
}

}  // namespace

std::optional<Rank> launched_rank() {
  for (const auto& [rank_name, size_name] :
       {std::pair{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, std::pair{"PMI_RANK", "PMI_SIZE"}}) {
    const char* rank_text = std::getenv(rank_name);
    const char* size_text = std::getenv(size_name);
    if (!rank_text || !size_text) continue;
    Rank rank{.number = parse_number<int>(rank_text).value_or(-1),
              .count = parse_number<int>(size_text).value_or(-1)};
    if (rank.number < 0 || rank.number >= rank.count)
      throw Error(std::string(rank_name) + " and " + size_name + ": found " + shown(rank_text) + " and " +
                  shown(size_text) + ", allowed are whole numbers, 0 <= rank < size");
    for (const char* launch_name : {"PMIX_NAMESPACE", "PMI_JOBID"})
      if (const char* launch = std::getenv(launch_name); launch && rank.launch.empty()) rank.launch = launch;
    if (rank.count > 1) return rank;
    return std::nullopt;
  }
  return std::nullopt;
}

fs::path part_of(const fs::path& out, const Rank& rank) {
  return out.string() + ".part-" + std::to_string(rank.number + 1) + "-of-" + std::to_string(rank.count);
}

std::vector<fs::path> parts_beside(const fs::path& out) {
  std::vector<fs::path> parts;
  for (const auto& [file, rest] : files_of_parts(out))
    if (rest.empty()) parts.push_back(file);
  std::sort(parts.begin(), parts.end());
  return parts;
}

RunSecret secret_of_ranks(const std::string& given, const fs::path& out, const Rank& rank,
                          double patience_s) {
  std::vector<fs::path> results = parts_beside(out);
  results.insert(results.begin(), out);
  const fs::path file = secret_file_of(out);
  if (rank.number == 0) {
    std::optional<RunSecret> secret = known_secret(given, results);
    if (!secret) secret = fs::exists(file) ? RunSecret::parse(read_file(file)) : RunSecret::fresh();
    write_file(file, secret->text());
    return *secret;
  }
  if (!given.empty()) return RunSecret::parse(given);
  const auto start = std::chrono::steady_clock::now();
  while (!fs::exists(file)) {
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > patience_s)
      throw Error(file.string() + ": rank 0 has not written it for " + number_text(patience_s) + " s");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return RunSecret::parse(read_file(file));
}

RunSummary run_agents_as_rank(const std::vector<PlayableLevel>& levels,
                              std::shared_ptr<const Profile> profile, RunOptions options, const fs::path& out,
                              const Rank& rank, const std::function<void(std::size_t)>& expect,
                              const std::function<void(std::size_t)>& progress,
                              const std::function<bool()>& keep_going, const std::function<void()>& waiting,
                              double patience_s) {
  const fs::path part = part_of(out, rank);
  options.shard = rank.number + 1;
  options.shards = rank.count;
  options.finished_in = {out};
  for (const fs::path& left : parts_beside(out))
    if (!left.string().ends_with("-of-" + std::to_string(rank.count)))
      options.finished_in.push_back(left);  // others are being written

  SignOfLife sign(part, done_text(rank));  // before the part is made: with a sign left by an earlier run,
                                           // rank 0 would read it half made
  RunSummary summary = run_agents(levels, profile, options, part, expect, progress, keep_going);
  if (!summary.complete) return summary;
  sign.done();  // the part is closed: it is one file, which another machine may read
  if (rank.number != 0) return summary;

  const std::set<TrialKey> planned = planned_trials(levels, options);
  summary.complete = wait_for_others(out, rank, planned, keep_going, waiting, patience_s);
  if (!summary.complete) return summary;
  merge_results(parts_beside(out), out);
  remove_parts(out);
  std::error_code none;
  fs::remove(secret_file_of(out), none);

  summary = {.planned = planned.size(), .complete = true};
  for (const TrialResult& result : ResultsStore(out).results())
    if (planned.contains(key_of(result)) && result.status != Status::ok) ++summary.failed;
  return summary;
}

}  // namespace startle
