#include "tools/bench/scene_file.h"

namespace jostle::bench {
namespace {

workload::ShapeKind kind_of(state::ShapeKind kind) {
  switch (kind) {
    case state::ShapeKind::Sphere:
      return workload::ShapeKind::Sphere;
    case state::ShapeKind::Box:
      return workload::ShapeKind::Box;
    case state::ShapeKind::Capsule:
      return workload::ShapeKind::Capsule;
    case state::ShapeKind::Plane:
      return workload::ShapeKind::Plane;
  }
  return workload::ShapeKind::Sphere;
}

workload::Shape convert(const state::Shape& shape) {
  workload::Shape converted;
  converted.kind = kind_of(shape.kind);
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
