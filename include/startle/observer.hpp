#pragma once
/// \file  The reference observer of a shot, and of whole plays by a reference player.
#include "simulated/observer.hpp"
#include "simulated/played_level.hpp"
