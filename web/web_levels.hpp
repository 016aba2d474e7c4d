#pragma once
/// \file  The levels of a server, each under a name that addresses can hold.
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "levels/stored_level.hpp"
#include "play/catalogue.hpp"
#include "sim/novelty.hpp"
#include "sim/profile.hpp"
#include "web/recent.hpp"

namespace startle {

/// A level in the list.
struct WebLevel {
  std::string id;  ///< its name; "name~2" for the second of that name
  CatalogueEntry entry;
};

/// A level that is open: as read, and at rest in the normal world.
struct OpenLevel {
  StoredLevel level;
  Scene start;   ///< as make_scene() gives it
  Scene normal;  ///< settled
};

class WebLevels {
 public:
  /// Files and folders of levels. What cannot be read or has no bird or no pig is left out. Throws Error when
  /// a path does not exist, and when no level is left.
  WebLevels(const std::vector<std::filesystem::path>& paths, std::shared_ptr<const Profile> profile);

  const std::vector<WebLevel>& list() const { return levels_; }
  std::size_t left_out() const { return left_out_; }
  /// How many scenes may be kept for later requests: fewer where levels are large, so that memory is bounded.
  std::size_t most_scenes() const;
  const std::shared_ptr<const Profile>& constants() const { return profile_; }

  /// Throws NotFound for an id that is none.
  const WebLevel& find(const std::string& id) const;
  /// The last few are kept. Throws NotFound, and Error for a file that has become unreadable.
  std::shared_ptr<const OpenLevel> open(const std::string& id);
  /// A novelty of the catalogues, the one that is stored with the level, or "own" where the file carries one.
  /// Throws Error for others.
  static Novelty novelty(const OpenLevel& level, const std::string& name);
  /// Their names.
  static std::vector<std::string> novelties(const OpenLevel& level);

 private:
  std::shared_ptr<const Profile> profile_;
  std::vector<WebLevel> levels_;
  std::map<std::string, std::size_t> places_;  ///< by id
  std::size_t left_out_ = 0;
  std::size_t largest_ = 1;  ///< number of objects
  std::unique_ptr<Recent<OpenLevel>> open_;
};

}  // namespace startle
