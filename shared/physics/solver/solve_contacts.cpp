#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/solver/contact_solver.h"

#include <cmath>

namespace jostle::physics {

using math::Vec3;

namespace {

inline float relative_speed(const SolverVelocity& a, const SolverVelocity& b, Vec3 direction,
                            const AngularRow& row) {
  return dot(direction, b.linear - a.linear) + dot(row.arm_b, b.angular) -
         dot(row.arm_a, a.angular);
}

inline void apply(SolverVelocity& a, SolverVelocity& b, const ContactConstraint& c, Vec3 direction,
                  const AngularRow& row, float impulse) {
  a.linear -= direction * (c.inverse_mass_a * impulse);
  a.angular -= row.turn_a * impulse;
  b.linear += direction * (c.inverse_mass_b * impulse);
  b.angular += row.turn_b * impulse;
}

/// Also forgets what is not finite.
float snapped(float x) {
  const float size = math::abs_of(x);
  return size >= tiny && size <= max_impulse ? x : 0.0f;
}

/// Both tangents at once: the impulse that would stop all sliding, shortened to the friction cone.
void solve_friction(SolverVelocity& a, SolverVelocity& b, ContactConstraint& c, float max_impulse) {
  const float speed_0 = relative_speed(a, b, c.tangents[0], c.tangent_rows[0]);
  const float speed_1 = relative_speed(a, b, c.tangents[1], c.tangent_rows[1]);
  float total_0 = c.tangent_impulse[0] - (c.mass_00 * speed_0 + c.mass_01 * speed_1);
  float total_1 = c.tangent_impulse[1] - (c.mass_01 * speed_0 + c.mass_11 * speed_1);
  const float squared = total_0 * total_0 + total_1 * total_1;
  if (squared > max_impulse * max_impulse) {
    const float scale = max_impulse / std::sqrt(squared);
    total_0 *= scale;
    total_1 *= scale;
  }
  apply(a, b, c, c.tangents[0], c.tangent_rows[0], total_0 - c.tangent_impulse[0]);
  apply(a, b, c, c.tangents[1], c.tangent_rows[1], total_1 - c.tangent_impulse[1]);
  c.tangent_impulse = {total_0, total_1};
}

/// Friction against turning about the normal.
void solve_twist(SolverVelocity& a, SolverVelocity& b, ContactConstraint& c, float max_impulse) {
  const float speed = dot(c.normal, b.angular - a.angular);
  const float total =
      math::clamp(c.twist_impulse - c.twist_mass * speed, -max_impulse, max_impulse);
  const float impulse = total - c.twist_impulse;
  c.twist_impulse = total;
  a.angular -= c.twist_turn_a * impulse;
  b.angular += c.twist_turn_b * impulse;
}

/// What position asks of velocity at a point.
struct Bias {
  float velocity = 0;  // m/s
  float mass_scale = 1;
  float impulse_scale = 0;
};

Bias find_bias(const ContactConstraint& c, float separation, float h, float max_push_speed,
               bool uses_bias) {
  // Not yet touching: may close the gap within the substep, no faster.
  if (separation > 0.0f) return {separation / h, 1.0f, 0.0f};
  if (!uses_bias) return {};
  const float wanted = c.softness.bias_rate * separation;
  return {math::max_of(wanted, -max_push_speed), c.softness.mass_scale, c.softness.impulse_scale};
}

void solve_normals(SolverArrays& solver, const ContactConstraint& c, SolverVelocity& a,
                   SolverVelocity& b, float max_push_speed, bool uses_bias) {
  const SolverMotion &moved_a = solver.motions[c.a], &moved_b = solver.motions[c.b];
  const float parted = dot(c.normal, moved_b.offset - moved_a.offset);
  for (std::uint32_t i = 0; i < c.point_count; ++i) {
    ContactPointRow& p = solver.points[c.first_point + i];
    // To first order, position changes as velocity does: through the same row. It has not changed
    // since the pass without bias of the substep before.
    if (!uses_bias) {
      p.separation_now =
          p.separation + parted + dot(p.row.arm_b, moved_b.turn) - dot(p.row.arm_a, moved_a.turn);
    }
    const Bias bias =
        find_bias(c, p.separation_now, solver.substep_seconds, max_push_speed, uses_bias);
    const float speed = relative_speed(a, b, c.normal, p.row);
    const float change =
        -p.mass * bias.mass_scale * (speed + bias.velocity) -
        bias.impulse_scale * (p.impulse - math::min_of(c.reference_impulse, p.impulse));
    // Clamp the total, not the increment: a later row may take impulse back.
    const float total = math::max_of(p.impulse + change, 0.0f);
    const float impulse = total - p.impulse;
    p.impulse = total;
    p.max_impulse = math::max_of(p.max_impulse, total);
    apply(a, b, c, c.normal, p.row, impulse);
  }
}

/// Shapes that met and parted within this step touched all the same.
void note_meeting(WorldState& world, Contact& contact) {
  if (contact.is_touching) return;
  contact.is_touching = true;
  world.begins.push_back(
      {world.shape_pool.at(contact.shape_a), world.shape_pool.at(contact.shape_b)});
}

void note_hit(WorldState& world, const Contact& contact, const ContactPointRow& row,
              const ManifoldPoint& point, Vec3 normal) {
  const Body& a = world.bodies[contact.body_a];
  world.hits.push_back({world.shape_pool.at(contact.shape_a), world.shape_pool.at(contact.shape_b),
                        a.position + point.offset_a, normal, -row.approach_speed});
}

/// At most one hit per contact: that of its fastest point.
void note_events(WorldState& world, const ContactConstraint& c, Contact& contact) {
  std::uint32_t fastest = c.point_count;
  float fastest_speed = -world.options.restitution_threshold;
  for (std::uint32_t i = 0; i < c.point_count; ++i) {
    const ContactPointRow& p = world.solver.points[c.first_point + i];
    if (p.max_impulse == 0.0f) continue;
    note_meeting(world, contact);
    // A point that was pressed before has met already.
    const bool is_new = manifold_at(contact, c.manifold).points[i].normal_impulse == 0.0f;
    if (is_new && p.approach_speed < fastest_speed) {
      fastest_speed = p.approach_speed;
      fastest = i;
    }
  }
  if (fastest < c.point_count) {
    note_hit(world, contact, world.solver.points[c.first_point + fastest],
             manifold_at(contact, c.manifold).points[fastest], c.normal);
  }
}

}  // namespace

void warm_start_contacts(WorldState& world) {
  SolverArrays& solver = world.solver;
  for (const ContactConstraint& c : solver.contacts) {
    SolverVelocity a = solver.velocities[c.a], b = solver.velocities[c.b];
    for (std::uint32_t i = 0; i < c.point_count; ++i) {
      const ContactPointRow& p = solver.points[c.first_point + i];
      apply(a, b, c, c.normal, p.row, p.impulse);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      apply(a, b, c, c.tangents[i], c.tangent_rows[i], c.tangent_impulse[i]);
    }
    a.angular -= c.twist_turn_a * c.twist_impulse;
    b.angular += c.twist_turn_b * c.twist_impulse;
    solver.velocities[c.a] = a;
    solver.velocities[c.b] = b;
  }
}

void solve_contacts(WorldState& world, bool uses_bias) {
  SolverArrays& solver = world.solver;
  for (ContactConstraint& c : solver.contacts) {
    SolverVelocity a = solver.velocities[c.a], b = solver.velocities[c.b];
    float pressed = 0, twist = 0;
    for (std::uint32_t i = 0; i < c.point_count; ++i) {
      const ContactPointRow& p = solver.points[c.first_point + i];
      pressed += p.impulse;
      twist += p.impulse * p.lever;
    }
    // Friction before the normals: not penetrating matters more, so it has the last word.
    if (c.point_count > 1) solve_twist(a, b, c, c.friction * twist);
    solve_friction(a, b, c, c.friction * pressed);
    solve_normals(solver, c, a, b, world.options.max_contact_push_speed, uses_bias);
    solver.velocities[c.a] = a;
    solver.velocities[c.b] = b;
  }
}

void end_substep(WorldState& world) {
  SolverArrays& solver = world.solver;
  for (ContactConstraint& c : solver.contacts) {
    float pressed = 0;
    for (std::uint32_t i = 0; i < c.point_count; ++i) {
      ContactPointRow& p = solver.points[c.first_point + i];
      pressed += p.impulse;
      p.step_impulse += p.impulse;
    }
    const float mean = pressed / static_cast<float>(c.point_count);
    const float followed = c.reference_impulse + proximal_rate * (mean - c.reference_impulse);
    c.reference_impulse = math::min_of(followed, mean);
  }
}

void apply_restitution(WorldState& world) {
  SolverArrays& solver = world.solver;
  const float threshold = world.options.restitution_threshold;
  for (ContactConstraint& c : solver.contacts) {
    if (c.restitution == 0.0f) continue;
    SolverVelocity a = solver.velocities[c.a], b = solver.velocities[c.b];
    for (std::uint32_t i = 0; i < c.point_count; ++i) {
      ContactPointRow& p = solver.points[c.first_point + i];
      if (p.approach_speed > -threshold || p.max_impulse == 0.0f) continue;
      const float speed = relative_speed(a, b, c.normal, p.row);
      const float change = -p.mass * (speed + c.restitution * p.approach_speed);
      // Not added to p.impulse: a bounce is no guess for the impulse of the next step.
      const float impulse = math::max_of(change, -p.impulse);
      apply(a, b, c, c.normal, p.row, impulse);
      p.step_impulse += impulse;
    }
    solver.velocities[c.a] = a;
    solver.velocities[c.b] = b;
  }
}

void store_impulses(WorldState& world) {
  SolverArrays& solver = world.solver;
  for (const ContactConstraint& c : solver.contacts) {
    Contact& contact = world.contacts[c.contact];
    note_events(world, c, contact);
    Manifold& manifold = manifold_at(contact, c.manifold);
    const Vec3 friction =
        c.tangents[0] * c.tangent_impulse[0] + c.tangents[1] * c.tangent_impulse[1];
    manifold.friction_impulse = {snapped(friction.x), snapped(friction.y), snapped(friction.z)};
    manifold.twist_impulse = snapped(c.twist_impulse);
    manifold.reference_impulse = snapped(c.reference_impulse);
    for (std::uint32_t i = 0; i < c.point_count; ++i) {
      const ContactPointRow& p = solver.points[c.first_point + i];
      manifold.points[i].normal_impulse = snapped(p.impulse);
      manifold.points[i].step_impulse = snapped(p.step_impulse);
    }
  }
}

}  // namespace jostle::physics
