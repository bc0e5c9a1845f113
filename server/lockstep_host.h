#pragma once

#include "protocol/lockstep_messages.h"
#include "shared/lockstep/state_memory.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace jostle::server {

/// What the server knows of a peer that plays in lockstep.
struct LockstepPeer {
  state::Tick begins_after{};           // what it was sent of the simulation is after this tick
  bool is_sent = false;                 // that
  std::optional<state::Tick> newest{};  // all frames up to this one have arrived there
  state::Tick compared{};               // the newest hash of it that was looked at
  state::Tick told_alone{};             // the newest frame that was too long to go with others
  std::optional<protocol::DesyncLevel> asked{};  // of the question that is out
  bool has_parted = false;  // its simulation is another than ours, and it was told
};

/// The server's part of lockstep: says what is done in each tick, and finds out where a peer's
/// simulation parts from the server's own. Knows peers by what it is given, and sends nothing.
class LockstepHost {
 public:
  /// A peer further behind than this begins anew.
  static constexpr std::size_t kept_frames = 600;

  /// After each step.
  void note(const state::TickCommands& commands, const sim::Simulation& after);
  /// Another scene was loaded: nothing goes on.
  void clear();

  /// For a peer that cannot be sent what it lacks: it is not held any more, or no message is long
  /// enough.
  bool is_out_of_reach(const LockstepPeer& peer) const;

  struct Told {
    state::Tick input_ack;
    std::int16_t input_margin_ticks = 0;
    std::int64_t server_send_us = 0;
  };
  /// Messages of the State channel with all that the peer does not have; few at a time for one that
  /// is far behind.
  std::vector<std::vector<std::byte>> frames_for(const LockstepPeer& peer, const Told& told);
  /// A frame that is too long for such a message, to be sent reliably; nothing where there is none.
  const state::TickCommands* next_long_frame(LockstepPeer& peer) const;

  /// What a peer says of itself; a question for it where its simulation is not ours.
  std::optional<protocol::DesyncQuestion> take(LockstepPeer& peer,
                                               const protocol::FrameReport& report) const;
  /// Nothing where it was not asked.
  std::optional<std::variant<protocol::DesyncQuestion, protocol::DesyncReport>> take(
      LockstepPeer& peer, const protocol::DesyncAnswer& answer);

 private:
  /// How a frame can be sent.
  enum class Length { Short, Long, TooLong };
  struct Frame {
    state::TickCommands commands;
    Length length = Length::Short;
  };
  static Length length_of(const state::TickCommands& frame);
  const Frame* frame(state::Tick tick) const;

  std::deque<Frame> frames_;  // ticks ascending by 1
  lockstep::StateMemory memory_{protocol::desync_window_ticks * 2};
};

}  // namespace jostle::server
