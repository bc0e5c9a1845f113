#include "tools/check/quality.h"

#include "shared/base/assert.h"
#include "tools/check/triangle_grid.h"
#include "tools/workload/hull.h"

#include <algorithm>
#include <optional>

namespace jostle::check {
namespace {

constexpr double drop_limit = 0.5;  // m

Vector body_point(const workload::BodyState& state, Vector local) {
  return make_frame(state.position, state.rotation).to_world(local);
}

/// Where a point of the world at the start lies in the body's frame.
Vector local_anchor(const workload::Body& body, math::Vec3 anchor) {
  const Frame frame = make_frame(body.position, body.rotation);
  return frame.unrotate(widen(anchor) - frame.origin);
}

/// Of the body's parts as if each stood alone at the body's origin; scenes that ask for the energy
/// have bodies of one centred part.
double kinetic_energy(const workload::Scene& scene, const workload::Body& body,
                      const workload::BodyState& state) {
  double volume = 0;
  Vector inertia;
  for (const workload::Part& part : body.parts) {
    const workload::SolidMoments moments = workload::moments_of(scene.shapes[part.shape]);
    volume += moments.volume;
    inertia = inertia + Vector{moments.inertia.x, moments.inertia.y, moments.inertia.z};
  }
  const Vector v = widen(state.linear_velocity);
  const Vector w =
      make_frame(state.position, state.rotation).unrotate(widen(state.angular_velocity));
  const double turning = inertia.x * w.x * w.x + inertia.y * w.y * w.y + inertia.z * w.z * w.z;
  const double density = body.mass > 0 && volume > 0 ? static_cast<double>(body.mass) / volume
                                                     : static_cast<double>(scene.density);
  return 0.5 * density * (volume * dot(v, v) + turning);
}

std::optional<TriangleGrid> find_terrain(const workload::Scene& scene) {
  if (!scene.arena.has_terrain) return std::nullopt;
  const workload::Body& ground = scene.bodies.front();
  return TriangleGrid(scene.shapes[ground.parts.front().shape],
                      make_frame(ground.position, ground.rotation));
}

}  // namespace

Quality measure_quality(const workload::Scene& scene, std::span<const workload::BodyState> states) {
  JOSTLE_ASSERT(states.size() == scene.bodies.size());
  const std::optional<TriangleGrid> terrain = find_terrain(scene);
  Quality quality;
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
    quality.kinetic_energy += kinetic_energy(scene, body, states[i]);
  }
  return quality;
}

JointGaps measure_joint_gaps(const workload::Scene& scene,
                             std::span<const workload::BodyState> states) {
  JointGaps gaps;
  for (const workload::Joint& joint : scene.joints) {
    const workload::BodyState& a = states[joint.body_a];
    const workload::BodyState& b = states[joint.body_b];
    if (!workload::is_finite(a) || !workload::is_finite(b)) continue;
    const Vector on_a = body_point(a, local_anchor(scene.bodies[joint.body_a], joint.anchor));
    const Vector on_b = body_point(b, local_anchor(scene.bodies[joint.body_b], joint.anchor));
    gaps.largest = std::max(gaps.largest, length(on_a - on_b));
  }
  return gaps;
}

}  // namespace jostle::check
