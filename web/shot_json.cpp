#include "web/shot_json.hpp"

#include <algorithm>
#include <numbers>

namespace startle {

double number_within(const JsonView& view, double least, double most, const std::string& allowed) {
  const double value = view.number();
  if (!(value >= least && value <= most)) view.fail(allowed);
  return value;
}

double read_tap_time(const JsonView& view) {
  return number_within(view, -1, latest_tap_s, "seconds up to 1000, negative: never");
}

Shot read_shot(const JsonView& view) {
  view.expect_keys({"angle"}, {"stretch", "tap_time"});
  constexpr double turn = 2 * std::numbers::pi;
  Shot shot{.angle = number_within(view.at("angle"), -turn, turn, "radians, a full turn either way")};
  if (view.has("stretch")) {
    shot.stretch = number_within(view.at("stretch"), 0, 1, "a number over 0 up to 1");
    if (shot.stretch == 0) view.at("stretch").fail("a number over 0 up to 1");
  }
  if (view.has("tap_time")) shot.tap_time = read_tap_time(view.at("tap_time"));
  return shot;
}

bool was_tapped(const Trace& trace) {
  return std::any_of(trace.events.begin(), trace.events.end(),
                     [](const Event& event) { return event.kind == EventKind::tap; });
}

}  // namespace startle
