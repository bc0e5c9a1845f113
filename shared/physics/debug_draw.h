#pragma once

#include "shared/math/aabb.h"
#include "shared/math/transform.h"
#include "shared/math/vec3.h"
#include "shared/physics/handles.h"

#include <cstdint>
#include <optional>

namespace jostle::physics {

class World;

// Shows what a world holds, to whoever can draw a handful of shapes: the client, a tool that writes
// a picture, a test that counts. The engine knows no graphics; what is drawn is told by what it
// means, and colours are the receiver's.

/// What something that is drawn means.
enum class DrawKind : std::uint8_t {
  StaticShape,
  KinematicShape,
  AwakeShape,
  SleepingShape,
  SensorShape,
  Aabb,             // box: tight, of each shape but planes
  FatAabb,          // box: in which a shape may move without a look at its pairs
  ContactPoint,     // point: midway between the two surfaces
  ContactNormal,    // line of normal_length, from a point towards b
  ContactImpulse,   // line from a point, on b
  FrictionImpulse,  // line from the middle of the points of a manifold, on b
  JointFrame,       // three lines of axis_length from the anchor: x, y, z of the frame in each body
  JointArm,         // line from a body's centre of mass to its anchor
  JointLink,        // lines from anchor to anchor; of a pulley, over its two points
  JointLimit,       // lines along, or about the anchor, where the joint ends
  JointImpulse,     // line from the anchor in b, on b
  CentreOfMass,     // point, of dynamic bodies
  LinearVelocity,   // line from the centre of mass
  AngularVelocity,  // line from the centre of mass, along the axis
  Island,           // box: around all bodies of an island
};
inline constexpr std::uint32_t draw_kind_count = 20;

/// A set of kinds, by bit.
using DrawKinds = std::uint32_t;
constexpr DrawKinds bit_of(DrawKind kind) {
  return DrawKinds{1} << static_cast<std::uint8_t>(kind);
}
inline constexpr DrawKinds all_draw_kinds = (DrawKinds{1} << draw_kind_count) - 1;
inline constexpr DrawKinds shape_draw_kinds =
    bit_of(DrawKind::StaticShape) | bit_of(DrawKind::KinematicShape) |
    bit_of(DrawKind::AwakeShape) | bit_of(DrawKind::SleepingShape) | bit_of(DrawKind::SensorShape);

struct DebugDrawOptions {
  DrawKinds kinds = all_draw_kinds;
  /// Where it stands, only what reaches into this box is visited: shapes by their boxes, bodies
  /// with one of those, their contacts' points that lie in it, their joints, their islands.
  std::optional<math::Aabb> box;
  float impulse_scale = 0.1f;           // m per N·s
  float velocity_scale = 0.1f;          // m per m/s
  float angular_velocity_scale = 0.1f;  // m per rad/s
  float normal_length = 0.2f;           // m
  float axis_length = 0.25f;            // m, of the axes and angles of joints
  float plane_half_size = 10;           // m, of the square that stands for a plane
};

/// What goes with everything that is drawn.
struct DrawLabel {
  static constexpr std::uint32_t no_island = 0xFFFFFFFFU;

  DrawKind kind = DrawKind::AwakeShape;
  /// Whose it is: of a contact the second, on which the impulse acts. Of an island none.
  BodyHandle body;
  /// Where DrawKind::Island is asked for, the number of the body's island: dynamic bodies that
  /// touch, are joined or move each other by charges have the same, asleep or awake. Counted from 0
  /// in the order of their first bodies' slots.
  std::uint32_t island = no_island;
  std::uint8_t axis = 0;  // of a JointFrame's lines: 0 to 2
};

/// Draws. Places are those of the world, in m; the rest of a shape in the frame of its pose.
class DebugDrawReceiver {
 public:
  virtual ~DebugDrawReceiver() = default;

  virtual void point(math::Position at, const DrawLabel& label) = 0;
  virtual void line(math::Position from, math::Position to, const DrawLabel& label) = 0;
  /// Counter-clockwise seen from outside. Meshes and height fields come as these.
  virtual void triangle(math::Position a, math::Position b, math::Position c,
                        const DrawLabel& label) = 0;
  virtual void sphere(const math::Pose& pose, float radius, const DrawLabel& label) = 0;
  virtual void box(const math::Pose& pose, math::Vec3 half_extents, const DrawLabel& label) = 0;
  /// Along y; half_segment is half the way between the middles of its ends.
  virtual void capsule(const math::Pose& pose, float radius, float half_segment,
                       const DrawLabel& label) = 0;
  /// Along y: a cylinder, or with a top of 0 a cone.
  virtual void cylinder(const math::Pose& pose, float bottom_radius, float top_radius,
                        float half_height, const DrawLabel& label) = 0;
};

/// Reads the world as the last step or call left it, and changes nothing. The order is the same for
/// the same world: shapes, boxes and bodies by slot, contacts by their shapes, joints by slot,
/// islands by number. Bodies that are switched off or quarantined, and their joints, are not drawn.
/// Impulses are those of the last step; friction's, which are kept of its last substep alone, are
/// that times the substeps. Everything in the options must be finite.
void debug_draw(const World& world, const DebugDrawOptions& options, DebugDrawReceiver& receiver);

}  // namespace jostle::physics
