#pragma once

#include "protocol/lockstep_messages.h"
#include "shared/lockstep/state_memory.h"
#include "shared/sim/simulation.h"

#include <optional>
#include <string>
#include <variant>

namespace jostle::lockstep {

// Where two simulations have parted, found out over the wire: by hashes of the last ticks, then of
// blocks of bodies, then of the bodies of a block, and at last by the numbers of one body. Each
// step asks for no more than the one before has left open (a hash tree, after Merkle 1987).

// The server's end, for one peer. `ours` must be its own memory each time.

/// After the peer's hash of tick `at` was another than ours. Nothing where that is too long ago.
std::optional<protocol::DesyncQuestion> first_question(const StateMemory& ours, state::Tick at);

using NextStep = std::variant<protocol::DesyncQuestion, protocol::DesyncReport>;
/// What follows from an answer. One that makes no sense ends the search with a report of what is
/// known.
NextStep next_step(StateMemory& ours, const protocol::DesyncAnswer& answer);

/// The peer's end.
protocol::DesyncAnswer answer(StateMemory& own, const protocol::DesyncQuestion& question);

}  // namespace jostle::lockstep
