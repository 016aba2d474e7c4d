/// \file  startle agents as a user runs it: killed, on a full disk, with files that cannot be used.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/folder.hpp"

namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Folder : startle::testing::Folder {
  std::string file(const std::string& name) const { return (path / name).string(); }
};

const std::string levels = std::string(STARTLE_TEST_FOLDER) + "/../../levels/benchmark/T2/medium";

/// Exit code of `before` startle `arguments`; what it says on standard error goes to `errors`.
int run(const std::string& before, const std::string& arguments, const std::string& errors = "/dev/null") {
  const int status = std::system(
      (before + " '" STARTLE_PROGRAM "' " + arguments + " >/dev/null 2>'" + errors + "'").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

std::string run_arguments(const std::string& out) {
  return "agents run --agent random+chance --agent pig-shooter --levels '" + levels +
         "' --threads 2 --secret 000102030405060708090a0b0c0d0e0f --out '" + out + "'";
}

std::string report(const Folder& folder, const std::string& results) {
  const std::string out = folder.file("report.json");
  CHECK(run("", "agents report '" + results + "' --out '" + out + "'") == 0);
  return contents(out);
}

}  // namespace

TEST_CASE("[app] agents run: killed again and again, it ends with the same report") {
  const Folder folder;
  // The agent itself kills the program that runs it, in the 5th, 12th and 25th trial it begins, where a list
  // beside it says so.
  const std::string agent = folder.file("agent"), script = "'" + agent + "'";
  std::ofstream(agent)
      << "printf x >> \"$0.count\"\nn=$(wc -c < \"$0.count\")\n"
         "grep -qx \"$n\" \"$0.kills\" 2>/dev/null && kill -9 $PPID\n"
         "while read -r line; do case \"$line\" in\n*'\"type\":\"act\"'*) echo "
         "'{\"type\":\"shot\",\"angle\":0.4}';;\n"
         "*'\"type\":\"report\"'*) echo '{\"type\":\"report\",\"novelty\":0.25}';;\nesac; done\n";
  const auto arguments = [&](const std::string& out) {
    return "agents run --agent random+chance --agent \"mine=sh " + script + "\" --limit 15 --levels '" +
           levels + "' --threads 1 --secret 000102030405060708090a0b0c0d0e0f --out '" + out + "'";
  };
  const std::string whole = folder.file("whole.sqlite"), parts = folder.file("parts.sqlite");
  REQUIRE(run("", arguments(whole)) == 0);
  std::ofstream(agent + ".kills") << "5\n12\n25\n";
  fs::remove(agent + ".count");
  int kills = 0;
  while (run("", arguments(parts)) != 0) REQUIRE(++kills < 10);
  CHECK(kills == 3);
  CHECK(report(folder, parts) == report(folder, whole));
  CHECK(nlohmann::json::parse(report(folder, whole))["runs"][0]["trials"].size() == 60);
}

TEST_CASE("[app] agents run: on a full disk what is finished stays, and the run goes on when there is room") {
  const Folder folder;
  const std::string whole = folder.file("whole.sqlite"), small = folder.file("small.sqlite"),
                    errors = folder.file("errors");
  REQUIRE(run("", run_arguments(whole)) == 0);
  CHECK(run("ulimit -f 150;", run_arguments(small), errors) == 2);  // blocks of 512 bytes for any one file
  CHECK_THAT(contents(errors), Catch::Contains(small));
  const auto rescued = nlohmann::json::parse(report(folder, small))["runs"][0]["trials"].size();
  CHECK((rescued > 0 && rescued < 100));
  CHECK(run("", run_arguments(small)) == 0);
  CHECK(report(folder, small) == report(folder, whole));
}

TEST_CASE("[app] agents: what cannot be used is refused with exit code 2") {
  const Folder folder;
  const std::string errors = folder.file("errors");
  const auto refused = [&](const std::string& arguments, const std::string& words) {
    INFO(arguments);
    CHECK(run("", arguments, errors) == 2);
    CHECK_THAT(contents(errors), Catch::Contains(words));
  };
  refused(run_arguments("/proc/results.sqlite"), "/proc/results.sqlite");
  refused("agents run --agent rnadom --levels '" + levels + "' --out '" + folder.file("a") + "'",
          "no built-in agent");
  refused("agents run --agent random --levels '" + levels + "' --shard 3/2 --out '" + folder.file("a") + "'",
          "3/2");
  refused(
      "agents run --agent random --levels '" + levels + "' --shard '1/ 2' --out '" + folder.file("a") + "'",
      "1/ 2");
  refused("agents report '" + folder.file("none") + "' --out '" + folder.file("r.html") + "'",
          "does not exist");
  refused("agents merge '" + folder.file("none") + "' --out '" + folder.file("m") + "'", "does not exist");
  CHECK_FALSE(fs::exists(folder.path / "r.html"));
}

TEST_CASE(
    "[app] agents run: on a folder of anything thirds are computed where asked for, what has no part is "
    "counted, and nothing stops it") {
  const Folder folder;
  fs::create_directories(folder.path / "set/a");
  fs::create_directories(folder.path / "set/b");
  const auto level = [&](const std::string& file, const std::string& birds, const std::string& objects) {
    std::ofstream(folder.path / "set" / file)
        << "<Level width=\"2\"><Birds>" << birds << "</Birds><Slingshot x=\"-12\" y=\"-2.5\"><GameObjects>"
        << objects << "</GameObjects></Level>";
  };
  const std::string bird = "<Bird type=\"BirdRed\"/>", pig = "<Pig type=\"BasicSmall\" x=\"2\" y=\"-3.25\"/>";
  const auto block = [](const std::string& material, double x) {
    return "<Block type=\"SquareSmall\" material=\"" + material + "\" x=\"" + std::to_string(x) +
           "\" y=\"-3.28\"/>";
  };
  level("a/level-1.xml", bird + bird, pig + block("wood", 0));
  level("b/level-1.xml", bird, pig + block("wood", 1) + block("wood", 3));
  level("b/level-2.xml", bird, pig + block("stone", 0));  // not touched by T2
  level("a/pigless.xml", bird, block("wood", 0));
  level("a/birdless.xml", "", pig + block("wood", 0));
  std::ofstream(folder.path / "set/notes.json") << "{\"notes\": []}";
  const std::string set = folder.file("set"), results = folder.file("r.sqlite"),
                    errors = folder.file("errors");
  const std::string arguments = "agents run --agent pig-shooter+simulation --levels '" + set +
                                "' --novelty T2 --thirds --threads 2 --out '" + results + "'";
  REQUIRE(run("", arguments, errors) == 0);
  CHECK_THAT(
      contents(errors),
      Catch::Contains(
          "4 of 6 files are left out: no level 1, no birds 1, no pigs 1, not touched by the novelty 1") &&
          Catch::Contains("notes.json"));
  CHECK(run("", arguments, errors) == 0);  // goes on with the same file

  const auto json = nlohmann::json::parse(report(folder, results))["runs"][0];
  std::map<std::string, std::string> tiers;
  for (const auto& trial : json["trials"]) tiers[trial["unit"]] = trial["tier"];
  REQUIRE(tiers.size() == 2);
  CHECK((tiers.contains("a-level-1") && tiers.contains("b-level-1")));
  for (const auto& [name, tier] : tiers) CHECK_THAT(tier, Catch::Matchers::Matches("low|middle|high"));
  // Without --thirds they have the tier of their p_level.
  const std::string plain = folder.file("plain.sqlite");
  REQUIRE(run("", "agents run --agent pig-shooter+simulation --levels '" + set +
                      "' --novelty T2 --quiet --out '" + plain + "'") == 0);
  const auto reported = nlohmann::json::parse(report(folder, plain));
  for (const auto& trial : reported.at("runs").at(0).at("trials"))
    CHECK_THAT(trial.at("tier").get<std::string>(), Catch::Matchers::Matches("easy|medium|hard"));
  REQUIRE(run("", "agents report '" + results + "' --out '" + folder.file("r.md") + "'") == 0);
  const std::string page = contents(folder.file("r.md"));
  CHECK(page.find("### Levels") < page.find("### How the trials ended"));
  CHECK_THAT(page,
             Catch::Contains("Left out: no level 1, no birds 1, no pigs 1, not touched by the novelty 1") &&
                 Catch::Contains("Thirds of T2: published"));
  CHECK(run("",
            "agents replay '" + results + "' --levels '" + set +
                "' --name pig-shooter+simulation --level b-level-1 --size 160x90 --out '" +
                folder.file("r.png") + "'",
            errors) == 0);

  const auto refused = [&](const std::string& more, const std::string& words) {
    CHECK(run("",
              "agents run --agent random --levels '" + set + "' --out '" + folder.file("no") + "' " + more,
              errors) == 2);
    CHECK_THAT(contents(errors), Catch::Contains(words));
    CHECK_FALSE(fs::exists(folder.path / "no"));
  };
  refused("--novelty T2 --strict", "--strict: 4 of 6 files are left out");
  refused("--novelty ice-density-up", "no level can be played");
  refused("", "no novelty stored 5");
  CHECK(run("",
            "agents serve --levels '" + set + "' --novelty T2 --strict --port 0 --out '" + folder.file("no") +
                "'",
            errors) == 2);
  CHECK_THAT(contents(errors), Catch::Contains("--strict: 4 of 6"));
  CHECK(run("", "agents serve --levels '" + set + "' --strict --port 0", errors) == 2);
  CHECK_THAT(contents(errors), Catch::Contains("--strict: 3 of 6"));
}

TEST_CASE(
    "[app] agents run: levels are played with the novelty that each carries, and under mapped names, and "
    "replayed so") {
  const Folder folder;
  fs::create_directories(folder.path / "set");
  const auto level = [&](const std::string& file, const std::string& objects) {
    std::ofstream(folder.path / "set" / file)
        << "<Level width=\"2\"><Birds><Bird type=\"BirdRed\"/></Birds><Slingshot x=\"-12\" "
           "y=\"-2.5\"/><GameObjects>"
        << objects << "</GameObjects></Level>";
  };
  const std::string pink = "<Pig type=\"PinkPig\" x=\"2\" y=\"-3.25\"/>";
  level("gravity.xml", pink + "<Novelty type=\"InverseGravity\" x=\"0\" y=\"0\"/>");
  level("magnet.xml", pink + "<Novelty type=\"Magnet\" x=\"-4\" y=\"0\"/>");
  level("none.xml", pink);
  const std::string set = folder.file("set"), results = folder.file("r.sqlite"),
                    errors = folder.file("errors");
  const std::string arguments = "agents run --agent pig-shooter+simulation --levels '" + set +
                                "' --novelty own --out '" + results + "'";
  CHECK(run("", arguments, errors) == 2);
  CHECK_THAT(contents(errors),
             Catch::Contains("no level can be played: no novelty of its own 1, no pigs 2") ||
                 Catch::Contains("no pigs 2"));
  REQUIRE(run("", arguments + " --map PinkPig=BasicSmall", errors) == 0);
  CHECK_THAT(contents(errors), Catch::Contains("1 of 3 files are left out: no novelty of its own 1"));
  const auto json = nlohmann::json::parse(report(folder, results))["runs"][0];
  CHECK(json["trials"].size() == 4);
  for (const auto& trial : json["trials"]) CHECK(trial["novelty"] == "own");
  const std::string replay = "agents replay '" + results + "' --levels '" + set +
                             "' --name pig-shooter+simulation --level magnet --size 160x90 --out '" +
                             folder.file("r.png") + "'";
  CHECK(run("", replay, errors) == 2);
  CHECK_THAT(contents(errors), Catch::Contains("not the one that was played"));
  CHECK(run("", replay + " --map PinkPig=BasicSmall", errors) == 0);
}

TEST_CASE("[app] agents replay: the recorded shots, simulated again and drawn") {
  const Folder folder;
  const std::string results = folder.file("r.sqlite"), errors = folder.file("errors"),
                    copy = folder.file("levels");
  fs::copy(levels, copy);
  REQUIRE(run("", "agents run --agent pig-shooter+simulation --limit 1 --levels '" + copy + "' --out '" +
                      results + "'") == 0);
  const auto trials = nlohmann::json::parse(report(folder, results))["runs"][0]["trials"];
  REQUIRE(trials.size() == 2);
  const std::string level = trials[0]["unit"];
  const auto replay = [&](const std::string& more, const std::string& out,
                          const std::string& of = "pig-shooter+simulation") {
    return run("",
               "agents replay '" + results + "' --levels '" + copy + "' --name " + of + " --level " + level +
                   " --size 160x90 --out '" + folder.file(out) + "' " + more,
               errors);
  };
  for (const char* world : {"normal", "novel"}) {
    CHECK(replay(std::string("--world ") + world, std::string(world) + ".png") == 0);
    CHECK(contents(folder.file(std::string(world) + ".png")).substr(1, 3) == "PNG");
    CHECK_THAT(
        contents(errors),
        Catch::Contains(std::to_string(trials[0]["world"] == world ? trials[0]["levels"][0]["shots"].size()
                                                                   : trials[1]["levels"][0]["shots"].size()) +
                        " shots"));
  }
  const auto refused = [&](const std::string& more, const std::string& out, const std::string& words,
                           const std::string& of = "pig-shooter+simulation") {
    INFO(words);
    CHECK(replay(more, out, of) == 2);
    CHECK_THAT(contents(errors), Catch::Contains(words));
    CHECK_FALSE(fs::exists(folder.file("no.png")));
  };
  refused("", "no.png", "pig-shooter+simulation", "random");
  refused("--trial 3", "no.png", "in trial 3");
  refused("", "no.bmp", ".png, .gif or .mp4");
  // The level is changed, by a thousandth of a unit and keeping its name.
  const fs::path file = fs::path(copy) / (level + ".json");
  std::string text = contents(file);
  const std::size_t x = text.find("\"x\": ", text.find("\"objects\""));
  REQUIRE(x != std::string::npos);
  text.insert(
      text.find_first_of(",}", x),
      text.substr(x, text.find_first_of(",}", x) - x).find('.') == std::string::npos ? ".001" : "001");
  std::ofstream(file) << text;
  refused("", "no.png", "not the one that was played");
  fs::remove(file);
  refused("", "no.png", "found no level");
}

TEST_CASE("[app] agents report: every form of output from shards") {
  const Folder folder;
  for (const char* shard : {"1/2", "2/2"})
    REQUIRE(run("", run_arguments(folder.file(std::string("part") + shard[0])) + " --shard " + shard) == 0);
  const std::string parts = "'" + folder.file("part1") + "' '" + folder.file("part2") + "'";
  REQUIRE(run("", "agents merge " + parts + " --out '" + folder.file("merged") + "'") == 0);
  for (const char* extension : {"html", "md", "csv", "json"}) {
    INFO(extension);
    const std::string a = folder.file("a.") + extension, b = folder.file("b.") + extension;
    CHECK(run("", "agents report " + parts + " --out '" + a + "'") == 0);
    CHECK(run("", "agents report '" + folder.file("merged") + "' --out '" + b + "'") == 0);
    CHECK(contents(a) == contents(b));
    CHECK_THAT(contents(a), Catch::Contains("random+chance"));
  }
  CHECK(run("", "agents report " + parts + " --out '" + folder.file("a.pdf") + "'") == 2);
  // The page is well formed but for its void elements.
  std::string page = contents(folder.file("a.html"));
  for (std::size_t at = 0; (at = page.find("<meta ", at)) != std::string::npos;)
    page.erase(at, page.find('>', at) - at + 1);
  pugi::xml_document document;
  CHECK(document.load_string(page.c_str()));
  // Head, two agents, each over all, one tier, one novelty and one tier of it.
  std::istringstream csv(contents(folder.file("a.csv")));
  int rows = 0;
  for (std::string line; std::getline(csv, line);) ++rows;
  CHECK(rows == 1 + 2 * 4);
}

TEST_CASE("[app] agents report --measured: trials in tiers of what was measured, each level's own") {
  const Folder folder;
  const std::string results = folder.file("results.sqlite"), shift = folder.file("shift.sqlite"),
                    with = folder.file("with.csv");
  const std::string arguments = "agents run --agent random+never --levels '" + levels + "' --secret " +
                                std::string(32, '1') + " --quiet --out ";
  REQUIRE(run("", arguments + "'" + results + "'") == 0);
  std::map<std::string, std::string> measured;  // tier by level
  std::set<std::string> tiers;
  for (const auto& entry : fs::directory_iterator(levels)) {
    const auto level = nlohmann::json::parse(contents(entry.path()));
    if (!level.contains("difficulty") || !level["difficulty"].contains("measured")) continue;  // manifest
    const double p = level["difficulty"]["measured"][0]["p_level"];
    tiers.insert(measured[level["name"]] = p >= 0.7 ? "easy" : p >= 0.3 ? "medium" : "hard");
  }
  REQUIRE(tiers.size() > 1);  // not what was predicted of all of them
  const std::string of_levels = " --measured '" + levels + "' --out '";
  const std::string json = folder.file("with.json"), page = folder.file("with.md");
  REQUIRE(run("", "agents report '" + results + "'" + of_levels + json + "'") == 0);
  const auto trials = nlohmann::json::parse(contents(json))["runs"][0]["trials"];
  CHECK(trials.size() == 2 * measured.size());
  for (const auto& trial : trials)
    CHECK(trial["tier"] == measured.at(trial["levels"][0]["level"].get<std::string>()));
  REQUIRE(run("", "agents report '" + results + "'" + of_levels + page + "'") == 0);
  CHECK_THAT(contents(page), Catch::Contains("as it was measured (best-target, 16 plays of each level)"));

  const std::string errors = folder.file("errors");
  const auto refused = [&](const std::string& of, const std::string& where, const std::string& says) {
    CHECK(run("", "agents report '" + of + "' --measured '" + where + "' --out '" + with + "'", errors) == 2);
    CHECK_THAT(contents(errors), Catch::Contains("--measured") && Catch::Contains(says));
    CHECK_FALSE(fs::exists(with));
  };
  refused(results, levels + "/../hard", "no level there has its name");
  refused(results, std::string(STARTLE_TEST_FOLDER) + "/levels", "no level there has a p_level measured");
  const fs::path changed = folder.file("changed");
  fs::copy(levels, changed);
  for (const auto& entry : fs::directory_iterator(changed)) {
    auto level = nlohmann::json::parse(contents(entry.path()));
    if (!level.contains("birds")) continue;
    level["birds"].push_back(level["birds"][0]);
    std::ofstream(entry.path()) << level;
  }
  refused(results, changed.string(), "is another level, or was changed after the trial");
  REQUIRE(run("", arguments + "'" + shift + "' --protocol shift --before 1 --after 1") == 0);
  refused(shift, levels, "protocol single");
}

TEST_CASE(
    "[app] agents report: both protocols side by side, published figures marked as such, and one row a "
    "trial") {
  const Folder folder;
  const std::string single = folder.file("single"), shift = folder.file("shift"),
                    errors = folder.file("errors");
  const auto run_of = [&](const std::string& out, int limit, const std::string& more) {
    return run("", "agents run --agent random+chance --agent pig-shooter+always --limit " +
                       std::to_string(limit) + " --levels '" + levels + "' --out '" + out + "' " + more);
  };
  REQUIRE(run_of(single, 3, "") == 0);
  REQUIRE(run_of(shift, 3, "--protocol shift --trials 4 --before 2 --after 2") == 0);
  const auto text = [&](const std::string& files, const std::string& name, const std::string& more = "") {
    CHECK(run("", "agents report " + files + " --out '" + folder.file(name) + "' " + more) == 0);
    return contents(folder.file(name));
  };
  const std::string both = "'" + shift + "' '" + single + "'";
  for (const char* name : {"a.html", "a.md"}) {
    INFO(name);
    const std::string page = text(both, name);
    const std::size_t first = page.find("(protocol single)"), second = page.find("(protocol shift)"),
                      published = page.find("published: NovPhy"), own = page.find("here: protocol shift");
    CHECK((first != std::string::npos && first < second && second < published && published < own &&
           own != std::string::npos));
  }
  const auto json = nlohmann::json::parse(text(both, "a.json"));
  REQUIRE(json["runs"].size() == 2);
  CHECK((json["runs"][0]["protocol"] == "single" && json["runs"][0]["trials"].size() == 12));
  CHECK((json["runs"][1]["protocol"] == "shift" && json["runs"][1]["trials"].size() == 8));
  std::istringstream rows(text(both, "trials.csv", "--by-trial"));
  std::string line;
  std::getline(rows, line);
  CHECK_THAT(line, Catch::Contains(
                       "distribution_shift,detected_level,alarm_shot,detection_delay,cdt,false_positive"));
  int trials = 0, alarms = 0;
  for (; std::getline(rows, line); ++trials)
    if (line.find("pig-shooter+always") != std::string::npos && line.rfind("shift,", 0) == 0) {
      INFO(line);
      CHECK(line.substr(line.size() - 9) == ",1,1,,0,1");  // declared in level 1 with shot 1, no delay, no
                                                           // CDT, a false positive
      ++alarms;
    }
  CHECK((trials == 20 && alarms == 4));
  CHECK(run("", "agents report " + both + " --by-trial --out '" + folder.file("no.html") + "'", errors) == 2);
  CHECK_THAT(contents(errors), Catch::Contains("--by-trial"));
  CHECK_FALSE(fs::exists(folder.path / "no.html"));
  REQUIRE(run_of(folder.file("other"), 2, "--protocol shift --before 1 --after 1") == 0);
  CHECK(run("",
            "agents report '" + single + "' '" + folder.file("other") + "' --out '" + folder.file("no.html") +
                "'",
            errors) == 2);
  CHECK_THAT(contents(errors), Catch::Contains("levels"));
}

TEST_CASE("[app] agents run: a build without learning says so where learning is asked for") {
  const Folder folder;
  fs::copy_file(STARTLE_PROGRAM, folder.path / "startle");  // beside no startle-surprise
  const std::string results = folder.file("results.sqlite"), errors = folder.file("errors");
  for (const std::string& command :
       {"agents run --agent pig-shooter+surprise --levels '" + levels + "' --out '" + results + "'",
        std::string("surprise score a.json"), std::string("probe")}) {
    CAPTURE(command);
    const int status = std::system(
        ("'" + folder.file("startle") + "' " + command + " >/dev/null 2>'" + errors + "'").c_str());
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 2));
    CHECK_THAT(
        contents(errors),
        Catch::Contains("install the package startle-surprise, or build with STARTLE_BUILD_SURPRISE=ON"));
  }
  CHECK_FALSE(fs::exists(results));
}

TEST_CASE(
    "[app] agents run: SHOOTER+surprise is the program that learns, shoots as the shooter does, and says "
    "what it saw") {
  if (!fs::exists(fs::path(STARTLE_PROGRAM).parent_path() / "startle-surprise"))
    return;  // a build without learning
  const Folder folder;
  fs::create_directories(folder.path / "level");
  fs::copy(fs::path(STARTLE_TEST_FOLDER) / "../../levels/benchmark/T2/easy/T2-easy-5005-0003.json",
           folder.path / "level");
  const std::string results = folder.file("results.sqlite");
  REQUIRE(run("", "agents run --agent pig-shooter+surprise --agent pig-shooter --levels '" +
                      folder.file("level") + "' --action-limit 120 --trial-limit 600 --quiet --out '" +
                      results + "'") == 0);
  const auto trials = nlohmann::json::parse(report(folder, results))["runs"][0]["trials"];
  REQUIRE(trials.size() == 4);
  std::map<std::string, std::string> shots;  // of a world
  for (const auto& trial : trials) {
    INFO(trial.dump());
    CHECK(trial["status"] == "ok");
    std::string angles;
    double largest = 0;
    for (const auto& level : trial["levels"])
      for (const auto& shot : level["shots"]) {
        angles += shot["angle"].dump() + " ";
        largest = std::max(largest, shot["novelty"].get<double>());
      }
    CHECK(!angles.empty());
    const auto [known, is_new] = shots.emplace(trial["world"], angles);
    if (!is_new) CHECK(known->second == angles);
    if (trial["agent"] == "pig-shooter+surprise") CHECK((largest > 0 && largest < 1));
  }
}
