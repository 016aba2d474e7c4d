#include "agents/programs/serve.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <streambuf>

#include "agents/programs/messages.hpp"
#include "core/error.hpp"

namespace startle {
namespace {

std::string next_line(std::istream& in, const std::string& awaited) {
  std::string line;
  if (!std::getline(in, line)) throw Error("standard input: found its end, awaited " + awaited);
  return line;
}

/// Asks the runner for what an agent wants to look at.
class RemoteObservationSource : public ObservationSource {
 public:
  RemoteObservationSource(const Observation& now, std::istream& in, std::ostream& out)
      : now_(now), in_(in), out_(out) {}
  const Observation& now() const override { return now_; }
  Bitmap picture(int width, int height) const override { return ask({width, height, std::nullopt}); }
  Bitmap picture_of_frame(std::size_t frame, int width, int height) const override {
    return ask({width, height, frame});
  }

 private:
  Bitmap ask(const PictureRequest& request) const {
    out_ << answer_message(request) << std::endl;
    Bitmap picture = parse_picture(next_line(in_, "a picture"));
    if (picture.width != request.width || picture.height != request.height)
      throw Error("picture: found " + std::to_string(picture.width) + " x " + std::to_string(picture.height) +
                  " pixels, asked for were " + std::to_string(request.width) + " x " +
                  std::to_string(request.height));
    return picture;
  }

  const Observation& now_;
  std::istream& in_;
  std::ostream& out_;
};

void play(Agent& agent, const Profile& profile, std::istream& in, std::ostream& out, bool begun) {
  Observation now;
  bool acted = false;
  for (std::string line; std::getline(in, line);) {
    const std::string type = message_type(line);
    if (type == "end") {
      agent.end();
      return;
    }
    if (type == "begin") {
      if (begun) throw Error("message: found a second begin");
      agent.begin(parse_begin(line));
      begun = true;
    } else if (type == "act" && begun) {
      now = parse_act(line, profile);
      out << answer_message(agent.act(RemoteObservationSource(now, in, out))) << std::endl;
      acted = true;
    } else if (type == "report" && acted) {
      const SeenShot seen = parse_report_request(line, now, profile);
      out << answer_message(agent.report(seen, RemoteObservationSource(seen.after, in, out))) << std::endl;
      acted = false;
    } else {
      throw Error("message: found one of type " + type + (begun ? "" : " before begin") +
                  ", which is not awaited there");
    }
  }
}

/// Of an open file; what is written goes out with flush().
class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(int file) : file_(file) {}

 protected:
  int_type underflow() override {
    ssize_t count = 0;
    while ((count = ::read(file_, read_.data(), read_.size())) < 0 && errno == EINTR) {
    }
    if (count <= 0) return traits_type::eof();
    setg(read_.data(), read_.data(), read_.data() + count);
    return traits_type::to_int_type(*gptr());
  }
  int_type overflow(int_type letter) override {
    if (!traits_type::eq_int_type(letter, traits_type::eof())) written_ += traits_type::to_char_type(letter);
    return traits_type::not_eof(letter);
  }
  std::streamsize xsputn(const char* letters, std::streamsize count) override {
    written_.append(letters, static_cast<std::size_t>(count));
    return count;
  }
  int sync() override {
    for (std::string_view rest = written_; !rest.empty();) {
      const ssize_t count = ::write(file_, rest.data(), rest.size());
      if (count < 0 && errno != EINTR) return -1;
      if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
    }
    written_.clear();
    return 0;
  }

 private:
  int file_;
  std::array<char, 1 << 16> read_;
  std::string written_;
};

/// Copies of standard input and output, which programs that this one starts do not get. While it lives,
/// standard output is standard error and standard input is empty: nothing but the messages reaches the
/// runner, and nobody else takes its own.
class RunnersStreams {
 public:
  RunnersStreams() : in_(copy(STDIN_FILENO)), out_(copy(STDOUT_FILENO)) {
    std::cout.flush();
    std::fflush(stdout);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    if (const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC); nothing >= 0) {
      dup2(nothing, STDIN_FILENO);
      close(nothing);
    }
  }
  ~RunnersStreams() {
    std::cout.flush();
    std::fflush(stdout);
    dup2(in_, STDIN_FILENO);
    dup2(out_, STDOUT_FILENO);
    close(in_);
    close(out_);
  }
  RunnersStreams(const RunnersStreams&) = delete;
  RunnersStreams& operator=(const RunnersStreams&) = delete;
  int in() const { return in_; }
  int out() const { return out_; }

 private:
  static int copy(int file) {
    const int made = fcntl(file, F_DUPFD_CLOEXEC, 3);
    if (made < 0)
      throw Error(std::string("standard input or output: cannot be used: ") + std::strerror(errno));
    return made;
  }
  int in_, out_;
};

/// Byte by byte: what comes after the line is for the fork.
bool read_line_alone(int file, std::string& line) {
  line.clear();
  for (;;) {
    char byte = 0;
    const ssize_t count = ::read(file, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    if (byte == '\n') return true;
    line += byte;
  }
}

[[noreturn]] void play_in_fork(Agent& agent, const Profile& profile, const std::string& begin,
                               std::istream& in, std::ostream& out) {
  int code = 0;
  try {
    agent.begin(parse_begin(begin));
    play(agent, profile, in, out, true);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << std::endl;
    code = 2;
  }
  out.flush();
  std::cout.flush();
  _exit(code);  // what is loaded need not be taken down
}

}  // namespace

void serve_agent(Agent& agent, const Profile& profile, std::istream& in, std::ostream& out) {
  play(agent, profile, in, out, false);
}

void serve_trials(Agent& agent, const Profile& profile) {
  const RunnersStreams streams;
  FileBuffer in_buffer(streams.in()), out_buffer(streams.out());
  std::istream in(&in_buffer);
  std::ostream out(&out_buffer);
  out << ready_message(Separation::fork) << std::endl;
  for (std::string line; read_line_alone(streams.in(), line);) {
    // What a fork has left unread is not for the next one.
    if (line.find("\"begin\"") == std::string::npos || message_type(line) != "begin") continue;
    const pid_t pid = fork();
    if (pid < 0) throw Error(std::string("a trial: no process can be made for it: ") + std::strerror(errno));
    if (pid == 0) play_in_fork(agent, profile, line, in, out);
    int state = 0;
    while (waitpid(pid, &state, 0) < 0 && errno == EINTR) {
    }
    // A line that the fork has begun ends here.
    out << '\n'
        << over_message(WIFSIGNALED(state) ? ProgramEnd{.signal = WTERMSIG(state)}
                                           : ProgramEnd{.code = WEXITSTATUS(state)})
        << std::endl;
  }
}

}  // namespace startle
