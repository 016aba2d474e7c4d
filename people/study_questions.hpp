#pragma once
/// \file  What a study asks its participants about themselves, once, before practice: age, language, whatever
/// the researcher needs.
///
/// A file of questions is JSON of format "startle-study-questions"; people/sample-questions.json is one.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/json_tree.hpp"

namespace startle {

struct StudyQuestion {
  enum class Kind { choice, number, text };
  std::string name;  ///< of the column in data: small letters, digits and '_', a letter first; unique
  std::string text;  ///< what the participant reads, 1 to max_question_length characters
  Kind kind = Kind::text;
  bool required = true;              ///< false: may be left out
  std::vector<std::string> options;  ///< choice: 2 to max_options texts, which all differ
  double min = 0, max = 0;           ///< number: the least and the greatest that is allowed
  int max_length = 0;                ///< text: characters, 1 to max_answer_length
};
const char* name(StudyQuestion::Kind kind);

inline constexpr std::size_t max_questions = 20, max_options = 20;
inline constexpr std::size_t max_question_name = 32, max_question_length = 300, max_option_length = 100;
inline constexpr int max_answer_length = 200;

/// A number for a question of kind number, else a text; for a choice, it is the text of the chosen option.
using StudyAnswer = std::variant<double, std::string>;
/// By name of the question; what was left out is not in it.
using StudyAnswers = std::map<std::string, StudyAnswer>;

class StudyQuestions {
 public:
  /// None are asked.
  StudyQuestions() = default;
  /// Reads a file of questions. `source_name`: of the file, for messages. Throws Error, naming file, line and
  /// key, what was found and what is allowed, for text that is not JSON, another format or version, keys that
  /// are unknown or missing, names that stand twice or are columns of the participants' table, no question or
  /// more than max_questions, texts that are empty or too long or have control characters, and ranges
  /// without a number in them.
  static StudyQuestions parse(std::string_view json, const std::string& source_name);

  bool empty() const { return questions_.empty(); }
  /// In the order in which they are asked.
  const std::vector<StudyQuestion>& all() const { return questions_; }
  /// The JSON text that they were read from; empty where none are asked.
  const std::string& json() const { return json_; }

  /// Throws Error, naming the question, what was found and what is allowed, for an answer to none of them,
  /// one of another type, out of range or too long, blank or control characters in a text, a choice that is
  /// no option, and a required question without an answer.
  void check(const StudyAnswers& answers) const;

 private:
  std::vector<StudyQuestion> questions_;
  std::string json_;
};

/// What a participant has typed or chosen, as an answer: without blanks at its ends; of a number, "31,5" is
/// 31.5. None for blanks alone. Throws Error, as StudyQuestions::check() does, for what is not allowed.
std::optional<StudyAnswer> typed_answer(const StudyQuestion& question, const std::string& typed);

/// As it stands in a table.
std::string answer_text(const StudyAnswer& answer);

/// What many participants have answered.
struct QuestionSummary {
  std::size_t answered = 0;                                 ///< did not leave it out
  std::vector<std::pair<std::string, std::size_t>> counts;  ///< choice: of each option, in their order
  std::optional<double> median, min, max;                   ///< number; none where nobody answered
  std::size_t different = 0;                                ///< text: answers that differ
};
QuestionSummary summarised(const StudyQuestion& question, const std::vector<StudyAnswers>& participants);

/// An object of numbers and texts, as pages send it and the file of a study holds it. Throws Error, naming
/// the place, for anything else.
StudyAnswers read_answers(const JsonView& object);
/// What read_answers() reads.
std::string answers_json(const StudyAnswers& answers);

}  // namespace startle
