#pragma once

#include "protocol/decode_error.h"
#include "protocol/messages.h"
#include "shared/base/result.h"

#include <cstddef>
#include <span>
#include <vector>

namespace jostle::protocol {

/// Codec of ControlMessage. The encoder asserts the limits that the decoder checks.
/// decode_control() returns TooLarge for a message longer than `max_bytes`. Pass the limit of the
/// sender: max_client_message_bytes or max_control_message_bytes.
std::vector<std::byte> encode_control(const ControlMessage& message);
base::Result<ControlMessage, DecodeError> decode_control(std::span<const std::byte> bytes,
                                                         std::size_t max_bytes);

/// Returns true if the encoded change fits in a Control message. Otherwise the caller must send a
/// WorldDef blob instead.
bool fits_control_message(const state::WorldChange& change);

/// Codec of messages on the Bulk channel.
std::vector<std::byte> encode_chunk(const BlobChunk& chunk);
base::Result<BlobChunk, DecodeError> decode_chunk(std::span<const std::byte> bytes);

/// Codec of messages on the Time channel.
std::vector<std::byte> encode_ping(const TimePing& ping);
base::Result<TimePing, DecodeError> decode_ping(std::span<const std::byte> bytes);
std::vector<std::byte> encode_pong(const TimePong& pong);
base::Result<TimePong, DecodeError> decode_pong(std::span<const std::byte> bytes);

}  // namespace jostle::protocol
