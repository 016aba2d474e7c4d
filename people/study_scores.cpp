#include "people/study_scores.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"
#include "people/study_session.hpp"
#include "statistics/rank_correlation.hpp"
#include "statistics/roc.hpp"
#include "statistics/significance.hpp"

namespace startle {
namespace {

constexpr std::uint64_t bootstrap_seed = 1;
/// And the thirds, of levels that store no tier.
constexpr std::array<const char*, 6> tiers{"easy", "medium", "hard", "low", "middle", "high"};

using Items = std::vector<const PlayedItem*>;

PlayedItem begun_item(const StudyParticipant& one, int position,
                      const std::map<std::string, StudyLevel>& levels) {
  const StudyParticipant::Item& planned = one.items.at(static_cast<std::size_t>(position));
  const StudyLevel& level = levels.at(planned.level);
  return {.participant = one.code,
          .position = position,
          .level = level.name,
          .novelty = level.novelty,
          .tier = level.tier,
          .pid = level.pid,
          .bid = level.bid,
          .value = level.value,
          .novel = planned.novel,
          .birds = level.birds,
          .attention = planned.attention};
}

void add_report(PlayedItem& item, const StudyEvent& e) {
  if (++item.reports == 1) item.reported_after = e.number;
  item.confidence = std::max(item.confidence, *e.confidence);
  if (item.attention && *e.confidence == attention_confidence) item.passed = true;
  if (!e.description.empty()) item.description += (item.description.empty() ? "" : " / ") + e.description;
}

/// What the events say of a session and its items.
void read_events(const StudyParticipant& one, const std::vector<StudyEvent>& events,
                 const std::map<std::string, StudyLevel>& levels, PeopleStudy& study) {
  PlayedSession session{
      .participant = one.code, .stage = replayed(one, events).stage, .withdrawn = one.withdrawn};
  PlayedItem* item = nullptr;
  double before = 0;  // time of the event before
  bool paused = false;
  const std::size_t first = study.items.size();
  for (const StudyEvent& e : events) {
    const bool opened = e.kind == StudyEventKind::opened;
    const double passed = opened || paused ? 0 : e.seconds - before;
    before = e.seconds;
    paused = e.kind == StudyEventKind::paused || (paused && !opened && e.kind != StudyEventKind::continued);
    session.seconds += passed;
    if (opened) ++session.openings;
    if (item && e.kind != StudyEventKind::interrupted) item->seconds += passed;
    switch (e.kind) {
      case StudyEventKind::answered:
        session.answers = e.answers;
        break;
      case StudyEventKind::item_begun:
        item = &study.items.emplace_back(begun_item(one, e.position, levels));
        break;
      case StudyEventKind::shot_ended:
        if (!item) {
          ++session.practice_shots;
          break;
        }
        item->shots = e.number;
        item->solved = e.outcome->pigs_left == 0;
        item->score = e.outcome->score;
        break;
      case StudyEventKind::reported:
        add_report(*item, e);
        break;
      case StudyEventKind::interrupted:
        item->interrupted = true;
        item = nullptr;
        break;
      case StudyEventKind::unnoticed:
      case StudyEventKind::item_left:
        item = nullptr;
        break;
      default:
        break;
    }
  }
  // In play when the program ended, and not gone on with since.
  if (item) item->interrupted = true;
  for (std::size_t i = first; i < study.items.size(); ++i) {
    const PlayedItem& played = study.items[i];
    session.items += !played.attention;
    session.checks += played.attention && played.answered();
    session.failed += played.attention && played.answered() && !played.passed;
  }
  study.sessions.push_back(session);
}

/// For the bootstrap: items of one participant belong together.
std::vector<std::size_t> participant_of(const Items& items) {
  std::map<std::string, std::size_t> numbers;
  std::vector<std::size_t> of;
  for (const PlayedItem* item : items)
    of.push_back(numbers.emplace(item->participant, numbers.size()).first->second);
  return of;
}

using Statistic = std::function<std::optional<double>(const Items&)>;

/// Percentile bootstrap over participants; none where there is but one.
std::optional<IntervalEstimate> over_participants(const Items& items, const Statistic& statistic) {
  const std::vector<std::size_t> participants = participant_of(items);
  if (items.empty() || *std::max_element(participants.begin(), participants.end()) == 0) return std::nullopt;
  return bootstrap_clusters(
      participants,
      [&](const std::vector<std::size_t>& drawn) {
        Items sample;
        for (const std::size_t i : drawn) sample.push_back(items[i]);
        return statistic(sample);
      },
      bootstrap_seed);
}

std::optional<double> mean(const Items& items, const std::function<double(const PlayedItem&)>& of) {
  if (items.empty()) return std::nullopt;
  double sum = 0;
  for (const PlayedItem* item : items) sum += of(*item);
  return sum / static_cast<double>(items.size());
}

double was_reported(const PlayedItem& item) { return item.reported() ? 1 : 0; }
double shots_over_birds(const PlayedItem& item) {
  return static_cast<double>(item.reported_after) / item.birds;
}

Items chosen(const Items& items, const std::function<bool(const PlayedItem&)>& which) {
  Items some;
  for (const PlayedItem* item : items)
    if (which(*item)) some.push_back(item);
  return some;
}

PeopleScore score_of(const Items& items, const std::string& novelty, const std::string& tier) {
  PeopleScore score{.novelty = novelty, .tier = tier};
  const Items mine = chosen(items, [&](const PlayedItem& i) {
    return (novelty.empty() || i.novelty == novelty) && (tier.empty() || i.tier == tier);
  });
  const Items novel = chosen(mine, [](const PlayedItem& i) { return i.novel; });
  const Items found = chosen(novel, [](const PlayedItem& i) { return i.reported(); });
  std::set<std::string> participants;
  for (const PlayedItem* item : mine) {
    participants.insert(item->participant);
    Rate& rate = item->novel ? score.detected : score.false_alarm;
    ++rate.count;
    rate.hits += item->reported();
  }
  score.participants = participants.size();
  score.detected_over_participants = over_participants(
      novel, [](const Items& some) { return mean(some, was_reported); });
  const auto shots = [](const Items& some) { return mean(some, shots_over_birds); };
  score.shots_to_detection = {
      .value = shots(found), .interval = over_participants(found, shots), .count = found.size()};
  const Statistic area = [](const Items& some) {
    std::vector<double> of_novel, of_normal;
    for (const PlayedItem* item : some) (item->novel ? of_novel : of_normal).push_back(item->confidence);
    return roc_auc(of_novel, of_normal);
  };
  score.auc = {.value = area(mine), .interval = over_participants(mine, area), .count = mine.size()};
  return score;
}

Items counted(const std::vector<PlayedItem>& items) {
  Items all;
  for (const PlayedItem& item : items)
    if (item.counts()) all.push_back(&item);
  return all;
}

std::set<std::string> novelties(const Items& items) {
  std::set<std::string> names;
  for (const PlayedItem* item : items) names.insert(item->novelty);
  return names;
}

/// Rho over the levels of the items: difficulty against the mean outcome of each.
std::optional<double> rho_over_levels(const Items& items, double PlayedItem::*measure,
                                      const std::function<double(const PlayedItem&)>& outcome) {
  std::map<std::string, Items> by_level;
  for (const PlayedItem* item : items) by_level[item->level].push_back(item);
  std::vector<double> x, y;
  for (const auto& [level, of_level] : by_level) {
    x.push_back(of_level.front()->*measure);
    y.push_back(*mean(of_level, outcome));
  }
  return spearman(x, y);
}

}  // namespace

PeopleStudy read_people_study(const std::vector<std::filesystem::path>& files) {
  PeopleStudy study;
  std::set<std::string> seeds, codes;
  for (const std::filesystem::path& file : files) {
    const StudyStore store = StudyStore::reading(file);
    const StudyRecord record = store.record();
    if (study.manifest.empty()) {
      study.manifest = record.manifest;
      study.questions = record.questions();
    }
    for (const auto& [key, value] : study.manifest)
      if (const auto found = record.manifest.find(key);
          key != "seed" && (found == record.manifest.end() || found->second != value))
        throw Error(file.string() + ": cannot be reported together with " + files.front().string() + ": " +
                    key + " differs");
    seeds.insert(record.manifest.at("seed"));
    std::map<std::string, StudyLevel> levels;
    for (const StudyLevel& level : record.levels) levels.emplace(level.name, level);
    for (const StudyParticipant& one : store.participants()) {
      if (!one.withdrawn && !codes.insert(one.code).second)
        throw Error(file.string() + ": participant " + one.code + " stands in a file before, too");
      try {
        read_events(one, store.events(one), levels, study);
      } catch (const Error& error) {
        throw Error(file.string() + ": " + error.what());
      } catch (const std::out_of_range&) {
        throw Error(file.string() + ": participant " + one.code +
                    " was given a level that the file does not hold");
      }
    }
  }
  if (study.sessions.empty())
    throw Error((files.empty() ? "" : files.front().string() + ": ") + "holds no participant");
  study.manifest["seed"] = listed({seeds.begin(), seeds.end()});
  return study;
}

std::vector<StudyAnswers> given_answers(const PeopleStudy& study) {
  std::vector<StudyAnswers> all;
  for (const PlayedSession& session : study.sessions)
    if (session.answers) all.push_back(*session.answers);
  return all;
}

std::vector<PlayedItem> attentive_items(const PeopleStudy& study) {
  std::set<std::string> failed;
  for (const PlayedSession& session : study.sessions)
    if (session.failed > 0) failed.insert(session.participant);
  std::vector<PlayedItem> items;
  for (const PlayedItem& item : study.items)
    if (!failed.contains(item.participant)) items.push_back(item);
  return items;
}

std::vector<PeopleScore> people_scores(const std::vector<PlayedItem>& items) {
  const Items all = counted(items);
  std::vector<PeopleScore> scores{score_of(all, "", "")};
  for (const char* tier : tiers) scores.push_back(score_of(all, "", tier));
  for (const std::string& novelty : novelties(all)) scores.push_back(score_of(all, novelty, ""));
  for (const std::string& novelty : novelties(all))
    for (const char* tier : tiers) scores.push_back(score_of(all, novelty, tier));
  std::erase_if(scores, [](const PeopleScore& s) { return s.participants == 0 && !s.tier.empty(); });
  return scores;
}

std::vector<TierContrast> tier_contrasts(const std::vector<PlayedItem>& items) {
  std::map<std::string, std::map<std::string, std::array<Rate, 2>>> rates;  // by novelty and participant
  for (const PlayedItem* item : counted(items)) {
    const bool easy = item->tier == "easy" || item->tier == "low",
               hard = item->tier == "hard" || item->tier == "high";
    if (!item->novel || (!easy && !hard)) continue;
    for (const std::string& novelty : {std::string(), item->novelty}) {
      Rate& rate = rates[novelty][item->participant][hard ? 1 : 0];
      ++rate.count;
      rate.hits += item->reported();
    }
  }
  if (rates.size() == 2) rates.erase(std::prev(rates.end()));  // the one novelty is all
  std::vector<TierContrast> contrasts;
  for (const auto& [novelty, participants] : rates) {
    std::vector<double> differences;
    for (const auto& [code, rate] : participants)
      if (rate[0].count > 0 && rate[1].count > 0) differences.push_back(*rate[0].value() - *rate[1].value());
    TierContrast& contrast = contrasts.emplace_back(TierContrast{.novelty = novelty});
    contrast.difference.count = differences.size();
    if (differences.empty()) continue;
    const auto mean_of = [&](const std::vector<std::size_t>& drawn) -> std::optional<double> {
      double sum = 0;
      for (const std::size_t i : drawn) sum += differences[i];
      return sum / static_cast<double>(drawn.size());
    };
    std::vector<std::size_t> each(differences.size());
    std::iota(each.begin(), each.end(), std::size_t{0});
    contrast.difference.value = mean_of(each);
    if (differences.size() > 1)
      contrast.difference.interval = bootstrap_interval(differences.size(), mean_of, bootstrap_seed);
    contrast.p = sign_flip_p(differences);
  }
  return contrasts;
}

std::vector<PeopleCorrelation> people_correlations(const std::vector<PlayedItem>& items) {
  const Items novel = chosen(counted(items), [](const PlayedItem& i) { return i.novel; });
  std::vector<std::string> groups{""};
  if (const auto names = novelties(novel); names.size() > 1)
    groups.insert(groups.end(), names.begin(), names.end());
  std::vector<PeopleCorrelation> all;
  for (const std::string& novelty : groups) {
    const Items of_group = chosen(
        novel, [&](const PlayedItem& i) { return novelty.empty() || i.novelty == novelty; });
    for (const bool detected : {true, false}) {
      const Items sample = detected ? of_group
                                    : chosen(of_group, [](const PlayedItem& i) { return i.reported(); });
      const auto outcome = detected ? was_reported : shots_over_birds;
      for (const auto& [name, measure] :
           {std::pair{"PID", &PlayedItem::pid}, {"BID", &PlayedItem::bid}, {"value", &PlayedItem::value}}) {
        std::set<std::string> levels;
        for (const PlayedItem* item : sample) levels.insert(item->level);
        const Statistic rho = [measure = measure, outcome](const Items& some) {
          return rho_over_levels(some, measure, outcome);
        };
        PeopleCorrelation& c = all.emplace_back(PeopleCorrelation{.novelty = novelty,
                                                                  .measure = name,
                                                                  .outcome = detected ? "detected" : "shots",
                                                                  .levels = levels.size(),
                                                                  .items = sample.size()});
        if (c.levels < min_levels_for_rho) continue;
        c.rho = rho(sample);
        if (c.rho) c.interval = over_participants(sample, rho);
      }
    }
  }
  return all;
}

DetectionCurve people_curve(const std::vector<PlayedItem>& items, const std::string& novelty) {
  Items mine;
  std::set<double> strengths;
  for (const PlayedItem* item : counted(items)) {
    const NoveltyName name = parse_novelty_name(item->novelty);
    if (name.entry != novelty) continue;
    mine.push_back(item);
    if (item->novel) strengths.insert(name.strength);
  }
  if (strengths.size() < 2) {
    std::string found;
    for (const double strength : strengths) found += "strength " + shortest(strength) + " alone";
    throw Error("study: " + novelty + ": found novel items of " + (found.empty() ? "no strength" : found) +
                ", needed are two strengths or more (levels generated with --novelty " + novelty +
                "@0.5 and the like)");
  }
  const std::vector<double> ascending(strengths.begin(), strengths.end());
  std::map<std::string, StrengthCounts> participants;
  for (const PlayedItem* item : mine) {
    StrengthCounts& counts = participants[item->participant];
    counts.detected.resize(1 + ascending.size());
    const auto place = std::lower_bound(ascending.begin(), ascending.end(),
                                        parse_novelty_name(item->novelty).strength) -
                       ascending.begin();
    const std::size_t k = item->novel ? 1 + static_cast<std::size_t>(place) : 0;
    counts.detected[k].hits += item->reported();
    ++counts.detected[k].count;
  }
  std::vector<StrengthCounts> units;
  for (auto& [code, counts] : participants) units.push_back(std::move(counts));
  return detection_curve(units, ascending, std::nullopt, bootstrap_seed);
}

}  // namespace startle
