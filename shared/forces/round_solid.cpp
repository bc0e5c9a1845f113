#include "shared/forces/detail/round_solid.h"

#include <array>
#include <cmath>
#include <numbers>

namespace jostle::forces::detail {
namespace {

using math::Vec3d;

/// Cosines of 0, 22.5, 45, 67.5 and 90°.
constexpr std::array<double, 5> cosines{1, 0.92387953251128675613, 0.70710678118654752440,
                                        0.38268343236508977173, 0};
double cosine(int sixteenths) {
  const int i = sixteenths % 16, folded = i <= 8 ? i : 16 - i;
  return folded <= 4 ? cosines[static_cast<std::size_t>(folded)]
                     : -cosines[static_cast<std::size_t>(8 - folded)];
}
double sine(int sixteenths) {
  return cosine(sixteenths + 12);  // cos(x − 90°)
}

struct Ring {
  double y = 0, radius = 0;  // m
};

/// Returns the rings from the lowest to the highest.
std::vector<Ring> rings_of(const state::Shape& shape) {
  const double r = static_cast<double>(shape.radius), h = static_cast<double>(shape.half_segment);
  if (shape.kind == state::ShapeKind::Cylinder) return {{-h, r}, {h, r}};
  if (shape.kind == state::ShapeKind::Cone) return {{-h, r}, {h, 0}};
  std::vector<Ring> rings;
  for (int i = -4; i <= 4; ++i) {
    const double width = r * cosine(i < 0 ? -i : i), height = r * sine(i + 16);
    if (i <= 0) rings.push_back({height - h, width});
    if (i >= 0 && (i > 0 || h > 0)) rings.push_back({height + h, width});
  }
  return rings;
}

/// Returns the volume between the rings, in units of (area of a ring) / (its radius squared).
double volume_by_area(const std::vector<Ring>& rings) {
  double sum = 0;
  for (std::size_t i = 1; i < rings.size(); ++i) {
    const double a = rings[i - 1].radius, b = rings[i].radius;
    sum += (rings[i].y - rings[i - 1].y) * (a * a + a * b + b * b) * (1.0 / 3);
  }
  return sum;
}

double true_volume(const state::Shape& shape) {
  const double r = static_cast<double>(shape.radius), h = static_cast<double>(shape.half_segment);
  const double section = std::numbers::pi * r * r;
  if (shape.kind == state::ShapeKind::Cylinder) return section * 2 * h;
  if (shape.kind == state::ShapeKind::Cone) return section * 2 * h * (1.0 / 3);
  return section * (2 * h + r * (4.0 / 3));
}

void add_side(const Ring& low, const Ring& high, Polyhedron& solid) {
  const auto add = [&](const Ring& ring, int i) {
    solid.points.push_back({ring.radius * cosine(i), ring.y, ring.radius * sine(i)});
  };
  for (int i = 0; i < ring_corners; ++i) {
    add(low, i);
    if (high.radius > 0) add(high, i);
    add(high, i + 1);
    if (low.radius > 0) add(low, i + 1);
    solid.end_loop();
  }
}

}  // namespace

Polyhedron round_solid(const state::Shape& shape) {
  std::vector<Ring> rings = rings_of(shape);
  // Area of a regular polygon with n corners on the unit circle: n/2·sin(360°/n).
  const double area = 0.5 * ring_corners * sine(1);
  const double wider = std::sqrt(true_volume(shape) / (area * volume_by_area(rings)));
  for (Ring& ring : rings)
    ring.radius *= wider;
  Polyhedron solid;
  for (std::size_t i = 1; i < rings.size(); ++i)
    add_side(rings[i - 1], rings[i], solid);
  const auto add_end = [&](const Ring& ring, bool is_low) {
    if (!(ring.radius > 0)) return;
    for (int i = 0; i < ring_corners; ++i) {
      const int corner = is_low ? i : ring_corners - i;
      solid.points.push_back({ring.radius * cosine(corner), ring.y, ring.radius * sine(corner)});
    }
    solid.end_loop();
  };
  add_end(rings.front(), true);
  add_end(rings.back(), false);
  return solid;
}

}  // namespace jostle::forces::detail
