#include "viewer/screens/keys.hpp"

#include <algorithm>

namespace startle {

bool press(sf::Keyboard::Key key, const std::vector<KeyAction>& actions) {
  for (const KeyAction& action : actions)
    if (std::find(action.keys.begin(), action.keys.end(), key) != action.keys.end()) {
      action.act();
      return true;
    }
  return false;
}

bool press_playback_key(sf::Keyboard::Key key, Playback& playback) {
  using K = sf::Keyboard;
  return press(key, {{{K::Period}, [&] { playback.step(1); }},
                     {{K::Comma}, [&] { playback.step(-1); }},
                     {{K::RBracket}, [&] { playback.faster(); }},
                     {{K::LBracket}, [&] { playback.slower(); }},
                     {{K::Num1, K::BackSlash}, [&] { playback.normal_speed(); }}});
}

}  // namespace startle
