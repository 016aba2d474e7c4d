/// \file  Who tries to be somebody else in a study, to do things twice or out of turn, to send what nobody
/// did, or to see what only the researcher is to see; and a server that is killed.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <list>
#include <random>

#include "core/database.hpp"
#include "core/password.hpp"
#include "people/study_scores.hpp"
#include "tests/catch.hpp"
#include "tests/web/study_samples.hpp"
#include "web/researcher_door.hpp"

using namespace startle;
using namespace startle::testing;
using nlohmann::json;

namespace {

/// A server of a study and one participant who has begun the first item.
struct Begun {
  StudyFile file;
  StudySite site{file.options()};
  StudyClient one{site, file.store.invite().link};
  Begun() { one.begin(); }
  std::size_t events() const { return stored_events(file.store).size(); }
};

/// Serves while it lives.
class RunningStudy {
 public:
  explicit RunningStudy(const StudySiteOptions& options)
      : site_(options), thread_([this] { site_.run([this] { return !stop_; }); }) {}
  ~RunningStudy() {
    stop_ = true;
    thread_.join();
  }
  RunningStudy(const RunningStudy&) = delete;
  RunningStudy& operator=(const RunningStudy&) = delete;
  int port() const { return site_.port(); }

 private:
  StudySite site_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

/// A port that is free now and that no connection is given as its own: while the server is down, one that
/// tries to reach it would reach itself.
int port_to_come_back_to(StudySiteOptions options) {
  for (int port = 20000 + getpid() % 10000; port < 32000; ++port) try {
      options.server.port = port;
      return StudySite(options).port();
    } catch (const std::exception&) {
    }
  throw std::runtime_error("no port is free");
}

/// The program itself, which can be killed at any moment.
class ServedByProgram {
 public:
  ServedByProgram(std::string file, int port) : file_(std::move(file)), port_(std::to_string(port)) {
    start();
  }
  ~ServedByProgram() { end(); }
  ServedByProgram(const ServedByProgram&) = delete;
  ServedByProgram& operator=(const ServedByProgram&) = delete;
  void kill_and_start() {
    end();
    start();
  }

 private:
  void start() {
    std::string program = STARTLE_PROGRAM, web = "web", study = "--study", port = "--port";
    char* arguments[] = {program.data(), web.data(),   study.data(), file_.data(),
                         port.data(),    port_.data(), nullptr};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const int failed = posix_spawn(&process_, STARTLE_PROGRAM, &files, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed) throw std::runtime_error(STARTLE_PROGRAM ": cannot be started");
  }
  void end() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

  std::string file_, port_;
  pid_t process_ = 0;
};

std::string as_text(const HttpRequest& request) {
  std::string path;
  for (const std::string& segment : request.path) path += "/" + segment;
  return "POST " + path +
         " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json"
         "\r\nContent-Length: " +
         std::to_string(request.body.size()) + "\r\n\r\n" + request.body;
}

/// Over a connection of its own; status 0 where none can be made or it breaks off.
StudyClient::Send over_network(int port) {
  return [port](const HttpRequest& request) {
    const RawAnswer answer = raw_answer(port, as_text(request));
    if (answer.status == 0) return HttpResponse{.status = 0, .body = "{}"};
    return HttpResponse{.status = answer.status, .body = answer.body};
  };
}

}  // namespace

TEST_CASE("[web] study: a forged link opens nothing, and the answer is the same for all of them") {
  StudyFile file;
  const StudySite site(file.options());
  const std::string link = file.store.invite().link;
  std::string upper = link, near = link;
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  near[5] = near[5] == '0' ? '1' : '0';
  std::set<std::string> answers;
  for (const std::string& forged :
       {std::string(), std::string("0"), link.substr(0, 31), link + "0", link + " ", near,
        std::string(32, '0'), file.store.participants().front().code, std::string("' OR '1'='1"),
        std::string("%"), std::string(60000, 'a'), upper == link ? near : upper}) {
    StudyClient thief(site, forged);
    INFO(forged.substr(0, 40));
    CHECK(thief.open() == 404);
    answers.insert(thief.answer.dump());
    CHECK(thief.post("agree", {{"link", forged}, {"opening", 1}, {"sequence", 1}}) == 404);
    CHECK(thief.post("state", {{"link", forged}, {"opening", 1}}) == 404);
  }
  CHECK(answers.size() == 1);
  CHECK(stored_events(file.store).empty());
  CHECK(StudyClient(site, link).open() == 200);
}

TEST_CASE("[web] study: a link that was renewed, and one of who has withdrawn, open nothing") {
  StudyFile file;
  const StudySite site(file.options());
  const StudyInvitation invited = file.store.invite();
  StudyClient one(site, invited.link);
  one.open();
  const std::string renewed = file.store.renew_link(invited.participant.code).link;
  CHECK(one.act("agree") == 404);
  one.link = renewed;
  CHECK(one.act("agree") == 200);
  file.store.withdraw(invited.participant.code);
  CHECK(one.act("begin-practice", {{"position", 0}}) == 404);
  CHECK(one.open() == 404);
}

TEST_CASE("[web] study: an event that comes twice, too early or too late is stored once or not at all") {
  Begun begun;
  const json shot = begun.one.body({{"shot", {{"angle", 0.4}}}});
  const std::size_t events = begun.events();
  CHECK(begun.one.post("shoot", shot) == 200);
  for (int i = 0; i < 3; ++i) CHECK(begun.one.post("shoot", shot) == 409);
  CHECK(begun.events() == events + 1);
  for (const int ahead : {-3, -1, 1, 1000000}) {
    const json body = begun.one.body({{"sequence", begun.one.state["sequence"].get<int>() + ahead}});
    CHECK(begun.one.post("end-shot", body) == 409);
  }
  CHECK(begun.one.post("end-shot", begun.one.body({{"sequence", -1}})) == 400);
  CHECK(begun.one.post("end-shot", begun.one.body({{"sequence", 1.5}})) == 400);
  CHECK(begun.events() == events + 1);
  CHECK(begun.one.act("end-shot") == 200);
}

TEST_CASE(
    "[web] study: of two windows of one participant the later one goes on, and nothing is stored twice") {
  StudyFile file;
  const StudySite site(file.options());
  const std::string link = file.store.invite().link;
  StudyClient first(site, link), second(site, link);
  first.open();
  first.act("agree");
  second.open();
  const std::size_t events = stored_events(file.store).size();
  CHECK(first.act("begin-practice", {{"position", 0}}) == 409);
  CHECK(first.look() == 409);  // so the page knows that it was opened elsewhere
  CHECK(first.act("close") == 409);
  CHECK(stored_events(file.store).size() == events);
  CHECK(second.act("begin-practice", {{"position", 0}}) == 200);
  // A page cannot name an opening that is still to come.
  json ahead = second.body();
  ahead["opening"] = 3;
  CHECK(second.post("pause", ahead) == 409);
  ahead["opening"] = 0;
  CHECK(second.post("pause", ahead) == 400);
  CHECK(second.act("pause") == 200);

  // Also where the other window is served by another program.
  StudySession elsewhere(file.store, file.store.participants().front());
  CHECK(second.act("go-on") == 409);
  CHECK(second.look() == 409);
  CHECK_NOTHROW(elsewhere.begin_practice(0));
}

TEST_CASE("[web] study: of many requests for one event at once one is stored") {
  Begun begun;
  const json body = begun.one.body({{"shot", {{"angle", 0.4}}}});
  const std::size_t events = begun.events();
  std::atomic<int> stored = 0, refused = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      const int status = begun.site.answer(post_request({"api", "study", "shoot"}, body)).status;
      stored += status == 200;
      refused += status == 409;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(stored == 1);
  CHECK(refused == 7);
  CHECK(begun.events() == events + 1);
}

TEST_CASE("[web] study: nothing of one participant is reached by another") {
  StudyFile file;
  const StudySite site(file.options());
  StudyClient one(site, file.store.invite().link), other(site, file.store.invite().link);
  std::string all;
  StudyClient spy(
      [&](const HttpRequest& request) {
        HttpResponse response = site.answer(request);
        all += response.body;
        return response;
      },
      other.link);
  one.begin();
  one.shoot({.angle = 0.3});
  one.act("report", {{"confidence", 0.9}, {"description", "my own words"}});
  spy.begin();
  json body = spy.body();
  body["participant"] = one.state["code"];
  CHECK(spy.post("state", body) == 400);
  CHECK(spy.post("pause", body) == 400);
  for (const char* path : {"participants", "events", "export", "report", "completions"})
    CHECK(site.answer(get_request({"api", "study", path})).status >= 404);
  CHECK(site.answer(get_request({"study.sqlite"})).status == 404);
  CHECK(all.find(one.state["code"].get<std::string>()) == std::string::npos);
  CHECK(all.find("my own words") == std::string::npos);
  CHECK(all.find(one.link) == std::string::npos);
  CHECK(all.find(file.store.completion_code(file.store.participants()[0])) == std::string::npos);
}

TEST_CASE("[web] study: the completion code is seen by who has come to the end alone") {
  Begun begun;
  const std::string code = begun.file.store.completion_code(begun.file.store.participants().front());
  CHECK(begun.one.look() == 200);
  CHECK(begun.one.answer.dump().find(code) == std::string::npos);
}

TEST_CASE("[web] study: what is done out of turn is refused, and nothing is stored") {
  StudyFile file;
  const StudySite site(file.options());
  StudyClient one(site, file.store.invite().link);
  one.open();
  const json shot{{"shot", {{"angle", 0.4}}}};
  const json report{{"confidence", 0.9}, {"description", ""}};
  const auto refused = [&](const std::string& what, const json& more = json::object()) {
    const std::size_t before = stored_events(file.store).size();
    INFO(what);
    CHECK(one.act(what, more) == 409);
    CHECK(stored_events(file.store).size() == before);
  };
  const auto tap = [&] { return one.post("tap", {{"link", one.link}, {"opening", 1}, {"tap_time", 1}}); };
  for (const char* what :
       {"leave-practice", "begin-item", "report-nothing", "leave-item", "pause", "go-on", "end-shot"})
    refused(what);
  refused("shoot", shot);
  refused("report", report);
  refused("begin-practice", {{"position", 0}});
  CHECK(tap() == 409);
  one.act("agree");
  refused("agree");
  refused("decline");
  refused("leave-practice");  // before any was played
  refused("begin-item");
  for (const int position : {2, 1000, 2147483647}) refused("begin-practice", {{"position", position}});
  one.act("begin-practice", {{"position", 0}});
  refused("report", report);
  refused("end-shot");
  one.act("shoot", shot);
  refused("shoot", shot);  // a second bird in the air
  refused("pause");
  refused("begin-practice", {{"position", 1}});
  one.act("end-shot");
  while (!one.state["over"].get<bool>()) one.shoot({.angle = 0.1});
  refused("shoot", shot);  // after the last bird, or the last pig
  refused("leave-practice");
  one.act("begin-practice", {{"position", 1}});
  while (!one.state["over"].get<bool>()) one.shoot({.angle = 0.1});
  one.act("leave-practice");
  refused("begin-practice", {{"position", 0}});
  one.act("begin-item");
  refused("begin-item");
  refused("report", report);  // before any shot
  refused("report-nothing");
  refused("leave-item");
  while (!one.state["over"].get<bool>()) one.shoot({.angle = 0.1});
  refused("shoot", shot);
  CHECK(tap() == 409);
  CHECK(one.act("report", report) == 200);
  refused("report", report);  // twice after one shot
  one.act("leave-item");
  refused("leave-item");
}

TEST_CASE("[web] study: a client can say neither outcomes nor times, and no number that is none") {
  Begun begun;
  StudyClient& one = begun.one;
  const std::size_t events = begun.events();
  const auto refused = [&](const std::string& what, const json& more) {
    INFO(what << more.dump().substr(0, 80));
    CHECK(one.act(what, more) == 400);
    CHECK(begun.events() == events);
  };
  for (const char* key : {"score", "pigs_left", "birds_left", "trace", "seconds", "session", "number",
                          "novel", "outcome", "participant"}) {
    refused("shoot", {{"shot", {{"angle", 0.4}}}, {key, 0}});
    refused("shoot", {{"shot", {{"angle", 0.4}, {key, 0}}}});
    refused("end-shot", {{key, 0}});
  }
  refused("end-shot", {{"shot", {{"angle", 0.4}}}});  // another shot than was released
  refused("shoot", {{"shot", {{"angle", 0.4}, {"tap_time", 1}}}});
  for (const json& angle : {json("0.4"), json(nullptr), json(1e300), json(-7), json::array(), json(true)})
    refused("shoot", {{"shot", {{"angle", angle}}}});
  for (const json& stretch : {json(0), json(-1), json(1.0001), json("1")})
    refused("shoot", {{"shot", {{"angle", 0.4}, {"stretch", stretch}}}});
  for (const json& confidence : {json(0.49), json(1.01), json("0.9"), json(nullptr), json(-1e308)})
    refused("report", {{"confidence", confidence}, {"description", ""}});
  for (const json& position : {json(-1), json(0.5), json("0"), json(1e10)})
    refused("begin-practice", {{"position", position}});
}

TEST_CASE("[web] study: answers to other questions, of other types and out of range are refused") {
  StudyFile file(asking_record(study_levels(real_levels(), profile()),
                               {.practice = 1, .items = 2, .normal = 1, .seed = 5}, study_program));
  const StudySite site(file.options());
  StudyClient one(site, file.store.invite().link);
  one.open();
  const json good{{"played", "often"}, {"age", 31}, {"language", "Twi"}};
  CHECK(one.act("answer", {{"answers", good}}) == 409);  // before consent
  one.act("agree");
  const std::size_t events = stored_events(file.store).size();
  const auto refused = [&](const json& more) {
    INFO(more.dump(-1, ' ', false, json::error_handler_t::replace).substr(0, 100));
    CHECK(one.act("answer", more) == 400);
    CHECK(stored_events(file.store).size() == events);
    CHECK(one.state["stage"] == "questions");
  };
  const auto but = [&](const char* name, const json& value) {
    json answers = good;
    answers[name] = value;
    refused({{"answers", answers}});
  };
  refused(json::object());
  for (const json& no_object : {json(), json("age"), json(3), json::array({good}), json(true)})
    refused({{"answers", no_object}});
  refused({{"answers", json::object()}});  // required ones are missing
  refused({{"answers", {{"age", 31}}}});
  refused({{"answers", good}, {"stage", "finished"}});
  for (const char* name : {"", "name", "Age", "participant", "seconds", "__proto__"}) but(name, "x");
  for (const json& value : {json("31"), json(17), json(100), json(-31), json(1e308), json(true), json(),
                            json::array({31}), json{{"age", 31}}})
    but("age", value);
  for (const json& value :
       {json(""), json("Often"), json("sometimes"), json(1), json(), json::array({"often"})})
    but("played", value);
  for (const json& value : {json(""), json("  "), json(std::string(11, 'a')), json(std::string(1000000, 'a')),
                            json("a\nb"), json(std::string("a\0b", 3)), json(7), json(false)})
    but("language", value);
  const auto status = [&](const std::string& answers) {
    HttpRequest request = post_request({"api", "study", "answer"}, one.body({{"answers", "HERE"}}));
    request.body.replace(request.body.find("\"HERE\""), 6, answers);
    return site.answer(request).status;
  };
  CHECK(status(R"({"played": "often", "age": NaN})") == 400);
  CHECK(status(R"({"played": "often", "age": 1e999})") == 400);
  CHECK(status(R"({"played": "often", "age": 31, "age": 32})") == 400);  // which one?
  CHECK(status("{\"played\": \"often\", \"age\": 31, \"language\": \"\xff\"}") == 400);
  CHECK(stored_events(file.store).size() == events);
  for (const char* what : {"agree", "decline", "begin-item", "leave-practice", "pause"})
    CHECK(one.act(what) == 409);
  CHECK(one.act("begin-practice", {{"position", 0}}) == 409);
  const json first = one.body({{"answers", good}});
  CHECK(one.post("answer", first) == 200);
  CHECK(one.post("answer", first) == 409);  // twice
  CHECK(one.act("answer", {{"answers", good}}) == 409);
  CHECK(stored_events(file.store).size() == events + 1);
}

TEST_CASE("[web] study: who asks nothing takes no answers") {
  Begun begun;
  CHECK(begun.one.act("answer", {{"answers", json::object()}}) == 409);
  CHECK(begun.one.act("answer", {{"answers", {{"age", 31}}}}) == 400);
}

TEST_CASE("[web] study: a description is as long as it may be, and UTF-8") {
  Begun begun;
  StudyClient& one = begun.one;
  one.shoot({.angle = 1.4});  // hits nothing
  const std::size_t events = begun.events();
  const auto report = [&](const json& description) {
    return one.act("report", {{"confidence", 0.9}, {"description", description}});
  };
  CHECK(report(std::string(2001, 'a')) == 400);
  CHECK(report(std::string(60000, 'a')) == 400);
  CHECK(report(7) == 400);
  CHECK(report(nullptr) == 400);
  // As bytes: no library writes them.
  const auto send = [&](const std::string& description) {
    HttpRequest request = post_request({"api", "study", "report"},
                                       one.body({{"confidence", 0.9}, {"description", "HERE"}}));
    request.body.replace(request.body.find("HERE"), 4, description);
    return begun.site.answer(request).status;
  };
  for (const char* invalid :
       {"\xff", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\\ud800", "\x01"}) {
    INFO(invalid);
    CHECK(send(invalid) == 400);
  }
  CHECK(begun.events() == events);
  CHECK(report(std::string(2000, 'a')) == 200);
  one.shoot({.angle = 1.4});  // hits nothing
  const std::string words =
      "<script>alert(1)</script>'; DROP TABLE events; -- \xc3\xa4\xf0\x9f\x90\xa6 {code}";
  CHECK(report(words) == 200);
  CHECK(stored_events(begun.file.store).back().description == words);
}

TEST_CASE("[web] study: bodies that are no JSON of ours are refused") {
  Begun begun;
  const std::size_t events = begun.events();
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "[";
  const std::string twice = begun.one.body().dump();
  for (const std::string& body :
       {std::string(), std::string("null"), std::string("{"), deep, std::string("[]"),
        twice.substr(0, twice.size() - 1) + ",\"link\":\"0\"}", std::string("{\"link\":1}"), twice + "x"}) {
    HttpRequest request = post_request({"api", "study", "pause"}, {});
    request.body = body;
    INFO(body.substr(0, 60));
    CHECK(begun.site.answer(request).status == 400);
  }
  CHECK(begun.events() == events);
}

TEST_CASE("[web] study: another site's page can do nothing, and no address names a link") {
  Begun begun;
  const std::size_t events = begun.events();
  HttpRequest request = post_request({"api", "study", "pause"}, begun.one.body());
  const auto status = [&](const std::string& name, const std::string& value) {
    HttpRequest changed = request;
    changed.headers[name] = value;
    return begun.site.answer(changed).status;
  };
  CHECK(status("origin", "https://evil.example") == 403);
  CHECK(status("origin", "null") == 403);
  CHECK(status("sec-fetch-site", "cross-site") == 403);
  CHECK(status("sec-fetch-site", "same-site") == 403);
  CHECK(status("content-type", "text/plain") == 415);
  CHECK(status("content-type", "application/x-www-form-urlencoded") == 415);
  CHECK(status("host", "evil.example") == 421);
  HttpRequest get = get_request({"api", "study", "pause"});
  get.query = {{"link", begun.one.link}};
  CHECK(begun.site.answer(get).status == 405);
  CHECK(begun.events() == events);
  CHECK(begun.site.answer(request).status == 200);
  const HttpResponse page = begun.site.answer(get_request({}));
  CHECK(page.headers.at("Referrer-Policy") == "no-referrer");
  CHECK(page.headers.at("Content-Security-Policy").find("frame-ancestors 'none'") != std::string::npos);
}

TEST_CASE("[web] study: open play, which shows novelties, is not served beside it") {
  StudyFile file;
  const StudySite site(file.options());
  CHECK(site.answer(get_request({"api", "levels"})).status == 404);
  CHECK(site.answer(get_request({"api", "levels", real_levels().front().name})).status == 404);
  for (const char* what : {"shots", "twins", "insight"})
    CHECK(site.answer(post_request({"api", "levels", real_levels().front().name, what},
                                   {{"shots", json::array()}}))
              .status == 404);
}

TEST_CASE("[web] study: what one link can fill of the disk is bounded") {
  Begun begun;
  {
    Database database(begun.file.path, Database::For::writing);
    database.run(
        "WITH RECURSIVE n(i) AS (SELECT " + std::to_string(begun.events()) +
        " UNION ALL SELECT i + 1 FROM n WHERE i < 19998) INSERT INTO events (participant, sequence, session, "
        "seconds, event) SELECT 0, i, 1, 60, CASE i % 2 WHEN " +
        std::to_string(begun.events() % 2) + " THEN 'paused' ELSE 'continued' END FROM n");
  }
  REQUIRE(begun.events() == 19999);
  begun.one.state["sequence"] = 19999;
  CHECK(begun.one.act(stored_events(begun.file.store).back().kind == StudyEventKind::paused
                          ? "go-on"
                          : "pause") == 409);  // the session here is older
  REQUIRE(begun.one.look() == 200);
  CHECK(begun.one.act(begun.one.state["paused"].get<bool>() ? "go-on" : "pause") == 200);
  CHECK(begun.one.act(begun.one.state["paused"].get<bool>() ? "go-on" : "pause") == 409);
  CHECK(begun.one.open() == 409);
  CHECK(begun.events() == 20000);
}

TEST_CASE("[web] study: what cannot be stored is said without the machine's names, and can be done again") {
  StudyFile file;
  std::string reported;
  StudySiteOptions options = file.options();
  options.report_failure = [&](const std::string& what) { reported = what; };
  const StudySite site(options);
  StudyClient one(site, file.store.invite().link);
  one.open();
  {
    Database database(file.path, Database::For::writing);
    database.run("ALTER TABLE events RENAME TO elsewhere");
    CHECK(one.act("agree") == 507);
    CHECK(one.answer.dump().find("sqlite") == std::string::npos);
    CHECK(reported.find("study.sqlite") != std::string::npos);
    database.run("ALTER TABLE elsewhere RENAME TO events");
  }
  CHECK(one.act("agree") == 200);
  CHECK(stored_events(file.store).size() == 2);
}

TEST_CASE("[web] study: idle connections by the thousand keep no participant from going on") {
  StudyFile file;
  StudySiteOptions options = file.options();
  options.server.most_connections = 200;
  const RunningStudy running(options);
  std::list<RawClient> idle;
  const auto crowd = [&] {
    for (int i = 0; i < 250; ++i) {
      if (idle.size() > 400) idle.pop_front();  // what this process may hold open is bounded, too
      idle.emplace_back(running.port());
      if (i % 3 == 0) idle.back().write("POST /api/study/open HTTP/1.1\r\nContent-Length: 9\r\n");
    }
  };
  StudyClient one(over_network(running.port()), file.store.invite().link);
  crowd();
  REQUIRE(one.open() == 200);
  crowd();
  REQUIRE(one.act("agree") == 200);
  REQUIRE(one.act("begin-practice", {{"position", 0}}) == 200);
  for (int k = 0; !one.state["over"].get<bool>(); ++k) {
    crowd();
    REQUIRE(one.act("shoot", {{"shot", {{"angle", 0.3}}}}) == 200);
    crowd();
    REQUIRE(one.act("end-shot") == 200);
  }
}

TEST_CASE("[web] study: a server that is killed at any moment loses no event and no place") {
  constexpr int participants = 8;
  StudyFile file, undisturbed;
  {
    const StudySite site(undisturbed.options());
    for (int i = 0; i < participants; ++i) StudyClient(site, undisturbed.store.invite().link).begin();
  }
  StudySiteOptions options = file.options();
  options.server.port = port_to_come_back_to(options);
  ServedByProgram server(file.path, options.server.port);
  std::mt19937 random(3);
  // Each start gives at least one answer before its end, so that a slow machine comes to the end as well.
  std::atomic<int> answers = 0;
  int kills = 0;
  std::jthread killer([&](const std::stop_token& done) {
    for (;; ++kills) {
      for (const int before = answers; answers == before;) {
        if (done.stop_requested()) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 20000));
      server.kill_and_start();
    }
  });
  // As the page does: again until there is an answer; what is refused then was done, and is looked at.
  const auto patient = [&](const HttpRequest& request) {
    for (;;) {
      HttpResponse response = over_network(options.server.port)(request);
      if (response.status != 0) {
        ++answers;
        return response;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  };
  const StudyClient::Send as_page = [&](const HttpRequest& request) {
    HttpResponse response = patient(request);
    if (response.status != 409) return response;
    const json body = json::parse(request.body);
    return patient(
        post_request({"api", "study", "state"}, {{"link", body["link"]}, {"opening", body["opening"]}}));
  };
  for (int i = 0; i < participants; ++i) {
    StudyClient one(as_page, file.store.invite().link);
    one.begin();
    CHECK(one.state["stage"] == "item");
  }
  killer.request_stop();
  killer.join();
  CHECK(kills > 3);
  for (int i = 0; i < participants; ++i) {
    std::vector<StudyEvent> events = stored_events(file.store, i);
    // Whether the study was opened is not known to who got no answer: it may be opened once more.
    while (events.at(1).kind == StudyEventKind::opened) events.erase(events.begin());
    for (StudyEvent& event : events) event.session = 1;
    CHECK(events == stored_events(undisturbed.store, i));
    CHECK(file.store.participants()[static_cast<std::size_t>(i)].place == i);
  }
}

TEST_CASE("[web] study: the researcher's page is shut to who has no password, and to who tries many") {
  auto now = ResearcherDoor::Clock::now();
  ResearcherDoor door(password_hash("correct horse"), [&] { return now; });
  CHECK_FALSE(door.fits(""));
  CHECK_FALSE(door.fits(std::string(32, '0')));
  const std::string key = door.key("correct horse");
  CHECK(key.size() == 32);
  CHECK(door.fits(key));
  CHECK_FALSE(door.fits(key.substr(0, 31)));
  for (const std::string& wrong : {std::string(), std::string("correct horse "), std::string("Correct horse"),
                                   std::string("correct horse\0", 14), std::string(5000, 'a')})
    CHECK(door.key(wrong).empty());
  for (std::size_t i = 5; i < ResearcherDoor::most_failures; ++i) CHECK(door.key("wrong").empty());
  CHECK_THROWS_AS(door.key("wrong"), DoorBusy);
  CHECK_THROWS_AS(door.key("correct horse"), DoorBusy);  // so that nobody learns that it was right
  CHECK(door.fits(key));                                 // who is in stays in
  now += std::chrono::minutes(1);
  CHECK(door.key("correct horse").size() == 32);
  for (std::size_t i = 1; i < ResearcherDoor::most_keys; ++i) door.key("correct horse");
  CHECK_FALSE(door.fits(key));  // only the last few fit
}

TEST_CASE("[web] study: many passwords at once hold one thread") {
  ResearcherDoor door(password_hash("correct horse"));
  std::atomic<int> tried = 0, busy = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      try {
        door.key("wrong");
        ++tried;
      } catch (const DoorBusy&) {
        ++busy;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(tried >= 1);
  CHECK(tried + busy == 8);
}

TEST_CASE(
    "[web] study: the researcher sees counts and the report's figures, and of participants the codes alone") {
  StudyFile file;
  StudySiteOptions options = file.options();
  options.researcher = "secret";
  CHECK_THROWS_WITH(StudySite(options), Catch::Contains("--researcher"));
  options.researcher = password_hash("correct horse");
  const StudySite site(options);
  StudyClient one(site, file.store.invite().link), researcher(site, "");
  CHECK(researcher.post_to({"api", "researcher", "figures"}, {{"key", ""}}) == 403);
  CHECK(researcher.post_to({"api", "researcher", "enter"}, {{"password", "wrong horse"}}) == 403);
  REQUIRE(researcher.post_to({"api", "researcher", "enter"}, {{"password", "correct horse"}}) == 200);
  const std::string key = researcher.answer["key"];
  const auto figures = [&] {
    REQUIRE(researcher.post_to({"api", "researcher", "figures"}, {{"key", key}}) == 200);
    return researcher.answer;
  };
  CHECK(figures()["participants"]["invited"] == 1);
  one.begin();
  while (one.state["stage"] != "finished") {
    one.shoot({.angle = 0.3});
    one.act("report", {{"confidence", 0.5}, {"description", "my own words"}});
    one.act("leave-item");
    one.act("begin-item");
  }
  const json seen = figures();
  CHECK(seen["participants"]["finished"] == 1);
  CHECK(seen["participants"]["invited"] == 0);
  CHECK(seen["codes"]["finished"][0] == one.state["code"]);
  CHECK(seen["detection"][0]["tier"] == "all");
  CHECK(seen["detection"][0]["detected"]["hits"] == 2);
  CHECK(seen["detection"][0]["detected"]["count"] == 2);
  CHECK(seen["detection"][0]["false_alarm"]["value"] == 1);
  CHECK(seen["failed_checks"] == 0);
  CHECK(seen.dump().find("my own words") == std::string::npos);
  CHECK(seen.dump().find(one.link) == std::string::npos);
  const Rate detected = people_scores(read_people_study({file.path}).items).front().detected;
  CHECK(seen["detection"][0]["detected"]["low"] == detected.interval().low);
  file.store.withdraw(one.state["code"]);
  CHECK(figures()["participants"]["withdrawn"] == 1);
  CHECK(figures().dump().find(one.state["code"].get<std::string>()) == std::string::npos);

  const StudySite closed(file.options());
  StudyClient nobody(closed, "");
  CHECK(nobody.post_to({"api", "researcher", "enter"}, {{"password", "correct horse"}}) == 404);
}
