#pragma once

#include "shared/physics/collision/clip.h"
#include "shared/physics/collision/convex.h"

#include <array>
#include <cstdint>

namespace jostle::physics {

/// A face with a coordinate frame in its plane: u × v = normal.
struct FaceFrame {
  math::Vec3 origin, u, v, normal;

  ClipVertex place(math::Vec3 point, std::uint32_t edge) const {
    const math::Vec3 d = point - origin;
    return {dot(d, u), dot(d, v), dot(d, normal), edge};
  }
  math::Vec3 point(const ClipVertex& vertex) const { return origin + u * vertex.u + v * vertex.v; }
};
FaceFrame frame_of(const Side& face);

/// The part of a side that lies over a face: vertices with their heights above the face's plane. A
/// corner of the side keeps its id. A vertex made by clipping gets an id from the two edges that
/// meet there, or, if the side is a segment, from the edge that cuts it. Ids are unique within a
/// patch.
struct Patch {
  static constexpr std::uint32_t capacity = 2 * max_side_corners;
  std::uint32_t count = 0;
  std::array<ClipVertex, capacity> vertices;  // `edge` is the vertex's id

  void add(const ClipVertex& vertex) { vertices[count++] = vertex; }
};

/// Returns the part of `side` in the prism over `face`, or an empty patch if no part of the side
/// lies in it. Both are given in the same frame; `frame` is frame_of(face). The prism is wider than
/// the face by `border` on each side, m.
Patch clip_to_face(const Side& side, const Side& face, const FaceFrame& frame, float border);

}  // namespace jostle::physics
