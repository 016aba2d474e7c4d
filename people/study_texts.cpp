#include "people/study_texts.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>

#include "core/error.hpp"
#include "core/json_tree.hpp"
#include "core/text.hpp"
#include "people/embedded_texts.hpp"

namespace startle {
namespace {

constexpr const char* reference_language = "en";  // its names and places are those that every file must have

/// The names in braces: "{done} of {count}" has count and done.
std::set<std::string> places_of(const std::string& text) {
  std::set<std::string> places;
  for (std::size_t open = 0; (open = text.find('{', open)) != std::string::npos; ++open) {
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) break;
    places.insert(text.substr(open, close - open + 1));
  }
  return places;
}

std::string shown_places(const std::set<std::string>& places) {
  return places.empty() ? "no places to fill in" : listed({places.begin(), places.end()});
}

/// Letters, digits and '-' between them: enough of BCP 47 to stand in a page's lang attribute.
bool language_tag(const std::string& text) {
  return text.size() >= 2 && text.size() <= 35 && std::isalpha(static_cast<unsigned char>(text.front())) &&
         text.back() != '-' && std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return c < 128 && (std::isalnum(c) || c == '-');
         });
}

struct ReadTexts {
  std::string language;
  std::map<std::string, std::string> texts;
};

/// `reference`: the texts there must be; null for those that say so themselves. `may_lack`: some may be
/// missing.
ReadTexts read_texts(std::string_view json, const std::string& source_name,
                     const std::map<std::string, std::string>* reference, bool may_lack = false) {
  const JsonNode node = parse_json(json, source_name);
  const JsonView root(node, source_name);
  root.expect_keys({"format", "version", "language", "texts"});
  root.at("format").string_of({"startle-study-texts"});
  if (root.at("version").natural() != 1) root.at("version").fail("1");
  ReadTexts read{.language = root.at("language").string(), .texts = {}};
  if (!language_tag(read.language)) root.at("language").fail("a tag such as en, de or pt-BR");
  std::map<std::string, JsonView> groups;
  for (const auto& [group, texts] : root.at("texts").members()) {
    groups.emplace(group, texts);
    for (const auto& [key, value] : texts.members()) {
      const std::string name = group + "." + key;
      const std::string& text = value.string();
      if (text.find_first_not_of(" \n\t") == std::string::npos) value.fail("a text");
      if (reference) {
        const auto expected = reference->find(name);
        if (expected == reference->end()) value.complain("text " + shown(name) + " is unknown");
        if (places_of(text) != places_of(expected->second))
          value.complain("found " + shown_places(places_of(text)) + ", allowed are " +
                         shown_places(places_of(expected->second)));
      }
      read.texts.emplace(name, text);
    }
  }
  if (!reference || may_lack) return read;
  for (const auto& [name, text] : *reference) {
    if (read.texts.contains(name)) continue;
    const auto group = groups.find(name.substr(0, name.find('.')));
    (group == groups.end() ? root.at("texts") : group->second)
        .complain("text " + shown(name) + " is missing; in English: " + shown(text));
  }
  return read;
}

const std::map<std::string, std::string>& reference_texts() {
  static const std::map<std::string, std::string> texts =
      read_texts(embedded_study_texts().at(reference_language), "people/texts/en.json", nullptr).texts;
  return texts;
}

}  // namespace

StudyTexts StudyTexts::parse(std::string_view json, const std::string& source_name) {
  ReadTexts read = read_texts(json, source_name, &reference_texts());
  StudyTexts texts;
  texts.language_ = std::move(read.language);
  texts.json_ = json;
  texts.texts_ = std::move(read.texts);
  return texts;
}

StudyTexts StudyTexts::stored(std::string_view json, const std::string& source_name) {
  ReadTexts read = read_texts(json, source_name, &reference_texts(), true);
  const auto& languages = embedded_study_texts();
  StudyTexts texts = shipped(languages.contains(read.language) ? read.language : reference_language);
  read.texts.merge(texts.texts_);
  texts.language_ = std::move(read.language);
  texts.json_ = json;
  texts.texts_ = std::move(read.texts);
  return texts;
}

StudyTexts StudyTexts::shipped(const std::string& language) {
  const auto found = embedded_study_texts().find(language);
  if (found == embedded_study_texts().end())
    throw Error("--language: found " + shown(language) + ", allowed are " + listed(languages()) +
                "; --texts takes a file in any other");
  return parse(found->second, "people/texts/" + language + ".json");
}

std::vector<std::string> StudyTexts::languages() {
  std::vector<std::string> tags;
  for (const auto& [language, json] : embedded_study_texts()) tags.push_back(language);
  return tags;
}

std::string StudyTexts::operator()(const std::string& name,
                                   const std::vector<std::pair<std::string, std::string>>& places) const {
  const auto found = texts_.find(name);
  if (found == texts_.end()) throw std::logic_error("study texts: no text is called " + name);
  std::string text;
  const std::string& from = found->second;
  for (std::size_t at = 0; at < from.size();) {
    const auto place = std::find_if(places.begin(), places.end(), [&](const auto& p) {
      return from.compare(at, p.first.size() + 2, "{" + p.first + "}") == 0;
    });
    if (place == places.end()) {
      text += from[at++];
    } else {
      text += place->second;
      at += place->first.size() + 2;
    }
  }
  return text;
}

}  // namespace startle
