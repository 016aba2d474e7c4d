#include "web/http_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/interrupt.hpp"

namespace startle {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int ask_every_ms = 200;  // whether to go on
/// For the client to close after the last answer. Closed at once, with bytes of it unread, the system would
/// take the answer back.
constexpr std::chrono::milliseconds farewell{2000};

/// A file descriptor that is closed when it goes.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }

 private:
  int number_;
};

/// An address to listen on, and its size.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

SocketAddress socket_address(const HttpServerOptions& options) {
  SocketAddress result;
  const auto port = htons(static_cast<std::uint16_t>(options.port));
  auto* v4 = reinterpret_cast<sockaddr_in*>(&result.storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&result.storage);
  if (inet_pton(AF_INET, options.address.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = port;
    result.size = sizeof *v4;
  } else if (inet_pton(AF_INET6, options.address.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = port;
    result.size = sizeof *v6;
  } else {
    throw Error("--address: found '" + options.address +
                "', allowed is an IPv4 or IPv6 address, for example 127.0.0.1, ::1 or 0.0.0.0");
  }
  return result;
}

/// The address in numbers, without the port.
std::string text_of(SocketAddress& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* number = address.storage.ss_family == AF_INET
                           ? static_cast<void*>(&reinterpret_cast<sockaddr_in*>(address.get())->sin_addr)
                           : &reinterpret_cast<sockaddr_in6*>(address.get())->sin6_addr;
  return inet_ntop(address.storage.ss_family, number, text.data(), text.size()) ? text.data() : "";
}

/// A socket that listens, and its port.
class WebListener {
 public:
  explicit WebListener(const HttpServerOptions& options) {
    SocketAddress address = socket_address(options);
    const auto fail = [&](const std::string& hint) {
      throw Error(options.address + ":" + std::to_string(options.port) + ": " + std::strerror(errno) + hint);
    };
    socket_ = Descriptor(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (number() < 0) fail("");
    const int yes = 1;
    setsockopt(number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);  // connections of an earlier run may
                                                                       // still be closing
    if (bind(number(), address.get(), address.size) != 0 || listen(number(), 128) != 0)
      fail(errno == EADDRINUSE ? "; --port names another, 0 one that is free" : "");
    if (getsockname(number(), address.get(), &address.size) != 0) fail("");
    port_ = ntohs(address.storage.ss_family == AF_INET
                      ? reinterpret_cast<sockaddr_in*>(&address.storage)->sin_port
                      : reinterpret_cast<sockaddr_in6*>(&address.storage)->sin6_port);
  }
  int number() const { return socket_.number(); }
  int port() const { return port_; }

 private:
  Descriptor socket_;
  int port_ = 0;
};

struct Connection {
  enum class State { reading, answering, writing, closing };
  Connection(int number, const HttpLimits& limits, Clock::time_point now)
      : socket(number), reader(limits), since(now) {}
  Descriptor socket;
  std::string peer;  ///< its address
  HttpReader reader;
  State state = State::reading;
  Clock::time_point since;  ///< it waits for what it waits for
  std::string out;          ///< not yet sent
  std::size_t sent = 0;
  bool last = false;  ///< to be closed when `out` is sent
};

/// A request for a thread, and what came of it.
struct Job {
  std::uint64_t connection = 0;
  HttpRequest request;
};
struct Answer {
  std::uint64_t connection = 0;
  std::string text;
  bool keep_alive = false;
};

HttpResponse failure(int status, const char* what) {
  return {.status = status, .body = std::string("{\"error\":\"") + what + "\"}"};
}

}  // namespace

struct HttpServer::Impl {
  HttpServerOptions options;
  Handler handler;
  WebListener listener;
  Descriptor wake_read, wake_write;
  std::map<std::uint64_t, Connection> connections;
  std::uint64_t next_connection = 0;

  std::mutex mutex;  ///< of what follows
  std::condition_variable job_came;
  std::deque<Job> jobs;
  std::vector<Answer> answers;
  bool ending = false;
  std::vector<std::thread> threads;

  Impl(const HttpServerOptions& given, Handler answering)
      : options(given), handler(std::move(answering)), listener(given) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
      throw Error(std::string("pipe: ") + std::strerror(errno));
    wake_read = Descriptor(ends[0]);
    wake_write = Descriptor(ends[1]);
  }

  void start_threads() {
    unsigned count = options.threads;
    if (count == 0) count = std::max(2U, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < count; ++i) threads.emplace_back([this] { answer_jobs(); });
  }

  void end_threads() {
    {
      const std::lock_guard lock(mutex);
      ending = true;
    }
    job_came.notify_all();
    for (std::thread& thread : threads) thread.join();
    threads.clear();
  }

  HttpResponse answer(const HttpRequest& request) const {
    try {
      return handler(request);
    } catch (const Interrupted&) {
      return failure(503, "the server ends");
    } catch (const std::exception&) {
      return failure(500, "the server has failed");
    }
  }

  void answer_jobs() {
    for (;;) {
      Job job;
      {
        std::unique_lock lock(mutex);
        job_came.wait(lock, [this] { return ending || !jobs.empty(); });
        if (ending) return;
        job = std::move(jobs.front());
        jobs.pop_front();
      }
      Answer done{job.connection,
                  http_text(answer(job.request), job.request.keep_alive, job.request.method == "HEAD"),
                  job.request.keep_alive};
      {
        const std::lock_guard lock(mutex);
        answers.push_back(std::move(done));
      }
      const char byte = 0;
      // A full pipe wakes as well.
      [[maybe_unused]] const ssize_t written = write(wake_write.number(), &byte, 1);
    }
  }

  void send_text(Connection& connection, std::string text, bool last) {
    connection.out = std::move(text);
    connection.sent = 0;
    connection.last = last;
    connection.state = Connection::State::writing;
    connection.since = Clock::now();
  }

  /// Reads the next request of what has come, and hands it on.
  void take_request(std::uint64_t number, Connection& connection) {
    std::optional<HttpRequest> request = connection.reader.next();
    if (!request) {
      if (const int status = connection.reader.refused())
        send_text(connection, http_text(failure(status, "the request is refused"), false, false), true);
      return;
    }
    const std::lock_guard lock(mutex);
    if (jobs.size() >= options.most_waiting) {
      HttpResponse busy = failure(503, "the server is busy");
      busy.headers["Retry-After"] = "1";
      send_text(connection, http_text(busy, request->keep_alive, false), !request->keep_alive);
      return;
    }
    connection.state = Connection::State::answering;
    request->peer = connection.peer;
    jobs.push_back({number, std::move(*request)});
    job_came.notify_one();
  }

  /// False: the connection has ended. Reads no more than one request's worth at a time.
  bool read_some(std::uint64_t number, Connection& connection) {
    std::array<char, 16384> bytes;
    const ssize_t count = recv(connection.socket.number(), bytes.data(), bytes.size(), 0);
    if (count == 0) return false;
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    if (connection.reader.empty()) connection.since = Clock::now();
    connection.reader.add({bytes.data(), static_cast<std::size_t>(count)});
    take_request(number, connection);
    return true;
  }

  /// Passes over what comes. False: the client has closed.
  static bool pass_over(const Connection& connection) {
    std::array<char, 16384> bytes;
    const ssize_t count = recv(connection.socket.number(), bytes.data(), bytes.size(), 0);
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
  }

  /// False: the connection has ended.
  bool write_some(std::uint64_t number, Connection& connection) {
    while (connection.sent < connection.out.size()) {
      const ssize_t count = send(connection.socket.number(), connection.out.data() + connection.sent,
                                 connection.out.size() - connection.sent, MSG_NOSIGNAL);
      if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
      connection.sent += static_cast<std::size_t>(count);
    }
    if (connection.last) {
      shutdown(connection.socket.number(), SHUT_WR);
      connection.state = Connection::State::closing;
      connection.since = Clock::now();
      return true;
    }
    connection.out.clear();
    connection.state = Connection::State::reading;
    connection.since = Clock::now();
    take_request(number, connection);  // may have come with the one before
    return true;
  }

  /// Closes the connection that has waited longest for the rest of a request, for one, or for its end; false
  /// where there is none.
  bool make_room() {
    auto oldest = connections.end();
    for (auto i = connections.begin(); i != connections.end(); ++i) {
      if (i->second.state != Connection::State::reading && i->second.state != Connection::State::closing)
        continue;
      if (oldest == connections.end() || i->second.since < oldest->second.since) oldest = i;
    }
    if (oldest == connections.end()) return false;
    connections.erase(oldest);
    return true;
  }

  void accept_some() {
    for (int i = 0; i < 64; ++i) {
      SocketAddress from;
      from.size = sizeof from.storage;
      const int number = accept4(listener.number(), from.get(), &from.size, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (number < 0) {
        if (errno == EMFILE || errno == ENFILE) make_room();
        return;
      }
      Descriptor socket(number);
      if (connections.size() >= options.most_connections && !make_room()) continue;
      const int yes = 1;
      setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      const auto [place, is_new] = connections.try_emplace(next_connection++, -1, options.limits,
                                                           Clock::now());
      place->second.socket = std::move(socket);
      place->second.peer = text_of(from);
    }
  }

  void take_answers() {
    std::array<char, 256> bytes;
    while (read(wake_read.number(), bytes.data(), bytes.size()) > 0) {
    }
    std::vector<Answer> ready;
    {
      const std::lock_guard lock(mutex);
      ready.swap(answers);
    }
    for (Answer& answer : ready) {
      const auto found = connections.find(answer.connection);
      if (found == connections.end()) continue;
      send_text(found->second, std::move(answer.text), !answer.keep_alive);
      if (!write_some(found->first, found->second)) connections.erase(found);
    }
  }

  std::chrono::milliseconds time_of(const Connection& connection) const {
    if (connection.state == Connection::State::writing) return options.answer;
    if (connection.state == Connection::State::closing) return farewell;
    return connection.reader.empty() ? options.idle : options.request;
  }

  void close_late() {
    const Clock::time_point now = Clock::now();
    std::erase_if(connections, [&](const auto& entry) {
      return entry.second.state != Connection::State::answering &&
             now - entry.second.since > time_of(entry.second);
    });
  }

  /// Waits for what happens next, and sees to it.
  void turn() {
    std::vector<pollfd> waited{{listener.number(), POLLIN, 0}, {wake_read.number(), POLLIN, 0}};
    std::vector<std::uint64_t> numbers;
    for (const auto& [number, connection] : connections) {
      // One that is being answered is not read: what it sends meanwhile stays with the system.
      const short events = connection.state == Connection::State::answering ? 0
                           : connection.state == Connection::State::writing ? POLLOUT
                                                                            : POLLIN;
      waited.push_back({connection.socket.number(), events, 0});
      numbers.push_back(number);
    }
    if (poll(waited.data(), waited.size(), ask_every_ms) > 0) {
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (waited[i + 2].revents == 0) continue;
        const auto found = connections.find(numbers[i]);
        const bool failed = (waited[i + 2].revents & (POLLERR | POLLNVAL)) != 0;
        const auto serve = [&] {
          switch (found->second.state) {
            case Connection::State::reading:
              return read_some(found->first, found->second);
            case Connection::State::writing:
              return write_some(found->first, found->second);
            case Connection::State::closing:
              return pass_over(found->second);
            case Connection::State::answering:
              return (waited[i + 2].revents & POLLHUP) == 0;
          }
          return false;
        };
        if (failed || !serve()) connections.erase(found);
      }
      if (waited[1].revents != 0) take_answers();
      if (waited[0].revents != 0) accept_some();
    }
    close_late();
  }
};

HttpServer::HttpServer(const HttpServerOptions& options, Handler handler)
    : impl_(std::make_unique<Impl>(options, std::move(handler))) {}

HttpServer::~HttpServer() = default;

int HttpServer::port() const { return impl_->listener.port(); }

void HttpServer::run(const std::function<bool()>& go_on) {
  impl_->start_threads();
  while (go_on()) impl_->turn();
  impl_->end_threads();
}

}  // namespace startle
