#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace jostle::server {

/// Phases of a tick, for profiling.
enum class Phase : std::uint8_t {
  Receive,   // received datagrams, messages and acknowledgements
  Simulate,  // commands, the simulation step and its recording
  Encode,    // composing messages for clients
  Send,      // packing messages into encrypted datagrams and sending them
  Other,     // idle, waiting for the next tick
  Journal,   // waiting for the disk with strict durability; no part of the statistics for clients
};
inline constexpr std::size_t phase_count = 6;
inline constexpr std::array<std::string_view, phase_count> phase_names{
    "receive", "simulate", "encode", "send", "other", "journal"};
/// Function that is called at the start of each phase.
using PhaseHook = std::function<void(Phase)>;

}  // namespace jostle::server
