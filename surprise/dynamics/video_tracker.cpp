#include "surprise/dynamics/video_tracker.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "core/error.hpp"
#include "reasoning/qualitative/trajectory.hpp"
#include "sim/steps.hpp"
#include "surprise/dynamics/appearance.hpp"

namespace startle {
namespace {

// As surely_like, for birds; and by less it is the body, if it is nowhere else.
constexpr double surely_like_birds = 8, like = 13;
constexpr int unexplained_by = 24;  // grey levels of a channel: a pixel that is none of what was found

constexpr double beside = 0.17, near_by = 0.3;  // world units: how far off a body is looked for downhill; and
                                                // first of all, where something is left
constexpr double flying = 1;                    // m/s: what moved faster is taken to fall
// pictures in which a body is looked for in vain before it is given up
constexpr int patience = 3, patience_for_birds = 8, patience_at_first = 25;

constexpr std::size_t most_fits = 8;                // of one search
constexpr int fewest_samples = 6;                   // of a glance
constexpr int fewest_turns = 16, most_turns = 128;  // of a search, all about: so many that the farthest texel
                                                    // goes on by `turn_by` pixels
constexpr double turn_by = 5;

constexpr double surprising = 3;  // pixels from where it should be: may be another one of its kind
constexpr double unmoved = 0.05;  // pixels
constexpr double a_pixel_off = 0.3, worth = 0.01;  // grey levels of difference: that weigh as much, of two of
                                                   // a kind; that taking one for the other must gain

}  // namespace

struct VideoTracker::Impl {
  /// What is known of a body before the first picture.
  struct BodyModel {
    Appearance frame;
    Vec2 centre;           // of mass, in the body's frame
    double thickness = 0;  // pixels, the shorter side of its box
    std::size_t kind = 0;  // those of one kind look much the same
    bool bird = false;
    double fall = 0;         // pixels a frame^2, downwards
    std::size_t parent = 0;  // children of a bird: whose
    double turned = 0;       // and into which direction off its, rad
    std::size_t born = 0;    // frame from which on it may be there
  };
  /// What is known of a body from the pictures so far.
  struct Track {
    bool found = false;           // in any picture
    bool gone = false;            // not looked for, or no longer
    PicturePose last;             // where it was seen last
    PicturePose place;            // the same, or where it should be by now
    Vec2 speed;                   // pixels a frame
    double turning = 0;           // rad a frame
    int unseen = 0, missing = 0;  // frames on end, and those of them in which it should be in the picture
    double difference = 0;        // as Match::difference, when it was last found by looking
    std::vector<std::optional<PicturePose>> seen;  // by frame
  };
  /// What is known of it from this picture.
  struct Sighting {
    std::optional<PicturePose> now;
    Match perhaps;  // where it is if nothing else is there
  };
  struct Body : BodyModel, Track, Sighting {};

  VideoCamera camera;
  int stride = 2;
  double step_s = 0.02;
  double scale = 1;  // pixels a world unit
  std::vector<Body> bodies;
  Bitmap before;  // the picture before
  std::optional<FramePainter> painter;
  std::vector<BodyState> standing;  // what never moves
  Bitmap explained;                 // what was found, painted
  std::vector<std::uint8_t> left;   // 1 a pixel that is none of what was found
  std::vector<int> left_sums;
  std::size_t frames = 0;

  Vec2 to_pixels(Vec2 p) const {
    return {0.5 * camera.width + scale * (p.x - camera.view.centre.x),
            0.5 * camera.height - scale * (p.y - camera.view.centre.y)};
  }
  Vec2 to_world(Vec2 p) const {
    return {camera.view.centre.x + (p.x - 0.5 * camera.width) / scale,
            camera.view.centre.y - (p.y - 0.5 * camera.height) / scale};
  }

  void add(const Artwork& artwork, const Shape& shape, const Pose& pose) {
    Body body;
    body.frame = appearance_of(artwork, shape.centroid, scale);
    body.centre = shape.centroid;
    body.last = body.place = {to_pixels(transformed(shape.centroid, pose)), pose.angle};
    const Bounds box = bounds(shape);
    body.thickness = scale * std::min(box.width(), box.height());
    bodies.push_back(std::move(body));
  }

  /// Whether the two last pictures are the same where it was.
  bool unchanged(const Body& body, const Bitmap& picture) const {
    if (before.rgb.empty()) return false;
    const int x0 = std::max(0, static_cast<int>(body.place.at.x - body.frame.reach)),
              x1 = std::min(picture.width, static_cast<int>(body.place.at.x + body.frame.reach) + 1);
    const int y0 = std::max(0, static_cast<int>(body.place.at.y - body.frame.reach)),
              y1 = std::min(picture.height, static_cast<int>(body.place.at.y + body.frame.reach) + 1);
    if (x0 >= x1 || y0 >= y1) return false;
    for (int y = y0; y < y1; ++y) {
      const std::size_t from = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                                    static_cast<std::size_t>(x0)),
                        bytes = 3 * static_cast<std::size_t>(x1 - x0);
      if (!std::equal(picture.rgb.data() + from, picture.rgb.data() + from + bytes, before.rgb.data() + from))
        return false;
    }
    return true;
  }

  /// In the picture with all of it: what is cut off by the border is not measured well.
  bool whole(const BodyModel& body, const PicturePose& p) const {
    const double r = body.frame.reach;
    return p.at.x >= r && p.at.y >= r && p.at.x <= camera.width - r && p.at.y <= camera.height - r;
  }

  bool good(const BodyModel& body, const Match& m) const {
    return m.difference < like && m.pixels * 2 >= body.frame.area && m.alike * 2 > m.pixels &&
           whole(body, m.place);
  }
  double sure(const BodyModel& body) const { return body.bird ? surely_like_birds : surely_like; }

  /// What in the picture is none of what was found: 1 a pixel.
  void see_what_is_left(const Bitmap& picture) {
    Frame frame{.step = static_cast<int>(frames) * stride, .bodies = standing};
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (const Body& body = bodies[i]; body.now)
        frame.bodies.push_back(
            {static_cast<BodyId>(i),
             {to_world(body.now->at) - transformed(body.centre, {{}, body.now->angle}), body.now->angle},
             1});
    painter->paint(frame, camera.view, explained);
    for (std::size_t i = 0; i < left.size(); ++i) {
      int most = 0;
      for (std::size_t c = 0; c < 3; ++c)
        most = std::max(most, std::abs(picture.rgb[3 * i + c] - explained.rgb[3 * i + c]));
      left[i] = most > unexplained_by;
    }
    // Sums from the upper left corner, for left_about().
    for (int y = 0; y < camera.height; ++y) {
      int row = 0;
      for (int x = 0; x < camera.width; ++x) {
        const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(camera.width) +
                              static_cast<std::size_t>(x);
        row += left[i];
        left_sums[i] = row + (y > 0 ? left_sums[i - static_cast<std::size_t>(camera.width)] : 0);
      }
    }
  }

  /// How many pixels were left, when it was last looked, in the square about a place.
  int left_about(int x, int y, int half) const {
    const auto sum = [&](int to_x, int to_y) {
      return to_x < 0 || to_y < 0
                 ? 0
                 : left_sums[static_cast<std::size_t>(to_y) * static_cast<std::size_t>(camera.width) +
                             static_cast<std::size_t>(to_x)];
    };
    const int x0 = std::max(0, x - half) - 1, x1 = std::min(camera.width - 1, x + half),
              y0 = std::max(0, y - half) - 1, y1 = std::min(camera.height - 1, y + half);
    return sum(x1, y1) - sum(x0, y1) - sum(x1, y0) + sum(x0, y0);
  }

  /// Whether most of what would be it is left.
  bool unclaimed(const BodyModel& body, const Bitmap& picture, const Match& match) const {
    int pixels = 0, free = 0;
    for_each_pixel(body.frame, picture, match.place,
                   [&](const std::uint8_t* seen, const float*, float, float, Vec2) {
                     ++pixels;
                     free += left[static_cast<std::size_t>(seen - picture.rgb.data()) / 3];
                   });
    return 2 * free > pixels;
  }

  /// How unlike it is, compared with samples; what is not left counts as odd. Given up where it is nothing
  /// like it: infinite then.
  double glance(const Appearance& a, const Bitmap& picture, const PicturePose& pose) const {
    const Vec2 turn = direction(pose.angle);
    double cost = 0;
    int seen = 0;
    for (const Appearance::Sample& sample : a.samples) {
      const double x = std::floor(pose.at.x + turn.x * sample.at.x + turn.y * sample.at.y),
                   y = std::floor(pose.at.y - turn.y * sample.at.x + turn.x * sample.at.y);
      if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) continue;
      const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                            static_cast<std::size_t>(x);
      for (std::size_t c = 0; c < 3; ++c) {
        const double r = static_cast<double>(picture.rgb[3 * i + c]) - static_cast<double>(sample.rgb[c]);
        cost += left[i] ? r * r / (1 + r * r / (odd_pixel * odd_pixel)) : odd_pixel * odd_pixel;
      }
      if (++seen >= fewest_samples && cost > 3 * hardly_like * hardly_like * seen)
        return std::numeric_limits<double>::infinity();
    }
    return seen >= fewest_samples ? std::sqrt(cost / (3 * seen)) : std::numeric_limits<double>::infinity();
  }

  /// The most like it of all places within `radius` that are not explained otherwise, by glances first.
  Match search(const BodyModel& body, const Bitmap& picture, const PicturePose& about, int radius,
               int every) const {
    std::vector<Match> best;
    const int turns = std::clamp(static_cast<int>(2 * std::numbers::pi * body.frame.reach / turn_by),
                                 fewest_turns, most_turns);
    const int x0 = std::max(0, static_cast<int>(about.at.x) - radius),
              x1 = std::min(picture.width - 1, static_cast<int>(about.at.x) + radius);
    const int y0 = std::max(0, static_cast<int>(about.at.y) - radius),
              y1 = std::min(picture.height - 1, static_cast<int>(about.at.y) + radius);
    for (int y = y0; y <= y1; y += every)
      for (int x = x0; x <= x1; x += every) {
        if (!left[static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                  static_cast<std::size_t>(x)])
          continue;
        if (2 * left_about(x, y, static_cast<int>(body.frame.reach)) < body.frame.area) continue;
        for (int n = 0; n < turns; ++n) {
          const PicturePose place{{x + 0.5, y + 0.5},
                                  about.angle + 2 * std::numbers::pi / turns * (n - turns / 2)};
          if (const double difference = glance(body.frame, picture, place); difference < hardly_like)
            best.push_back({.place = place, .difference = difference});
        }
      }
    const std::size_t keep = std::min(most_fits, best.size());
    std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(keep), best.end(),
                      [](const Match& a, const Match& b) { return a.difference < b.difference; });
    Match found;
    for (std::size_t i = 0; i < keep; ++i) {
      const Match m = fitted(body.frame, picture, best[i].place);
      if (good(body, m) && m.difference < found.difference && unclaimed(body, picture, m)) found = m;
      if (found.difference < sure(body)) break;
    }
    return found;
  }

  /// The most like it of all that is left, about where it should be if anything is there.
  Match search(const Body& body, const Bitmap& picture) const {
    Match found = unclaimed(body, picture, body.perhaps) ? body.perhaps : Match{};
    if (found.difference < sure(body)) return found;
    for (const auto& [radius, every] :
         {std::pair{static_cast<int>(near_by * scale), 1}, std::pair{camera.width, 2}}) {
      const Match there = search(body, picture, gone_on(body), radius, every);
      if (there.difference < found.difference) found = there;
      if (found.difference < sure(body)) break;
    }
    return found;
  }

  /// Where it should be by now, had nothing met it.
  PicturePose gone_on(const Body& body) const {
    PicturePose next{body.place.at + body.speed, body.place.angle + body.turning};
    if (length(body.speed) > flying * scale * stride * step_s || body.unseen > 0) next.at.y += body.fall;
    return next;
  }

  /// Looks for it where it should be, and where it was.
  void look_near(Body& body, const Bitmap& picture) {
    body.now.reset();
    body.perhaps = {};
    if (body.gone) return;
    if (body.found && body.unseen == 0 && !body.seen.empty() && unchanged(body, picture)) {
      body.now = body.place;
      return;
    }
    for (const PicturePose& start : {gone_on(body), body.place}) {
      const Match m = fitted(body.frame, picture, start);
      if (good(body, m) && m.difference < body.perhaps.difference &&
          length(m.place.at - start.at) < beside * scale)
        body.perhaps = m;
      if (body.perhaps.difference < sure(body)) {
        found_at(body, body.perhaps);
        return;
      }
    }
  }

  /// The less, the more likely that this is it and none of its kind.
  double oddity(const Body& body, const Match& match) const {
    return match.difference + a_pixel_off * length(match.place.at - gone_on(body).at);
  }

  /// Of two that were found in one place, the odder one was not.
  void one_body_a_place() {
    for (Body& a : bodies)
      for (Body& b : bodies)
        if (&a != &b && a.now && b.now &&
            length(a.now->at - b.now->at) < 0.5 * std::min(a.thickness, b.thickness))
          (oddity(a, {*a.now, a.difference}) > oddity(b, {*b.now, b.difference}) ? a : b).now.reset();
  }

  /// How like a body is to what is seen where another one was found.
  Match instead(const BodyModel& body, const Bitmap& picture, const PicturePose& there) const {
    const Match m = fitted(body.frame, picture, there);
    return good(body, m) && length(m.place.at - there.at) < 0.5 * body.thickness ? m : Match{};
  }

  /// Where two of a kind could each be the other, or one that is missing could be one that was found, the
  /// likelier of both.
  void distinguish(const Bitmap& picture) {
    bool again = true;
    for (std::size_t round = 0; again && round < bodies.size(); ++round) {
      again = false;
      for (Body& a : bodies) {
        if (!a.now || length(a.now->at - gone_on(a).at) < surprising) continue;
        for (Body& b : bodies) {
          if (&a == &b || a.kind != b.kind || b.gone || !a.now) continue;
          if (b.now && length(b.now->at - b.place.at) < unmoved &&
              length(b.now->at - gone_on(b).at) < unmoved)
            continue;
          const Match as_is = fitted(a.frame, picture, *a.now), b_there = instead(b, picture, *a.now);
          if (!b.now) {
            if (oddity(b, b_there) >= oddity(a, as_is) - worth) continue;
            found_at(b, b_there);
            a.now.reset();
          } else {
            const Match b_as_is = fitted(b.frame, picture, *b.now), a_there = instead(a, picture, *b.now);
            if (oddity(b, b_there) + oddity(a, a_there) >= oddity(a, as_is) + oddity(b, b_as_is) - worth)
              continue;
            found_at(b, b_there);
            found_at(a, a_there);
          }
          again = true;
        }
      }
    }
  }

  /// Turned as little as that can be.
  void found_at(Body& body, const Match& match) {
    body.now = match.place;
    body.difference = match.difference;
    const double whole_turns = std::round((gone_on(body).angle - match.place.angle) / (2 * std::numbers::pi));
    body.now->angle += 2 * std::numbers::pi * whole_turns;
  }

  /// Looks for those that were not found wherever something is left that none of the others is, the most like
  /// itself first.
  void look_around(const Bitmap& picture) {
    std::vector<Body*> missing;
    for (Body& body : bodies)
      if (!body.gone && !body.now && whole(body, gone_on(body))) missing.push_back(&body);
    if (missing.empty()) return;
    see_what_is_left(picture);
    for (Body* body : missing) body->perhaps = search(*body, picture);
    while (!missing.empty()) {
      Body* best = nullptr;
      for (Body* body : missing) {
        if (body->perhaps.difference < like && !unclaimed(*body, picture, body->perhaps))
          body->perhaps = search(*body, picture);
        if (body->perhaps.difference < like && (!best || body->perhaps.difference < best->perhaps.difference))
          best = body;
      }
      if (!best) return;
      found_at(*best, best->perhaps);
      for_each_pixel(best->frame, picture, best->perhaps.place,
                     [&](const std::uint8_t* seen, const float*, float, float, Vec2) {
                       left[static_cast<std::size_t>(seen - picture.rgb.data()) / 3] = 0;
                     });
      std::erase(missing, best);
    }
  }

  void remember(Body& body) {
    body.seen.push_back(body.now);
    if (body.gone) return;
    if (body.now) {
      if (body.found) {
        const int elapsed = body.unseen + 1;
        body.speed = (1.0 / elapsed) * (body.now->at - body.last.at);
        body.turning = (body.now->angle - body.last.angle) / elapsed;
        for (int k = 1; k < elapsed; ++k) {  // it was there all the while
          const double share = static_cast<double>(k) / elapsed;
          body.seen[body.seen.size() - 1 - static_cast<std::size_t>(elapsed - k)] = PicturePose{
              body.last.at + share * (body.now->at - body.last.at),
              body.last.angle + share * (body.now->angle - body.last.angle)};
        }
        if (body.unseen > 0) body.speed.y += 0.5 * elapsed * body.fall;
      } else {
        body.speed = gone_on(body).at - body.place.at;
      }
      body.found = true;
      body.last = body.place = *body.now;
      body.unseen = body.missing = 0;
      return;
    }
    const PicturePose next = gone_on(body);
    ++body.unseen;
    if (whole(body, next)) ++body.missing;
    body.speed = next.at - body.place.at;
    body.place = next;
    body.gone = body.missing > (!body.found ? patience_at_first : body.bird ? patience_for_birds : patience);
  }

  /// It leaves the bird as the tap turns it.
  void come_out(Body& child) {
    const Body& bird = bodies[child.parent];
    const Vec2 turn = direction(child.turned);
    child.gone = false;
    child.place = child.last = bird.place;
    child.turning = bird.turning;
    child.speed = {turn.x * bird.speed.x + turn.y * bird.speed.y,
                   turn.x * bird.speed.y - turn.y * bird.speed.x};  // y is down
  }

  void frame(const Bitmap& picture) {
    for (Body& body : bodies)
      if (body.born > 0 && body.born == frames && !bodies[body.parent].gone) come_out(body);
    for (Body& body : bodies) look_near(body, picture);
    one_body_a_place();
    look_around(picture);
    distinguish(picture);
    one_body_a_place();
    for (Body& body : bodies) remember(body);
    before = picture;
    ++frames;
  }
};

VideoCamera video_camera(const Scene& before) {
  VideoCamera camera;
  camera.view = whole_view(before, {}, camera.width, camera.height);
  return camera;
}

VideoTracker::VideoTracker(const Scene& before, const Shot& shot, const VideoCamera& camera, int stride)
    : impl_(new Impl) {
  Impl& impl = *impl_;
  impl.camera = camera;
  impl.stride = stride;
  impl.step_s = before.profile->step;
  impl.scale = camera.width / camera.view.width;
  Trace silent;
  silent.step_s = impl.step_s;
  impl.painter.emplace(before, silent, Style::people);
  impl.explained = Bitmap(camera.width, camera.height);
  impl.left.resize(static_cast<std::size_t>(camera.width) * static_cast<std::size_t>(camera.height));
  impl.left_sums.resize(impl.left.size());
  const double frame = stride * impl.step_s, fall = impl.scale * frame * frame;  // of 1 m/s^2
  for (std::size_t i = 0; i < before.objects.size(); ++i) {
    const SceneObject& object = before.objects[i];
    impl.add(object_artwork(object.kind, object.type, object.material, *object.shape, i), *object.shape,
             object.pose);
    Impl::Body& body = impl.bodies.back();
    body.fall = fall * before.profile->gravity;
    body.found = true;
    body.gone = !object.alive || object.is_static();
    for (std::size_t j = 0; j <= i && body.kind == 0; ++j)
      if (const SceneObject& other = before.objects[j];
          other.kind == object.kind && other.type == object.type && other.material == object.material)
        body.kind = j + 1;
    if (object.alive && object.is_static()) impl.standing.push_back({static_cast<BodyId>(i), object.pose, 1});
  }
  if (before.birds_left() == 0) return;
  const BirdType& bird = before.bird();
  const Trajectory path = flight(before, bird, shot);
  impl.add(bird_artwork(bird), *bird.shape, {path.start - bird.centre, 0});
  Impl::Body& body = impl.bodies.back();
  body.bird = true;
  body.fall = fall * path.gravity;
  // One frame before the release, on the same parabola.
  body.speed = (impl.scale * frame) * Vec2{path.velocity.x, -path.velocity.y} - Vec2{0, 1.5 * body.fall};
  body.place.at = body.place.at - body.speed - Vec2{0, body.fall};
  body.kind = before.objects.size() + 1;
  if (shot.tap_time < 0 || bird.power.kind != PowerKind::split) return;
  const std::size_t parent = impl.bodies.size() - 1;
  const int tap_step = steps_for(std::min(shot.tap_time, latest_tap_s), impl.step_s);
  for (const double angle : bird.power.angles) {
    impl.bodies.push_back(impl.bodies[parent]);
    Impl::Body& child = impl.bodies.back();
    child.gone = true;
    child.parent = parent;
    child.turned = angle;
    child.born = static_cast<std::size_t>(tap_step / stride) + 1;
  }
}

VideoTracker::~VideoTracker() = default;

void VideoTracker::frame(const Bitmap& picture) {
  const VideoCamera& camera = impl_->camera;
  if (picture.width != camera.width || picture.height != camera.height)
    throw Error("video: picture: found " + std::to_string(picture.width) + "x" +
                std::to_string(picture.height) + " pixels, needed are the camera's " +
                std::to_string(camera.width) + "x" + std::to_string(camera.height));
  impl_->frame(picture);
}

Trace VideoTracker::trace() const {
  const Impl& impl = *impl_;
  Trace trace{.step_s = impl.step_s, .record_every = impl.stride};
  for (std::size_t k = 0; k < impl.frames; ++k) {
    Frame frame{.step = static_cast<int>(k) * impl.stride, .bodies = {}};
    for (std::size_t i = 0; i < impl.bodies.size(); ++i) {
      const Impl::Body& body = impl.bodies[i];
      if (!body.seen[k]) continue;
      const double angle = body.seen[k]->angle;
      frame.bodies.push_back(
          {static_cast<BodyId>(i),
           {impl.to_world(body.seen[k]->at) - transformed(body.centre, {{}, angle}), angle},
           1});
    }
    trace.frames.push_back(std::move(frame));
  }
  return trace;
}

Trace track_video(const Scene& before, const Shot& shot, const Trace& happened) {
  if (happened.record_every <= 0 || happened.frames.empty()) throw Error("video: the trace is not recorded");
  Trace silent;  // no events: they would be painted
  silent.step_s = happened.step_s;
  const VideoCamera camera = video_camera(before);
  FramePainter painter(before, silent, Style::people);
  VideoTracker reader(before, shot, camera, happened.record_every);
  Bitmap picture(camera.width, camera.height);
  for (const Frame& frame : happened.frames) {
    painter.paint(frame, camera.view, picture);
    reader.frame(picture);
  }
  return reader.trace();
}

}  // namespace startle
