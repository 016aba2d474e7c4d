#pragma once
/// \file  Science Birds agents over TCP: each connection plays a game of its own (session.hpp), many at once.
///
/// Spectators connect to a port of their own and see, at each request, the game of the agent whose number
/// (code 1) they give, or, where there is none, the one begun last. They change nothing in it.
///
/// A connection becomes a game with its first whole request. Until then it waits among the strangers, which
/// take no place of a game and hold up nobody.
///
/// A connection ends, and the others go on, when the agent closes it, sends what is no request, or lets the
/// server wait for too long. The trial under way is then recorded as failed: crash, protocol_error or
/// timeout. Where results are recorded under the number of a team, the number is that of the connection which
/// gave it first, as long as that is open; another one that gives it is closed.
#include <functional>
#include <memory>
#include <string>

#include "agents/aibirds/session.hpp"

namespace startle::aibirds {

struct ServerOptions {
  std::string host = "127.0.0.1";  ///< IPv4 address to listen on; 0.0.0.0: all of the machine's
  int port = 2004;                 ///< 0: one that is free
  int spectator_port = -1;         ///< of spectators; 0: one that is free; -1: nobody can
  int most_games = 64;             ///< at once, spectators included; who asks for one more waits
  /// Connections without a whole request. Agents may need a while to load: DataLab sends its first request
  /// after 6 s. When one more comes, one gives way, of the address that has most of them: the oldest that has
  /// sent a part of a request, else the oldest.
  int most_strangers = 256;
  double first_request_s = 5;  ///< for a first request, from its first byte to its last
  int most_per_peer = 16;      ///< connections from one address, others of it are closed; no limit where
                               ///< `host` is this machine alone (127...)
  SessionOptions session;
};

class Server {
 public:
  /// Listens. `trials` must live longer. `log` gets lines for people, from any thread, one at a time: when a
  /// game begins and ends, and those of SessionOptions::log, which it replaces. Throws Error when the port is
  /// in use or the address is none of this machine.
  Server(Trials& trials, const ServerOptions& options, std::function<void(const std::string&)> log = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  /// -1: none.
  int spectator_port() const;
  /// Serves until `keep_going`, asked several times a second, says no, or until all trials are finished under
  /// options.session.name, where that is given, and the agents have gone. Returns false in the first case;
  /// trials under way are then not recorded. Throws Error when results cannot be written.
  bool run(const std::function<bool()>& keep_going);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace startle::aibirds
