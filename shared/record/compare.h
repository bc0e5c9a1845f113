#pragma once

#include "shared/base/result.h"
#include "shared/physics/state_listing.h"
#include "shared/record/recording.h"
#include "shared/record/replay.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jostle::record {

/// A number that differs between two states.
struct NumberDifference {
  physics::StateNumber a, b;
  std::uint64_t ulps = 0;  // distance of the two floats
  std::string where;       // 'body 37 "crate_3_2"', 'contact of body 37 "crate_3_2" and body 38'
  bool is_only_in_a = false, is_only_in_b = false;
};

/// Differences between two states of the same scene.
struct StateComparison {
  std::vector<NumberDifference> numbers;  // the first `max_numbers` differences, in listing order
  std::size_t number_count = 0;           // number of all differences
  std::vector<state::BodyId> bodies;      // bodies whose own numbers differ
  bool rules_differ = false;  // players, body ids, time control, random numbers or rules differ

  bool is_equal() const { return number_count == 0 && !rules_differ; }
};
inline constexpr std::size_t max_numbers = 64;

/// Compares the states of two simulations. Contract: both are of the same scene.
StateComparison compare(const sim::Simulation& a, const sim::Simulation& b);
/// Compares listings of two worlds. `names` is a simulation at the same tick; it supplies the names
/// of bodies.
StateComparison compare(const std::vector<physics::StateNumber>& a,
                        const std::vector<physics::StateNumber>& b, const sim::Simulation& names);

/// The first difference between two recordings of one scene.
struct RecordingComparison {
  std::uint64_t ticks_compared = 0;
  bool begin_together = true;  // both recordings begin with the same tick
  // the first tick whose commands or faults differ; null if none does up to `hashes_differ`
  std::optional<state::Tick> inputs_differ;
  std::optional<state::Tick> hashes_differ;  // the first tick after which the states differ
  TickHash hash_a, hash_b;                   // hashes after that tick
  /// Comparison of the states before `hashes_differ`. NotKnown if `hashes_differ` is the first
  /// common tick and one of the recordings has no saved state there.
  enum class Before : std::uint8_t { Same, Differs, NotKnown };
  Before before = Before::Same;
  /// The tick after which the full states were compared: `hashes_differ`, if this build reproduces
  /// both recordings up to it. Otherwise the tick of the next saved states that both recordings
  /// have in common and that this build can restore; null if there are none.
  std::optional<state::Tick> states_at;
  StateComparison states;
  /// True if the recordings differ only by an injected fault of that tick: the states were equal
  /// until it was applied.
  bool is_fault = false;
  /// Reason why `states` is missing or belongs to a later tick; empty if neither.
  std::string why_no_states;

  bool is_equal() const { return !inputs_differ && !hashes_differ; }
};

/// Returns why two recordings cannot be compared; null if they can.
std::optional<std::string> why_not_comparable(const Recording& a, const Recording& b);
/// Compares two recordings. The error says why they cannot be compared: different scenes, rates or
/// rules, or no common tick. States are replayed with the rules that `rules` returns; `after_tick`
/// is called after each replayed tick.
base::Result<RecordingComparison, std::string> compare(
    const Recording& a, const Recording& b, const sim::RuleFactory& rules = sim::default_rules,
    const TickHook& after_tick = {});
/// Returns the cause of the difference of the states as text. Contract: `comparison` has
/// `hashes_differ`.
std::string cause_of(const RecordingComparison& comparison);

}  // namespace jostle::record
