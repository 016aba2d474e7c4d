/// \file  startle._startle: what of the engine Python sees. Everything a user touches is documented in python/startle/.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <atomic>
#include <mutex>

#include "agents/messages.hpp"
#include "difficulty/difficulty.hpp"
#include "levels/generators.hpp"
#include "levels/level_file.hpp"
#include "levels/level_json.hpp"
#include "levels/search.hpp"
#include "python/batch.hpp"
#include "sim/error.hpp"
#include "sim/world.hpp"

namespace py = pybind11;

namespace startle {
namespace {

template <typename T>
using Array = py::array_t<T, py::array::c_style>;

/// Ctrl-C while the engine works without the interpreter: asked from any thread, it is only ever seen by the main one.
class Interruption {
 public:
  /// For keep_going: false once Ctrl-C was pressed.
  bool none() {
    if (seen_) return false;
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) seen_ = true;
    return !seen_;
  }
  /// With the interpreter held again: goes on as Python does after Ctrl-C.
  void raise() const {
    if (seen_) throw py::error_already_set();
  }

 private:
  std::atomic<bool> seen_{false};
};

/// A Batch for Python: arrays in and out, the interpreter let go while games are played, one thread at a time.
class Environments {
 public:
  Environments(const std::vector<Level>& levels, const std::variant<bool, std::string>& novelty, const std::string& profile_name, int count,
               std::pair<int, int> size, int threads, bool start_again)
      : batch_([&] {
          const py::gil_scoped_release release;
          const BatchOptions options{.count = count, .width = size.first, .height = size.second, .threads = threads, .start_again = start_again};
          return Batch(levels, profile(profile_name), novelty, options);
        }()) {}

  const Batch& batch() const { return batch_; }

  /// `out`: where pictures go; without it, a new array. Looked at first: what is refused changes nothing.
  py::dict reset(const std::vector<std::optional<std::uint64_t>>& seeds, const std::vector<std::optional<std::size_t>>& levels,
                 const std::optional<py::array>& out) {
    std::vector<Batch::Start> starts;
    for (std::size_t i = 0; i < std::min(seeds.size(), levels.size()); ++i) starts.push_back({seeds[i], levels[i]});
    return seen_after([&] { batch_.reset(starts); }, out);
  }

  py::dict step(const Array<double>& actions, const std::optional<py::array>& out) {
    if (actions.ndim() != 2 || actions.shape(1) != 3) throw Error("actions: allowed are rows of angle, stretch and tap time");
    std::vector<Shot> shots;
    for (py::ssize_t i = 0; i < actions.shape(0); ++i)
      shots.push_back({.angle = actions.at(i, 0), .stretch = actions.at(i, 1), .tap_time = actions.at(i, 2)});
    return seen_after([&] { batch_.step(shots); }, out);
  }

  std::string observation(std::size_t i) {
    const std::lock_guard lock(mutex_);
    return act_message(batch_.game(i).now());
  }

  std::string last_shot(std::size_t i) {
    const std::lock_guard lock(mutex_);
    return report_message(batch_.last_shot(i));
  }

  Array<std::uint8_t> picture(std::size_t i, int width, int height) {
    const std::lock_guard lock(mutex_);
    const Bitmap drawn = batch_.game(i).picture(width, height);
    Array<std::uint8_t> array({height, width, 3});
    std::copy(drawn.rgb.begin(), drawn.rgb.end(), array.mutable_data());
    return array;
  }

  Array<std::uint8_t> film(std::size_t i, int width, int height) {
    std::vector<Bitmap> frames;
    {
      const py::gil_scoped_release release;
      const std::lock_guard lock(mutex_);
      for (std::size_t f = 0; f < batch_.last_shot(i).frames.size(); ++f) frames.push_back(batch_.game(i).picture_of_frame(f, width, height));
    }
    Array<std::uint8_t> array({static_cast<py::ssize_t>(frames.size()), static_cast<py::ssize_t>(height), static_cast<py::ssize_t>(width), py::ssize_t{3}});
    std::uint8_t* to = array.mutable_data();
    for (const Bitmap& frame : frames) to = std::copy(frame.rgb.begin(), frame.rgb.end(), to);
    return array;
  }

 private:
  /// Does it, then fills arrays with what is seen.
  template <typename Change>
  py::dict seen_after(const Change& change, const std::optional<py::array>& out) {
    const auto n = static_cast<py::ssize_t>(batch_.options().count);
    Array<std::uint8_t> pictures = picture_array(out);
    Array<double> objects({n, static_cast<py::ssize_t>(batch_.most_objects()), static_cast<py::ssize_t>(object_columns)});
    Array<std::int64_t> birds({n, static_cast<py::ssize_t>(batch_.most_birds())});
    Array<double> launch({n, static_cast<py::ssize_t>(launch_columns)});
    Array<double> rewards(n), scores(n);
    Array<bool> over(n);
    Array<std::int64_t> shots(n), pigs(n);
    const BatchArrays arrays{.pictures = pictures.mutable_data(),
                             .objects = objects.mutable_data(),
                             .birds = birds.mutable_data(),
                             .launch = launch.mutable_data(),
                             .rewards = rewards.mutable_data(),
                             .over = over.mutable_data(),
                             .scores = scores.mutable_data(),
                             .shots = shots.mutable_data(),
                             .pigs = pigs.mutable_data()};
    {
      const py::gil_scoped_release release;
      const std::lock_guard lock(mutex_);
      change();
      batch_.write(arrays);
    }
    using namespace py::literals;
    return py::dict("picture"_a = pictures, "objects"_a = objects, "birds"_a = birds, "launch"_a = launch, "rewards"_a = rewards,
                    "over"_a = over, "scores"_a = scores, "shots"_a = shots, "pigs"_a = pigs);
  }

  Array<std::uint8_t> picture_array(const std::optional<py::array>& out) const {
    const BatchOptions& o = batch_.options();
    const std::vector<py::ssize_t> shape{o.count, o.height, o.width, 3};
    if (!out) return Array<std::uint8_t>(shape);
    if (!py::isinstance<Array<std::uint8_t>>(*out) || !out->writeable() ||
        !std::equal(shape.begin(), shape.end(), out->shape(), out->shape() + out->ndim()))
      throw Error("out: allowed is a writeable array of uint8, row-major, of shape (" + std::to_string(o.count) + ", " + std::to_string(o.height) + ", " +
                  std::to_string(o.width) + ", 3)");
    return Array<std::uint8_t>(*out);
  }

  Batch batch_;
  std::mutex mutex_;
};

std::vector<Level> read_levels(const std::vector<std::filesystem::path>& paths, const std::string& profile_name) {
  const py::gil_scoped_release release;
  std::vector<Level> levels;
  const auto constants = profile(profile_name);
  for (const std::filesystem::path& file : find_level_files(paths)) {
    levels.push_back(read_level(file));
    if (const LevelProblems problems = validate(levels.back(), *constants); !problems.errors.empty())
      throw Error(file.string() + ": " + problems.errors.front());
  }
  return levels;
}

std::vector<Level> generate(const std::string& family, int count, std::uint64_t seed, const std::string& profile_name, int threads) {
  Interruption interruption;
  std::vector<Level> levels;
  {
    const py::gil_scoped_release release;
    levels = generate_levels(family, count, seed, profile(profile_name), threads, {}, [&] { return interruption.none(); });
  }
  interruption.raise();
  return levels;
}

std::vector<Level> search(const std::string& novelty, const std::string& tier, std::pair<double, double> range, const std::string& method,
                          const std::string& family, int count, std::uint64_t seed, const std::string& profile_name, int threads) {
  const auto constants = profile(profile_name);
  SearchGoal goal{.novelty = &find_novelty(novelty), .least = range.first, .most = range.second};
  const std::optional<Method> how = method_from_name(method);
  if (!how) throw Error("method: found '" + method + "', allowed are published and extended");
  goal.method = *how;
  if (!tier.empty()) {
    goal.tier = tier_from_name(tier);
    if (!goal.tier) throw Error("tier: found '" + tier + "', allowed are easy, medium and hard");
  }
  Interruption interruption;
  const auto keep_going = [&] { return interruption.none(); };
  SearchResult found;
  {
    const py::gil_scoped_release release;
    if (goal.tier) goal.thresholds = reference_thresholds(goal, seed, constants, threads, {}, keep_going);
    if (!goal.tier || goal.thresholds)
      found = search_levels(goal, {.family = family, .count = count, .seed = seed, .threads = threads}, constants, {}, keep_going);
  }
  interruption.raise();
  return std::move(found.levels);
}

py::dict difficulty(const Level& level, const std::string& novelty, double alpha, const std::string& method, const std::string& state_update,
                    const std::string& profile_name) {
  DifficultyOptions options{.alpha = alpha};
  const std::optional<Method> how = method_from_name(method);
  if (!how) throw Error("method: found '" + method + "', allowed are published and extended");
  options.method = *how;
  const std::optional<StateUpdate> update = state_update_from_name(state_update);
  if (!update) throw Error("state_update: found '" + state_update + "', allowed are qualitative and simulated");
  options.state_update = *update;
  const Novelty& what = find_novelty(novelty);
  Difficulty result;
  {
    const py::gil_scoped_release release;
    result = compute_difficulty(settle(make_scene(level, profile(profile_name))), what, options);
  }
  const InteractionCounts first = result.interactions.empty() ? InteractionCounts{} : result.interactions.front().counts;
  using namespace py::literals;
  return py::dict("pid"_a = result.pid, "bid"_a = result.bid, "value"_a = result.value, "birds"_a = result.birds,
                  "novel_objects"_a = result.novel_objects, "targets"_a = first.targets, "detectable_targets"_a = first.detectable,
                  "detected_at"_a = result.detected_at());
}

}  // namespace
}  // namespace startle

PYBIND11_MODULE(_startle, module) {
  using namespace startle;
  using namespace py::literals;
  module.attr("__version__") = STARTLE_VERSION;
  module.attr("OBJECT_TYPES") = py::tuple(py::cast(object_type_codes()));
  module.attr("BIRD_TYPES") = py::tuple(py::cast(bird_type_codes()));
  module.attr("KINDS") = py::tuple(py::cast(kind_codes()));
  module.attr("MATERIALS") = py::tuple(py::cast(material_codes()));

  static const py::handle error = PyErr_NewExceptionWithDoc("startle.Error", "What was asked for cannot be done: the message says what was found and what is allowed.",
                                                            PyExc_ValueError, nullptr);
  module.attr("Error") = error;
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& e) {
      PyErr_SetString(error.ptr(), e.what());
    } catch (const AgentFailure& e) {
      PyErr_SetString(error.ptr(), e.what());
    }
  });

  py::class_<Level>(module, "Level", "A level as a file holds it: what stands where, the birds, and, of a generated one, what was proved about it.\n\n"
                                     "It belongs to whoever sets up an experiment: it may name the novelty and tier that the level was made for.")
      .def(py::init([](const std::string& json) { return level_from_json(json, "level"); }), "json"_a, "From the text of a level file (docs/level-format.md).")
      .def_readonly("name", &Level::name)
      .def_property_readonly("birds", [](const Level& level) { return level.birds.size(); }, "Number of birds.")
      .def("json", level_to_json, "The text of its file.")
      .def("save", [](const Level& level, const std::filesystem::path& path) { write_level(level, path); }, "path"_a,
           "Writes .json or Science Birds .xml, as the name ends; the whole file or none.")
      .def("__eq__", [](const Level& a, const Level& b) { return a == b; })
      .def("__repr__", [](const Level& level) { return "<startle.Level " + level.name + ">"; })
      .def(py::pickle([](const Level& level) { return py::make_tuple(level_to_json(level)); },
                      [](const py::tuple& state) { return level_from_json(state[0].cast<std::string>(), "level"); }));

  py::class_<Environments>(module, "Environments")
      .def(py::init<const std::vector<Level>&, const std::variant<bool, std::string>&, const std::string&, int, std::pair<int, int>, int, bool>(),
           "levels"_a, "novelty"_a, "profile"_a, "count"_a, "size"_a, "threads"_a, "start_again"_a)
      .def_property_readonly("levels", [](const Environments& e) { return e.batch().levels(); })
      .def_property_readonly("most_objects", [](const Environments& e) { return e.batch().most_objects(); })
      .def_property_readonly("most_birds", [](const Environments& e) { return e.batch().most_birds(); })
      .def("reset", &Environments::reset, "seeds"_a, "levels"_a, "out"_a)
      .def("step", &Environments::step, "actions"_a, "out"_a)
      .def("observation", &Environments::observation, "index"_a)
      .def("last_shot", &Environments::last_shot, "index"_a)
      .def("picture", &Environments::picture, "index"_a, "width"_a, "height"_a)
      .def("film", &Environments::film, "index"_a, "width"_a, "height"_a);

  module.def("check_report", [](double novelty, const std::string& description) { check(Report{novelty, description}); }, "novelty"_a, "description"_a);
  module.def("read_levels", read_levels, "paths"_a, "profile"_a);
  module.def("generate_family", generate, "family"_a, "count"_a, "seed"_a, "profile"_a, "threads"_a);
  module.def("search", search, "novelty"_a, "tier"_a, "range"_a, "method"_a, "family"_a, "count"_a, "seed"_a, "profile"_a, "threads"_a);
  module.def("difficulty", difficulty, "level"_a, "novelty"_a, "alpha"_a, "method"_a, "state_update"_a, "profile"_a);
}
