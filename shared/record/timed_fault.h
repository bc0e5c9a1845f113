#pragma once

#include "shared/record/recording.h"
#include "shared/state/tick.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jostle::record {

/// A fault on purpose, and after which tick.
struct TimedFault {
  state::Tick tick;
  RecordedFault fault;
};

/// "ulp:1841:37:linear_velocity.y": flips the last bit of that number of body 37 after tick 1841.
std::optional<TimedFault> parse_fault(const std::string& text);
/// What is wrong with such a text, or nothing; for command lines.
std::string why_no_fault(const std::string& text);

using FaultsByTick = std::map<state::Tick, std::vector<RecordedFault>>;
/// Contract: each is a fault.
FaultsByTick parse_faults(const std::vector<std::string>& texts);

}  // namespace jostle::record
