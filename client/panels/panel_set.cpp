#include "client/panels/panel_set.h"

#include <algorithm>

namespace jostle::panels {

base::Result<PanelSet, std::string> parse_panels(const std::string& text) {
  if (text == "all") return all_panels;
  if (text == "none") return PanelSet{0};
  PanelSet panels = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const auto found = std::find(panel_names.begin(), panel_names.end(), word);
    if (found == panel_names.end()) return word;
    panels |= bit_of(static_cast<Panel>(found - panel_names.begin()));
    begin = end + 1;
  }
  return panels;
}

std::string names_of(PanelSet panels) {
  std::string text;
  for (std::size_t i = 0; i < panel_count; ++i)
    if (has(panels, static_cast<Panel>(i)))
      text += (text.empty() ? "" : ", ") + std::string(panel_names[i]);
  return text;
}

}  // namespace jostle::panels
