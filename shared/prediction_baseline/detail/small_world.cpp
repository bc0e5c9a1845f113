#include "shared/prediction_baseline/detail/small_world.h"

#include "shared/math/trig.h"
#include "shared/sim/instantiate.h"
#include "shared/sim/player_control.h"

#include <cstddef>

namespace jostle::prediction_baseline::detail {

Motion motion_between(const math::Pose& from, const math::Pose& to, float seconds) {
  const math::Quat turn = normalized(to.rotation * conjugate(from.rotation));
  return {(to.position - from.position) / seconds, math::to_rotation_vector(turn) / seconds};
}

SmallWorld::SmallWorld(const scene::SceneDef& scene, const physics::WorldOptions& options,
                       std::span<const Role> cast, std::span<const Task> tasks,
                       std::span<const math::Pose> poses, std::span<const Motion> motions,
                       const physics::Execution& execution)
    : scene_(scene),
      cast_(cast),
      world_(options),
      handles_(cast.size()),
      of_scene_(scene.bodies.size()) {
  world_.set_execution(execution);
  for (const scene::SceneMaterialPair& pair : scene.material_pairs)
    sim::instantiate(world_, pair);
  add_statics();
  add_bodies(tasks, poses, motions);
  add_joints(tasks, poses, motions);
  add_fields();
}

void SmallWorld::add_statics() {
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
    if (scene_.bodies[i].motion == state::MotionType::Static)
      of_scene_[i] = sim::instantiate(world_, scene_.bodies[i], {});
}

void SmallWorld::add_bodies(std::span<const Task> tasks, std::span<const math::Pose> poses,
                            std::span<const Motion> motions) {
  scene::SceneBody body;
  for (std::size_t i = 0; i < cast_.size(); ++i) {
    if (tasks[i] == Task::Absent) continue;
    const bool moves = tasks[i] == Task::Mover;
    body = *cast_[i].body;
    body.pose = poses[i];
    body.is_awake = moves;
    body.linear_velocity = moves ? motions[i].linear : math::Vec3{};
    body.angular_velocity = moves ? motions[i].angular : math::Vec3{};
    handles_[i] = sim::instantiate(world_, body, {});
    if (cast_[i].scene_index) of_scene_[*cast_[i].scene_index] = handles_[i];
  }
}

/// Creates the joints. The scene defines them for its bodies' initial poses, so the bodies are
/// moved to these poses first and then back.
void SmallWorld::add_joints(std::span<const Task> tasks, std::span<const math::Pose> poses,
                            std::span<const Motion> motions) {
  const auto is_here = [&](std::uint32_t body) { return !of_scene_[body].is_null(); };
  bool has_joints = false;
  for (const scene::SceneJoint& joint : scene_.joints) {
    if (!is_here(joint.body_a) || !is_here(joint.body_b)) continue;
    for (const std::uint32_t body : {joint.body_a, joint.body_b})
      world_.set_pose(of_scene_[body], scene_.bodies[body].pose);
    sim::instantiate(world_, joint, of_scene_);
    has_joints = true;
  }
  if (!has_joints) return;
  for (std::size_t i = 0; i < cast_.size(); ++i) {
    if (tasks[i] == Task::Absent) continue;
    world_.set_pose(handles_[i], poses[i]);
    if (tasks[i] == Task::Mover)
      world_.set_velocity(handles_[i], motions[i].linear, motions[i].angular);
  }
  for (std::size_t i = 0; i < cast_.size(); ++i)
    if (tasks[i] == Task::Bystander) world_.set_awake(handles_[i], false);
}

void SmallWorld::add_fields() {
  for (const scene::SceneForce& force : scene_.fields)
    if (!force.body || !of_scene_[*force.body].is_null())
      sim::instantiate(world_, force, of_scene_);
}

void SmallWorld::step(std::span<const protocol::context::QuantizedInput> inputs,
                      std::size_t stride) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < cast_.size(); ++i) {
    if (!cast_[i].is_steered) continue;
    const state::PlayerInput input = protocol::context::to_input(inputs[next]);
    next += stride;
    sim::drive_body(world_, scene_.player, input, handles_[i]);
    sim::apply_fields(world_, scene_.player, input.buttons, handles_[i]);
  }
  world_.step();
}

void SmallWorld::move(std::size_t role, const math::Pose& pose) {
  const physics::BodyHandle body = handles_[role];
  const Motion motion{world_.linear_velocity(body), world_.angular_velocity(body)};
  world_.set_pose(body, pose);
  world_.set_velocity(body, motion.linear, motion.angular);
}

}  // namespace jostle::prediction_baseline::detail
