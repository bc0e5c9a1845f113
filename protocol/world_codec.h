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

/// A piece of a world that is named by its content.
struct Blob {
  std::uint64_t content_hash = 0;  // base::hash_bytes of `bytes`
  std::vector<std::byte> bytes;
};

/// A shape on its own: a few numbers, with hulls and meshes much more.
Blob encode_shape(const state::Shape& shape);
base::Result<state::Shape, DecodeError> decode_shape(std::span<const std::byte> bytes);

/// A world whose shapes are named by content hash.
struct EncodedWorld {
  Blob world;
  std::vector<Blob> shapes;  // each once, in order of first use
};
EncodedWorld encode_world(const state::WorldDef& world);

/// The content hashes of the shapes that a world blob needs.
base::Result<std::vector<std::uint64_t>, DecodeError> shapes_needed(
    std::span<const std::byte> world_blob);

/// `shape` gives a decoded shape by its content hash, or nullptr: then the result is Malformed.
using ShapeLookup = std::function<const state::Shape*(std::uint64_t content_hash)>;
base::Result<state::WorldDef, DecodeError> decode_world(std::span<const std::byte> world_blob,
                                                        const ShapeLookup& shape);

}  // namespace jostle::protocol
