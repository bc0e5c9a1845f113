#pragma once

#include "shared/state/overlay.h"

#include <optional>
#include <string>

namespace jostle::render {

/// Of "contacts,joints", "all" or "none"; nothing where a word is none of a layer.
std::optional<state::OverlayLayers> parse_layers(const std::string& text);
/// "boxes, contacts, ..."
std::string layer_names();

}  // namespace jostle::render
