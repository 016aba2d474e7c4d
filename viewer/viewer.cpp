#include "viewer/viewer.hpp"

#include <SFML/Window/VideoMode.hpp>
#include <algorithm>
#include <chrono>
#include <functional>

#include "core/error.hpp"
#include "core/files.hpp"
#include "levels/level_file.hpp"
#include "play/recording.hpp"
#include "render/png.hpp"
#include "viewer/display.hpp"
#include "viewer/screen.hpp"
#include "viewer/screens/browse_screen.hpp"
#include "viewer/screens/editor_screen.hpp"
#include "viewer/screens/play_screen.hpp"
#include "viewer/screens/trials_screen.hpp"
#include "viewer/widgets.hpp"

namespace startle {
namespace {

constexpr unsigned least_width = 640, least_height = 400;

sf::VideoMode windowed_mode(const ViewerOptions& options) {
  return {std::max(static_cast<unsigned>(options.width), least_width),
          std::max(static_cast<unsigned>(options.height), least_height)};
}

/// SFML before 2.6 takes the height of the screen for its width, so that the window's lower part is off it.
void open_in_the_middle(sf::RenderWindow& window, const sf::VideoMode& mode) {
  window.create(mode, "Startle", sf::Style::Default);
  const sf::VideoMode desktop = sf::VideoMode::getDesktopMode();
  const auto first = [](unsigned whole, unsigned part) {
    return static_cast<int>(whole - std::min(part, whole)) / 2;
  };
  window.setPosition({first(desktop.width, mode.width), first(desktop.height, mode.height)});
}

}  // namespace

struct Viewer::Impl {
  ViewerOptions options;
  sf::RenderWindow window;
  std::unique_ptr<Widgets> widgets;
  Sprites sprites;
  VideoExport videos;
  std::vector<std::unique_ptr<Screen>> screens;
  std::vector<std::function<void()>> after_frame;
  bool help = false, full_screen = false, save_picture = false;
  std::string notice, title;
  double notice_left = 0;
  std::optional<sf::Event> held;                                                  ///< for the next frame
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();  ///< beginning of the last
                                                                                  ///< frame

  explicit Impl(const ViewerOptions& given) : options(given) { open_window(); }

  void open_window() {
    widgets.reset();
    if (full_screen)
      window.create(sf::VideoMode::getDesktopMode(), "Startle", sf::Style::Fullscreen);
    else
      open_in_the_middle(window, windowed_mode(options));
    window.setFramerateLimit(60);
    window.setKeyRepeatEnabled(true);
    widgets = std::make_unique<Widgets>(window);
    title.clear();
  }

  void read_events(Viewer& viewer, Screen& screen);
  void handle(Viewer& viewer, Screen& screen, const sf::Event& event);
  void write_picture();
  void draw_help(Screen& screen);
  void draw_notice(double seconds);
};

Viewer::Viewer(const ViewerOptions& options) : impl_(new Impl(options)) {}
Viewer::~Viewer() {
  // Textures go before the window they were made for.
  impl_->screens.clear();
}

const ViewerOptions& Viewer::options() const { return impl_->options; }
sf::RenderWindow& Viewer::window() { return impl_->window; }
Sprites& Viewer::sprites() { return impl_->sprites; }
VideoExport& Viewer::videos() { return impl_->videos; }

void Viewer::open(std::unique_ptr<Screen> screen) {
  auto shared = std::make_shared<std::unique_ptr<Screen>>(std::move(screen));
  impl_->after_frame.push_back([this, shared] { impl_->screens.push_back(std::move(*shared)); });
}

void Viewer::close() {
  impl_->after_frame.push_back([this] {
    if (impl_->screens.empty()) return;
    impl_->screens.pop_back();
    impl_->help = false;
    if (!impl_->screens.empty()) impl_->screens.back()->resume();
  });
}

void Viewer::quit() {
  impl_->after_frame.push_back([this] { impl_->screens.clear(); });
}

void Viewer::ask_to_quit() {
  impl_->after_frame.push_back([this] {
    auto& screens = impl_->screens;
    for (std::size_t i = screens.size(); i-- > 0;)
      if (!screens[i]->may_quit()) {
        impl_->help = false;
        if (i + 1 == screens.size()) return;
        screens.resize(i + 1);
        screens.back()->resume();
        return;
      }
    screens.clear();
  });
}

void Viewer::toggle_help() { impl_->help = !impl_->help; }

void Viewer::toggle_full_screen() {
  impl_->after_frame.push_back([this] {
    impl_->full_screen = !impl_->full_screen;
    impl_->open_window();
    if (impl_->screens.empty()) return;
    // A new window says nothing of its size.
    sf::Event resized{};
    resized.type = sf::Event::Resized;
    resized.size = {impl_->window.getSize().x, impl_->window.getSize().y};
    impl_->screens.back()->handle(resized);
  });
}

void Viewer::notice(const std::string& text) {
  impl_->notice = text;
  impl_->notice_left = 4;
}

void Viewer::Impl::draw_help(Screen& screen) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Plate plate("help", {0.5f * size.x, 0.5f * size.y}, {0.5f, 0.5f}, 0.96f);
  heading_line(screen.help_heading());
  ImGui::Spacing();
  std::vector<HelpLine> lines = screen.help();
  const std::vector<HelpLine> of_window = screen.window_help();
  lines.insert(lines.end(), of_window.begin(), of_window.end());
  const TextSize text(size.y < 640 ? Text::small : Text::normal);
  if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) {
    for (const HelpLine& line : lines) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextColored(accent, "%s", line.keys.c_str());
      ImGui::SameLine(0, 28);
      ImGui::Dummy({1, 1});
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(line.what.c_str());
    }
    ImGui::EndTable();
  }
}

void Viewer::Impl::draw_notice(double seconds) {
  if (notice_left <= 0) return;
  notice_left -= seconds;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float alpha = static_cast<float>(std::clamp(notice_left, 0.0, 0.9));
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, std::max(alpha / 0.9f, 0.01f));
  {
    const Plate plate("notice", {0.5f * size.x, size.y - 84}, {0.5f, 1}, alpha);
    ImGui::TextUnformatted(notice.c_str());
  }
  ImGui::PopStyleVar();
}

void Viewer::Impl::read_events(Viewer& viewer, Screen& screen) {
  // ImGui looks at the mouse once a frame. A button is pressed or released where the last frame saw the
  // pointer, and once a frame: a click that comes with the move before it, as scripts and slow machines send
  // them, waits for the next frame. So does the release of a key after its press.
  bool moved = false, pressed = false, key = false;
  sf::Event event;
  // What comes after a key that opens or closes a screen is for the screen that is then on top, in the next
  // frame.
  while (!pressed && after_frame.empty()) {
    if (held)
      event = *std::exchange(held, std::nullopt);
    else if (!window.pollEvent(event))
      break;
    const bool button = event.type == sf::Event::MouseButtonPressed ||
                        event.type == sf::Event::MouseButtonReleased;
    if ((button && moved) || (event.type == sf::Event::KeyReleased && key)) {
      held = event;
      break;
    }
    moved = moved || event.type == sf::Event::MouseMoved;
    key = key || event.type == sf::Event::KeyPressed;
    pressed = button;
    handle(viewer, screen, event);
  }
}

void Viewer::Impl::handle(Viewer& viewer, Screen& screen, const sf::Event& event) {
  if (event.type == sf::Event::Closed) viewer.ask_to_quit();
  if (event.type == sf::Event::Resized)
    window.setView(sf::View(
        sf::FloatRect(0, 0, static_cast<float>(event.size.width), static_cast<float>(event.size.height))));
  if (widgets->take(event)) return;
  if (event.type == sf::Event::KeyPressed) {
    const sf::Keyboard::Key key = event.key.code;
    if (key == sf::Keyboard::F1 || key == sf::Keyboard::H) return viewer.toggle_help();
    if (key == sf::Keyboard::F12) {
      save_picture = true;
      return;
    }
    if (key == sf::Keyboard::F11) return viewer.toggle_full_screen();
    if (key == sf::Keyboard::Q && event.key.control) return viewer.ask_to_quit();
    if (help && key == sf::Keyboard::Escape) return viewer.toggle_help();
  }
  screen.handle(event);
}

void Viewer::Impl::write_picture() {
  const auto size = window.getSize();
  sf::Texture texture;
  texture.create(size.x, size.y);
  texture.update(window);
  const sf::Image image = texture.copyToImage();
  Bitmap picture(static_cast<int>(size.x), static_cast<int>(size.y));
  for (std::size_t i = 0; i < picture.rgb.size() / 3; ++i)
    std::copy_n(image.getPixelsPtr() + 4 * i, 3, &picture.rgb[3 * i]);
  try {
    std::error_code error;
    int number = 1;
    while (std::filesystem::exists("startle-" + std::to_string(number) + ".png", error)) ++number;
    const std::filesystem::path path = "startle-" + std::to_string(number) + ".png";
    write_file(path, png_bytes(picture));
    notice = "Saved " + std::filesystem::absolute(path, error).string();
  } catch (const Error& error) {
    notice = error.what();
  }
  notice_left = 4;
}

void Viewer::run() {
  while (frame()) {
  }
}

bool Viewer::frame() {
  Impl& v = *impl_;
  // What was asked for in the last frame.
  const auto changes = std::exchange(v.after_frame, {});
  for (const auto& change : changes) change();
  if (v.screens.empty() || !v.window.isOpen()) return false;
  Screen& screen = *v.screens.back();
  const auto now = std::chrono::steady_clock::now();
  // After a stall the world goes on where it was: nothing is skipped.
  const double seconds = std::min(std::chrono::duration<double>(now - v.last).count(), 0.1);
  v.last = now;
  v.read_events(*this, screen);
  screen.update(seconds);
  v.widgets->begin_frame(seconds);
  screen.widgets();
  if (v.help) v.draw_help(screen);
  if (std::string message; v.videos.take_message(message)) notice(message);
  v.draw_notice(seconds);
  v.window.clear(sf::Color(0x16, 0x20, 0x2E));
  screen.draw(v.window);
  v.widgets->end_frame();
  if (std::exchange(v.save_picture, false)) v.write_picture();
  v.window.display();
  if (const std::string title = screen.title(); title != v.title) v.window.setTitle(v.title = title);
  return true;
}

namespace {

/// Checks the options, so that errors are reported before a window opens, and returns a function that makes
/// the first screen.
std::function<std::unique_ptr<Screen>(Viewer&)> first_screen(const ViewerOptions& options) {
  std::error_code error;
  const bool one = options.paths.size() == 1 && !std::filesystem::is_directory(options.paths[0], error);
  const bool recorded = !options.edit && one &&
                        (is_sqlite_file(options.paths[0]) || is_trace_file(options.paths[0]));
  if (!options.shots.empty() && (options.edit || recorded || !one))
    throw Error("--shot: needs one level file");
  if (recorded && !options.novelty.empty())
    throw Error("--novelty: " + options.paths[0].string() + " says itself in which world it was played");

  if (options.edit) {
    const std::filesystem::path file = *options.edit;
    const auto constants = profile(options.profile);
    StoredLevel level;
    if (std::filesystem::exists(file, error)) {
      level = read_level(file, options.map);
      LevelEdit(level, constants);  // throws for a level that cannot be used
    } else {
      const std::string extension = file.extension().string();
      if (extension != ".json" && extension != ".xml")
        throw Error("--edit: found '" + file.string() + "', allowed are names that end in .json or .xml");
      if (const std::filesystem::path folder = file.parent_path();
          !folder.empty() && !std::filesystem::is_directory(folder, error))
        throw Error("--edit: " + folder.string() + ": there is no such folder");
      level = empty_level(file.stem().string(), *constants);
    }
    return [level, file](Viewer& viewer) { return std::make_unique<EditorScreen>(viewer, level, file); };
  }
  if (recorded && is_sqlite_file(options.paths[0])) {
    const auto trials = std::make_shared<RecordedTrials>(options.paths[0], options.played_levels,
                                                         options.map);
    return [trials, &options](Viewer& viewer) {
      return std::make_unique<TrialsScreen>(viewer, options.paths[0], trials);
    };
  }
  if (recorded) {
    const auto trace = std::make_shared<const Recording>(read_trace(options.paths[0]));
    return [trace, &options](Viewer& viewer) {
      return std::make_unique<PlayScreen>(
          viewer, std::vector<PlayItem>{{.file = options.paths[0], .recording = [trace] { return *trace; }}},
          0);
    };
  }
  const std::vector<std::filesystem::path> files = find_level_files(options.paths);
  if (files.empty())
    throw Error(options.paths[0].string() +
                ": is the manifest of a level set; allowed: its levels, or its folder");
  if (!one)
    return [&options](Viewer& viewer) { return std::make_unique<BrowseScreen>(viewer, options.paths); };
  GameSession(read_level(files[0], options.map), profile(options.profile));
  return [file = files[0], &options](Viewer& viewer) {
    auto screen = std::make_unique<PlayScreen>(viewer, std::vector<PlayItem>{{file, options.novelty}}, 0);
    screen->fly(options.shots);
    return screen;
  };
}

}  // namespace

void run_viewer(const ViewerOptions& options) {
  const auto screen = first_screen(options);
  require_display("startle play",
                  "Without one, startle simulate and startle render do the same work, and xvfb-run gives it "
                  "one that nobody sees");
  Viewer viewer(options);
  viewer.open(screen(viewer));
  viewer.run();
}

}  // namespace startle
