/// \file  SQLite files that several connections write at once.
#include "agents/database.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

using namespace startle;

TEST_CASE("[agents] who writes seldom comes between others that write one after the other") {
  const testing::Folder folder;
  const auto file = folder / "numbers.sqlite";
  Database seldom(file, Database::For::making);
  seldom.run("CREATE TABLE numbers (value INTEGER)");
  std::atomic<bool> held{false}, done{false};
  // Holds the file nearly all the time, as on a slow disk.
  std::thread often([&] {
    Database database(file, Database::For::writing);
    while (!done) {
      database.run("BEGIN IMMEDIATE; INSERT INTO numbers VALUES (0)");
      held = true;
      held.notify_one();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      database.run("COMMIT");
    }
  });
  held.wait(false);
  std::string failure;
  try {
    for (int i = 0; i < 10; ++i) seldom.run("INSERT INTO numbers VALUES (1)");
  } catch (const Error& error) {
    failure = error.what();
  }
  done = true;
  often.join();
  CHECK(failure == "");
  Statement count(seldom, "SELECT count(*) FROM numbers WHERE value = 1");
  count.step();
  CHECK(count.number(0) == 10);
}
