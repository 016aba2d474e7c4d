#pragma once
/// \file  How plausible scorers find the clips of IntPhys sets, and the error rates of [IntPhys §2.5] by
/// block and scenario.
///
/// \code
///   #include "surprise/predictor.hpp"
///   const auto control = make_copy_last();
///   const IntPhysSource source{.sets = 5};
///   const IntPhysRun run = run_intphys({control.get()}, source.count(),
///                                      [&](std::size_t i) { return source.clips(i); });
///   const IntPhysTables tables = intphys_tables(run);
///   // tables.row({.block = IntPhysBlock::shape, .occluded = true}, 0, Plausibility::sum).relative.value
/// \endcode
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "surprise/clip_scorer.hpp"
#include "surprise/evaluation_metrics.hpp"
#include "surprise/probes/intphys/set.hpp"

namespace startle {

/// One number a clip from the errors of its frames; larger is more plausible. A frame's own plausibility is
/// minus its error. On clips of one length sum and mean give the same error rates. Another falling map of the
/// errors, such as IntPhys 2019's 1/error, would leave L_A of the minimum as it is, but not L_R, which adds
/// plausibilities of two clips.
enum class Plausibility {
  sum,  ///< over frames
  mean,
  minimum  ///< [IntPhys eq. 4]
};
const std::vector<Plausibility>& plausibilities();
const char* name(Plausibility kind);
/// Throws Error without a frame.
double plausibility(const FrameErrors& errors, Plausibility kind);

/// A quadruplet of clips from wherever.
struct IntPhysClips {
  IntPhysBlock block = IntPhysBlock::permanence;
  std::optional<IntPhysScenario> scenario;      ///< empty where the data do not say
  std::string name;                             ///< within its block, "0001"
  std::optional<std::array<bool, 4>> possible;  ///< two of them; empty where the data do not say, as in the
                                                ///< original's test set
  std::array<Clip, 4> clips;
};

/// What scorers say of a quadruplet.
struct ScoredIntPhys {
  IntPhysBlock block = IntPhysBlock::permanence;
  std::optional<IntPhysScenario> scenario;
  std::string name;
  std::optional<std::array<bool, 4>> possible;
  std::vector<std::array<FrameErrors, 4>> scorers;  ///< in the order of IntPhysRun::scorers
};

struct IntPhysRun {
  std::vector<std::string> scorers;  ///< names
  std::uint64_t seed = 1;
  std::vector<ScoredIntPhys> sets;
};

/// Scores the quadruplets that `make` gives for 0 ... count - 1, several at once on `threads` threads (0: all
/// of the machine). `progress` is called after each. Once `keep_going` answers false the run ends with those
/// done. Throws Error when a scorer refuses the clips.
IntPhysRun run_intphys(const std::vector<ClipScorer*>& scorers, std::size_t count,
                       const std::function<IntPhysClips(std::size_t)>& make, int threads = 0,
                       const std::function<void()>& progress = {},
                       const std::function<bool()>& keep_going = {});

/// Which of the generated sets.
struct IntPhysSource {
  std::size_t sets = 5;  ///< of each scenario of each block
  ClipFormat format = intphys_format();
  std::uint64_t seed = 1;
  IntPhysPart part = IntPhysPart::test;

  /// 54 x sets.
  std::size_t count() const;
  /// Set i, 0 ... count() - 1: scenario after scenario within a block, then the next set of each.
  IntPhysSet set(std::size_t i) const;
  /// Its clips in an order drawn from the seed, so that no place is that of the possible ones; its name
  /// counts from 1 within the block.
  IntPhysClips clips(std::size_t i) const;
  /// Where clip k of set i stands in that order: order(i)[place] is one of 0 ... 3 of IntPhysSet::clip().
  std::array<int, 4> order(std::size_t i) const;
};

/// Part of the sets; empty: all.
struct IntPhysCell {
  IntPhysBlock block = IntPhysBlock::permanence;
  std::optional<bool> occluded = {};
  std::optional<IntPhysMotion> motion = {};
  std::optional<int> objects = {};
  bool holds(const ScoredIntPhys& set) const;
  friend bool operator==(const IntPhysCell&, const IntPhysCell&) = default;
};

struct IntPhysRow {
  IntPhysCell cell;
  std::size_t scorer = 0;
  Plausibility plausibility = Plausibility::sum;
  std::size_t sets = 0, ties = 0;
  /// L_R: share of sets in which the possible clips' plausibilities sum to less than the impossible ones', a
  /// tie within the tolerance counting a half. Interval at 95 %: Wilson's, from the hits rounded down to the
  /// hits rounded up where ties leave half of one.
  Estimate relative;
  /// L_A: 1 - AUC of possible against impossible clips, exact ties counting half. Interval: bootstrap over
  /// sets, of cells with all motions and objects.
  Estimate absolute;
};

struct IntPhysTables {
  std::vector<IntPhysRow> rows;  ///< block x (all; visible, occluded x (motion or all) x (objects or all)) x
                                 ///< scorer x plausibility
  const IntPhysRow& row(const IntPhysCell& cell, std::size_t scorer, Plausibility kind) const;
};
/// Sets of which it is not known what is possible are left out. Throws Error when none is left.
IntPhysTables intphys_tables(const IntPhysRun& run, const MetricOptions& options = {});

// -----------------------------------------------------------------------------------------------------------
// submissions

/// The answer file of the original: a line a clip, "O1/0001/1 0.9751", plausibilities between 0 and 1. Those
/// of a run are mapped there by one straight line for the whole file, from its lowest to its highest, which
/// changes neither L_R nor L_A; all alike give 0.5.
std::string intphys_answers(const IntPhysRun& run, std::size_t scorer, Plausibility kind);

/// Plausibilities by "O1/0001/1"; longer names of clips, "O1/0001_O1_test_visible_static_nobj1/1", are read
/// as well. Throws Error, with `source` and the line, for anything but such lines, for values outside [0, 1]
/// and for a clip that stands there twice.
std::map<std::string, double> read_intphys_answers(const std::string& text, const std::string& source);

/// Adds an answer file to a run as another scorer, whose clips have one frame of that plausibility. Throws
/// Error, led by `source`, when a clip of the run is missing there.
void add_answers(IntPhysRun& run, const std::string& name, const std::map<std::string, double>& answers,
                 const std::string& source);

}  // namespace startle
