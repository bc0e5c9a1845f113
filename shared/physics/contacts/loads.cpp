#include "shared/physics/contacts/loads.h"

#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/detail/world_state.h"

#include <vector>

namespace jostle::physics {
namespace {

using math::Vec3;

void scale(Contact& contact, float share) {
  for (std::uint32_t k = 0; k < manifold_count(contact); ++k) {
    Manifold& manifold = manifold_at(contact, k);
    manifold.friction_impulse *= share;
    manifold.resistance_impulse *= share;
    manifold.twist_impulse *= share;
    for (ManifoldPoint& point : manifold.points)
      point.normal_impulse *= share;
  }
}

void scale(CoordinateState& state, float share) {
  for (auto& phase : state.impulses) {
    for (CoordinateState::Impulses& impulses : phase) {
      impulses.lock *= share;
      for (float& row : impulses.rows)
        row *= share;
    }
  }
}

void scale(JointRecord& joint, float share) {
  for (JointImpulses& impulses : joint.impulses) {
    impulses.linear *= share;
    impulses.angular *= share;
    for (float& row : impulses.rows)
      row *= share;
  }
  if (joint.coordinates) scale(*joint.coordinates, share);
}

/// Returns the share, clamped to 0..1; 0 for −0 and NaN.
float share_of(float share) {
  return share > 0.0f ? math::min_of(share, 1.0f) : 0.0f;
}

bool is_held(const Contact& contact) {
  for (std::uint32_t k = 0; k < manifold_count(contact); ++k)
    if (manifold_at(contact, k).is_held) return true;
  return false;
}

/// Returns true if the velocity change `linear` (m/s), `angular` (rad/s) moves the body away from
/// all points of the contact. The separation must be faster than the speed that gravity gives the
/// other body in a step.
bool leaves(const WorldState& world, const Contact& contact, std::uint32_t body, Vec3 linear,
            Vec3 angular) {
  const bool is_a = contact.body_a == body;
  const Vec3 falls = world.options.gravity * world.options.step_seconds;
  for (std::uint32_t k = 0; k < manifold_count(contact); ++k) {
    const Manifold& manifold = manifold_at(contact, k);
    const Vec3 to_other = is_a ? manifold.normal : -manifold.normal;
    for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
      const ManifoldPoint& point = manifold.points[i];
      const Vec3 change = linear + cross(angular, is_a ? point.offset_a : point.offset_b);
      if (dot(change - falls, to_other) >= 0.0f) return false;
    }
  }
  return true;
}

}  // namespace

void scale_loads(WorldState& world, float share) {
  const float kept = share_of(share);
  for (Contact& contact : world.contacts)
    scale(contact, kept);
  for (JointRecord& joint : world.joints)
    scale(joint, kept);
}

void scale_loads(WorldState& world, std::span<const float> shares) {
  const auto kept = [&](std::uint32_t a, std::uint32_t b) {
    return math::min_of(share_of(shares[a]), share_of(shares[b]));
  };
  for (Contact& contact : world.contacts)
    if (!contact.is_dead) scale(contact, kept(contact.body_a, contact.body_b));
  for (std::uint32_t i = 0; i < world.joint_pool.slot_count(); ++i) {
    if (!world.joint_pool.is_alive_index(i)) continue;
    JointRecord& joint = world.joints[i];
    scale(joint, kept(joint.def.body_a.index, joint.def.body_b.index));
  }
}

void forget_loads_over(WorldState& world, std::uint32_t body) {
  std::vector<std::uint32_t> open{body};
  while (!open.empty()) {
    const std::uint32_t next = open.back();
    open.pop_back();
    for_each_contact(world, next, [&](std::uint32_t index) {
      Contact& contact = world.contacts[index];
      if (!is_held(contact)) return;
      scale(contact, 0.0f);
      for (std::uint32_t k = 0; k < manifold_count(contact); ++k)
        manifold_at(contact, k).is_held = false;
      const std::uint32_t other = contact.body_a == next ? contact.body_b : contact.body_a;
      if (is_dynamic(world.bodies[other])) open.push_back(other);
    });
  }
}

void forget_loads_left(WorldState& world, std::uint32_t body, Vec3 linear, Vec3 angular) {
  const Vec3 linear_change = linear - world.bodies[body].linear_velocity;
  const Vec3 angular_change = angular - world.bodies[body].angular_velocity;
  if (linear_change == Vec3{} && angular_change == Vec3{}) return;
  bool is_left = false;
  for_each_contact(world, body, [&](std::uint32_t index) {
    const Contact& contact = world.contacts[index];
    is_left = is_left ||
              (is_held(contact) && leaves(world, contact, body, linear_change, angular_change));
  });
  if (is_left) forget_loads_over(world, body);
}

}  // namespace jostle::physics
