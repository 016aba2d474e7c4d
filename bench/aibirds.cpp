/// \file  What an action costs over TCP (AIBirds) against the simulation of the same shots. Processor time of
/// client and server
///        together, as the wall clock of a busy machine says more about the others.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <thread>

#include "agents/aibirds/server.hpp"
#include "agents/trials/runner.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"

namespace {

using namespace startle;

double now_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

class Connection {
 public:
  explicit Connection(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) std::exit(1);
  }
  ~Connection() { close(socket_); }
  std::string ask(const std::string& request, std::size_t reply) {
    if (send(socket_, request.data(), request.size(), 0) < 0) std::exit(1);
    return read(reply);
  }
  std::string read(std::size_t count) {
    std::string bytes(count, '\0');
    if (recv(socket_, bytes.data(), count, MSG_WAITALL) != static_cast<ssize_t>(count)) std::exit(1);
    return bytes;
  }
  std::uint32_t number(const std::string& request) {
    const std::string bytes = ask(request, 4);
    std::uint32_t value = 0;
    for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }

 private:
  int socket_;
};

std::string shot_request(int k) {  // releases around the slingshot, as an agent would
  std::string bytes = "\x1F";
  for (const std::uint32_t value : {static_cast<std::uint32_t>(100 + 5 * (k % 5)),
                                    static_cast<std::uint32_t>(265 + 13 * (k % 9)), 0u, 0u})
    bytes += aibirds::number_reply(value);
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "levels/benchmark/T1/easy";
  std::vector<StoredLevel> levels;
  for (const auto& file : find_level_files({folder})) levels.push_back(read_level(file));
  aibirds::Trials trials(playable_levels(levels, profile(), std::nullopt, 1), 1);
  aibirds::ServerOptions options;
  options.port = 0;
  aibirds::Server server(trials, options);
  std::atomic<bool> stop{false};
  std::thread thread([&] { server.run([&] { return !stop; }); });

  double shooting = 1e300, looking = 1e300, picturing = 1e300, bare = 1e300;
  std::size_t shots = 0, bytes = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    Connection connection(server.port());
    double shoot_s = 0, look_s = 0, picture_s = 0;
    shots = bytes = 0;
    std::vector<std::vector<Shot>> played(levels.size());
    for (std::size_t i = 0; i < levels.size(); ++i) {
      connection.ask("\x33" + aibirds::number_reply(static_cast<std::uint32_t>(i + 1)), 1);
      Game game(trials.levels()[i].normal);  // the same shots, for comparison
      for (int k = 0; connection.ask("\x0C", 1)[0] == 5; ++k) {
        double start = now_s();
        const std::uint32_t length = connection.number("\x3E");
        connection.read(length);
        look_s += now_s() - start;
        bytes += length;
        start = now_s();
        connection.ask("\x0B", 8);
        connection.read(std::size_t{3} * aibirds::screen_width * aibirds::screen_height);
        picture_s += now_s() - start;
        const std::string request = shot_request(k);
        start = now_s();
        connection.ask(request, 1);
        shoot_s += now_s() - start;
        const aibirds::Screen screen = aibirds::screen(game.now(), false);
        const aibirds::Decoded decoded = aibirds::decode(request, aibirds::Dialect::phyq);
        const Vec2 release = screen.to_world(aibirds::release_point(decoded.request.shots.front(), {}));
        played[i].push_back(Shot::from_drag_point(release, game.now().rest, game.now().max_stretch));
        game.shoot(played[i].back());
        ++shots;
      }
    }
    double bare_s = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      Scene scene = trials.levels()[i].normal;
      const double start = now_s();
      for (const Shot& shot : played[i]) scene = run_shot(scene, shot).scene;
      bare_s += now_s() - start;
    }
    shooting = std::min(shooting, shoot_s);
    looking = std::min(looking, look_s);
    picturing = std::min(picturing, picture_s);
    bare = std::min(bare, bare_s);
  }
  stop = true;
  thread.join();

  const double ms = 1e3 / static_cast<double>(shots);
  std::cout << shots << " shots in " << levels.size() << " levels\n"
            << "bare simulation: " << bare * ms << " ms a shot\n"
            << "shot over TCP: " << shooting * ms << " ms, " << shooting / bare << " of the bare simulation\n"
            << "ground truth: " << looking * ms << " ms, " << looking / bare << " of it; " << bytes / shots
            << " bytes\n"
            << "screenshot: " << picturing * ms << " ms, " << picturing / bare << " of it\n";
}
