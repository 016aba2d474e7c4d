#include "web/level_routes.hpp"

#include <memory>
#include <nlohmann/json.hpp>

#include "render/frames.hpp"
#include "render/png.hpp"
#include "web/seen_json.hpp"

namespace startle {
namespace {

using nlohmann::json;

constexpr int thumbnail_width = 256, thumbnail_height = 144;  // pixels
constexpr std::size_t most_thumbnails = 512, most_levels = 64;
constexpr const char* for_an_hour = "private, max-age=3600";

json list_json(const WebLevels& levels) {
  json list = json::array();
  for (const auto& [id, entry] : levels.list()) {
    json level = {
        {"id", id}, {"name", entry.name}, {"set", entry.set}, {"birds", entry.birds}, {"pigs", entry.pigs}};
    for (const auto& [key, value] :
         {std::pair("family", &entry.family), {"novelty", &entry.novelty}, {"tier", &entry.tier}})
      if (!value->empty()) level[key] = *value;
    list.push_back(std::move(level));
  }
  return {{"levels", std::move(list)}};
}

std::string thumbnail(const Scene& scene) {
  const Trace none;
  Bitmap picture(thumbnail_width, thumbnail_height);
  FramePainter(scene, none, Style::people)
      .paint(standing_frame(scene), whole_view(scene, none, thumbnail_width, thumbnail_height), picture);
  return png_bytes(picture);
}

json level_json(const std::string& id, const OpenLevel& level) {
  json novelties = json::array();
  for (const std::string& name : WebLevels::novelties(level))
    novelties.push_back({{"name", name}, {"description", WebLevels::novelty(level, name).description}});
  json result = {{"id", id},
                 {"name", level.level.name},
                 {"novelties", std::move(novelties)},
                 {"scene", scene_json(level.normal)},
                 {"art", artwork_json(level.normal)}};
  if (level.level.difficulty) {
    result["novelty"] = level.level.difficulty->novelty;
    result["tier"] = tier_or_third(level.level.difficulty);
  } else if (level.level.novelty) {
    result["novelty"] = own_novelty;
  }
  return result;
}

HttpResponse kept(std::string body, const std::string& type, const char* how_long) {
  return {.type = type, .body = std::move(body), .headers = {{"Cache-Control", how_long}}};
}

}  // namespace

void add_level_routes(Router& router, WebLevels& levels) {
  const auto list = std::make_shared<const std::string>(list_json(levels).dump());
  const auto landscape = std::make_shared<const std::string>(landscape_json(*levels.constants()).dump());
  const auto thumbnails = std::make_shared<Recent<std::string>>(most_thumbnails);
  const auto scenes = std::make_shared<Recent<std::string>>(most_levels);
  router.add("GET", "/api/levels", [list](const Call&) { return HttpResponse{.body = *list}; });
  router.add("GET", "/api/landscape",
             [landscape](const Call&) { return kept(*landscape, "application/json", for_an_hour); });
  router.add("GET", "/api/levels/*", [scenes, &levels](const Call& call) {
    const std::string& id = call.arguments[0];
    levels.find(id);
    return HttpResponse{.body = *scenes->get(id, [&] { return level_json(id, *levels.open(id)).dump(); })};
  });
  router.add("GET", "/api/levels/*/thumbnail.png", [thumbnails, &levels](const Call& call) {
    const std::string& id = call.arguments[0];
    levels.find(id);
    return kept(*thumbnails->get(id, [&] { return thumbnail(levels.open(id)->start); }), "image/png",
                for_an_hour);
  });
}

}  // namespace startle
