#pragma once

#include "tools/workload/scene.h"

#include <array>

namespace jostle::workload {

/// Mass, centre of mass and inertia of a body, in its frame.
struct BodyMass {
  double mass = 0;        // kg
  math::Position centre;  // m
  /// kg·m², about the centre: rows of a symmetric tensor.
  std::array<std::array<double, 3>, 3> inertia{};
};

/// Of the body's parts, solid and of uniform density each. Where the body states its mass, that is
/// shared out by the densities. Zero for what has no volume.
BodyMass mass_of(const Scene& scene, const Body& body);

}  // namespace jostle::workload
