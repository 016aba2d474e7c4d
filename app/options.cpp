#include "app/options.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "levels/generators.hpp"
#include "sim/novelty.hpp"
#include "sim/profile.hpp"

namespace startle {
namespace {

constexpr const char* level_paths = "level files, or folders that are searched for .json and .xml";
constexpr const char* shot_value = "ANGLE_DEG[,TAP_S[,STRETCH]]";

std::string with_blanks(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const GeneratorInfo& family : generator_families()) names.push_back(family.name);
  return names;
}

std::vector<std::string> novelty_names() {
  std::vector<std::string> names;
  for (const Novelty& novelty : novelty_catalogue()) names.push_back(novelty.name);
  for (const Novelty& novelty : world_novelties()) names.push_back(novelty.name);
  names.push_back("own");
  return names;
}

std::vector<std::string> state_updates() { return {"qualitative", "simulated"}; }

constexpr SharedOption shared_options[] = {
    {"ENTRIES", "", "entries of a leaderboard, as startle agents pack makes them"},
    {"LEVEL", "", "level file, .json or .xml"},
    {"LEVELS", "", level_paths},
    {"RESULTS", "", "results file of startle agents run"},
    {"STUDY", "", "file of a study with people, made by startle study-people create"},
    {"--action-limit", "S", "seconds that an agent may take for one answer"},
    {"--after", "N", "shift: novel levels that follow at least; a trial has --before plus --after levels"},
    {"--agent", "AGENT",
     "built-in agent (startle agents list), or a command that runs a program, or NAME=COMMAND; may be "
     "repeated"},
    {"--aim-noise", "ANGLE", "standard deviation of the launch angle, with its unit: 0.01rad or 0.6deg"},
    {"--before", "N", "shift: the world changes after 1 to N levels"},
    {"--count", "N", "how many"},
    {"--family", "NAME", "family of generated levels, as startle levels list names them", family_names},
    {"--format", "NAME", "format of what is written"},
    {"--fps", "N", "frames a second of a video, 1 to 50"},
    {"--frame-size", "N", "width and height of a frame, pixels"},
    {"--frames", "N", "frames of a clip"},
    {"--from", "DIR", "a published data set"},
    {"--known-normal", "NAMES",
     "what is known not to be novel and scores 0: wood, ice, stone, pig, TNT, an appearance such as "
     "'wood RectFat', or an object such as #3; separated by commas, may be repeated; default: none"},
    {"--launches", "N", "launches of each shot, each with its own aim noise"},
    {"--levels", "PATH", level_paths},
    {"--limit", "N", "levels of each novelty and tier at most; 0: all"},
    {"--map", "[KIND:]NAME=TYPE[/MATERIAL]",
     "a type or material that Startle does not know is taken for one that it knows: "
     "novel_object_0=RectFat/wood, PinkPig=BasicSmall, BirdGreen=BirdBlack, Ramp=Platform, "
     "novel_material_3=ice; KIND is needed where a name stands for several kinds or TYPE is of another kind: "
     "Bird, Block, Novelty, Pig, Platform or TNT; may be repeated; default: none (such elements are left "
     "out)"},
    {"--method", "NAME",
     "reasoning about what a hit moves and makes visible: extended by what Pinto et al. leave out, or "
     "published"},
    {"--model", "FILE", "model to use"},
    {"--name", "NAME", "name of the agent in the results"},
    {"--novelty", "NAME", "novelty, for example T1 or wood-density-up@0.5", novelty_names},
    {"--out", "PATH", "where the result is written"},
    {"--pixel-size", "UNITS", "places are seen only up to squares of this side, world units"},
    {"--predictions", "FILE...",
     "HDF5 files of what programs of your own predict for the clips of --write-clips"},
    {"--profile", "NAME", "physical constants: startle, anu or classic", profile_names},
    {"--protocol", "NAME",
     "single: one level a trial, normal or novel; shift: normal levels, then novel ones"},
    {"--quiet", "", "no progress and no warnings on standard error"},
    {"--secret", "HEX",
     "32 hexadecimal digits from which seeds, order and points of change come: the same secret gives the "
     "same results; default: none (a fresh one, which stands in the results file)"},
    {"--seed", "S", "the same seed gives the same results"},
    {"--shooter", "NAME", "how it shoots: a shooter of startle agents list"},
    {"--shot", shot_value,
     "elevation in degrees, then optionally the tap in seconds after release, which may be empty, and the "
     "pull as a share of the longest; may be repeated"},
    {"--simulated", "", "difficulty by simulation in the normal and the novel world, not by reasoning; slow"},
    {"--simulations", "N",
     "normal shots that the one seen is compared with, 19 to 9999; the smallest p-value is 1/(N + 1)"},
    {"--size", "WxH", "width and height of the picture, pixels"},
    {"--state-update", "NAME",
     "the state after each shot: qualitative, by reasoning alone, or simulated in the normal world",
     state_updates},
    {"--steps", "N", "steps of training"},
    {"--strict", "",
     "an error where a file would be left out: it is no level, has no birds, pigs or targets, or holds "
     "nothing that the novelty changes"},
    {"--stride", "N", "steps of the simulation, 0.02 s each, between frames"},
    {"--svg", "FILE", "draws a picture to this file"},
    {"--thirds", "",
     "the third of the given levels in which each value lies, low, middle or high, for each novelty alone"},
    {"--threads", "N", "threads to use; 0: all of the machine"},
    {"--ties", "NAME",
     "which of several best targets is shot at: share, each equally likely, or first, the first in the "
     "level's file, as in Pinto et al."},
    {"--trial-limit", "S", "seconds that an agent may take for all answers of a trial"},
    {"--trials", "N", "trials of each level"},
    {"--video", "", "places are read off pictures of the shots: half a second of processor time a shot"},
    {"--write-clips", "FILE.h5", "writes the clips to a file, for a program of your own, and scores nothing"},
};

/// One of the numbers of a --shot, which is `whole`.
double parse_shot_number(const std::string& text, const std::string& whole) {
  const std::optional<double> value = parse_number<double>(text);
  if (!value || !(*value >= -1e6 && *value <= 1e6))
    throw Error("--shot: found '" + whole +
                "', allowed is ANGLE_DEG[,TAP_S[,STRETCH]], for example 40, 35.5,1.2 or 40,,0.8");
  return *value;
}

std::uint64_t parse_seed(const std::string& text) {
  const std::optional<std::uint64_t> value = parse_number<std::uint64_t>(text);
  if (!value)
    throw Error("--seed: found '" + text + "', allowed are whole numbers from 0 to 18446744073709551615");
  return *value;
}

std::string listed(const std::vector<std::string>& names, const char* before) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + (before + names[i]);
  return text;
}

void add_format_option(CLI::App& command, Output& output, std::vector<std::string> allowed,
                       const std::string& more, const std::string& otherwise) {
  add_shared_option(command, "--format", output.format,
                    listed(allowed, "") + (more.empty() ? "" : "; " + more) +
                        "; default: by the extension of --out" + otherwise)
      ->check(only_values(allowed));
  output.allowed = std::move(allowed);
}

}  // namespace

const SharedOption& shared_option(const std::string& name) {
  for (const SharedOption& option : shared_options)
    if (name == option.name) return option;
  throw std::logic_error(name + " is not in the table of app/options.cpp");
}

CLI::Validator only_values(const std::vector<std::string>& values) {
  return CLI::IsMember(values).description("").name(with_blanks(values));
}

CLI::Validator some_values(const std::vector<std::string>& values) {
  return CLI::Validator().name(with_blanks(values));
}

std::string proposed_values(CLI::Option& option) {
  try {
    return option.get_validator(0)->get_name();
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
}

std::string described(const SharedOption& option, const std::string& more) {
  return option.meaning + (more.empty() ? "" : "; " + more);
}

void add_threads_option(CLI::App& command, int& threads, const std::string& more) {
  add_shared_option(command, "--threads", threads, more)->check(CLI::Range(0, 1024).description(""));
}

void add_quiet_option(CLI::App& command, bool& quiet) { add_shared_option(command, "--quiet", quiet); }

void add_common_options(CLI::App& command, CommonOptions& options) {
  const std::string before = command.option_defaults()->get_group();
  command.option_defaults()->group("Common");
  add_shared_option(command, "--profile", options.profile);
  add_threads_option(command, options.threads);
  add_quiet_option(command, options.quiet);
  command.option_defaults()->group(before);
}

double parse_aim_noise(const std::string& text) {
  const std::size_t letters = text.size() > 3 ? text.size() - 3 : 0;
  const std::string unit = text.substr(letters);
  const std::optional<double> value = parse_number<double>(text.substr(0, letters));
  if (!value || (unit != "rad" && unit != "deg"))
    throw Error("--aim-noise: found '" + text +
                "', allowed is a number with its unit, for example 0.01rad or 0.6deg");
  return unit == "rad" ? *value : radians(*value);
}

void add_aim_noise_option(CLI::App& command, double& noise, const std::string& more) {
  const SharedOption& shared = shared_option("--aim-noise");
  command
      .add_option_function<std::string>(
          shared.name, [&noise](const std::string& text) { noise = parse_aim_noise(text); },
          described(shared, more))
      ->type_name(shared.value)
      ->default_str(shortest(noise) + "rad");
}

CLI::Option* add_observer_options(CLI::App& command, ObserverOptions& options, const std::string& more) {
  add_aim_noise_option(command, options.aim_noise);
  add_shared_option(command, "--pixel-size", options.pixel);
  add_seed_option(command, options.seed);
  return add_shared_option(command, "--simulations", options.simulations, more);
}

CLI::Option* add_method_option(CLI::App& command, std::string& method, const std::string& more) {
  return add_shared_option(command, "--method", method, more)->check(only_values({"published", "extended"}));
}

CLI::Option* add_state_update_option(CLI::App& command, std::string& state_update) {
  return add_shared_option(command, "--state-update", state_update);
}

CLI::Option* add_ties_option(CLI::App& command, std::string& ties, const std::string& more) {
  return add_shared_option(command, "--ties", ties, more)->check(only_values({"share", "first"}));
}

CLI::Option* add_known_normal_option(CLI::App& command, std::vector<std::string>& known) {
  return add_shared_option(command, "--known-normal", known)->delimiter(',')->allow_extra_args(false);
}

StateUpdate parse_state_update(const std::string& text) {
  if (const auto update = state_update_from_name(text)) return *update;
  throw Error("--state-update: found '" + text + "', allowed are qualitative and simulated");
}

std::string Output::chosen() const {
  if (!format.empty()) return format;
  const std::string extension = out ? std::filesystem::path(*out).extension().string() : "";
  for (const std::string& name : allowed)
    if (extension == "." + name) return name;
  if (by_extension)
    throw Error("--out: found '" + *out + "', allowed are names that end in " + listed(allowed, ".") +
                "; with others, --format says which");
  return allowed.front();
}

namespace {

/// Refused before the command's work, which can take hours.
CLI::Option* require_place(CLI::Option* out) {
  return out->check([](const std::string& path) {
    require_writable(path);
    return std::string();
  });
}

}  // namespace

void add_output_options(CLI::App& command, Output& output, std::vector<std::string> allowed,
                        const std::string& more) {
  require_place(add_shared_option(command, "--out", output.out, "a file; default: standard output"));
  const std::string first = allowed.front();
  add_format_option(command, output, std::move(allowed), more, ", else " + first);
}

void add_report_options(CLI::App& command, Output& output, std::vector<std::string> allowed,
                        const std::string& what) {
  output.by_extension = true;
  require_place(add_shared_option(command, "--out", output.out, "a file: " + what))->required();
  add_format_option(command, output, std::move(allowed), {}, {});
}

void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& more) {
  const SharedOption& shared = shared_option("--seed");
  command
      .add_option_function<std::string>(
          shared.name, [&seed](const std::string& text) { seed = parse_seed(text); }, described(shared, more))
      ->type_name(shared.value)
      ->default_str(std::to_string(seed));
}

void add_seed_option(CLI::App& command, std::optional<std::uint64_t>& seed, const std::string& more) {
  const SharedOption& shared = shared_option("--seed");
  command
      .add_option_function<std::string>(
          shared.name, [&seed](const std::string& text) { seed = parse_seed(text); }, described(shared, more))
      ->type_name(shared.value);
}

void add_map_option(CLI::App& command, std::vector<MappedName>& map) {
  const SharedOption& shared = shared_option("--map");
  command
      .add_option_function<std::vector<std::string>>(
          shared.name,
          [&map](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) map.push_back(parse_mapped_name(text));
          },
          described(shared, {}))
      ->type_name(shared.value)
      ->allow_extra_args(false);
}

CLI::Option* add_novelties_option(CLI::App& command, std::vector<std::string>& novelties,
                                  const std::string& more) {
  return add_shared_option(command, "--novelty", novelties, "several are separated by commas; " + more)
      ->delimiter(',')
      ->allow_extra_args(false);
}

CLI::Option* add_shots_option(CLI::App& command, std::vector<std::string>& shots, const std::string& more) {
  return add_shared_option(command, "--shot", shots, more)->allow_extra_args(false);
}

Shot parse_shot(const std::string& text) {
  const std::size_t comma = text.find(',');
  Shot shot;
  shot.angle = radians(parse_shot_number(text.substr(0, comma), text));
  if (comma == std::string::npos) return shot;
  const std::size_t second = text.find(',', comma + 1);
  const std::string tap = text.substr(comma + 1, second == std::string::npos ? second : second - comma - 1);
  if (!tap.empty() || second == std::string::npos) shot.tap_time = parse_shot_number(tap, text);
  if (shot.tap_time < 0 && !tap.empty())
    throw Error("--shot: found tap time " + tap + " in '" + text + "', allowed are 0 and above");
  if (second == std::string::npos) return shot;
  shot.stretch = parse_shot_number(text.substr(second + 1), text);
  if (!(shot.stretch > 0 && shot.stretch <= 1))
    throw Error("--shot: found stretch " + text.substr(second + 1) + " in '" + text +
                "', allowed is over 0 to 1");
  return shot;
}

PictureSize parse_picture_size(const std::string& text) {
  const std::size_t middle = std::min(text.find('x'), text.size());
  const PictureSize size{
      .width = parse_number<int>(text.substr(0, middle)).value_or(0),
      .height = parse_number<int>(text.substr(std::min(middle + 1, text.size()))).value_or(0)};
  const auto allowed = [](int pixels) { return pixels >= 1 && pixels <= 8192; };
  if (!allowed(size.width) || !allowed(size.height))
    throw Error("--size: found '" + text +
                "', allowed is WIDTHxHEIGHT with 1 to 8192 pixels each, for example 960x540");
  return size;
}

}  // namespace startle
