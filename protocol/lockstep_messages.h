#pragma once

#include "shared/state/command.h"
#include "shared/state/ids.h"
#include "shared/state/tick.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace jostle::protocol {

// Plain data of the lockstep messages. In lockstep, the server sends the commands of each tick, and
// every peer applies them to its own simulation. docs/WIRE_FORMAT.md says which side sends each
// message and when.

// --- Channel::State, unsequenced -----------------------------------------------------------------

/// Server → peer: commands of consecutive ticks. Every tick, the server repeats the frames that the
/// peer has not acknowledged, so the loss of a message does not matter. Frames that do not fit in a
/// message are sent once, as state::TickCommands on the Control channel.
struct InputFrames {
  std::vector<state::TickCommands> frames;  // at least one frame; their ticks are consecutive
  state::Tick input_ack;  // tick of the newest input received, as in SnapshotHeader
  std::int16_t input_margin_ticks = 0;
  std::int64_t server_send_us = 0;
  bool operator==(const InputFrames&) const = default;
};
inline constexpr std::size_t max_frames_per_message = 64;

/// Peer → server, in every input packet of a lockstep peer: the peer's progress.
struct FrameReport {
  state::Tick newest;      // all frames up to this tick were received
  state::Tick hashed;      // newest simulated tick that is a multiple of hash_interval_ticks
  std::uint64_t hash = 0;  // combined over the states of the last hash_interval_ticks ticks
  bool operator==(const FrameReport&) const = default;
};
inline constexpr std::uint32_t hash_interval_ticks = 16;

// --- Channel::Control, reliable and ordered ------------------------------------------------------

/// Peer → server: requests lockstep, with the hash of its engine. The server sends a Simulation
/// blob, then frames.
struct LockstepRequest {
  std::uint64_t engine_hash = 0;
  bool operator==(const LockstepRequest&) const = default;
};

/// Level of the desync search: first the tick is searched, then the body.
enum class DesyncLevel : std::uint8_t { Ticks = 0, Bodies = 1 };
inline constexpr std::uint8_t desync_level_count = 2;
/// Number of bodies per block of the desync search. Blocks divide the bodies in the order of ids.
inline constexpr std::size_t desync_block_bodies = 64;
/// Number of past ticks whose states both sides keep, so that a mismatch in them can be
/// investigated.
inline constexpr std::uint32_t desync_window_ticks = 64;

/// Server → peer. Level Ticks: the lower 32 bits of the server's state hashes of consecutive ticks,
/// `tick` last. Level Bodies: the lower 32 bits of its hashes of the bodies in block `block`, after
/// tick `tick`.
struct DesyncQuestion {
  DesyncLevel level = DesyncLevel::Ticks;
  state::Tick tick;
  std::uint32_t block = 0;
  std::vector<std::uint32_t> hashes;  // at most desync_window_ticks hashes
  bool operator==(const DesyncQuestion&) const = default;
};

/// Peer → server. The answer to level Ticks contains the first tick that differs, the hashes of the
/// parts of its state, then a hash of each block. `tick` is 0 if no tick differs or its state is no
/// longer stored. The answer to level Bodies contains the first body of the block that differs and
/// all numbers of its state. `body` is null if none differs.
struct DesyncAnswer {
  DesyncLevel level = DesyncLevel::Ticks;
  state::Tick tick;
  std::uint32_t block = 0;
  state::BodyId body;
  std::vector<std::uint32_t> hashes;   // at most max_desync_hashes entries
  std::vector<std::uint64_t> numbers;  // at most max_desync_numbers entries, in listing order
  bool operator==(const DesyncAnswer&) const = default;
};
inline constexpr std::size_t max_desync_hashes = 200, max_desync_numbers = 100;

/// Server → peer: describes where the simulations first differ, for display.
struct DesyncReport {
  state::Tick tick;
  state::BodyId body;  // null if the difference is not in a body
  std::string text;    // text for display, at most max_text_bytes
  bool operator==(const DesyncReport&) const = default;
};

using LockstepMessage = std::variant<LockstepRequest, DesyncQuestion, DesyncAnswer, DesyncReport>;

}  // namespace jostle::protocol
