#include "shared/physics/joint_equivalents.h"

#include "shared/physics/detail/joint_record.h"
#include "shared/physics/joint_coordinates.h"

#include <algorithm>
#include <span>

namespace jostle::physics {

using math::Quat;
using math::Vec3;

namespace {

using Axes = std::span<const JointAxisDef, 3>;

bool are_all(Axes axes, JointFreedom freedom) {
  return std::ranges::all_of(axes,
                             [&](const JointAxisDef& axis) { return axis.freedom == freedom; });
}
/// Returns true if nothing acts on axes that are not locked.
bool are_passive(Axes axes) {
  return std::ranges::all_of(axes, [](const JointAxisDef& axis) {
    return !axis.spring.is_enabled && !axis.motor.is_enabled && axis.friction == 0.0f;
  });
}
bool is_locked_at_zero(const JointAxisDef& axis) {
  return axis.freedom == JointFreedom::Locked && axis.rest == 0.0f;
}
/// Returns the index of the only axis that is not locked at 0, or nothing.
std::optional<std::uint32_t> only_free(Axes axes) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < axes.size(); ++i) {
    if (is_locked_at_zero(axes[i])) continue;
    if (found || axes[i].freedom == JointFreedom::Locked) return std::nullopt;
    found = i;
  }
  return found;
}

/// Returns a joint of `kind` between the same bodies, without limits, spring and motor.
JointDef as_kind(const JointDef& def, JointKind kind) {
  JointDef result = def;
  result.kind = kind;
  result.rest = 0;
  result.limits = {};
  result.cone = {};
  result.spring = {};
  result.motor = {};
  result.details = {};
  return result;
}

/// Returns a hinge or slider whose x axis is the axis `place` of `def`.
JointDef along_axis(const JointDef& def, JointKind kind, std::uint32_t place,
                    const JointAxisDef& axis) {
  JointDef result = as_kind(def, kind);
  const Quat shift = shift_rotation(place);
  result.frame_a.rotation = normalized(def.frame_a.rotation * shift);
  result.frame_b.rotation = normalized(def.frame_b.rotation * shift);
  result.rest = axis.rest;
  result.limits = {axis.freedom == JointFreedom::Limited, axis.lower, axis.upper};
  result.spring = axis.spring;
  result.motor = axis.motor;
  return result;
}

}  // namespace

std::optional<JointDef> equivalent_joint(const JointDef& def) {
  if (def.kind != JointKind::SixDof) return std::nullopt;
  const auto& axes = def.details->axes;
  const Axes ways(axes.data(), 3), turns(axes.data() + 3, 3);
  const auto has_friction = [](const JointAxisDef& axis) { return axis.friction > 0.0f; };
  const bool turns_are_locked = std::ranges::all_of(turns, is_locked_at_zero);
  if (!are_all(ways, JointFreedom::Locked)) {
    const std::optional<std::uint32_t> free = only_free(ways);
    if (!free || !turns_are_locked || has_friction(ways[*free])) return std::nullopt;
    return along_axis(def, JointKind::Slider, *free, ways[*free]);
  }
  JointDef shifted = def;
  shifted.frame_a.offset +=
      rotate(def.frame_a.rotation, Vec3{ways[0].rest, ways[1].rest, ways[2].rest});
  if (turns_are_locked) return as_kind(shifted, JointKind::Fixed);
  if (are_all(turns, JointFreedom::Free) && are_passive(turns))
    return as_kind(shifted, JointKind::Ball);
  const std::optional<std::uint32_t> free = only_free(turns);
  if (!free || has_friction(turns[*free])) return std::nullopt;
  return along_axis(shifted, JointKind::Hinge, *free, turns[*free]);
}

void find_equivalent(JointRecord& joint) {
  const std::optional<JointDef> simpler = equivalent_joint(joint.def);
  joint.equivalent.reset();
  if (simpler) joint.equivalent = std::make_unique<JointDef>(*simpler);
}

JointSolution solution_of(const JointRecord& joint) {
  return {joint.solved().kind, has_coordinates(joint.solved())};
}

bool fit_joint(JointRecord& joint, const JointSolution& before) {
  find_equivalent(joint);
  fit_coordinates(joint);
  if (solution_of(joint) == before) return false;
  if (joint.def.kind == JointKind::SixDof) {
    joint.impulses = {};
    joint.coordinates->impulses = {};
  }
  return true;
}

}  // namespace jostle::physics
