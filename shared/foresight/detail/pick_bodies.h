#pragma once

#include "shared/foresight/foresight.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jostle::foresight::detail {

/// What a body does in a world that is stepped for a few ticks.
enum class Task : std::uint8_t {
  Absent,     // nothing that moves comes near it, or nothing is known of it
  Bystander,  // it sleeps until something wakes it
  Mover,
};

/// Everything that moves, and all that it may meet until the frame.
std::vector<Task> pick_bodies(const scene::SceneDef& scene, std::span<const Role> cast,
                              std::span<const float> radii, const Known& known);

/// Of a ball around the origin of a body's frame that holds its shapes, m.
float radius_of(const scene::SceneBody& body);

}  // namespace jostle::foresight::detail
