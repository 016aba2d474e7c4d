#pragma once
/// \file  The page itself: its files are in the program, so that no path leads to a file of the machine.
#include "web/router.hpp"

namespace startle {

/// GET / and GET /page/NAME.
void add_page_routes(Router& router);

}  // namespace startle
