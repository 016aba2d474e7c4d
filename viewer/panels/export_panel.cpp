#include "viewer/panels/export_panel.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "play/video_export.hpp"
#include "render/png.hpp"
#include "viewer/widgets.hpp"

namespace startle {
namespace {

const VideoFormat sizes[] = {{640, 360, 25}, {960, 540, 25}, {1280, 720, 25}};

}  // namespace

VideoFormat ExportPanel::format() const { return sizes[size_]; }

void ExportPanel::save_picture(const Exportable& what) {
  RecordedWorld world = standing("", what.standing);
  if (what.seconds && !what.shots.empty()) world.shots = {what.shots[what.shown]};
  const std::filesystem::path path = free_name(".", what.name, ".png");
  try {
    write_file(path, png_bytes(still({world}, what.seconds.value_or(0), format())));
    std::error_code error;
    viewer_.notice("Saved " + std::filesystem::absolute(path, error).lexically_normal().string());
  } catch (const Error& error) {
    viewer_.notice(error.what());
  }
}

void ExportPanel::save_video(const Exportable& what, const std::string& extension) {
  RecordedWorld world;
  if (all_)
    world.shots = what.shots;
  else if (!what.shots.empty())
    world.shots = {what.shots[what.shown]};
  try {
    viewer_.videos().start(free_name(std::filesystem::current_path(), what.name, extension), std::move(world),
                           format());
  } catch (const std::exception& error) {
    viewer_.notice(error.what());
  }
}

void ExportPanel::widgets(bool has_shots, const std::function<Exportable()>& what) {
  if (!open_) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Plate plate("export", {size.x - 12, 0.5f * size.y}, {1, 0.5f}, 0.94f, {248, 0});
  heading_line("Save what is shown");
  ImGui::SetNextItemWidth(-1);
  ImGui::Combo("##size", &size_,
               "640 x 360\0"
               "960 x 540\0"
               "1280 x 720\0");
  if (ImGui::Button("Picture", {-1, 0})) save_picture(what());
  if (has_shots) {
    if (ImGui::RadioButton("this shot", !all_)) all_ = false;
    ImGui::SameLine();
    if (ImGui::RadioButton("all shots", all_)) all_ = true;
    if (!viewer_.videos().running()) {
      if (ImGui::Button("Video, GIF", {108, 0})) save_video(what(), ".gif");
      ImGui::SameLine();
      if (ImGui::Button("Video, MP4", {-1, 0})) save_video(what(), ".mp4");
    }
  } else {
    const TextSize small(Text::small);
    ImGui::TextColored(muted_text, "Videos are of shots: shoot first.");
  }
  if (viewer_.videos().running()) {
    ImGui::ProgressBar(static_cast<float>(viewer_.videos().progress()), {-1, 0});
    if (ImGui::Button("Stop", {-1, 0})) viewer_.videos().cancel();
  }
  const TextSize small(Text::small);
  ImGui::TextColored(muted_text, "Files go where Startle was started.");
}

}  // namespace startle
