#pragma once
/// \file  Sections of a report that is written as a page, as Markdown and as LaTeX.
#include <string>
#include <string_view>
#include <vector>

#include "app/reports/table.hpp"

namespace startle {

/// A heading, a paragraph, a table.
struct ReportSection {
  std::string title, note;
  Rows table;            ///< empty: none
  bool figures = false;  ///< of html_table()
  bool folded = false;   ///< on a page: for readers to open
};

/// Text of strangers, such as the name of an agent, for Markdown: it is neither HTML nor a link or a picture,
/// and ends no cell of a table.
std::string markdown_text(std::string_view text);

/// `level`: of the heading, 1 to 6.
std::string markdown_section(const ReportSection& section, int level = 2);
std::string html_section(const ReportSection& section, int level = 2);
/// The tables of the sections for a paper: environments `table` with the rules of booktabs, title and note as
/// captions, text of strangers as letters that LaTeX acts on nowhere.
std::string latex_tables(const std::vector<ReportSection>& sections);

}  // namespace startle
