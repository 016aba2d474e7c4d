#include "agents/serve.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include "agents/messages.hpp"
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

/// Byte by byte: what comes after the line is for the fork.
bool read_line_alone(std::string& line) {
  line.clear();
  for (;;) {
    char byte = 0;
    const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    if (byte == '\n') return true;
    line += byte;
  }
}

[[noreturn]] void play_in_fork(Agent& agent, const Profile& profile, const std::string& begin) {
  int code = 0;
  try {
    agent.begin(parse_begin(begin));
    play(agent, profile, std::cin, std::cout, true);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << std::endl;
    code = 2;
  }
  std::cout.flush();
  _exit(code);  // what is loaded need not be taken down
}

}  // namespace

void serve_agent(Agent& agent, const Profile& profile, std::istream& in, std::ostream& out) {
  play(agent, profile, in, out, false);
}

void serve_trials(Agent& agent, const Profile& profile) {
  std::ios::sync_with_stdio(false);  // which reads byte by byte
  std::cout << ready_message(Separation::fork) << std::endl;
  for (std::string line; read_line_alone(line);) {
    // What a fork has left unread is not for the next one.
    if (line.find("\"begin\"") == std::string::npos || message_type(line) != "begin") continue;
    const pid_t pid = fork();
    if (pid < 0) throw Error(std::string("a trial: no process can be made for it: ") + std::strerror(errno));
    if (pid == 0) play_in_fork(agent, profile, line);
    int state = 0;
    while (waitpid(pid, &state, 0) < 0 && errno == EINTR) {
    }
    // A line that the fork has begun ends here.
    std::cout << '\n'
              << over_message(WIFSIGNALED(state) ? ProgramEnd{.signal = WTERMSIG(state)}
                                                 : ProgramEnd{.code = WEXITSTATUS(state)})
              << std::endl;
  }
}

}  // namespace startle
