#pragma once
/// \file  A study with people as a page, a table, or data.
#include <string>

#include "people/study_scores.hpp"

namespace startle {

/// Formats: html and md for people, tex and svg (the figure) for a paper, csv with one row an item, json with
/// everything. Throws Error for any other.
std::string people_report(const PeopleStudy& study, const std::string& format);

}  // namespace startle
