#include "shared/reference/extract_system.h"

#include "shared/base/assert.h"

#include <algorithm>

namespace jostle::reference {
namespace {

Vec3d to_vec3d(math::Position p) {
  return {p.x, p.y, p.z};
}

Body read_body(const physics::World& world, physics::BodyHandle handle) {
  Body body;
  if (world.motion_type(handle) == physics::MotionType::Dynamic) {
    const auto mass = static_cast<double>(world.mass(handle));
    body = make_body(mass, math::widened(world.inertia_local(handle)), {});
    body.force = math::widened(world.options().gravity) * mass;
  }
  body.position = to_vec3d(world.centre_of_mass(handle));
  body.rotation = widened(world.pose(handle).rotation);
  body.linear_velocity = math::widened(world.linear_velocity(handle));
  body.angular_velocity = math::widened(world.angular_velocity(handle));
  return body;
}

/// Returns the centre of mass in the frame of the body, in which joint frames are given.
Vec3d local_centre(const physics::World& world, physics::BodyHandle handle) {
  const math::Pose pose = world.pose(handle);
  const Vec3d offset = to_vec3d(world.centre_of_mass(handle)) - to_vec3d(pose.position);
  return transpose_multiply(to_matrix(widened(pose.rotation)), offset);
}

Joint read_joint(const physics::World& world, const WorldReading& reading,
                 physics::JointHandle handle) {
  const physics::JointDef& def = world.joint_def(handle);
  Joint joint;
  // The reference implements only the five kinds from Ball to Distance; the assertion rejects all
  // others.
  JOSTLE_ASSERT(def.kind <= physics::JointKind::Distance && !def.spring.tension_only);
  joint.kind = def.kind;
  joint.body_a = index_of(reading, def.body_a);
  joint.body_b = index_of(reading, def.body_b);
  joint.anchor_a_local = math::widened(def.frame_a.offset) - local_centre(world, def.body_a);
  joint.anchor_b_local = math::widened(def.frame_b.offset) - local_centre(world, def.body_b);
  joint.frame_a_local = to_matrix(widened(def.frame_a.rotation));
  joint.frame_b_local = to_matrix(widened(def.frame_b.rotation));
  const auto wide = [](float x) { return static_cast<double>(x); };
  joint.rest = wide(def.rest);
  if (def.limits.is_enabled) joint.limits = Limits{wide(def.limits.lower), wide(def.limits.upper)};
  if (def.cone.is_enabled) joint.cone_angle = wide(def.cone.angle);
  if (def.spring.is_enabled)
    joint.spring = Spring{wide(def.spring.hertz), wide(def.spring.damping_ratio)};
  if (def.motor.is_enabled) joint.motor = Motor{wide(def.motor.speed), wide(def.motor.max_force)};
  return joint;
}

void read_contacts(const physics::World& world, const physics::ContactView& view,
                   WorldReading& reading) {
  const std::size_t a = index_of(reading, world.body_of(view.a));
  const std::size_t b = index_of(reading, world.body_of(view.b));
  const physics::Material of_a = world.shape_def(view.a).material;
  const physics::Material of_b = world.shape_def(view.b).material;
  const physics::PairMaterial pair = world.pair_material(of_a.id, of_b.id);
  const auto both = physics::combine<double>(of_a, of_b, &pair);
  // The reference has one friction coefficient per contact; the assertion rejects materials with
  // two.
  JOSTLE_ASSERT(both.static_friction == both.friction);
  // A float normal has unit length only to seven digits.
  const Vec3d wide = math::widened(view.normal), normal = wide * (1 / length(wide));
  for (int i = 0; i < view.point_count; ++i) {
    const physics::ContactPointView& point = view.points[static_cast<std::size_t>(i)];
    Contact contact = contact_at(reading.system, a, b, to_vec3d(point.position), normal,
                                 static_cast<double>(point.separation));
    contact.friction = both.friction;
    contact.restitution = both.restitution;
    reading.system.contacts.push_back(contact);
  }
}

}  // namespace

std::size_t index_of(const WorldReading& reading, physics::BodyHandle body) {
  const auto found = std::find(reading.bodies.begin(), reading.bodies.end(), body);
  JOSTLE_ASSERT(found != reading.bodies.end());
  return static_cast<std::size_t>(found - reading.bodies.begin());
}

WorldReading extract_system(const physics::World& world) {
  WorldReading reading;
  reading.bodies = world.bodies();
  for (const physics::BodyHandle body : reading.bodies)
    reading.system.bodies.push_back(read_body(world, body));
  reading.joints = world.joints();
  for (const physics::JointHandle joint : reading.joints)
    reading.system.joints.push_back(read_joint(world, reading, joint));
  reading.contacts = world.contacts();
  for (const physics::ContactView& view : reading.contacts)
    read_contacts(world, view, reading);
  return reading;
}

}  // namespace jostle::reference
