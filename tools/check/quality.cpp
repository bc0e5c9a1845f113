#include "tools/check/quality.h"

#include "shared/base/assert.h"
#include "tools/check/triangle_grid.h"
#include "tools/workload/body_mass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace jostle::check {
namespace {

constexpr double drop_limit = 0.5;  // m

Vector body_point(const workload::BodyState& state, Vector local) {
  return make_frame(state.position, state.rotation).to_world(local);
}

/// Returns the body-frame position of a point that is given in the world at the start.
Vector local_anchor(const workload::Body& body, math::Vec3 anchor) {
  const Frame frame = make_frame(body.position, body.rotation);
  return frame.unrotate(widen(anchor) - frame.origin);
}

double kinetic_energy(const workload::Scene& scene, const workload::Body& body,
                      const workload::BodyState& state) {
  const workload::BodyMass mass = workload::mass_of(scene, body);
  const Vector v = widen(state.linear_velocity);
  const Vector w =
      make_frame(state.position, state.rotation).unrotate(widen(state.angular_velocity));
  const std::array<double, 3> turn{w.x, w.y, w.z};
  double turning = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      turning += turn[i] * mass.inertia[i][j] * turn[j];
  }
  return 0.5 * (mass.mass * dot(v, v) + turning);
}

std::optional<TriangleGrid> find_terrain(const workload::Scene& scene) {
  if (!scene.arena.has_terrain) return std::nullopt;
  const workload::Body& ground = scene.bodies.front();
  return TriangleGrid(scene.shapes[ground.parts.front().shape],
                      make_frame(ground.position, ground.rotation));
}

/// Returns the amount by which `value` exceeds the limits, or 0 without limits.
double beyond(double value, const std::optional<workload::Limits>& limits) {
  if (!limits) return 0;
  const double lower = static_cast<double>(limits->lower);
  const double upper = static_cast<double>(limits->upper);
  return std::max(std::max(lower - value, value - upper), 0.0);
}

/// Returns the violation of a distance joint, in m. A joint with limits, a spring or a motor may
/// have any distance within its limits.
double distance_gap(const workload::Joint& joint, double distance) {
  if (joint.limits || joint.spring || joint.motor) return beyond(distance, joint.limits);
  const double rest = joint.rest ? static_cast<double>(*joint.rest)
                                 : length(widen(joint.anchor_b) - widen(joint.anchor));
  return std::abs(distance - rest);
}

/// Returns the violation of the joint by the two poses, in m.
double joint_gap(const workload::Scene& scene, const workload::Joint& joint,
                 const workload::BodyState& a, const workload::BodyState& b) {
  const workload::Body& start_a = scene.bodies[joint.body_a];
  const workload::Body& start_b = scene.bodies[joint.body_b];
  const bool is_distance = joint.kind == workload::JointKind::Distance;
  const math::Vec3 anchor_b = is_distance ? joint.anchor_b : joint.anchor;
  const Vector gap = body_point(b, local_anchor(start_b, anchor_b)) -
                     body_point(a, local_anchor(start_a, joint.anchor));
  if (is_distance) return distance_gap(joint, length(gap));
  if (joint.kind != workload::JointKind::Slider) return length(gap);
  const Vector axis_local =
      make_frame(start_a.position, start_a.rotation).unrotate(widen(joint.axis));
  const Vector axis = make_frame(a.position, a.rotation).rotate(axis_local);
  const double along = dot(gap, axis);
  return length(gap - along * axis) + beyond(along, joint.limits);
}

/// Returns true if the joint can break. Poses do not show whether it has broken.
bool may_be_torn(const workload::Joint& joint) {
  return joint.break_force > 0 || joint.break_torque > 0;
}

}  // namespace

Quality measure_quality(const workload::Scene& scene, std::span<const workload::BodyState> states) {
  JOSTLE_ASSERT(states.size() == scene.bodies.size());
  const std::optional<TriangleGrid> terrain = find_terrain(scene);
  Quality quality;
  double travel = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const workload::Body& body = scene.bodies[i];
    if (!workload::is_dynamic(body)) continue;
    ++quality.dynamic_bodies;
    if (!workload::is_finite(states[i])) {
      ++quality.nonfinite;
      continue;
    }
    const Vector at = widen(states[i].position), start = widen(body.position);
    const double wall = static_cast<double>(scene.arena.half_width);
    const bool is_outside = wall > 0 && std::max(std::abs(at.x), std::abs(at.z)) > wall;
    const double floor = terrain ? terrain->height_at(at.x, at.z) : 0;
    if (is_outside) ++quality.outside;
    if (scene.arena.has_floor && at.y < floor) ++quality.below_floor;
    if (start.y - at.y > drop_limit) ++quality.dropped;
    quality.drift_max = std::max(quality.drift_max, length(at - start));
    if (is_outside) continue;
    quality.kinetic_energy += kinetic_energy(scene, body, states[i]);
    travel += std::hypot(at.x - start.x, at.z - start.z);
  }
  const int inside = quality.dynamic_bodies - quality.nonfinite - quality.outside;
  if (inside > 0) quality.travel_mean = travel / inside;
  return quality;
}

JointGaps measure_joint_gaps(const workload::Scene& scene,
                             std::span<const workload::BodyState> states) {
  JointGaps gaps;
  for (const workload::Joint& joint : scene.joints) {
    const workload::BodyState& a = states[joint.body_a];
    const workload::BodyState& b = states[joint.body_b];
    if (may_be_torn(joint) || !workload::is_finite(a) || !workload::is_finite(b)) continue;
    gaps.largest = std::max(gaps.largest, joint_gap(scene, joint, a, b));
  }
  return gaps;
}

}  // namespace jostle::check
