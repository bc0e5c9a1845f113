#pragma once

#include "shared/base/result.h"
#include "shared/physics/world.h"
#include "tools/workload/body_state.h"
#include "tools/workload/scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jostle::rig {

/// A world of the engine with a workload loaded.
struct Rig {
  physics::World world;
  std::vector<physics::BodyHandle> bodies;  // handles, by index in Scene::bodies
  math::Position origin;                    // position of the scene's origin in the world
};

/// Creates the world of a benchmark scene, with the scene's origin at `origin`. Only the given
/// stabilizers act. The error says what
/// the engine cannot represent. Contract: the scene was not converted from a scene file
/// (`scene.world` is null), because this function ignores most fields of scene files; use
/// bench::set_up() for scene files.
base::Result<Rig, std::string> set_up(const workload::Scene& scene,
                                      const physics::Execution& execution, math::Position origin,
                                      physics::Stabilizers stabilizers = {});

/// Applies the scene's actions before step number `step`, counted from 0, and steps the world.
void step(const workload::Scene& scene, int step, Rig& rig);

// Positions in the functions below are relative to Rig::origin.
workload::BodyState state_of(const Rig& rig, std::uint32_t body);
state::PushedBody body_state(const Rig& rig, std::uint32_t body);

/// Applies an impulse (N·s) at a point, in m from the centre of mass along the world's axes.
void push(Rig& rig, std::uint32_t body, math::Vec3 impulse, math::Vec3 point);
/// Sets the linear velocity and wakes the body.
void drive(Rig& rig, std::uint32_t body, math::Vec3 velocity);
/// Moves a kinematic body so that it reaches the pose at the end of the next step.
void move(Rig& rig, std::uint32_t body, const math::Pose& target);

}  // namespace jostle::rig
