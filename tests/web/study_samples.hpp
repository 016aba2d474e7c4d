#pragma once
/// \file  A study that a server serves, and a participant who sends what a page would.
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "people/study_session.hpp"
#include "tests/folder.hpp"
#include "tests/people/samples.hpp"
#include "tests/web/web_samples.hpp"
#include "web/study_site.hpp"

namespace startle::testing {

inline constexpr const char* study_program = "startle " STARTLE_VERSION;

/// A file of a study: two practice levels and four items, one of them an attention check.
struct StudyFile {
  TestFolder folder;
  std::string path = folder.file("study.sqlite").string();
  StudyStore store;

  static StudyRecord record() {
    return make_study_record({.program = study_program,
                              .profile = profile(),
                              .consent = "I agree.\nReally.",
                              .return_address = "https://recruiter.example/?cc={code}",
                              .settings = {.practice = 2, .items = 3, .normal = 1, .attention = 1, .seed = 5},
                              .levels = study_levels(real_levels(), profile())});
  }
  explicit StudyFile(const StudyRecord& record = StudyFile::record()) : store(path, record) {}

  StudySiteOptions options(int most_enrolled = 0) const {
    StudySiteOptions options{.study = path, .program = study_program, .most_enrolled = most_enrolled};
    options.server.port = 0;
    options.server.threads = 2;
    return options;
  }
};

/// What a page sends, and what it is sent.
class StudyClient {
 public:
  using Send = std::function<HttpResponse(const HttpRequest&)>;
  StudyClient(Send send, std::string its_link) : link(std::move(its_link)), send_(std::move(send)) {}
  StudyClient(const StudySite& site, std::string its_link)
      : StudyClient([&site](const HttpRequest& request) { return site.answer(request); },
                    std::move(its_link)) {}

  /// The answer's status; the answer stands in `answer`, and the state that it has in `state`.
  int post(const std::string& what, const nlohmann::json& body) {
    return post_to({"api", "study", what}, body);
  }
  int post_to(const std::vector<std::string>& path, const nlohmann::json& body) {
    const HttpResponse response = send_(post_request(path, body));
    answer = nlohmann::json::parse(response.body);
    if (answer.contains("state")) state = answer["state"];
    return response.status;
  }
  int open() { return post("open", {{"link", link}}); }
  /// With opening and sequence as the page knows them, and `more`.
  nlohmann::json body(const nlohmann::json& more = nlohmann::json::object()) const {
    nlohmann::json all = {
        {"link", link}, {"opening", state.at("opening")}, {"sequence", state.at("sequence")}};
    all.update(more);
    return all;
  }
  int act(const std::string& what, const nlohmann::json& more = nlohmann::json::object()) {
    return post(what, body(more));
  }
  int look() { return post("state", {{"link", link}, {"opening", state.at("opening")}}); }

  /// A shot to its end.
  void shoot(const Shot& shot) {
    act("shoot", {{"shot", {{"angle", shot.angle}, {"stretch", shot.stretch}}}});
    act("end-shot",
        shot.tap_time < 0 ? nlohmann::json::object() : nlohmann::json{{"tap_time", shot.tap_time}});
  }
  /// To the first item.
  void begin() {
    open();
    begin_opened();
  }
  void begin_opened() {
    act("agree");
    for (std::size_t i = 0; i < state["practised"].size(); ++i) {
      act("begin-practice", {{"position", i}});
      for (int k = 0; !state["over"].get<bool>(); ++k) shoot(script(k));
    }
    act("leave-practice");
    act("begin-item");
  }
  /// Shots of one participant: high and low, some with the bird's power.
  static Shot script(int number) {
    return {.angle = radians(12 + 17 * (number % 4)), .stretch = 1, .tap_time = number % 2 ? 0.7 : -1};
  }

  std::string link;
  nlohmann::json state, answer;

 private:
  Send send_;
};

/// The events of the one participant of a file, without times.
inline std::vector<StudyEvent> stored_events(const StudyStore& store, int number = 0) {
  std::vector<StudyEvent> events = store.events(store.participants().at(static_cast<std::size_t>(number)));
  for (StudyEvent& event : events) event.seconds = 0;
  return events;
}

}  // namespace startle::testing
