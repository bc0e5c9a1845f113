#include "shared/math/trig.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/colour_runs.h"
#include "shared/physics/solver/coordinate_solver.h"
#include "shared/physics/solver/joint_colouring.h"
#include "shared/physics/solver/joint_places.h"
#include "shared/physics/solver/joint_solver.h"
#include "shared/physics/solver/joint_springs.h"

#include <algorithm>
#include <bit>

namespace jostle::physics {

using math::Quat;
using math::Vec3;

namespace {

/// Bound that no value reaches. It is far enough below the largest float to be used in arithmetic.
constexpr float unbounded = 1e30f;

/// Returns the softness of joints. It is that of a damped spring with joint_hertz and
/// joint_damping_ratio, integrated implicitly over the substep `h`, with its impulse_scale
/// multiplied by `share`. Joints are rigid if joint_hertz is 0.
Softness joint_softness(const WorldOptions& options, float h, float share) {
  const float hertz = math::min_of(options.joint_hertz, max_hertz_per_substep_rate / h);
  if (hertz == 0.0f) return {};
  const float omega = 2.0f * math::pi * hertz;
  const float damping = 2.0f * options.joint_damping_ratio + h * omega;
  const float c = h * omega * damping;
  const float give = share / (1.0f + c);
  return {omega / damping, 1.0f - give, give};
}

void fill_rows(const JointRecord& record, float h, bool are_free, std::size_t lane, JointAxis& axis,
               JointConeRow& cone) {
  const JointDef& def = record.solved();
  const bool has_axis = def.kind != JointKind::Ball;  // along its axis, a ball has limits only
  const JointLimits& limits = def.limits;
  // A lower limit of 0 or less of a distance joint is ignored, because a distance is never
  // negative.
  const bool has_lower =
      limits.is_enabled && (def.kind != JointKind::Distance || limits.lower > 0.0f);
  axis.lower[lane] = has_lower ? limits.lower : -unbounded;
  axis.upper[lane] = limits.is_enabled ? limits.upper : unbounded;
  axis.middle[lane] = limits.is_enabled ? 0.5f * (limits.lower + limits.upper) : def.rest;
  axis.rest[lane] = def.rest;
  SpringCoefficients spring;
  if (has_axis && def.spring.is_enabled && def.spring.hertz > 0.0f) {
    spring = spring_coefficients(def.spring.hertz, def.spring.damping_ratio, h);
  }
  axis.spring_damping[lane] = spring.damping;
  axis.spring_rate[lane] = spring.rate;
  axis.spring_relaxes[lane] = spring.relaxes ? 1.0f : 0.0f;
  const bool has_motor = has_axis && def.motor.is_enabled;
  axis.motor_speed[lane] = has_motor ? def.motor.speed : 0.0f;
  axis.motor_impulse[lane] = has_motor ? def.motor.max_force * h : 0.0f;
  axis.motor_hold_impulse[lane] = axis.motor_impulse[lane] * (are_free ? 0.5f : 1.0f);
  axis.value[lane] = 0;
  cone.angle[lane] = def.cone.is_enabled ? def.cone.angle : unbounded;
  for (std::size_t phase = 0; phase < joint_phase_count; ++phase) {
    const auto& stored = record.impulses[phase].rows;
    for (std::size_t kind = 0; kind < axis_row_kinds; ++kind)
      axis.impulse[phase][kind][lane] = stored[kind];
    cone.impulse[phase][lane] = stored[axis_row_kinds];
  }
}

void fill_friction(const JointMotor& motor, float h, bool are_free, std::size_t lane,
                   JointBundle& bundle) {
  JointFriction& friction = bundle.friction;
  friction.most[lane] = motor.is_enabled ? motor.max_force * h : 0.0f;
  friction.most_held[lane] = friction.most[lane] * (are_free ? 0.5f : 1.0f);
  if (friction.most[lane] > 0.0f) {
    bundle.friction_lanes |= 1U << lane;
    return;
  }
  for (std::size_t phase = 0; phase < joint_phase_count; ++phase)
    set(bundle.angular[phase], lane, {});
}

/// Returns JointBundle::keep. It is 0 if nothing else acts on the joint's bodies. Joints in trees
/// are not soft. If other constraints act on their bodies, these joints get a negligible share
/// above 0, because a share of 0 would exclude them from tautness (taut_bodies.h).
float share_given_up(const Cluster& cluster, const JointBundle& bundle, std::size_t lane,
                     const JointDef& def) {
  if (is_alone(cluster, def)) return 0;
  constexpr float trace = 1e-30f;
  const bool is_of_tree = (bundle.tree_lanes >> lane & 1U) != 0;
  if (is_of_tree) return is_edge_alone(cluster, def) ? 0 : trace;
  return cluster.joint_solver.softness.impulse_scale;
}

void fill_lane(const Cluster& cluster, JointClass joint_class, std::size_t lane,
               JointBundle& bundle) {
  const SolverArrays& solver = cluster.solver;
  const JointRecord& record = cluster.world.joints[bundle.joint[lane]];
  const JointDef& def = record.solved();
  const Body &body_a = cluster.world.bodies[def.body_a.index],
             &body_b = cluster.world.bodies[def.body_b.index];
  const std::uint32_t a = bundle.a[lane], b = bundle.b[lane];
  set(bundle.local_a, lane, anchor_of(body_a, def.frame_a, a));
  set(bundle.local_b, lane, anchor_of(body_b, def.frame_b, b));
  set(bundle.between, lane, body_b.position - body_a.position);
  set(bundle.drift, lane, half_kick(solver, b) - half_kick(solver, a));
  bundle.keep[lane] = share_given_up(cluster, bundle, lane, def);
  set(bundle.step_linear, lane, {});
  const float share = 1.0f / static_cast<float>(cluster.refinement);
  for (std::size_t phase = 0; phase < joint_phase_count; ++phase) {
    set(bundle.linear[phase], lane, record.impulses[phase].linear * share);
    if (has_torque(joint_class)) {
      set(bundle.angular[phase], lane, record.impulses[phase].angular * share);
    }
  }
  if (has_frames(joint_class)) {
    set_rotation(bundle.frame_a, lane, frame_of(body_a, def.frame_a, a));
    set_rotation(bundle.frame_b, lane, frame_of(body_b, def.frame_b, b));
    set(bundle.step_angular, lane, {});
    bundle.is_rod[lane] = is_rod(def) ? 1.0f : 0.0f;
    bundle.length[lane] = def.rest;
  }
  const bool is_rope = (bundle.rope_lanes >> lane & 1U) != 0;
  if (is_rope) bundle.length[lane] = def.limits.upper;
  if (joint_class.has_rows) {
    const bool are_free = moves_freely(solver, a) && moves_freely(solver, b);
    fill_rows(record, solver.substep_seconds, are_free, lane, bundle.axis, bundle.cone);
    if (has_cone(joint_class))
      fill_friction(def.motor, solver.substep_seconds, are_free, lane, bundle);
    if (is_rope) bundle.axis.upper[lane] = unbounded;  // the tree solves the limit
  }
}

/// Fills the lock bundles, if any joint has a body with locks.
void set_locks(Cluster& cluster) {
  JointArrays& arrays = cluster.joint_solver;
  const std::vector<SolverBody>& bodies = cluster.solver.bodies;
  arrays.locks.clear();
  if (!cluster.world.has_locks) return;
  const auto is_locked = [&](const ColouredJoint& joint) {
    return (bodies[joint.a].locks | bodies[joint.b].locks) != 0;
  };
  if (std::ranges::none_of(arrays.coloured, is_locked)) return;
  arrays.locks.resize(arrays.bundles.size());
  for (std::size_t i = 0; i < arrays.bundles.size(); ++i) {
    const JointBundle& bundle = arrays.bundles[i];
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
      const bool is_used = (bundle.used_lanes >> lane & 1U) != 0;
      set_lane(arrays.locks[i], lane,
               is_used ? bodies[bundle.a[lane]].locks : state::MotionLocks{0},
               is_used ? bodies[bundle.b[lane]].locks : state::MotionLocks{0});
    }
  }
}

/// Calls `body(class, bundle)` for all bundles, in any order and on any thread.
template <typename Body>
void for_each_bundle(Cluster& cluster, const Body& body) {
  JointArrays& arrays = cluster.joint_solver;
  run_all_blocks(cluster.workers, arrays.blocks, [&](const ColourBlock& block) {
    for (std::uint32_t k = block.first; k < block.last; ++k)
      body(joint_classes[block.kind], arrays.bundles[k]);
  });
}

void fill_jointed_block(const Cluster& cluster, JointedBlock& jointed) {
  const SolverArrays& solver = cluster.solver;
  const std::uint32_t index = jointed.block;
  jointed = JointedBlock{};
  jointed.block = index;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
    const auto body = static_cast<std::uint32_t>(index * lane_count + lane);
    if (cluster.joint_solver.is_jointed[body] == 0 || !solver.bodies[body].is_dynamic) continue;
    jointed.is_jointed[lane] = 1.0f;
    const Body& record = cluster.world.bodies[solver.bodies[body].body];
    set(jointed.inertia_local, lane,
        record.inertia_local * (weight_factor(solver.squeezed, body) * record.taut_factor));
  }
}

/// Lists the blocks of bodies that have joints. Block 0, with the immovable body, is always listed.
void list_bodies(Cluster& cluster) {
  JointArrays& arrays = cluster.joint_solver;
  SolverArrays& solver = cluster.solver;
  const auto is_jointed = [&](std::size_t block) {
    for (std::size_t i = block * lane_count; i < (block + 1) * lane_count; ++i)
      if (arrays.is_jointed[i] != 0) return true;
    return block == 0;
  };
  arrays.body_blocks.clear();
  for (std::uint32_t i = 0; i < solver.body_blocks.size(); ++i) {
    if (is_jointed(i)) arrays.body_blocks.emplace_back().block = i;
  }
  for_each_range(cluster.workers, arrays.body_blocks.size(), body_blocks_per_piece,
                 [&](Range range) {
                   for (std::size_t i = range.first; i < range.last; ++i)
                     fill_jointed_block(cluster, arrays.body_blocks[i]);
                 });
  arrays.poses.resize(solver.bodies.size());
  arrays.inertias.assign(solver.inertias.begin(), solver.inertias.end());
  arrays.momenta.assign(solver.bodies.size(), JointedMomentum{});
  arrays.turns.assign(solver.bodies.size(), JointedTurn{});
  solver.body_blocks[0].rotation[3][0] = 1.0f;  // gives the immovable body the identity rotation
}

void store_lane(const JointBundle& bundle, JointClass joint_class, std::size_t lane, float times,
                JointRecord& record) {
  record.step_linear = vector_of(bundle.step_linear, lane);
  record.step_angular = {};
  if (has_frames(joint_class)) record.step_angular = vector_of(bundle.step_angular, lane);
  for (std::size_t phase = 0; phase < joint_phase_count; ++phase) {
    JointImpulses& stored = record.impulses[phase];
    stored = JointImpulses{};
    stored.linear = vector_of(bundle.linear[phase], lane) * times;
    if (has_torque(joint_class)) stored.angular = vector_of(bundle.angular[phase], lane) * times;
    if (!joint_class.has_rows) continue;
    for (std::size_t kind = 0; kind < axis_row_kinds; ++kind)
      stored.rows[kind] = bundle.axis.impulse[phase][kind][lane];
    if (joint_class.kind == JointKind::Ball) {
      stored.rows[axis_row_kinds] = bundle.cone.impulse[phase][lane];
    }
  }
}

}  // namespace

void prepare_joints(Cluster& cluster) {
  JointArrays& arrays = cluster.joint_solver;
  arrays.blocks.clear();
  if (cluster.joints.empty()) return;
  const float h = cluster.solver.substep_seconds;
  arrays.softness = joint_softness(cluster.world.options, h, joint_give_share);
  arrays.limit_softness = joint_softness(cluster.world.options, h, limit_give_share);
  colour_joints(cluster);
  find_joint_trees(cluster);
  prepare_coordinates(cluster);
  for_each_bundle(cluster, [&](JointClass joint_class, JointBundle& bundle) {
    for_each_used_lane(bundle,
                       [&](std::size_t lane) { fill_lane(cluster, joint_class, lane, bundle); });
  });
  set_locks(cluster);
  list_bodies(cluster);
  measure_joints(cluster);
}

void store_joint_impulses(Cluster& cluster) {
  settle_joints(cluster);
  const auto times = static_cast<float>(cluster.refinement);
  for_each_bundle(cluster, [&](JointClass joint_class, JointBundle& bundle) {
    for_each_used_lane(bundle, [&](std::size_t lane) {
      store_lane(bundle, joint_class, lane, times, cluster.world.joints[bundle.joint[lane]]);
    });
  });
}

}  // namespace jostle::physics
