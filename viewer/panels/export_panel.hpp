#pragma once
/// \file  The panel that saves what the play screen shows: a picture, or a video of the shot.
#include <functional>
#include <string>
#include <vector>

#include "viewer/screen.hpp"

namespace startle {

/// What can be saved. Pictures and videos are drawn by render/ as those of `startle render`, without the
/// window's widgets.
struct Exportable {
  std::string name;                 ///< of the level, for the files
  std::vector<RecordedShot> shots;  ///< all; none: only a picture of the level as it stands
  std::size_t shown = 0;            ///< index of the one on the screen
  std::optional<double> seconds;  ///< the moment that is shown, since that shot's release; none: the level as
                                  ///< it stands after it
  Scene standing;                 ///< the level as it stands, where no shot is shown
};

class ExportPanel {
 public:
  explicit ExportPanel(Viewer& viewer) : viewer_(viewer) {}

  void toggle() { open_ = !open_; }
  bool opened() const { return open_; }
  void close() { open_ = false; }
  /// ImGui calls. `what` is called when something is to be saved.
  void widgets(bool has_shots, const std::function<Exportable()>& what);

 private:
  void save_picture(const Exportable& what);
  void save_video(const Exportable& what, const std::string& extension);
  VideoFormat format() const;

  Viewer& viewer_;
  bool open_ = false, all_ = false;
  int size_ = 1;  ///< index into the sizes offered
};

}  // namespace startle
