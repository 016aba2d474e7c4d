#pragma once
/// \file  Calibrations of the scorers of `startle probe`, for single clips (surprise/event_calibration.hpp):
/// made from possible clips of a suite, kept in one file.
#include <array>
#include <functional>

#include "app/surprise/probe_scorers.hpp"

namespace startle {

/// load_probe_scorers(); after all others come, once more as "NAME, calibrated", those that the file of
/// --calibration holds: the error of their only frame is -log p. The untrained networks are those of that
/// file's seed. Throws Error, too, for a file that cannot be read, is no such file, or is of another suite.
ProbeScorers load_calibrated_scorers(const ProbeCommandOptions& options, const ClipFormat& clips);

/// Lets all scorers score the possible clips of `count` scenes, two a scene, and writes the calibrations to
/// the file of --calibrate. Returns the exit code.
int calibrate_scorers(const ProbeCommandOptions& options, const ProbeScorers& scorers, std::size_t count,
                      const std::function<std::array<Clip, 2>(std::size_t)>& possible_clips);

}  // namespace startle
