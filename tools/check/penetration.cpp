#include "tools/check/penetration.h"

#include "shared/base/assert.h"
#include "tools/check/depth.h"
#include "tools/check/triangle_grid.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace jostle::check {
namespace {

using workload::ShapeKind;

/// A part of a body, in world coordinates.
struct Solid {
  std::uint32_t body = 0;
  bool is_static = false;  // true for kinematic bodies too: contacts move neither
  workload::Filter filter;
  ShapeKind kind = ShapeKind::Sphere;
  Frame frame;
  Bounds bounds;
  Convex convex;                     // set unless the kind is a mesh or a plane
  std::optional<TriangleGrid> mesh;  // set only for meshes
};

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Bounds everywhere{{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};

std::vector<Solid> make_solids(const workload::Scene& scene,
                               std::span<const workload::BodyState> states) {
  std::vector<Solid> solids;
  for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
    if (!workload::is_finite(states[i])) continue;
    const Frame body_frame = make_frame(states[i].position, states[i].rotation);
    for (const workload::Part& part : scene.bodies[i].parts) {
      const workload::Shape& shape = scene.shapes[part.shape];
      Solid solid;
      solid.body = i;
      solid.is_static = !workload::is_dynamic(scene.bodies[i]);
      solid.filter = workload::filter_of(scene.bodies[i], part);
      solid.kind = shape.kind;
      solid.frame = body_frame * make_frame(part.local.offset, part.local.rotation);
      solid.bounds = everywhere;
      if (shape.kind == ShapeKind::Mesh) {
        solid.mesh.emplace(shape, solid.frame);
      } else if (shape.kind != ShapeKind::Plane) {
        solid.convex = make_convex(shape, solid.frame);
        solid.bounds = bounds_of(solid.convex);
      }
      solids.push_back(std::move(solid));
    }
  }
  return solids;
}

/// Returns the pairs of bodies that a joint excludes from collision.
std::set<std::pair<std::uint32_t, std::uint32_t>> find_jointed(const workload::Scene& scene) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> jointed;
  for (const workload::Joint& joint : scene.joints) {
    if (!joint.do_bodies_collide) jointed.insert(std::minmax(joint.body_a, joint.body_b));
  }
  return jointed;
}

double plane_depth(const Solid& plane, const Convex& convex) {
  const Vector normal = plane.frame.y;
  return convex.radius - dot(normal, support(convex, -normal) - plane.frame.origin);
}

double mesh_depth(const TriangleGrid& mesh, const Solid& solid) {
  double deepest = 0;
  mesh.for_each_near(solid.bounds, [&](const std::array<Vector, 3>& corners) {
    const Convex triangle = make_triangle(corners[0], corners[1], corners[2]);
    if (!overlap(bounds_of(triangle), solid.bounds)) return;
    deepest = std::max(deepest, overlap_depth(triangle, solid.convex));
  });
  return deepest;
}

bool is_surface(const Solid& solid) {
  return solid.kind == ShapeKind::Mesh || solid.kind == ShapeKind::Plane;
}

double pair_depth(const Solid& a, const Solid& b) {
  if (is_surface(a) && is_surface(b)) return 0;
  if (is_surface(b)) return pair_depth(b, a);
  if (a.kind == ShapeKind::Plane) return plane_depth(a, b.convex);
  if (a.mesh) return mesh_depth(*a.mesh, b);
  return overlap_depth(a.convex, b.convex);
}

bool may_touch(const workload::Filter& a, const workload::Filter& b) {
  if (a.group != 0 && a.group == b.group) return a.group > 0;
  return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

}  // namespace

Penetrations measure_penetrations(const workload::Scene& scene,
                                  std::span<const workload::BodyState> states) {
  JOSTLE_ASSERT(states.size() == scene.bodies.size());
  std::vector<Solid> solids = make_solids(scene, states);
  std::sort(solids.begin(), solids.end(), [](const Solid& a, const Solid& b) {
    return std::pair(a.bounds.low.x, a.body) < std::pair(b.bounds.low.x, b.body);
  });
  const auto jointed = find_jointed(scene);

  // Sweep along x: `open` holds the parts that may still overlap the next one.
  Penetrations result;
  std::vector<double> depths;
  std::vector<const Solid*> open;
  for (const Solid& next : solids) {
    std::erase_if(open, [&](const Solid* s) { return s->bounds.high.x < next.bounds.low.x; });
    for (const Solid* other : open) {
      if (other->body == next.body || (other->is_static && next.is_static)) continue;
      if (!overlap(other->bounds, next.bounds)) continue;
      if (!may_touch(other->filter, next.filter)) continue;
      const std::pair<std::uint32_t, std::uint32_t> pair = std::minmax(other->body, next.body);
      if (jointed.contains(pair)) continue;
      const double depth = pair_depth(*other, next);
      if (!(depth > 0)) continue;
      depths.push_back(depth);
      if (depth > result.deepest) {
        result.deepest = depth;
        std::tie(result.body_a, result.body_b) = pair;
      }
    }
    open.push_back(&next);
  }
  if (depths.empty()) return result;
  std::sort(depths.begin(), depths.end());
  result.pairs = depths.size();
  result.p99 = depths[(depths.size() - 1) * 99 / 100];
  result.median = depths[(depths.size() - 1) / 2];
  return result;
}

}  // namespace jostle::check
