#include "agents/program_agent.hpp"

#include "agents/messages.hpp"
#include "core/error.hpp"

namespace startle {
namespace {

class ProgramAgent : public Agent {
 public:
  ProgramAgent(const std::string& command, const ProcessLimits& limits) : process_(command, limits) {}

  void begin(const Briefing& briefing) override {
    process_.start_clock();
    process_.ask(begin_message(briefing));
  }

  Shot act(const ObservationSource& source) override {
    return answer<Shot>(act_message(source.now()), source,
                        [&](const std::string& line) { return parse_action(line, source.now()); });
  }

  Report report(const SeenShot& seen, const ObservationSource& source) override {
    return answer<Report>(report_message(seen), source, parse_report);
  }

  void end() override {
    process_.start_clock();
    process_.finish(end_message());
  }

 private:
  /// Sends the request, and pictures as long as the program asks for them. The clock runs for all of it.
  template <typename Answer, typename Parse>
  Answer answer(const std::string& request, const ObservationSource& source, const Parse& parse) {
    process_.start_clock();
    process_.ask(request);
    for (;;) {
      auto parsed = parse(process_.read_line());
      if (const Answer* found = std::get_if<Answer>(&parsed)) {
        process_.stop_clock();
        return *found;
      }
      process_.ask(picture_message(picture(std::get<PictureRequest>(parsed), source)));
    }
  }

  static Bitmap picture(const PictureRequest& request, const ObservationSource& source) {
    try {
      return request.frame ? source.picture_of_frame(*request.frame, request.width, request.height)
                           : source.picture(request.width, request.height);
    } catch (const Error& error) {
      throw AgentFailure(Status::invalid_action, error.what());
    }
  }

  AgentProcess process_;
};

}  // namespace

std::unique_ptr<Agent> make_program_agent(const std::string& command, const ProcessLimits& limits) {
  return std::make_unique<ProgramAgent>(command, limits);
}

}  // namespace startle
