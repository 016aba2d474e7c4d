#pragma once
/// \file  Keys of a screen, and what each does.
#include <SFML/Window/Keyboard.hpp>
#include <functional>
#include <vector>

#include "play/playback.hpp"

namespace startle {

struct KeyAction {
  std::vector<sf::Keyboard::Key> keys;
  std::function<void()> act;
};

/// Does what stands beside the key. False where it is not among them.
bool press(sf::Keyboard::Key key, const std::vector<KeyAction>& actions);

/// Of a shot that is shown: a step on or back (. ,), faster or slower (] [), normal speed (1 \). False for
/// other keys.
bool press_playback_key(sf::Keyboard::Key key, Playback& playback);

}  // namespace startle
