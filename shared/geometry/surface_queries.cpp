#include "shared/geometry/detail/surface_queries.h"

#include "shared/geometry/detail/field_grid.h"
#include "shared/geometry/detail/surface_index.h"
#include "shared/geometry/detail/triangle.h"
#include "shared/geometry/surface.h"

#include <algorithm>
#include <array>

namespace jostle::geometry::detail {

using math::Vec3;
using math::Vec3d;
using state::HeightField;
using state::TriangleMesh;

namespace {

/// Margin of box tests, as a share of the numbers involved, so that rounding does not lose a hit.
constexpr double box_slack = 1e-6;

struct Ray {
  Vec3d origin, translation;
};

struct Hit {
  double fraction = 2.0;
  std::uint32_t triangle = 0xFFFFFFFFU;
  Vec3d normal;
};

/// Calls visit(triangle) for the triangles of all leaves that pass the test, as in visit_leaves.
template <typename Test, typename Visit>
void visit_triangles(const state::SurfaceIndex& index, Test&& test, Visit&& visit) {
  visit_leaves(
      index.tree, test,
      [&](std::uint32_t slot, std::uint32_t count) {
        for (std::uint32_t lane = 0; lane < count; ++lane)
          visit(triangle_in(index.blocks[slot / max_leaf_triangles], lane));
      },
      [](const TreeNode&) {});
}

/// Narrows [enter, leave] to the part of the ray between two planes perpendicular to an axis, at
/// the coordinates `low` and `high`. Sets leave < enter if there is none.
void cut(double origin, double step, double low, double high, double& enter, double& leave) {
  const double slack = box_slack * (std::abs(origin) + std::abs(step) + high - low);
  low -= slack;
  high += slack;
  if (step == 0.0) {
    if (origin < low || origin > high) leave = -1.0;
    return;
  }
  double near = (low - origin) / step, far = (high - origin) / step;
  if (near > far) std::swap(near, far);
  enter = std::max(enter, near);
  leave = std::min(leave, far);
}

/// Intersects a ray with a triangle, and replaces `best` by the hit if it is earlier. The signed
/// volumes of the tetrahedra over a shared edge are exact negatives of each other for its two
/// triangles, so no ray slips through between them (Woop, Benthin, Wald, "Watertight Ray/Triangle
/// Intersection", 2013).
void cast_triangle(const SurfaceTriangle& triangle, const Ray& ray, Hit& best) {
  const Vec3d a = widened(triangle.corners[0]) - ray.origin;
  const Vec3d b = widened(triangle.corners[1]) - ray.origin;
  const Vec3d c = widened(triangle.corners[2]) - ray.origin;
  const Vec3d normal = cross(b - a, c - a), d = ray.translation;
  const double speed = dot(normal, d), height = dot(normal, a);
  // Accepts only rays from outside: against the normal, starting above the plane.
  if (speed >= 0.0 || height > 0.0) return;
  if (dot(d, cross(a, b)) > 0.0 || dot(d, cross(b, c)) > 0.0 || dot(d, cross(c, a)) > 0.0) return;
  const double fraction = height / speed;
  if (fraction > 1.0 || fraction > best.fraction) return;
  if (fraction == best.fraction && triangle.index > best.triangle) return;
  best = {fraction, triangle.index, normal};
}

void cast_at_mesh(const state::Shape& surface, const Ray& ray, Hit& best) {
  const auto crossing = [&](const auto& lower, const auto& upper) {
    std::uint32_t hits = 0;
    for (std::uint32_t k = 0; k < tree_width; ++k) {
      double enter = 0.0, leave = std::min(best.fraction * (1.0 + box_slack), 1.0);
      if (lower[0][k] > upper[0][k]) continue;  // an unused lane
      for (std::size_t axis = 0; axis < 3; ++axis) {
        cut(component(ray.origin, axis), component(ray.translation, axis),
            static_cast<double>(lower[axis][k]), static_cast<double>(upper[axis][k]), enter, leave);
      }
      if (enter <= leave) hits |= 1U << k;
    }
    return hits;
  };
  visit_triangles(*surface.solid->index, crossing,
                  [&](const SurfaceTriangle& triangle) { cast_triangle(triangle, ray, best); });
}

/// Walks the field one column of cells at a time, testing only the cells that the ray passes over.
void cast_at_field(const HeightField& field, const state::SurfaceIndex& index, const Ray& ray,
                   Hit& best) {
  const Vec3d o = ray.origin, d = ray.translation;
  double enter = 0.0, leave = 1.0;
  const Vec3d lower = widened(index.lower), upper = widened(index.upper);
  cut(o.x, d.x, lower.x, upper.x, enter, leave);
  cut(o.y, d.y, lower.y, upper.y, enter, leave);
  cut(o.z, d.z, lower.z, upper.z, enter, leave);
  if (enter > leave) return;
  const auto range = [](double p, double q, float cell, std::uint32_t count) {
    return cells_between(static_cast<float>(std::min(p, q)), static_cast<float>(std::max(p, q)),
                         cell, count - 1);
  };
  const CellRange columns =
      range(o.x + d.x * enter, o.x + d.x * leave, field.cell_x, field.count_x);
  for (std::uint32_t i = columns.first; i <= columns.last; ++i) {
    double from = enter, to = leave;
    const double low = static_cast<double>(field_point(field, i, 0).x);
    cut(o.x, d.x, low, low + static_cast<double>(field.cell_x), from, to);
    if (from > to || from > best.fraction) continue;
    const CellRange cells = range(o.z + d.z * from, o.z + d.z * to, field.cell_z, field.count_z);
    for (std::uint32_t j = cells.first; j <= cells.last; ++j) {
      const std::uint32_t first = field_triangle_index(field, i, j, 0);
      cast_triangle(field_triangle(field, first), ray, best);
      cast_triangle(field_triangle(field, first + 1), ray, best);
    }
  }
}

Vec3d closest_on(const SurfaceTriangle& triangle, Vec3d p) {
  return closest_on_triangle(
      std::array<Vec3d, 3>{widened(triangle.corners[0]), widened(triangle.corners[1]),
                           widened(triangle.corners[2])},
      p);
}

struct Nearest {
  double squared = -1.0;
  std::uint32_t triangle = 0xFFFFFFFFU;
  Vec3d point, normal;

  void test(const SurfaceTriangle& candidate, Vec3d p) {
    const Vec3d at = closest_on(candidate, p);
    const double distance = dot(p - at, p - at);
    if (squared >= 0.0 && distance > squared) return;
    if (distance == squared && candidate.index > triangle) return;
    const Vec3d a = widened(candidate.corners[0]);
    *this = {distance, candidate.index, at,
             cross(widened(candidate.corners[1]) - a, widened(candidate.corners[2]) - a)};
  }
};

void find_nearest_on_mesh(const state::Shape& surface, Vec3d p, Nearest& nearest) {
  const auto in_reach = [&](const auto& lower, const auto& upper) {
    std::uint32_t hits = 0;
    for (std::uint32_t k = 0; k < tree_width; ++k) {
      if (lower[0][k] > upper[0][k]) continue;  // an unused lane
      double squared = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double x = component(p, axis);
        const double below = static_cast<double>(lower[axis][k]) - x;
        const double above = x - static_cast<double>(upper[axis][k]);
        const double gap = std::max({below, above, 0.0});
        squared += gap * gap;
      }
      if (nearest.squared < 0.0 || squared <= nearest.squared * (1.0 + box_slack)) hits |= 1U << k;
    }
    return hits;
  };
  visit_triangles(*surface.solid->index, in_reach,
                  [&](const SurfaceTriangle& triangle) { nearest.test(triangle, p); });
}

/// Tests the triangles in the box around the point that just contains the nearest sample. No
/// triangle outside this box can be nearer than that sample.
void find_nearest_on_field(const state::Shape& surface, Vec3 point, Nearest& nearest) {
  const auto& field = std::get<HeightField>(surface.solid->content);
  const auto sample = [](float x, float cell, std::uint32_t count) {
    const float last = static_cast<float>(count - 1);
    return static_cast<std::uint32_t>(math::clamp(x / cell + 0.5f, 0.0f, last));
  };
  const Vec3 beside = field_point(field, sample(point.x, field.cell_x, field.count_x),
                                  sample(point.z, field.cell_z, field.count_z));
  constexpr float room = 1.001f;
  const float reach = length(point - beside) * room + static_cast<float>(box_slack);
  std::vector<SurfaceTriangle> found;
  const Vec3 half{reach, reach, reach};
  find_triangles(surface, point - half, point + half, found);
  for (const SurfaceTriangle& triangle : found)
    nearest.test(triangle, widened(point));
}

}  // namespace

std::optional<ShapeRayHit> cast_surface(const state::Shape& surface, Vec3d origin,
                                        Vec3d translation) {
  const Ray ray{origin, translation};
  Hit best;
  if (surface.kind == state::ShapeKind::Mesh) {
    cast_at_mesh(surface, ray, best);
  } else {
    cast_at_field(std::get<HeightField>(surface.solid->content), *surface.solid->index, ray, best);
  }
  if (best.fraction > 1.0) return std::nullopt;
  const Vec3 normal = narrowed(best.normal * (1.0 / length(best.normal)));
  return ShapeRayHit{static_cast<float>(best.fraction), normal};
}

SurfacePoint closest_on_surface(const state::Shape& surface, Vec3 point) {
  Nearest nearest;
  if (surface.kind == state::ShapeKind::Mesh) {
    find_nearest_on_mesh(surface, widened(point), nearest);
  } else {
    find_nearest_on_field(surface, point, nearest);
  }
  const double distance = std::sqrt(nearest.squared);
  const Vec3d offset = widened(point) - nearest.point;
  const Vec3d normal = distance > 0.0 ? offset : nearest.normal;
  return {narrowed(nearest.point), narrowed(normal * (1.0 / length(normal))),
          static_cast<float>(distance)};
}

bool is_surface_within(const state::Shape& surface, Vec3 point, float radius) {
  std::vector<SurfaceTriangle> found;
  const Vec3 half{radius, radius, radius};
  find_triangles(surface, point - half, point + half, found);
  const double r = static_cast<double>(radius);
  return std::any_of(found.begin(), found.end(), [&](const SurfaceTriangle& triangle) {
    const Vec3d offset = widened(point) - closest_on(triangle, widened(point));
    return dot(offset, offset) <= r * r;
  });
}

}  // namespace jostle::geometry::detail
