#pragma once

namespace jostle::physics {

/// Contacts are made this far ahead of touching, so that they stand before they are needed; fast
/// pairs get what they can travel in a step on top.
inline constexpr float speculative_distance = 0.02f;  // m

/// The points of two shapes are looked for anew when these have moved past each other by more than
/// the distance, or the share of the thinner one, or might come nearer by more than the approach
/// within the step. Points that change with every breath of a heap keep it breathing: hulls that
/// rock by less than this come to rest.
inline constexpr float keep_points_distance = 5e-4f;  // m
inline constexpr float keep_points_share = 0.01f;
inline constexpr float keep_points_approach = 0.25f * speculative_distance;  // m

/// Two shapes count as touching below this separation, and until they are twice as far apart: a
/// resting contact that breathes by micrometres is one contact, not many.
inline constexpr float touch_distance = 0.005f;  // m

/// Static shapes lie flush that end within this distance of each other (solver/flush_contacts.h),
/// and normals are the same within the angle of this cosine.
inline constexpr float flush_tolerance = 1e-3f;  // m
inline constexpr float flush_cosine = 0.9999f;

/// Boxes in the trees are this much larger than the shapes, so that small motion costs nothing.
inline constexpr float fat_margin = 0.05f;  // m
/// Boxes of fast shapes reach ahead by this many steps of travel.
inline constexpr float fat_ahead_steps = 8.0f;

/// Velocities (m/s, rad/s) and impulses (N·s) below this are set to zero: they decay towards the
/// subnormals, which are slow, and mean nothing.
inline constexpr float tiny = 1e-15f;
/// Impulses above this come from a body that is about to be quarantined; its partners forget them.
inline constexpr float max_impulse = 1e20f;  // N·s

/// How much of its last change an impulse of a contact repeats in the next substep
/// (solver/contact_solver.h). From 0.3 to 0.6 all motions of a pile are damped; above, the quick
/// ones grow.
inline constexpr float contact_momentum = 0.5f;

/// What of a body's sliding the passes of a substep may not have divided yet among contacts that
/// hold it together, of one that bears next to nothing of it (solver/kernels/grip_kernel.h); of one
/// that bears all, nothing. It is an eighth of what gravity adds in a substep of 1/240 s.
inline constexpr float sticking_noise = 0.005f;  // m/s

// Bodies that are squeezed (solver/squeezed_bodies.h).
/// Of the heavy body's mass to the light one's: above the first they are uneven, and the light one,
/// where it is squeezed, counts as heavy enough for the second.
inline constexpr float uneven_ratio = 16.0f;
inline constexpr float squeezed_ratio = 4.0f;
/// Between what pushes and what backs the body: less than the cosine of the angle, negative.
inline constexpr float squeezed_opposition = 0.2f;
/// It has as it counts no more than this share of the energy of what squeezes it, or of that with
/// the drift for a speed.
inline constexpr float squeezed_energy = 0.1f;
inline constexpr float squeezed_drift = 0.1f;  // m/s
/// A joint squeezes what overlaps by more.
inline constexpr float squeezed_depth = 0.01f;  // m

// Bodies that stand (solver/support_graph.h).
/// Points nearer than this bear, as near as points are kept (keep_points_distance): bodies that
/// were put down with a little air between them stand once they have met. What overlaps deeper is
/// pushed out by the passes, unless all around it stands; and beyond the second depth in any case.
inline constexpr float held_distance = 5e-4f;       // m
inline constexpr float held_depth = 2e-3f;          // m
inline constexpr float straightened_depth = 1e-2f;  // m
/// A body that goes past what is below it faster than gravity makes it in so many substeps does not
/// stand.
inline constexpr float standing_falls = 2.0f;
/// Heaps rest while all in them is slower than still_speed. Where one does not, bodies are asked
/// what they bear from a tenth of that on: what is let pass adds up over substeps, is then answered
/// at once, and the impulses that did so bring its opposite from there on. What the impulses leave
/// of themselves by rounding, where they cancel, counts as nothing.
inline constexpr float still_speed = 1e-5f;     // m/s
inline constexpr float asked_speed = 1e-6f;     // m/s
inline constexpr float speed_rounding = 2e-7f;  // of the impulses by the mass
/// Of the weights of a contact's rows: what points without load get of the mean load, and friction
/// of the normals' sum.
inline constexpr float even_share = 0.25f;
inline constexpr float friction_share = 0.5f;
/// A pivot below this share of what it was: nothing holds the body that way.
inline constexpr float least_pivot = 1e-4f;
/// What impulses may miss zero, Coulomb's cone and the load by, relatively.
inline constexpr float rounding = 1e-6f;
inline constexpr float slip_tolerance = 1e-4f;
inline constexpr float carry_tolerance = 1e-3f;
/// How often rows may be let go of before a body counts as falling.
inline constexpr int carry_attempts = 4;
/// Once a step this share of a gap is taken back, at most so much of an overlap, and nothing below
/// the tolerance. Staying in place counts by its weight beside that.
inline constexpr float straighten_rate = 0.4f;
inline constexpr float max_straightening = 2e-3f;     // m
inline constexpr float straighten_tolerance = 5e-6f;  // m
inline constexpr float straighten_friction = 0.05f;

/// Passes over all joints in each phase of a substep (solver/joint_solver.h).
inline constexpr int joint_hold_passes = 3;
inline constexpr int joint_relax_passes = 2;
/// Of trees whose bodies turn far within a substep.
inline constexpr int max_tree_passes = 8;
/// Of what a spring would give up of its impulse per substep, joints and their limits give up this
/// share (solver/joint_solver.h).
inline constexpr float joint_give_share = 0.5f;
inline constexpr float limit_give_share = 0.1f;

/// Joints that fail by more at the end of a step are mended (solver/mend_joints.h); and what of a
/// failure one measurement takes away.
inline constexpr float mended_gap = 2e-4f;       // m
inline constexpr float mended_turn = 7e-4f;      // rad
inline constexpr float max_mending_gap = 0.2f;   // m
inline constexpr float max_mending_turn = 0.3f;  // rad
/// Successive over-relaxation: a joint moves its bodies by so much of what it alone would need.
inline constexpr float mending_relaxation = 1.5f;

/// How taut a jointed body may be before it counts as more inert (solver/taut_bodies.h).
inline constexpr float max_tautness = 0.5f;
inline constexpr float max_taut_factor = 1e6f;
/// What a joint has lost is not brought back faster than this: what far apart came would bring more
/// energy along than the relax phase takes back in its passes.
inline constexpr float max_anchor_push_speed = 4.0f;  // m/s
inline constexpr float max_turn_push_speed = 8.0f;    // rad/s

/// The stiffness is at most this share of the substep rate, beyond which it could not be resolved.
inline constexpr float max_hertz_per_substep_rate = 0.25f;

// What a caller, a scene or a save may set.
inline constexpr float min_mass = 1e-6f;  // kg
inline constexpr float max_mass = 1e12f;
inline constexpr float min_density = 1e-6f;  // kg/m³; or zero
inline constexpr float max_density = 1e9f;
inline constexpr float max_joint_value = 1e12f;  // m, 1/s, N, N·m
inline constexpr float max_local_offset = 1e6f;  // m, of a shape in its body
inline constexpr int max_substeps = 64;
inline constexpr double max_coordinate = 1e9;  // m
/// By how much the square of a rotation's length may miss 1: a caller's is made unit when it is
/// taken, and may come from arithmetic of its own; a save's is taken as it is, so that it must be
/// what `normalized` leaves.
inline constexpr float call_unit_tolerance = 1e-3f;
inline constexpr float save_unit_tolerance = 1e-5f;

}  // namespace jostle::physics
