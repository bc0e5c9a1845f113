#include "tools/rig/rig.h"

#include "shared/base/assert.h"
#include "shared/geometry/hull.h"
#include "shared/geometry/surface.h"
#include "tools/workload/script.h"

#include <optional>
#include <utility>

namespace jostle::rig {
namespace {

using workload::JointKind;
using workload::ShapeKind;

/// Converts the shape to the engine's type. If the engine rejects it, returns null and sets
/// `refusal` to a message.
std::optional<state::Shape> convert(const workload::Shape& shape, std::string& refusal) {
  switch (shape.kind) {
    case ShapeKind::Sphere:
      return state::sphere(shape.radius);
    case ShapeKind::Box:
      return state::box(shape.half_extents);
    case ShapeKind::Capsule:
      return state::capsule(shape.radius, shape.half_segment);
    case ShapeKind::Cylinder:
      return state::cylinder(shape.radius, shape.half_segment);
    case ShapeKind::Cone:
      return state::cone(shape.radius, shape.half_segment);
    case ShapeKind::Plane:
      return state::plane();
    case ShapeKind::Hull: {
      auto hull = geometry::build_hull(shape.points);
      if (hull) return state::solid(geometry::share(*std::move(hull)));
      refusal = "a hull of the scene " + std::string(geometry::describe(hull.error()));
      return std::nullopt;
    }
    case ShapeKind::Mesh:
      break;
  }
  state::TriangleMesh mesh{shape.points, shape.triangles};
  if (const auto error = geometry::check_surface(mesh)) {
    refusal = "a mesh of the scene " + std::string(geometry::describe(*error));
    return std::nullopt;
  }
  return state::solid(geometry::share(std::move(mesh)));
}

physics::MotionType motion_of(workload::Motion motion) {
  switch (motion) {
    case workload::Motion::Static:
      return physics::MotionType::Static;
    case workload::Motion::Kinematic:
      return physics::MotionType::Kinematic;
    case workload::Motion::Dynamic:
      break;
  }
  return physics::MotionType::Dynamic;
}

void add(const workload::Scene& scene, const workload::Body& body,
         const std::vector<state::Shape>& shapes, Rig& rig) {
  physics::BodyDef def;
  def.motion = motion_of(body.motion);
  def.pose = {rig.origin + body.position, body.rotation};
  def.linear_velocity = body.linear_velocity;
  def.angular_velocity = body.angular_velocity;
  def.mass = body.mass;
  const physics::BodyHandle handle = rig.world.create_body(def);
  for (const workload::Part& part : body.parts) {
    physics::ShapeDef shape;
    shape.shape = shapes[part.shape];
    shape.local = {part.local.offset, part.local.rotation};
    const workload::Surface surface = workload::surface_of(scene, part);
    shape.material = {surface.friction, surface.restitution};
    shape.density = surface.density;
    shape.filter.group = body.group;
    rig.world.add_shape(handle, shape);
  }
  rig.bodies.push_back(handle);
}

physics::JointKind kind_of(JointKind kind) {
  switch (kind) {
    case JointKind::Hinge:
      return physics::JointKind::Hinge;
    case JointKind::Slider:
      return physics::JointKind::Slider;
    case JointKind::Fixed:
      return physics::JointKind::Fixed;
    case JointKind::Distance:
      return physics::JointKind::Distance;
    case JointKind::Ball:
    case JointKind::ConeTwist:
      break;
  }
  return physics::JointKind::Ball;
}

void join(const workload::Joint& joint, Rig& rig) {
  const physics::BodyHandle a = rig.bodies[joint.body_a], b = rig.bodies[joint.body_b];
  physics::JointDef def;
  if (joint.kind == JointKind::Distance) {
    def = physics::make_distance_joint_def(rig.world, a, b, rig.origin + joint.anchor,
                                           rig.origin + joint.anchor_b);
  } else {
    def = physics::make_joint_def(rig.world, kind_of(joint.kind), a, b, rig.origin + joint.anchor,
                                  joint.axis);
  }
  if (joint.limits)
    def.limits = {.is_enabled = true, .lower = joint.limits->lower, .upper = joint.limits->upper};
  if (joint.cone) def.cone = {.is_enabled = true, .angle = *joint.cone};
  if (joint.motor)
    def.motor = {
        .is_enabled = true, .speed = joint.motor->speed, .max_force = joint.motor->max_force};
  def.collide_connected = joint.do_bodies_collide;
  rig.world.create_joint(def);
}

}  // namespace

base::Result<Rig, std::string> set_up(const workload::Scene& scene,
                                      const physics::Execution& execution, math::Position origin,
                                      physics::Stabilizers stabilizers) {
  JOSTLE_ASSERT(!scene.world);
  physics::WorldOptions options;
  options.gravity = scene.gravity;
  options.step_seconds = scene.step_seconds;
  options.is_sleeping_enabled = scene.may_sleep;
  options.stabilizers = stabilizers;
  Rig rig{physics::World(options), {}, origin};
  rig.world.set_execution(execution);
  std::vector<state::Shape> shapes;
  for (const workload::Shape& shape : scene.shapes) {
    std::string refusal;
    auto converted = convert(shape, refusal);
    if (!converted) return refusal;
    shapes.push_back(*std::move(converted));
  }
  for (const workload::Body& body : scene.bodies)
    add(scene, body, shapes, rig);
  for (const workload::Joint& joint : scene.joints)
    join(joint, rig);
  return rig;
}

void step(const workload::Scene& scene, int step, Rig& rig) {
  workload::EngineControls hands;
  hands.look = [&rig](std::uint32_t body) { return body_state(rig, body); };
  hands.push = [&rig](std::uint32_t body, math::Vec3 impulse, math::Vec3 point) {
    push(rig, body, impulse, point);
  };
  hands.drive = [&rig](std::uint32_t body, math::Vec3 velocity) { drive(rig, body, velocity); };
  hands.move = [&rig](std::uint32_t body, const math::Pose& target) { move(rig, body, target); };
  workload::act(scene, step, hands);
  rig.world.step();
}

workload::BodyState state_of(const Rig& rig, std::uint32_t body) {
  const physics::BodyHandle handle = rig.bodies[body];
  const math::Pose pose = rig.world.pose(handle);
  return {pose.position - rig.origin, pose.rotation, rig.world.linear_velocity(handle),
          rig.world.angular_velocity(handle)};
}

state::PushedBody body_state(const Rig& rig, std::uint32_t body) {
  const physics::BodyHandle handle = rig.bodies[body];
  const math::Position position = rig.world.pose(handle).position;
  return {{position.x - rig.origin.x, position.y - rig.origin.y, position.z - rig.origin.z},
          rig.world.linear_velocity(handle),
          rig.world.mass(handle)};
}

void push(Rig& rig, std::uint32_t body, math::Vec3 impulse, math::Vec3 point) {
  const physics::BodyHandle handle = rig.bodies[body];
  rig.world.apply_impulse(handle, impulse, rig.world.centre_of_mass(handle) + point);
}

void drive(Rig& rig, std::uint32_t body, math::Vec3 velocity) {
  const physics::BodyHandle handle = rig.bodies[body];
  rig.world.set_velocity(handle, velocity, rig.world.angular_velocity(handle));
}

void move(Rig& rig, std::uint32_t body, const math::Pose& target) {
  const math::Position& p = target.position;
  rig.world.move_kinematic(
      rig.bodies[body],
      {{rig.origin.x + p.x, rig.origin.y + p.y, rig.origin.z + p.z}, target.rotation});
}

}  // namespace jostle::rig
