#pragma once
/// \file  Play: shots, both worlds beside each other, and what reasoning says.
#include <memory>

#include "web/router.hpp"
#include "web/web_levels.hpp"

namespace startle {

/// POST /api/levels/ID/shots, /twins and /insight. `levels` must outlive the router.
void add_play_routes(Router& router, WebLevels& levels);

}  // namespace startle
