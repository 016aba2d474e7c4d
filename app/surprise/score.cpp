/// \file  startle surprise score: how surprised a model is by shots at levels.
#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "app/reports/surprise/clip_pictures.hpp"
#include "app/reports/table.hpp"
#include "app/surprise/commands.hpp"
#include "app/surprise/shipped_model.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "render/plot_svg.hpp"
#include "render/png.hpp"
#include "simulated/twin.hpp"
#include "surprise/networks/predrnn.hpp"
#include "surprise/surprise_score.hpp"

namespace startle {
namespace {

struct ScoreOptions {
  CommonOptions common;
  std::vector<std::string> levels, shots;
  std::optional<std::string> model, novelty, pictures, clip_pictures;
  Output output;
};

/// One shot at one level in one world.
struct ScoredClip {
  std::string level, world;
  int shot = 1;  ///< from 1
  std::string angle_and_tap;
  Clip clip;
  int first_step = 0;      ///< of the simulation, at the clip's first frame
  std::string strip = {};  ///< file of its pictures, where they are asked for
  Prediction prediction = {};
  FrameErrors errors = {};
};

std::vector<ScoredClip> clips_of(const std::string& path, const std::vector<Shot>& shots,
                                 const ClipFormat& format, const ScoreOptions& options,
                                 std::shared_ptr<const Profile> constants) {
  const Level level = load_level(path, *constants, options.common.quiet, {}, options.novelty.value_or(""));
  const std::optional<Novelty> novelty = chosen_novelty(options.novelty.value_or(""), level);
  const Scene scene = settled_level(level, constants, path, options.common.quiet).scene;
  std::function<Scene(const Scene&)> twin;
  if (novelty)
    twin = [&](const Scene& normal) {
      Scene novel = novel_twin(normal, *novelty);
      if (!anything_novel(novel) && !options.common.quiet)
        report(path + ": holds no object that novelty " + novelty->name + " changes");
      return novel;
    };
  std::vector<ScoredClip> clips;
  try {
    for (CutShot& cut : cut_shots(scene, shots, format, twin))
      clips.push_back({level.name, cut.novel ? novelty->name : "normal", cut.number,
                       options.shots[static_cast<std::size_t>(cut.number) - 1], std::move(cut.clip),
                       cut.first_step});
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
  return clips;
}

/// Rows of pictures of one clip, with what they show.
std::string rows_of(const ScoredClip& clip, double& y, double width) {
  static constexpr std::array names{"seen", "predicted", "error"};
  const auto rows = picture_rows(clip.clip, clip.prediction);
  std::string svg;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Bitmap strip = side_by_side(rows[row]);
    const double height = width * strip.height / strip.width;
    svg += "<text x=\"0\" y=\"" + svg_number(y + 11) + "\" font-size=\"11\" fill=\"#333333\">" +
           xml_escaped(clip.world + ": " + names[row]) + "</text>\n";
    svg += "<image x=\"0\" y=\"" + svg_number(y + 15) + "\" width=\"" + svg_number(width) + "\" height=\"" +
           svg_number(height) + "\" href=\"" + data_uri(strip) + "\" style=\"image-rendering:pixelated\"/>\n";
    y += height + 21;
  }
  return svg;
}

/// Frames, predictions and errors of one shot in one or both worlds, and the surprise over time.
std::string picture_of(const std::vector<const ScoredClip*>& clips) {
  const int frames = clips.front()->clip.frames;
  const double width = 68.0 * frames;
  double y = 24, highest = 0;
  std::string body;
  LinePlot plot{.frame = {.title = "Surprise",
                          .x_label = "frame",
                          .y_label = "squared error",
                          .width = width,
                          .height = 230},
                .x_high = frames - 1.0};
  for (const ScoredClip* clip : clips) {
    body += rows_of(*clip, y, width);
    plot.series.push_back({clip->world, palette[plot.series.size() == 0 ? 0 : 3], {}});
    for (std::size_t i = 0; i < clip->errors.error.size(); ++i) {
      plot.series.back().points.push_back({static_cast<double>(i + 1), clip->errors.error[i]});
      highest = std::max(highest, clip->errors.error[i]);
    }
  }
  plot.y_high = highest > 0 ? 1.05 * highest : 1;
  body += "<svg x=\"0\" y=\"" + svg_number(y) + "\" width=\"" + svg_number(width) + "\" height=\"230\">" +
          plot_svg(plot) + "</svg>\n";
  y += 234;
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + svg_number(width) + "\" height=\"" +
         svg_number(y) + "\" viewBox=\"0 0 " + svg_number(width) + " " + svg_number(y) + "\" font-family=\"" +
         svg_font +
         "\">\n<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n<text x=\"0\" y=\"15\" "
         "font-size=\"13\" font-weight=\"bold\">" +
         xml_escaped(clips.front()->level + ", shot " + std::to_string(clips.front()->shot) + ": " +
                     clips.front()->angle_and_tap) +
         "</text>\n" + body + "</svg>\n";
}

std::vector<std::vector<std::string>> frame_rows(const std::vector<ScoredClip>& clips, int digits) {
  const auto number = [&](double value) { return digits < 0 ? shortest(value) : fixed(value, digits); };
  std::vector<std::vector<std::string>> rows{{"level", "shot", "world", "frame", "surprise", "change"}};
  for (const ScoredClip& clip : clips)
    for (std::size_t i = 0; i < clip.errors.error.size(); ++i)
      rows.push_back({clip.level, std::to_string(clip.shot), clip.world, std::to_string(i + 1),
                      number(clip.errors.error[i]), number(clip.errors.change[i])});
  return rows;
}

std::vector<std::vector<std::string>> clip_rows(const std::vector<ScoredClip>& clips) {
  std::vector<std::vector<std::string>> rows{{"level", "shot", "world"}};
  for (ClipScore score : clip_scores()) rows.front().emplace_back(name(score));
  for (const ScoredClip& clip : clips) {
    rows.push_back({clip.level, std::to_string(clip.shot), clip.world});
    for (ClipScore score : clip_scores()) rows.back().push_back(fixed(clip_score(clip.errors, score), 3));
  }
  return rows;
}

std::string json_of(const std::vector<ScoredClip>& clips, const std::string& model, int stride,
                    const ScoreOptions& options) {
  nlohmann::ordered_json json;
  json["program"] = "startle " STARTLE_VERSION;
  json["model"] = model;
  json["profile"] = options.common.profile;
  json["clips"] = nlohmann::ordered_json::array();
  for (const ScoredClip& clip : clips) {
    nlohmann::ordered_json scores;
    for (ClipScore score : clip_scores()) scores[name(score)] = clip_score(clip.errors, score);
    json["clips"].push_back({{"level", clip.level},
                             {"shot", clip.shot},
                             {"aim", clip.angle_and_tap},
                             {"world", clip.world},
                             {"first_step", clip.first_step},
                             {"stride", stride},
                             {"surprise", clip.errors.error},
                             {"change", clip.errors.change},
                             {"scores", scores}});
    if (!clip.strip.empty()) json["clips"].back()["strip"] = clip.strip;
  }
  return json.dump(2) + "\n";
}

int score_command(const ScoreOptions& options) {
  std::vector<Shot> shots;
  for (const std::string& text : options.shots) shots.push_back(parse_shot(text));
  if (options.novelty) novelty_name(*options.novelty);  // throws, before the model is read
  const auto constants = profile(options.common.profile);
  const std::filesystem::path path = model_path(options.model);
  const ClipFormat format = read_model_config(path).clips;
  const auto model = load_predictor(path, {.threads = options.common.threads});
  std::vector<ScoredClip> clips;
  std::set<std::string> pictured;  // levels by the names of their pictures
  for (const std::string& file : find_levels(options.levels)) {
    std::vector<ScoredClip> of_level = clips_of(file, shots, format, options, constants);
    std::vector<const Clip*> batch;
    for (const ScoredClip& clip : of_level) batch.push_back(&clip.clip);
    std::vector<Prediction> predictions = model->predict(batch);
    for (std::size_t i = 0; i < of_level.size(); ++i) {
      of_level[i].errors = frame_errors(of_level[i].clip, predictions[i]);
      of_level[i].prediction = std::move(predictions[i]);
    }
    if (options.pictures || options.clip_pictures) {
      const std::size_t worlds = options.novelty ? 2 : 1;
      const std::string stem = file_name(of_level.front().level);
      std::string unique = stem;
      for (int i = 2; !pictured.insert(unique).second; ++i) unique = stem + "-" + std::to_string(i);
      if (options.clip_pictures) prepare_folder(*options.clip_pictures);
      for (ScoredClip& clip : of_level) {
        if (!options.clip_pictures) break;
        clip.strip = unique + "-shot" + std::to_string(clip.shot) + "-" + clip.world + ".png";
        write_file(std::filesystem::path(*options.clip_pictures) / clip.strip,
                   png_bytes(strip_picture(clip.clip, clip.prediction)));
      }
      if (options.pictures) prepare_folder(*options.pictures);
      for (std::size_t i = 0; options.pictures && i < of_level.size(); i += worlds) {
        std::vector<const ScoredClip*> of_shot;
        for (std::size_t w = 0; w < worlds; ++w) of_shot.push_back(&of_level[i + w]);
        write_file(std::filesystem::path(*options.pictures) /
                       (unique + "-shot" + std::to_string(of_level[i].shot) + ".svg"),
                   picture_of(of_shot));
      }
    }
    for (ScoredClip& clip : of_level) {
      clip.clip = {};
      clip.prediction = {};
      clips.push_back(std::move(clip));
    }
  }
  if (options.output.is("json"))
    emit(json_of(clips, path.filename().string(), format.stride, options), options.output.out);
  else if (options.output.is("csv"))
    emit(comma_separated(frame_rows(clips, -1)), options.output.out);
  else
    emit(aligned(frame_rows(clips, 3)) + "\n" + aligned(clip_rows(clips)), options.output.out);
  return 0;
}

}  // namespace

void add_score_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ScoreOptions>();
  CLI::App* command = app.add_subcommand("score",
                                         "Says how surprised a model is by shots at levels, frame by frame.");
  add_shared_option(*command, "LEVELS", options->levels)->required();
  add_shared_option(*command, "--model", options->model,
                    "made by startle surprise train; default: the shipped one");
  add_shots_option(*command, options->shots, "one for each bird")->required();
  add_shared_option(*command, "--novelty", options->novelty,
                    "of the catalogue: each shot in its world, too, seen by the same camera at the same "
                    "times; default: none");
  command
      ->add_option("--pictures", options->pictures,
                   "folder for a picture of each shot (SVG): frames, predictions, errors and the surprise "
                   "over time; LEVEL-shotN.svg, the second level of a name LEVEL-2; default: none")
      ->type_name("DIR");
  command
      ->add_option("--clip-pictures", options->clip_pictures,
                   "folder for a picture of each clip (PNG), which the JSON names: a row of frames, one of "
                   "predictions and one of errors; startle play shows them; default: none")
      ->type_name("DIR");
  add_output_options(*command, options->output, {"text", "csv", "json"}, "csv has one row a frame");
  add_common_options(*command, options->common);
  command->footer(
      "Surprise of a frame is its squared distance from what was predicted, summed over pixels and channels "
      "in [0, 1]; of a clip,\n"
      "the five scores of docs/surprise.md.\n"
      "Example: startle surprise score levels/data/castles/castles-1-0001.json --shot 40 --novelty T2 "
      "--pictures scored");
  command->callback([options, &exit_code] { exit_code = score_command(*options); });
}

}  // namespace startle
