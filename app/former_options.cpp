#include "app/former_options.hpp"

#include <vector>

namespace startle {
namespace {

/// What to use in place of an option of an older version.
struct FormerOption {
  const char *command, *option, *now;
};
constexpr FormerOption former_options[] = {
    {"generate", "--difficulty", "--range, which is of p_level unless --measure says otherwise"},
    {"generate", "--verify", "startle observe --plays --store, which measures p_level"},
    {"generate", "--observer-difficulty", "startle observe --plays --store, which measures p_level"},
    {"generate", "--thresholds", "startle difficulty --thirds"},
    {"validate", "--benchmark", "startle observe LEVELS --plays N --out report.html"},
    {"validate", "--observed-shots", "startle observe LEVELS --plays N --out report.html"},
    {"validate", "--limit", "startle observe LEVELS --plays N --limit N"},
    {"validate", "--update-manifests", "startle observe LEVELS --plays N --store"}};

}  // namespace

std::string former_hint(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  const std::vector<std::string> left_over = app.remaining(true);
  if (command == &app && !left_over.empty() && left_over.front() == "mcp")
    return "\nmcp is a command of an older version; now it is one of the Python package: python3 -m startle "
           "mcp (docs/language-models.md)";
  for (const FormerOption& former : former_options)
    for (const std::string& word : left_over)
      if (command->get_name() == former.command && word.substr(0, word.find('=')) == former.option)
        return std::string("\n") + former.option + " is of an older version; now it is " + former.now;
  return "";
}

}  // namespace startle
