#pragma once

#include "tools/matrix/run_line.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace jostle::matrix {

inline constexpr std::uint32_t checkpoint_ticks = 60;

/// What a run has come to. Equal in every build that computes the same.
struct Checkpoint {
  std::uint32_t tick = 0;
  std::uint64_t hash = 0;              // of the state after it, all that the next step reads
  std::uint64_t awake_body_ticks = 0;  // bodies that were awake, summed over all ticks so far
  std::uint32_t quarantined_bodies = 0;

  bool operator==(const Checkpoint&) const = default;
};

/// Takes the run's ticks, and reports every checkpoint_ticks and at the end. The error says in
/// words what cannot be run; then nothing was reported.
std::optional<std::string> run(const RunLine& line,
                               const std::function<void(const Checkpoint&)>& report);

}  // namespace jostle::matrix
