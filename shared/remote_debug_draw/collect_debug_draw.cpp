#include "shared/remote_debug_draw/collect_debug_draw.h"

#include "shared/physics/debug_draw.h"

namespace jostle::remote_debug_draw {
namespace {

using physics::DrawKind;
using state::DebugDrawKind;
using state::DebugDrawLayer;

physics::DrawKinds kinds_of(state::DebugDrawLayers layers) {
  constexpr struct {
    DebugDrawLayer layer;
    physics::DrawKinds kinds;
  } table[] = {
      {DebugDrawLayer::Boxes, bit_of(DrawKind::Aabb)},
      {DebugDrawLayer::Contacts, bit_of(DrawKind::ContactPoint) | bit_of(DrawKind::ContactNormal)},
      {DebugDrawLayer::Impulses,
       bit_of(DrawKind::ContactImpulse) | bit_of(DrawKind::FrictionImpulse)},
      {DebugDrawLayer::Joints, bit_of(DrawKind::JointFrame) | bit_of(DrawKind::JointArm) |
                                   bit_of(DrawKind::JointLink) | bit_of(DrawKind::JointLimit) |
                                   bit_of(DrawKind::JointImpulse)},
      {DebugDrawLayer::Centres, bit_of(DrawKind::CentreOfMass)},
      {DebugDrawLayer::Velocities,
       bit_of(DrawKind::LinearVelocity) | bit_of(DrawKind::AngularVelocity)},
      {DebugDrawLayer::Islands, bit_of(DrawKind::Island)},
  };
  physics::DrawKinds kinds = 0;
  for (const auto& row : table)
    if ((layers & bit_of(row.layer)) != 0) kinds |= row.kinds;
  return kinds;
}

DebugDrawKind kind_of(const physics::DrawLabel& label) {
  switch (label.kind) {
    case DrawKind::ContactPoint:
      return DebugDrawKind::Contact;
    case DrawKind::ContactNormal:
      return DebugDrawKind::ContactNormal;
    case DrawKind::ContactImpulse:
      return DebugDrawKind::ContactImpulse;
    case DrawKind::FrictionImpulse:
      return DebugDrawKind::FrictionImpulse;
    case DrawKind::JointFrame:
      return label.axis == 0   ? DebugDrawKind::JointX
             : label.axis == 1 ? DebugDrawKind::JointY
                               : DebugDrawKind::JointZ;
    case DrawKind::JointArm:
    case DrawKind::JointLink:
      return DebugDrawKind::JointArm;
    case DrawKind::JointLimit:
      return DebugDrawKind::JointLimit;
    case DrawKind::JointImpulse:
      return DebugDrawKind::JointImpulse;
    case DrawKind::CentreOfMass:
      return DebugDrawKind::Centre;
    case DrawKind::LinearVelocity:
      return DebugDrawKind::Velocity;
    case DrawKind::AngularVelocity:
      return DebugDrawKind::AngularVelocity;
    case DrawKind::Island:
      return DebugDrawKind::Island;
    default:
      return DebugDrawKind::Box;
  }
}

constexpr float longest_impulse = 1.2f;  // upper bound of an arrow's length, m

bool is_impulse(DebugDrawKind kind) {
  return kind == DebugDrawKind::ContactImpulse || kind == DebugDrawKind::FrictionImpulse ||
         kind == DebugDrawKind::JointImpulse;
}

/// Returns the end of an impulse arrow, whose length is compressed to below `longest_impulse`.
/// Impulses on bodies of a kilogram and of a ton can then be drawn in one picture.
math::Position bounded(math::Position from, math::Position to) {
  const math::Vec3 along = to - from;
  return from + along * (longest_impulse / (longest_impulse + math::length(along)));
}

/// A receiver of debug drawing that appends the drawn items to a frame. Shapes are not requested,
/// so only points, lines and axis-aligned boxes arrive.
class Collector final : public physics::DebugDrawReceiver {
 public:
  Collector(state::DebugDrawFrame& debug_draw, std::size_t most_items)
      : debug_draw_(debug_draw), most_items_(most_items) {}

  void point(math::Position at, const physics::DrawLabel& label) override { add(at, at, label); }
  void line(math::Position from, math::Position to, const physics::DrawLabel& label) override {
    add(from, to, label);
  }
  void box(const math::Pose& pose, math::Vec3 half_extents,
           const physics::DrawLabel& label) override {
    add(pose.position + -half_extents, pose.position + half_extents, label);
  }
  void triangle(math::Position, math::Position, math::Position,
                const physics::DrawLabel&) override {}
  void sphere(const math::Pose&, float, const physics::DrawLabel&) override {}
  void capsule(const math::Pose&, float, float, const physics::DrawLabel&) override {}
  void cylinder(const math::Pose&, float, float, float, const physics::DrawLabel&) override {}

 private:
  void add(math::Position from, math::Position to, const physics::DrawLabel& label) {
    if (debug_draw_.items.size() >= most_items_) {
      ++debug_draw_.left_out;
      return;
    }
    const DebugDrawKind kind = kind_of(label);
    debug_draw_.items.push_back({from, is_impulse(kind) ? bounded(from, to) : to, kind});
  }

  state::DebugDrawFrame& debug_draw_;
  std::size_t most_items_;
};

}  // namespace

state::DebugDrawFrame collect(const physics::World& world, state::DebugDrawLayers layers,
                              std::size_t most_items, const std::optional<math::Aabb>& box) {
  state::DebugDrawFrame debug_draw;
  physics::DebugDrawOptions options;
  options.kinds = kinds_of(layers);
  options.box = box;
  if (options.kinds == 0) return debug_draw;
  Collector collector(debug_draw, most_items);
  physics::debug_draw(world, options, collector);
  return debug_draw;
}

}  // namespace jostle::remote_debug_draw
