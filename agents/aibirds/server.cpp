#include "agents/aibirds/server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <exception>
#include <list>
#include <mutex>
#include <optional>
#include <thread>

#include "core/error.hpp"

namespace startle::aibirds {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int ask_every_ms = 100;             // whether to go on
constexpr std::chrono::seconds farewell{10};  // for agents to ask once more and hear that all is over

/// A file descriptor that is closed when it goes.
class Socket {
 public:
  explicit Socket(int number) : number_(number) {}
  ~Socket() { close(number_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

/// The agent has closed the connection.
struct Closed {};
/// The server ends.
struct Stopped {};

int milliseconds_until(Clock::time_point end) {
  const double s = std::chrono::duration<double>(end - Clock::now()).count();
  return static_cast<int>(std::clamp(std::ceil(1000 * s), 0.0, 1e6));
}

Clock::time_point after(double seconds) {
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, 1e8)));
}

/// A socket that listens at options.host, and its port. `option` names the one that gave the port.
class Listener {
 public:
  Listener(const std::string& host, int wanted, const std::string& option)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int number = socket_.number();
    const auto fail = [&](const std::string& hint) {
      throw Error(host + ":" + std::to_string(wanted) + ": " + std::strerror(errno) + hint);
    };
    if (number < 0) fail("");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(wanted));
    if (inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1)
      throw Error("--host: found '" + host +
                  "', allowed is an IPv4 address, for example 127.0.0.1 or 0.0.0.0");
    const int yes = 1;
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);  // connections of an earlier run may
                                                                     // still be closing
    if (bind(number, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(number, 16) != 0)
      fail(errno == EADDRINUSE ? "; " + option + " names another, 0 one that is free" : "");
    socklen_t size = sizeof address;
    if (getsockname(number, reinterpret_cast<sockaddr*>(&address), &size) != 0) fail("");
    port_ = ntohs(address.sin_port);
  }
  int number() const { return socket_.number(); }
  int port() const { return port_; }

 private:
  Socket socket_;
  int port_ = 0;
};

/// A game that spectators can see.
struct WatchedGame {
  std::mutex mutex;            ///< of the session
  Session* session = nullptr;  ///< null when the game has ended
  std::atomic<std::uint32_t> team{0};
};

}  // namespace

struct Server::Impl {
  Impl(Trials& t, const ServerOptions& o, std::function<void(const std::string&)> l)
      : trials(t), options(o), log(std::move(l)), listener(o.host, o.port, "--port") {
    if (o.spectator_port >= 0) spectators.emplace(o.host, o.spectator_port, "--spectator-port");
  }

  struct Connection {
    Connection(int number, std::uint32_t address, bool watches)
        : socket(number), peer(address), spectator(watches) {}
    Socket socket;
    const std::uint32_t peer;  ///< address of the other end, as it comes
    const bool spectator;
    const Clock::time_point since = Clock::now();
    std::atomic<bool> greeted{false}, ended{false};
    bool expelled = false;  ///< said nothing and had to make room; only the thread that accepts reads it
    std::thread thread;
  };

  void say(const std::string& line) {
    if (!log) return;
    const std::lock_guard lock(mutex);
    log(line);
  }

  /// Waits for the socket; false when the time is over.
  bool wait(int number, short events, Clock::time_point end) {
    for (;;) {
      if (stopping) throw Stopped{};
      pollfd waited{number, events, 0};
      const int ready = poll(&waited, 1, milliseconds_until(end));
      if (ready > 0) return true;
      if (ready < 0 && errno != EINTR) throw Closed{};
      if (ready == 0 && Clock::now() >= end) return false;
    }
  }

  void send_all(int number, const std::string& bytes) {
    const Clock::time_point end = after(options.action_s);
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t n = send(number, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n >= 0) {
        sent += static_cast<std::size_t>(n);
      } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
        if (!wait(number, POLLOUT, end))
          throw AgentFailure(Status::timeout, "took no reply within the time for an action");
      } else if (errno != EINTR) {
        if (stopping) throw Stopped{};
        throw Closed{};
      }
    }
  }

  /// Appends what has come to `buffer`.
  void receive(int number, std::string& buffer) {
    std::array<char, 16384> bytes;
    const ssize_t n = recv(number, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (n > 0) {
      buffer.append(bytes.data(), static_cast<std::size_t>(n));
      return;
    }
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
    if (stopping) throw Stopped{};
    throw Closed{};
  }

  /// The next request. `used_s`: seconds of waiting in this trial.
  Request next_request(int number, std::string& buffer, bool in_trial, double& used_s) {
    const Clock::time_point start = Clock::now();
    const double left_s = in_trial ? options.trial_s - used_s : options.action_s;
    const Clock::time_point end = after(std::min(options.action_s, left_s));
    for (;;) {
      Decoded decoded = decode(buffer, options.session.dialect);
      if (decoded.bytes > 0) {
        buffer.erase(0, decoded.bytes);
        used_s += std::chrono::duration<double>(Clock::now() - start).count();
        return std::move(decoded.request);
      }
      if (!wait(number, POLLIN, end))
        throw AgentFailure(Status::timeout, options.action_s <= left_s
                                                ? "sent no request within the time for an action"
                                                : "needed more than the time for a trial");
      receive(number, buffer);
    }
  }

  /// Keeps a game where spectators find it.
  class WatchEntry {
   public:
    WatchEntry(Impl& impl, Session& session) : impl_(impl), game_(std::make_shared<WatchedGame>()) {
      game_->session = &session;
      const std::lock_guard lock(impl.watched_mutex);
      impl.watched.push_back(game_);
    }
    ~WatchEntry() {
      const std::lock_guard lock(impl_.watched_mutex);
      std::erase(impl_.watched, game_);
      const std::lock_guard nobody_watches(game_->mutex);
      game_->session = nullptr;
    }
    WatchEntry(const WatchEntry&) = delete;
    WatchEntry& operator=(const WatchEntry&) = delete;

    std::string answer(Session& session, const Request& request) const {
      const std::lock_guard lock(game_->mutex);
      const std::string reply = session.answer(request);
      game_->team = session.team();
      return reply;
    }

   private:
    Impl& impl_;
    std::shared_ptr<WatchedGame> game_;
  };

  /// The game of that agent, or else the one begun last; null without any.
  std::shared_ptr<WatchedGame> watched_game_of(std::uint32_t team) {
    const std::lock_guard lock(watched_mutex);
    const auto found = std::find_if(watched.rbegin(), watched.rend(),
                                    [&](const auto& game) { return game->team == team; });
    return found != watched.rend() ? *found : watched.empty() ? nullptr : watched.back();
  }

  void serve_spectator(Connection& connection) {
    const int number = connection.socket.number();
    const Session nothing(trials, options.session);
    Random noise(stream_seed(static_cast<std::uint64_t>(number), "aibirds/observer"));
    std::string buffer;
    std::uint32_t team = 0;
    double used_s = 0;
    try {
      for (;;) {
        const Request request = next_request(number, buffer, false, used_s);
        connection.greeted = true;
        if (request.code == Code::configure) team = request.number;
        const std::shared_ptr<WatchedGame> game = watched_game_of(team);
        std::string reply;
        if (game) {
          const std::lock_guard lock(game->mutex);
          reply = (game->session ? *game->session : nothing).show(request, noise);
        } else {
          reply = nothing.show(request, noise);
        }
        send_all(number, reply);
      }
    } catch (const Closed&) {
    } catch (const Stopped&) {
    } catch (const AgentFailure& failure) {
      say("spectator: " + std::string(failure.what()));
    }
  }

  /// Until the agent or the server ends it.
  void serve(Connection& connection) {
    const int number = connection.socket.number();
    Session session(trials, options.session);
    const WatchEntry entry(*this, session);
    std::string buffer, farewell_line = "closed the connection";
    double used_s = 0;
    bool was_in_trial = false;
    try {
      for (;;) {
        const bool in_trial = session.in_trial();
        if (in_trial && !was_in_trial) used_s = 0;
        was_in_trial = in_trial;
        const Request request = next_request(number, buffer, in_trial, used_s);
        connection.greeted = true;
        send_all(number, entry.answer(session, request));
      }
    } catch (const Closed&) {
      session.fail(Status::crash, "closed the connection before the trial was over");
    } catch (const AgentFailure& failure) {
      session.fail(failure.status(), failure.what());
      farewell_line = failure.what();
    } catch (const Stopped&) {
      session.abandon();
      return;
    }
    say(session.agent() + ": " + farewell_line);
  }

  bool full() const { return static_cast<int>(connections.size()) >= options.most_games; }

  /// The oldest connection that has sent nothing yet and had the time for it.
  Connection* longest_silent() {
    const std::chrono::duration<double> silence(options.silent_s);
    const auto is_silent = [&](const Connection& c) {
      return !c.greeted && !c.expelled && Clock::now() - c.since > silence;
    };
    const auto found = std::find_if(connections.begin(), connections.end(), is_silent);
    return found == connections.end() ? nullptr : &*found;
  }

  bool has_its_share(std::uint32_t peer) const {
    const auto of_peer = [&](const Connection& c) { return c.peer == peer && !c.ended && !c.expelled; };
    return !options.host.starts_with("127.") &&
           std::count_if(connections.begin(), connections.end(), of_peer) >= options.most_per_peer;
  }

  void accept_one(const Listener& from, bool spectator) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    const int number = accept4(from.number(), reinterpret_cast<sockaddr*>(&address), &size, SOCK_CLOEXEC);
    if (number < 0) {  // it has gone already, or no descriptor is left, and it has to wait
      std::this_thread::sleep_for(std::chrono::milliseconds(ask_every_ms));
      return;
    }
    const std::uint32_t peer = address.sin_addr.s_addr;
    if (has_its_share(peer)) {
      close(number);
      std::array<char, INET_ADDRSTRLEN> text{};
      inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size());
      say(std::string(text.data()) + ": refused, has " + std::to_string(options.most_per_peer) +
          " connections");
      return;
    }
    if (full()) {
      if (Connection* out = longest_silent()) {
        out->expelled = true;
        shutdown(out->socket.number(), SHUT_RDWR);
      }
    }
    const int yes = 1;
    setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);  // replies are short and waited for
    Connection& connection = connections.emplace_back(number, peer, spectator);
    connection.thread = std::thread([this, &connection] {
      try {
        connection.spectator ? serve_spectator(connection) : serve(connection);
      } catch (...) {  // results that cannot be written, no memory: the run ends with it
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
      }
      shutdown(connection.socket.number(), SHUT_RDWR);
      connection.ended = true;
    });
  }

  void tidy() {
    for (auto it = connections.begin(); it != connections.end();) {
      if (!it->ended) {
        ++it;
        continue;
      }
      it->thread.join();
      it = connections.erase(it);
    }
  }

  void stop() {
    stopping = true;
    for (Connection& connection : connections) {
      shutdown(connection.socket.number(), SHUT_RDWR);  // wakes it up
      connection.thread.join();
    }
    connections.clear();
  }

  bool failed() {
    const std::lock_guard lock(mutex);
    return error != nullptr;
  }

  Trials& trials;
  const ServerOptions options;
  std::function<void(const std::string&)> log;
  const Listener listener;
  std::optional<Listener> spectators;
  std::vector<std::shared_ptr<WatchedGame>> watched;  ///< in the order in which they began
  std::mutex watched_mutex;                           ///< of the list alone
  std::list<Connection> connections;
  std::atomic<bool> stopping{false};
  std::mutex mutex;  ///< of log and error
  std::exception_ptr error;
};

Server::Server(Trials& trials, const ServerOptions& options, std::function<void(const std::string&)> log)
    : impl_(new Impl(trials, options, std::move(log))) {}

Server::~Server() { impl_->stop(); }

int Server::port() const { return impl_->listener.port(); }

int Server::spectator_port() const { return impl_->spectators ? impl_->spectators->port() : -1; }

bool Server::run(const std::function<bool()>& keep_going) {
  const std::string& name = impl_->options.session.name;
  bool finished = false;
  Clock::time_point end = Clock::time_point::max();
  while (!impl_->failed()) {
    if (!keep_going()) {
      impl_->stop();
      return false;
    }
    impl_->tidy();
    if (!finished && !name.empty() && impl_->trials.all_finished(name)) {
      finished = true;
      end = Clock::now() + farewell;
    }
    if (finished && (impl_->connections.empty() || Clock::now() >= end)) break;
    const bool room = !impl_->full() || impl_->longest_silent() != nullptr;
    const auto wanted = static_cast<short>(room && !finished ? POLLIN : 0);
    std::array<pollfd, 2> waited{pollfd{impl_->listener.number(), wanted, 0},
                                 pollfd{impl_->spectators ? impl_->spectators->number() : -1, wanted, 0}};
    if (poll(waited.data(), waited.size(), ask_every_ms) <= 0) continue;
    if ((waited[0].revents & POLLIN) != 0)
      impl_->accept_one(impl_->listener, false);
    else if ((waited[1].revents & POLLIN) != 0)
      impl_->accept_one(*impl_->spectators, true);
  }
  impl_->stop();
  if (impl_->error) std::rethrow_exception(impl_->error);
  return true;
}

}  // namespace startle::aibirds
