#pragma once

#include "shared/math/trig.h"
#include "tests/physics/scenes.h"

#include <algorithm>
#include <array>
#include <vector>

namespace jostle::physics::testing {

inline BodyHandle add_ghost(World& world, Position at, const state::Shape& shape) {
  return add_body(world, MotionType::Dynamic, {at, {}}, ghost(shape));
}

/// Adds a box of the given mass that collides with nothing.
inline BodyHandle add_ghost_box(World& world, Position at, Vec3 half, float mass,
                                state::MotionLocks locks = 0) {
  BodyDef def;
  def.pose.position = at;
  def.mass = mass;
  def.locks = locks;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, ghost(state::box(half)));
  return body;
}

/// The largest anchor gap (m) and the largest angle error (rad) of all joints.
struct JointFailure {
  float gap = 0, lean = 0;
};
inline JointFailure worst_failure(const World& world) {
  JointFailure worst;
  for (const JointHandle joint : world.joints()) {
    const JointState state = world.joint_state(joint);
    worst.gap = std::max(worst.gap, state.gap);
    worst.lean = std::max(worst.lean, state.lean);
  }
  return worst;
}

/// Adds a sheet of `columns` × `rows` spheres connected by ball joints. Its first row is static;
/// the other rows start horizontal and swing down. The spheres do not collide.
inline void add_joint_grid(World& world, int columns, int rows) {
  std::vector<BodyHandle> bodies;
  ShapeDef shape = shape_def(state::sphere(0.4f));
  shape.filter.mask = 0;
  const auto place = [&](int k, int i) { return Position{k - 0.5 * (columns - 1), 30, double(i)}; };
  for (int k = 0; k < columns; ++k) {
    for (int i = 0; i < rows; ++i) {
      const MotionType motion = i == 0 ? MotionType::Static : MotionType::Dynamic;
      const BodyHandle body = add_body(world, motion, {place(k, i), {}}, shape);
      const auto join = [&](BodyHandle other, Position there) {
        const Position here = place(k, i);
        const Position middle{(here.x + there.x) / 2, here.y, (here.z + there.z) / 2};
        world.create_joint(
            make_joint_def(world, JointKind::Ball, other, body, middle, Vec3{1, 0, 0}));
      };
      const auto index = static_cast<std::size_t>(k * rows + i);
      if (i > 0) join(bodies[index - 1], place(k, i - 1));
      if (k > 0 && i > 0) join(bodies[index - static_cast<std::size_t>(rows)], place(k - 1, i));
      bodies.push_back(body);
    }
  }
}

/// One capsule of a ragdoll. Capsules with `is_flat` lie along x, the others are upright.
struct RagdollPart {
  bool is_flat;
  float half_segment, radius;
  Vec3 centre;
};
inline constexpr std::array<RagdollPart, 11> ragdoll_parts{
    {{true, 0.10f, 0.11f, {0, 0, 0}},           // pelvis
     {false, 0.15f, 0.14f, {0, 0.38f, 0}},      // chest
     {false, 0.04f, 0.11f, {0, 0.80f, 0}},      // head
     {true, 0.12f, 0.05f, {-0.33f, 0.55f, 0}},  // upper arms
     {true, 0.12f, 0.05f, {0.33f, 0.55f, 0}},
     {true, 0.12f, 0.045f, {-0.65f, 0.55f, 0}},  // lower arms
     {true, 0.12f, 0.045f, {0.65f, 0.55f, 0}},
     {false, 0.17f, 0.075f, {-0.11f, -0.36f, 0}},  // upper legs
     {false, 0.17f, 0.075f, {0.11f, -0.36f, 0}},
     {false, 0.17f, 0.06f, {-0.11f, -0.82f, 0}},  // lower legs
     {false, 0.17f, 0.06f, {0.11f, -0.82f, 0}}}};

/// One joint of a ragdoll. A hinge has the limits ±`cone`; a ball joint has the cone limit `cone`
/// and the twist limits ±`twist`, in rad.
struct RagdollJoint {
  JointKind kind;
  std::size_t a, b;
  Vec3 anchor, axis;
  float cone, twist;
};
inline constexpr std::array<RagdollJoint, 10> ragdoll_joints{
    {{JointKind::Ball, 0, 1, {0, 0.14f, 0}, {0, 1, 0}, 0.5f, 0.5f},
     {JointKind::Ball, 1, 2, {0, 0.66f, 0}, {0, 1, 0}, 0.5f, 0.7f},
     {JointKind::Ball, 1, 3, {-0.18f, 0.55f, 0}, {-1, 0, 0}, 1.3f, 0.8f},
     {JointKind::Ball, 1, 4, {0.18f, 0.55f, 0}, {1, 0, 0}, 1.3f, 0.8f},
     {JointKind::Hinge, 3, 5, {-0.49f, 0.55f, 0}, {0, 1, 0}, 1.2f, 0},
     {JointKind::Hinge, 4, 6, {0.49f, 0.55f, 0}, {0, 1, 0}, 1.2f, 0},
     {JointKind::Ball, 0, 7, {-0.11f, -0.13f, 0}, {0, -1, 0}, 0.9f, 0.4f},
     {JointKind::Ball, 0, 8, {0.11f, -0.13f, 0}, {0, -1, 0}, 0.9f, 0.4f},
     {JointKind::Hinge, 7, 9, {-0.11f, -0.60f, 0}, {1, 0, 0}, 1.2f, 0},
     {JointKind::Hinge, 8, 10, {0.11f, -0.60f, 0}, {1, 0, 0}, 1.2f, 0}}};

/// Adds a ragdoll of eleven capsules and ten joints.
inline std::vector<BodyHandle> add_ragdoll(World& world, const math::Pose& pose) {
  const math::Quat lying = math::from_axis_angle({0, 0, 1}, 0.5f * math::pi);
  std::vector<BodyHandle> bodies;
  for (const RagdollPart& part : ragdoll_parts) {
    const math::Transform local{part.centre, part.is_flat ? lying : math::Quat{}};
    bodies.push_back(add_body(world, MotionType::Dynamic, pose * local,
                              shape_def(state::capsule(part.radius, part.half_segment))));
  }
  for (const RagdollJoint& joint : ragdoll_joints) {
    JointDef def =
        make_joint_def(world, joint.kind, bodies[joint.a], bodies[joint.b],
                       transform_point(pose, joint.anchor), rotate(pose.rotation, joint.axis));
    const float reach = joint.kind == JointKind::Hinge ? joint.cone : joint.twist;
    def.limits = {true, -reach, reach};
    def.cone = {joint.kind == JointKind::Ball, joint.cone};
    world.create_joint(def);
  }
  return bodies;
}
/// Adds an upright ragdoll, turned about y.
inline std::vector<BodyHandle> add_ragdoll(World& world, Position origin, float yaw) {
  return add_ragdoll(world, {origin, math::from_axis_angle({0, 1, 0}, yaw)});
}

}  // namespace jostle::physics::testing
