#include "web/static_site.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "levels/level_file.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"
#include "tests/web/web_samples.hpp"

using namespace startle;
using namespace startle::testing;
using nlohmann::json;

namespace {

std::string web_level_text() { return read_file(web_levels + "/" + web_level + ".json"); }

/// A site of the test's levels, with a folder of its own.
class SampleStaticSite {
 public:
  HttpResponse open(const std::string& file, const std::string& text) {
    return site_.answer("POST", "/api/levels", json{{"file", file}, {"text", text}}.dump());
  }
  std::string opened(const std::string& file, const std::string& text) {
    const HttpResponse response = open(file, text);
    INFO(response.body);
    REQUIRE(response.status == 200);
    return json::parse(response.body).at("id");
  }
  std::string refused(const std::string& file, const std::string& text) {
    const HttpResponse response = open(file, text);
    CHECK(response.status == 400);
    return json::parse(response.body).at("error");
  }
  json list() { return json::parse(site_.answer("GET", "/api/levels", "").body).at("levels"); }
  StaticSite& site() { return site_; }

 private:
  Folder folder_;
  StaticSite site_{web_levels, folder_ / "work"};
};

}  // namespace

TEST_CASE("[web] static: answers are the server's") {
  const WebSite server(web_options());
  SampleStaticSite sample;
  const std::string path = "/api/levels/" + web_level;
  for (const auto& [target, segments] : std::map<std::string, std::vector<std::string>>{
           {"/api/levels", {"api", "levels"}},
           {"/api/landscape", {"api", "landscape"}},
           {path, {"api", "levels", web_level}},
           {path + "/thumbnail.png", {"api", "levels", web_level, "thumbnail.png"}},
           {"/api/levels/a%20b", {"api", "levels", "a b"}}}) {
    const HttpResponse ours = sample.site().answer("GET", target, ""),
                       theirs = server.answer(get_request(segments));
    CHECK(ours.status == theirs.status);
    CHECK(ours.type == theirs.type);
    CHECK(ours.body == theirs.body);
  }
  for (const json& body :
       {json{{"shots", {{{"angle", 0.35}}}}}, json{{"shots", {{{"angle", "up"}}}}}, json{}}) {
    const HttpResponse ours = sample.site().answer("POST", path + "/shots", body.dump()),
                       theirs = server.answer(level_request("shots", body));
    CHECK(ours.status == theirs.status);
    CHECK(ours.body == theirs.body);
  }
}

TEST_CASE("[web] static: a level that is opened stands in the list and is played") {
  SampleStaticSite sample;
  const std::size_t shipped = sample.list().size();
  const std::string id = sample.opened("mine.json", web_level_text());
  CHECK(id == web_level + "~2");  // it has the name of a shipped one
  CHECK(sample.list().size() == shipped + 1);
  CHECK(sample.list().back().at("set") == "opened");
  CHECK(sample.site().answer("GET", "/api/levels/" + id, "").status == 200);

  StoredLevel other = read_level(web_levels + "/" + web_level + ".json");
  other.name = "another";
  const Folder folder;
  write_level(other, folder / "other.xml");
  CHECK(sample.opened("OTHER.XML", read_file(folder / "other.xml")) == "OTHER");  // XML holds no name
  write_level(other, folder / "other.json");
  CHECK(sample.opened("mine.json", read_file(folder / "other.json")) == "another");
  CHECK(sample.list().size() == shipped + 2);  // in place of the first
}

TEST_CASE("[web] static: a file that cannot be played is refused with place, found and allowed") {
  SampleStaticSite sample;
  const std::size_t shipped = sample.list().size();
  const std::string id = sample.opened("mine.json", web_level_text());
  CHECK(sample.refused("mine.json", "{}") == "mine.json: line 1, the whole text: key \"format\" is missing");
  CHECK(sample.refused("mine.json", "").starts_with("mine.json: "));
  json pigless = json::parse(web_level_text());
  pigless["objects"].erase(std::remove_if(pigless["objects"].begin(), pigless["objects"].end(),
                                          [](const json& object) { return object.at("kind") == "pig"; }),
                           pigless["objects"].end());
  CHECK_THAT(sample.refused("mine.json", pigless.dump()), Catch::Contains("0 pigs"));
  for (const std::string& name :
       {std::string(), std::string("a\0.json", 7), std::string(".json"), std::string("../mine.json"),
        std::string("a/b.json"), std::string("mine.txt"), std::string("manifest.json")})
    CHECK_THAT(sample.refused(name, web_level_text()), Catch::Contains("ends in .json or .xml"));
  // What was opened before is still there.
  CHECK(sample.list().size() == shipped + 1);
  CHECK(sample.site().answer("GET", "/api/levels/" + id, "").status == 200);
}

TEST_CASE("[web] static: what is no request is refused") {
  SampleStaticSite sample;
  CHECK(sample.site().answer("GET", "api", "").status == 400);
  CHECK(sample.site().answer("GET", "/a b", "").status == 400);
  CHECK(sample.site().answer("POST", "/api/levels", std::string(9000000, ' ')).status == 413);
  CHECK(sample.site().answer("GET", "/", "").status == 404);  // the page is the host's
}
