#pragma once
/// \file  Clips that need no simulation: squares that fly on straight lines and bounce off the edges of the
/// frame.
#include "core/random.hpp"
#include "surprise/networks/trainer.hpp"

namespace startle {

/// The clip with that number: two squares of a quarter of the frame, in two colours, on a blue ground.
inline Clip moving_squares(const ClipFormat& format, std::uint64_t number) {
  Random random(stream_seed(number, "tests/moving squares"));
  Clip clip{.frames = format.frames, .pixels = format.pixels, .rgb = {}, .masks = {}};
  const int n = format.pixels, side = n / 4;
  struct Square {
    int x, y, vx, vy, channel;
  };
  Square squares[2];
  for (int i = 0; i < 2; ++i)
    squares[i] = {random.integer(0, n - side), random.integer(0, n - side), random.integer(-2, 2),
                  random.integer(-2, 2), i};
  for (int t = 0; t < format.frames; ++t) {
    std::vector<std::uint8_t> frame(static_cast<std::size_t>(n) * static_cast<std::size_t>(n) * 3);
    for (std::size_t pixel = 0; pixel < frame.size(); pixel += 3) frame[pixel + 2] = 120;
    for (Square& square : squares) {
      for (int y = square.y; y < square.y + side; ++y)
        for (int x = square.x; x < square.x + side; ++x)
          frame[static_cast<std::size_t>((y * n + x) * 3 + square.channel)] = 255;
      const auto advance = [&](int& place, int& velocity) {
        if (place + velocity < 0 || place + velocity > n - side) velocity = -velocity;
        place += velocity;
      };
      advance(square.x, square.vx);
      advance(square.y, square.vy);
    }
    clip.rgb.insert(clip.rgb.end(), frame.begin(), frame.end());
  }
  return clip;
}

/// `count` clips from number `first` on.
inline ClipSource squares_source(const ClipFormat& format, std::size_t count, std::uint64_t first = 0) {
  return {.description = "squares " + std::to_string(first) + " to " + std::to_string(first + count),
          .format = format,
          .count = count,
          .read = [=](const std::vector<std::size_t>& indices) {
            std::vector<Clip> clips;
            for (const std::size_t index : indices) clips.push_back(moving_squares(format, first + index));
            return clips;
          }};
}

}  // namespace startle
