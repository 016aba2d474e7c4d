#include "viewer/panels/overlays.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "viewer/panels/overlays/marks.hpp"
#include "viewer/panels/overlays/overlay.hpp"
#include "viewer/widgets.hpp"

namespace startle {
namespace {

struct Switch {
  Overlay overlay;
  sf::Keyboard::Key key;
  const char *keys, *name, *help;
};
constexpr std::array<Switch, overlay_count> switches_of{{
    {Overlay::targets, sf::Keyboard::F2, "F2", "Targets", "targets, with lower and upper trajectories"},
    {Overlay::support, sf::Keyboard::F3, "F3", "Support", "what rests on what"},
    {Overlay::influence, sf::Keyboard::F4, "F4", "Influence", "what the object under the mouse brings down"},
    {Overlay::cases, sf::Keyboard::F5, "F5", "Movement cases", "what a hit on a target moves, and how"},
    {Overlay::detectability, sf::Keyboard::F6, "F6", "Detectability",
     "what makes the novelty visible, object by object"},
    {Overlay::arithmetic, sf::Keyboard::F7, "F7", "PID and BID", "the difficulty step by step ( ,  and  . )"},
    {Overlay::surprise, sf::Keyboard::F8, "F8", "Surprise of a model",
     "how surprised a learned model is by the shots"},
}};

std::optional<std::size_t> object_at(const Scene& scene, Vec2 world, double reach) {
  std::optional<std::size_t> nearest;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const SceneObject& object = scene.objects[i];
    if (!object.alive || object.kind == Kind::ground) continue;
    const Shape shape = object.world_shape();
    double far = reach;
    for (const Polygon& part : shape.parts) far = std::min(far, distance(part, world));
    for (const Disc& disc : shape.discs)
      far = std::min(far, std::max(0.0, length(world - disc.centre) - disc.radius));
    if (far >= reach) continue;
    reach = far;
    nearest = i;
    if (far == 0) break;
  }
  return nearest;
}

std::vector<std::string> novelty_names(const Level& level) {
  std::vector<std::string> names;
  if (level.novelty) names.push_back(own_novelty);
  for (const Novelty& novelty : novelty_catalogue()) names.push_back(novelty.name);
  return names;
}

bool section(const char* name) {
  ImGui::SetNextItemOpen(true, ImGuiCond_Once);
  return ImGui::CollapsingHeader(name);
}

}  // namespace

void Overlays::begin(const StoredLevel& level, std::shared_ptr<const Profile> profile,
                     const std::string& played) {
  start_ = make_scene(level, std::move(profile));
  level_ = level;
  chosen_.reset();
  part_ = 0;
  stored_.clear();
  if (level.difficulty) {
    const StoredDifficulty& stored = *level.difficulty;
    stored_ = "In the file: " + stored.novelty +
              (stored.tier
                   ? ", " + tier_name(stored) + ", p_level " + overlays::format("%.2f", stored.p_level)
                   : ", value " + overlays::format("%.4f", stored.value) + " (" + name(stored.source) + ")");
    method_ = method_of(stored.source).value_or(Method::extended);
  }
  if (level.difficulty) novelty_ = level.difficulty->novelty;
  if (!played.empty()) novelty_ = played;
  try {
    if (!novelty_.empty()) std::ignore = find_novelty(novelty_, level_);
  } catch (const Error&) {
    novelty_.clear();
  }
}

bool Overlays::any() const {
  return std::any_of(on_.begin(), on_.end(), [](bool on) { return on; });
}

bool Overlays::press_key(const sf::Event::KeyEvent& key, bool standing) {
  for (const Switch& s : switches_of)
    if (s.key == key.code) {
      bool& on = on_[static_cast<std::size_t>(s.overlay)];
      on = !on;
      return true;
    }
  if (!any()) return false;
  switch (key.code) {
    case sf::Keyboard::Tab:
      turn_ = key.shift ? -1 : 1;
      return true;
    case sf::Keyboard::F10:
      on_ = {};
      return true;
    case sf::Keyboard::Comma:
    case sf::Keyboard::Period:
      if (!standing || !on(Overlay::arithmetic)) return false;
      if (key.code == sf::Keyboard::Period)
        ++part_;  // not beyond the last one: overlays::describe_arithmetic()
      else if (part_ > 0)
        --part_;
      return true;
    default:
      return false;
  }
}

void Overlays::click(Vec2 world, const Scene& scene) {
  if (any()) chosen_ = object_at(scene, world, 0.08);
}

void Overlays::choose_next(const Scene& scene, int direction) {
  const auto count = static_cast<int>(scene.objects.size());
  int at = chosen_ ? static_cast<int>(*chosen_) : direction > 0 ? -1 : count;
  for (int tries = 0; tries < count; ++tries) {
    at = (at + direction + count) % count;
    const SceneObject& object = scene.objects[static_cast<std::size_t>(at)];
    if (!object.alive || object.is_static()) continue;
    chosen_ = static_cast<std::size_t>(at);
    return;
  }
}

std::vector<HelpLine> Overlays::help() {
  std::vector<HelpLine> lines;
  for (const Switch& s : switches_of) lines.push_back({s.keys, s.help});
  lines.push_back({"Tab, click", "choose the object described;  F10: all off"});
  lines.push_back({"F9", "normal and novel world side by side"});
  return lines;
}

void Overlays::switches(const char* note, float top) {
  ImGui::SetNextWindowSize({218, 0}, ImGuiCond_Always);
  const Plate panel("inside", {12, top}, {0, 0}, 0.86F);
  const TextSize small(Text::small);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8, 4});
  ImGui::TextColored(muted_text, "Look inside");
  for (const Switch& s : switches_of) {
    bool& on = on_[static_cast<std::size_t>(s.overlay)];
    const float width = 194;
    ImGui::PushStyleColor(ImGuiCol_Text, on ? ImVec4{0.95F, 0.97F, 0.99F, 1} : muted_text);
    const std::string label = std::string("##") + s.name;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable(label.c_str(), on, ImGuiSelectableFlags_None, {width, 0})) on = !on;
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", s.help);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddText({at.x + 2, at.y}, ImGui::GetColorU32(on ? accent : muted_text), s.keys);
    list->AddText({at.x + 34, at.y}, ImGui::GetColorU32(ImGuiCol_Text), s.name);
    ImGui::PopStyleColor();
  }
  ImGui::Spacing();
  choice_box("##novelty", "no novelty", novelty_names(level_), novelty_);
  bool extended = method_ == Method::extended;
  if (ImGui::Checkbox("extended method", &extended))
    method_ = extended ? Method::extended : Method::published;
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("what a hit moves and makes visible: as published, or followed from blow to blow");
  if (note != nullptr) ImGui::TextColored(accent, "%s", note);
  ImGui::PopStyleVar();
}

void Overlays::describe(Overlay overlay, const Insight* insight, const PlayedShots& shots) {
  if (overlay == Overlay::surprise) {
    SurpriseRequest request = shots.flown;
    request.novelty = novelty_;
    surprise_.describe(request, shots.final, static_cast<int>(shots.shown), shots.step);
    return;
  }
  const overlays::OverlayView view{*insight, chosen_, focus_};
  switch (overlay) {
    case Overlay::targets:
      overlays::describe_targets(view);
      break;
    case Overlay::support:
      overlays::describe_support(view);
      break;
    case Overlay::influence:
      overlays::describe_influence(view);
      break;
    case Overlay::cases:
      overlays::describe_cases(view);
      break;
    case Overlay::detectability:
      overlays::describe_detectability(view);
      break;
    case Overlay::arithmetic:
      overlays::describe_arithmetic(view, stored_, part_);
      break;
    case Overlay::surprise:
      break;
  }
}

void Overlays::details(const Camera2D& camera, const Insight* insight, const PlayedShots& shots) {
  if (insight == nullptr && !on(Overlay::surprise)) return;
  const auto w = static_cast<float>(camera.width()), h = static_cast<float>(camera.height());
  const float width = std::clamp(0.34F * w, 260.0F, 430.0F);
  ImGui::SetNextWindowPos({w - 12, 94}, ImGuiCond_Always, {1, 0});
  ImGui::SetNextWindowSizeConstraints({width, 0},
                                      {width, std::max(160.0F, (on(Overlay::surprise) ? 0.62F : 0.5F) * h)});
  ImGui::SetNextWindowBgAlpha(0.88F);
  ImGui::Begin("details", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_AlwaysAutoResize);
  {
    const TextSize small(Text::small);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8, 4});
    for (const Switch& s : switches_of)
      if (on(s.overlay) && (insight != nullptr || s.overlay == Overlay::surprise) && section(s.name))
        describe(s.overlay, insight, shots);
    ImGui::PopStyleVar();
  }
  ImGui::End();
}

void Overlays::widgets(const Camera2D& camera, const PlayedShots& shots, float top) {
  if (!any()) return;
  if (shots.standing == nullptr) {
    details(camera, nullptr, shots);
    switches("marks come when nothing moves", top);
    return;
  }
  const Scene& scene = *shots.standing;
  if (turn_ != 0) choose_next(scene, std::exchange(turn_, 0));
  if (chosen_ && (*chosen_ >= scene.objects.size() || !scene.objects[*chosen_].alive)) chosen_.reset();
  const ImGuiIO& io = ImGui::GetIO();
  focus_ = chosen_;
  if (!io.WantCaptureMouse && io.MousePos.x > -FLT_MAX)
    if (const auto hovered = object_at(scene, camera.to_world({io.MousePos.x, io.MousePos.y}),
                                       3 / camera.scale()))
      focus_ = hovered;
  const std::shared_ptr<const Insight> insight = insights_.of(
      scene, start_, novelty_.empty() ? std::nullopt : std::optional(find_novelty(novelty_, level_)),
      method_);
  if (insight) {
    const Pen pen(camera);
    const overlays::OverlayView view{*insight, chosen_, focus_};
    if (on(Overlay::detectability)) overlays::draw_detectability(pen, view);
    if (on(Overlay::cases)) overlays::draw_cases(pen, view);
    if (on(Overlay::support)) overlays::draw_support(pen, view);
    if (on(Overlay::targets)) overlays::draw_targets(pen, view);
    if (on(Overlay::influence)) overlays::draw_influence(pen, view);
  }
  details(camera, insight.get(), shots);
  switches(!insight ? "working it out ..." : insight->next() == nullptr ? "no bird is left" : nullptr, top);
}

}  // namespace startle
