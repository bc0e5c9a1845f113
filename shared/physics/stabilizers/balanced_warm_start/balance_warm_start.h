#pragma once

namespace jostle::physics {

struct Cluster;

// Balanced warm start. The impulses of the previous step are a good initial guess as long as the
// same contacts act on a body. Together they balance gravity and the pushes of other bodies. If a
// contact has ended or its normal has turned, the remaining impulses are out of balance. A light
// body that lay under a heavy one would be thrown by the impulse that carried the heavy one. One
// pass over the contacts cannot remove such a speed.
//
// The change of velocity by the warm start is therefore limited for each body. The limit is the
// largest relative velocity at the body's contacts, which the impulses have to stop, plus a few
// times the change by gravity and force, plus 0.1 m/s. If a body exceeds its limit, the impulses of
// its contacts are scaled by limit/change. A contact uses the smaller factor of its two bodies.
// Bodies with joints are exempt, because joint impulses may balance their contact impulses.

/// Scales down the warm-start impulses of bodies on which they are out of balance, and repeats the
/// warm start with the scaled impulses. Call it in the first substep, after warm_start_contacts and
/// note_warm_start.
void balance_warm_start(Cluster& cluster);

}  // namespace jostle::physics
