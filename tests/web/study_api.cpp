/// \file  A study over HTTP: it stores what a StudySession stores and sends what is seen, and a server that
/// was started anew goes on.
#include <cmath>
#include <set>

#include "core/hash.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "tests/web/study_samples.hpp"
#include "web/enrol_pace.hpp"

using namespace startle;
using namespace startle::testing;
using nlohmann::json;

namespace {

/// From the first item to the end: every second one is reported.
void play_items(StudyClient& one) {
  for (int item = 0; one.state["stage"] != "finished"; ++item) {
    if (item > 0) one.act("begin-item");
    for (int k = item; !one.state["over"].get<bool>(); ++k) one.shoot(StudyClient::script(k));
    if (item % 2) {
      one.act("report", {{"confidence", 0.75}, {"description", "It falls slowly: \xc3\xa4."}});
      one.act("leave-item");
    } else {
      one.act("report-nothing");
    }
  }
}

/// The same, by the class that the window uses.
void play_level(StudySession& session, const StudyRecord& record, int first) {
  const StoredLevel level = session.stored_level(record);
  Scene scene = study_scene(level, profile(), session.novel() ? level.difficulty->novelty : "");
  for (int k = first; !session.state().over; ++k) {
    Shot shot = StudyClient::script(k);
    ShotResult result = run_shot(scene, shot, {.record_events = true});
    const auto is_tap = [](const Event& event) { return event.kind == EventKind::tap; };
    if (std::none_of(result.trace.events.begin(), result.trace.events.end(), is_tap)) shot.tap_time = -1;
    session.shot_released({.angle = shot.angle, .stretch = shot.stretch});
    scene = result.scene;
    session.shot_ended(shot, scene, result.trace);
  }
}

void take_part_directly(StudyStore& store) {
  const StudyRecord record = store.record();
  StudySession session(store, store.invite().participant);
  session.agree();
  for (int i = 0; i < session.state().practice_levels; ++i) {
    session.begin_practice(i);
    play_level(session, record, 0);
  }
  session.leave_practice();
  for (int item = 0; session.state().unfinished(); ++item) {
    session.begin_item();
    play_level(session, record, item);
    if (item % 2) {
      session.report(0.75, "It falls slowly: \xc3\xa4.");
      session.leave_item();
    } else {
      session.report_nothing();
    }
  }
}

/// A study of one level, which is the only item, in one of the worlds; both have the same practice.
StudyRecord one_item(const StoredLevel& level, bool novel) {
  return make_study_record({.program = study_program,
                            .profile = profile(),
                            .consent = "I agree.",
                            .settings = {.practice = 0, .items = 1, .normal = novel ? 0 : 1, .seed = 1},
                            .levels = study_levels({level}, profile()),
                            .practice = {real_levels().front()}});
}

/// What the page is sent, without what differs between any two participants.
json sent(StudyClient& one) {
  json answer = one.answer;
  answer["state"].erase("code");
  return answer;
}

/// Poses of a body at each step until `end`, as the page decodes them.
std::vector<std::vector<long>> poses(const json& body, int end) {
  std::vector<std::vector<long>> poses;
  auto now = body["pose"].get<std::vector<long>>();
  std::map<int, std::vector<long>> changes;
  if (body.contains("moves"))
    for (const json& run : body["moves"])
      for (std::size_t i = 1; i + 2 < run.size(); i += 3)
        changes[run[0].get<int>() + static_cast<int>(i / 3)] = {run[i], run[i + 1], run[i + 2]};
  for (int step = body["born"]; step < end; ++step) {
    if (const auto change = changes.find(step); change != changes.end())
      for (std::size_t k = 0; k < 3; ++k) now[k] += change->second[k];
    poses.push_back(now);
  }
  return poses;
}

/// The step of the shot's first contact, in either world.
int first_contact(const StoredLevel& level, const Shot& shot) {
  int first = 1000000;
  for (const std::string& novelty : {std::string(), level.difficulty->novelty}) {
    const Trace trace = run_shot(study_scene(level, profile(), novelty), shot, {.record_events = true}).trace;
    for (const Event& event : trace.events)
      if (event.kind == EventKind::contact) first = std::min(first, event.step);
  }
  return first;
}

}  // namespace

TEST_CASE("[web] a study over HTTP stores what a session in the window stores") {
  StudyFile served, direct;
  const StudySite site(served.options());
  StudyClient one(site, served.store.invite().link);
  CHECK(one.open() == 200);
  CHECK(one.state["consent"] == "I agree.\nReally.");
  one.begin_opened();
  play_items(one);
  take_part_directly(direct.store);
  const std::vector<StudyEvent> events = stored_events(served.store), expected = stored_events(direct.store);
  REQUIRE(events.size() == expected.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    INFO("event " << i << ", " << name(expected[i].kind));
    CHECK(events[i] == expected[i]);
  }
  int taps = 0;
  for (const StudyEvent& event : expected)
    taps += event.kind == StudyEventKind::shot_ended && event.shot->tap_time >= 0;
  CHECK(taps > 0);
  const std::string completion = served.store.completion_code(served.store.participants().front());
  CHECK(one.state["completion"] == completion);
  CHECK(one.state["return_address"] == "https://recruiter.example/?cc=" + completion);
  CHECK_FALSE(one.state.contains("consent"));
}

TEST_CASE("[web] a normal and a novel item are sent alike until something touches") {
  for (const StoredLevel& level : real_levels()) {
    json before[2], flown[2];
    const Shot shot{.angle = radians(25)};
    for (const bool novel : {false, true}) {
      StudyFile file(one_item(level, novel));
      const StudySite site(file.options());
      StudyClient one(site, file.store.invite().link);
      one.begin();
      before[novel] = sent(one);
      REQUIRE(one.act("shoot", {{"shot", {{"angle", shot.angle}, {"stretch", 1}}}}) == 200);
      flown[novel] = sent(one);
    }
    INFO(level.name);
    REQUIRE(before[0].contains("scene"));
    // The number of the last event is that of practice, which was the same.
    CHECK(before[0] == before[1]);
    CHECK(flown[0]["before"] == flown[1]["before"]);
    CHECK(flown[0]["state"] == flown[1]["state"]);
    const int until = first_contact(level, shot);
    REQUIRE(until > 5);
    const json &normal = flown[0]["trace"]["bodies"], &novel = flown[1]["trace"]["bodies"];
    std::map<int, json> by_id;
    for (const json& body : novel) by_id[body["id"]] = body;
    int compared = 0;
    for (const json& body : normal) {
      if (body["born"].get<int>() >= until) continue;
      REQUIRE(by_id.contains(body["id"]));
      CHECK(poses(body, until) == poses(by_id[body["id"]], until));
      ++compared;
    }
    CHECK(compared > 3);
  }
}

TEST_CASE("[web] no answer of a study names a level, a novelty, a tier, a world or a plan") {
  StudyFile file;
  const StudySite site(file.options());
  std::string all;
  StudyClient one(
      [&](const HttpRequest& request) {
        HttpResponse response = site.answer(request);
        all += response.body + "\n";
        return response;
      },
      file.store.invite().link);
  one.begin();
  play_items(one);
  REQUIRE(all.size() > 100000);
  std::set<std::string> words{"\"novel", "\"normal", "\"tier", "\"plan", "\"pid", "\"novelty", "\"level\""};
  for (const StudyLevel& level : file.store.record().levels)
    words.insert({level.name, "\"" + level.novelty + "\"", "\"" + level.tier + "\""});
  for (const std::string& word : words) {
    INFO(word);
    CHECK(all.find(word) == std::string::npos);
  }
}

TEST_CASE("[web] a study goes on in the middle of a shot after the server was started anew") {
  StudyFile file, undisturbed;
  {
    const StudySite site(undisturbed.options());
    StudyClient one(site, undisturbed.store.invite().link);
    one.begin();
    play_items(one);
  }
  std::unique_ptr<StudySite> site;
  // A new server for every request.
  StudyClient one(
      [&](const HttpRequest& request) {
        site = std::make_unique<StudySite>(file.options());
        return site->answer(request);
      },
      file.store.invite().link);
  one.begin();
  play_items(one);
  CHECK(stored_events(file.store) == stored_events(undisturbed.store));
}

TEST_CASE("[web] what got no answer is asked for again, and a shot in flight is seen again") {
  StudyFile file;
  const StudySite site(file.options());
  StudyClient one(site, file.store.invite().link);
  one.begin();
  const json shot = one.body({{"shot", {{"angle", 0.4}}}});
  REQUIRE(one.post("shoot", shot) == 200);
  const json flown = one.answer;
  CHECK(one.post("shoot", shot) == 409);  // the page has not got the answer
  REQUIRE(one.look() == 200);
  CHECK(one.state["flying"] == true);
  CHECK(one.answer["trace"] == flown["trace"]);
  CHECK(one.answer["before"] == flown["before"]);
  CHECK(one.answer["scene"] == flown["before"]);
  CHECK(one.answer.contains("art"));
  CHECK(one.act("end-shot") == 200);
  CHECK(one.state["shots"] == 1);
}

TEST_CASE("[web] a tap in flight shows the shot with it, and stores nothing") {
  StudyFile file;
  const StudySite site(file.options());
  StudyClient one(site, file.store.invite().link);
  one.begin();
  one.act("shoot", {{"shot", {{"angle", 0.4}}}});
  const json without = one.answer;
  const std::size_t events = stored_events(file.store).size();
  const auto tap = [&](double seconds) {
    CHECK(one.post("tap", {{"link", one.link}, {"opening", 1}, {"tap_time", seconds}}) == 200);
    return one.answer;
  };
  CHECK(tap(900)["tapped"] == false);
  CHECK(tap(900)["trace"] == without["trace"]);
  CHECK(stored_events(file.store).size() == events);
  CHECK(one.act("end-shot", {{"tap_time", 900}}) == 200);
  CHECK(stored_events(file.store).back().shot->tap_time == -1);  // it did nothing
}

TEST_CASE(
    "[web] a page that is opened again is at the same place, and the item in play is interrupted, as in the "
    "window") {
  StudyFile file;
  const StudySite site(file.options());
  StudyClient one(site, file.store.invite().link);
  one.begin();
  one.shoot({.angle = 0.3});
  REQUIRE(one.open() == 200);
  CHECK(one.state["opening"] == 2);
  CHECK(one.state["stage"] == "between");
  CHECK(one.state["items_done"] == 1);
  CHECK_FALSE(one.answer.contains("scene"));
  CHECK(stored_events(file.store).back().kind == StudyEventKind::interrupted);
}

TEST_CASE("[web] who comes with a recruiter's identifier is enrolled, once, while there is room") {
  StudyFile file;
  const StudySite site(file.options(2));
  StudyClient one(site, "");
  const auto link = [](char digit) { return std::string(32, digit); };
  const auto enrol = [&](const std::string& identifier, const std::string& drawn) {
    const int status = one.post("enrol", {{"identifier", identifier}, {"link", drawn}});
    return status == 200 ? one.answer["link"].get<std::string>() : std::to_string(status);
  };
  CHECK(enrol("person 1", link('1')) == link('1'));
  one.link = link('1');
  one.begin();
  const json state = one.state;
  const std::size_t events = stored_events(file.store).size();
  // A stranger with the same identifier neither goes on in that session nor ends it.
  for (const char* same : {"person 1", " person 1 "}) CHECK(enrol(same, link('2')) == "409");
  one.link = link('2');
  CHECK(one.open() == 404);
  one.link = link('1');
  one.state = state;
  CHECK(stored_events(file.store).size() == events);
  CHECK(one.act("shoot", {{"shot", {{"angle", 0.4}}}}) == 200);
  CHECK(enrol("person 1", link('1')) == link('1'));  // no answer came the first time
  CHECK(enrol("person 2", link('3')) == link('3'));
  CHECK(enrol("person 3", link('4')) == "403");
  CHECK(file.store.participants().size() == 2);

  const StudySite closed(file.options());
  StudyClient stranger(closed, "");
  CHECK(stranger.post("enrol", {{"identifier", "person 1"}, {"link", link('1')}}) == 404);
}

TEST_CASE("[web] identifiers and links that are none are refused when somebody enrols") {
  StudyFile file;
  const StudySite site(file.options(2));
  StudyClient one(site, "");
  const std::string link(32, 'a');
  CHECK(one.post("enrol", {{"identifier", ""}, {"link", link}}) == 400);
  CHECK(one.post("enrol", {{"identifier", " \n"}, {"link", link}}) == 400);
  CHECK(one.post("enrol", {{"identifier", std::string(201, 'a')}, {"link", link}}) == 400);
  CHECK(one.post("enrol", {{"identifier", "person"}, {"link", "0123"}}) == 400);
  CHECK(one.post("enrol", {{"identifier", "person"}}) == 400);
  CHECK(file.store.participants().empty());
}

TEST_CASE("[web] a loop enrols ten from one address, and others are let in meanwhile") {
  StudyFile file;
  StudySiteOptions options = file.options(1000);
  options.site = "https://study.example.org";
  const StudySite site(options);
  int number = 0;
  const auto enrol = [&](const std::string& forwarded) {
    const std::string link = hexadecimal(static_cast<std::uint64_t>(++number)) + std::string(16, '0');
    HttpRequest request = post_request({"api", "study", "enrol"},
                                       {{"identifier", std::to_string(number)}, {"link", link}});
    request.headers["host"] = "study.example.org";
    request.headers["origin"] = options.site;
    request.headers["x-forwarded-for"] = forwarded;
    return site.answer(request);
  };
  for (int i = 0; i < EnrolPace::at_once; ++i) CHECK(enrol("6.6.6.6, 192.0.2.7").status == 200);
  const HttpResponse late = enrol(
      "192.0.2.8, 192.0.2.7");  // what the client itself claims counts for nothing
  CHECK(late.status == 429);
  CHECK(late.headers.at("Retry-After") == "60");
  CHECK(enrol("192.0.2.8").status == 200);
  CHECK(file.store.participants().size() == 11);
}

TEST_CASE("[web] the pace of an address comes back with time, and an IPv6 line has one") {
  EnrolPace pace;
  const auto start = EnrolPace::Clock::now();
  for (int i = 0; i < EnrolPace::at_once; ++i) CHECK(pace.take("a", start));
  CHECK_FALSE(pace.take("a", start));
  CHECK(pace.take("b", start));
  CHECK_FALSE(pace.take("a", start + std::chrono::seconds(59)));
  CHECK(pace.take("a", start + std::chrono::seconds(60)));
  CHECK_FALSE(pace.take("a", start + std::chrono::seconds(61)));
  for (int i = 0; i < EnrolPace::at_once; ++i) CHECK(pace.take("a", start + std::chrono::hours(1)));
  CHECK_FALSE(pace.take("a", start + std::chrono::hours(1)));

  const auto from = [](const std::string& peer, const std::string& forwarded, bool proxy) {
    HttpRequest request;
    request.peer = peer;
    if (!forwarded.empty()) request.headers["x-forwarded-for"] = forwarded;
    return address_of(request, proxy);
  };
  CHECK(from("192.0.2.1", "198.51.100.1", false) == "192.0.2.1");
  CHECK(from("127.0.0.1", "198.51.100.1, 203.0.113.9", true) == "203.0.113.9");
  CHECK(from("127.0.0.1", "", true) == "127.0.0.1");
  CHECK(from("2001:db8:1:2::1", "", false) == from("2001:db8:1:2:ffff::7", "", false));
  CHECK(from("2001:db8:1:2::1", "", false) != from("2001:db8:1:3::1", "", false));
  CHECK(from("::ffff:192.0.2.1", "", false) != from("::ffff:192.0.2.2", "", false));
}

TEST_CASE("[web] the page of a study has its texts, in the language of the study") {
  StudyFile file(make_study_record({.program = study_program,
                                    .profile = profile(),
                                    .consent = "Ja.",
                                    .texts = StudyTexts::shipped("de"),
                                    .settings = {.practice = 1, .items = 1, .normal = 0},
                                    .levels = study_levels(real_levels(), profile())}));
  const StudySite site(file.options());
  const json said = json::parse(site.answer(get_request({"api", "study"})).body);
  CHECK(said["language"] == "de");
  CHECK(said["texts"] == json(StudyTexts::shipped("de").all()));
  CHECK(site.answer(get_request({})).body.find("/page/study.js") != std::string::npos);
  CHECK(json::parse(site.answer(get_request({"api", "landscape"})).body)["marks"].size() > 5);
}

TEST_CASE("[web] a study that another version made is refused") {
  const StudyFile file;
  StudySiteOptions options = file.options();
  options.program = "startle 9";
  CHECK_THROWS_WITH(StudySite(options), Catch::Contains(study_program) && Catch::Contains("startle 9"));
  options.study = "/nowhere/study.sqlite";
  CHECK_THROWS_WITH(StudySite(options), Catch::Contains("/nowhere/study.sqlite"));
}

TEST_CASE("[web] questions are sent after consent, answered once, and not sent again") {
  StudyFile file(asking_record(study_levels(real_levels(), profile()),
                               {.practice = 1, .items = 2, .normal = 1, .seed = 5}, study_program));
  const StudySite site(file.options());
  StudyClient one(site, file.store.invite().link);
  one.open();
  CHECK_FALSE(one.state.contains("questions"));
  one.act("agree");
  CHECK(one.state["stage"] == "questions");
  CHECK(one.state["playing"] == false);
  const json asked = one.state["questions"];
  REQUIRE(asked.size() == 3);
  CHECK(asked[0] == json{{"name", "played"},
                         {"text", "Did you play this before?"},
                         {"kind", "choice"},
                         {"required", true},
                         {"options", {"never", "often"}}});
  CHECK((asked[1]["min"] == 18 && asked[1]["max"] == 99));
  CHECK((asked[2]["max_length"] == 10 && asked[2]["required"] == false));
  // Opened again, or on a server that was started anew: still to be answered.
  one.open();
  CHECK(one.state["questions"] == asked);
  const StudySite anew(file.options());
  one = StudyClient(anew, one.link);
  one.open();
  CHECK(one.act("answer", {{"answers", {{"played", "never"}, {"age", 31}}}}) == 200);  // one is left out
  CHECK(one.state["stage"] == "practice");
  CHECK_FALSE(one.state.contains("questions"));
  CHECK(one.act("answer", {{"answers", {{"played", "often"}, {"age", 32}}}}) == 409);
  one.open();
  CHECK(one.state["stage"] == "practice");
  const StudyEvent stored = stored_events(file.store).at(4);
  CHECK(stored.kind == StudyEventKind::answered);
  CHECK(stored.answers == StudyAnswers{{"played", "never"}, {"age", 31.0}});
}
