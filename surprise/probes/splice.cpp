#include "surprise/probes/splice.hpp"

#include <algorithm>

#include "core/hash.hpp"

namespace startle {
namespace {

/// Of picture and mask.
std::uint64_t frame_hash(const Clip& clip, int t) {
  Hash hash;
  for (std::size_t i = 0; i < clip.frame_size(); ++i) hash.add_byte(clip.frame(t)[i]);
  const std::size_t pixels = clip.frame_size() / 3;
  for (std::size_t i = 0; i < pixels; ++i)
    hash.add_byte(clip.masks[static_cast<std::size_t>(t) * pixels + i]);
  return hash.value();
}

}  // namespace

std::vector<std::uint64_t> frame_hashes(const Clip& clip) {
  std::vector<std::uint64_t> hashes;
  for (int t = 0; t < clip.frames; ++t) hashes.push_back(frame_hash(clip, t));
  return hashes;
}

Clip spliced(const Clip& a, const Clip& b, const std::vector<int>& splices) {
  Clip clip{.frames = a.frames, .pixels = a.pixels, .rgb = {}, .masks = {}};
  const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(a.frame_size()), pixels = size / 3;
  for (int t = 0; t < a.frames; ++t) {
    const auto turns = std::count_if(splices.begin(), splices.end(), [&](int s) { return s <= t; });
    const Clip& from = turns % 2 == 0 ? a : b;
    clip.rgb.insert(clip.rgb.end(), from.rgb.begin() + t * size, from.rgb.begin() + (t + 1) * size);
    clip.masks.insert(clip.masks.end(), from.masks.begin() + t * pixels,
                      from.masks.begin() + (t + 1) * pixels);
  }
  return clip;
}

Clip reversed(const Clip& clip) {
  Clip result{.frames = clip.frames, .pixels = clip.pixels, .rgb = {}, .masks = {}};
  const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(clip.frame_size()), pixels = size / 3;
  for (int t = clip.frames - 1; t >= 0; --t) {
    result.rgb.insert(result.rgb.end(), clip.rgb.begin() + t * size, clip.rgb.begin() + (t + 1) * size);
    result.masks.insert(result.masks.end(), clip.masks.begin() + t * pixels,
                        clip.masks.begin() + (t + 1) * pixels);
  }
  return result;
}

std::vector<int> hidden_splices(const Clip& a, const Clip& b) {
  const std::vector<std::uint64_t> of_a = frame_hashes(a), of_b = frame_hashes(b);
  std::vector<int> splices;
  bool differed = false;
  int run = 0;
  for (int t = 0; t < a.frames; ++t) {
    const auto i = static_cast<std::size_t>(t);
    if (of_a[i] == of_b[i]) {
      ++run;
      continue;
    }
    if (differed && run == 1) return {};  // too short to hide anything
    if (differed && run >= 2) splices.push_back(t - run + (run + 1) / 2);
    differed = true;
    run = 0;
  }
  return splices;
}

}  // namespace startle
