#include "shared/physics/world/joint_equivalents.h"

#include "shared/physics/detail/joint_record.h"
#include "shared/physics/world/joint_coordinates.h"

#include <algorithm>
#include <span>

namespace jostle::physics {

using math::Quat;
using math::Vec3;

namespace {

using Axes = std::span<const JointAxisDef, 3>;

bool are_free(Axes axes) {
  return std::ranges::all_of(
      axes, [](const JointAxisDef& axis) { return axis.freedom == JointFreedom::Free; });
}
/// Returns true if nothing acts on axes that are not locked.
bool are_passive(Axes axes) {
  return std::ranges::all_of(axes, [](const JointAxisDef& axis) {
    return !axis.spring.is_enabled && !axis.motor.is_enabled && axis.friction == 0.0f;
  });
}
bool is_locked_at_zero(const JointAxisDef& axis) {
  return is_locked(axis) && locked_value(axis) == 0.0f;
}
/// Returns the index of the only axis that is not locked, or nothing.
std::optional<std::uint32_t> only_free(Axes axes) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < axes.size(); ++i) {
    if (is_locked(axes[i])) continue;
    if (found) return std::nullopt;
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

/// Returns the universal joint whose locked angle, the second one, is 0.
JointDef as_universal(const JointDef& def) {
  JointDef result = as_kind(def, universal_joint);
  const Quat shift = shift_rotation(axis_shift(def));
  result.frame_a.rotation = normalized(def.frame_a.rotation * shift);
  result.frame_b.rotation = normalized(def.frame_b.rotation * shift);
  return result;
}

bool is_universal(Axes turns) {
  const auto is_free = [](const JointAxisDef& axis) { return axis.freedom == JointFreedom::Free; };
  return std::ranges::count_if(turns, is_free) == 2 &&
         std::ranges::count_if(turns, is_locked_at_zero) == 1 && are_passive(turns);
}

/// Returns `def` with frames shifted so that the locked axes are locked at 0. Rotations are shifted
/// only if all three are locked.
JointDef with_locks_at_zero(const JointDef& def, Axes ways, Axes turns) {
  JointDef shifted = def;
  const auto shift_of = [](const JointAxisDef& axis) {
    return is_locked(axis) ? locked_value(axis) : 0.0f;
  };
  shifted.frame_a.offset +=
      rotate(def.frame_a.rotation, Vec3{shift_of(ways[0]), shift_of(ways[1]), shift_of(ways[2])});
  if (std::ranges::all_of(turns, is_locked))
    shifted.frame_b.rotation = normalized(def.frame_b.rotation * conjugate(locked_rotation(def)));
  return shifted;
}

}  // namespace

std::optional<JointDef> equivalent_joint(const JointDef& def) {
  if (def.kind != JointKind::SixDof) return std::nullopt;
  const auto& axes = def.details->axes;
  const Axes ways(axes.data(), 3), turns(axes.data() + 3, 3);
  const auto has_friction = [](const JointAxisDef& axis) { return axis.friction > 0.0f; };
  const bool turns_are_locked = std::ranges::all_of(turns, is_locked);
  const JointDef shifted = with_locks_at_zero(def, ways, turns);
  if (!std::ranges::all_of(ways, is_locked)) {
    const std::optional<std::uint32_t> free = only_free(ways);
    if (!free || !turns_are_locked || has_friction(ways[*free])) return std::nullopt;
    return along_axis(shifted, JointKind::Slider, *free, ways[*free]);
  }
  if (turns_are_locked) return as_kind(shifted, JointKind::Fixed);
  if (are_free(turns) && are_passive(turns)) return as_kind(shifted, JointKind::Ball);
  if (is_universal(turns)) return as_universal(shifted);
  const std::optional<std::uint32_t> free = only_free(turns);
  if (!free || has_friction(turns[*free])) return std::nullopt;
  for (std::uint32_t i = 0; i < turns.size(); ++i)
    if (i != *free && !is_locked_at_zero(turns[i])) return std::nullopt;
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
