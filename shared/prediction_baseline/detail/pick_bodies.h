#pragma once

#include "shared/prediction_baseline/prediction_baseline.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jostle::prediction_baseline::detail {

/// The part that a body has in the SmallWorld of a prediction.
enum class Task : std::uint8_t {
  Absent,     // not simulated: out of reach of all moving bodies, or not defined by the scene
  Bystander,  // simulated, but asleep until another body wakes it
  Mover,      // simulated with an initial velocity
};

/// Returns one task per role. A body that the scene defines is a Mover if it is awake, has moved
/// since the older baseline or is steered by a player. It is a Bystander if a Mover may reach it
/// before the tick to predict, or if a joint connects it to a Mover. `radii` contains radius_of()
/// of each role.
std::vector<Task> pick_bodies(const scene::SceneDef& scene, std::span<const Role> cast,
                              std::span<const float> radii, const Known& known);

/// Returns the radius of a sphere around the origin of the body's frame that contains its shapes,
/// m.
float radius_of(const scene::SceneBody& body);

}  // namespace jostle::prediction_baseline::detail
