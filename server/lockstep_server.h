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
#include <string>
#include <variant>
#include <vector>

namespace jostle::server {

/// State of one lockstep client on the server.
struct LockstepPeer {
  state::Tick begins_after{};  // tick of the simulation state that was sent to the client
  bool is_sent = false;        // true if the simulation state was sent
  // tick up to which the client has received all frames; null: it has reported none yet
  std::optional<state::Tick> newest{};
  state::Tick compared{};           // the newest tick whose hash was compared
  state::Tick newest_long_frame{};  // tick of the newest frame that was sent alone (Length::Long)
  std::optional<protocol::DesyncLevel> asked{};  // level of the pending desync question
  bool has_desynced = false;                     // a desync was found and reported to the client
};

/// Server side of lockstep. It supplies the commands of each tick, and searches for the point at
/// which a client's simulation differs from the server's. It sends nothing itself: the caller sends
/// the messages and owns the peers.
class LockstepServer {
 public:
  /// Number of frames stored. A peer that is further behind must restart from a new simulation
  /// state.
  static constexpr std::size_t kept_frames = 600;

  /// Stores the commands and the resulting state of a tick. Call it after each step.
  void note(const state::TickCommands& commands, const sim::Simulation& after);
  /// Drops all frames and states. Call it after another scene was loaded.
  void clear();

  /// Returns true if the peer cannot catch up: a frame that it has not received is no longer
  /// stored, or is too long for any message.
  bool is_unrecoverable(const LockstepPeer& peer) const;

  struct FrameMetadata {
    state::Tick input_ack;
    std::int16_t input_margin_ticks = 0;
    std::int64_t server_send_us = 0;
  };
  /// Returns messages for the State channel with the frames that the peer has not received, at most
  /// four messages per call. Leaves out frames that are too long (see next_long_frame()). Returns
  /// none before the peer's first report. `sent` is put into every message.
  std::vector<std::vector<std::byte>> frames_for(const LockstepPeer& peer,
                                                 const FrameMetadata& sent);
  /// Returns the next frame that is too long for frames_for() and must be sent reliably, and marks
  /// it as sent; null if there is none.
  const state::TickCommands* next_long_frame(LockstepPeer& peer) const;

  /// Processes a frame report. Returns the first question of a desync search if the report's hash
  /// differs from the server's hash of the same ticks. Returns null if the hashes are equal or
  /// cannot be compared, or if a search is pending or finished.
  std::optional<protocol::DesyncQuestion> take(LockstepPeer& peer,
                                               const protocol::FrameReport& report) const;
  /// Processes an answer to a question. Returns the next question or the final report, which
  /// contains the peer's `name`; null if the answer does not belong to a pending question.
  std::optional<std::variant<protocol::DesyncQuestion, protocol::DesyncReport>> take(
      LockstepPeer& peer, const protocol::DesyncAnswer& answer, const std::string& name);

 private:
  /// Kind of message that a frame needs: Short frames share a message, a Long frame is sent alone,
  /// and a TooLong frame fits none.
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
