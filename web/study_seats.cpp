#include "web/study_seats.hpp"

namespace startle {

std::shared_ptr<StudySeats::Seat> StudySeats::seat(const StudyParticipant& participant) {
  return *seats_.get(participant.code, [] { return std::make_shared<Seat>(); });
}

void StudySeats::open(const std::string& link, const Act& then) {
  const StudyParticipant participant = store_.participant_of_link(link);
  const std::shared_ptr<Seat> seat = this->seat(participant);
  const std::lock_guard lock(seat->mutex);
  seat->session.emplace(store_, participant);
  then(*seat->session);
}

void StudySeats::go_on(const std::string& link, int opening, const Act& then) {
  const StudyParticipant participant = store_.participant_of_link(link);
  const std::shared_ptr<Seat> seat = this->seat(participant);
  const std::lock_guard lock(seat->mutex);
  std::optional<StudySession>& session = seat->session;
  if (!session || session->state().session != opening)
    session.emplace(StudySession::continued(store_, participant, opening));
  try {
    then(*session);
  } catch (const StudyConflict&) {
    // Another program has stored an event: what is here is old.
    if (store_.event_count(participant) != session->sequence()) session.reset();
    throw;
  }
}

}  // namespace startle
