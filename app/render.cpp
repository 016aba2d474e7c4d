/// \file  startle render: pictures and videos of a level.
#include "app/pictures.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "render/png.hpp"
#include "render/video.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

struct RenderOptions {
  CommonOptions common;
  std::string level, out;
  std::vector<std::string> shots;
  std::optional<double> at;
  std::string novelty;
  bool twin = false, mask = false;
  PictureOptions picture;
};

void render(const RenderOptions& options) {
  const std::filesystem::path out = options.out;
  if (!is_video(out) && out.extension() != ".png")
    throw Error("--out: found '" + options.out + "', allowed are names that end in .png, .gif or .mp4");
  if (is_video(out) && options.shots.empty())
    throw Error("--out: found '" + options.out + "' without a shot; a video needs at least one --shot");
  if (is_video(out) && (options.mask || options.at))
    throw Error("--out: found '" + options.out +
                "' with --mask or --at; these need a name that ends in .png");
  if (options.at && options.shots.empty())
    throw Error("--at: found without a shot; it is the time since the release of the last --shot");
  if (options.twin && options.novelty.empty())
    throw Error("--twin: found without --novelty, which says what the second world is");
  if (options.twin && options.mask) throw Error("--twin: found with --mask; a mask shows one world");

  std::vector<Shot> shots;
  for (const std::string& text : options.shots) shots.push_back(parse_shot(text));
  const auto constants = profile(options.common.profile);
  const Level level = load_level(options.level, *constants, options.common.quiet, {}, options.novelty);
  const std::optional<Novelty> novelty = chosen_novelty(options.novelty, level);
  const Scene start = settled_level(level, constants, options.level, options.common.quiet).scene;

  std::vector<RecordedWorld> worlds;
  const auto add_world = [&](const std::string& caption, const Scene& scene) {
    worlds.push_back(shots.empty() ? standing(caption, scene) : record(caption, scene, shots));
    if (worlds.back().shots.empty())
      throw Error(options.level + ": " + (scene.cleared() ? "no pig" : "no bird") +
                  " is left to shoot at or with");
  };
  if (!novelty || options.twin) add_world("normal", start);
  if (novelty) add_world("novel: " + novelty->description, novel_twin(start, *novelty));

  VideoFormat format = options.picture.format();
  if (options.twin)
    format.apart = [](const Pose& a, const Pose& b) { return visibly_apart(a, b, VisibleDifference{}); };
  if (is_video(out))
    write_video(out, worlds, format);
  else
    write_file(out, options.mask ? png_bytes(still_mask(worlds, options.at, format))
                                 : png_bytes(still(worlds, options.at, format)));
}

}  // namespace

void add_render_command(CLI::App& app, int&) {
  const auto options = std::make_shared<RenderOptions>();
  CLI::App* command = app.add_subcommand("render", "Draws a level, or shots at it, as a picture or a video.");
  add_shared_option(*command, "LEVEL", options->level)->required();
  add_shared_option(*command, "--out", options->out,
                    "a file: .png is a picture; .gif and .mp4 are videos of the shots (MP4 needs ffmpeg)")
      ->required();
  add_shots_option(*command, options->shots, "one for each bird; default: none (the level at rest)");
  command
      ->add_option(
          "--at", options->at,
          "moment of a picture: seconds after the release of the last shot; default: the end of that shot")
      ->check(CLI::Range(0.0, 1e4).description(""))
      ->type_name("SECONDS");
  add_shared_option(*command, "--novelty", options->novelty,
                    "own: the one that the level's file carries; default: none (the normal world)");
  command->add_flag("--twin", options->twin, "the normal world on the left, the novel one on the right");
  command->add_flag(
      "--mask", options->mask,
      "16-bit numbers in place of colours: 0 sky, 1 ground and slingshot, 2 + number of the object");
  add_picture_options(*command, options->picture);
  add_common_options(*command, options->common);
  command->footer(
      "The level settles first. With --twin, bodies that are visibly apart are outlined in both worlds.\n"
      "Example: startle render level.json --shot 40 --novelty T2 --twin --out "
      "twins.gif");
  command->callback([options] { render(*options); });
}

}  // namespace startle
