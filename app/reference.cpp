#include "app/reference.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "app/command.hpp"
#include "core/error.hpp"
#include "core/files.hpp"

namespace startle {
namespace {

const std::string default_mark = "default: ";

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string table(const CLI::App& command) {
  std::string rows, common;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty() || is_help(*option)) continue;
    if (option->get_group() == "Common") {
      common += (common.empty() ? "Also `" : ", `") + option->get_name() + "`";
      continue;
    }
    const std::string value = option->get_positional() ? "" : option->get_type_name();
    const auto [meaning, without] = meaning_and_default(*option);
    rows += "| `" + option->get_name() + (value.empty() ? "" : " " + cell(value)) + "` | " + cell(meaning) +
            " | " + cell(without) + " |\n";
  }
  std::string text;
  if (!rows.empty()) text = "| option | meaning | default |\n|---|---|---|\n" + rows;
  if (!common.empty()) text += (text.empty() ? "" : "\n") + common + ".\n";
  return text.empty() ? "No options.\n" : text;
}

void collect(CLI::App& app, const std::string& name, std::vector<std::pair<std::string, CLI::App*>>& found) {
  const auto commands = shown_commands(app);
  if (commands.empty() && !app.get_prefix_command()) found.emplace_back(name, &app);
  for (CLI::App* command : commands) collect(*command, name + " " + command->get_name(), found);
}

}  // namespace

std::vector<std::pair<std::string, CLI::App*>> commands_of(CLI::App& app) {
  std::vector<std::pair<std::string, CLI::App*>> found;
  collect(app, app.get_name(), found);
  return found;
}

bool is_help(const CLI::Option& option) {
  return option.check_lname("help") || option.check_lname("help-all") || option.check_lname("version");
}

std::pair<std::string, std::string> remarks_and_example(const std::string& footer) {
  const std::size_t at = footer.find("Example");
  std::string remarks = footer.substr(0, at);
  remarks.erase(remarks.find_last_not_of(" \n") + 1);
  std::replace(remarks.begin(), remarks.end(), '\n', ' ');
  return {remarks, at == std::string::npos ? "" : footer.substr(at)};
}

std::pair<std::string, std::string> meaning_and_default(const CLI::Option& option) {
  std::string meaning = option.get_description(), without;
  if (const std::size_t at = meaning.rfind(default_mark); at != std::string::npos) {
    without = meaning.substr(at + default_mark.size());
    meaning = at < 2 ? "" : meaning.substr(0, at - 2);
  }
  if (option.get_required()) return {meaning, "required"};
  if (!option.get_default_str().empty()) return {meaning, "`" + option.get_default_str() + "`"};
  if (without.empty() && option.get_expected_max() == 0) without = "off";
  return {meaning, without};
}

std::string with_option_tables(const std::string& page, CLI::App& app) {
  const std::string end = "<!-- end of options -->";
  std::string text = page;
  for (const auto& [name, command] : commands_of(app)) {
    const std::string mark = "<!-- options: " + name + " -->";
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) throw Error("reference: found no '" + mark + "'");
    const std::size_t from = at + mark.size(), to = text.find(end, from);
    if (to == std::string::npos) throw Error("reference: found no '" + end + "' after '" + mark + "'");
    text.replace(from, to - from, "\n" + table(*command));
  }
  return text;
}

void add_reference_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("reference", "The page with this program's tables of options.");
  command->group("");
  const auto page = std::make_shared<std::string>();
  command->add_option("PAGE", *page, "a page with marks")->required();
  command->callback([&app, page] { emit(with_option_tables(read_file(*page), app), std::nullopt); });
}

}  // namespace startle
