#pragma once

namespace jostle::physics {

/// Margin of speculative contacts: a contact is created once two shapes are nearer than this plus
/// the distance by which they can approach within the step. Fast pairs have a different margin
/// (continuous/fast_pairs.h).
inline constexpr float speculative_distance = 0.02f;  // m

// Reuse of contact points. The points of two shapes are recomputed once the shapes have moved
// relative to each other by more than a limit. Until then only the separations are updated. The
// limit is the motion of `keep_points_steps` steps at the present speed, within the range below.
// Shapes that slow down thus get new points before they rest. Points of balls and planes are
// recomputed in each step, except those with a mesh or height field.

/// Lower end of the range: this distance, or `keep_points_share` of the thickness (thickness_of) of
/// the thinner shape, whichever is less. Hulls that rock by less than this come to rest. Points
/// that changed with every small motion would keep a pile moving.
inline constexpr float keep_points_distance = 5e-4f;  // m
inline constexpr float keep_points_share = 0.01f;
inline constexpr float keep_points_steps = 4;
/// Ratio of the upper end of the range to the lower end.
inline constexpr float keep_points_range = 10;
/// Possible approach of two shapes within the step above which their points are always recomputed.
inline constexpr float keep_points_approach = 0.25f * speculative_distance;  // m

/// Separation below which two shapes begin to touch. They stop touching above twice this
/// separation, if their contact also had no impulse in the previous step. This hysteresis prevents
/// begin and end events while a resting contact oscillates by micrometres.
inline constexpr float touch_distance = 0.005f;  // m

// Removal of contacts at internal edges (stabilizers/internal_edges/flush_contacts.h).

/// Tolerance for the height of faces that together form one flat surface.
inline constexpr float flush_tolerance = 1e-3f;  // m
/// Cosine of the angle between two unit normals above which the normals count as equal.
inline constexpr float flush_cosine = 0.9999f;

/// Margin by which fat AABBs of kinematic and dynamic bodies exceed the space that a shape needs,
/// so that small motions do not change the trees.
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
/// (Nesterov momentum, solver/contact_solver.h). Values from 0.3 to 0.6 damp all motions of a pile;
/// larger values amplify the fast motions.
inline constexpr float contact_momentum = 0.5f;

/// Sliding speed that is tolerated at a contact in static friction, because the passes of a substep
/// may not have distributed the load yet among the contacts of a body
/// (solver/kernels/grip_kernel.h). The tolerance applies in full to a contact that bears almost
/// none of the body's load, and is zero for one that bears all of it. The value is an eighth of the
/// velocity that gravity adds in a substep of 1/240 s.
inline constexpr float sticking_noise = 0.005f;  // m/s

// Mass-ratio conditioning (stabilizers/mass_ratios/squeezed_bodies.h).

/// Mass ratio of a heavy to a light body above which the heavy body, while it squeezes the light
/// one, increases the light body's mass.
inline constexpr float uneven_ratio = 16.0f;
/// Ratio of the heavy mass to the increased mass of the light body.
inline constexpr float squeezed_ratio = 4.0f;
/// Limit for dot products of unit contact directions. Two contacts are on opposite sides of a body
/// if the product of their directions is below −squeezed_opposition. A contact leads upward if the
/// product of its direction and the upward direction is at least squeezed_opposition.
inline constexpr float squeezed_opposition = 0.2f;
/// Maximum kinetic energy of a body with its increased mass, as a share of the kinetic energy of
/// the body that squeezes it.
inline constexpr float squeezed_energy = 0.1f;
/// Speed whose square is added to the squared speed of the squeezing body in this limit, so that a
/// body at rest can squeeze, too.
inline constexpr float squeezed_drift = 0.1f;  // m/s
/// Overlap of a body with another one above which the joints of the body squeeze, too.
inline constexpr float squeezed_depth = 0.01f;  // m

// Stack solver (stabilizers/stacks/support_graph.h).

/// Separation below which a contact point can bear load. It equals `keep_points_distance`, so that
/// bodies that are placed with a small gap are supported once they touch.
inline constexpr float held_distance = 5e-4f;  // m
/// Overlap above which a body is left to the solver passes, unless all bodies that it touches are
/// supported.
inline constexpr float held_depth = 2e-3f;  // m
/// Overlap above which a body is always left to the solver passes.
inline constexpr float straightened_depth = 1e-2f;  // m
/// Number of substeps of free fall. The speed gained in them is the limit for the speed of a
/// supported body relative to its supports. The limit is multiplied by the largest mass ratio
/// between the body and a body that it touches.
inline constexpr float standing_falls = 2.0f;
/// Speed below which a body is at rest. A pile is skipped if all its bodies are at rest and no
/// contact has a position error.
inline constexpr float still_speed = 1e-5f;  // m/s
/// Deviation of a body from its target velocity above which the stack solver recomputes loads, in a
/// pile that is not at rest. With a higher limit, ignored errors would add up over substeps; their
/// sudden correction would cause the opposite error.
inline constexpr float asked_speed = 1e-6f;  // m/s
/// Rounding error of a body's velocity, as a share of the sum of the impulses on the body times its
/// inverse mass. The error is added to the two speeds above.
inline constexpr float speed_rounding = 2e-7f;
/// Share of a contact point's weight that does not depend on the point's own impulse. The weight is
/// this impulse plus `even_share` times the sum of the contact's mean impulse and of the impulse of
/// the body's own weight in a substep.
inline constexpr float even_share = 0.25f;
/// Weight of a friction row, as a share of the sum of the weights of the contact's points. If the
/// friction coefficient is below 1, the share is multiplied by the coefficient.
inline constexpr float friction_share = 0.5f;
/// Minimum pivot of the Cholesky factorization, as a share of the pivot's original value. A smaller
/// pivot means that no support constrains the body in that direction.
inline constexpr float least_pivot = 1e-4f;
/// Relative tolerance for impulses below zero.
inline constexpr float rounding = 1e-6f;
/// Relative tolerance for friction impulses beyond Coulomb's cone.
inline constexpr float slip_tolerance = 1e-4f;
/// Relative tolerance for the difference between the load and the sum of the supports' impulses.
inline constexpr float carry_tolerance = 1e-3f;
/// Number of attempts to support a body, each with fewer rows, before the body is left to the
/// solver passes.
inline constexpr int carry_attempts = 4;
// Position correction of stacks, once per step.

/// Share of a gap or overlap that is removed per step.
inline constexpr float straighten_rate = 0.4f;
/// Maximum overlap that is removed per step.
inline constexpr float max_straightening = 2e-3f;  // m
/// Position error up to which nothing is corrected. For a body that also touches bodies outside of
/// the stack, `held_distance` is used instead.
inline constexpr float straighten_tolerance = 5e-6f;  // m
/// Weight that penalizes tangential displacement and rotation about the normal, relative to 1 for
/// displacement along the normal.
inline constexpr float straighten_friction = 0.05f;

/// Number of passes over all joints in the biased solve and in the relax phase of a substep
/// (solver/joint_solver.h).
inline constexpr int joint_hold_passes = 3;
inline constexpr int joint_relax_passes = 2;
/// Maximum number of passes for joint trees whose bodies rotate far within a substep.
inline constexpr int max_tree_passes = 8;
/// Factors for the share of its accumulated impulse that a soft constraint gives up in each pass of
/// the biased solve (impulse scale in Box2D): for joints, and for their limits
/// (solver/joint_solver.h).
inline constexpr float joint_give_share = 0.5f;
inline constexpr float limit_give_share = 0.1f;

// Position correction of joints at the end of a step (stabilizers/joint_positions/mend_joints.h).

/// Errors of position and rotation above which a joint is corrected.
inline constexpr float mended_gap = 2e-4f;   // m
inline constexpr float mended_turn = 7e-4f;  // rad
/// Maximum corrections of position and rotation per round. Joints are measured again after each
/// round.
inline constexpr float max_mending_gap = 0.2f;   // m
inline constexpr float max_mending_turn = 0.3f;  // rad
/// Factor of successive over-relaxation for these corrections.
inline constexpr float mending_relaxation = 1.5f;

// Geometric stiffness (stabilizers/geometric_stiffness/taut_bodies.h).

/// Tautness of a jointed body above which its inertia is increased.
inline constexpr float max_tautness = 0.5f;
/// Maximum factor of the increase.
inline constexpr float max_taut_factor = 1e6f;
/// Maximum speeds at which the biased solve corrects position errors of joints. If large errors
/// were corrected faster, the correction would add more energy than the relax phase removes.
inline constexpr float max_anchor_push_speed = 4.0f;  // m/s
inline constexpr float max_turn_push_speed = 8.0f;    // rad/s

/// Maximum frequency of soft constraints as a share of the substep rate. Substeps cannot resolve
/// higher frequencies.
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
/// Tolerance for the squared length of a caller's quaternion, which may have rounding errors and is
/// normalized when it is set.
inline constexpr float call_unit_tolerance = 1e-3f;
/// Tolerance for the squared length of a quaternion in a save, which is used unchanged and must
/// have the precision of `normalized`.
inline constexpr float save_unit_tolerance = 1e-5f;

}  // namespace jostle::physics
