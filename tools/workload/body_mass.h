#pragma once

#include "tools/workload/scene.h"

#include <array>

namespace jostle::workload {

/// The mass, centre of mass and inertia of a body, in its frame.
struct BodyMass {
  double mass = 0;        // kg
  math::Position centre;  // m
  /// Inertia tensor about the centre of mass, kg·m²: rows of a symmetric matrix.
  std::array<std::array<double, 3>, 3> inertia{};
};

/// Computes the mass of a body whose parts are solid and of uniform density. If Body::mass is not
/// 0, that mass is distributed over the parts in proportion to their densities. Parts without
/// volume have zero mass.
BodyMass mass_of(const Scene& scene, const Body& body);

}  // namespace jostle::workload
