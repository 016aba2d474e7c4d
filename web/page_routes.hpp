#pragma once
/// \file  The page itself: its files are in the program, so that no path leads to a file of the machine.
#include <map>
#include <string>

#include "web/router.hpp"

namespace startle {

/// GET /page/NAME, and files by other paths: {"/", "index.html"}.
void add_page_routes(Router& router, const std::map<std::string, std::string>& pages);

}  // namespace startle
