#pragma once

#include "protocol/lockstep_messages.h"
#include "shared/desync_search/state_buffer.h"
#include "shared/sim/simulation.h"

#include <optional>
#include <string>
#include <variant>

namespace jostle::desync_search {

// Search for the first difference between two simulations over the network. It compares hashes of
// the last ticks, then of blocks of bodies, then of the bodies of a block, and finally the numbers
// of one body. Each step examines only the part in which the previous step found a difference (a
// hash tree, after Merkle 1987).

// Server side, for one peer. Pass the server's own StateBuffer as `ours` each time.

/// Returns the first question after the peer's hash of tick `at` differed; null if the hash of that
/// tick is no longer kept.
std::optional<protocol::DesyncQuestion> first_question(const StateBuffer& ours, state::Tick at);

using NextStep = std::variant<protocol::DesyncQuestion, protocol::DesyncReport>;
/// Returns the next question, or the final report, which calls the peer `peer_name`. An invalid
/// answer ends the search with a report of what is known.
NextStep advance_search(StateBuffer& ours, const protocol::DesyncAnswer& answer,
                        const std::string& peer_name);

/// Returns the peer's answer to a question of the server. `own` is the peer's StateBuffer.
protocol::DesyncAnswer answer(StateBuffer& own, const protocol::DesyncQuestion& question);

}  // namespace jostle::desync_search
