#include "shared/sim/labels.h"

#include "shared/forces/potential.h"

#include <cmath>

namespace jostle::sim {

using math::Vec3;

double energy_of(const physics::World& world, physics::BodyHandle body) {
  if (world.motion_type(body) != state::MotionType::Dynamic) return 0;
  const math::Position place = world.centre_of_mass(body);
  const auto mass = static_cast<double>(world.mass(body));
  const math::Vec3d velocity = math::widened(world.linear_velocity(body));
  double energy = 0.5 * mass * dot(velocity, velocity);
  const Vec3 spin = inverse_rotate(world.pose(body).rotation, world.angular_velocity(body));
  energy += 0.5 * static_cast<double>(dot(spin, world.inertia_local(body) * spin));
  const math::Vec3d weight = math::widened(world.options().gravity * world.gravity_scale(body));
  energy -= mass * dot(weight, forces::between(place, {}));
  if (world.ignores_force_fields(body)) return energy;
  for (const physics::ForceFieldHandle field : world.force_fields()) {
    const physics::ForceFieldDef& def = world.force_field_def(field);
    if (!def.body.is_null()) continue;
    energy += forces::potential(def.field, {place, world.mass(body), world.charge(body), 0});
  }
  return energy;
}

void Labels::begin(const physics::World& world, const scene::SceneDef& scene,
                   const std::vector<physics::BodyHandle>& bodies) {
  subjects_.clear();
  for (const scene::SceneLabel& label : scene.labels) {
    const physics::BodyHandle body = bodies[label.body];
    subjects_.push_back({body, energy_of(world, body)});
  }
}

state::Labels Labels::read(const physics::World& world, const scene::SceneDef& scene,
                           state::Tick tick) const {
  state::Labels labels;
  labels.tick = tick;
  for (std::size_t i = 0; i < subjects_.size(); ++i) {
    const Subject& subject = subjects_[i];
    double value = 0;
    state::LabelKind kind = scene.labels[i].kind;
    // A relative change is undefined if the initial energy is zero, so the energy itself is shown.
    if (kind == state::LabelKind::EnergyChange && subject.energy == 0)
      kind = state::LabelKind::Energy;
    if (world.is_alive(subject.body)) {
      if (kind == state::LabelKind::Speed) {
        value = static_cast<double>(length(world.linear_velocity(subject.body)));
      } else if (kind == state::LabelKind::Height) {
        value = world.pose(subject.body).position.y;
      } else {
        value = energy_of(world, subject.body);
      }
      if (kind == state::LabelKind::EnergyChange)
        value = (value - subject.energy) / std::abs(subject.energy);
    }
    constexpr double largest = 1e30;  // limit for values that overflow
    const bool is_within = std::abs(value) <= largest;
    labels.lines.push_back({scene.labels[i].name, kind,
                            static_cast<float>(is_within ? value : std::copysign(largest, value))});
  }
  return labels;
}

}  // namespace jostle::sim
