#pragma once

namespace jostle::physics {

struct Cluster;

// Impact propagation: impacts that follow each other within a step. Restitution that is applied
// contact by contact at the end of a step uses only the speed at which each pair approached at the
// start. In a row of touching balls only the first pair approached, and the impact that it passes
// on would be lost: all balls of Newton's cradle would move off. But impacts of stiff bodies are
// short, and one is over before the next begins (Newton's cradle: Herrmann and Schmälzle, "Simple
// explanation of a well-known collision experiment", 1981; sequences of impacts: Ivanov, "On
// multiple impact", 1995).
//
// A chain is a set of 2 to 64 single-point contacts with restitution that acted in the step and
// that dynamic bodies connect. At least one of these contacts must bounce. The impulses of the step
// at these contacts are undone. The impacts are then simulated, the fastest first. With the
// coefficient of restitution e and the effective mass m of a contact:
//
//   u = n·(v_b + ω_b × r_b − v_a − ω_a × r_a) < 0,    λ = −(1 + e)·m·u
//
// Impacts with equal speeds, except for rounding, are solved together. Otherwise a symmetric rack
// of balls would break asymmetrically. An approach that is no faster than the restitution
// threshold, or than the speed that gravity and forces add within the step, gives nothing back. No
// impact adds energy, since e ≤ 1. The result is discarded if it gives back more energy than the
// contacts absorbed in the step.

/// Simulates the impact chains of a cluster. Call it before restitution is applied to other
/// contacts. If the result of a chain is kept, the restitution of its contacts becomes 0, so that
/// they are skipped then.
void play_impact_chains(Cluster& cluster);

}  // namespace jostle::physics
