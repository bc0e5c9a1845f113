#include "shared/scene/detail/joint_reader.h"

#include "shared/math/trig.h"
#include "shared/scene/detail/joint_details_reader.h"
#include "shared/scene/detail/limits.h"

namespace jostle::scene::detail {
namespace {

bool turns(JointKind kind) {
  return kind == JointKind::Ball || kind == JointKind::Hinge;
}
bool is_length(JointKind kind) {
  return kind == JointKind::Distance || kind == JointKind::Pulley;
}
bool has_spring(JointKind kind) {
  return kind != JointKind::Ball && kind != JointKind::Fixed && kind != JointKind::SixDof;
}
bool has_motor(JointKind kind) {
  return kind == JointKind::Ball || (has_spring(kind) && kind != JointKind::Servo);
}
bool has_limits(JointKind kind) {
  return kind != JointKind::Fixed && kind != JointKind::SixDof && kind != JointKind::Servo;
}
/// Returns true if the joint needs an anchor. Gears and racks only couple rotations and
/// displacements.
bool has_anchor(JointKind kind) {
  return kind != JointKind::Gear && kind != JointKind::RackAndPinion;
}

/// Returns an angle in rad or a length in m, depending on the joint's kind. Files state angles in
/// degrees.
float read_place(ValueReader& reader, std::optional<double> value, const Path& path, JointKind kind,
                 float fallback) {
  if (turns(kind)) {
    return value ? reader.number(value, path, within(180), 0) * radians_per_degree : fallback;
  }
  // A gear's position is measured in radians of body a.
  if (kind == JointKind::Gear)
    return value ? reader.number(value, path, within(36'000), 0) * radians_per_degree : fallback;
  const Range range = is_length(kind) ? between(0, 1e6) : within(1e6);
  return reader.number(value, path, range, fallback);
}

void read_limits(ValueReader& reader, const wire::Joint& table, const Path& path,
                 SceneJoint& joint) {
  joint.has_limits = table.lower().has_value() || table.upper().has_value();
  if (joint.has_limits && !has_limits(joint.kind))
    reader.fail(path.field(table.lower() ? "lower" : "upper"),
                "a " + kind_name(joint.kind) + " joint has no limits");
  const float farthest = turns(joint.kind) ? math::pi : 1e6f;
  const float nearest = is_length(joint.kind) ? 0.0f : -farthest;
  joint.lower = read_place(reader, table.lower(), path.field("lower"), joint.kind, nearest);
  joint.upper = read_place(reader, table.upper(), path.field("upper"), joint.kind, farthest);
  if (joint.lower > joint.upper) reader.fail(path.field("upper"), "must not be below lower");
  if (!joint.has_limits) joint.lower = joint.upper = 0;
  joint.has_cone = table.cone_angle().has_value();
  if (joint.has_cone && joint.kind != JointKind::Ball)
    reader.fail(path.field("cone_angle"), "only a ball joint has a cone");
  joint.cone = reader.number(table.cone_angle(), path.field("cone_angle"), between(0, 180), 0) *
               radians_per_degree;
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
  if (!has_spring(joint.kind) && table.spring_hertz())
    reader.fail(path.field("spring_hertz"),
                "a " + kind_name(joint.kind) + " joint does not use it");
  if (!has_motor(joint.kind) && (table.motor_speed() || table.max_motor_force()))
    reader.fail(path.field("max_motor_force"),
                "a " + kind_name(joint.kind) + " joint has no motor");
  if (joint.kind == JointKind::Ball && joint.motor_speed != 0.0f)
    reader.fail(path.field("motor_speed"),
                "must be 0, because the motor of a ball joint is friction; six_dof joints have "
                "motors for rotation");
  if (table.motor_speed() && !table.max_motor_force())
    reader.fail(path.field("max_motor_force"), "is missing; a motor requires it");
  joint.break_force = reader.number(table.break_force(), path.field("break_force"), force_range, 0);
  joint.break_torque =
      reader.number(table.break_torque(), path.field("break_torque"), force_range, 0);
}

void read_places(ValueReader& reader, const wire::Joint& table, const Path& path,
                 SceneJoint& joint) {
  if (table.anchor() == nullptr && has_anchor(joint.kind))
    reader.fail(path.field("anchor"), "is missing");
  if (table.anchor() != nullptr && !has_anchor(joint.kind))
    reader.fail(path.field("anchor"), "a " + kind_name(joint.kind) +
                                          " joint has no anchor; it couples motions of its bodies");
  joint.anchor = reader.position(table.anchor(), path.field("anchor"), {});
  joint.anchor_b = reader.position(table.anchor_b(), path.field("anchor_b"), joint.anchor);
  if (table.anchor_b() != nullptr && !is_length(joint.kind))
    reader.fail(path.field("anchor_b"), "only distance joints and pulleys have two anchors");
  if (table.anchor_b() == nullptr && is_length(joint.kind))
    reader.fail(path.field("anchor_b"), "is missing");
  if (joint.kind == JointKind::Wheel) joint.axis = {0, 1, 0};
  joint.axis = read_direction(reader, table.axis(), path.field("axis"), joint.axis);
}

/// Returns the initial length of a distance joint or a pulley; 0 for other joints.
float length_of(const SceneJoint& joint) {
  if (joint.kind == JointKind::Distance) return math::length(joint.anchor_b - joint.anchor);
  if (joint.kind != JointKind::Pulley) return 0;
  const SceneJointDetails& details = joint.details.get();
  return math::length(joint.anchor - details.ground_anchor_a) +
         details.ratio * math::length(joint.anchor_b - details.ground_anchor_b);
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
    reader.fail(path.field("body_b"), "is the same as body_a; a joint needs two different bodies");
  if (bodies[joint.body_a].motion != state::MotionType::Dynamic &&
      bodies[joint.body_b].motion != state::MotionType::Dynamic)
    reader.fail(path.field("body_b"), "body_a or body_b must be dynamic");
  read_places(reader, table, path, joint);
  read_limits(reader, table, path, joint);
  read_drives(reader, table, path, joint);
  read_joint_details(reader, table, path, joint);
  joint.rest = read_place(reader, table.rest(), path.field("rest"), joint.kind, length_of(joint));
  joint.collide_connected = table.collide_connected().value_or(false);
  return joint;
}

}  // namespace

std::vector<SceneJoint> read_joints(ValueReader& reader, const Tables<wire::Joint>* tables,
                                    const Path& path, const std::vector<SceneBody>& bodies,
                                    const BodyNames& names) {
  std::vector<SceneJoint> joints;
  if (tables == nullptr || reader.has_failed()) return joints;
  if (tables->size() > max_scene_joints) {
    reader.fail(path, "may have at most " + std::to_string(max_scene_joints) + " entries, has " +
                          std::to_string(tables->size()));
    return joints;
  }
  for (flatbuffers::uoffset_t i = 0; i < tables->size() && !reader.has_failed(); ++i)
    joints.push_back(read_joint(reader, *tables->Get(i), path.entry(i), bodies, names));
  return joints;
}

}  // namespace jostle::scene::detail
