#include "shared/scene/detail/joint_details_reader.h"

#include "shared/math/trig.h"
#include "shared/scene/detail/limits.h"

#include <array>
#include <string_view>

namespace jostle::scene::detail {
namespace {

constexpr double max_steer_degrees = 80;
/// Limit of the second of the three angles of a six-DOF joint. The second angle is the one with the
/// narrowest limits. Near 90° the other two angles become degenerate (gimbal lock).
constexpr float max_second_angle = 85.0f * radians_per_degree;

/// Fails the reader if the joint has a field that only joints of other kinds use.
void check_kinds(ValueReader& reader, const wire::Joint& table, const Path& path, JointKind kind) {
  const auto only = [&](std::string_view field, bool is_given, auto... kinds) {
    if (is_given && ((kind != kinds) && ...))
      reader.fail(path.field(field), "is not used by a " + kind_name(kind) + " joint");
  };
  only("tension_only", table.tension_only().has_value(), JointKind::Distance);
  only("spin_axis", table.spin_axis() != nullptr, JointKind::Wheel);
  only("steer_angle", table.steer_angle().has_value(), JointKind::Wheel);
  only("brake_torque", table.brake_torque().has_value(), JointKind::Wheel);
  only("sprung_mass", table.sprung_mass().has_value(), JointKind::Wheel);
  only("rotation", table.rotation() != nullptr, JointKind::SixDof);
  only("rotation_degrees", table.rotation_degrees() != nullptr, JointKind::SixDof);
  only("linear_x", table.linear_x() != nullptr, JointKind::SixDof);
  only("linear_y", table.linear_y() != nullptr, JointKind::SixDof);
  only("linear_z", table.linear_z() != nullptr, JointKind::SixDof);
  only("angular_x", table.angular_x() != nullptr, JointKind::SixDof);
  only("angular_y", table.angular_y() != nullptr, JointKind::SixDof);
  only("angular_z", table.angular_z() != nullptr, JointKind::SixDof);
  only("target", table.target() != nullptr, JointKind::Servo);
  only("max_force", table.max_force().has_value(), JointKind::Servo);
  only("max_torque", table.max_torque().has_value(), JointKind::Servo);
  only("axis_b", table.axis_b() != nullptr, JointKind::Gear, JointKind::RackAndPinion);
  only("ratio", table.ratio().has_value(), JointKind::Gear, JointKind::RackAndPinion,
       JointKind::Pulley);
  only("ground_anchor_a", table.ground_anchor_a() != nullptr, JointKind::Pulley);
  only("ground_anchor_b", table.ground_anchor_b() != nullptr, JointKind::Pulley);
}

void need(ValueReader& reader, const Path& path, std::string_view field, bool is_given,
          JointKind kind) {
  if (!is_given)
    reader.fail(path.field(field), "is missing; a " + kind_name(kind) + " joint requires it");
}

SceneJointAxis read_axis(ValueReader& reader, const wire::JointAxis* table, const Path& path,
                         bool turns) {
  SceneJointAxis axis;
  if (table == nullptr) return axis;
  axis.is_locked = false;
  axis.has_limits = table->lower().has_value() || table->upper().has_value();
  const float scale = turns ? radians_per_degree : 1.0f;
  const Range range = turns ? within(180) : within(1e6);
  const auto farthest = static_cast<float>(range.high);
  axis.lower = reader.number(table->lower(), path.field("lower"), range, -farthest) * scale;
  axis.upper = reader.number(table->upper(), path.field("upper"), range, farthest) * scale;
  if (axis.lower > axis.upper) reader.fail(path.field("upper"), "must not be below lower");
  if (!axis.has_limits) axis.lower = axis.upper = 0;
  axis.rest = reader.number(table->rest(), path.field("rest"), range, 0) * scale;
  if (axis.has_limits && (axis.rest < axis.lower || axis.rest > axis.upper))
    reader.fail(path.field("rest"),
                "must be from lower to upper, is " + shown(table->rest().value_or(0)));
  axis.spring_hertz =
      reader.number(table->spring_hertz(), path.field("spring_hertz"), between(0, 1000), 0);
  axis.spring_damping_ratio = reader.number(
      table->spring_damping_ratio(), path.field("spring_damping_ratio"), between(0, 1000), 0);
  axis.motor_speed =
      reader.number(table->motor_speed(), path.field("motor_speed"), velocity_range, 0);
  axis.max_motor_force =
      reader.number(table->max_motor_force(), path.field("max_motor_force"), force_range, 0);
  if (table->motor_speed() && !table->max_motor_force())
    reader.fail(path.field("max_motor_force"), "is missing; a motor requires it");
  axis.friction = reader.number(table->friction(), path.field("friction"), force_range, 0);
  return axis;
}

float reach_of(const SceneJointAxis& axis) {
  if (axis.is_locked) return 0;
  return axis.has_limits ? math::max_of(math::abs_of(axis.lower), math::abs_of(axis.upper))
                         : math::pi;
}

void read_six_axes(ValueReader& reader, const wire::Joint& table, const Path& path,
                   SceneJointDetails& details) {
  details.rotation = reader.rotation(table.rotation(), table.rotation_degrees(), path, {});
  details.axes = {read_axis(reader, table.linear_x(), path.field("linear_x"), false),
                  read_axis(reader, table.linear_y(), path.field("linear_y"), false),
                  read_axis(reader, table.linear_z(), path.field("linear_z"), false),
                  read_axis(reader, table.angular_x(), path.field("angular_x"), true),
                  read_axis(reader, table.angular_y(), path.field("angular_y"), true),
                  read_axis(reader, table.angular_z(), path.field("angular_z"), true)};
  float narrowest = math::pi;
  bool holds_any = false;
  for (std::size_t i = 3; i < details.axes.size(); ++i) {
    narrowest = math::min_of(narrowest, reach_of(details.axes[i]));
    holds_any = holds_any || details.axes[i].is_locked || details.axes[i].has_limits;
  }
  if (holds_any && narrowest > max_second_angle)
    reader.fail(path.field("angular_y"),
                "one of angular_x, angular_y and angular_z must be locked or within ±85 degrees, "
                "unless all are free");
}

}  // namespace

std::string kind_name(JointKind kind) {
  std::string name = wire::EnumNameJointKind(static_cast<wire::JointKind>(kind));
  if (kind == JointKind::SixDof) name = "six-DOF";
  return name;
}

math::Vec3 read_direction(ValueReader& reader, const Numbers* numbers, const Path& path,
                          math::Vec3 fallback) {
  const math::Vec3 direction =
      normalized_or(reader.vector(numbers, path, within(1e6), fallback), {});
  if (direction == math::Vec3{}) reader.fail(path, "must not be zero");
  return direction;
}

void read_joint_details(ValueReader& reader, const wire::Joint& table, const Path& path,
                        SceneJoint& joint) {
  static_assert(static_cast<int>(wire::JointKind::pulley) == static_cast<int>(JointKind::Pulley));
  const JointKind kind = joint.kind;
  check_kinds(reader, table, path, kind);
  joint.tension_only = table.tension_only().value_or(false);
  if (joint.tension_only && !(joint.spring_hertz > 0.0f))
    reader.fail(path.field("tension_only"), "requires spring_hertz above 0");
  if (kind <= JointKind::Distance) return;
  SceneJointDetails& details = joint.details.edit();
  const auto number = [&](float& to, std::optional<double> from, std::string_view name,
                          Range range) { to = reader.number(from, path.field(name), range, to); };
  if (kind == JointKind::Wheel) {
    need(reader, path, "spin_axis", table.spin_axis() != nullptr, kind);
    details.axle = read_direction(reader, table.spin_axis(), path.field("spin_axis"), details.axle);
    if (math::abs_of(dot(details.axle, joint.axis)) > 0.5f)
      reader.fail(path.field("spin_axis"),
                  "must be at least 60 degrees away from axis, along which the wheel travels");
    number(details.steer_angle, table.steer_angle(), "steer_angle", within(max_steer_degrees));
    details.steer_angle *= radians_per_degree;
    number(details.brake_torque, table.brake_torque(), "brake_torque", force_range);
    number(details.sprung_mass, table.sprung_mass(), "sprung_mass", between(0, 1e9));
  }
  if (kind == JointKind::SixDof) read_six_axes(reader, table, path, details);
  if (kind == JointKind::Servo) {
    need(reader, path, "spring_hertz", table.spring_hertz().has_value(), kind);
    need(reader, path, "max_force", table.max_force() || table.max_torque(), kind);
    details.target = reader.position(table.target(), path.field("target"), joint.anchor);
    number(details.max_force, table.max_force(), "max_force", force_range);
    number(details.max_torque, table.max_torque(), "max_torque", force_range);
  }
  if (kind == JointKind::Gear || kind == JointKind::RackAndPinion) {
    need(reader, path, "ratio", table.ratio().has_value(), kind);
    if (kind == JointKind::RackAndPinion)
      need(reader, path, "axis_b", table.axis_b() != nullptr, kind);
    details.axis_b = read_direction(reader, table.axis_b(), path.field("axis_b"), joint.axis);
  }
  if (kind == JointKind::Pulley) {
    need(reader, path, "ground_anchor_a", table.ground_anchor_a() != nullptr, kind);
    need(reader, path, "ground_anchor_b", table.ground_anchor_b() != nullptr, kind);
    details.ground_anchor_a =
        reader.position(table.ground_anchor_a(), path.field("ground_anchor_a"), {});
    details.ground_anchor_b =
        reader.position(table.ground_anchor_b(), path.field("ground_anchor_b"), {});
  }
  number(details.ratio, table.ratio(), "ratio",
         kind == JointKind::Pulley ? positive(1e-3, 1e3) : within(1e6));
  if (math::abs_of(details.ratio) < 1e-3f)
    reader.fail(path.field("ratio"), "must be at least 0.001 or at most -0.001");
}

}  // namespace jostle::scene::detail
