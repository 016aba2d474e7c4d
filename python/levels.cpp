/// \file  Levels of the compiled module: reading, generating, searching.
#include "core/error.hpp"
#include "difficulty/difficulty.hpp"
#include "levels/generators.hpp"
#include "levels/level_file.hpp"
#include "levels/level_json.hpp"
#include "levels/search.hpp"
#include "python/bound.hpp"
#include "sim/scene.hpp"

namespace startle {
namespace {

std::vector<StoredLevel> read_levels(const std::vector<std::filesystem::path>& paths,
                                     const std::string& profile_name) {
  const py::gil_scoped_release release;
  std::vector<StoredLevel> levels;
  const auto constants = profile(profile_name);
  for (const std::filesystem::path& file : find_level_files(paths)) {
    levels.push_back(read_level(file));
    if (const LevelProblems problems = validate(levels.back(), *constants); !problems.errors.empty())
      throw Error(file.string() + ": " + problems.errors.front());
  }
  return levels;
}

std::vector<StoredLevel> generate(const std::string& family, int count, std::uint64_t seed,
                                  const std::string& profile_name, int threads) {
  PythonInterruption interruption;
  std::vector<StoredLevel> levels;
  {
    const py::gil_scoped_release release;
    levels = without_difficulty(generate_levels(family, count, seed, profile(profile_name), threads, {},
                                                [&] { return interruption.none(); }));
  }
  interruption.raise();
  return levels;
}

SearchGoal goal_of(const Novelty& novelty, const std::string& tier, std::pair<double, double> range,
                   const std::string& measured, const std::string& method) {
  DifficultyMeasure measure{&novelty, method_from_name(method)};
  if (!measure.method) throw Error("method: found '" + method + "', allowed are published and extended");
  const std::optional<Tier> wanted = tier_from_name(tier);
  if (!tier.empty() && !wanted) throw Error("tier: found '" + tier + "', allowed are easy, medium and hard");
  if (measured == "p_level") {
    if (*measure.method != Method::extended)
      throw Error("method: found '" + method + "' with the measure p_level, allowed is extended");
    return wanted ? goal_of(novelty, *wanted) : PLevelGoal{&novelty, {range.first, range.second}};
  }
  if (wanted) throw Error("tier: is for the measure p_level; found '" + measured + "', which needs range");
  if (measured == "pid")
    measure.alpha = 1;
  else if (measured == "bid")
    measure.alpha = 0;
  else if (measured != "value")
    throw Error("measure: found '" + measured + "', allowed are p_level, value, pid and bid");
  return ValueGoal{measure, range.first, range.second};
}

std::vector<StoredLevel> search(const std::string& novelty, const std::string& tier,
                                std::pair<double, double> range, const std::string& measured,
                                const std::string& method, const std::string& family, int count,
                                std::uint64_t seed, const std::string& profile_name, int threads) {
  const auto constants = profile(profile_name);
  const SearchGoal goal = goal_of(find_novelty(novelty), tier, range, measured, method);
  PythonInterruption interruption;
  const auto keep_going = [&] { return interruption.none(); };
  SearchResult found;
  {
    const py::gil_scoped_release release;
    found = search_levels(goal, {.family = family, .count = count, .seed = seed, .threads = threads},
                          constants, {}, keep_going);
  }
  interruption.raise();
  return std::move(found.levels);
}

/// Part of what is stored, where something is.
template <typename Part>
auto of_difficulty(const StoredLevel& level, const Part& part) {
  return level.difficulty ? std::optional(part(*level.difficulty)) : std::nullopt;
}

}  // namespace

void add_levels(py::module_& module) {
  using namespace py::literals;
  py::class_<StoredLevel>(module, "Level",
                          "A level as a file holds it: what stands where, the birds, and, of a generated "
                          "one, what was verified about it.\n\n"
                          "It belongs to whoever sets up an experiment: it may name the novelty and tier "
                          "that the level was made for.")
      .def(py::init([](const std::string& json) { return level_from_json(json, "level"); }), "json"_a,
           "From the text of a level file (docs/level-format.md).")
      .def_readonly("name", &StoredLevel::name,
                    "Of its file without extension, unless the file says otherwise.")
      .def_property_readonly(
          "birds", [](const StoredLevel& level) { return level.birds.size(); }, "Number of birds.")
      .def_property_readonly(
          "novelty",
          [](const StoredLevel& level) {
            return of_difficulty(level, [](const StoredDifficulty& d) { return d.novelty; });
          },
          "Name of the novelty that it was made for, \"T2\"; None where it was made for none.")
      .def_property_readonly(
          "difficulty",
          [](const StoredLevel& level) {
            return of_difficulty(level, [](const StoredDifficulty& d) { return d.value; });
          },
          "How hard this novelty is to detect in it, 0 (easiest) to 1, as was computed when it was made: "
          "1 - p_level, or the value of PID and BID; None where it was made for none.")
      .def_property_readonly(
          "tier",
          [](const StoredLevel& level) {
            return level.difficulty && level.difficulty->tier
                       ? std::optional(std::string(name(*level.difficulty->tier)))
                       : std::nullopt;
          },
          "\"easy\", \"medium\" or \"hard\", a band of p_level; None where none is stored.")
      .def("json", level_to_json, "The text of its file.")
      .def(
          "save",
          [](const StoredLevel& level, const std::filesystem::path& path) { write_level(level, path); },
          "path"_a, "Writes .json or Science Birds .xml, as the name ends; the whole file or none.")
      .def("__eq__", [](const StoredLevel& a, const StoredLevel& b) { return a == b; })
      .def("__repr__", [](const StoredLevel& level) { return "<startle.Level " + level.name + ">"; })
      .def(py::pickle(
          [](const StoredLevel& level) { return py::make_tuple(level_to_json(level)); },
          [](const py::tuple& state) { return level_from_json(state[0].cast<std::string>(), "level"); }));
  module.def("read_levels", read_levels, "paths"_a, "profile"_a);
  module.def("generate_family", generate, "family"_a, "count"_a, "seed"_a, "profile"_a, "threads"_a);
  module.def("search", search, "novelty"_a, "tier"_a, "range"_a, "measure"_a, "method"_a, "family"_a,
             "count"_a, "seed"_a, "profile"_a, "threads"_a);
}

}  // namespace startle
