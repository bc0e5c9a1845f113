#pragma once

#include "shared/state/debug_draw_frame.h"

#include <optional>
#include <string>

namespace jostle::render {

/// Parses a list of layers such as "contacts,joints", or "all" or "none". Returns nothing if a word
/// is not the name of a layer.
std::optional<state::DebugDrawLayers> parse_layers(const std::string& text);
/// Returns an error message for a text that parse_layers() rejects, or an empty string.
std::string layers_fault(const std::string& text);
/// Returns the names of all layers: "aabbs, contacts, ...".
std::string layer_names();

}  // namespace jostle::render
