#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/colour_runs.h"
#include "shared/physics/solver/coordinate_solver.h"
#include "shared/physics/solver/graph_colours.h"
#include "shared/physics/solver/joint_places.h"
#include "shared/physics/solver/joint_springs.h"
#include "shared/physics/world/joint_coordinates.h"

#include <algorithm>
#include <array>
#include <memory>

namespace jostle::physics {

using math::Quat;
using math::Vec3;

namespace {

using CoordinateLayout = ColourLayout<coordinate_class_count>;

CoordinateClass class_of(JointKind kind) {
  switch (kind) {
    case JointKind::Servo:
      return CoordinateClass::Servo;
    case JointKind::Gear:
      return CoordinateClass::Gear;
    case JointKind::RackAndPinion:
      return CoordinateClass::Rack;
    case JointKind::Pulley:
      return CoordinateClass::Pulley;
    case JointKind::Distance:
      return CoordinateClass::Distance;
    default:
      return CoordinateClass::SixDof;
  }
}

/// Assigns graph colours to the joints, greedily in the order of slots (joint_colouring.h). Marks
/// their bodies as jointed, and counts the joints of each group in `layout`.
void colour_coordinates(Cluster& cluster, CoordinateLayout& layout) {
  CoordinateArrays& arrays = cluster.joint_solver.coordinates;
  arrays.taken.assign(cluster.solver.bodies.size(), 0);
  for (const std::uint32_t index : cluster.joints) {
    const JointDef& def = cluster.world.joints[index].solved();
    if (!has_coordinates(def)) continue;
    const std::uint32_t a = solver_index(cluster.world.bodies[def.body_a.index]);
    const std::uint32_t b = solver_index(cluster.world.bodies[def.body_b.index]);
    cluster.joint_solver.is_jointed[a] = cluster.joint_solver.is_jointed[b] = 1;
    const std::uint32_t group =
        CoordinateLayout::group_of(take_joint_colour(cluster.solver, arrays.taken, a, b),
                                   static_cast<std::uint32_t>(class_of(def.kind)));
    ++layout.members[group];
    arrays.coloured.push_back({index, a, b, group});
  }
}

void place(CoordinateArrays& arrays, CoordinateLayout& layout) {
  std::uint32_t count = 0;
  layout.count_bundles();
  for (std::uint32_t group = 0; group < CoordinateLayout::group_count; ++group) {
    layout.first[group] = count;
    count += layout.bundles[group];
  }
  arrays.bundles.assign(count, CoordinateBundle{});
  std::array<std::uint32_t, CoordinateLayout::group_count> placed{};
  for (const ColouredCoordinates& joint : arrays.coloured) {
    const std::uint32_t position = placed[joint.group]++;
    const std::uint32_t lanes = CoordinateLayout::members_per_bundle(joint.group);
    CoordinateBundle& bundle = arrays.bundles[layout.first[joint.group] + position / lanes];
    const std::uint32_t lane = position % lanes;
    bundle.a[lane] = joint.a;
    bundle.b[lane] = joint.b;
    bundle.joint[lane] = joint.joint;
    bundle.used_lanes |= 1U << lane;
  }
}

struct Motion {
  float h = 0;      // s
  float share = 1;  // share of the maximum impulses that may act in the biased solve
};

/// Returns the coefficients of a coordinate's spring. If contacts act on the bodies (`motion.share`
/// is 1), all of the spring acts in the biased solve, unless its damping is very strong. If the
/// spring were split between the phases, only half of it would act against the load of the contacts
/// in the biased solve, and light wheels would oscillate.
///
/// Let d and r be the damping and rate of spring_coefficients, and E = (1−d)/(1+d) its decay
/// factor. The impulse λ = −m·(D·u₊ + R·x) in the biased solve alone decays as fast if 1/(1+D) = E,
/// which gives D = 2d/(1−d). R = 2r gives the correct deflection under a constant load; it lowers
/// the frequency by the fraction ζωh/2.
SpringCoefficients spring_of(const CoordinateRule& rule, Motion motion) {
  if (!rule.spring.is_enabled || !(rule.spring.hertz > 0.0f)) return {};
  const SpringCoefficients halves =
      spring_coefficients(rule.spring.hertz, rule.spring.damping_ratio, motion.h);
  if (motion.share == 1.0f && halves.relaxes && halves.damping < 0.9f) {
    return {2.0f * halves.damping / (1.0f - halves.damping), 2.0f * halves.rate, false};
  }
  return halves;
}

void fill_row(const CoordinateRule& rule, Motion motion, std::size_t lane, Coordinate& row) {
  const float h = motion.h;
  row.is_locked[lane] = rule.is_locked ? 1.0f : 0.0f;
  row.acts[lane] = rule.acts() ? 1.0f : 0.0f;
  row.lower[lane] = rule.lower;
  row.upper[lane] = rule.upper;
  row.rest[lane] = rule.rest;
  const SpringCoefficients spring = spring_of(rule, motion);
  row.spring_damping[lane] = spring.damping;
  row.spring_rate[lane] = spring.rate;
  row.spring_relaxes[lane] = spring.relaxes ? 1.0f : 0.0f;
  row.spring_of[lane] = rule.spring_mass;
  row.tension_only[lane] = rule.tension_only ? 1.0f : 0.0f;
  row.motor_speed[lane] = rule.motor.is_enabled ? rule.motor.speed : 0.0f;
  // a servo's target speed, or a disabled motor's speed
  row.spring_speed[lane] = rule.motor.is_enabled ? 0.0f : rule.motor.speed;
  row.motor_impulse[lane] = rule.motor.is_enabled ? rule.motor.max_force * h : 0.0f;
  row.motor_hold_impulse[lane] = row.motor_impulse[lane] * motion.share;
  row.friction_impulse[lane] = rule.friction * h;
  row.friction_hold_impulse[lane] = row.friction_impulse[lane] * motion.share;
}

void fill_impulses(const CoordinateState& state, CoordinateClass joint, std::size_t lane,
                   CoordinateBundle& bundle) {
  for (std::size_t i = 0; i < coordinates_of(joint); ++i) {
    Coordinate& row = bundle.coordinates[i];
    for (std::size_t phase = 0; phase < joint_phase_count; ++phase) {
      const CoordinateState::Impulses& stored = state.impulses[phase][i];
      row.lock_impulse[phase][lane] = stored.lock;
      for (std::size_t kind = 0; kind < coordinate_row_kinds; ++kind)
        row.impulse[phase][kind][lane] = stored.rows[kind];
    }
  }
  bundle.coordinates[0].value[lane] = state.track;  // read by gears and racks only
}

void fill_details(const JointDef& def, float h, std::size_t lane, CoordinateBundle& bundle) {
  const JointDetails& details = def.details.get();
  bundle.ratio[lane] = details.ratio;
  set(bundle.target, lane, details.target.offset);
  set_rotation(bundle.target_rotation, lane, normalized(details.target.rotation));
  const float share = bundle.coordinates[0].spring_relaxes[lane] > 0.0f ||
                              bundle.coordinates[3].spring_relaxes[lane] > 0.0f
                          ? 0.5f
                          : 1.0f;
  bundle.most[0][lane] = details.max_force * h;
  bundle.most[1][lane] = details.max_torque * h;
  for (std::size_t part = 0; part < 2; ++part)
    bundle.hold_most[part][lane] = bundle.most[part][lane] * share;
}

/// Returns true if bodies with the joint can swing under tension (taut_bodies.h).
bool can_swing(const CoordinateRules& rules, CoordinateClass joint, bool is_alone) {
  if (joint == CoordinateClass::Gear || joint == CoordinateClass::Rack) return false;
  if (joint != CoordinateClass::SixDof) return true;
  return !is_alone && !(rules[3].is_locked && rules[4].is_locked && rules[5].is_locked);
}

void fill_lane(const Cluster& cluster, CoordinateClass joint, std::size_t lane,
               CoordinateBundle& bundle) {
  const SolverArrays& solver = cluster.solver;
  const JointRecord& record = cluster.world.joints[bundle.joint[lane]];
  const JointDef& def = record.solved();
  const Body &body_a = cluster.world.bodies[def.body_a.index],
             &body_b = cluster.world.bodies[def.body_b.index];
  const std::uint32_t a = bundle.a[lane], b = bundle.b[lane];
  if ((solver.bodies[a].locks | solver.bodies[b].locks) != 0) bundle.locked_lanes |= 1U << lane;
  set(bundle.free_a, lane, state::free_linear(solver.bodies[a].locks, {1, 1, 1}));
  set(bundle.free_b, lane, state::free_linear(solver.bodies[b].locks, {1, 1, 1}));
  set(bundle.local_a, lane, anchor_of(body_a, def.frame_a, a));
  set(bundle.local_b, lane, anchor_of(body_b, def.frame_b, b));
  set(bundle.between, lane, body_b.position - body_a.position);
  const Quat shift = shift_rotation(axis_shift(def));
  set_rotation(bundle.frame_a, lane, frame_of(body_a, def.frame_a, a) * shift);
  set_rotation(bundle.frame_b, lane, frame_of(body_b, def.frame_b, b) * shift);
  set(bundle.drift_a, lane, half_kick(solver, a));
  set(bundle.drift_b, lane, half_kick(solver, b));
  set(bundle.ground_anchor_a, lane, def.details->ground_anchor_a - body_a.position);
  set(bundle.ground_anchor_b, lane, def.details->ground_anchor_b - body_b.position);
  bundle.keep[lane] = is_alone(cluster, def) ? 0.0f : cluster.joint_solver.softness.impulse_scale;
  const CoordinateRules rules = coordinate_rules(def);
  const bool are_free = moves_freely(solver, a) && moves_freely(solver, b);
  const Motion motion{solver.substep_seconds, are_free ? 0.5f : 1.0f};
  for (std::size_t i = 0; i < coordinates_of(joint); ++i)
    fill_row(rules[i], motion, lane, bundle.coordinates[i]);
  bundle.swings[lane] = can_swing(rules, joint, bundle.keep[lane] == 0.0f) ? 1.0f : 0.0f;
  fill_details(def, solver.substep_seconds, lane, bundle);
  fill_impulses(*record.coordinates, joint, lane, bundle);
}

template <typename Body>
void for_each_coordinate_bundle(Cluster& cluster, const Body& body) {
  CoordinateArrays& arrays = cluster.joint_solver.coordinates;
  run_all_blocks(cluster.workers, arrays.blocks, [&](const ColourBlock& block) {
    for (std::uint32_t k = block.first; k < block.last; ++k)
      body(static_cast<CoordinateClass>(block.kind), arrays.bundles[k]);
  });
}

void store_lane(const CoordinateBundle& bundle, CoordinateClass joint, std::size_t lane,
                JointRecord& record) {
  record.step_linear = vector_of(bundle.step_linear, lane);
  record.step_angular = vector_of(bundle.step_angular, lane);
  CoordinateState& state = *record.coordinates;
  for (std::size_t i = 0; i < coordinates_of(joint); ++i) {
    const Coordinate& row = bundle.coordinates[i];
    for (std::size_t phase = 0; phase < joint_phase_count; ++phase) {
      CoordinateState::Impulses& stored = state.impulses[phase][i];
      stored.lock = row.lock_impulse[phase][lane];
      for (std::size_t kind = 0; kind < coordinate_row_kinds; ++kind)
        stored.rows[kind] = row.impulse[phase][kind][lane];
    }
  }
  if (joint != CoordinateClass::Gear && joint != CoordinateClass::Rack) return;
  const float track = bundle.coordinates[0].value[lane];
  // A value that is too large or not finite comes from a body that is about to be quarantined
  // together with its joints.
  state.track = math::abs_of(track) <= max_joint_value ? track : 0.0f;
}

}  // namespace

void prepare_coordinates(Cluster& cluster) {
  CoordinateArrays& arrays = cluster.joint_solver.coordinates;
  arrays.blocks.clear();
  arrays.bundles.clear();
  arrays.coloured.clear();
  const auto is_ours = [&](std::uint32_t joint) {
    return has_coordinates(cluster.world.joints[joint].solved());
  };
  if (std::ranges::none_of(cluster.joints, is_ours)) return;
  const auto layout = std::make_unique<CoordinateLayout>();
  colour_coordinates(cluster, *layout);
  place(arrays, *layout);
  layout->cut(arrays.blocks, [](std::uint32_t kind) { return kind; });
  for_each_coordinate_bundle(cluster, [&](CoordinateClass joint, CoordinateBundle& bundle) {
    for_each_used_lane(bundle, [&](std::size_t lane) { fill_lane(cluster, joint, lane, bundle); });
  });
}

void store_coordinates(Cluster& cluster, const JointView& view) {
  const auto& settle = cluster.world.runtime.kernels->joints.coordinates.settle;
  run_all_blocks(
      cluster.workers, cluster.joint_solver.coordinates.blocks,
      [&](const ColourBlock& block) { settle[block.kind](view, block.first, block.last); });
  for_each_coordinate_bundle(cluster, [&](CoordinateClass joint, CoordinateBundle& bundle) {
    for_each_used_lane(bundle, [&](std::size_t lane) {
      store_lane(bundle, joint, lane, cluster.world.joints[bundle.joint[lane]]);
    });
  });
}

}  // namespace jostle::physics
