#include "surprise/dataset.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "levels/generators.hpp"
#include "levels/solver.hpp"
#include "levels/verify.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"
#include "surprise/dataset_file.hpp"

namespace startle {
namespace {

namespace fs = std::filesystem;

// -------------------------------------------------------------------------------------------------------
// levels and shots

// Of one level: shots at the level as generated, and shots at what another shot left of it.
constexpr std::size_t first_shots = 3, second_shots = 2, clips_a_level = first_shots + second_shots;
// One level in so many may hold one clip in which nothing but the bird moves: at most one clip in 20.
constexpr std::uint64_t levels_per_still_clip = 4;
// A scene that needs more shots than this a clip is given up, and its level with it.
constexpr std::size_t tries_per_clip = 6;
constexpr int most_candidates = 1000;
// How far an object must move, in world units or radians, for a clip not to be still: a pixel at the default
// view.
constexpr double least_motion = 0.07;
// Seconds after release between which a random shot uses the bird's power.
constexpr double earliest_tap = 0.4, latest_tap = 1.6;

/// Whether an object of the scene is elsewhere, turned or gone at the end of the trace.
bool object_moves(const Trace& trace, std::size_t objects) {
  std::vector<const Pose*> last(objects, nullptr);
  for (const BodyState& body : trace.frames.back().bodies)
    if (static_cast<std::size_t>(body.id) < objects) last[static_cast<std::size_t>(body.id)] = &body.pose;
  return std::any_of(trace.frames.front().bodies.begin(), trace.frames.front().bodies.end(),
                     [&](const BodyState& body) {
                       if (static_cast<std::size_t>(body.id) >= objects) return false;
                       const Pose* after = last[static_cast<std::size_t>(body.id)];
                       return !after || length(after->position - body.pose.position) > least_motion ||
                              std::abs(after->angle - body.pose.angle) > least_motion;
                     });
}

/// Shots with the next bird, without end: half of them what a player would try (solver and targets of the
/// reasoning, none twice), half of them anywhere within the angles of those.
class ShotStream {
 public:
  ShotStream(const Scene& scene, Random& random)
      : random_(random), sensible_(candidate_shots(scene, static_cast<std::size_t>(-1))) {
    const auto by_angle = [](const Shot& a, const Shot& b) { return a.angle < b.angle; };
    lowest_ = std::min_element(sensible_.begin(), sensible_.end(), by_angle)->angle;
    highest_ = std::max_element(sensible_.begin(), sensible_.end(), by_angle)->angle;
    random_.shuffle(sensible_);
  }

  Shot next() {
    const bool sensible = random_.chance(0.5), tap = random_.chance(0.5);
    if (sensible && !sensible_.empty()) {
      Shot shot = sensible_.back();
      sensible_.pop_back();
      if (!tap) shot.tap_time = -1;
      return shot;
    }
    const double angle = random_.uniform(lowest_, highest_), time = random_.uniform(earliest_tap, latest_tap);
    return {.angle = angle, .tap_time = tap ? time : -1};
  }

 private:
  Random& random_;
  std::vector<Shot> sensible_;
  double lowest_, highest_;
};

/// Adds `wanted` clips of shots from the scene. False when too few shots moved anything.
bool add_clips(const Scene& scene, ShotStream& shots, std::size_t wanted, const DatasetInfo& settings,
               const ClipOrigin& level, bool& still_allowed, std::vector<MadeClip>& clips) {
  const std::size_t goal = clips.size() + wanted;
  for (std::size_t tries = 0; tries < wanted * tries_per_clip && clips.size() < goal; ++tries) {
    MadeClip made{.origin = level, .clip = {}};
    made.origin.shot = shots.next();
    ShotClip shot = make_clip(scene, made.origin.shot, settings.format, settings.masks);
    if (!object_moves(shot.trace, scene.objects.size())) {
      if (!still_allowed) continue;
      still_allowed = false;
    }
    made.origin.cut = shot.cut;
    made.clip = std::move(shot.clip);
    clips.push_back(std::move(made));
  }
  return clips.size() == goal;
}

/// The clips of one level of the set: of the first candidate of its stream that stands and of which shots
/// enough move something. The stream depends on seed, split and number alone.
std::vector<MadeClip> clips_of_level(const DatasetInfo& settings, std::uint64_t number) {
  const GeneratorInfo& family = generator_families()[number % generator_families().size()];
  const auto constants = profile(settings.profile);
  const Novelty* novelty = settings.novelty.empty() ? nullptr : &find_novelty(settings.novelty);
  Random random(stream_seed(settings.seed, std::string("surprise/") + name(settings.split), number));
  for (int i = 0; i < most_candidates; ++i) {
    const StabilityVerification stability = verify_stability(generate_candidate(family, *constants, random),
                                                             constants);
    if (stability.verdict != Verdict::verified) continue;
    const auto world_of = [&](const Scene& normal) {
      return novelty ? novel_twin(normal, *novelty) : normal;
    };
    const Scene first = world_of(stability.scene);
    if (novelty && !anything_novel(first)) continue;

    std::vector<MadeClip> clips;
    bool still_allowed = number % levels_per_still_clip == 0;
    ClipOrigin origin{.family = family.name, .level = number, .bird = 0, .shot = {}, .cut = {}};
    ShotStream shots(stability.scene, random);
    if (!add_clips(first, shots, first_shots, settings, origin, still_allowed, clips)) continue;

    // The state before the second bird is the normal world's: a novel world would be known by the traces of
    // its first shot.
    const Scene next = run_shot(stability.scene, clips[0].origin.shot).scene;
    if (!at_rest(next) || next.birds_left() == 0) continue;
    origin.bird = 1;
    ShotStream second(next, random);
    if (add_clips(world_of(next), second, second_shots, settings, origin, still_allowed, clips)) return clips;
  }
  throw Error("clip set: profile " + settings.profile + ", family " + family.name + ", novelty '" +
              settings.novelty + "': none of " + std::to_string(most_candidates) +
              " candidates gave clips in which something moves");
}

// -----------------------------------------------------------------------------------------------------------
// blocks

constexpr std::size_t levels_a_block = 10, clips_a_block = levels_a_block * clips_a_level;
constexpr std::string_view block_magic = "startle-clip-block-1\n";

std::size_t block_count(const DatasetInfo& settings) {
  return (settings.count + clips_a_block - 1) / clips_a_block;
}
std::size_t clips_in_block(const DatasetInfo& settings, std::size_t block) {
  return std::min(clips_a_block, settings.count - block * clips_a_block);
}

/// Plain values and byte strings one after the other.
struct Packer {
  std::string bytes;
  template <typename T>
  void put(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(const std::string& text) {
    put<std::uint64_t>(text.size());
    bytes += text;
  }
};

struct Unpacker {
  std::string_view bytes;
  bool good = true;
  template <typename T>
  T get() {
    T value{};
    good = good && bytes.size() >= sizeof value;
    if (!good) return value;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
    return value;
  }
  std::string get_text() {
    const auto size = get<std::uint64_t>();
    good = good && size <= bytes.size();
    if (!good) return {};
    std::string text(bytes.substr(0, size));
    bytes.remove_prefix(size);
    return text;
  }
};

std::uint64_t hash_of(std::string_view bytes) {
  Hash hash;
  hash.add(bytes);
  return hash.value();
}

/// A block as its file holds it: magic, clips, hash of all before.
std::string packed(const std::vector<StoredClip>& clips) {
  Packer packer{std::string(block_magic)};
  for (const StoredClip& clip : clips) {
    const ClipOrigin& o = clip.origin;
    packer.put(o.family);
    packer.put(o.level);
    packer.put(o.bird);
    for (const double value : {o.shot.angle, o.shot.stretch, o.shot.tap_time, o.cut.view.centre.x,
                               o.cut.view.centre.y, o.cut.view.width})
      packer.put(value);
    packer.put(o.cut.first_step);
    packer.put(clip.frames);
    packer.put(clip.masks);
  }
  packer.put(hash_of(packer.bytes));
  return packer.bytes;
}

/// Empty when the bytes are not those of a block with so many clips: it was damaged, and is made again.
std::vector<StoredClip> unpacked(std::string_view bytes, std::size_t count) {
  if (bytes.size() < block_magic.size() + sizeof(std::uint64_t) || !bytes.starts_with(block_magic)) return {};
  Unpacker end{bytes.substr(bytes.size() - sizeof(std::uint64_t))};
  bytes.remove_suffix(sizeof(std::uint64_t));
  if (end.get<std::uint64_t>() != hash_of(bytes)) return {};
  Unpacker in{bytes.substr(block_magic.size())};
  std::vector<StoredClip> clips;
  while (in.good && clips.size() < count) {
    StoredClip clip;
    ClipOrigin& o = clip.origin;
    o.family = in.get_text();
    o.level = in.get<std::uint64_t>();
    o.bird = in.get<int>();
    for (double* value : {&o.shot.angle, &o.shot.stretch, &o.shot.tap_time, &o.cut.view.centre.x,
                          &o.cut.view.centre.y, &o.cut.view.width})
      *value = in.get<double>();
    o.cut.first_step = in.get<int>();
    clip.frames = in.get_text();
    clip.masks = in.get_text();
    clips.push_back(std::move(clip));
  }
  if (!in.good || !in.bytes.empty()) return {};
  return clips;
}

std::vector<StoredClip> make_block(const DatasetInfo& settings, const SceneSet* scenes, std::size_t block) {
  std::vector<StoredClip> stored;
  for (std::uint64_t i = 0; stored.size() < clips_in_block(settings, block); ++i) {
    for (const MadeClip& made : scenes ? std::vector{scenes->clip(settings, block * clips_a_block + i)}
                                       : clips_of_level(settings, block * levels_a_block + i)) {
      if (stored.size() == clips_in_block(settings, block)) break;
      stored.push_back(
          {made.origin, deflated(made.clip.rgb), settings.masks ? deflated(made.clip.masks) : std::string()});
    }
  }
  return stored;
}

// ---------------------------------------------------------------------------------------------------------
// partial folder

/// The folder in which a set comes about.
struct PartialFolder {
  fs::path folder;
  DatasetInfo settings;

  fs::path settings_file() const { return folder / "settings.json"; }
  fs::path assembled() const { return folder / "assembled.h5"; }
  fs::path block(std::size_t number) const { return folder / ("block-" + std::to_string(number) + ".clips"); }

  /// Everything that decides the bytes.
  std::string settings_text() const {
    const ClipFormat& f = settings.format;
    const nlohmann::ordered_json json = {{"format", "startle-clip-blocks"},
                                         {"version", 1},
                                         {"program", settings.program},
                                         {"command", settings.command},
                                         {"profile", settings.profile},
                                         {"seed", settings.seed},
                                         {"split", name(settings.split)},
                                         {"novelty", settings.novelty},
                                         {"clips", settings.count},
                                         {"masks", settings.masks},
                                         {"frames", f.frames},
                                         {"pixels", f.pixels},
                                         {"stride", f.stride},
                                         {"lead", f.lead},
                                         {"view", f.view}};
    return json.dump(2) + "\n";
  }

  void open() const {
    std::error_code error;
    const bool there = fs::exists(folder, error);
    if (there && !fs::is_empty(folder, error) && !fs::exists(settings_file(), error))
      throw Error(folder.string() + ": is needed for unfinished work, and is something else; move it away");
    if (there && fs::exists(settings_file(), error)) {
      if (read_file(settings_file()) != settings_text())
        throw Error(folder.string() +
                    ": holds an unfinished set made with other settings (settings.json says which); finish "
                    "it with them, or remove this folder");
      return;
    }
    fs::create_directory(folder, error);
    if (error) throw Error(folder.string() + ": cannot make this folder: " + error.message());
    write_file(settings_file(), settings_text());
  }

  bool finished(std::size_t number) const {
    std::error_code error;
    return fs::exists(block(number), error) &&
           !unpacked(read_file(block(number)), clips_in_block(settings, number)).empty();
  }

  /// Removes what this program puts there, with the temporary files of write_file() that a killed one left;
  /// anything else stays, and the folder with it.
  void remove() const {
    std::error_code ignored;
    std::vector<fs::path> ours;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
      const std::string file = entry.path().filename().string(), name = file.substr(0, file.find(".tmp-"));
      if (name == settings_file().filename() || name == assembled().filename() ||
          (name.starts_with("block-") && name.ends_with(".clips")))
        ours.push_back(entry.path());
    }
    for (const fs::path& file : ours) fs::remove(file, ignored);
    fs::remove(folder, ignored);
  }
};

void require_valid(const DatasetInfo& settings, const SceneSet* scenes) {
  require_valid(settings.format);
  constexpr std::size_t most_clips = 100000000;
  if (settings.count < 1 || settings.count > most_clips)
    throw Error("clip set: clips: found " + std::to_string(settings.count) + ", allowed are 1 to " +
                std::to_string(most_clips));
  const std::size_t bytes_a_clip = static_cast<std::size_t>(settings.format.frames) *
                                   static_cast<std::size_t>(settings.format.pixels) *
                                   static_cast<std::size_t>(settings.format.pixels) * 3;
  constexpr std::size_t largest_clip = 8 << 20;  // a block of such clips stays in memory several times
  if (bytes_a_clip > largest_clip)
    throw Error("clip set: frames x pixels x pixels x 3: found " + std::to_string(bytes_a_clip) +
                " bytes a clip, allowed are " + std::to_string(largest_clip));
  if (scenes) {
    scenes->require_valid(settings);
    if (!settings.novelty.empty())
      throw Error("clip set: scenes of " + settings.profile + ": found novelty '" + settings.novelty +
                  "', it has none");
    return;
  }
  profile(settings.profile);
  if (!settings.novelty.empty()) find_novelty(settings.novelty);
}

/// True when the set is there already. Throws Error when something else is.
bool stands_already(const fs::path& path, const DatasetInfo& settings) {
  std::error_code error;
  if (!fs::exists(path, error)) return false;
  const ClipReader there(path);
  if (there.info() != settings)
    throw Error(path.string() + ": is a clip set made with other settings (" + there.info().command +
                "); remove it, or choose another name");
  return true;
}

}  // namespace

const char* name(Split split) {
  switch (split) {
    case Split::train:
      return "train";
    case Split::validation:
      return "validation";
    case Split::test:
      return "test";
  }
  return "";
}

std::optional<Split> split_from_name(const std::string& text) {
  for (const Split split : {Split::train, Split::validation, Split::test})
    if (text == name(split)) return split;
  return std::nullopt;
}

bool make_dataset(const fs::path& path, const DatasetInfo& settings, const DatasetOptions& options) {
  const auto& [scenes, threads, progress, keep_going] = options;
  require_valid(settings, scenes);
  fs::path folder = path;
  folder += ".partial";
  const PartialFolder partial{folder, settings};
  if (stands_already(path, settings)) {
    partial.remove();
    return true;
  }
  partial.open();

  std::vector<std::size_t> missing;
  std::size_t done = 0;
  for (std::size_t i = 0; i < block_count(settings); ++i) {
    if (partial.finished(i))
      done += clips_in_block(settings, i);
    else
      missing.push_back(i);
  }
  if (progress) progress(done);
  std::mutex mutex;
  std::atomic<std::size_t> made{0};
  parallel_for(
      missing.size(), scenes && scenes->in_order ? 1 : threads,
      [&](std::size_t i) {
        write_file(partial.block(missing[i]), packed(make_block(settings, options.scenes, missing[i])));
        ++made;
        if (!options.progress) return;
        const std::lock_guard lock(mutex);
        options.progress(done += clips_in_block(settings, missing[i]));
      },
      keep_going);
  if (made < missing.size()) return false;

  NewFile assembled(partial.assembled());
  ClipFileWriter writer(assembled.temporary(), settings);
  for (std::size_t i = 0; i < block_count(settings); ++i) {
    const std::vector<StoredClip> clips = unpacked(read_file(partial.block(i)), clips_in_block(settings, i));
    if (clips.empty()) throw Error(partial.block(i).string() + ": is damaged; run the command again");
    for (const StoredClip& clip : clips) writer.add(clip);
  }
  writer.close();
  assembled.commit();
  std::error_code error;
  fs::rename(partial.assembled(), path, error);
  if (error) throw Error(path.string() + ": cannot be written: " + error.message());
  partial.remove();
  return true;
}

}  // namespace startle
