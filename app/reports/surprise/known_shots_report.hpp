#pragma once
/// \file  The part of an evaluation's report that is about detectors that know some shots of the novel world.
#include <nlohmann/json.hpp>
#include <string>

#include "surprise/known_shots_table.hpp"

namespace startle {

nlohmann::ordered_json known_shots_json(const KnownShotsTables& tables);
/// A section of the page, without its heading.
std::string known_shots_html(const KnownShotsTables& tables);

}  // namespace startle
