#include "shared/physics/collision/collide.h"

namespace jostle::physics {

using math::Vec3;

/// Collides the four corners of the face that faces the plane most; the deepest corner of the box
/// is among them. A corner's feature id encodes its three signs, so it is the same on any face.
Collision collide_box_plane(const PlacedShape& a, const PlacedShape& b, Vec3 offset, float margin) {
  Collision result;
  const Vec3 up = b.axes.cy;
  const Vec3 h = a.shape.half_extents;
  const Vec3 up_local = transpose_multiply(a.axes, up);
  const float deepest = -dot(offset, up) - dot(abs_of(up_local), h);
  if (deepest > margin) return result;

  const Vec3 size = abs_of(up_local);
  const int face = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const int low_bit = up_local[face] > 0.0f ? 0 : 1;
  result.normal = -up;
  for (std::uint32_t corner = 0; corner < 8; ++corner) {
    if (static_cast<int>((corner >> face) & 1U) != low_bit) continue;
    const Vec3 local{(corner & 1U) != 0 ? h.x : -h.x, (corner & 2U) != 0 ? h.y : -h.y,
                     (corner & 4U) != 0 ? h.z : -h.z};
    const Vec3 position = a.axes * local;
    const float separation = dot(position - offset, up);
    if (separation > margin) continue;
    result.add({position - up * (0.5f * separation), separation, corner});
  }
  return result;
}

}  // namespace jostle::physics
