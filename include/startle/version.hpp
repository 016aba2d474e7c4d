#pragma once
/// \file  The version of the program, and of what it computes.
#include "core/engine_version.hpp"
