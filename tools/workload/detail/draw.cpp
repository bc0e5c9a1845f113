#include "tools/workload/detail/draw.h"

#include "shared/math/trig.h"
#include "tools/workload/hull.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace jostle::workload {

using math::Vec3;

std::uint32_t pick(Random& random, std::uint32_t count) {
  return (random.bits() >> 16) % count;
}

int draw_count(Random& random, int low, int high) {
  return low + static_cast<int>(pick(random, static_cast<std::uint32_t>(high - low + 1)));
}

float by_octaves(Random& random, float low, std::uint32_t octaves, float high) {
  const std::uint32_t octave = pick(random, octaves);
  const float fraction = random.between(1, 2);
  return std::min(low * static_cast<float>(1U << octave) * fraction, high);
}

Vec3 unit_vector(Random& random) {
  for (;;) {
    const Vec3 v = random.vector();
    const float size = length(v);
    if (size > 0.1f && size <= 1) return v * (1 / size);
  }
}

math::Quat draw_yaw(Random& random) {
  return math::from_axis_angle({0, 1, 0}, random.between(0, 2 * math::pi));
}

Shape random_hull(Random& random, Vec3 half) {
  const std::uint32_t count = 8 + pick(random, 17);
  std::vector<Vec3> points;
  while (points.size() < count) {
    const Vec3 point = unit_vector(random);
    const bool is_apart = std::none_of(points.begin(), points.end(), [&](const Vec3& other) {
      return length(point - other) < 0.12f;
    });
    if (is_apart) points.push_back(point);
  }
  for (Vec3& point : points)
    point = multiply_elements(point, half);
  return make_centred_hull(std::move(points));
}

Shape draw_chunk(Random& random, float size) {
  Vec3 half;
  half.x = 0.5f * size * random.between(0.6f, 1);
  half.y = 0.5f * size * random.between(0.6f, 1);
  half.z = 0.5f * size * random.between(0.6f, 1);
  Shape shape;
  shape.kind = static_cast<ShapeKind>(pick(random, 6));
  switch (shape.kind) {
    case ShapeKind::Box:
      shape.half_extents = half;
      break;
    case ShapeKind::Hull:
      return random_hull(random, half);
    case ShapeKind::Capsule:
      shape.radius = 0.6f * half.x;
      shape.half_segment = half.y - 0.5f * half.x;
      break;
    case ShapeKind::Cylinder:
    case ShapeKind::Cone:
      shape.radius = half.x;
      shape.half_segment = half.y;
      break;
    default:
      shape.radius = half.x;
      break;
  }
  return shape;
}

}  // namespace jostle::workload
