#pragma once
/// \file  A client of the AIBirds protocol, written from the table of messages: it shares nothing with the
/// code under test.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "agents/aibirds/server.hpp"
#include "tests/catch.hpp"

namespace startle {

/// "1F 0000 00A0" -> bytes.
inline std::string from_hex(const std::string& text) {
  std::string bytes, digits;
  for (const char c : text) {
    if (c == ' ') continue;
    digits += c;
    if (digits.size() < 2) continue;
    bytes += static_cast<char>(std::stoi(digits, nullptr, 16));
    digits.clear();
  }
  return bytes;
}

inline std::string to_hex(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    text += "0123456789ABCDEF"[static_cast<unsigned char>(c) >> 4];
    text += "0123456789ABCDEF"[c & 15];
  }
  return text;
}

/// Four bytes, the highest first.
inline std::string number(long value) {
  const std::uint32_t wire = htonl(static_cast<std::uint32_t>(value));
  return std::string(reinterpret_cast<const char*>(&wire), 4);
}

class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    const timeval patience{60, 0};  // a server that never answers fails the test
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  ~Client() { close(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  void send(const std::string& bytes) {
    REQUIRE(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()));
  }
  std::string receive(std::size_t count) {
    std::string bytes(count, '\0');
    REQUIRE(::recv(socket_, bytes.data(), count, MSG_WAITALL) == static_cast<ssize_t>(count));
    all_received += bytes;
    return bytes;
  }
  /// The server has closed the connection and sent nothing more.
  bool is_closed() {
    char byte;
    return ::recv(socket_, &byte, 1, 0) <= 0;
  }
  /// The server answers a request for the state.
  bool answers() {
    char byte = 12;
    return ::send(socket_, &byte, 1, MSG_NOSIGNAL) == 1 && ::recv(socket_, &byte, 1, 0) == 1;
  }

  std::string ask(const std::string& request, std::size_t reply) {
    send(request);
    return receive(reply);
  }
  int byte(const std::string& request) { return static_cast<unsigned char>(ask(request, 1)[0]); }
  std::uint32_t u32() {
    std::uint32_t wire;
    std::memcpy(&wire, receive(4).data(), 4);
    return ntohl(wire);
  }
  std::uint32_t u32(const std::string& request) {
    send(request);
    return u32();
  }
  int state() { return byte("\x0C"); }
  void configure(long team) { CHECK(ask("\x01" + number(team) + "\x01", 3) == std::string(3, '\0')); }
  std::string ready() { return ask("\x44", 19); }
  int load(long level) { return byte("\x33" + number(level)); }
  int shoot(long x, long y, long tap_ms = 0) {
    return byte("\x1F" + number(x) + number(y) + number(0) + number(tap_ms));
  }
  /// Likelihood 0.75.
  int report() { return byte("\x42" + from_hex("3F400000 3E800000 00000000 00000000 00000000")); }

  std::string ground_truth_text() {
    const std::size_t bytes = u32();
    REQUIRE(bytes > 5);
    const std::string text = receive(bytes);
    return text.substr(0, bytes - 5);
  }
  std::string ground_truth_text(char code) {
    send(std::string(1, code));
    return ground_truth_text();
  }
  nlohmann::json features(char code = 62) {
    const auto json = nlohmann::json::parse(ground_truth_text(code));
    REQUIRE(json.size() == 1);
    REQUIRE(json[0]["type"] == "FeatureCollection");
    return json[0]["features"];
  }
  /// Width, height, and as many bytes.
  std::string picture() {
    const std::uint32_t width = u32();
    const std::uint32_t height = u32();
    CHECK(width == 640);
    CHECK(height == 480);
    return receive(3 * std::size_t{width} * height);
  }

  std::string all_received;

 private:
  int socket_;
};

/// A server on a free port, in a thread of its own.
class Served {
 public:
  explicit Served(aibirds::Trials& trials, aibirds::ServerOptions options = {}) {
    options.port = 0;
    server_ = std::make_unique<aibirds::Server>(trials, options,
                                                [this](const std::string& line) { said_ += line + "\n"; });
    port = server_->port();
    spectator_port = server_->spectator_port();
    thread_ = std::thread([this] { finished = server_->run([this] { return !stop_; }); });
  }
  ~Served() { stop(); }
  void stop() {
    stop_ = true;
    wait();
  }
  void wait() {
    if (thread_.joinable()) thread_.join();
  }
  /// What is logged until it has stopped.
  std::string said() {
    stop();
    return said_;
  }
  int port = 0, spectator_port = 0;
  std::atomic<bool> finished{false};

 private:
  std::string said_;
  std::unique_ptr<aibirds::Server> server_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace startle
