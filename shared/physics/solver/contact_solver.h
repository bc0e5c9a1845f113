#pragma once

namespace jostle::physics {

struct Cluster;

// Sequential impulses in soft-step form (Catto, "Solver2D", 2024). Rows, for a contact with unit
// normal n from a to b at the point p, r = p − centre of mass:
//
//   Ċ = n·(v_b − v_a) + (r_b × n)·ω_b − (r_a × n)·ω_a        the relative normal velocity
//   m = 1 / (m_a⁻¹ + m_b⁻¹ + (r_a×n)·I_a⁻¹(r_a×n) + (r_b×n)·I_b⁻¹(r_b×n))
//
// Overlap s < 0 is answered by a spring-damper of ω = 2π·hertz and ratio ζ, integrated implicitly
// over the substep h. With c = h·ω·(2ζ + h·ω):
//
//   bias_rate = ω / (2ζ + h·ω),  mass_scale = c / (1 + c),  impulse_scale = 1 / (1 + c)
//   Δλ = −m·mass_scale·(Ċ + bias_rate·s) − impulse_scale·λ
//
// A spring faster than a quarter of the substep rate would be sampled less than four times a swing,
// so hertz is at most 1/(4h). No overlap is answered by more than max_push_speed.
//
// A point that is still open, s > 0, may close its gap within the substep, and no faster: after
// q += h·v the separation is s + h·Ċ to first order, so
//
//   Ċ ≥ −s/h,   Δλ = −m·(Ċ + s/h),   λ ≥ 0 in total
//
// a hard row without leak: what is on its way meets the surface, not a spring. With λ ≥ 0 and
// λ·(Ċ + s/h) = 0 this is Signorini's condition over the substep (Stewart and Trinkle, "An implicit
// time-stepping scheme for rigid body dynamics with inelastic collisions and Coulomb friction",
// 1996). It is what keeps fast bodies in front of what they meet.
//
// Friction is one vector row in the tangent plane. With T the two tangents, w_t = Tᵀ·w the sliding
// velocity and M the 2 × 2 mass against it, the impulse that would stop it is λ_t − M·w_t, and it
// is shortened, not clipped by components, to Coulomb's cone |λ_t| ≤ μ·Σλ. So friction is as strong
// in every direction, and opposes the sliding as far as M is round. It acts at c, the middle of the
// points; that they resist a turn about the normal is a row by itself, twist. A patch that turns
// slides at each point k across its lever ℓ_k = |d_k|, where friction can bring μ·λ_k; all together
//
//   |τ| ≤ μ·Σ ℓ_k·λ_k
//
// exact for points that slide by twist alone. Beside a sliding motion the cone and this bound hold
// each for itself, so that the two together may resist by up to √2 times what the points could; and
// a patch that spins much faster than it slides, of whose points each would spend its friction on
// the spin, is stopped by all of μ·Σλ: the price of three rows for a manifold instead of two for
// each point. Rolling and spinning
// resistance are torques with bounds of the same kind, a length times Σλ.
//
// Restitution: after the last substep, contacts that acted and that the bodies approached at
// v < −threshold get Ċ = √((e·v)² + 2·a·d), where v is the speed at the start of the step and a·d
// is what the way back over the gap d, at which the speculative row stopped them, will cost by the
// acceleration a < 0. All together they give back at most e² of the energy that they have taken
// (kernels/bounce_kernel.h): what one point's speed was at the start of the step says little once
// another has hit.
//
// Why hertz and ζ are what they are, and why impulses have momentum. One pass a substep over many
// contacts is far from a solution: a slow motion of a pile, in which each contact parts by the
// little u and the impulses together move the mass M, sees σ = (passes · m/M) of what would stop
// it, and the next passes add to it. So the impulses of the pile are the sum of what was asked for
// (a spring!), with a leak:
//
//   dλ/dt ∼ σ·(u + bias_rate·s) − leak·λ,   leak = impulse_scale/h
//
// The leak damps, the bias delays: such a motion swings itself up once bias_rate exceeds the leak,
// a pile under load sags by λ·leak/(σ·bias_rate), and neither constant alone is free. Damping that
// slow motions feel comes from momentum (Nesterov, "A method of solving a convex programming
// problem with convergence rate O(1/k²)", 1983): before the biased pass each impulse goes on by
// the share β of its last change,
//
//   λ ← λ + β·(λ − λ₋),    v ← v + β·(M⁻¹Jᵀλ − M⁻¹Jᵀλ₋)
//
// and the pass answers what is wrong there. Slow motions then see up to σ/(1 − β), and in a model
// of one motion all of them are damped for β from 0.3 to 0.6 while bias_rate is below about three
// times the leak. Ours is twice the leak, where without momentum it had to stay below it. The
// second line is a sum per body, since M⁻¹Jᵀλ is what contacts changed (integrate_velocities). The
// first substep of a step has no momentum, so that no more than λ need be kept between steps.
//
// A proximal term, a spring without the leak's sag (λ is pulled towards λ̄, which follows it
// slowly, instead of towards zero), is the other way to stiff contacts. It lets go of the leak's
// damping as well, and loads on the way to λ̄ still travel by passes. Here contacts that bear
// standing bodies lose spring and leak altogether, because their impulses are known:
//
// What passes cannot reach, loads on tall piles and of heavy bodies on light ones, goes to the
// ground at once where bodies stand (support_graph.h). Their contacts are held: no spring, and no
// leak. Light bodies between far heavier ones and the ground, on which nothing can stand, count as
// heavier while they are squeezed (squeezed_bodies.h).
//
// After positions have moved, `relax` solves the same rows without the bias, so that the velocity
// that pushed overlapping bodies apart does not stay.
//
// Eight contacts are solved at once (contact_bundle.h), one colour after the other (colouring.h);
// the rows of a contact are solved in its own frame (kernels/contact_frame.h).

/// Builds the bundles of all listed contacts that can act; colour_contacts has laid them out.
void prepare_contacts(Cluster& cluster);
/// Brings the masses of contacts up to date whose bodies have turned too far; after positions move.
void measure_turned_contacts(Cluster& cluster);
/// Applies the impulses of the last step. Later substeps carry theirs in the bodies' velocities.
void warm_start_contacts(Cluster& cluster);
/// One pass over all rows; with bias before positions move, without it after, which ends the
/// substep.
void solve_contacts(Cluster& cluster, bool uses_bias);
/// Gives back the approach speed of the start of the step where the contacts acted.
void apply_restitution(Cluster& cluster);
/// Writes the impulses into the manifolds for the next step, and notes meetings and hits. Before
/// the bodies' new poses are copied back.
void store_impulses(Cluster& cluster);

}  // namespace jostle::physics
