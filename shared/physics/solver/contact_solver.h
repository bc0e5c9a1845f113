#pragma once

namespace jostle::physics {

struct WorldState;

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
//   Δλ = −m·mass_scale·(Ċ + bias_rate·s) − impulse_scale·(λ − λ̄)
//
// λ̄ is where we may depart from the source (λ̄ = 0 there): the plain soft row is a spring that
// sags under load, a stack of ten boxes by centimetres. λ̄ follows the mean λ of a contact's points
// by proximal_rate, and never exceeds it, so that a load that lasts is carried without sag. At
// present it stands still at zero: detail/constants.h says what towers did while it followed.
//
// After positions have moved, `relax` solves the same rows without the bias, so that the velocity
// that pushed overlapping bodies apart does not stay.
//
// Eight contacts are solved at once (contact_bundle.h), one colour after the other (colouring.h);
// the rows of a contact are solved in its own frame (kernels/contact_frame.h).

/// Builds the bundles of all listed contacts that can act; colour_contacts has laid them out.
void prepare_contacts(WorldState& world);
/// Applies the impulses of the last step. Later substeps carry theirs in the bodies' velocities.
void warm_start_contacts(WorldState& world);
/// One pass over all rows; with bias before positions move, without it after, which ends the
/// substep.
void solve_contacts(WorldState& world, bool uses_bias);
/// Gives back the approach speed of the start of the step where the contacts acted.
void apply_restitution(WorldState& world);
/// Writes the impulses into the manifolds for the next step, and notes meetings and hits. Before
/// the bodies' new poses are copied back.
void store_impulses(WorldState& world);

}  // namespace jostle::physics
