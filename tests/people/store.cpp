/// \file  The file of a study: nothing is lost, nothing is mixed, nothing is known of the person.
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>

#include "core/error.hpp"
#include "people/study_session.hpp"
#include "people/study_store.hpp"
#include "tests/catch.hpp"
#include "tests/people/samples.hpp"

using namespace startle;

namespace {

const StudySettings settings{.practice = 1, .items = 4, .normal = 2, .seed = 7};
const std::vector<StudyLevel>& levels() {
  static const std::vector<StudyLevel> all = numbered_levels(4);
  return all;
}
StudyRecord record() { return record_of(levels(), settings); }

void execute(const std::filesystem::path& file, const char* sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What `work` throws in a process of its own, which may change rights and limits; empty: nothing.
std::string message_in_child(const std::function<void()>& work) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    std::string message;
    try {
      work();
    } catch (const std::exception& error) {
      message = error.what();
    }
    const bool written = write(ends[1], message.data(), message.size()) ==
                         static_cast<ssize_t>(message.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string message;
  char buffer[512];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    message.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  return message;
}

/// One participant's whole session, without a world: number of the step -> what is done.
std::vector<std::function<void(StudySession&)>> script() {
  const auto shot = [](int pigs, int birds) {
    return [=](StudySession& s) {
      Scene after{.profile = profile(),
                  .birds = std::vector<std::string>(static_cast<std::size_t>(birds), "BirdRed")};
      for (int i = 0; i < pigs; ++i) after.objects.push_back({.kind = Kind::pig});
      s.shot_ended({.angle = 0.1 + 0.01 * birds, .stretch = 0.75, .tap_time = 1.25}, after,
                   Trace{.hash = 0xabcdef0123456789});
    };
  };
  const auto release = [](StudySession& s) { s.shot_released({.angle = 1.0 / 3, .stretch = 0.7}); };
  std::vector<std::function<void(StudySession&)>> steps{[](StudySession& s) { s.agree(); },
                                                        [](StudySession& s) { s.begin_practice(0); },
                                                        release,
                                                        shot(0, 2),
                                                        [](StudySession& s) { s.begin_practice(0); },
                                                        release,
                                                        shot(1, 0),
                                                        [](StudySession& s) { s.pause(); },
                                                        [](StudySession& s) { s.go_on(); },
                                                        [](StudySession& s) { s.leave_practice(); }};
  for (int item = 0; item < 4; ++item) {
    steps.insert(steps.end(), {[](StudySession& s) { s.begin_item(); }, release, shot(2, 2)});
    if (item % 2) {
      steps.push_back([](StudySession& s) {
        s.report(2.0 / 3, "The pig fell \"slowly\"; \xc3\xa9trange\n\xe2\x98\x83");
      });
      steps.push_back([](StudySession& s) { s.leave_item(); });
    } else {
      steps.insert(steps.end(), {release, shot(0, 1), [](StudySession& s) { s.report_nothing(); }});
    }
  }
  steps.push_back([](StudySession& s) { s.close(); });
  return steps;
}

}  // namespace

TEST_CASE("[people] killed after any event, the file holds every event so far") {
  const TestFolder folder;
  const auto steps = script();
  // What an undisturbed session stores.
  TestClock clock;
  std::vector<StudyEvent> whole;
  {
    StudyStore store(folder.file("whole.sqlite"), record());
    const StudyParticipant one = store.add_participant();
    StudySession session(store, one, clock.function());
    for (const auto& step : steps) step(session);
    CHECK(session.state().stage == StudyStage::finished);
    whole = store.events(one);
    REQUIRE(whole.size() == steps.size() + 1);
  }
  for (std::size_t stop = 0; stop <= steps.size(); ++stop) {
    const auto file = folder.file("killed-" + std::to_string(stop) + ".sqlite");
    const pid_t child = fork();
    if (child == 0) {
      TestClock of_child;
      StudyStore store(file, record());
      StudySession session(store, store.add_participant(), of_child.function());
      for (std::size_t i = 0; i < stop; ++i) steps[i](session);
      std::raise(SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));
    // The file alone, as somebody would copy it.
    const auto copy = folder.file("copy.sqlite");
    std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing);
    const StudyStore store(copy);
    REQUIRE(store.participants().size() == 1);
    const std::vector<StudyEvent> stored = store.events(store.participants()[0]);
    CHECK(stored ==
          std::vector<StudyEvent>(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(stop) + 1));
    CHECK_NOTHROW(replayed(store.participants()[0], stored));
  }
}

TEST_CASE("[people] killed in the middle of writing, the file holds what was finished before") {
  const TestFolder folder;
  const auto file = folder.file("study.sqlite");
  StudyParticipant one;
  {
    StudyStore store(file, record());
    one = store.add_participant();
    StudySession session(store, one);
    session.agree();
  }
  const pid_t child = fork();
  if (child == 0) {
    sqlite3* database = nullptr;
    if (sqlite3_open(file.c_str(), &database) != SQLITE_OK) _exit(1);
    // A cache of one page: changed pages go to the file long before the transaction ends.
    sqlite3_exec(database,
                 "PRAGMA cache_size = 1; BEGIN; DELETE FROM levels; UPDATE events SET event = 'declined'",
                 nullptr, nullptr, nullptr);
    for (int i = 10; i < 3000; ++i)
      sqlite3_exec(database,
                   ("INSERT INTO events (participant, sequence, session, seconds, event) VALUES (0, " +
                    std::to_string(i) + ", 1, 0, 'x')")
                       .c_str(),
                   nullptr, nullptr, nullptr);
    std::raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(WIFSIGNALED(status));
  REQUIRE(std::filesystem::exists(file.string() + "-journal"));
  const StudyStore store(file);
  CHECK(store.record().levels.size() == levels().size());
  const auto events = store.events(one);
  REQUIRE(events.size() == 2);
  CHECK(events[1].kind == StudyEventKind::agreed);
}

TEST_CASE("[people] several participants stand in one file, each with a code and a plan of its own") {
  const TestFolder folder;
  std::set<std::string> codes;
  for (int i = 0; i < 5; ++i) {
    StudyStore store(folder.file("study.sqlite"), record());
    const StudyParticipant one = store.add_participant();
    CHECK(one.number == i);
    CHECK(one.code.size() == 9);
    codes.insert(one.code);
    std::string lower = one.code.substr(0, 4) + one.code.substr(5);
    for (char& c : lower) c = static_cast<char>(std::tolower(c));
    CHECK(store.participant(lower).number == i);
    const std::vector<StudyLevel> sorted = store.record().levels;
    const StudyPlan plan = plan_study(sorted, settings, i);
    REQUIRE(one.items.size() == plan.items.size());
    for (std::size_t k = 0; k < plan.items.size(); ++k) {
      CHECK(one.items[k].level == sorted[plan.items[k].level].name);
      CHECK(one.items[k].novel == plan.items[k].novel);
    }
  }
  CHECK(codes.size() == 5);
  const StudyStore store(folder.file("study.sqlite"));
  CHECK(store.participants().size() == 5);
  CHECK_THROWS_WITH(store.participant("AAAA-AAAA"),
                    Catch::Contains("no participant has the code") && Catch::Contains(*codes.begin()));
  // The same study from another seed gives other codes: they are nobody's.
  StudyStore again(folder.file("again.sqlite"), record());
  CHECK(!codes.contains(again.add_participant().code));
}

TEST_CASE("[people] what belongs to another study is refused, and nothing is changed") {
  const TestFolder folder;
  const auto file = folder.file("study.sqlite");
  { StudyStore(file, record()).add_participant(); }
  const std::string before = contents(file);
  const auto message = [&](const StudyRecord& other) {
    try {
      StudyStore store(file, other);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  StudySettings other = settings;
  other.seed = 8;
  CHECK_THAT(message(record_of(levels(), other)), Catch::Contains("seed is \"7\" there and \"8\" here"));
  other = settings;
  other.items = 5;
  CHECK_THAT(message(record_of(levels(), other)), Catch::Contains("items"));
  CHECK_THAT(message(record_of(levels(), settings, "I agree to everything.")), Catch::Contains("consent"));
  CHECK_THAT(message(record_of(numbered_levels(5), settings)), Catch::Contains("levels"));
  const auto differs = [&](const char* key, const std::function<void(StudySetup&)>& change) {
    StudySetup setup{.program = "startle test",
                     .profile = profile(),
                     .consent = "I agree.",
                     .settings = settings,
                     .levels = levels()};
    change(setup);
    CHECK_THAT(message(make_study_record(setup)), Catch::Contains(std::string(": ") + key + " is "));
  };
  differs("program", [](StudySetup& s) { s.program = "startle other"; });
  differs("profile", [](StudySetup& s) { s.profile = profile("classic"); });
  differs("practice_levels", [](StudySetup& s) { s.practice = {real_levels()[0]}; });
  differs("attention", [](StudySetup& s) { s.settings.attention = 1; });
  differs("language", [](StudySetup& s) { s.texts = StudyTexts::shipped("de"); });
  differs("return_address", [](StudySetup& s) { s.return_address = "https://example.org/done"; });
  CHECK(message(record()).empty());
  CHECK(contents(file) == before);

  const auto elsewhere = folder.file("other.sqlite");
  execute(elsewhere, "CREATE TABLE mine (x)");
  const std::string mine = contents(elsewhere);
  CHECK_THROWS_WITH(StudyStore(elsewhere, record()), Catch::Contains("is no study with people"));
  CHECK_THROWS_WITH(StudyStore(elsewhere), Catch::Contains("is no study with people"));
  CHECK(contents(elsewhere) == mine);
  std::ofstream(folder.file("text.sqlite")) << std::string(5000, 'x');
  CHECK_THROWS_WITH(StudyStore(folder.file("text.sqlite"), record()), Catch::Contains("not a database"));
  CHECK_THROWS_WITH(StudyStore(folder.file("none.sqlite")), Catch::Contains("does not exist"));
  CHECK_THROWS_WITH(StudyStore(folder.path, record()), Catch::Contains("cannot be opened"));
  execute(file, "PRAGMA user_version = 9");
  CHECK_THROWS_WITH(StudyStore(file), Catch::Contains("found version 9 of the format, allowed is 2"));
}

TEST_CASE("[people] a file that cannot be written, and a full disk, are said and lose nothing") {
  const TestFolder folder;
  const auto file = folder.file("study.sqlite");
  StudyParticipant one;
  {
    StudyStore store(file, record());
    one = store.add_participant();
    StudySession session(store, one);
  }
  SECTION("read-only") {
    std::filesystem::permissions(folder.path, std::filesystem::perms(0755));
    std::filesystem::permissions(file, std::filesystem::perms(0444));
    const std::string message = message_in_child([&] {
      if (getuid() == 0 && setuid(65534) != 0) _exit(1);  // root may write everywhere
      StudyStore store(file, record());
      store.add_participant();
    });
    CHECK_THAT(message, Catch::Contains(file.string()) && Catch::Contains("cannot be written"));
  }
  SECTION("full") {
    const std::string message = message_in_child([&] {
      std::signal(SIGXFSZ, SIG_IGN);
      const auto size = static_cast<rlim_t>(std::filesystem::file_size(file));
      const rlimit limit{size, size};
      if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(1);
      StudyStore store(file, record());
      StudySession session(store, one);
      session.agree();
      session.begin_practice(0);
      for (int i = 0; i < 10000; ++i) {
        const StudyState before = session.state();
        try {
          session.pause();
          session.go_on();
        } catch (const Error&) {
          if (session.state().paused == before.paused && session.state().stage == before.stage) throw;
          if (session.state().paused) throw;  // the pause was stored, its end was not
          return;                             // a state without its event: no message is the failure
        }
      }
    });
    CHECK_THAT(message, Catch::Contains(file.string()));
    CHECK_THAT(message, Catch::Contains("full") || Catch::Contains("I/O"));
  }
  const StudyStore store(file);
  REQUIRE(store.participants().size() == 1);
  CHECK(store.events(one).size() >= 1);
  CHECK_NOTHROW(replayed(one, store.events(one)));
}

TEST_CASE("[people] a participant in two windows at once is refused") {
  const TestFolder folder;
  StudyStore first(folder.file("study.sqlite"), record());
  const StudyParticipant one = first.add_participant();
  StudySession session(first, one);
  StudyStore second(folder.file("study.sqlite"));
  StudySession other(second, one);
  CHECK_THROWS_AS(session.agree(), StudyConflict);
  CHECK(session.state().stage == StudyStage::consent);
  CHECK_NOTHROW(other.agree());
  CHECK_THROWS_WITH(session.close(), Catch::Contains(one.code) && Catch::Contains("opened once more"));
  CHECK(second.event_count(one) == 3);  // opened, opened, agreed
}

TEST_CASE("[people] who withdraws leaves nothing but the number") {
  const TestFolder folder;
  const auto file = folder.file("study.sqlite");
  StudyParticipant one, two;
  {
    StudyStore store(file, record());
    one = store.add_participant();
    StudySession session(store, one);
    for (const auto& step : script()) step(session);
    two = store.add_participant();
    StudySession other(store, two);
    other.agree();
    CHECK_THAT(contents(file), Catch::Contains("The pig fell") && Catch::Contains(one.code));
    store.withdraw(one.code);
  }
  const std::string bytes = contents(file);
  CHECK(bytes.find("The pig fell") == std::string::npos);
  CHECK(bytes.find(one.code) == std::string::npos);
  StudyStore store(file, record());
  const auto all = store.participants();
  REQUIRE(all.size() == 2);
  CHECK(all[0].withdrawn);
  CHECK(store.events(all[0]).empty());
  CHECK(store.events(two).size() == 2);
  CHECK_THROWS_AS(store.participant(one.code), Error);
  // The numbers, and so the plans, of those who come after stay.
  CHECK(store.add_participant().number == 2);
}

TEST_CASE("[people] nothing about the person or the day is stored") {
  const TestFolder folder;
  const auto file = folder.file("study.sqlite");
  TestClock clock;  // starts at 100 s
  {
    StudyStore store(file, record());
    StudySession session(store, store.add_participant(), clock.function());
    for (const auto& step : script()) step(session);
  }
  // Whatever is stored is one of these columns; seconds start with the session.
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  REQUIRE(sqlite3_prepare_v2(database, "SELECT group_concat(name, ' ') FROM pragma_table_info('events')", -1,
                             &statement, nullptr) == SQLITE_OK);
  REQUIRE(sqlite3_step(statement) == SQLITE_ROW);
  CHECK(std::string(reinterpret_cast<const char*>(sqlite3_column_text(statement, 0))) ==
        "participant sequence session seconds event position number angle stretch tap_time score pigs_left "
        "birds_left trace confidence description");
  sqlite3_finalize(statement);
  REQUIRE(sqlite3_prepare_v2(database, "SELECT max(seconds) FROM events", -1, &statement, nullptr) ==
          SQLITE_OK);
  REQUIRE(sqlite3_step(statement) == SQLITE_ROW);
  CHECK(sqlite3_column_double(statement, 0) == 0.5 * static_cast<double>(script().size() + 1));
  sqlite3_finalize(statement);
  sqlite3_close(database);
  const std::string bytes = contents(file);
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  if (std::string(host).size() > 3) CHECK(bytes.find(host) == std::string::npos);
  if (const char* user = std::getenv("HOME")) CHECK(bytes.find(user) == std::string::npos);
}

TEST_CASE("[people] a stranger's file of a study is refused before anything of it is run") {
  const TestFolder folder;
  const auto file = folder.file("study.sqlite");
  { StudyStore(file, record()).add_participant(); }
  execute(file,
          "ALTER TABLE participants RENAME TO hidden; CREATE VIEW participants AS WITH RECURSIVE n(i) AS "
          "(SELECT 1 "
          "UNION ALL SELECT i + 1 FROM n) SELECT i AS number, 'code ' || i AS code, NULL AS link, NULL AS "
          "recruiter, 0 AS place, 0 AS given_up, 0 AS withdrawn FROM n");
  using Catch::Contains;
  CHECK_THROWS_WITH(StudyStore(file), Contains("study.sqlite: is no study with people: of its tables found"));
  CHECK_THROWS_WITH(StudyStore::reading(file), Contains("of its tables found"));
  CHECK_THROWS_WITH(StudyStore(file, record()), Contains("of its tables found"));
}

TEST_CASE("[people] a study that may only be read is read, and one that holds nothing is made") {
  const TestFolder folder;
  const auto file = folder.file("study.sqlite");
  std::ofstream(file).close();  // as a disk that was full may have left it
  { StudyStore(file, record()).add_participant(); }
  std::filesystem::permissions(folder.path, std::filesystem::perms(0555));
  std::filesystem::permissions(file, std::filesystem::perms(0444));
  CHECK(message_in_child([&] {
          if (getuid() == 0 && setuid(65534) != 0) _exit(1);
          StudyStore store = StudyStore::reading(file);
          if (store.participants().size() != 1 || store.record().levels.size() != levels().size())
            throw Error("something else is read");
          try {
            store.add_participant();
          } catch (const Error&) {
            return;
          }
          throw Error("a participant was added");
        }) == "");
  std::filesystem::permissions(folder.path, std::filesystem::perms(0755));
  // A study is its owner's.
  const auto fresh = folder.file("fresh.sqlite");
  { StudyStore(fresh, record()); }
  CHECK((std::filesystem::status(fresh).permissions() & std::filesystem::perms(0777)) ==
        std::filesystem::perms(0600));
}

TEST_CASE("[people] a study made before a text was there shows that text as it is compiled in") {
  const TestFolder folder;
  const auto file = folder.file("study.sqlite");
  { StudyStore(file, record()); }
  execute(
      file,
      "UPDATE manifest SET value = json_remove(value, '$.texts.errors.enrolled') WHERE key = 'texts_json'");
  const StudyTexts texts = StudyStore(file).record().texts();
  CHECK(texts("errors.enrolled") == StudyTexts::shipped("en")("errors.enrolled"));
  CHECK(texts.all() == StudyTexts::shipped("en").all());
}
