/// \file  One run shared by ranks. Here each rank is a thread; tests/app/mpirun starts processes.
#include "agents/ranks.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>

#include "core/error.hpp"
#include "tests/agents/samples.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

const std::vector<PlayableLevel>& levels() {
  static const std::vector<PlayableLevel> made = playable(
      {small_level("a"), small_level("b"), small_level("c")});
  return made;
}

RunOptions options(const std::vector<std::string>& agents = {"random+chance", "pig-shooter"}) {
  return {.agents = agents, .program = "test", .plan = {.trials = 2}, .threads = 1};
}

std::vector<TrialResult> plain(const TestFolder& folder, const RunOptions& how) {
  const auto file = folder.path / "plain.sqlite";
  run_agents(levels(), profile(), how, file);
  return ResultsStore(file).results();
}

/// All ranks at a time. Returns the number of trials that were run, and the summary of rank 0.
std::pair<std::size_t, RunSummary> run_ranks(int count, const std::filesystem::path& out,
                                             const RunOptions& how) {
  std::vector<std::size_t> run(static_cast<std::size_t>(count));
  RunSummary first;
  std::vector<std::thread> ranks;
  for (int r = 0; r < count; ++r)
    ranks.emplace_back([&, r] {
      const RunSummary summary = run_agents_as_rank(
          levels(), profile(), how, out, {r, count},
          [&](std::size_t jobs) { run[static_cast<std::size_t>(r)] = jobs; });
      if (r == 0) first = summary;
    });
  for (std::thread& rank : ranks) rank.join();
  std::size_t sum = 0;
  for (std::size_t jobs : run) sum += jobs;
  return {sum, first};
}

/// Whether anything lies there but results, which SQLite keeps in up to three files.
bool parts_are_left(const TestFolder& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder.path))
    if (entry.path().filename().string().find(".part-") != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE(
    "[agents] ranks: the table is that of one process, nothing else is left, and nothing is run twice") {
  const TestFolder folder, alone;
  const auto out = folder.path / "out.sqlite";
  const auto [run, summary] = run_ranks(3, out, options());
  CHECK(run == 24);  // 3 levels, 2 worlds, 2 trials, 2 agents
  CHECK(summary.planned == 24);
  CHECK(summary.complete);
  CHECK(summary.failed == 0);
  CHECK(ResultsStore(out).results() == plain(alone, options()));
  CHECK_FALSE(parts_are_left(folder));

  // Again, with one agent more: only its trials, by another number of ranks.
  const RunOptions more = options({"random+chance", "best-target", "pig-shooter"});
  CHECK(run_ranks(2, out, more).first == 12);
  const TestFolder more_alone;
  CHECK(ResultsStore(out).results() == plain(more_alone, more));
  CHECK_FALSE(parts_are_left(folder));
}

TEST_CASE("[agents] ranks: what killed ranks left behind is removed at the end, and nothing else") {
  const TestFolder folder;
  const auto out = folder.path / "out.sqlite";
  folder.file("out.sqlite.part-2-of-3.state.tmp-4711-0", "alive 0\n");  // killed while it was written
  folder.file("out.sqlite.part-3-of-4.state", "alive 7\n");  // of a rank that never came to its part
  folder.file("out.sqlite.part-2-of-3.notes", "mine");
  run_ranks(2, out, options());
  CHECK_FALSE(std::filesystem::exists(folder.path / "out.sqlite.part-2-of-3.state.tmp-4711-0"));
  CHECK_FALSE(std::filesystem::exists(folder.path / "out.sqlite.part-3-of-4.state"));
  CHECK(std::filesystem::exists(folder.path / "out.sqlite.part-2-of-3.notes"));
}

TEST_CASE(
    "[agents] ranks: one that is never heard of ends the wait, and a run by fewer ranks goes on from what "
    "there is") {
  const TestFolder folder, alone;
  const auto out = folder.path / "out.sqlite";
  std::size_t run = 0;
  const auto count = [&](std::size_t jobs) { run += jobs; };
  CHECK(run_agents_as_rank(levels(), profile(), options(), out, {1, 3}, count).planned == 8);
  bool waited = false;
  CHECK_THROWS_WITH(
      run_agents_as_rank(
          levels(), profile(), options(), out, {0, 3}, count, {}, {}, [&] { waited = true; }, 0.2),
      Catch::Contains("part-3-of-3") && Catch::Contains("rank 2"));
  CHECK(waited);
  CHECK(run == 16);
  CHECK_FALSE(std::filesystem::exists(out));
  CHECK(parts_beside(out) == std::vector<std::filesystem::path>{part_of(out, {0, 3}), part_of(out, {1, 3})});

  CHECK(run_ranks(2, out, options()).first == 8);
  CHECK(ResultsStore(out).results() == plain(alone, options()));
  CHECK_FALSE(parts_are_left(folder));
}

TEST_CASE("[agents] ranks: one that is done need not be heard of while another still plays") {
  const TestFolder folder, alone;
  const auto out = folder.path / "out.sqlite";
  run_agents_as_rank(levels(), profile(), options(), out, {1, 3});
  constexpr double patience_s = 1;
  std::optional<std::chrono::steady_clock::time_point> since;  // rank 0 waits
  int asked = 0;
  const auto keep_going = [&] {  // rank 2 is alive as often as rank 0 looks, until rank 1 has been silent for
                                 // longer than it may; then it is done
    if (!since) return true;
    if (std::chrono::steady_clock::now() - *since < std::chrono::duration<double>(1.5 * patience_s))
      folder.file("out.sqlite.part-3-of-3.state", "alive " + std::to_string(++asked) + "\n");
    else if (asked > 0)
      asked = (run_agents_as_rank(levels(), profile(), options(), out, {2, 3}), 0);
    return true;
  };
  const RunSummary summary = run_agents_as_rank(
      levels(), profile(), options(), out, {0, 3}, {}, {}, keep_going,
      [&] { since = std::chrono::steady_clock::now(); }, patience_s);
  CHECK(summary.complete);
  CHECK(ResultsStore(out).results() == plain(alone, options()));
  CHECK_FALSE(parts_are_left(folder));
}

TEST_CASE(
    "[agents] ranks: where all was done before, rank 0 waits for those that only begin, and they leave "
    "nothing behind") {
  const TestFolder folder, alone;
  const auto out = folder.path / "out.sqlite";
  const Rank first{0, 2, "second launch"}, second{1, 2, "second launch"};
  run_agents_as_rank(levels(), profile(), options(), out, {1, 2, "first launch"});  // done; then rank 0 of
                                                                                    // that launch was killed
  std::atomic<bool> over = false;
  std::thread zero([&] {
    run_agents_as_rank(levels(), profile(), options(), out, first);
    over = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  CHECK_FALSE(over);  // by then it has long played its own trials
  run_agents_as_rank(levels(), profile(), options(), out, second);
  zero.join();
  CHECK(ResultsStore(out).results() == plain(alone, options()));
  CHECK_FALSE(parts_are_left(folder));
}

TEST_CASE("[agents] ranks: a sign left by an earlier run is not taken for the end of this one") {
  const TestFolder folder, alone;
  const auto out = folder.path / "out.sqlite";
  folder.file("out.sqlite.part-2-of-2.state", "done\n");
  std::thread first([&] { run_agents_as_rank(levels(), profile(), options(), out, {0, 2}); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  run_agents_as_rank(levels(), profile(), options(), out, {1, 2});
  first.join();
  CHECK(ResultsStore(out).results() == plain(alone, options()));
}

TEST_CASE("[agents] ranks: interrupted while it waits, rank 0 leaves the parts") {
  const TestFolder folder;
  const auto out = folder.path / "out.sqlite";
  bool waiting = false;
  const RunSummary summary = run_agents_as_rank(
      levels(), profile(), options(), out, {0, 2}, {}, {}, [&] { return !waiting; }, [&] { waiting = true; });
  CHECK_FALSE(summary.complete);
  CHECK(ResultsStore(part_of(out, {0, 2})).finished().size() == 12);
}

TEST_CASE("[agents] ranks: results of another run are refused before anything is written") {
  const TestFolder folder;
  const auto out = folder.path / "out.sqlite";
  RunOptions other = options();
  other.plan.secret = RunSecret{{2}};
  run_agents(levels(), profile(), other, out);
  CHECK_THROWS_WITH(run_agents_as_rank(levels(), profile(), options(), out, {1, 2}),
                    Catch::Contains("another run: secret"));
  CHECK_FALSE(parts_are_left(folder));
}

TEST_CASE("[agents] ranks: who this process is, from the environment") {
  const auto set = [](const char* rank, const char* size) {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE"})
      unsetenv(name);
    setenv("PMI_RANK", rank, 1);
    setenv("PMI_SIZE", size, 1);
  };
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE"})
    unsetenv(name);
  CHECK_FALSE(launched_rank());
  setenv("SLURM_PROCID", "0", 1);  // is also set where nothing was launched: in a batch script
  setenv("SLURM_NTASKS", "4", 1);
  CHECK_FALSE(launched_rank());
  set("0", "1");
  CHECK_FALSE(launched_rank());
  set("2", "3");
  REQUIRE(launched_rank());
  CHECK((launched_rank()->number == 2 && launched_rank()->count == 3));
  setenv("OMPI_COMM_WORLD_RANK", "1", 1);
  setenv("OMPI_COMM_WORLD_SIZE", "5", 1);
  CHECK((launched_rank()->number == 1 && launched_rank()->count == 5));
  for (const auto& [rank, size] : {std::pair{"3", "3"}, {"-1", "3"}, {"x", "3"}, {"0", ""}, {"1", "3 "}}) {
    set(rank, size);
    CHECK_THROWS_AS(launched_rank(), Error);
  }
  for (const char* name : {"PMI_RANK", "PMI_SIZE", "SLURM_PROCID", "SLURM_NTASKS"}) unsetenv(name);
}

TEST_CASE("[agents] ranks: parts are distinguished from other files") {
  const TestFolder folder;
  for (const char* name : {"o.part-2-of-3", "o.part-1-of-2", "o.part-1-of-2.state", "o.part-1-of-2-wal",
                           "o.part-x-of-2", "p.part-1-of-2", "o"})
    folder.file(name, "");
  CHECK(parts_beside(folder.path / "o") ==
        std::vector<std::filesystem::path>{folder.path / "o.part-1-of-2", folder.path / "o.part-2-of-3"});
}
