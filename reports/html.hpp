#pragma once
/// \file  What the HTML reports share: one style, one frame, tables.
#include <string>
#include <vector>

namespace startle {

/// One self-contained page. `title` is escaped, `body` is HTML.
std::string html_page(const std::string& title, const std::string& body);

/// Head first; cells are escaped. A wide table scrolls by itself. `figures`: cells keep their line feeds, and what follows the first line is small.
std::string html_table(const std::vector<std::vector<std::string>>& rows, bool figures = false);

}  // namespace startle
