#pragma once
/// \file  A study as an SQLite file: what the study is, who took part under which code, and every event.
///
/// Every event is on the disk when add() returns, whatever then happens to the program or the power (rollback
/// journal, synchronous EXTRA). Between events the one file is everything: it can be copied as it is, also
/// after the program was killed.
///
/// No name, no address, no date: a participant is a random code. Who takes part by a link has a secret link
/// code, too, of which the file holds a hash; of a recruiter's identifier it holds a hash as well.
///
/// Any number of threads may call one StudyStore, one at a time inside; any number of stores and programs may
/// have the file open. Each call is one transaction: the whole of it is there or nothing.
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/trials/results_store.hpp"
#include "core/error.hpp"
#include "people/study_event.hpp"
#include "people/study_plan.hpp"
#include "people/study_questions.hpp"
#include "people/study_texts.hpp"

namespace startle {

/// A study before its file is made.
struct StudySetup {
  std::string program;  ///< "startle 0.2.0"
  std::shared_ptr<const Profile> profile;
  std::string consent;                           ///< the text that participants agree to
  StudyTexts texts = StudyTexts::shipped("en");  ///< all others
  StudyQuestions questions = {};                 ///< about the participant; none: nothing is asked
  std::string return_address = {};  ///< where a recruiter wants participants sent at the end; {code} in it
                                    ///< becomes the completion code; empty: nowhere
  StudySettings settings;
  std::vector<StudyLevel> levels;
  std::vector<StoredLevel> practice = {};  ///< practice levels, where they are not drawn from `levels`
};

/// What the events of two participants must have in common to stand in one file.
struct StudyRecord {
  struct PracticeLevel {
    std::string name, text;  ///< the level as a file
  };
  Manifest manifest;
  std::vector<StudyLevel> levels;       ///< by name
  std::vector<PracticeLevel> practice;  ///< where they are given

  /// The settings that the manifest holds. Throws Error, naming the key, when it was changed by hand.
  StudySettings settings() const;
  StudyTexts texts() const;
  StudyQuestions questions() const;
};

/// Throws Error when the return address is no address (https:// or http://, up to 500 bytes without blanks),
/// and, as plan_study() does, when the levels do not suffice for the settings.
StudyRecord make_study_record(const StudySetup& setup);

/// The profile in which the study is played. Throws Error when the study was made by another program than
/// `program`, or the profile has other constants here: shots would fly otherwise.
std::shared_ptr<const Profile> study_profile(const StudyRecord& record, const std::string& program);

struct StudyParticipant {
  int number = 0;            ///< from 0, in the order in which they were added
  std::string code;          ///< "K7QX-2MPD": what participant and researcher call the data by
  std::optional<int> place;  ///< number of the plan; none until the study is opened for the first time
  bool given_up = false;     ///< the place may be given to another one
  bool withdrawn = false;
  bool enrolled = false;              ///< came from a recruiter
  bool asks_questions = false;        ///< the study does
  std::vector<std::string> practice;  ///< names of levels, in order
  struct Item {
    std::string level;
    bool novel = false;
    bool attention = false;
  };
  std::vector<Item> items;
};

/// A participant and the secret code of his or her link, which is stored nowhere.
struct StudyInvitation {
  StudyParticipant participant;
  std::string link;  ///< 32 hexadecimal digits, 128 bits of the system's random numbers
};

/// Saves links permanently. They cannot be made again, so it is called before their participants are
/// stored; if it throws, no participant is stored.
using KeepLinks = std::function<void(const std::vector<StudyInvitation>&)>;

/// 32 small hexadecimal digits, which a link is.
bool is_study_link(const std::string& text);

/// Longest identifier of a recruiter, bytes.
inline constexpr std::size_t longest_identifier = 200;

/// An identifier as it counts: without blanks and characters that are not seen at its ends. Upper and lower
/// case, and two ways to write one accented letter, stay different.
std::string plain_identifier(const std::string& identifier);

/// No participant of the study has that link.
class UnknownStudyLink : public Error {
 public:
  using Error::Error;
};

/// A recruiter's study has as many participants as it is to have.
class StudyFull : public Error {
 public:
  using Error::Error;
};

/// Somebody has come under that identifier before.
class AlreadyEnrolled : public Error {
 public:
  using Error::Error;
};

/// An event that does not follow the last one that is stored: it was sent twice or out of order, or the
/// participant has opened the study once more, and that one goes on.
class StudyConflict : public Error {
 public:
  using Error::Error;
};

class StudyStore {
 public:
  /// Opens the file to add to it, and makes it, for its owner's eyes alone, when it does not exist or holds
  /// nothing. Throws Error when it is no study, one of another version, or cannot be written, and, naming
  /// what differs, when it holds another study.
  StudyStore(const std::filesystem::path& path, const StudyRecord& record);
  /// Opens a file that exists, to add to it.
  explicit StudyStore(const std::filesystem::path& path);
  /// Opens a file that exists and may be one that can only be read: what adds to it throws Error.
  static StudyStore reading(const std::filesystem::path& path);
  ~StudyStore();
  StudyStore(StudyStore&&) noexcept;

  const std::string& file() const;
  /// 16 hexadecimal digits that no other study has, and that say nothing of it: for pages to tell studies
  /// apart.
  std::string id() const;
  StudyRecord record() const;
  std::vector<StudyParticipant> participants() const;
  /// The participant of that code, in any case and with or without the dash. Throws Error naming those there
  /// are.
  StudyParticipant participant(const std::string& code) const;
  /// The participant of that link. Throws UnknownStudyLink, which repeats nothing of what was given.
  StudyParticipant participant_of_link(const std::string& link) const;
  std::vector<StudyEvent> events(const StudyParticipant& participant) const;

  /// A new participant, with a fresh random code and with a place.
  StudyParticipant add_participant();
  /// A new participant with a link, who has a place as soon as he or she opens the study: people who never
  /// come leave no gap.
  StudyInvitation invite() { return invite(1).front(); }
  /// So many of them, or none.
  std::vector<StudyInvitation> invite(int count, const KeepLinks& keep = {});
  /// A new participant sent by a recruiter, with an identifier whose plain_identifier() has 1 to 200 bytes.
  /// `link`: the one that the participant's page has drawn, 32 lower-case hexadecimal digits; empty: it is
  /// drawn here. The same identifier and link again mean the same participant, whose page got no answer.
  /// Throws AlreadyEnrolled for an identifier that came before with another link, which stays valid; Error
  /// for an identifier of another length and for text that is no link; and StudyFull when the file has `most`
  /// participants, counting invited ones, but not those who declined, withdrew or were given up.
  StudyInvitation enrol(const std::string& recruiter_identifier, int most = std::numeric_limits<int>::max(),
                        const std::string& link = {});
  /// A new link in place of the old one, for a participant who has lost it. `code`: the participant's, or the
  /// identifier under which he or she came from a recruiter.
  StudyInvitation renew_link(const std::string& code, const KeepLinks& keep = {});

  /// Marks the participant as no longer given up and, if he or she has no place, gives the lowest one that
  /// nobody holds. A place is held by a participant who was given it and has not declined, withdrawn or been
  /// given up, and by one who came to the end.
  StudyParticipant take_place(const StudyParticipant& participant);
  /// For a participant who will not come back: the place may be given to the next one, and another one
  /// enrolled. What was stored stays and counts; whoever comes back after all goes on. Throws Error for a
  /// participant who has come to the end.
  void give_up(const std::string& code);

  /// The number of events that are stored: the sequence number of the next one.
  std::size_t event_count(const StudyParticipant& participant) const;
  /// Event number `sequence` (from 0) of the participant. Throws StudyConflict unless so many are stored, and
  /// Error when it cannot be stored.
  void add(const StudyParticipant& participant, std::size_t sequence, const StudyEvent& event);
  /// What the participant gives a recruiter at the end, to be paid: 8 letters that nobody can guess. Only who
  /// has come to the end is to see it.
  std::string completion_code(const StudyParticipant& participant) const;
  /// Deletes everything about a participant but that there was one of this number, and leaves no trace of it
  /// in the file.
  void withdraw(const std::string& code);

 private:
  struct Impl;
  explicit StudyStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace startle
