#include "tools/bench/scene_file.h"

#include "shared/base/assert.h"
#include "shared/geometry/surface.h"
#include "shared/sim/instantiate.h"
#include "shared/sim/particles.h"
#include "shared/state/tick.h"

#include <algorithm>
#include <span>
#include <variant>

namespace jostle::bench {
namespace {

/// Converts a convex hull. Each face becomes a fan of triangles.
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

workload::Motion motion_of(state::MotionType motion) {
  switch (motion) {
    case state::MotionType::Static:
      return workload::Motion::Static;
    case state::MotionType::Kinematic:
      return workload::Motion::Kinematic;
    case state::MotionType::Dynamic:
      break;
  }
  return workload::Motion::Dynamic;
}

void add_part(const scene::SceneShape& shape, workload::Scene& scene, workload::Body& body) {
  workload::Part part;
  part.shape = static_cast<std::uint32_t>(scene.shapes.size());
  part.local = {shape.local.offset, shape.local.rotation};
  part.surface = workload::Surface{shape.material.friction, shape.material.restitution,
                                   shape.material.rolling_resistance,
                                   shape.material.spinning_resistance, shape.density};
  part.filter = {shape.filter.category, shape.filter.mask, shape.filter.group};
  body.parts.push_back(part);
  scene.shapes.push_back(convert(shape.shape));
}

void add_body(const scene::SceneBody& from, workload::Scene& scene) {
  workload::Body body;
  body.motion = motion_of(from.motion);
  body.position = math::to_vec3(from.pose.position);
  body.rotation = from.pose.rotation;
  body.linear_velocity = from.linear_velocity;
  body.angular_velocity = from.angular_velocity;
  body.mass = from.mass;
  body.linear_damping = from.linear_damping;
  body.angular_damping = from.angular_damping;
  body.gravity_scale = from.gravity_scale;
  body.is_sleep_allowed = from.is_sleep_allowed;
  body.is_awake = from.is_awake;
  body.is_rotation_locked = (from.locks & state::lock_rotation) == state::lock_rotation;
  for (const scene::SceneShape& shape : from.shapes)
    add_part(shape, scene, body);
  if (from.kinematic_motion) {
    scene.kinematic_motions.push_back(
        {static_cast<std::uint32_t>(scene.bodies.size()), from.pose, *from.kinematic_motion});
  }
  scene.bodies.push_back(std::move(body));
}

workload::JointKind kind_of(const scene::SceneJoint& joint) {
  switch (joint.kind) {
    case scene::JointKind::Hinge:
      return workload::JointKind::Hinge;
    case scene::JointKind::Slider:
      return workload::JointKind::Slider;
    case scene::JointKind::Fixed:
      return workload::JointKind::Fixed;
    case scene::JointKind::Distance:
      return workload::JointKind::Distance;
    default:
      JOSTLE_ASSERT(joint.kind == scene::JointKind::Ball);  // guaranteed by has_workload
      break;
  }
  return joint.has_cone || joint.has_limits ? workload::JointKind::ConeTwist
                                            : workload::JointKind::Ball;
}

workload::Joint convert(const scene::SceneJoint& from) {
  workload::Joint joint;
  joint.kind = kind_of(from);
  joint.body_a = from.body_a;
  joint.body_b = from.body_b;
  joint.anchor = math::to_vec3(from.anchor);
  joint.anchor_b = math::to_vec3(from.anchor_b);
  joint.axis = from.axis;
  if (from.has_cone) joint.cone = from.cone;
  if (from.has_limits) joint.limits = workload::Limits{from.lower, from.upper};
  if (from.spring_hertz > 0)
    joint.spring = workload::Spring{from.spring_hertz, from.spring_damping_ratio};
  if (from.max_motor_force > 0)
    joint.motor = workload::Motor{from.motor_speed, from.max_motor_force};
  joint.rest = from.rest;
  joint.do_bodies_collide = from.collide_connected;
  joint.break_force = from.break_force;
  joint.break_torque = from.break_torque;
  return joint;
}

}  // namespace

bool has_workload(const scene::SceneDef& def) {
  return std::ranges::none_of(def.joints, [](const scene::SceneJoint& joint) {
    return joint.kind > scene::JointKind::Distance || joint.tension_only;
  });
}

workload::Scene to_workload(const scene::SceneDef& def) {
  workload::Scene scene;
  scene.name = def.name;
  scene.gravity = def.world.gravity;
  scene.step_seconds = 1.0f / static_cast<float>(state::default_tick_rate_hz);
  scene.may_sleep = def.world.is_sleeping_enabled;
  scene.world = workload::WorldSettings{def.world.sleep_linear_speed, def.world.sleep_angular_speed,
                                        def.world.sleep_seconds, def.world.restitution_threshold};
  scene.arena.has_floor = false;
  for (const scene::SceneBody& body : def.bodies)
    add_body(body, scene);
  for (const scene::SceneJoint& joint : def.joints)
    scene.joints.push_back(convert(joint));
  scene.pushes = def.pushes;
  scene.has_force_fields = !def.fields.empty();
  return scene;
}

rig::Rig set_up(const scene::SceneDef& def, const physics::Execution& execution) {
  rig::Rig rig{physics::World(sim::world_options(def, state::default_tick_rate_hz)), {}, {}};
  rig.world.set_execution(execution);
  // Create everything in the same order as sim::Simulation, so that the worlds are equal.
  for (const scene::SceneMaterialPair& pair : def.material_pairs)
    sim::instantiate(rig.world, pair);
  for (const scene::SceneForce& force : def.fields)
    if (!force.body) sim::instantiate(rig.world, force, {});
  for (const scene::SceneBody& body : def.bodies) {
    // Use the same ids as the server, because the engine stores them as user data of its bodies.
    const state::BodyId id{static_cast<std::uint32_t>(rig.bodies.size() + 1)};
    rig.bodies.push_back(sim::instantiate(rig.world, body, id));
  }
  for (const scene::SceneJoint& joint : def.joints)
    sim::instantiate(rig.world, joint, rig.bodies);
  for (const scene::SceneForce& force : def.fields)
    if (force.body) sim::instantiate(rig.world, force, rig.bodies);
  for (const scene::SceneParticles& set : def.particles)
    sim::instantiate(rig.world, set);
  return rig;
}

}  // namespace jostle::bench
