#pragma once
/// \file  A study as an SQLite file: what the study is, who took part under which code, and every event.
///
/// Every event is on the disk when add() returns, whatever then happens to the program or the power (rollback
/// journal, synchronous EXTRA). Between events the one file is everything: it can be copied as it is, also
/// after the program was killed.
///
/// No name, no address, no date: a participant is a random code.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "agents/results_store.hpp"
#include "people/study_event.hpp"
#include "people/study_plan.hpp"

namespace startle {

/// What the events of two participants must have in common to stand in one file.
struct StudyRecord {
  Manifest manifest;
  std::vector<StudyLevel> levels;  ///< by name
};

/// `program`: "startle 0.2.0". `consent`: the text that participants agree to. `practice`: the practice
/// levels, where they are given and not drawn from `levels`.
StudyRecord make_study_record(const std::string& program, const Profile& profile, const std::string& consent,
                              const StudySettings& settings, const std::vector<StudyLevel>& levels,
                              const std::vector<StoredLevel>& practice);

struct StudyParticipant {
  int number = 0;    ///< from 0, in the order in which they began
  std::string code;  ///< "K7QX-2MPD"
  bool withdrawn = false;
  std::vector<std::string> practice;  ///< names of levels, in order
  struct Item {
    std::string level;
    bool novel = false;
  };
  std::vector<Item> items;
};

class StudyStore {
 public:
  /// Opens the file to add to it, and makes it when it does not exist. Throws Error when it is no study, one
  /// of another version, or cannot be written, and, naming what differs, when it holds another study.
  StudyStore(const std::filesystem::path& path, const StudyRecord& record);
  /// Opens a file that exists, to read it or to withdraw a participant.
  explicit StudyStore(const std::filesystem::path& path);
  ~StudyStore();
  StudyStore(StudyStore&&) noexcept;

  const std::string& file() const;
  StudyRecord record() const;
  std::vector<StudyParticipant> participants() const;
  /// The participant of that code, in any case and with or without the dash. Throws Error naming those there
  /// are.
  StudyParticipant participant(const std::string& code) const;
  std::vector<StudyEvent> events(const StudyParticipant& participant) const;

  /// A new participant with the next number, a fresh random code and the plan of that number; whole or not at
  /// all. `practice`: names of the practice levels where they are given.
  StudyParticipant add_participant(const StudySettings& settings,
                                   const std::vector<std::string>& practice = {});
  /// Event number `sequence` (from 0) of the participant. Throws Error when it cannot be stored or is there
  /// already.
  void add(const StudyParticipant& participant, std::size_t sequence, const StudyEvent& event);
  /// Deletes everything about a participant but that there was one of this number, and leaves no trace of it
  /// in the file.
  void withdraw(const std::string& code);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace startle
