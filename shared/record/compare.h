#pragma once

#include "shared/base/result.h"
#include "shared/physics/state_listing.h"
#include "shared/record/recording.h"
#include "shared/sim/simulation.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jostle::record {

/// A number that two states do not agree on.
struct NumberDifference {
  physics::StateNumber a, b;
  std::uint64_t ulps = 0;  // between floats
  std::string where;       // 'body 37 "crate_3_2"', 'contact of body 37 "crate_3_2" and body 38'
  bool is_only_in_a = false, is_only_in_b = false;
};

/// What two states of the same scene differ in.
struct StateComparison {
  std::vector<NumberDifference> numbers;  // in the order of a listing, the first `max_numbers`
  std::size_t number_count = 0;           // all of them
  std::vector<state::BodyId> bodies;      // that differ in numbers of their own
  bool rules_differ = false;              // players, ids, clocks, or what rules keep

  bool is_equal() const { return number_count == 0 && !rules_differ; }
};
inline constexpr std::size_t max_numbers = 64;

/// Contract: simulations of the same scene.
StateComparison compare(const sim::Simulation& a, const sim::Simulation& b);
/// Of listings of their worlds; what things are called says a simulation in that tick.
StateComparison compare(const std::vector<physics::StateNumber>& a,
                        const std::vector<physics::StateNumber>& b, const sim::Simulation& names);

/// Where two recordings of one scene part.
struct RecordingComparison {
  std::uint64_t ticks_compared = 0;
  std::optional<state::Tick> inputs_differ;  // the first tick with other commands or faults
  std::optional<state::Tick> hashes_differ;  // the first tick after which the states differ
  TickHash hash_a, hash_b;                   // after it
  /// The states before that tick. They are not known where it is the first of both and one of them
  /// has none written down there.
  enum class Before : std::uint8_t { Same, Differs, NotKnown };
  Before before = Before::Same;
  /// The states themselves, and after which tick: that of `hashes_differ`, where this build makes
  /// of both what was recorded; else that before the next blocks, where both begin one at the same
  /// tick.
  std::optional<state::Tick> states_at;
  StateComparison states;
  /// Whether the states were equal when the fault on purpose of that tick was made.
  bool is_fault = false;
  /// Why there are no states, or not of that tick; empty where there are.
  std::string why_no_states;

  bool is_equal() const { return !inputs_differ && !hashes_differ; }
};

/// In words, why two recordings say nothing about each other; nothing where they do.
std::optional<std::string> why_not_comparable(const Recording& a, const Recording& b);
/// The error says in words what cannot be compared: other scenes, rates or rules, no common tick.
base::Result<RecordingComparison, std::string> compare(const Recording& a, const Recording& b);

}  // namespace jostle::record
