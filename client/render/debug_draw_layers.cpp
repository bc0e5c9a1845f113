#include "client/render/debug_draw_layers.h"

#include "shared/base/printable.h"
#include "shared/base/result.h"
#include "shared/base/suggestion.h"

#include <algorithm>

namespace jostle::render {
namespace {

/// Parses a list of layers. The error is the first word that is not a layer.
base::Result<state::DebugDrawLayers, std::string> parse(const std::string& text) {
  if (text == "all") return state::all_debug_draw_layers;
  if (text == "none") return state::DebugDrawLayers{0};
  state::DebugDrawLayers layers = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const auto& names = state::debug_draw_layer_names;
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end()) return word;
    layers |= bit_of(static_cast<state::DebugDrawLayer>(found - names.begin()));
    begin = end + 1;
  }
  return layers;
}

}  // namespace

std::optional<state::DebugDrawLayers> parse_layers(const std::string& text) {
  const auto layers = parse(text);
  return layers ? std::optional(*layers) : std::nullopt;
}

std::string layers_fault(const std::string& text) {
  const auto layers = parse(text);
  if (layers) return {};
  const std::string word = "'" + base::printable(layers.error()) + "'";
  if (word == "'all'" || word == "'none'") return word + " cannot be combined with other layers";
  const auto& names = state::debug_draw_layer_names;
  return word + " is not a layer: expected a list of " + layer_names() + ", or all or none" +
         base::suggestion(layers.error(), {names.begin(), names.end()});
}

std::string layer_names() {
  std::string text;
  for (const std::string_view name : state::debug_draw_layer_names)
    text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

}  // namespace jostle::render
