#include "app/paths.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/command.hpp"
#include "app/reference.hpp"
#include "core/error.hpp"
#include "core/files.hpp"

namespace startle {
namespace {

namespace fs = std::filesystem;

/// An option has one meaning in all commands (app/options.hpp), and so one use.
constexpr std::pair<std::string_view, PathUse> path_uses[] = {
    {"ENTRIES", PathUse::reads},
    {"EVALUATIONS", PathUse::reads},
    {"LEVEL", PathUse::reads},
    {"LEVELS", PathUse::reads_levels},
    {"MODEL", PathUse::reads},
    {"OUT", PathUse::writes},
    {"RESULTS", PathUse::reads},
    {"STUDY", PathUse::reads},
    {"--answers", PathUse::reads},
    {"--calibrate", PathUse::writes},
    {"--calibration", PathUse::reads},
    {"--clip-pictures", PathUse::writes},
    {"--config", PathUse::reads},
    {"--consent", PathUse::reads},
    {"--data", PathUse::reads},
    {"--description", PathUse::reads},
    {"--dynamics-model", PathUse::reads},
    {"--edit", PathUse::updates},
    {"--from", PathUse::reads},
    {"--levels", PathUse::reads_levels},
    {"--mask-model", PathUse::reads},
    {"--measured", PathUse::reads_levels},
    {"--model", PathUse::reads},
    {"--out", PathUse::writes},
    {"--people", PathUse::reads},
    {"--pictures", PathUse::writes},
    {"--practice-levels", PathUse::reads_levels},
    {"--predictions", PathUse::reads},
    {"--questions", PathUse::reads},
    {"--record", PathUse::writes},
    {"--researcher", PathUse::reads},
    {"--sandbox", PathUse::updates},
    {"--scores", PathUse::reads},
    {"--start", PathUse::reads},
    {"--study", PathUse::reads},
    {"--svg", PathUse::writes},
    {"--texts", PathUse::reads},
    {"--trace", PathUse::writes},
    {"--validation", PathUse::reads},
    {"--violation-model", PathUse::reads},
    {"--write", PathUse::writes},
    {"--write-clips", PathUse::writes},
};

/// Positional arguments that name no file.
constexpr std::string_view no_paths[] = {"CODE", "CODES"};

/// Commands whose output may be the new version of this input.
constexpr std::pair<std::string_view, std::string_view> new_versions[] = {
    {"startle dynamics calibrate", "--model"}, {"startle levels convert", "LEVEL"}};

template <typename List, typename Key>
bool in(const List& list, const Key& key) {
  return std::find(std::begin(list), std::end(list), key) != std::end(list);
}

std::optional<PathUse> use_of(const CLI::Option& option) {
  for (const auto& [name, use] : path_uses)
    if (option.get_name() == name) return use;
  if (takes_path(option))
    throw std::logic_error(option.get_name() + " takes a path and is not in the table of app/paths.cpp");
  return std::nullopt;
}

struct NamedPath {
  std::string option, path;
  std::string text() const { return option + " " + path; }
};

/// Those that are given to the options of that use.
std::vector<NamedPath> given(const CLI::App& command, PathUse use) {
  std::vector<NamedPath> paths;
  for (const CLI::Option* option : command.get_options())
    if (use_of(*option) == use)
      for (const std::string& path : option->results()) paths.push_back({option->get_name(), path});
  return paths;
}

/// What find_level_files() finds, and manifests. Other files stand there, too, such as tables that a command
/// wrote before.
void protect_levels(const NamedPath& input) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(input.path, error), end; !error && entry != end;
       entry.increment(error))
    if (const std::string ending = CLI::detail::to_lower(entry->path().extension().string());
        ending == ".json" || ending == ".xml")
      protect_input(entry->path(), input.option + " " + entry->path().string());
}

bool are_same(const NamedPath& a, const NamedPath& b) {
  std::error_code error;
  if (fs::exists(a.path, error) && fs::exists(b.path, error)) return fs::equivalent(a.path, b.path, error);
  const auto full = [&](const NamedPath& one) { return fs::weakly_canonical(fs::absolute(one.path), error); };
  return full(a) == full(b);
}

void guard(const CLI::App& command, const std::string& name) {
  for (const PathUse use : {PathUse::reads, PathUse::reads_levels})
    for (const NamedPath& input : given(command, use)) {
      if (in(new_versions, std::pair<std::string_view, std::string_view>(name, input.option))) continue;
      protect_input(input.path, input.text());
      if (use == PathUse::reads_levels) protect_levels(input);
    }
  const std::vector<NamedPath> outputs = given(command, PathUse::writes);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    require_output(outputs[i].path, outputs[i].text());
    for (std::size_t k = 0; k < i; ++k)
      if (are_same(outputs[i], outputs[k]))
        throw Error(outputs[i].text() + ": is the same file as " + outputs[k].text() +
                    "; each needs a name of its own");
  }
}

}  // namespace

const char* name(PathUse use) {
  switch (use) {
    case PathUse::reads:
      return "reads";
    case PathUse::reads_levels:
      return "reads_levels";
    case PathUse::writes:
      return "writes";
    case PathUse::updates:
      return "updates";
  }
  return "";
}

bool takes_path(const CLI::Option& option) {
  if (option.get_positional()) return !in(no_paths, option.get_name());
  const std::string value = option.get_type_name();
  return value.starts_with("FILE") || value.starts_with("PATH") || value.starts_with("DIR");
}

void guard_paths(CLI::App& app) {
  for (const auto& [name, command] : commands_of(app)) {
    for (const CLI::Option* option : command->get_options()) use_of(*option);  // throws
    command->parse_complete_callback([name = name, command = command] { guard(*command, name); });
  }
}

void add_paths_command(CLI::App& app) {
  app.add_subcommand("paths", "Options that take paths.")->group("")->callback([&app] {
    std::string text;
    for (const auto& [command, options] : commands_of(app))
      for (const CLI::Option* option : options->get_options())
        if (const auto use = use_of(*option))
          text += command + "\t" + option->get_name() + "\t" + name(*use) + "\n";
    emit(text, std::nullopt);
  });
}

}  // namespace startle
