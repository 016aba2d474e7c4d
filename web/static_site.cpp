#include "web/static_site.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/json_tree.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"
#include "web/level_routes.hpp"
#include "web/play_routes.hpp"
#include "web/router.hpp"
#include "web/web_levels.hpp"

namespace startle {
namespace {

constexpr std::size_t most_bytes = 8 * 1024 * 1024;  // of a request, which may hold a level
const std::string body_name = "request";             // in messages

/// The name of a file without folders, which find_level_files() finds.
std::string level_file_name(const JsonView& view) {
  const std::string& name = view.string();
  const std::filesystem::path path(name);
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name != path.filename().string() || name.find('\0') != name.npos || name == "manifest.json" ||
      (extension != ".json" && extension != ".xml"))
    view.fail("the name of a level file, which ends in .json or .xml");
  return name;
}

/// Throws Error that says what is wrong with the level, without its folder, which the player does not know.
void require_playable(const std::filesystem::path& file, const Profile& profile) {
  const std::string name = file.filename().string();
  const CatalogueEntry entry = catalogue_entry(file, "");
  std::string fault = entry.error;
  if (fault.starts_with(file.string())) fault.replace(0, file.string().size(), name);
  if (!fault.empty()) throw Error(fault);
  if (entry.birds == 0 || entry.pigs == 0)
    throw Error(name + ": found " + std::to_string(entry.birds) + " birds and " + std::to_string(entry.pigs) +
                " pigs, allowed is one or more of each");
  const std::vector<std::string> errors = validate(read_level(file), profile).errors;
  if (!errors.empty()) throw Error(name + ": " + errors.front());
}

}  // namespace

struct StaticSite::Answers {
  Router router{""};
  WebLevels levels;

  explicit Answers(const std::vector<std::filesystem::path>& paths) : levels(paths, profile("startle")) {
    add_level_routes(router, levels);
    add_play_routes(router, levels);
  }
};

StaticSite::StaticSite(std::filesystem::path levels, std::filesystem::path work)
    : levels_(std::move(levels)), new_(work / "new"), opened_(work / "opened") {
  std::filesystem::create_directories(new_);
  std::filesystem::create_directories(opened_);
  answers_ = read_levels();
}

StaticSite::~StaticSite() = default;

std::unique_ptr<StaticSite::Answers> StaticSite::read_levels() const {
  std::vector<std::filesystem::path> paths{levels_};
  if (!std::filesystem::is_empty(opened_)) paths.push_back(opened_);
  return std::make_unique<Answers>(paths);
}

std::string StaticSite::open(const std::string& body) {
  const JsonNode tree = parse_json(body, body_name);
  const JsonView view(tree, body_name);
  view.expect_keys({"file", "text"});
  const std::string name = level_file_name(view.at("file"));
  write_file(new_ / name, view.at("text").string(), {.lasting = false});
  require_playable(new_ / name, *answers_->levels.constants());
  std::filesystem::rename(new_ / name, opened_ / name);
  answers_ = read_levels();
  const std::vector<WebLevel>& list = answers_->levels.list();
  const auto added = std::find_if(list.begin(), list.end(),
                                  [&](const WebLevel& level) { return level.entry.file == opened_ / name; });
  return nlohmann::json{{"id", added->id}}.dump();
}

HttpResponse StaticSite::answer(const std::string& method, const std::string& target,
                                const std::string& body) {
  HttpReader reader({.body_bytes = most_bytes});
  reader.add(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
             "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  const std::optional<HttpRequest> request = reader.next();
  if (!request) return error_response(reader.refused(), "the request cannot be read");
  if (request->method != "POST" || request->path != std::vector<std::string>{"api", "levels"})
    return answers_->router.answer(*request);
  try {
    return {.body = open(request->body)};
  } catch (const Error& error) {
    return error_response(400, error.what());
  }
}

}  // namespace startle
