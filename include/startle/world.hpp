#pragma once
/// \file  The simulated world: scenes, shots, traces, twins.
#include "core/hash.hpp"
#include "sim/shot.hpp"
#include "sim/trace.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"
