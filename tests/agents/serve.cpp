/// \file  An agent behind the lines of the protocol plays as it does inside the runner.
#include "agents/serve.hpp"

#include <sstream>

#include "agents/built_in.hpp"
#include "agents/messages.hpp"
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
