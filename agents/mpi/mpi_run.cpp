#include "agents/mpi/mpi_run.hpp"

#define OMPI_SKIP_MPICXX 1  // the C++ bindings, which the standard gave up
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <chrono>
#include <exception>
#include <list>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "agents/programs/program_agent.hpp"
#include "agents/trials/trial_table.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "levels/placed_set_text.hpp"

namespace startle {
namespace {

using Json = nlohmann::json;

/// What a message is: the run; the number of a thread that wants a trial; the number of a trial that a
/// program begins; that number and a shot with its report; what a trial came to; a rank has no more to say.
/// Answers to thread t of a rank have the tag `answer` + t: a trial, or empty.
enum Tag : int { start, request, begun, shot, result, leave, answer };

struct Message {
  int rank = 0;
  int tag = 0;
  std::string text;
};

void send(int rank, int tag, const std::string& text) {
  if (!std::in_range<int>(text.size()))
    throw Error("MPI: found a message of " + std::to_string(text.size()) +
                " bytes, allowed are 2147483647; share these levels among several runs");
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, rank, tag, MPI_COMM_WORLD);
}

/// Sends without waiting for the receiver: ranks send at any time, too, and two that wait for one another
/// would wait for ever.
class Outbox {
 public:
  void send(int rank, int tag, const std::string& text) {
    sent_.remove_if([](Sent& sent) {
      int arrived = 0;
      MPI_Test(&sent.request, &arrived, MPI_STATUS_IGNORE);
      return arrived != 0;
    });
    Sent& sent = sent_.emplace_back(Sent{text, MPI_REQUEST_NULL});
    MPI_Isend(sent.text.data(), static_cast<int>(sent.text.size()), MPI_CHAR, rank, tag, MPI_COMM_WORLD,
              &sent.request);
  }
  /// Until all has arrived.
  void finish() {
    for (Sent& sent : sent_) MPI_Wait(&sent.request, MPI_STATUS_IGNORE);
    sent_.clear();
  }

 private:
  struct Sent {
    std::string text;
    MPI_Request request;
  };
  std::list<Sent> sent_;
};

/// The next message from that rank with that tag, where one has come.
std::optional<Message> received(int rank, int tag) {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(rank, tag, MPI_COMM_WORLD, &there, &status);
  if (!there) return std::nullopt;
  int size = 0;
  MPI_Get_count(&status, MPI_CHAR, &size);
  Message message{status.MPI_SOURCE, status.MPI_TAG, std::string(static_cast<std::size_t>(size), '\0')};
  MPI_Recv(message.text.data(), size, MPI_CHAR, message.rank, message.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return message;
}

/// MPI's own waiting keeps a core busy, on which a trial could be played.
void wait_a_little() { std::this_thread::sleep_for(std::chrono::microseconds(200)); }

/// Throws Error for the first key whose value is another in `here`.
void expect_equal(const std::map<std::string, std::string>& first,
                  const std::map<std::string, std::string>& here, int rank) {
  for (const auto& [key, value] : here) {
    const auto found = first.find(key);
    const std::string theirs = found == first.end() ? "" : found->second;
    if (theirs != value)
      throw Error("rank " + std::to_string(rank) + ": " + key + " is " + shown(value) + " here and " +
                  shown(theirs) + " on rank 0");
  }
}

}  // namespace

MpiProcess::MpiProcess() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED) throw Error("MPI: this library lets only the main thread send");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &count_);
}

MpiProcess::~MpiProcess() {
  if (std::uncaught_exceptions() == 0) MPI_Finalize();
}

void hand_out_trials(const MpiProcess& process, const PlacedSet& set,
                     const std::vector<PlayableLevel>& levels, const Profile& profile,
                     const RunOptions& options, const std::function<bool()>& keep_going, TrialQueue& queue) {
  const RunTrials trials(levels, options);
  const std::string run = Json{
      {"manifest", make_manifest(levels, profile, options)},
      {"agents", trials.fingerprints()},
      {"levels",
       placed_set_text(set)}}.dump();
  for (int rank = 1; rank < process.count(); ++rank) send(rank, start, run);
  Outbox answers;
  for (int active = process.count() - 1; active > 0;) {
    if (!keep_going()) queue.stop();
    const auto message = received(MPI_ANY_SOURCE, MPI_ANY_TAG);  // those of one rank in their order
    if (!message) {
      wait_a_little();
    } else if (message->tag == request) {
      const auto next = queue.next();
      answers.send(message->rank, answer + parse_number<int>(message->text).value(),
                   next ? std::to_string(*next) : "");
    } else if (message->tag == begun) {
      queue.begin(trials.key(parse_number<std::size_t>(message->text).value()));
    } else if (message->tag == shot) {
      const std::size_t space = message->text.find(' ');
      queue.report(trials.key(parse_number<std::size_t>(message->text.substr(0, space)).value()),
                   shot_from_text(message->text.substr(space + 1), "rank " + std::to_string(message->rank)));
    } else if (message->tag == result) {
      queue.add(trial_from_text(message->text, "rank " + std::to_string(message->rank)));
    } else {
      --active;
    }
  }
  answers.finish();
}

void play_handed_out(const MpiProcess& process, std::shared_ptr<const Profile> profile, RunOptions options,
                     const std::function<bool()>& keep_going) {
  std::optional<Message> message;
  while (!(message = received(0, start))) wait_a_little();
  const Json run = Json::parse(message->text);
  const Manifest manifest = run["manifest"];
  options.plan.secret = RunSecret::parse(manifest.at("secret"));
  const std::vector<PlayableLevel> levels = playable_levels(placed_set_from_text(run["levels"], profile),
                                                            options.threads);
  const RunTrials trials(levels, options);
  expect_equal(manifest, make_manifest(levels, *profile, options), process.rank());
  expect_equal(run["agents"], trials.fingerprints(), process.rank());

  std::mutex mutex;  // one thread at a time talks to the library
  const auto to_rank_0 = [&](Tag tag, const std::string& text) {
    const std::lock_guard lock(mutex);
    send(0, tag, text);
  };
  const auto given = [&](std::size_t thread) -> std::optional<std::size_t> {
    for (;; wait_a_little()) {
      const std::lock_guard lock(mutex);
      if (const auto trial = received(0, answer + static_cast<int>(thread)))
        return parse_number<std::size_t>(trial->text);
    }
  };
  const Reaper reaper;
  ReadyPrograms programs;
  const int threads = options.threads == 0 ? hardware_threads() : options.threads;
  parallel_for(static_cast<std::size_t>(threads), threads, [&](std::size_t thread) {
    to_rank_0(request, std::to_string(thread));
    while (const auto trial = given(thread)) {
      if (!keep_going()) break;
      to_rank_0(request, std::to_string(thread));  // the next one comes while this one is played
      const std::string number = std::to_string(*trial);
      OnReport on_report;
      if (trials.of_program(*trial)) {
        to_rank_0(begun, number);
        on_report = [&](const PlayedShot& played) { to_rank_0(shot, number + " " + shot_text(played)); };
      }
      to_rank_0(result, trial_text(trials.run(*trial, programs, on_report)));
    }
  });
  send(0, leave, "");
}

}  // namespace startle
