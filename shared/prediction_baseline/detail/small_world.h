#pragma once

#include "shared/physics/world.h"
#include "shared/prediction_baseline/detail/pick_bodies.h"

#include <span>
#include <vector>

namespace jostle::prediction_baseline::detail {

struct Motion {
  math::Vec3 linear;   // m/s
  math::Vec3 angular;  // rad/s
};

/// Returns the constant velocity that moves a body from pose `from` to pose `to` in `seconds`.
Motion motion_between(const math::Pose& from, const math::Pose& to, float seconds);

/// A temporary world with the static bodies of the scene and the selected bodies. It is created
/// anew for each prediction, so that the result depends only on the arguments.
class SmallWorld {
 public:
  /// Creates the world. `poses` and `motions` have one entry per role; those of absent bodies are
  /// ignored. Bystanders start asleep at their poses.
  SmallWorld(const scene::SceneDef& scene, const physics::WorldOptions& options,
             std::span<const Role> cast, std::span<const Task> tasks,
             std::span<const math::Pose> poses, std::span<const Motion> motions,
             const physics::Execution& execution);

  /// Simulates one tick. `inputs` are those of the steered bodies in the order of roles, `stride`
  /// entries apart.
  void step(std::span<const protocol::context::QuantizedInput> inputs, std::size_t stride);
  /// Moves a body to another pose and keeps its velocities.
  void move(std::size_t role, const math::Pose& pose);

  math::Pose pose(std::size_t role) const { return world_.pose(handles_[role]); }
  bool is_awake(std::size_t role) const { return world_.is_awake(handles_[role]); }

 private:
  void add_statics();
  void add_bodies(std::span<const Task> tasks, std::span<const math::Pose> poses,
                  std::span<const Motion> motions);
  void add_joints(std::span<const Task> tasks, std::span<const math::Pose> poses,
                  std::span<const Motion> motions);
  void add_fields();

  const scene::SceneDef& scene_;
  std::span<const Role> cast_;
  physics::World world_;
  std::vector<physics::BodyHandle> handles_;   // indexed by role
  std::vector<physics::BodyHandle> of_scene_;  // indexed by the body's index in the scene
};

}  // namespace jostle::prediction_baseline::detail
