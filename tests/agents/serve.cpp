/// \file  An agent behind the lines of the protocol plays as it does inside the runner.
#include "agents/programs/serve.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "agents/built_in.hpp"
#include "agents/programs/messages.hpp"
#include "core/error.hpp"
#include "tests/agents/samples.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

constexpr std::uint64_t seed = 12345;

/// What the runner would write in a trial of that agent, and what it would get.
struct Transcript {
  std::string written, answered;
};
Transcript transcript(Agent& agent, const Scene& start) {
  Game game(start);
  Transcript lines;
  const Briefing briefing{.seed = seed, .levels = 1};
  agent.begin(briefing);
  lines.written = begin_message(briefing) + "\n";
  while (!game.over()) {
    lines.written += act_message(game.now()) + "\n";
    const Shot shot = agent.act(game);
    lines.answered += answer_message(shot) + "\n";
    const SeenShot& seen = game.shoot(shot);
    lines.written += report_message(seen) + "\n";
    lines.answered += answer_message(agent.report(seen, game)) + "\n";
  }
  lines.written += end_message() + "\n";
  return lines;
}

/// Looks at the last shot before it says anything.
class Watcher : public Agent {
 public:
  Shot act(const ObservationSource& source) override {
    seen.push_back(source.picture(33, 20));
    return {.angle = 0.3};
  }
  Report report(const SeenShot&, const ObservationSource& source) override {
    seen.push_back(source.picture_of_frame(2, 17, 9));
    return {.novelty = 0.25, .description = "\"seen\"\n"};
  }
  std::vector<Bitmap> seen;
};

}  // namespace

TEST_CASE(
    "[agents] served: built-in agents answer behind the protocol as they do inside the runner, bit for bit") {
  for (const char* folder : {"T1/easy", "T2/hard", "wood-density-up/medium"})
    for (const PlayableLevel& level : playable(benchmark_levels(folder, 2)))
      for (const char* name : {"pig-shooter+constant-velocity", "best-target+simulation", "random+chance"}) {
        CAPTURE(level.name, name);
        const Transcript lines = transcript(*make_built_in(name, profile()), level.novel);
        std::istringstream in(lines.written);
        std::ostringstream out;
        serve_agent(*make_built_in(name, profile()), *profile(), in, out);
        CHECK(out.str() == lines.answered);
      }
}

TEST_CASE("[agents] served: an agent that knows a shooter by name shoots as that shooter's agents do") {
  const PlayableLevel level = playable(benchmark_levels("T2/easy", 1)).front();
  const auto shots_of = [&](Agent& agent) { return transcript(agent, level.normal).written; };
  CHECK(shots_of(*make_agent("pig-shooter", detectors().front().make(), profile())) ==
        shots_of(*make_built_in("pig-shooter", profile())));
  CHECK(make_agent("no-shooter", detectors().front().make(), profile()) == nullptr);
}

TEST_CASE("[agents] served: pictures come as they were painted") {
  Game game(playable({small_level()}).front().normal);
  const Bitmap before = game.picture(33, 20);
  std::string lines = begin_message({.seed = 1, .levels = 1}) + "\n" + act_message(game.now()) + "\n" +
                      picture_message(before) + "\n";
  const SeenShot& seen = game.shoot({.angle = 0.3});
  const Bitmap frame = game.picture_of_frame(2, 17, 9);
  lines += report_message(seen) + "\n" + picture_message(frame) + "\n" + end_message() + "\n";
  Watcher watcher;
  std::istringstream in(lines);
  std::ostringstream out;
  serve_agent(watcher, *profile(), in, out);
  REQUIRE(watcher.seen.size() == 2);
  CHECK(watcher.seen[0].rgb == before.rgb);
  CHECK(watcher.seen[1].rgb == frame.rgb);
  CHECK(out.str() == "{\"type\":\"picture\",\"width\":33,\"height\":20}\n" +
                         answer_message(Shot{.angle = 0.3}) +
                         "\n{\"type\":\"picture\",\"width\":17,\"height\":9,\"frame\":2}\n"
                         "{\"type\":\"report\",\"novelty\":0.25,\"description\":\"\\\"seen\\\"\\n\"}\n");
}

TEST_CASE(
    "[agents] served: trial after trial on the standard streams, each from the same start, whatever it "
    "prints") {
  /// Counts its shots from when it was loaded.
  class Counter : public Agent {
   public:
    Shot act(const ObservationSource&) override {
      // Prints, and runs what prints and takes what it finds on standard input.
      std::cout << "noise" << std::endl;
      std::puts("noise");
      if (std::system("echo noise; cat") != 0) throw Error("no shell");
      return {.angle = 0.1 * ++shots_};
    }
    Report report(const SeenShot&, const ObservationSource&) override {
      if (shots_ == 3) throw Error("too many");
      return {.novelty = 0.1 * shots_};
    }

   private:
    int shots_ = 0;
  };
  Game game(playable({small_level()}).front().normal);
  const std::string begin = begin_message({.seed = 1, .levels = 1}) + "\n",
                    act = act_message(game.now()) + "\n",
                    report = report_message(game.shoot({.angle = 0.1})) + "\n", end = end_message() + "\n";
  int in[2], out[2];
  REQUIRE(pipe(in) == 0);
  REQUIRE(pipe(out) == 0);
  std::cout.flush();  // what waits there would be written by both
  const pid_t server = fork();
  if (server == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    dup2(open("/dev/null", O_WRONLY), 2);
    for (const int file : {in[0], in[1], out[0], out[1]}) close(file);
    Counter counter;
    serve_trials(counter, *profile());
    _exit(0);
  }
  close(in[0]);
  close(out[1]);
  const auto say = [&](const std::string& text) {
    REQUIRE(write(in[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  };
  std::string rest;
  const auto heard = [&] {  // the next line that is not blank
    for (;;) {
      const std::size_t line = rest.find('\n');
      if (line != std::string::npos) {
        const std::string found = rest.substr(0, line);
        rest.erase(0, line + 1);
        if (!found.empty()) return found;
        continue;
      }
      char part[4096];
      const ssize_t count = read(out[0], part, sizeof part);
      if (count <= 0) return std::string("end");
      rest.append(part, static_cast<std::size_t>(count));
    }
  };
  CHECK(heard() == ready_message(Separation::fork));
  for (int trial = 0; trial < 3; ++trial) {
    say(begin + act);
    CHECK(heard() == answer_message(Shot{.angle = 0.1}));
    say(report);
    CHECK(heard() == answer_message(Report{.novelty = 0.1}));
    say(end);
    CHECK(heard() == over_message());
  }
  say(begin + act + report + act + report + act + report + act + report);
  for (int lines = 0; lines < 5; ++lines) heard();
  CHECK(heard() == over_message({.code = 2}));
  // What the fork left unread is no part of the next trial.
  say(begin + act);
  CHECK(heard() == answer_message(Shot{.angle = 0.1}));
  close(in[1]);
  CHECK(heard() == over_message());
  CHECK(heard() == "end");
  int state = 0;
  waitpid(server, &state, 0);
  CHECK(state == 0);
  close(out[0]);
}

TEST_CASE("[agents] served: what is no message, or comes out of turn, is refused with what was found") {
  const std::string begin = begin_message({.seed = 1, .levels = 1}) + "\n";
  const Game game(playable({small_level()}).front().normal);
  const std::string act = act_message(game.now()) + "\n";
  const auto refused = [&](const std::string& lines, const std::string& words) {
    Watcher watcher;
    std::istringstream in(lines);
    std::ostringstream out;
    CAPTURE(lines.substr(0, 100));
    CHECK_THROWS_WITH(serve_agent(watcher, *profile(), in, out), Catch::Contains(words));
  };
  refused("garbage\n", "garbage");
  refused("{\"type\":\"begin\"}\n", "protocol");
  refused("{\"type\":\"begin\",\"protocol\":\"startle-agent\",\"version\":99,\"seed\":1,\"levels\":1}\n",
          "version 99");
  refused(act, "before begin");
  refused(begin + begin, "second begin");
  refused(begin + "{\"type\":\"act\",\"observation\":{}}\n", "level");
  refused(begin + "{\"type\":\"report\"}\n", "not awaited");
  refused(begin + act, "awaited a picture");
  refused(begin + act + picture_message(Bitmap(3, 3)) + "\n", "asked for were 33 x 20");
  refused(begin + act + "{\"type\":\"picture\",\"width\":33,\"height\":20,\"rgb\":\"AAAA\"}\n",
          "found 3 bytes");
  // The runner is gone: nothing is left to do.
  Watcher watcher;
  std::istringstream in(begin);
  std::ostringstream out;
  CHECK_NOTHROW(serve_agent(watcher, *profile(), in, out));
}
