#include "shared/scene/detail/joint_reader.h"

#include "shared/math/trig.h"
#include "shared/scene/detail/limits.h"

namespace jostle::scene::detail {
namespace {

constexpr float radians_per_degree = math::pi / 180.0f;
constexpr Range force_range = between(0, 1e12);

bool turns(JointKind kind) {
  return kind == JointKind::Ball || kind == JointKind::Hinge;
}
bool has_free_axis(JointKind kind) {
  return kind != JointKind::Ball && kind != JointKind::Fixed;
}

/// Angles are in degrees in the file.
float read_place(ValueReader& reader, std::optional<double> value, const Path& path, JointKind kind,
                 float fallback) {
  if (turns(kind)) {
    return value ? reader.number(value, path, within(180), 0) * radians_per_degree : fallback;
  }
  const Range range = kind == JointKind::Distance ? between(0, 1e6) : within(1e6);
  return reader.number(value, path, range, fallback);
}

void read_limits(ValueReader& reader, const wire::Joint& table, const Path& path,
                 SceneJoint& joint) {
  joint.has_limits = table.lower().has_value() || table.upper().has_value();
  if (joint.has_limits && joint.kind == JointKind::Fixed)
    reader.fail(path.field(table.lower() ? "lower" : "upper"), "a fixed joint has no limits");
  const float farthest = turns(joint.kind) ? math::pi : 1e6f;
  const float nearest = joint.kind == JointKind::Distance ? 0.0f : -farthest;
  joint.lower = read_place(reader, table.lower(), path.field("lower"), joint.kind, nearest);
  joint.upper = read_place(reader, table.upper(), path.field("upper"), joint.kind, farthest);
  if (joint.lower > joint.upper) reader.fail(path.field("upper"), "must not be below lower");
  if (!joint.has_limits) joint.lower = joint.upper = 0;
  joint.has_cone = table.cone().has_value();
  if (joint.has_cone && joint.kind != JointKind::Ball)
    reader.fail(path.field("cone"), "only a ball joint has a cone");
  joint.cone =
      reader.number(table.cone(), path.field("cone"), between(0, 180), 0) * radians_per_degree;
}

void read_drives(ValueReader& reader, const wire::Joint& table, const Path& path,
                 SceneJoint& joint) {
  joint.spring_hertz =
      reader.number(table.spring_hertz(), path.field("spring_hertz"), between(0, 1000), 0);
  joint.spring_damping_ratio = reader.number(
      table.spring_damping_ratio(), path.field("spring_damping_ratio"), between(0, 1000), 0);
  joint.motor_speed =
      reader.number(table.motor_speed(), path.field("motor_speed"), velocity_range, 0);
  joint.max_motor_force =
      reader.number(table.max_motor_force(), path.field("max_motor_force"), force_range, 0);
  if (!has_free_axis(joint.kind) && table.spring_hertz())
    reader.fail(path.field("spring_hertz"), "ball and fixed joints have no spring");
  if (!has_free_axis(joint.kind) && (table.motor_speed() || table.max_motor_force()))
    reader.fail(path.field("max_motor_force"), "ball and fixed joints have no motor");
  if (table.motor_speed() && !table.max_motor_force())
    reader.fail(path.field("max_motor_force"), "is missing: a motor needs it");
  joint.break_force = reader.number(table.break_force(), path.field("break_force"), force_range, 0);
  joint.break_torque =
      reader.number(table.break_torque(), path.field("break_torque"), force_range, 0);
}

void read_places(ValueReader& reader, const wire::Joint& table, const Path& path,
                 SceneJoint& joint) {
  if (table.anchor() == nullptr) reader.fail(path.field("anchor"), "is missing");
  joint.anchor = reader.position(table.anchor(), path.field("anchor"), {});
  joint.anchor_b = reader.position(table.anchor_b(), path.field("anchor_b"), joint.anchor);
  if (table.anchor_b() != nullptr && joint.kind != JointKind::Distance)
    reader.fail(path.field("anchor_b"), "only a distance joint has two anchors");
  if (table.anchor_b() == nullptr && joint.kind == JointKind::Distance)
    reader.fail(path.field("anchor_b"), "is missing");
  const math::Vec3 axis = reader.vector(table.axis(), path.field("axis"), within(1e6), joint.axis);
  joint.axis = normalized_or(axis, {});
  if (joint.axis == math::Vec3{}) reader.fail(path.field("axis"), "has no length");
}

SceneJoint read_joint(ValueReader& reader, const wire::Joint& table, const Path& path,
                      const std::vector<SceneBody>& bodies, const BodyNames& names) {
  SceneJoint joint;
  if (!table.kind()) reader.fail(path.field("kind"), "is missing");
  joint.kind = static_cast<JointKind>(table.kind().value_or(wire::JointKind::ball));
  joint.body_a = names.find(reader, table.body_a(), path.field("body_a"));
  joint.body_b = names.find(reader, table.body_b(), path.field("body_b"));
  if (reader.has_failed()) return joint;
  if (joint.body_a == joint.body_b)
    reader.fail(path.field("body_b"), "is body_a; a joint needs two bodies");
  if (bodies[joint.body_a].motion != state::MotionType::Dynamic &&
      bodies[joint.body_b].motion != state::MotionType::Dynamic)
    reader.fail(path.field("body_b"), "one of the two bodies must be dynamic");
  read_places(reader, table, path, joint);
  read_limits(reader, table, path, joint);
  read_drives(reader, table, path, joint);
  const float length = math::length(joint.anchor_b - joint.anchor);
  joint.rest = read_place(reader, table.rest(), path.field("rest"), joint.kind,
                          joint.kind == JointKind::Distance ? length : 0.0f);
  joint.collides_connected = table.collide_connected().value_or(false);
  return joint;
}

}  // namespace

std::vector<SceneJoint> read_joints(ValueReader& reader, const Tables<wire::Joint>* tables,
                                    const Path& path, const std::vector<SceneBody>& bodies,
                                    const BodyNames& names) {
  std::vector<SceneJoint> joints;
  if (tables == nullptr || reader.has_failed()) return joints;
  if (tables->size() > max_scene_joints) {
    reader.fail(path, "at most " + std::to_string(max_scene_joints) + ", are " +
                          std::to_string(tables->size()));
    return joints;
  }
  for (flatbuffers::uoffset_t i = 0; i < tables->size() && !reader.has_failed(); ++i)
    joints.push_back(read_joint(reader, *tables->Get(i), path.entry(i), bodies, names));
  return joints;
}

}  // namespace jostle::scene::detail
