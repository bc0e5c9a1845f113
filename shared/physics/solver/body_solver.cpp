#include "shared/physics/solver/body_solver.h"

#include "shared/math/trig.h"
#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/continuous/stop_at_impacts.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/effects/force_field_effects.h"
#include "shared/physics/islands/sleep.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/kernel_view.h"
#include "shared/physics/solver/locked_bodies.h"
#include "shared/physics/stabilizers/geometric_stiffness/taut_bodies.h"
#include "shared/physics/world/body_state.h"

#include <cmath>

namespace jostle::physics {

using math::Quat;
using math::Vec3;

namespace {

/// Calls `piece(first, last)` for ranges that together cover all body blocks, in any order and on
/// any thread.
template <typename Piece>
void for_each_body_range(Cluster& cluster, const Piece& piece) {
  for_each_range(
      cluster.workers, cluster.solver.body_blocks.size(), body_blocks_per_piece, [&](Range range) {
        piece(static_cast<std::uint32_t>(range.first), static_cast<std::uint32_t>(range.last));
      });
}

void run(Cluster& cluster, BlockKernel kernel) {
  const KernelView view = make_kernel_view(cluster);
  for_each_body_range(cluster,
                      [&](std::uint32_t first, std::uint32_t last) { kernel(view, first, last); });
}

inline float flushed(float x) {
  return math::abs_of(x) < tiny ? 0.0f : x;
}
/// Returns `v` with components below `tiny` in size replaced by zero.
inline Vec3 flushed(Vec3 v) {
  return {flushed(v.x), flushed(v.y), flushed(v.z)};
}

/// Sets the velocity of a kinematic body towards its target, or to zero if it has reached the
/// target.
void aim_at_target(Body& body, float dt) {
  if (body.target_state == TargetState::Reached) {
    body.target_state = TargetState::None;
    body.linear_velocity = {};
    body.angular_velocity = {};
  }
  if (body.target_state != TargetState::Pending) return;
  const Velocities wanted = velocities_to(body, target_of(body), dt);
  body.linear_velocity = wanted.linear;
  body.angular_velocity = wanted.angular;
}

/// Exact solution of dv/dt = a − c·v over a substep h, for linear damping c and a constant
/// acceleration a. With x = c·h,
///
///   v(h)         = v·e^−x + a·h·φ,     φ = (1 − e^−x)/x
///   displacement = h·(w·v + (1 − w)·v(h)),     w = 1/x − 1/(e^x − 1)
///
/// Without damping w is ½, as in free fall. With strong damping w tends to 0, because v decays at
/// the very start of the substep.
struct Damping {
  float keep = 1;            // e^−x
  float loss = 0;            // e^−x − 1
  float gain = 1;            // φ
  float start_share = 0.5f;  // w
};
Damping damping_of(float damping, float h) {
  const float x = damping * h;
  if (x == 0.0f) return {};
  const float keep = math::exp(-x), loss = math::expm1(-x);
  // For small x the difference would cancel, so the series of w is used.
  const float start_share =
      x < 0.5f ? 0.5f - x * (1.0f / 12 - x * x * (1.0f / 720)) : 1 / x + keep / loss;
  return {keep, loss, -loss / x, start_share};
}

void fill_lane(const Cluster& cluster, const Body& body, const FieldEffect& effect, float h,
               std::size_t lane, BodyBlock& block) {
  block.rotation[0][lane] = body.rotation.x;
  block.rotation[1][lane] = body.rotation.y;
  block.rotation[2][lane] = body.rotation.z;
  block.rotation[3][lane] = body.rotation.w;
  set(block.angular_momentum, lane, body.angular_momentum * body.taut_factor);
  set(block.reference_angular, lane, body.angular_velocity);
  set(block.linear_rest, lane, body.linear_rest);
  block.turn_ratio[lane] = body.turn_ratio;
  block.is_dynamic[lane] = is_dynamic(body) ? 1.0f : 0.0f;
  block.is_isotropic[lane] = !is_dynamic(body) || body.is_isotropic ? 1.0f : 0.0f;
  const Damping linear = damping_of(body.linear_damping + effect.linear_rate, h);
  const Damping angular = damping_of(body.angular_damping + effect.angular_rate, h);
  block.linear_keep[lane] = linear.keep;
  block.linear_loss[lane] = linear.loss;
  block.start_share[lane] = linear.start_share;
  block.angular_keep[lane] = angular.keep;
  if (!is_dynamic(body)) return;
  set(block.inverse_inertia_local, lane, body.inverse_inertia_local * (1.0f / body.taut_factor));
  set(block.inertia_local, lane, body.inertia_local * body.taut_factor);
  const Vec3 acceleration =
      cluster.world.options.gravity * body.gravity_scale + body.force * body.inverse_mass;
  set(block.linear_gain, lane, free_linear(body.locks, acceleration) * (h * linear.gain));
  set(block.angular_gain, lane, body.torque * angular.gain);
}

/// Fills the blocks [first, last) from the cluster's list of bodies. A body's solver index is its
/// position in the list plus one, because index 0 is the immovable body.
void fill_blocks(Cluster& cluster, std::uint32_t first, std::uint32_t last) {
  SolverArrays& solver = cluster.solver;
  for (std::uint32_t i = first; i < last; ++i) {
    BodyBlock& block = solver.body_blocks[i];
    block = BodyBlock{};
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      const std::size_t index = i * lane_count + lane;
      solver.bodies[index] = SolverBody{};
      solver.velocities[index] = SolverVelocity{};
      if (index == 0 || index > cluster.bodies.size()) continue;
      Body& body = cluster.world.bodies[cluster.bodies[index - 1]];
      JOSTLE_ASSERT_SLOW(is_active(body));
      body.solver_index = static_cast<std::uint32_t>(index);
      solver.bodies[index].body = cluster.bodies[index - 1];
      solver.bodies[index].is_dynamic = is_dynamic(body);
      solver.bodies[index].locks = body.locks;
      solver.velocities[index] = {body.linear_velocity, body.inverse_mass, body.angular_velocity,
                                  0};
      fill_lane(cluster, body, field_effect(cluster.world, cluster.bodies[index - 1]),
                solver.substep_seconds, lane, block);
    }
  }
}

/// Prepares bodies that have locks. Call it after the kernel has prepared the same blocks.
void prepare_locked_bodies(Cluster& cluster, std::uint32_t first, std::uint32_t last) {
  const float h = cluster.solver.substep_seconds;
  for (auto i = static_cast<std::uint32_t>(first * lane_count); i < last * lane_count; ++i) {
    if (cluster.solver.bodies[i].locks == 0) continue;
    const Body& body = cluster.world.bodies[cluster.solver.bodies[i].body];
    prepare_locked_body(cluster, i, body,
                        body.torque * (damping_of(body.angular_damping, h).gain * h));
  }
}

/// Writes rotation, angular velocity and angular momentum back to the body, and updates its taut
/// factor. In the solver, inertia and angular momentum are multiplied by the taut factor; the
/// stored momentum belongs to the body's true inertia (taut_bodies.h).
void finish_rotation(Body& body, const BodyBlock& block, std::size_t lane,
                     const SolverVelocity& velocity) {
  const Quat rotation_before = body.rotation;
  body.rotation = rotation_of(block.rotation, lane);
  if (!is_dynamic(body)) return;
  const Vec3 angular = velocity.angular;
  const float was = body.taut_factor;
  body.taut_factor = next_taut_factor(was, velocity.tautness);
  const float kept = turn_kept(was, body.taut_factor);
  if (angular_part(body.locks) != 0) {
    finish_locked_rotation(rotation_before, body.rotation, flushed(angular * kept), body);
    return;
  }
  if (body.is_isotropic) {
    body.angular_velocity = flushed(angular * kept);
    body.angular_momentum = body.angular_velocity * body.inertia_local.cx.x;
    return;
  }
  body.angular_momentum = flushed(momentum_of(block, lane, angular) * (kept / was));
  update_angular_velocity(body);
  const bool is_known = block.is_free[lane] == 1.0f && was == 1.0f && body.taut_factor == 1.0f;
  body.turn_ratio = is_known ? block.turn_ratio[lane] : 0.0f;
}

// Rest of loaded bodies. The velocity at the end of a step does not tell whether a loaded body
// rests. Soft joints and contacts yield to their load at a small velocity, and position correction
// moves the body back by the same distance, without a velocity, every few steps. A body is
// therefore also slow if its mean motion is, and if that is a small share of its velocity: a body
// that begins to fall over is not at rest. The mean is exponential, over half of the time after
// which bodies sleep, and only of bodies whose velocity is within `nearly_slow` times the limits.
// Small bodies may turn faster than the angular limit, as long as the rotation moves none of their
// points faster than the linear limit.

constexpr float nearly_slow = 4;
/// Maximum share of the velocity that the mean motion of a resting body has.
constexpr float lasting_share = 0.25f;

/// The limits of the test for rest, which are the same for all bodies.
struct RestLimits {
  float linear = 0, angular = 0;  // WorldOptions::sleep_linear_speed and sleep_angular_speed
  float rate = 0;                 // steps per second
  float weight = 0;               // weight of one step in the mean motion
};
RestLimits rest_limits_of(const WorldOptions& options) {
  const float rate = 1.0f / options.step_seconds;
  return {options.sleep_linear_speed, options.sleep_angular_speed, rate,
          1.0f / math::max_of(0.5f * options.sleep_seconds * rate, 1.0f)};
}

/// Updates a mean motion `mean` by the motion of the last step per second, `motion`. Returns true
/// if `velocity` or the mean is within the limit `most`. `weight` is the weight of one step in the
/// mean.
inline bool follow_motion(Vec3 motion, Vec3 velocity, float most, float weight, Vec3& mean) {
  const float nearly = nearly_slow * most;
  if (length_squared(velocity) > nearly * nearly) {
    mean = motion;
    return false;
  }
  mean = mean + (motion - mean) * weight;
  const float squared = length_squared(velocity), lasting = length_squared(mean);
  return squared <= most * most ||
         (lasting <= most * most && lasting <= lasting_share * lasting_share * squared);
}

/// Returns true if the body is slow enough to sleep. Updates the mean motion of dynamic bodies.
bool is_slow(const RestLimits& limits, const SolverMotion& motion, Body& body) {
  if (!is_dynamic(body)) {
    return body.linear_velocity == Vec3{} && body.angular_velocity == Vec3{};
  }
  const float turn = math::max_of(limits.angular, limits.linear / math::max_of(body.extent, tiny));
  const bool is_linear_slow = follow_motion(motion.offset * limits.rate, body.linear_velocity,
                                            limits.linear, limits.weight, body.mean_linear);
  const bool is_angular_slow = follow_motion(motion.turn * limits.rate, body.angular_velocity, turn,
                                             limits.weight, body.mean_angular);
  return is_linear_slow && is_angular_slow;
}

/// Returns true if no contact or joint holds the body, and gravity or force fields accelerate it.
/// Such a body must not sleep, however slow it is.
bool is_falling(const Cluster& cluster, std::uint32_t index, const Body& body) {
  if (!is_dynamic(body) || !cluster.solver.bodies[index].is_free ||
      body.first_joint_edge != no_index) {
    return false;
  }
  const FieldEffect& effect = field_effect(cluster.world, cluster.solver.bodies[index].body);
  if (effect.is_any) return !effect.is_balanced;
  return free_linear(body.locks, cluster.world.options.gravity * body.gravity_scale) != Vec3{};
}

bool is_sound(const Body& body) {
  return is_finite(body.position) && is_finite(body.rotation) && is_finite(body.linear_velocity) &&
         is_finite(body.angular_velocity) && is_finite(body.angular_momentum) &&
         is_finite(body.mean_linear + body.mean_angular) &&
         std::abs(body.position.x) < max_coordinate && std::abs(body.position.y) < max_coordinate &&
         std::abs(body.position.z) < max_coordinate;
}

/// Copies the solver's result to the body. Returns true if the result is finite and in bounds;
/// otherwise the body keeps its previous pose.
bool finish_body(Cluster& cluster, const RestLimits& limits, std::uint32_t index, Body& body) {
  const SolverArrays& solver = cluster.solver;
  const BodyBlock& block = solver.body_blocks[index / lane_count];
  const math::Position position_before = body.position;
  const Quat rotation_before = body.rotation;

  body.position = body.position + solver.motions[index].offset;
  if (body.locks != 0) body.position = locked_position(body.locks, position_before, body.position);
  if (is_dynamic(body)) {
    body.linear_velocity = flushed(solver.velocities[index].linear);
    body.linear_rest = flushed(vector_of(block.linear_rest, index % lane_count));
  }
  SolverVelocity velocity = solver.velocities[index];
  if (!cluster.world.uses(Stabilizer::GeometricStiffness)) velocity.tautness = 0;
  finish_rotation(body, block, index % lane_count, velocity);
  if (is_dynamic(body)) limit_speeds(cluster.world.options, body);
  body.force = {};
  body.torque = {};
  if (body.target_state == TargetState::Pending) {
    body.target_state = TargetState::Reached;
    const math::Pose target = target_of(body);
    body.position = transform_point(target, body.local_centre);
    body.rotation = target.rotation;
  }
  const bool is_still = is_slow(limits, solver.motions[index], body);
  if (!is_sound(body)) {
    body.position = position_before;
    body.rotation = rotation_before;
    return false;
  }
  const bool may_rest = is_still && !is_falling(cluster, index, body);
  body.sleep_time = may_rest ? body.sleep_time + cluster.world.options.step_seconds : 0.0f;
  return true;
}

/// Returns the value of BodyBlock::is_free for a body.
float freedom_of(const Cluster& cluster, std::size_t index) {
  const SolverBody& body = cluster.solver.bodies[index];
  if (body.is_free) return 1;
  const bool is_jointed =
      body.body != no_index && cluster.world.bodies[body.body].first_joint_edge != no_index;
  if (is_jointed) return 0;
  return body.touches_movable ? free_if_untouched : free_to_slide;
}

}  // namespace

void aim_kinematic_bodies(WorldState& world) {
  for (const std::uint32_t index : world.changed_bodies) {
    Body& body = world.bodies[index];
    if (is_dynamic(body) || body.target_state == TargetState::None) continue;
    aim_at_target(body, world.options.step_seconds);
    body.is_changed = true;
  }
}

void prepare_bodies(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  solver.substep_seconds =
      cluster.world.options.step_seconds / static_cast<float>(cluster.substeps());
  const std::size_t blocks = (cluster.bodies.size() + lane_count) / lane_count;
  const std::size_t rows = blocks * lane_count;
  solver.body_blocks.resize(blocks);
  solver.bodies.resize(rows);
  solver.velocities.resize(rows);
  solver.motions.resize(rows);
  solver.inertias.resize(rows);
  solver.gains.resize(rows);
  solver.turned_lanes.resize(blocks);
  const KernelView view = make_kernel_view(cluster);
  for_each_body_range(cluster, [&](std::uint32_t first, std::uint32_t last) {
    fill_blocks(cluster, first, last);
    cluster.world.runtime.kernels->prepare_bodies(view, first, last);
    if (cluster.world.has_locks) prepare_locked_bodies(cluster, first, last);
  });
}

void note_free_bodies(Cluster& cluster) {
  SolverArrays& solver = cluster.solver;
  for_each_body_range(cluster, [&](std::uint32_t first, std::uint32_t last) {
    for (std::size_t i = first * lane_count; i < last * lane_count; ++i)
      solver.body_blocks[i / lane_count].is_free[i % lane_count] = freedom_of(cluster, i);
  });
}

void integrate_velocities(Cluster& cluster) {
  run(cluster, cluster.world.runtime.kernels->integrate_velocities);
}

void note_warm_start(Cluster& cluster) {
  run(cluster, cluster.world.runtime.kernels->note_warm_start);
}

void integrate_positions(Cluster& cluster) {
  run(cluster, cluster.world.runtime.kernels->integrate_positions);
}

void finish_bodies(Cluster& cluster) {
  const SolverArrays& solver = cluster.solver;
  WorldState& world = cluster.world;
  const RestLimits limits = rest_limits_of(world.options);
  for_each_body_range(cluster, [&](std::uint32_t first, std::uint32_t last) {
    for (auto i = static_cast<std::uint32_t>(first * lane_count); i < last * lane_count; ++i) {
      if (i == 0 || i > cluster.bodies.size()) continue;
      const std::uint32_t slot = cluster.bodies[i - 1];
      Body& body = world.bodies[slot];
      world.starts[body.awake_place] = {body.position, body.rotation};
      world.turns[body.awake_place] = solver.motions[i].turn;
      SolvedBody& solved = world.solved[body.awake_place];
      solved = {};
      solved.is_kinematic = !is_dynamic(body);
      if (is_dynamic(body)) solved.thrown = throw_of(world, body, solver.motions[i]);
      solved.is_sound = finish_body(cluster, limits, i, body);
      solved.has_left_box = solved.is_sound && refresh_places(world, slot);
      solved.may_sleep = is_rested(world.options, body);
    }
  });
}

}  // namespace jostle::physics
