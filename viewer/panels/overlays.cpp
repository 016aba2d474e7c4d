#include "viewer/panels/overlays.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <utility>

#include "difficulty/impact_score.hpp"
#include "sim/error.hpp"
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
     "what shows the novelty, object by object"},
    {Overlay::arithmetic, sf::Keyboard::F7, "F7", "PID and BID", "the difficulty step by step ( ,  and  . )"},
    {Overlay::surprise, sf::Keyboard::F8, "F8", "Surprise of a model",
     "how surprised a learned model is by the shots"},
}};

// Colours that people with any colour vision tell apart (Okabe and Ito), the same as in scene_svg where it draws the same.
constexpr Colour lower_path = colour(0x0072B2), upper_path = colour(0xD55E00), white = colour(0xFFFFFF),
                 ink = colour(0x16202E), plate = colour(0x17212F, 225), dim = colour(0xA8B7CC),
                 shown_colour = colour(0xB3128A), focus_colour = colour(0xFFD54A), orange = colour(0xE69F00),
                 green = colour(0x009E73), sky_blue = colour(0x56B4E9), pink = colour(0xE07BB0),
                 red = colour(0xC8322B), blue = colour(0x1B6FC2), violet = colour(0x7A4FC9);

Colour with_alpha(Colour c, std::uint8_t alpha) { return {c.r, c.g, c.b, alpha}; }

std::string format(const char* pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

std::string object_name(const Scene& scene, std::size_t object) {
  return object == ground_index ? "the ground"
                                : "#" + std::to_string(object) + " " + appearance(scene.objects[object]);
}

std::string number_list(const Cases& cases) {
  std::string text;
  for (std::size_t c = 1; c <= 9; ++c)
    if (cases[c]) text += (text.empty() ? "" : " ") + std::to_string(c);
  return text;
}

std::string object_list(const std::vector<std::size_t>& objects) {
  std::string text;
  for (const std::size_t object : objects) text += (text.empty() ? "#" : ", #") + std::to_string(object);
  return text.empty() ? "none" : text;
}

/// By what happens to the object: destroyed, flips, slides, or falls only.
Colour case_colour(const Cases& cases) {
  if (cases[1]) return red;
  if (cases[2] || cases[8] || cases[9]) return violet;
  if (cases[3] || cases[6] || cases[7]) return blue;
  return orange;
}

Colour class_colour(SupporterClass kind) {
  if (kind == SupporterClass::left) return sky_blue;
  return kind == SupporterClass::right ? pink : green;
}

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

/// From release to first contact.
std::vector<Vec2> path_of(const Trajectory& trajectory) {
  constexpr int pieces = 28;
  std::vector<Vec2> points;
  for (int i = 0; i <= pieces; ++i) points.push_back(trajectory.at(trajectory.time * i / pieces));
  return points;
}

/// Beside an object, the way it falls: what stands on the object itself stays legible.
void draw_fall_arrow(const Pen& pen, const Bounds& box, FallDirection way) {
  const double y = box.centre().y;
  Vec2 from{box.xmax + 0.1, y + 0.18}, to{box.xmax + 0.1, y - 0.28};
  if (way == FallDirection::left) from = {box.xmin - 0.02, y + 0.1}, to = {box.xmin - 0.34, y - 0.22};
  if (way == FallDirection::right) from = {box.xmax + 0.02, y + 0.1}, to = {box.xmax + 0.34, y - 0.22};
  pen.arrow(from, to, white, 4.5F);
  pen.arrow(from, to, ink, 2.5F);
}

void draw_fall(const Pen& pen, const Insight& insight, const Fall& fall, Colour c) {
  const Shape shape = insight.scene.objects[fall.object].world_shape();
  pen.fill(shape, with_alpha(c, 120));
  pen.outline(shape, c, 1.5F);
  draw_fall_arrow(pen, insight.graph.geometry.bounds[fall.object], fall.direction);
}

void paragraph(const std::string& text) { ImGui::TextWrapped("%s", text.c_str()); }

void legend(Colour c, const char* text, bool dashed = false) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float middle = at.y + 0.5F * ImGui::GetTextLineHeight();
  if (dashed) {
    for (const float x : {0.0F, 10.0F})
      list->AddLine({at.x + x, middle}, {at.x + x + 7, middle}, im_colour(c), 3);
  } else {
    list->AddRectFilled({at.x, middle - 4}, {at.x + 17, middle + 4}, im_colour(c), 2);
  }
  ImGui::Dummy({19, 1});
  ImGui::SameLine();
  ImGui::TextUnformatted(text);
}

/// Lines of an explanation: their indentation kept, the sums pointed out.
void explanation_lines(const std::string& text) {
  const TextSize small(Text::small);
  std::size_t from = 0;
  while (from < text.size()) {
    std::size_t end = text.find('\n', from);
    if (end == std::string::npos) end = text.size();
    std::string line = text.substr(from, end - from);
    from = end + 1;
    const std::size_t spaces = std::min(line.find_first_not_of(' '), line.size());
    line.erase(0, spaces);
    const bool sum = line.starts_with("M = ") || line.starts_with("PID = ") || line.starts_with("BID = ") ||
                     line.starts_with("Value = ");
    const bool title = spaces <= 2 && (line.starts_with("Interaction ") || line.starts_with("Novelty ") ||
                                       line.starts_with("Targets ") || line.starts_with("Best target"));
    const ImVec4 c = sum                                     ? accent
                     : line.starts_with("shows the novelty") ? ImVec4{1.0F, 0.62F, 0.87F, 1}
                     : title || spaces <= 4                  ? ImVec4{0.95F, 0.97F, 0.99F, 1}
                                                             : muted_text;
    const float indent = 7.0F * static_cast<float>(spaces) / 2;
    if (indent > 0) ImGui::Indent(indent);
    ImGui::PushStyleColor(ImGuiCol_Text, c);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8, 3});
    ImGui::TextWrapped("%s", line.c_str());
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    if (indent > 0) ImGui::Unindent(indent);
  }
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

void Overlays::begin(const Level& level, std::shared_ptr<const Profile> profile, const std::string& played) {
  start_ = make_scene(level, std::move(profile));
  level_ = level;
  chosen_.reset();
  part_ = 0;
  stored_.clear();
  if (level.difficulty) {
    const StoredDifficulty& stored = *level.difficulty;
    stored_ = "In the file: " + stored.novelty + (stored.tier ? ", " + stored.tier->tier : "") + ", value " +
              format("%.4f", stored.value) + " (" + stored.method + ")";
    method_ = method_from_name(stored.method).value_or(Method::published);
  }
  if (level.difficulty) novelty_ = level.difficulty->novelty;
  if (!played.empty()) novelty_ = played;
  try {
    if (!novelty_.empty()) find_novelty(novelty_, level_);
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
        ++part_;  // not beyond the last one: tell_arithmetic()
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
  lines.push_back({"Tab, click", "choose the object told of;  F10: all off"});
  lines.push_back({"F9", "normal and novel world side by side"});
  return lines;
}

const TargetOutcome* Overlays::told(const Insight& insight) const {
  const Interaction* next = insight.next();
  if (next == nullptr || next->targets.empty()) return nullptr;
  for (const auto& object : {focus_, chosen_})
    if (object)
      if (const TargetOutcome* outcome = insight.outcome(*object)) return outcome;
  return &next->targets[next->best.value_or(0)];
}

void Overlays::draw_targets(const Pen& pen, const Insight& insight) const {
  const Interaction* next = insight.next();
  if (next == nullptr) return;
  const TargetOutcome* strong = told(insight);
  for (const bool front : {false, true})
    for (const TargetOutcome& outcome : next->targets) {
      if ((&outcome == strong) != front) continue;
      for (const Trajectory& trajectory : outcome.target.trajectories) {
        const Colour c = trajectory.upper ? upper_path : lower_path;
        const std::vector<Vec2> path = path_of(trajectory);
        if (front) pen.line(path, colour(0xFFFFFF, 150), 5);
        if (!front)
          pen.line(path, with_alpha(c, 105), 1.4F);
        else if (trajectory.upper)
          pen.dashes(path, c, 2.5F);
        else
          pen.line(path, c, 2.5F);
        if (front) pen.dot(trajectory.aim, 4, c);
      }
    }
  for (const bool front : {false, true})  // what is told of lies over all others
    for (const TargetOutcome& outcome : next->targets) {
      if ((&outcome == strong) != front) continue;
      pen.outline(insight.scene.objects[outcome.target.object].world_shape(), front ? focus_colour : white,
                  front ? 3.0F : 1.5F);
      pen.label(insight.graph.geometry.shapes[outcome.target.object].centroid,
                std::to_string(outcome.target.object), front ? ink : white, front ? focus_colour : plate);
    }
}

void Overlays::draw_support(const Pen& pen, const Insight& insight) const {
  const SceneShapes& geometry = insight.graph.geometry;
  for (const Support& edge : insight.graph.edges) {
    const Colour c = class_colour(edge.kind);
    const Vec2 to = geometry.shapes[edge.upper].centroid;
    const double y = geometry.bounds[edge.upper].ymin, x = 0.5 * (edge.contact.start + edge.contact.end);
    const Vec2 from = edge.lower == ground_index                      ? Vec2{x, y - 0.3}
                      : insight.scene.objects[edge.lower].is_static() ? Vec2{x, y - 0.1}
                                                                      : geometry.shapes[edge.lower].centroid;
    const bool front = focus_ && (edge.upper == *focus_ || edge.lower == *focus_);
    pen.bar(edge.contact.start, edge.contact.end, y, with_alpha(c, 235), front ? 6.0F : 4.0F);
    pen.arrow(from, to, colour(0xFFFFFF, 190), front ? 6.0F : 4.5F);
    pen.arrow(from, to, c, front ? 3.5F : 2.2F);
  }
  for (std::size_t i = 0; i < insight.scene.objects.size(); ++i)
    if (insight.scene.objects[i].alive && !insight.scene.objects[i].is_static())
      pen.dot(geometry.shapes[i].centroid, 3, ink);
}

void Overlays::draw_influence(const Pen& pen, const Insight& insight) const {
  if (!focus_ || !insight.scene.objects[*focus_].alive) return;
  const std::size_t object = *focus_;
  const Influence& influence = insight.influences[object];
  const SceneShapes& geometry = insight.graph.geometry;
  for (const Fall& fall : influence.vertical) draw_fall(pen, insight, fall, orange);
  const Bounds box = geometry.bounds[object];
  if (influence.horizontal) {
    const HorizontalInfluence& horizontal = *influence.horizontal;
    const double side = pushed_right(insight.scene, geometry, object) ? 1 : -1;
    const double edge = side > 0 ? box.xmax : box.xmin;
    if (horizontal.hit == HitResult::flips) {  // the arc it falls through
      std::vector<Vec2> arc{{edge, box.ymin}};
      for (int i = 0; i <= 24; ++i) {
        const Vec2 way = direction(radians(90.0 * i / 24));
        arc.push_back({edge + side * box.height() * way.x, box.ymin + box.height() * way.y});
      }
      arc.push_back(arc.front());
      pen.dashes(arc, violet, 2);
    } else if (horizontal.hit == HitResult::slides) {  // the path it slides along
      const double far = edge + side * ReasoningConstants{}.k_slide;
      pen.dashes({{edge, box.ymax}, {far, box.ymax}, {far, box.ymin}, {edge, box.ymin}}, blue, 2);
    }
    for (const std::size_t candidate : horizontal.candidates)
      if (horizontal.closest != candidate)
        pen.outline(insight.scene.objects[candidate].world_shape(), with_alpha(blue, 210), 1.5F);
    for (const Fall& fall : horizontal.falls)
      if (fall.object != object) draw_fall(pen, insight, fall, sky_blue);
    if (horizontal.closest) {
      pen.outline(insight.scene.objects[*horizontal.closest].world_shape(), white, 5);
      pen.outline(insight.scene.objects[*horizontal.closest].world_shape(), blue, 3);
    }
    if (horizontal.hit != HitResult::destroyed) {
      const double reach = horizontal.hit == HitResult::flips ? box.height() : ReasoningConstants{}.k_slide;
      const Vec2 from{box.centre().x, box.centre().y},
          to{edge + side * std::max(0.5, 0.6 * reach), box.centre().y};
      pen.arrow(from, to, white, 6);
      pen.arrow(from, to, blue, 3.5F);
    }
  }
  pen.outline(insight.scene.objects[object].world_shape(), ink, 5);
  pen.outline(insight.scene.objects[object].world_shape(), focus_colour, 3);
  std::string text = object_name(insight.scene, object);
  if (influence.horizontal) text += std::string(": ") + name(influence.horizontal->hit);
  pen.label({box.xmin, box.centre().y}, text, ink, focus_colour, Pen::End::right);
}

void Overlays::draw_cases(const Pen& pen, const Insight& insight) const {
  const TargetOutcome* outcome = told(insight);
  if (outcome == nullptr) return;
  const SceneShapes& geometry = insight.graph.geometry;
  for (const ImpactedObject& moved : outcome->hits.front().impacted) {
    const Shape shape = insight.scene.objects[moved.object].world_shape();
    const Colour c = case_colour(moved.cases);
    pen.fill(shape, with_alpha(c, 130));
    pen.outline(shape, c, 2);
    if (moved.falls) draw_fall_arrow(pen, geometry.bounds[moved.object], *moved.falls);
  }
  const Shape target = insight.scene.objects[outcome->target.object].world_shape();
  pen.outline(target, ink, 5);
  pen.outline(target, focus_colour, 3);
  for (const ImpactedObject& moved : outcome->hits.front().impacted)
    pen.label(geometry.shapes[moved.object].centroid, number_list(moved.cases), white,
              with_alpha(case_colour(moved.cases), 240));
}

void Overlays::draw_detectability(const Pen& pen, const Insight& insight) const {
  if (insight.next() == nullptr || insight.novelty.name.empty()) return;
  const std::string targets = std::to_string(insight.next()->targets.size());
  for (std::size_t i = 0; i < insight.detectability.size(); ++i) {
    const ObjectDetectability& one = insight.detectability[i];
    if (!one.novel) continue;
    const Shape shape = insight.scene.objects[i].world_shape();
    if (one.shown_by.empty()) {
      pen.fill(shape, colour(0x5A6472, 110));
      pen.dashed_outline(shape, ink, 2);
    } else {
      pen.fill(shape, with_alpha(shown_colour, 150));
      pen.outline(shape, white, 4);
      pen.outline(shape, shown_colour, 2.5F);
    }
  }
  for (std::size_t i = 0; i < insight.detectability.size(); ++i)
    if (const ObjectDetectability& one = insight.detectability[i]; one.novel)
      pen.label(insight.graph.geometry.shapes[i].centroid,
                std::to_string(one.shown_by.size()) + "/" + targets, white,
                one.shown_by.empty() ? plate : with_alpha(shown_colour, 235));
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
    ImGui::SetTooltip("what a hit moves and shows: as published, or followed from blow to blow");
  if (note != nullptr) ImGui::TextColored(accent, "%s", note);
  ImGui::PopStyleVar();
}

void Overlays::tell_targets(const Insight& insight) {
  std::size_t lower = 0, upper = 0;
  const Interaction* next = insight.next();
  const std::size_t count = next == nullptr ? 0 : next->targets.size();
  for (std::size_t i = 0; i < count; ++i)
    for (const Trajectory& trajectory : next->targets[i].target.trajectories)
      ++(trajectory.upper ? upper : lower);
  paragraph(std::to_string(count) + (count == 1 ? " target" : " targets") + " of " +
            (next == nullptr ? "no bird" : next->bird) + ", reached by");
  legend(lower_path, (std::to_string(lower) + " lower trajectories").c_str());
  legend(upper_path, (std::to_string(upper) + " upper trajectories").c_str(), true);
  const TargetOutcome* outcome = told(insight);
  if (outcome == nullptr) return;
  ImGui::Spacing();
  paragraph(object_name(insight.scene, outcome->target.object));
  for (const Trajectory& trajectory : outcome->target.trajectories) {
    const std::string angle = format("%.2f°", degrees(trajectory.shot.angle)),
                      time = format("%.2f s", trajectory.time);
    ImGui::TextColored(muted_text, "%s  %s, there after %s", trajectory.upper ? "upper" : "lower",
                       angle.c_str(), time.c_str());
  }
}

void Overlays::tell_support(const Insight& insight) {
  std::array<int, 4> counts{};
  for (const Support& edge : insight.graph.edges) ++counts[static_cast<std::size_t>(edge.kind)];
  paragraph("Arrows run from what carries to what is carried. A supporter reaches under the object");
  legend(green, ("across its centre (" +
                 std::to_string(counts[static_cast<std::size_t>(SupporterClass::centre)]) + ")")
                    .c_str());
  legend(sky_blue, ("on the left of it (" +
                    std::to_string(counts[static_cast<std::size_t>(SupporterClass::left)]) + ")")
                       .c_str());
  legend(pink, ("on the right of it (" +
                std::to_string(counts[static_cast<std::size_t>(SupporterClass::right)]) + ")")
                   .c_str());
  if (!focus_) return;
  ImGui::Spacing();
  paragraph(object_name(insight.scene, *focus_));
  std::string below, above;
  for (const std::size_t e : insight.graph.supporters[*focus_]) {
    const Support& edge = insight.graph.edges[e];
    below += (below.empty() ? "" : ", ") +
             (edge.lower == ground_index ? std::string("ground") : "#" + std::to_string(edge.lower)) + " (" +
             name(edge.kind) + ")";
  }
  for (const std::size_t e : insight.graph.supportees[*focus_])
    above += (above.empty() ? "#" : ", #") + std::to_string(insight.graph.edges[e].upper);
  ImGui::PushStyleColor(ImGuiCol_Text, muted_text);
  paragraph("rests on " + (below.empty() ? "nothing" : below));
  paragraph("carries " + (above.empty() ? "nothing" : above));
  ImGui::PopStyleColor();
}

void Overlays::tell_influence(const Insight& insight) {
  if (!focus_ || !insight.scene.objects[*focus_].alive) {
    paragraph("Put the mouse on an object, click it, or press Tab.");
    return;
  }
  const std::size_t object = *focus_;
  const Influence& influence = insight.influences[object];
  paragraph(object_name(insight.scene, object));
  const auto falls = [&](const std::vector<Fall>& list) {
    for (const Fall& fall : list)
      ImGui::BulletText("%s falls %s", object_name(insight.scene, fall.object).c_str(), name(fall.direction));
  };
  legend(orange,
         influence.vertical.empty()
             ? "vertical impact: nothing falls"
             : ("vertical impact: " + std::to_string(influence.vertical.size()) + " fall once it is gone")
                   .c_str());
  falls(influence.vertical);
  if (!influence.horizontal) return;
  const HorizontalInfluence& horizontal = *influence.horizontal;
  const Bounds box = insight.graph.geometry.bounds[object];
  legend(blue, (std::string("horizontal influence: it ") +
                (horizontal.hit == HitResult::destroyed ? "is destroyed" : name(horizontal.hit)))
                   .c_str());
  ImGui::PushStyleColor(ImGuiCol_Text, muted_text);
  paragraph("blow at " + format("%.1f m/s", influence.speed) + ": " + format("%.1f", influence.damage) +
            " of " + format("%.1f", insight.scene.objects[object].life) + " hit points");
  if (horizontal.hit != HitResult::destroyed) {
    const ReasoningConstants constants;
    const double ratio = box.height() / std::max(box.width(), 1e-9);
    paragraph("height/width " + format("%.2f", ratio) + (ratio > constants.k_flip ? " > " : " at most ") +
              format("%.2f", constants.k_flip) + ": " + name(horizontal.hit));
    paragraph(std::string(horizontal.hit == HitResult::flips ? "in the arc it falls through: "
                                                             : "in the path it slides along: ") +
              object_list(horizontal.candidates));
  }
  ImGui::PopStyleColor();
  if (!horizontal.closest) return;
  const Bounds other = insight.graph.geometry.bounds[*horizontal.closest];
  const double gap = pushed_right(insight.scene, insight.graph.geometry, object) ? other.xmin - box.xmax
                                                                                 : box.xmin - other.xmax;
  paragraph("pushes " + object_name(insight.scene, *horizontal.closest) + ", " + format("%.2f", gap) +
            " away" + (insight.scene.objects[*horizontal.closest].is_static() ? ", which stops it" : ""));
  falls(horizontal.falls);
}

void Overlays::tell_cases(const Insight& insight) {
  const TargetOutcome* outcome = told(insight);
  if (outcome == nullptr) {
    paragraph("There is no target.");
    return;
  }
  legend(red, "destroyed: 1");
  ImGui::SameLine(150);
  legend(violet, "flips: 2 8 9");
  legend(blue, "slides: 3 6 7");
  ImGui::SameLine(150);
  legend(orange, "falls: 4 5");
  ImGui::Spacing();
  const Interaction& next = *insight.next();
  const std::vector<std::size_t> best = next.best_targets();
  const bool is_best = std::any_of(best.begin(), best.end(),
                                   [&](std::size_t t) { return &next.targets[t] == outcome; });
  explanation_lines(explain_target(insight.scene, *outcome, is_best, best.size()));
}

void Overlays::tell_detectability(const Insight& insight) {
  if (insight.novelty.name.empty()) {
    paragraph("Choose a novelty in the panel on the left.");
    return;
  }
  paragraph(insight.novelty.name + ": " + insight.novelty.description);
  std::size_t novel = 0, shown = 0;
  for (const ObjectDetectability& one : insight.detectability) {
    novel += one.novel;
    shown += !one.shown_by.empty();
  }
  const std::size_t targets = insight.next() == nullptr ? 0 : insight.next()->targets.size();
  ImGui::PushStyleColor(ImGuiCol_Text, muted_text);
  paragraph("Written on an object: of " + std::to_string(targets) +
            " targets, how many show the novelty in it.");
  ImGui::PopStyleColor();
  legend(shown_colour,
         (std::to_string(shown) + " of " + std::to_string(novel) + " novel objects can show it").c_str());
  legend(colour(0x8A94A4), "novel, and no next shot shows it", true);
  if (!focus_) return;
  ImGui::Spacing();
  const ObjectDetectability& one = insight.detectability[*focus_];
  paragraph(object_name(insight.scene, *focus_) + (one.novel ? "" : ": not novel"));
  ImGui::PushStyleColor(ImGuiCol_Text, muted_text);
  for (const auto& change : one.changes)
    paragraph(std::string(name(change.parameter)) + " " + format("%g", change.normal) + " → " +
              format("%g", change.novel) +
              (change.shown_in.none() ? "; shown by being destroyed, or not"
                                      : "; shown by cases " + number_list(change.shown_in)));
  if (one.novel) {
    paragraph("moved by targets " + object_list(one.moved_by));
    paragraph("shown by targets " + object_list(one.shown_by));
  }
  ImGui::PopStyleColor();
}

void Overlays::tell_arithmetic(const Insight& insight) {
  if (insight.novelty.name.empty()) {
    paragraph("Choose a novelty in the panel on the left.");
    return;
  }
  if (!stored_.empty()) ImGui::TextColored(muted_text, "%s", stored_.c_str());
  const auto& parts = insight.explanation;
  part_ = std::min(part_, parts.size() - 1);
  if (tool_button("◀##part", "the step before ( , )") && part_ > 0) --part_;
  ImGui::SameLine();
  if (tool_button("▶##part", "next step ( . )") && part_ + 1 < parts.size()) ++part_;
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::Text("%s", parts[part_].title.c_str());
  ImGui::SameLine();
  ImGui::TextColored(muted_text, "%zu of %zu", part_ + 1, parts.size());
  ImGui::Separator();
  explanation_lines(parts[part_].text);
  // What all steps come to stays in sight.
  if (part_ + 1 < parts.size()) {
    ImGui::Separator();
    explanation_lines(parts.back().text);
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
    using Tell = void (Overlays::*)(const Insight&);
    constexpr std::array<Tell, overlay_count - 1> tell{
        &Overlays::tell_targets, &Overlays::tell_support,       &Overlays::tell_influence,
        &Overlays::tell_cases,   &Overlays::tell_detectability, &Overlays::tell_arithmetic};
    for (const Switch& s : switches_of) {
      if (!on(s.overlay) || (insight == nullptr && s.overlay != Overlay::surprise) || !section(s.name))
        continue;
      if (s.overlay != Overlay::surprise) {
        (this->*tell[static_cast<std::size_t>(s.overlay)])(*insight);
        continue;
      }
      SurpriseRequest request = shots.flown;
      request.novelty = novelty_;
      surprise_.tell(request, shots.final, static_cast<int>(shots.shown), shots.step);
    }
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
    if (on(Overlay::detectability)) draw_detectability(pen, *insight);
    if (on(Overlay::cases)) draw_cases(pen, *insight);
    if (on(Overlay::support)) draw_support(pen, *insight);
    if (on(Overlay::targets)) draw_targets(pen, *insight);
    if (on(Overlay::influence)) draw_influence(pen, *insight);
  }
  details(camera, insight.get(), shots);
  switches(!insight ? "working it out ..." : insight->next() == nullptr ? "no bird is left" : nullptr, top);
}

}  // namespace startle
