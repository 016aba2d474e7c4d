#include "surprise/networks/object_events.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/catch.hpp"

using namespace startle;

namespace {

/// Known, and seen in both frames, where it was expected.
ObjectStep seen_step(const ObjectLook& last, const ObjectLook& next, double largest_width,
                     double largest_height) {
  return {.known = true,
          .seen = true,
          .seen_next = true,
          .last = last,
          .expected = next,
          .next = next,
          .largest_width = largest_width,
          .largest_height = largest_height};
}

/// A ball that crosses the picture, alone, always seen, expected where it goes.
std::vector<std::vector<ObjectStep>> crossing(int frames) {
  std::vector<std::vector<ObjectStep>> steps;
  const auto look = [](int t) {
    return ObjectLook{.x = 0.2 + 0.02 * t, .y = 0.5, .width = 0.02, .height = 0.02, .colour = {1, 0, 0}};
  };
  for (int t = 0; t < frames; ++t) steps.push_back({seen_step(look(t), look(t + 1), 0.02, 0.02)});
  return steps;
}

std::vector<ClipEvent> of_kind(const std::vector<ClipEvent>& events, ClipEventKind kind) {
  std::vector<ClipEvent> found;
  std::copy_if(events.begin(), events.end(), std::back_inserter(found),
               [&](const ClipEvent& event) { return event.kind == kind; });
  return found;
}

/// Something that is always there.
void add_still(std::vector<std::vector<ObjectStep>>& steps, const ObjectLook& look) {
  for (std::vector<ObjectStep>& objects : steps)
    objects.push_back(seen_step(look, look, look.width, look.height));
}

/// A block of height 0.3 that sinks behind a front with its upper edge at 0.6 and its lower one at 0.9. The
/// lower edge of the block is at `from` in the first frame, and 0.03 lower in each until it is at `rest`.
std::vector<std::vector<ObjectStep>> sinking(double from, double rest, int frames) {
  constexpr double deviation = std::numbers::inv_sqrt3 / 2;  // of a box of side 1
  const auto look = [&](int t) {
    const double bottom = std::min(rest, from + 0.03 * t), seen_bottom = std::min(bottom, 0.6),
                 top = bottom - 0.3;
    return ObjectLook{.x = 0.5,
                      .y = (top + seen_bottom) / 2,
                      .width = 0.1 * deviation,
                      .height = (seen_bottom - top) * deviation,
                      .colour = {1, 0, 0}};
  };
  std::vector<std::vector<ObjectStep>> steps;
  for (int t = 0; t < frames; ++t)
    steps.push_back({seen_step(look(t), look(t + 1), 0.1 * deviation, 0.3 * deviation)});
  add_still(steps, {.x = 0.5, .y = 0.75, .width = 0.2 * deviation, .height = 0.3 * deviation});
  return steps;
}

/// The ball out of sight from step `from` to before step `to`; where it is expected stays as it was.
void hide(std::vector<std::vector<ObjectStep>>& steps, std::size_t from, std::size_t to) {
  for (std::size_t t = from; t < to; ++t) {
    steps[t][0].seen_next = false;
    if (t + 1 < steps.size()) steps[t + 1][0].seen = false;
  }
}

}  // namespace

TEST_CASE("[networks] object events: a ball that goes where it is expected moves at no cost, and no more") {
  const auto events = object_events(crossing(12));
  CHECK(events.size() == 12);
  for (const ClipEvent& event : events) {
    CHECK(event.kind == ClipEventKind::moves);
    REQUIRE(event.features.size() == 10);
    for (std::size_t cost = 5; cost < 10; ++cost) CHECK(event.features[cost] == 0);
  }
  CHECK(object_events({}).empty());
}

TEST_CASE("[networks] object events: a ball that is elsewhere than expected moves at a cost") {
  auto steps = crossing(12);
  steps[6][0].expected.x += 0.1;
  const auto events = object_events(steps);
  REQUIRE(events.size() == 12);
  CHECK(events[6].frame == 7);
  CHECK(events[6].features[5] == Approx(std::log1p(0.1 / 0.005)));
  CHECK(events[5].features[5] == 0);
}

TEST_CASE(
    "[networks] object events: a ball that vanishes in the open is missing, longer and longer, and behind "
    "something it is not") {
  auto steps = crossing(12);
  hide(steps, 6, 12);
  const auto missing = of_kind(object_events(steps), ClipEventKind::missing);
  REQUIRE(missing.size() == 6);
  for (std::size_t i = 1; i < missing.size(); ++i) CHECK(missing[i].features[3] > missing[i - 1].features[3]);

  const ObjectLook wall{.x = 0.42, .y = 0.5, .width = 0.1, .height = 0.1, .colour = {0, 0, 1}};
  add_still(steps, wall);
  CHECK(of_kind(object_events(steps), ClipEventKind::missing).empty());
}

TEST_CASE("[networks] object events: what hides a ball is larger than it, or is not") {
  auto steps = crossing(12);
  hide(steps, 6, 12);
  CHECK(of_kind(object_events(steps), ClipEventKind::hides).empty());  // nothing is there
  auto behind_slit = steps;
  add_still(steps, {.x = 0.32, .y = 0.5, .width = 0.04, .height = 0.03});
  add_still(behind_slit, {.x = 0.32, .y = 0.5, .width = 0.04, .height = 0.01});
  const auto wall = of_kind(object_events(steps), ClipEventKind::hides),
             slit = of_kind(object_events(behind_slit), ClipEventKind::hides);
  REQUIRE(wall.size() == 1);
  REQUIRE(slit.size() == 1);
  CHECK(wall[0].frame == 7);
  CHECK(wall[0].features[0] == Approx(2));
  CHECK(wall[0].features[1] == slit[0].features[1]);
  CHECK(wall[0].features[2] == Approx(std::log1p(2 * std::sqrt(3.0) * 0.01 / 0.03)));
  CHECK(slit[0].features[2] == Approx(-std::log1p(2 * std::sqrt(3.0) * 0.01 / 0.03)));
}

TEST_CASE(
    "[networks] object events: a block that sinks behind something stops, and where its lower edge is") {
  const auto low = of_kind(object_events(sinking(0.5, 0.86, 16)), ClipEventKind::stops),
             high = of_kind(object_events(sinking(0.5, 0.74, 16)), ClipEventKind::stops),
             clear = of_kind(object_events(sinking(0.4, 0.55, 16)), ClipEventKind::stops);
  REQUIRE(low.size() == 1);
  REQUIRE(high.size() == 1);
  REQUIRE(clear.size() == 1);
  CHECK(low[0].features[0] == Approx(std::log1p(0.04 / 0.03)));
  CHECK(high[0].features[0] == Approx(std::log1p(0.16 / 0.03)));
  CHECK(high[0].features[1] == 1);
  CHECK(clear[0].features[1] == 0);  // nothing of it is hidden
  CHECK(clear[0].frame == 7);        // it rests from frame 5 on, in the second frame in which it does
  CHECK(of_kind(object_events(sinking(0.4, 2, 16)), ClipEventKind::stops).empty());
}

TEST_CASE(
    "[networks] object events: what stops knows what it hides, and what never was in the clear is gone") {
  // A board stands before a ball, or is drawn aside from frame 8 on.
  const auto board = [](double x) { return ObjectLook{.x = x, .y = 0.5, .width = 0.08, .height = 0.08}; };
  const auto scene = [&](bool with_ball, bool aside) {
    auto steps = crossing(12);
    for (std::size_t t = 0; t < steps.size(); ++t) {
      ObjectStep& ball = steps[t][0];
      ball.known = with_ball;
      ball.seen = with_ball && t < 2;
      ball.seen_next = with_ball && t < 1;
      ball.last = ball.expected = ball.next = {.x = 0.5, .y = 0.5, .width = 0.02, .height = 0.02};
    }
    add_still(steps, board(0.5));
    for (std::size_t t = 0; t < steps.size(); ++t) {
      const auto at = [&](std::size_t frame) {
        return board(frame < 4 ? 0.42 + 0.02 * static_cast<double>(frame) : aside && frame >= 8 ? 0.9 : 0.5);
      };
      ObjectStep& step = steps[t][1];
      step.last = at(t);
      step.expected = step.next = at(t + 1);
    }
    return object_events(steps);
  };
  const auto before_ball = of_kind(scene(true, false), ClipEventKind::stops),
             alone = of_kind(scene(false, false), ClipEventKind::stops);
  REQUIRE(before_ball.size() == 1);
  REQUIRE(alone.size() == 1);
  CHECK(before_ball[0].features[2] == Approx(2));
  CHECK(alone[0].features[2] == 0);
  CHECK(of_kind(scene(true, false), ClipEventKind::gone).empty());
  const auto gone = of_kind(scene(true, true), ClipEventKind::gone);
  REQUIRE(gone.size() == 5);  // frames 8 to 12
  CHECK(gone[0].frame == 8);
  CHECK(of_kind(scene(true, true), ClipEventKind::missing).empty());
}

TEST_CASE("[networks] object events: a ball back after a while is compared with how it was in the clear") {
  auto same = crossing(14);
  hide(same, 5, 9);
  auto other = same;
  for (std::size_t t = 9; t < other.size(); ++t) {
    other[t][0].next.colour = {0, 1, 0};
    if (t + 1 < other.size()) other[t + 1][0].last.colour = {0, 1, 0};
  }
  const auto kept = of_kind(object_events(same), ClipEventKind::changes),
             changed = of_kind(object_events(other), ClipEventKind::changes);
  REQUIRE(kept.size() == 1);
  REQUIRE(changed.size() == 1);
  CHECK(kept[0].features[3] == 0);
  CHECK(changed[0].features[3] == Approx(std::log1p(std::sqrt(2.0) / 0.02)));
  const auto path = of_kind(object_events(same), ClipEventKind::path);
  REQUIRE(path.size() == 1);
  CHECK(path[0].features[1] == Approx(0).margin(1e-4));  // it went on at its speed
  CHECK(of_kind(object_events(same), ClipEventKind::returns).size() == 1);
}

TEST_CASE("[networks] object events: who comes later appears, unlike or like those that are there") {
  const auto with_second = [](std::array<double, 3> colour) {
    auto steps = crossing(12);
    const auto look = [&](double t) {
      return ObjectLook{.x = 0.8, .y = 0.2 + 0.01 * t, .width = 0.02, .height = 0.02, .colour = colour};
    };
    for (std::size_t t = 0; t < steps.size(); ++t) {
      const double at = static_cast<double>(t);
      steps[t].push_back({.known = t > 4,
                          .seen = t > 4,
                          .seen_next = t >= 4,
                          .last = look(at),
                          .expected = look(at + 1),
                          .next = look(at + 1),
                          .largest_width = 0.02,
                          .largest_height = 0.02});
    }
    return of_kind(object_events(steps), ClipEventKind::appears);
  };
  const auto unlike = with_second({0, 1, 0}), like = with_second({1, 0, 0});
  REQUIRE(unlike.size() == 1);
  REQUIRE(like.size() == 1);
  CHECK(like[0].features[0] == 0);
  CHECK(unlike[0].features[0] > 2);
}
