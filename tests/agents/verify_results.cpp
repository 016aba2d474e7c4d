/// \file  Results are flown again, and what was changed in them is found.
#include "agents/entries/verify_results.hpp"

#include <functional>

#include "core/error.hpp"
#include "tests/agents/samples.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// Shoots at 0.5 rad and reports 0.25; fails in the second level of a trial where asked to.
std::string program(const TestFolder& folder, bool fails = false) {
  return "sh " + folder.file(fails ? "fails" : "works",
                             "while read -r line; do case \"$line\" in\n" +
                                 std::string(fails ? "*'\"type\":\"act\"'*'\"level\":2'*) exit 3;;\n" : "") +
                                 "*'\"type\":\"act\"'*) echo '{\"type\":\"shot\",\"angle\":0.5}';;\n"
                                 "*'\"type\":\"report\"'*) echo '{\"type\":\"report\",\"novelty\":0.25}';;\n"
                                 "esac; done\n");
}

const GivenLevels& verified_levels() {
  static const GivenLevels all{playable({small_level("a"), small_level("b")}), {}, profile()};
  return all;
}

AgentResults results(const TestFolder& folder, Protocol protocol = Protocol::single) {
  RunOptions options{.agents = {"mine=" + program(folder), "random+chance"},
                     .program = "test",
                     .plan = {.protocol = protocol,
                              .trials = 2,
                              .secret = RunSecret::parse("0123456789abcdef0123456789abcdef"),
                              .most_before = 2,
                              .after = 2}};
  if (protocol == Protocol::shift) options.agents.push_back("failing=" + program(folder, true));
  options.trial = {.limits = {.action_s = 300, .trial_s = 900}, .retries = 0};
  const std::filesystem::path out = folder.path / "results.sqlite";
  run_agents(verified_levels().levels, profile(), options, out);
  return read_results({out}, true);
}

std::vector<std::string> disagreements(const AgentResults& results) {
  return verify_results(results, verified_levels(), 1).disagreements;
}

/// A trial of that agent.
TrialResult& of(AgentResults& results, const std::string& agent, const std::string& world = "novel") {
  return *std::find_if(results.trials.begin(), results.trials.end(), [&](const TrialResult& trial) {
    return trial.agent == agent && trial.world == world && !trial.levels.front().shots.empty();
  });
}

}  // namespace

TEST_CASE(
    "[agents] verify: results as they were made agree to the bit, of programs, built-in agents and "
    "failures") {
  const TestFolder folder, other;
  std::size_t calls = 0;
  const AgentResults single = results(folder);
  const ResultsVerification found = verify_results(single, verified_levels(), 2, [&] { ++calls; });
  CHECK(found.disagreements == std::vector<std::string>{});
  CHECK(found.complete);
  CHECK(found.trials == 16);
  CHECK(found.replayed == 8);
  CHECK(found.shots >= 16);
  CHECK(calls == 16);
  const AgentResults shift = results(other, Protocol::shift);
  CHECK(disagreements(shift) == std::vector<std::string>{});
  CHECK(std::any_of(shift.trials.begin(), shift.trials.end(),
                    [](const TrialResult& trial) { return trial.status == Status::crash; }));
  const ResultsVerification stopped = verify_results(single, verified_levels(), 1, {}, [] { return false; });
  CHECK_FALSE(stopped.complete);
  CHECK(stopped.trials == 0);
}

TEST_CASE("[agents] verify: what was changed is found, and named") {
  const TestFolder folder;
  const AgentResults honest = results(folder);
  using Change = std::function<void(AgentResults&)>;
  const std::vector<std::pair<std::string, Change>> changes{
      {"score is", [](AgentResults& r) { of(r, "mine").levels[0].score += 1; }},
      {"solved is", [](AgentResults& r) { of(r, "mine").levels[0].solved ^= true; }},
      {"level 1 (a): ", [](AgentResults& r) { of(r, "mine").levels[0].shots[0].shot.angle = 0.1; }},
      {"angle", [](AgentResults& r) { of(r, "mine").levels[0].shots[0].shot.angle = 45; }},
      {"not over here", [](AgentResults& r) { of(r, "mine").levels[0].shots.clear(); }},
      {"number of shots is 9 there",
       [](AgentResults& r) {
         of(r, "mine").levels[0].shots.resize(9, {{.angle = 0.5}, 0.25, ""});
       }},
      {"novelty", [](AgentResults& r) { of(r, "mine").levels[0].shots[0].novelty = 1.5; }},
      {"name is \"b\" there", [](AgentResults& r) { of(r, "mine").levels[0].level = "b"; }},
      {"hash is", [](AgentResults& r) { ++of(r, "mine").levels[0].hash; }},
      {"novel is no there", [](AgentResults& r) { of(r, "mine").levels[0].novel = false; }},
      {"birds is 3 there", [](AgentResults& r) { of(r, "mine").levels[0].birds = 3; }},
      {"novelty is \"T1\" there", [](AgentResults& r) { of(r, "mine").novelty = "T1"; }},
      {"tier is \"hard\" there", [](AgentResults& r) { of(r, "mine").tier = "hard"; }},
      {"shift is 1 there", [](AgentResults& r) { of(r, "mine").shift = 1; }},
      {"number of levels is 2 there",
       [](AgentResults& r) { of(r, "mine").levels.push_back(of(r, "mine").levels[0]); }},
      {"mine: has 7 of the 8 trials", [](AgentResults& r) { r.trials.erase(r.trials.begin()); }},
      {"is not in the plan", [](AgentResults& r) { of(r, "mine").trial = 7; }},
      {"the file does not say what this agent is", [](AgentResults& r) { r.agents.erase("mine"); }},
      {"process is \"own\" there, of an agent that is built in",
       [](AgentResults& r) { of(r, "random+chance").process = "own"; }},
      {"process is \"built in\" there, of an agent that is a program",
       [](AgentResults& r) { of(r, "mine").process = "built in"; }},
      {"process is \"elsewhere\"", [](AgentResults& r) { of(r, "mine").process = "elsewhere"; }},
      {"retries is 1 there, of at most 0", [](AgentResults& r) { of(r, "mine").retries = 1; }},
      {"error is \"none\" there, and status ok", [](AgentResults& r) { of(r, "mine").error = "none"; }},
      {"score is",  // what the agent had when it failed is what its shots gave
       [](AgentResults& r) {
         of(r, "mine").status = Status::crash;
         of(r, "mine").levels[0].shots.pop_back();
         of(r, "mine").levels[0].score = 12345;
       }},
      {"solved is yes there",
       [](AgentResults& r) {
         of(r, "mine").status = Status::crash;
         of(r, "mine").levels[0].shots.clear();
         of(r, "mine").levels[0].solved = true;
       }},
      {"is no built-in agent of this program", [](AgentResults& r) { r.agents["mine"] = "built in"; }},
      {"has the name of a built-in agent", [](AgentResults& r) { r.agents["random+chance"] = "sh agent 0"; }},
      {"the chain does not have it as it is",
       [](AgentResults& r) { of(r, "mine").levels[0].shots[0].novelty = 0.5; }},
      {"played again, reports otherwise",
       [](AgentResults& r) { of(r, "random+chance").status = Status::crash; }},
      {"played again, reports otherwise",
       [](AgentResults& r) { of(r, "random+chance").levels[0].shots[0].novelty = 0.125; }},
      {"played again, reports otherwise",  // its agents' seeds, and so what they report, are of the secret
       [](AgentResults& r) { r.manifest["secret"] = "ffffffffffffffffffffffffffffffff"; }},
      {"played again, reports otherwise",
       [](AgentResults& r) { of(r, "random+chance").levels[0].shots[0].description = "seen"; }}};
  for (const auto& [words, change] : changes) {
    AgentResults changed = honest;
    change(changed);
    const std::vector<std::string> found = disagreements(changed);
    CAPTURE(words, found);
    CHECK(std::any_of(found.begin(), found.end(),
                      [&, sought = words](const std::string& one) { return one.find(sought) != one.npos; }));
  }
}

TEST_CASE("[agents] verify: another secret of a run with changes is another plan") {
  const TestFolder folder;
  AgentResults changed = results(folder, Protocol::shift);
  changed.manifest["secret"] = "ffffffffffffffffffffffffffffffff";
  CHECK(!disagreements(changed).empty());
}

TEST_CASE("[agents] verify: what cannot be compared is refused with what was found and is allowed") {
  const TestFolder folder;
  const AgentResults honest = results(folder);
  const auto refused = [&](const std::string& key, const std::string& value, const std::string& words) {
    AgentResults changed = honest;
    changed.manifest[key] = value;
    CHECK_THROWS_WITH(disagreements(changed), Catch::Contains(words));
  };
  refused("protocol", "free", "allowed are single and shift");
  refused("levels", "3 0123456789abcdef", "other levels");
  refused("profile", "anu 0123456789abcdef", "other profile");
  refused("agent_protocol", "99", "other agent_protocol");
  refused("secret", "secret", "32 hexadecimal digits");
  refused("trials", "many", "trials: found \"many\"");
  refused("order", "as the agent chose", "what was played freely has no plan");
  refused("extra", "1", "found key \"extra\", which Startle does not write");
  refused("trials", "02", "trials: found \"02\"");
  refused("left_out", "1 without birds", "other left_out: \"1 without birds\" there and none here");
  CHECK_THROWS_WITH(verify_results(honest, {playable({small_level("a")}), {}, profile()}, 1),
                    Catch::Contains("other levels"));
  CHECK_THROWS_WITH(
      verify_results(honest, {verified_levels().levels, {{"left_out", "1 without birds"}}, profile()}, 1),
      Catch::Contains("other left_out: none there"));
}
