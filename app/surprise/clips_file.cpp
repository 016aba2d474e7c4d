#include "app/surprise/clips_file.hpp"

#include "app/command.hpp"

namespace startle {

int write_clips_file(const std::string& path, DatasetInfo info, ClipsToScore clips, const char* groups,
                     bool quiet) {
  info.split = Split::test;
  info.program = STARTLE_VERSION;
  catch_interrupt();
  std::size_t written = 0;
  {
    Progress progress(groups, clips.count, quiet);
    clips.progress = [&] { progress.advance(); };
    clips.keep_going = [] { return !interrupted(); };
    written = write_clips_to_score(path, info, clips);
  }
  if (written == 0) {
    report("interrupted: nothing was written");
    return exit_interrupted;
  }
  if (!quiet) report(path + ": " + std::to_string(written) + " clips");
  return 0;
}

}  // namespace startle
