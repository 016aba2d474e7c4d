#include "app/reports/validation_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "app/reports/html.hpp"
#include "app/reports/tiers.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "difficulty/thirds.hpp"
#include "reasoning/qualitative/detectability.hpp"
#include "render/plot_svg.hpp"
#include "render/scene_svg.hpp"
#include "statistics/intervals.hpp"
#include "statistics/rank_correlation.hpp"

namespace startle {
namespace {

constexpr std::uint64_t bootstrap_seed = 1;

const char* colour_of(Method method) { return palette[method == Method::published ? 0 : 1]; }

std::string text_of(std::optional<double> value, int digits = 3) {
  return value ? fixed(*value, digits) : "-";
}
std::string text_of(std::size_t count) { return std::to_string(count); }
std::string text_of(std::optional<IntervalEstimate> interval) {
  return interval ? fixed(interval->low, 3) + " to " + fixed(interval->high, 3) : "-";
}

/// "-" where there is nothing to count.
std::string interval_text(std::size_t hits, std::size_t count) {
  return count > 0 ? text_of(wilson_interval(hits, count)) : "-";
}

/// A yes/no question, and how each level answers it.
struct Question {
  std::string name;
  std::string method;  ///< whose answer it is; empty where both methods give the same
  std::function<BinaryCounts(const ValidatedLevel&)> of;
};

/// A question that each method answers for itself.
template <typename Of>
void ask_both(std::vector<Question>& list, const std::string& question, const Of& of) {
  for (Method method : validated_methods)
    list.push_back(
        {question, name(method), [=](const ValidatedLevel& l) { return of(l.validation, method); }});
}

std::vector<Question> questions(const ValidationRun& run) {
  std::vector<Question> list{
      {"targets", "", [](const ValidatedLevel& l) { return l.validation.targets.objects; }},
  };
  ask_both(list, "vertical impact", [](const LevelValidation& l, Method m) { return l.vertical[m].all; });
  ask_both(list, "vertical impact, not struck first",
           [](const LevelValidation& l, Method m) { return l.vertical[m].unprompted; });
  ask_both(list, "impacted", [](const LevelValidation& l, Method m) { return l.hits[m].impacted.all; });
  ask_both(list, "impacted, target left out",
           [](const LevelValidation& l, Method m) { return l.hits[m].impacted.others; });
  ask_both(list, "impacted, left out, lower parabolas",
           [](const LevelValidation& l, Method m) { return l.hits[m].impacted.others_lower; });
  ask_both(list, "impacted, left out, upper parabolas",
           [](const LevelValidation& l, Method m) { return l.hits[m].impacted.others_upper; });
  list.push_back(
      {"simulation against itself", "", [](const ValidatedLevel& l) { return l.validation.again; }});
  ask_both(list, "motion: destroyed",
           [](const LevelValidation& l, Method m) { return l.hits[m].motion.destroyed; });
  ask_both(list, "motion: turned",
           [](const LevelValidation& l, Method m) { return l.hits[m].motion.turned; });
  ask_both(list, "motion: shifted",
           [](const LevelValidation& l, Method m) { return l.hits[m].motion.shifted; });
  ask_both(list, "motion: dropped",
           [](const LevelValidation& l, Method m) { return l.hits[m].motion.dropped; });
  for (std::size_t k = 0; k < run.novelties.size(); ++k) {
    ask_both(list, "detectable, " + run.novelties[k]->name,
             [k](const LevelValidation& l, Method m) { return l.novelties[k].reasoning[m].pairs; });
    ask_both(list, "target visible, " + run.novelties[k]->name,
             [k](const LevelValidation& l, Method m) { return l.novelties[k].reasoning[m].targets; });
  }
  return list;
}

BinaryCounts sum_of(const Question& question, const std::vector<const ValidatedLevel*>& levels) {
  BinaryCounts sum;
  for (const ValidatedLevel* level : levels) sum += question.of(*level);
  return sum;
}

std::vector<const ValidatedLevel*> all_levels(const ValidationRun& run) {
  std::vector<const ValidatedLevel*> levels;
  for (const ValidatedLevel& level : run.levels) levels.push_back(&level);
  return levels;
}

ValidationTable agreement_table(const ValidationRun& run) {
  Rows rows{
      {"question", "method", "n", "predicted", "seen", "precision", "recall", "F1", "F1, 95 %", "accuracy"}};
  for (const Question& question : questions(run)) {
    const BinaryCounts sum = sum_of(question, all_levels(run));
    std::vector<BinaryCounts> of_levels;
    for (const ValidatedLevel& level : run.levels) of_levels.push_back(question.of(level));
    const auto interval = bootstrap_interval(
        of_levels.size(),
        [&](const std::vector<std::size_t>& sample) {
          BinaryCounts counts;
          for (std::size_t i : sample) counts += of_levels[i];
          return f1_score(counts);
        },
        bootstrap_seed);
    rows.push_back({question.name, question.method.empty() ? "both" : question.method, text_of(sum.count()),
                    text_of(sum.both + sum.predicted_only), text_of(sum.both + sum.seen_only),
                    text_of(precision(sum)), text_of(recall(sum)), text_of(f1_score(sum)), text_of(interval),
                    text_of(accuracy(sum))});
  }
  TargetCounts targets;
  for (const ValidatedLevel& level : run.levels) targets += level.validation.targets;
  return {
      "agreement", "Reasoning against simulation",
      "Of n cases, how many the reasoning predicted and how many were seen in simulation; by the published "
      "and by the extended method, which have the "
      "targets in common. Targets: objects; vertical impact: (object taken away, other "
      "object); impacted: (trajectory of a target, object); simulation against itself: the same without "
      "the target, predicted by a simulation whose shot is perturbed "
      "by 0.01 rad; motion: of those predicted and seen to move; detectable: (trajectory, novel "
      "object); target visible: targets. Intervals: bootstrap over levels. Of the " +
          text_of(targets.trajectories) + " trajectories found, " + text_of(targets.hit) +
          " touch their target first in simulation.",
      rows};
}

/// Levels in which the novelty changes something: elsewhere both values are 1 by definition.
struct ValuePairs {
  std::vector<double> qualitative, simulated;
  std::array<std::vector<double>, 2> halves;  ///< means over every second turn each; empty of a single one
};

ValuePairs values_of(const ValidationRun& run, std::size_t k, Method method,
                     double DifficultyValues::*measure) {
  ValuePairs pairs;
  for (const ValidatedLevel& level : run.levels) {
    const NoveltyValidation& n = level.validation.novelties[k];
    if (n.simulated.novel_objects == 0) continue;
    pairs.qualitative.push_back(n.reasoning[method].difficulty.*measure);
    pairs.simulated.push_back(n.noisy.*measure);
    if (n.noisy.rollouts.size() < 2) continue;
    std::array<double, 2> sum{};
    std::array<std::size_t, 2> count{};
    for (std::size_t r = 0; r < n.noisy.rollouts.size(); ++r) {
      sum[r % 2] += n.noisy.rollouts[r].*measure;
      ++count[r % 2];
    }
    for (std::size_t h = 0; h < 2; ++h) pairs.halves[h].push_back(sum[h] / static_cast<double>(count[h]));
  }
  return pairs;
}

/// Rank correlation that the mean over all turns has with itself over as many others: that of its halves,
/// stepped up by Spearman and Brown.
std::optional<double> reliability(const ValuePairs& pairs) {
  const auto halves = spearman(pairs.halves[0], pairs.halves[1]);
  if (!halves || *halves <= -1) return std::nullopt;
  return 2 * *halves / (1 + *halves);
}

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

using Correlation = std::optional<double> (*)(const std::vector<double>&, const std::vector<double>&);

std::optional<IntervalEstimate> correlation_interval(const ValuePairs& pairs, Correlation correlation) {
  if (pairs.qualitative.empty()) return std::nullopt;
  return bootstrap_interval(
      pairs.qualitative.size(),
      [&](const std::vector<std::size_t>& sample) {
        std::vector<double> x, y;
        for (std::size_t i : sample) {
          x.push_back(pairs.qualitative[i]);
          y.push_back(pairs.simulated[i]);
        }
        return correlation(x, y);
      },
      bootstrap_seed);
}

ValidationTable values_table(const ValidationRun& run) {
  Rows rows{{"novelty", "measure", "method", "levels", "Spearman", "Spearman, 95 %", "reliability", "Kendall",
             "Kendall, 95 %", "mean, reasoning", "mean, simulation"}};
  struct ValueMeasure {
    const char* name;
    double DifficultyValues::*of;
  };
  for (std::size_t k = 0; k < run.novelties.size(); ++k) {
    for (const ValueMeasure& m :
         {ValueMeasure{"PID", &DifficultyValues::pid}, ValueMeasure{"BID", &DifficultyValues::bid},
          ValueMeasure{"value", &DifficultyValues::value}}) {
      for (Method method : validated_methods) {
        const ValuePairs pairs = values_of(run, k, method, m.of);
        rows.push_back({run.novelties[k]->name, m.name, name(method), text_of(pairs.qualitative.size()),
                        text_of(spearman(pairs.qualitative, pairs.simulated)),
                        text_of(correlation_interval(pairs, spearman)), text_of(reliability(pairs)),
                        text_of(kendall(pairs.qualitative, pairs.simulated)),
                        text_of(correlation_interval(pairs, kendall)), text_of(mean(pairs.qualitative)),
                        text_of(mean(pairs.simulated))});
      }
    }
  }
  return {"values", "Difficulty values: rank correlation of reasoning with simulation",
          "Over the levels in which the novelty changes something. By simulation: the mean over " +
              std::to_string(run.noise.launches) + " rollouts, all shots of each perturbed by one of N(0, " +
              shortest(run.noise.sd) +
              " rad). Reliability: Spearman's rho of that mean with itself over other perturbations, from "
              "its two "
              "halves (stepped up by Spearman and Brown); no prediction "
              "can be expected to agree much better than its square root. Spearman's rho with midranks, "
              "Kendall's tau-b, bootstrap intervals over levels; "
              "- where a side is constant.",
          rows};
}

/// Thirds of one novelty by reasoning and by simulation; empty where the novelty changes nothing in the
/// level.
struct ThirdPair {
  std::optional<Third> qualitative, simulated;
};

std::vector<ThirdPair> thirds_of(const ValidationRun& run, std::size_t k, Method method) {
  const ValuePairs pairs = values_of(run, k, method, &DifficultyValues::value);
  std::vector<ThirdPair> result(run.levels.size());
  if (pairs.qualitative.empty()) return result;
  const ThirdThresholds q = third_thresholds(pairs.qualitative, run.alpha),
                        g = third_thresholds(pairs.simulated, run.alpha);
  for (std::size_t i = 0; i < run.levels.size(); ++i) {
    const NoveltyValidation& n = run.levels[i].validation.novelties[k];
    if (n.simulated.novel_objects > 0)
      result[i] = {third_of(n.reasoning[method].difficulty.value, q), third_of(n.noisy.value, g)};
  }
  return result;
}

ValidationTable thirds_table(const ValidationRun& run) {
  Rows rows{{"novelty", "method", "third by reasoning", "levels", "low by simulation", "middle", "high",
             "same third, 95 %"}};
  for (std::size_t k = 0; k < run.novelties.size(); ++k) {
    for (Method method : validated_methods) {
      const std::vector<ThirdPair> pairs = thirds_of(run, k, method);
      std::size_t same = 0, all = 0;
      for (const ThirdPair& pair : pairs) {
        all += pair.qualitative.has_value();
        same += pair.qualitative && pair.qualitative == pair.simulated;
      }
      for (Third third : thirds) {
        std::array<std::size_t, thirds.size()> seen{};
        std::size_t count = 0;
        for (const ThirdPair& pair : pairs) {
          if (pair.qualitative != third) continue;
          ++count;
          ++seen[static_cast<std::size_t>(*pair.simulated)];
        }
        rows.push_back({run.novelties[k]->name, name(method), name(third), text_of(count), text_of(seen[0]),
                        text_of(seen[1]), text_of(seen[2]), ""});
      }
      rows.back().back() = text_of(same) + " of " + text_of(all) + ", " + interval_text(same, all);
    }
  }
  return {"thirds", "Thirds by reasoning and by simulation",
          "Thresholds of either side are those of its own values, over the same levels. Where values tie, "
          "thirds differ in size.",
          rows};
}

/// How much of what is called visible would have been without any novelty.
ValidationTable visible_table(const ValidationRun& run) {
  Rows rows{{"novelty", "levels", "targets", "visible", "visible, 95 %", "without novelty",
             "without novelty, 95 %", "difference"}};
  for (std::size_t k = 0; k < run.novelties.size(); ++k) {
    VisibleShare with, without;
    std::vector<std::pair<VisibleShare, VisibleShare>> of_levels;
    for (const ValidatedLevel& level : run.levels) {
      const NoisyDifficulty& noisy = level.validation.novelties[k].noisy;
      if (noisy.novel_objects == 0) continue;
      with += noisy.with_novelty;
      without += noisy.without_novelty;
      of_levels.emplace_back(noisy.with_novelty, noisy.without_novelty);
    }
    const auto share = [](const VisibleShare& s) -> std::optional<double> {
      if (s.targets == 0) return std::nullopt;
      return static_cast<double>(s.visible) / static_cast<double>(s.targets);
    };
    const auto interval =
        [&](VisibleShare std::pair<VisibleShare, VisibleShare>::*which) -> std::optional<IntervalEstimate> {
      if (of_levels.empty()) return std::nullopt;
      return bootstrap_interval(
          of_levels.size(),
          [&](const std::vector<std::size_t>& sample) {
            VisibleShare sum;
            for (std::size_t i : sample) sum += of_levels[i].*which;
            return share(sum);
          },
          bootstrap_seed);
    };
    const auto visible = share(with), anyway = share(without);
    rows.push_back({run.novelties[k]->name, text_of(of_levels.size()), text_of(with.targets),
                    text_of(visible), text_of(interval(&std::pair<VisibleShare, VisibleShare>::first)),
                    text_of(anyway), text_of(interval(&std::pair<VisibleShare, VisibleShare>::second)),
                    visible && anyway ? fixed(*visible - *anyway, 3) : "-"});
  }
  return {
      "visible", "What is visible, with a novelty and without",
      "Targets of initial states on which some trajectory makes a visible difference in an object that "
      "the novelty changes, each target once a perturbation. Visible: the novel world against the "
      "normal one, the shot perturbed alike in both. Without novelty: the normal world against itself, the "
      "two shots perturbed independently; what an eye that does not know the launch takes for "
      "a difference although there is none. Intervals: bootstrap over levels.",
      rows};
}

ValidationTable families_table(const ValidationRun& run) {
  Rows rows{{"family", "levels", "targets F1", "method", "vertical F1", "vertical accuracy", "impacted F1",
             "target left out", "detectable F1", "target visible F1"}};
  std::map<std::string, std::vector<const ValidatedLevel*>> families;
  for (const ValidatedLevel& level : run.levels)
    families[level.family.empty() ? "(files)" : level.family].push_back(&level);
  for (const auto& [family, levels] : families) {
    BinaryCounts targets;
    for (const ValidatedLevel* level : levels) targets += level->validation.targets.objects;
    for (Method method : validated_methods) {
      BinaryCounts vertical, impacted, others, detectable, visible;
      for (const ValidatedLevel* level : levels) {
        vertical += level->validation.vertical[method].all;
        const ImpactedCounts& counts = level->validation.hits[method].impacted;
        impacted += counts.all;
        others += counts.others;
        for (const NoveltyValidation& novelty : level->validation.novelties) {
          detectable += novelty.reasoning[method].pairs;
          visible += novelty.reasoning[method].targets;
        }
      }
      rows.push_back({family, text_of(levels.size()), text_of(f1_score(targets)), name(method),
                      text_of(f1_score(vertical)), text_of(accuracy(vertical)), text_of(f1_score(impacted)),
                      text_of(f1_score(others)), text_of(f1_score(detectable)), text_of(f1_score(visible))});
    }
  }
  return {"families", "By level family", "The last two columns are over all novelties.", rows};
}

ValidationTable cases_table(const ValidationRun& run) {
  static constexpr std::array<const char*, 10> meaning{"",
                                                       "hit and destroyed",
                                                       "hit and flips",
                                                       "hit and slides",
                                                       "falls without rotating",
                                                       "falls while rotating",
                                                       "slides and stops",
                                                       "slides and falls",
                                                       "flips and stops",
                                                       "flips and falls"};
  Rows rows{{"case", "meaning", "method", "predicted", "verified by simulation",
             "verified by simulation, 95 %", "moved", "destroyed", "turned", "shifted", "dropped"}};
  for (std::size_t c = 1; c <= 9; ++c) {
    for (Method method : validated_methods) {
      CaseCounts sum;
      for (const ValidatedLevel& level : run.levels) sum += level.validation.hits[method].cases[c];
      const auto share = [&](std::size_t of) {
        return sum.predicted > 0 ? fixed(static_cast<double>(of) / static_cast<double>(sum.predicted), 3)
                                 : std::string("-");
      };
      rows.push_back({text_of(c), meaning[c], name(method), text_of(sum.predicted), share(sum.verified),
                      interval_text(sum.verified, sum.predicted), share(sum.moved), share(sum.destroyed),
                      share(sum.turned), share(sum.shifted), share(sum.dropped)});
    }
  }
  return {"cases", "Movement cases",
          "Of the (trajectory, object) pairs predicted to have the case: the share in which the measured "
          "motion has it too, and what was measured: moved at all; "
          "destroyed; turned by more than 45 degrees; shifted sideways, dropped, by more than 0.1, from the "
          "first place to the last.",
          rows};
}

ValidationTable directions_table(const ValidationRun& run) {
  Rows rows{{"predicted", "method", "n", "seen down", "seen left", "seen right", "agree"}};
  ByMethod<VerticalCounts> sums;
  for (Method method : validated_methods)
    for (const ValidatedLevel& level : run.levels) sums[method] += level.validation.vertical[method];
  for (FallDirection direction : {FallDirection::down, FallDirection::left, FallDirection::right}) {
    for (Method method : validated_methods) {
      const auto& seen = sums[method].directions[static_cast<std::size_t>(direction)];
      const std::size_t n = seen[0] + seen[1] + seen[2], same = seen[static_cast<std::size_t>(direction)];
      rows.push_back({name(direction), name(method), text_of(n), text_of(seen[0]), text_of(seen[1]),
                      text_of(seen[2]),
                      n > 0 ? fixed(static_cast<double>(same) / static_cast<double>(n), 3) : "-"});
    }
  }
  return {"directions", "Vertical impact: direction of the fall",
          "Of objects predicted and seen to fall after " + text_of(sums[Method::published].taken_away) +
              " objects were taken away, each for itself. Seen left or right: the centre of mass "
              "came more than 0.1 to that side.",
          rows};
}

ValidationTable detectability_table(const ValidationRun& run) {
  Rows rows{{"novelty", "parameter", "seen case", "in the table", "n", "visible", "share", "share, 95 %"}};
  for (std::size_t k = 0; k < run.novelties.size(); ++k) {
    const Parameter parameter = run.novelties[k]->rules.front().parameter;
    for (std::size_t c = 0; c <= 9; ++c) {
      VisibleCounts sum;
      for (const ValidatedLevel& level : run.levels) {
        sum.count += level.validation.novelties[k].by_case[c].count;
        sum.visible += level.validation.novelties[k].by_case[c].visible;
      }
      if (sum.count == 0) continue;
      rows.push_back({run.novelties[k]->name, name(parameter), c == 0 ? "none" : text_of(c),
                      c > 0 && detecting_cases(parameter).test(c) ? "yes" : "no", text_of(sum.count),
                      text_of(sum.visible),
                      fixed(static_cast<double>(sum.visible) / static_cast<double>(sum.count), 3),
                      interval_text(sum.visible, sum.count)});
    }
  }
  return {
      "detectability", "Detectability table, entry by entry",
      "Novel objects by the case that their motion in the normal world has (5 and 9 cannot be distinguished "
      "by measurement), and the share in which the "
      "novelty made their pose visibly different. Entries of the table should make it visible and others "
      "should not.",
      rows};
}

ValidationTable failures_table(const ValidationRun& run) {
  std::map<std::pair<std::string, Method>, std::map<std::string, std::size_t>> classes;
  for (Method method : validated_methods) {
    const auto count = [&](const std::string& what, const std::map<std::string, std::size_t>& of) {
      for (const auto& [why, n] : of) classes[{what, method}][why] += n;
    };
    for (const ValidatedLevel& level : run.levels) {
      count("impacted: moved, not predicted", level.validation.hits[method].impacted.missed);
      count("impacted: predicted, did not move", level.validation.hits[method].impacted.wrong);
      for (std::size_t k = 0; k < run.novelties.size(); ++k) {
        count("detectable, " + run.novelties[k]->name + ": visible, not predicted",
              level.validation.novelties[k].reasoning[method].missed);
        count("detectable, " + run.novelties[k]->name + ": predicted, not visible",
              level.validation.novelties[k].reasoning[method].wrong);
      }
    }
  }
  Rows rows{{"failure", "method", "class", "n", "share"}};
  for (const auto& [what, of] : classes) {
    std::vector<std::pair<std::string, std::size_t>> sorted(of.begin(), of.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    std::size_t all = 0;
    for (const auto& [why, n] : sorted) all += n;
    for (const auto& [why, n] : sorted)
      rows.push_back({what.first, name(what.second), why, text_of(n),
                      fixed(static_cast<double>(n) / static_cast<double>(all), 3)});
  }
  return {"failures", "Where they disagree",
          "Missed objects by what set them moving, as far as contacts say; wrong ones by the rule that "
          "predicted them.",
          rows};
}

std::string value_plots(const ValidationRun& run) {
  std::string html = "<div class=\"plots\">\n";
  for (std::size_t k = 0; k < run.novelties.size(); ++k) {
    for (Method method : validated_methods) {
      const ValuePairs pairs = values_of(run, k, method, &DifficultyValues::value);
      ScatterPlot plot{
          .frame = {.title = run.novelties[k]->name + ", " + name(method) + ": value of each level",
                    .x_label = "by reasoning",
                    .y_label = "by simulation"}};
      plot.series.push_back({"levels", colour_of(method), {}});
      for (std::size_t i = 0; i < pairs.qualitative.size(); ++i)
        plot.series.back().points.push_back({pairs.qualitative[i], pairs.simulated[i]});
      html += plot_svg(plot);
    }
  }
  return html + "</div>\n";
}

/// F1 of what the methods differ in, side by side.
std::string agreement_plot(const ValidationRun& run) {
  BarChart bars{.frame = {.title = "F1 of either method", .x_label = "", .y_label = "", .width = 700},
                .y_high = 1.1};
  for (Method method : validated_methods) bars.series.push_back({name(method), colour_of(method), {}});
  for (const Question& question : questions(run)) {
    std::string category = question.name;
    if (category == "vertical impact")
      category = "vertical";
    else if (category.starts_with("detectable, "))
      category = category.substr(12) + " visible";
    else if (category == "impacted, target left out")
      category = "without target";
    else if (category != "impacted")
      continue;
    if (question.method == bars.series.front().name) bars.categories.push_back(category);
    for (ValueSeries& series : bars.series)
      if (question.method == series.name)
        series.values.push_back(f1_score(sum_of(question, all_levels(run))).value_or(0));
  }
  return plot_svg(bars);
}

/// The worst shot of a level by the method, drawn.
std::string disagreement_figure(const ValidatedLevel& level, Method method) {
  constexpr int pieces = 32;
  const Disagreement& worst = *level.validation.hits[method].worst;
  SceneSvgOptions options;
  options.title = level.name;
  options.marks.targets = {worst.target};
  options.marks.impacted = worst.predicted;
  options.marks.detectable = worst.missed;
  options.marks.numbers = true;
  PathMark path{.points = {}, .upper = worst.trajectory.upper, .faint = false};
  for (int i = 0; i <= pieces; ++i)
    path.points.push_back(worst.trajectory.at(worst.trajectory.time * i / pieces));
  options.marks.paths.push_back(std::move(path));
  return "<figure>\n" + scene_svg(level.scene, options) + "<figcaption><strong>" + xml_escaped(level.name) +
         "</strong>, " + name(method) + " method, shot at #" + text_of(worst.target) + " with " +
         xml_escaped(level.scene.birds[level.scene.next_bird]) + ": " + text_of(worst.predicted.size()) +
         " predicted to move (outlined), " + text_of(worst.wrong) + " of them did not; " +
         text_of(worst.missed.size()) + " moved unpredicted (filled).</figcaption></figure>\n";
}

/// Of each family the level whose worst shot is worst, three families at most.
std::string disagreements(const ValidationRun& run, Method method) {
  std::map<std::string, const ValidatedLevel*> worst;
  const auto size = [&](const ValidatedLevel& level) {
    const Disagreement& d = *level.validation.hits[method].worst;
    return d.missed.size() + d.wrong;
  };
  for (const ValidatedLevel& level : run.levels) {
    if (!level.validation.hits[method].worst) continue;
    const ValidatedLevel*& of_family = worst[level.family];
    if (!of_family || size(level) > size(*of_family)) of_family = &level;
  }
  std::vector<const ValidatedLevel*> levels;
  for (const auto& [family, level] : worst) levels.push_back(level);
  std::stable_sort(levels.begin(), levels.end(),
                   [&](const auto* a, const auto* b) { return size(*a) > size(*b); });
  if (levels.size() > 3) levels.resize(3);
  std::string html;
  for (const ValidatedLevel* level : levels) html += disagreement_figure(*level, method);
  return html;
}

}  // namespace

std::vector<ValidationTable> validation_tables(const ValidationRun& run) {
  return {agreement_table(run),  values_table(run),        visible_table(run),
          thirds_table(run),     families_table(run),      cases_table(run),
          directions_table(run), detectability_table(run), failures_table(run)};
}

Rows validation_level_rows(const ValidationRun& run) {
  Rows rows{{"level", "family", "novelty", "objects", "birds", "novel_objects", "targets"}};
  const auto third_text = [](std::optional<Third> third) {
    return third ? std::string(name(*third)) : std::string();
  };
  for (std::string by : {name(validated_methods[0]), name(validated_methods[1]), "simulated"})
    for (const char* what : {"_detectable", "_pid", "_bid", "_value", "_third"})
      rows.front().push_back(by + what);
  for (const char* what : {"visible_targets", "visible", "visible_without_targets", "visible_without"})
    rows.front().push_back(what);
  for (std::size_t k = 0; k < run.novelties.size(); ++k) {
    ByMethod<std::vector<ThirdPair>> pairs;
    for (Method method : validated_methods) pairs[method] = thirds_of(run, k, method);
    for (std::size_t i = 0; i < run.levels.size(); ++i) {
      const ValidatedLevel& level = run.levels[i];
      const NoveltyValidation& n = level.validation.novelties[k];
      const InteractionCounts& seen = n.simulated.interactions.front().counts;
      std::vector<std::string> row{level.name,
                                   level.family,
                                   run.novelties[k]->name,
                                   text_of(level.validation.objects),
                                   text_of(level.scene.birds_left()),
                                   text_of(n.simulated.novel_objects),
                                   std::to_string(seen.targets)};
      const auto add = [&](int detectable, const auto& difficulty, std::optional<Third> third) {
        row.insert(row.end(), {std::to_string(detectable), shortest(difficulty.pid), shortest(difficulty.bid),
                               shortest(difficulty.value), third_text(third)});
      };
      for (Method method : validated_methods) {
        const Difficulty& reasoned = n.reasoning[method].difficulty;
        add(reasoned.interactions.front().counts.detectable, reasoned, pairs[method][i].qualitative);
      }
      add(seen.detectable, n.noisy, pairs[Method::published][i].simulated);
      for (const VisibleShare& share : {n.noisy.with_novelty, n.noisy.without_novelty})
        row.insert(row.end(), {text_of(share.targets), text_of(share.visible)});
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

Rows validation_count_rows(const ValidationRun& run) {
  Rows rows{{"level", "family", "question", "method", "true_positives", "false_positives", "false_negatives",
             "true_negatives"}};
  const std::vector<Question> list = questions(run);
  for (const ValidatedLevel& level : run.levels) {
    for (const Question& question : list) {
      const BinaryCounts c = question.of(level);
      rows.push_back({level.name, level.family, question.name, question.method, text_of(c.both),
                      text_of(c.predicted_only), text_of(c.seen_only), text_of(c.neither)});
    }
  }
  return rows;
}

std::string validation_report(const ValidationRun& run, const std::vector<ValidationTable>& tables) {
  std::string html = html_head(
      "Is the difficulty true?",
      "<p>The difficulty of novelty detection comes from reasoning about the initial state of a level, "
      "without simulation. Here every "
      "step of that reasoning is compared with what happens when the shots are simulated, each in the normal "
      "and in the novel world: " +
          text_of(run.levels.size()) + " levels" +
          (run.seed ? ", seed " + std::to_string(*run.seed) : std::string()) +
          ".</p>\n<p>A novelty is visible when the pose of a novel object differs between the two worlds, at "
          "the same time after the launch, by more than 0.1 world "
          "units or 0.1 rad for 3 steps, or when the object exists in one of them only. Values by simulation "
          "are means over " +
          text_of(run.noise.launches) + " shots perturbed by N(0, " + shortest(run.noise.sd) +
          " rad), the same perturbations in both worlds.</p>\n");
  for (const ValidationTable& table : tables) {
    html += "<h2 id=\"" + table.id + "\">" + xml_escaped(table.title) + "</h2>\n<p>" +
            xml_escaped(table.note) + "</p>\n" + html_table(table.rows);
    if (table.id == "agreement") html += agreement_plot(run);
    if (table.id == "values") html += value_plots(run);
    if (table.id == "failures")
      for (Method method : validated_methods) html += disagreements(run, method);
  }
  html += html_origin(
      run.command, run.version,
      "profile " + xml_escaped(run.profile) + ", alpha " + shortest(run.alpha) + ", aim noise " +
          shortest(run.noise.sd) + " rad, " + text_of(run.noise.launches) +
          " repeats, level-set hash <code>" + hexadecimal(run.level_set_hash) +
          "</code>. The same command gives the same bytes. Beside this file: each table as CSV, "
          "<code>levels.csv</code> and <code>counts.csv</code> with the figures of each level.");
  return html_page("Startle: validity of the difficulty", html);
}

}  // namespace startle
