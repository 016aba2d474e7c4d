#include "viewer/screens/trials_screen.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "core/error.hpp"
#include "play/catalogue.hpp"
#include "viewer/screens/play_screen.hpp"
#include "viewer/widgets.hpp"

namespace startle {
namespace {}  // namespace

TrialsScreen::TrialsScreen(Viewer& viewer, std::filesystem::path file, std::shared_ptr<RecordedTrials> trials)
    : viewer_(viewer), file_(std::move(file)), trials_(std::move(trials)) {
  choose();
}

void TrialsScreen::choose() {
  chosen_.clear();
  for (std::size_t i = 0; i < trials_->entries().size(); ++i)
    if (filter_.passes(trials_->entries()[i])) chosen_.push_back(i);
}

void TrialsScreen::watch(std::size_t place) {
  std::vector<PlayItem> items;
  for (const std::size_t i : chosen_)
    items.push_back(
        {.file = file_, .recording = [trials = trials_, i] { return trials->open(trials->entries()[i]); }});
  try {
    viewer_.open(std::make_unique<PlayScreen>(viewer_, std::move(items), place));
  } catch (const std::exception& error) {
    viewer_.notice(error.what());
  }
}

void TrialsScreen::handle(const sf::Event& event) {
  if (event.type != sf::Event::KeyPressed) return;
  if (event.key.code == sf::Keyboard::Enter && !chosen_.empty()) watch(0);
}

void TrialsScreen::draw_filters() {
  ImGui::BeginChild("filters", {filters_width, 0});
  {
    const TextSize large(Text::large);
    ImGui::TextUnformatted("Startle");
  }
  small_label(("trials of agents in " + file_.filename().string()).c_str());
  ImGui::Spacing();
  const auto& entries = trials_->entries();
  bool changed = false;
  const auto filter = [&](const char* title, const char* label, const char* any,
                          std::string TrialEntry::*member, std::string& value) {
    small_label(title);
    changed |= choice_box(label, any, distinct(entries, member), value);
  };
  filter("AGENT", "##agent", "any agent", &TrialEntry::agent, filter_.agent);
  filter("NOVELTY", "##novelty", "any novelty", &TrialEntry::novelty, filter_.novelty);
  filter("TIER: HOW HARD TO DETECT", "##tier", "any tier", &TrialEntry::tier, filter_.tier);
  filter("WORLD", "##world", "normal and novel", &TrialEntry::world, filter_.world);
  filter("STATUS", "##status", "any status", &TrialEntry::status, filter_.status);
  small_label("LEVEL");
  ImGui::SetNextItemWidth(-1);
  changed |= ImGui::InputTextWithHint("##level", "part of a name", &filter_.level);
  ImGui::EndChild();
  if (changed) choose();
}

void TrialsScreen::draw_table() {
  ImGui::BeginChild("right");
  {
    const TextSize heading(Text::heading);
    ImGui::Text("%zu trial%s", chosen_.size(), chosen_.size() == 1 ? "" : "s");
  }
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(muted_text, "%s",
                     chosen_.empty() ? "No trial meets these conditions." : "Click one to watch it.");
  const ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_ScrollX |
                                ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingFixedFit;
  if (ImGui::BeginTable("trials", 9, flags)) {
    ImGui::TableSetupScrollFreeze(0, 1);
    for (const char* heading :
         {"agent", "level", "tier", "world", "trial", "shots", "score", "novelty said", "end"})
      ImGui::TableSetupColumn(heading);
    ImGui::TableHeadersRow();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(chosen_.size()));
    while (clipper.Step())
      for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
        const TrialEntry& entry = trials_->entries()[chosen_[static_cast<std::size_t>(row)]];
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::PushID(row);
        if (ImGui::Selectable(entry.agent.c_str(), false, ImGuiSelectableFlags_SpanAllColumns))
          watch(static_cast<std::size_t>(row));
        ImGui::PopID();
        const auto cell = [](const std::string& text,
                             const ImVec4& c = ImGui::GetStyleColorVec4(ImGuiCol_Text)) {
          ImGui::TableNextColumn();
          ImGui::TextColored(c, "%s", text.c_str());
        };
        cell(entry.name);
        cell(entry.novelty + (entry.tier.empty() ? "" : " " + entry.tier), muted_text);
        cell(entry.world, entry.world == "novel" ? accent : muted_text);
        cell(std::to_string(entry.number), muted_text);
        cell(std::to_string(entry.shots));
        char number[32];
        std::snprintf(number, sizeof number, "%.0f", entry.score);
        cell(number);
        std::snprintf(number, sizeof number, "%.3g", entry.reported);
        cell(entry.reported < 0 ? "" : number);
        cell(entry.status != "ok" ? entry.status
             : entry.solved       ? "cleared"
                                  : "not cleared",
             entry.status != "ok" ? bad_text
             : entry.solved       ? good_text
                                  : muted_text);
      }
    ImGui::EndTable();
  }
  ImGui::EndChild();
}

void TrialsScreen::widgets() {
  const Plate plate("trials", {0, 0}, {0, 0}, 1, ImGui::GetIO().DisplaySize);
  draw_filters();
  ImGui::SameLine(0, 18);
  draw_table();
}

std::string TrialsScreen::title() const {
  return "Startle: " + std::to_string(chosen_.size()) + " of " + std::to_string(trials_->entries().size()) +
         " trials";
}

std::vector<HelpLine> TrialsScreen::help() const {
  return {{"click a trial", "watch it"}, {"Enter", "watch the first one"}, {"wheel", "scroll"}};
}

}  // namespace startle
