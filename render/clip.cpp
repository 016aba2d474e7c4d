#include "render/clip.hpp"

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "sim/world.hpp"

namespace startle {
namespace {

// Of the width of the view: how far the first contact lies from the side the bird comes from, what is shown
// below the ground, and how far up the first contact may lie before the view leaves the ground.
constexpr double contact_share = 0.35, below_ground_share = 0.08, highest_contact_share = 0.65;

/// What the cut is placed by.
struct FirstContact {
  int step = 0;
  Vec2 position;
};

/// The bird's first contact with an object (or its explosion, where it needs none), or that of a child or
/// egg; empty before that. `seen` counts the events looked at already.
std::optional<FirstContact> first_contact_in(const Trace& trace, BodyId objects, std::size_t& seen) {
  for (; seen < trace.events.size(); ++seen) {
    const Event& event = trace.events[seen];
    const bool contact = event.kind == EventKind::contact && std::max(event.a, event.b) >= objects &&
                         std::min(event.a, event.b) >= 0 && std::min(event.a, event.b) < objects;
    const bool explosion = event.kind == EventKind::explosion && event.a >= objects;
    if (contact || explosion) return FirstContact{event.step, event.position};
  }
  return std::nullopt;
}

/// Where a bird that met no object came down, or left the world, or was when its time was over.
FirstContact landing(const Trace& trace, BodyId objects) {
  for (const Event& event : trace.events)
    if ((event.kind == EventKind::contact || event.kind == EventKind::out_of_world ||
         event.kind == EventKind::bird_gone) &&
        std::max(event.a, event.b) >= objects)
      return {event.step, event.position};
  return {trace.steps, {}};
}

ClipCut place_cut(const Scene& scene, const FirstContact& contact, const ClipFormat& format) {
  return {.view = clip_view(contact.position, scene.rest(), scene.profile->ground_y, format),
          .first_step = std::max(0, contact.step - format.lead * format.stride)};
}

int last_step(const ClipCut& cut, const ClipFormat& format) {
  return cut.first_step + (format.frames - 1) * format.stride;
}

/// The world records every step from the release on.
World release(const Scene& scene, const Shot& shot) {
  World world(scene, {.record_every = 1, .record_events = true});
  world.launch(shot);
  return world;
}

void advance(World& world, int step) {
  while (!world.over() && world.trace().steps < step) world.step();
}

ShotClip paint_clip(const Scene& scene, const World& world, const ClipFormat& format, const ClipCut& cut,
                    bool with_masks) {
  ShotClip made{.clip = {format.frames, format.pixels, {}, {}}, .cut = cut, .trace = world.trace()};
  Clip& clip = made.clip;
  FramePainter painter(scene, made.trace, Style::training);
  Bitmap picture(format.pixels, format.pixels);
  Mask mask(format.pixels, format.pixels);
  for (int t = 0; t < format.frames; ++t) {
    // Nothing moves once the shot has ended.
    const std::size_t step = std::min(static_cast<std::size_t>(cut.first_step + t * format.stride),
                                      made.trace.frames.size() - 1);
    painter.paint(made.trace.frames[step], cut.view, picture);
    clip.rgb.insert(clip.rgb.end(), picture.rgb.begin(), picture.rgb.end());
    if (!with_masks) continue;
    painter.paint(made.trace.frames[step], cut.view, mask);
    for (const std::uint16_t id : mask.ids)
      clip.masks.push_back(static_cast<std::uint8_t>(std::min<std::uint16_t>(id, 255)));
  }
  return made;
}

}  // namespace

void require_valid(const ClipFormat& format) {
  const auto refuse = [](const std::string& field, const std::string& found, const std::string& allowed) {
    throw Error("clip format: " + field + ": found " + found + ", allowed " + allowed);
  };
  if (format.frames < 3 || format.frames > 1000)
    refuse("frames", std::to_string(format.frames), "are 3 to 1000");
  if (format.pixels < 4 || format.pixels > 1024 || format.pixels % 4 != 0)
    refuse("pixels", std::to_string(format.pixels), "are multiples of 4 from 4 to 1024");
  if (format.stride < 1 || format.stride > 1000)
    refuse("stride", std::to_string(format.stride), "are 1 to 1000 steps");
  if (format.lead < 0 || format.lead >= format.frames)
    refuse("lead", std::to_string(format.lead),
           "are 0 to " + std::to_string(format.frames - 1) + ", one less than frames");
  if (!(format.view >= 0.1 && format.view <= 1000))
    refuse("view", std::to_string(format.view), "are 0.1 to 1000 world units");
}

View clip_view(Vec2 contact, Vec2 rest, double ground_y, const ClipFormat& format) {
  const double from_left = contact.x >= rest.x ? 1 : -1,
               lowest_centre = ground_y + (0.5 - below_ground_share) * format.view;
  return {.centre = {contact.x + from_left * (0.5 - contact_share) * format.view,
                     std::max(lowest_centre, contact.y - (highest_contact_share - 0.5) * format.view)},
          .width = format.view};
}

ShotClip make_clip(const Scene& scene, const Shot& shot, const ClipFormat& format, bool with_masks) {
  require_valid(format);
  World world = release(scene, shot);
  const BodyId objects = static_cast<BodyId>(scene.objects.size());
  std::size_t seen = 0;
  std::optional<FirstContact> contact;
  while (!contact && !world.over()) {
    world.step();
    contact = first_contact_in(world.trace(), objects, seen);
  }
  if (!contact) contact = landing(world.trace(), objects);
  const ClipCut cut = place_cut(scene, *contact, format);
  advance(world, last_step(cut, format));
  return paint_clip(scene, world, format, cut, with_masks);
}

ShotClip make_clip(const Scene& scene, const Shot& shot, const ClipFormat& format, const ClipCut& cut,
                   bool with_masks) {
  require_valid(format);
  if (cut.first_step < 0)
    throw Error("clip cut: first step: found " + std::to_string(cut.first_step) + ", allowed are 0 and more");
  World world = release(scene, shot);
  advance(world, std::max(1, last_step(cut, format)));
  return paint_clip(scene, world, format, cut, with_masks);
}

std::vector<CutShot> cut_shots(Scene scene, const std::vector<Shot>& shots, const ClipFormat& format,
                               const std::function<Scene(const Scene&)>& twin) {
  if (shots.size() > scene.birds_left())
    throw Error("shots: found " + std::to_string(shots.size()) +
                ", allowed are as many as there are birds, " + std::to_string(scene.birds_left()));
  std::vector<CutShot> all;
  for (std::size_t i = 0; i < shots.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    ShotClip normal = make_clip(scene, shots[i], format);
    all.push_back({number, false, normal.cut.first_step, std::move(normal.clip)});
    if (twin)
      all.push_back(
          {number, true, normal.cut.first_step, make_clip(twin(scene), shots[i], format, normal.cut).clip});
    if (i + 1 < shots.size()) scene = run_shot(scene, shots[i]).scene;
  }
  return all;
}

}  // namespace startle
