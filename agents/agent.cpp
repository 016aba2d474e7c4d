#include "agents/agent.hpp"

#include <cmath>

#include "core/text.hpp"

namespace startle {

const char* name(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::timeout:
      return "timeout";
    case Status::crash:
      return "crash";
    case Status::protocol_error:
      return "protocol_error";
    case Status::invalid_action:
      return "invalid_action";
  }
  return "";
}

namespace {

[[noreturn]] void refuse(const std::string& what, double found, const std::string& allowed) {
  throw AgentFailure(Status::invalid_action,
                     what + ": found " + std::to_string(found) + ", allowed " + allowed);
}

/// A full turn, as docs/agent.schema.json has it.
constexpr double most_angle = 6.283185307179586;

}  // namespace

void check(const Shot& shot) {
  // The comparisons are written so that NaN fails them.
  if (!(std::fabs(shot.angle) <= most_angle))
    refuse("angle", shot.angle, "are -6.2832 to 6.2832 radians (degrees?)");
  if (!(shot.stretch > 0 && shot.stretch <= 1)) refuse("stretch", shot.stretch, "are values over 0 up to 1");
  if (!(shot.tap_time <= latest_tap_s))
    refuse("tap_time", shot.tap_time, "are seconds up to 1000, and negative values for never");
}

void check(const Report& report) {
  if (!(report.novelty >= 0 && report.novelty <= 1))
    refuse("novelty", report.novelty, "are values from 0 to 1");
  if (report.description.size() > 10000)
    refuse("description", static_cast<double>(report.description.size()), "are 10000 bytes");
  if (first_invalid_utf8(report.description) != std::string_view::npos)
    throw AgentFailure(Status::invalid_action, "description: found bytes that are not UTF-8");
}

}  // namespace startle
