#pragma once

#include "shared/math/aabb.h"
#include "shared/math/transform.h"
#include "shared/math/vec3.h"
#include "shared/physics/handles.h"

#include <cstdint>
#include <optional>

namespace jostle::physics {

class World;

// Draws the contents of a world through an interface of a few primitives. Receivers can be the
// client, a tool that writes a picture, or a test that counts primitives. The engine does not
// choose colours: it tags each primitive with its meaning (DrawKind).

/// The meaning of a primitive.
enum class DrawKind : std::uint8_t {
  StaticShape,
  KinematicShape,
  AwakeShape,
  SleepingShape,
  SensorShape,
  Aabb,     // box: tight bounds of each shape except planes
  FatAabb,  // box: broad-phase bounds; a shape that stays within them needs no search for new pairs
  ContactPoint,     // point: midway between the two surfaces
  ContactNormal,    // line of `normal_length`, from a contact point towards b
  ContactImpulse,   // line from a contact point: impulse on b
  FrictionImpulse,  // line from the mean of a manifold's points: impulse on b
  JointFrame,       // three lines of `axis_length` from each anchor: x, y, z of its joint frame
  JointArm,         // line from a body's centre of mass to its anchor
  JointLink,        // line between the anchors; for a pulley, over its two fixed points
  JointLimit,       // lines along the axis, or about the anchor, to the limits
  JointImpulse,     // line from the anchor in b: impulse on b
  CentreOfMass,     // point, dynamic bodies only
  LinearVelocity,   // line from the centre of mass
  AngularVelocity,  // line from the centre of mass, along the axis
  Island,           // box: around all bodies of an island
};
inline constexpr std::uint32_t draw_kind_count = 20;

/// A set of DrawKind values, one bit each.
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
  /// If set, only items within this box are drawn: shapes whose bounding boxes overlap it, with
  /// their bodies, joints and islands; bodies without shapes whose positions lie in it; and contact
  /// points that lie in it.
  std::optional<math::Aabb> box;
  float impulse_scale = 0.1f;           // m per N·s
  float velocity_scale = 0.1f;          // m per m/s
  float angular_velocity_scale = 0.1f;  // m per rad/s
  float normal_length = 0.2f;           // m
  float axis_length = 0.25f;            // length of joint frame axes and limit angles, m
  float plane_half_size = 10;           // m, half size of the square drawn for a plane
};

/// Attributes of a drawn primitive.
struct DrawLabel {
  static constexpr std::uint32_t no_island = 0xFFFFFFFFU;

  DrawKind kind = DrawKind::AwakeShape;
  /// The body that the primitive belongs to. For a contact, body b, on which the impulse acts; null
  /// for an island.
  BodyHandle body;
  /// Number of the body's island, if DrawKind::Island is requested; otherwise `no_island`. Dynamic
  /// bodies that touch, are joined or act on each other by charges or poles share a number, asleep
  /// or awake. Islands are numbered from 0 in the order of their first body's slot.
  std::uint32_t island = no_island;
  std::uint8_t axis = 0;  // axis of JointFrame lines: 0 to 2 for x to z
};

/// Receiver of the primitives of debug_draw. Positions are in the world frame, in m. Other sizes
/// are in the frame of the given pose.
class DebugDrawReceiver {
 public:
  virtual ~DebugDrawReceiver() = default;

  virtual void point(math::Position at, const DrawLabel& label) = 0;
  virtual void line(math::Position from, math::Position to, const DrawLabel& label) = 0;
  /// Receives a triangle whose vertices are counter-clockwise seen from outside. Meshes and height
  /// fields are drawn as triangles.
  virtual void triangle(math::Position a, math::Position b, math::Position c,
                        const DrawLabel& label) = 0;
  virtual void sphere(const math::Pose& pose, float radius, const DrawLabel& label) = 0;
  virtual void box(const math::Pose& pose, math::Vec3 half_extents, const DrawLabel& label) = 0;
  /// Receives a capsule along y. `half_segment` is half the distance between the centres of its end
  /// caps.
  virtual void capsule(const math::Pose& pose, float radius, float half_segment,
                       const DrawLabel& label) = 0;
  /// Receives a cylinder or a cone along y. A `top_radius` of 0 makes a cone.
  virtual void cylinder(const math::Pose& pose, float bottom_radius, float top_radius,
                        float half_height, const DrawLabel& label) = 0;
};

/// Draws the world as the last step or call left it; changes nothing. The order is the same for the
/// same world: shapes, boxes and bodies by slot, contacts by shapes, joints by slot, islands by
/// number. Bodies that are disabled or quarantined are not drawn, and their joints are not drawn
/// either. Normal impulses are those of the last step; friction impulses are those of the last
/// substep times the number of substeps. All values in the options must be finite.
void debug_draw(const World& world, const DebugDrawOptions& options, DebugDrawReceiver& receiver);

}  // namespace jostle::physics
