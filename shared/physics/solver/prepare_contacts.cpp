#include "shared/math/trig.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/solver/contact_solver.h"

#include <cmath>

namespace jostle::physics {

using math::Vec3;

namespace {

struct Pair {
  const SolverBody &a, &b;
  float inverse_mass = 0;  // summed
};

Softness make_softness(float hertz, float damping_ratio, float h) {
  if (hertz == 0.0f) return {};
  const float omega = 2.0f * math::pi * hertz;
  const float damping = 2.0f * damping_ratio + h * omega;
  const float c = h * omega * damping;
  const float scale = 1.0f / (1.0f + c);
  return {omega / damping, c * scale, scale};
}

AngularRow make_row(const Pair& pair, Vec3 r_a, Vec3 r_b, Vec3 direction) {
  AngularRow row;
  row.arm_a = cross(r_a, direction);
  row.arm_b = cross(r_b, direction);
  row.turn_a = pair.a.inverse_inertia * row.arm_a;
  row.turn_b = pair.b.inverse_inertia * row.arm_b;
  return row;
}

float response(const Pair& pair, const AngularRow& row) {
  return pair.inverse_mass + dot(row.arm_a, row.turn_a) + dot(row.arm_b, row.turn_b);
}

float inverse_or_zero(float x) {
  return x > 0.0f ? 1.0f / x : 0.0f;
}

/// The middle of the points that touch or nearly do; of all, where none does.
void find_friction_centre(const Manifold& manifold, Vec3& r_a, Vec3& r_b) {
  Vec3 sum_a, sum_b;
  float count = 0;
  for (const bool counts_all : {false, true}) {
    for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
      const ManifoldPoint& point = manifold.points[i];
      if (!counts_all && point.separation > speculative_distance) continue;
      sum_a += point.offset_a;
      sum_b += point.offset_b;
      count += 1;
    }
    if (count > 0) break;
  }
  r_a = sum_a / count;
  r_b = sum_b / count;
}

void prepare_friction(const Pair& pair, const Manifold& manifold, Vec3 r_a, Vec3 r_b,
                      ContactConstraint& c) {
  c.tangents[0] = perpendicular(c.normal);
  c.tangents[1] = cross(c.normal, c.tangents[0]);
  for (std::size_t i = 0; i < 2; ++i) {
    c.tangent_rows[i] = make_row(pair, r_a, r_b, c.tangents[i]);
    c.tangent_impulse[i] = dot(manifold.friction_impulse, c.tangents[i]);
  }
  const AngularRow &u = c.tangent_rows[0], &v = c.tangent_rows[1];
  const float k00 = response(pair, u), k11 = response(pair, v);
  const float k01 = dot(u.arm_a, v.turn_a) + dot(u.arm_b, v.turn_b);
  const float scale = inverse_or_zero(k00 * k11 - k01 * k01);
  c.mass_00 = k11 * scale;
  c.mass_11 = k00 * scale;
  c.mass_01 = -k01 * scale;

  // A single point has no arm to resist twist with.
  if (manifold.point_count < 2) return;
  c.twist_turn_a = pair.a.inverse_inertia * c.normal;
  c.twist_turn_b = pair.b.inverse_inertia * c.normal;
  c.twist_mass = inverse_or_zero(dot(c.normal, c.twist_turn_a) + dot(c.normal, c.twist_turn_b));
  c.twist_impulse = manifold.twist_impulse;
}

/// The relative normal velocity with which a gap closes: v² = v₀² − 2·a·d.
float impact_speed(float speed, float acceleration, float gap) {
  if (gap <= 0.0f || speed >= 0.0f) return speed;
  const float squared = speed * speed - 2.0f * acceleration * gap;
  return squared > 0.0f ? -std::sqrt(squared) : 0.0f;
}

void prepare_point(const SolverArrays& solver, const Pair& pair, const ContactConstraint& c,
                   const ManifoldPoint& point, Vec3 friction_centre_a, ContactPointRow& row) {
  row.row = make_row(pair, point.offset_a, point.offset_b, c.normal);
  row.mass = inverse_or_zero(response(pair, row.row));
  row.separation = row.separation_now = point.separation;
  row.impulse = point.normal_impulse;
  row.lever = length(point.offset_a - friction_centre_a);
  const SolverVelocity &a = solver.velocities[c.a], &b = solver.velocities[c.b];
  const float speed = dot(c.normal, b.linear - a.linear) + dot(row.row.arm_b, b.angular) -
                      dot(row.row.arm_a, a.angular);
  const float acceleration =
      dot(c.normal, pair.b.linear_gain - pair.a.linear_gain) / solver.substep_seconds;
  row.approach_speed = impact_speed(speed, acceleration, point.separation);
}

/// The solver's name of a body: 0 where nothing can move it.
std::uint32_t solver_index(const Body& body) {
  return is_active(body) ? body.solver_index : 0;
}

/// Sleeping bodies next to awake ones that do not touch them take no part.
bool can_act(const Contact& contact, const Body& a, const Body& b) {
  if (contact.is_dead || contact.manifold.point_count == 0) return false;
  const bool is_a_asleep = is_dynamic(a) && !a.is_awake;
  const bool is_b_asleep = is_dynamic(b) && !b.is_awake;
  return !is_a_asleep && !is_b_asleep;
}

/// The two stiffnesses of a step.
struct SoftnessPair {
  Softness between_dynamic, with_static;
};

void prepare_manifold(WorldState& world, std::uint32_t index, std::uint32_t k,
                      const SoftnessPair& softness) {
  SolverArrays& solver = world.solver;
  const Contact& contact = world.contacts[index];
  const Manifold& manifold = manifold_at(contact, k);
  ContactConstraint& c = solver.contacts.emplace_back();
  c.a = solver_index(world.bodies[contact.body_a]);
  c.b = solver_index(world.bodies[contact.body_b]);
  SolverBody &a = solver.bodies[c.a], &b = solver.bodies[c.b];
  a.is_free = b.is_free = false;
  c.contact = index;
  c.manifold = k;
  c.first_point = static_cast<std::uint32_t>(solver.points.size());
  c.point_count = manifold.point_count;
  c.inverse_mass_a = solver.velocities[c.a].inverse_mass;
  c.inverse_mass_b = solver.velocities[c.b].inverse_mass;
  c.friction = contact.friction;
  c.restitution = contact.restitution;
  c.normal = manifold.normal;
  c.reference_impulse = manifold.reference_impulse;
  const bool has_static_side = c.inverse_mass_a == 0.0f || c.inverse_mass_b == 0.0f;
  c.softness = has_static_side ? softness.with_static : softness.between_dynamic;

  const Pair pair{a, b, c.inverse_mass_a + c.inverse_mass_b};
  Vec3 r_a, r_b;
  find_friction_centre(manifold, r_a, r_b);
  prepare_friction(pair, manifold, r_a, r_b, c);
  for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
    prepare_point(solver, pair, c, manifold.points[i], r_a, solver.points.emplace_back());
  }
}

}  // namespace

void prepare_contacts(WorldState& world) {
  SolverArrays& solver = world.solver;
  solver.contacts.clear();
  solver.points.clear();
  const WorldOptions& options = world.options;
  const float h = solver.substep_seconds;
  const float hertz = math::min_of(options.contact_hertz, max_hertz_per_substep_rate / h);
  const SoftnessPair softness{
      make_softness(hertz, options.contact_damping_ratio, h),
      make_softness(static_stiffness_factor * hertz, options.contact_damping_ratio, h)};

  for (const ListedContact& entry : world.awake_contacts) {
    const Contact& contact = world.contacts[entry.index];
    const Body &body_a = world.bodies[contact.body_a], &body_b = world.bodies[contact.body_b];
    if (!can_act(contact, body_a, body_b)) continue;
    for (std::uint32_t k = 0; k < manifold_count(contact); ++k)
      prepare_manifold(world, entry.index, k, softness);
  }
}

}  // namespace jostle::physics
