#include "shared/physics/solver/body_solver.h"

#include "shared/math/trig.h"
#include "shared/physics/body_state.h"
#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"

#include <cmath>

namespace jostle::physics {

using math::Quat;
using math::Vec3;

namespace {

float snapped(float x) {
  return math::abs_of(x) < tiny ? 0.0f : x;
}
Vec3 snapped(Vec3 v) {
  return {snapped(v.x), snapped(v.y), snapped(v.z)};
}

/// Cayley's map: the rotation with axis ω and tan(angle/2) = h·|ω|/2, no trigonometry.
Quat cayley(Vec3 half_turn) {
  return normalized(Quat{half_turn.x, half_turn.y, half_turn.z, 1.0f});
}

/// Torque-free rotation of one substep. In the body frame dL/dt = L × ω; the implicit midpoint
/// rule for it is solved by fixed-point iteration, and its exact solution is the Cayley rotation
/// by the midpoint's ω. The world's L does not change at all, and energy has no drift of first
/// order. Returns the summed turn.
Vec3 turn_freely(const Body& body, float h, SolverBody& s, SolverVelocity& velocity) {
  if (velocity.angular != s.reference_angular) {
    s.angular_momentum += s.inertia * (velocity.angular - s.reference_angular);
  }
  const math::Mat3& inverse = body.inverse_inertia_local;
  const Vec3 start = inverse_rotate(s.rotation, s.angular_momentum);
  Vec3 momentum = start;
  Vec3 omega = inverse * momentum;
  constexpr int iterations = 3;  // the rest is below float's resolution for h·|ω| < 0.05
  for (int i = 0; i < iterations; ++i) {
    momentum = start + cross(momentum, omega) * (0.5f * h);
    omega = inverse * momentum;
  }
  const Vec3 turn = rotate(s.rotation, omega) * h;
  s.rotation = normalized(s.rotation * cayley(omega * (0.5f * h)));

  const Vec3 angular = rotate(s.rotation, inverse * inverse_rotate(s.rotation, s.angular_momentum));
  s.base_angular += angular - velocity.angular;
  velocity.angular = angular;
  s.reference_angular = angular;
  return turn;
}

/// A kinematic body's velocity towards its target, or to rest where the target has been reached.
void aim_at_target(Body& body, float dt) {
  if (body.target_state == TargetState::Reached) {
    body.target_state = TargetState::None;
    body.linear_velocity = {};
    body.angular_velocity = {};
  }
  if (body.target_state != TargetState::Pending) return;
  const math::Position goal = transform_point(body.target, body.local_centre);
  body.linear_velocity = (goal - body.position) / dt;
  body.angular_velocity = to_rotation_vector(body.target.rotation * conjugate(body.rotation)) / dt;
}

SolverBody prepare_body(const WorldState& world, std::uint32_t index, const Body& body, float h) {
  SolverBody s;
  s.body = index;
  s.is_dynamic = is_dynamic(body);
  s.is_isotropic = body.is_isotropic;
  s.rotation = body.rotation;
  s.angular_momentum = body.angular_momentum;
  s.reference_angular = body.angular_velocity;
  if (!s.is_dynamic) return s;
  s.inverse_inertia = world_tensor(body.inverse_inertia_local, body.rotation);
  if (!s.is_isotropic) s.inertia = world_tensor(body.inertia_local, body.rotation);
  s.linear_gain = (world.options.gravity * body.gravity_scale + body.force * body.inverse_mass) * h;
  s.angular_gain = s.inverse_inertia * body.torque * h;
  s.linear_keep = 1.0f / (1.0f + h * body.linear_damping);
  s.angular_keep = 1.0f / (1.0f + h * body.angular_damping);
  return s;
}

void finish_rotation(Body& body, const SolverBody& s, Vec3 angular) {
  body.rotation = s.rotation;
  if (!s.is_dynamic) return;
  if (s.is_isotropic) {
    body.angular_velocity = snapped(angular);
    body.angular_momentum = body.angular_velocity * body.inertia_local.cx.x;
    return;
  }
  Vec3 momentum = s.angular_momentum;
  if (angular != s.reference_angular) momentum += s.inertia * (angular - s.reference_angular);
  body.angular_momentum = snapped(momentum);
  update_angular_velocity(body);
}

bool is_slow(const WorldOptions& options, const Body& body) {
  const float linear = options.sleep_linear_speed, angular = options.sleep_angular_speed;
  if (!is_dynamic(body)) {
    return body.linear_velocity == Vec3{} && body.angular_velocity == Vec3{};
  }
  return length_squared(body.linear_velocity) <= linear * linear &&
         length_squared(body.angular_velocity) <= angular * angular;
}

bool is_sound(const Body& body) {
  return is_finite(body.position) && is_finite(body.rotation) && is_finite(body.linear_velocity) &&
         is_finite(body.angular_velocity) && is_finite(body.angular_momentum) &&
         std::abs(body.position.x) < max_coordinate && std::abs(body.position.y) < max_coordinate &&
         std::abs(body.position.z) < max_coordinate;
}

}  // namespace

void aim_kinematic_bodies(WorldState& world) {
  for (const std::uint32_t index : world.awake_bodies) {
    Body& body = world.bodies[index];
    if (is_dynamic(body) || body.target_state == TargetState::None) continue;
    aim_at_target(body, world.options.step_seconds);
    body.is_changed = true;
  }
}

void prepare_bodies(WorldState& world) {
  SolverArrays& solver = world.solver;
  const float h = world.options.step_seconds / static_cast<float>(world.options.substeps);
  solver.substep_seconds = h;
  solver.bodies.assign(1, SolverBody{});
  solver.velocities.assign(1, SolverVelocity{});
  for (const std::uint32_t index : world.awake_bodies) {
    Body& body = world.bodies[index];
    if (!is_active(body)) continue;
    body.solver_index = static_cast<std::uint32_t>(solver.bodies.size());
    solver.bodies.push_back(prepare_body(world, index, body, h));
    solver.velocities.push_back(
        {body.linear_velocity, body.inverse_mass, body.angular_velocity, 0});
  }
  solver.motions.assign(solver.bodies.size(), SolverMotion{});
  // The first substep has nothing to carry.
  for (std::size_t i = 1; i < solver.bodies.size(); ++i) {
    solver.bodies[i].base_linear = solver.velocities[i].linear;
    solver.bodies[i].base_angular = solver.velocities[i].angular;
  }
}

void integrate_velocities(WorldState& world) {
  SolverArrays& solver = world.solver;
  for (std::size_t i = 1; i < solver.bodies.size(); ++i) {
    SolverBody& s = solver.bodies[i];
    if (!s.is_dynamic) continue;
    SolverVelocity& velocity = solver.velocities[i];
    const Vec3 carried_linear = velocity.linear - s.base_linear;
    const Vec3 carried_angular = velocity.angular - s.base_angular;
    s.base_linear =
        limited((velocity.linear + s.linear_gain) * s.linear_keep, world.options.max_linear_speed);
    s.base_angular = limited((velocity.angular + s.angular_gain) * s.angular_keep,
                             world.options.max_angular_speed);
    velocity.linear = s.base_linear + carried_linear;
    velocity.angular = s.base_angular + carried_angular;
  }
}

void integrate_positions(WorldState& world) {
  SolverArrays& solver = world.solver;
  const float h = solver.substep_seconds;
  for (std::size_t i = 1; i < solver.bodies.size(); ++i) {
    SolverBody& s = solver.bodies[i];
    SolverVelocity& velocity = solver.velocities[i];
    SolverMotion& motion = solver.motions[i];
    motion.offset += velocity.linear * h;
    // x(t+h) = x + h·v(t+h) − ½h²·g is exact under constant gravity. Where contacts hold the body
    // the velocity is the solver's, and the step stays v·h.
    if (s.is_free) motion.offset -= s.linear_gain * (0.5f * h);
    if (s.is_dynamic && !s.is_isotropic) {
      motion.turn += turn_freely(world.bodies[s.body], h, s, velocity);
    } else {
      s.rotation = normalized(cayley(velocity.angular * (0.5f * h)) * s.rotation);
      motion.turn += velocity.angular * h;
    }
  }
}

void finish_bodies(WorldState& world) {
  SolverArrays& solver = world.solver;
  const float dt = world.options.step_seconds;
  for (std::size_t i = 1; i < solver.bodies.size(); ++i) {
    const SolverBody& s = solver.bodies[i];
    Body& body = world.bodies[s.body];
    const math::Position position_before = body.position;
    const Quat rotation_before = body.rotation;

    body.position = body.position + solver.motions[i].offset;
    if (s.is_dynamic) body.linear_velocity = snapped(solver.velocities[i].linear);
    finish_rotation(body, s, solver.velocities[i].angular);
    body.force = {};
    body.torque = {};
    if (body.target_state == TargetState::Pending) {
      body.target_state = TargetState::Reached;
      body.position = transform_point(body.target, body.local_centre);
      body.rotation = body.target.rotation;
    }
    if (!is_sound(body)) {
      body.position = position_before;
      body.rotation = rotation_before;
      quarantine(world, s.body);
      continue;
    }
    body.sleep_time = is_slow(world.options, body) ? body.sleep_time + dt : 0.0f;
    refresh_proxies(world, s.body);
  }
}

}  // namespace jostle::physics
