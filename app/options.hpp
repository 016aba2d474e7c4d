#pragma once
/// \file  Options that several commands have: one name, one type, one meaning.
///
/// A command adds such an option by add_shared_option(), which knows what it takes and means; the command
/// says only what is particular to it. docs/command-line.md is written from the options themselves
/// (reference.hpp), and tests/options.py refuses a name of two meanings, as it does an option that does not
/// say its default in one of the wordings that it lists. Positional arguments are options, too: LEVEL is one
/// level file, LEVELS are files or folders.
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "app/cli.hpp"
#include "levels/name_map.hpp"
#include "sim/shot.hpp"
#include "simulated/observer.hpp"
#include "simulated/state_update.hpp"

namespace startle {

struct SharedOption {
  const char* name;                                ///< "--tier", or "LEVEL" of a positional argument
  const char* value;                               ///< what it takes, "" for a flag and a positional argument
  const char* meaning;                             ///< without what is particular to a command
  std::vector<std::string> (*values)() = nullptr;  ///< what completion proposes
};
/// Throws std::logic_error for a name that is not in the table.
const SharedOption& shared_option(const std::string& name);
/// "MEANING; MORE".
std::string described(const SharedOption& option, const std::string& more);

/// The check of an option that takes only these values; completion proposes them.
CLI::Validator only_values(const std::vector<std::string>& values);
/// A check that passes all values; completion proposes these, and the command may refuse others.
CLI::Validator some_values(const std::vector<std::string>& values);
/// What completion proposes for an option, separated by blanks; empty where neither of the two is its first
/// check.
std::string proposed_values(CLI::Option& option);

/// Adds an option of the table; a flag where `variable` is a bool. Numbers and texts show their value as the
/// default; for others `more` says it, "default: ...".
template <class T>
CLI::Option* add_shared_option(CLI::App& command, const std::string& name, T& variable,
                               const std::string& more = {}) {
  const SharedOption& shared = shared_option(name);
  if constexpr (std::is_same_v<T, bool>) {
    return command.add_flag(name, variable, described(shared, more));
  } else {
    CLI::Option* option =
        command.add_option(name, variable, described(shared, more))->type_name(shared.value);
    if (shared.values != nullptr) option->check(some_values(shared.values()));
    if constexpr (std::is_arithmetic_v<T>) option->capture_default_str();
    if constexpr (std::is_same_v<T, std::string>)
      if (!variable.empty()) option->capture_default_str();
    return option;
  }
}

/// --threads and --quiet.
void add_threads_option(CLI::App& command, int& threads,
                        const std::string& more = "results do not depend on it");
void add_quiet_option(CLI::App& command, bool& quiet);

/// Options of most commands.
struct CommonOptions {
  std::string profile = "startle";
  int threads = 0;  ///< 0: all of the machine
  bool quiet = false;
};
/// --profile, --threads and --quiet.
void add_common_options(CLI::App& command, CommonOptions& options);

/// --aim-noise: a number with its unit, "0.01rad" or "0.6deg"; the variable is in radians.
void add_aim_noise_option(CLI::App& command, double& noise, const std::string& more = {});
/// Radians of "0.01rad" or "0.6deg"; throws Error, naming --aim-noise, for anything else.
double parse_aim_noise(const std::string& text);

/// Those of the reference observer: --aim-noise, --pixel-size, --simulations, --seed.
/// Returns the option --simulations.
CLI::Option* add_observer_options(CLI::App& command, ObserverOptions& options, const std::string& more = {});

/// --method: "published" or "extended". The variable holds the default.
CLI::Option* add_method_option(CLI::App& command, std::string& method, const std::string& more = {});
/// --ties: "share" or "first". The variable holds the default.
CLI::Option* add_ties_option(CLI::App& command, std::string& ties, const std::string& more = {});
/// --known-normal: names as mark_known_normal() reads them.
CLI::Option* add_known_normal_option(CLI::App& command, std::vector<std::string>& known);
/// --state-update: "qualitative" or "simulated".
CLI::Option* add_state_update_option(CLI::App& command, std::string& state_update);
/// Throws Error for anything but "qualitative" and "simulated".
StateUpdate parse_state_update(const std::string& name);

/// --out PATH and --format of a command that writes text or data.
struct Output {
  std::optional<std::string> out;
  std::string format;                ///< empty: by the extension of `out`
  std::vector<std::string> allowed;  ///< the first one where nothing decides
  bool by_extension = false;         ///< an error, in place of the first one, where nothing decides
  /// The format chosen: that of --format, else by the extension of --out where it has one that fits, else the
  /// first one allowed.
  std::string chosen() const;
  bool is(const std::string& name) const { return chosen() == name; }
};
/// --out PATH and --format of these, for example {"text", "json"}; --out may be left out.
void add_output_options(CLI::App& command, Output& output, std::vector<std::string> allowed,
                        const std::string& more = {});
/// The same of a command whose --out must be given; `what` it writes there.
void add_report_options(CLI::App& command, Output& output, std::vector<std::string> allowed,
                        const std::string& what);

/// --seed: a whole number that fits 64 bits; `more`: of what.
void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& more = {});
/// Without a default of its own; `more` says it.
void add_seed_option(CLI::App& command, std::optional<std::uint64_t>& seed, const std::string& more);

/// --map [KIND:]NAME=TYPE[/MATERIAL], which may be repeated.
void add_map_option(CLI::App& command, std::vector<MappedName>& map);

/// --novelty of a command that takes several, separated by commas.
CLI::Option* add_novelties_option(CLI::App& command, std::vector<std::string>& novelties,
                                  const std::string& more);

/// --shot, which may be repeated.
CLI::Option* add_shots_option(CLI::App& command, std::vector<std::string>& shots, const std::string& more);
/// "ANGLE_DEG", "ANGLE_DEG,TAP_S" or "ANGLE_DEG,TAP_S,STRETCH", where TAP_S may be empty and a shot without
/// STRETCH is at full stretch; throws Error for anything else.
Shot parse_shot(const std::string& text);

/// Width and height in pixels from "WIDTHxHEIGHT"; throws Error, naming --size, for anything else.
struct PictureSize {
  int width = 0, height = 0;
};
PictureSize parse_picture_size(const std::string& text);

}  // namespace startle
