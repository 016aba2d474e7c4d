#include "sim/probe_world.hpp"

#include <cmath>

#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "sim/shape.hpp"
#include "tests/catch.hpp"

namespace startle {
namespace {

const Body floor_body{.shape = box_shape(40, 1), .pose = {{0, -0.5}, 0}, .density = 0};

/// Thirty balls and boxes dropped over each other, and a hinged plank among them.
std::uint64_t heap_hash(std::uint64_t seed) {
  Random random(seed);
  std::vector<Body> bodies{floor_body};
  const auto box = [&] {
    // Not as arguments: compilers draw those in different orders
    const double width = random.uniform(0.3, 1), height = random.uniform(0.3, 1);
    return box_shape(width, height);
  };
  for (int i = 0; i < 30; ++i)
    bodies.push_back({.shape = i % 2 ? disc_shape(random.uniform(0.2, 0.5)) : box(),
                      .pose = {{random.uniform(-1, 1), 1 + 1.1 * i}, random.uniform(0, 1)},
                      .restitution = random.uniform(0, 0.5)});
  bodies.push_back(
      {.shape = box_shape(0.2, 2), .pose = {{3, 1}, 0}, .angular_velocity = 2, .hinge = Vec2{3, 0}});
  Hash hash;
  for (const auto& frame : simulate_bodies(bodies, {.frames = 60}).frames)
    for (const Pose& pose : frame)
      for (double v : {pose.position.x, pose.position.y, pose.angle}) hash.add(v);
  return hash.value();
}

}  // namespace

TEST_CASE("[sim] bodies: free fall, rolling and a standing hinge are what mechanics says") {
  const double speed = 6, radius = 0.3;
  const BodyOptions options;
  const BodyMotion motion = simulate_bodies(
      {floor_body,
       {.shape = disc_shape(0.2), .pose = {{-10, 20}, 0}, .velocity = {1, 0}},
       {.shape = disc_shape(radius),
        .pose = {{0, radius}, 0},
        .velocity = {speed, 0},
        .angular_velocity = -speed / radius},
       {.shape = box_shape(0.2, 2),
        .pose = {{12, 6}, 0},
        .velocity = {-3, 0},
        .angular_velocity = 3,
        .hinge = Vec2{12, 5}}},
      options);
  for (std::size_t t = 0; t < motion.frames.size(); ++t) {
    const double n = static_cast<double>(t) * options.steps_a_frame, h = options.step;
    // Velocity first, then place (symplectic Euler): y = y0 - g h^2 n(n+1)/2.
    CHECK(motion.frames[t][1].position.y == Approx(20 - 9.81 * h * h * n * (n + 1) / 2).margin(1e-3));
    CHECK(motion.frames[t][1].position.x == Approx(-10 + n * h).margin(1e-3));
    // A ball that rolls without slipping keeps its speed.
    CHECK(motion.frames[t][2].position.x == Approx(speed * n * h).margin(0.02));
    CHECK(length(motion.frames[t][3].position - Vec2{12, 5}) == Approx(1).margin(0.01));
  }
  // The hinged plank, 2 long and 0.2 wide, has the energy 1/2 (2^2/3 + 0.2^2/12) w^2 + g y a kilogramme, the
  // centre 1 from the hinge. Each step goes along the tangent and is put back on the circle, which takes a
  // share (w h)^2 of the motion: at 5 rad/s, 7 % in 168 steps.
  const double inertia = 4.0 / 3 + 0.04 / 12, speed_now = length(motion.velocities[3]);
  CHECK(std::abs(motion.frames.back()[3].angle) > 0.8);
  const double before = inertia / 2 * 9 + 9.81,
               after = inertia / 2 * speed_now * speed_now + 9.81 * std::cos(motion.frames.back()[3].angle);
  CHECK(after < before);
  CHECK(after > 0.93 * before);
}

TEST_CASE("[sim] bodies: an elastic ball leaves a wall at the angle at which it came") {
  const BodyMotion motion = simulate_bodies(
      {{.shape = box_shape(1, 10), .pose = {{5.5, 0}, 0}, .density = 0, .friction = 0, .restitution = 1},
       {.shape = disc_shape(0.3), .pose = {{2, 0}, 0}, .velocity = {7, 2}, .friction = 0, .restitution = 1}},
      {.gravity = {}});
  CHECK(motion.velocities[1].x == Approx(-7).margin(1e-3));
  CHECK(motion.velocities[1].y == Approx(2).margin(1e-3));
  // 2.7 to the wall and back: 15 frames are 14 * 12 / 240 s = 0.7 s, so 4.9 in all; a bounce may cost a step,
  // 7/240.
  CHECK(motion.frames.back()[1].position.x == Approx(4.7 - 2.2).margin(7.0 / 240 + 0.01));
}

TEST_CASE("[sim] determinism: bodies in a heap have the golden hash, on any number of threads") {
  std::vector<std::uint64_t> hashes(8);
  parallel_for(hashes.size(), 4, [&](std::size_t i) { hashes[i] = heap_hash(i % 2); });
  for (std::size_t i = 0; i < hashes.size(); ++i) CHECK(hashes[i] == hashes[i % 2]);
  CHECK(hashes[0] == 0x667d26c4eeb0304cULL);
}

}  // namespace startle
