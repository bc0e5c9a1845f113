#include "shared/math/trig.h"
#include "shared/scene/builders.h"

#include <array>

namespace jostle::scene {

using math::Vec3;

namespace {

enum class Lie : std::uint8_t { Up, AlongX, AlongZ };

/// A capsule of the figure. Centre, length (tip to tip) and radius are shares of the figure's
/// height, and `mass` is a share of its mass (Winter, "Biomechanics and Motor Control of Human
/// Movement", 4th ed. 2009, table 4.1; the forearms include the hands).
struct Part {
  const char* name;
  Lie lie;
  Vec3 centre;
  float length, radius;
  float mass;
};
constexpr std::array<Part, 13> parts{{
    {"pelvis", Lie::AlongX, {0, 0.55f, 0}, 0.19f, 0.065f, 0.142f},
    {"chest", Lie::Up, {0, 0.71f, 0}, 0.25f, 0.08f, 0.355f},
    {"head", Lie::Up, {0, 0.935f, 0}, 0.13f, 0.05f, 0.081f},
    {"left_upper_arm", Lie::AlongX, {0.19f, 0.8f, 0}, 0.18f, 0.028f, 0.028f},
    {"right_upper_arm", Lie::AlongX, {-0.19f, 0.8f, 0}, 0.18f, 0.028f, 0.028f},
    {"left_forearm", Lie::AlongX, {0.37f, 0.8f, 0}, 0.2f, 0.024f, 0.022f},
    {"right_forearm", Lie::AlongX, {-0.37f, 0.8f, 0}, 0.2f, 0.024f, 0.022f},
    {"left_thigh", Lie::Up, {0.06f, 0.4f, 0}, 0.25f, 0.045f, 0.1f},
    {"right_thigh", Lie::Up, {-0.06f, 0.4f, 0}, 0.25f, 0.045f, 0.1f},
    {"left_shin", Lie::Up, {0.06f, 0.16f, 0}, 0.23f, 0.033f, 0.0465f},
    {"right_shin", Lie::Up, {-0.06f, 0.16f, 0}, 0.23f, 0.033f, 0.0465f},
    {"left_foot", Lie::AlongZ, {0.06f, 0.022f, 0.04f}, 0.14f, 0.022f, 0.0145f},
    {"right_foot", Lie::AlongZ, {-0.06f, 0.022f, 0.04f}, 0.14f, 0.022f, 0.0145f},
}};

/// A joint between two parts. The ranges are those of a healthy adult, in degrees, rounded
/// (American Academy of Orthopaedic Surgeons, "Joint Motion", 1965). Ball joints swing by up to
/// `cone` and twist by ±`upper`. Hinges turn from `lower` to `upper` about the axis.
struct Link {
  JointKind kind;
  std::size_t a, b;
  Vec3 anchor, axis;
  float cone, lower, upper;
};
constexpr std::array<Link, 12> links{{
    {JointKind::Ball, 0, 1, {0, 0.6f, 0}, {0, 1, 0}, 35, -40, 40},
    {JointKind::Ball, 1, 2, {0, 0.865f, 0}, {0, 1, 0}, 45, -70, 70},
    {JointKind::Ball, 1, 3, {0.1f, 0.8f, 0}, {1, 0, 0}, 85, -60, 60},
    {JointKind::Ball, 1, 4, {-0.1f, 0.8f, 0}, {-1, 0, 0}, 85, -60, 60},
    // The palms face forward, so the elbows bend to the front.
    {JointKind::Hinge, 3, 5, {0.28f, 0.8f, 0}, {0, -1, 0}, 0, 0, 145},
    {JointKind::Hinge, 4, 6, {-0.28f, 0.8f, 0}, {0, 1, 0}, 0, 0, 145},
    {JointKind::Ball, 0, 7, {0.06f, 0.52f, 0}, {0, -1, 0}, 65, -40, 40},
    {JointKind::Ball, 0, 8, {-0.06f, 0.52f, 0}, {0, -1, 0}, 65, -40, 40},
    {JointKind::Hinge, 7, 9, {0.06f, 0.28f, 0}, {1, 0, 0}, 0, 0, 140},
    {JointKind::Hinge, 8, 10, {-0.06f, 0.28f, 0}, {1, 0, 0}, 0, 0, 140},
    {JointKind::Hinge, 9, 11, {0.06f, 0.045f, 0}, {1, 0, 0}, 0, -20, 45},
    {JointKind::Hinge, 10, 12, {-0.06f, 0.045f, 0}, {1, 0, 0}, 0, -20, 45},
}};

/// Friction torque of the joints divided by the figure's mass and height, m/s²: 0.7 N·m for an
/// adult. Without friction, a head or an arm that hangs free would swing for ever.
constexpr float joint_friction = 0.005f;

math::Quat rotation_of(Lie lie) {
  constexpr float quarter = 0.5f * math::pi;
  if (lie == Lie::AlongX) return math::from_axis_angle({0, 0, 1}, quarter);
  return lie == Lie::AlongZ ? math::from_axis_angle({1, 0, 0}, quarter) : math::Quat{};
}

}  // namespace

Assembly build_ragdoll(const RagdollDef& def) {
  Assembly built;
  for (const Part& part : parts) {
    SceneBody body;
    if (!def.name.empty()) body.name = def.name + "_" + part.name;
    body.pose = def.pose * math::Transform{part.centre * def.height, rotation_of(part.lie)};
    body.pose.rotation = normalized(body.pose.rotation);
    body.mass = part.mass * def.mass;
    body.colour = def.colour;
    SceneShape shape;
    const float radius = part.radius * def.height;
    shape.shape = state::capsule(radius, 0.5f * part.length * def.height - radius);
    body.shapes = {shape};
    built.bodies.push_back(std::move(body));
  }
  for (const Link& link : links) {
    constexpr float degree = math::pi / 180.0f;
    SceneJoint joint;
    joint.kind = link.kind;
    joint.body_a = static_cast<std::uint32_t>(link.a);
    joint.body_b = static_cast<std::uint32_t>(link.b);
    joint.anchor = joint.anchor_b = transform_point(def.pose, link.anchor * def.height);
    joint.axis = rotate(def.pose.rotation, link.axis);
    joint.has_limits = true;
    joint.lower = link.lower * degree;
    joint.upper = link.upper * degree;
    joint.has_cone = link.kind == JointKind::Ball;
    joint.cone = link.cone * degree;
    // The friction of a joint is a motor that holds it still.
    joint.max_motor_force = joint_friction * def.mass * def.height;
    built.joints.push_back(std::move(joint));
  }
  return built;
}

}  // namespace jostle::scene
