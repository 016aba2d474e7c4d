#include "viewer/screens/play_screen.hpp"

#include <SFML/Window/Clipboard.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/error.hpp"
#include "core/files.hpp"
#include "levels/level_file.hpp"
#include "sim/novelty.hpp"
#include "viewer/drawing/fields.hpp"
#include "viewer/screens/editor_screen.hpp"
#include "viewer/screens/keys.hpp"
#include "viewer/screens/twin_screen.hpp"
#include "viewer/widgets.hpp"

namespace startle {
namespace {

std::string grouped(double value) {
  std::string digits = std::to_string(static_cast<long long>(std::llround(value)));
  for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3)
    digits.insert(static_cast<std::size_t>(i), " ");
  return digits;
}

std::string speed_text(double speed) {
  char text[32];
  if (speed >= 1)
    std::snprintf(text, sizeof text, "%g×", speed);
  else
    std::snprintf(text, sizeof text, "1/%g×", 1 / speed);
  return text;
}

}  // namespace

PlayScreen::PlayScreen(Viewer& viewer, std::vector<PlayItem> items, std::size_t index)
    : viewer_(viewer), items_(std::move(items)), view_(viewer.sprites()), export_(viewer) {
  resize(camera_, viewer.window());
  load(index);
}

void PlayScreen::load(std::size_t index) {
  const PlayItem& item = items_[index];
  StoredLevel level;
  std::optional<Recording> recording;
  std::optional<GameSession> session;  // until it stands, the level before stays
  if (item.recording) {
    recording = item.recording();
    level = recording->level;
    session.emplace(recording->start, std::exchange(recording->shots, {}));
  } else {
    level = item.level ? *item.level : read_level(item.file, viewer_.options().map);
    const std::optional<Novelty> novelty = item.novelty.empty()
                                               ? std::nullopt
                                               : std::optional(find_novelty(item.novelty, level));
    session.emplace(level, profile(viewer_.options().profile), novelty ? &*novelty : nullptr);
  }
  overlays_.begin(level, session->start().profile, recording ? recording->novelty : item.novelty);
  session_ = std::move(session);
  recording_ = std::move(recording);
  level_ = std::move(level);
  index_ = index;
  last_path_.clear();
  shown_.reset();
  aiming_ = {};
  recorded_ = false;
  fit();
  if (replaying()) show(0);
}

void PlayScreen::resume() {
  resize(camera_, viewer_.window());
  if (camera_.fitted()) fit();
  if (!std::exchange(edited_, false)) return;
  try {
    if (read_level(items_[index_].file, viewer_.options().map) != level_) load(index_);
  } catch (const Error& error) {
    viewer_.notice(error.what());
  }
}

void PlayScreen::edit() {
  const PlayItem& item = items_[index_];
  if (item.level) return viewer_.close();  // back to where it is being edited
  edited_ = !replaying();
  try {
    viewer_.open(std::make_unique<EditorScreen>(viewer_, level_, std::filesystem::path()));
  } catch (const Error& error) {
    viewer_.notice(error.what());
  }
}

void PlayScreen::fly(const std::vector<Shot>& shots) {
  for (const Shot& shot : shots) {
    if (session_->over())
      throw Error("--shot: found " + std::to_string(shots.size()) + " shots; the level is over after " +
                  std::to_string(session_->shots().size()));
    session_->shoot(shot);
    session_->finish();
  }
  show(0);
}

void PlayScreen::go(int direction) {
  std::size_t index = index_;
  for (std::size_t tries = 0; tries < items_.size(); ++tries) {
    if ((direction > 0 && index + 1 == items_.size()) || (direction < 0 && index == 0)) {
      viewer_.notice(direction > 0 ? "This is the last level." : "This is the first level.");
      return;
    }
    index = direction > 0 ? index + 1 : index - 1;
    try {
      load(index);
      return;
    } catch (const Error& error) {
      viewer_.notice(error.what());
    }
  }
}

void PlayScreen::fit() { camera_.fit(level_box(session_->start())); }

void PlayScreen::show(std::size_t shot) {
  if (session_->shots().empty()) return;
  shown_ = shot;
  live_ = false;
  aiming_.release();
  playback_.begin(shown().trace.step_s);
  playback_.set_length(shown().trace.steps, shown().complete);
}

void PlayScreen::stop_showing() {
  if (!showing()) return;
  session_->finish();
  shown_ = session_->shots().size() - 1;
  shown_to_end();
}

int PlayScreen::steps_before(std::size_t shot) const {
  int steps = 0;
  for (std::size_t i = 0; i < shot; ++i) steps += session_->shots()[i].trace.steps;
  return steps;
}

void PlayScreen::seek(double step) {
  const bool live = live_;
  std::size_t shot = 0;
  while (shot + 1 < session_->shots().size() && step >= session_->shots()[shot].trace.steps)
    step -= session_->shots()[shot++].trace.steps;
  if (!showing() || shot != *shown_)
    show(shot);
  else
    live_ = live;
  playback_.pause(true);
  playback_.seek(step);
}

void PlayScreen::toggle_pause() {
  if (!showing()) return;
  if (replaying() && playback_.at_end() && *shown_ + 1 == session_->shots().size())
    show(0);
  else
    playback_.pause(!playback_.paused());
}

void PlayScreen::show_next(int direction) {
  if (!showing()) return;
  const bool paused = playback_.paused();
  if (direction > 0 && *shown_ + 1 < session_->shots().size())
    show(*shown_ + 1);
  else if (direction < 0)
    show(*shown_ > 0 && playback_.position() * shown().trace.step_s < 0.5 ? *shown_ - 1 : *shown_);
  playback_.pause(paused);
}

void PlayScreen::shoot() {
  if (!aiming_.aim().pulled() || !may_aim()) return;
  const Shot shot = aiming_.aim().shot();
  aiming_.release();
  session_->shoot(shot);
  show(session_->shots().size() - 1);
  live_ = true;
}

void PlayScreen::tap() {
  if (!showing() || !live_ || *shown_ + 1 != session_->shots().size() || playback_.at_end()) return;
  session_->tap(static_cast<int>(std::ceil(playback_.position())));
}

void PlayScreen::undo() {
  if (replaying()) return;
  shown_.reset();
  recorded_ = false;
  if (!session_->undo()) return;
  if (session_->shots().empty()) last_path_.clear();
}

void PlayScreen::restart() {
  if (replaying()) {
    show(0);
    return;
  }
  shown_.reset();
  session_->restart();
  aiming_.release();
  recorded_ = false;
}

void PlayScreen::handle(const sf::Event& event) {
  if (control_view(event, camera_, [this] { fit(); })) return;
  if (event.type == sf::Event::KeyPressed) {
    press_key(event.key);
    return;
  }
  if (event.type == sf::Event::MouseButtonPressed && event.mouseButton.button == sf::Mouse::Left &&
      showing() && !replaying()) {
    tap();
    return;
  }
  switch (aiming_.handle(event, camera_, session_->scene(), may_aim())) {
    case Aiming::Did::pressed_beside:
      overlays_.click(camera_.to_world(aiming_.mouse_at()), session_->scene());
      break;
    case Aiming::Did::let_go:
      shoot();
      break;
    case Aiming::Did::nothing:
      break;
  }
}

void PlayScreen::press_key(const sf::Event::KeyEvent& key) {
  using K = sf::Keyboard;
  if (overlays_.press_key(key, !showing())) return;
  if (may_aim() && aiming_.nudge(key)) return;
  if (press_playback_key(key.code, playback_)) return;
  const std::size_t last = session_->shots().size() - 1;
  if (!press(key.code, {{{K::Left}, [&] { show_next(-1); }},
                        {{K::Right}, [&] { show_next(1); }},
                        {{K::Space}, [&] { replaying() ? toggle_pause()
                                           : showing() ? tap()
                                                       : shoot(); }},
                        {{K::Enter}, [&] { hurry(); }},
                        {{K::P}, [&] { toggle_pause(); }},
                        {{K::V}, [&] { show(key.shift ? 0 : last); }},
                        {{K::C}, [&] { copy_command(); }},
                        {{K::F9}, [&] { open_twins(); }},
                        {{K::G}, [&] { guide_ = !guide_; }},
                        {{K::E}, [&] { edit(); }},
                        {{K::X}, [&] { export_.toggle(); }},
                        {{K::R}, [&] { restart(); }},
                        {{K::U, K::Backspace}, [&] { undo(); }},
                        {{K::N, K::PageDown}, [&] { go(1); }},
                        {{K::B, K::PageUp}, [&] { go(-1); }},
                        {{K::F, K::Home}, [&] { fit(); }},
                        {{K::Escape}, [&] { escape(); }}}))
    move_by_key(camera_, key.code);
}

void PlayScreen::hurry() {
  if (showing()) {
    session_->finish();
    playback_.set_length(shown().trace.steps, true);
    playback_.seek(playback_.length());
    playback_.pause(false);
  } else if (session_->over() && session_->cleared()) {
    go(1);
  } else {
    shoot();
  }
}

void PlayScreen::copy_command() {
  if (session_->shots().empty() || session_->simulating()) return;
  if (items_[index_].level)
    return viewer_.notice(
        "Not copied: the level is being edited, and the command would read it from a file.");
  const std::string command = simulate_command(where(), *session_);
  sf::Clipboard::setString(command);
  viewer_.notice("Copied: " + command);
}

void PlayScreen::escape() {
  if (aiming_.holds())
    aiming_.release();
  else if (export_.opened())
    export_.close();
  else if (showing() && !replaying())
    stop_showing();
  else
    viewer_.close();
}

void PlayScreen::update(double seconds) {
  simulate_ahead(*session_, playback_);
  if (!showing()) return;
  playback_.set_length(shown().trace.steps, shown().complete);
  playback_.advance(seconds);
  if (playback_.at_end() && !playback_.paused()) shown_to_end();
}

void PlayScreen::shown_to_end() {
  const bool last = *shown_ + 1 == session_->shots().size();
  if (replaying() && last) return playback_.pause(true);  // the end stays in sight
  last_path_ = flown_points(shown().before, shown().trace);
  if (!last) return show(*shown_ + 1);
  shown_.reset();
  const auto& record = viewer_.options().record;
  if (!record || items_[index_].level || recorded_ || !session_->over()) return;
  recorded_ = true;
  try {
    append_to_file(*record, play_record(where(), *session_) + "\n");
  } catch (const Error& error) {
    viewer_.notice(error.what());
  }
}

PlayedWhere PlayScreen::where() const {
  const ViewerOptions& options = viewer_.options();
  if (replaying())
    return {options.version, recording_->file.empty() ? "LEVEL" : recording_->file, level_.name,
            recording_->novelty, session_->start().profile->name};
  return {options.version, items_[index_].file, level_.name, items_[index_].novelty, options.profile};
}

void PlayScreen::open_twins() {
  // The shot that is shown, aimed or was flown last; before the first one, one by the reasoning.
  const auto& shots = session_->shots();
  const FlownShot* flown = showing()                                   ? &shown()
                           : !aiming_.aim().pulled() && !shots.empty() ? &shots.back()
                                                                       : nullptr;
  const Scene normal = without_novelty(flown != nullptr ? flown->before : session_->scene(),
                                       overlays_.start());
  if (normal.birds_left() == 0 || normal.cleared()) return viewer_.notice("Nothing is left to shoot at.");
  std::optional<Shot> shot;
  if (flown != nullptr)
    shot = flown->shot;
  else if (aiming_.aim().pulled())
    shot = aiming_.aim().shot();
  viewer_.open(std::make_unique<TwinScreen>(viewer_, level_, normal, overlays_.novelty(), shot));
}

PlayedShots PlayScreen::played() const {
  PlayedShots played;
  played.flown.level = replaying()            ? recording_->file
                       : items_[index_].level ? std::filesystem::path()
                                              : items_[index_].file;
  played.flown.profile = session_->start().profile->name;
  for (const FlownShot& shot : session_->shots()) played.flown.shots.push_back(shot.shot);
  played.final = !showing() || replaying();
  if (!showing()) {
    played.standing = &session_->scene();
    return played;
  }
  played.shown = *shown_ + 1;
  played.step = playback_.position();
  if (playback_.position() <= 0) played.standing = &shown().before;
  return played;
}

void PlayScreen::draw(sf::RenderTarget& target) {
  Moment moment;
  std::vector<BodyState> bodies;
  if (showing()) {
    bodies = bodies_at(shown().trace, playback_.position());
    moment = {.scene = &shown().before,
              .bodies = &bodies,
              .events = &shown().trace.events,
              .step = playback_.position()};
  } else {
    moment = {.scene = &session_->scene(), .held = aiming_.aim().held_at(session_->scene())};
  }
  view_.draw(target, camera_, moment);
  if (!showing())
    draw_flights(view_, target, camera_, last_path_, session_->scene(), guide_ ? &aiming_.aim() : nullptr);
}

double PlayScreen::shown_score() const {
  if (!showing()) return session_->score();
  const FlownShot& shot = shown();
  const auto step = std::min(static_cast<std::size_t>(playback_.position()), shot.scores.size() - 1);
  return shot.before.score + shot.scores[step];
}

void PlayScreen::draw_heading() {
  const Plate plate("heading", {12, 12}, {0, 0}, 0.82f, {0, 0}, Plate::Mouse::lets_through);
  heading_end_ = 12 + ImGui::GetWindowHeight();  // as it was in the last frame
  heading_line(level_.name);
  std::string line = std::to_string(index_ + 1) + " of " + std::to_string(items_.size());
  if (level_.difficulty)
    line += "  ·  " + level_.difficulty->novelty +
            (level_.difficulty->tier ? std::string(" ") + name(*level_.difficulty->tier) : "");
  const TextSize small(Text::small);
  ImGui::TextColored(muted_text, "%s", line.c_str());
  const std::string& novelty = replaying() ? recording_->novelty : items_[index_].novelty;
  if (!novelty.empty()) {
    ImGui::SameLine();
    ImGui::TextColored(accent, "novel world: %s", novelty.c_str());
  }
}

void PlayScreen::draw_replay() {
  if (!replaying()) return;
  const Plate plate("replay", {0.5f * static_cast<float>(camera_.width()), 64}, {0.5f, 0}, 0.82f, {0, 0},
                    Plate::Mouse::lets_through);
  const TextSize small(Text::small);
  ImGui::PushTextWrapPos(std::min(480.0f, static_cast<float>(camera_.width()) - 40));
  ImGui::TextColored(accent, "replay: %s", recording_->source.c_str());
  if (!showing())
    ImGui::TextUnformatted("No shot was recorded.");
  else if (*shown_ < recording_->remarks.size())
    ImGui::TextUnformatted(
        ("after shot " + std::to_string(*shown_ + 1) + ", " + recording_->remarks[*shown_]).c_str());
  if (!recording_->warning.empty()) ImGui::TextColored(bad_text, "%s", recording_->warning.c_str());
  ImGui::PopTextWrapPos();
}

void PlayScreen::draw_score() {
  const Plate plate("score", {static_cast<float>(camera_.width()) - 12, 12}, {1, 0}, 0.82f, {0, 0},
                    Plate::Mouse::lets_through);
  const Scene& scene = showing() ? shown().before : session_->scene();
  int pigs = scene.pigs_left();
  if (showing())
    for (const Event& event : shown().trace.events)
      if (event.step <= playback_.position() && event.kind == EventKind::destroyed && event.a >= 0 &&
          static_cast<std::size_t>(event.a) < scene.objects.size() &&
          scene.objects[static_cast<std::size_t>(event.a)].kind == Kind::pig)
        --pigs;
  {
    const TextSize large(Text::large);
    const std::string score = grouped(shown_score());
    ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(),
                                  ImGui::GetWindowWidth() - ImGui::CalcTextSize(score.c_str()).x - 12));
    ImGui::TextUnformatted(score.c_str());
  }
  const TextSize small(Text::small);
  const std::size_t birds = scene.birds_left() - (showing() ? 1 : 0);
  ImGui::TextColored(muted_text, "pigs %d   birds %zu", pigs, birds);
}

void PlayScreen::draw_tools() {
  const Plate plate("tools", {0.5f * static_cast<float>(camera_.width()), 12}, {0.5f, 0}, 0.72f);
  if (tool_button("◀", "previous level (B)")) go(-1);
  ImGui::SameLine();
  if (tool_button("↻", replaying() ? "from the first shot (R)" : "start again (R)")) restart();
  ImGui::SameLine();
  if (!replaying()) {
    if (tool_button("↶", "take the last shot back (U)")) undo();
    ImGui::SameLine();
  }
  if (tool_button("▶", "next level (N)")) go(1);
  ImGui::SameLine();
  if (tool_button("✎", items_[index_].level ? "back to the editor (E)" : "edit the level (E)")) edit();
  ImGui::SameLine();
  if (tool_button("⇩", "save a picture or a video (X)", export_.opened())) export_.toggle();
  ImGui::SameLine();
  if (tool_button("?", "keys and mouse (F1)")) viewer_.toggle_help();
}

void PlayScreen::draw_transport() {
  if (!showing()) return;
  const float width = std::min(760.0f, static_cast<float>(camera_.width()) - 24);
  const Plate plate("transport",
                    {0.5f * static_cast<float>(camera_.width()), static_cast<float>(camera_.height()) - 5},
                    {0.5f, 1}, 0.82f, {width, 46});
  const std::size_t shots = session_->shots().size();
  if (tool_button(playback_.paused() ? "▶" : "❚❚", playback_.paused() ? "go on (P)" : "pause (P)"))
    toggle_pause();
  ImGui::SameLine();
  if (shots > 1) {
    if (tool_button("|◀", "to the start of the shot, or the one before (←)")) show_next(-1);
    ImGui::SameLine();
    if (tool_button("▶|", "next shot (→)")) show_next(1);
    ImGui::SameLine();
  }
  if (tool_button("−", "slower ([)")) playback_.slower();
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const float speed_at = ImGui::GetCursorPosX();
  ImGui::TextUnformatted(speed_text(playback_.speed()).c_str());
  ImGui::SameLine(speed_at + 52);
  if (tool_button("+", "faster (])")) playback_.faster();
  ImGui::SameLine();
  // One time line over all shots.
  const double step_s = shown().trace.step_s;
  const auto seconds_of = [&](double steps) { return static_cast<float>(steps * step_s); };
  float seconds = seconds_of(steps_before(*shown_) + playback_.position());
  const float end = std::max(
      seconds_of(steps_before(shots - 1) +
                 (*shown_ + 1 == shots ? playback_.length() : session_->shots().back().trace.steps)),
      0.02f);
  ImGui::SetNextItemWidth(width - ImGui::GetCursorPosX() - 130);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = ImGui::CalcItemWidth(), high = ImGui::GetFrameHeight();
  if (ImGui::SliderFloat("##time", &seconds, 0, end, "")) seek(seconds / step_s);
  for (std::size_t i = 1; i < shots; ++i) {
    const float x = at.x + 7 + (line - 14) * seconds_of(steps_before(i)) / end;
    ImGui::GetWindowDrawList()->AddLine({x, at.y + 3}, {x, at.y + high - 3}, ImGui::GetColorU32(muted_text),
                                        2);
  }
  ImGui::SameLine();
  ImGui::Text("%.2f / %.2f s", static_cast<double>(seconds), static_cast<double>(end));
}

void PlayScreen::draw_result() {
  if (showing() || replaying() || !session_->over()) return;
  const Plate plate(
      "result", {0.5f * static_cast<float>(camera_.width()), 0.38f * static_cast<float>(camera_.height())},
      {0.5f, 0.5f}, 0.93f);
  const bool cleared = session_->cleared();
  const auto centred = [](const std::string& text) {
    ImGui::SetCursorPosX(
        std::max(12.0f, 0.5f * (ImGui::GetWindowWidth() - ImGui::CalcTextSize(text.c_str()).x)));
    ImGui::TextUnformatted(text.c_str());
  };
  {
    const TextSize large(Text::large);
    centred(cleared ? "Cleared" : "Pigs are left");
  }
  {
    const TextSize heading(Text::heading);
    centred(grouped(session_->score()) + " points");
  }
  const std::size_t used = session_->shots().size(), all = session_->start().birds_left();
  centred(std::to_string(used) + " of " + std::to_string(all) + " birds used");
  ImGui::Spacing();
  if (tool_button("Again (R)", "start again")) restart();
  if (used > 0) {
    ImGui::SameLine();
    if (tool_button("Watch (V)", "show the last shot again")) show(session_->shots().size() - 1);
  }
  if (index_ + 1 < items_.size()) {
    ImGui::SameLine();
    if (tool_button("Next level (N)", "next level", cleared)) go(1);
  }
}

void PlayScreen::draw_aim_label() {
  if (!may_aim()) return;
  const Vec2 at = camera_.to_pixels(session_->scene().rest());
  if (aiming_.aim().pulled()) {
    char text[64];
    std::snprintf(text, sizeof text, "%.2f°   %.0f %%", aiming_.aim().angle_deg(),
                  100 * aiming_.aim().stretch());
    const Plate plate("aim", {static_cast<float>(at.x), static_cast<float>(at.y - 1.1 * camera_.scale())},
                      {0.5f, 1}, 0.7f, {0, 0}, Plate::Mouse::lets_through);
    ImGui::TextUnformatted(text);
  } else if (session_->shots().empty()) {
    draw_aim_hint(camera_, session_->scene(), "Drag the bird back and let go");
  }
}

void PlayScreen::widgets() {
  // The heading says of the novelty, too
  draw_fields(Pen(camera_), showing() ? shown().before : session_->scene(), camera_.seen());
  overlays_.widgets(camera_, played(), heading_end_ + 6);
  draw_heading();
  draw_replay();
  draw_score();
  draw_tools();
  draw_aim_label();
  draw_transport();
  draw_result();
  export_.widgets(!session_->shots().empty(), [this] { return exportable(); });
}

Exportable PlayScreen::exportable() {
  Exportable what{.name = level_.name, .standing = session_->scene()};
  session_->finish();
  for (const FlownShot& shot : session_->shots()) what.shots.push_back({shot.before, shot.trace});
  what.shown = showing() ? *shown_ : what.shots.empty() ? 0 : what.shots.size() - 1;
  if (showing())
    what.seconds = playback_.position() * shown().trace.step_s;
  else
    what.standing = session_->scene();
  return what;
}

std::string PlayScreen::title() const {
  std::string state;
  if (showing())
    state = std::string(replaying() ? "replay, " : "") + "shot " + std::to_string(*shown_ + 1) +
            (playback_.paused() ? ", paused" : "");
  else if (replaying())
    state = "replay, no shot";
  else if (session_->over())
    state = session_->cleared() ? "cleared" : "not cleared";
  else
    state = "bird " + std::to_string(session_->shots().size() + 1) + " of " +
            std::to_string(session_->start().birds_left());
  return "Startle: " + level_.name + ", " + state;
}

std::vector<HelpLine> PlayScreen::help() const {
  std::vector<HelpLine> lines{{"drag the bird", "pull the band; let go to shoot"},
                              {"↑ ↓  ← →", "aim: angle, pull (Shift: finely)"},
                              {"Space", "shoot; in flight, use the bird's power"},
                              {"click", "in flight, use the bird's power"},
                              {"Esc", "put the bird back; end the replay; back"},
                              {"P   .   ,", "pause, one step on, one step back"},
                              {"[   ]   1", "slower, faster, normal speed"},
                              {"Enter", "skip to the end of the shot"},
                              {"←  →", "while a shot is shown: to the shot before, the next one"},
                              {"V, Shift+V", "show the last shot again, all shots"},
                              {"C", "copy the command that computes the same"},
                              {"R   U", "start again, take the last shot back"},
                              {"N   B", "next level, previous level"},
                              {"E   X", "edit the level; save a picture or a video"},
                              {"wheel, + −", "zoom"},
                              {"drag, W A S D", "move the view;  F: fit it again"},
                              {"G", "dots ahead of the bird on or off"}};
  const std::vector<HelpLine> inside = Overlays::help();
  lines.insert(lines.end(), inside.begin(), inside.end());
  return lines;
}

}  // namespace startle
