#pragma once
/// \file  Trials as a table of a database, a row each: of results files and of entries.
#include <string>
#include <vector>

#include "agents/trials/trial.hpp"

namespace startle {

class Database;

/// SQL that makes the table `trials`. `first`: the name of its first column, a text, in the place of the
/// agent; the key is it, unit, world and trial.
std::string trials_table(const std::string& first);
/// False, and nothing is added, where a row of that key is there. Throws Error when it cannot be written.
bool add_trial(Database& database, const std::string& first, const TrialResult& trial);
/// All rows, ordered by key; the first column becomes the agent. Throws Error, naming file and column, for
/// what is no trial, and for levels that are not the bytes levels_text() gives: with a key twice or one more,
/// two readers could see two trials.
std::vector<TrialResult> read_trials(const Database& database);

/// "trial 0 on small (novel)".
std::string trial_words(const TrialResult& trial);

/// Levels and shots as the column `levels` and the exports hold them: a JSON array.
std::string levels_text(const std::vector<PlayedLevel>& levels);
/// One of the shots there, with its report, and back. Throws Error, naming `source`, for a text that is none.
std::string shot_text(const PlayedShot& shot);
PlayedShot shot_from_text(const std::string& text, const std::string& source);
/// A whole trial as one line of JSON, and back. Throws Error, naming `source`, for a text that is none.
std::string trial_text(const TrialResult& trial);
TrialResult trial_from_text(const std::string& text, const std::string& source);
/// As the table holds a text: bytes that are not UTF-8, which a program may have written on its standard
/// error, would not survive in the exports, and become '?'.
std::string valid_text(std::string text);

}  // namespace startle
