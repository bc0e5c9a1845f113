#include "tools/bench/scene_file.h"

#include "shared/geometry/surface.h"

#include <span>
#include <variant>

namespace jostle::bench {
namespace {

/// Each face as a fan of triangles.
workload::Shape convert_hull(const state::ConvexHull& hull) {
  workload::Shape converted;
  converted.kind = workload::ShapeKind::Hull;
  converted.points = hull.vertices;
  for (const state::HullFace& face : hull.faces) {
    const auto corners = std::span(hull.corners).subspan(face.first_corner, face.corner_count);
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
      converted.triangles.push_back({corners[0], corners[i], corners[i + 1]});
  }
  return converted;
}

workload::Shape convert_surface(const state::Shape& surface) {
  workload::Shape converted;
  converted.kind = workload::ShapeKind::Mesh;
  for (std::uint32_t i = 0; i < geometry::triangle_count(*surface.solid); ++i) {
    const auto first = static_cast<std::uint32_t>(converted.points.size());
    const geometry::SurfaceTriangle triangle = geometry::triangle_of(*surface.solid, i);
    converted.points.insert(converted.points.end(), triangle.corners.begin(),
                            triangle.corners.end());
    converted.triangles.push_back({first, first + 1, first + 2});
  }
  return converted;
}

workload::ShapeKind kind_of(state::ShapeKind kind) {
  switch (kind) {
    case state::ShapeKind::Sphere:
      return workload::ShapeKind::Sphere;
    case state::ShapeKind::Box:
      return workload::ShapeKind::Box;
    case state::ShapeKind::Capsule:
      return workload::ShapeKind::Capsule;
    case state::ShapeKind::Cylinder:
      return workload::ShapeKind::Cylinder;
    case state::ShapeKind::Cone:
      return workload::ShapeKind::Cone;
    case state::ShapeKind::Plane:
      return workload::ShapeKind::Plane;
    case state::ShapeKind::Hull:
      return workload::ShapeKind::Hull;
    case state::ShapeKind::Mesh:
    case state::ShapeKind::HeightField:
      break;
  }
  return workload::ShapeKind::Mesh;
}

workload::Shape convert(const state::Shape& shape) {
  const workload::ShapeKind kind = kind_of(shape.kind);
  if (kind == workload::ShapeKind::Hull)
    return convert_hull(std::get<state::ConvexHull>(shape.solid->content));
  if (kind == workload::ShapeKind::Mesh) return convert_surface(shape);
  workload::Shape converted;
  converted.kind = kind;
  converted.radius = shape.radius;
  converted.half_segment = shape.half_segment;
  converted.half_extents = shape.half_extents;
  return converted;
}

}  // namespace

workload::Scene to_workload(const scene::SceneDef& def) {
  workload::Scene scene;
  scene.name = def.name;
  scene.gravity = def.world.gravity;
  scene.may_sleep = def.world.is_sleeping_enabled;
  scene.arena.has_floor = false;
  if (!def.bodies.empty() && !def.bodies.front().shapes.empty()) {
    scene.friction = def.bodies.front().shapes.front().material.friction;
    scene.density = def.bodies.front().shapes.front().density;
  }
  for (const scene::SceneBody& from : def.bodies) {
    workload::Body body;
    body.motion = from.motion == state::MotionType::Dynamic ? workload::Motion::Dynamic
                                                            : workload::Motion::Static;
    body.position = math::to_vec3(from.pose.position);
    body.rotation = from.pose.rotation;
    if (workload::is_dynamic(body)) {
      body.linear_velocity = from.linear_velocity;
      body.angular_velocity = from.angular_velocity;
      body.mass = from.mass;
    }
    for (const scene::SceneShape& shape : from.shapes) {
      body.parts.push_back({static_cast<std::uint32_t>(scene.shapes.size()),
                            {shape.local.offset, shape.local.rotation}});
      scene.shapes.push_back(convert(shape.shape));
    }
    scene.bodies.push_back(std::move(body));
  }
  return scene;
}

}  // namespace jostle::bench
