#pragma once
/// \file  startle probe --suite intphys.
#include "app/surprise/probe.hpp"

namespace startle {

/// Returns the exit code. Throws Error for bad input.
int run_intphys_suite(const ProbeCommandOptions& options);

}  // namespace startle
