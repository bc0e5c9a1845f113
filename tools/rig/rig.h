#pragma once

#include "shared/base/result.h"
#include "shared/physics/world.h"
#include "tools/workload/body_state.h"
#include "tools/workload/scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jostle::rig {

/// A workload set up in a world of the engine.
struct Rig {
  physics::World world;
  std::vector<physics::BodyHandle> bodies;  // by their index in Scene::bodies
  math::Position origin;                    // where the scene's origin stands in the world
};

/// A benchmark scene; not one of a file, of which this reads too little (tools/bench/scene_file.h).
/// The error says in words what the engine cannot make of the scene.
base::Result<Rig, std::string> set_up(const workload::Scene& scene,
                                      const physics::Execution& execution, math::Position origin);

/// Does what the scene wants before step number `step`, counted from 0, and takes it.
void step(const workload::Scene& scene, int step, Rig& rig);

// All as seen from the scene's origin.
workload::BodyState state_of(const Rig& rig, std::uint32_t body);
state::PushedBody look_at(const Rig& rig, std::uint32_t body);

/// An impulse (N·s) at a point, m from the centre of mass along the world's axes.
void push(Rig& rig, std::uint32_t body, math::Vec3 impulse, math::Vec3 point);
/// Sets the linear velocity and wakes the body.
void drive(Rig& rig, std::uint32_t body, math::Vec3 velocity);
/// A kinematic body is to reach the pose at the end of the next step.
void move(Rig& rig, std::uint32_t body, const math::Pose& target);

}  // namespace jostle::rig
