/// \file  startle observe, startle threshold and startle dynamics as a user runs them.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "tests/catch.hpp"

namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Folder {
  fs::path path = fs::temp_directory_path() / ("startle-test-observer-" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string file(const std::string& name) const { return (path / name).string(); }
};

const std::string table = std::string(STARTLE_TEST_FOLDER) + "/levels/table.json";

struct Run {
  int exit_code = -1;
  std::string out, err;
};
Run startle(const Folder& folder, const std::string& arguments) {
  const std::string out = folder.file("out"), err = folder.file("err");
  const int status = std::system(
      ("'" STARTLE_PROGRAM "' " + arguments + " >'" + out + "' 2>'" + err + "'").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, contents(out), contents(err)};
}

void check_refused(const Folder& folder, const std::string& arguments,
                   const std::vector<std::string>& words) {
  const Run run = startle(folder, arguments);
  INFO("startle " << arguments << "\n" << run.err);
  CHECK(run.exit_code == 2);
  CHECK(run.out.empty());
  for (const std::string& word : words) CHECK_THAT(run.err, Catch::Contains(word));
}

}  // namespace

TEST_CASE("[app] observe: text and JSON say the same, on any number of threads") {
  const Folder folder;
  const std::string arguments = "observe '" + table +
                                "' --shot 10 --novelty wood-density-down --launches 2 --simulations 19";
  const Run text = startle(folder, arguments + " --threads 1"),
            again = startle(folder, arguments + " --threads 3");
  CHECK(text.exit_code == 0);
  CHECK(text.out == again.out);
  const Run json_run = startle(folder, arguments + " --format json");
  const auto json = nlohmann::json::parse(json_run.out);
  CHECK(json["novelty"] == "wood-density-down");
  CHECK(json["observer"]["simulations"] == 19);
  REQUIRE(json["shots"].size() == 1);
  REQUIRE(json["shots"][0]["launches"].size() == 2);
  int detected = 0;
  for (const auto& launch : json["shots"][0]["launches"]) {
    for (const char* p : {"p", "p_outcome", "p_motion"}) {
      CHECK(launch["found"][p] >= 0.05);
      CHECK(launch["found"][p] <= 1);
    }
    detected += launch["found"]["detected"] == true;
    CHECK(launch["found"]["detected"] == (launch["found"]["p"] <= 0.05));
  }
  CHECK_THAT(text.out, Catch::Contains("detected: " + std::to_string(detected) + " of 2"));
}

TEST_CASE("[app] observe: bad input is refused") {
  const Folder folder;
  const std::string observe = "observe '" + table + "' --shot 10 ";
  for (const char* noise : {"-0.01", "0.6"})
    check_refused(folder, observe + "--aim-noise " + noise + "rad", {"aim noise", "found", "0 to 0.5"});
  for (const char* noise : {"x", "0.01", "0.01grad", "rad", "", "nanrad", "infrad"})
    check_refused(folder, observe + "--aim-noise '" + noise + "'", {"--aim-noise", "0.01rad"});
  check_refused(folder, observe + "--pixel-size 0", {"pixel", "over 0 to 1"});
  check_refused(folder, observe + "--simulations 18", {"simulations", "19 to 9999"});
  check_refused(folder, observe + "--launches 0", {"--launches", "1 to 1000"});
  check_refused(folder, observe + "--novelty T2@9", {"strength", "found 9", "from 0 to 8"});
  check_refused(folder, observe + "--novelty T2@", {"T2@", "strength"});
  check_refused(folder, observe + "--shot ten", {"ten"});
  check_refused(folder, "observe nothing.json --shot 10", {"nothing.json"});
  check_refused(folder, "observe '" + table + "'", {"--shot", "--plays"});
  check_refused(folder, "observe '" + table + "' '" + table + "' --shot 10", {"--shot", "2 levels", "one"});
  check_refused(folder, observe + "--novelty T1,T2", {"2 novelties", "one"});
  check_refused(folder, observe + "--plays 2", {"--plays", "not with --shot"});
  check_refused(folder, observe + "--format csv", {"csv", "--plays"});
  const std::string plays = "observe '" + table + "' --plays ";
  check_refused(folder, plays + "0", {"plays", "found 0", "1 to 1000"});
  check_refused(folder, plays + "1 --player best", {"--player", "best", "random-target"});
  check_refused(folder, plays + "1 --novelty T9", {"T9"});
}

TEST_CASE("[app] observe: levels are played, the same by text, CSV and JSON and on any number of threads") {
  const Folder folder;
  const std::string plays = "observe '" + table +
                            "' --novelty wood-density-down@2,T3 --plays 2 --simulations 19 --quiet ";
  const Run text = startle(folder, plays + "--threads 1"), again = startle(folder, plays + "--threads 3");
  CHECK(text.exit_code == 0);
  CHECK(text.out == again.out);
  CHECK_THAT(text.out, Catch::Contains("p_level") && Catch::Contains("wood-density-down@2") &&
                           Catch::Contains("One play of a level detects"));
  const auto json = nlohmann::json::parse(startle(folder, plays + "--format json").out);
  const std::string csv = startle(folder, plays + "--format csv").out;
  REQUIRE(json["results"].size() >= 1);
  for (const auto& result : json["results"]) {
    REQUIRE(result["novel_plays"].size() == 2);
    double sum = 0;
    for (const auto& play : result["novel_plays"]) sum += play["detected"].get<double>();
    CHECK(result["p_level"]["value"].get<double>() == Approx(sum / 2));
    CHECK(result["p_level"]["value"] >= 0);
    CHECK(result["p_level"]["value"] <= 1);
    CHECK_THAT(csv, Catch::Contains(result["novelty"].get<std::string>()));
  }
  // Another player, other plays.
  CHECK(startle(folder, plays + "--player random-target").out != text.out);
}

TEST_CASE("[app] a novelty at strength 1 is the novelty, and at strength 0 it is said to change nothing") {
  const Folder folder;
  const std::string simulate = "simulate '" + table + "' --shot 10 --format json --novelty ";
  auto full = nlohmann::json::parse(startle(folder, simulate + "T2").out),
       one = nlohmann::json::parse(startle(folder, simulate + "T2@1").out);
  CHECK(full["shots"] == one["shots"]);
  const Run none = startle(folder, simulate + "T2@0");
  CHECK(none.exit_code == 0);
  CHECK_THAT(none.err, Catch::Contains("holds no object that novelty T2@0 changes"));
  CHECK(nlohmann::json::parse(none.out)["shots"] ==
        nlohmann::json::parse(
            startle(folder, "simulate '" + table + "' --shot 10 --format json").out)["shots"]);
  const Run values = startle(folder, "difficulty '" + table + "' --novelty T1@0,T1@0.5,T1 --format csv");
  CHECK(values.exit_code == 0);
  CHECK_THAT(values.out, Catch::Contains("T1@0,0.05,,1,1,1,not touched") && Catch::Contains("T1@0.5,"));
  check_refused(folder,
                "levels generate --novelty T2@0 --tier easy --count 1 --out '" + folder.file("set") + "'",
                {"T2@0", "changes nothing"});
  CHECK((!fs::exists(folder.file("set")) || fs::is_empty(folder.file("set"))));
}

TEST_CASE("[app] threshold: table, CSV, JSON and plot of the same curve") {
  const Folder folder;
  const std::string plot = folder.file("plot.svg"),
                    arguments =
                        "threshold '" + table +
                        "' --novelty wood-density-down --strengths 0.5,2 --simulations 19 --launches ";
  const Run text = startle(folder, arguments + "2 --svg '" + plot + "'"),
            csv = startle(folder, arguments + "2 --format csv --threads 1");
  CHECK(text.exit_code == 0);
  CHECK_THAT(text.out, Catch::Contains("just noticeable at strength"));
  CHECK(std::count(csv.out.begin(), csv.out.end(), '\n') == 4);  // head, strength 0, 0.5, 2
  CHECK_THAT(csv.out, Catch::StartsWith("novelty,tier,detector,strength,drawn,shots,detected,share,low,high,"
                                        "predicted,predicted_low,predicted_high\n"));
  const auto json = nlohmann::json::parse(startle(folder, arguments + "2 --format json").out);
  REQUIRE(json["curves"].size() == 1);
  CHECK(json["curves"][0]["drawn"] == 1);
  REQUIRE(json["curves"][0]["points"].size() == 3);
  CHECK(json["curves"][0]["points"][0]["strength"] == 0);
  CHECK(json["curves"][0]["points"][0]["predicted"] == 0.05);
  CHECK(json["curves"][0]["points"][2]["shots"] == 2);
  REQUIRE(json["levels"].size() == 1);
  CHECK(json["levels"][0]["predicted"][2] == json["curves"][0]["points"][2]["predicted"]);
  CHECK(json["levels"][0]["predicted_threshold"] == json["curves"][0]["predicted_threshold"]);
  // Nothing launched: the same prediction, and nothing measured.
  const Run predicted = startle(folder, arguments + "0 --format json");
  const auto alone = nlohmann::json::parse(predicted.out);
  CHECK(alone["levels"] == json["levels"]);
  CHECK(alone["curves"][0]["points"][2]["share"].is_null());
  CHECK(alone["curves"][0]["threshold"].is_null());
  const std::string strong = "threshold '" + table +
                             "' --novelty wood-density-down --strengths 8 --launches 0";
  CHECK_THAT(startle(folder, strong).err, Catch::Contains("@8: predicted detection was fitted at strengths"));
  CHECK(startle(folder, strong + " --quiet").err.empty());
  pugi::xml_document svg;
  CHECK(svg.load_file(plot.c_str()));
}

TEST_CASE("[app] threshold: by tier, by the dynamics model, and by people") {
  const Folder folder;
  const std::string arguments = "threshold " STARTLE_TEST_FOLDER
                                "/../../levels/benchmark/T2 " STARTLE_TEST_FOLDER
                                "/../../levels/benchmark/T1/easy --novelty T1,T2 --by-tier --limit 1 "
                                "--with-dynamics --strengths 1,4 --launches 1 --simulations 19 ";
  const auto json = nlohmann::json::parse(startle(folder, arguments + "--format json").out);
  std::vector<std::string> curves;
  for (const auto& curve : json["curves"]) {
    curves.push_back(curve["novelty"].get<std::string>() + " " + curve["tier"].get<std::string>() + " " +
                     curve["detector"].get<std::string>());
    CHECK(curve["points"].size() == 3);
  }
  std::vector<std::string> expected;
  for (const char* group :
       {"T1 easy", "T2 easy", "T2 medium", "T2 hard", "all easy", "all medium", "all hard"})
    for (const char* detector : {" observer", " dynamics"}) expected.push_back(std::string(group) + detector);
  CHECK(curves == expected);
  CHECK(json["curves"][8]["drawn"] == 2);  // all easy: one of T1, one of T2
  check_refused(folder, "threshold '" + table + "' --novelty T2 --by-tier --simulations 19",
                {"--by-tier", "found none"});
  check_refused(folder, arguments + "--people '" + folder.file("nobody.sqlite") + "'", {"nobody.sqlite"});
}

TEST_CASE("[app] threshold: bad input is refused and nothing is written") {
  const Folder folder;
  const std::string plot = folder.file("plot.svg"),
                    threshold = "threshold '" + table + "' --svg '" + plot + "' --simulations 19 --novelty ";
  check_refused(folder, threshold + "T2@0.5", {"T2@0.5", "--strengths"});
  check_refused(folder, threshold + "T9", {"T9"});
  for (const char* strengths : {"0", "-1", "9", "2,1", "1,1"})
    check_refused(folder, threshold + "T2 --strengths " + strengths, {"strengths", "found", "over 0 to 8"});
  check_refused(folder, threshold + "T2 --strengths x", {"--strengths"});
  check_refused(folder, threshold + "T2 --launches -1", {"launches"});
  check_refused(folder, threshold + "T2 --simulations 18", {"simulations"});
  std::string woodless = contents(table);
  for (std::size_t at = 0; (at = woodless.find("\"wood\"", at)) != std::string::npos;)
    woodless.replace(at, 6, "\"ice\"");
  std::ofstream(folder.file("woodless.json")) << woodless;
  check_refused(
      folder,
      "threshold '" + folder.file("woodless.json") + "' --novelty T2 --simulations 19 --svg '" + plot + "'",
      {"T2", "1 hold nothing that the novelty changes"});
  check_refused(folder, "threshold nothing.json --novelty T2", {"nothing.json"});
  CHECK_FALSE(fs::exists(plot));
}

TEST_CASE(
    "[app] dynamics: a shot tested by exact places and by what a video shows, and what cannot be "
    "tested") {
  const Folder folder;
  const std::string detector = "dynamics detect '" + table + "' --shot 20";
  for (const std::string& how : {std::string(), std::string(" --video")}) {
    const Run text = startle(folder, detector + " --shot 35" + how),
              json = startle(folder, detector + how + " --novelty T2 --format json");
    INFO(text.err << json.err);
    REQUIRE(text.exit_code == 0);
    CHECK_THAT(text.out, Catch::Contains("shot at 20 degrees: p ") &&
                             Catch::Contains("shot at 35 degrees: p ") && Catch::Contains("than normal"));
    REQUIRE(json.exit_code == 0);
    const auto found = nlohmann::json::parse(json.out);
    CHECK(found.at("novelty") == "T2");
    const double p = found.at("shots").at(0).at("p");
    CHECK((p > 0 && p <= 1));
    CHECK_FALSE(found.at("shots").at(0).at("findings").empty());
  }
  check_refused(folder, detector + " --video --model '" + table + "'", {"--video", "--model"});
  check_refused(folder, detector + " --model '" + table + "'", {"table.json", "startle-dynamics"});
  check_refused(folder, "dynamics train --video --pixel-size 0.1 --out " + folder.file("dynamics.json"),
                {"pixel", "video"});
}
