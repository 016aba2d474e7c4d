#include "rollouts/croissant.hpp"

#include <nlohmann/json.hpp>

#include "rollouts/shard_file.hpp"
#include "rollouts/tables.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

/// The words that Croissant 1.1 asks for, as its specification lists them.
Json context() {
  return {{"@language", "en"},
          {"@vocab", "https://schema.org/"},
          {"citeAs", "cr:citeAs"},
          {"column", "cr:column"},
          {"conformsTo", "dct:conformsTo"},
          {"containedIn", "cr:containedIn"},
          {"cr", "http://mlcommons.org/croissant/"},
          {"data", {{"@id", "cr:data"}, {"@type", "@json"}}},
          {"dataType", {{"@id", "cr:dataType"}, {"@type", "@vocab"}}},
          {"dct", "http://purl.org/dc/terms/"},
          {"examples", {{"@id", "cr:examples"}, {"@type", "@json"}}},
          {"extract", "cr:extract"},
          {"field", "cr:field"},
          {"fileObject", "cr:fileObject"},
          {"fileProperty", "cr:fileProperty"},
          {"fileSet", "cr:fileSet"},
          {"format", "cr:format"},
          {"includes", "cr:includes"},
          {"isLiveDataset", "cr:isLiveDataset"},
          {"jsonPath", "cr:jsonPath"},
          {"key", "cr:key"},
          {"md5", "cr:md5"},
          {"parentField", "cr:parentField"},
          {"path", "cr:path"},
          {"rai", "http://mlcommons.org/croissant/RAI/"},
          {"recordSet", "cr:recordSet"},
          {"references", "cr:references"},
          {"regex", "cr:regex"},
          {"repeated", "cr:repeated"},
          {"replace", "cr:replace"},
          {"samplingRate", "cr:samplingRate"},
          {"sc", "https://schema.org/"},
          {"separator", "cr:separator"},
          {"source", "cr:source"},
          {"subField", "cr:subField"},
          {"transform", "cr:transform"}};
}

const char* data_type(const ColumnInfo& column) {
  switch (column.type) {
    case ColumnType::text:
      return "sc:Text";
    case ColumnType::float32:
    case ColumnType::float64:
      return "sc:Float";
    default:
      return "sc:Integer";
  }
}

Json field(const std::string& table, const std::string& column, const std::string& type,
           const std::string& meaning) {
  const std::string id = table + "/" + column;
  return {
      {"@type", "cr:Field"}, {"@id", id},
      {"name", column},      {"description", meaning},
      {"dataType", type},    {"source", {{"fileSet", {{"@id", "shards"}}}, {"extract", {{"column", id}}}}}};
}

Json record_sets(const RolloutRecording& recording) {
  Json sets = Json::array();
  for (const TableInfo& table : rollout_tables()) {
    Json fields = Json::array();
    for (const ColumnInfo& column : table.columns) {
      std::string meaning = column.meaning;
      for (std::size_t code = 0; code < column.names.size(); ++code)
        meaning += (code == 0 ? ": " : ", ") + std::to_string(code) + " " + column.names[code];
      fields.push_back(field(table.name, column.name, data_type(column), meaning));
    }
    const std::string shape = std::to_string(recording.height) + " x " + std::to_string(recording.width);
    if (table.name == "frames" && recording.width > 0)
      fields.push_back(
          field("frames", "picture", "sc:ImageObject", shape + " x 3 bytes, RGB, rows from the top"));
    if (table.name == "frames" && recording.masks)
      fields.push_back(field("frames", "mask", "sc:ImageObject",
                             shape + " numbers: 0 sky, 1 ground and slingshot, 2 + id of the body"));
    sets.push_back({{"@type", "cr:RecordSet"},
                    {"@id", table.name},
                    {"name", table.name},
                    {"description", table.meaning},
                    {"field", fields}});
  }
  return sets;
}

Json distribution(const std::vector<ShardRecord>& shards) {
  Json files = Json::array();
  for (const ShardRecord& shard : shards)
    files.push_back({{"@type", "cr:FileObject"},
                     {"@id", shard.file},
                     {"name", shard.file},
                     {"contentUrl", shard.file},
                     {"contentSize", std::to_string(shard.bytes) + " B"},
                     {"encodingFormat", "application/x-hdf5"},
                     {"sha256", shard.sha256}});
  files.push_back({{"@type", "cr:FileSet"},
                   {"@id", "shards"},
                   {"name", "shards"},
                   {"description", "all episodes, in order"},
                   {"encodingFormat", "application/x-hdf5"},
                   {"includes", "rollouts-*.h5"}});
  return files;
}

}  // namespace

std::string rollouts_croissant(const RolloutSettings& settings, const std::vector<ShardRecord>& shards) {
  std::uint64_t episodes = 0, frames = 0;
  for (const ShardRecord& shard : shards) {
    episodes += shard.rows.at("episodes");
    frames += shard.rows.at("frames");
  }
  const std::string worlds = settings.novelty.empty()
                                 ? "in the normal world"
                                 : "in the normal world and in that of a novelty (" + settings.novelty + ")";
  const Json json = {
      {"@context", context()},
      {"@type", "sc:Dataset"},
      {"conformsTo", {"http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"}},
      {"name", "startle-rollouts"},
      {"description", std::to_string(episodes) + " episodes, " + std::to_string(frames) +
                          " frames, of levels in the manner of Angry Birds, " + worlds +
                          ": poses, velocities, contacts with impulses, support edges, energies, damage and "
                          "destruction. Made "
                          "by: " +
                          settings.command},
      {"url", "croissant.json"},
      {"license", "https://spdx.org/licenses/MIT.html"},
      {"creator", {{"@type", "sc:Organization"}, {"name", "The Startle developers"}}},
      {"datePublished", settings.date},
      {"version", "1.0.0"},
      {"citeAs", "The Startle developers: Startle. " + settings.program},
      {"keywords", {"world models", "intuitive physics", "novelty detection", "rigid bodies"}},
      {"isLiveDataset", false},
      {"rai:dataCollection",
       "Simulated by " + settings.program +
           " with Box2D at a fixed step; agents choose the shots. The same command gives the same bytes."},
      {"rai:dataCollectionType", "Simulations"},
      {"rai:dataUseCases",
       {"Training and testing models of the dynamics of rigid bodies, and of what happens in a level.",
        "Testing whether such models notice that a world is not the normal one.",
        "Not for testing on levels that were trained on: levels/benchmark is for testing alone."}},
      {"rai:dataLimitations",
       {"Two dimensions, rigid bodies, one engine; learned dynamics need not hold for real objects.",
        "Impulses of explosions, bird powers and force fields are in velocities and events, not in contacts.",
        "What happens between two frames is in events and sums of impulses alone."}},
      {"rai:dataBiases",
       {"Shots are those of the agents named in the episodes: states that they do not reach are missing.",
        "Levels are those that were given; generated ones stand still and can be solved.",
        "Most frames show objects at rest."}},
      {"rai:dataSocialImpact", "None is known: no person, place or real event is in the data."},
      {"rai:personalSensitiveInformation", "None: everything is simulated."},
      {"distribution", distribution(shards)},
      {"recordSet", record_sets(settings.recording)}};
  return json.dump(2) + "\n";
}

}  // namespace startle
