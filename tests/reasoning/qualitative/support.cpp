#include "reasoning/qualitative/support.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/catch.hpp"
#include "tests/reasoning/scenes.hpp"

using namespace startle;

namespace {

const Support* find(const SupportGraph& graph, std::size_t lower, std::size_t upper) {
  for (const Support& s : graph.edges)
    if (s.lower == lower && s.upper == upper) return &s;
  return nullptr;
}

}  // namespace

TEST_CASE(
    "[qualitative] support: boxes rest on the ground, on each other and on platforms, with the contact's "
    "x-interval") {
  Scene scene = empty_scene();
  const auto a = add_box(scene, 0, 1, ground, ground + 1);
  const auto b = add_box(scene, 0.5, 2, ground + 1, ground + 2);
  const auto shelf = add_box(scene, 4, 6, 0, 0.5, 1, Kind::platform);
  const auto c = add_box(scene, 3.5, 4.25, 0.5, 1);
  const SupportGraph graph = support_graph(scene);
  REQUIRE(graph.edges.size() == 3);
  const Support* ab = find(graph, a, b);
  REQUIRE(ab);
  CHECK(ab->contact.start == Approx(0.5));
  CHECK(ab->contact.end == Approx(1));
  CHECK(ab->kind == SupporterClass::left);  // b's centre is 1.25
  const Support* ga = find(graph, ground_index, a);
  REQUIRE(ga);
  CHECK(ga->contact.start == Approx(0));
  CHECK(ga->contact.end == Approx(1));
  CHECK(ga->kind == SupporterClass::centre);
  REQUIRE(find(graph, shelf, c));
  CHECK(find(graph, shelf, c)->kind == SupporterClass::right);  // [4, 4.25] right of the centre 3.875
  CHECK(graph.supporters[b] == std::vector<std::size_t>{static_cast<std::size_t>(ab - graph.edges.data())});
  CHECK(graph.supportees[a].size() == 1);
  CHECK(graph.supporters[shelf].empty());
}

TEST_CASE(
    "[qualitative] support: a gap up to the tolerance is a contact, a wider one is not, and neither is a "
    "side "
    "by side contact") {
  for (double gap : {-0.02, 0.0, 0.029, 0.031, 0.2}) {
    Scene scene = empty_scene();
    add_box(scene, 0, 1, ground, ground + 1);
    add_box(scene, 0, 1, ground + 1 + gap, ground + 2 + gap);
    INFO("gap " << gap);
    CHECK((support_graph(scene).edges.size() == 2) == (gap <= contact_tolerance));
  }
  Scene beside = empty_scene();
  add_box(beside, 0, 1, ground, ground + 1);
  add_box(beside, 1, 2, ground, ground + 1);
  for (const Support& s : support_graph(beside).edges) CHECK(s.lower == ground_index);
}

TEST_CASE("[qualitative] support: dead objects neither support nor are supported") {
  Scene scene = empty_scene();
  const auto a = add_box(scene, 0, 1, ground, ground + 1);
  add_box(scene, 0, 1, ground + 1, ground + 2);
  scene.objects[a].alive = false;
  CHECK(support_graph(scene).edges.empty());
}

TEST_CASE(
    "[qualitative] support: a block turned by 45 degrees stands on its corner and carries nothing on its "
    "slopes' far side") {
  Scene scene = empty_scene();
  // A unit square on its corner: half diagonal 0.7071. It touches the ground in a point, under its centre.
  const auto a = add(scene, Kind::block, box_shape(1, 1), {0, ground + std::sqrt(0.5)}, radians(45));
  const SupportGraph graph = support_graph(scene);
  const Support* s = find(graph, ground_index, a);
  REQUIRE(s);
  // The border rises at 45 degrees, so the part within half the tolerance of the lowest point is 0.015 wide
  // each way.
  CHECK(s->contact.start == Approx(-0.015).margin(1e-5));
  CHECK(s->contact.end == Approx(0.015).margin(1e-5));
  CHECK(s->kind == SupporterClass::centre);
}

TEST_CASE("[qualitative] support: a tilted plank leaning on a post touches it at the post's corner") {
  // Plank 3 x 0.2 at 30 degrees; its lower face passes through the post's upper left corner (2, h).
  Scene scene = empty_scene();
  const Vec2 d = direction(radians(30)), n{-d.y, d.x};
  const auto plank = add(scene, Kind::block, box_shape(3, 0.2), {0, 0}, radians(30));
  // Lowest corner: centre - 1.5 d - 0.1 n; put it on the ground.
  scene.objects[plank].pose.position.y = ground + 1.5 * d.y + 0.1 * n.y;
  const Vec2 centre = scene.objects[plank].pose.position;
  const Vec2 on_face = centre + 1.0 * d - 0.1 * n;  // a point of the lower face
  const auto post = add_box(scene, on_face.x, on_face.x + 0.5, ground, on_face.y);
  const SupportGraph graph = support_graph(scene);
  const Support* s = find(graph, post, plank);
  REQUIRE(s);
  CHECK(s->contact.start == Approx(on_face.x).margin(1e-6));
  // The post's top falls away from the face by sin 30 per unit of length: 0.015 / 0.5 = 0.03.
  CHECK(s->contact.end == Approx(on_face.x + 0.03).margin(1e-4));
  CHECK(find(graph, ground_index, plank));
  CHECK_FALSE(find(graph, plank, post));
}

TEST_CASE("[qualitative] support: a contact carries up to a slope of 45 degrees") {
  for (double slope : {20.0, 40.0, 44.5, 45.5, 50.0, 55.0, 70.0}) {
    // The leaning plank of above at that slope: the contact's normal leans from the vertical as much as the
    // plank from the horizontal.
    Scene scene = empty_scene();
    const Vec2 d = direction(radians(slope)), n{-d.y, d.x};
    const auto plank = add(scene, Kind::block, box_shape(3, 0.2), {0, ground + 1.5 * d.y + 0.1 * n.y},
                           radians(slope));
    const Vec2 on_face = scene.objects[plank].pose.position + 1.0 * d - 0.1 * n;
    const auto post = add_box(scene, on_face.x, on_face.x + 0.5, ground, on_face.y);
    const SupportGraph graph = support_graph(scene);
    INFO("slope " << slope);
    CHECK((find(graph, post, plank) != nullptr) == (slope < 45));
    CHECK_FALSE(find(graph, plank, post));
  }
}

TEST_CASE("[qualitative] support: a disc rests in one point, on boxes and on discs") {
  Scene scene = empty_scene();
  const auto box = add_box(scene, -1, 1, ground, ground + 1);
  const auto low = add(scene, Kind::block, disc_shape(0.5), {0.2, ground + 1.5});
  const auto high = add(scene, Kind::block, disc_shape(0.5), {0.2, ground + 2.5});
  const SupportGraph graph = support_graph(scene);
  REQUIRE(find(graph, box, low));
  CHECK(find(graph, box, low)->contact.start == Approx(0.2));
  CHECK(find(graph, box, low)->contact.end == Approx(0.2));
  CHECK(find(graph, box, low)->kind == SupporterClass::centre);
  REQUIRE(find(graph, low, high));
  CHECK(find(graph, low, high)->kind == SupporterClass::centre);
  CHECK(graph.edges.size() == 3);
}

TEST_CASE("[qualitative] support: what lies in a block's hole rests on the block") {
  Scene scene = empty_scene();
  // A frame 2 x 2 with a square hole of 1 x 1, and a box that fills the hole but for 0.01 above.
  const Polygon outer{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}},
      hole{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  const auto frame = add(scene, Kind::block, polygon_shape(outer, {hole}), {0, ground + 1});
  const auto inside = add(scene, Kind::block, box_shape(0.6, 0.99), {0, ground + 1 - 0.005});
  const SupportGraph graph = support_graph(scene);
  CHECK(find(graph, frame, inside));
  CHECK_FALSE(find(graph, inside, frame));
}

TEST_CASE(
    "[qualitative] support: every object of a random scene built upward is supported, and mirroring mirrors "
    "the graph") {
  Random random(11);
  for (int k = 0; k < 60; ++k) {
    const Scene scene = random_scene(random);
    const SupportGraph graph = support_graph(scene), image = support_graph(mirrored(scene));
    REQUIRE(graph.edges.size() == image.edges.size());
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const Support &s = graph.edges[e], &m = image.edges[e];
      REQUIRE(s.lower == m.lower);
      REQUIRE(s.upper == m.upper);
      REQUIRE(s.contact.start == Approx(-m.contact.end).margin(1e-9));
      REQUIRE(s.contact.end == Approx(-m.contact.start).margin(1e-9));
      const auto swapped = m.kind == SupporterClass::left    ? SupporterClass::right
                           : m.kind == SupporterClass::right ? SupporterClass::left
                                                             : m.kind;
      REQUIRE(s.kind == swapped);
      // The contact lies within both objects' x-ranges.
      const Bounds& upper = graph.geometry.bounds[s.upper];
      REQUIRE(s.contact.start >= upper.xmin - contact_tolerance);
      REQUIRE(s.contact.end <= upper.xmax + contact_tolerance);
      REQUIRE(s.contact.start <= s.contact.end);
    }
  }
}

TEST_CASE("[qualitative] support: in a hole the nearer contact bears, with equal gaps the lower centre") {
  // A frame 2 x 2 with a square hole of 1 x 1. Gaps are exact in binary.
  const Polygon outer{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}},
      hole{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  const auto edge = [&](double height, double raised, bool frame_first) {
    Scene scene = empty_scene();
    std::size_t frame = 0, inside = 0;
    for (bool is_frame : {frame_first, !frame_first})
      if (is_frame)
        frame = add(scene, Kind::block, polygon_shape(outer, {hole}), {0, ground + 1});
      else
        inside = add(scene, Kind::block, box_shape(0.5, height), {0, ground + 1 + raised});
    const SupportGraph graph = support_graph(scene);
    return std::pair(find(graph, frame, inside) != nullptr, find(graph, inside, frame) != nullptr);
  };
  const std::pair frame_bears(true, false), inside_bears(false, true);
  for (bool frame_first : {true, false}) {
    CHECK(edge(1 - 1.0 / 64, -1.0 / 128, frame_first) == frame_bears);  // no gap below, 1/64 above
    CHECK(edge(1 - 1.0 / 64, 1.0 / 128, frame_first) == inside_bears);
  }
  CHECK(edge(1 - 1.0 / 64, 0, true) == frame_bears);
}

TEST_CASE("[qualitative] support: a gap of just the tolerance is a contact, below and beside") {
  // Exact in binary: 1/8.
  Scene scene = empty_scene();
  const auto low = add_box(scene, 0, 1, ground + 0.125, ground + 1), high = add_box(scene, 0, 1, -2.375, -2);
  add_box(scene, 1.125, 2, ground + 5, ground + 6);
  add_box(scene, 2.125, 3, ground + 5, ground + 6);
  const SupportGraph graph = support_graph(scene, 0.125);
  CHECK(find(graph, ground_index, low));
  CHECK(find(graph, low, high));
  CHECK(graph.geometry.contacts.size() == 2);  // and the two side by side
  CHECK(support_graph(scene, 0.12).edges.empty());
  CHECK(support_graph(scene, 0.12).geometry.contacts.empty());
}

TEST_CASE("[qualitative] support: dead objects rest on nothing, however high the ground lies") {
  Scene scene = empty_scene();
  Profile profile = *scene.profile;
  profile.ground_y = 0.5;
  scene.profile = std::make_shared<Profile>(profile);
  add_box(scene, 0, 1, 0.5, 1.5);
  scene.objects[0].alive = false;
  CHECK(support_graph(scene).edges.empty());
}

namespace {

/// A floor and a ceiling, 1.03 apart, in one object; and a box of 1 with `above` over it and the rest below.
struct Framed {
  Scene scene = empty_scene();
  std::size_t frame = 0, box = 0;

  Framed(Kind kind, double above, bool frame_first) {
    Shape shape;
    shape.parts = {{{-1, -1}, {1, -1}, {1, -0.5}, {-1, -0.5}}, {{-1, 0.53}, {1, 0.53}, {1, 1}, {-1, 1}}};
    for (bool is_frame : {frame_first, !frame_first})
      if (is_frame)
        frame = add(scene, kind, shape, {0, 2});
      else
        box = add(scene, Kind::block, box_shape(1, 1), {0, 2 + 0.03 - above});
  }
};

}  // namespace

TEST_CASE(
    "[qualitative] support: in the hole of a platform an object lies on it, however near the ceiling is") {
  for (double above : {0.005, 0.025}) {
    for (bool frame_first : {true, false}) {
      const Framed framed(Kind::platform, above, frame_first);
      const SupportGraph graph = support_graph(framed.scene);
      REQUIRE(graph.edges.size() == 1);
      CHECK(graph.edges[0].lower == framed.frame);
      CHECK(graph.edges[0].upper == framed.box);
    }
  }
}

TEST_CASE("[qualitative] support: of two objects in each other's way the nearer contact bears the weight") {
  // A free frame about a free box, as above: what is nearer, the floor or the ceiling, says who lies on whom;
  // at equal distances the lower centre carries.
  for (double above : {0.005, 0.025}) {
    for (bool frame_first : {true, false}) {
      const Framed framed(Kind::block, above, frame_first);
      const SupportGraph graph = support_graph(framed.scene);
      REQUIRE(graph.edges.size() == 1);
      CHECK(graph.edges[0].lower == (above < 0.015 ? framed.box : framed.frame));
      CHECK(graph.edges[0].upper == (above < 0.015 ? framed.frame : framed.box));
    }
  }
}
