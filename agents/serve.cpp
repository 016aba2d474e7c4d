#include "agents/serve.hpp"

#include <istream>
#include <ostream>

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

}  // namespace

void serve_agent(Agent& agent, const Profile& profile, std::istream& in, std::ostream& out) {
  Observation now;
  bool begun = false, acted = false;
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

}  // namespace startle
