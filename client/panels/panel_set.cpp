#include "client/panels/panel_set.h"

#include <algorithm>
#include <vector>

namespace jostle::panels {

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::optional<Panel> find_panel(const std::string& word) {
  const auto found = std::find(panel_names.begin(), panel_names.end(), word);
  if (found == panel_names.end()) return std::nullopt;
  return static_cast<Panel>(found - panel_names.begin());
}

}  // namespace

std::optional<PanelSet> parse_panels(const std::string& text) {
  if (text == "all") return all_panels;
  if (text == "none") return PanelSet{0};
  PanelSet panels = 0;
  for (const std::string& word : words_of(text)) {
    const auto panel = find_panel(word);
    if (!panel) return std::nullopt;
    panels |= bit_of(*panel);
  }
  return panels;
}

std::string wrong_panel_of(const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  const auto wrong =
      std::find_if(words.begin(), words.end(), [](const auto& word) { return !find_panel(word); });
  return wrong == words.end() ? std::string() : *wrong;
}

std::string names_of(PanelSet panels) {
  std::string text;
  for (std::size_t i = 0; i < panel_count; ++i)
    if (has(panels, static_cast<Panel>(i)))
      text += (text.empty() ? "" : ", ") + std::string(panel_names[i]);
  return text;
}

}  // namespace jostle::panels
