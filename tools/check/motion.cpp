#include "tools/check/motion.h"

#include "shared/base/assert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace jostle::check {
namespace {

constexpr double rounding_height = 1e-3;  // m, see MotionFigures::energy_scale

double rotation_energy(const workload::BodyMass& mass, Vector local_velocity) {
  const std::array<double, 3> w{local_velocity.x, local_velocity.y, local_velocity.z};
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      sum += w[i] * mass.inertia[i][j] * w[j];
  }
  return 0.5 * sum;
}

}  // namespace

bool conserves_energy(const workload::Scene& scene) {
  const auto is_kinematic = [](const workload::Body& body) {
    return body.motion == workload::Motion::Kinematic;
  };
  const auto does_work = [](const workload::Joint& joint) { return joint.motor || joint.spring; };
  return scene.pushes.empty() && !scene.has_force_fields &&
         std::ranges::none_of(scene.bodies, is_kinematic) &&
         std::ranges::none_of(scene.joints, does_work);
}

double lowest_floor(const workload::Scene& scene) {
  if (!scene.arena.has_terrain) return 0;
  const workload::Body& ground = scene.bodies.front();
  const Frame frame = make_frame(ground.position, ground.rotation);
  double lowest = std::numeric_limits<double>::infinity();
  for (const math::Vec3& point : scene.shapes[ground.parts.front().shape].points)
    lowest = std::min(lowest, frame.to_world(widen(point)).y);
  return lowest;
}

MotionWatch::MotionWatch(const workload::Scene& scene) : floor_(lowest_floor(scene)) {
  figures_.y_min = std::numeric_limits<double>::infinity();
  figures_.y_max = -figures_.y_min;
  const double gravity = -static_cast<double>(scene.gravity.y);
  for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
    const workload::Body& body = scene.bodies[i];
    if (!workload::is_dynamic(body)) continue;
    WatchedBody watched{i, workload::mass_of(scene, body), 0};
    watched.weight = watched.mass.mass * gravity * static_cast<double>(body.gravity_scale);
    weight_ += std::abs(watched.weight);
    bodies_.push_back(watched);
  }
}

void MotionWatch::observe(std::span<const workload::BodyState> states) {
  double kinetic = 0, potential = 0;
  for (const WatchedBody& body : bodies_) {
    JOSTLE_ASSERT(body.index < states.size());
    const workload::BodyState& state = states[body.index];
    if (!workload::is_finite(state)) continue;
    const Frame frame = make_frame(state.position, state.rotation);
    const math::Position& centre = body.mass.centre;
    const double y = frame.to_world({centre.x, centre.y, centre.z}).y;
    const Vector velocity = widen(state.linear_velocity);
    const double energy = 0.5 * body.mass.mass * dot(velocity, velocity) +
                          rotation_energy(body.mass, frame.unrotate(widen(state.angular_velocity)));
    kinetic += energy;
    potential += body.weight * (y - floor_);
    figures_.speed_max = std::max(figures_.speed_max, length(velocity));
    figures_.y_min = std::min(figures_.y_min, y);
    figures_.y_max = std::max(figures_.y_max, y);
    figures_.body_energy_max = std::max(figures_.body_energy_max, energy);
  }
  const double energy = kinetic + potential;
  if (is_first_) {
    figures_.energy_start = figures_.energy_max = energy_min_ = energy;
    potential_min_ = potential_max_ = potential;
    is_first_ = false;
  }
  kinetic_max_ = std::max(kinetic_max_, kinetic);
  potential_min_ = std::min(potential_min_, potential);
  potential_max_ = std::max(potential_max_, potential);
  figures_.energy_max = std::max(figures_.energy_max, energy);
  energy_min_ = std::min(energy_min_, energy);
  figures_.energy_gain_max = std::max(figures_.energy_gain_max, energy - energy_min_);
}

MotionFigures MotionWatch::figures() const {
  MotionFigures result = figures_;
  if (!std::isfinite(result.y_min)) result.y_min = result.y_max = 0;
  result.energy_scale = kinetic_max_ + potential_max_ - potential_min_ + rounding_height * weight_;
  return result;
}

}  // namespace jostle::check
