#include "shared/forces/point_action.h"

#include "shared/forces/submersion.h"
#include "shared/math/trig.h"

#include <cmath>

namespace jostle::forces {

using math::Vec3d;

namespace {

struct PointVisitor {
  const PointMass& point;
  math::Vec3 gravity;

  double mass() const { return static_cast<double>(point.mass); }

  PointAction operator()(const Attraction& field) const {
    return {central(field.law, between(point.position, field.centre)) * -mass(), {}};
  }
  PointAction operator()(const Acceleration& field) const {
    if (!contains(field.region, point.position)) return {};
    return {math::widened(field.acceleration) * mass(), {}};
  }
  PointAction operator()(const Wind& field) const {
    if (!contains(field.region, point.position)) return {};
    return {{}, drag_of(field, math::pi * point.radius * point.radius, point.mass)};
  }
  PointAction operator()(const Drag& field) const {
    if (!contains(field.region, point.position)) return {};
    return {{}, {field.velocity, field.linear, field.quadratic, field.angular}};
  }
  PointAction operator()(const Pole& field) const {
    return {central(field.law, between(point.position, field.point)) *
                static_cast<double>(point.charge),
            {}};
  }
  PointAction operator()(const Charges&) const { return {}; }
  PointAction operator()(const Fluid& field) const {
    if (!(point.radius > 0.0f)) return {};
    const Submersion part = submerged(state::sphere(point.radius), {}, field, point.position);
    const double displaced = part.volume * static_cast<double>(field.density);
    return {math::widened(gravity) * -displaced,
            drag_of(field, static_cast<float>(displaced), point.mass)};
  }
  PointAction operator()(const Thrust&) const { return {}; }
};

}  // namespace

PointAction action_on(const ForceField& field, const PointMass& point, math::Vec3 gravity) {
  return std::visit(PointVisitor{point, gravity}, field);
}

Vec3d central(const CentralLaw& law, Vec3d from_centre) {
  const double squared = dot(from_centre, from_centre);
  const double outer = static_cast<double>(law.outer), soft = static_cast<double>(law.softening);
  if (squared == 0 || (outer > 0 && squared > outer * outer)) return {};
  const double size = std::sqrt(squared + soft * soft);
  double power = 1;  // size^(exponent + 1)
  for (std::int32_t i = min_exponent; i < law.exponent; ++i)
    power *= size;
  return from_centre * (static_cast<double>(law.strength) / power);
}

DragTerm drag_of(const Wind& wind, float area, float mass) {
  const float share = area / mass;
  return {wind.velocity, wind.linear * share, 0.5f * wind.density * wind.coefficient * share, 0};
}

DragTerm drag_of(const Fluid& fluid, float displaced, float mass) {
  const float share = displaced / mass;
  return {fluid.velocity, fluid.linear * share, fluid.quadratic * share, fluid.angular * share};
}

}  // namespace jostle::forces
