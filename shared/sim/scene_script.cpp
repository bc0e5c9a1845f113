#include "shared/sim/scene_script.h"

#include <variant>
#include <vector>

namespace jostle::sim {
namespace {

void push_body(physics::World& world, physics::BodyHandle body, const state::PushEffect& effect) {
  if (const auto* shove = std::get_if<state::Shove>(&effect)) {
    world.apply_impulse(body, shove->impulse, world.centre_of_mass(body) + shove->point);
  } else if (const auto* drive = std::get_if<state::Drive>(&effect)) {
    world.set_velocity(body, drive->velocity, world.angular_velocity(body));
  } else {
    const state::PushedBody pushed{world.pose(body).position, world.linear_velocity(body),
                                   world.mass(body)};
    world.apply_central_impulse(body, impulse_of(std::get<state::Pull>(effect), pushed));
  }
}

}  // namespace

void SceneScript::reset(RuleContext& context) {
  steps_ = 0;
  first_id_ = context.bodies.world_def().bodies.empty()
                  ? 1
                  : context.bodies.world_def().bodies.front().id.value;
}

void SceneScript::before_step(RuleContext& context) {
  const std::uint32_t step = steps_++;
  apply_kinematic_motions(context, step, false);
  push_bodies(context, step);
  explode(context, step);
}

void SceneScript::after_step(RuleContext& context) {
  struct Entered {
    physics::BodyHandle body;
    const scene::SceneEntry* entry;
  };
  // Collects all events first, because a destroyed body may have entered several sensors.
  std::vector<Entered> entered;
  for (const physics::SensorBegin& begin : context.world.sensor_begins()) {
    const state::BodyId id =
        BodyRegistry::id_of(context.world, context.world.body_of(begin.sensor));
    if (id.value < first_id_ || id.value - first_id_ >= context.scene.bodies.size()) continue;
    const scene::SceneBody& body = context.scene.bodies[id.value - first_id_];
    if (body.on_enter) entered.push_back({context.world.body_of(begin.visitor), &*body.on_enter});
  }
  for (const Entered& one : entered) {
    if (!context.world.is_alive(one.body)) continue;
    if (context.world.motion_type(one.body) != state::MotionType::Dynamic) continue;
    if (one.entry->move_to) {
      context.bodies.teleport(context.world, one.body,
                              {*one.entry->move_to, context.world.pose(one.body).rotation});
      context.world.set_velocity(one.body, {}, {});
      continue;
    }
    const state::BodyId id = BodyRegistry::id_of(context.world, one.body);
    const state::BodyInfo* info = context.bodies.info(id);
    if (info != nullptr && info->owner.is_null()) context.bodies.despawn(context.world, id);
  }
}

void SceneScript::skip_steps(RuleContext& context, std::uint32_t steps) {
  if (steps == 0) return;
  steps_ += steps;
  apply_kinematic_motions(context, steps_ - 1, true);
}

/// Moves the kinematic bodies to their places at the end of a step. They have no velocity if
/// `is_skipped`.
void SceneScript::apply_kinematic_motions(RuleContext& context, std::uint32_t step,
                                          bool is_skipped) const {
  for (std::uint32_t i = 0; i < context.scene.bodies.size(); ++i) {
    const scene::SceneBody& body = context.scene.bodies[i];
    if (!body.kinematic_motion) continue;
    const auto handle = context.bodies.find({first_id_ + i});
    if (!handle || context.world.motion_type(*handle) != state::MotionType::Kinematic) continue;
    // The pose of the body at the end of the step.
    const math::Pose target =
        state::pose_at(*body.kinematic_motion, body.pose, step + 1, context.step_seconds);
    if (context.world.is_enabled(*handle) && !is_skipped) {
      context.world.move_kinematic(*handle, target);
    } else {
      // Teleport a disabled body, so that it has no velocity when it is enabled again.
      context.world.set_pose(*handle, target);
    }
  }
}

void SceneScript::push_bodies(RuleContext& context, std::uint32_t step) const {
  for (const state::Push& push : context.scene.pushes) {
    const auto effect = state::effect_of(push, step, context.step_seconds);
    if (!effect) continue;
    for (const std::uint32_t body : push.bodies) {
      const auto handle = context.bodies.find({first_id_ + body});
      if (handle && context.world.is_enabled(*handle) &&
          context.world.motion_type(*handle) == state::MotionType::Dynamic)
        push_body(context.world, *handle, *effect);
    }
  }
}

void SceneScript::explode(RuleContext& context, std::uint32_t step) const {
  for (const scene::SceneExplosion& blast : context.scene.explosions) {
    const double times = state::moments_at(blast.moments, step, context.step_seconds);
    if (!(times > 0)) continue;
    forces::Explosion explosion = blast.explosion;
    explosion.impulse *= static_cast<float>(times);
    context.world.explode(explosion);
  }
}

void SceneScript::save(base::ByteWriter& writer) const {
  writer.u32(steps_);
  writer.u32(first_id_);
}

void SceneScript::restore(base::ByteReader& reader, const BodyRegistry&) {
  steps_ = reader.u32();
  first_id_ = reader.u32();
}

}  // namespace jostle::sim
