#pragma once

#include "protocol/decode_error.h"
#include "shared/base/result.h"
#include "shared/state/world_def.h"

#include <cstddef>
#include <span>
#include <vector>

namespace jostle::protocol::detail {

/// Codec of a world change as a separate message, identified by its file identifier. The decoder
/// accepts up to max_blob_bytes; callers enforce the limit of their channel.
std::vector<std::byte> encode_world_change(const state::WorldChange& change);
bool is_world_change(std::span<const std::byte> bytes);
base::Result<state::WorldChange, DecodeError> decode_world_change(std::span<const std::byte> bytes);

}  // namespace jostle::protocol::detail
