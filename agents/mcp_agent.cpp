#include "agents/mcp_agent.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "agents/mcp_trial.hpp"
#include "core/child_process.hpp"
#include "core/error.hpp"
#include "core/files.hpp"

namespace startle {
namespace {

constexpr std::size_t longest_message = 1 << 20;  // bytes
constexpr int client_check_ms = 50;               // how often it is seen whether the client runs

/// That of TMPDIR, unless it is not there, as in a sandbox.
std::filesystem::path temporary_folder() {
  std::error_code missing;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(missing);
  return missing ? "/tmp" : folder;
}

/// An open file, closed when this goes.
class OpenFile {
 public:
  explicit OpenFile(int number) : number_(number) {}
  ~OpenFile() {
    if (number_ >= 0) ::close(number_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

const std::string folder_prefix = "startle-mcp-";

/// False where another process holds it.
bool try_lock(const OpenFile& folder) { return ::flock(folder.number(), LOCK_EX | LOCK_NB) == 0; }

OpenFile open_folder(const std::string& path) {
  return OpenFile(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

/// Removes folders of processes that were killed, as that of a trial that takes too long is.
void remove_abandoned_folders() {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(temporary_folder(), none)) {
    if (!entry.path().filename().string().starts_with(folder_prefix)) continue;
    // One that is just being made is not locked yet.
    const auto age = std::filesystem::file_time_type::clock::now() - entry.last_write_time(none);
    if (age < std::chrono::minutes(1) && !std::filesystem::exists(entry.path() / "config.json", none))
      continue;
    const OpenFile folder = open_folder(entry.path());
    if (folder.number() >= 0 && try_lock(folder)) std::filesystem::remove_all(entry.path(), none);
  }
}

std::string new_folder() {
  remove_abandoned_folders();
  std::string path = (temporary_folder() / (folder_prefix + "XXXXXX")).string();
  if (mkdtemp(path.data()) == nullptr) throw Error(path + ": cannot be made: " + std::strerror(errno));
  return path;
}

/// A folder of this user alone, locked, which goes with this.
struct PrivateFolder {
  std::string path = new_folder();
  OpenFile opened = open_folder(path);
  PrivateFolder() {
    if (opened.number() < 0 || !try_lock(opened))
      throw Error(path + ": cannot be locked: " + std::strerror(errno));
  }
  ~PrivateFolder() {
    std::error_code none;
    std::filesystem::remove_all(path, none);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
};

int new_socket(const std::string& path) {
  const int number = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (number < 0) throw Error(path + ": no socket can be made: " + std::strerror(errno));
  return number;
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    throw Error(path + ": found " + std::to_string(path.size()) + " bytes, a socket's path has at most " +
                std::to_string(sizeof address.sun_path - 1) + "; TMPDIR names a shorter folder");
  std::copy(path.begin(), path.end(), address.sun_path);
  return address;
}

/// False when nobody reads it any more.
bool write_whole(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool send_whole(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// Of what is there now, once poll() says that something is. False at the end of the file.
bool read_part(int file, std::string& to) {
  std::array<char, 1 << 16> part;
  ssize_t count = 0;
  while ((count = ::read(file, part.data(), part.size())) < 0 && errno == EINTR) {
  }
  if (count > 0) to.append(part.data(), static_cast<std::size_t>(count));
  return count > 0;
}

std::vector<std::string> with_config(std::vector<std::string> words, const std::string& path) {
  constexpr std::string_view place = "{config}";
  for (std::string& word : words)
    for (std::size_t at = 0; (at = word.find(place, at)) != std::string::npos; at += path.size())
      word.replace(at, place.size(), path);
  return words;
}

}  // namespace

/// The client of one trial, and its connections.
struct McpAgent::Session {
  struct Connection {
    Connection(int number, bool is_player) : socket(number), plays(is_player) {}
    OpenFile socket;
    const bool plays;
    std::string received = {};
    bool leaves = false;  ///< sends nothing more, though all that it sent may not be received yet
    bool closed = false;
  };

  Session(const McpClientOptions& options, const Briefing& briefing)
      : trial(options.version), listener(new_socket(folder.path)) {
    const std::string path = folder.path + "/socket", config = folder.path + "/config.json";
    const sockaddr_un address = address_of(path);
    if (::bind(listener.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener.number(), 8) != 0)
      throw Error(path + ": nothing can listen there: " + std::strerror(errno));
    write_file(
        config,
        nlohmann::json{{"mcpServers",
                        {{"startle", {{"command", options.server}, {"args", {"mcp", "--connect", path}}}}}}}
                .dump(2) +
            "\n",
        {.lasting = false});
    trial.begin(briefing);
    // Its standard output is that of an agent no more, which would end the trial.
    std::vector<std::string> words{"/bin/sh", "-c", "exec \"$@\" >&2", "sh"};
    const std::vector<std::string> client_words = with_config(options.client, config);
    words.insert(words.end(), client_words.begin(), client_words.end());
    client.emplace(ProgramCall{words, {{"STARTLE_MCP_CONFIG", config}}},
                   ChildOptions{.in = ChildStream::nothing, .dies_with_thread = true});
  }

  /// Until `done`, the client ends, or `seconds` are over, where they are given. Whether it is done.
  bool serve(const std::function<bool()>& done, std::optional<double> seconds = {}) {
    const auto start = std::chrono::steady_clock::now();
    const auto late = [&] {
      return seconds &&
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >= *seconds;
    };
    while (!done()) {
      if (answer_line()) continue;
      // What it has sent before its end counts.
      const bool ended = client->end().has_value();
      if ((!receive(ended ? 0 : client_check_ms) && ended) || late()) return false;
    }
    return true;
  }

  /// What the client chooses. Throws Error where it ends before.
  template <typename Choice>
  Choice chosen(std::optional<Choice> (McpTrial::*take)()) {
    std::optional<Choice> choice;
    if (serve([&] { return (choice = (trial.*take)()).has_value(); })) return *choice;
    throw Error("the client " + client->end()->text() + " before the trial was over; " +
                (ever_connected ? trial.due() : "it has never connected"));
  }

  void send(const std::string& line) {
    if (line.empty()) return;
    for (Connection& connection : connections)
      if (connection.plays) return send(connection, line);
  }

  static void send(Connection& connection, const std::string& line) {
    if (!send_whole(connection.socket.number(), line + "\n")) connection.closed = true;
  }

  /// Answers one line that has come; one connection plays, others are refused. False where there is none.
  bool answer_line() {
    remove_closed();
    bool is_played = false;
    for (Connection& connection : connections) {
      if (connection.plays && std::exchange(is_played, true))
        continue;  // its turn comes when that one is gone
      const std::size_t end = connection.received.find('\n');
      if (end == std::string::npos) continue;
      const std::string line = connection.received.substr(0, end);
      connection.received.erase(0, end + 1);
      const bool blank = line.find_first_not_of(" \t\r") == std::string::npos;
      const std::string answer = blank ? "" : connection.plays ? trial.answer(line) : mcp_refusal(line);
      if (!answer.empty()) send(connection, answer);
      return true;
    }
    return false;
  }

  /// Those whose lines are all answered.
  void remove_closed() {
    connections.remove_if([&](const Connection& connection) {
      if (!connection.closed || connection.received.find('\n') != std::string::npos) return false;
      if (connection.plays) trial.connected();  // the next one begins anew
      return true;
    });
  }

  /// Waits for new connections and bytes. False where nothing has come.
  bool receive(int milliseconds) {
    std::vector<pollfd> files{{listener.number(), POLLIN, 0}};
    for (const Connection& connection : connections)
      files.push_back({connection.socket.number(), POLLIN | POLLRDHUP, 0});
    if (::poll(files.data(), files.size(), milliseconds) <= 0) return false;
    std::size_t i = 1;
    for (Connection& connection : connections) {
      const short events = files[i++].revents;
      if (events == 0) continue;
      connection.leaves = (events & (POLLRDHUP | POLLHUP)) != 0;
      connection.closed = !read_part(connection.socket.number(), connection.received);
      if (connection.received.size() > longest_message &&
          connection.received.find('\n') == std::string::npos) {
        connection.received.clear();
        connection.closed = true;
      }
    }
    if (files[0].revents != 0) {
      const int number = ::accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC);
      if (number >= 0) {
        // Only who comes when nobody plays: others stay where they are when the player leaves.
        const bool taken = std::any_of(connections.begin(), connections.end(),
                                       [](const Connection& c) { return c.plays && !c.leaves && !c.closed; });
        connections.emplace_back(number, !taken);
        ever_connected = true;
      }
    }
    return true;
  }

  /// In this order: the client ends first, the folder goes last.
  PrivateFolder folder;
  McpTrial trial;
  OpenFile listener;
  std::list<Connection> connections;
  bool ever_connected = false;
  std::optional<ChildProcess> client;
};

McpAgent::McpAgent(McpClientOptions options) : options_(std::move(options)) {}

McpAgent::~McpAgent() = default;

void McpAgent::begin(const Briefing& briefing) {
  if (find_program(options_.client.front()).empty())
    throw Error(options_.client.front() + ": no such program, or it may not be run");
  session_ = std::make_unique<Session>(options_, briefing);
}

/// Throws what `ask` throws, once the session is gone: where a trial is a fork, nothing else would end it.
template <typename Ask>
auto McpAgent::asked(const Ask& ask) {
  try {
    return ask(*session_);
  } catch (...) {
    session_.reset();
    throw;
  }
}

Shot McpAgent::act(const ObservationSource& source) {
  return asked([&](Session& session) {
    session.send(session.trial.shot_due(source));
    return session.chosen(&McpTrial::take_shot);
  });
}

Report McpAgent::report(const SeenShot& seen, const ObservationSource& source) {
  return asked([&](Session& session) {
    session.send(session.trial.report_due(seen, source));
    return session.chosen(&McpTrial::take_report);
  });
}

void McpAgent::end() {
  session_->send(session_->trial.over());
  session_->serve([] { return false; }, options_.grace_s);
  session_.reset();
}

void carry_mcp(const std::string& path) {
  const OpenFile socket(new_socket(path));
  const sockaddr_un address = address_of(path);
  if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw Error(path + ": no trial is there: " + std::strerror(errno));
  std::array<pollfd, 2> files{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{socket.number(), POLLIN, 0}};
  for (;;) {
    if (::poll(files.data(), files.size(), -1) < 0) continue;
    std::string bytes;
    if (files[1].revents != 0) {
      if (!read_part(socket.number(), bytes) || !write_whole(STDOUT_FILENO, bytes)) return;
    } else if (files[0].revents != 0) {
      if (!read_part(STDIN_FILENO, bytes)) {
        // Answers to what was sent before are still to come.
        ::shutdown(socket.number(), SHUT_WR);
        files[0].fd = -1;
      } else if (!send_whole(socket.number(), bytes)) {
        return;
      }
    }
  }
}

}  // namespace startle
