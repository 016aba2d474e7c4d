#include "viewer/screens/editor_screen.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/error.hpp"
#include "levels/level_file.hpp"
#include "levels/level_text.hpp"
#include "render/artwork.hpp"
#include "viewer/drawing/textures.hpp"
#include "viewer/screens/aiming.hpp"
#include "viewer/screens/keys.hpp"
#include "viewer/screens/play_screen.hpp"
#include "viewer/widgets.hpp"

namespace startle {
namespace {

constexpr float top_height = 58;
constexpr int icon_size = 40;  ///< pixels
const Colour selected_colour = colour(0xFFC747), overlap_colour = colour(0xE5382B),
             moves_colour = colour(0xF07A1F), ghost_colour = colour(0x20303F);

Bounds between(Vec2 a, Vec2 b) {
  return {std::min(a.x, b.x), std::max(a.x, b.x), std::min(a.y, b.y), std::max(a.y, b.y)};
}

std::string lower_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

const char* shown_name(Material material) { return material == Material::none ? "" : name(material); }

/// "RectFat of wood".
std::string described(const ObjectChoice& choice) {
  return choice.type + (choice.kind == Kind::block ? std::string(" of ") + shown_name(choice.material) : "");
}

}  // namespace

EditorScreen::EditorScreen(Viewer& viewer, StoredLevel level, std::filesystem::path file,
                           std::function<void(const std::filesystem::path&)> saved)
    : viewer_(viewer),
      file_(std::move(file)),
      saved_(std::move(saved)),
      name_(level.name),
      edit_(std::move(level), profile(viewer.options().profile)),
      checker_(profile(viewer.options().profile)),
      view_(viewer.sprites()) {
  resize(camera_, viewer.window());
  fit();
}

float EditorScreen::left_width() const { return camera_.width() < 1000 ? 164 : 208; }
float EditorScreen::right_width() const { return camera_.width() < 1000 ? 208 : 264; }

void EditorScreen::fit() {
  // What the level needs lies between the panels.
  Bounds box = level_box(edit_.scene());
  box.xmax = std::max(box.xmax, box.xmin + 20);  // room to build in
  const double room = std::max(camera_.width() - left_width() - right_width() - 48.0, 100.0),
               scale = room / box.width();
  box.xmin -= (left_width() + 24) / scale;
  box.xmax += (right_width() + 24) / scale;
  camera_.fit(box, top_height);
}

void EditorScreen::handle(const sf::Event& event) {
  const bool asking = save_as_ || leaving_ != Leave::no;
  if (control_view(event, camera_, [this] { fit(); })) return;
  switch (event.type) {
    case sf::Event::KeyPressed:
      press_key(event.key);
      break;
    case sf::Event::MouseButtonPressed:
      mouse_at_ = pressed_at_ = pixel_of(event.mouseButton);
      if (asking) break;
      if (event.mouseButton.button == sf::Mouse::Left)
        press_left(mouse_at_, sf::Keyboard::isKeyPressed(sf::Keyboard::LShift) ||
                                  sf::Keyboard::isKeyPressed(sf::Keyboard::RShift));
      else
        mouse_ = Mouse::panning;
      break;
    case sf::Event::MouseMoved:
      move_mouse(pixel_of(event.mouseMove));
      break;
    case sf::Event::MouseButtonReleased: {
      const Vec2 now = pixel_of(event.mouseButton);
      move_mouse(now);
      if (mouse_ == Mouse::boxing) {
        const Bounds box = between(camera_.to_world(pressed_at_), camera_.to_world(now));
        std::vector<std::size_t> found = length(now - pressed_at_) < 4 ? std::vector<std::size_t>{}
                                                                       : edit_.objects_in(box);
        if (add_) found.insert(found.end(), edit_.selection().begin(), edit_.selection().end());
        edit_.select(std::move(found));
      }
      if (mouse_ == Mouse::panning && length(now - pressed_at_) < 4) placing_.reset();
      mouse_ = Mouse::free;
      edit_.end_gesture();
      break;
    }
    case sf::Event::LostFocus:
      mouse_ = Mouse::free;
      edit_.end_gesture();
      break;
    default:
      break;
  }
}

void EditorScreen::press_left(Vec2 pixel, bool shift) {
  const Vec2 world = camera_.to_world(pixel);
  edit_.end_gesture();
  grabbed_ = world;
  moved_ = {};
  if (placing_) {
    edit_.place(*placing_, world);
    mouse_ = Mouse::moving;
    return;
  }
  const std::optional<std::size_t> object = edit_.object_at(world);
  add_ = shift;
  if (!object) {
    mouse_ = Mouse::boxing;
    return;
  }
  if (shift) {
    edit_.toggle(*object);
    return;
  }
  if (!edit_.selected(*object)) edit_.select({*object});
  mouse_ = Mouse::moving;
}

void EditorScreen::move_mouse(Vec2 pixel) {
  if (mouse_ == Mouse::panning) camera_.pan(pixel - mouse_at_);
  if (mouse_ == Mouse::moving) {
    const Vec2 far = camera_.to_world(pixel) - grabbed_;
    const auto on_grid = [](double value) { return std::round(value / LevelEdit::grid) * LevelEdit::grid; };
    const Vec2 wanted{on_grid(far.x), on_grid(far.y)};
    if (length(pixel - pressed_at_) >= 3 || moved_ != Vec2{}) moved_ = moved_ + edit_.move(wanted - moved_);
  }
  mouse_at_ = pixel;
}

void EditorScreen::press_key(const sf::Event::KeyEvent& key) {
  using K = sf::Keyboard;
  if (save_as_) {  // also while it closes, before the name takes the keys
    if (key.code == K::Escape) {
      save_as_ = false;
      leaving_ = Leave::no;
    }
    return;
  }
  if (leaving_ != Leave::no) {
    if (key.code == K::Escape) leaving_ = Leave::no;
    if (key.code == K::S || key.code == K::Enter) save();
    if (key.code == K::D && !key.control) leave_now();
    return;
  }
  if (key.control) {
    press(key.code, {{{K::S}, [&] { key.shift ? open_save_as() : save(); }},
                     {{K::Z}, [&] { key.shift ? edit_.redo() : edit_.undo(); }},
                     {{K::Y}, [&] { edit_.redo(); }},
                     {{K::D}, [&] { edit_.duplicate(); }},
                     {{K::A}, [&] {
                        edit_.select(edit_.objects_in({-1e9, 1e9, -1e9, 1e9}));
                      }}});
    return;
  }
  const double turn = key.shift ? 1 : 15, step = key.shift ? LevelEdit::grid : 0.1;
  if (!press(key.code, {{{K::Q}, [&] { edit_.rotate(turn); }},
                        {{K::E}, [&] { edit_.rotate(-turn); }},
                        {{K::Left},
                         [&] {
                           edit_.move({-step, 0});
                         }},
                        {{K::Right},
                         [&] {
                           edit_.move({step, 0});
                         }},
                        {{K::Up},
                         [&] {
                           edit_.move({0, step});
                         }},
                        {{K::Down},
                         [&] {
                           edit_.move({0, -step});
                         }},
                        {{K::Space}, [&] { edit_.drop(); }},
                        {{K::Delete, K::Backspace}, [&] { edit_.remove(); }},
                        {{K::Num1}, [&] { set_material(Material::wood); }},
                        {{K::Num2}, [&] { set_material(Material::ice); }},
                        {{K::Num3}, [&] { set_material(Material::stone); }},
                        {{K::L}, [&] { take_settled_poses(); }},
                        {{K::P, K::Enter}, [&] { playtest(); }},
                        {{K::F, K::Home}, [&] { fit(); }},
                        {{K::Escape}, [&] { escape(); }}}))
    move_by_key(camera_, key.code);
}

void EditorScreen::set_material(Material material) {
  material_ = material;
  if (placing_ && placing_->kind == Kind::block) placing_->material = material;
  edit_.set_material(material);
}

void EditorScreen::take_settled_poses() {
  if (checked_ == edit_.revision() && findings_.phase > LevelFindings::Phase::settling)
    edit_.take_poses(findings_.settled.scene);
}

void EditorScreen::escape() {
  if (placing_)
    placing_.reset();
  else if (!edit_.selection().empty())
    edit_.select({});
  else
    leave(Leave::close);
}

void EditorScreen::playtest() {
  StoredLevel level = edit_.level();
  level.name = name_;
  try {
    viewer_.open(std::make_unique<PlayScreen>(
        viewer_,
        std::vector<PlayItem>{
            {.file = file_, .novelty = viewer_.options().novelty, .level = std::move(level)}},
        0));
  } catch (const Error& error) {
    viewer_.notice(error.what());
  }
}

void EditorScreen::resume() {
  resize(camera_, viewer_.window());
  if (camera_.fitted()) fit();
}

bool EditorScreen::may_quit() {
  if (!edit_.changed()) return true;
  leaving_ = Leave::quit;
  return false;
}

void EditorScreen::leave(Leave how) {
  leaving_ = how;
  if (!edit_.changed()) leave_now();
}

void EditorScreen::leave_now() {
  const Leave how = std::exchange(leaving_, Leave::no);
  if (how == Leave::close) viewer_.close();
  if (how == Leave::quit) viewer_.quit();
}

void EditorScreen::save() {
  if (file_.empty())
    open_save_as();
  else
    write(file_);
}

void EditorScreen::open_save_as() {
  save_as_ = write_keys_ = true;
  save_trouble_.clear();
  replacing_.clear();
  save_name_ = file_.empty() ? name_ + "-edited.json" : file_.string();
}

void EditorScreen::write(const std::filesystem::path& path) {
  save_trouble_.clear();
  try {
    if (checked_ != edit_.revision())
      findings_ = {};  // changed in this very frame: what was found is of the level before
    if (!findings_.errors.empty()) throw Error("not saved: " + findings_.errors.front());
    StoredLevel level = with_solution(edit_.level(), findings_, edit_.profile());
    level.name = path == file_ ? name_ : level_name(path.string());
    const bool xml = lower_extension(path) == ".xml";
    write_level(level, path);
    file_ = path;
    name_ = level.name;
    edit_.set_saved();
    save_as_ = false;
    std::string text = "Saved " + path.string();
    if (level.provenance && xml)
      text += "; XML cannot hold the solution that it stands and can be cleared";
    else if (findings_.phase != LevelFindings::Phase::done)
      text += ", without solution: it is still being checked";
    else if (!level.provenance)
      text += ", without solution: " + summary(findings_);
    viewer_.notice(text);
    if (saved_) saved_(path);
    if (leaving_ != Leave::no) leave_now();
  } catch (const Error& error) {
    save_trouble_ = error.what();
    leaving_ = Leave::no;
    if (!save_as_) viewer_.notice(error.what());
  }
}

void EditorScreen::update(double) {
  if (checked_ != edit_.revision()) {
    checked_ = edit_.revision();
    findings_ = {};
    checker_.check(edit_.level());
  }
  checker_.update(findings_);
}

void EditorScreen::draw(sf::RenderTarget& target) {
  view_.draw(target, camera_, {.scene = &edit_.scene(), .held = edit_.scene().rest()});
}

void EditorScreen::draw_marks(const Pen& pen) {
  const auto& objects = edit_.scene().objects;
  // Where what moves would come to rest.
  if (findings_.phase > LevelFindings::Phase::settling &&
      findings_.settled.scene.objects.size() == objects.size())
    for (const std::size_t i : findings_.moved) {
      const SceneObject& after = findings_.settled.scene.objects[i];
      pen.outline(objects[i].world_shape(), moves_colour, 2);
      pen.dashed_outline(after.world_shape(), moves_colour, 1.5f);
      if (length(after.pose.position - objects[i].pose.position) > 0.15)
        pen.arrow(objects[i].pose.position, after.pose.position, moves_colour, 2);
    }
  for (const auto& [a, b] : findings_.overlaps)
    for (const std::size_t i : {a, b})
      if (i < objects.size()) pen.outline(objects[i].world_shape(), overlap_colour, 2.5f);
  for (const std::size_t i : edit_.selection()) {
    pen.outline(objects[i].world_shape(), ghost_colour, 5);
    pen.outline(objects[i].world_shape(), selected_colour, 2.5f);
  }
  if (mouse_ == Mouse::boxing && length(mouse_at_ - pressed_at_) >= 4) {
    const Bounds box = between(camera_.to_world(pressed_at_), camera_.to_world(mouse_at_));
    pen.dashed_outline(transformed(Shape{.parts = {{{box.xmin, box.ymin},
                                                    {box.xmax, box.ymin},
                                                    {box.xmax, box.ymax},
                                                    {box.xmin, box.ymax}}}},
                                   {}),
                       ghost_colour, 1.5f);
  }
  if (placing_ && mouse_ == Mouse::free && !ImGui::GetIO().WantCaptureMouse)
    if (const ObjectType* type = edit_.profile().find(placing_->kind, placing_->type, placing_->material)) {
      const Shape shape = transformed(*type->shape, Pose{camera_.to_world(mouse_at_), 0});
      pen.fill(shape, colour(0xFFFFFF, 110));
      pen.outline(shape, ghost_colour, 2);
    }
}

void EditorScreen::draw_tools() {
  // Between the panels; where that is narrow, in two rows.
  const float left = left_width() + 12,
              room = static_cast<float>(camera_.width()) - left - right_width() - 12;
  const Plate plate("tools", {left + 0.5f * room, 12}, {0.5f, 0}, 0.82f);
  auto button = [number = 0, row = room < 460 ? 7 : 100](const char* label, const char* tip,
                                                         bool enabled = true) mutable {
    if (number++ % row != 0) ImGui::SameLine();
    ImGui::BeginDisabled(!enabled);
    const bool pressed = tool_button(label, tip);
    ImGui::EndDisabled();
    return pressed;
  };
  const bool any = !edit_.selection().empty();
  if (button("↶", "undo (Ctrl+Z)", edit_.can_undo())) edit_.undo();
  if (button("↷", "redo (Ctrl+Y)", edit_.can_redo())) edit_.redo();
  if (button("↺", "turn to the left by 15° (Q; Shift: 1°)", any)) edit_.rotate(15);
  if (button("↻", "turn to the right by 15° (E; Shift: 1°)", any)) edit_.rotate(-15);
  if (button("↧", "let it down onto what is below (Space)", any)) edit_.drop();
  if (button("❐", "duplicate (Ctrl+D)", any)) edit_.duplicate();
  if (button("✕", "delete (Del)", any)) edit_.remove();
  if (button("▶ Try", "play it (P); Esc comes back")) playtest();
  if (button("Save", "save (Ctrl+S); under another name: Ctrl+Shift+S")) save();
  if (button("?", "keys and mouse (F1)")) viewer_.toggle_help();
}

void EditorScreen::draw_icon(const ObjectChoice& choice) {
  auto icon = std::find_if(icons_.begin(), icons_.end(), [&](const Icon& i) { return i.choice == choice; });
  if (icon == icons_.end()) {
    const ObjectType& type = *edit_.profile().find(choice.kind, choice.type, choice.material);
    const Artwork artwork = object_artwork(choice.kind, choice.type, choice.material, *type.shape, 0);
    const Bounds box = extent(artwork);
    const double scale = std::min((icon_size - 6) / std::max(box.width(), box.height()), 70.0);
    Raster raster;
    icons_.push_back({choice, std::make_unique<sf::Texture>()});
    upload(rastered(artwork, scale, raster).sprite, *icons_.back().texture);
    icon = icons_.end() - 1;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID((choice.type + shown_name(choice.material)).c_str());
  const bool pressed = ImGui::InvisibleButton("icon", {icon_size, icon_size});
  ImGui::PopID();
  const bool hovered = ImGui::IsItemHovered(), active = placing_ == choice;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + icon_size, at.y + icon_size};
  list.AddRectFilled(at, end,
                     ImGui::GetColorU32(active ? ImVec4{1.0f, 0.78f, 0.28f, 0.45f}
                                               : ImVec4{1, 1, 1, hovered ? 0.22f : 0.10f}),
                     5);
  const auto size = icon->texture->getSize();
  const ImVec2 from{at.x + 0.5f * static_cast<float>(icon_size - static_cast<int>(size.x)),
                    at.y + 0.5f * static_cast<float>(icon_size - static_cast<int>(size.y))};
  list.AddImage(reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(icon->texture->getNativeHandle())),
                from, {from.x + static_cast<float>(size.x), from.y + static_cast<float>(size.y)});
  if (hovered) ImGui::SetTooltip("%s", described(choice).c_str());
  if (pressed) choose(active ? std::nullopt : std::optional(choice));
}

void EditorScreen::draw_palette() {
  const Plate plate("palette", {12, 12}, {0, 0}, 0.92f,
                    {left_width(), static_cast<float>(camera_.height()) - 24});
  small_label("PLACE");
  const float gap = 6;
  const Material materials[] = {Material::wood, Material::ice, Material::stone};
  const float width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
  for (int i = 0; i < 3; ++i) {
    if (i > 0) ImGui::SameLine(0, gap);
    const bool active = material_ == materials[i];
    if (active) ImGui::PushStyleColor(ImGuiCol_Button, ImVec4{1.0f, 0.78f, 0.28f, 0.45f});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {2, 5});
    const TextSize small(Text::small);
    if (ImGui::Button(name(materials[i]), {width, 0})) set_material(materials[i]);
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("blocks of %s, and the selected blocks (%d)", name(materials[i]), i + 1);
    ImGui::PopStyleVar();
    if (active) ImGui::PopStyleColor();
  }
  const int columns = std::max(
      1, static_cast<int>((ImGui::GetContentRegionAvail().x + gap) / (icon_size + gap)));
  int column = 0;
  for (const ObjectChoice& choice : object_choices(edit_.profile(), material_)) {
    if (column++ % columns != 0) ImGui::SameLine(0, gap);
    draw_icon(choice);
  }
  ImGui::Separator();
  draw_birds();
}

void EditorScreen::draw_birds() {
  small_label("BIRDS, IN ORDER");
  std::vector<std::string> birds = edit_.level().birds;
  bool changed = false;
  std::optional<std::size_t> gone;
  ImGui::BeginChild("birds", {0, 0});
  const auto offer = [&](std::string& bird) {
    for (const BirdType& type : edit_.profile().bird_types)
      if (ImGui::Selectable(type.type.c_str(), bird == type.type)) {
        bird = type.type;
        changed = true;
      }
  };
  for (std::size_t i = 0; i < birds.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - 40);
    if (ImGui::BeginCombo("##bird", birds[i].c_str())) {
      offer(birds[i]);
      ImGui::EndCombo();
    }
    ImGui::SameLine(0, 6);
    if (ImGui::Button("✕")) gone = i;
    ImGui::PopID();
  }
  if (ImGui::Button("+ bird", {-1, 0})) {
    birds.push_back(birds.empty() ? "BirdRed" : birds.back());
    changed = true;
  }
  ImGui::EndChild();
  if (gone) birds.erase(birds.begin() + static_cast<std::ptrdiff_t>(*gone));
  if (!changed && !gone) return;
  try {
    edit_.set_birds(std::move(birds));
  } catch (const Error& error) {
    viewer_.notice(error.what());
  }
}

void EditorScreen::draw_findings() {
  using Phase = LevelFindings::Phase;
  const LevelFindings& found = findings_;
  const auto line = [](const ImVec4& c, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, c);
    ImGui::TextWrapped("%s", text.c_str());
    ImGui::PopStyleColor();
  };
  const auto fixed = [](double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", value);
    return std::string(text);
  };
  small_label("CHECKED AS YOU GO");
  if (!found.errors.empty()) return line(bad_text, "✗ cannot be used: " + found.errors.front());
  if (found.phase > Phase::placing || found.phase == Phase::done) {
    if (found.overlaps.empty())
      line(good_text, "✓ nothing overlaps");
    else
      line(bad_text, "✗ " + std::to_string(found.overlaps.size()) +
                         (found.overlaps.size() == 1 ? " pair" : " pairs") + " of objects overlap (red)");
  } else {
    line(muted_text, "... overlaps");
  }
  if (found.phase > Phase::settling) {
    if (found.stands)
      line(good_text, "✓ stands; settling moves " + fixed(found.settled.shift));
    else if (!found.moved.empty())
      line(bad_text, "✗ does not stand: " + std::to_string(found.moved.size()) +
                         (found.moved.size() == 1 ? " object moves" : " objects move") +
                         " (orange), by up to " + fixed(found.settled.shift));
    else
      line(bad_text, "✗ does not come to rest in 5 s");
    if (found.stands && !found.reasoned_stable) line(accent, "! reasoning takes it for unstable");
  } else {
    line(muted_text, "... letting it settle");
  }
  const StoredLevel& level = edit_.level();
  const bool pigs = std::any_of(level.objects.begin(), level.objects.end(),
                                [](const LevelObject& o) { return o.kind == Kind::pig; });
  if (!pigs || level.birds.empty())
    line(accent, pigs ? "! no birds: nothing can be shot" : "! no pigs: nothing to clear");
  else if (found.phase != Phase::done)
    line(muted_text, "... looking for a solution");
  else if (found.solvable)
    line(good_text, "✓ can be cleared: " + std::to_string(found.solution.shots.size()) + " of " +
                        std::to_string(level.birds.size()) + " birds");
  else
    line(bad_text,
         "✗ the solver found no solution (" + std::to_string(found.solution.simulations) + " shots tried)");
  const TextSize small(Text::small);
  std::size_t selected_outcome = 0;
  for (const std::string& warning : found.warnings) {
    if (warning.find(" overlaps ") != std::string::npos || warning.find("the level has no") == 0) continue;
    if (++selected_outcome <= 3) line(muted_text, warning);
  }
  if (selected_outcome > 3)
    line(muted_text, "and " + std::to_string(selected_outcome - 3) + " more warnings");
  ImGui::BeginDisabled(found.phase <= Phase::settling);
  if (ImGui::Button("Take the settled places (L)", {-1, 0})) edit_.take_poses(found.settled.scene);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    ImGui::SetTooltip("objects are put where they come to rest");
  ImGui::EndDisabled();
}

void EditorScreen::draw_selection() {
  const auto& selection = edit_.selection();
  if (selection.empty()) {
    small_label("NOTHING SELECTED");
    const TextSize small(Text::small);
    ImGui::TextWrapped("%s", placing_ ? "Click where it is to stand; Esc ends."
                                      : "Choose a shape on the left and click where it is to stand. Drag "
                                        "objects to move them; drag a box to select several.");
    return;
  }
  if (selection.size() > 1) {
    small_label((std::to_string(selection.size()) + " OBJECTS SELECTED").c_str());
    return;
  }
  LevelObject object = edit_.level().objects[selection[0]];
  small_label("SELECTED");
  ImGui::TextUnformatted(described({object.kind, object.type, object.material}).c_str());
  bool changed = false;
  const auto number = [&](const char* label, double& value, double step, const char* format) {
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - 62);
    changed |= ImGui::InputDouble(label, &value, step, 0, format, ImGuiInputTextFlags_EnterReturnsTrue);
    changed |= ImGui::IsItemDeactivatedAfterEdit();
  };
  number("x", object.position.x, 0.1, "%.4g");
  number("y", object.position.y, 0.1, "%.4g");
  number("turn", object.rotation_deg, 15, "%.4g");
  if (object.kind == Kind::platform) {
    number("wide", object.scale_x, 0.5, "%.3g");
    number("high", object.scale_y, 0.25, "%.3g");
  }
  if (!changed) return;
  try {
    edit_.set_object(object);
  } catch (const Error& error) {
    viewer_.notice(error.what());
  }
}

void EditorScreen::draw_save_as() {
  if (!save_as_) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * size.x, 0.45f * size.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(520.0f, size.x - 24), 0});
  ImGui::SetNextWindowFocus();
  ImGui::Begin("save as", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  heading_line("Save as");
  if (std::exchange(write_keys_, false)) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  const bool entered = ImGui::InputText("##name", &save_name_, ImGuiInputTextFlags_EnterReturnsTrue);
  small_label(".json keeps everything; .xml (Science Birds) keeps neither name nor solution");
  std::error_code error;
  const std::filesystem::path path = save_name_;
  const bool there = std::filesystem::exists(path, error) && path != file_;
  if (!save_trouble_.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, bad_text);
    ImGui::TextWrapped("%s", save_trouble_.c_str());
    ImGui::PopStyleColor();
  }
  const bool asked = there && replacing_ == path;
  if (asked) ImGui::TextColored(accent, "The file is there already.");
  if (ImGui::Button(asked ? "Replace it" : "Save") || entered) {
    if (there && !asked)
      replacing_ = path;
    else
      write(path);
    if (entered) write_keys_ = true;
  }
  ImGui::SameLine();
  if (ImGui::Button("Back (Esc)") || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) {
    save_as_ = false;
    leaving_ = Leave::no;
  }
  ImGui::End();
}

void EditorScreen::draw_leave() {
  if (leaving_ == Leave::no || save_as_) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Plate plate("leave", {0.5f * size.x, 0.45f * size.y}, {0.5f, 0.5f}, 0.97f);
  heading_line("There are changes that are not saved");
  ImGui::Spacing();
  if (ImGui::Button("Save (S)")) save();
  ImGui::SameLine();
  if (ImGui::Button("Leave without saving (D)")) leave_now();
  ImGui::SameLine();
  if (ImGui::Button("Go on editing (Esc)")) leaving_ = Leave::no;
}

void EditorScreen::widgets() {
  draw_marks(Pen(camera_));
  draw_palette();
  {
    const Plate plate("about", {static_cast<float>(camera_.width()) - 12, 12}, {1, 0}, 0.92f,
                      {right_width(), static_cast<float>(camera_.height()) - 24});
    {
      const TextSize heading(Text::heading);
      ImGui::TextWrapped("%s", name_.c_str());
    }
    {
      const TextSize small(Text::small);
      ImGui::PushStyleColor(ImGuiCol_Text, edit_.changed() ? accent : muted_text);
      ImGui::TextWrapped("%s%s", file_.empty() ? "no file yet" : file_.filename().string().c_str(),
                         edit_.changed() ? ", changed" : "");
      ImGui::PopStyleColor();
    }
    ImGui::Separator();
    draw_findings();
    ImGui::Separator();
    draw_selection();
  }
  draw_tools();
  draw_leave();
  draw_save_as();
}

std::string EditorScreen::title() const {
  std::string text = "Startle: edit " + name_ + (edit_.changed() ? "*" : "");
  if (save_as_) return text + ", save as";
  if (leaving_ != Leave::no) return text + ", leave?";
  text += ", " + std::to_string(edit_.level().objects.size()) + " objects";
  if (placing_) text += ", place " + described(*placing_);
  return text + ", " + summary(findings_);
}

std::vector<HelpLine> EditorScreen::help() const {
  return {{"shape, then click", "place objects of that shape; Esc or right click ends"},
          {"click, Shift+click", "select; drag a box to select several, Ctrl+A all"},
          {"drag, arrows", "move what is selected (Shift: finely)"},
          {"Q   E", "turn by 15° (Shift: 1°)"},
          {"Space", "let it down onto what is below"},
          {"1   2   3", "wood, ice, stone"},
          {"Ctrl+D   Del", "duplicate, delete"},
          {"Ctrl+Z   Ctrl+Y", "undo, redo"},
          {"L", "put objects where they come to rest"},
          {"P", "play it; Esc comes back"},
          {"Ctrl+S", "save;  with Shift: under another name"},
          {"right drag, wheel", "move the view, zoom;  F: fit it again"},
          {"Esc", "back"}};
}

}  // namespace startle
