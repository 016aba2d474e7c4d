#include "surprise/probes/intphys/folder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/folders.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "render/png.hpp"

namespace startle {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string padded(std::size_t number, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*zu", digits, number);
  return text;
}

std::string block_name(IntPhysBlock block, const IntPhysScenario& scenario) {
  return std::string(name(block)) + "_test_" + name(scenario);
}

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw Error(path.string() + ": cannot make this folder: " + error.message());
}

/// Writes the content of `path` by `write`, under another name until it is whole. Nothing is done where it
/// stands already.
void whole_folder(const fs::path& path, const std::function<void(const fs::path&)>& write) {
  std::error_code error;
  if (fs::exists(path, error)) return;
  fs::path unfinished = path;
  unfinished += ".unfinished";
  fs::remove_all(unfinished, error);
  make_folder(unfinished);
  write(unfinished);
  fs::rename(unfinished, path, error);
  if (error) throw Error(path.string() + ": cannot be written: " + error.message());
}

struct FrameFiles {
  std::string scene, depth, masks;
  std::vector<std::pair<int, std::uint8_t>> levels;
};

FrameFiles frame_files(const IntPhysVideo& video, int t, bool pieces, Random& random) {
  const int n = video.clip.pixels;
  const std::size_t pixels = video.clip.frame_size() / 3, first = static_cast<std::size_t>(t) * pixels;
  Bitmap picture(n, n);
  std::copy_n(video.clip.frame(t), video.clip.frame_size(), picture.rgb.begin());
  Mask depth(n, n), masks(n, n);
  for (std::size_t i = 0; i < pixels; ++i)
    depth.ids[i] = static_cast<std::uint16_t>(65535 - video.depth[first + i]);
  const ShuffledMasks shuffled = shuffled_masks(video.clip, t, pieces, random);
  std::copy(shuffled.grey.begin(), shuffled.grey.end(), masks.ids.begin());
  return {png_bytes(picture), png_bytes(depth), png_bytes_8(masks), shuffled.levels};
}

void write_frame(const fs::path& clip, int t, const FrameFiles& files) {
  const std::string number = padded(static_cast<std::size_t>(t) + 1, 3) + ".png";
  write_file(clip / "scene" / ("scene_" + number), files.scene, {.lasting = false});
  write_file(clip / "depth" / ("depth_" + number), files.depth, {.lasting = false});
  write_file(clip / "masks" / ("masks_" + number), files.masks, {.lasting = false});
}

void make_clip_folders(const fs::path& clip) {
  for (const char* kind : {"scene", "depth", "masks"}) make_folder(clip / kind);
}

std::string id_name(int id) {
  if (id == 0) return "walls";
  if (id == 1) return "floor";
  return id >= screen_mask ? "occluder_" + std::to_string(id - screen_mask + 1)
                           : "object_" + std::to_string(id - 1);
}

const char* shape_name(StillShape shape) {
  return shape == StillShape::ball ? "Sphere" : shape == StillShape::block ? "Cube" : "Cone";
}
Json colour_of(Colour c) { return svg_colour(c); }

/// Places in centimetres as in the original's engine: forward from the camera, to the right, up from the
/// floor.
Json status_of(const IntPhysScene& scene, const IntPhysVideo& video, const std::vector<FrameFiles>& files) {
  Json status;
  status["header"] = {{"block_name", "train"},
                      {"block_type", "train"},
                      {"is_possible", true},
                      {"camera",
                       {{"location", {0, 0, 100 * scene.camera.height}},
                        {"rotation", {0, 0, 0}},
                        {"focal", scene.camera.focal},
                        {"horizon", scene.camera.horizon}}},
                      {"floor", {{"colour", colour_of(scene.floor)}}},
                      {"walls", {{"colour", colour_of(scene.wall)}, {"distance", 100 * intphys_wall}}}};
  status["frames"] = Json::array();
  for (std::size_t t = 0; t < files.size(); ++t) {
    Json frame;
    for (std::size_t i = 0; i < scene.things.size(); ++i) {
      const IntPhysThing& thing = scene.things[i];
      const Pose& pose = video.poses[t][i];
      frame["object_" + std::to_string(i + 1)] = {
          {"shape", shape_name(thing.shape)},
          {"colour", colour_of(thing.colour)},
          {"location", {100 * thing.distance, 100 * pose.position.x, 100 * pose.position.y}},
          {"rotation", degrees(pose.angle)},
          {"size", {100 * thing.width, 100 * thing.height}}};
    }
    for (std::size_t i = 0; i < scene.screens.size(); ++i) {
      const IntPhysScreen& screen = scene.screens[i];
      const double left = 100 * scene.camera.x(screen.left, intphys_screens),
                   right = 100 * scene.camera.x(screen.right, intphys_screens);
      frame["occluder_" + std::to_string(i + 1)] = {
          {"colour", colour_of(screen.colour)},
          {"location", {100 * intphys_screens, (left + right) / 2, 0}},
          {"size", {right - left, 100 * screen.height}},
          {"raised", screen.raised[t]}};
    }
    for (const auto& [id, level] : files[t].levels) frame["masks"][id_name(id)] = level;
    status["frames"].push_back(frame);
  }
  return status;
}

void write_train_clip(const fs::path& folder, const IntPhysFolderSettings& settings, std::size_t i) {
  whole_folder(folder / padded(i + 1, 5), [&](const fs::path& clip) {
    make_clip_folders(clip);
    Random random(stream_seed(settings.seed, "intphys/folder/train", i));
    const std::string kind = random.choice(intphys_kinds());
    const IntPhysScene scene = intphys_freeform(kind, settings.format, random);
    const IntPhysVideo made = record(scene, settings.format);
    std::vector<FrameFiles> files;
    for (int t = 0; t < settings.format.frames; ++t) {
      files.push_back(frame_files(made, t, false, random));
      write_frame(clip, t, files.back());
    }
    write_file(clip / "status.json", status_of(scene, made, files).dump(4) + "\n");
  });
}

std::size_t sets_of_block(std::size_t sets) { return sets * intphys_scenarios().size(); }
int digits_of(IntPhysPart part, std::size_t sets) {
  return std::max(part == IntPhysPart::dev ? 2 : 4,
                  static_cast<int>(std::to_string(sets_of_block(sets)).size()));
}
/// Number of set i of a source within its block, from 1.
std::size_t number_in_block(std::size_t i) {
  const std::size_t scenarios = intphys_scenarios().size();
  return i / scenarios / intphys_blocks().size() * scenarios + i % scenarios + 1;
}
IntPhysBlock block_of(std::size_t i) {
  return intphys_blocks()[i / intphys_scenarios().size() % intphys_blocks().size()];
}
std::string set_name(const IntPhysSource& source, std::size_t i) {
  return std::string(name(block_of(i))) + "/" +
         padded(number_in_block(i), digits_of(source.part, source.sets));
}

void write_quadruplet(const fs::path& folder, const IntPhysSource& source, std::size_t i) {
  whole_folder(folder / set_name(source, i), [&](const fs::path& quadruplet) {
    const IntPhysSet set = source.set(i);
    const std::array<int, 4> order = source.order(i);
    std::array<fs::path, 4> clips;
    for (std::size_t k = 0; k < 4; ++k) {
      clips[k] = quadruplet / std::to_string(k + 1);
      make_clip_folders(clips[k]);
      if (source.part == IntPhysPart::dev)
        write_file(clips[k] / "status.json", Json{{"header",
                                                   {{"is_possible", IntPhysSet::possible(order[k])},
                                                    {"block_name", block_name(set.block, set.scenario)}}}}
                                                     .dump(4) +
                                                 "\n");
    }
    Random random(stream_seed(source.seed, std::string("intphys/folder/") + name(source.part), i));
    for (std::size_t video = 0; video < 2; ++video)
      for (int t = 0; t < source.format.frames; ++t) {
        const FrameFiles files = frame_files(set.videos[video], t, true, random);
        for (std::size_t k = 0; k < 4; ++k)
          if (set.video_of(order[k], t) == video) write_frame(clips[k], t, files);
      }
  });
}

void write_lists(const fs::path& folder, const IntPhysSource& source) {
  std::vector<std::string> task, reference;
  for (std::size_t i = 0; i < source.count(); ++i) {
    const std::array<int, 4> order = source.order(i);
    for (std::size_t k = 0; k < 4; ++k) {
      const std::string clip = set_name(source, i) + "/" + std::to_string(k + 1);
      task.push_back(clip);
      reference.push_back(clip + (IntPhysSet::possible(order[k]) ? " 1 " : " 0 ") +
                          block_name(block_of(i), intphys_scenarios()[i % intphys_scenarios().size()]));
    }
  }
  const auto write = [&](const std::string& file, std::vector<std::string>& lines) {
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    write_file(folder / file, text);
  };
  write(std::string(name(source.part)) + "_task.txt", task);
  if (source.part == IntPhysPart::test) write("test_reference.txt", reference);
}

// -----------------------------------------------------------------------------------------------------------
// reading

/// Lines of test_reference.txt beside the part's folder, by clip.
std::map<std::string, std::pair<bool, std::string>> read_reference(const fs::path& part) {
  std::map<std::string, std::pair<bool, std::string>> lines;
  const fs::path file = fs::absolute(part).lexically_normal().parent_path() / "test_reference.txt";
  std::error_code error;
  const fs::path name = part.filename().empty() ? part.parent_path().filename() : part.filename();
  if (name != "test" || !fs::exists(file, error)) return lines;
  std::istringstream text(read_file(file));
  std::string clip, possible, block;
  while (text >> clip >> possible >> block) {
    if (possible != "0" && possible != "1")
      throw Error(file.string() + ": found '" + possible + "' for " + clip + ", allowed are 0 and 1");
    lines[clip] = {possible == "1", block};
  }
  return lines;
}

struct Header {
  std::optional<bool> possible;
  std::string block_name;
};
Header read_header(const fs::path& clip) {
  const fs::path file = clip / "status.json";
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  Header header;
  try {
    const Json json = Json::parse(read_file(file)).at("header");
    if (json.contains("is_possible")) header.possible = json.at("is_possible").get<bool>();
    if (json.contains("block_name")) header.block_name = json.at("block_name").get<std::string>();
  } catch (const Json::exception& wrong) {
    throw Error(file.string() + ": " + wrong.what());
  }
  return header;
}

IntPhysRecord read_record(const fs::path& folder, IntPhysBlock block,
                          const std::map<std::string, std::pair<bool, std::string>>& reference) {
  const std::string whole_name = folder.filename().string();
  IntPhysRecord record{.block = block,
                       .name = whole_name.substr(0, whole_name.find('_')),
                       .scenario = intphys_scenario_in(whole_name),
                       .clips = {},
                       .possible = {}};
  std::array<bool, 4> possible{};
  std::size_t known = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    record.clips[k] = folder / std::to_string(k + 1);
    std::error_code error;
    if (!fs::is_directory(record.clips[k] / "scene", error))
      throw Error(folder.string() + ": found no clip " + std::to_string(k + 1) +
                  " with a folder of pictures, needed are 1 to 4");
    Header header = read_header(record.clips[k]);
    const auto line = reference.find(std::string(name(block)) + "/" + record.name + "/" +
                                     std::to_string(k + 1));
    if (line != reference.end()) header = {line->second.first, line->second.second};
    if (!record.scenario) record.scenario = intphys_scenario_in(header.block_name);
    known += header.possible ? 1 : 0;
    possible[k] = header.possible.value_or(false);
  }
  if (known == 0) return record;
  if (known < 4 || std::count(possible.begin(), possible.end(), true) != 2)
    throw Error(folder.string() + ": found " +
                std::to_string(std::count(possible.begin(), possible.end(), true)) + " possible clips of " +
                std::to_string(known) + " that say, needed are 2 of 4");
  record.possible = possible;
  return record;
}

/// Mean over the area that each new pixel covers.
void shrink(const Bitmap& from, int pixels, std::vector<std::uint8_t>& out) {
  const double scale = static_cast<double>(from.width) / pixels;
  const auto weights = [&](int i) {  // source pixels under new pixel i, and how much of each
    std::vector<std::pair<int, double>> shares;
    const double low = i * scale, high = (i + 1) * scale;
    for (int s = static_cast<int>(low); s < from.width && s < high; ++s) {
      const double share = std::min(high, s + 1.0) - std::max(low, static_cast<double>(s));
      if (share > 1e-9) shares.emplace_back(s, share / scale);
    }
    return shares;
  };
  std::vector<std::vector<std::pair<int, double>>> of;
  for (int i = 0; i < pixels; ++i) of.push_back(weights(i));
  for (int y = 0; y < pixels; ++y)
    for (int x = 0; x < pixels; ++x)
      for (int channel = 0; channel < 3; ++channel) {
        double sum = 0;
        for (const auto& [row, down] : of[static_cast<std::size_t>(y)])
          for (const auto& [column, across] : of[static_cast<std::size_t>(x)])
            sum += down * across *
                   from.rgb[static_cast<std::size_t>((row * from.width + column) * 3 + channel)];
        out.push_back(static_cast<std::uint8_t>(std::lround(sum)));
      }
}

/// The id of IntPhysVideo that a name in status.json stands for: the opposite of id_name().
int id_of(const std::string& name) {
  if (name == "floor") return 1;
  struct Kind {
    std::string start;  // of its names
    int first, most;
  };
  for (const auto& [start, first, most] :
       {Kind{"object_", 2, plank_mask - 2}, Kind{"occluder_", screen_mask, 256 - screen_mask}}) {
    if (name.compare(0, start.size(), start) != 0) continue;
    const std::optional<int> number = parse_number<int>(name.substr(start.size()));
    if (!number || *number < 1 || *number > most)
      throw Error("found '" + name + "', allowed are " + start + "1 to " + start + std::to_string(most));
    return first + *number - 1;
  }
  return 0;
}

/// Of each frame of a training clip the ids of the grey levels in its masks.
std::vector<std::map<int, int>> read_levels(const fs::path& clip) {
  const fs::path file = clip / "status.json";
  const std::string text = read_file(file);
  std::vector<std::map<int, int>> levels;
  try {
    const Json status = Json::parse(text);
    for (const Json& frame : status.at("frames")) {
      levels.emplace_back();
      for (const auto& [name, level] : frame.at("masks").items()) {
        if (!level.is_number_unsigned() || level > 255)
          throw Error("found " + level.dump() + " for '" + name + "', allowed are grey levels from 0 to 255");
        levels.back()[level.get<int>()] = id_of(name);
      }
    }
  } catch (const Json::exception& wrong) {
    throw Error(file.string() + ": frames: " + wrong.what());
  } catch (const Error& wrong) {
    throw Error(file.string() + ": frames/" + std::to_string(levels.size() - 1) + "/masks: " + wrong.what());
  }
  return levels;
}

/// The id at the centre of each of pixels x pixels.
void read_mask(const fs::path& file, const std::map<int, int>& levels, int width, int pixels,
               std::vector<std::uint8_t>& out) {
  const Mask mask = read_grey_png(read_file(file), file.string());
  if (mask.width != width || mask.height != width)
    throw Error(file.string() + ": found " + std::to_string(mask.width) + " x " +
                std::to_string(mask.height) + " pixels, the picture has " + std::to_string(width) + " x " +
                std::to_string(width));
  const auto centre = [&](int i) { return (2 * i + 1) * width / (2 * pixels); };
  for (int y = 0; y < pixels; ++y)
    for (int x = 0; x < pixels; ++x) {
      const int level = mask.ids[static_cast<std::size_t>(centre(y) * width + centre(x))];
      const auto found = levels.find(level);
      if (found == levels.end())
        throw Error(file.string() + ": found grey level " + std::to_string(level) +
                    ", which status.json does not name for this frame");
      out.push_back(static_cast<std::uint8_t>(found->second));
    }
}

std::vector<fs::path> pictures_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::path& file : list_folder(folder, error))
    if (file.extension() == ".png") files.push_back(file);
  return files;
}

}  // namespace

bool write_intphys_folder(const fs::path& folder, const IntPhysFolderSettings& settings,
                          const std::string& program, int threads, const std::function<void()>& progress,
                          const std::function<bool()>& keep_going) {
  require_valid(settings.format);
  if (!(settings.format == intphys_format(settings.format.frames, settings.format.pixels)))
    throw Error("IntPhys folder: found a format of clips that intphys_format() does not give");
  const std::string text = Json{{"format", "startle-intphys-folder"},
                                {"version", 1},
                                {"program", program},
                                {"frames", settings.format.frames},
                                {"pixels", settings.format.pixels},
                                {"train", settings.train},
                                {"dev", settings.dev},
                                {"test", settings.test},
                                {"seed", settings.seed}}
                               .dump(2) +
                           "\n";
  std::error_code error;
  const fs::path about = folder / "intphys.json";
  if (fs::exists(about, error)) {
    if (read_file(about) != text)
      throw Error(folder.string() +
                  ": was made with other settings (intphys.json says which); choose another folder, or "
                  "remove this one");
  } else {
    if (fs::exists(folder, error) && !fs::is_empty(folder, error))
      throw Error(folder.string() + ": holds something else; choose an empty folder");
    make_folder(folder);
    write_file(about, text);
  }
  const IntPhysSource dev{
      .sets = settings.dev, .format = settings.format, .seed = settings.seed, .part = IntPhysPart::dev};
  const IntPhysSource test{
      .sets = settings.test, .format = settings.format, .seed = settings.seed, .part = IntPhysPart::test};
  const std::size_t count = settings.train + dev.count() + test.count();
  if (settings.train > 0) make_folder(folder / "train");
  for (const IntPhysSource* source : {&dev, &test}) {
    if (source->sets == 0) continue;
    for (const IntPhysBlock block : intphys_blocks()) make_folder(folder / name(source->part) / name(block));
    write_lists(folder, *source);
  }
  std::mutex mutex;
  std::size_t done = 0;
  parallel_for(
      count, threads,
      [&](std::size_t i) {
        if (i < settings.train)
          write_train_clip(folder / "train", settings, i);
        else if (i < settings.train + dev.count())
          write_quadruplet(folder / "dev", dev, i - settings.train);
        else
          write_quadruplet(folder / "test", test, i - settings.train - dev.count());
        const std::lock_guard lock(mutex);
        ++done;
        if (progress) progress();
      },
      keep_going);
  return done == count;
}

std::vector<IntPhysRecord> read_intphys_records(const fs::path& part) {
  const auto reference = read_reference(part);
  std::vector<IntPhysRecord> records;
  for (const IntPhysBlock block : intphys_blocks()) {
    std::error_code error;
    for (const fs::path& folder : list_folder(part / name(block), error))
      if (fs::is_directory(folder, error) && folder.extension() != ".unfinished")
        records.push_back(read_record(folder, block, reference));
  }
  if (records.empty()) throw Error(part.string() + ": found no quadruplet such as O1/0001/1 to 4");
  return records;
}

std::vector<fs::path> intphys_train_clips(const fs::path& folder) {
  std::vector<fs::path> clips;
  for (const fs::path& place : {folder, folder / "train"}) {
    std::error_code error;
    for (const fs::path& clip : list_folder(place, error))
      if (fs::is_directory(clip / "scene", error) && clip.extension() != ".unfinished") clips.push_back(clip);
    if (!clips.empty()) break;
  }
  return clips;
}

Clip read_intphys_clip(const fs::path& clip, int frames, int pixels, bool masks) {
  const std::vector<fs::path> files = pictures_in(clip / "scene");
  const std::size_t wanted = frames > 0 ? static_cast<std::size_t>(frames) : files.size();
  if (files.empty() || files.size() % wanted != 0)
    throw Error((clip / "scene").string() + ": found " + std::to_string(files.size()) +
                " pictures, needed are " +
                (frames > 0 ? "a multiple of " + std::to_string(frames) : std::string("some")));
  const std::vector<fs::path> mask_files = masks ? pictures_in(clip / "masks") : files;
  const std::vector<std::map<int, int>> levels = masks ? read_levels(clip)
                                                       : std::vector<std::map<int, int>>(files.size());
  if (mask_files.size() != files.size() || levels.size() != files.size())
    throw Error(clip.string() + ": found " + std::to_string(files.size()) + " pictures, " +
                std::to_string(mask_files.size()) + " masks and " + std::to_string(levels.size()) +
                " frames in status.json, needed are as many of each");
  Clip result;
  for (std::size_t t = 0; t < wanted; ++t) {
    const std::size_t i = t * (files.size() / wanted);
    const fs::path& file = files[i];
    const Bitmap picture = read_png(read_file(file), file.string());
    const int size = pixels > 0 ? pixels : t == 0 ? picture.width : result.pixels;
    if (picture.width != picture.height || picture.width < size || (pixels == 0 && picture.width != size))
      throw Error(file.string() + ": found " + std::to_string(picture.width) + " x " +
                  std::to_string(picture.height) + " pixels, needed is a square of " +
                  (pixels > 0 ? "at least " : "") + std::to_string(size));
    result.pixels = size;
    if (picture.width == size)
      result.rgb.insert(result.rgb.end(), picture.rgb.begin(), picture.rgb.end());
    else
      shrink(picture, size, result.rgb);
    if (masks) read_mask(mask_files[i], levels[i], picture.width, size, result.masks);
  }
  result.frames = static_cast<int>(wanted);
  return result;
}

IntPhysClips read_intphys_clips(const IntPhysRecord& record, int frames, int pixels) {
  IntPhysClips result{.block = record.block,
                      .scenario = record.scenario,
                      .name = record.name,
                      .possible = record.possible,
                      .clips = {}};
  for (std::size_t k = 0; k < 4; ++k) result.clips[k] = read_intphys_clip(record.clips[k], frames, pixels);
  return result;
}

}  // namespace startle
