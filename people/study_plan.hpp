#pragma once
/// \file  What a participant of a study is given: practice levels and items, drawn by seed and balanced
/// [Pinto §5].
///
/// *Practice levels* are normal. An *item* is a level that is played once, in the normal or in the novel
/// world. Cells are the combinations of novelty and tier that the levels have. An *attention check* is an
/// item more, in the normal world, that says which answer it wants: who reads it can give no other. So it
/// assumes nothing about what people notice, which is what the study measures, and shows nobody a novelty.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "levels/stored_level.hpp"
#include "sim/profile.hpp"
#include "sim/scene.hpp"

namespace startle {

/// A level that can be an item. The participant is shown none of this.
struct StudyLevel {
  std::string name;
  std::uint64_t hash = 0;     ///< of the level's data
  std::string novelty, tier;  ///< as stored with the level
  double pid = 1, bid = 1, value = 1;
  int birds = 1;
  std::string text;  ///< the level as a file (level_to_json()); empty: known by its hash alone
};

/// What a study knows of these levels, in the same order. Left out are those in a third with the value 1: by
/// reasoning nothing can be detected in them, which is no degree of difficulty. Throws Error for a level
/// without stored novelty and tier or third, without birds or pigs, one in which its novelty changes nothing,
/// and names that stand twice.
std::vector<StudyLevel> study_levels(const std::vector<StoredLevel>& levels,
                                     std::shared_ptr<const Profile> profile);

struct StudySettings {
  int practice = 10;  ///< practice levels
  int items = 10;
  int normal = 5;     ///< of the items: those in the normal world
  int attention = 0;  ///< attention checks, beside the items
  std::uint64_t seed = 1;
};

struct StudyItem {
  std::size_t level = 0;  ///< index of the StudyLevel
  bool novel = false;
  bool attention = false;  ///< an attention check; normal then
  friend bool operator==(const StudyItem&, const StudyItem&) = default;
};

struct StudyPlan {
  std::vector<std::size_t> practice;  ///< indices of levels; the same for everybody. Empty where the practice
                                      ///< levels are others
  std::vector<StudyItem> items;       ///< in the order played, attention checks among them; all levels differ
  friend bool operator==(const StudyPlan&, const StudyPlan&) = default;
};

/// The plan of place `number` (from 0). Practice levels and levels of attention checks are drawn evenly from
/// all cells, are the same for everybody, and are not used for other items. Cells take turns in supplying the
/// normal items, and likewise the novel items, continuing from one participant to the next: for each of the
/// two, counts of two cells differ by at most one within a place and over all places so far. Within a
/// cell every level is used once before one is used again, unless that would give a participant a level
/// twice. The order of a participant's items is random; attention checks stand evenly among them, none first.
/// Depends on `levels`, the settings and the number alone. `practice_given`: the practice levels are none of
/// `levels`. Throws Error for settings out of range (0 to 1000 practice levels, 1 to 1000 items, normal from
/// 0 to items, 0 to 20 attention checks) and, naming the cell, where there are too few levels.
StudyPlan plan_study(const std::vector<StudyLevel>& levels, const StudySettings& settings, int number,
                     bool practice_given = false);

/// The level at rest, in the normal world or under its novelty: objects stand in the same places.
Scene study_scene(const Level& level, std::shared_ptr<const Profile> profile,
                  const std::string& novelty = "");

}  // namespace startle
