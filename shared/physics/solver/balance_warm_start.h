#pragma once

namespace jostle::physics {

struct Cluster;

// Balanced warm start. The impulses of the previous step are a good guess for the new step as long
// as the same contacts act on a body. Their sum is then about what the body needs: it balances
// gravity, and the bodies that push it. If a contact has ended or turned, the impulses of the
// others no longer have a counterpart. A light body that lay under a heavy one would be thrown by
// the weight of the heavy one, and one pass over the contacts cannot take such speeds back.
//
// The change of velocity by the warm start is therefore limited for each body. It may be as large
// as the relative velocities at the body's contacts, which the impulses have to stop, plus a few
// times the change by gravity. The impulses of a contact are multiplied by the smaller share of its
// two bodies. Bodies with joints are exempt: there the joints' impulses are the counterpart.

/// Limits the warm start of bodies on which its impulses do not balance. Call it after the warm
/// start of the first substep and note_warm_start. Applies the limited impulses.
void balance_warm_start(Cluster& cluster);

}  // namespace jostle::physics
