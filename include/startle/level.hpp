#pragma once
/// \file  Levels: as data, in files (Startle's JSON and Science Birds' XML), in sets.
#include "levels/level_file.hpp"
#include "levels/level_json.hpp"
#include "levels/level_set.hpp"
#include "levels/level_xml.hpp"
#include "sim/level.hpp"
