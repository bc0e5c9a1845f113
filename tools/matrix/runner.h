#pragma once

#include "tools/matrix/run_line.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace jostle::matrix {

inline constexpr std::uint32_t checkpoint_ticks = 60;

/// The state of a run after a tick. It is equal in every build that computes the same results.
struct Checkpoint {
  std::uint32_t tick = 0;
  std::uint64_t hash = 0;                // hash of all state that the next step reads
  std::uint64_t awake_body_ticks = 0;    // number of awake bodies, summed over all ticks so far
  std::uint32_t quarantined_bodies = 0;  // maximum over all ticks so far

  bool operator==(const Checkpoint&) const = default;
};

/// Simulates the ticks of the run. Reports a checkpoint every `checkpoint_ticks` ticks and at the
/// end. Returns an error message, without any report, if the run is not possible.
std::optional<std::string> run(const RunLine& line,
                               const std::function<void(const Checkpoint&)>& report);

}  // namespace jostle::matrix
