#pragma once

#include "protocol/limits.h"
#include "shared/state/input.h"
#include "shared/state/tick.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace jostle::client {

/// Sender of the player's inputs. Each input carries the number of the server tick for which it is
/// meant, and is repeated until the server has acknowledged it.
///
/// The client's tick runs ahead of the server's, so that inputs arrive before the server needs
/// them. The wanted input margin is 0.9 ticks plus two standard deviations of the upstream delay,
/// and half a tick more under packet loss. To reach it, the client's tick runs at most 3 % faster
/// or slower, and jumps only if it is far off.
///
/// The server reports the actual margin. The reports correct two errors that the clock cannot
/// measure: the time within a tick at which the server reads its socket, and unequal delays of the
/// two directions.
///
/// If packets arrive in bursts, or are sent rarely because the link is narrow, the server's stock
/// of inputs varies between them. The snapshots show it: each contains the newest input that had
/// arrived. The margin covers the range of the stock in the last 256 snapshots, without the highest
/// and the lowest 3 %. A quarter of a second without any new input is an outage, which no margin
/// covers.
///
/// If the client's tick moves back, because the server has skipped ticks, the client uses the
/// numbers after its tick again. The server applies the input that arrived last. The client never
/// waits until its tick passes the numbers that it has used. An action that was sent keeps its
/// number, so that the server applies it once, whichever of the two inputs arrives.
class InputSender {
 public:
  /// Maximum number of actions waiting for a client tick; more are refused.
  static constexpr std::size_t max_queued_actions = 32;

  explicit InputSender(int tick_rate_hz) : ticks_per_second_(tick_rate_hz) {}

  /// Sets the input to send from now on; see Client::set_input. Contract: `input` is finite and its
  /// lists are within the limits of state::PlayerInput. A move vector longer than 1 is shortened.
  /// The tick of `input` is ignored.
  void set_input(const state::PlayerInput& input);

  /// Processes what the server reported in snapshot `snapshot`: the newest input that had arrived
  /// (`input_ack`; 0: none) and its margin in ticks. Reports may arrive in any order.
  void report(state::Tick snapshot, state::Tick input_ack, int margin_ticks);

  /// The current state of the link.
  struct Link {
    double server_tick = 0;  // current tick of the server
    double delay_ticks = 0;  // delay from client to server
    double jitter_ticks = 0;
    double loss = 0;  // 0..1
  };
  /// Creates the inputs of the client ticks that have begun in `elapsed_ticks` of local time, at
  /// most 8. Returns their number.
  int advance(const Link& link, double elapsed_ticks);

  /// Ignores the server's reports about the time in which this process stood still.
  void note_hitch();

  /// Forgets the server's stocks of inputs, because packets were sent rarely until now.
  void forget_bursts();

  /// Moves the client's tick along with the server's, because the server's time has moved by
  /// `ticks` (ServerClock::take_shift_ticks()). The lead does not change.
  void shift(double ticks);

  /// Returns unacknowledged inputs, oldest first; at most max_inputs_per_packet.
  const std::vector<state::PlayerInput>& unacknowledged() const { return unacknowledged_; }
  /// Returns the unacknowledged inputs that a packet sent now should contain: those that can still
  /// arrive in time, and those with actions that the server applies although they are late.
  ///
  /// With `is_narrow`, leaves out what a narrow link can do without: inputs that an earlier packet
  /// contained, except the newest two that change something, and inputs that equal their
  /// predecessor, which the server repeats by itself.
  std::vector<state::PlayerInput> take_useful(bool is_narrow);

  /// Returns true if an action, other than a grab, was not sent yet, or with `counts_sent` also if
  /// it is not acknowledged yet and can still arrive in time.
  bool has_waiting_actions(bool counts_sent) const;

  /// Returns the tick of the newest input, or nothing before the first input.
  std::optional<state::Tick> newest() const { return newest_; }
  /// Returns the client's tick, with fraction.
  double tick() const { return tick_; }
  /// Returns the input margin that the server last reported.
  double margin_ticks() const { return last_margin_; }
  double wanted_margin_ticks() const { return wanted_margin_; }
  /// The server's tick when an input was made, and the time that the input was on its way, in
  /// ticks. The server reports whole ticks.
  struct Delay {
    double made_at_tick = 0, ticks = 0;
  };
  /// Returns the delay of the newest reported input, if it was reported since the last call and its
  /// number was used only once.
  std::optional<Delay> take_delay() { return std::exchange(measured_delay_, {}); }
  /// Returns the newest input that the server has reported as received, or nothing before the first
  /// report.
  std::optional<state::Tick> received() const { return received_; }
  /// Returns the part of the margin that covers bursts and pauses between packets.
  double burst_margin_ticks() const { return burst_margin_; }
  std::uint64_t actions_refused() const { return actions_refused_; }

 private:
  void steer(const Link& link, double elapsed_ticks);
  void return_numbers();
  void create_input(state::Tick tick, double server_tick);
  void note_stock(state::Tick snapshot, state::Tick input_ack);
  void end_pause();
  state::PlayerInput make_input(state::Tick tick);

  double ticks_per_second_ = 0;
  state::PlayerInput held_;         // the input that is repeated; its actions are grabs only
  std::deque<state::Action> once_;  // actions that are sent in one tick each
  // Sent actions of numbers that will be used again, oldest first. Other fields are unused.
  std::deque<state::PlayerInput> returned_;
  std::uint64_t actions_refused_ = 0;

  bool is_set_ = false;
  double tick_ = 0;
  std::optional<state::Tick> newest_;  // newest input created
  state::Tick highest_;                // highest tick of an input that was ever created
  state::Tick newest_sent_;            // newest input that a packet contained
  std::vector<state::PlayerInput> unacknowledged_;

  std::optional<state::Tick> newest_report_;
  double last_margin_ = 0;
  double mean_margin_ = 0;
  std::uint32_t reports_ = 0;
  double ticks_since_report_ = 0;
  double ticks_without_reports_ = 0;  // remaining time in which margin reports are ignored
  double wanted_margin_ = 1;
  double plain_margin_ = 1;  // wanted_margin_ without the burst margin
  // Stock of inputs at the newest 256 snapshots, without the client's lead, in ticks
  std::vector<double> stocks_;
  std::size_t next_stock_ = 0;
  // The same since the server's newest input last changed
  std::vector<double> pause_;
  state::Tick pause_input_;
  double burst_margin_ = 0;
  std::optional<state::Tick> received_;
  std::optional<Delay> measured_delay_;
  struct Made {
    state::Tick tick;
    double server_tick = 0;  // the server's tick at that time
    // The number was used before. A report of it may be about the earlier input.
    bool is_repeated = false;
  };
  std::array<Made, 512> made_{};  // when each input was made, by tick modulo size

  double delay_ticks_ = 0;  // delay to the server at the last advance()
  double correction_ = 0;   // learned from the margin reports, in ticks
  bool is_correcting_ = false;
};

}  // namespace jostle::client
