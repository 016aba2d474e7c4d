#pragma once
/// \file  The lines that runner and agent program exchange: JSON, one message a line, described in
/// docs/agent-protocol.md and docs/agent.schema.json.
#include <optional>
#include <string>
#include <variant>

#include "agents/agent.hpp"
#include "core/child_process.hpp"
#include "sim/profile.hpp"

namespace startle {

inline constexpr int protocol_version = 1;

/// To the agent. No line feed at the end.
std::string begin_message(const Briefing& briefing);
std::string act_message(const Observation& now);
std::string report_message(const SeenShot& seen);
std::string picture_message(const Bitmap& picture);
std::string end_message();

/// Asks for a picture in place of an answer.
struct PictureRequest {
  int width = 64, height = 64;
  std::optional<std::size_t> frame;  ///< of the last shot; without it, the level as it stands
};

/// From the agent. A shot may also be given as the point that the bird is dragged to, which `now` turns into
/// an angle. Throw AgentFailure: protocol_error for what is not JSON, another message than asked for, unknown
/// or missing keys and wrong types; invalid_action for values out of range.
std::variant<Shot, PictureRequest> parse_action(const std::string& line, const Observation& now);
std::variant<Report, PictureRequest> parse_report(const std::string& line);

/// How a program that plays several trials keeps one from what it saw in another: each in a fork of the
/// program that was loaded, or by a promise to forget.
enum class Separation { fork, reset };
const char* name(Separation separation);
/// Of a program's first line: it is loaded and plays several trials. Empty for any other line. Throws
/// AgentFailure(protocol_error) for such a message that is wrong.
std::optional<Separation> parse_ready(const std::string& line);
/// Such a program's answer to the end of a trial: how that trial's process ended. Empty for any other line.
/// Throws as parse_ready().
std::optional<ProgramEnd> parse_over(const std::string& line);

/// The other end: what a program reads and writes. All throw Error, naming what is missing or wrong, for a
/// line that is not such a message.
std::string message_type(const std::string& line);
Briefing parse_begin(const std::string& line);
/// Shapes as serve_agent() says.
Observation parse_act(const std::string& line, const Profile& profile);
/// `before`: the observation that the shot was chosen by.
SeenShot parse_report_request(const std::string& line, const Observation& before, const Profile& profile);
Bitmap parse_picture(const std::string& line);
std::string answer_message(const Shot& shot);
std::string answer_message(const Report& report);
std::string answer_message(const PictureRequest& request);
std::string ready_message(Separation separation);
std::string over_message(const ProgramEnd& end = {});

}  // namespace startle
