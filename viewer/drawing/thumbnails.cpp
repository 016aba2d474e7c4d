#include "viewer/drawing/thumbnails.hpp"

#include <algorithm>

#include "levels/level_file.hpp"
#include "viewer/drawing/textures.hpp"

namespace startle {
namespace {

constexpr long kept_frames = 600;

}  // namespace

Bitmap level_picture(const std::filesystem::path& file, const std::string& profile_name, int width,
                     int height, const std::vector<MappedName>& map) {
  const Scene scene = make_scene(read_level(file, map), profile(profile_name));
  const Trace none;
  Bitmap picture(width, height);
  FramePainter(scene, none, Style::people)
      .paint(standing_frame(scene), whole_view(scene, none, width, height), picture);
  return picture;
}

Thumbnails::Thumbnails(std::string profile, std::vector<MappedName> map)
    : profile_(std::move(profile)), map_(std::move(map)), thread_([this] { work(); }) {}

Thumbnails::~Thumbnails() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Thumbnails::work() {
  for (;;) {
    std::string file;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || !wanted_.empty(); });
      if (stop_) return;
      file = std::move(wanted_.back());
      wanted_.pop_back();
    }
    Bitmap picture;
    try {
      picture = level_picture(file, profile_, width, height, map_);
    } catch (const std::exception&) {
      continue;  // the list says what is wrong with the file
    }
    const std::lock_guard lock(mutex_);
    ready_.emplace_back(std::move(file), std::move(picture));
  }
}

void Thumbnails::update() {
  if (++frame_ % 100 == 0)
    std::erase_if(textures_, [this](const auto& entry) { return entry.second.seen + kept_frames < frame_; });
  std::vector<std::pair<std::string, Bitmap>> ready;
  {
    const std::lock_guard lock(mutex_);
    ready.swap(ready_);
  }
  for (const auto& [file, picture] : ready) {
    Entry& entry = textures_[file];
    entry.texture = std::make_unique<sf::Texture>();
    entry.seen = frame_;
    upload(picture, *entry.texture);
  }
}

const sf::Texture* Thumbnails::find(const std::filesystem::path& file) {
  const auto [place, is_new] = textures_.try_emplace(file.string());
  place->second.seen = frame_;
  if (is_new) {
    const std::lock_guard lock(mutex_);
    wanted_.push_back(file.string());
    wake_.notify_one();
  }
  return place->second.texture.get();
}

}  // namespace startle
