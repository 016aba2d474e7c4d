#include "app/reports/people/people_export.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "app/reports/table.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "people/study_scores.hpp"
#include "people/study_session.hpp"

namespace startle {
namespace {

/// A column of a table of `Row`s: what it is called, means, and holds.
template <typename Row>
struct ExportColumn {
  std::string name;
  std::string unit;  ///< or what it takes
  std::string meaning;
  std::function<std::string(const Row&)> cell;
};

std::string flag(bool value) { return value ? "1" : "0"; }

struct ExportedParticipant {
  std::size_t number = 0;  ///< from 1
  PlayedSession session;
};
struct ExportedEvent {
  std::size_t participant = 0, sequence = 0;
  StudyEvent event;
  const StudyParticipant::Item* item = nullptr;
  std::string level;  ///< in play; empty: none
};
struct ExportedItem {
  std::size_t participant = 0;
  PlayedItem item;
};

constexpr const char* whose = "number of the participant in this export, in the order of random codes";

/// A column for each question, empty for who left it out or has not come so far.
std::vector<ExportColumn<ExportedParticipant>> answer_columns(const StudyQuestions& questions) {
  using Row = ExportedParticipant;
  std::vector<ExportColumn<Row>> columns;
  for (const StudyQuestion& question : questions.all())
    columns.push_back({question.name,
                       question.kind == StudyQuestion::Kind::number
                           ? shortest(question.min) + " to " + shortest(question.max)
                           : "text",
                       "answer to: " + question.text, [name = question.name](const Row& r) {
                         if (!r.session.answers) return std::string();
                         const auto answer = r.session.answers->find(name);
                         return answer == r.session.answers->end() ? "" : answer_text(answer->second);
                       }});
  return columns;
}

std::vector<ExportColumn<ExportedParticipant>> participant_columns(const StudyQuestions& questions) {
  using Row = ExportedParticipant;
  std::vector<ExportColumn<Row>> columns{
      {"participant", "number", whose, [](const Row& r) { return std::to_string(r.number); }},
      {"reached", "name",
       "how far: consent, questions, practice, briefing, item, question, between, finished or declined",
       [](const Row& r) { return std::string(name(r.session.stage)); }},
      {"openings", "count", "times that the study was opened; 0: invited and never came",
       [](const Row& r) { return std::to_string(r.session.openings); }},
      {"practice_shots", "count", "shots in practice levels",
       [](const Row& r) { return std::to_string(r.session.practice_shots); }},
      {"items", "count", "items begun, without attention checks",
       [](const Row& r) { return std::to_string(r.session.items); }},
      {"checks", "count", "attention checks answered",
       [](const Row& r) { return std::to_string(r.session.checks); }},
      {"checks_failed", "count", "attention checks answered otherwise than they ask",
       [](const Row& r) { return std::to_string(r.session.failed); }},
      {"seconds", "s", "time that the study was open, without pauses",
       [](const Row& r) { return fixed(r.session.seconds, 3); }}};
  for (ExportColumn<Row>& column : answer_columns(questions)) columns.push_back(std::move(column));
  return columns;
}

std::vector<ExportColumn<StudyLevel>> level_columns() {
  using Row = StudyLevel;
  return {
      {"level", "name", "name of the level", [](const Row& r) { return r.name; }},
      {"hash", "hexadecimal", "hash of the level's file", [](const Row& r) { return hexadecimal(r.hash); }},
      {"novelty", "name", "novelty the level was made for", [](const Row& r) { return r.novelty; }},
      {"tier", "name", "computed difficulty: tier easy, medium or hard, or third low, middle or high",
       [](const Row& r) { return r.tier; }},
      {"pid", "0 to 1", "probabilistic interaction difficulty", [](const Row& r) { return shortest(r.pid); }},
      {"bid", "0 to 1", "best-shot interaction difficulty", [](const Row& r) { return shortest(r.bid); }},
      {"value", "0 to 1", "difficulty: 1 - p_level where one is stored, else alpha PID + (1 - alpha) BID",
       [](const Row& r) { return shortest(r.value); }},
      {"birds", "count", "birds, which are the most shots",
       [](const Row& r) { return std::to_string(r.birds); }}};
}

std::vector<ExportColumn<ExportedItem>> item_columns() {
  using Row = ExportedItem;
  const auto if_reported = [](const Row& r, const std::string& text) {
    return r.item.reported() ? text : std::string();
  };
  return {{"participant", "number", whose, [](const Row& r) { return std::to_string(r.participant); }},
          {"item", "number", "place among the participant's items, from 1",
           [](const Row& r) { return std::to_string(r.item.position + 1); }},
          {"level", "name", "level that was played", [](const Row& r) { return r.item.level; }},
          {"novelty", "name", "novelty the level was made for", [](const Row& r) { return r.item.novelty; }},
          {"tier", "name", "computed difficulty: tier easy, medium or hard, or third low, middle or high",
           [](const Row& r) { return r.item.tier; }},
          {"world", "name", "normal, novel, or attention for an attention check",
           [](const Row& r) {
             return std::string(r.item.attention ? "attention" : r.item.novel ? "novel" : "normal");
           }},
          {"shots", "count", "shots that ended", [](const Row& r) { return std::to_string(r.item.shots); }},
          {"solved", "0 or 1", "whether no pig was left", [](const Row& r) { return flag(r.item.solved); }},
          {"score", "points", "score of the level", [](const Row& r) { return shortest(r.item.score); }},
          {"seconds", "s", "from its beginning to its end, without pauses",
           [](const Row& r) { return fixed(r.item.seconds, 3); }},
          {"reported", "0 or 1", "whether something was reported",
           [](const Row& r) { return flag(r.item.reported()); }},
          {"reported_after", "count", "shots before the first report; empty without one",
           [=](const Row& r) { return if_reported(r, std::to_string(r.item.reported_after)); }},
          {"confidence", "0.5 to 1", "highest confidence reported; empty without a report",
           [=](const Row& r) { return if_reported(r, shortest(r.item.confidence)); }},
          {"interrupted", "0 or 1", "whether the study was closed in the middle of it",
           [](const Row& r) { return flag(r.item.interrupted); }},
          {"counted", "0 or 1", "whether the report counts it for detection or false alarms",
           [](const Row& r) { return flag(r.item.counts()); }},
          {"passed", "0 or 1", "attention check: whether it was answered as it asks; else empty",
           [](const Row& r) { return r.item.attention ? flag(r.item.passed) : std::string(); }}};
}

/// What shots, reports and events begin with.
std::vector<ExportColumn<ExportedEvent>> place_columns() {
  using Row = ExportedEvent;
  return {{"participant", "number", whose, [](const Row& r) { return std::to_string(r.participant); }},
          {"sequence", "number", "number of the event among the participant's, from 0",
           [](const Row& r) { return std::to_string(r.sequence); }},
          {"session", "number", "opening of the study, from 1",
           [](const Row& r) { return std::to_string(r.event.session); }},
          {"seconds", "s", "since that opening; no date is stored",
           [](const Row& r) { return fixed(r.event.seconds, 3); }},
          {"part", "name", "practice or item; empty: neither",
           [](const Row& r) {
             return std::string(r.item ? "item" : r.event.position >= 0 ? "practice" : "");
           }},
          {"position", "number", "practice level or item, from 1; empty: none",
           [](const Row& r) { return r.event.position < 0 ? "" : std::to_string(r.event.position + 1); }},
          {"level", "name", "level in play; empty: none", [](const Row& r) { return r.level; }}};
}

std::vector<ExportColumn<ExportedEvent>> and_more(std::vector<ExportColumn<ExportedEvent>> more) {
  std::vector<ExportColumn<ExportedEvent>> columns = place_columns();
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

std::vector<ExportColumn<ExportedEvent>> shot_columns() {
  using Row = ExportedEvent;
  return and_more(
      {{"shot", "number", "of the level, from 1",
        [](const Row& r) { return std::to_string(r.event.number); }},
       {"angle", "rad", "elevation at release", [](const Row& r) { return shortest(r.event.shot->angle); }},
       {"stretch", "0 to 1", "pull as a share of the longest",
        [](const Row& r) { return shortest(r.event.shot->stretch); }},
       {"tap_time", "s", "use of the bird's power after release; empty: none",
        [](const Row& r) { return r.event.shot->tap_time < 0 ? "" : shortest(r.event.shot->tap_time); }},
       {"score", "points", "of the level after the shot",
        [](const Row& r) { return shortest(r.event.outcome->score); }},
       {"pigs_left", "count", "pigs after the shot",
        [](const Row& r) { return std::to_string(r.event.outcome->pigs_left); }},
       {"birds_left", "count", "birds after the shot",
        [](const Row& r) { return std::to_string(r.event.outcome->birds_left); }},
       {"trace", "hexadecimal", "hash of the trace: the same shot flown again gives the same",
        [](const Row& r) { return r.event.outcome->trace; }}});
}

std::vector<ExportColumn<ExportedEvent>> report_columns() {
  using Row = ExportedEvent;
  return and_more({{"after_shot", "number", "shots of the item before the report",
                    [](const Row& r) { return std::to_string(r.event.number); }},
                   {"confidence", "0.5 to 1", "that something was different",
                    [](const Row& r) { return shortest(*r.event.confidence); }},
                   {"description", "text",
                    "in the participant's words: read it before you share it, as anything may stand in it",
                    [](const Row& r) { return r.event.description; }}});
}

std::vector<ExportColumn<ExportedEvent>> event_columns() {
  using Row = ExportedEvent;
  return and_more({{"event", "name", "what happened, by the names of docs/files.md",
                    [](const Row& r) { return std::string(name(r.event.kind)); }},
                   {"number", "number", "shot of the level, from 1; empty: none",
                    [](const Row& r) { return r.event.number == 0 ? "" : std::to_string(r.event.number); }}});
}

/// A file, and its columns in the dictionary.
template <typename Row>
void add_file(std::map<std::string, std::string>& files, Rows& dictionary, const std::string& file,
              const std::vector<ExportColumn<Row>>& columns, const std::vector<Row>& rows) {
  Rows table(1);
  for (const ExportColumn<Row>& column : columns) {
    table.front().push_back(column.name);
    dictionary.push_back({file, column.name, column.unit, column.meaning});
  }
  for (const Row& row : rows) {
    table.emplace_back();
    for (const ExportColumn<Row>& column : columns) table.back().push_back(column.cell(row));
  }
  files[file] = comma_separated(table);
}

std::vector<ExportedEvent> exported_events(const StudyParticipant& one, std::size_t number,
                                           const std::vector<StudyEvent>& events) {
  std::vector<ExportedEvent> all;
  bool practice = true;  // until it is left: the first item is begun after it
  for (std::size_t i = 0; i < events.size(); ++i) {
    ExportedEvent& row = all.emplace_back(
        ExportedEvent{.participant = number, .sequence = i, .event = events[i]});
    if (events[i].kind == StudyEventKind::item_begun) practice = false;
    if (events[i].position < 0) continue;
    const auto position = static_cast<std::size_t>(events[i].position);
    if (!practice) row.item = &one.items.at(position);
    row.level = practice ? one.practice.at(position) : row.item->level;
  }
  return all;
}

std::vector<ExportedEvent> of_kind(const std::vector<ExportedEvent>& events, StudyEventKind kind) {
  std::vector<ExportedEvent> some;
  std::copy_if(events.begin(), events.end(), std::back_inserter(some),
               [&](const ExportedEvent& row) { return row.event.kind == kind; });
  return some;
}

}  // namespace

std::map<std::string, std::string> people_export(const StudyStore& store) {
  const PeopleStudy study = read_people_study({store.file()});
  std::vector<StudyParticipant> participants = store.participants();
  std::erase_if(participants, [](const StudyParticipant& one) { return one.withdrawn; });
  std::sort(participants.begin(), participants.end(),
            [](const StudyParticipant& a, const StudyParticipant& b) { return a.code < b.code; });
  std::vector<ExportedParticipant> people;
  std::vector<ExportedItem> items;
  std::vector<ExportedEvent> events;
  for (const StudyParticipant& one : participants) {
    const std::size_t number = people.size() + 1;
    for (const PlayedSession& session : study.sessions)
      if (session.participant == one.code) people.push_back({number, session});
    for (const PlayedItem& item : study.items)
      if (item.participant == one.code) items.push_back({number, item});
    for (ExportedEvent& row : exported_events(one, number, store.events(one)))
      events.push_back(std::move(row));
  }
  std::map<std::string, std::string> files;
  Rows dictionary{{"file", "column", "unit", "meaning"}};
  add_file(files, dictionary, "participants.csv", participant_columns(study.questions), people);
  add_file(files, dictionary, "levels.csv", level_columns(), store.record().levels);
  add_file(files, dictionary, "items.csv", item_columns(), items);
  add_file(files, dictionary, "shots.csv", shot_columns(), of_kind(events, StudyEventKind::shot_ended));
  add_file(files, dictionary, "reports.csv", report_columns(), of_kind(events, StudyEventKind::reported));
  add_file(files, dictionary, "events.csv", event_columns(), events);
  files["dictionary.csv"] = comma_separated(dictionary);
  return files;
}

}  // namespace startle
