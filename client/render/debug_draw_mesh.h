#pragma once

#include "client/render/camera.h"
#include "shared/state/debug_draw_frame.h"

#include <cstdint>
#include <vector>

namespace jostle::render {

/// Vertex of a triangle list.
struct DebugDrawVertex {
  math::Vec3 offset;  // relative to the eye, m
  std::uint8_t red = 255, green = 255, blue = 255, alpha = 255;
};
static_assert(sizeof(DebugDrawVertex) == 16, "the attribute layout in renderer.cpp");

state::Colour colour_of(state::DebugDrawKind kind);

/// Builds triangles for a debug draw frame in a picture with size `size`. Lines and the edges of
/// boxes become strips that face the eye with a constant width on the screen; points become
/// squares. Everything nearer than the near plane is clipped.
void build_debug_draw_mesh(const state::DebugDrawFrame& debug_draw, const View& view, Size size,
                           std::vector<DebugDrawVertex>& vertices);

}  // namespace jostle::render
