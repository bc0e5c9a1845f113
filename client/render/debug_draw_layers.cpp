#include "client/render/debug_draw_layers.h"

#include <algorithm>

namespace jostle::render {

std::optional<state::DebugDrawLayers> parse_layers(const std::string& text) {
  if (text == "all") return state::all_debug_draw_layers;
  if (text == "none") return state::DebugDrawLayers{0};
  state::DebugDrawLayers layers = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto& names = state::debug_draw_layer_names;
    const auto found = std::find(names.begin(), names.end(), text.substr(begin, end - begin));
    if (found == names.end()) return std::nullopt;
    layers |= bit_of(static_cast<state::DebugDrawLayer>(found - names.begin()));
    begin = end + 1;
  }
  return layers;
}

std::string layer_names() {
  std::string text;
  for (const std::string_view name : state::debug_draw_layer_names)
    text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

}  // namespace jostle::render
