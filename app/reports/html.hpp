#pragma once
/// \file  What the HTML reports share: one style, one frame, tables.
#include <string>

#include "app/reports/table.hpp"

namespace startle {

/// One self-contained page. `title` is escaped, `body` is HTML.
std::string html_page(const std::string& title, const std::string& body);

/// How a page begins: heading, and what it is about (HTML paragraphs). `unfinished`: what an interrupted run
/// has some of ("levels"); empty: it came to its end.
std::string html_head(const std::string& title, const std::string& lead, const std::string& unfinished = "");
/// What a page opens with: what was found, in one sentence (escaped), and the chart of it (SVG; empty: none),
/// which scrolls by itself where it is wider than the page.
std::string html_finding(const std::string& sentence, const std::string& chart);
/// What a reader may open, under a summary (escaped).
std::string html_details(const std::string& summary, const std::string& html);
/// How a page ends: the command that makes it, the program's version, and the rest (HTML), which goes on in
/// the same sentence.
std::string html_origin(const std::string& command, const std::string& version, const std::string& settings);

/// Head first; cells are escaped. A wide table scrolls by itself. `figures`: cells keep their line feeds, and
/// what follows the first line is small.
std::string html_table(const Rows& rows, bool figures = false);

}  // namespace startle
