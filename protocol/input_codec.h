#pragma once

#include "protocol/decode_error.h"
#include "protocol/messages.h"
#include "shared/base/result.h"

#include <cstddef>
#include <span>
#include <vector>

namespace jostle::protocol {

/// Encodes an input packet (client → server, State channel). Drops the oldest inputs if needed to
/// stay within max_inputs_per_packet and max_client_message_bytes. Movement is sent as exact
/// floats, so that client and server simulate with the same numbers.
std::vector<std::byte> encode_input(const InputPacket& packet);

/// Decodes an input packet. In the result every float is finite, the move vector is at most
/// max_move_length long, ticks ascend, and counts are within limits.
base::Result<InputPacket, DecodeError> decode_input(std::span<const std::byte> bytes);

/// Codec of the commands of one tick, for recordings and the Control channel. Inputs have the same
/// layout as in an input packet.
std::vector<std::byte> encode_commands(const state::TickCommands& commands);
/// Returns true if the file identifier of `bytes` is that of encode_commands().
bool is_commands(std::span<const std::byte> bytes);
base::Result<state::TickCommands, DecodeError> decode_commands(std::span<const std::byte> bytes);

}  // namespace jostle::protocol
