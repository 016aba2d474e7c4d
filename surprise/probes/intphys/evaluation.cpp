#include "surprise/probes/intphys/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "statistics/paired_accuracy.hpp"

namespace startle {
namespace {

constexpr std::size_t sets_at_once = 8;

std::string clip_name(IntPhysBlock block, const std::string& set, std::size_t place) {
  return std::string(name(block)) + "/" + set + "/" + std::to_string(place + 1);
}

std::vector<IntPhysCell> all_cells() {
  std::vector<IntPhysCell> cells;
  const std::vector<std::optional<IntPhysMotion>> motions{IntPhysMotion::still, IntPhysMotion::dynamic_1,
                                                          IntPhysMotion::dynamic_2, std::nullopt};
  const std::vector<std::optional<int>> objects{1, 2, 3, std::nullopt};
  for (const IntPhysBlock block : intphys_blocks()) {
    cells.push_back({.block = block});
    for (const bool occluded : {false, true})
      for (const auto& motion : motions)
        for (const auto& count : objects) cells.push_back({block, occluded, motion, count});
  }
  return cells;
}

PlausibilitySet plausibility_set(const ScoredIntPhys& set, std::size_t scorer, Plausibility kind) {
  PlausibilitySet result;
  for (std::size_t k = 0; k < 4; ++k)
    ((*set.possible)[k] ? result.possible : result.impossible)
        .push_back(plausibility(set.scorers[scorer][k], kind));
  return result;
}

void fill(IntPhysRow& row, const IntPhysRun& run, const MetricOptions& options) {
  std::vector<PlausibilitySet> sets;
  for (const ScoredIntPhys& set : run.sets)
    if (set.possible && row.cell.holds(set))
      sets.push_back(plausibility_set(set, row.scorer, row.plausibility));
  row.sets = sets.size();
  if (sets.empty()) return;
  const TieTolerance tolerance{.relative = options.tie_tolerance};
  for (const PlausibilitySet& set : sets)
    if (tolerance.tied(set.possible[0] + set.possible[1], set.impossible[0] + set.impossible[1])) ++row.ties;
  row.relative.value = relative_error(sets, tolerance);
  const double hits = *row.relative.value * static_cast<double>(sets.size());
  const auto down = static_cast<std::size_t>(std::floor(hits + 1e-9)),
             up = static_cast<std::size_t>(std::ceil(hits - 1e-9));
  row.relative.interval = {wilson_interval(down, sets.size()).low, wilson_interval(up, sets.size()).high};
  row.absolute.value = absolute_error(sets);
  if (row.cell.motion || row.cell.objects || sets.size() < 2) return;
  row.absolute.interval = bootstrap_interval(
      sets.size(),
      [&](const std::vector<std::size_t>& drawn) {
        std::vector<PlausibilitySet> sample;
        for (const std::size_t i : drawn) sample.push_back(sets[i]);
        return absolute_error(sample);
      },
      options.seed);
}

}  // namespace

const std::vector<Plausibility>& plausibilities() {
  static const std::vector<Plausibility> all{Plausibility::sum, Plausibility::mean, Plausibility::minimum};
  return all;
}

const char* name(Plausibility kind) {
  switch (kind) {
    case Plausibility::sum:
      return "sum";
    case Plausibility::mean:
      return "mean";
    case Plausibility::minimum:
      return "minimum";
  }
  return "";
}

double plausibility(const FrameErrors& errors, Plausibility kind) {
  if (errors.error.empty()) throw Error("plausibility: found no tested frame, at least one is needed");
  if (kind == Plausibility::minimum) return -*std::max_element(errors.error.begin(), errors.error.end());
  double sum = 0;
  for (const double s : errors.error) sum += s;
  return kind == Plausibility::sum ? -sum : -sum / static_cast<double>(errors.error.size());
}

IntPhysRun run_intphys(const std::vector<ClipScorer*>& scorers, std::size_t count,
                       const std::function<IntPhysClips(std::size_t)>& make, int threads,
                       const std::function<void()>& progress, const std::function<bool()>& keep_going) {
  IntPhysRun run;
  for (const ClipScorer* scorer : scorers) run.scorers.push_back(scorer->name());
  for (std::size_t first = 0; first < count; first += sets_at_once) {
    if (keep_going && !keep_going()) break;
    std::vector<IntPhysClips> sets(std::min(sets_at_once, count - first));
    parallel_for(sets.size(), threads, [&](std::size_t i) { sets[i] = make(first + i); });
    std::vector<const Clip*> clips;
    for (const IntPhysClips& set : sets)
      for (const Clip& clip : set.clips) clips.push_back(&clip);
    std::vector<ScoredIntPhys> scored;
    for (const IntPhysClips& set : sets)
      scored.push_back({set.block, set.scenario, set.name, set.possible, {}});
    for (ClipScorer* scorer : scorers) {
      std::vector<FrameErrors> errors = scorer->errors(clips);
      for (std::size_t i = 0; i < sets.size(); ++i) {
        scored[i].scorers.emplace_back();
        for (std::size_t k = 0; k < 4; ++k) scored[i].scorers.back()[k] = std::move(errors[4 * i + k]);
      }
    }
    for (ScoredIntPhys& set : scored) {
      run.sets.push_back(std::move(set));
      if (progress) progress();
    }
  }
  return run;
}

std::size_t IntPhysSource::count() const {
  return sets * intphys_blocks().size() * intphys_scenarios().size();
}

IntPhysSet IntPhysSource::set(std::size_t i) const {
  const std::size_t scenarios = intphys_scenarios().size(), blocks = intphys_blocks().size();
  return make_intphys_set(intphys_blocks()[i / scenarios % blocks], intphys_scenarios()[i % scenarios],
                          format, seed, i / scenarios / blocks, part);
}

std::array<int, 4> IntPhysSource::order(std::size_t i) const {
  Random random(stream_seed(seed, std::string("intphys/order/") + name(part), i));
  std::vector<int> order{0, 1, 2, 3};
  random.shuffle(order);
  return {order[0], order[1], order[2], order[3]};
}

IntPhysClips IntPhysSource::clips(std::size_t i) const {
  const IntPhysSet made = set(i);
  const std::array<int, 4> places = order(i);
  const std::size_t scenarios = intphys_scenarios().size(),
                    in_block = i / scenarios / intphys_blocks().size() * scenarios + i % scenarios + 1;
  const std::string digits = std::to_string(in_block);
  IntPhysClips result{.block = made.block,
                      .scenario = made.scenario,
                      .name = std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits,
                      .possible = std::array<bool, 4>{},
                      .clips = {}};
  for (std::size_t k = 0; k < 4; ++k) {
    (*result.possible)[k] = IntPhysSet::possible(places[k]);
    result.clips[k] = made.clip(places[k]);
  }
  return result;
}

bool IntPhysCell::holds(const ScoredIntPhys& set) const {
  if (set.block != block) return false;
  if (!occluded && !motion && !objects) return true;
  return set.scenario && (!occluded || set.scenario->occluded == *occluded) &&
         (!motion || set.scenario->motion == *motion) && (!objects || set.scenario->objects == *objects);
}

const IntPhysRow& IntPhysTables::row(const IntPhysCell& cell, std::size_t scorer, Plausibility kind) const {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const IntPhysRow& r) {
    return r.cell == cell && r.scorer == scorer && r.plausibility == kind;
  });
  if (found == rows.end()) throw Error("IntPhys tables: found no such cell");
  return *found;
}

IntPhysTables intphys_tables(const IntPhysRun& run, const MetricOptions& options) {
  if (std::none_of(run.sets.begin(), run.sets.end(),
                   [](const ScoredIntPhys& set) { return set.possible.has_value(); }))
    throw Error(
        "IntPhys: found no set that says which clips are possible, at least one is needed for error "
        "rates");
  IntPhysTables tables;
  for (const IntPhysCell& cell : all_cells())
    for (std::size_t s = 0; s < run.scorers.size(); ++s)
      for (const Plausibility kind : plausibilities())
        tables.rows.push_back({.cell = cell, .scorer = s, .plausibility = kind});
  parallel_for(tables.rows.size(), options.threads,
               [&](std::size_t i) { fill(tables.rows[i], run, options); });
  return tables;
}

std::string intphys_answers(const IntPhysRun& run, std::size_t scorer, Plausibility kind) {
  std::vector<std::pair<std::string, double>> answers;
  for (const ScoredIntPhys& set : run.sets)
    for (std::size_t k = 0; k < 4; ++k)
      answers.emplace_back(clip_name(set.block, set.name, k), plausibility(set.scorers[scorer][k], kind));
  std::stable_sort(answers.begin(), answers.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  double low = 0, high = 0;
  if (!answers.empty()) {
    const auto [least, most] = std::minmax_element(
        answers.begin(), answers.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    low = least->second;
    high = most->second;
  }
  std::string text;
  for (const auto& [clip, value] : answers)
    text += clip + " " + shortest(high > low ? (value - low) / (high - low) : 0.5) + "\n";
  return text;
}

std::map<std::string, double> read_intphys_answers(const std::string& text, const std::string& source) {
  std::map<std::string, double> answers;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string where = source + ":" + std::to_string(number) + ": ";
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    std::istringstream words(line);
    std::string clip, value, more;
    words >> clip >> value;
    const std::size_t first = clip.find('/'), last = clip.rfind('/');
    const bool named = first == 2 && last > first + 1 && last + 2 == clip.size() && clip[0] == 'O' &&
                       clip[1] >= '1' && clip[1] <= '3' && clip.back() >= '1' && clip.back() <= '4';
    const std::optional<double> plausibility = parse_number<double>(value);
    if (!named || words >> more || !plausibility)
      throw Error(where + "found '" + line + "', allowed are lines such as 'O1/0001/1 0.9751'");
    if (!(*plausibility >= 0 && *plausibility <= 1))
      throw Error(where + "found plausibility " + value + ", allowed are 0 to 1");
    const std::string set = clip.substr(3, last - 3),
                      id = clip.substr(0, 3) + set.substr(0, set.find('_')) + clip.substr(last);
    if (!answers.emplace(id, *plausibility).second) throw Error(where + "clip " + id + " stands there twice");
  }
  if (answers.empty()) throw Error(source + ": found no line, needed is one a clip");
  return answers;
}

void add_answers(IntPhysRun& run, const std::string& name, const std::map<std::string, double>& answers,
                 const std::string& source) {
  for (ScoredIntPhys& set : run.sets) {
    set.scorers.emplace_back();
    for (std::size_t k = 0; k < 4; ++k) {
      const std::string clip = clip_name(set.block, set.name, k);
      const auto found = answers.find(clip);
      if (found == answers.end()) throw Error(source + ": found no answer for clip " + clip);
      set.scorers.back()[k] = {.error = {-found->second}, .change = {0}};
    }
  }
  run.scorers.push_back(name);
}

}  // namespace startle
