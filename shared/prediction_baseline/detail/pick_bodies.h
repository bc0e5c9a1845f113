#pragma once

#include "shared/prediction_baseline/prediction_baseline.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jostle::prediction_baseline::detail {

/// Role of a body in a world that is simulated for a few ticks.
enum class Task : std::uint8_t {
  Absent,     // not simulated: out of reach of all moving bodies, or not defined by the scene
  Bystander,  // simulated, but asleep until another body wakes it
  Mover,
};

/// Selects all moving bodies and all bodies that they may meet until the frame.
std::vector<Task> pick_bodies(const scene::SceneDef& scene, std::span<const Role> cast,
                              std::span<const float> radii, const Known& known);

/// Returns the radius of a sphere around the origin of the body's frame that contains its shapes,
/// m.
float radius_of(const scene::SceneBody& body);

}  // namespace jostle::prediction_baseline::detail
