#pragma once
/// \file  A study with people as tables for other programs, with a dictionary of their columns.
#include <map>
#include <string>

#include "people/study_store.hpp"

namespace startle {

/// CSV files by name: participants, levels, items, shots, reports, events, and dictionary.csv, which has a
/// row for each column of the others. Participants are numbered in the order of their codes, which is random.
/// The files show neither the codes nor the order in which people came, and nothing of those who withdrew.
/// Descriptions are free text and may say anything.
std::map<std::string, std::string> people_export(const StudyStore& store);

}  // namespace startle
