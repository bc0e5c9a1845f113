#include "shared/overlay/collect_overlay.h"

#include "shared/physics/debug_draw.h"

namespace jostle::overlay {
namespace {

using physics::DrawKind;
using state::OverlayKind;
using state::OverlayLayer;

physics::DrawKinds kinds_of(state::OverlayLayers layers) {
  constexpr struct {
    OverlayLayer layer;
    physics::DrawKinds kinds;
  } table[] = {
      {OverlayLayer::Boxes, bit_of(DrawKind::Aabb)},
      {OverlayLayer::Contacts, bit_of(DrawKind::ContactPoint) | bit_of(DrawKind::ContactNormal)},
      {OverlayLayer::Impulses,
       bit_of(DrawKind::ContactImpulse) | bit_of(DrawKind::FrictionImpulse)},
      {OverlayLayer::Joints, bit_of(DrawKind::JointFrame) | bit_of(DrawKind::JointArm) |
                                 bit_of(DrawKind::JointLink) | bit_of(DrawKind::JointLimit) |
                                 bit_of(DrawKind::JointImpulse)},
      {OverlayLayer::Centres, bit_of(DrawKind::CentreOfMass)},
      {OverlayLayer::Velocities,
       bit_of(DrawKind::LinearVelocity) | bit_of(DrawKind::AngularVelocity)},
      {OverlayLayer::Islands, bit_of(DrawKind::Island)},
  };
  physics::DrawKinds kinds = 0;
  for (const auto& row : table)
    if ((layers & bit_of(row.layer)) != 0) kinds |= row.kinds;
  return kinds;
}

OverlayKind kind_of(const physics::DrawLabel& label) {
  switch (label.kind) {
    case DrawKind::ContactPoint:
      return OverlayKind::Contact;
    case DrawKind::ContactNormal:
      return OverlayKind::ContactNormal;
    case DrawKind::ContactImpulse:
      return OverlayKind::ContactImpulse;
    case DrawKind::FrictionImpulse:
      return OverlayKind::FrictionImpulse;
    case DrawKind::JointFrame:
      return label.axis == 0   ? OverlayKind::JointX
             : label.axis == 1 ? OverlayKind::JointY
                               : OverlayKind::JointZ;
    case DrawKind::JointArm:
    case DrawKind::JointLink:
      return OverlayKind::JointArm;
    case DrawKind::JointLimit:
      return OverlayKind::JointLimit;
    case DrawKind::JointImpulse:
      return OverlayKind::JointImpulse;
    case DrawKind::CentreOfMass:
      return OverlayKind::Centre;
    case DrawKind::LinearVelocity:
      return OverlayKind::Velocity;
    case DrawKind::AngularVelocity:
      return OverlayKind::AngularVelocity;
    case DrawKind::Island:
      return OverlayKind::Island;
    default:
      return OverlayKind::Box;
  }
}

constexpr float longest_impulse = 1.2f;  // upper bound of an arrow's length, m

bool is_impulse(OverlayKind kind) {
  return kind == OverlayKind::ContactImpulse || kind == OverlayKind::FrictionImpulse ||
         kind == OverlayKind::JointImpulse;
}

/// Compresses the length of an impulse arrow, so that bodies of a kilogram and of a ton can be
/// drawn in one picture.
math::Position bounded(math::Position from, math::Position to) {
  const math::Vec3 along = to - from;
  return from + along * (longest_impulse / (longest_impulse + math::length(along)));
}

/// Receives debug drawing. Shapes are not requested, so only points, lines and axis-aligned boxes
/// arrive.
class Collector final : public physics::DebugDrawReceiver {
 public:
  Collector(state::Overlay& overlay, std::size_t most_items)
      : overlay_(overlay), most_items_(most_items) {}

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
    if (overlay_.items.size() >= most_items_) {
      ++overlay_.left_out;
      return;
    }
    const OverlayKind kind = kind_of(label);
    overlay_.items.push_back({from, is_impulse(kind) ? bounded(from, to) : to, kind});
  }

  state::Overlay& overlay_;
  std::size_t most_items_;
};

}  // namespace

state::Overlay collect(const physics::World& world, state::OverlayLayers layers,
                       std::size_t most_items, const std::optional<math::Aabb>& box) {
  state::Overlay overlay;
  physics::DebugDrawOptions options;
  options.kinds = kinds_of(layers);
  options.box = box;
  if (options.kinds == 0) return overlay;
  Collector collector(overlay, most_items);
  physics::debug_draw(world, options, collector);
  return overlay;
}

}  // namespace jostle::overlay
