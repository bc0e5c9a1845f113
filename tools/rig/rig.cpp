#include "tools/rig/rig.h"

#include "shared/geometry/hull.h"
#include "shared/geometry/surface.h"
#include "tools/workload/script.h"

#include <optional>
#include <utility>

namespace jostle::rig {
namespace {

using workload::JointKind;
using workload::ShapeKind;

/// The engine's form of a shape; nothing, and why in words, where it cannot be made.
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

void add(const workload::Scene& scene, const workload::Body& body,
         const std::vector<state::Shape>& shapes, Rig& rig) {
  physics::BodyDef def;
  def.motion =
      workload::is_dynamic(body) ? physics::MotionType::Dynamic : physics::MotionType::Static;
  def.pose = {rig.origin + body.position, body.rotation};
  def.linear_velocity = body.linear_velocity;
  def.angular_velocity = body.angular_velocity;
  def.mass = body.mass;
  const physics::BodyHandle handle = rig.world.create_body(def);
  for (const workload::Part& part : body.parts) {
    physics::ShapeDef shape;
    shape.shape = shapes[part.shape];
    shape.local = {part.local.offset, part.local.rotation};
    shape.material = {scene.friction, scene.restitution};
    shape.density = scene.density;
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
    case JointKind::Rod:
      return physics::JointKind::Distance;
    case JointKind::Ball:
    case JointKind::ConeTwist:
      break;
  }
  return physics::JointKind::Ball;
}

void join(const workload::Scene& scene, const workload::Joint& joint, Rig& rig) {
  const physics::BodyHandle a = rig.bodies[joint.body_a], b = rig.bodies[joint.body_b];
  physics::JointDef def;
  if (joint.kind == JointKind::Rod) {
    def = physics::distance_between(rig.world, a, b, rig.world.pose(a).position,
                                    rig.world.pose(b).position);
  } else {
    def = physics::joint_at(rig.world, kind_of(joint.kind), a, b, rig.origin + joint.anchor,
                            joint.axis);
  }
  if (joint.kind == JointKind::ConeTwist || joint.kind == JointKind::Hinge ||
      joint.kind == JointKind::Slider)
    def.limits = {.is_enabled = true, .lower = -joint.limit, .upper = joint.limit};
  if (joint.kind == JointKind::ConeTwist) def.cone = {.is_enabled = true, .angle = joint.cone};
  def.collides_connected = scene.jointed_bodies_collide;
  rig.world.create_joint(def);
}

}  // namespace

base::Result<Rig, std::string> set_up(const workload::Scene& scene,
                                      const physics::Execution& execution, math::Position origin) {
  physics::WorldOptions options;
  options.gravity = scene.gravity;
  options.step_seconds = scene.step_seconds;
  options.is_sleeping_enabled = scene.may_sleep;
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
    join(scene, joint, rig);
  return rig;
}

void step(const workload::Scene& scene, int step, Rig& rig) {
  workload::Hands hands;
  hands.position = [&rig](std::uint32_t body) { return state_of(rig, body).position; };
  hands.velocity = [&rig](std::uint32_t body) { return state_of(rig, body).linear_velocity; };
  hands.push = [&rig](std::uint32_t body, math::Vec3 impulse) { push(rig, body, impulse); };
  hands.drive = [&rig](std::uint32_t body, math::Vec3 velocity) { drive(rig, body, velocity); };
  workload::act(scene, step, hands);
  rig.world.step();
}

workload::BodyState state_of(const Rig& rig, std::uint32_t body) {
  const physics::BodyHandle handle = rig.bodies[body];
  const math::Pose pose = rig.world.pose(handle);
  return {pose.position - rig.origin, pose.rotation, rig.world.linear_velocity(handle),
          rig.world.angular_velocity(handle)};
}

void push(Rig& rig, std::uint32_t body, math::Vec3 impulse) {
  rig.world.apply_central_impulse(rig.bodies[body], impulse);
}

void drive(Rig& rig, std::uint32_t body, math::Vec3 velocity) {
  const physics::BodyHandle handle = rig.bodies[body];
  rig.world.set_velocity(handle, velocity, rig.world.angular_velocity(handle));
}

}  // namespace jostle::rig
