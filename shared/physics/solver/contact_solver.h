#pragma once

#include <span>

namespace jostle::physics {

struct Cluster;
struct ColourBlock;

// Contacts are solved by sequential impulses in soft-step form (Catto, "Solver2D", 2024). Consider
// a contact at the point p, with the unit normal n from a to b and the arms r = p − centre of mass.
// The normal row of this contact has the relative velocity Ċ and the effective mass m:
//
//   Ċ = n·(v_b − v_a) + (r_b × n)·ω_b − (r_a × n)·ω_a
//   m = 1 / (m_a⁻¹ + m_b⁻¹ + (r_a×n)·I_a⁻¹(r_a×n) + (r_b×n)·I_b⁻¹(r_b×n))
//
// The separation s of the point is negative if the shapes overlap. A spring-damper of the angular
// frequency ω = 2π·hertz and the damping ratio ζ then pushes them apart. It is integrated
// implicitly over the substep h. With c = h·ω·(2ζ + h·ω):
//
//   bias_rate = ω / (2ζ + h·ω),  mass_scale = c / (1 + c),  impulse_scale = 1 / (1 + c)
//   Δλ = −m·mass_scale·(Ċ + bias_rate·s) − impulse_scale·λ
//
// A spring faster than a quarter of the substep rate would be sampled fewer than four times per
// oscillation, so hertz is at most 1/(4h). Overlap is corrected no faster than
// max_contact_push_speed.
//
// A point that is still open, s > 0, may close its gap within the substep, but no faster
// (speculative contact). After q += h·v the separation is s + h·Ċ to first order, so
//
//   Ċ ≥ −s/h,   Δλ = −m·(Ċ + s/h),   λ ≥ 0 in total
//
// This row is rigid: mass_scale is 1 and impulse_scale is 0. With λ ≥ 0 and λ·(Ċ + s/h) = 0, the
// row is Signorini's condition over the substep (Stewart and Trinkle, "An implicit time-stepping
// scheme for rigid body dynamics with inelastic collisions and Coulomb friction", 1996). It
// prevents tunnelling of fast bodies.
//
// Friction acts in the tangent plane at the origin of the contact frame (contact_bundle.h), as the
// impulse λ_t, and about the normal, as the twist impulse τ. The points can apply at most L =
// μ·Σλ_k along the tangents, and the moment L_τ = μ·Σ ℓ_k·λ_k about the normal, where ℓ_k is the
// mean lever arm of the point's share of the patch (lever_share). Both together lie within the
// ellipse
//
//   |λ_t|²/L² + τ²/L_τ² ≤ 1
//
// The solver applies the impulse in the ellipse that dissipates most. Friction then opposes the
// final sliding and spinning (kernels/friction_kernel.h). Rolling and spinning resistance are
// torques that are limited by a length times Σλ.
//
// Restitution is applied after the last substep, to contacts whose points approached at v ≤
// −threshold before a pass pressed them. A contact returns the share e² of the energy that its
// normal impulses have absorbed, with e the coefficient of restitution (kernels/bounce_kernel.h).
// The absorbed energy is measured in every pass, so it does not depend on predictions: it is right
// even if the bodies turn far between the impact and the end of the step, or if one end of a body
// hits after the other. The energy that gravity takes on the way back over an open gap is
// subtracted. Contacts that movable bodies connect pool their energy (absorbed_energy.h).
//
// The values of hertz and ζ, and the momentum of impulses, are chosen for slow convergence. One
// biased pass and one relax pass per substep are far too few for a solution. Consider a slow motion
// of a pile of the mass M_p, in which each contact separates at the small speed u. The passes of a
// substep apply only the share σ = passes·m/M_p of the impulse that would stop this motion; the
// next substeps add the rest. The impulses λ of the pile therefore integrate the error, with a
// decay (leak):
//
//   dλ/dt ∼ σ·(u + bias_rate·s) − leak·λ,   leak = impulse_scale/h
//
// The leak damps the motion, and the bias acts with a delay. The motion grows once bias_rate
// exceeds the leak, and a pile under load sags by λ·leak/(σ·bias_rate), so neither constant can be
// chosen freely. Momentum damps slow motions (Nesterov, "A method of solving a convex programming
// problem with convergence rate O(1/k²)", 1983). Let λ₋ be the impulse one substep before λ. Before
// the biased pass, each impulse is extrapolated by the share β (contact_momentum) of its last
// change:
//
//   λ ← λ + β·(λ − λ₋),    v ← v + β·(M⁻¹Jᵀλ − M⁻¹Jᵀλ₋)
//
// The pass then corrects the error of the extrapolation. For slow motions, σ increases to as much
// as σ/(1 − β). In a model of a single motion, all motions are damped for β from 0.3 to 0.6 while
// bias_rate is below about three times the leak. With the default options, bias_rate is twice the
// leak; without momentum it had to be below the leak. The second line is a sum per body, since
// M⁻¹Jᵀλ is the velocity change that contacts made (integrate_velocities). The first substep of a
// step has no momentum, so that only λ is stored between steps.
//
// A proximal term would also make contacts stiff. With it, λ decays towards an impulse λ̄, which
// follows λ slowly, instead of towards zero, so that contacts do not sag. It is not used here,
// because it does not damp by a leak, and λ̄ would still converge only at the speed of the passes.
// Contacts of the stack solver need neither spring nor leak, because their impulses are known.
//
// Passes cannot propagate the loads of tall piles, or of heavy bodies on light ones. If such bodies
// are in static equilibrium, the stack solver transfers their loads to the ground directly
// (support_graph.h). Their contacts are then rigid: they have no spring and no leak. The stack
// solver cannot help if a light body between a far heavier one and the ground is not in static
// equilibrium. The mass of this light body is then increased while the heavy body squeezes it
// (squeezed_bodies.h).
//
// After positions have moved, the relax phase solves the same rows without the bias. This removes
// the velocity that pushed overlapping bodies apart.
//
// Eight contacts are solved at once (contact_bundle.h), one colour after the other (colouring.h).
// The rows of a contact are solved in the frame of the contact (kernels/contact_frame.h).

/// Fills the bundles of all listed contacts that can act. Call it after colour_contacts, which lays
/// out the bundles.
void prepare_contacts(Cluster& cluster);
/// Marks jointed bodies as free (SolverBody::is_free) if no contact will hold them in the step:
/// their surfaces do not meet, or bounce off. Otherwise a pendulum would gain energy on its way to
/// an impact, because bodies that contacts hold do not move on parabolas.
void free_distant_bodies(Cluster& cluster);
/// Recomputes the effective masses of contacts with a body that has turned too far (follow_turn in
/// kernels/body_kernels.h). Call it after positions have moved.
void measure_turned_contacts(Cluster& cluster);
/// Applies the impulses of the last step (warm starting). Call it in the first substep only; in
/// later substeps integrate_velocities applies the impulses of the previous substep.
void warm_start_contacts(Cluster& cluster);
/// Records the energy that the impulses of warm starting and momentum absorb, for restitution. Call
/// it in each substep, after these impulses were applied and before anything else changes the
/// velocities.
void note_carried_impulses(Cluster& cluster);
/// Runs one pass over all rows. With `uses_bias` it is the biased solve, before positions move;
/// otherwise it is the relax phase, after they have moved.
void solve_contacts(Cluster& cluster, bool uses_bias);
/// Runs one relax pass over some blocks, in their order.
void relax_contacts(Cluster& cluster, std::span<const ColourBlock> blocks);
/// Applies restitution to the contacts that acted, from the energy that they have absorbed. Call it
/// after the last substep.
void apply_restitution(Cluster& cluster);
/// Writes the impulses into the manifolds for the next step, and records begin and hit events. Call
/// it before the bodies' new poses are copied back.
void store_impulses(Cluster& cluster);

}  // namespace jostle::physics
