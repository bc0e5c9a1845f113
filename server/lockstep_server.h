#pragma once

#include "protocol/lockstep_messages.h"
#include "shared/desync_search/state_buffer.h"
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

/// State of one lockstep client on the server.
struct LockstepPeer {
  state::Tick begins_after{};  // the tick of the simulation state that it was sent
  bool is_sent = false;        // true if that state was sent
  // the client has received all frames up to this one; null: it has reported none yet
  std::optional<state::Tick> newest{};
  state::Tick compared{};           // the newest tick whose hash was compared
  state::Tick newest_long_frame{};  // the newest frame that was sent alone because it is too long
  std::optional<protocol::DesyncLevel> asked{};  // level of the pending desync question
  bool has_desynced = false;                     // a desync was found and reported to the client
};

/// Server side of lockstep: supplies the commands of each tick, and searches for the point where a
/// client's simulation differs from the server's. It sends nothing itself; the caller owns the
/// peers.
class LockstepServer {
 public:
  /// Number of frames kept. A peer that is further behind must restart from a new simulation state.
  static constexpr std::size_t kept_frames = 600;

  /// Stores the commands and the resulting state of a tick. Call it after each step.
  void note(const state::TickCommands& commands, const sim::Simulation& after);
  /// Drops all frames and states, after another scene was loaded.
  void clear();

  /// Returns true if the peer cannot catch up, because a frame it lacks is no longer kept or too
  /// long for any message.
  bool is_unrecoverable(const LockstepPeer& peer) const;

  struct FrameMetadata {
    state::Tick input_ack;
    std::int16_t input_margin_ticks = 0;
    std::int64_t server_send_us = 0;
  };
  /// Returns messages for the State channel with all frames that the peer lacks. Limited to a few
  /// messages per call for a peer that is far behind.
  std::vector<std::vector<std::byte>> frames_for(const LockstepPeer& peer,
                                                 const FrameMetadata& sent);
  /// Returns the next frame that is too long for these messages and must be sent reliably, and
  /// marks it as sent; null if there is none.
  const state::TickCommands* next_long_frame(LockstepPeer& peer) const;

  /// Processes a frame report. Returns a question for the peer if its hash differs from the
  /// server's; null if it does not or cannot be compared.
  std::optional<protocol::DesyncQuestion> take(LockstepPeer& peer,
                                               const protocol::FrameReport& report) const;
  /// Processes an answer to a question. Returns the next question or the final report; null if no
  /// such question was pending.
  std::optional<std::variant<protocol::DesyncQuestion, protocol::DesyncReport>> take(
      LockstepPeer& peer, const protocol::DesyncAnswer& answer);

 private:
  /// Kind of message that a frame fits: with others, alone, or none.
  enum class Length { Short, Long, TooLong };
  struct Frame {
    state::TickCommands commands;
    Length length = Length::Short;
  };
  static Length length_of(const state::TickCommands& frame);
  const Frame* frame(state::Tick tick) const;

  std::deque<Frame> frames_;  // consecutive ticks, ascending
  desync_search::StateBuffer memory_{protocol::desync_window_ticks * 2};
};

}  // namespace jostle::server
