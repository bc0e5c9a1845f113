#include "shared/physics/world/body_state.h"

#include "shared/geometry/bounds.h"
#include "shared/geometry/mass_properties.h"
#include "shared/math/trig.h"
#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/effects/sensors.h"
#include "shared/physics/islands/sleep.h"
#include "shared/physics/world/joint_list.h"

#include <cmath>

namespace jostle::physics {

using math::Mat3;
using math::Vec3;

namespace {

geometry::MassProperties summed_mass(const WorldState& world, const Body& body) {
  geometry::MassProperties sum;
  for (const ShapeHandle handle : body.shapes) {
    const ShapeDef& def = world.shapes[handle.index].def;
    sum = combined(sum, transformed(geometry::mass_properties(def.shape, def.density), def.local));
  }
  return sum;
}

bool has_equal_moments(const Mat3& inertia) {
  return inertia == math::diagonal({inertia.cx.x, inertia.cx.x, inertia.cx.x});
}

/// Returns the inverse of `inertia`. Scales the matrix before the inversion and the result after
/// it, so that the determinant neither underflows for small bodies nor overflows for large ones.
Mat3 scaled_inverse(const Mat3& inertia) {
  const float scale = 1.0f / (inertia.cx.x + inertia.cy.y + inertia.cz.z);
  return inverse(inertia * scale) * scale;
}

void set_dynamic_mass(Body& body, geometry::MassProperties sum) {
  if (sum.mass <= 0.0f) {
    sum.mass = 1.0f;
    sum.inertia = Mat3{};
  }
  body.mass =
      body.mass_override > 0.0f ? body.mass_override : math::clamp(sum.mass, min_mass, max_mass);
  body.inertia_local = sum.inertia * (body.mass / sum.mass);
  if (body.rare && body.rare->has_inertia) body.inertia_local = body.rare->inertia;
  body.inverse_mass = 1.0f / body.mass;
  const bool is_turn_locked = angular_part(body.locks) != 0;
  body.inverse_inertia_local =
      is_turn_locked ? math::zero_matrix() : scaled_inverse(body.inertia_local);
  body.is_isotropic = is_turn_locked || has_equal_moments(body.inertia_local);
}

bool is_too_fast(const WorldOptions& options, const Body& body) {
  const float linear = options.max_linear_speed, angular = options.max_angular_speed;
  return !(length_squared(body.linear_velocity) <= linear * linear &&
           length_squared(body.angular_velocity) <= angular * angular);
}

}  // namespace

void derive_mass(const WorldState& world, Body& body) {
  const geometry::MassProperties sum = summed_mass(world, body);
  body.mass = body.inverse_mass = 0;
  body.inertia_local = body.inverse_inertia_local = math::zero_matrix();
  body.is_isotropic = true;
  if (is_dynamic(body)) set_dynamic_mass(body, sum);
  body.local_centre = is_dynamic(body) ? sum.centre : Vec3{};
  if (is_dynamic(body) && body.rare && body.rare->has_centre) body.local_centre = body.rare->centre;
  body.extent = 0;
  for (const ShapeHandle handle : body.shapes) {
    const ShapeDef& def = world.shapes[handle.index].def;
    if (def.is_sensor) continue;  // sensors touch nothing and do not affect motion
    body.extent = math::max_of(body.extent, length(def.local.offset - body.local_centre) +
                                                geometry::bounding_radius(def.shape));
  }
}

void update_mass(WorldState& world, std::uint32_t index) {
  Body& body = world.bodies[index];
  world.is_forest_stale |= world.bodies[index].first_joint_edge != no_index;
  const math::Pose frame = frame_pose(body);
  const Vec3 old_centre = body.local_centre;
  derive_mass(world, body);
  if (body.local_centre != old_centre) {
    const Vec3 moved = rotate(body.rotation, body.local_centre - old_centre);
    body.linear_velocity += free_linear(body.locks, cross(body.angular_velocity, moved));
    body.position = transform_point(frame, body.local_centre);
    forget_points_of_body(world, index);
  }
  update_angular_momentum(body);
}

math::Mat3 free_inertia(const Body& body) {
  const Mat3 whole = world_tensor(body.inertia_local, body.rotation);
  const Vec3 free = free_angular(body.locks, {1, 1, 1});
  return {free_angular(body.locks, whole.cx) * free.x, free_angular(body.locks, whole.cy) * free.y,
          free_angular(body.locks, whole.cz) * free.z};
}

math::Mat3 inverse_free_inertia(const Mat3& free) {
  const float trace = free.cx.x + free.cy.y + free.cz.z;
  if (!(trace > 0.0f)) return math::zero_matrix();
  // Rows and columns of the locked axes are zero. A 1 on their diagonal makes the matrix invertible
  // and leaves the rest of the inverse unchanged. The locked columns are cleared afterwards.
  const float scale = 1.0f / trace;
  Mat3 filled = free * scale;
  const bool has_x = free.cx.x > 0.0f, has_y = free.cy.y > 0.0f, has_z = free.cz.z > 0.0f;
  if (!has_x) filled.cx.x = 1;
  if (!has_y) filled.cy.y = 1;
  if (!has_z) filled.cz.z = 1;
  Mat3 result = inverse(filled) * scale;
  if (!has_x) result.cx = {};
  if (!has_y) result.cy = {};
  if (!has_z) result.cz = {};
  return result;
}

math::Mat3 inverse_inertia(const Body& body) {
  if (angular_part(body.locks) == 0) return world_tensor(body.inverse_inertia_local, body.rotation);
  return inverse_free_inertia(free_inertia(body));
}

void update_angular_velocity(Body& body) {
  body.turn_ratio = 0;
  if (angular_part(body.locks) != 0) {
    body.angular_velocity = inverse_inertia(body) * body.angular_momentum;
    return;
  }
  body.angular_velocity =
      rotate(body.rotation,
             body.inverse_inertia_local * inverse_rotate(body.rotation, body.angular_momentum));
}

void update_angular_momentum(Body& body) {
  body.turn_ratio = 0;
  if (angular_part(body.locks) != 0) {
    body.angular_momentum = free_inertia(body) * body.angular_velocity;
    return;
  }
  body.angular_momentum = rotate(
      body.rotation, body.inertia_local * inverse_rotate(body.rotation, body.angular_velocity));
}

void change_momentum(Body& body, Vec3 impulse, Vec3 angular_impulse) {
  body.linear_velocity += free_linear(body.locks, impulse * body.inverse_mass);
  if (angular_part(body.locks) == angular_part(state::lock_all)) return;
  body.angular_momentum += free_angular(body.locks, angular_impulse);
  update_angular_velocity(body);
}

Velocities velocities_to(const Body& body, const math::Pose& target, float dt) {
  const math::Position goal = transform_point(target, body.local_centre);
  return {(goal - body.position) / dt,
          to_rotation_vector(target.rotation * conjugate(body.rotation)) / dt};
}

void quarantine(WorldState& world, std::uint32_t index) {
  Body& body = world.bodies[index];
  wake_touching(world, index);
  destroy_contacts_of_body(world, index);
  for (const std::uint32_t joint : joints_of_body(world, index)) {
    const JointDef& def = world.joints[joint].def;
    world.joint_breaks.push_back({world.joint_pool.at(joint), def.body_a, def.body_b});
    remove_joint(world, joint);
  }
  put_to_sleep(world, index);
  for (const ShapeHandle shape : body.shapes) {
    remove_from_sensors(world, shape.index);
    remove_proxy(world, shape.index);
  }
  body.absence |= quarantined;
  ++world.quarantined_count;
}

void find_changed_bodies(WorldState& world) {
  constexpr std::size_t bodies_per_piece = 512, pieces_per_batch = 64;
  world.changed_bodies.clear();
  world.changed_pieces.resize(pieces_per_batch);
  const auto look = [&](std::uint32_t piece, Range range) {
    std::vector<std::uint32_t>& changed = world.changed_pieces[piece];
    changed.clear();
    for (std::size_t i = range.first; i < range.last; ++i) {
      const std::uint32_t index = world.awake_bodies[i];
      const Body& body = world.bodies[index];
      if (body.is_changed || world.are_all_changed || body.target_state != TargetState::None ||
          is_too_fast(world.options, body)) {
        changed.push_back(index);
      }
    }
  };
  const auto take = [&](std::uint32_t piece, Range) {
    const std::vector<std::uint32_t>& changed = world.changed_pieces[piece];
    world.changed_bodies.insert(world.changed_bodies.end(), changed.begin(), changed.end());
  };
  for_each_piece(*world.runtime.workers, world.awake_bodies.size(), bodies_per_piece,
                 pieces_per_batch, look, take);
}

void check_inputs(WorldState& world) {
  for (const std::uint32_t index : world.changed_bodies) {
    Body& body = world.bodies[index];
    if (!is_active(body)) continue;
    const bool is_sound = is_finite(body.linear_velocity) && is_finite(body.angular_velocity) &&
                          is_finite(body.angular_momentum) &&
                          is_finite(body.force * body.inverse_mass) && is_finite(body.torque);
    if (!is_sound) {
      quarantine(world, index);
      continue;
    }
    if (limit_speeds(world.options, body)) body.is_changed = true;
  }
}

bool limit_speeds(const WorldOptions& options, Body& body) {
  if (!is_too_fast(options, body)) return false;
  body.linear_velocity = limited(body.linear_velocity, options.max_linear_speed);
  const Vec3 angular = limited(body.angular_velocity, options.max_angular_speed);
  if (angular == body.angular_velocity) return true;
  body.angular_velocity = angular;
  update_angular_momentum(body);
  return true;
}

math::Vec3 limited(Vec3 v, float max_length) {
  const float squared = dot(v, v);
  if (squared <= max_length * max_length) return v;
  return v * (max_length / std::sqrt(squared));
}

}  // namespace jostle::physics
