#pragma once
/// \file  Small pictures of levels, drawn in a thread of their own and kept as textures.
#include <SFML/Graphics/Texture.hpp>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "levels/name_map.hpp"
#include "render/frames.hpp"

namespace startle {

/// The level as it stands, before anything has settled. Throws Error for a level that cannot be used.
Bitmap level_picture(const std::filesystem::path& file, const std::string& profile, int width, int height,
                     const std::vector<MappedName>& map = {});

class Thumbnails {
 public:
  static constexpr int width = 288, height = 162;  ///< pixels

  explicit Thumbnails(std::string profile, std::vector<MappedName> map = {});
  ~Thumbnails();
  Thumbnails(const Thumbnails&) = delete;
  Thumbnails& operator=(const Thumbnails&) = delete;

  /// To be called once a frame, before find(): pictures that are ready become textures, those asked for long
  /// ago are let go.
  void update();
  /// The picture; null while it is being drawn, which the first call asks for, and when it cannot be drawn.
  /// Those asked for last are drawn first.
  const sf::Texture* find(const std::filesystem::path& file);
  /// Draws the file's picture anew.
  void forget(const std::filesystem::path& file) { textures_.erase(file.string()); }

 private:
  void work();

  struct Entry {
    std::unique_ptr<sf::Texture> texture;
    long seen = 0;
  };
  std::string profile_;
  std::vector<MappedName> map_;
  std::map<std::string, Entry> textures_;
  long frame_ = 0;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::string> wanted_;  ///< the last one is drawn next
  std::vector<std::pair<std::string, Bitmap>> ready_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace startle
