#include "agents/programs/program_agent.hpp"

#include "agents/programs/messages.hpp"
#include "core/error.hpp"

namespace startle {
namespace {

Bitmap requested(const PictureRequest& request, const ObservationSource& source) {
  try {
    return request.frame ? source.picture_of_frame(*request.frame, request.width, request.height)
                         : source.picture(request.width, request.height);
  } catch (const Error& error) {
    throw AgentFailure(Status::invalid_action, error.what());
  }
}

}  // namespace

std::unique_ptr<AgentProcess> ReadyPrograms::take(const std::string& command) {
  Kept kept;
  {
    const std::lock_guard lock(mutex_);
    std::swap(kept, kept_[std::this_thread::get_id()]);
  }
  return kept.first == command && kept.second && kept.second->awaits_trial() ? std::move(kept.second)
                                                                             : nullptr;
}

void ReadyPrograms::keep(const std::string& command, std::unique_ptr<AgentProcess> process) {
  const std::lock_guard lock(mutex_);
  kept_[std::this_thread::get_id()] = {command, std::move(process)};
}

ProgramAgent::ProgramAgent(const std::string& command, const ProcessLimits& limits, ReadyPrograms* programs)
    : command_(command), programs_(programs) {
  if (programs_) process_ = programs_->take(command);
  if (process_)
    process_->new_trial();
  else
    process_ = std::make_unique<AgentProcess>(command, limits);
}

ProgramAgent::~ProgramAgent() {
  if (programs_ && process_->awaits_trial()) programs_->keep(command_, std::move(process_));
}

void ProgramAgent::begin(const Briefing& briefing) {
  process_->start_clock();
  process_->ask(begin_message(briefing));
}

Shot ProgramAgent::act(const ObservationSource& source) {
  return answer<Shot>(act_message(source.now()), source,
                      [&](const std::string& line) { return parse_action(line, source.now()); });
}

Report ProgramAgent::report(const SeenShot& seen, const ObservationSource& source) {
  return answer<Report>(report_message(seen), source, parse_report);
}

void ProgramAgent::end() {
  process_->start_clock();
  process_->finish(end_message());
  ended_ = true;
}

std::string ProgramAgent::process() const {
  const std::optional<Separation> says = process_->separation();
  if (!says || !programs_) return "own";
  return says == Separation::fork && ended_ && !process_->seen_to_fork() ? "shared" : name(*says);
}

/// Sends the request, and pictures as long as the program asks for them. The clock runs for all of it.
template <typename Answer, typename Parse>
Answer ProgramAgent::answer(const std::string& request, const ObservationSource& source, const Parse& parse) {
  process_->start_clock();
  process_->ask(request);
  for (;;) {
    auto parsed = parse(process_->read_line());
    if (const Answer* found = std::get_if<Answer>(&parsed)) {
      process_->stop_clock();
      return *found;
    }
    process_->ask(picture_message(requested(std::get<PictureRequest>(parsed), source)));
  }
}

}  // namespace startle
