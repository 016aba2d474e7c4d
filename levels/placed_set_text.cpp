#include "levels/placed_set_text.hpp"

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "levels/level_json.hpp"
#include "sim/novelty.hpp"

namespace startle {
namespace {

using Json = nlohmann::json;

/// What settling changes of the objects, in their order.
Json places_of(const Scene& rest) {
  Json places = Json::array();
  for (const SceneObject& o : rest.objects)
    places.push_back({o.pose.position.x, o.pose.position.y, o.pose.angle, o.velocity.x, o.velocity.y,
                      o.angular_velocity, o.life, o.alive});
  return places;
}

void put(Scene& scene, const Json& places) {
  if (places.size() != scene.objects.size())
    throw Error("found places of " + std::to_string(places.size()) + " objects, the level has " +
                std::to_string(scene.objects.size()));
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Json& place = places[i];
    SceneObject& o = scene.objects[i];
    o.pose = {{place.at(0), place.at(1)}, place.at(2)};
    o.velocity = {place.at(3), place.at(4)};
    o.angular_velocity = place.at(5);
    o.life = place.at(6);
    o.alive = place.at(7);
  }
}

}  // namespace

std::string placed_set_text(const PlacedSet& set) {
  Json json = Json::array();
  for (const PlacedLevel& level : set.levels)
    json.push_back({{"name", level.name},
                    {"novelty", level.novelty},
                    {"tier", level.tier},
                    {"level", level_to_json(level.level)},
                    {"places", places_of(level.rest)},
                    {"rest_mark", level.rest.rest_mark}});
  return json.dump();
}

PlacedSet placed_set_from_text(const std::string& text, const std::shared_ptr<const Profile>& profile) {
  PlacedSet set;
  try {
    for (const Json& json : Json::parse(text)) {
      PlacedLevel& level = set.levels.emplace_back();
      json.at("name").get_to(level.name);
      json.at("novelty").get_to(level.novelty);
      json.at("tier").get_to(level.tier);
      level.level = level_from_json(json.at("level").get_ref<const std::string&>(), level.name);
      level.change = find_novelty(level.novelty, level.level);
      level.rest = make_scene(level.level, profile);
      put(level.rest, json.at("places"));
      json.at("rest_mark").get_to(level.rest.rest_mark);
    }
  } catch (const Json::exception& error) {
    throw Error(std::string("placed levels: ") + error.what());
  }
  return set;
}

}  // namespace startle
