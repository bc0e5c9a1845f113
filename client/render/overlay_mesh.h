#pragma once

#include "client/render/camera.h"
#include "shared/state/overlay.h"

#include <cstdint>
#include <vector>

namespace jostle::render {

/// A corner of a triangle; every three are one.
struct OverlayVertex {
  math::Vec3 offset;  // from the eye, m
  std::uint8_t red = 255, green = 255, blue = 255, alpha = 255;
};
static_assert(sizeof(OverlayVertex) == 16, "the attribute layout in renderer.cpp");

state::Colour colour_of(state::OverlayKind kind);

/// Lines as strips that face the eye, as wide wherever they are, points as squares. What is behind
/// the eye is left out.
void build_overlay_mesh(const state::Overlay& overlay, const View& view, Size size,
                        std::vector<OverlayVertex>& vertices);

}  // namespace jostle::render
