#include "play/catalogue.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "core/error.hpp"
#include "levels/level_file.hpp"
#include "sim/profile.hpp"

namespace startle {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The set of a file found by searching `root`.
std::string set_of(const std::filesystem::path& file, const std::filesystem::path& root) {
  std::error_code error;
  const std::filesystem::path folder =
      std::filesystem::absolute(file.parent_path(), error).lexically_normal();
  std::filesystem::path top = std::filesystem::absolute(root, error).lexically_normal();
  if (!std::filesystem::is_directory(top, error))
    top = top.parent_path();
  else if (!top.has_filename())
    top = top.parent_path();  // "levels/"
  const std::string below = folder.lexically_relative(top).string();
  return below.empty() || below == "." ? top.filename().string() : below;
}

using FilesWithSets = std::vector<std::pair<std::filesystem::path, std::string>>;

FilesWithSets files_with_sets(const std::vector<std::filesystem::path>& paths) {
  FilesWithSets files;
  for (const std::filesystem::path& path : paths)
    for (const std::filesystem::path& file : find_level_files({path}))
      files.emplace_back(file, set_of(file, path));
  return files;
}

}  // namespace

CatalogueEntry catalogue_entry(const std::filesystem::path& file, const std::string& set,
                               const std::vector<MappedName>& map) {
  CatalogueEntry entry{.file = file, .set = set, .name = file.stem().string()};
  try {
    const StoredLevel level = read_level(file, map);
    entry.name = level.name;
    if (level.provenance) entry.family = level.provenance->family;
    if (level.difficulty) {
      entry.novelty = level.difficulty->novelty;
      entry.value = level.difficulty->value;
      entry.tier = tier_or_third(level.difficulty);
    }
    entry.birds = level.birds.size();
    entry.objects = level.objects.size();
    entry.pigs = static_cast<std::size_t>(
        std::count_if(level.objects.begin(), level.objects.end(),
                      [](const LevelObject& o) { return o.kind == Kind::pig; }));
  } catch (const std::exception& error) {
    entry.error = error.what();
  }
  return entry;
}

std::vector<CatalogueEntry> read_catalogue(const std::vector<std::filesystem::path>& paths) {
  std::vector<CatalogueEntry> entries;
  for (const auto& [file, set] : files_with_sets(paths)) entries.push_back(catalogue_entry(file, set));
  return entries;
}

bool contains_words(const std::string& name, const std::string& words) {
  return lower(name).find(lower(words)) != std::string::npos;
}

bool CatalogueFilter::passes(const CatalogueEntry& entry) const {
  if (!set.empty() && entry.set != set && !entry.set.starts_with(set + "/")) return false;
  if (!family.empty() && entry.family != family) return false;
  if (!novelty.empty() && entry.novelty != novelty) return false;
  if (!tier.empty() && entry.tier != tier) return false;
  return contains_words(entry.name, words);
}

Catalogue::~Catalogue() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void Catalogue::add(const std::vector<std::filesystem::path>& paths) {
  FilesWithSets files = files_with_sets(paths);
  if (thread_.joinable()) thread_.join();
  for (const auto& [file, set] : files)
    if (std::find(files_.begin(), files_.end(), file) == files_.end()) files_.push_back(file);
  reading_ = true;
  thread_ = std::thread([this, files = std::move(files)] {
    for (const auto& [file, set] : files) {
      if (stop_) break;
      CatalogueEntry entry = catalogue_entry(file, set, map_);
      const std::lock_guard lock(mutex_);
      arrived_.push_back(std::move(entry));
    }
    if (!novelty_.empty() && !stop_) place();
    reading_ = false;
  });
}

void Catalogue::place() {
  PlacedSet set = place_levels(
      files_, profile(profile_),
      {.novelty = novelty_, .thirds = true, .work = {.threads = 1, .map = map_, .keep_going = [this] {
                                                       return !stop_;
                                                     }}});
  const std::lock_guard lock(mutex_);
  placed_ = std::move(set);
}

bool Catalogue::update() {
  const std::lock_guard lock(mutex_);
  if (arrived_.empty() && !placed_) return false;
  for (CatalogueEntry& entry : arrived_) {
    const auto same = std::find_if(entries_.begin(), entries_.end(),
                                   [&](const CatalogueEntry& e) { return e.file == entry.file; });
    if (same != entries_.end())
      *same = std::move(entry);
    else
      entries_.push_back(std::move(entry));
  }
  arrived_.clear();
  if (!placed_) return true;
  std::map<std::filesystem::path, CatalogueEntry*> by_file;
  for (CatalogueEntry& entry : entries_) by_file[entry.file] = &entry;
  for (const PlacedLevel& level : placed_->levels) {
    CatalogueEntry& entry = *by_file.at(level.file);
    entry.novelty = level.novelty;
    entry.tier = level.tier;
    entry.value = level.difficulty->value;
    entry.left_out.clear();
  }
  for (const LeftOutLevel& level : placed_->left_out) {
    CatalogueEntry& entry = *by_file.at(level.file);
    entry.novelty = entry.tier = {};
    entry.value = -1;
    entry.left_out = name(level.reason);
  }
  left_out_ = counted(placed_->left_out);
  placed_.reset();
  return true;
}

std::vector<std::string> Catalogue::sets() const { return distinct(entries_, &CatalogueEntry::set); }
std::vector<std::string> Catalogue::families() const { return distinct(entries_, &CatalogueEntry::family); }
std::vector<std::string> Catalogue::novelties() const { return distinct(entries_, &CatalogueEntry::novelty); }

}  // namespace startle
