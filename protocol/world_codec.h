#pragma once

#include "protocol/decode_error.h"
#include "shared/base/result.h"
#include "shared/state/world_def.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace jostle::protocol {

/// Bytes that are sent as a blob, and the hash that identifies them.
struct Blob {
  std::uint64_t content_hash = 0;  // base::hash_bytes of `bytes`
  std::vector<std::byte> bytes;
};

/// Encodes a single shape as a blob. Hulls, meshes and height fields take many more bytes than
/// other shapes, which are a few numbers.
Blob encode_shape(const state::Shape& shape);
base::Result<state::Shape, DecodeError> decode_shape(std::span<const std::byte> bytes);

/// A world definition that names its shapes by content hash.
struct EncodedWorld {
  Blob world;
  std::vector<Blob> shapes;  // distinct shapes, in order of first use
};
EncodedWorld encode_world(const state::WorldDef& world);

/// Returns the content hashes of the shapes that a world blob needs.
base::Result<std::vector<std::uint64_t>, DecodeError> shapes_needed(
    std::span<const std::byte> world_blob);

/// Function that returns the decoded shape with this content hash. If it returns null,
/// decode_world() returns Malformed.
using ShapeLookup = std::function<const state::Shape*(std::uint64_t content_hash)>;
base::Result<state::WorldDef, DecodeError> decode_world(std::span<const std::byte> world_blob,
                                                        const ShapeLookup& shape);

}  // namespace jostle::protocol
