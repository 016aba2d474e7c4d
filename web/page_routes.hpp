#pragma once
/// \file  The page itself: its files are in the program, so that no path leads to a file of the machine.
#include <string>

#include "web/router.hpp"

namespace startle {

/// GET /, which is the file `first`, and GET /page/NAME.
void add_page_routes(Router& router, const std::string& first);

}  // namespace startle
