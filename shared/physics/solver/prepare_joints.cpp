#include "shared/math/trig.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/solver/joint_rows.h"
#include "shared/physics/solver/joint_solver.h"

#include <cmath>

namespace jostle::physics {

using math::Mat3;
using math::Quat;
using math::Vec3;

namespace {

/// The solver's name of a body: 0 where nothing can move it.
std::uint32_t solver_index(const Body& body) {
  return is_active(body) ? body.solver_index : 0;
}

/// Frame and anchor of one side, in the frame of the solver's body: that of the immovable one is
/// the world's.
void place_side(const Body& body, const math::Transform& frame, std::uint32_t index, Vec3& anchor,
                Quat& rotation) {
  anchor = frame.offset - body.local_centre;
  rotation = frame.rotation;
  if (index != 0) return;
  anchor = rotate(body.rotation, anchor);
  rotation = body.rotation * rotation;
}

Softness joint_softness(const WorldOptions& options, float h) {
  const float hertz = math::min_of(options.joint_hertz, max_hertz_per_substep_rate / h);
  if (hertz == 0.0f) return {};
  const float omega = 2.0f * math::pi * hertz;
  const float damping = 2.0f * options.joint_damping_ratio + h * omega;
  const float c = h * omega * damping;
  return {omega / damping, c / (1.0f + c), 1.0f / (1.0f + c)};
}

/// A body on its parabola moves by v·h − ½h²g in a substep (integrate_positions).
Vec3 half_kick(const SolverArrays& solver, std::uint32_t body) {
  return solver.bodies[body].is_free ? solver.gains[body].linear * -0.5f : Vec3{};
}

void list_bodies(WorldState& world) {
  JointArrays& arrays = world.joint_solver;
  const SolverArrays& solver = world.solver;
  arrays.inverse_inertia.assign(solver.bodies.size(), math::zero_matrix());
  arrays.bodies.clear();
  arrays.is_jointed.assign(solver.bodies.size(), false);
  for (const JointConstraint& joint : arrays.joints)
    arrays.is_jointed[joint.a] = arrays.is_jointed[joint.b] = true;
  for (std::uint32_t i = 1; i < solver.bodies.size(); ++i) {
    if (!arrays.is_jointed[i] || !solver.bodies[i].is_dynamic) continue;
    arrays.bodies.push_back({i, {}, {}, math::zero_matrix()});
    arrays.inverse_inertia[i] = to_matrix(solver.inertias[i]);
  }
}

}  // namespace

void prepare_joints(WorldState& world) {
  SolverArrays& solver = world.solver;
  JointArrays& arrays = world.joint_solver;
  arrays.joints.clear();
  arrays.rows.clear();
  arrays.softness = joint_softness(world.options, solver.substep_seconds);
  for (const std::uint32_t index : world.awake_joints) {
    const JointRecord& record = world.joints[index];
    const JointDef& def = record.def;
    const Body &body_a = world.bodies[def.body_a.index], &body_b = world.bodies[def.body_b.index];
    JointConstraint& joint = arrays.joints.emplace_back();
    joint.a = solver_index(body_a);
    joint.b = solver_index(body_b);
    joint.joint = index;
    joint.kind = def.kind;
    joint.rest = def.rest;
    joint.is_rigid_distance = def.kind == JointKind::Distance && !def.spring.is_enabled &&
                              !def.limits.is_enabled && !def.motor.is_enabled;
    joint.inverse_mass_a = solver.velocities[joint.a].inverse_mass;
    joint.inverse_mass_b = solver.velocities[joint.b].inverse_mass;
    place_side(body_a, def.frame_a, joint.a, joint.local_a, joint.frame_a);
    place_side(body_b, def.frame_b, joint.b, joint.local_b, joint.frame_b);
    joint.between = body_b.position - body_a.position;
    joint.drift = half_kick(solver, joint.b) - half_kick(solver, joint.a);
    for (std::size_t phase = 0; phase < joint_phase_count; ++phase) {
      joint.linear[phase] = record.impulses[phase].linear;
      joint.angular[phase] = record.impulses[phase].angular;
    }
    add_joint_rows(arrays, joint, record, solver.substep_seconds);
  }
  list_bodies(world);
  measure_joints(world);
}

void store_joint_impulses(WorldState& world) {
  const auto snapped = [](float x) {
    const float size = math::abs_of(x);
    return size >= tiny && size <= max_impulse ? x : 0.0f;
  };
  const auto snapped_vector = [&](Vec3 v) {
    return Vec3{snapped(v.x), snapped(v.y), snapped(v.z)};
  };
  const JointArrays& arrays = world.joint_solver;
  for (const JointConstraint& joint : arrays.joints) {
    JointRecord& record = world.joints[joint.joint];
    record.step_linear = snapped_vector(joint.step_linear);
    record.step_angular = snapped_vector(joint.step_angular);
    for (std::size_t phase = 0; phase < joint_phase_count; ++phase) {
      JointImpulses& stored = record.impulses[phase];
      stored.linear = snapped_vector(joint.linear[phase]);
      stored.angular = snapped_vector(joint.angular[phase]);
      stored.rows = {};
      for (std::uint32_t i = joint.first_row; i < joint.first_row + joint.row_count; ++i) {
        const JointRow& row = arrays.rows[i];
        stored.rows[static_cast<std::size_t>(row.kind)] = snapped(row.impulse[phase]);
      }
    }
  }
}

}  // namespace jostle::physics
