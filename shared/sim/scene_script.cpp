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

void SceneScript::reset(Stage& stage) {
  steps_ = 0;
  first_id_ = stage.bodies.world_def().bodies.empty()
                  ? 1
                  : stage.bodies.world_def().bodies.front().id.value;
}

void SceneScript::before_step(Stage& stage) {
  const std::uint32_t step = steps_++;
  follow_courses(stage, step);
  push_bodies(stage, step);
  explode(stage, step);
}

void SceneScript::after_step(Stage& stage) {
  struct Entered {
    physics::BodyHandle body;
    const scene::SceneEntry* entry;
  };
  // Collects all events first, because a destroyed body may have entered several sensors.
  std::vector<Entered> entered;
  for (const physics::SensorBegin& begin : stage.world.sensor_begins()) {
    const state::BodyId id = BodyRegistry::id_of(stage.world, stage.world.body_of(begin.sensor));
    if (id.value < first_id_ || id.value - first_id_ >= stage.scene.bodies.size()) continue;
    const scene::SceneBody& body = stage.scene.bodies[id.value - first_id_];
    if (body.on_enter) entered.push_back({stage.world.body_of(begin.visitor), &*body.on_enter});
  }
  for (const Entered& one : entered) {
    if (!stage.world.is_alive(one.body)) continue;
    if (stage.world.motion_type(one.body) != state::MotionType::Dynamic) continue;
    if (one.entry->move_to) {
      stage.world.set_pose(one.body, {*one.entry->move_to, stage.world.pose(one.body).rotation});
      stage.world.set_velocity(one.body, {}, {});
      continue;
    }
    const state::BodyId id = BodyRegistry::id_of(stage.world, one.body);
    const state::BodyInfo* info = stage.bodies.info(id);
    if (info != nullptr && info->owner.is_null()) stage.bodies.despawn(stage.world, id);
  }
}

void SceneScript::follow_courses(Stage& stage, std::uint32_t step) const {
  for (std::uint32_t i = 0; i < stage.scene.bodies.size(); ++i) {
    const scene::SceneBody& body = stage.scene.bodies[i];
    if (!body.course) continue;
    const auto handle = stage.bodies.find({first_id_ + i});
    if (!handle || stage.world.motion_type(*handle) != state::MotionType::Kinematic) continue;
    // The pose of the body at the end of the step.
    const math::Pose target =
        state::pose_on_course(*body.course, body.pose, step + 1, stage.step_seconds);
    if (stage.world.is_enabled(*handle)) {
      stage.world.move_kinematic(*handle, target);
    } else {
      // A disabled body is teleported, so that it reappears on its course without velocity.
      stage.world.set_pose(*handle, target);
    }
  }
}

void SceneScript::push_bodies(Stage& stage, std::uint32_t step) const {
  for (const state::Push& push : stage.scene.pushes) {
    const auto effect = state::effect_of(push, step, stage.step_seconds);
    if (!effect) continue;
    for (const std::uint32_t body : push.bodies) {
      const auto handle = stage.bodies.find({first_id_ + body});
      if (handle && stage.world.is_enabled(*handle) &&
          stage.world.motion_type(*handle) == state::MotionType::Dynamic)
        push_body(stage.world, *handle, *effect);
    }
  }
}

void SceneScript::explode(Stage& stage, std::uint32_t step) const {
  for (const scene::SceneExplosion& blast : stage.scene.explosions) {
    const double times = state::moments_at(blast.moments, step, stage.step_seconds);
    if (!(times > 0)) continue;
    forces::Explosion explosion = blast.explosion;
    explosion.impulse *= static_cast<float>(times);
    stage.world.explode(explosion);
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
