#pragma once

#include "shared/foresight/detail/pick_bodies.h"
#include "shared/physics/world.h"

#include <span>
#include <vector>

namespace jostle::foresight::detail {

struct Motion {
  math::Vec3 linear;   // m/s
  math::Vec3 angular;  // rad/s
};

/// The steady motion that leads from one pose to another.
Motion motion_between(const math::Pose& from, const math::Pose& to, float seconds);

/// A world of its own with what stands in the scene and the bodies that were picked, made anew each
/// time: what it does follows from the arguments alone.
class SmallWorld {
 public:
  /// `poses` and `motions` as many as roles; those of absent bodies are not looked at.
  SmallWorld(const scene::SceneDef& scene, const physics::WorldOptions& options,
             std::span<const Role> cast, std::span<const Task> tasks,
             std::span<const math::Pose> poses, std::span<const Motion> motions,
             const physics::Execution& execution);

  /// One tick; `inputs` of the steered bodies in the order of roles, `stride` apart.
  void step(std::span<const protocol::context::HeldInput> inputs, std::size_t stride);
  /// Puts a mover to another pose; it goes on as fast as it did.
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
  std::vector<physics::BodyHandle> handles_;   // by role
  std::vector<physics::BodyHandle> of_scene_;  // by index in the scene
};

}  // namespace jostle::foresight::detail
