#include "web/study_routes.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/json_tree.hpp"
#include "core/text.hpp"
#include "web/enrol_pace.hpp"
#include "web/seen_json.hpp"
#include "web/shot_json.hpp"
#include "web/study_flights.hpp"
#include "web/study_json.hpp"
#include "web/study_seats.hpp"

namespace startle {
namespace {

using nlohmann::json;

/// More events than any participant makes in good faith: what one link can fill of the disk is bounded.
constexpr std::size_t most_events = 20000;
const std::string study_request = "request";  // in messages

class StudyRoutes {
 public:
  StudyRoutes(StudyStore& store, std::shared_ptr<const Profile> profile, StudyRouteOptions options)
      : store_(store),
        record_(store.record()),
        questions_(record_.questions()),
        seats_(store),
        flights_(record_, std::move(profile)),
        options_(std::move(options)),
        texts_([&] {
          json texts = study_texts_json(record_);
          texts["id"] = store.id();
          return texts.dump();
        }()) {}

  const std::string& texts() const { return texts_; }
  /// `address`: where the request comes from.
  HttpResponse enrol(const JsonView& body, const std::string& address);
  HttpResponse open(const JsonView& body);
  HttpResponse state(const JsonView& body);
  HttpResponse tap(const JsonView& body);
  HttpResponse shoot(const JsonView& body);
  HttpResponse end_shot(const JsonView& body);
  HttpResponse begin_practice(const JsonView& body);
  HttpResponse begin_item(const JsonView& body);
  HttpResponse report(const JsonView& body);
  HttpResponse answer(const JsonView& body);
  /// An act that needs no more than to be said.
  HttpResponse plain(const JsonView& body, void (StudySession::*act)());

 private:
  /// Does what is asked of the study, and says what came of it.
  HttpResponse stored(const std::function<json()>& work) const;
  /// `work` as the next event of an opening.
  HttpResponse act(const JsonView& body, const std::function<void(StudySession&, json& answer)>& work);
  /// The session that the request names, for what stores nothing.
  HttpResponse look(const JsonView& body, const std::function<void(StudySession&, json& answer)>& work);

  ShotsInPlay shots(const StudySession& session) const {
    return shots_in_play(store_.events(session.participant()));
  }
  /// All shots of the level in play, with this tap of the one that flies. Throws std::logic_error where none
  /// does.
  std::vector<Shot> with_flying(const StudySession& session, double tap_time) const;
  json state_json(const StudySession& session) const;
  /// What is to be seen of the level in play.
  void add_seen(json& answer, const StudySession& session);
  std::string return_address(const std::string& completion) const;

  StudyStore& store_;
  StudyRecord record_;
  StudyQuestions questions_;
  StudySeats seats_;
  StudyFlights flights_;
  StudyRouteOptions options_;
  EnrolPace pace_;
  std::string texts_;
};

HttpResponse StudyRoutes::stored(const std::function<json()>& work) const {
  try {
    return {.body = work().dump()};
  } catch (const UnknownStudyLink&) {
    return error_response(404, "the link belongs to no participant of this study");
  } catch (const StudyFull&) {
    return error_response(403, "the study has all participants that it is to have");
  } catch (const AlreadyEnrolled&) {
    return error_response(409, "somebody has come under this identifier before, and has a link");
  } catch (const StudyConflict&) {
    return error_response(409, "the study goes on elsewhere, or the request came twice or out of order");
  } catch (const std::logic_error&) {
    return error_response(409, "this cannot be done now");
  } catch (const Error& error) {
    // The reason names files of this machine.
    if (options_.report_failure) options_.report_failure(error.what());
    return error_response(507, "the server cannot store it");
  }
}

HttpResponse StudyRoutes::look(const JsonView& body, const std::function<void(StudySession&, json&)>& work) {
  const std::string link = body.at("link").string();
  const int opening = body.at("opening").integer_from(1);
  return stored([&] {
    json answer;
    seats_.go_on(link, opening, [&](StudySession& session) {
      work(session, answer);
      answer["state"] = state_json(session);
    });
    return answer;
  });
}

HttpResponse StudyRoutes::act(const JsonView& body, const std::function<void(StudySession&, json&)>& work) {
  const std::uint64_t sequence = body.at("sequence").natural();
  return look(body, [&](StudySession& session, json& answer) {
    session.expect(sequence);
    if (sequence >= most_events) throw std::logic_error("more events than a study has");
    work(session, answer);
  });
}

json StudyRoutes::state_json(const StudySession& session) const {
  json state = study_state_json(session);
  if (session.state().stage == StudyStage::consent) state["consent"] = record_.manifest.at("consent_text");
  if (session.state().stage == StudyStage::questions) state["questions"] = study_questions_json(questions_);
  if (session.state().stage != StudyStage::finished) return state;
  const std::string completion = store_.completion_code(session.participant());
  state["completion"] = completion;
  if (const std::string address = return_address(completion); !address.empty())
    state["return_address"] = address;
  return state;
}

std::string StudyRoutes::return_address(const std::string& completion) const {
  std::string address = record_.manifest.at("return_address");
  const std::string place = "{code}";
  for (std::size_t at = 0; (at = address.find(place, at)) != std::string::npos; at += completion.size())
    address.replace(at, place.size(), completion);
  return address;
}

std::vector<Shot> StudyRoutes::with_flying(const StudySession& session, double tap_time) const {
  ShotsInPlay shots = this->shots(session);
  if (!session.state().flying || !shots.flying) throw std::logic_error("no shot is in flight");
  shots.flying->tap_time = tap_time;
  shots.ended.push_back(*shots.flying);
  return shots.ended;
}

void StudyRoutes::add_seen(json& answer, const StudySession& session) {
  if (!session.state().playing()) return;
  add_level(answer, *flights_.scene(session, shots(session).ended));
  if (session.state().flying) add_flight(answer, flights_.last(session, with_flying(session, -1)));
}

HttpResponse StudyRoutes::enrol(const JsonView& body, const std::string& address) {
  body.expect_keys({"identifier", "link"});
  const std::string identifier = plain_identifier(body.at("identifier").string());
  if (identifier.empty() || identifier.size() > longest_identifier)
    body.at("identifier").fail("1 to " + std::to_string(longest_identifier) + " bytes");
  const std::string link = body.at("link").string();
  if (!is_study_link(link)) body.at("link").fail("32 hexadecimal digits, 0 to 9 and a to f");
  if (!pace_.take(address)) {
    HttpResponse later = error_response(429, "too many have come from this address; try again later");
    later.headers["Retry-After"] = std::to_string(EnrolPace::one_more_in.count());
    return later;
  }
  return stored([&] { return json{{"link", store_.enrol(identifier, options_.most_enrolled, link).link}}; });
}

HttpResponse StudyRoutes::open(const JsonView& body) {
  body.expect_keys({"link"});
  const std::string link = body.at("link").string();
  return stored([&] {
    const StudyParticipant known = store_.participant_of_link(link);
    if (store_.event_count(known) >= most_events) throw std::logic_error("more events than a study has");
    json answer;
    seats_.open(link, [&](StudySession& session) { answer["state"] = state_json(session); });
    return answer;
  });
}

HttpResponse StudyRoutes::state(const JsonView& body) {
  body.expect_keys({"link", "opening"});
  return look(body, [&](StudySession& session, json& answer) { add_seen(answer, session); });
}

HttpResponse StudyRoutes::plain(const JsonView& body, void (StudySession::*what)()) {
  body.expect_keys({"link", "opening", "sequence"});
  return act(body, [&](StudySession& session, json&) { (session.*what)(); });
}

HttpResponse StudyRoutes::begin_practice(const JsonView& body) {
  body.expect_keys({"link", "opening", "sequence", "position"});
  const int position = body.at("position").integer_from(0);
  return act(body, [&](StudySession& session, json& answer) {
    session.begin_practice(position);
    add_seen(answer, session);
  });
}

HttpResponse StudyRoutes::begin_item(const JsonView& body) {
  body.expect_keys({"link", "opening", "sequence"});
  return act(body, [&](StudySession& session, json& answer) {
    session.begin_item();
    add_seen(answer, session);
  });
}

HttpResponse StudyRoutes::shoot(const JsonView& body) {
  body.expect_keys({"link", "opening", "sequence", "shot"});
  const Shot shot = read_shot(body.at("shot"));
  if (shot.tap_time >= 0) body.at("shot").at("tap_time").fail("none yet: the bird is let go");
  return act(body, [&](StudySession& session, json& answer) {
    session.shot_released(shot);
    add_flight(answer, flights_.last(session, with_flying(session, -1)));
  });
}

HttpResponse StudyRoutes::tap(const JsonView& body) {
  body.expect_keys({"link", "opening", "tap_time"});
  const double tap_time = read_tap_time(body.at("tap_time"));
  return look(body, [&](StudySession& session, json& answer) {
    add_flight(answer, flights_.last(session, with_flying(session, tap_time)));
  });
}

HttpResponse StudyRoutes::end_shot(const JsonView& body) {
  body.expect_keys({"link", "opening", "sequence"}, {"tap_time"});
  const double tap_time = body.has("tap_time") ? read_tap_time(body.at("tap_time")) : -1;
  return act(body, [&](StudySession& session, json& answer) {
    std::vector<Shot> shots = with_flying(session, tap_time);
    auto flown = flights_.result(session, shots);
    if (tap_time >= 0 && !was_tapped(flown->trace)) {  // as in the window, a tap that did nothing is none
      shots.back().tap_time = -1;
      flown = flights_.result(session, shots);
    }
    session.shot_ended(shots.back(), flown->scene, flown->trace);
    answer["scene"] = scene_json(flown->scene);
  });
}

HttpResponse StudyRoutes::answer(const JsonView& body) {
  body.expect_keys({"link", "opening", "sequence", "answers"});
  const StudyAnswers answers = read_answers(body.at("answers"));
  questions_.check(answers);  // first: what is wrong in itself is 400, and only then out of turn 409
  return act(body, [&](StudySession& session, json&) { session.answer(questions_, answers); });
}

HttpResponse StudyRoutes::report(const JsonView& body) {
  body.expect_keys({"link", "opening", "sequence", "confidence", "description"});
  const double confidence = number_within(body.at("confidence"), 0.5, 1, "a number from 0.5 to 1");
  const std::string description = body.at("description").string();
  if (description.size() > longest_description)
    body.at("description").fail("up to " + std::to_string(longest_description) + " bytes of UTF-8");
  return act(body, [&](StudySession& session, json&) { session.report(confidence, description); });
}

}  // namespace

void add_study_routes(Router& router, StudyStore& store, const std::shared_ptr<const Profile>& profile,
                      const StudyRouteOptions& options) {
  const auto routes = std::make_shared<StudyRoutes>(store, profile, options);
  router.add("GET", "/api/study", [routes](const Call&) { return HttpResponse{.body = routes->texts()}; });
  const auto landscape = std::make_shared<const std::string>(landscape_json(*profile).dump());
  router.add("GET", "/api/landscape", [landscape](const Call&) { return HttpResponse{.body = *landscape}; });

  const auto add_with_request = [&](const std::string& name, auto answer) {
    router.add("POST", "/api/study/" + name, [answer](const Call& call) {
      const std::string& body = call.request.body;
      if (first_invalid_utf8(body) != std::string::npos) throw Error(study_request + ": is not UTF-8");
      const JsonNode tree = parse_json(body, study_request);
      return answer(JsonView(tree, study_request), call.request);
    });
  };
  const auto add = [&](const std::string& name, auto answer) {
    add_with_request(name, [answer](const JsonView& body, const HttpRequest&) { return answer(body); });
  };
  if (options.most_enrolled > 0)
    add_with_request(
        "enrol", [routes, proxy = options.behind_proxy](const JsonView& body, const HttpRequest& request) {
          return routes->enrol(body, address_of(request, proxy));
        });
  const std::pair<const char*, HttpResponse (StudyRoutes::*)(const JsonView&)> with_more[] = {
      {"open", &StudyRoutes::open},
      {"state", &StudyRoutes::state},
      {"tap", &StudyRoutes::tap},
      {"shoot", &StudyRoutes::shoot},
      {"end-shot", &StudyRoutes::end_shot},
      {"begin-practice", &StudyRoutes::begin_practice},
      {"begin-item", &StudyRoutes::begin_item},
      {"report", &StudyRoutes::report},
      {"answer", &StudyRoutes::answer}};
  for (const auto& [name, answer] : with_more)
    add(name, [routes, answer = answer](const JsonView& body) { return ((*routes).*answer)(body); });
  const std::pair<const char*, void (StudySession::*)()> plain[] = {
      {"agree", &StudySession::agree},
      {"decline", &StudySession::decline},
      {"leave-practice", &StudySession::leave_practice},
      {"report-nothing", &StudySession::report_nothing},
      {"leave-item", &StudySession::leave_item},
      {"pause", &StudySession::pause},
      {"go-on", &StudySession::go_on},
      {"close", &StudySession::close}};
  for (const auto& [name, act] : plain)
    add(name, [routes, act = act](const JsonView& body) { return routes->plain(body, act); });
}

}  // namespace startle
