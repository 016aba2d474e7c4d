#include "viewer/panels/surprise_panel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/error.hpp"
#include "viewer/drawing/pen.hpp"
#include "viewer/drawing/textures.hpp"
#include "viewer/widgets.hpp"

namespace startle {
namespace {

constexpr Colour normal_colour = colour(0x56B4E9), novel_colour = colour(0xFF6FCF);

}  // namespace

void SurprisePanel::plot(const std::vector<const SurpriseClip*>& clips, float frame) const {
  const float width = ImGui::GetContentRegionAvail().x, height = 84;
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 high{low.x + width, low.y + height};
  ImGui::Dummy({width, height});
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(low, high, IM_COL32(255, 255, 255, 16), 4);
  double most = 0;
  int frames = 2;
  for (const SurpriseClip* clip : clips) {
    for (const double s : clip->surprise) most = std::max(most, s);
    frames = std::max(frames, clip->frames());
  }
  if (!(most > 0)) most = 1;
  const float left = low.x + 6, right = high.x - 6, top = low.y + 18, bottom = high.y - 6;
  const auto x_of = [&](float f) { return left + (right - left) * f / static_cast<float>(frames - 1); };
  const auto y_of = [&](double s) { return bottom - (bottom - top) * static_cast<float>(s / most); };
  list->AddLine({left, bottom}, {right, bottom}, IM_COL32(255, 255, 255, 60));
  list->AddLine({x_of(frame), top - 4}, {x_of(frame), bottom}, ImGui::GetColorU32(accent), 1.5F);
  for (const SurpriseClip* clip : clips) {
    std::vector<ImVec2> points;
    for (std::size_t i = 0; i < clip->surprise.size(); ++i)
      points.push_back({x_of(static_cast<float>(i + 1)), y_of(clip->surprise[i])});
    const ImU32 c = im_colour(clip == clips.front() ? normal_colour : novel_colour);
    list->AddPolyline(points.data(), static_cast<int>(points.size()), c, ImDrawFlags_None, 2);
    for (const ImVec2 point : points) list->AddCircleFilled(point, 2.5F, c);
  }
  char text[48];
  std::snprintf(text, sizeof text, "%.1f", most);
  list->AddText({low.x + 6, low.y + 2}, ImGui::GetColorU32(muted_text), text);
  const char* what = "surprise, frame by frame";
  list->AddText({high.x - 6 - ImGui::CalcTextSize(what).x, low.y + 2}, ImGui::GetColorU32(muted_text), what);
}

void SurprisePanel::pictures(const SurpriseClip& clip, int frame, float side, bool named) {
  auto found = std::find_if(textures_.begin(), textures_.end(),
                            [&](const auto& entry) { return entry.first == &clip; });
  if (found == textures_.end()) {
    auto texture = std::make_unique<sf::Texture>();
    upload(clip.strip, *texture);
    texture->setSmooth(false);
    found = textures_.insert(textures_.end(), {&clip, std::move(texture)});
  }
  const sf::Texture& texture = *found->second;
  const auto frames = static_cast<float>(clip.frames());
  const float u = static_cast<float>(frame) / frames, v = 1.0F / 3;
  static constexpr const char* names[] = {"seen", "predicted", "error"};
  for (int row = 0; row < 3; ++row) {
    if (row > 0) ImGui::SameLine(0, 6);
    ImGui::BeginGroup();
    const auto handle = texture.getNativeHandle();
    ImGui::Image(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(handle)), {side, side},
                 {u, v * static_cast<float>(row)}, {u + 1 / frames, v * static_cast<float>(row + 1)});
    if (named) ImGui::TextColored(muted_text, "%s", names[row]);
    ImGui::EndGroup();
  }
}

void SurprisePanel::describe(const SurpriseRequest& request, bool may_start, int shot, double step) {
  run_.update();
  if (request.shots.empty() || request.level.empty()) {
    ImGui::TextWrapped("%s", request.level.empty()
                                 ? "The model reads the level's file, and this level has none."
                                 : "Shoot first: the model scores shots.");
    return;
  }
  if (may_start && refused_.empty() && !(run_.request() == request)) {
    textures_.clear();
    try {
      run_.start(request);
    } catch (const Error& error) {
      refused_ = error.what();
    }
  }
  if (!refused_.empty()) {
    ImGui::TextWrapped("No model to ask: %s.", refused_.c_str());
    return;
  }
  if (run_.running()) {
    const char* const dots[] = {".", "..", "..."};
    ImGui::TextColored(accent, "the model looks at the shots %s",
                       dots[static_cast<int>(2 * ImGui::GetTime()) % 3]);
    return;
  }
  if (!run_.failure().empty()) {
    ImGui::TextWrapped("%s", run_.failure().c_str());
    return;
  }
  const int last = shot > 0 ? shot : static_cast<int>(run_.request().shots.size());
  std::vector<const SurpriseClip*> clips;
  for (const SurpriseClip& clip : run_.clips())
    if (clip.shot == last) clips.push_back(&clip);
  if (clips.empty()) {
    ImGui::TextWrapped("The model is asked about this shot when it is over.");
    return;
  }
  show(clips, shot > 0 ? std::optional(step) : std::nullopt);
}

void SurprisePanel::show(const std::vector<const SurpriseClip*>& clips, std::optional<double> step) {
  const SurpriseClip& first = *clips.front();
  const int frames = first.frames();
  const float at = step ? std::clamp(static_cast<float>((*step - first.first_step) / first.stride), 0.0F,
                                     static_cast<float>(frames - 1))
                        : static_cast<float>(frame_);
  if (step) frame_ = static_cast<int>(at);
  frame_ = std::clamp(frame_, 0, frames - 1);
  plot(clips, at);
  ImGui::SetNextItemWidth(-1);
  const std::string label = "shot " + std::to_string(first.shot) + ", frame %d of " +
                            std::to_string(frames - 1);
  ImGui::SliderInt("##frame", &frame_, 0, frames - 1, label.c_str());
  const float room = std::floor((ImGui::GetContentRegionAvail().x - 12) / 3),
              side = clips.size() > 1 ? std::min(room, 92.0F) : room;
  for (const SurpriseClip* clip : clips) {
    double sum = 0;
    for (const double s : clip->surprise) sum += s;
    const bool normal = clip == clips.front();
    ImGui::TextColored(im_colour4(normal ? normal_colour : novel_colour), "%s world",
                       normal ? "normal" : clip->world.c_str());
    ImGui::SameLine();
    if (frame_ > 0)
      ImGui::TextColored(muted_text, "now %.1f, in all %.1f",
                         clip->surprise[static_cast<std::size_t>(frame_ - 1)], sum);
    else
      ImGui::TextColored(muted_text, "in all %.1f", sum);
    pictures(*clip, frame_, side, clip == clips.back());
  }
}

}  // namespace startle
