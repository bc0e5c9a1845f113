#pragma once

#include "shared/state/input.h"
#include "shared/state/tick.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace jostle::server {

/// Maximum number of ticks by which an input may be late, or early. Inputs outside this window are
/// ignored. Inputs that arrive in bursts are early by as much as the bursts are apart.
inline constexpr std::uint32_t input_window_ticks = 12, early_window_ticks = 30;
/// Maximum number of late actions that wait for a later tick.
inline constexpr std::size_t max_late_actions = 2 * state::max_actions_per_input;
/// Number of ticks for which a player's last input is repeated if no newer input arrives. After
/// that the input is empty.
inline constexpr std::uint32_t max_repeated_ticks = 6;

struct InputCounters {
  std::uint64_t accepted = 0;  // inputs that arrived on time
  std::uint64_t late = 0;  // too late: the movement is lost; actions are applied in a later tick
  // Already received; usual, because packets repeat unacknowledged inputs.
  std::uint64_t duplicate = 0;
  std::uint64_t early = 0;         // more than `early_window_ticks` early, ignored
  std::uint64_t missing = 0;       // ticks in which the last input was repeated
  std::uint64_t actions_lost = 0;  // late actions beyond max_late_actions

  InputCounters& operator+=(const InputCounters& other);
};

/// Jitter buffer that assigns one player's inputs to ticks. The policy:
///
/// - On time: applied at its tick, once, no matter how often it arrives.
/// - Duplicate: ignored. If the client has used the number again and the tick was not simulated
///   yet, the input that arrived last counts.
/// - Late by at most `input_window_ticks`: the movement is lost, because the server does not roll
///   back. Actions other than grabs are applied in the next ticks, before any grab, as far as they
///   fit. A bad link therefore does not lose clicks. At most `max_late_actions` of them wait.
/// - Late by more than `input_window_ticks`: ignored.
/// - Early by more than `early_window_ticks`: ignored. The client learns its margin from the next
///   snapshot and slows its clock down.
/// - Missing: movement, buttons and grabs of the last input are repeated for `max_repeated_ticks`,
///   then the input is empty. Other actions and custom data are not repeated, because they belong
///   to one tick.
class InputBuffer {
 public:
  /// Adds a received input. `last_applied` is the last tick that was simulated.
  void accept(const state::PlayerInput& input, state::Tick last_applied);

  /// Returns the input of `tick`. Contract: ticks are requested in ascending order.
  state::PlayerInput take(state::Tick tick);

  /// Returns the newest tick of an input that arrived and was not too early; 0: none yet.
  state::Tick newest() const { return newest_; }
  /// Returns the margin of the newest input: the number of ticks by which it was early; negative:
  /// late.
  std::int16_t margin_ticks() const { return margin_ticks_; }
  const InputCounters& counters() const { return counters_; }

 private:
  std::map<state::Tick, state::PlayerInput> waiting_;
  std::vector<state::Action> late_actions_;
  state::PlayerInput last_;
  std::uint32_t repeated_ = max_repeated_ticks;
  state::Tick newest_;
  std::int16_t margin_ticks_ = 0;
  InputCounters counters_;
};

}  // namespace jostle::server
