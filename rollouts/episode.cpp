#include "rollouts/episode.hpp"

#include <zlib.h>

#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

#include "core/hash.hpp"
#include "core/random.hpp"
#include "reasoning/qualitative/support.hpp"
#include "render/frames.hpp"
#include "sim/world.hpp"

namespace startle {
namespace {

constexpr int picture_deflate_level = 1;

std::string deflated(const void* bytes, std::size_t count) {
  uLongf size = compressBound(static_cast<uLong>(count));
  std::string stream(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(stream.data()), &size, static_cast<const Bytef*>(bytes),
                static_cast<uLong>(count), picture_deflate_level) != Z_OK)
    throw std::runtime_error("zlib: a picture could not be deflated");
  stream.resize(size);
  return stream;
}

/// The world from edge to edge, the ground near the lower border: what agents get as a picture.
View level_view(const Scene& scene, const RolloutRecording& recording) {
  View view{.centre = {0, 0}, .width = 2 * scene.half_width};
  view.centre.y = scene.profile->ground_y + view.width * (0.5 * recording.height / recording.width - 0.05);
  return view;
}

template <typename Rows>
std::int64_t count(const Rows& rows) {
  return static_cast<std::int64_t>(rows.size());
}

/// Writes the shots of one episode.
class EpisodeRecorder {
 public:
  EpisodeRecorder(const Scene& start, const RolloutRecording& recording)
      : recording_(recording), scene_(start), objects_(start.objects.size()) {
    const World world(start, {.record_motion = true});
    gravity_ = world.trace().gravity;
    for (std::size_t i = 0; i < objects_; ++i) add_object(start.objects[i], world.trace().masses, i);
    for (const BodyState& body : world.frame().bodies) {  // to the engine's bits, as in states
      BodyRow& row = tables_.bodies[static_cast<std::size_t>(body.id)];
      row.x = body.pose.position.x;
      row.y = body.pose.position.y;
      row.angle = body.pose.angle;
    }
    if (recording.width > 0) view_ = level_view(start, recording);
  }

  void add_shot(const TrialShot& flown) {
    const auto& [before, played, trace] = flown;
    scene_ = before;
    const auto shot = static_cast<std::int16_t>(tables_.shots.size());
    ShotRow row{.angle = played.shot.angle,
                .stretch = played.shot.stretch,
                .tap_time = played.shot.tap_time,
                .likelihood = played.novelty,
                .score = trace.score,
                .steps = trace.steps,
                .pigs_killed = trace.pigs_killed,
                .blocks_destroyed = trace.blocks_destroyed,
                .hash = trace.hash,
                .first_frame = count(tables_.frames),
                .frames = count(trace.frames),
                .first_event = count(tables_.events),
                .events = count(trace.events)};
    put_text(row.bird, scene_.bird().type, "bird");
    put_text(row.end, name(trace.end), "end");
    tables_.shots.push_back(row);
    for (const Event& event : trace.events) add_event(event, shot, trace);
    add_frames(trace);
    flyers_before_ = tables_.bodies.size() - objects_;
  }

  RolloutTables finish(const PlayedLevel& played) {
    EpisodeRow row{.solved = played.solved,
                   .birds = played.birds,
                   .score = played.score,
                   .slingshot_x = scene_.slingshot.x,
                   .slingshot_y = scene_.slingshot.y,
                   .ground_y = scene_.profile->ground_y,
                   .half_width = scene_.half_width,
                   .gravity_x = gravity_.x,
                   .gravity_y = gravity_.y,
                   .step_s = scene_.profile->step,
                   .bodies = count(tables_.bodies),
                   .shots = count(tables_.shots)};
    if (view_) {
      row.view_x = view_->centre.x;
      row.view_y = view_->centre.y;
      row.view_width = view_->width;
    }
    tables_.episodes.push_back(row);
    return std::move(tables_);
  }

 private:
  /// Id within the episode of a body of the trace.
  std::int16_t id(BodyId body) const {
    const bool flies = body >= 0 && static_cast<std::size_t>(body) >= objects_;
    return static_cast<std::int16_t>(body + (flies ? static_cast<int>(flyers_before_) : 0));
  }

  static void put_mass(BodyRow& row, const BodyMass& mass) {
    row.mass = mass.mass;
    row.inertia = mass.inertia;
    row.centre_x = mass.centre.x;
    row.centre_y = mass.centre.y;
  }

  void add_body(BodyRow row, const std::string& type, const Shape& shape, const Parameters& parameters) {
    put_text(row.type, type, "type");
    row.id = static_cast<std::int16_t>(tables_.bodies.size());
    row.width = bounds(shape).width();
    row.height = bounds(shape).height();
    row.friction = parameters.friction;
    row.restitution = parameters.restitution;
    row.life = parameters.life;
    row.defence = parameters.defence;
    row.gravity_scale = parameters.gravity_scale;
    row.linear_damping = parameters.linear_damping;
    row.angular_damping = parameters.angular_damping;
    tables_.bodies.push_back(row);
  }

  void add_object(const SceneObject& object, const std::vector<BodyMass>& masses, std::size_t index) {
    BodyRow row{.kind = static_cast<std::uint8_t>(object.kind),
                .material = static_cast<std::uint8_t>(object.material),
                .fixed = object.is_static(),
                .novel = object.novel};
    if (index < masses.size()) put_mass(row, masses[index]);  // there are none where nothing can move
    add_body(row, object.type, *object.shape, object.parameters);
  }

  /// A bird, a child or an egg.
  void add_flyer(const Event& event, std::int16_t shot, const BodyMass& mass) {
    const BirdType& bird = scene_.bird();
    const bool egg = event.kind == EventKind::spawn && bird.power.kind == PowerKind::egg;
    BodyRow row{.shot = shot,
                .kind = static_cast<std::uint8_t>(egg ? Kind::egg : Kind::bird),
                .x = event.position.x,
                .y = event.position.y};
    put_mass(row, mass);
    if (const ObjectType* type = egg ? scene_.profile->find(Kind::egg, "Egg") : nullptr)
      add_body(row, type->type, *type->shape, type->parameters);
    else
      add_body(row, bird.type, *bird.shape, bird.parameters);
  }

  void add_event(const Event& event, std::int16_t shot, const Trace& trace) {
    if (event.kind == EventKind::launch || event.kind == EventKind::spawn)
      add_flyer(event, shot, trace.masses[static_cast<std::size_t>(event.a)]);
    tables_.events.push_back({.step = event.step,
                              .kind = static_cast<std::uint8_t>(event.kind),
                              .a = id(event.a),
                              .b = id(event.b),
                              .value = event.value,
                              .x = event.position.x,
                              .y = event.position.y});
  }

  void add_frames(const Trace& trace) {
    std::optional<FramePainter> painter;
    if (view_) painter.emplace(scene_, trace, Style::training);
    Scene moving = scene_;
    std::vector<SupportRow> supports;
    for (const Frame& frame : trace.frames) {
      FrameRow row{.step = frame.step,
                   .first_state = count(tables_.states),
                   .first_contact = count(tables_.contacts),
                   .contacts = count(frame.contacts),
                   .first_support = count(tables_.supports)};
      for (const BodyState& body : frame.bodies) add_state(body, trace, row);
      for (const ContactImpulse& contact : frame.contacts)
        tables_.contacts.push_back({.a = id(contact.a),
                                    .b = id(contact.b),
                                    .impulse_x = static_cast<float>(contact.impulse.x),
                                    .impulse_y = static_cast<float>(contact.impulse.y),
                                    .normal = static_cast<float>(contact.normal),
                                    .x = static_cast<float>(contact.position.x),
                                    .y = static_cast<float>(contact.position.y)});
      // The relation depends on where objects are alone.
      if (follow(moving, frame) || frame.step == 0) supports = support_edges(moving);
      tables_.supports.insert(tables_.supports.end(), supports.begin(), supports.end());
      row.states = count(tables_.states) - row.first_state;
      row.supports = count(supports);
      tables_.frames.push_back(row);
      if (painter) paint(*painter, frame);
    }
  }

  void add_state(const BodyState& body, const Trace& trace, FrameRow& frame) {
    const auto index = static_cast<std::size_t>(body.id);
    const BodyMass& mass = trace.masses[index];
    if (!(mass.mass > 0)) return;  // it never moves
    tables_.states.push_back({.body = id(body.id),
                              .x = static_cast<float>(body.pose.position.x),
                              .y = static_cast<float>(body.pose.position.y),
                              .angle = static_cast<float>(body.pose.angle),
                              .velocity_x = static_cast<float>(body.velocity.x),
                              .velocity_y = static_cast<float>(body.velocity.y),
                              .angular_velocity = static_cast<float>(body.angular_velocity),
                              .life = body.life});
    frame.kinetic += 0.5 * (mass.mass * dot(body.velocity, body.velocity) +
                            mass.inertia * body.angular_velocity * body.angular_velocity);
    const Vec2 foot{scene_.slingshot.x, scene_.profile->ground_y};
    const Vec2 place = transformed(mass.centre, body.pose) - foot;
    frame.potential -= mass.mass * mass.gravity_scale * dot(trace.gravity, place);
  }

  /// Puts the objects where they are in the frame; false where none moved or died.
  bool follow(Scene& scene, const Frame& frame) const {
    bool changed = false;
    std::size_t next = 0;
    for (std::size_t i = 0; i < objects_; ++i) {
      SceneObject& object = scene.objects[i];
      while (next < frame.bodies.size() && static_cast<std::size_t>(frame.bodies[next].id) < i) ++next;
      const bool alive = next < frame.bodies.size() && static_cast<std::size_t>(frame.bodies[next].id) == i;
      changed |= alive != object.alive;
      object.alive = alive;
      if (!alive) continue;
      const Pose& pose = frame.bodies[next].pose;
      changed |= pose.position != object.pose.position || pose.angle != object.pose.angle;
      object.pose = pose;
    }
    return changed;
  }

  static std::vector<SupportRow> support_edges(const Scene& scene) {
    std::vector<SupportRow> edges;
    for (const Support& support : support_graph(scene).edges)
      edges.push_back({.lower = support.lower == ground_index ? std::int16_t{-1}
                                                              : static_cast<std::int16_t>(support.lower),
                       .upper = static_cast<std::int16_t>(support.upper)});
    return edges;
  }

  void paint(FramePainter& painter, const Frame& frame) {
    Bitmap picture(recording_.width, recording_.height);
    painter.paint(frame, *view_, picture);
    tables_.pictures.push_back(deflated(picture.rgb.data(), picture.rgb.size()));
    if (!recording_.masks) return;
    Mask mask(recording_.width, recording_.height);
    painter.paint(frame, *view_, mask);
    std::vector<unsigned char> bytes;  // little-endian on every machine
    bytes.reserve(2 * mask.ids.size());
    for (const std::uint16_t seen : mask.ids) {
      const int number = seen < 2 ? seen : 2 + id(seen - 2);
      bytes.push_back(static_cast<unsigned char>(number & 255));
      bytes.push_back(static_cast<unsigned char>(number >> 8));
    }
    tables_.masks.push_back(deflated(bytes.data(), bytes.size()));
  }

  RolloutRecording recording_;
  Scene scene_;  ///< at the start of the shot
  std::size_t objects_;
  std::size_t flyers_before_ = 0;  ///< birds and eggs of the former shots
  std::optional<View> view_;
  Vec2 gravity_;
  RolloutTables tables_;
};

}  // namespace

WorldOptions world_options(const RolloutRecording& recording) {
  return {.record_every = recording.every, .record_events = true, .record_motion = true};
}

RolloutTables record_episode(const Scene& start, const std::vector<TrialShot>& shots,
                             const PlayedLevel& played, const RolloutRecording& recording) {
  EpisodeRecorder recorder(start, recording);
  for (const TrialShot& shot : shots) recorder.add_shot(shot);
  return recorder.finish(played);
}

RolloutTables play_episode(const RolloutLevel& level, const EpisodePlan& plan, const AgentSpec& agent,
                           std::uint64_t seed, const RolloutRecording& recording) {
  const PlayableLevel& playable = level.playable;
  TrialPlan trial{
      .unit = playable.name,
      .world = plan.novel ? "novel" : "normal",
      .trial = plan.trial,
      .novelty = playable.novelty,
      .tier = playable.tier,
      .seed = stream_seed(seed, "rollouts/" + playable.name, static_cast<std::uint64_t>(plan.trial))};
  trial.levels.push_back({0, plan.novel});
  TrialRecorder recorder{.recording = world_options(recording)};
  const TrialResult result = run_trial(agent, trial, {playable}, {.limits = {}, .recorder = &recorder});
  RolloutTables tables = record_episode(plan.novel ? playable.novel : playable.normal, recorder.shots,
                                        result.levels.front(), recording);
  EpisodeRow& row = tables.episodes.front();
  put_text(row.level, playable.name, "level");
  put_text(row.set, level.set, "set");
  put_text(row.agent, agent.name, "agent");
  put_text(row.level_hash, hexadecimal(playable.hash), "hash");
  put_text(row.status, name(result.status), "status");
  put_text(row.novelty, playable.novelty, "novelty");
  put_text(row.tier, playable.tier, "tier");
  row.novel = plan.novel;
  row.trial = plan.trial;
  row.seed = trial.seed;
  return tables;
}

}  // namespace startle
