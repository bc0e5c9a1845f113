#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace jostle::server {

/// What a server is busy with, for those who measure it; it reads no clock itself.
enum class Phase : std::uint8_t {
  Receive,   // what has arrived: datagrams, messages, acknowledgements
  Simulate,  // commands and the step of the world, with what is recorded of it
  Encode,    // who is told what, in messages
  Send,      // messages into datagrams, sealed, and onto the wire
  Other,     // waiting for all of that
};
inline constexpr std::size_t phase_count = 5;
inline constexpr std::array<std::string_view, phase_count> phase_names{"receive", "simulate",
                                                                       "encode", "send", "other"};
/// Called whenever another phase begins.
using PhaseHook = std::function<void(Phase)>;

}  // namespace jostle::server
