#pragma once

namespace jostle::physics {

/// Contacts are created before shapes touch (speculative contacts): as soon as the shapes are
/// nearer than this plus the distance by which they can approach within the step. Fast pairs have a
/// different margin (narrow_phase/fast_pairs.h).
inline constexpr float speculative_distance = 0.02f;  // m

/// The contact points of two shapes are recomputed once the shapes have moved past each other by
/// more than a limit. Until then only their separations follow the shapes. The limit is the motion
/// of `keep_points_steps` steps at the present speed, at least `keep_points_distance` or
/// `keep_points_share` of the thinner shape's thickness (whichever is less), and at most ten times
/// as much. Shapes that slow down thus get new points before they rest, and hulls that rock by less
/// than the least limit come to rest: points that change with every small motion of a pile keep it
/// moving. Points are also recomputed if the shapes could approach by more than
/// `keep_points_approach` within the step. Points of balls and planes are recomputed in each step,
/// except those with a mesh or height field.
inline constexpr float keep_points_distance = 5e-4f;  // m
inline constexpr float keep_points_share = 0.01f;
inline constexpr float keep_points_steps = 4;
inline constexpr float keep_points_range = 10;  // ratio of the largest limit to the least
inline constexpr float keep_points_approach = 0.25f * speculative_distance;  // m

/// Two shapes begin to touch below this separation. They cease to touch above twice as much, if
/// their contact also had no impulse in the previous step. This hysteresis turns a resting contact
/// that oscillates by micrometres into one contact, not many.
inline constexpr float touch_distance = 0.005f;  // m

/// Two shapes are flush if their faces end at the same height to within `flush_tolerance`
/// (solver/flush_contacts.h). Normals count as equal if the cosine of their angle is above
/// `flush_cosine`.
inline constexpr float flush_tolerance = 1e-3f;  // m
inline constexpr float flush_cosine = 0.9999f;

/// Margin that is added to the fat AABBs of the shapes of kinematic and dynamic bodies, so that
/// small motions do not change the trees.
inline constexpr float fat_margin = 0.05f;  // m
/// Number of steps of travel by which the fat AABBs of moving shapes are extended forward.
inline constexpr float fat_ahead_steps = 8.0f;

/// Velocities (m/s, rad/s) and impulses (N·s) below this are set to zero. They have no physical
/// meaning and would decay into subnormal numbers, which are slow.
inline constexpr float tiny = 1e-15f;
/// Impulses above this come from a body that is about to be quarantined. They are not stored for
/// warm starting.
inline constexpr float max_impulse = 1e20f;  // N·s

/// Share of its last change by which a contact impulse is extrapolated in the next substep
/// (Nesterov momentum, solver/contact_solver.h). From 0.3 to 0.6 all motions of a pile are damped;
/// above that, fast ones grow.
inline constexpr float contact_momentum = 0.5f;

/// Sliding speed that is tolerated at a contact in static friction, because the passes of a substep
/// may not have distributed the load yet among the contacts of a body
/// (solver/kernels/grip_kernel.h). The tolerance applies in full to a contact that bears almost
/// none of the body's load, and is zero for one that bears all of it. The value is an eighth of the
/// velocity that gravity adds in a substep of 1/240 s.
inline constexpr float sticking_noise = 0.005f;  // m/s

// Mass-ratio conditioning (solver/squeezed_bodies.h).
/// If the mass ratio of a heavy to a light body exceeds `uneven_ratio` while the heavy body
/// squeezes the light one, the light body's mass is raised to the heavy mass divided by
/// `squeezed_ratio`.
inline constexpr float uneven_ratio = 16.0f;
inline constexpr float squeezed_ratio = 4.0f;
/// Two contacts are on opposite sides of a body if the dot product of their directions is below the
/// negative of this. A contact leads upward if the dot product of its direction and the upward
/// direction is at least this.
inline constexpr float squeezed_opposition = 0.2f;
/// The increased mass of a squeezed body is limited: its kinetic energy may be at most
/// `squeezed_energy` times that of the body which squeezes it. `squeezed_drift`² is added to the
/// squared speed of the squeezing body, so that a body at rest can squeeze, too.
inline constexpr float squeezed_energy = 0.1f;
inline constexpr float squeezed_drift = 0.1f;  // m/s
/// Depth of overlap with another body above which a body can also be squeezed through its joints.
inline constexpr float squeezed_depth = 0.01f;  // m

// Stack solver (solver/support_graph.h).
/// Points nearer than `held_distance` bear load. The distance equals `keep_points_distance`, so
/// that bodies placed with a small gap are supported once they have met. A body with an overlap
/// deeper than `held_depth` is left to the solver passes, unless all bodies that it touches are
/// supported. A body with an overlap deeper than `straightened_depth` is always left to the passes.
inline constexpr float held_distance = 5e-4f;       // m
inline constexpr float held_depth = 2e-3f;          // m
inline constexpr float straightened_depth = 1e-2f;  // m
/// Number of substeps of free fall. The speed gained in them is the limit for the speed of a
/// supported body relative to its supports. The limit is multiplied by the largest mass ratio
/// between the body and a body that it touches.
inline constexpr float standing_falls = 2.0f;
/// Speeds below which the stack solver skips work. A pile is at rest if all its bodies are slower
/// than `still_speed` and no contact has a position error. In a pile that is not at rest, loads are
/// recomputed for bodies that deviate from their target velocity by more than `asked_speed`, a
/// tenth of `still_speed`. A higher limit would let ignored errors add up over substeps until they
/// are corrected at once, and the correcting impulses would cause the opposite error. Residual
/// speeds from rounding, where impulses cancel, are ignored (`speed_rounding`).
inline constexpr float still_speed = 1e-5f;     // m/s
inline constexpr float asked_speed = 1e-6f;     // m/s
inline constexpr float speed_rounding = 2e-7f;  // share of the impulses times the inverse mass
/// Weights of the rows of a contact. The weight of a point is its impulse plus `even_share` times
/// the sum of the mean impulse and of the body's weight times the substep. A friction row has
/// `friction_share` times the sum of the points' weights, and less if the friction coefficient is
/// below 1.
inline constexpr float even_share = 0.25f;
inline constexpr float friction_share = 0.5f;
/// A pivot of the Cholesky factorization below this share of its original value means that nothing
/// holds the body in that direction.
inline constexpr float least_pivot = 1e-4f;
/// Relative tolerances of the stack solver: `rounding` for impulses below zero, `slip_tolerance`
/// for friction beyond Coulomb's cone, `carry_tolerance` for the difference between the load and
/// what the supports apply.
inline constexpr float rounding = 1e-6f;
inline constexpr float slip_tolerance = 1e-4f;
inline constexpr float carry_tolerance = 1e-3f;
/// Number of attempts to support a body, each with fewer rows, before the body is left to the
/// solver passes.
inline constexpr int carry_attempts = 4;
/// Position correction of stacks, once per step: the share of a gap or overlap that is removed, the
/// limit for the removed overlap, and the tolerance below which nothing is done. If a body touches
/// bodies outside of the stack, the tolerance is `held_distance`. Tangential motion is penalized
/// with the weight `straighten_friction`, relative to 1 for the normals.
inline constexpr float straighten_rate = 0.4f;
inline constexpr float max_straightening = 2e-3f;     // m
inline constexpr float straighten_tolerance = 5e-6f;  // m
inline constexpr float straighten_friction = 0.05f;

/// Number of passes over all joints in the biased solve and in the relax phase of a substep
/// (solver/joint_solver.h).
inline constexpr int joint_hold_passes = 3;
inline constexpr int joint_relax_passes = 2;
/// Maximum number of passes for joint trees whose bodies rotate far within a substep.
inline constexpr int max_tree_passes = 8;
/// A soft constraint gives up a share of its impulse in each pass of the biased solve. Joints and
/// their limits give up only these fractions of that share (solver/joint_solver.h).
inline constexpr float joint_give_share = 0.5f;
inline constexpr float limit_give_share = 0.1f;

/// Position correction of joints: position errors above `mended_gap` or `mended_turn` at the end of
/// a step are corrected (solver/mend_joints.h), by at most `max_mending_gap` and `max_mending_turn`
/// per measurement.
inline constexpr float mended_gap = 2e-4f;       // m
inline constexpr float mended_turn = 7e-4f;      // rad
inline constexpr float max_mending_gap = 0.2f;   // m
inline constexpr float max_mending_turn = 0.3f;  // rad
/// Factor of successive over-relaxation: multiplies the correction that a joint alone would need.
inline constexpr float mending_relaxation = 1.5f;

/// Geometric stiffness: tautness of a jointed body above which its inertia is increased, and the
/// maximum factor of the increase (solver/taut_bodies.h).
inline constexpr float max_tautness = 0.5f;
inline constexpr float max_taut_factor = 1e6f;
/// Maximum speeds at which the biased solve corrects position errors of joints. Faster correction
/// of large errors would add more energy than the passes of the relax phase remove.
inline constexpr float max_anchor_push_speed = 4.0f;  // m/s
inline constexpr float max_turn_push_speed = 8.0f;    // rad/s

/// Maximum frequency of soft constraints as a share of the substep rate. Stiffer ones could not be
/// resolved.
inline constexpr float max_hertz_per_substep_rate = 0.25f;

// Limits for values set by callers, scenes and saves.
inline constexpr float min_mass = 1e-6f;  // kg
inline constexpr float max_mass = 1e12f;
inline constexpr float min_density = 1e-6f;  // kg/m³; or zero
inline constexpr float max_density = 1e9f;
inline constexpr float max_joint_value = 1e12f;  // m, 1/s, N, N·m
inline constexpr float max_local_offset = 1e6f;  // offset of a shape in its body, m
inline constexpr int max_substeps = 64;
inline constexpr double max_coordinate = 1e9;  // m
/// Tolerances for the squared length of a rotation. A caller's rotation may have rounding errors
/// and is normalized when it is set. A save's rotation is used unchanged, so it must have the
/// precision of `normalized`.
inline constexpr float call_unit_tolerance = 1e-3f;
inline constexpr float save_unit_tolerance = 1e-5f;

}  // namespace jostle::physics
