#pragma once
/// \file  The levels that can be chosen: found in folders, read beside the window's work, filtered. No window
/// here.
#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "levels/placed_levels.hpp"
#include "sim/level.hpp"

namespace startle {

/// The texts of that member that occur, each once, in order; not the empty one.
template <typename Entry>
std::vector<std::string> distinct(const std::vector<Entry>& entries, std::string Entry::*member) {
  std::set<std::string> found;
  for (const Entry& entry : entries)
    if (!(entry.*member).empty()) found.insert(entry.*member);
  return {found.begin(), found.end()};
}

/// A level as it stands in the list.
struct CatalogueEntry {
  std::filesystem::path file;
  std::string set;  ///< its folder below the one it was found in: "benchmark/T1/easy"; that one's own name
                    ///< for what lies in it
  std::string name;
  std::string family;         ///< generator family; empty: unknown
  std::string novelty, tier;  ///< of the stored difficulty, or of the catalogue's novelty; empty: none; the
                              ///< third where no tier is stored
  double value = -1;          ///< difficulty of that novelty; negative: none
  std::string left_out;  ///< why it has no difficulty of the catalogue's novelty (levels/placed_levels.hpp);
                         ///< empty: it has
  std::size_t birds = 0, pigs = 0, objects = 0;
  std::string error;  ///< why the file cannot be read; empty: it can
};

/// What to say of one file. Never throws for what is wrong with the file: `error` says it.
CatalogueEntry catalogue_entry(const std::filesystem::path& file, const std::string& set,
                               const std::vector<MappedName>& map = {});

/// What to say of all level files at `paths`, searched as find_level_files() does, in its order. Throws Error
/// when one does not exist or holds no level.
std::vector<CatalogueEntry> read_catalogue(const std::vector<std::filesystem::path>& paths);

/// Whether `words` are part of `name`, capitals or not; no words are part of every name.
bool contains_words(const std::string& name, const std::string& words);

/// Conditions that a level in the list meets; an empty one is met by all.
struct CatalogueFilter {
  std::string set;  ///< itself and sets below it
  std::string family, novelty, tier;
  std::string words;  ///< part of the name, capitals or not
  bool passes(const CatalogueEntry& entry) const;
  friend bool operator==(const CatalogueFilter&, const CatalogueFilter&) = default;
};

/// Reads files in a thread of its own. entries() grows while it does; order is that of the files.
class Catalogue {
 public:
  /// With a novelty every level is placed under it, with its third among all levels here that store no
  /// difficulty, or left out, by place_levels() under the profile of that name.
  explicit Catalogue(std::string novelty = {}, std::string profile = "startle",
                     std::vector<MappedName> map = {})
      : novelty_(std::move(novelty)), profile_(std::move(profile)), map_(std::move(map)) {}
  ~Catalogue();
  Catalogue(const Catalogue&) = delete;
  Catalogue& operator=(const Catalogue&) = delete;

  /// Files, and folders searched as find_level_files() does; those in the list already are read anew. Throws
  /// Error when one does not exist or holds no level. Waits while files are being read.
  void add(const std::vector<std::filesystem::path>& paths);

  /// To be called once a frame: takes over what has been read. True when there is something new.
  bool update();
  bool reading() const { return reading_; }
  const std::vector<CatalogueEntry>& entries() const { return entries_; }
  /// "no pigs 3, no target 1": what has been left out; empty: nothing.
  const std::string& left_out() const { return left_out_; }

  /// Values that occur, sorted.
  std::vector<std::string> sets() const;
  std::vector<std::string> families() const;
  std::vector<std::string> novelties() const;

 private:
  void place();  ///< in the thread

  std::string novelty_, profile_;
  std::vector<MappedName> map_;
  std::vector<std::filesystem::path> files_;  ///< of all levels
  std::vector<CatalogueEntry> entries_;
  std::vector<CatalogueEntry> arrived_;  ///< read, not yet taken over
  std::optional<PlacedSet> placed_;      ///< likewise
  std::string left_out_;
  std::mutex mutex_;
  std::atomic<bool> reading_ = false, stop_ = false;
  std::thread thread_;
};

}  // namespace startle
