/// \file  Runs the built program as a user does.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <regex>
#include <sstream>
#include <tuple>

#include "tests/catch.hpp"
#include "tests/folder.hpp"

namespace {

namespace fs = std::filesystem;
using Scratch = startle::testing::Folder;

std::string tier_of(double p_level) { return p_level >= 0.7 ? "easy" : p_level < 0.3 ? "hard" : "medium"; }
const fs::path test_folder = STARTLE_TEST_FOLDER;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

struct Run {
  int exit_code = -1;
  std::string out, err;
};

/// `arguments` as one would type them; run in the folder of these tests.
Run run_startle(const std::string& arguments) {
  const Scratch scratch;
  const std::string out = (scratch.path / "out").string(), err = (scratch.path / "err").string();
  const int status = std::system(("cd '" + test_folder.string() + "' && '" STARTLE_PROGRAM "' " + arguments +
                                  " >'" + out + "' 2>'" + err + "'")
                                     .c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(out), contents(err)};
}

std::vector<std::vector<std::string>> csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::count_if(fs::recursive_directory_iterator(folder), {},
                                                [](const auto& e) { return e.is_regular_file(); }));
}

/// Exit code 2, nothing on standard output, and a message that holds each of the words.
void check_refused(const std::string& arguments, const std::vector<std::string>& words) {
  const Run run = run_startle(arguments);
  INFO("startle " << arguments << "\n" << run.err);
  CHECK(run.exit_code == 2);
  CHECK(run.out.empty());
  for (const std::string& word : words) CHECK_THAT(run.err, Catch::Contains(word));
}

}  // namespace

TEST_CASE("[app] transcripts: commands print what the files in transcripts/ say") {
  // The first line is the command, the rest what it prints. `accept` beside this file takes over what it
  // prints now.
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(test_folder / "transcripts")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() >= 8);
  for (const fs::path& file : files) {
    const std::string expected = contents(file), command = expected.substr(0, expected.find('\n'));
    REQUIRE(command.rfind("$ startle ", 0) == 0);
    const Run run = run_startle(command.substr(10));
    std::string found = command + "\n" + run.out;
    if (!run.err.empty()) found += "[standard error]\n" + run.err;
    if (run.exit_code != 0) found += "[exit code " + std::to_string(run.exit_code) + "]\n";
    if (std::getenv("STARTLE_ACCEPT") != nullptr)
      write(file, found);
    else {
      INFO(file.filename().string());
      CHECK(found == expected);
    }
  }
}

TEST_CASE("[app] help: every command explains itself on a screen, with an example, and in full") {
  for (const std::string command :
       {"", "levels", "levels generate", "levels convert", "levels check", "levels list", "simulate",
        "render", "explain", "difficulty", "observe", "threshold", "study", "agents run", "agents serve"}) {
    const Run run = run_startle(command + " --help"), all = run_startle(command + " --help-all");
    INFO(command);
    CHECK(run.exit_code == 0);
    CHECK(all.exit_code == 0);
    CHECK(std::count(run.out.begin(), run.out.end(), '\n') <= 50);
    CHECK(all.out.size() >= run.out.size());
    CHECK_THAT(run.out, Catch::Contains("Example: startle " + command));
    CHECK_THAT(all.out, Catch::Contains("Example: startle " + command));
    if (!command.empty() && command != "levels")
      for (const char* option : {"--threads", "--quiet"}) {
        CHECK_THAT(run.out, Catch::Contains(option));
        CHECK_THAT(all.out, Catch::Contains(option));
      }
    // Meanings are broken into lines that line up.
    std::istringstream lines(all.out.substr(0, all.out.find("Example")));
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(line.size() <= 100);
      CHECK((line.rfind("   ", 0) != 0 || line.find_first_not_of(' ') == 28));
    }
  }
  const std::string brief = run_startle("observe --help").out, full = run_startle("observe --help-all").out;
  CHECK_THAT(brief,
             Catch::Contains("--seed S                  the same seed gives the same results; default: 1"));
  CHECK_THAT(brief, Catch::Contains("threads to use; default: 0, all of the machine"));
  CHECK_THAT(brief, !Catch::Contains("several are separated by"));
  CHECK_THAT(full, Catch::Contains("several are separated by"));
}

TEST_CASE("[app] bad input: exit code 2, a message that says what is wrong, and nothing left behind") {
  const Scratch scratch;
  const std::string dir = scratch.path.string();
  const std::string level = "levels/table.json";
  write(scratch.path / "broken.json", "{\"format\": ");
  write(scratch.path / "version.json", R"({"format": "startle-level", "version": 99})");
  write(scratch.path / "number.xml",
        "<Level><Birds/><Slingshot x=\"0\" y=\"0\"/><GameObjects><Block type=\"RectFat\" material=\"wood\" "
        "x=\"one\" y=\"1\"/></GameObjects></Level>");
  const std::size_t files_before = files_in(scratch.path);

  check_refused("", {"command"});
  check_refused("fly", {"fly"});
  check_refused("levels", {"generate"});
  check_refused("levels fly", {"fly"});
  check_refused("explain " + level, {"--novelty"});
  check_refused("explain " + level + " --novelty T9", {"T9", "T1, T2, T3"});
  check_refused("explain " + level + " --novelty T1 --profile moon", {"moon", "classic"});
  check_refused("explain " + level + " --novelty T1 --state-update magic", {"magic", "qualitative"});
  check_refused("explain nowhere.json --novelty T1", {"nowhere.json"});
  check_refused("explain levels --novelty T1", {"levels"});
  for (const char* file : {"broken.json", "version.json", "number.xml"}) {
    check_refused("explain " + dir + "/" + file + " --novelty T1", {file});
    check_refused("simulate " + dir + "/" + file + " --shot 40", {file});
    check_refused("difficulty " + dir + "/" + file + " --novelty T1", {file});
    check_refused("levels convert " + dir + "/" + file + " " + dir + "/new.xml", {file});
  }
  check_refused("simulate " + level, {"--shot"});
  for (const char* shot : {"x", "40,", "40,x", "nan", "inf", "40,-1", "1e9", "40,1,2"})
    check_refused("simulate " + level + " --shot " + shot, {"--shot", shot});
  check_refused("simulate " + level + " --shot 40 --novelty T9", {"T9"});
  check_refused("simulate " + level + " --shot 40 --trace " + dir + "/none/trace.json", {"none"});
  check_refused("simulate " + level + " --shot 40 --out " + dir + "/none/out.txt", {"none"});
  check_refused("difficulty " + level + " --novelty T1 --alpha 1.5", {"--alpha", "1.5"});
  check_refused("difficulty " + level + " --novelty T1 --alpha nan", {"--alpha"});
  check_refused("difficulty " + level + " --novelty T1,T9", {"T9"});
  check_refused("difficulty " + level + " --novelty T1 --format xml", {"--format"});
  check_refused("difficulty " + level + " --novelty T1 --threads -1", {"--threads"});
  check_refused("difficulty " + level + " --novelty T1 --out " + dir + "/none/out.csv", {"none"});
  check_refused("difficulty nowhere --novelty T1", {"nowhere"});
  check_refused("levels generate --family huts --out " + dir + "/new", {"huts", "castles"});
  check_refused("levels generate --out " + dir + "/new", {"--family", "--novelty"});
  check_refused("levels generate --novelty T9 --tier hard --out " + dir + "/new", {"T9"});
  const std::string generate = "levels generate --out " + dir + "/new ";
  check_refused(generate + "--novelty T1", {"--tier", "--range"});
  check_refused(generate + "--novelty T1 --tier hard --range 0:1", {"--tier", "--range"});
  check_refused(generate + "--novelty T1 --tier harder", {"harder", "easy, medium and hard"});
  for (const char* measure : {"p_level", "value", "pid", "bid"})
    for (const char* range : {"0.5", "0.6:0.5", "0:1.5", "-1:0", "a:b", "0:nan", ":", "0.1:0.2x"})
      check_refused(generate + "--novelty T1 --measure " + measure + " --range=" + range, {"--range", range});
  check_refused(generate + "--novelty T1 --range 0:1 --measure size", {"--measure", "size"});
  check_refused(generate + "--novelty T1 --tier hard --measure value", {"--tier", "p_level", "--range"});
  check_refused(generate + "--novelty T1 --tier hard --simulated", {"--simulated", "--measure"});
  check_refused(generate + "--novelty pigs-jump --tier hard", {"pigs-jump"});
  for (const char* difficulty :
       {"--tier hard", "--range 0:1", "--measure value", "--simulated --measure pid"})
    check_refused(generate + "--family rows " + difficulty, {"--novelty"});
  for (const auto& [gone, now] : {std::pair("--difficulty=0:1", "--range"),
                                  {"--verify", "observe --plays"},
                                  {"--observer-difficulty 0:0.2", "observe --plays"},
                                  {"--thresholds x", "--thirds"}})
    check_refused(generate + "--novelty T1 --tier hard " + gone, {std::string(gone).substr(0, 8), now});
  check_refused("validate --benchmark levels --out x", {"--benchmark", "observe LEVELS --plays"});
  check_refused("mcp -- python3 client.py", {"mcp", "python3 -m startle mcp"});
  check_refused(generate + "--family rows --no-such-option", {"--no-such-option"});
  check_refused("levels generate --family rows --count 0 --out " + dir + "/new", {"--count"});
  check_refused("levels generate --family rows --seed -1 --out " + dir + "/new", {"--seed"});
  check_refused("levels generate --family rows --out /dev/null/new", {"/dev/null/new"});
  check_refused("levels convert " + level + " " + dir + "/new.txt", {"new.txt"});
  check_refused("levels convert " + level + " " + dir + "/none/new.xml", {"none"});
  check_refused("study --out /dev/null/new", {"/dev/null/new"});
  check_refused("study --count 0 --out " + dir + "/new", {"--count"});
  check_refused("study --profile moon --out " + dir + "/new", {"moon"});
  check_refused("study --profile anu --out " + dir + "/new", {"anu", "T2"});  // its wood does not bounce, so
                                                                              // x4 changes nothing
  CHECK(files_in(scratch.path) == files_before);
  CHECK_FALSE(fs::exists(scratch.path / "new"));
}

TEST_CASE("[app] render: pictures come out whole and alike, and bad requests leave nothing behind") {
  const Scratch scratch;
  const std::string dir = scratch.path.string(), level = "render levels/table.json ";
  check_refused(level, {"--out"});
  check_refused(level + "--out " + dir + "/a.bmp", {"a.bmp", ".png"});
  check_refused(level + "--out " + dir + "/none/a.png", {"none"});
  for (const char* size : {"0x5", "5", "5x", "x5", "9000x5", "-5x5", "5x5x5", "1e3x5"})
    check_refused(level + "--out " + dir + "/a.png --size " + size, {"--size", size});
  check_refused(level + "--out " + dir + "/a.gif", {"a.gif", "--shot"});
  check_refused(level + "--out " + dir + "/a.gif --shot 10 --mask", {"--mask"});
  check_refused(level + "--out " + dir + "/a.png --at 1", {"--at"});
  check_refused(level + "--out " + dir + "/a.png --shot 10 --at -1", {"--at"});
  check_refused(level + "--out " + dir + "/a.png --twin", {"--twin", "--novelty"});
  check_refused(level + "--out " + dir + "/a.png --twin --mask --novelty T2", {"--twin", "--mask"});
  check_refused(level + "--out " + dir + "/a.png --shot x", {"--shot"});
  check_refused(level + "--out " + dir + "/a.png --novelty T9", {"T9"});
  CHECK(files_in(scratch.path) == 0);

  const auto made = [&](const std::string& arguments, const char* file) {
    const Run run = run_startle(level + arguments + " --size 120x80 --out " + dir + "/" + file);
    INFO(arguments << "\n" << run.err);
    REQUIRE(run.exit_code == 0);
    return contents(scratch.path / file);
  };
  // Width and height stand big-endian in bytes 16 to 23 of a PNG.
  const std::string plain = made("", "plain.png");
  CHECK(plain.substr(16, 8) == std::string("\0\0\0\x78\0\0\0\x50", 8));
  CHECK(made("--novelty T2", "novel.png") == plain);  // a novel level looks like a normal one
  CHECK(made("--shot 10 --at 0.5", "early.png") != plain);
  CHECK(made("--shot 10 --at 0.5", "again.png") == made("--shot 10 --at 0.5 --threads 1", "early.png"));
  CHECK(made("--shot 10", "end.png") == made("--shot 10 --at 999", "late.png"));
  CHECK(made("--mask", "mask.png") != plain);
  CHECK(made("--novelty T2 --twin", "twin.png").substr(16, 8) ==
        std::string("\0\0\0\xf4\0\0\0\x50", 8));  // 120 + 4 + 120
}

TEST_CASE("[app] simulate: the text does not depend on who asks, and the trace file holds every step") {
  const Scratch scratch;
  const fs::path trace = scratch.path / "trace.json";
  const std::string arguments = "simulate levels/table.json --shot 10 --shot 15,0.5 --novelty T2";
  const Run plain = run_startle(arguments), traced = run_startle(arguments + " --trace " + trace.string()),
            json = run_startle(arguments + " --format json");
  CHECK(plain.exit_code == 0);
  CHECK(plain.out == traced.out);  // recording changes nothing
  const auto report = nlohmann::json::parse(json.out), recorded = nlohmann::json::parse(contents(trace));
  REQUIRE(recorded["shots"].size() == report["shots"].size());
  REQUIRE_FALSE(report["shots"].empty());
  for (std::size_t i = 0; i < report["shots"].size(); ++i) {
    const auto& shot = recorded["shots"][i];
    CHECK(shot["hash"] == report["shots"][i]["hash"]);
    CHECK_THAT(plain.out, Catch::Contains(shot["hash"].get<std::string>()));
    REQUIRE(shot["frames"].size() >= shot["steps"].get<std::size_t>());
    CHECK(shot["frames"].back()["step"] == shot["steps"]);
    for (const auto& event : shot["events"]) CHECK(event["step"] <= shot["steps"]);
  }
}

TEST_CASE("[app] simulate: the novelty is put into the level at rest, so the first shot starts alike") {
  const Scratch scratch;
  const auto first_frame = [&](const std::string& novelty) {
    const fs::path trace = scratch.path / "trace.json";
    REQUIRE(
        run_startle("simulate levels/table.json --shot 10 --trace " + trace.string() + novelty).exit_code ==
        0);
    auto frame = nlohmann::json::parse(contents(trace))["shots"][0]["frames"][0];
    for (auto& body : frame["bodies"]) body.erase(4);  // life is what T3 changes
    return frame;
  };
  CHECK(first_frame("") == first_frame(" --novelty T3"));
}

TEST_CASE(
    "[app] difficulty: one line per level and novelty, in the order given, the same for any number of "
    "threads") {
  const Run one = run_startle("difficulty levels --novelty T3,T1 --format csv --threads 1"),
            two = run_startle("difficulty levels --novelty T3 --novelty T1 --format csv --threads 2");
  CHECK(one.exit_code == 0);
  CHECK(one.out == two.out);
  const auto rows = csv(one.out);
  REQUIRE(rows.size() == 1 + 2 * 2);
  CHECK(rows[0] == std::vector<std::string>{"level", "novelty", "p_level", "tier", "pid", "bid", "value",
                                            "left_out", "birds", "objects", "targets", "detectable_targets",
                                            "p_level_random", "detected_best", "detected_random",
                                            "detected_any"});
  CHECK(rows[1][0] == "levels/fan.xml");
  CHECK(rows[1][1] == "T3");
  CHECK(rows[2][1] == "T1");
  CHECK(rows[3][0] == "levels/table.json");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double pid = std::stod(rows[i][4]), bid = std::stod(rows[i][5]), value = std::stod(rows[i][6]);
    CHECK(rows[i][3] == (!rows[i][7].empty() ? "" : tier_of(std::stod(rows[i][2]))));
    CHECK(pid >= 0);
    CHECK(pid <= 1);
    CHECK(value == Approx(0.5 * pid + 0.5 * bid));
    CHECK(std::stoi(rows[i][11]) <= std::stoi(rows[i][10]));
  }
  const auto json = nlohmann::json::parse(
      run_startle("difficulty levels --novelty T3,T1 --format json --alpha 0.25 --thirds").out);
  REQUIRE(json["results"].size() == 4);
  CHECK(json["thresholds"]["T1"]["count"] == 2);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(json["results"][i]["value"].get<double>() ==
          Approx(0.25 * std::stod(rows[i + 1][4]) + 0.75 * std::stod(rows[i + 1][5])));
  // What is published predicts nothing of plays.
  const auto published = csv(
      run_startle("difficulty levels --novelty T1 --method published --format csv").out);
  for (std::size_t i = 1; i < published.size(); ++i)
    for (const std::size_t column : {2, 3, 12, 13}) CHECK(published[i][column].empty());
}

TEST_CASE("[app] explain: text and JSON give the values that difficulty gives") {
  for (const std::string level : {"levels/table.json", "levels/fan.xml"}) {
    for (const std::string novelty : {"T1", "T3", "wood-friction-down"}) {
      const auto row =
          csv(run_startle("difficulty " + level + " --format csv --novelty " + novelty).out).at(1);
      const auto json = nlohmann::json::parse(
          run_startle("explain " + level + " --format json --novelty " + novelty).out);
      CHECK(json["pid"].get<double>() == std::stod(row[4]));
      CHECK(json["bid"].get<double>() == std::stod(row[5]));
      std::ostringstream value;
      value << std::fixed << std::setprecision(4) << std::stod(row[6]);
      CHECK_THAT(run_startle("explain " + level + " --full --novelty " + novelty).out,
                 Catch::Contains(value.str()));
    }
  }
}

TEST_CASE("[app] explain: says in five lines why, with the tier that difficulty gives") {
  for (const std::string novelty : {"T1", "T3", "wood-friction-down"}) {
    const auto rows = csv(run_startle("difficulty levels/table.json --format csv --novelty " + novelty).out);
    const auto cell = [&](const std::string& column) {
      return rows[1][static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), column) -
                                              rows[0].begin())];
    };
    std::ostringstream p_level;
    p_level << std::fixed << std::setprecision(2) << std::stod(cell("p_level"));
    const std::string text = run_startle("explain levels/table.json --novelty " + novelty).out;
    CHECK_THAT(text, Catch::StartsWith(cell("tier") + ": a play of this level detects " + novelty));
    CHECK_THAT(text.substr(0, text.find('\n')), Catch::EndsWith("with a chance of " + p_level.str()));
    CHECK_THAT(text, Catch::Contains("of " + cell("birds") + " birds\n--full shows"));
    CHECK(std::count(text.begin(), text.end(), '\n') == 6);
  }
  // What is asked of PID and BID is answered by them.
  for (const std::string option :
       {"--ties first", "--state-update simulated", "--known-normal wood", "--full"})
    CHECK_THAT(run_startle("explain levels/table.json --novelty T1 " + option).out,
               Catch::Contains("\nPID = ") && Catch::Contains("of 3 birds\n"));
  const std::string published = run_startle("explain levels/table.json --novelty T1 --method published").out;
  CHECK_THAT(published, Catch::StartsWith("Novelty T1") && Catch::Contains("\nPID = "));
}

TEST_CASE("[app] difficulty: a bad file is reported and the others keep their lines") {
  const Scratch scratch;
  fs::copy(test_folder / "levels", scratch.path);
  write(scratch.path / "broken.json", "[1, 2");
  const Run run = run_startle("difficulty " + scratch.path.string() + " nowhere --novelty T1 --format csv");
  CHECK(run.exit_code == 2);
  CHECK(csv(run.out).size() == 1 + 2);
  CHECK_THAT(run.err, Catch::Contains("broken.json") && Catch::Contains("nowhere"));
  CHECK_THAT(run.err, Catch::Contains("Fan"));  // an element that is not simulated is mentioned
  CHECK_THAT(run_startle("difficulty levels --novelty T1 --quiet").err, Catch::Equals(""));
}

TEST_CASE("[app] levels: what generate writes, check approves, list counts and difficulty reads") {
  const Scratch scratch;
  const std::string a = (scratch.path / "a").string(), b = (scratch.path / "b").string();
  REQUIRE(
      run_startle("levels generate --family towers --count 3 --seed 5 --threads 1 --out " + a).exit_code ==
      0);
  REQUIRE(
      run_startle("levels generate --family towers --count 3 --seed 5 --threads 2 --out " + b).exit_code ==
      0);
  CHECK(std::system(("diff -r " + a + " " + b).c_str()) == 0);
  CHECK(files_in(a) == 4);
  const Run check = run_startle("levels check " + a);
  CHECK(check.exit_code == 0);
  CHECK_THAT(check.out,
             Catch::Contains("3 of 3 files can be used") && Catch::Contains("stored solution clears it"));
  const Run list = run_startle("levels list " + a);
  CHECK(std::count(list.out.begin(), list.out.end(), '\n') == 1 + 3);
  CHECK(csv(run_startle("difficulty " + a + " --novelty T1 --format csv").out).size() == 1 + 3);

  // A stored solution that does not clear the level is found out.
  fs::path file = scratch.path / "a";
  for (const auto& entry : fs::directory_iterator(a))
    if (entry.path().filename() != "manifest.json") file = entry.path();
  auto level = nlohmann::ordered_json::parse(contents(file));
  for (auto& shot : level["provenance"]["solution"]) shot["angle_rad"] = 1.57;
  write(file, level.dump());
  const Run wrong = run_startle("levels check " + file.string());
  CHECK(wrong.exit_code == 3);
  CHECK_THAT(wrong.out, Catch::Contains("does not clear the level; where the level was changed, take "
                                        "\"provenance\" out of its file") &&
                            Catch::Contains("1 of 1 files can be used, 1 of them is not what its file says"));
  auto changed = level;
  changed.erase("provenance");
  write(file, changed.dump());
  CHECK(run_startle("levels check " + file.string()).exit_code == 0);

  // A profile that is not known is said of its file, and the others are still checked.
  level["provenance"]["profile"] = "nope";
  write(file, level.dump());
  const Run unknown = run_startle("levels check " + a);
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.out, Catch::Contains(file.string() + ": profile 'nope' is unknown") &&
                              Catch::Contains("2 of 3 files can be used"));
}

TEST_CASE("[app] exit codes have one meaning each, and the documents name all of them") {
  const auto numbers = [](const fs::path& file, const std::regex& line) {
    const std::string text = contents(test_folder / "../.." / file);
    std::vector<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), line), end; match != end; ++match)
      found.push_back((*match)[1]);
    std::sort(found.begin(), found.end());
    return found;
  };
  const auto codes = numbers("app/command.hpp", std::regex("inline constexpr int exit_\\w+ = (\\d+);"));
  CHECK(codes == std::vector<std::string>{"0", "1", "130", "2", "3"});
  CHECK(numbers("docs/command-line.md", std::regex("\n\\| (\\d+) \\| [a-z`]")) == codes);
}

TEST_CASE("[app] levels check: what a level loses is said, exit code 3, and names can be mapped") {
  const Scratch scratch;
  const auto level = [&](const std::string& name, const std::string& birds, const std::string& objects) {
    write(scratch / name, "<Level width=\"2\"><Birds><Bird type=\"BirdRed\"/>" + birds +
                              "</Birds><Slingshot x=\"-12\" y=\"-2.5\"/><GameObjects>" + objects +
                              "</GameObjects></Level>");
    return "'" + (scratch / name).string() + "'";
  };
  const std::string
      pig = "<Pig type=\"BasicSmall\" x=\"5\" y=\"-3.25\"/>",
      post = "<Block type=\"novel_object_0\" material=\"wood\" x=\"1\" y=\"-3.07\" rotation=\"90\"/>";
  const std::string whole = level("whole.xml", "", pig),
                    bird = level("bird.xml", "<Bird type=\"BirdGreen\"/>", pig),
                    strange = level("strange.xml", "",
                                    pig + post + "<Pig type=\"PinkPig\" x=\"7\" y=\"-3.25\"/>");
  // Five of six blocks hang 3 units above the ground, where an unknown one should carry them.
  std::string hanging = pig + "<Block type=\"RectFat\" material=\"wood\" x=\"12\" y=\"-3.28\"/>";
  for (int i = 0; i < 5; ++i)
    hanging += "<Block type=\"SquareSmall\" material=\"ice\" x=\"" + std::to_string(-2 + i) + "\" y=\"0\"/>";
  const std::string heap = level("heap.xml", "", hanging);

  const Run good = run_startle("levels check " + whole);
  CHECK(good.exit_code == 0);
  CHECK_THAT(good.out, Catch::Contains("1 of 1 files can be used\n"));
  const Run bad = run_startle("levels check " + whole + " " + bird + " " + strange + " " + heap);
  INFO(bad.out);
  CHECK(bad.exit_code == 3);
  for (const char* line : {"  dropped: Bird BirdGreen is not simulated\n",
                           "  dropped: Block novel_object_0 of wood is not simulated\n",
                           "  dropped: Pig PinkPig is not simulated\n",
                           "  collapses: 5 of 7 objects move more than 1 unit before the first shot\n",
                           "4 of 4 files can be used, 3 of them are not what their files say\n"})
    CHECK_THAT(bad.out, Catch::Contains(line));
  const std::string map = " --map novel_object_0=RectSmall --map PinkPig=BasicSmall --map BirdGreen=BirdBlue";
  const Run mapped = run_startle("levels check " + bird + " " + strange + map);
  CHECK(mapped.exit_code == 0);
  CHECK_THAT(mapped.out, Catch::Contains("birds 2, pigs 1") && Catch::Contains("birds 1, pigs 2, objects 3"));
  // What cannot be used comes before what is not whole.
  write(scratch / "broken.xml", "<Level>");
  CHECK(run_startle("levels check " + strange + " '" + (scratch / "broken.xml").string() + "'").exit_code ==
        2);
  check_refused("levels check " + whole + " --map PinkPig=Pig", {"--map", "PinkPig=Pig", "BasicSmall"});
  const std::string json = "'" + (scratch / "strange.json").string() + "'";
  CHECK(run_startle("levels convert " + strange + " " + json + map).exit_code == 0);
  CHECK(run_startle("levels check " + json).exit_code == 0);
}

TEST_CASE("[app] levels check: the manifest that stands beside generated levels is none of them") {
  const Scratch scratch;
  const std::string folder = (scratch / "made").string();
  REQUIRE(run_startle("levels generate --family rows --count 2 --seed 1 --quiet --out '" + folder + "'")
              .exit_code == 0);
  const Run all = run_startle("levels check '" + folder + "'/*.json");
  CHECK(all.exit_code == 0);
  CHECK_THAT(all.out, Catch::Contains("2 of 2 files can be used\n"));
  CHECK(run_startle("difficulty '" + folder + "'/*.json --novelty T1").exit_code == 0);
  check_refused("levels check '" + folder + "/manifest.json'",
                {"manifest.json", "is the manifest of a level set"});
}

TEST_CASE(
    "[app] difficulty: what has no part in the set is left out and counted, and levels are written with "
    "their difficulties") {
  const Scratch scratch;
  const fs::path folder = scratch / "set";
  fs::create_directories(folder / "deep");
  fs::copy_file(test_folder / "levels/table.json", folder / "table.json");
  fs::copy_file(test_folder / "levels/fan.xml", folder / "fan.xml");
  fs::copy_file(test_folder / "levels/fan.xml", folder / "deep/fan.xml");
  const auto without = [&](const std::string& name, const std::string& key) {
    auto level = nlohmann::json::parse(contents(test_folder / "levels/table.json"));
    auto kept = nlohmann::json::array();
    if (key == "pig")
      for (const auto& object : level["objects"])
        if (object["kind"] != key) kept.push_back(object);
    level[key == "pig" ? "objects" : "birds"] = kept;
    write(folder / name, level.dump());
  };
  without("pigless.json", "pig");
  without("birdless.json", "birds");
  const std::string set = "'" + folder.string() + "'";
  const Run table = run_startle("difficulty " + set + " --novelty T1,T3 --method published --format json");
  CHECK(table.exit_code == 0);
  CHECK_THAT(table.err, Catch::Contains("T1: 2 of 5 files are left out: no birds 1, no pigs 1"));
  CHECK_THAT(table.err, Catch::Contains("T3: cannot be detected (value 1) in 1 of 3 levels"));
  const nlohmann::json described = nlohmann::json::parse(table.out);
  for (const auto& result : described["results"]) {
    const std::string file = fs::path(result["level"].get<std::string>()).filename().string();
    INFO(file);
    CHECK(result["tier"].is_null());  // published: no p_level
    CHECK(result["left_out"] == (file == "pigless.json"    ? nlohmann::json("no pigs")
                                 : file == "birdless.json" ? nlohmann::json("no birds")
                                                           : nlohmann::json()));
  }
  CHECK_THAT(run_startle("difficulty " + set + " --novelty T1 --format csv").out,
             Catch::Contains("no pigs") && Catch::Contains("no birds"));
  check_refused("difficulty " + set + " --novelty T1 --strict",
                {"--strict", "2 of 5 files", "pigless.json: no pigs"});

  const fs::path placed = scratch / "placed";
  const Run writing = run_startle(
      "difficulty " + set +
      " --novelty T1,ice-density-up --ties first --thirds --map Fan=Platform --quiet "
      "--write '" +
      placed.string() + "'");
  CHECK(writing.exit_code == 0);
  CHECK(files_in(placed / "T1") == 4);  // with the manifest
  for (const char* name : {"fan", "set-fan", "deep-fan"})
    CHECK(fs::exists(placed / "T1" / (name + std::string(".json"))) == (name != std::string("fan")));
  const auto manifest = nlohmann::json::parse(contents(placed / "T1/manifest.json"));
  const auto level = nlohmann::json::parse(contents(placed / "T1/table.json"));
  CHECK(level["difficulty"]["novelty"] == "T1");
  CHECK(level["difficulty"]["method"] == "extended");
  CHECK(level["difficulty"]["ties"] == "first");
  CHECK_FALSE(level["difficulty"].contains("tier"));
  CHECK_THAT(level["difficulty"]["third"].get<std::string>(), Catch::Matchers::Matches("low|middle|high"));
  CHECK(level["difficulty"]["thresholds"]["low"] == manifest["thresholds"]["T1"]["low"]);
  const Run check = run_startle("levels check '" + placed.string() + "'");
  INFO(check.out);
  CHECK(check.exit_code == 0);
  CHECK_THAT(check.out, Catch::Contains("difficulty verified: T1 extended"));
  // A copy is written by the name of the level in it, which is said.
  const fs::path copy = scratch / "mine.json";
  fs::copy_file(placed / "T1/table.json", copy);
  const Run copied = run_startle("difficulty '" + copy.string() + "' --novelty T1 --write '" +
                                 (scratch / "copies").string() + "'");
  CHECK(copied.exit_code == 0);
  CHECK_THAT(copied.err, Catch::Contains("by the names in the files: " + copy.string() + " as table"));
  // Without thirds p_level and its tier are written.
  const fs::path predicted = scratch / "predicted";
  REQUIRE(run_startle("difficulty " + set + " --novelty T1 --quiet --write '" + predicted.string() + "'")
              .exit_code == 0);
  const auto stored = nlohmann::json::parse(contents(predicted / "T1/table.json"))["difficulty"];
  CHECK(stored["method"] == "p_level");
  CHECK(stored["tier"] == tier_of(stored["p_level"]));
  CHECK_FALSE(stored.contains("value"));
  const auto of_set = nlohmann::json::parse(contents(predicted / "T1/manifest.json"));
  CHECK(of_set["difficulty"] == nlohmann::json{{"novelty", "T1"}, {"method", "p_level"}, {"range", {0, 1}}});
  CHECK_FALSE(of_set.contains("thresholds"));
  const Run predicted_check = run_startle("levels check '" + predicted.string() + "'");
  CHECK(predicted_check.exit_code == 0);
  CHECK_THAT(predicted_check.out, Catch::Contains("difficulty verified: T1 p_level 0."));

  const Run suggested = run_startle("difficulty " + set + " --suggest --format csv");
  CHECK(suggested.exit_code == 0);
  const auto rows = csv(suggested.out);
  CHECK(rows.size() > 30);
  double share = 1;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto number = [&](std::size_t column) { return std::stod(rows[i][column]); };
    INFO(rows[i][0]);
    CHECK(number(1) <= share);
    share = number(1);
    CHECK(number(2) == 3);
    CHECK(number(3) + number(4) + number(5) + number(6) == 3);
    CHECK(share <= number(3) / 3 + 1e-9);
  }
  check_refused("difficulty " + set, {"--novelty", "--suggest"});
  check_refused("difficulty " + set + " --novelty T1 --suggest", {"--novelty", "--suggest"});
  check_refused("difficulty " + set + " --novelty T1 --state-update simulated --write '" +
                    (scratch / "no").string() + "'",
                {"--write", "simulated"});
  CHECK_FALSE(fs::exists(scratch / "no"));
}

TEST_CASE("[app] levels: at a set difficulty generate gives levels whose difficulty check verifies") {
  const Scratch scratch;
  const std::string a = (scratch.path / "a").string(), b = (scratch.path / "b").string();
  const std::string command =
      "levels generate --novelty T3 --range 0.55:0.65 --measure value --count 4 --seed 5 --out ";
  REQUIRE(run_startle(command + a + " --threads 1").exit_code == 0);
  REQUIRE(run_startle(command + b + " --threads 3").exit_code == 0);
  CHECK(std::system(("diff -r " + a + " " + b).c_str()) == 0);
  CHECK(files_in(a) == 4 + 1);
  const Run check = run_startle("levels check " + a);
  CHECK(check.exit_code == 0);
  CHECK_THAT(check.out, Catch::Contains("4 of 4 files can be used") &&
                            Catch::Contains("difficulty verified: T3 extended"));
  const auto rows = csv(run_startle("difficulty " + a + " --novelty T3 --format csv").out);
  REQUIRE(rows.size() == 1 + 4);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    CHECK(std::stod(rows[i][6]) >= 0.55);
    CHECK(std::stod(rows[i][6]) <= 0.65);
  }
  const auto manifest = nlohmann::json::parse(contents(fs::path(a) / "manifest.json"));
  CHECK(manifest["command"] ==
        "startle levels generate --novelty T3 --range 0.55:0.65 --measure value --method extended --count 4 "
        "--seed 5 --profile startle --out DIR");
  CHECK(manifest["difficulty"]["range"] == nlohmann::json{0.55, 0.65});
  CHECK(manifest["diversity"]["least"] > 0.15);

  // A stored difficulty that is not the level's is found out.
  const fs::path file = fs::path(a) / manifest["levels"][0].get<std::string>();
  auto level = nlohmann::ordered_json::parse(contents(file));
  level["difficulty"]["bid"] = 0.125;
  write(file, level.dump());
  const Run wrong = run_startle("levels check " + file.string());
  CHECK(wrong.exit_code == 3);
  CHECK_THAT(wrong.out, Catch::Contains("difficulty of T3 does not hold: BID stored 0.125, computed") &&
                            Catch::Contains("startle difficulty --novelty T3 --write DIR stores it anew") &&
                            Catch::Contains("1 of 1 files can be used, 1 of them is not what its file says"));
}

TEST_CASE("[app] levels: of a tier generate gives levels whose p_level lies well inside of it") {
  const Scratch scratch;
  for (const auto& [tier, min, max] :
       {std::tuple{std::string("easy"), 0.85, 1.0}, {"medium", 0.4, 0.6}, {"hard", 0.0, 0.15}}) {
    const std::string folder = (scratch / tier).string();
    const Run made = run_startle("levels generate --novelty T2 --tier " + tier +
                                 " --count 2 --seed 5 --out '" + folder + "'");
    REQUIRE(made.exit_code == 0);
    CHECK_THAT(made.err, Catch::Contains("wrote 2 levels to " + folder + ", T2 " + tier + ", p_level from "));
    const auto manifest = nlohmann::json::parse(contents(fs::path(folder) / "manifest.json"));
    CHECK(manifest["command"] == "startle levels generate --novelty T2 --tier " + tier +
                                     " --count 2 --seed 5 --profile startle --out DIR");
    CHECK(manifest["difficulty"] ==
          nlohmann::json{{"novelty", "T2"}, {"method", "p_level"}, {"tier", tier}, {"range", {min, max}}});
    const auto rows = csv(run_startle("difficulty '" + folder + "' --novelty T2 --format csv").out);
    REQUIRE(rows.size() == 1 + 2);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      CHECK((std::stod(rows[i][2]) >= min && std::stod(rows[i][2]) <= max));
      CHECK(rows[i][3] == tier);
    }
    const Run check = run_startle("levels check '" + folder + "'");
    CHECK(check.exit_code == 0);
    CHECK_THAT(check.out,
               Catch::Contains("difficulty verified: T2 p_level ") && Catch::Contains(" " + tier + "\n"));
    // A stored tier that is not that of the level is found out.
    const fs::path file = fs::path(folder) / manifest["levels"][0].get<std::string>();
    auto level = nlohmann::ordered_json::parse(contents(file));
    const std::string other = tier == "easy" ? "hard" : "easy";
    level["difficulty"]["tier"] = other;
    write(file, level.dump());
    const Run wrong = run_startle("levels check '" + file.string() + "'");
    CHECK(wrong.exit_code == 2);
    CHECK_THAT(wrong.out, Catch::Contains("/difficulty/tier") && Catch::Contains("found \"" + other + "\"") &&
                              Catch::Contains(tier + ", which that p_level is"));
    // One of an earlier version is refused by name of the version.
    level["difficulty"] = {{"novelty", "T2"}, {"method", "detection"}, {"value", 0.5}};
    write(file, level.dump());
    const Run old = run_startle("levels check '" + file.string() + "'");
    CHECK(old.exit_code == 2);
    CHECK_THAT(old.out, Catch::Contains("\"detection\" is of Startle 0.2 or before"));
  }
}

TEST_CASE("[app] levels: Ctrl-C keeps the levels found at a set difficulty") {
  const Scratch scratch;
  const std::string dir = (scratch.path / "s").string();
  const int status = std::system(
      ("'" STARTLE_PROGRAM
       "' levels generate --novelty T1 --range 0:0.9 --measure value --count 100000 --quiet --out " +
       dir + " 2>/dev/null & program=$!; sleep 1; kill -INT $program; wait $program")
          .c_str());
  CHECK(WEXITSTATUS(status) == 130);
  const auto manifest = nlohmann::json::parse(contents(fs::path(dir) / "manifest.json"));
  CHECK_FALSE(manifest["levels"].empty());
  CHECK(manifest["levels"].size() + 1 == files_in(dir));
}

TEST_CASE("[app] own novelty: played where asked for, written as data, and left out where there is none") {
  const Scratch scratch;
  const fs::path set = scratch / "set";
  fs::create_directories(set);
  fs::copy_file(test_folder / "levels/fan.xml", set / "fan.xml");
  fs::copy_file(test_folder / "levels/table.json", set / "table.json");
  const std::string xml = "'" + (set / "fan.xml").string() + "'",
                    json = "'" + (scratch / "fan.json").string() + "'", folder = "'" + set.string() + "'";

  // The same shot past the fan, at (-2, -0.1): one trace in the normal world, another with it; the first not
  // changed by what the file carries.
  const auto hash = [](const std::string& level, const std::string& novelty) {
    const Run run = run_startle("simulate " + level + " --shot 25 --quiet" +
                                (novelty.empty() ? "" : " --novelty " + novelty));
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    return run.out.substr(run.out.find("hash "), 21);
  };
  CHECK(hash(xml, "own@0") == hash(xml, ""));
  CHECK(hash(xml, "own") != hash(xml, ""));
  CHECK(hash(xml, "own@2") != hash(xml, "own"));
  CHECK_THAT(run_startle("simulate " + xml + " --shot 25").err,
             Catch::Contains("carries a novelty, Fan at (-2, -0.1), that --novelty own plays"));
  CHECK_FALSE(
      Catch::Contains("carries").match(run_startle("simulate " + xml + " --shot 25 --novelty own").err));
  check_refused("simulate levels/table.json --shot 25 --novelty own",
                {"table", "carries no novelty of its own"});
  check_refused("simulate " + xml + " --shot 25 --novelty own@-1", {"own", "found -1", "from 0 to 8"});
  check_refused("levels generate --novelty own --tier easy --out no", {"'own'", "catalogue"});

  const Run converted = run_startle("levels convert " + xml + " " + json);
  CHECK(converted.exit_code == 0);
  CHECK_THAT(converted.err, Catch::Contains("Novelty Fan is kept as the level's own novelty"));
  CHECK(nlohmann::json::parse(contents(scratch / "fan.json"))["novelty"]["fields"][0]["acceleration"]["x"] ==
        6);
  CHECK(hash(json, "own") == hash(xml, "own"));
  const std::string again = "'" + (scratch / "again.xml").string() + "'";
  CHECK(run_startle("levels convert " + json + " " + again).err.find("left out") == std::string::npos);
  CHECK(hash(again, "own") == hash(xml, "own"));
  auto made = nlohmann::json::parse(contents(scratch / "fan.json"));
  made["novelty"] = {{"gravity", 0.5}};
  write(scratch / "fan.json", made.dump());
  CHECK_THAT(run_startle("levels convert " + json + " " + again).err,
             Catch::Contains("XML has no place for the level's own novelty"));
  made["novelty"] = {{"air_drag", -1}};
  write(scratch / "fan.json", made.dump());
  check_refused("simulate " + json + " --shot 25 --novelty own",
                {"/novelty/air_drag", "found -1", "a number from 0 to 10000"});

  const Run reasoned = run_startle("difficulty " + folder + " --novelty own");
  CHECK(reasoned.exit_code == 0);
  CHECK_THAT(
      reasoned.err,
      Catch::Contains(
          "own: 2 of 2 files are left out: no novelty of its own 1, novelty not covered by the method 1") &&
          Catch::Contains("--simulated"));
  const fs::path placed = scratch / "placed";
  CHECK(run_startle("difficulty " + folder + " --novelty own --simulated --quiet --write '" +
                    placed.string() + "'")
            .exit_code == 0);
  CHECK(files_in(placed) == 2);  // with the manifest
  const auto level = nlohmann::json::parse(contents(placed / "own/fan.json"));
  CHECK(level["difficulty"]["novelty"] == "own");
  CHECK(level["difficulty"]["method"] == "simulated");
  CHECK(level["difficulty"]["value"] < 1);
  CHECK(level["novelty"]["description"] == "Fan at (-2, -0.1)");
  const Run check = run_startle("levels check '" + placed.string() + "'");
  CHECK(check.exit_code == 0);
  CHECK_THAT(check.out, Catch::Contains("difficulty verified: own simulated"));
  const auto rows = csv(
      run_startle("difficulty " + folder + " --suggest --format csv --method extended").out);
  CHECK(std::none_of(rows.begin(), rows.end(), [](const auto& row) { return row[0] == "own"; }));  // a fan is
                                                                                                   // not
                                                                                                   // covered
}

TEST_CASE("[app] levels: convert there and back keeps the difficulty") {
  const Scratch scratch;
  const std::string xml = (scratch.path / "table.xml").string(),
                    json = (scratch.path / "table.json").string();
  REQUIRE(run_startle("levels convert levels/table.json " + xml).exit_code == 0);
  REQUIRE(run_startle("levels convert " + xml + " " + json).exit_code == 0);
  const auto tail = [](std::string line) { return line.substr(line.find(',')); };
  const auto values = [&](const std::string& file) {
    const std::string out = run_startle("difficulty " + file + " --novelty T1 --format csv").out;
    return tail(out.substr(out.find('\n') + 1));
  };
  CHECK(values(json) == values("levels/table.json"));
  CHECK(values(xml) == values("levels/table.json"));
}

TEST_CASE("[app] study: the same seed gives the same bytes, and the report is whole", "[slow]") {
  const Scratch scratch;
  const std::string a = (scratch.path / "a").string(), b = (scratch.path / "b").string(),
                    c = (scratch.path / "c").string();
  const std::string command = "study --count 9 --quiet";
  REQUIRE(run_startle(command + " --seed 3 --threads 1 --out " + a).exit_code == 0);
  REQUIRE(run_startle(command + " --seed 3 --threads 2 --out " + b).exit_code == 0);
  REQUIRE(run_startle(command + " --seed 4 --out " + c).exit_code == 0);
  CHECK(std::system(("diff -r " + a + " " + b).c_str()) == 0);
  CHECK(contents(fs::path(a) / "results.csv") != contents(fs::path(c) / "results.csv"));

  const auto rows = csv(contents(fs::path(a) / "results.csv"));
  REQUIRE(rows.size() == 1 + 2 * 27);  // by both methods
  const auto json = nlohmann::json::parse(contents(fs::path(a) / "results.json"));
  REQUIRE(json["results"].size() == 27);
  REQUIRE(json["extended"]["results"].size() == 27);
  for (std::size_t i = 0; i < 27; ++i) {
    CHECK(rows[1 + i][0] == "published");
    CHECK(rows[28 + i][0] == "extended");
    CHECK(rows[1 + i][1] == rows[28 + i][1]);
    CHECK(std::stod(rows[1 + i][5]) == json["results"][i]["value"]);
    CHECK(std::stod(rows[28 + i][5]) == json["extended"]["results"][i]["value"]);
  }
  CHECK(json["configuration"]["seed"] == 3);
  for (const auto& result : json["results"]) {
    CHECK(result["novel_objects"] > 0);
    const auto& threshold = json["thresholds"][result["novelty"].get<std::string>()];
    const double value = result["value"];
    CHECK(threshold["count"] == 9);
    CHECK(result["third"] == (value < threshold["low"]    ? "low"
                              : value > threshold["high"] ? "high"
                                                          : "middle"));
  }
  for (const char* novelty : {"T1", "T2", "T3"}) CHECK(files_in(fs::path(a) / "levels" / novelty) == 9 + 1);
  // The fifteen levels of the experiment: five of each novelty, from its thirds by turns.
  CHECK(files_in(fs::path(a) / "people/levels") == 15 + 1);
  CHECK(files_in(fs::path(a) / "people/practice") == 10 + 1);
  std::map<std::string, int> of_novelty;
  for (const auto& name : json["picked"]) {
    const auto picked = nlohmann::json::parse(
        contents(fs::path(a) / "people/levels" / (name.get<std::string>() + ".json")));
    const std::string novelty = picked["difficulty"]["novelty"];
    ++of_novelty[novelty];
    CHECK(picked["difficulty"]["ties"] == "first");
    CHECK(picked["difficulty"]["value"] < 1);
    CHECK(contents(fs::path(a) / "levels" / novelty / (name.get<std::string>() + ".json")) ==
          contents(fs::path(a) / "people/levels" / (name.get<std::string>() + ".json")));
  }
  CHECK(of_novelty == std::map<std::string, int>{{"T1", 5}, {"T2", 5}, {"T3", 5}});
  CHECK(run_startle("levels check " + a + "/levels " + a + "/people/practice").exit_code == 0);
  // A study with people takes the levels as they are, but for those of value 1.
  write(scratch.path / "consent.txt", "I agree.");
  const Run people = run_startle(
      "study-people create --levels " + a + "/levels --practice 2 --items 3 --consent " +
      (scratch.path / "consent.txt").string() + " --out " + (scratch.path / "study.sqlite").string());
  CHECK(people.exit_code == 0);
  CHECK_THAT(people.err, Catch::Contains(": a study of "));
  const auto undetectable = std::count_if(json["results"].begin(), json["results"].end(),
                                          [](const auto& result) { return result["value"] == 1; });
  if (undetectable > 0)
    CHECK_THAT(people.err, Catch::Contains(std::to_string(undetectable) + " of 27 levels are left out"));
  // The picked ones, too; everybody plays all of them.
  const Run created = run_startle("study-people create --levels " + a + "/people/levels --practice-levels " +
                                  a + "/people/practice --items 15 --normal 0 --consent " +
                                  (scratch / "consent.txt").string() + " --out " +
                                  (scratch / "people.sqlite").string());
  INFO(created.err);
  CHECK(created.exit_code == 0);
  CHECK_THAT(created.err, Catch::Contains("a study of 15 levels"));

  const std::string html = contents(fs::path(a) / "report.html");
  CHECK_THAT(html, Catch::Contains("startle study --count 9 --seed 3"));
  CHECK_THAT(html, Catch::Contains("How true is this?") && Catch::Contains("startle validate"));
  CHECK_THAT(html, !Catch::Contains("src=") && !Catch::Contains("<script") &&
                       !Catch::Contains("<link"));  // self-contained
  std::size_t pictures = 0, scenes = 0;
  for (std::size_t at = html.find("<svg"); at != std::string::npos; at = html.find("<svg", at + 1)) {
    const std::string svg = html.substr(at, html.find("</svg>", at) + 6 - at);
    pugi::xml_document document;
    REQUIRE(document.load_string(svg.c_str()));
    ++pictures;
    if (svg.find("data-object") != std::string::npos) ++scenes;
  }
  CHECK(pictures >= 3 * 5);
  CHECK(scenes >= 3 * 2);
}

TEST_CASE(
    "[app] observe --plays: made levels are played with their novelty, and a page says what was found") {
  const Scratch scratch;
  const std::string benchmark = std::string(STARTLE_TEST_FOLDER) + "/../../levels/benchmark/T2",
                    page = (scratch.path / "report.html").string();
  const std::string command = "observe '" + benchmark + "' --limit 1 --plays 1 --quiet --simulations 19 ";
  const Run text = run_startle(command + "--threads 1");
  REQUIRE(text.exit_code == 0);
  CHECK_THAT(text.out, Catch::Contains(" of easy, "));
  const Run table = run_startle(command + "--format csv");
  const auto rows = csv(table.out);
  REQUIRE(rows.size() == 4);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    CHECK(rows[i].at(1) == "T2");
    const auto stored = nlohmann::json::parse(contents(rows[i].at(0)))["difficulty"];
    CHECK(rows[i].at(2) == stored["tier"]);
    CHECK(std::stod(rows[i].at(6)) == stored["p_level"].get<double>());
  }
  REQUIRE(run_startle(command + "--threads 2 --out " + page).exit_code == 0);
  const std::string finding = text.out.substr(text.out.find("One play"));
  const std::string html = std::regex_replace(contents(page), std::regex("&#160;"), " ");
  CHECK_THAT(html, Catch::Contains(finding.substr(0, finding.find('\n'))));
  // Another player's own prediction; another novelty's own tier.
  const auto other = csv(run_startle(command + "--format csv --player random-target --novelty T1").out);
  REQUIRE(other.size() >= 2);
  for (std::size_t i = 1; i < other.size(); ++i) {
    const auto computed = csv(
        run_startle("difficulty '" + other[i].at(0) + "' --novelty T1 --format csv").out);
    const auto at = std::find(computed[0].begin(), computed[0].end(), "p_level_random") - computed[0].begin();
    CHECK(std::stod(other[i].at(6)) ==
          Approx(std::stod(computed.at(1).at(static_cast<std::size_t>(at)))).epsilon(1e-6));
    CHECK(other[i].at(2) == computed.at(1).at(3));
  }
  check_refused("observe '" + benchmark + "' --shot 10 --limit 1", {"--limit", "--plays"});
}

TEST_CASE("[app] observe --plays: an interrupted or killed run goes on to the same table") {
  const Scratch scratch;
  const std::string levels = "observe '" STARTLE_TEST_FOLDER
                             "/../../levels/benchmark/T2' --limit 2 "
                             "--simulations 19 --threads 1 ";
  const std::string command = levels + "--plays 4 --out ";
  const fs::path whole = scratch.path / "whole.csv", parts = scratch.path / "parts.csv",
                 kept = scratch.path / "parts.csv.plays";
  REQUIRE(run_startle(command + whole.string() + " --quiet").exit_code == 0);
  CHECK_FALSE(fs::exists(whole.string() + ".plays"));

  // Each takes a second or so of what the whole takes; none may have been finished.
  const auto ended_by = [&](const std::string& signal) {
    const int status = std::system(("timeout -s " + signal + " 1 '" STARTLE_PROGRAM "' " + command +
                                    parts.string() + " >'" + (scratch.path / "said").string() + "' 2>&1")
                                       .c_str());
    REQUIRE(WIFEXITED(status));
    CHECK_FALSE(fs::exists(parts));
    return contents((scratch.path / "said").string());
  };
  CHECK_THAT(ended_by("INT"), Catch::Contains("plays are in " + kept.string()));
  REQUIRE(fs::exists(kept));
  ended_by("KILL");
  check_refused(levels + "--plays 3 --out " + parts.string(),
                {kept.string(), "--plays is \"4\"", "\"3\" here"});
  check_refused(command + parts.string() + " --novelty T1", {kept.string(), "levels is "});

  REQUIRE(run_startle(command + parts.string() + " --quiet").exit_code == 0);
  CHECK(contents(parts.string()) == contents(whole.string()));
  CHECK_FALSE(fs::exists(kept));

  // What is stored in the levels is kept beside them; fewer plays than are stored are refused before any.
  const fs::path stored = scratch.path / "levels", beside = scratch.path / "levels.plays";
  fs::create_directory(stored);
  fs::copy(STARTLE_TEST_FOLDER "/../../levels/benchmark/T2/easy/T2-easy-5005-0002.json", stored);
  const std::string storing = " observe '" + stored.string() +
                              "/' --null-plays 0 --store --threads 1 --plays ";
  check_refused(storing + "2", {"holds the p_level of 16 plays by best-target, which 2 would replace"});
  CHECK_FALSE(fs::exists(beside));
  std::system(("timeout -s KILL 5 '" STARTLE_PROGRAM "'" + storing + "17 >/dev/null 2>&1").c_str());
  CHECK(fs::exists(beside));
  REQUIRE(run_startle(storing + "17 --quiet").exit_code == 0);
  CHECK_FALSE(fs::exists(beside));
  CHECK_THAT(contents((stored / "T2-easy-5005-0002.json").string()), Catch::Contains("\"plays\": 17"));
}

TEST_CASE("[app] observe --store: what was measured is in the files, which then still are the set's") {
  const Scratch scratch;
  const fs::path set = scratch.path / "set";
  const std::string generate = "levels generate --novelty T2 --tier hard --seed 4 --quiet --out " +
                               set.string();
  REQUIRE(run_startle(generate + " --count 2").exit_code == 0);
  const auto manifest = nlohmann::json::parse(contents((set / "manifest.json").string()));
  const std::string file = (set / manifest["levels"][0].get<std::string>()).string(),
                    store = "observe " + set.string() + " --store --quiet ";
  const auto difficulty_in_file = [&] { return nlohmann::json::parse(contents(file))["difficulty"]; };
  const auto before = difficulty_in_file();

  check_refused(store + "--plays 2 --novelty T2", {"--store", "--novelty"});
  check_refused(store + "--plays 2 --null-plays 3", {"null-plays", "found 3", "0 to 2"});
  check_refused(store + "--shot 20 --novelty T2", {"--store"});
  fs::copy(test_folder / "levels", scratch.path / "others");
  check_refused("observe " + (scratch.path / "others").string() + " --store --plays 1", {"--store"});
  CHECK(difficulty_in_file() == before);

  const Run run = run_startle(store + "--plays 2 --null-plays 0 --format csv");
  REQUIRE(run.exit_code == 0);
  auto after = difficulty_in_file();
  REQUIRE(after["measured"].size() == 1);
  CHECK(after["measured"][0]["player"] == "best-target");
  CHECK(after["measured"][0]["plays"] == 2);
  CHECK(after["measured"][0]["p_level"].get<double>() == std::stod(csv(run.out).at(1).at(9)));
  after.erase("measured");
  CHECK(after == before);  // what was predicted stays
  // In place of the same player's, unless those were more plays; beside another's.
  check_refused(store + "--plays 1 --null-plays 0", {"2 plays by best-target", "nothing is stored"});
  check_refused(store + "--plays 3 --null-plays 0 --simulations 19", {"--store", "--simulations"});
  CHECK(difficulty_in_file()["measured"][0]["plays"] == 2);
  REQUIRE(run_startle(store + "--plays 3 --null-plays 0").exit_code == 0);
  REQUIRE(run_startle(store + "--plays 1 --null-plays 0 --player random-target").exit_code == 0);
  REQUIRE(difficulty_in_file()["measured"].size() == 2);
  CHECK(difficulty_in_file()["measured"][0]["plays"] == 3);
  CHECK(difficulty_in_file()["measured"][1]["player"] == "random-target");
  CHECK(run_startle("levels check " + set.string()).exit_code == 0);
  // The command that made the set would lose it.
  check_refused(generate + " --count 2", {"observe --store measured"});
  CHECK(difficulty_in_file()["measured"].size() == 2);
}

TEST_CASE("[app] validate: both methods stand side by side in every table, and threads do not matter") {
  const Scratch scratch;
  const std::string a = (scratch.path / "a").string(), b = (scratch.path / "b").string();
  const std::string command =
      "validate --count 2 --family rows --novelty T1,T3 --seed 2 --launches 2 --quiet --threads ";
  const Run one = run_startle(command + "1 --out " + a);
  REQUIRE(one.exit_code == 0);
  REQUIRE(run_startle(command + "2 --out " + b).exit_code == 0);
  CHECK(std::system(("diff -r " + a + " " + b).c_str()) == 0);
  for (const char* table : {"agreement", "values", "thirds", "families", "cases", "directions"}) {
    CAPTURE(table);
    const auto rows = csv(contents(fs::path(a) / (std::string(table) + ".csv")));
    const auto column = static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), "method") -
                                                 rows[0].begin());
    REQUIRE(column < rows[0].size());
    std::map<std::string, int> of;
    for (std::size_t i = 1; i < rows.size(); ++i) ++of[rows[i][column]];
    CHECK(of["published"] > 0);
    CHECK(of["published"] == of["extended"]);
  }
  CHECK_THAT(contents(fs::path(a) / "failures.csv"),
             Catch::Contains(",published,") && Catch::Contains(",extended,"));
  const auto levels = csv(contents(fs::path(a) / "levels.csv"));
  REQUIRE(levels.size() == 1 + 2 * 2);
  for (const char* column : {"published_value", "extended_value", "simulated_value"})
    CHECK(std::count(levels[0].begin(), levels[0].end(), column) == 1);
  CHECK_THAT(one.out, Catch::Contains("Reasoning against simulation") && Catch::Contains("extended"));
  CHECK_THAT(contents(fs::path(a) / "report.html"),
             Catch::Contains("published method, shot at") && Catch::Contains("extended method, shot at"));
}

TEST_CASE("[app] study: Ctrl-C keeps the levels that are finished and writes no report") {
  const Scratch scratch;
  const std::string dir = (scratch.path / "s").string();
  const int status = std::system(("'" STARTLE_PROGRAM "' study --quiet --count 100000 --out " + dir +
                                  " 2>/dev/null & program=$!; sleep 1; kill -INT $program; wait $program")
                                     .c_str());
  CHECK(WEXITSTATUS(status) == 130);
  CHECK_FALSE(fs::exists(dir + "/report.html"));
  CHECK_FALSE(fs::exists(dir + "/results.csv"));
  for (const auto& entry : fs::recursive_directory_iterator(dir))
    if (entry.is_regular_file()) CHECK(nlohmann::json::accept(contents(entry.path())));
}

TEST_CASE("[app] outputs: a level set is made again by its own command alone") {
  const Scratch scratch;
  const std::string set = (scratch.path / "set").string();
  const std::string castles = "levels generate --quiet --family castles --seed 1 --out '" + set +
                              "' --count ";
  REQUIRE(run_startle(castles + "2").exit_code == 0);
  const auto bytes = [&] {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(set))
      files[entry.path().filename().string()] = contents(entry);
    return files;
  };
  const auto first = bytes();
  REQUIRE(first.size() == 3);
  REQUIRE(run_startle(castles + "1").exit_code == 0);
  REQUIRE(run_startle(castles + "2").exit_code == 0);
  CHECK(bytes() == first);
  const std::string towers = "levels generate --family towers --count 100000 --seed 2 --out '" + set + "'";
  check_refused(towers, {set, "another command", "--family castles", "choose another folder"});  // at once
  CHECK(bytes() == first);
  write(fs::path(set) / "castles-1-0001.json", "edited");
  const auto edited = bytes();
  check_refused(castles + "2", {set, "edited"});
  CHECK(bytes() == edited);
}

TEST_CASE("[app] outputs: a level's name is no path for difficulty --write") {
  const Scratch scratch;
  const fs::path victim = scratch.path / "victim.json", level = scratch.path / "level.json";
  write(victim, "mine");
  auto json = nlohmann::ordered_json::parse(contents(test_folder / "levels/table.json"));
  json["name"] = "../../victim";
  write(level, json.dump());
  REQUIRE(run_startle("difficulty '" + level.string() + "' --novelty T1 --quiet --write '" +
                      (scratch.path / "sets").string() + "'")
              .exit_code == 0);
  CHECK(contents(victim) == "mine");
  CHECK(fs::exists(scratch.path / "sets/T1/-.-..-victim.json"));
  CHECK(files_in(scratch.path) == 4);
}

TEST_CASE("[app] outputs: what is private is its owner's alone") {
  const Scratch scratch;
  const auto path = [&](const std::string& name) { return "'" + (scratch.path / name).string() + "'"; };
  const auto is_private = [&](const std::string& name) {
    const fs::perms others = fs::perms::group_all | fs::perms::others_all;
    return (fs::status(scratch.path / name).permissions() & others) == fs::perms::none;
  };
  const std::string levels = (test_folder / "../../levels/benchmark/T1/easy").string();
  write(scratch.path / "consent.txt", "Taking part is free.");
  write(scratch.path / "password", "long enough");
  REQUIRE(run_startle("study-people create --quiet --practice 1 --items 2 --levels '" + levels +
                      "' --consent " + path("consent.txt") + " --out " + path("study.sqlite"))
              .exit_code == 0);
  const std::string study = "study-people ", of = " " + path("study.sqlite") + " --out ";
  REQUIRE(run_startle(study + "invite" + of + path("links.csv")).exit_code == 0);
  REQUIRE(run_startle(study + "completions" + of + path("completions.csv")).exit_code == 0);
  REQUIRE(run_startle(study + "report" + of + path("report.csv")).exit_code == 0);
  REQUIRE(run_startle(study + "export" + of + path("export")).exit_code == 0);
  REQUIRE(run_startle(study + "password --out " + path("hash") + " <" + path("password")).exit_code == 0);
  REQUIRE(run_startle(study + "texts --out " + path("texts.json")).exit_code == 0);
  for (const char* name :
       {"study.sqlite", "links.csv", "completions.csv", "report.csv", "hash", "export/reports.csv"}) {
    INFO(name);
    CHECK(is_private(name));
  }
  CHECK_FALSE(is_private("texts.json"));
  REQUIRE(run_startle("agents run --quiet --agent random --trials 1 --limit 1 --levels '" + levels +
                      "' --out " + path("results.sqlite"))
              .exit_code == 0);
  CHECK(is_private("results.sqlite"));  // holds the secret by which worlds are known
}

TEST_CASE("[app] outputs: /dev/stdout is standard output, also where that is a file") {
  const Scratch scratch;
  const std::string all = "'" + (scratch.path / "all").string() + "'";
  REQUIRE(
      std::system(
          ("{ echo begin; '" STARTLE_PROGRAM "' study-people texts --out /dev/stdout; echo end; } >" + all)
              .c_str()) == 0);
  CHECK_THAT(contents(scratch.path / "all"), Catch::StartsWith("begin\n{") && Catch::EndsWith("}\nend\n"));
  REQUIRE(run_startle("study-people texts --out /dev/stderr").err == run_startle("study-people texts").out);
}

TEST_CASE("[app] SIGTERM ends a command within a second, and what is finished stays, as with Ctrl-C") {
  const Scratch scratch;
  const std::string out = (scratch.path / "out").string(), err = (scratch.path / "err").string();
  useconds_t time = 500000;  // in which a level is made; more of it on a busy machine
  for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
    for (std::size_t levels = 0; levels == 0; time += levels == 0 ? time : 0) {
      REQUIRE(time < 40000000);
      fs::remove_all(out);
      const pid_t child = fork();
      if (child == 0) {
        if (std::freopen(err.c_str(), "w", stderr) == nullptr) _exit(98);
        execl(STARTLE_PROGRAM, STARTLE_PROGRAM, "levels", "generate", "--family", "castles", "--count",
              "100000", "--seed", "1", "--quiet", "--threads", "2", "--out", out.c_str(), nullptr);
        _exit(99);
      }
      usleep(time);
      const auto begin = std::chrono::steady_clock::now();
      kill(child, signal);
      int status = 0;
      waitpid(child, &status, 0);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (!fs::exists(fs::path(out) / "manifest.json")) continue;  // had not begun
      // A set whose manifest names all of its levels, as the same command with their number makes them.
      const auto manifest = nlohmann::json::parse(contents(fs::path(out) / "manifest.json"));
      levels = manifest["levels"].size();
      CHECK(levels == files_in(out) - 1);
      if (signal == SIGINT) {
        CHECK(WEXITSTATUS(status) == 130);
        CHECK_THAT(contents(err), Catch::Contains("what is under way is finished first"));
      } else {
        CHECK((WIFSIGNALED(status) && WTERMSIG(status) == signal));
        CHECK(seconds < 2);  // 1, and what a busy machine takes
      }
    }
  }
}

TEST_CASE("[app] SIGTERM does not wait for an agent that is silent") {
  const Scratch scratch;
  const std::string out = (scratch.path / "results.sqlite").string();
  const pid_t child = fork();
  if (child == 0) {
    const std::string levels = (test_folder / "levels").string();
    execl(STARTLE_PROGRAM, STARTLE_PROGRAM, "agents", "run", "--quiet", "--agent", "silent=sleep 100",
          "--levels", levels.c_str(), "--novelty", "T2", "--action-limit", "50", "--out", out.c_str(),
          nullptr);
    _exit(99);
  }
  for (int i = 0; i < 600 && !fs::exists(out); ++i) usleep(100000);  // it has begun
  const auto begin = std::chrono::steady_clock::now();
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(2000));
}
