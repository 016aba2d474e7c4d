#include "surprise/probes/probe_tuple.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "sim/shape.hpp"
#include "surprise/predictor.hpp"
#include "surprise/probes/training_scenes.hpp"
#include "surprise/surprise_score.hpp"
#include "tests/catch.hpp"
#include "tests/surprise/probes/clip_hash.hpp"

namespace startle {
namespace {

std::vector<std::uint64_t> tuple_hashes(const ProbeTuple& tuple) {
  std::vector<std::uint64_t> hashes;
  for (const auto* clips : {&tuple.possible, &tuple.impossible})
    for (const Clip& clip : *clips) hashes.push_back(clip_hash(clip));
  return hashes;
}

/// Sum over the pair of clips of the squared errors of a control.
double pair_error(Predictor& control, const std::array<Clip, 2>& clips) {
  const std::vector<Prediction> predictions = control.predict({&clips[0], &clips[1]});
  return clip_score(frame_errors(clips[0], predictions[0]), ClipScore::sum) +
         clip_score(frame_errors(clips[1], predictions[1]), ClipScore::sum);
}

constexpr std::uint64_t tuples = 6;

}  // namespace

TEST_CASE("[probes] probes: tuples of every concept have no fault") {
  for (const ProbeConcept kind : probe_concepts()) {
    for (std::uint64_t number = 0; number < tuples; ++number) {
      CAPTURE(name(kind), number);
      const ProbeTuple tuple = make_probe_tuple(kind, 3, number);
      CHECK(probe_faults(tuple).empty());
      // Seen from the beginning: the first two frames of the impossible clips are those of possible ones.
      CHECK(tuple.splices.front() >= 2);
      for (const auto* clips : {&tuple.possible, &tuple.impossible})
        for (const Clip& clip : *clips) {
          CHECK(clip.frames == 15);
          CHECK(clip.rgb.size() == 15U * 64 * 64 * 3);
          CHECK(clip.masks.size() == 15U * 64 * 64);
        }
    }
  }
}

TEST_CASE("[probes] probes: the checker sees faults") {
  const ProbeTuple good = make_probe_tuple(ProbeConcept::solidity, 3, 0);
  const auto faults_with = [&](const auto& change) {
    ProbeTuple bad = good;
    change(bad);
    return probe_faults(bad);
  };
  SECTION("a frame that no possible clip holds") {
    const auto faults = faults_with([](ProbeTuple& t) { t.impossible[0].rgb[1000] ^= 1; });
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].find("do not hold the frames") != std::string::npos);
  }
  SECTION("frames in the possible clip that simulation does not give") {
    const auto faults = faults_with([](ProbeTuple& t) { t.scenes[0].things.back().body.velocity.x += 0.5; });
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].find("not what simulation makes") != std::string::npos);
  }
  SECTION("impossible clips that are the possible ones") {
    CHECK(!faults_with([](ProbeTuple& t) { t.impossible = t.possible; }).empty());
  }
  SECTION("a thing that jumps") {
    // The frames of one clip in another order hold the same pictures, each as often; the block falls 25
    // pixels in one frame.
    const auto faults = faults_with([](ProbeTuple& t) {
      const auto size = static_cast<std::ptrdiff_t>(t.possible[0].frame_size());
      std::swap_ranges(t.impossible[0].rgb.begin() + size, t.impossible[0].rgb.begin() + 2 * size,
                       t.impossible[0].rgb.begin() + 13 * size);
      std::swap_ranges(t.impossible[0].masks.begin() + size / 3, t.impossible[0].masks.begin() + 2 * size / 3,
                       t.impossible[0].masks.begin() + 13 * size / 3);
    });
    REQUIRE(!faults.empty());
    CHECK(faults.back().find("jumps") != std::string::npos);
  }
  SECTION("a video backwards that is not possible: the ball would have to fall upwards") {
    ProbeTuple tuple = make_probe_tuple(ProbeConcept::directional_inertia, 3, 0);
    tuple.scenes[1].things[1].body.velocity.y += 1;
    REQUIRE(probe_faults(tuple).size() == 1);
    CHECK(probe_faults(tuple)[0].find("backwards") != std::string::npos);
  }
}

TEST_CASE("[probes] probes: single frames say nothing, and copying the last frame is at chance") {
  const auto copy_last = make_copy_last(), linear = make_linear_extrapolation();
  for (const ProbeConcept kind : probe_concepts()) {
    for (std::uint64_t number = 0; number < 3; ++number) {
      CAPTURE(name(kind), number);
      const ProbeTuple tuple = make_probe_tuple(kind, 4, number);
      // Any statistic of single frames, here mean and mean square of the values: the same over both pairs,
      // since both hold the same frames.
      for (const int power : {1, 2}) {
        std::array<double, 2> sums{};
        for (std::size_t k = 0; k < 2; ++k)
          for (const Clip& clip : k == 0 ? tuple.possible : tuple.impossible)
            for (const std::uint8_t byte : clip.rgb) sums[k] += power == 1 ? byte : byte * byte;
        CHECK(sums[0] == sums[1]);
      }
      CHECK(pair_error(*copy_last, tuple.impossible) ==
            Approx(pair_error(*copy_last, tuple.possible)).epsilon(1e-9));
      if (kind == ProbeConcept::directional_inertia) {
        // The turn is seen: 2 |x[t+1] - x[t-1]|^2 more than possible at the middle frame t, but for values
        // cut off at 0 and 1.
        CHECK(pair_error(*linear, tuple.impossible) > pair_error(*linear, tuple.possible));
      } else {
        CHECK(pair_error(*linear, tuple.impossible) ==
              Approx(pair_error(*linear, tuple.possible)).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("[probes] probes: tuples are functions of seed and number, on any thread") {
  std::vector<std::vector<std::uint64_t>> hashes(2 * probe_concepts().size());
  parallel_for(hashes.size(), 4, [&](std::size_t i) {
    hashes[i] = tuple_hashes(make_probe_tuple(probe_concepts()[i / 2], 5, 9));
  });
  std::set<std::uint64_t> different;
  for (std::size_t i = 0; i < hashes.size(); i += 2) {
    CHECK(hashes[i] == hashes[i + 1]);
    different.insert(hashes[i].begin(), hashes[i].end());
    different.insert(clip_hash(make_probe_tuple(probe_concepts()[i / 2], 5, 10).possible[0]));
    different.insert(clip_hash(make_probe_tuple(probe_concepts()[i / 2], 6, 9).possible[0]));
  }
  CHECK(different.size() == 6 * probe_concepts().size());
}

TEST_CASE("[probes] probes: training scenes of every kind are recorded, in pictures that differ") {
  std::set<std::uint64_t> different;
  for (const std::string& kind : event_kinds())
    for (std::uint64_t number = 0; number < 5; ++number) {
      Random random(stream_seed(1, kind, number));
      different.insert(clip_hash(record(event_scene(kind, random))));
    }
  CHECK(different.size() == 5 * event_kinds().size());
  Random random(1);
  CHECK_THROWS_WITH(event_scene("explosion", random), Catch::Contains("explosion"));
}

TEST_CASE("[probes] probes: freeform scenes hold two to four bodies in free places, of every sort") {
  std::set<std::size_t> counts, screens;
  std::set<bool> containers, curtains;
  for (std::uint64_t number = 0; number < 60; ++number) {
    CAPTURE(number);
    Random random(stream_seed(1, "freeform", number));
    const ProbeScene scene = freeform_scene(random);
    CHECK_FALSE(scene.plank);
    const bool container = !scene.things.front().body.density;
    const std::size_t first = container ? 3 : 0, in_front = scene.screens.size() - (container ? 2 : 0);
    counts.insert(scene.things.size() - first);
    screens.insert(in_front);
    containers.insert(container);
    if (in_front) curtains.insert(!scene.screens.back().lift.empty());
    for (std::size_t i = first; i < scene.things.size(); ++i) {
      const Body& body = scene.things[i].body;
      const Shape shape = transformed(body.shape, body.pose);
      CHECK(body.density > 0);
      CHECK(bounds(shape).ymin > probe_floor - 1e-9);
      for (std::size_t k = 0; k < i; ++k)
        CHECK(distance(shape, transformed(scene.things[k].body.shape, scene.things[k].body.pose)) > 0);
    }
  }
  CHECK(counts == std::set<std::size_t>{2, 3, 4});
  CHECK(screens == std::set<std::size_t>{0, 1, 2});
  CHECK(containers.size() == 2);
  CHECK(curtains.size() == 2);
}

TEST_CASE("[probes] probes: bodies of freeform scenes gain no energy and stay above the floor") {
  for (std::uint64_t number = 0; number < 60; ++number) {
    CAPTURE(number);
    Random random(stream_seed(2, "freeform", number));
    const ProbeScene scene = freeform_scene(random);
    const BodyMotion motion = simulate_things(scene);
    double before = 0, after = 0, all = 0;  // the turning is at most that of a disc around the body
    for (std::size_t i = 0; i < scene.things.size(); ++i) {
      const Body& body = scene.things[i].body;
      const double mass = body.density * body.shape.area;
      const Bounds box = bounds(body.shape);
      const double radius = std::hypot(box.width(), box.height());
      const auto energy = [&](const Pose& pose, Vec2 velocity) {
        return mass *
               (dot(velocity, velocity) / 2 + probe_gravity * transformed(body.shape.centroid, pose).y);
      };
      before += energy(body.pose, body.velocity) +
                mass * radius * radius * body.angular_velocity * body.angular_velocity / 4;
      after += energy(motion.frames.back()[i], motion.velocities[i]);
      all += mass;
      for (const std::vector<Pose>& frame : motion.frames)
        CHECK(bounds(transformed(body.shape, frame[i])).ymin > probe_floor - 0.05);
    }
    CHECK(after < before + 0.1 * all);  // as lifting all of it by a tenth of a pixel
  }
}

TEST_CASE("[probes] probes: screens of freeform scenes hide bodies and touch none") {
  for (std::uint64_t number = 0; number < 20; ++number) {
    CAPTURE(number);
    Random random(stream_seed(3, "freeform", number));
    ProbeScene scene = freeform_scene(random);
    const Clip clip = record(scene);
    const std::set<std::uint8_t> ids(clip.masks.begin(), clip.masks.end());
    CHECK(ids.size() <= 2 + 8);  // wall, floor, and what an object network has slots for
    scene.screens.clear();
    const Clip open = record(scene);
    for (std::size_t i = 0; i < clip.masks.size(); ++i) {
      if (clip.masks[i] >= screen_mask) continue;
      REQUIRE(clip.masks[i] == open.masks[i]);
    }
  }
}

}  // namespace startle
