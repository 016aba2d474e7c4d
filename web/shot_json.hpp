#pragma once
/// \file  Shots in requests, as agents name them (docs/agent-protocol.md).
#include <string>

#include "core/json_tree.hpp"
#include "sim/shot.hpp"
#include "sim/trace.hpp"

namespace startle {

/// Throws Error, naming the place in `view`, for a number beyond `least` to `most`; `allowed` says which.
double number_within(const JsonView& view, double least, double most, const std::string& allowed);
/// Throws Error for what is no `tap_time`: seconds up to latest_tap_s, negative for never.
double read_tap_time(const JsonView& view);
/// An object with `angle`, and perhaps `stretch` and `tap_time`. Throws Error for any other.
Shot read_shot(const JsonView& view);

/// The bird's power was used.
bool was_tapped(const Trace& trace);

}  // namespace startle
