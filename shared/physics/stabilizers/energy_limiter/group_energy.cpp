#include "shared/physics/stabilizers/energy_limiter/group_energy.h"

#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/stabilizers/energy_limiter/passive_groups.h"

#include <cmath>
#include <span>

namespace jostle::physics {

using math::Vec3;
using math::Vec3d;

namespace {

std::span<const std::uint32_t> members_of(const Cluster& cluster, const PassiveGroup& group) {
  return std::span(cluster.joint_solver.passive.members)
      .subspan(group.first, group.last - group.first);
}

double mass_of(const Cluster& cluster, std::uint32_t body) {
  return 1.0 / static_cast<double>(cluster.solver.velocities[body].inverse_mass);
}

/// Returns the angular momentum of a body about its centre. It is I·ω for bodies with locks or
/// equal principal moments, otherwise the momentum that integration preserves, and its change by
/// contacts since.
Vec3d angular_momentum_of(const Cluster& cluster, std::uint32_t body) {
  const BodyBlock& block = cluster.solver.body_blocks[body / lane_count];
  const std::size_t lane = body % lane_count;
  if (block.is_isotropic[lane] > 0.0f || cluster.solver.bodies[body].locks != 0)
    return math::widened(matrix_of(block.inertia, lane) * cluster.solver.velocities[body].angular);
  const Vec3 changed =
      cluster.solver.velocities[body].angular - vector_of(block.reference_angular, lane);
  return math::widened(vector_of(block.angular_momentum, lane)) +
         math::widened(matrix_of(block.inertia, lane) * changed);
}

/// Motion of a group as one rigid body.
struct RigidMotion {
  Vec3d middle;       // centre of mass, relative to the start position of the first member, m
  Vec3d linear;       // velocity of the centre of mass, m/s
  Vec3d angular;      // rad/s
  double energy = 0;  // energy of the rotation about the centre of mass, J

  Vec3 linear_at(const Vec3d& place) const {
    return math::narrowed(linear + math::cross(angular, place - middle));
  }
};

/// Symmetric inertia tensor, kg·m².
struct Moments {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

  void add_point(const Vec3d& r, double mass) {
    xx += mass * (r.y * r.y + r.z * r.z);
    yy += mass * (r.x * r.x + r.z * r.z);
    zz += mass * (r.x * r.x + r.y * r.y);
    xy -= mass * r.x * r.y;
    xz -= mass * r.x * r.z;
    yz -= mass * r.y * r.z;
  }
  void add(const math::Mat3& m) {
    xx += static_cast<double>(m.cx.x);
    yy += static_cast<double>(m.cy.y);
    zz += static_cast<double>(m.cz.z);
    xy += static_cast<double>(m.cx.y);
    xz += static_cast<double>(m.cx.z);
    yz += static_cast<double>(m.cy.z);
  }
  /// Returns the angular velocity, in rad/s, for the angular momentum `l`, about the one axis that
  /// the `locks` of a planar body leave free.
  Vec3d divided(const Vec3d& l, state::MotionLocks locks) const {
    const Vec3 free = state::free_angular(locks, {1, 1, 1});
    const auto about = [](float is_free, double of, double moment) {
      return is_free > 0.0f && moment > 0 ? of / moment : 0.0;
    };
    return {about(free.x, l.x, xx), about(free.y, l.y, yy), about(free.z, l.z, zz)};
  }
  /// Returns I⁻¹·l, or zero if I is nearly singular.
  Vec3d divided(const Vec3d& l) const {
    const Vec3d a{yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy};
    const Vec3d b{a.y, xx * zz - xz * xz, xy * xz - xx * yz};
    const Vec3d c{a.z, b.z, xx * yy - xy * xy};
    const double determinant = xx * a.x + xy * a.y + xz * a.z;
    const double sum = xx + yy + zz;
    if (!(determinant > 1e-12 * sum * sum * sum)) return {};
    return Vec3d{math::dot(a, l), math::dot(b, l), math::dot(c, l)} * (1 / determinant);
  }
};

/// Returns the position of a body's centre relative to `origin`, m.
Vec3d place_of(const Cluster& cluster, std::uint32_t body, const math::Position& origin) {
  const math::Position& start = cluster.world.bodies[cluster.solver.bodies[body].body].position;
  const Vec3d offset = math::widened(cluster.solver.motions[body].offset);
  return {start.x - origin.x + offset.x, start.y - origin.y + offset.y,
          start.z - origin.z + offset.z};
}

math::Position origin_of(const Cluster& cluster, const PassiveGroup& group) {
  const std::uint32_t first = members_of(cluster, group).front();
  return cluster.world.bodies[cluster.solver.bodies[first].body].position;
}

math::Mat3 moments_of(const Cluster& cluster, std::uint32_t body) {
  const BodyBlock& block = cluster.solver.body_blocks[body / lane_count];
  const std::size_t lane = body % lane_count;
  const math::Quat rotation = rotation_of(block.rotation, lane);
  const math::Mat3 local = matrix_of(block.inertia_local, lane);
  const auto column = [&](Vec3 axis) {
    return rotate(rotation, local * inverse_rotate(rotation, axis));
  };
  return {column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})};
}

/// Returns the rigid motion that has the group's linear and angular momentum.
RigidMotion rigid_motion_of(const Cluster& cluster, const PassiveGroup& group) {
  const math::Position origin = origin_of(cluster, group);
  RigidMotion motion;
  for (const std::uint32_t body : members_of(cluster, group)) {
    const double own = mass_of(cluster, body);
    motion.middle = motion.middle + place_of(cluster, body, origin) * own;
    motion.linear = motion.linear + math::widened(cluster.solver.velocities[body].linear) * own;
  }
  motion.middle = motion.middle * (1 / group.mass);
  motion.linear = motion.linear * (1 / group.mass);
  Moments moments;
  Vec3d momentum;
  for (const std::uint32_t body : members_of(cluster, group)) {
    const double own = mass_of(cluster, body);
    const Vec3d arm = place_of(cluster, body, origin) - motion.middle;
    const Vec3d v = math::widened(cluster.solver.velocities[body].linear) - motion.linear;
    moments.add_point(arm, own);
    moments.add(moments_of(cluster, body));
    momentum = momentum + math::cross(arm, v) * own + angular_momentum_of(cluster, body);
  }
  motion.angular =
      group.locks == 0 ? moments.divided(momentum) : moments.divided(momentum, group.locks);
  motion.energy = 0.5 * math::dot(motion.angular, momentum);
  return motion;
}

/// Sets the velocities of a body, with the angular momentum that belongs to them.
void set_velocity(Cluster& cluster, std::uint32_t body, Vec3 linear, Vec3 angular) {
  SolverVelocity& velocity = cluster.solver.velocities[body];
  BodyBlock& block = cluster.solver.body_blocks[body / lane_count];
  const std::size_t lane = body % lane_count;
  const Vec3 more_linear = linear - velocity.linear, more_angular = angular - velocity.angular;
  velocity.linear = linear;
  velocity.angular = angular;
  set(block.base_linear, lane, vector_of(block.base_linear, lane) + more_linear);
  set(block.base_angular, lane, vector_of(block.base_angular, lane) + more_angular);
  if (block.is_isotropic[lane] > 0.0f) return;
  const math::Quat rotation = rotation_of(block.rotation, lane);
  const Vec3 gained = rotate(
      rotation, matrix_of(block.inertia_local, lane) * inverse_rotate(rotation, more_angular));
  set(block.angular_momentum, lane, vector_of(block.angular_momentum, lane) + gained);
  set(block.reference_angular, lane, vector_of(block.reference_angular, lane) + more_angular);
}

}  // namespace

// The energy of a group that is not anchored is relative to its centre of mass. The energy of its
// internal motion may be small compared to that of its centre of mass.

double energy_of(const Cluster& cluster, const PassiveGroup& group) {
  double twice = 0;
  Vec3d momentum;
  for (const std::uint32_t body : members_of(cluster, group)) {
    const double own = mass_of(cluster, body);
    const Vec3d v = math::widened(cluster.solver.velocities[body].linear);
    const Vec3d w = math::widened(cluster.solver.velocities[body].angular);
    twice += own * math::dot(v, v) + math::dot(w, angular_momentum_of(cluster, body));
    momentum = momentum + v * own;
  }
  if (!group.is_anchored) twice -= math::dot(momentum, momentum) / group.mass;
  return 0.5 * twice;
}

double work_on(const Cluster& cluster, const PassiveGroup& group) {
  double sum = 0;
  Vec3d force, moved;
  for (const std::uint32_t index : members_of(cluster, group)) {
    const Body& body = cluster.world.bodies[cluster.solver.bodies[index].body];
    const double own = mass_of(cluster, index);
    const Vec3d way = math::widened(cluster.solver.motions[index].offset);
    const Vec3d acting = math::widened(cluster.world.options.gravity * body.gravity_scale +
                                       body.force * body.inverse_mass) *
                         own;
    sum += math::dot(acting, way);
    force = force + acting;
    moved = moved + way * own;
  }
  return group.is_anchored ? sum : sum - math::dot(force, moved) / group.mass;
}

void slow_group(Cluster& cluster, const PassiveGroup& group, double left) {
  RigidMotion rigid;
  math::Position origin;
  if (!group.is_anchored) {
    rigid = rigid_motion_of(cluster, group);
    origin = origin_of(cluster, group);
  }
  const double all = group.energy - rigid.energy, part = left - rigid.energy;
  if (!(all > 0)) return;
  const float share = part > 0 ? static_cast<float>(std::sqrt(part / all)) : 0.0f;
  for (const std::uint32_t body : members_of(cluster, group)) {
    const SolverVelocity velocity = cluster.solver.velocities[body];
    const Vec3 linear = rigid.linear_at(place_of(cluster, body, origin));
    const Vec3 angular = math::narrowed(rigid.angular);
    set_velocity(cluster, body, linear + (velocity.linear - linear) * share,
                 angular + (velocity.angular - angular) * share);
  }
}

}  // namespace jostle::physics
