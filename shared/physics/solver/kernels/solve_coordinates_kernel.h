#pragma once

#include "shared/physics/solver/kernels/coordinate_values.h"
#include "shared/physics/solver/kernels/solve_joint_rows.h"

namespace jostle::physics::kernels {

/// Returns the total impulse of all rows of a coordinate in a phase.
template <typename F>
JOSTLE_SIMD_INLINE F row_impulse(const Coordinate& row, std::size_t phase) {
  const auto load = [&](CoordinateRowKind kind) {
    return F::load(row.impulse[phase][static_cast<std::size_t>(kind)]);
  };
  return load(CoordinateRowKind::Motor) + load(CoordinateRowKind::Spring) +
         load(CoordinateRowKind::Friction) + load(CoordinateRowKind::Lower) -
         load(CoordinateRowKind::Upper);
}

/// Returns Jᵀλ: the total impulses on the two bodies.
template <typename F, CoordinateClass joint>
JOSTLE_SIMD_INLINE CoordinateMotion<F> load_by(const CoordinateBundle& bundle,
                                               const F (&impulses)[coordinates_of(joint)]) {
  const F zero = F::splat(0.0f);
  const Vectors<F> none{zero, zero, zero};
  CoordinateMotion<F> sum{none, none, none, none};
  for (std::size_t i = 0; i < coordinates_of(joint); ++i) {
    const Coordinate& row = bundle.coordinates[i];
    sum.linear_a = sum.linear_a + Vectors<F>::load(row.force_a) * impulses[i];
    sum.angular_a = sum.angular_a + Vectors<F>::load(row.torque_a) * impulses[i];
    sum.linear_b = sum.linear_b + Vectors<F>::load(row.force_b) * impulses[i];
    sum.angular_b = sum.angular_b + Vectors<F>::load(row.torque_b) * impulses[i];
  }
  return sum;
}

/// Returns the change of a body's velocity by an impulse. It is zero along the world axes that are
/// locked (state/motion_locks.h).
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> moved_by(const Vectors<F>& impulse, const F& inverse_mass,
                                       const Lanes (&free)[3]) {
  return {impulse.x * inverse_mass * F::load(free[0]), impulse.y * inverse_mass * F::load(free[1]),
          impulse.z * inverse_mass * F::load(free[2])};
}

/// Applies impulses of the coordinates to the velocities in `a` and `b`, and returns their total on
/// the bodies, Jᵀλ.
template <typename F, CoordinateClass joint>
JOSTLE_SIMD_INLINE CoordinateMotion<F> push(const CoordinateBundle& bundle,
                                            const F (&impulses)[coordinates_of(joint)],
                                            BodyRows<F>& a, BodyRows<F>& b) {
  const CoordinateMotion<F> load = load_by<F, joint>(bundle, impulses);
  a.first = a.first + moved_by(load.linear_a, a.after_first, bundle.free_a);
  b.first = b.first + moved_by(load.linear_b, b.after_first, bundle.free_b);
  a.second = a.second + SymmetricMatrices<F>::load(bundle.inverse_inertia_a) * load.angular_a;
  b.second = b.second + SymmetricMatrices<F>::load(bundle.inverse_inertia_b) * load.angular_b;
  return load;
}

/// Writes the velocities back, and adds the impulse on b to the bundle's sums for the step.
template <typename F>
JOSTLE_SIMD_INLINE void give_back(const JointView& view, const CoordinateMotion<F>& load,
                                  const BodyRows<F>& a, const BodyRows<F>& b,
                                  CoordinateBundle& bundle) {
  scatter(view.velocities, bundle.a, movable(a), a);
  scatter(view.velocities, bundle.b, movable(b), b);
  const Vectors<F> about = load.angular_b - cross(Vectors<F>::load(bundle.arm_b), load.linear_b);
  (Vectors<F>::load(bundle.step_linear) + load.linear_b).store(bundle.step_linear);
  (Vectors<F>::load(bundle.step_angular) + about).store(bundle.step_angular);
}

/// Applies the impulses that the phase had one substep ago (warm starting).
template <typename F, CoordinateClass joint, JointPhase phase>
void warm_start_coordinates(const JointView& view, std::uint32_t first, std::uint32_t last) {
  constexpr std::size_t count = coordinates_of(joint);
  const F zero = F::splat(0.0f);
  for (std::uint32_t n = first; n < last; ++n) {
    CoordinateBundle& bundle = view.coordinates[n];
    F impulses[count], all[count];
    for (std::size_t i = 0; i < count; ++i) {
      Coordinate& row = bundle.coordinates[i];
      // A coordinate that is no longer held loses the impulse of its lock.
      for (std::size_t k = 0; k < joint_phase_count; ++k)
        select(zero < F::load(row.is_held), F::load(row.lock_impulse[k]), zero)
            .store(row.lock_impulse[k]);
      impulses[i] = F::load(row.lock_impulse[phase]) + row_impulse<F>(row, phase);
      all[i] = F::load(row.lock_impulse[HoldPhase]) + F::load(row.lock_impulse[RelaxPhase]) +
               row_impulse<F>(row, HoldPhase) + row_impulse<F>(row, RelaxPhase);
    }
    BodyRows<F> a = gather<F>(view.velocities, bundle.a);
    BodyRows<F> b = gather<F>(view.velocities, bundle.b);
    if constexpr (phase == HoldPhase) {
      const CoordinateMotion<F> pull = load_by<F, joint>(bundle, all);
      Vectors<F> arm_a = Vectors<F>::load(bundle.arm_a);
      if constexpr (joint == CoordinateClass::SixDof)
        arm_a = arm_a + Vectors<F>::load(bundle.apart);
      const Vectors<F> arm_b = Vectors<F>::load(bundle.arm_b);
      a.after_second =
          a.after_second + max_of(dot(pull.linear_a, arm_a), zero) * F::load(bundle.taut_a);
      b.after_second =
          b.after_second + max_of(dot(pull.linear_b, arm_b), zero) * F::load(bundle.taut_b);
    }
    give_back(view, push<F, joint>(bundle, impulses, a, b), a, b, bundle);
  }
}

/// Computes the changes of the locks' impulses that remove the speeds `wanted` of the locked
/// coordinates. All locks are solved together. In the biased solve, a soft joint gives up a share
/// of its impulse, except the part that responds to the rows.
template <typename F, CoordinateClass joint, JointPhase phase>
JOSTLE_SIMD_INLINE void solve_locks(const CoordinateBundle& bundle,
                                    const F (&wanted)[coordinates_of(joint)],
                                    F (&changes)[coordinates_of(joint)]) {
  constexpr std::size_t count = coordinates_of(joint);
  const F zero = F::splat(0.0f), keep = F::load(bundle.keep);
  F rows[count];
  for (std::size_t k = 0; k < count; ++k)
    rows[k] = row_impulse<F>(bundle.coordinates[k], phase);
  for (std::size_t i = 0; i < count; ++i) {
    const auto is_held = zero < F::load(bundle.coordinates[i].is_held);
    F change = zero, answer = zero;
    for (std::size_t k = 0; k < count; ++k) {
      const F entry = F::load(bundle.swept[triangle_place(i, k)]);
      const auto is_lock = zero < F::load(bundle.coordinates[k].is_held);
      change = change + select(is_lock, entry * wanted[k], zero);
      answer = answer - select(is_lock, zero, entry * rows[k]);
    }
    if constexpr (phase == HoldPhase) {
      const F has = F::load(bundle.coordinates[i].lock_impulse[phase]);
      change = change * (F::splat(1.0f) - keep) - (has - answer) * keep;
    }
    changes[i] = select(is_held, change, zero);
  }
}

/// Returns the new total impulse of a motor, or of friction, which is a motor with speed zero.
/// `speed` is relative to the motor's target speed. Over both phases, the impulse is bounded by
/// −`most` and `most_up`.
template <typename F>
JOSTLE_SIMD_INLINE F solve_drive(const RowState<F>& row, const F& speed, const F& most,
                                 const F& most_up) {
  const F wanted = row.total - row.mass * speed;
  return max_of(min_of(wanted, most_up - row.other), -most - row.other);
}

/// Returns the new total impulse λ₊ of a spring. In the biased solve it is λ₊ = −m·(damping·(u +
/// r·(λ₊ − λ)) + rate·(x − rest)). Here m is the mass that the spring is tuned for (`spring_mass`),
/// u the speed of the coordinate, and r its response. In the relax phase, the mean speed over the
/// substep replaces u, without the term in r. Springs without `spring_relaxes` then apply no
/// impulse (joint_springs.h). Both speeds are relative to the speed of the rest value. A
/// tension-only spring applies an impulse only if it is stretched, and never pushes. `turns` is
/// true if x is an angle that may wrap.
template <typename F, JointPhase phase>
JOSTLE_SIMD_INLINE F solve_spring(const JointView& view, const Coordinate& row, const F& total,
                                  F speed, bool turns) {
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  const F value = F::load(row.value), mass = F::load(row.spring_mass);
  const F damping = F::load(row.spring_damping), at_rest = F::load(row.spring_speed);
  const F stretch = value - F::load(row.rest), pull = F::load(row.spring_rate) * stretch;
  F impulse;
  if constexpr (phase == RelaxPhase) {
    F way = value - F::load(row.value_before);
    if (turns) way = nearest_turn(way, zero);
    const F between = way * F::splat(1.0f / view.substep_seconds) - at_rest;
    impulse = -(F::load(row.spring_relaxes) * mass * (damping * between + pull));
  } else {
    const F weight = mass * damping * F::load(row.response);
    impulse = (weight * total - mass * (damping * (speed - at_rest) + pull)) / (one + weight);
  }
  const auto tension_only = zero < F::load(row.tension_only);
  return select(tension_only, select(zero < stretch, min_of(impulse, zero), zero), impulse);
}

/// Solves all rows of a coordinate, one after the other, and returns the change of their total
/// impulse. `speed` is that of the coordinate; `turns` is true if it is an angle that may wrap.
template <typename F, JointPhase phase>
JOSTLE_SIMD_INLINE F solve_coordinate(const JointView& view, Coordinate& row, F speed, bool turns) {
  const F response = F::load(row.response), zero = F::splat(0.0f);
  F sum = zero;
  RowState<F> state;
  state.mass = F::load(row.mass);
  const auto begin = [&](CoordinateRowKind kind) {
    const auto i = static_cast<std::size_t>(kind);
    state.total = F::load(row.impulse[phase][i]);
    state.other = phase == RelaxPhase ? F::load(row.impulse[HoldPhase][i]) : zero;
  };
  const auto change_to = [&](CoordinateRowKind kind, const F& total) {
    total.store(row.impulse[phase][static_cast<std::size_t>(kind)]);
    const F change = kind == CoordinateRowKind::Upper ? state.total - total : total - state.total;
    speed = speed + response * change;
    sum = sum + change;
  };
  const auto most = [&](const Lanes& all, const Lanes& hold) {
    return F::load(phase == HoldPhase ? hold : all);
  };
  begin(CoordinateRowKind::Spring);
  change_to(CoordinateRowKind::Spring,
            solve_spring<F, phase>(view, row, state.total, speed, turns));
  const F drive = most(row.motor_impulse, row.motor_hold_impulse);
  const F value = F::load(row.value);
  const F driven = driven_speed<F, phase>(view, F::load(row.motor_speed), value, F::load(row.lower),
                                          F::load(row.upper));
  begin(CoordinateRowKind::Motor);
  change_to(CoordinateRowKind::Motor,
            solve_drive(state, speed - driven, drive,
                        select(zero < F::load(row.tension_only), zero, drive)));
  const F friction = most(row.friction_impulse, row.friction_hold_impulse);
  begin(CoordinateRowKind::Friction);
  change_to(CoordinateRowKind::Friction, solve_drive(state, speed, friction, friction));
  begin(CoordinateRowKind::Lower);
  change_to(CoordinateRowKind::Lower,
            solve_limit<F, phase>(view, state, value - F::load(row.lower), speed));
  begin(CoordinateRowKind::Upper);
  change_to(CoordinateRowKind::Upper,
            solve_limit<F, phase>(view, state, F::load(row.upper) - value, -speed));
  return sum;
}

/// Solves the rows of all coordinates after the locks. Adds the locks' response to each row to
/// `locks`, and the changes of the unlocked coordinates' speeds to `speeds`. `rows` receives the
/// changes of the rows' impulses.
template <typename F, CoordinateClass joint, JointPhase phase>
JOSTLE_SIMD_INLINE void solve_coordinate_rows(const JointView& view, CoordinateBundle& bundle,
                                              F (&speeds)[coordinates_of(joint)],
                                              F (&locks)[coordinates_of(joint)],
                                              F (&rows)[coordinates_of(joint)]) {
  constexpr std::size_t count = coordinates_of(joint);
  const F zero = F::splat(0.0f);
  for (std::size_t i = 0; i < count; ++i) {
    Coordinate& row = bundle.coordinates[i];
    rows[i] = zero;
    if (bits_of(zero < F::load(row.mass)) == 0) continue;
    rows[i] = solve_coordinate<F, phase>(view, row, speeds[i],
                                         joint == CoordinateClass::SixDof && i >= 3);
    for (std::size_t k = 0; k < count; ++k) {
      const F by = F::load(bundle.swept[triangle_place(i, k)]) * rows[i];
      const auto is_lock = zero < F::load(bundle.coordinates[k].is_held);
      locks[k] = locks[k] - select(is_lock, by, zero);
      speeds[k] = speeds[k] + select(is_lock, zero, by);
    }
  }
}

/// Solves the springs of a servo: first the three of translation together, then the three of
/// rotation together. The impulse of each triple is limited in length. `rows` receives the changes.
template <typename F, JointPhase phase>
JOSTLE_SIMD_INLINE void solve_servo(const JointView& view, CoordinateBundle& bundle, F (&speeds)[6],
                                    F (&rows)[6]) {
  constexpr auto spring = static_cast<std::size_t>(CoordinateRowKind::Spring);
  const F zero = F::splat(0.0f), one = F::splat(1.0f);
  for (std::size_t part = 0; part < 2; ++part) {
    F wanted[3], was[3], other[3];
    F own[3] = {speeds[3 * part], speeds[3 * part + 1], speeds[3 * part + 2]};
    for (std::size_t i = 0; i < 3; ++i) {
      const Coordinate& row = bundle.coordinates[3 * part + i];
      was[i] = F::load(row.impulse[phase][spring]);
      other[i] = phase == RelaxPhase ? F::load(row.impulse[HoldPhase][spring]) : zero;
      wanted[i] = solve_spring<F, phase>(view, row, was[i], own[i], false);
      for (std::size_t k = 0; k < 3; ++k) {
        own[k] = own[k] + F::load(bundle.swept[triangle_place(3 * part + i, 3 * part + k)]) *
                              (wanted[i] - was[i]);
      }
    }
    const F most = F::load(phase == HoldPhase ? bundle.hold_most[part] : bundle.most[part]);
    const Vectors<F> all{wanted[0] + other[0], wanted[1] + other[1], wanted[2] + other[2]};
    const F squared = dot(all, all);
    const auto is_long = most * most < squared;
    const F share = select(is_long, most / sqrt_of(select(is_long, squared, one)), one);
    for (std::size_t i = 0; i < 3; ++i) {
      const F total = (wanted[i] + other[i]) * share - other[i];
      total.store(bundle.coordinates[3 * part + i].impulse[phase][spring]);
      rows[3 * part + i] = total - was[i];
      for (std::size_t k = 0; k < 6; ++k) {
        speeds[k] =
            speeds[k] + F::load(bundle.swept[triangle_place(3 * part + i, k)]) * rows[3 * part + i];
      }
    }
  }
}

/// Runs one pass of a phase: the locks, then the rows.
template <typename F, CoordinateClass joint, JointPhase phase>
void solve_coordinates(const JointView& view, std::uint32_t first, std::uint32_t last) {
  constexpr std::size_t count = coordinates_of(joint);
  const float h = view.substep_seconds;
  for (std::uint32_t n = first; n < last; ++n) {
    CoordinateBundle& bundle = view.coordinates[n];
    BodyRows<F> a = gather<F>(view.velocities, bundle.a);
    BodyRows<F> b = gather<F>(view.velocities, bundle.b);
    const F zero = F::splat(0.0f);
    F speeds[count], wanted[count], changes[count], rows[count];
    const CoordinateMotion<F> motion = motion_of(a, b);
    F ahead[count];
    for (std::size_t i = 0; i < count; ++i)
      speeds[i] = speed_of(bundle.coordinates[i], motion);
    if constexpr (phase == HoldPhase) look_ahead<F, joint>(bundle, motion, speeds, h, ahead);
    for (std::size_t i = 0; i < count; ++i) {
      wanted[i] = speeds[i];
      if constexpr (phase == HoldPhase) {
        const Coordinate& row = bundle.coordinates[i];
        const bool turns = joint == CoordinateClass::Gear || i >= 3;
        const float most = turns ? max_turn_push_speed : max_anchor_push_speed;
        const F error = F::load(row.value) - F::load(row.rest);
        const F back = error * F::splat(view.softness.bias_rate);
        wanted[i] = wanted[i] + ahead[i] + max_of(min_of(back, F::splat(most)), F::splat(-most));
      }
      rows[i] = zero;
    }
    if constexpr (joint == CoordinateClass::Servo) {
      for (std::size_t i = 0; i < count; ++i)
        changes[i] = zero;
      solve_servo<F, phase>(view, bundle, speeds, rows);
    } else {
      solve_locks<F, joint, phase>(bundle, wanted, changes);
      BodyRows<F> then_a = a, then_b = b;
      push<F, joint>(bundle, changes, then_a, then_b);
      const CoordinateMotion<F> then = motion_of(then_a, then_b);
      for (std::size_t i = 0; i < count; ++i) {
        speeds[i] = speed_of(bundle.coordinates[i], then);
        if constexpr (phase == HoldPhase) speeds[i] = speeds[i] + ahead[i];
      }
      solve_coordinate_rows<F, joint, phase>(view, bundle, speeds, changes, rows);
    }
    for (std::size_t i = 0; i < count; ++i) {
      Coordinate& row = bundle.coordinates[i];
      (F::load(row.lock_impulse[phase]) + changes[i]).store(row.lock_impulse[phase]);
      rows[i] = rows[i] + changes[i];
    }
    give_back(view, push<F, joint>(bundle, rows, a, b), a, b, bundle);
  }
}

/// Ends the step: clears impulses that are tiny, too large or not finite.
template <typename F, CoordinateClass joint>
void settle_coordinates(const JointView& view, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t n = first; n < last; ++n) {
    CoordinateBundle& bundle = view.coordinates[n];
    snap<F>(bundle.step_linear);
    snap<F>(bundle.step_angular);
    for (std::size_t i = 0; i < coordinates_of(joint); ++i) {
      snap<F>(bundle.coordinates[i].lock_impulse);
      for (std::size_t phase = 0; phase < joint_phase_count; ++phase)
        snap<F>(bundle.coordinates[i].impulse[phase]);
    }
  }
}

}  // namespace jostle::physics::kernels
