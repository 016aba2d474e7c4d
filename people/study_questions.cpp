#include "people/study_questions.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"
#include "statistics/percentile.hpp"

namespace startle {
namespace {

using AnswerKind = StudyQuestion::Kind;

/// Columns that the participants' table has without questions (app/reports/people/people_export.cpp).
constexpr std::array<const char*, 8> taken_names{"participant", "reached", "openings",      "practice_shots",
                                                 "items",       "checks",  "checks_failed", "seconds"};

/// Code points of a UTF-8 text.
std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xc0) != 0x80; }));
}

bool has_control(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 127; });
}

bool is_blank(const std::string& text) { return text.find_first_not_of(' ') == std::string::npos; }

/// One line of 1 to `longest` characters, with something to be seen.
const std::string& line_of(const JsonView& value, std::size_t longest) {
  const std::string& text = value.string();
  if (is_blank(text) || has_control(text) || characters(text) > longest)
    value.fail("a text of 1 to " + std::to_string(longest) + " characters in one line");
  return text;
}

bool is_name(const std::string& text) {
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  return !text.empty() && text.size() <= max_question_name && small(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return small(c) || (c >= '0' && c <= '9') || c == '_'; });
}

std::string read_name(const JsonView& value, std::set<std::string>& known) {
  const std::string& text = value.string();
  if (!is_name(text))
    value.fail("a name of 1 to " + std::to_string(max_question_name) +
               " small letters, digits and _, a letter first, such as age");
  if (std::find(taken_names.begin(), taken_names.end(), text) != taken_names.end())
    value.complain("the participants' table has a column " + shown(text) +
                   " already; allowed is another name");
  if (!known.insert(text).second)
    value.complain("the name " + shown(text) + " stands twice; allowed is another name for each question");
  return text;
}

AnswerKind read_kind(const JsonView& question) {
  const std::string kind = question.at("kind").string_of({"choice", "number", "text"});
  if (kind == "choice") {
    question.expect_keys({"name", "text", "kind", "required", "options"});
    return AnswerKind::choice;
  }
  if (kind == "number") {
    question.expect_keys({"name", "text", "kind", "required", "min", "max"});
    return AnswerKind::number;
  }
  question.expect_keys({"name", "text", "kind", "required", "max_length"});
  return AnswerKind::text;
}

std::vector<std::string> read_options(const JsonView& value) {
  std::vector<std::string> options;
  for (const JsonView& item : value.items()) {
    const std::string& option = line_of(item, max_option_length);
    if (std::find(options.begin(), options.end(), option) != options.end())
      item.complain("the option " + shown(option) + " stands twice; allowed are options that differ");
    options.push_back(option);
  }
  if (options.size() < 2 || options.size() > max_options)
    value.complain("found " + std::to_string(options.size()) + " options, allowed are 2 to " +
                   std::to_string(max_options));
  return options;
}

StudyQuestion read_question(const JsonView& value, std::set<std::string>& names) {
  value.expect_keys({"name", "text", "kind", "required"}, {"options", "min", "max", "max_length"});
  StudyQuestion question{.name = read_name(value.at("name"), names),
                         .text = line_of(value.at("text"), max_question_length),
                         .kind = read_kind(value),
                         .required = value.at("required").boolean(),
                         .options = {}};
  switch (question.kind) {
    case AnswerKind::choice:
      question.options = read_options(value.at("options"));
      break;
    case AnswerKind::number:
      question.min = value.at("min").number();
      question.max = value.at("max").number();
      if (question.max <= question.min)
        value.at("max").fail("a number above min, " + number_text(question.min));
      break;
    case AnswerKind::text:
      question.max_length = value.at("max_length").integer_from(1);
      if (question.max_length > max_answer_length)
        value.at("max_length").fail("1 to " + std::to_string(max_answer_length) + " characters");
      break;
  }
  return question;
}

std::string allowed_answers(const StudyQuestion& question) {
  switch (question.kind) {
    case AnswerKind::choice:
      return "one of its options: " + listed(question.options);
    case AnswerKind::number:
      return "a number from " + number_text(question.min) + " to " + number_text(question.max);
    case AnswerKind::text:
      break;
  }
  return "a text of 1 to " + std::to_string(question.max_length) + " characters in one line";
}

bool is_allowed(const StudyQuestion& question, const StudyAnswer& answer) {
  const double* const number = std::get_if<double>(&answer);
  if (question.kind == AnswerKind::number)
    return number && *number >= question.min && *number <= question.max;
  if (number) return false;
  const std::string& text = std::get<std::string>(answer);
  if (question.kind == AnswerKind::choice)
    return std::find(question.options.begin(), question.options.end(), text) != question.options.end();
  return !is_blank(text) && !has_control(text) && first_invalid_utf8(text) == std::string::npos &&
         characters(text) <= static_cast<std::size_t>(question.max_length);
}

void require_allowed(const StudyQuestion& question, const StudyAnswer& answer) {
  if (is_allowed(question, answer)) return;
  throw Error("answer to " + shown(question.name) + ": found " + shown(answer_text(answer)) +
              ", allowed is " + allowed_answers(question));
}

}  // namespace

const char* name(StudyQuestion::Kind kind) {
  constexpr std::array<const char*, 3> names{"choice", "number", "text"};
  return names[static_cast<std::size_t>(kind)];
}

StudyQuestions StudyQuestions::parse(std::string_view json, const std::string& source_name) {
  const JsonNode node = parse_json(json, source_name);
  const JsonView root(node, source_name);
  root.expect_keys({"format", "version", "questions"});
  root.at("format").string_of({"startle-study-questions"});
  if (root.at("version").natural() != 1) root.at("version").fail("1");
  const std::vector<JsonView> items = root.at("questions").items();
  if (items.empty() || items.size() > max_questions)
    root.at("questions")
        .complain("found " + std::to_string(items.size()) + " questions, allowed are 1 to " +
                  std::to_string(max_questions));
  StudyQuestions questions;
  std::set<std::string> names;
  for (const JsonView& item : items) questions.questions_.push_back(read_question(item, names));
  questions.json_ = json;
  return questions;
}

void StudyQuestions::check(const StudyAnswers& answers) const {
  for (const auto& [name, answer] : answers)
    if (std::none_of(questions_.begin(), questions_.end(),
                     [&name = name](const StudyQuestion& question) { return question.name == name; }))
      throw Error("answer to " + shown(name) + ": the study has no such question");
  for (const StudyQuestion& question : questions_) {
    const auto answer = answers.find(question.name);
    if (answer != answers.end())
      require_allowed(question, answer->second);
    else if (question.required)
      throw Error("answer to " + shown(question.name) + ": is missing, allowed is " +
                  allowed_answers(question));
  }
}

std::optional<StudyAnswer> typed_answer(const StudyQuestion& question, const std::string& typed) {
  const std::size_t first = typed.find_first_not_of(' ');
  if (first == std::string::npos) return std::nullopt;
  std::string text = typed.substr(first, typed.find_last_not_of(' ') - first + 1);
  StudyAnswer answer = text;
  if (question.kind == AnswerKind::number) {
    std::replace(text.begin(), text.end(), ',', '.');
    if (const std::optional<double> number = parse_double(text)) answer = *number;
  }
  require_allowed(question, answer);
  return answer;
}

std::string answer_text(const StudyAnswer& answer) {
  const double* const number = std::get_if<double>(&answer);
  return number ? shortest(*number) : std::get<std::string>(answer);
}

QuestionSummary summarised(const StudyQuestion& question, const std::vector<StudyAnswers>& participants) {
  QuestionSummary summary;
  std::map<std::string, std::size_t> texts;
  std::vector<double> numbers;
  for (const StudyAnswers& answers : participants) {
    const auto answer = answers.find(question.name);
    if (answer == answers.end()) continue;
    ++summary.answered;
    ++texts[answer_text(answer->second)];
    if (const double* number = std::get_if<double>(&answer->second)) numbers.push_back(*number);
  }
  for (const std::string& option : question.options) summary.counts.emplace_back(option, texts[option]);
  if (question.kind == AnswerKind::text) summary.different = texts.size();
  if (question.kind != AnswerKind::number || numbers.empty()) return summary;
  summary.median = percentile(numbers, 50);
  const auto [min, max] = std::minmax_element(numbers.begin(), numbers.end());
  summary.min = *min;
  summary.max = *max;
  return summary;
}

StudyAnswers read_answers(const JsonView& object) {
  StudyAnswers answers;
  for (const auto& [name, value] : object.members()) {
    if (value.is_number())
      answers.emplace(name, value.number());
    else
      answers.emplace(name, value.string());
  }
  return answers;
}

std::string answers_json(const StudyAnswers& answers) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [name, answer] : answers)
    std::visit([&json, &name = name](const auto& value) { json[name] = value; }, answer);
  return json.dump();
}

}  // namespace startle
