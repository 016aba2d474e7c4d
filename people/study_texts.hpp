#pragma once
/// \file  What a participant reads: every text of a study by name, from a JSON file that can be translated.
///
/// English and German are compiled in; a researcher's own file has the same names. Only the consent is a file
/// of its own, as each study has its own.
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace startle {

class StudyTexts {
 public:
  /// Reads a file of texts. `source_name`: of the file, for messages. Throws Error, naming file, line and
  /// key, for text that is not JSON, another format or version, a language that is no tag such as "de" or
  /// "pt-BR", a text that is missing, empty or unknown, and a text whose places to fill in, such as
  /// "{count}", are others than in English.
  static StudyTexts parse(std::string_view json, const std::string& source_name);
  /// Those that a study holds. As parse(), but a text that was not there yet when the study was made is the
  /// compiled-in one of its language, or English.
  static StudyTexts stored(std::string_view json, const std::string& source_name);
  /// Those that are compiled in. Throws Error, naming the languages there are, for any other.
  static StudyTexts shipped(const std::string& language);
  /// Tags of the languages that are compiled in, sorted.
  static std::vector<std::string> languages();

  /// Tag of the language (BCP 47): "de".
  const std::string& language() const { return language_; }
  /// The JSON text that they were read from.
  const std::string& json() const { return json_; }
  /// All of them, by name: "consent.agree".
  const std::map<std::string, std::string>& all() const { return texts_; }

  /// The text of that name, with its places filled in: texts("practice.place", {{"number", "2"}, {"count",
  /// "5"}}). Throws std::logic_error for a name that no text has.
  std::string operator()(const std::string& name,
                         const std::vector<std::pair<std::string, std::string>>& places = {}) const;

 private:
  std::string language_, json_;
  std::map<std::string, std::string> texts_;
};

}  // namespace startle
