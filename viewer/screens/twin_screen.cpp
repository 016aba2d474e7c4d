#include "viewer/screens/twin_screen.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "core/error.hpp"
#include "difficulty/impact_score.hpp"
#include "play/aim.hpp"
#include "viewer/drawing/fields.hpp"
#include "viewer/drawing/pen.hpp"
#include "viewer/screens/keys.hpp"
#include "viewer/widgets.hpp"

namespace startle {
namespace {

constexpr Colour novel_apart = colour(0xB3128A), other_apart = colour(0xE69F00),
                 ghost = colour(0xFFFFFF, 210), ink = colour(0x16202E);

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f s", seconds);
  return text;
}

Novelty chosen(const std::string& name, const Level& level, const Scene& normal) {
  if (!name.empty()) return find_novelty(name, level);
  if (level.novelty) return *level.novelty;
  const Novelty* first = first_with_effect(normal);
  return first != nullptr ? *first : novelty_catalogue().front();
}

}  // namespace

TwinScreen::TwinScreen(Viewer& viewer, Level level, Scene normal, const std::string& novelty,
                       const std::optional<Shot>& shot)
    : viewer_(viewer),
      level_(std::move(level)),
      normal_(std::move(normal)),
      novelty_(chosen(novelty, level_, normal_)),
      normal_view_(viewer.sprites()),
      novel_view_(viewer.sprites()) {
  shot_ = shot ? *shot : revealing_shot(normal_, novelty_);
  fit();
  fly();
}

void TwinScreen::fit() {
  lay_out();
  // The labels stand above, the timeline below.
  camera_.fit(level_box(normal_), 0, stacked_ ? 0 : 70);
}

void TwinScreen::lay_out() {
  const auto size = viewer_.window().getSize();
  const int w = static_cast<int>(size.x), h = static_cast<int>(size.y);
  const Bounds box = level_box(normal_);
  const double beside = std::min(0.5 * w / box.width(), (h - 70) / box.height()),
               above = std::min(w / box.width(), (0.5 * h - 35) / box.height());
  stacked_ = above > beside;
  if (stacked_)
    camera_.resize(w, (h - 70) / 2);
  else
    camera_.resize(w / 2, h);
}

TwinScreen::Pane TwinScreen::pane(bool novel) const {
  if (!novel) return {};
  return stacked_ ? Pane{0, static_cast<float>(camera_.height())}
                  : Pane{static_cast<float>(camera_.width()), 0};
}

void TwinScreen::fly() {
  if (flying_.valid()) {
    fly_again_ = true;
    return;
  }
  fly_again_ = false;
  flying_ = std::async(std::launch::async, [normal = normal_, novelty = novelty_, shot = shot_] {
    return fly_twins(normal, novelty, shot);
  });
}

void TwinScreen::turn(double degrees_more, double stretch) {
  const double angle = std::round((degrees(shot_.angle) + degrees_more) * 100) / 100;
  shot_.angle = radians(std::clamp(angle, -180.0, 180.0));
  shot_.stretch = std::clamp(std::round((shot_.stretch + stretch) * 100) / 100, Aim::least_stretch, 1.0);
  fly();
}

void TwinScreen::again() {
  playback_.pause(false);
  playback_.seek(0);
}

void TwinScreen::go_to_first() {
  if (!flight_ || flight_->first_apart() < 0) return;
  playback_.pause(true);
  playback_.seek(flight_->first_apart());
}

void TwinScreen::handle(const sf::Event& event) {
  const auto local = [this](int x, int y) {  // both panes show the same
    const auto w = camera_.width(), h = camera_.height();
    return Vec2{static_cast<double>(stacked_ ? x : x % w), static_cast<double>(stacked_ ? y % h : y)};
  };
  switch (event.type) {
    case sf::Event::Resized:
      if (camera_.fitted())
        fit();
      else
        lay_out();
      break;
    case sf::Event::MouseWheelScrolled:
      camera_.zoom(local(event.mouseWheelScroll.x, event.mouseWheelScroll.y),
                   std::pow(1.15, event.mouseWheelScroll.delta));
      break;
    case sf::Event::MouseButtonPressed:
      panning_ = true;
      mouse_at_ = {static_cast<double>(event.mouseButton.x), static_cast<double>(event.mouseButton.y)};
      break;
    case sf::Event::MouseButtonReleased:
    case sf::Event::LostFocus:
      panning_ = false;
      break;
    case sf::Event::MouseMoved: {
      const Vec2 now{static_cast<double>(event.mouseMove.x), static_cast<double>(event.mouseMove.y)};
      if (panning_) camera_.pan(now - mouse_at_);
      mouse_at_ = now;
      break;
    }
    case sf::Event::KeyPressed:
      press_key(event.key);
      break;
    default:
      break;
  }
}

void TwinScreen::press_key(const sf::Event::KeyEvent& key) {
  using K = sf::Keyboard;
  if (press_playback_key(key.code, playback_)) return;
  const double fine = key.shift ? 0.1 : 1;
  press(key.code, {{{K::Up}, [&] { turn(fine, 0); }},
                   {{K::Down}, [&] { turn(-fine, 0); }},
                   {{K::Left}, [&] { turn(0, 0.05 * fine); }},
                   {{K::Right}, [&] { turn(0, -0.05 * fine); }},
                   {{K::Space, K::V}, [&] { again(); }},
                   {{K::P}, [&] { playback_.pause(!playback_.paused()); }},
                   {{K::J}, [&] { go_to_first(); }},
                   {{K::G}, [&] { ghosts_ = !ghosts_; }},
                   {{K::F, K::Home}, [&] { fit(); }},
                   {{K::Escape, K::F9}, [&] { viewer_.close(); }}});
}

void TwinScreen::update(double seconds) {
  if (flying_.valid() && flying_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    try {
      flight_ = flying_.get();
      failure_.clear();
    } catch (const Error& error) {
      flight_.reset();
      failure_ = error.what();
    }
    if (flight_) {
      const bool paused = playback_.paused();
      playback_.begin(flight_->normal_trace.step_s);
      playback_.set_length(flight_->steps(), true);
      playback_.pause(paused);
    }
    if (fly_again_) fly();
  }
  if (flight_) playback_.advance(seconds);
}

void TwinScreen::draw(sf::RenderTarget& target) {
  const auto window = target.getSize();
  const auto w = static_cast<float>(camera_.width()), h = static_cast<float>(camera_.height());
  for (const bool novel : {false, true}) {
    const Pane at = pane(novel);
    sf::View view(sf::FloatRect(0, 0, w, h));
    view.setViewport({at.x / static_cast<float>(window.x), at.y / static_cast<float>(window.y),
                      w / static_cast<float>(window.x), h / static_cast<float>(window.y)});
    target.setView(view);
    WorldView& world = novel ? novel_view_ : normal_view_;
    if (!flight_) {
      world.draw(target, camera_, {.scene = &normal_, .held = normal_.rest()});
      continue;
    }
    const Trace& trace = novel ? flight_->novel_trace : flight_->normal_trace;
    const std::vector<BodyState> bodies = bodies_at(trace, playback_.position());
    world.draw(target, camera_,
               {.scene = novel ? &flight_->novel : &flight_->normal,
                .bodies = &bodies,
                .events = &trace.events,
                .step = playback_.position()});
  }
  target.setView(sf::View(sf::FloatRect(0, 0, static_cast<float>(window.x), static_cast<float>(window.y))));
}

void TwinScreen::draw_marks() {
  const auto w = static_cast<float>(camera_.width()), h = static_cast<float>(camera_.height());
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  if (flight_) {
    const Pane at = pane(true);
    list->PushClipRect({at.x, at.y}, {at.x + w, at.y + h}, true);
    draw_fields(Pen(camera_, {at.x, at.y}), flight_->novel, camera_.seen());
    list->PopClipRect();
  }
  if (flight_) {
    const int step = static_cast<int>(playback_.position());
    const std::vector<std::size_t> apart = flight_->apart_at(step);
    const std::vector<BodyState> bodies[2] = {bodies_at(flight_->normal_trace, playback_.position()),
                                              bodies_at(flight_->novel_trace, playback_.position())};
    const auto shape_in = [&](std::size_t world, std::size_t object) -> std::optional<Shape> {
      for (const BodyState& body : bodies[world])
        if (static_cast<std::size_t>(body.id) == object)
          return transformed(*flight_->normal.objects[object].shape, body.pose);
      return {};
    };
    for (const std::size_t world : {std::size_t{0}, std::size_t{1}}) {
      const Pane at = pane(world == 1);
      list->PushClipRect({at.x, at.y}, {at.x + w, at.y + h}, true);
      const Pen pen(camera_, {at.x, at.y});
      for (const std::size_t object : apart) {
        const Colour c = flight_->novel.objects[object].novel ? novel_apart : other_apart;
        const std::optional<Shape> here = shape_in(world, object), there = shape_in(1 - world, object);
        if (there && ghosts_) pen.dashed_outline(*there, ghost, 1.5F);
        if (!here) continue;
        pen.fill(*here, {c.r, c.g, c.b, 90});
        pen.outline(*here, c, 2.5F);
      }
      list->PopClipRect();
    }
  }
  if (stacked_)
    list->AddLine({0, h}, {w, h}, im_colour(ink), 3);
  else
    list->AddLine({w, 0}, {w, h}, im_colour(ink), 3);
}

void TwinScreen::draw_labels() {
  for (const bool novel : {false, true}) {
    const Pane at = pane(novel);
    const Plate plate(novel ? "novel world" : "normal world", {at.x + 12, at.y + 12}, {0, 0}, 0.82F);
    heading_line(novel ? "Novel world" : "Normal world");
    const TextSize small(Text::small);
    if (!novel) {
      ImGui::TextColored(muted_text, "%s", (level_.name + ", shot " + shot_text(shot_)).c_str());
      continue;
    }
    ImGui::Dummy({200, 1});  // the least width of the box below
    std::vector<std::string> names;
    if (level_.novelty) names.push_back(own_novelty);
    for (const std::vector<Novelty>* kind : {&novelty_catalogue(), &world_novelties()})
      for (const Novelty& novelty : *kind) names.push_back(novelty.name);
    if (std::string name = novelty_.name; choice_box("##novelty", "", names, name)) {
      novelty_ = find_novelty(name, level_);
      fly();
    }
    ImGui::TextColored(muted_text, "%s", novelty_.description.c_str());
  }
}

void TwinScreen::draw_timeline() {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const float width = std::min(860.0F, window.x - 24);
  const Plate plate("timeline", {0.5F * window.x, window.y - 8}, {0.5F, 1}, 0.88F, {width, 70});
  if (!failure_.empty() || !flight_) {
    ImGui::TextUnformatted(failure_.empty() ? "flying both ..." : failure_.c_str());
    return;
  }
  const double step_s = flight_->normal_trace.step_s;
  if (tool_button(playback_.paused() ? "▶" : "❚❚", playback_.paused() ? "go on (P)" : "pause (P)"))
    playback_.pause(!playback_.paused());
  ImGui::SameLine();
  if (tool_button("↻", "from the release (Space)")) again();
  ImGui::SameLine();
  const int first = flight_->first_apart();
  if (tool_button("⇥##first", "to where they are first apart (J)")) go_to_first();
  ImGui::SameLine();
  ImGui::SetNextItemWidth(width - 290);
  auto seconds = static_cast<float>(playback_.position() * step_s);
  const auto end = static_cast<float>(std::max(playback_.length() * step_s, 0.02));
  if (ImGui::SliderFloat("##time", &seconds, 0, end, "")) {
    playback_.pause(true);
    playback_.seek(seconds / step_s);
  }
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto at = [&](int step) {
    return low.x + 8 + (high.x - low.x - 16) * static_cast<float>(step * step_s) / end;
  };
  for (std::size_t i = 0; i < flight_->apart_since.size(); ++i) {
    const int since = flight_->apart_since[i];
    if (since < 0) continue;
    const Colour c = flight_->novel.objects[i].novel ? novel_apart : other_apart;
    list->AddLine({at(since), high.y - 7}, {at(since), high.y + 2}, im_colour(c), 2);
  }
  if (first >= 0) {
    const float x = at(first);
    list->AddLine({x, low.y - 3}, {x, high.y + 3}, im_colour(colour(0xFF4FC8)), 2.5F);
    list->AddTriangleFilled({x - 5, low.y - 7}, {x + 5, low.y - 7}, {x, low.y}, im_colour(colour(0xFF4FC8)));
  }
  ImGui::SameLine();
  ImGui::Text("%.2f / %.2f s", static_cast<double>(seconds), static_cast<double>(end));
  const TextSize small(Text::small);
  if (first < 0) {
    ImGui::TextColored(muted_text, "The two worlds are never visibly apart.");
    return;
  }
  std::string who;
  std::size_t count = 0;
  for (std::size_t i = 0; i < flight_->apart_since.size(); ++i) {
    if (flight_->apart_since[i] == first && who.empty())
      who = "#" + std::to_string(i) + " " + appearance(flight_->normal.objects[i]);
    count += flight_->apart_since[i] >= 0;
  }
  ImGui::TextColored(ImVec4{1.0F, 0.55F, 0.85F, 1}, "First apart after %s: %s.",
                     seconds_text(first * step_s).c_str(), who.c_str());
  ImGui::SameLine();
  ImGui::TextColored(muted_text, "%zu of %zu objects come apart.", count, flight_->apart_since.size());
}

void TwinScreen::widgets() {
  draw_marks();
  draw_labels();
  draw_timeline();
}

std::string TwinScreen::title() const {
  std::string state = "flying";
  if (!failure_.empty())
    state = "cannot be flown";
  else if (flight_)
    state = flight_->first_apart() < 0 ? "never apart"
                                       : "first apart at step " + std::to_string(flight_->first_apart());
  return "Startle: " + level_.name + ", twins, " + novelty_.name + ", " + shot_text(shot_) + ", " + state;
}

std::vector<HelpLine> TwinScreen::help() const {
  return {{"↑ ↓  ← →", "another shot: angle, pull (Shift: finely)"},
          {"Space", "from the release"},
          {"J", "to where the worlds are first apart"},
          {"P   .   ,", "pause, one step on, one step back"},
          {"[   ]   1", "slower, faster, normal speed"},
          {"G", "dashed outlines of the other world on or off"},
          {"wheel, drag", "zoom and move both;  F: fit again"},
          {"Esc, F9", "back"}};
}

}  // namespace startle
