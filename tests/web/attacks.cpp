#include <chrono>
#include <list>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/catch.hpp"
#include "tests/web/web_samples.hpp"

using namespace startle;
using namespace startle::testing;
using nlohmann::json;

namespace {

const std::string host = "Host: 127.0.0.1\r\n";

std::string get(const std::string& target, const std::string& headers = "") {
  return "GET " + target + " HTTP/1.1\r\n" + host + "Connection: close\r\n" + headers + "\r\n";
}

std::string post(const std::string& target, const std::string& body, const std::string& headers) {
  return "POST " + target + " HTTP/1.1\r\n" + host +
         "Connection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + headers + "\r\n" +
         body;
}

const std::string json_type = "Content-Type: application/json\r\n";
const std::string shots_path = "/api/levels/" + web_level + "/shots";

/// Whether the server still answers.
bool well(int port) { return raw_answer(port, get("/")).status == 200; }

WebSiteOptions impatient(std::size_t connections = 900) {
  WebSiteOptions options = web_options();
  options.server.request = std::chrono::milliseconds(300);
  options.server.idle = std::chrono::milliseconds(300);
  options.server.most_connections = connections;
  return options;
}

}  // namespace

TEST_CASE("[web] no path leads to a file of the machine") {
  const RunningSite site;
  for (const char* path : {"/page/../CMakeLists.txt", "/../../../../etc/passwd",
                           "/page/..%2f..%2fetc%2fpasswd", "/page/%2fetc%2fpasswd", "/page//etc/passwd",
                           "/api/levels/..%2f..%2fREADME.md", "/api/levels/%2fetc%2fpasswd/thumbnail.png",
                           "/page/....//index.html", "/page/index.html%20", "/page/C:%5cwindows", "/page/"}) {
    const RawAnswer answer = raw_answer(site.port(), get(path));
    INFO(path << " " << answer.body);
    CHECK(answer.status == 404);
    CHECK(answer.body.find("root:") == std::string::npos);
  }
  CHECK(raw_answer(site.port(), get("/page/%00index.html")).status == 400);
}

TEST_CASE("[web] requests that are too large are refused before they have come") {
  const RunningSite site;
  CHECK(raw_answer(site.port(), "POST / HTTP/1.1\r\n" + host + "Content-Length: 1000000000\r\n\r\n").status ==
        413);
  CHECK(raw_answer(site.port(), "GET /" + std::string(17 * 1024, 'a')).status == 431);
  CHECK(raw_answer(site.port(), "GET / HTTP/1.1\r\n" + std::string(17 * 1024, 'b')).status == 431);
  std::string many = "GET / HTTP/1.1\r\n" + host;
  while (many.size() <= 17 * 1024) many += "A: b\r\n";
  CHECK(raw_answer(site.port(), many).status == 431);
  CHECK(well(site.port()));
}

TEST_CASE("[web] who sends on after a refusal still gets it, and is cut off") {
  const RunningSite site;
  RawClient client(site.port());
  client.write("POST / HTTP/1.1\r\n" + host + "Content-Length: 4000000\r\n\r\n" + std::string(4000000, 'x'));
  CHECK_THAT(client.read(""), Catch::StartsWith("HTTP/1.1 413"));
  bool cut_off = false;
  for (int i = 0; i < 100 && !cut_off; ++i) {
    cut_off = !client.write("x");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  CHECK(cut_off);
}

TEST_CASE("[web] a request that comes too slowly is cut off") {
  const RunningSite site(impatient());
  for (const std::string& start :
       {std::string("GET / HT"), "GET / HTTP/1.1\r\n" + host + "X: ",
        "POST " + shots_path + " HTTP/1.1\r\n" + host + "Content-Length: 10\r\n\r\n{"}) {
    RawClient client(site.port());
    client.write(start);
    // A byte now and then does not lengthen its time.
    bool closed = false;
    for (int i = 0; i < 100 && !closed; ++i) {
      client.write("a");
      closed = client.closes(50);
    }
    CHECK(closed);
  }
  RawClient silent(site.port());
  CHECK(silent.closes());
  CHECK(well(site.port()));
}

TEST_CASE("[web] idle connections are bounded, and keep nobody out") {
  constexpr std::size_t most = 40;
  WebSiteOptions options = web_options();
  options.server.most_connections = most;
  const RunningSite site(options);
  std::list<RawClient> idle;
  for (std::size_t i = 0; i < 5 * most; ++i) {
    idle.emplace_back(site.port());
    REQUIRE(idle.back().connected());
    if (i % 2 == 0) idle.back().write("GET / HTTP/1.1\r\n");  // begun and never ended
    if (i % 20 == 0) CHECK(well(site.port()));
  }
  CHECK(idle.front().closes());  // the one that has waited longest made room
  CHECK(well(site.port()));
}

TEST_CASE("[web] a client that takes no answer holds no thread") {
  const RunningSite site(impatient());
  std::list<RawClient> deaf;
  for (int i = 0; i < 8; ++i) {
    deaf.emplace_back(site.port());
    std::string requests;
    for (int k = 0; k < 100; ++k) requests += "GET /api/landscape HTTP/1.1\r\n" + host + "\r\n";
    deaf.back().write(requests);
  }
  CHECK(well(site.port()));
}

TEST_CASE("[web] more requests than can wait are turned away, and answered later") {
  WebSiteOptions options = web_options();
  options.server.threads = 1;
  options.server.most_waiting = 2;
  const RunningSite site(options);
  const std::string body = json{{"shots", {{{"angle", 0.4}}}}, {"novelty", "T2"}}.dump();
  const std::string path = "/api/levels/" + web_level + "/twins";
  std::list<RawClient> clients;
  for (int i = 0; i < 30; ++i) {
    clients.emplace_back(site.port());
    clients.back().write(post(path, body, json_type));
  }
  int busy = 0, done = 0;
  for (RawClient& client : clients) {
    const std::string text = client.read("");
    busy += text.starts_with("HTTP/1.1 503") && text.find("Retry-After") != std::string::npos;
    done += text.starts_with("HTTP/1.1 200");
  }
  CHECK(busy > 0);
  CHECK(done > 0);
  CHECK(busy + done == 30);
  CHECK(well(site.port()));
}

TEST_CASE("[web] bodies that are no JSON, and numbers that are none, are refused") {
  const RunningSite site;
  std::string deep = "{\"shots\":";
  for (int i = 0; i < 5000; ++i) deep += "[";
  for (const std::string& body :
       {std::string(), std::string("{"), std::string("null"), std::string("[]"), deep,
        std::string("{\"shots\":[{\"angle\":NaN}]}"), std::string("{\"shots\":[{\"angle\":Infinity}]}"),
        std::string("{\"shots\":[{\"angle\":1e999}]}"), std::string("{\"shots\":[{\"angle\":-1e999}]}"),
        std::string("{\"shots\":[{\"angle\":0.1,\"angle\":0.2}]}"),
        std::string("{\"shots\":[{\"angle\":null}]}"), std::string("{\"shots\":{}}"),
        std::string("{\"shots\":[],\"world\":1}"), std::string("\xff\xfe"),
        std::string("{\"shots\":[]}\0x", 14)}) {
    const RawAnswer answer = raw_answer(site.port(), post(shots_path, body, json_type));
    INFO(body.substr(0, 60));
    CHECK(answer.status == 400);
    CHECK(json::parse(answer.body).contains("error"));
  }
  CHECK(raw_answer(site.port(), post(shots_path, "{\"shots\":[{\"angle\":0.1}]}", json_type)).status == 200);
}

TEST_CASE("[web] another site's page can ask for nothing") {
  const RunningSite site;
  const std::string body = "{\"shots\":[]}";
  const auto status = [&](const std::string& headers) {
    return raw_answer(site.port(), post(shots_path, body, headers)).status;
  };
  CHECK(status(json_type) == 200);
  CHECK(status(json_type + "Origin: http://127.0.0.1\r\n") == 200);
  CHECK(status(json_type + "Origin: https://evil.example\r\n") == 403);
  CHECK(status(json_type + "Origin: null\r\n") == 403);
  CHECK(status(json_type + "Origin: http://127.0.0.1:9\r\n") == 403);
  CHECK(status(json_type + "Origin: http://127.0.0.1.evil.example\r\n") == 403);
  CHECK(status(json_type + "Sec-Fetch-Site: cross-site\r\n") == 403);
  CHECK(status(json_type + "Sec-Fetch-Site: same-site\r\n") == 403);
  // What a form can send.
  CHECK(status("Content-Type: text/plain\r\n") == 415);
  CHECK(status("Content-Type: application/x-www-form-urlencoded\r\n") == 415);
  CHECK(status("") == 415);
  // A name of somebody else that leads here.
  CHECK(raw_answer(site.port(), "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n").status ==
        421);
  CHECK(raw_answer(site.port(), "GET / HTTP/1.0\r\n\r\n").status == 421);
}

TEST_CASE("[web] behind a reverse proxy the site's own name is known, and no other") {
  WebSiteOptions options = web_options();
  options.site = "https://play.example.org";
  const WebSite site(options);
  HttpRequest request = level_request("shots", {{"shots", json::array()}});
  request.headers["host"] = "play.example.org";
  request.headers["origin"] = "https://play.example.org";
  CHECK(site.answer(request).status == 200);
  request.headers["origin"] = "http://play.example.org.evil.example";
  CHECK(site.answer(request).status == 403);
  request.headers["host"] = "other.example.org";
  CHECK(site.answer(request).status == 421);
}

TEST_CASE("[web] every answer has browsers run nothing of others and guess no type") {
  const RunningSite site;
  for (const char* path : {"/", "/page/main.js", "/api/levels", "/api/levels/none", "/nothing"}) {
    const RawAnswer answer = raw_answer(site.port(), get(path));
    CHECK_THAT(answer.head,
               Catch::Contains("Content-Security-Policy: default-src 'none'; script-src 'self'"));
    CHECK(answer.head.find("unsafe") == std::string::npos);
    CHECK_THAT(answer.head, Catch::Contains("X-Content-Type-Options: nosniff"));
    CHECK_THAT(answer.head, Catch::Contains("Referrer-Policy: no-referrer"));
    CHECK(answer.head.find("Set-Cookie") == std::string::npos);
    CHECK(answer.head.find("Access-Control") == std::string::npos);
  }
  const std::string page = raw_answer(site.port(), get("/")).body;
  CHECK(page.find("<script>") == std::string::npos);
  CHECK(page.find("style=") == std::string::npos);
  CHECK(page.find("http://") == std::string::npos);
  CHECK(page.find("https://") == std::string::npos);
}

TEST_CASE("[web] methods that are none of a page are refused") {
  const RunningSite site;
  for (const char* method : {"DELETE", "PUT", "PATCH", "OPTIONS", "TRACE", "CONNECT", "FOO"}) {
    const RawAnswer answer = raw_answer(site.port(), std::string(method) + " / HTTP/1.1\r\n" + host +
                                                         json_type + "Connection: close\r\n\r\n");
    CHECK(answer.status == 405);
    CHECK_THAT(answer.head, Catch::Contains("Allow: GET"));
  }
  const RawAnswer head = raw_answer(site.port(), "HEAD / HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n");
  CHECK(head.status == 200);
  CHECK(head.body.empty());
}

TEST_CASE("[web] bytes that smuggle a second request are no second request") {
  const RunningSite site;
  RawClient client(site.port());
  client.write("POST " + shots_path + " HTTP/1.1\r\n" + host + json_type +
               "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n" + host +
               "\r\n");
  const std::string text = client.read("");
  CHECK(text.starts_with("HTTP/1.1 501"));
  CHECK(text.find("HTTP/1.1", 8) == std::string::npos);
}

TEST_CASE("[web] an answer is compressed for who asks for it, and the same") {
  const RunningSite site;
  const RawAnswer plain = raw_answer(site.port(), get("/api/levels"));
  const RawAnswer packed = raw_answer(site.port(), get("/api/levels", "Accept-Encoding: br, gzip\r\n"));
  CHECK(plain.head.find("Content-Encoding") == std::string::npos);
  CHECK_THAT(packed.head, Catch::Contains("Content-Encoding: gzip"));
  CHECK_THAT(packed.head, Catch::Contains("Vary: Accept-Encoding"));
  CHECK(packed.body.size() < plain.body.size() / 4);
  CHECK(packed.body.starts_with("\x1f\x8b"));
}

TEST_CASE("[web] one connection serves many requests, also such as come at once") {
  const RunningSite site;
  RawClient client(site.port());
  std::string requests;
  for (int i = 0; i < 5; ++i) requests += "GET /page/icon.svg HTTP/1.1\r\n" + host + "\r\n";
  client.write(requests + get("/page/icon.svg"));
  const std::string text = client.read("");
  int answers = 0;
  for (std::size_t at = 0; (at = text.find("HTTP/1.1 200", at)) != std::string::npos; ++at) ++answers;
  CHECK(answers == 6);
}

TEST_CASE("[web] a port that is taken is said") {
  const RunningSite site;
  WebSiteOptions options = web_options();
  options.server.port = site.port();
  CHECK_THROWS_WITH(WebSite(options), Catch::Contains("--port names another"));
}
