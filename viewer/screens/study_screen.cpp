#include "viewer/screens/study_screen.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "viewer/display.hpp"
#include "viewer/screens/keys.hpp"
#include "viewer/widgets.hpp"

namespace startle {
namespace {

constexpr float page_width = 620;

using K = sf::Keyboard;

std::string of(int number, int count) { return std::to_string(number) + " of " + std::to_string(count); }

ImVec2 middle(const Camera2D& camera) {
  return {0.5f * static_cast<float>(camera.width()), 0.5f * static_cast<float>(camera.height())};
}

}  // namespace

StudyScreen::StudyScreen(Viewer& viewer, const StudyWindowOptions& options, StudySession& session)
    : viewer_(viewer), options_(options), session_(session), view_(viewer.sprites()) {
  for (const StoredLevel& level : options.levels) levels_.emplace(level.name, &level);
  resize(camera_, viewer.window());
}

StudyScreen::~StudyScreen() {
  try {
    if (state().unfinished() && failure_.empty()) session_.close();
  } catch (const std::exception&) {  // the window is gone; a session that was not closed shows it
  }
}

bool StudyScreen::choice(const char* label, sf::Keyboard::Key key, bool enabled) {
  if (!enabled) ImGui::BeginDisabled();
  const bool clicked = ImGui::Button(label);
  if (!enabled) ImGui::EndDisabled();
  if (!enabled || !(clicked || key_ == key)) return false;
  key_.reset();
  return true;
}

void StudyScreen::act(std::function<void()> what) {
  try {
    what();
    failure_.clear();
  } catch (const Error& error) {
    failure_ = error.what();
    again_ = std::move(what);
  }
}

void StudyScreen::enter_level() {
  const bool given = state().stage == StudyStage::practice && !options_.practice.empty();
  const StoredLevel& level = given ? options_.practice.at(static_cast<std::size_t>(state().position))
                                   : *levels_.at(session_.level());
  game_.emplace(study_scene(level, options_.profile, session_.novel() ? level.difficulty->novelty : ""));
  last_path_.clear();
  flying_ = form_ = false;
  aiming_ = Aiming(Aiming::Pan::right_button);  // a drag that misses the bird leaves the view where it is
  confidence_.reset();
  description_.clear();
  fit();
}

void StudyScreen::fit() {
  if (game_) camera_.fit(level_box(game_->start()));
}

void StudyScreen::shoot() {
  if (!aiming_.aim().pulled() || !may_aim()) return;
  const Shot shot = aiming_.aim().shot();
  aiming_.release();  // also of the mouse, which may still hold the bird that a key has shot
  act([this, shot] {
    session_.shot_released(shot);
    game_->shoot(shot);
    flying_ = true;
    playback_.begin(game_->shots().back().trace.step_s);
  });
}

void StudyScreen::tap() { game_->tap(static_cast<int>(std::ceil(playback_.position()))); }

void StudyScreen::handle(const sf::Event& event) {
  if (event.type == sf::Event::MouseWheelScrolled && !level_shown()) return;
  if (control_view(event, camera_, [this] { fit(); })) return;
  if (event.type == sf::Event::KeyPressed) {
    press_key(event.key);
    return;
  }
  if (!level_shown()) return;
  if (event.type == sf::Event::MouseButtonPressed && event.mouseButton.button == sf::Mouse::Left && flying_) {
    tap();
    return;
  }
  if (aiming_.handle(event, camera_, game_->scene(), may_aim()) == Aiming::Did::let_go) shoot();
}

void StudyScreen::press_key(const sf::Event::KeyEvent& key) {
  key_ = key.code;
  if (may_aim() && aiming_.nudge(key)) return;
  press(key.code, {{{K::Space}, [&] { flying() ? tap() : shoot(); }},
                   {{K::F, K::Home}, [&] { fit(); }},
                   {{K::Escape}, [&] { aiming_.release(); }}});
}

void StudyScreen::update(double seconds) {
  if (!game_ || !flying_) return;
  simulate_ahead(*game_, playback_);
  const FlownShot& shot = game_->shots().back();
  playback_.set_length(shot.trace.steps, shot.complete);
  playback_.advance(seconds);
  if (!playback_.at_end() || !failure_.empty()) return;
  act([this] {
    const FlownShot& flown = game_->shots().back();
    session_.shot_ended(flown.shot, flown.after, flown.trace);
    last_path_ = flown_points(flown.before, flown.trace);
    flying_ = false;
  });
}

void StudyScreen::draw(sf::RenderTarget& target) {
  if (!level_shown()) return;
  Moment moment{.scene = &game_->scene(), .held = aiming_.aim().held_at(game_->scene())};
  std::vector<BodyState> bodies;
  if (flying_) {
    const FlownShot& shot = game_->shots().back();
    bodies = bodies_at(shot.trace, playback_.position());
    moment = {
        .scene = &shot.before, .bodies = &bodies, .events = &shot.trace.events, .step = playback_.position()};
  }
  view_.draw(target, camera_, moment);
  if (flying_) return;
  draw_flights(view_, target, camera_, last_path_, game_->scene(), &aiming_.aim());
}

void StudyScreen::page(const char* name, const std::string& heading, const std::string& text,
                       const std::function<void()>& buttons) {
  const float width = std::min(page_width, static_cast<float>(camera_.width()) - 24);
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, static_cast<float>(camera_.height()) - 24});
  const Plate plate(name, middle(camera_), {0.5f, 0.5f}, 0.96f);
  heading_line(heading);
  ImGui::Spacing();
  ImGui::PushTextWrapPos(width - 16);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::Spacing();
  buttons();
}

void StudyScreen::draw_consent() {
  const float width = std::min(page_width + 140, static_cast<float>(camera_.width()) - 24),
              height = static_cast<float>(camera_.height()) - 40;
  const Plate plate("consent", middle(camera_), {0.5f, 0.5f}, 0.96f, {width, std::min(height, 640.0f)});
  heading_line("Before we begin");
  ImGui::TextColored(muted_text,
                     "Your code is %s. Please write it down: it is the only thing that ties the data to you.",
                     session_.participant().code.c_str());
  ImGui::BeginChild("text", {0, -48}, true);
  ImGui::PushTextWrapPos(0);
  const std::string& text = options_.record.manifest.at("consent_text");
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::EndChild();
  if (choice("I agree (A)", K::A)) act([this] { session_.agree(); });
  ImGui::SameLine();
  if (choice("I do not agree (D)", K::D)) act([this] { session_.decline(); });
}

void StudyScreen::draw_score() {
  const Plate plate("score", {static_cast<float>(camera_.width()) - 12, 12}, {1, 0}, 0.82f, {0, 0},
                    Plate::Mouse::lets_through);
  const Scene& scene = flying_ ? game_->shots().back().before : game_->scene();
  ImGui::Text("pigs %d   birds %d", scene.pigs_left(),
              static_cast<int>(scene.birds_left()) - (flying_ ? 1 : 0));
}

void StudyScreen::draw_aim_label() {
  if (!may_aim() || aiming_.aim().pulled() || state().shots > 0) return;
  draw_aim_hint(camera_, game_->scene());
}

void StudyScreen::draw_practice() {
  const auto begin = [this](int position) {
    act([this, position] {
      session_.begin_practice(position);
      enter_level();
    });
  };
  const auto& practised = state().practised;
  const int next = static_cast<int>(std::find(practised.begin(), practised.end(), false) - practised.begin());
  if (!game_ || state().position < 0) {
    page("practice", "Practice",
         "First you get to know the world in " + std::to_string(state().practice_levels) +
             (state().practice_levels == 1 ? " practice level. " : " practice levels. ") +
             "Drag the bird back and let it go; a click in flight uses the power of birds that have one. Try "
             "to hit all pigs.\n\n"
             "Play every practice level to its end once. You may play them as often as you like, in any "
             "order.",
         [&] {
           if (choice(next < state().practice_levels ? "Start (Enter)" : "Play on (Enter)", K::Enter))
             begin(next < state().practice_levels ? next : 0);
           if (state().practice_done()) {
             ImGui::SameLine();
             if (choice("Go on to the study (G)", K::G)) act([this] { session_.leave_practice(); });
           }
         });
    return;
  }
  const int position = state().position, count = state().practice_levels;
  {
    const Plate plate("tools", {12, 12}, {0, 0}, 0.82f);
    ImGui::AlignTextToFramePadding();
    ImGui::Text("Practice level %s%s", of(position + 1, count).c_str(),
                practised[static_cast<std::size_t>(position)] ? "  (played)" : "");
    ImGui::SameLine();
    if (choice("Previous (B)", K::B, !flying_ && position > 0)) begin(position - 1);
    ImGui::SameLine();
    if (choice("Again (R)", K::R, !flying_)) begin(position);
    ImGui::SameLine();
    if (choice("Next (N)", K::N, !flying_ && position + 1 < count)) begin(position + 1);
    ImGui::SameLine();
    if (choice("Pause (P)", K::P, !flying_)) act([this] { session_.pause(); });
    if (state().practice_done()) {
      ImGui::SameLine();
      if (choice("Go on to the study (G)", K::G, !flying_)) act([this] { session_.leave_practice(); });
    }
  }
  if (flying_ || !state().over) return;
  page("result", game_->cleared() ? "All pigs are gone" : "No birds are left",
       state().practice_done() ? "Every practice level was played. Play on, or go on to the study."
                               : std::to_string(std::count(practised.begin(), practised.end(), true)) +
                                     " of " + std::to_string(count) + " practice levels are played.",
       [&] {
         if (next < count && choice("Next level (Enter)", K::Enter)) begin(next);
         if (next < count) ImGui::SameLine();
         if (choice("Play it again", K::R)) begin(position);
         if (state().practice_done()) {
           ImGui::SameLine();
           if (choice("Go on to the study", K::G)) act([this] { session_.leave_practice(); });
         }
       });
}

void StudyScreen::draw_item() {
  {
    const Plate plate("item", {12, 12}, {0, 0}, 0.82f);
    ImGui::AlignTextToFramePadding();
    ImGui::Text("Level %s", of(state().position + 1, state().items).c_str());
    ImGui::SameLine();
    if (choice("I noticed something (N)", K::N, state().may_report() && !form_ && !flying_)) open_form();
    ImGui::SameLine();
    if (choice("Pause (P)", K::P, !flying_ && !form_ && state().stage == StudyStage::item))
      act([this] { session_.pause(); });
    if (state().reports > 0) {
      ImGui::SameLine();
      if (choice("Done with this level (D)", K::D, !flying_ && !form_))
        act([this] { session_.leave_item(); });
      ImGui::TextColored(accent, "%s",
                         state().over
                             ? "Reported. Thank you."
                             : "Reported. You may play on and report again, or be done with this level.");
    }
  }
  if (form_) {
    draw_form();
  } else if (state().stage == StudyStage::question) {
    page("question", game_->cleared() ? "All pigs are gone" : "No birds are left",
         "Did you notice that something was different from the practice levels?", [this] {
           if (choice("Yes, I noticed something (Y)", K::Y)) open_form();
           ImGui::SameLine();
           // Not N: pressed a moment late, when the level is over, it means that something was noticed.
           if (choice("No, nothing (X)", K::X)) act([this] { session_.report_nothing(); });
         });
  }
}

void StudyScreen::open_form() {
  form_ = true;
  write_ = false;
  confidence_.reset();
}

void StudyScreen::draw_form() {
  page("form", "What did you notice?",
       "Something was different from the practice levels. How sure are you? 50 % is a guess, 100 % is "
       "certain. Keys 5 to 9 and 0 say 50 to 100 %.",
       [this] {
         for (int tenth = 5; tenth <= 10; ++tenth)
           if (key_ == static_cast<K::Key>(K::Num0 + tenth % 10))
             confidence_ = 10.0f * static_cast<float>(tenth);
         float sure = confidence_.value_or(75);
         ImGui::SetNextItemWidth(-1);
         if (ImGui::SliderFloat("##confidence", &sure, 50, 100,
                                confidence_ ? "%.0f %%" : "click here: how sure?",
                                ImGuiSliderFlags_AlwaysClamp) ||
             ImGui::IsItemActive())
           confidence_ = sure;
         ImGui::TextUnformatted("What was it, in your words? Please write nothing about yourself.");
         // ImGui writes into the buffer; its size is what may be stored and the zero at the end.
         std::string buffer = description_;
         buffer.resize(longest_description + 1, '\0');
         if (key_ == K::Enter && !write_) {
           ImGui::SetWindowFocus();  // ImGui gives keys to a field of the window in focus alone, which may be
                                     // another one
           ImGui::SetKeyboardFocusHere();
           write_ = true;
           key_.reset();
         }
         const bool entered = ImGui::InputTextMultiline(
             "##description", buffer.data(), buffer.size(), {-1, 110},
             ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CtrlEnterForNewLine);
         description_ = buffer.c_str();
         // The key that opened the field and is still held down does not report: ImGui repeats it.
         const bool pressed = entered && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false);
         if (entered && !pressed) write_ = false;
         if (choice("Report (Enter)", K::Enter, confidence_.has_value()) || (pressed && confidence_))
           act([this, confidence = std::round(static_cast<double>(*confidence_)) / 100,
                description = description_] {
             session_.report(confidence, description);
             form_ = false;
             description_.clear();
           });
         ImGui::SameLine();
         if (choice("Back (Esc)", K::Escape)) form_ = false;
       });
}

void StudyScreen::draw_failure() {
  page("failure", "Please call the person who runs the study",
       "What you do cannot be stored:\n" + failure_ + "\n\nNothing stored before is lost.", [this] {
         if (choice("Try again (Enter)", K::Enter)) act(std::function<void()>(again_));
       });
}

void StudyScreen::widgets() {
  draw_stage();
  key_.reset();  // a key that nothing waited for
}

void StudyScreen::draw_stage() {
  if (!failure_.empty()) return draw_failure();
  const auto begin_item = [this] {
    act([this] {
      session_.begin_item();
      enter_level();
    });
  };
  if (state().paused)
    return page("pause", "Pause", "Take your time.", [this] {
      if (choice("Go on (Enter)", K::Enter)) act([this] { session_.go_on(); });
    });
  if (level_shown()) {
    draw_score();
    draw_aim_label();
  }
  switch (state().stage) {
    case StudyStage::consent:
      return draw_consent();
    case StudyStage::practice:
      return draw_practice();
    case StudyStage::briefing:
      return page("briefing", "The study",
                  "Now come " + std::to_string(state().items) +
                      " levels. In some of them the world is as in the practice levels; in others something "
                      "is different: things look the same, but "
                      "behave in another way.\n\nEach level is played once. After any shot, press \"I "
                      "noticed something\" as soon as you think that "
                      "something is different, say how sure you are, and describe it. You may play on after "
                      "that.\n\nBetween two levels you may rest as long "
                      "as you like.",
                  [&] {
                    if (choice("Begin (Enter)", K::Enter)) begin_item();
                  });
    case StudyStage::item:
    case StudyStage::question:
      return draw_item();
    case StudyStage::between:
      return page("between", of(state().items_done, state().items) + " levels are done",
                  "Take a break, as long as you like.", [&] {
                    if (choice("Next level (Enter)", K::Enter)) begin_item();
                  });
    case StudyStage::finished:
      return page("thanks", "Thank you!",
                  "That was the last level. Your code is " + session_.participant().code +
                      ". Who runs the study can delete your data if you say this code.",
                  [this] {
                    if (choice("Close (Enter)", K::Enter)) viewer_.quit();
                  });
    case StudyStage::declined:
      return page("declined", "Thank you", "Nothing but your answer was stored. You may close the window.",
                  [this] {
                    if (choice("Close (Enter)", K::Enter)) viewer_.quit();
                  });
  }
}

std::string StudyScreen::title() const {
  std::string text = std::string("Startle study: ") + name(state().stage);
  if (!failure_.empty()) return "Startle study: cannot be stored";
  if (state().paused) return "Startle study: paused";
  if (state().playing()) {
    text += " " + of(state().position + 1,
                     state().stage == StudyStage::practice ? state().practice_levels : state().items);
    if (form_) return text + ", report";
    text += flying_ ? ", in flight" : state().over ? ", over" : ", bird " + std::to_string(state().shots + 1);
    if (state().reports > 0) text += ", reported " + std::to_string(state().reports);
  } else if (state().stage == StudyStage::between) {
    text += " " + of(state().items_done, state().items);
  }
  return text;
}

std::vector<HelpLine> StudyScreen::help() const {
  return {{"drag the bird", "pull the band; let go to shoot"},
          {"↑ ↓  ← →", "aim: angle, pull (Shift: finely)"},
          {"Space", "shoot; in flight, use the bird's power"},
          {"click", "in flight, use the bird's power"},
          {"Esc", "put the bird back"},
          {"wheel", "zoom"},
          {"right drag", "move the view;  F: fit it again"}};
}

StudyWindowEnd run_study_window(const StudyWindowOptions& options) {
  require_display("startle study-people run",
                  "Start it on the desktop of the screen that the participant sees");
  StudyStore store(options.file, options.record);
  StudyParticipant participant;
  if (options.resume.empty()) {
    plan_study(options.record.levels, options.settings, static_cast<int>(store.participants().size()),
               !options.practice.empty());
  } else {
    participant = store.participant(options.resume);
    if (!replayed(participant, store.events(participant)).unfinished())
      throw Error("--resume: the session of " + participant.code + " is at its end");
  }
  std::optional<StudySession> session;  // outlives the screen in the viewer
  Viewer viewer({.paths = {},
                 .novelty = "",
                 .profile = options.profile->name,
                 .width = options.width,
                 .height = options.height});
  if (options.resume.empty()) {
    std::vector<std::string> practice;
    for (const StoredLevel& level : options.practice) practice.push_back(level.name);
    participant = store.add_participant(options.settings, practice);
  }
  if (options.begun) options.begun(participant);
  session.emplace(store, participant);
  viewer.open(std::make_unique<StudyScreen>(viewer, options, *session));
  viewer.run();
  return {.participant = participant, .unfinished = session->state().unfinished()};
}

}  // namespace startle
