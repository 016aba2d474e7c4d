#include "surprise/event_calibration.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "statistics/intervals.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// Objects that move, each step a little off, and farther off where more hides them (the first feature).
ClipSurprise clip_of(Random& random, int events) {
  std::vector<ClipEvent> found;
  for (int t = 0; t < events; ++t) {
    const double hidden = random.uniform(0, 3);
    found.push_back({ClipEventKind::moves,
                     t,
                     {static_cast<float>(hidden), static_cast<float>((0.2 + hidden) * random.normal())}});
  }
  return {.errors = {.error = {0}, .change = {0}}, .events = found};
}

std::vector<PossibleClip> possible_clips(std::uint64_t seed, std::size_t scenes) {
  Random random(seed);
  std::vector<PossibleClip> clips;
  for (std::size_t scene = 0; scene < scenes; ++scene)
    for (int i = 0; i < 2; ++i) clips.push_back({scene, clip_of(random, random.integer(3, 12))});
  return clips;
}

const EventCalibration& calibration() {
  static const EventCalibration made(possible_clips(1, 400));
  return made;
}

}  // namespace

TEST_CASE("[surprise] event calibration: possible clips have p at most 0.05 in about five of a hundred") {
  Random random(2);
  Rate all, few, many;
  for (int i = 0; i < 4000; ++i) {
    const int events = random.integer(3, 12);
    const bool alarm = calibration().p(clip_of(random, events)) <= 0.05;
    for (Rate* rate : {&all, events < 6 ? &few : &many}) ++rate->count, rate->hits += alarm;
  }
  INFO(few.hits << " of " << few.count << " with few events, " << many.hits << " of " << many.count);
  CHECK(all.value() > 0.03);
  CHECK(all.value() < 0.07);
  for (const Rate& rate : {few, many}) {
    CHECK(rate.value() > 0.01);
    CHECK(rate.value() < 0.09);
  }
}

TEST_CASE("[surprise] event calibration: an event is odd by what is usual in its context") {
  Random random(3);
  const auto with = [&](float hidden, float off) {
    ClipSurprise clip = clip_of(random, 5);
    clip.events->push_back({ClipEventKind::moves, 5, {hidden, off}});
    return calibration().p(clip);
  };
  Rate hidden, open;
  for (int i = 0; i < 200; ++i) {
    ++hidden.count, hidden.hits += with(3, 3) <= 0.05;  // one standard deviation there
    ++open.count, open.hits += with(0, 3) <= 0.05;      // 15
  }
  CHECK(open.value() > 0.9);
  CHECK(hidden.value() < 0.2);
}

TEST_CASE("[surprise] event calibration: what possible clips have seldom or never is odd by that") {
  std::vector<PossibleClip> clips = possible_clips(8, 400);
  const auto missing = [](float off) { return ClipEvent{ClipEventKind::missing, 3, {0, off}}; };
  for (PossibleClip& clip : clips)
    if (clip.scene % 10 == 1)
      clip.surprise.events->push_back(missing(0.01F * static_cast<float>(clip.scene)));
  const EventCalibration seldom(clips);  // in 80 of the 400 clips that are ranked
  Random random(9);
  const auto with = [&](const ClipEvent& event) {
    ClipSurprise clip{.errors = {.error = {0}, .change = {0}}, .events = std::vector<ClipEvent>{event}};
    return std::pair(seldom.p(clip), EventCalibration::parse(seldom.json(), "c.json").p(clip));
  };
  const double never = with({ClipEventKind::appears, 3, {0, 1}}).first;
  CHECK(never < 0.01);
  // No clip that was learned from has one either, so that all of those that are missing are as odd.
  CHECK(with(missing(1)).first > 4 * never);
  CHECK(with(missing(1)).first == with(missing(100)).first);
  CHECK(with(missing(1)).first == with(missing(1)).second);
}

TEST_CASE("[surprise] event calibration: clips of one scene do not vouch for each other") {
  std::vector<PossibleClip> clips = possible_clips(4, 400);
  const ClipEvent odd{ClipEventKind::moves, 0, {1, 40}};
  for (PossibleClip& clip : clips)
    if (clip.scene == 10) clip.surprise.events->assign(9, odd);  // both clips of it, again and again
  Random random(5);
  ClipSurprise clip = clip_of(random, 5);
  clip.events->push_back(odd);
  CHECK(EventCalibration(clips).p(clip) < 0.05);
}

TEST_CASE("[surprise] event calibration: scorers that find no objects are calibrated by their frames") {
  Random random(6);
  const auto frames = [&](double scale) {
    ClipSurprise clip;
    for (int t = 0; t < 8; ++t) {
      clip.errors.error.push_back(scale * std::exp(random.normal()));
      clip.errors.change.push_back(std::exp(random.normal()));
    }
    return clip;
  };
  std::vector<PossibleClip> clips;
  for (std::size_t i = 0; i < 400; ++i) clips.push_back({i, frames(1)});
  const EventCalibration of_frames(clips);
  Rate normal, strange;
  for (int i = 0; i < 300; ++i) {
    ++normal.count, normal.hits += of_frames.p(frames(1)) <= 0.05;
    ++strange.count, strange.hits += of_frames.p(frames(200)) <= 0.05;
  }
  CHECK(normal.value() < 0.12);
  CHECK(strange.value() > 0.9);
}

TEST_CASE(
    "[surprise] event calibration: read from its text it gives the same p, and other texts are refused") {
  const EventCalibration read = EventCalibration::parse(calibration().json(), "c.json");
  Random random(7);
  for (int i = 0; i < 50; ++i) {
    const ClipSurprise clip = clip_of(random, random.integer(1, 12));
    CHECK(read.p(clip) == calibration().p(clip));
  }
  CHECK(read.json() == calibration().json());
  CHECK_THROWS_WITH(EventCalibration::parse("{}", "c.json"),
                    Catch::StartsWith("c.json: found another format"));
  CHECK_THROWS_WITH(EventCalibration::parse("[", "c.json"), Catch::StartsWith("c.json: this is no calib"));
  CHECK_THROWS_WITH(EventCalibration(possible_clips(1, 40)), Catch::Contains("needed are at least"));
}
