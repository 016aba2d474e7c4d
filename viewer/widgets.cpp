#include "viewer/widgets.hpp"

#include <backends/imgui_impl_opengl2.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace startle {
namespace {

ImFont* fonts[4] = {nullptr, nullptr, nullptr, nullptr};

void load_fonts() {
  ImGuiIO& io = ImGui::GetIO();
  // Latin, Greek, Cyrillic, punctuation, arrows, technical signs, geometric shapes, stars and dingbats.
  static const ImWchar ranges[] = {0x20,   0x17F,  0x370,  0x3FF,  0x400,  0x52F,  0x2010, 0x2027, 0x2190,
                                   0x21FF, 0x2212, 0x2212, 0x2300, 0x23FF, 0x25A0, 0x25FF, 0x2600, 0x2606,
                                   0x270E, 0x270E, 0x2713, 0x2717, 0x2750, 0x2750, 0x275A, 0x275A, 0};
  const std::filesystem::path folder = "/usr/share/fonts/truetype/dejavu";
  const std::filesystem::path plain = folder / "DejaVuSans.ttf", bold = folder / "DejaVuSans-Bold.ttf";
  std::error_code error;
  if (!std::filesystem::exists(plain, error) || !std::filesystem::exists(bold, error)) {
    std::fprintf(
        stderr,
        "startle: the fonts of the package fonts-dejavu-core are not in %s; text is shown in a plain one\n",
        folder.c_str());
    std::fill_n(fonts, 4, io.Fonts->AddFontDefault());
    return;
  }
  fonts[static_cast<int>(Text::normal)] = io.Fonts->AddFontFromFileTTF(plain.c_str(), 16, nullptr, ranges);
  fonts[static_cast<int>(Text::small)] = io.Fonts->AddFontFromFileTTF(plain.c_str(), 13, nullptr, ranges);
  fonts[static_cast<int>(Text::heading)] = io.Fonts->AddFontFromFileTTF(bold.c_str(), 20, nullptr, ranges);
  fonts[static_cast<int>(Text::large)] = io.Fonts->AddFontFromFileTTF(bold.c_str(), 34, nullptr, ranges);
}

void set_style() {
  ImGui::StyleColorsDark();
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowRounding = 8;
  style.ChildRounding = 6;
  style.FrameRounding = 5;
  style.GrabRounding = 5;
  style.PopupRounding = 6;
  style.ScrollbarRounding = 6;
  style.WindowBorderSize = 0;
  style.WindowPadding = {12, 10};
  style.FramePadding = {9, 5};
  style.ItemSpacing = {8, 7};
  ImVec4* c = style.Colors;
  c[ImGuiCol_Text] = {0.95f, 0.97f, 0.99f, 1};
  c[ImGuiCol_TextDisabled] = muted_text;
  c[ImGuiCol_WindowBg] = {0.09f, 0.13f, 0.19f, 1};
  c[ImGuiCol_ChildBg] = {0, 0, 0, 0};
  c[ImGuiCol_PopupBg] = {0.09f, 0.13f, 0.19f, 0.97f};
  c[ImGuiCol_FrameBg] = {1, 1, 1, 0.09f};
  c[ImGuiCol_FrameBgHovered] = {1, 1, 1, 0.15f};
  c[ImGuiCol_FrameBgActive] = {1, 1, 1, 0.2f};
  c[ImGuiCol_Button] = {1, 1, 1, 0.10f};
  c[ImGuiCol_ButtonHovered] = {1, 1, 1, 0.22f};
  c[ImGuiCol_ButtonActive] = {1.0f, 0.78f, 0.28f, 0.6f};
  c[ImGuiCol_SliderGrab] = accent;
  c[ImGuiCol_SliderGrabActive] = {1, 0.88f, 0.5f, 1};
  c[ImGuiCol_CheckMark] = accent;
  c[ImGuiCol_Header] = {1, 1, 1, 0.10f};
  c[ImGuiCol_HeaderHovered] = {1, 1, 1, 0.18f};
  c[ImGuiCol_HeaderActive] = {1.0f, 0.78f, 0.28f, 0.45f};
  c[ImGuiCol_Separator] = {1, 1, 1, 0.14f};
  c[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0.12f};
  c[ImGuiCol_PlotHistogram] = accent;
  c[ImGuiCol_TableHeaderBg] = {1, 1, 1, 0.10f};
  c[ImGuiCol_TableBorderLight] = {1, 1, 1, 0.07f};
}

}  // namespace

Widgets::Widgets(sf::RenderWindow& window) : window_(window) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // nothing is written beside the levels
  const std::pair<ImGuiKey, sf::Keyboard::Key> keys[] = {{ImGuiKey_Tab, sf::Keyboard::Tab},
                                                         {ImGuiKey_LeftArrow, sf::Keyboard::Left},
                                                         {ImGuiKey_RightArrow, sf::Keyboard::Right},
                                                         {ImGuiKey_UpArrow, sf::Keyboard::Up},
                                                         {ImGuiKey_DownArrow, sf::Keyboard::Down},
                                                         {ImGuiKey_PageUp, sf::Keyboard::PageUp},
                                                         {ImGuiKey_PageDown, sf::Keyboard::PageDown},
                                                         {ImGuiKey_Home, sf::Keyboard::Home},
                                                         {ImGuiKey_End, sf::Keyboard::End},
                                                         {ImGuiKey_Insert, sf::Keyboard::Insert},
                                                         {ImGuiKey_Delete, sf::Keyboard::Delete},
                                                         {ImGuiKey_Backspace, sf::Keyboard::Backspace},
                                                         {ImGuiKey_Space, sf::Keyboard::Space},
                                                         {ImGuiKey_Enter, sf::Keyboard::Enter},
                                                         {ImGuiKey_Escape, sf::Keyboard::Escape},
                                                         {ImGuiKey_A, sf::Keyboard::A},
                                                         {ImGuiKey_C, sf::Keyboard::C},
                                                         {ImGuiKey_V, sf::Keyboard::V},
                                                         {ImGuiKey_X, sf::Keyboard::X},
                                                         {ImGuiKey_Y, sf::Keyboard::Y},
                                                         {ImGuiKey_Z, sf::Keyboard::Z}};
  for (const auto& [key, code] : keys) io.KeyMap[key] = code;
  load_fonts();
  ImGui::GetIO().Fonts->Build();  // now and not with the first frame: first_without_glyph() asks before it
  set_style();
  // SFML takes its states for set from the first pushGLStates() on, also where nothing was drawn before it.
  window.resetGLStates();
  ImGui_ImplOpenGL2_Init();
}

Widgets::~Widgets() {
  if (window_.setActive(true)) ImGui_ImplOpenGL2_Shutdown();
  ImGui::DestroyContext();
}

bool Widgets::take(const sf::Event& event) {
  ImGuiIO& io = ImGui::GetIO();
  switch (event.type) {
    case sf::Event::MouseMoved:
      io.MousePos = {static_cast<float>(event.mouseMove.x), static_cast<float>(event.mouseMove.y)};
      return false;  // screens follow the mouse, too
    case sf::Event::MouseButtonPressed:
    case sf::Event::MouseButtonReleased:
      // A window manager or a script may put the pointer somewhere without having moved it there.
      io.MousePos = {static_cast<float>(event.mouseButton.x), static_cast<float>(event.mouseButton.y)};
      if (event.mouseButton.button < 3)
        io.MouseDown[event.mouseButton.button] = event.type == sf::Event::MouseButtonPressed;
      return event.type == sf::Event::MouseButtonPressed && io.WantCaptureMouse;
    case sf::Event::MouseWheelScrolled:
      (event.mouseWheelScroll.wheel == sf::Mouse::VerticalWheel ? io.MouseWheel : io.MouseWheelH) +=
          event.mouseWheelScroll.delta;
      return io.WantCaptureMouse;
    case sf::Event::KeyPressed:
    case sf::Event::KeyReleased: {
      const bool down = event.type == sf::Event::KeyPressed;
      if (event.key.code != sf::Keyboard::Unknown) io.KeysDown[event.key.code] = down;
      io.KeyCtrl = event.key.control;
      io.KeyShift = event.key.shift;
      io.KeyAlt = event.key.alt;
      return down && io.WantTextInput;
    }
    case sf::Event::TextEntered:
      if (event.text.unicode >= 32 && event.text.unicode != 127) io.AddInputCharacter(event.text.unicode);
      return io.WantTextInput;
    case sf::Event::LostFocus:
      std::fill(std::begin(io.KeysDown), std::end(io.KeysDown), false);
      std::fill(std::begin(io.MouseDown), std::end(io.MouseDown), false);
      return false;
    default:
      return false;
  }
}

void Widgets::begin_frame(double seconds) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(window_.getSize().x), static_cast<float>(window_.getSize().y)};
  io.DeltaTime = static_cast<float>(std::clamp(seconds, 1e-4, 1.0));
  ImGui_ImplOpenGL2_NewFrame();
  ImGui::NewFrame();
}

void Widgets::end_frame() {
  ImGui::Render();
  // ImGui says so two frames late: a key pressed right after a text field has closed is the screen's.
  if (!ImGui::IsAnyItemActive()) ImGui::GetIO().WantTextInput = false;
  window_.pushGLStates();
  ImGui_ImplOpenGL2_RenderDrawData(ImGui::GetDrawData());
  window_.popGLStates();
}

TextSize::TextSize(Text size) { ImGui::PushFont(fonts[static_cast<int>(size)]); }
TextSize::~TextSize() { ImGui::PopFont(); }

Plate::Plate(const char* name, ImVec2 at, ImVec2 pivot, float alpha, ImVec2 size, Mouse mouse) {
  ImGui::SetNextWindowPos(at, ImGuiCond_Always, pivot);
  ImGui::SetNextWindowBgAlpha(alpha);
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                           ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                           ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBringToFrontOnFocus;
  if (size.x > 0)
    ImGui::SetNextWindowSize(size, ImGuiCond_Always);
  else
    flags |= ImGuiWindowFlags_AlwaysAutoResize;
  if (mouse == Mouse::lets_through) flags |= ImGuiWindowFlags_NoInputs;
  ImGui::Begin(name, nullptr, flags);
}
Plate::~Plate() { ImGui::End(); }

bool tool_button(const char* label, const std::string& tip, bool active) {
  if (active) ImGui::PushStyleColor(ImGuiCol_Button, ImVec4{1.0f, 0.78f, 0.28f, 0.45f});
  const bool pressed = ImGui::Button(label);
  if (active) ImGui::PopStyleColor();
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", tip.c_str());
  return pressed;
}

bool choice_box(const char* label, const char* any, const std::vector<std::string>& values,
                std::string& value) {
  bool changed = false;
  ImGui::SetNextItemWidth(-1);
  if (!ImGui::BeginCombo(label, value.empty() ? any : value.c_str())) return false;
  const auto offer = [&](const std::string& text, const std::string& offered) {
    if (!ImGui::Selectable(text.c_str(), value == offered)) return;
    changed = changed || value != offered;
    value = offered;
  };
  if (any[0] != '\0') offer(any, "");
  for (const std::string& offered : values) offer(offered, offered);
  ImGui::EndCombo();
  return changed;
}

std::string first_without_glyph(const std::string& text) {
  for (const char* at = text.c_str(); *at != '\0';) {
    unsigned int letter = 0;
    const int size = ImTextCharFromUtf8(&letter, at, text.c_str() + text.size());
    const auto missing = [&](const ImFont* font) {
      return font->FindGlyphNoFallback(static_cast<ImWchar>(letter)) == nullptr;
    };
    if (letter >= ' ' && std::any_of(std::begin(fonts), std::end(fonts), missing)) return {at, at + size};
    at += size;
  }
  return "";
}

void heading_line(const std::string& text) {
  const TextSize heading(Text::heading);
  ImGui::TextUnformatted(text.c_str());
}

void small_label(const char* text) {
  const TextSize small(Text::small);
  ImGui::TextColored(muted_text, "%s", text);
}

}  // namespace startle
