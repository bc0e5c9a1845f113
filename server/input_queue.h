#pragma once

#include "shared/state/input.h"
#include "shared/state/tick.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace jostle::server {

/// Inputs are taken from this many ticks after the tick they were for to this many before it.
inline constexpr std::uint32_t input_window_ticks = 12;
/// Late actions that may wait for a tick with room.
inline constexpr std::size_t max_late_actions = 2 * state::max_actions_per_input;
/// A player whose input is missing goes on as before for so long, then stands still.
inline constexpr std::uint32_t max_repeated_ticks = 6;

struct InputCounters {
  std::uint64_t accepted = 0;      // on time
  std::uint64_t late = 0;          // their movement was lost, their actions happen later
  std::uint64_t duplicate = 0;     // every packet repeats what is not acknowledged: the usual case
  std::uint64_t early = 0;         // beyond the window
  std::uint64_t missing = 0;       // ticks in which nothing had arrived
  std::uint64_t actions_lost = 0;  // late actions beyond max_late_actions
};

/// Lines one player's inputs up with ticks. The policy:
///
/// - On time: applied at its tick, once, however often it arrives.
/// - Duplicate: ignored.
/// - Late by at most `input_window_ticks`: the world does not go back, so its movement is lost, but
/// its
///   pushes and shots happen in the next ticks with room, before any drag, at most
///   `max_late_actions` of them waiting: a click is not lost to a bad link. Later: ignored.
/// - Early by more than `input_window_ticks`: ignored; the client learns its margin and slows down.
/// - Missing: movement, buttons and drag of the last input go on for `max_repeated_ticks`, without
///   pushes and shots, which are of one tick; after that the player stands still.
class InputQueue {
 public:
  /// `last_applied` is the last tick that was made.
  void accept(const state::PlayerInput& input, state::Tick last_applied);

  /// The input of a tick. Ticks must be asked for in order.
  state::PlayerInput take(state::Tick tick);

  /// Newest tick of which an input has arrived; 0 before the first.
  state::Tick newest() const { return newest_; }
  /// How many ticks before its tick the newest input arrived; negative: late.
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
