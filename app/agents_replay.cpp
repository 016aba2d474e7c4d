/// \file  startle agents replay: the recorded shots of a trial, simulated again and drawn.

#include "agents/game.hpp"
#include "agents/trials/replay.hpp"
#include "agents/trials/runner.hpp"
#include "app/pictures.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "render/png.hpp"
#include "render/video.hpp"

namespace startle {
namespace {

struct ReplayOptions {
  std::string results, out, agent, level, world = "novel";
  std::vector<std::string> paths;
  std::vector<MappedName> map;
  std::optional<int> trial;
  PictureOptions picture;
  bool quiet = false;
};

struct Recorded {
  const TrialResult* trial = nullptr;
  const PlayedLevel* played = nullptr;
};

std::vector<std::string> names_of(const std::map<std::string, std::string>& agents) {
  std::vector<std::string> names;
  for (const auto& [name, fingerprint] : agents) names.push_back(name);
  return names;
}

/// The level as it was played by the agent; of several the first.
Recorded find_recorded(const AgentResults& run, const ReplayOptions& options) {
  if (!run.agents.contains(options.agent))
    throw Error("--name: found " + shown(options.agent) + ", allowed are those in " + options.results + ": " +
                listed(names_of(run.agents)));
  std::vector<Recorded> found;
  bool known = false;
  for (const TrialResult& trial : run.trials) {
    if (trial.agent != options.agent || (options.trial && trial.trial != *options.trial)) continue;
    for (const PlayedLevel& played : trial.levels) {
      if (played.level != options.level) continue;
      known = true;
      if (played.novel == (options.world == "novel")) found.push_back({&trial, &played});
    }
  }
  const std::string of_trial = options.trial ? " in trial " + std::to_string(*options.trial) : "";
  if (!known)
    throw Error("--level: " + options.results + " holds no " + shown(options.level) + " played by " +
                options.agent + of_trial);
  if (found.empty())
    throw Error("--world: " + options.results + ": " + options.agent + " did not play " + options.level +
                " in the " + options.world + " world" + of_trial);
  if (found.size() > 1 && !options.quiet)
    report(options.level + ": played " + std::to_string(found.size()) + " times; this is the first, trial " +
           std::to_string(found.front().trial->trial) + "; --trial N chooses");
  return found.front();
}

void replay(const ReplayOptions& options) {
  const std::filesystem::path out = options.out;
  if (!is_video(out) && out.extension() != ".png")
    throw Error("--out: found '" + options.out + "', allowed are names that end in .png, .gif or .mp4");
  const AgentResults run = read_results({options.results});
  const Recorded recorded = find_recorded(run, options);
  const PlayedLevel& played = *recorded.played;
  const auto constants = recorded_profile(run.manifest, options.results);
  const std::vector<std::string> files = find_levels(options.paths);
  StoredLevel found =
      PlayedLevelFiles({files.begin(), files.end()}, options.map).find(options.level, played.hash).level;
  const PlayableLevel level =
      playable_levels({std::move(found)}, constants, recorded.trial->novelty, 1).front();
  const Scene& start = played.novel ? level.novel : level.normal;

  std::vector<Shot> shots;
  for (const PlayedShot& shot : played.shots) shots.push_back(shot.shot);
  // By the game itself, which knows whether the level comes out as it did.
  Game game(start);
  for (const Shot& shot : shots) {
    if (game.over()) break;
    game.shoot(shot);
  }
  if (const std::string difference = replay_difference(*recorded.trial, played, game.solved(), game.score());
      !difference.empty())
    throw Error(options.results + ": " + difference + "; they were flown by another program, " +
                run.manifest.at("program"));

  std::string caption = options.agent + ", " + options.level +
                        (played.novel ? ", novel: " + level.change.description : ", normal");
  const RecordedWorld world = shots.empty() ? standing(caption, start)
                                            : record(std::move(caption), start, shots);
  if (is_video(out) && shots.empty())
    throw Error("--out: found '" + options.out +
                "', but no shot was reported on in this trial; .png shows the level");
  if (is_video(out))
    write_video(out, {world}, options.picture.format());
  else
    write_file(out, png_bytes(still({world}, std::nullopt, options.picture.format())));
  if (options.quiet) return;
  std::string text = options.out + ": " + std::to_string(shots.size()) + " shots, " +
                     (played.solved ? "cleared" : "not cleared") + "; novelty reported ";
  for (std::size_t i = 0; i < played.shots.size(); ++i)
    text += (i > 0 ? ", " : "") + shortest(played.shots[i].novelty);
  if (recorded.trial->status != Status::ok)
    text += std::string("; the trial ended with ") + name(recorded.trial->status);
  report(text);
}

}  // namespace

void add_agents_replay(CLI::App& agents) {
  const auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = agents.add_subcommand(
      "replay", "Draws how an agent played a level: its recorded shots, simulated again.");
  add_shared_option(*command, "RESULTS", options->results)->required();
  add_shared_option(*command, "--levels", options->paths, "those that were played")->required();
  add_map_option(*command, options->map);
  add_shared_option(*command, "--name", options->agent)->required();
  command->add_option("--level", options->level, "name of the level")->required()->type_name("NAME");
  command->add_option("--world", options->world, "normal or novel")
      ->check(only_values({"normal", "novel"}))
      ->type_name("W")
      ->capture_default_str();
  command
      ->add_option("--trial", options->trial,
                   "number of the trial, from 0; default: the first in which the level was played")
      ->type_name("N");
  add_shared_option(
      *command, "--out", options->out,
      "a file: .png shows the end of the last shot; .gif and .mp4 are videos (MP4 needs ffmpeg)")
      ->required();
  add_picture_options(*command, options->picture);
  add_quiet_option(*command, options->quiet);
  command->footer(
      "Levels that have changed since are refused, and so are shots that end otherwise than recorded.\n"
      "Example: startle agents replay results.sqlite --levels levels/benchmark --name oracle --level "
      "T1-easy-1-0003 --out trial.gif");
  command->callback([options] { replay(*options); });
}

}  // namespace startle
