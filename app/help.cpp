#include "app/help.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include "app/reference.hpp"

namespace startle {
namespace {

constexpr std::size_t min_width = 60, max_width = 100;
/// Where meanings begin; a longer name stands on a line of its own.
constexpr std::size_t meaning_column = 28;

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return max_width;
  return std::clamp(static_cast<std::size_t>(size.ws_col), min_width, max_width);
}

/// Lines of `text` after `first`, which is on the first of them; the others begin at `column`.
std::string wrapped(const std::string& first, const std::string& text, std::size_t column,
                    std::size_t width) {
  std::string lines, line = first;
  if (line.size() + 2 > column && !line.empty()) {
    lines = line + "\n";
    line.clear();
  }
  line.resize(column, ' ');
  bool fresh = true;
  std::istringstream words(text);
  for (std::string word; words >> word; fresh = false) {
    if (!fresh && line.size() + 1 + word.size() > width) {
      lines += line + "\n";
      line.assign(column, ' ');
      fresh = true;
    }
    line += (fresh ? "" : " ") + word;
  }
  return lines + line + "\n";
}

/// "meaning; more; 0: all; default: `0`" as "meaning; default: 0, all".
std::string shortened(const CLI::Option& option) {
  const auto [meaning, without] = meaning_and_default(option);
  const std::string text = meaning.substr(0, meaning.find(';'));
  if (without == "required") return text + "; required";
  if (without.empty() || without.front() != '`') return text;
  const std::string value = without.substr(1, without.size() - 2), mark = "; " + value + ": ";
  const std::size_t at = meaning.find(mark);
  if (at == std::string::npos) return text + "; default: " + value;
  const std::size_t from = at + mark.size();
  return text + "; default: " + value + ", " + meaning.substr(from, meaning.find(';', from) - from);
}

std::string completed(const CLI::Option& option) {
  const auto [meaning, without] = meaning_and_default(option);
  if (without == "required") return meaning + "; required";
  if (without.empty() || without == "off") return meaning;
  std::string text = meaning + "; default: " + without;
  text.erase(std::remove(text.begin(), text.end(), '`'), text.end());
  return text;
}

std::string option_lines(const CLI::Option& option, bool full, std::size_t width) {
  std::string name = "  " + option.get_name(option.get_positional(), true);
  if (!option.get_positional() && !option.get_type_name().empty()) name += " " + option.get_type_name();
  if (option.get_expected_max() > 1) name += " ...";
  return wrapped(name, full ? completed(option) : shortened(option), meaning_column, width);
}

/// What stands under the usage, each part with its heading.
std::vector<std::string> parts_of(const CLI::App& command, bool full, std::size_t width) {
  std::string positional, commands, own, common, help;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    std::string& part = is_help(*option)                  ? help
                        : option->get_positional()        ? positional
                        : option->get_group() == "Common" ? common
                                                          : own;
    part += option_lines(*option, full, width);
  }
  for (const CLI::App* below : shown_commands(command))
    commands += wrapped("  " + below->get_name(), below->get_description(), meaning_column, width);
  std::vector<std::string> parts;
  for (const auto& [heading, text] : {std::pair("", positional),
                                      {"Commands:\n", commands},
                                      {"Options:\n", own},
                                      {"Options of most commands:\n", common},
                                      {"Help:\n", help}})
    if (!text.empty()) parts.push_back(heading + text);
  return parts;
}

std::string usage(const CLI::App& command, const std::string& name) {
  std::string text = "Usage: " + name +
                     (shown_commands(command).empty() ? " [OPTIONS]" : " COMMAND [OPTIONS]");
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const std::string shown = option->get_name() + (option->get_expected_max() > 1 ? "..." : "");
    text += option->get_required() ? " " + shown : " [" + shown + "]";
  }
  return text + "\n";
}

class Help : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* command, std::string name, CLI::AppFormatMode mode) const override {
    return help_text(*command, name, mode != CLI::AppFormatMode::Normal, terminal_width());
  }
};

void add_help(CLI::App& app, const std::shared_ptr<Help>& help) {
  if (app.get_prefix_command()) return;  // another program, which has its own
  app.formatter(help);
  app.set_help_flag("-h,--help", "each option in short, and an example");
  app.set_help_all_flag("--help-all", "all there is to say of each option");
  for (CLI::App* command : app.get_subcommands({})) add_help(*command, help);
}

}  // namespace

void add_help(CLI::App& app) { add_help(app, std::make_shared<Help>()); }

std::string help_text(const CLI::App& command, const std::string& name, bool full, std::size_t width) {
  const auto [remarks, example] = remarks_and_example(command.get_footer());
  std::string text = wrapped("", command.get_description(), 0, width) + usage(command, name);
  for (const std::string& part : parts_of(command, full, width)) text += "\n" + part;
  if (full && !remarks.empty()) text += "\n" + wrapped("", remarks, 0, width);
  return text + (example.empty() ? "" : "\n" + example + "\n");
}

}  // namespace startle
