/// \file  Fuzz target: any lines of a client of the Model Context Protocol get answers that are JSON, and
/// leave a trial that can be played.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "agents/mcp_trial.hpp"

namespace {

using namespace startle;

class EmptyLevel : public ObservationSource {
 public:
  const Observation& now() const override { return now_; }
  Bitmap picture(int width, int height) const override { return {width, height}; }
  Bitmap picture_of_frame(std::size_t, int width, int height) const override { return {width, height}; }

 private:
  Observation now_;
};

void expect_json(const std::string& answer) {
  if (!answer.empty() && !nlohmann::json::accept(answer)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const EmptyLevel level;
  const SeenShot seen{.frames = {{.time = 0, .bodies = {{.id = 3}}}}};
  McpTrial trial("1");
  trial.begin({});
  trial.shot_due(level);
  // So that all lines reach the tools.
  trial.answer(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})");
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  for (std::string line; std::getline(lines, line);) {
    expect_json(trial.answer(line));
    expect_json(mcp_refusal(line));
    if (const auto shot = trial.take_shot()) {
      check(*shot);
      expect_json(trial.report_due(seen, level));
    }
    if (const auto report = trial.take_report()) {
      check(*report);
      expect_json(trial.shot_due(level));
    }
  }
  return 0;
}
