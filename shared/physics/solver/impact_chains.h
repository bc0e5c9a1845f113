#pragma once

namespace jostle::physics {

struct Cluster;

// Impact propagation: impacts that follow each other within a step. Restitution that is applied
// contact by contact at the end only knows how fast each pair approached at the start of the step.
// In a row of touching balls only the first pair approached, and the impact that it passes on would
// be lost: all balls of Newton's cradle would leave. But impacts of stiff bodies are short, and one
// is over before the next begins (Newton's cradle: Herrmann and Schmälzle, "Simple explanation of a
// well-known collision experiment", 1981; sequences of impacts: Ivanov, "On multiple impact",
// 1995).
//
// If 2 to 64 single-point contacts with restitution are connected by movable bodies, and one of
// them bounces, their impulses of the step are therefore undone. The impacts are then simulated,
// the fastest first:
//
//   u = n·(v_b + ω_b × r_b − v_a − ω_a × r_a) < 0,    λ = −(1 + e)·m·u
//
// Impacts whose speeds are equal but for rounding are solved together, or a rack of balls would
// break to one side. An approach that is no faster than the restitution threshold, or than the
// speed that gravity adds within the step, gives nothing back. No impact adds energy, since e ≤ 1.

/// Simulates the impact chains of a cluster. Call it before restitution is applied to all other
/// contacts. It sets the restitution of the simulated contacts to 0, so that they are skipped
/// there.
void play_impact_chains(Cluster& cluster);

}  // namespace jostle::physics
