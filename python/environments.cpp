/// \file  Environments of the compiled module: a Batch with arrays in and out.
#include <array>
#include <memory>
#include <mutex>
#include <tuple>

#include "agents/programs/messages.hpp"
#include "core/error.hpp"
#include "python/batch.hpp"
#include "python/bound.hpp"

namespace startle {

std::vector<Shot> shots_of(const Array<double>& rows) {
  if (rows.ndim() != 2 || rows.shape(1) != 3)
    throw Error("shots: allowed are rows of angle, stretch and tap time");
  std::vector<Shot> shots;
  for (py::ssize_t i = 0; i < rows.shape(0); ++i)
    shots.push_back({.angle = rows.at(i, 0), .stretch = rows.at(i, 1), .tap_time = rows.at(i, 2)});
  return shots;
}

namespace {

/// A Batch for Python: arrays in and out, the interpreter let go while games are played, one thread at a
/// time.
class Environments {
 public:
  Environments(const std::vector<StoredLevel>& levels, const std::variant<bool, std::string>& novelty,
               const std::string& profile_name, int count, std::pair<int, int> size, int threads,
               bool start_again, int shift_after)
      : made_of_(std::make_shared<const MadeOf>(MadeOf{levels, novelty, profile_name})), batch_([&] {
          const py::gil_scoped_release release;
          const BatchOptions options{.count = count,
                                     .width = size.first,
                                     .height = size.second,
                                     .threads = threads,
                                     .start_again = start_again,
                                     .shift_after = shift_after};
          return Batch(levels, profile(profile_name), novelty, options);
        }()) {}

  /// The same games, which go on by themselves.
  std::unique_ptr<Environments> copy() const {
    const py::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    return std::unique_ptr<Environments>(new Environments(made_of_, batch_));
  }

  /// What they were made of and what was played since: no state of the world, which follows from these.
  py::tuple state() const {
    const std::lock_guard lock(mutex_);
    py::list games;
    const BatchOptions& o = batch_.options();
    for (int i = 0; i < o.count; ++i) {
      const Batch::Played& played = batch_.played(static_cast<std::size_t>(i));
      py::list levels;
      for (const Batch::PlayedLevel& level : played.levels) {
        py::list shots;
        for (const Shot& shot : level.shots)
          shots.append(py::make_tuple(shot.angle, shot.stretch, shot.tap_time));
        levels.append(py::make_tuple(level.level, shots));
      }
      games.append(py::make_tuple(played.seed, played.drawn, played.episode, levels));
    }
    return py::make_tuple(made_of_->levels, made_of_->novelty, made_of_->profile, o.count,
                          std::pair{o.width, o.height}, o.threads, o.start_again, o.shift_after, games);
  }

  static std::unique_ptr<Environments> from_state(const py::tuple& state) {
    auto made = std::make_unique<Environments>(
        state[0].cast<std::vector<StoredLevel>>(), state[1].cast<std::variant<bool, std::string>>(),
        state[2].cast<std::string>(), state[3].cast<int>(), state[4].cast<std::pair<int, int>>(),
        state[5].cast<int>(), state[6].cast<bool>(), state[7].cast<int>());
    using Levels = std::vector<std::pair<std::size_t, std::vector<std::array<double, 3>>>>;
    std::vector<Batch::Played> games;
    for (const py::handle game : state[8]) {
      const auto [seed, drawn, episode, levels] =
          game.cast<std::tuple<std::optional<std::uint64_t>, std::uint64_t, std::uint64_t, Levels>>();
      Batch::Played& played = games.emplace_back(
          Batch::Played{.seed = seed, .drawn = drawn, .episode = episode});
      for (const auto& [level, shots] : levels) {
        Batch::PlayedLevel& one = played.levels.emplace_back(Batch::PlayedLevel{.level = level});
        for (const auto& [angle, stretch, tap_time] : shots)
          one.shots.push_back({.angle = angle, .stretch = stretch, .tap_time = tap_time});
      }
    }
    const py::gil_scoped_release release;
    made->batch_.replay(games);
    return made;
  }

  const Batch& batch() const { return batch_; }

  /// `out`: where pictures go; without it, a new array. Looked at first: what is refused changes nothing.
  py::dict reset(const std::vector<std::optional<std::uint64_t>>& seeds,
                 const std::vector<std::optional<std::size_t>>& levels, const std::optional<py::array>& out) {
    std::vector<Batch::Start> starts;
    for (std::size_t i = 0; i < std::min(seeds.size(), levels.size()); ++i)
      starts.push_back({seeds[i], levels[i]});
    return seen_after([&] { batch_.reset(starts); }, out);
  }

  py::dict step(const Array<double>& actions, const std::optional<py::array>& out) {
    const std::vector<Shot> shots = shots_of(actions);
    return seen_after([&] { batch_.step(shots); }, out);
  }

  std::string observation(std::size_t i) {
    const std::lock_guard lock(mutex_);
    return act_message(batch_.game(i).now());
  }

  std::string last_shot(std::size_t i) {
    const std::lock_guard lock(mutex_);
    return report_message(*batch_.game_of_last_shot(i).last_shot());
  }

  Array<std::uint8_t> picture(std::size_t i, int width, int height) {
    const std::lock_guard lock(mutex_);
    const Bitmap drawn = batch_.game(i).picture(width, height);
    Array<std::uint8_t> array({height, width, 3});
    std::copy(drawn.rgb.begin(), drawn.rgb.end(), array.mutable_data());
    return array;
  }

  Array<std::uint8_t> video(std::size_t i, int width, int height) {
    std::vector<Bitmap> frames;
    {
      const py::gil_scoped_release release;
      const std::lock_guard lock(mutex_);
      const Game& game = batch_.game_of_last_shot(i);
      for (std::size_t f = 0; f < game.last_shot()->frames.size(); ++f)
        frames.push_back(game.picture_of_frame(f, width, height));
    }
    Array<std::uint8_t> array({static_cast<py::ssize_t>(frames.size()), static_cast<py::ssize_t>(height),
                               static_cast<py::ssize_t>(width), py::ssize_t{3}});
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
    Array<double> objects(
        {n, static_cast<py::ssize_t>(batch_.most_objects()), static_cast<py::ssize_t>(object_columns)});
    Array<std::int64_t> birds({n, static_cast<py::ssize_t>(batch_.most_birds())});
    Array<double> launch({n, static_cast<py::ssize_t>(launch_columns)});
    Array<double> rewards(n), scores(n);
    Array<bool> over(n), solved(n);
    Array<std::int64_t> shots(n), pigs(n), level(n), shift(n);
    const BatchArrays arrays{.pictures = pictures.mutable_data(),
                             .objects = objects.mutable_data(),
                             .birds = birds.mutable_data(),
                             .launch = launch.mutable_data(),
                             .rewards = rewards.mutable_data(),
                             .over = over.mutable_data(),
                             .scores = scores.mutable_data(),
                             .shots = shots.mutable_data(),
                             .pigs = pigs.mutable_data(),
                             .solved = solved.mutable_data(),
                             .level = level.mutable_data(),
                             .shift = shift.mutable_data()};
    {
      const py::gil_scoped_release release;
      const std::lock_guard lock(mutex_);
      change();
      batch_.write(arrays);
    }
    using namespace py::literals;
    return py::dict("picture"_a = pictures, "objects"_a = objects, "birds"_a = birds, "launch"_a = launch,
                    "rewards"_a = rewards, "over"_a = over, "scores"_a = scores, "shots"_a = shots,
                    "pigs"_a = pigs, "solved"_a = solved, "level"_a = level, "shift"_a = shift);
  }

  Array<std::uint8_t> picture_array(const std::optional<py::array>& out) const {
    const BatchOptions& o = batch_.options();
    const std::vector<py::ssize_t> shape{o.count, o.height, o.width, 3};
    if (!out) return Array<std::uint8_t>(shape);
    if (!py::isinstance<Array<std::uint8_t>>(*out) || !out->writeable() ||
        !std::equal(shape.begin(), shape.end(), out->shape(), out->shape() + out->ndim()))
      throw Error("out: allowed is a writeable array of uint8, row-major, of shape (" +
                  std::to_string(o.count) + ", " + std::to_string(o.height) + ", " + std::to_string(o.width) +
                  ", 3)");
    return Array<std::uint8_t>(*out);
  }

  struct MadeOf {
    std::vector<StoredLevel> levels;
    std::variant<bool, std::string> novelty;
    std::string profile;
  };
  Environments(std::shared_ptr<const MadeOf> made_of, const Batch& batch)
      : made_of_(std::move(made_of)), batch_(batch) {}

  std::shared_ptr<const MadeOf> made_of_;  ///< copies share it
  Batch batch_;
  mutable std::mutex mutex_;
};

}  // namespace

void add_environments(py::module_& module) {
  using namespace py::literals;
  module.attr("OBJECT_TYPES") = py::tuple(py::cast(object_type_codes()));
  module.attr("BIRD_TYPES") = py::tuple(py::cast(bird_type_codes()));
  module.attr("KINDS") = py::tuple(py::cast(kind_codes()));
  module.attr("MATERIALS") = py::tuple(py::cast(material_codes()));
  py::class_<Environments>(module, "Environments", "Games side by side: what Env and VectorEnv are made of.")
      .def(py::init<const std::vector<StoredLevel>&, const std::variant<bool, std::string>&,
                    const std::string&, int, std::pair<int, int>, int, bool, int>(),
           "levels"_a, "novelty"_a, "profile"_a, "count"_a, "size"_a, "threads"_a, "start_again"_a,
           "shift_after"_a)
      .def_property_readonly("levels", [](const Environments& e) { return e.batch().levels(); })
      .def_property_readonly("most_objects", [](const Environments& e) { return e.batch().most_objects(); })
      .def_property_readonly("most_birds", [](const Environments& e) { return e.batch().most_birds(); })
      .def("reset", &Environments::reset, "seeds"_a, "levels"_a, "out"_a)
      .def("step", &Environments::step, "actions"_a, "out"_a)
      .def("observation", &Environments::observation, "index"_a)
      .def("last_shot", &Environments::last_shot, "index"_a)
      .def("picture", &Environments::picture, "index"_a, "width"_a, "height"_a)
      .def("video", &Environments::video, "index"_a, "width"_a, "height"_a)
      .def(
          "__deepcopy__", [](const Environments& e, const py::dict&) { return e.copy(); }, "memo"_a)
      .def(py::pickle([](const Environments& e) { return e.state(); },
                      [](const py::tuple& state) { return Environments::from_state(state); }));
  module.def(
      "check_report",
      [](double novelty, const std::string& description) {
        check(Report{novelty, description});
      },
      "novelty"_a, "description"_a);
}

}  // namespace startle
