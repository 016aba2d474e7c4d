#pragma once
/// \file  The participants who have a study's page open, each with the StudySession that takes what they do.
///
/// A session that is no longer here, after the server was started anew or since many others came, is read
/// from the study's file when its page goes on.
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "people/study_session.hpp"
#include "web/recent.hpp"

namespace startle {

class StudySeats {
 public:
  using Act = std::function<void(StudySession&)>;

  /// `store` must outlive it.
  explicit StudySeats(StudyStore& store) : store_(store) {}

  /// Opens the study for the participant of the link, once more where it was opened before, and calls `then`.
  /// Throws UnknownStudyLink.
  void open(const std::string& link, const Act& then);
  /// Calls `then` with the session of that opening, alone among the requests of its participant. Throws
  /// UnknownStudyLink, and StudyConflict when the study was opened once more since.
  void go_on(const std::string& link, int opening, const Act& then);

 private:
  static constexpr std::size_t most_seats = 4096;  ///< some KB each
  struct Seat {
    std::mutex mutex;
    std::optional<StudySession> session;
  };
  std::shared_ptr<Seat> seat(const StudyParticipant& participant);

  StudyStore& store_;
  Recent<std::shared_ptr<Seat>> seats_{most_seats};
};

}  // namespace startle
