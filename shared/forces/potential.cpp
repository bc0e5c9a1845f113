#include "shared/forces/potential.h"

#include "shared/math/trig.h"

#include <cmath>

namespace jostle::forces {

using math::Vec3d;

namespace {

/// Returns the potential at the softened distance `size` = √(r² + softening²).
double potential_at(const CentralLaw& law, double size) {
  const auto strength = static_cast<double>(law.strength);
  if (law.exponent == 1)
    return size > 0 ? -strength * static_cast<double>(math::log(static_cast<float>(size))) : 0;
  if (law.exponent < 1) {
    const double power = law.exponent == 0 ? size : size * size;
    return -strength * power / static_cast<double>(1 - law.exponent);
  }
  double power = 1;  // size^(exponent − 1)
  for (std::int32_t i = 1; i < law.exponent; ++i)
    power *= size;
  return power > 0 ? strength / (static_cast<double>(law.exponent - 1) * power) : 0;
}

}  // namespace

double potential(const CentralLaw& law, Vec3d from_centre) {
  const double squared = dot(from_centre, from_centre);
  const auto outer = static_cast<double>(law.outer), soft = static_cast<double>(law.softening);
  if (outer > 0 && squared > outer * outer) return 0;
  return potential_at(law, std::sqrt(squared + soft * soft));
}

double potential(const ForceField& field, const PointMass& point) {
  const auto mass = static_cast<double>(point.mass);
  if (const auto* attraction = std::get_if<Attraction>(&field))
    return -mass * potential(attraction->law, between(point.position, attraction->centre));
  if (const auto* pole = std::get_if<Pole>(&field))
    return static_cast<double>(point.charge) *
           potential(pole->law, between(point.position, pole->point));
  if (const auto* even = std::get_if<Acceleration>(&field)) {
    if (even->region.kind != RegionKind::Everywhere) return 0;
    return -mass * dot(math::widened(even->acceleration), between(point.position, {}));
  }
  return 0;
}

}  // namespace jostle::forces
