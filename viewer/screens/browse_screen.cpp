#include "viewer/screens/browse_screen.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"
#include "levels/generators.hpp"
#include "levels/level_file.hpp"
#include "sim/novelty.hpp"
#include "viewer/screens/editor_screen.hpp"
#include "viewer/screens/play_screen.hpp"
#include "viewer/widgets.hpp"

namespace startle {
namespace {

std::vector<std::string> catalogue_novelties() {
  std::vector<std::string> names;
  for (const Novelty& novelty : novelty_catalogue()) names.push_back(novelty.name);
  return names;
}

ImVec4 tier_colour(const std::string& tier) {
  if (tier == "easy" || tier == "low") return {0.45f, 0.80f, 0.42f, 1};
  if (tier == "medium" || tier == "middle") return {1.0f, 0.78f, 0.28f, 1};
  if (tier == "hard" || tier == "high") return {0.95f, 0.45f, 0.38f, 1};
  return muted_text;
}

/// Each set under the sets above it: "benchmark", "benchmark/T1", "benchmark/T1/easy", with the number of
/// levels in and below it. Tiers by how hard they are.
std::vector<std::pair<std::string, std::size_t>> sets_of(const std::vector<CatalogueEntry>& entries) {
  const auto key = [](std::string set) {
    return set.ends_with("/hard") ? set.replace(set.size() - 4, 4, "n") : set;
  };
  const auto before = [&](const std::string& a, const std::string& b) {
    return std::pair(key(a), a) < std::pair(key(b), b);
  };
  std::map<std::string, std::size_t, decltype(before)> sets(before);
  for (const CatalogueEntry& entry : entries)
    for (std::size_t end = 0; end != std::string::npos;) {
      end = entry.set.find('/', end + 1);
      ++sets[entry.set.substr(0, end)];
    }
  return {sets.begin(), sets.end()};
}

void draw_name() {
  {
    const TextSize large(Text::large);
    ImGui::TextUnformatted("Startle");
  }
  const TextSize small(Text::small);
  ImGui::PushStyleColor(ImGuiCol_Text, muted_text);
  ImGui::TextWrapped("How hard is it to notice that the world has changed?");
  ImGui::PopStyleColor();
}

void draw_card_text(const CatalogueEntry& entry) {
  const TextSize small(Text::small);
  if (!entry.error.empty()) {
    ImGui::TextColored({0.95f, 0.45f, 0.38f, 1}, "cannot be read");
    return;
  }
  ImGui::TextColored(muted_text, "%zu pig%s  %zu bird%s", entry.pigs, entry.pigs == 1 ? "" : "s", entry.birds,
                     entry.birds == 1 ? "" : "s");
  if (!entry.novelty.empty()) {
    ImGui::SameLine(0, 12);
    ImGui::TextColored(tier_colour(entry.tier), "%s %s", entry.novelty.c_str(), entry.tier.c_str());
  }
  if (!entry.left_out.empty()) {
    ImGui::SameLine(0, 12);
    ImGui::TextColored(muted_text, "%s", entry.left_out.c_str());
  }
}

void set_card_tooltip(const CatalogueEntry& entry) {
  if (!entry.error.empty())
    ImGui::SetTooltip("%s", entry.error.c_str());
  else if (entry.value >= 0)
    ImGui::SetTooltip("%s\n%zu objects, family %s\ndifficulty of %s: %.3f", entry.name.c_str(), entry.objects,
                      entry.family.empty() ? "unknown" : entry.family.c_str(), entry.novelty.c_str(),
                      entry.value);
  else
    ImGui::SetTooltip("%s\n%zu objects%s", entry.name.c_str(), entry.objects,
                      entry.family.empty() ? "" : (", family " + entry.family).c_str());
}

}  // namespace

BrowseScreen::BrowseScreen(Viewer& viewer, const std::vector<std::filesystem::path>& paths)
    : viewer_(viewer),
      catalogue_(viewer.options().novelty, viewer.options().profile, viewer.options().map),
      thumbnails_(viewer.options().profile, viewer.options().map),
      world_(viewer.options().novelty) {
  request_.profile = viewer.options().profile;
  request_.version = viewer.options().version;
  request_.folder = "my-levels";
  catalogue_.add(paths);
}

void BrowseScreen::choose() {
  chosen_.clear();
  for (std::size_t i = 0; i < catalogue_.entries().size(); ++i)
    if (filter_.passes(catalogue_.entries()[i])) chosen_.push_back(i);
}

void BrowseScreen::play(std::size_t place) {
  std::vector<PlayItem> items;
  std::size_t index = 0;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const CatalogueEntry& entry = catalogue_.entries()[chosen_[i]];
    if (!entry.error.empty()) continue;
    if (i == place) index = items.size();
    items.push_back({entry.file, world_ == "*" ? entry.novelty : world_});
  }
  if (items.empty()) return;
  try {
    viewer_.open(std::make_unique<PlayScreen>(viewer_, std::move(items), index));
  } catch (const Error& error) {
    viewer_.notice(error.what());
  }
}

void BrowseScreen::edit(const std::optional<std::filesystem::path>& file) {
  const auto saved = [this](const std::filesystem::path& written) {
    thumbnails_.forget(written);
    catalogue_.add({written});
  };
  try {
    const auto constants = profile(viewer_.options().profile);
    viewer_.open(std::make_unique<EditorScreen>(
        viewer_, file ? read_level(*file, viewer_.options().map) : empty_level("new-level", *constants),
        std::filesystem::path(), saved));
  } catch (const Error& error) {
    viewer_.notice(error.what());
  }
}

void BrowseScreen::handle(const sf::Event& event) {
  if (event.type != sf::Event::KeyPressed) return;
  if (event.key.code == sf::Keyboard::Enter && !chosen_.empty()) play(0);
  if (event.key.code == sf::Keyboard::Escape && maker_open_) maker_open_ = false;
}

void BrowseScreen::update(double) {
  thumbnails_.update();
  if (catalogue_.update()) choose();
  LevelMaker::Outcome outcome;
  if (!maker_.take_outcome(outcome)) return;
  maker_message_ = outcome.message;
  maker_failed_ = outcome.failed || outcome.levels == 0;
  if (outcome.levels == 0) return;
  catalogue_.add({outcome.folder});
  filter_ = {.set = std::filesystem::absolute(outcome.folder).lexically_normal().filename().string()};
  to_top_ = true;
}

void BrowseScreen::draw_left_column() {
  ImGui::BeginChild("filters", {filters_width, 0});
  draw_name();
  ImGui::Spacing();
  bool changed = draw_filters();
  ImGui::Separator();
  draw_world_choice();
  ImGui::Spacing();
  if (ImGui::Button(maker_.running() ? "Making levels ..." : "New levels ...", {-1, 0})) maker_open_ = true;
  if (ImGui::Button("Build a level", {-1, 0})) edit({});
  ImGui::Separator();
  changed |= draw_sets();
  ImGui::EndChild();
  if (changed) {
    choose();
    to_top_ = true;
  }
}

bool BrowseScreen::draw_filters() {
  bool changed = false;
  small_label("FAMILY");
  changed |= choice_box("##family", "any family", catalogue_.families(), filter_.family);
  small_label("NOVELTY");
  changed |= choice_box("##novelty", "any novelty", catalogue_.novelties(), filter_.novelty);
  small_label("TIER: HOW HARD TO DETECT");
  changed |= choice_box("##tier", "any tier", {"easy", "medium", "hard", "low", "middle", "high"},
                        filter_.tier);
  small_label("NAME");
  ImGui::SetNextItemWidth(-1);
  changed |= ImGui::InputTextWithHint("##words", "part of a name", &filter_.words);
  return changed;
}

void BrowseScreen::draw_world_choice() {
  small_label("PLAY IN");
  ImGui::SetNextItemWidth(-1);
  if (!ImGui::BeginCombo("##world",
                         world_.empty()          ? "the normal world"
                         : world_ == "*"         ? "the world of its novelty"
                         : world_ == own_novelty ? "the world of its file"
                                                 : world_.c_str(),
                         ImGuiComboFlags_HeightLarge))
    return;
  if (ImGui::Selectable("the normal world", world_.empty())) world_.clear();
  if (ImGui::Selectable("the world of its novelty", world_ == "*")) world_ = "*";
  if (ImGui::Selectable("the world of its file", world_ == own_novelty)) world_ = own_novelty;
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("with the novelty that the file carries: of NovPhy's levels fans, magnets, storms ...");
  ImGui::Separator();
  for (const Novelty& novelty : novelty_catalogue()) {
    if (ImGui::Selectable(novelty.name.c_str(), world_ == novelty.name)) world_ = novelty.name;
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", novelty.description.c_str());
  }
  ImGui::EndCombo();
}

bool BrowseScreen::draw_sets() {
  small_label("SETS");
  ImGui::BeginChild("sets", {0, 0});
  bool changed = false;
  const auto offer = [&](const std::string& text, const std::string& set, std::size_t count, float indent) {
    ImGui::SetCursorPosX(indent);
    if (ImGui::Selectable((text + "##" + set).c_str(), filter_.set == set)) {
      filter_.set = set;
      changed = true;
    }
    const std::string number = std::to_string(count);
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(number.c_str()).x - 4);
    ImGui::TextColored(muted_text, "%s", number.c_str());
  };
  offer("all levels", "", catalogue_.entries().size(), 4);
  for (const auto& [set, count] : sets_of(catalogue_.entries())) {
    const auto depth = static_cast<float>(std::count(set.begin(), set.end(), '/'));
    offer(set.substr(set.rfind('/') + 1), set, count, 4 + 16 * depth);
  }
  ImGui::EndChild();
  return changed;
}

void BrowseScreen::draw_card(const CatalogueEntry& entry, std::size_t place, float width) {
  const float height = width * Thumbnails::height / Thumbnails::width;
  ImGui::PushID(static_cast<int>(place));
  ImGui::BeginGroup();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton("card", {width, height + 46});
  const bool hovered = ImGui::IsItemHovered();
  if (entry.error.empty() && ImGui::BeginPopupContextItem("menu")) {
    if (ImGui::MenuItem("Play")) play(place);
    if (ImGui::MenuItem("Edit")) edit(entry.file);
    ImGui::EndPopup();
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height + 46},
                     ImGui::GetColorU32({1, 1, 1, hovered ? 0.16f : 0.07f}), 8);
  const ImVec2 end{at.x + width, at.y + height};
  if (const sf::Texture* texture = entry.error.empty() ? thumbnails_.find(entry.file) : nullptr)
    list.AddImageRounded(
        reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(texture->getNativeHandle())), at, end,
        {0, 0}, {1, 1}, 0xFFFFFFFF, 8, ImDrawFlags_RoundCornersTop);
  else
    list.AddRectFilled(at, end, ImGui::GetColorU32({0.37f, 0.66f, 0.88f, 0.25f}), 8,
                       ImDrawFlags_RoundCornersTop);
  ImGui::SetCursorScreenPos({at.x + 10, end.y + 5});
  ImGui::PushClipRect(at, {at.x + width - 6, end.y + 46}, true);
  ImGui::TextUnformatted(entry.name.c_str());
  ImGui::SetCursorScreenPos({at.x + 10, end.y + 26});
  draw_card_text(entry);
  ImGui::PopClipRect();
  ImGui::SetCursorScreenPos({at.x, at.y + height + 46});
  ImGui::Dummy({width, 0});
  ImGui::EndGroup();
  if (hovered) {
    list.AddRect(at, {at.x + width, at.y + height + 46}, ImGui::GetColorU32(accent), 8, 0, 2);
    set_card_tooltip(entry);
  }
  ImGui::PopID();
  if (pressed && entry.error.empty()) play(place);
}

void BrowseScreen::draw_cards() {
  ImGui::BeginChild("right");
  {
    const TextSize heading(Text::heading);
    ImGui::Text("%zu level%s", chosen_.size(), chosen_.size() == 1 ? "" : "s");
  }
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  if (catalogue_.reading())
    ImGui::TextColored(muted_text, "reading ...");
  else
    ImGui::TextColored(
        muted_text, "%s%s",
        chosen_.empty() ? "No level meets these conditions." : "Click a level to play it.",
        catalogue_.left_out().empty() ? "" : (" Left out: " + catalogue_.left_out() + ".").c_str());
  ImGui::BeginChild("cards");
  if (std::exchange(to_top_, false)) ImGui::SetScrollY(0);
  const float room = ImGui::GetContentRegionAvail().x - 4, gap = 14;
  const int columns = std::max(1, static_cast<int>((room + gap) / (216 + gap)));
  const float width = std::floor((room - gap * static_cast<float>(columns - 1)) /
                                 static_cast<float>(columns));
  const float height = width * Thumbnails::height / Thumbnails::width + 46 + gap;
  ImGuiListClipper clipper;
  clipper.Begin((static_cast<int>(chosen_.size()) + columns - 1) / columns, height);
  while (clipper.Step())
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
      const ImVec2 start = ImGui::GetCursorPos();
      for (int column = 0; column < columns; ++column) {
        const auto place = static_cast<std::size_t>(row * columns + column);
        if (place >= chosen_.size()) break;
        ImGui::SetCursorPos({start.x + static_cast<float>(column) * (width + gap), start.y});
        draw_card(catalogue_.entries()[chosen_[place]], place, width);
      }
      ImGui::SetCursorPos({start.x, start.y + height});
    }
  clipper.End();
  ImGui::EndChild();
  ImGui::EndChild();
}

void BrowseScreen::draw_request() {
  std::vector<std::string> families;
  for (const GeneratorInfo& family : generator_families()) families.push_back(family.name);
  small_label("FAMILY");
  choice_box("##make family", "all families by turns", families, request_.family);
  small_label("NOVELTY THAT IS TO BE DETECTED");
  choice_box("##make novelty", "none: any difficulty", catalogue_novelties(), request_.novelty);
  if (!request_.novelty.empty()) {
    small_label("TIER: HOW HARD IT IS TO DETECT");
    choice_box("##make tier", "", {"easy", "medium", "hard"}, request_.tier);
  }
  small_label("NUMBER, SEED");
  ImGui::SetNextItemWidth(210);
  ImGui::InputInt("##count", &request_.count);
  ImGui::SameLine();
  int seed = static_cast<int>(request_.seed);
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputInt("##seed", &seed)) request_.seed = static_cast<std::uint64_t>(std::max(seed, 0));
  small_label("FOLDER");
  std::string folder = request_.folder.string();
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputText("##folder", &folder)) request_.folder = folder;
  if (request_.novelty.empty() && request_.family.empty())
    request_.family = generator_families().front().name;
  ImGui::Spacing();
  if (ImGui::Button("Make them")) {
    maker_message_.clear();
    try {
      maker_.start(request_);
    } catch (const std::exception& error) {
      maker_message_ = error.what();
      maker_failed_ = true;
    }
  }
  ImGui::SameLine();
  if (ImGui::Button("Close")) maker_open_ = false;
}

void BrowseScreen::draw_making() {
  const LevelMaker::Progress progress = maker_.progress();
  ImGui::Text("%s", progress.phase.c_str());
  const std::string text = std::to_string(progress.done) + " of " + std::to_string(progress.total);
  ImGui::ProgressBar(
      static_cast<float>(progress.done) / static_cast<float>(std::max<std::size_t>(progress.total, 1)),
      {-1, 0}, text.c_str());
  if (progress.candidates > 0)
    ImGui::TextColored(muted_text, "candidates looked at: %d", progress.candidates);
  if (ImGui::Button("Stop")) maker_.cancel();
  ImGui::SameLine();
  if (ImGui::Button("Close, and go on making")) maker_open_ = false;
}

void BrowseScreen::draw_maker() {
  if (!maker_open_) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * size.x, 0.5f * size.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({460, 0});
  ImGui::Begin("maker", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  heading_line("New levels");
  small_label("Each is verified: it stands by itself, and can be cleared.");
  if (maker_.running())
    draw_making();
  else
    draw_request();
  if (!maker_message_.empty()) {
    ImGui::PushTextWrapPos(440);
    ImGui::TextColored(maker_failed_ ? ImVec4{0.95f, 0.45f, 0.38f, 1} : accent, "%s", maker_message_.c_str());
    ImGui::PopTextWrapPos();
  }
  ImGui::End();
}

void BrowseScreen::widgets() {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  {
    const Plate plate("browse", {0, 0}, {0, 0}, 1, size);
    draw_left_column();
    ImGui::SameLine(0, 18);
    draw_cards();
  }
  draw_maker();
}

std::string BrowseScreen::title() const {
  return "Startle: " + std::to_string(chosen_.size()) + " of " + std::to_string(catalogue_.entries().size()) +
         " levels" + (catalogue_.reading() ? ", reading" : "");
}

std::vector<HelpLine> BrowseScreen::help() const {
  return {{"click a level", "play it"},
          {"Enter", "play the first one"},
          {"right click", "play or edit it"},
          {"wheel", "scroll"},
          {"Build a level", "opens the editor with an empty level"},
          {"New levels ...", "makes levels of a family, novelty and tier"}};
}

}  // namespace startle
