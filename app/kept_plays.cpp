#include "app/kept_plays.hpp"

#include "core/error.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

// "StLp"
constexpr DatabaseFormat plays_format{.application_id = 0x53744c70,
                                      .version = 1,
                                      .what = "file of finished plays of startle observe",
                                      .advice = "remove it, and the levels are played again"};

// World 0 is the normal one. A shot without rank was not tested.
constexpr const char* play_tables = R"(
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE worlds (job INTEGER NOT NULL, world INTEGER NOT NULL, detected REAL NOT NULL,
                     cleared INTEGER NOT NULL, PRIMARY KEY (job, world)) WITHOUT ROWID;
CREATE TABLE shots (job INTEGER NOT NULL, world INTEGER NOT NULL, number INTEGER NOT NULL,
                    angle REAL NOT NULL, stretch REAL NOT NULL, tap_time REAL NOT NULL, rank INTEGER,
                    of INTEGER, PRIMARY KEY (job, world, number)) WITHOUT ROWID;
)";

std::map<std::size_t, std::vector<LevelPlay>> read_plays(const Database& database) {
  std::map<std::size_t, std::vector<LevelPlay>> plays;
  for (Statement row(database, "SELECT job, detected, cleared FROM worlds ORDER BY job, world"); row.step();)
    plays[static_cast<std::size_t>(row.number(0))].push_back(
        {.shots = {}, .cleared = row.number(2) != 0, .detected = row.real(1)});
  for (Statement row(database,
                     "SELECT job, world, angle, stretch, tap_time, rank, of FROM shots "
                     "ORDER BY job, world, number");
       row.step();) {
    const auto job = plays.find(static_cast<std::size_t>(row.number(0)));
    const auto world = static_cast<std::size_t>(row.number(1));
    if (job == plays.end() || world >= job->second.size())
      throw Error(database.file() +
                  ": a shot is of no play; remove the file, and the levels are played again");
    TestedShot shot{.announced = {.angle = row.real(2), .stretch = row.real(3), .tap_time = row.real(4)},
                    .rank = {}};
    if (!row.is_null(5)) shot.rank = ShotRank{row.number(5), row.number(6)};
    job->second[world].shots.push_back(shot);
  }
  return plays;
}

}  // namespace

KeptPlays::KeptPlays(const std::filesystem::path& out, const Run& run)
    : database_(Database::open_or_make(
          out.string() + ".plays",
          {.format = plays_format,
           .tables = play_tables,
           .fill =
               [&](Database& fresh) {
                 for (const auto& [key, value] : run)
                   Statement(fresh, "INSERT INTO run VALUES (?, ?)").bind(key).bind(value).step();
               },
           .one_writer = true})) {
  Run known = database_->pairs("SELECT key, value FROM run");
  for (const auto& [key, value] : run)
    if (known[key] != value)
      throw Error(file() + ": holds plays of another run: " + key + " is " + shown(known[key]) +
                  " there and " + shown(value) + " here; remove it, or give another file to --out");
  before_ = read_plays(*database_);
  database_->log_ahead();
}

const std::vector<LevelPlay>* KeptPlays::find(std::size_t job) const {
  const auto found = before_.find(job);
  return found == before_.end() ? nullptr : &found->second;
}

void KeptPlays::add(std::size_t job, const std::vector<LevelPlay>& plays) {
  const std::lock_guard lock(mutex_);
  database_->run("BEGIN IMMEDIATE");
  for (std::size_t world = 0; world < plays.size(); ++world) {
    const LevelPlay& play = plays[world];
    Statement(*database_, "INSERT INTO worlds VALUES (?, ?, ?, ?)")
        .bind(static_cast<int>(job))
        .bind(static_cast<int>(world))
        .bind(play.detected)
        .bind(static_cast<int>(play.cleared))
        .step();
    for (std::size_t i = 0; i < play.shots.size(); ++i) {
      const TestedShot& shot = play.shots[i];
      Statement row(*database_, "INSERT INTO shots VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
      row.bind(static_cast<int>(job)).bind(static_cast<int>(world)).bind(static_cast<int>(i));
      row.bind(shot.announced.angle).bind(shot.announced.stretch).bind(shot.announced.tap_time);
      shot.rank ? row.bind(shot.rank->rank).bind(shot.rank->of) : row.bind_null().bind_null();
      row.step();
    }
  }
  database_->run("COMMIT");
  ++added_;
}

void KeptPlays::remove() {
  const std::filesystem::path done = file();
  database_.reset();
  std::error_code ignored;  // whoever took it away already
  std::filesystem::remove(done, ignored);
}

}  // namespace startle
