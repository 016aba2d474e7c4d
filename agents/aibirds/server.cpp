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
#include <condition_variable>
#include <cstring>
#include <exception>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <tuple>
#include <vector>

#include "core/error.hpp"

namespace startle::aibirds {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int ask_every_ms = 100;             // whether to go on
constexpr std::chrono::seconds farewell{10};  // for agents to ask once more and hear that all is over
constexpr std::chrono::seconds handover{2};   // for a connection of a team to end when the next one comes
constexpr int accepted_a_round = 64;

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
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
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
        listen(number, SOMAXCONN) != 0)
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
    std::string received;                              ///< as a stranger
    std::optional<Clock::time_point> first_byte = {};  ///< as a stranger
    bool asks = false;                                 ///< a stranger's first request is whole
    std::thread thread;                                ///< of a game
    std::atomic<bool> ended{false};
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
    const Clock::time_point end = after(options.session.action_s);
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
    const double left_s = in_trial ? options.session.trial_s - used_s : options.session.action_s;
    const Clock::time_point end = after(std::min(options.session.action_s, left_s));
    for (;;) {
      Decoded decoded = decode(buffer, options.session.dialect);
      if (decoded.bytes > 0) {
        buffer.erase(0, decoded.bytes);
        used_s += std::chrono::duration<double>(Clock::now() - start).count();
        return std::move(decoded.request);
      }
      // An agent that sends field by field sends the second one when the first is acknowledged.
      const int yes = 1;
      if (!buffer.empty()) setsockopt(number, IPPROTO_TCP, TCP_QUICKACK, &yes, sizeof yes);
      if (!wait(number, POLLIN, end))
        throw AgentFailure(Status::timeout, options.session.action_s <= left_s
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

  /// The number of a team, which is this connection's until it ends or takes another one.
  class TeamEntry {
   public:
    explicit TeamEntry(Impl& impl)
        : impl_(impl),
          recorded_(impl.options.session.name.empty() &&
                    (impl.trials.recorded() || impl.trials.keeps_attempts())) {}
    ~TeamEntry() { release(); }
    TeamEntry(const TeamEntry&) = delete;
    TeamEntry& operator=(const TeamEntry&) = delete;

    /// Throws AgentFailure where it is another one's. One that has just been closed may not have ended yet.
    void take(std::uint32_t number) {
      if (!recorded_ || number == number_) return;
      release();
      std::unique_lock lock(impl_.teams_mutex);
      const Clock::time_point end = Clock::now() + handover;
      while (impl_.teams.contains(number)) {
        if (impl_.stopping) throw Stopped{};
        if (Clock::now() >= end)
          throw AgentFailure(Status::protocol_error,
                             "team " + std::to_string(number) +
                                 " plays on another connection; allowed is one connection of each number, or "
                                 "--name, under which all of them play");
        impl_.team_left.wait_for(lock, std::chrono::milliseconds(ask_every_ms));
      }
      impl_.teams.insert(number);
      number_ = number;
    }

   private:
    void release() {
      if (!number_) return;
      {
        const std::lock_guard lock(impl_.teams_mutex);
        impl_.teams.erase(*std::exchange(number_, std::nullopt));
      }
      impl_.team_left.notify_all();
    }

    Impl& impl_;
    const bool recorded_;  ///< under the number
    std::optional<std::uint32_t> number_;
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
    std::string buffer = std::move(connection.received);
    std::uint32_t team = 0;
    double used_s = 0;
    try {
      for (;;) {
        const Request request = next_request(number, buffer, false, used_s);
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
    say(address_text({connection.peer}) + ": connected, a game begins");
    SessionOptions session_options = options.session;
    session_options.log = [this](const std::string& line) { say(line); };
    Session session(trials, session_options);
    const WatchEntry entry(*this, session);
    TeamEntry team(*this);
    std::string buffer = std::move(connection.received), farewell_line = "closed the connection";
    double used_s = 0;
    bool was_in_trial = false;
    try {
      for (;;) {
        const bool in_trial = session.in_trial();
        if (in_trial && !was_in_trial) used_s = 0;
        was_in_trial = in_trial;
        const Request request = next_request(number, buffer, in_trial, used_s);
        if (request.code == Code::configure && !session.in_trial())  // in a trial no other number is taken
          team.take(request.number);
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

  bool has_its_share(std::uint32_t peer) const {
    const auto of_peer = [&](const Connection& c) { return c.peer == peer && !c.ended; };
    return !options.host.starts_with("127.") &&
           std::count_if(connections.begin(), connections.end(), of_peer) +
                   std::count_if(strangers.begin(), strangers.end(), of_peer) >=
               options.most_per_peer;
  }

  /// One stranger gives way, after all were heard: many may have come since the last round.
  void close_a_stranger() {
    const std::size_t before = strangers.size();
    strangers.remove_if([&](Connection& c) { return !c.asks && !hear(c); });
    if (strangers.size() < before) return;
    std::map<std::uint32_t, int> of_peer;
    for (const Connection& c : strangers) ++of_peer[c.peer];
    // In the order in which they came, so that the first one of equals is the oldest.
    const auto gives_way = std::max_element(
        strangers.begin(), strangers.end(), [&](const Connection& a, const Connection& b) {
          const auto rank = [&](const Connection& c) {
            return std::tuple(!c.asks, of_peer[c.peer], c.first_byte.has_value());
          };
          return rank(a) < rank(b);
        });
    if (gives_way != strangers.end()) strangers.erase(gives_way);
  }

  void accept_all(const Listener& from, bool spectator) {
    for (int i = 0; i < accepted_a_round; ++i) {
      sockaddr_in address{};
      socklen_t size = sizeof address;
      const int number = accept4(from.number(), reinterpret_cast<sockaddr*>(&address), &size, SOCK_CLOEXEC);
      if (number < 0) {
        if (errno == EMFILE || errno == ENFILE) {
          close_a_stranger();
          std::this_thread::sleep_for(std::chrono::milliseconds(ask_every_ms));
        }
        return;  // no more wait, or it has gone already
      }
      const std::uint32_t peer = address.sin_addr.s_addr;
      if (has_its_share(peer)) {
        close(number);
        say(address_text(address.sin_addr) + ": refused, has " + std::to_string(options.most_per_peer) +
            " connections");
        continue;
      }
      if (static_cast<int>(strangers.size()) >= options.most_strangers) close_a_stranger();
      const int yes = 1;
      setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);  // replies are short and waited for
      strangers.emplace_back(number, peer, spectator);
    }
  }

  static std::string address_text(in_addr address) {
    std::array<char, INET_ADDRSTRLEN> text{};
    inet_ntop(AF_INET, &address, text.data(), text.size());
    return text.data();
  }

  /// Reads what a stranger has sent. False: it is to be closed.
  bool hear(Connection& stranger) {
    try {
      receive(stranger.socket.number(), stranger.received);
      if (!stranger.received.empty() && !stranger.first_byte) stranger.first_byte = Clock::now();
      stranger.asks = decode(stranger.received, options.session.dialect).bytes > 0;
      return true;
    } catch (const Closed&) {
    } catch (const AgentFailure& failure) {
      say(address_text({stranger.peer}) + ": " + failure.what());
    }
    return false;
  }

  bool is_late(const Connection& stranger) const {
    const auto longer = [](Clock::time_point since, double seconds) {
      return std::chrono::duration<double>(Clock::now() - since).count() > seconds;
    };
    return !stranger.asks && (longer(stranger.since, options.session.action_s) ||
                              (stranger.first_byte && longer(*stranger.first_byte, options.first_request_s)));
  }

  /// Hears those whose turn in `ready` it is, of the strangers in their order; closes who is late or gone,
  /// and begins games as long as there are places.
  void attend_strangers(const std::vector<pollfd>& ready) {
    auto poll_of = ready.begin();
    for (auto it = strangers.begin(); it != strangers.end();) {
      const auto stranger = it++;
      const bool has_come = (poll_of++)->revents != 0;  // of one who asks: that it has gone
      const bool gone = has_come && (stranger->asks || !hear(*stranger));
      if (gone || is_late(*stranger)) {
        strangers.erase(stranger);
      } else if (stranger->asks && !full()) {
        connections.splice(connections.end(), strangers, stranger);
        begin(connections.back());
      }
    }
  }

  void begin(Connection& connection) {
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

  /// One round of listening. `open`: whether others may still come.
  void attend(bool open) {
    const auto wanted = static_cast<short>(open ? POLLIN : 0);
    std::vector<pollfd> waited{{listener.number(), wanted, 0},
                               {spectators ? spectators->number() : -1, wanted, 0}};
    for (const Connection& stranger : strangers)
      waited.push_back({stranger.socket.number(), static_cast<short>(stranger.asks ? POLLRDHUP : POLLIN), 0});
    if (poll(waited.data(), waited.size(), ask_every_ms) < 0) return;
    attend_strangers({waited.begin() + 2, waited.end()});
    if ((waited[0].revents & POLLIN) != 0) accept_all(listener, false);
    if ((waited[1].revents & POLLIN) != 0) accept_all(*spectators, true);
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
    strangers.clear();
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
  std::list<Connection> connections;                  ///< games
  std::list<Connection> strangers;                    ///< in the order in which they came
  std::set<std::uint32_t> teams;                      ///< numbers that are taken
  std::mutex teams_mutex;
  std::condition_variable team_left;
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
    impl_->attend(!finished);
  }
  impl_->stop();
  if (impl_->error) std::rethrow_exception(impl_->error);
  return true;
}

}  // namespace startle::aibirds
