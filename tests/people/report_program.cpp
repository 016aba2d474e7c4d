/// \file  `startle study-people report` as a program: what it prints, and every way in which it refuses a
/// file.
#include <sqlite3.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "core/files.hpp"
#include "core/random.hpp"
#include "tests/catch.hpp"
#include "tests/people/samples.hpp"

using namespace startle;

namespace {

const StudySettings settings{.practice = 1, .items = 4, .normal = 2, .seed = 7};

struct Answer {
  int code = -1;     ///< of the program; -1: it crashed
  std::string text;  ///< both outputs
};

Answer study_people(const std::string& arguments) {
  const std::string command = STARTLE_PROGRAM " study-people " + arguments;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  Answer answer;
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe))
    answer.text.append(buffer, count);
  const int status = pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) < 128) answer.code = WEXITSTATUS(status);
  return answer;
}

Answer report(const std::vector<std::filesystem::path>& files, const std::filesystem::path& out) {
  std::string arguments = "report --out '" + out.string() + "'";
  for (const auto& file : files) arguments += " '" + file.string() + "'";
  return study_people(arguments);
}

/// Refused with exit code 2, a message that holds `what`, and no file.
void check_refused(const std::vector<std::filesystem::path>& files, const std::filesystem::path& out,
                   const std::string& what) {
  const Answer answer = report(files, out);
  CAPTURE(what, answer.text);
  CHECK(answer.code == 2);
  CHECK_THAT(answer.text, Catch::StartsWith("startle: ") && Catch::Contains(what));
  CHECK_FALSE(std::filesystem::exists(out));
}

/// A study of one participant who notices the second of two novel items; with `participants` 0 nobody took
/// part.
std::filesystem::path study(const TestFolder& folder, const std::string& name,
                            const std::string& consent = "I agree.", int participants = 1) {
  static const std::vector<StudyLevel> levels = numbered_levels(3);
  const std::filesystem::path file = folder.file(name);
  StudyStore store(file, record_of(levels, settings, consent));
  for (int i = 0; i < participants; ++i) {
    TestClock clock;
    StudySession session(store, store.add_participant(), clock.function());
    const auto shot = [&](int pigs, int birds) {
      Scene after{.profile = profile(),
                  .birds = std::vector<std::string>(static_cast<std::size_t>(birds), "BirdRed")};
      for (int k = 0; k < pigs; ++k) after.objects.push_back({.kind = Kind::pig});
      session.shot_released({.angle = 0.5});
      session.shot_ended({.angle = 0.5}, after, Trace{.hash = 17});
    };
    session.agree();
    session.begin_practice(0);
    shot(0, 2);
    session.leave_practice();
    for (int item = 0; item < 4; ++item) {
      session.begin_item();
      shot(1, 1);
      if (item % 2) {
        session.report(0.75, "It fell slowly.");
        session.leave_item();
      } else {
        shot(1, 0);
        session.report_nothing();
      }
    }
    session.close();
  }
  return file;
}

void execute(const std::filesystem::path& file, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  CAPTURE(sql);
  CHECK(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

}  // namespace

TEST_CASE("[people] report program: every form of output, of one file and of two of the same study") {
  const TestFolder folder;
  const auto one = study(folder, "one.sqlite");
  std::filesystem::copy_file(one, folder.file("copy.sqlite"));
  const auto two = study(folder, "two.sqlite");
  for (const char* ending : {"html", "md", "csv", "json"}) {
    const auto out = folder.file(std::string("report.") + ending);
    const Answer answer = report({one, two}, out);
    CAPTURE(answer.text);
    CHECK(answer.code == 0);
    CHECK(std::filesystem::file_size(out) > 200);
  }
  const std::string rows = read_file(folder.file("report.csv"));
  CHECK(std::count(rows.begin(), rows.end(), '\n') == 1 + 2 * 4);  // a head, two participants with four items
                                                                   // each
}

TEST_CASE("[people] report program: each fault has a message, exit code 2 and leaves nothing behind") {
  const TestFolder folder;
  const auto good = study(folder, "good.sqlite"), out = folder.file("report.html");
  check_refused({good, study(folder, "other-consent.sqlite", "I do.")}, out, "cannot be reported together");
  check_refused({good, good}, out, "stands in a file before");
  check_refused({folder.file("none.sqlite")}, out, "does not exist");
  check_refused({study(folder, "nobody.sqlite", "I agree.", 0)}, out, "holds no participant");
  check_refused({good}, folder.file("report.pdf"), ".html, .md, .tex, .svg, .csv or .json");
  check_refused({good}, folder.file("no/such/folder/report.html"), "no/such/folder");
  check_refused({}, out, "STUDY");
  write_file(folder.file("text.sqlite"), "This is no database.");
  check_refused({folder.file("text.sqlite")}, out, "text.sqlite");
  const auto spoilt = [&](const std::string& name, const std::string& sql) {
    std::filesystem::copy_file(good, folder.file(name));
    execute(folder.file(name), sql);
    return folder.file(name);
  };
  check_refused({spoilt("agents.sqlite", "PRAGMA application_id = 12345")}, out, "is no");
  check_refused({spoilt("later.sqlite", "PRAGMA user_version = 99")}, out, "found version 99");
  check_refused({spoilt("event.sqlite", "UPDATE events SET event = 'flew' WHERE sequence = 1")}, out,
                "does not know");
  check_refused({spoilt("order.sqlite", "UPDATE events SET event = 'item_left' WHERE sequence = 1")}, out,
                "cannot follow");
  check_refused({spoilt("levels.sqlite", "DELETE FROM levels")}, out, "that the file does not hold");
  check_refused({spoilt("table.sqlite", "DROP TABLE events")}, out, "events");
  check_refused({spoilt("manifest.sqlite", "DELETE FROM manifest WHERE key = 'seed'")}, out, "seed");
}

TEST_CASE("[people] report program: no damage to a file brings it down") {
  const TestFolder folder;
  const std::string whole = read_file(study(folder, "good.sqlite"));
  Random random(5);
  for (int i = 0; i < 60; ++i) {
    std::string bytes = whole;
    const int changes = 1 << random.integer(0, 6);
    for (int k = 0; k < changes; ++k)
      bytes[static_cast<std::size_t>(random.integer(0, static_cast<int>(bytes.size()) - 1))] =
          static_cast<char>(random.integer(0, 255));
    if (random.chance(0.2))
      bytes.resize(static_cast<std::size_t>(random.integer(1, static_cast<int>(bytes.size()))));
    write_file(folder.file("damaged.sqlite"), bytes);
    const Answer answer = report({folder.file("damaged.sqlite")}, folder.file("report.json"));
    CAPTURE(i, answer.text);
    CHECK((answer.code == 0 || answer.code == 2));
  }
}

TEST_CASE("[people] invite: links are never written over, and without them there are no participants") {
  const TestFolder folder;
  const std::filesystem::path file = study(folder, "study.sqlite", "I agree.", 0);
  const std::string first = folder.file("links.csv").string(),
                    nowhere = folder.file("none/links.csv").string();
  const auto invite = [&](const std::string& arguments) {
    return study_people("invite '" + file.string() + "' " + arguments);
  };
  CHECK(invite("--count 30 --out " + first).code == 0);
  const std::string links = read_file(first);
  CHECK(std::count(links.begin(), links.end(), '\n') == 31);
  Answer answer = invite("--count 2 --out " + first);
  CHECK(answer.code == 2);
  CHECK_THAT(answer.text, Catch::Contains("--out: " + first) && Catch::Contains("only copy of other links"));
  const std::string code = links.substr(links.find('\n') + 1, 9);
  CHECK(invite("--renew " + code + " --out " + first).code == 2);
  CHECK(read_file(first) == links);
  answer = invite("--count 5 --out " + nowhere);
  CHECK(answer.code == 2);
  CHECK_THAT(answer.text, Catch::Contains(nowhere));
  CHECK(study_people("invite '" + file.string() + "' --count 5 > /dev/full").code == 2);
  const StudyStore store = StudyStore::reading(file);
  CHECK(store.participants().size() == 30);
  std::istringstream lines(links);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    line = line.substr(0, line.find('\r'));
    CHECK(store.participant_of_link(line.substr(10)).code == line.substr(0, 9));
  }
  // An empty file that was made to be nobody else's is filled.
  const std::string made = folder.file("made.csv").string();
  std::ofstream(made).close();
  CHECK(invite("--out " + made).code == 0);
  CHECK(std::filesystem::file_size(made) > 40);
}

TEST_CASE("[people] create: a consent text with fields that nobody has filled in is refused by name") {
  const TestFolder folder;
  const std::string consent = folder.file("consent.txt").string(), out = folder.file("study.sqlite").string();
  const auto create = [&](const std::string& text) {
    std::ofstream(consent) << text;
    return study_people("create --quiet --levels " STARTLE_BENCHMARK
                        "/T1/easy --practice 1 --items 2 --consent " +
                        consent + " --out " + out);
  };
  const Answer answer = create("It takes about NUMBER minutes.\nI agree.\nApproved by BOARD under NUMBER.\n");
  CHECK(answer.code == 2);
  CHECK_THAT(answer.text,
             Catch::Contains(consent + ": the consent text still has fields to fill in: NUMBER in line 1, "
                                       "BOARD in line 3, NUMBER in line 3; "));
  CHECK_FALSE(std::filesystem::exists(out));
  CHECK(create("We store no name. RENUMBER, NAMES and ADDRESS_BOOK are other words.\n").code == 0);
}
