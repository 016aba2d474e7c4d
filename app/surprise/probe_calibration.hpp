#pragma once
/// \file  Calibrations of the scorers of `startle probe`, for single clips (surprise/event_calibration.hpp):
/// made from possible clips of a suite, kept in one file.
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "app/surprise/probe_scorers.hpp"
#include "surprise/event_calibration.hpp"

namespace startle {

struct ProbeCalibration {
  std::string suite;
  std::uint64_t seed = 1;                           ///< of the possible clips, and of the untrained networks
  std::map<std::string, EventCalibration> scorers;  ///< by calibration_key()
};

/// Throws Error for a file that cannot be read, is no such file, or is of another suite.
ProbeCalibration read_probe_calibration(const std::filesystem::path& path, const std::string& suite);

/// Adds, after all others, each scorer that has a calibration once more, as "NAME, calibrated": the error of
/// its only frame is -log p.
void add_calibrated(ProbeScorers& scorers, const ProbeCalibration& calibration);

/// What calibrate_scorers() needs. `clips`: the two possible clips of scene i.
struct CalibrationClips {
  std::string suite;
  std::uint64_t seed = 1;
  std::size_t count = 0;
  std::function<std::array<Clip, 2>(std::size_t)> clips;
  int threads = 0;
};
/// Lets all scorers score `count` scenes, and writes the calibrations to the file. Returns the exit code.
int calibrate_scorers(const ProbeScorers& scorers, const CalibrationClips& clips,
                      const std::filesystem::path& path, bool quiet);

}  // namespace startle
