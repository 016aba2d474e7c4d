#include "viewer/screens/study_screen.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "viewer/display.hpp"
#include "viewer/screens/keys.hpp"
#include "viewer/widgets.hpp"

namespace startle {
namespace {

constexpr float page_width = 620;
constexpr int longest_number = 40;  // characters of one that is typed

using K = sf::Keyboard;

std::string of(int number, int count) { return std::to_string(number) + " of " + std::to_string(count); }
/// What fills in texts such as "{done} of {count}".
std::pair<std::string, std::string> place(const char* name, int number) {
  return {name, std::to_string(number)};
}

/// A text as a format of printf that prints it.
std::string as_format(const std::string& text) {
  std::string format;
  for (const char c : text) format += c == '%' ? "%%" : std::string(1, c);
  return format;
}

/// Throws Error for a letter that would be seen as a question mark.
void require_letters(const StudyRecord& record, const StudyTexts& texts) {
  const auto require = [](const std::string& what, const std::string& text) {
    if (const std::string letter = first_without_glyph(text); !letter.empty())
      throw Error(what + ": found '" + letter +
                  "', which the font of the window does not have; it has Latin, Greek and Cyrillic letters");
  };
  require("consent text", record.manifest.at("consent_text"));
  for (const auto& [name, text] : texts.all()) require("text " + name, text);
  const StudyQuestions questions = record.questions();
  for (const StudyQuestion& question : questions.all()) {
    require("question " + question.name, question.text);
    for (const std::string& option : question.options) require("question " + question.name, option);
  }
}

/// ImGui's callback for a field that takes so many characters.
int cut_characters(ImGuiInputTextCallbackData* field) {
  int left = *static_cast<const int*>(field->UserData);
  for (int at = 0; at < field->BufTextLen; ++at) {
    if ((field->Buf[at] & 0xc0) == 0x80 || left-- > 0) continue;
    field->DeleteChars(at, field->BufTextLen - at);
  }
  return 0;
}

ImVec2 middle(const Camera2D& camera) {
  return {0.5f * static_cast<float>(camera.width()), 0.5f * static_cast<float>(camera.height())};
}

}  // namespace

StudyScreen::StudyScreen(Viewer& viewer, const StudyRecord& record, std::shared_ptr<const Profile> profile,
                         const StudyTexts& texts, StudySession& session)
    : viewer_(viewer),
      record_(record),
      profile_(std::move(profile)),
      text_(texts),
      session_(session),
      view_(viewer.sprites()),
      questions_(record.questions()) {
  resize(camera_, viewer.window());
}

StudyScreen::~StudyScreen() {
  try {
    if (state().unfinished() && failure_.empty()) session_.close();
  } catch (const std::exception&) {  // the window is gone; a session that was not closed shows it
  }
}

bool StudyScreen::choice(const char* text, sf::Keyboard::Key key, bool enabled) {
  const std::string name = key == K::Enter    ? text_("keys.enter")
                           : key == K::Escape ? text_("keys.escape")
                                              : std::string(1, static_cast<char>('A' + (key - K::A)));
  if (!enabled) ImGui::BeginDisabled();
  const bool clicked = ImGui::Button((text_(text) + " (" + name + ")").c_str());
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
  const StoredLevel level = session_.stored_level(record_);
  game_.emplace(study_scene(level, profile_, session_.novel() ? level.difficulty->novelty : ""));
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
  heading_line(text_("consent.heading"));
  ImGui::TextColored(muted_text, "%s",
                     text_("consent.code", {{"code", session_.participant().code}}).c_str());
  ImGui::BeginChild("text", {0, -48}, true);
  ImGui::PushTextWrapPos(0);
  const std::string& text = record_.manifest.at("consent_text");
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::EndChild();
  if (choice("consent.agree", K::A)) act([this] { session_.agree(); });
  ImGui::SameLine();
  if (choice("consent.decline", K::D)) act([this] { session_.decline(); });
}

void StudyScreen::draw_questions() {
  const float width = std::min(page_width, static_cast<float>(camera_.width()) - 24),
              height = static_cast<float>(camera_.height()) - 40;
  const Plate plate("questions", middle(camera_), {0.5f, 0.5f}, 0.96f, {width, std::min(height, 640.0f)});
  heading_line(text_("questions.heading"));
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text_("questions.text").c_str());
  ImGui::PopTextWrapPos();
  ImGui::BeginChild("list", {0, -48}, true);
  ImGui::PushTextWrapPos(0);
  for (const StudyQuestion& question : questions_.all()) draw_question(question);
  ImGui::PopTextWrapPos();
  ImGui::EndChild();
  look_ = false;
  if (choice("questions.next", K::Enter)) answer();
}

void StudyScreen::draw_question(const StudyQuestion& question) {
  const bool faulty = question.name == faulty_,
             first = faulty_.empty() && &question == &questions_.all().front();
  const std::string optional = text_("questions.optional");
  ImGui::PushID(question.name.c_str());
  ImGui::TextUnformatted((question.text + (question.required ? "" : " " + optional)).c_str());
  if (look_ && faulty) ImGui::SetScrollHereY(0);
  std::string& typed = typed_[question.name];
  if (question.kind == StudyQuestion::Kind::choice) {
    choice_box("##answer", question.required ? "" : "-", question.options, typed);
  } else {
    if (look_ && (faulty || first)) {
      ImGui::SetWindowFocus();  // as in draw_form()
      ImGui::SetKeyboardFocusHere();
    }
    int most = question.kind == StudyQuestion::Kind::text ? question.max_length : longest_number;
    ImGui::SetNextItemWidth(-1);
    ImGui::InputText("##answer", &typed, ImGuiInputTextFlags_CallbackEdit, cut_characters, &most);
  }
  const ImVec4& colour = faulty ? bad_text : muted_text;
  if (question.kind == StudyQuestion::Kind::number)
    ImGui::TextColored(
        colour, "%s",
        text_("questions.number", {{"min", shortest(question.min)}, {"max", shortest(question.max)}})
            .c_str());
  else if (faulty)
    ImGui::TextColored(colour, "%s", text_("questions.missing").c_str());
  ImGui::Spacing();
  ImGui::PopID();
}

void StudyScreen::answer() {
  StudyAnswers answers;
  for (const StudyQuestion& question : questions_.all()) {
    std::optional<StudyAnswer> given;
    try {
      given = typed_answer(question, typed_[question.name]);
      if (!given && question.required) throw Error("is missing");
    } catch (const Error&) {
      faulty_ = question.name;
      look_ = true;
      return;
    }
    if (given) answers.emplace(question.name, *given);
  }
  act([this, answers] { session_.answer(questions_, answers); });
}

void StudyScreen::draw_score() {
  const Plate plate("score", {static_cast<float>(camera_.width()) - 12, 12}, {1, 0}, 0.82f, {0, 0},
                    Plate::Mouse::lets_through);
  const Scene& scene = flying_ ? game_->shots().back().before : game_->scene();
  const int birds = static_cast<int>(scene.birds_left()) - (flying_ ? 1 : 0);
  ImGui::TextUnformatted(
      text_("level.left", {place("pigs", scene.pigs_left()), place("birds", birds)}).c_str());
}

void StudyScreen::draw_aim_label() {
  if (!may_aim() || aiming_.aim().pulled() || state().shots > 0) return;
  draw_aim_hint(camera_, game_->scene(), text_("level.hint"));
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
    page("practice", text_("practice.heading"),
         text_("practice.text", {place("count", state().practice_levels)}), [&] {
           if (choice(next < state().practice_levels ? "practice.start" : "practice.play_on", K::Enter))
             begin(next < state().practice_levels ? next : 0);
           if (state().practice_done()) {
             ImGui::SameLine();
             if (choice("practice.leave", K::G)) act([this] { session_.leave_practice(); });
           }
         });
    return;
  }
  const int position = state().position, count = state().practice_levels;
  {
    const Plate plate("tools", {12, 12}, {0, 0}, 0.82f);
    ImGui::AlignTextToFramePadding();
    const std::string where = text_("practice.place", {place("number", position + 1), place("count", count)});
    const bool played = practised[static_cast<std::size_t>(position)];
    ImGui::TextUnformatted((where + (played ? "  " + text_("practice.played") : "")).c_str());
    ImGui::SameLine();
    if (choice("practice.previous", K::B, !flying_ && position > 0)) begin(position - 1);
    ImGui::SameLine();
    if (choice("practice.again", K::R, !flying_)) begin(position);
    ImGui::SameLine();
    if (choice("practice.next", K::N, !flying_ && position + 1 < count)) begin(position + 1);
    ImGui::SameLine();
    if (choice("pause.button", K::P, !flying_)) act([this] { session_.pause(); });
    if (state().practice_done()) {
      ImGui::SameLine();
      if (choice("practice.leave", K::G, !flying_)) act([this] { session_.leave_practice(); });
    }
  }
  if (flying_ || !state().over) return;
  const int done = static_cast<int>(std::count(practised.begin(), practised.end(), true));
  page("result", level_over(),
       state().practice_done() ? text_("practice.all_played")
                               : text_("practice.some_played", {place("done", done), place("count", count)}),
       [&] {
         if (next < count && choice("practice.next_level", K::Enter)) begin(next);
         if (next < count) ImGui::SameLine();
         if (choice("practice.play_again", K::R)) begin(position);
         if (state().practice_done()) {
           ImGui::SameLine();
           if (choice("practice.leave", K::G)) act([this] { session_.leave_practice(); });
         }
       });
}

std::string StudyScreen::level_over() const {
  return text_(game_->cleared() ? "level.no_pigs" : "level.no_birds");
}

void StudyScreen::draw_item() {
  {
    const Plate plate("item", {12, 12}, {0, 0}, 0.82f);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(
        text_("item.place", {place("number", state().position + 1), place("count", state().items)}).c_str());
    ImGui::SameLine();
    if (choice("item.noticed", K::N, state().may_report() && !form_ && !flying_)) open_form();
    ImGui::SameLine();
    if (choice("pause.button", K::P, !flying_ && !form_ && state().stage == StudyStage::item))
      act([this] { session_.pause(); });
    if (state().reports > 0) {
      ImGui::SameLine();
      if (choice("item.done", K::D, !flying_ && !form_)) act([this] { session_.leave_item(); });
      ImGui::TextColored(accent, "%s",
                         text_(state().over ? "item.reported" : "item.reported_may_play").c_str());
    }
    if (session_.attention()) {
      ImGui::PushTextWrapPos(page_width);
      ImGui::TextColored(accent, "%s", text_("attention.text").c_str());
      ImGui::PopTextWrapPos();
    }
  }
  if (form_) {
    draw_form();
  } else if (state().stage == StudyStage::question) {
    page("question", level_over(), text_("question.text"), [this] {
      if (choice("question.yes", K::Y)) open_form();
      ImGui::SameLine();
      // Not N: pressed a moment late, when the level is over, it means that something was noticed.
      if (choice("question.no", K::X)) act([this] { session_.report_nothing(); });
    });
  }
}

void StudyScreen::open_form() {
  form_ = true;
  write_ = false;
  confidence_.reset();
}

void StudyScreen::draw_form() {
  page("form", text_("report.heading"), text_("report.text") + " " + text_("report.keys"), [this] {
    for (int tenth = 5; tenth <= 10; ++tenth)
      if (key_ == static_cast<K::Key>(K::Num0 + tenth % 10)) confidence_ = 10.0f * static_cast<float>(tenth);
    float sure = confidence_.value_or(75);
    const std::string unset = as_format(text_("report.unset"));
    ImGui::SetNextItemWidth(-1);
    if (ImGui::SliderFloat("##confidence", &sure, 50, 100, confidence_ ? "%.0f %%" : unset.c_str(),
                           ImGuiSliderFlags_AlwaysClamp) ||
        ImGui::IsItemActive())
      confidence_ = sure;
    ImGui::TextUnformatted(text_("report.description").c_str());
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
    if (choice("report.send", K::Enter, confidence_.has_value()) || (pressed && confidence_))
      act([this, confidence = std::round(static_cast<double>(*confidence_)) / 100,
           description = description_] {
        session_.report(confidence, description);
        form_ = false;
        description_.clear();
      });
    ImGui::SameLine();
    if (choice("report.back", K::Escape)) form_ = false;
  });
}

void StudyScreen::draw_failure() {
  page("failure", text_("errors.storing_heading"), text_("errors.storing", {{"reason", failure_}}), [this] {
    if (choice("errors.try_again", K::Enter)) act(std::function<void()>(again_));
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
  const auto close = [this] {
    if (choice("thanks.close", K::Enter)) viewer_.quit();
  };
  if (state().paused)
    return page("pause", text_("pause.heading"), text_("pause.text"), [this] {
      if (choice("pause.go_on", K::Enter)) act([this] { session_.go_on(); });
    });
  if (level_shown()) {
    draw_score();
    draw_aim_label();
  }
  switch (state().stage) {
    case StudyStage::consent:
      return draw_consent();
    case StudyStage::questions:
      return draw_questions();
    case StudyStage::practice:
      return draw_practice();
    case StudyStage::briefing:
      return page("briefing", text_("briefing.heading"),
                  text_("briefing.text", {place("count", state().items)}), [&] {
                    if (choice("briefing.begin", K::Enter)) begin_item();
                  });
    case StudyStage::item:
    case StudyStage::question:
      return draw_item();
    case StudyStage::between:
      return page(
          "between",
          text_("between.heading", {place("done", state().items_done), place("count", state().items)}),
          text_("between.text"), [&] {
            if (choice("between.next", K::Enter)) begin_item();
          });
    case StudyStage::finished:
      return page("thanks", text_("thanks.heading"),
                  text_("thanks.text", {{"code", session_.participant().code}}), close);
    case StudyStage::declined:
      return page("declined", text_("declined.heading"), text_("declined.text"), close);
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
  return {{text_("keys.drag"), text_("keys.pull")},       {"↑ ↓  ← →", text_("keys.aim")},
          {text_("keys.space"), text_("keys.shoot")},     {text_("keys.click"), text_("keys.power")},
          {text_("keys.escape"), text_("keys.put_back")}, {text_("keys.wheel"), text_("keys.zoom")},
          {text_("keys.right_drag"), text_("keys.move")}};
}

std::string StudyScreen::help_heading() const { return text_("keys.heading"); }

std::vector<HelpLine> StudyScreen::window_help() const {
  return {
      {"F1, H", text_("keys.this_page")}, {"F11, F12", text_("keys.screen")}, {"Ctrl+Q", text_("keys.quit")}};
}

StudyWindowEnd run_study_window(const StudyWindowOptions& options) {
  require_display("startle study-people run",
                  "Start it on the desktop of the screen that the participant sees");
  StudyStore store(options.file);
  const StudyRecord record = store.record();
  const std::shared_ptr<const Profile> profile = study_profile(record, options.program);
  const StudyTexts texts = record.texts();
  StudyParticipant participant;
  if (!options.resume.empty()) {
    participant = store.participant(options.resume);
    if (!replayed(participant, store.events(participant)).unfinished())
      throw Error("--resume: the session of " + participant.code + " is at its end");
  }
  std::optional<StudySession> session;  // outlives the screen in the viewer
  Viewer viewer({.paths = {},
                 .novelty = "",
                 .profile = profile->name,
                 .width = options.width,
                 .height = options.height});
  require_letters(record, texts);
  if (options.resume.empty()) participant = store.add_participant();
  session.emplace(store, participant);
  participant = session->participant();
  if (options.begun) options.begun(participant);
  viewer.open(std::make_unique<StudyScreen>(viewer, record, profile, texts, *session));
  viewer.run();
  return {.participant = participant, .unfinished = session->state().unfinished()};
}

}  // namespace startle
