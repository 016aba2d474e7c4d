/// \file  startle laws: the learned laws of the normal world, and what they say of a shot.
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "difficulty/twin.hpp"
#include "levels/files.hpp"
#include "noticing/law_model.hpp"
#include "sim/error.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_law_findings = 5;

struct LawsTrainOptions {
  bool quiet = false;
  int threads = 0;
  LawTraining training;
  std::string out;
};

struct LawsJudgeOptions {
  CommonOptions common;
  std::string level, novelty;
  std::vector<std::string> shots;
  std::optional<std::string> model, out;
  bool film = false, json = false;
};

void train_command(const LawsTrainOptions& options) {
  require_valid(options.training);
  const LawModel model = train_laws(options.training, options.threads, [&](const std::string& what) {
    if (!options.quiet) report(what);
  });
  emit(law_model_json(model), options.out);
}

Json finding_json(const LawFinding& finding) {
  return {{"material", name(finding.material)},
          {"law", name(finding.law)},
          {"direction", finding.more ? "more" : "less"},
          {"p", finding.p},
          {"sigmas", finding.sigmas}};
}

void judge_command(const LawsJudgeOptions& options) {
  std::vector<Shot> shots;
  for (const std::string& text : options.shots) shots.push_back(parse_shot(text));
  const auto constants = profile(options.common.profile);
  const LawModel read = options.model ? read_law_model(*options.model) : LawModel{};
  const LawModel& model = options.model ? read : options.film ? shipped_film_laws() : shipped_laws(2);
  const Level level = load_level(options.level, *constants, options.common.quiet, {}, options.novelty);
  const std::optional<Novelty> novelty = chosen_novelty(options.novelty, level);
  const Scene normal = settled_level(level, constants, options.level, options.common.quiet).scene;
  const Scene world = novelty ? novel_twin(normal, *novelty) : normal;
  std::string text;
  Json all = Json::array();
  for (const Shot& shot : shots) {
    const LawJudgement found = judge(
        model, normal,
        seen_by(model, normal, shot,
                run_shot(world, shot, {.record_every = model.training.steps_a_look}).trace));
    Json one{{"angle_deg", shortest(std::round(degrees(shot.angle) * 1e9) / 1e9)},
             {"p", found.p},
             {"findings", Json::array()}};
    text += "shot at " + shortest(std::round(degrees(shot.angle) * 1e9) / 1e9) + " degrees: p " +
            fixed(found.p, 4) + "\n";
    for (std::size_t i = 0; i < std::min(most_law_findings, found.findings.size()); ++i) {
      const LawFinding& finding = found.findings[i];
      one["findings"].push_back(finding_json(finding));
      text += "  " + std::string(name(finding.material)) + " " + name(finding.law) + ", " +
              (finding.more ? "more" : "less") + " than normal: p " + fixed(finding.p, 4) + ", " +
              fixed(finding.sigmas, 1) + " sigmas\n";
    }
    all.push_back(std::move(one));
  }
  emit(options.json ? Json{{"program", "startle " STARTLE_VERSION},
                           {"level", level.name},
                           {"novelty", novelty ? Json(novelty->name) : Json()},
                           {"shots", all}}
                              .dump(2) +
                          "\n"
                    : text,
       options.out);
}

}  // namespace

void add_laws_command(CLI::App& app, int&) {
  CLI::App* laws = app.add_subcommand(
      "laws", "The learned laws of the normal world: what single bodies do, judged one by one.");
  laws->require_subcommand(1);

  const auto training = std::make_shared<LawsTrainOptions>();
  CLI::App* train = laws->add_subcommand("train", "Learns the laws from shots in the normal world.");
  train->add_option("--out", training->out, "file to write the model to")->required()->type_name("FILE");
  train->add_option("--levels", training->training.levels, "generated levels to learn from")
      ->type_name("N")
      ->capture_default_str();
  train
      ->add_option("--calibration-levels", training->training.calibration_levels,
                   "others to rank normal shots by")
      ->type_name("N")
      ->capture_default_str();
  train->add_option("--steps", training->training.steps, "steps of training")
      ->type_name("N")
      ->capture_default_str();
  train->add_option("--width", training->training.width, "units of each hidden layer")
      ->type_name("N")
      ->capture_default_str();
  train
      ->add_option("--steps-a-look", training->training.steps_a_look, "steps of the simulation between looks")
      ->type_name("N")
      ->capture_default_str();
  train
      ->add_option(
          "--pixel", training->training.pixel,
          "how well the onlooker sees, world units: places are rounded to squares of that side; 0: exactly")
      ->type_name("X")
      ->capture_default_str();
  train->add_flag("--film", training->training.film,
                  "places are read off films of the shots: 0.8 s of processor time a shot");
  train->add_option("--profile", training->training.profile, "physical constants: startle, anu or classic")
      ->type_name("NAME")
      ->capture_default_str();
  add_seed_option(*train, training->training.seed, "of levels, shots and networks");
  train->add_option("--threads", training->threads, "threads to use; 0: all of the machine")
      ->check(CLI::Range(0, 1024).description(""))
      ->type_name("N")
      ->capture_default_str();
  train->add_flag("--quiet", training->quiet, "no progress on standard error");
  train->footer(
      "The model that comes along was made with the defaults; what it is: docs/laws.md.\n"
      "Example: startle laws train --out laws.json");
  train->callback([training] { train_command(*training); });

  const auto judging = std::make_shared<LawsJudgeOptions>();
  CLI::App* judge = laws->add_subcommand("judge",
                                         "How likely a shot is under the laws, and which seems off.");
  judge->add_option("LEVEL", judging->level, "level file, .json or .xml")->required()->type_name("");
  judge->add_option("--shot", judging->shots, "a shot, as for simulate; each is the first one at the level")
      ->required()
      ->allow_extra_args(false)
      ->type_name("ANGLE_DEG[,TAP_S[,STRETCH]]");
  judge
      ->add_option("--novelty", judging->novelty,
                   "novelty in the level, for example T1 or T2@0.5; without it, the normal world")
      ->type_name("N");
  CLI::Option* model = judge
                           ->add_option(
                               "--model", judging->model,
                               "model made by startle laws train; without it, the one that comes along")
                           ->type_name("FILE");
  judge
      ->add_flag("--film", judging->film,
                 "by the laws that come along for films: places are read off pictures")
      ->excludes(model);
  judge->add_flag("--json", judging->json, "JSON in place of text");
  judge->add_option("--out", judging->out, "file to write to, in place of standard output")
      ->type_name("FILE");
  add_common_options(*judge, judging->common);
  judge->footer("Example: startle laws judge level.json --shot 40 --novelty T2");
  judge->callback([judging] { judge_command(*judging); });
}

}  // namespace startle
