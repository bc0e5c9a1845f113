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

// Plain data of the messages of lockstep: the server says what is done in each tick, and every peer
// does it in a simulation of its own. docs/WIRE_FORMAT.md says who sends which when.

// --- Channel::State, unsequenced -----------------------------------------------------------------

/// Server → peer: what is done in some ticks, one after the other. All that the peer has not said
/// to have is sent again each time, so that none of them matters.
struct InputFrames {
  std::vector<state::TickCommands> frames;  // at least one, ticks ascending by 1
  state::Tick input_ack;                    // as SnapshotHeader
  std::int16_t input_margin_ticks = 0;
  std::int64_t server_send_us = 0;
  bool operator==(const InputFrames&) const = default;
};
inline constexpr std::size_t max_frames_per_message = 64;

/// Peer → server, in every input packet: how far it has come.
struct FrameReport {
  state::Tick newest;      // all frames up to this one have arrived
  state::Tick hashed;      // the newest tick that was made and is a multiple of hash_interval_ticks
  std::uint64_t hash = 0;  // of the states after it and the ticks before, so many together
  bool operator==(const FrameReport&) const = default;
};
inline constexpr std::uint32_t hash_interval_ticks = 16;

// --- Channel::Control, reliable and ordered ------------------------------------------------------

/// Peer → server: wants to play in lockstep, with an engine of this hash. A Simulation blob
/// follows, then frames.
struct LockstepRequest {
  std::uint64_t engine_hash = 0;
  bool operator==(const LockstepRequest&) const = default;
};

/// How far down the search has come: in which of the ticks, in which body.
enum class DesyncLevel : std::uint8_t { Ticks = 0, Bodies = 1 };
inline constexpr std::uint8_t desync_level_count = 2;
/// Bodies of a block, by id.
inline constexpr std::size_t desync_block_bodies = 64;
/// Ticks of which a mismatch can be looked into: states are kept for so long.
inline constexpr std::uint32_t desync_window_ticks = 64;

/// Server → peer. Ticks: the lower halves of its hashes of the ticks up to `tick`. Bodies: those of
/// the bodies of a block, after `tick`.
struct DesyncQuestion {
  DesyncLevel level = DesyncLevel::Ticks;
  state::Tick tick;
  std::uint32_t block = 0;
  std::vector<std::uint32_t> hashes;  // at most desync_window_ticks
  bool operator==(const DesyncQuestion&) const = default;
};

/// Peer → server. To Ticks: the first tick that differs, the parts of its hash, then a hash of each
/// block. To Bodies: the first body of the block that differs, and all its numbers. `tick` 0:
/// nothing differs, or it is too long ago.
struct DesyncAnswer {
  DesyncLevel level = DesyncLevel::Ticks;
  state::Tick tick;
  std::uint32_t block = 0;
  state::BodyId body;
  std::vector<std::uint32_t> hashes;   // at most max_desync_hashes
  std::vector<std::uint64_t> numbers;  // at most max_desync_numbers, in the order of a listing
  bool operator==(const DesyncAnswer&) const = default;
};
inline constexpr std::size_t max_desync_hashes = 200, max_desync_numbers = 100;

/// Server → peer: where they have parted, for people.
struct DesyncReport {
  state::Tick tick;
  state::BodyId body;  // null: in no body
  std::string words;   // at most max_words_bytes
  bool operator==(const DesyncReport&) const = default;
};

using LockstepMessage = std::variant<LockstepRequest, DesyncQuestion, DesyncAnswer, DesyncReport>;

}  // namespace jostle::protocol
