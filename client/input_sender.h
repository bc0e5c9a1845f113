#pragma once

#include "protocol/limits.h"
#include "shared/state/input.h"
#include "shared/state/tick.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace jostle::client {

/// Numbers the player's inputs with the server tick for which they are meant and keeps them until
/// the server has them.
///
/// The client's tick runs ahead of the server's so that an input arrives just less than a tick and
/// twice the jitter before it is needed, and earlier where packets get lost. It is steered there by
/// running 3 % faster or slower and jumps only when it is far off. What the server reports of the
/// margin corrects what the clock cannot know: when within its tick the server reads its socket,
/// and paths that are not equally long.
class InputSender {
 public:
  /// Actions that wait for a tick of their own; more are refused.
  static constexpr std::size_t max_queued_actions = 32;

  explicit InputSender(int tick_rate_hz) : ticks_per_second_(tick_rate_hz) {}

  /// Held from now on; see Client::set_input. Contract: finite, within the limits of
  /// state::PlayerInput. Its tick is ignored.
  void set_input(const state::PlayerInput& input);

  /// What a snapshot says about inputs that have arrived. Reports may come in any order.
  void report(state::Tick snapshot, state::Tick input_ack, int margin_ticks);

  /// What the link is like now.
  struct Link {
    double server_tick = 0;  // now
    double delay_ticks = 0;  // from here to the server
    double jitter_ticks = 0;
    double loss = 0;  // 0..1
  };
  /// Makes the inputs of the client ticks that have begun in `elapsed_ticks` of local time. Their
  /// number.
  int advance(const Link& link, double elapsed_ticks);

  /// Oldest first; at most max_inputs_per_packet.
  const std::vector<state::PlayerInput>& unacknowledged() const { return unacknowledged_; }

  /// The newest input's tick; nothing before the first.
  std::optional<state::Tick> newest() const { return newest_; }
  /// The client's tick, with fraction.
  double tick() const { return tick_; }
  /// As the server last reported it.
  double margin_ticks() const { return last_margin_; }
  double wanted_margin_ticks() const { return wanted_margin_; }
  std::uint64_t actions_refused() const { return actions_refused_; }

 private:
  void steer(const Link& link, double elapsed_ticks);
  state::PlayerInput make_input(state::Tick tick);

  double ticks_per_second_ = 0;
  state::PlayerInput held_;         // its actions are drags only
  std::deque<state::Action> once_;  // actions for one tick each
  std::uint64_t actions_refused_ = 0;

  bool is_set_ = false;
  double tick_ = 0;
  std::optional<state::Tick> newest_;  // of the inputs made
  std::vector<state::PlayerInput> unacknowledged_;

  std::optional<state::Tick> newest_report_;
  double last_margin_ = 0;
  double mean_margin_ = 0;
  std::uint32_t reports_ = 0;
  double ticks_since_report_ = 0;
  double wanted_margin_ = 1;
  double correction_ = 0;  // ticks, learnt from the reports
  bool is_correcting_ = false;
};

}  // namespace jostle::client
