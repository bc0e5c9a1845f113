#include "shared/forces/point_fields.h"

#include "shared/forces/point_action.h"
#include "shared/math/trig.h"
#include "shared/simd/inline.h"

#include <cmath>

namespace jostle::forces {

using math::Vec3;
using math::Vec3d;

namespace {

math::Position place_of(Vec3d v) {
  return {v.x, v.y, v.z};
}

}  // namespace

// Forced inline, because it is called for each particle and field, and function calls would take a
// fifth of the time.
JOSTLE_SIMD_INLINE Vec3d PointFields::PreparedLaw::at(const Vec3d& position) const {
  const Vec3d away = position - centre;
  const double squared = dot(away, away);
  if (squared == 0 || (outer_squared > 0 && squared > outer_squared)) return {};
  const double size = std::sqrt(squared + soft_squared);
  double power = 1;  // size^(exponent + 1)
  for (std::int32_t i = min_exponent; i < exponent; ++i)
    power *= size;
  return away * (strength / power);
}

JOSTLE_SIMD_INLINE void PointFields::PreparedDrag::add(const PointTraits& point,
                                                       const Vec3d& position, const Vec3d& speed,
                                                       DragRate& sum) const {
  if (region.kind != RegionKind::Everywhere && !contains(region, place_of(position))) return;
  double rate = linear;
  if (quadratic > 0) rate += quadratic * length(speed - velocity);
  if (is_wind)
    rate *= static_cast<double>(math::pi * point.radius * point.radius) /
            static_cast<double>(point.mass);
  sum.rate += rate;
  sum.of_media = sum.of_media + velocity * rate;
}

void PointFields::add(const ForceField& field) {
  if (const auto* attraction = std::get_if<Attraction>(&field)) {
    const CentralLaw& law = attraction->law;
    const auto softening = static_cast<double>(law.softening);
    const auto outer = static_cast<double>(law.outer);
    const math::Position& c = attraction->centre;
    fields_.emplace_back(PreparedLaw{{c.x, c.y, c.z},
                                     -static_cast<double>(law.strength),
                                     softening * softening,
                                     outer * outer,
                                     law.exponent});
  } else if (const auto* wind = std::get_if<Wind>(&field)) {
    const double pressure =
        0.5 * static_cast<double>(wind->density) * static_cast<double>(wind->coefficient);
    fields_.emplace_back(PreparedDrag{wind->region, math::widened(wind->velocity),
                                      static_cast<double>(wind->linear), pressure, true});
  } else if (const auto* drag = std::get_if<Drag>(&field)) {
    fields_.emplace_back(PreparedDrag{drag->region, math::widened(drag->velocity),
                                      static_cast<double>(drag->linear),
                                      static_cast<double>(drag->quadratic), false});
  } else if (!std::holds_alternative<Thrust>(field)) {
    fields_.emplace_back(field);
  }
}

Vec3d PointFields::pushed_by_charges(const CentralLaw& law, Vec3d position) const {
  Vec3d sum;
  for (const StandingCharge& other : charges_)
    sum = sum + central(law, position - other.position) * other.charge;
  return sum;
}

Vec3d PointFields::by_other(const ForceField& field, const PointTraits& point, Vec3d position,
                            Vec3d velocity, DragRate& sum) const {
  const double per_mass = 1 / static_cast<double>(point.mass);
  if (const auto* charges = std::get_if<Charges>(&field)) {
    if (point.charge == 0.0f) return {};
    return pushed_by_charges(charges->law, position) *
           (static_cast<double>(point.charge) * per_mass);
  }
  const PointAction action =
      action_on(field, {place_of(position), point.mass, point.charge, point.radius}, gravity_);
  const Vec3d flow = math::widened(action.drag.medium_velocity);
  const double rate = static_cast<double>(action.drag.linear) +
                      static_cast<double>(action.drag.quadratic) * length(velocity - flow);
  sum.rate += rate;
  sum.of_media = sum.of_media + flow * rate;
  return action.force * per_mass;
}

Vec3d PointFields::acceleration(const PointTraits& point, const Vec3d& position,
                                const Vec3d& velocity, double most_drag) const {
  Vec3d sum = math::widened(gravity_) * static_cast<double>(point.gravity_scale);
  DragRate drag;
  for (const Prepared& field : fields_) {
    if (const auto* law = std::get_if<PreparedLaw>(&field)) {
      sum = sum + law->at(position);
    } else if (const auto* medium = std::get_if<PreparedDrag>(&field)) {
      medium->add(point, position, velocity, drag);
    } else {
      sum = sum + by_other(std::get<ForceField>(field), point, position, velocity, drag);
    }
  }
  if (drag.rate == 0) return sum;
  const double share = drag.rate > most_drag ? most_drag / drag.rate : 1;
  return sum + (drag.of_media - velocity * drag.rate) * share;
}

}  // namespace jostle::forces
