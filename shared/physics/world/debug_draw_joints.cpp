#include "shared/math/trig.h"
#include "shared/physics/detail/drawing.h"

#include <array>

namespace jostle::physics {

using math::Position;
using math::Vec3;

namespace {

constexpr std::array<Vec3, 3> units{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};

/// A joint to be drawn, with its frames in the current poses of its bodies.
struct DrawnJoint {
  const Drawing& drawing;
  const JointRecord& record;
  math::Pose a, b;  // the joint's two frames in the world

  const JointDef& def() const { return record.def; }
  DrawLabel label(DrawKind kind, BodyHandle body) const { return drawing.label(kind, body.index); }

  void draw_frames() const {
    for (const bool is_a : {true, false}) {
      DrawLabel axes = label(DrawKind::JointFrame, is_a ? def().body_a : def().body_b);
      const math::Pose& frame = is_a ? a : b;
      for (std::size_t i = 0; i < units.size(); ++i) {
        axes.axis = static_cast<std::uint8_t>(i);
        drawing.arrow(frame.position, rotate(frame.rotation, units[i] * length()), axes);
      }
    }
  }
  void draw_arms() const {
    const WorldState& world = drawing.world;
    drawing.receiver.line(world.bodies[def().body_a.index].position, a.position,
                          label(DrawKind::JointArm, def().body_a));
    drawing.receiver.line(world.bodies[def().body_b.index].position, b.position,
                          label(DrawKind::JointArm, def().body_b));
  }
  void draw_link() const {
    const DrawLabel link = label(DrawKind::JointLink, def().body_b);
    if (def().kind != JointKind::Pulley) {
      drawing.receiver.line(a.position, b.position, link);
      return;
    }
    const JointDetails& details = def().details.get();
    drawing.receiver.line(a.position, details.ground_anchor_a, link);
    drawing.receiver.line(details.ground_anchor_a, details.ground_anchor_b, link);
    drawing.receiver.line(details.ground_anchor_b, b.position, link);
  }

  void draw_limits() const {
    const JointLimits& limits = def().limits;
    switch (def().kind) {
      case JointKind::Ball:
        if (def().cone.is_enabled) draw_cone();
        [[fallthrough]];
      case JointKind::Hinge:
        if (limits.is_enabled) draw_angles(0, limits.lower, limits.upper);
        return;
      case JointKind::Slider:
      case JointKind::Wheel:
        if (limits.is_enabled) draw_way(0, limits.lower, limits.upper);
        return;
      case JointKind::Distance:
        if (limits.is_enabled) draw_range();
        return;
      case JointKind::SixDof:
        return draw_axes_limits();
      default:
        return;  // limits of these kinds have no position in the world
    }
  }

 private:
  float length() const { return drawing.options.axis_length; }
  DrawLabel limit() const { return label(DrawKind::JointLimit, def().body_a); }

  /// Draws lines at the two limits of the angle about `axis`. The angle 0 points along the next
  /// axis.
  void draw_angles(std::size_t axis, float lower, float upper) const {
    for (const float angle : {lower, upper}) {
      const math::Quat turned = a.rotation * math::from_axis_angle(units[axis], angle);
      drawing.arrow(a.position, rotate(turned, units[(axis + 1) % 3] * length()), limit());
    }
  }
  void draw_way(std::size_t axis, float lower, float upper) const {
    const Vec3 along = rotate(a.rotation, units[axis]);
    drawing.receiver.line(a.position + along * lower, a.position + along * upper, limit());
  }
  void draw_range() const {
    const Vec3 along = normalized_or(b.position - a.position, {1, 0, 0});
    drawing.receiver.line(a.position + along * def().limits.lower,
                          a.position + along * def().limits.upper, limit());
  }
  void draw_cone() const {
    constexpr int count = 12;
    for (int i = 0; i < count; ++i) {
      const float about = 2.0f * math::pi * static_cast<float>(i) / static_cast<float>(count);
      const math::Quat side = a.rotation * math::from_axis_angle(units[0], about) *
                              math::from_axis_angle(units[1], def().cone.angle);
      drawing.arrow(a.position, rotate(side, units[0] * length()), limit());
    }
  }
  void draw_axes_limits() const {
    for (std::size_t i = 0; i < max_coordinates; ++i) {
      const JointAxisDef& axis = def().details->axes[i];
      if (axis.freedom != JointFreedom::Limited) continue;
      if (i < 3) draw_way(i, axis.lower, axis.upper);
      if (i >= 3) draw_angles(i - 3, axis.lower, axis.upper);
    }
  }
};

}  // namespace

void draw_joint(const Drawing& drawing, std::uint32_t index) {
  const WorldState& world = drawing.world;
  const JointRecord& record = world.joints[index];
  const JointDef& def = record.def;
  const DrawnJoint joint{drawing, record, frame_pose(world.bodies[def.body_a.index]) * def.frame_a,
                         frame_pose(world.bodies[def.body_b.index]) * def.frame_b};
  if (drawing.wants(DrawKind::JointFrame)) joint.draw_frames();
  if (drawing.wants(DrawKind::JointArm)) joint.draw_arms();
  if (drawing.wants(DrawKind::JointLink)) joint.draw_link();
  if (drawing.wants(DrawKind::JointLimit)) joint.draw_limits();
  if (drawing.wants(DrawKind::JointImpulse)) {
    drawing.arrow(joint.b.position, record.step_linear * drawing.options.impulse_scale,
                  joint.label(DrawKind::JointImpulse, def.body_b));
  }
}

}  // namespace jostle::physics
