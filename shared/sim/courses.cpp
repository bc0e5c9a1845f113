#include "shared/sim/courses.h"

#include "shared/math/trig.h"

namespace jostle::sim {
namespace {

/// Where the course has the body `steps` steps after the start. The phase is reduced in double, so
/// that a platform is as exact after a day as after a second.
math::Pose pose_on_course(const scene::SceneBody& body, std::uint32_t steps, float step_seconds) {
  const scene::SceneCourse& course = *body.course;
  const double seconds = static_cast<double>(steps) * static_cast<double>(step_seconds);
  const double turns =
      seconds / static_cast<double>(course.period) + static_cast<double>(course.phase);
  const double whole_turns = static_cast<double>(static_cast<std::int64_t>(turns));
  const auto phase = static_cast<float>(turns - whole_turns);
  math::Pose pose = body.pose;
  pose.position = pose.position + course.amplitude * math::sin_cos(2.0f * math::pi * phase).sin;

  const float spin_speed = math::length(course.spin);
  if (spin_speed > 0.0f) {
    const double spin_turns =
        seconds * static_cast<double>(spin_speed) / (2.0 * static_cast<double>(math::pi));
    const double whole_spin_turns = static_cast<double>(static_cast<std::int64_t>(spin_turns));
    const auto angle = static_cast<float>(spin_turns - whole_spin_turns) * 2.0f * math::pi;
    pose.rotation = math::normalized(math::from_axis_angle(course.spin / spin_speed, angle) *
                                     body.pose.rotation);
  }
  return pose;
}

}  // namespace

void Courses::reset(Stage& stage) {
  steps_ = 0;
  first_id_ = stage.bodies.world_def().bodies.empty()
                  ? 1
                  : stage.bodies.world_def().bodies.front().id.value;
}

void Courses::before_step(Stage& stage) {
  ++steps_;
  for (std::uint32_t i = 0; i < stage.scene.bodies.size(); ++i) {
    const scene::SceneBody& body = stage.scene.bodies[i];
    if (!body.course) continue;
    const auto handle = stage.bodies.find({first_id_ + i});
    if (handle && stage.world.motion_type(*handle) == state::MotionType::Kinematic) {
      stage.world.move_kinematic(*handle, pose_on_course(body, steps_, stage.step_seconds));
    }
  }
}

void Courses::save(base::ByteWriter& writer) const {
  writer.u32(steps_);
  writer.u32(first_id_);
}

void Courses::restore(base::ByteReader& reader, const BodyRegistry&) {
  steps_ = reader.u32();
  first_id_ = reader.u32();
}

}  // namespace jostle::sim
