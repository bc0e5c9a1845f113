#pragma once

namespace jostle::physics {

struct Cluster;

// Blows that follow each other within a step. Restitution after the fact, contact by contact, knows
// how fast each pair met at the start of the step; in a row of balls that touch only the first pair
// did, and what it hands on is lost: of Newton's cradle all balls leave. Impacts of stiff bodies
// are short, though, and one is over before the next has begun (Newton's cradle as in Herrmann and
// Schmälzle, "Simple explanation of a well-known collision experiment", 1981; sequences of impacts
// as in Ivanov, "On multiple impact", 1995). So where contacts that bounce hang together, and each
// is a single point, their impulses of the step are taken back and the blows are played one after
// the other, the fastest first:
//
//   u = n·(v_b + ω_b × r_b − v_a − ω_a × r_a) < 0,    λ = −(1 + e)·m·u
//
// Those that are as fast as each other but for rounding are one blow, or a rack of balls would
// break to one side. Approach that is not faster than the restitution threshold and what gravity
// brings within the step gives nothing back. No blow brings energy, since e ≤ 1.

/// Before restitution of all others, which leaves these out.
void play_impact_chains(Cluster& cluster);

}  // namespace jostle::physics
