#include "shared/physics/collision/side_clip.h"

#include <cmath>
#include <utility>

namespace jostle::physics {

using math::Vec3;

namespace {

// While a polygon is being cut, `edge` is the id of the edge that leaves a vertex. Ids below
// `first_cut` are those of the side, the others those of the face.
constexpr std::uint32_t first_cut = 0x100;

struct Cut {
  float u = 0, v = 0, offset = 0;  // outside is u·x + v·y > offset
  std::uint32_t name = 0;

  float outside(const ClipVertex& p) const { return u * p.u + v * p.v - offset; }
};

/// Clips a closed polygon to the inner half-plane of `cut` (Sutherland and Hodgman, 1974).
void cut_polygon(const Patch& polygon, const Cut& cut, Patch& result) {
  result.count = 0;
  ClipVertex p = polygon.vertices[polygon.count - 1];
  float p_out = cut.outside(p);
  for (std::uint32_t i = 0; i < polygon.count; ++i) {
    const ClipVertex& q = polygon.vertices[i];
    const float q_out = cut.outside(q);
    if ((p_out <= 0.0f) != (q_out <= 0.0f) && result.count < Patch::capacity) {
      // If p–q enters the half-plane, the edge that leaves the new vertex is the rest of p–q;
      // otherwise it is the cut.
      const std::uint32_t edge = p_out <= 0.0f ? cut.name : p.edge;
      result.add(vertex_between(p, q, p_out / (p_out - q_out), edge));
    }
    if (q_out <= 0.0f && result.count < Patch::capacity) result.add(q);
    p = q;
    p_out = q_out;
  }
}

/// Clips a segment to the inner half-plane of `cut`. An end outside is replaced by the crossing,
/// with the id of the cut. If both ends are outside, `result` is empty.
void cut_segment(const Patch& segment, const Cut& cut, Patch& result) {
  result.count = 0;
  const ClipVertex &p = segment.vertices[0], &q = segment.vertices[1];
  const float p_out = cut.outside(p), q_out = cut.outside(q);
  if (p_out > 0.0f && q_out > 0.0f) return;
  const ClipVertex crossing = (p_out > 0.0f) != (q_out > 0.0f)
                                  ? vertex_between(p, q, p_out / (p_out - q_out), cut.name)
                                  : p;
  result.add(p_out > 0.0f ? crossing : p);
  result.add(q_out > 0.0f ? crossing : q);
}

std::uint32_t count_inside(const Patch& patch, const Cut& cut) {
  std::uint32_t count = 0;
  for (std::uint32_t k = 0; k < patch.count; ++k)
    count += cut.outside(patch.vertices[k]) <= 0.0f ? 1U : 0U;
  return count;
}

void name_corners(Patch& patch) {
  std::uint32_t before = patch.vertices[patch.count - 1].edge;
  for (std::uint32_t i = 0; i < patch.count; ++i) {
    const std::uint32_t leaving = patch.vertices[i].edge;
    // A corner of the side itself, between two of its edges, has the id of the edge that leaves it.
    const bool is_own = before < first_cut && leaving < first_cut;
    patch.vertices[i].edge = is_own ? leaving : before << 9 | leaving;
    before = leaving;
  }
}

}  // namespace

FaceFrame frame_of(const Side& face) {
  FaceFrame frame;
  frame.normal = face.normal;
  frame.u = perpendicular(face.normal);
  frame.v = cross(frame.normal, frame.u);
  for (std::uint32_t i = 0; i < face.count; ++i)
    frame.origin += face.corners[i];
  frame.origin *= 1.0f / static_cast<float>(face.count);
  // Move the origin exactly into the plane, because the corners of a face are coplanar only to a
  // tolerance.
  frame.origin += face.normal * (face.offset - dot(face.normal, frame.origin));
  return frame;
}

Patch clip_to_face(const Side& side, const Side& face, const FaceFrame& frame, float border) {
  Patch first, second;
  Patch *patch = &first, *scratch = &second;
  for (std::uint32_t i = 0; i < side.count; ++i)
    patch->add(frame.place(side.corners[i], side.names[i]));

  ClipVertex from = frame.place(face.corners[face.count - 1], 0);
  std::uint32_t name = face.names[face.count - 1];
  for (std::uint32_t i = 0; i < face.count && patch->count > 0; ++i) {
    const ClipVertex to = frame.place(face.corners[i], 0);
    Cut cut;
    cut.u = to.v - from.v;
    cut.v = from.u - to.u;
    cut.offset =
        cut.u * from.u + cut.v * from.v + border * std::sqrt(cut.u * cut.u + cut.v * cut.v);
    cut.name = first_cut | name;
    from = to;
    name = face.names[i];
    const std::uint32_t inside = count_inside(*patch, cut);
    if (inside == patch->count) continue;
    if (inside == 0) return {};
    if (patch->count == 2) {
      cut_segment(*patch, cut, *scratch);
    } else {
      cut_polygon(*patch, cut, *scratch);
    }
    std::swap(patch, scratch);
  }
  if (patch->count > 2) name_corners(*patch);
  return *patch;
}

}  // namespace jostle::physics
