#pragma once
/// \file  Sections of a report that is written both as a page and as Markdown.
#include <string>
#include <vector>

#include "reports/table.hpp"

namespace startle {

/// A heading, a paragraph, a table.
struct ReportSection {
  std::string title, note;
  Rows table;            ///< empty: none
  bool figures = false;  ///< of html_table()
};

/// `level`: of the heading, 1 to 6.
std::string markdown_section(const ReportSection& section, int level = 2);
std::string html_section(const ReportSection& section, int level = 2);

}  // namespace startle
