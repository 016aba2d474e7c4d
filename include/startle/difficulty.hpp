#pragma once
/// \file  How hard a novelty is to detect, by reasoning alone: p_level and its tier, PID, BID, the reasons.
#include "difficulty/difficulty.hpp"
#include "difficulty/explain.hpp"
#include "difficulty/played_level.hpp"
#include "difficulty/tiers.hpp"
