#pragma once

#include "shared/record/recording.h"
#include "shared/sim/simulation.h"
#include "shared/state/tick.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jostle::record {

/// An injected fault, and the tick after which it is applied.
struct TimedFault {
  state::Tick tick;
  RecordedFault fault;
};

/// Parses a fault such as "ulp:1841:37:linear_velocity.y": flips the lowest bit of that number of
/// body 37 after tick 1841. Returns null if the text is invalid.
std::optional<TimedFault> parse_fault(const std::string& text);
/// Returns an error message for command lines if parse_fault() rejects the text; otherwise an empty
/// string.
std::string why_no_fault(const std::string& text);

/// Returns why Simulation::flip_lowest_bit() would reject a fault now: "there is no body 3; ...",
/// or the fields that the body has. Returns an empty string if it would accept the fault.
std::string why_not_injected(const sim::Simulation& simulation, const RecordedFault& fault);
/// Returns an error message if a fault is not in a tick from 1 to `last_tick`, or if a tick has too
/// many faults; otherwise an empty string. Contract: every text is valid.
std::string why_not_in_run(const std::vector<std::string>& texts, std::uint32_t last_tick);

using FaultsByTick = std::map<state::Tick, std::vector<RecordedFault>>;
/// Describes faults for users: "tick 5: body 14, position.x; tick 9: body 2, velocity.y".
std::string describe(const FaultsByTick& faults);
/// Parses several faults. Faults beyond max_faults_per_tick in a tick are dropped. Contract: every
/// text is valid.
FaultsByTick parse_faults(const std::vector<std::string>& texts);

}  // namespace jostle::record
