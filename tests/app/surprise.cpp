/// \file  startle surprise as a user runs it, with a model that is trained for two steps.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "tests/catch.hpp"
#include "tests/folder.hpp"

namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Run {
  int exit_code = -1;
  std::string out, err;
};

struct Folder : startle::testing::Folder {
  std::string file(const std::string& name) const { return "'" + (path / name).string() + "'"; }

  Run startle(const std::string& arguments) const { return program("surprise " + arguments); }
  Run program(const std::string& arguments) const {
    const int status = std::system(
        ("'" STARTLE_PROGRAM "' " + arguments + " >" + file("out") + " 2>" + file("err")).c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(path / "out"), contents(path / "err")};
  }

  /// The same, with Ctrl-C as soon as there is a file of that name in the folder.
  Run interrupted(const std::string& arguments, const std::string& sign) const {
    const int status = std::system(("'" STARTLE_PROGRAM "' " + arguments + " >" + file("out") + " 2>" +
                                    file("err") + " & program=$!; tries=0; until [ -e " + file(sign) +
                                    " ] || [ $tries -gt 1200 ]; do sleep 0.05; tries=$((tries + 1)); done; "
                                    "kill -INT $program; wait $program")
                                       .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(path / "out"), contents(path / "err")};
  }
};

const fs::path root = fs::path(STARTLE_TEST_FOLDER) / ".." / "..";

}  // namespace

TEST_CASE(
    "[app] surprise: Ctrl-C ends data sets, trainings, evaluations and probes with 130, and what is done "
    "stays") {
  if (!fs::exists(fs::path(STARTLE_PROGRAM).parent_path() / "startle-surprise"))
    return;  // a build without learning
  const Folder folder;
  std::ofstream(folder.path / "tiny.json") << R"({"model": {"layers": 1, "channels": 2}})";
  for (const char* split : {"train", "validation"})
    REQUIRE(folder
                .startle("dataset --scenes probes --count 4 --seed 3 --quiet --split " + std::string(split) +
                         " --out " + folder.file(std::string(split) + ".h5"))
                .exit_code == 0);
  const std::string train = "train --data " + folder.file("train.h5") + " --validation " +
                            folder.file("validation.h5") + " --config " + folder.file("tiny.json") +
                            " --batch 2 --threads 1 --quiet --out ";
  REQUIRE(folder.startle(train + folder.file("model") + " --steps 2").exit_code == 0);
  const std::string model = " --threads 1 --quiet --model " + folder.file("model/model.safetensors");

  Run run = folder.interrupted(
      "surprise dataset --count 1000000 --threads 1 --quiet --out " + folder.file("many.h5"),
      "many.h5.partial");
  INFO(run.err);
  CHECK(run.exit_code == 130);
  CHECK_THAT(run.err, Catch::Contains("interrupted: ") && Catch::Contains("of 1000000 clips"));
  CHECK(fs::exists(folder.path / "many.h5.partial"));
  CHECK_FALSE(fs::exists(folder.path / "many.h5"));

  run = folder.interrupted("surprise " + train + folder.file("run") + " --steps 1000000", "run/config.json");
  INFO(run.err);
  CHECK(run.exit_code == 130);
  CHECK_THAT(run.out, Catch::Contains("stopped, run the command again to go on"));
  CHECK(fs::exists(folder.path / "run/checkpoint.safetensors"));

  run = folder.interrupted("surprise evaluate --levels '" + (root / "levels/benchmark").string() +
                               "' --out " + folder.file("evaluation") + model,
                           "evaluation");
  INFO(run.err);
  CHECK(run.exit_code == 130);
  CHECK_THAT(run.err, Catch::Contains("interrupted"));
  if (fs::exists(folder.path / "evaluation/results.json"))
    CHECK(nlohmann::json::parse(contents(folder.path / "evaluation/results.json")).at("complete") == false);

  run = folder.interrupted("probe --count 1000000 --out " + folder.file("probes") + model, "probes");
  INFO(run.err);
  CHECK(run.exit_code == 130);
  CHECK_THAT(run.err, Catch::Contains("interrupted"));
  if (fs::exists(folder.path / "probes/results.json"))
    CHECK(nlohmann::json::parse(contents(folder.path / "probes/results.json")).at("complete") == false);
}

TEST_CASE("[app] probe: the shipped models on tuples of concepts, with their controls") {
  if (!fs::exists(fs::path(STARTLE_PROGRAM).parent_path() / "startle-surprise"))
    return;  // a build without learning
  const Folder folder;
  const Run run = folder.program("probe --count 1 --seed 9 --threads 1 --quiet --out " +
                                 folder.file("concepts"));
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const auto results = nlohmann::json::parse(contents(folder.path / "concepts/results.json"));
  CHECK(results.at("complete") == true);
  CHECK(results.at("tuples").size() == 5);
  const std::vector<std::string> models{"cnn", "object", "object-found", "predrnn", "predrnn-masks"};
  CHECK(results.at("models") == models.size());
  CHECK(results.at("model_hashes").size() == models.size());
  std::vector<std::string> predictors = models;
  predictors.insert(predictors.end(),
                    {"untrained cnn", "untrained object", "untrained object, found", "untrained predrnn",
                     "untrained predrnn on masks", "copy-last", "linear"});
  for (const std::string& name : std::vector<std::string>(predictors))
    predictors.push_back(name + ", calibrated");
  CHECK(results.at("predictors") == predictors);
  // Five tuples say little, but a model that has learned nothing, or reads what it was not made for, is not
  // right on all of them.
  for (const auto& row : results.at("scores"))
    if (row.at("concept") == "overall" &&
        (row.at("predictor") == "object" || row.at("predictor") == "object-found") &&
        row.at("score") == "sum")
      CHECK(row.at("accuracy").at("value") >= 0.9);
  const std::string report = contents(folder.path / "concepts/report.html");
  for (const std::string& model : models)
    CHECK_THAT(report, Catch::Contains("<h3>" + model + "</h3>") && Catch::Contains(model + ", clips 2"));
}

TEST_CASE(
    "[app] probe: the untrained network is shown the first 50 tuples of a concept, and all that is written "
    "says so") {
  if (!fs::exists(fs::path(STARTLE_PROGRAM).parent_path() / "startle-surprise"))
    return;  // a build without learning
  const Folder folder;
  const Run run = folder.program("probe --count 51 --seed 9 --threads 1 --quiet --out " +
                                 folder.file("concepts") + " --model " +
                                 STARTLE_TEST_FOLDER "/../../surprise/models/concepts/object.safetensors");
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK_THAT(run.out, Catch::Contains("untrained (control, 250 tuples)") &&
                          Catch::Contains("and was shown 250 tuples, is at") &&
                          Catch::Contains("copy-last (control) "));
  CHECK_THAT(contents(folder.path / "concepts/report.html"),
             Catch::Contains("untrained (control, 250 tuples)"));
  const auto results = nlohmann::json::parse(contents(folder.path / "concepts/results.json"));
  for (const auto& tuple : results.at("tuples")) {
    CHECK(tuple.at("predictors").contains("untrained") == (tuple.at("tuple") < 50));
    CHECK(tuple.at("predictors").contains("model"));
  }
  const std::string rows = contents(folder.path / "concepts/tuples.csv");
  // Head, model, untrained, two controls; three of these calibrated.
  CHECK(std::count(rows.begin(), rows.end(), '\n') == 1 + 255 + 250 + 2 * 255 + 3 * 255);
}

TEST_CASE("[app] probe: a calibration is made from possible clips, and used for its suite alone") {
  if (!fs::exists(fs::path(STARTLE_PROGRAM).parent_path() / "startle-surprise"))
    return;  // a build without learning
  const Folder folder;
  const std::string model = " --quiet --model " STARTLE_TEST_FOLDER
                            "/../../surprise/models/concepts/object.safetensors ";
  Run run = folder.program("probe --count 23 --seed 3 --calibrate " + folder.file("few.json") + model);
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.err, Catch::Contains("found 114 possible clips of every second scene"));
  CHECK_FALSE(fs::exists(folder.path / "few.json"));
  run = folder.program("probe --count 24 --seed 3 --calibrate " + folder.file("c.json") + model);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  run = folder.program("probe --count 1 --seed 4 --calibration " + folder.file("c.json") + model + "--out " +
                       folder.file("calibrated"));
  REQUIRE(run.exit_code == 0);
  CHECK(nlohmann::json::parse(contents(folder.path / "calibrated/results.json")).at("predictors") ==
        std::vector<std::string>{"model", "untrained", "copy-last", "linear", "model, calibrated",
                                 "untrained, calibrated", "copy-last, calibrated", "linear, calibrated"});
  run = folder.program("probe --suite intphys --calibration " + folder.file("c.json") + " --out " +
                       folder.file("other"));
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.err, Catch::Contains("suite: found concepts, needed is intphys"));
}

TEST_CASE("[app] probe: every network is trained and probed by the same commands, in both suites") {
  if (!fs::exists(fs::path(STARTLE_PROGRAM).parent_path() / "startle-surprise"))
    return;  // a build without learning
  const Folder folder;
  std::ofstream(folder.path / "predrnn.json") << R"({"model": {"layers": 1, "channels": 2, "patch": 8}})";
  std::ofstream(folder.path / "code.json") << R"({"model": {"code": 4}})";
  const std::vector<std::vector<std::string>> networks{
      {"masks", "--network mask --channels 2 --config " + folder.file("code.json")},
      {"objects", "--network object --channels 2"},
      {"cnn", "--network cnn --channels 2 --mask-model MASKS --config " + folder.file("code.json")},
      {"gan", "--network gan --channels 2 --span 6 --history 3 --mask-model MASKS"},
      {"slots", "--network slot --channels 4"},
      {"object-found", "--network object --channels 2 --mask-model SLOTS"},
      {"frames", "--config " + folder.file("predrnn.json")},
      {"frames-of-masks", "--mask-model MASKS --config " + folder.file("predrnn.json")}};
  for (const bool intphys : {false, true}) {
    const std::string suite = intphys ? "intphys" : "concepts", world = intphys ? "intphys" : "probes";
    for (const char* split : {"train", "validation"})
      REQUIRE(folder
                  .startle("dataset --scenes " + world + " --masks --count 2 --quiet --split " + split +
                           " --out " + folder.file(suite + split))
                  .exit_code == 0);
    std::string models;
    std::vector<std::string> expected;
    for (const auto& network : networks) {
      if (intphys && network[0] != "objects")
        continue;  // the others would read 10,000 frames for nothing new
      std::string arguments = network[1];
      for (const auto& [word, model] : {std::pair{"MASKS", "-masks"}, std::pair{"SLOTS", "-slots"}})
        if (const std::size_t at = arguments.find(word); at != std::string::npos)
          arguments.replace(at, 5, folder.file(suite + model + "/model.safetensors"));
      const Run run = folder.startle(
          "train " + arguments + " --steps 1 --batch 2 --threads 1 --quiet --data " +
          folder.file(suite + "train") + " --validation " + folder.file(suite + "validation") + " --out " +
          folder.file(suite + "-" + network[0]));
      INFO(suite << ", " << network[0] << ": " << run.err);
      REQUIRE(run.exit_code == 0);
      if (network[0] == "masks" || network[0] == "slots") continue;
      models += " " + folder.file(suite + "-" + network[0] + "/model.safetensors");
      expected.push_back(intphys ? "model" : suite + "-" + network[0]);  // "model" is the name of the only
                                                                         // one
    }
    const Run run = folder.program("probe --suite " + suite + " --count 1" + " --quiet --out " +
                                   folder.file(suite) + " --model" + models);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    const auto results = nlohmann::json::parse(contents(folder.path / suite / "results.json"));
    const std::vector<std::string> names = results.at(intphys ? "scorers" : "predictors");
    REQUIRE(names.size() > expected.size());
    CHECK(std::vector<std::string>(names.begin(),
                                   names.begin() + static_cast<std::ptrdiff_t>(expected.size())) == expected);
    CHECK(results.at("model_hashes").size() == expected.size());
    for (const std::string& name : names) CHECK_THAT(run.out, Catch::Contains(name));
    if (intphys) CHECK(fs::exists(folder.path / "intphys/answers/model.txt"));
  }
}

TEST_CASE("[app] surprise dataset: training clips of a folder laid out as IntPhys are learned from") {
  if (!fs::exists(fs::path(STARTLE_PROGRAM).parent_path() / "startle-surprise"))
    return;  // a build without learning
  const Folder folder;
  std::ofstream(folder.path / "slots.json") << R"({"model": {"network": "slot", "channels": 2,
                       "clips": {"frames": 50, "pixels": 16, "stride": 12, "lead": 0, "view": 6.4}},
             "training": {"batch": 2, "steps": 2, "validation_clips": 2}})";
  const std::string films = folder.file("films"), size = " --frame-size 16",
                    from = "dataset --from " + films + size + " --masks";
  for (const std::string& arguments :
       {"intphys --train-clips 20 --out " + films + size,
        from + " --count 18 --out " + folder.file("train.h5"),
        from + " --count 2 --split validation --out " + folder.file("validation.h5"),
        "train --config " + folder.file("slots.json") + " --data " + folder.file("train.h5") +
            " --validation " + folder.file("validation.h5") + " --threads 1 --out " + folder.file("slots")}) {
    const Run run = folder.startle(arguments);
    INFO(arguments << "\n" << run.err);
    CHECK(run.exit_code == 0);
  }
  const Run more = folder.startle(from + " --count 19 --out " + folder.file("more.h5"));
  CHECK(more.exit_code == 2);
  CHECK_THAT(more.err, Catch::Contains("films: found 18 clips for --split train, asked for are 19"));
  CHECK_FALSE(fs::exists(folder.path / "more.h5.partial"));
}

TEST_CASE("[app] probe: clips for other programs, and what does not go with them") {
  if (!fs::exists(fs::path(STARTLE_PROGRAM).parent_path() / "startle-surprise"))
    return;  // a build without learning
  const Folder folder;
  REQUIRE(
      folder.program("probe --count 1 --seed 5 --quiet --write-clips " + folder.file("clips.h5")).exit_code ==
      0);
  REQUIRE(fs::exists(folder.path / "clips.h5"));
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const Run run = folder.program("probe --count 1 --quiet " + arguments);
    CHECK(run.exit_code == 2);
    CHECK_THAT(run.err, Catch::Contains(why));
  };
  refused("", "--out: is missing");
  refused("--write-clips " + folder.file("other.h5") + " --out " + folder.file("detections"),
          "--out: is for testing");
  refused("--write-clips " + folder.file("other.h5") + " --predictions " + folder.file("clips.h5"),
          "--predictions: is for testing");
  refused("--predictions " + folder.file("clips.h5") + " --out " + folder.file("detections"),
          "clips.h5: /clip is missing");
  refused("--predictions " + folder.file("none.h5") + " --out " + folder.file("detections"),
          "none.h5: this file does not exist");
  for (const char* control : {"linear", "copy-last"}) {
    fs::copy_file(folder.path / "clips.h5", folder.path / (control + std::string(".h5")));
    refused(
        "--predictions " + folder.file(control + std::string(".h5")) + " --out " + folder.file("detections"),
        control + std::string(".h5: found the name '") + control +
            "', which is that of a control; allowed is any name but copy-last and linear");
  }
  refused("--write-clips " + folder.file("no/clips.h5"), "cannot be written");
  for (const char* name : {"other.h5", "detections"}) CHECK_FALSE(fs::exists(folder.path / name));
}

TEST_CASE("[app] surprise: score, evaluate and compare with a trained model, and bad input is refused") {
  if (!fs::exists(fs::path(STARTLE_PROGRAM).parent_path() / "startle-surprise"))
    return;  // a build without learning
  const Folder folder;
  std::ofstream(folder.path / "tiny.json")
      << R"({"model": {"layers": 2, "channels": 4, "clips": {"pixels": 16}}})";
  for (const char* split : {"train", "validation"})
    REQUIRE(folder
                .startle("dataset --count 4 --frame-size 16 --seed 3 --quiet --split " + std::string(split) +
                         " --out " + folder.file(std::string(split) + ".h5"))
                .exit_code == 0);
  const Run trained = folder.startle("train --data " + folder.file("train.h5") + " --validation " +
                                     folder.file("validation.h5") + " --config " + folder.file("tiny.json") +
                                     " --steps 2 --batch 2 --threads 1 --quiet --out " + folder.file("run"));
  INFO(trained.err);
  REQUIRE(trained.exit_code == 0);
  const std::string model = " --threads 1 --quiet --model " + folder.file("run/model.safetensors");
  for (const char* tier : {"easy", "hard"}) {
    fs::create_directories(folder.path / "levels" / tier);
    int copied = 0;
    for (const auto& entry : fs::directory_iterator(root / "levels/benchmark/wood-life-down" / tier))
      if (entry.path().filename() != "manifest.json" && copied++ < 3)
        fs::copy(entry.path(), folder.path / "levels" / tier);
  }

  const std::string shot = "score '" + (root / "levels/data/castles/castles-1-0001.json").string() +
                           "' --shot 20 --novelty T2" + model;
  const Run scored = folder.startle(shot + " --format json --pictures " + folder.file("pictures"));
  INFO(scored.err);
  REQUIRE(scored.exit_code == 0);
  const auto clips = nlohmann::json::parse(scored.out).at("clips");
  REQUIRE(clips.size() == 2);
  CHECK(clips[0].at("world") == "normal");
  CHECK(clips[1].at("world") == "T2");
  double sum = 0;
  for (double s : clips[1].at("surprise")) sum += s;
  CHECK(clips[1].at("scores").at("sum").get<double>() == Approx(sum));
  pugi::xml_document picture;
  CHECK(picture.load_string(contents(folder.path / "pictures/castles-1-0001-shot1.svg").c_str()));
  CHECK_THAT(folder.startle(shot + " --format csv").out,
             Catch::StartsWith("level,shot,world,frame,surprise,change\n"));
  // Two levels of one name: a picture each.
  fs::create_directories(folder.path / "again");
  fs::copy(root / "levels/data/castles/castles-1-0001.json", folder.path / "again");
  const Run twice = folder.startle("score '" + (root / "levels/data/castles/castles-1-0001.json").string() +
                                   "' " + folder.file("again") + " --shot 20 --pictures " +
                                   folder.file("both") + model);
  INFO(twice.err);
  REQUIRE(twice.exit_code == 0);
  CHECK(fs::exists(folder.path / "both/castles-1-0001-shot1.svg"));
  CHECK(fs::exists(folder.path / "both/castles-1-0001-2-shot1.svg"));

  const std::string evaluate = "evaluate --levels " + folder.file("levels") + model;
  const Run evaluated = folder.startle(evaluate + " --limit 2 --out " + folder.file("a"));
  INFO(evaluated.err);
  REQUIRE(evaluated.exit_code == 0);
  const auto results = nlohmann::json::parse(contents(folder.path / "a/results.json"));
  CHECK(results.at("complete") == true);
  CHECK(results.at("levels") == 4);
  CHECK(results.at("predictors") == std::vector<std::string>{"model", "untrained", "copy-last", "linear",
                                                             "physics", "physics, exact speeds",
                                                             "physics, 2 frames ahead",
                                                             "physics, exact speeds, 2 frames ahead"});
  CHECK(results.at("twins").size() >= 4 * 3);
  // The tables are of the twins: paired accuracy of copy-last by the sum, again from the scores.
  double outcomes = 0;
  for (const auto& twin : results.at("twins")) {
    const double normal = twin.at("scores").at("copy-last").at("sum").at(0),
                 novel = twin.at("scores").at("copy-last").at("sum").at(1);
    outcomes += std::abs(novel - normal) <= 0.001 * (novel + normal) ? 0.5 : novel > normal ? 1 : 0;
  }
  for (const auto& cell : results.at("cells"))
    if (cell.at("novelty").is_null() && cell.at("tier").is_null() && cell.at("shots").is_null() &&
        cell.at("predictor") == "copy-last" && cell.at("score") == "sum")
      CHECK(cell.at("paired_accuracy").at("value").get<double>() ==
            Approx(outcomes / static_cast<double>(results.at("twins").size())));
  const std::string report = contents(folder.path / "a/report.html");
  CHECK_THAT(report, Catch::Contains("Does surprise detect the novelty?") &&
                         Catch::Contains("data:image/png;base64,") && Catch::Contains("</html>"));
  CHECK_THAT(contents(folder.path / "a/cells.csv"),
             Catch::StartsWith("novelty,tier,shots,predictor,score,levels,twins,ties,paired_accuracy,"));

  // Detectors: the dynamics model, then predictors calibrated and by direction, which so few clips do not
  // allow; with --observer and --with-trials observers and trials, too.
  std::vector<std::string> detectors{"dynamics"};
  for (const char* kind : {", calibrated", ", direction test"})
    for (const auto& predictor : results.at("predictors"))
      detectors.push_back(predictor.get<std::string>() + kind);
  CHECK(results.at("detection").at("detectors") == detectors);
  CHECK(results.at("detection").at("trials").empty());
  for (const auto& twin : results.at("twins")) {
    for (const auto& p : twin.at("p").at("dynamics")) CHECK((p > 0 && p <= 1));
    CHECK(twin.at("p").at("model, calibrated").is_null());
    CHECK(twin.at("p").at("model, direction test").is_null());
  }
  // The page opens with the model that was given, and says why it has no p-values.
  CHECK_THAT(report, Catch::Contains("The model model.safetensors is the more surprised by the novel clip") &&
                         Catch::Contains("and each half needs 120"));
  CHECK_THAT(evaluated.out, Catch::Contains("and each half needs 120"));
  const Run trials = folder.startle(evaluate +
                                    " --limit 1 --random-targets 0 --observer --with-trials --video --out " +
                                    folder.file("trials"));
  INFO(trials.err);
  REQUIRE(trials.exit_code == 0);
  const auto of_trials = nlohmann::json::parse(contents(folder.path / "trials/results.json"));
  const auto detections = of_trials.at("detection");
  CHECK(detections.at("detectors").at(1) == "dynamics-video");
  CHECK(detections.at("detectors").at(2) == "observer");
  CHECK(detections.at("detectors").at(3) == "observer, clip");
  REQUIRE(!detections.at("trials").empty());
  // Detectors that know some novel shots, by poses and by video.
  const auto& known = of_trials.at("known_shots").at("rows");
  CHECK(known.at(0).at("model") == "dynamics");
  CHECK(known.at(0).at("known") == "none");
  CHECK(known.at(known.size() - 1).at("model") == "dynamics-video");
  CHECK_THAT(contents(folder.path / "trials/detection.csv"),
             Catch::StartsWith("novelty,tier,detector,levels,twins,paired_accuracy,") &&
                 Catch::Contains("detected_trials"));

  const std::string dynamics = " --dynamics-model '" + (root / "surprise/dynamics/models/2.json").string() +
                               "'";
  // Where a dynamics model alone is given, it is what was evaluated.
  const Run of_dynamics = folder.startle("evaluate --levels " + folder.file("levels") +
                                         " --limit 1 --random-targets 0" + dynamics + " --out " +
                                         folder.file("dynamics"));
  INFO(of_dynamics.err);
  REQUIRE(of_dynamics.exit_code == 0);
  CHECK_THAT(contents(folder.path / "dynamics/report.html"),
             Catch::Contains("The dynamics model 2.json detects "));

  // A model against itself: no difference anywhere.
  const Run compared = folder.startle("compare " + folder.file("a/results.json") + " " +
                                      folder.file("a/results.json") + " --format json");
  INFO(compared.err);
  REQUIRE(compared.exit_code == 0);
  const auto comparison = nlohmann::json::parse(compared.out);
  REQUIRE_FALSE(comparison.at("rows").empty());
  for (const auto& row : comparison.at("rows")) CHECK(row.at("difference") == 0);

  const auto refused = [&](const std::string& arguments, const std::string& word) {
    const Run run = folder.startle(arguments);
    INFO(arguments << "\n" << run.err);
    CHECK(run.exit_code == 2);
    CHECK(run.out.empty());
    CHECK_THAT(run.err, Catch::Contains(word));
  };
  fs::create_directories(folder.path / "empty");
  refused("evaluate --out " + folder.file("b") + " --levels " + folder.file("empty") + model, "empty");
  refused("evaluate --out " + folder.file("b") + " --levels '" + (root / "levels/data/castles").string() +
              "'" + model,
          "found no difficulty");
  refused("evaluate --out " + folder.file("b") + " --levels " + folder.file("levels") + " --model " +
              folder.file("train.h5"),
          "train.h5");
  std::ofstream(folder.path / "no-dynamics.json") << "{\"format\": \"startle-level\"}";
  refused(evaluate + " --out " + folder.file("b") + " --dynamics-model " + folder.file("no-dynamics.json"),
          "startle-dynamics");
  refused(evaluate + " --out " + folder.file("b") + " --dynamics-model " + folder.file("train.h5"),
          "no dynamics model");
  refused(evaluate + " --out " + folder.file("b") + dynamics + dynamics, "one of each kind");
  // Models of others: clips are written for them, and every clip needs a score (tests/python/test_evaluate.py
  // has what comes of scores).
  const Run written = folder.startle(evaluate + " --limit 1 --write-clips " + folder.file("clips.h5"));
  INFO(written.err);
  CHECK(written.exit_code == 0);
  CHECK(fs::exists(folder.path / "clips.h5"));
  std::ofstream(folder.path / "mine.csv") << "clip,score\n1,0.5\n";
  const std::string scores = " --scores " + folder.file("mine.csv");
  refused(evaluate + scores + " --out " + folder.file("c"), "mine.csv: has no id ");
  CHECK_FALSE(fs::exists(folder.path / "c/results.json"));
  refused(evaluate + scores + " --predictions " + folder.file("clips.h5") + " --out " + folder.file("b"),
          "clips.h5: /clip is missing");
  refused(evaluate + scores + " --out " + folder.file("b") + " --violation-model " +
              folder.file("run/model.safetensors"),
          "--violation-model: is for --model");
  refused(evaluate, "--out: is missing");
  refused(evaluate + scores + " --write-clips " + folder.file("b"), "--scores: is for testing");
  refused(
      "score '" + (root / "levels/data/castles/castles-1-0001.json").string() + "' --shot straight" + model,
      "straight");
  refused("compare " + folder.file("a/results.json") + " " + folder.file("tiny.json"), "tiny.json");
  refused("compare " + folder.file("a/results.json") + " " + folder.file("a/results.json") + " --score best",
          "best");
  CHECK_FALSE(fs::exists(folder.path / "b"));
}

TEST_CASE(
    "[app] surprise: the agent that detects by it tests by normal shots, and refuses those of another "
    "model") {
  if (!fs::exists(fs::path(STARTLE_PROGRAM).parent_path() / "startle-surprise"))
    return;  // a build without learning
  const Folder folder;
  std::ofstream(folder.path / "tiny.json")
      << R"({"model": {"layers": 1, "channels": 2, "clips": {"pixels": 16}}})";
  for (const char* split : {"train", "validation"})
    REQUIRE(folder
                .startle("dataset --count 4 --frame-size 16 --seed 3 --quiet --split " + std::string(split) +
                         " --out " + folder.file(std::string(split) + ".h5"))
                .exit_code == 0);
  REQUIRE(folder
              .startle("train --data " + folder.file("train.h5") + " --validation " +
                       folder.file("validation.h5") + " --config " + folder.file("tiny.json") +
                       " --steps 2 --batch 2 --threads 1 --quiet --out " + folder.file("run"))
              .exit_code == 0);
  const std::string model = " --threads 1 --model " + folder.file("run/model.safetensors");
  const std::string level = "'" + (root / "levels/data/towers/towers-1-0001.json").string() + "'";
  const std::string calibrate = "agent-calibrate --levels " + level +
                                " --shooter random --trials 60 --seed 3 --quiet" + model + " --out ";
  const Run found = folder.startle(calibrate + folder.file("run/model.detector.json"));
  INFO(found.err);
  REQUIRE(found.exit_code == 0);
  const std::string stored = contents(folder.path / "run/model.detector.json");
  const auto json = nlohmann::json::parse(stored);
  CHECK(json.at("normal_shots").size() >= 120);
  CHECK(json.at("normal_shots").size() <= 60 * 4);  // four birds
  for (const auto& shot : json.at("normal_shots"))
    CHECK(
        std::isfinite(shot.at("log_change").get<double>() + shot.at("log_error_over_change").get<double>()));
  REQUIRE(folder.startle(calibrate + folder.file("again.json")).exit_code == 0);
  CHECK(contents(folder.path / "again.json") == stored);

  // The agent's own program, as one of --agent NAME=COMMAND.
  const std::string agent = "agent --shooter pig-shooter" + model;
  const auto program = [&](const std::string& arguments) {
    return std::system(
        ("'" STARTLE_PROGRAM "' " + arguments + " >" + folder.file("out") + " 2>" + folder.file("err"))
            .c_str());
  };
  std::ofstream(folder.path / "agent") << "exec '" STARTLE_PROGRAM "' surprise " << agent << "\n";
  REQUIRE(program("agents run --agent \"mine=sh " + folder.file("agent") + "\" --levels " + level +
                  " --novelty T2 --action-limit 120 --trial-limit 600 --quiet --out " +
                  folder.file("results.sqlite")) == 0);
  REQUIRE(program("agents report " + folder.file("results.sqlite") + " --out " +
                  folder.file("report.json")) == 0);
  const auto played =
      nlohmann::json::parse(contents(folder.path / "report.json")).at("runs").at(0).at("trials");
  CHECK(played.size() == 2);
  for (const auto& trial : played) CHECK(trial.at("status") == "ok");

  const auto refused = [&](const std::string& arguments, const std::string& word) {
    const Run run = folder.startle(arguments + " </dev/null");
    INFO(arguments << "\n" << run.err);
    CHECK(run.exit_code == 2);
    CHECK(run.out.empty());
    CHECK_THAT(run.err, Catch::Contains(word));
  };
  // What the agent compares with stands beside the model.
  const fs::path beside = folder.path / "run/model.detector.json";
  const std::string kept = fs::exists(beside) ? contents(beside) : "";
  const auto refused_beside = [&](const std::string& text, const std::string& word) {
    std::ofstream(beside) << text;
    refused(agent, word);
  };
  refused_beside("{\"format\": 1}", "no file of startle surprise agent-calibrate");
  auto other = json;
  other["model_hash"] = "0";
  refused_beside(other.dump(), "another model");
  std::ofstream(beside) << stored;
  refused("agent --shooter nobody" + model, "nobody");
  fs::create_directories(folder.path / "empty");
  refused("agent-calibrate --levels " + folder.file("empty") + model + " --out " + folder.file("none.json"),
          "empty");
  refused("agent-calibrate --levels " + level + " --trials 1 --quiet" + model + " --out " +
              folder.file("none.json"),
          "needed are 120");
  auto few = json;
  few["normal_shots"] = nlohmann::json::array({json.at("normal_shots").at(0)});
  refused_beside(few.dump(), "normal_shots");
  fs::remove(beside);
  refused(agent, "model.detector.json");
  std::ofstream(beside) << kept;
  CHECK_FALSE(fs::exists(folder.path / "none.json"));
}
