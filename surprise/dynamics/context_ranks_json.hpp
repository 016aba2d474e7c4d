#pragma once
/// \file  Ranks as files of models hold them.
#include <nlohmann/json.hpp>

#include "surprise/dynamics/context_ranks.hpp"

namespace startle {

nlohmann::ordered_json json_of(const ContextRanks& ranks);
/// Throws Error for ranks that are none, and nlohmann::json::exception for another form.
ContextRanks ranks_of(const nlohmann::ordered_json& json);

}  // namespace startle
