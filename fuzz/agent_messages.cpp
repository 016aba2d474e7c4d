/// \file  Fuzz target: any line as each message of the agent protocol gives what it says or a named refusal,
/// and an answer that is taken survives writing and reading.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "agents/programs/messages.hpp"
#include "core/error.hpp"

namespace {

using namespace startle;

const Observation& before() {
  static const Observation seen{.rest = {-6, -1.7}};
  return seen;
}

template <typename Parse>
void attempt(const Parse& parse) {
  try {
    parse();
  } catch (const AgentFailure&) {
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string line(reinterpret_cast<const char*>(data), size);
  static const auto constants = profile();
  attempt([&] {
    const auto action = parse_action(line, before());
    const Shot* shot = std::get_if<Shot>(&action);
    if (shot && !(std::get<Shot>(parse_action(answer_message(*shot), before())) == *shot)) std::abort();
  });
  attempt([&] {
    const auto answer = parse_report(line);
    const Report* report = std::get_if<Report>(&answer);
    if (report && std::get<Report>(parse_report(answer_message(*report))).novelty != report->novelty)
      std::abort();
  });
  attempt([&] { message_type(line); });
  attempt([&] { parse_begin(line); });
  attempt([&] { parse_act(line, *constants); });
  attempt([&] { parse_report_request(line, before(), *constants); });
  attempt([&] { parse_picture(line); });
  return 0;
}
