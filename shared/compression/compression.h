#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace jostle::compression {

/// Returns the bytes as one zstd frame, compressed at zstd's default level. Use it for files and
/// for data that a server sends once.
std::vector<std::byte> compress(std::span<const std::byte> bytes);

/// Decompresses one zstd frame. Returns nothing if the bytes are not one frame of exactly
/// `raw_bytes`. Memory grows with the actual output, not with the size that the header claims.
std::optional<std::vector<std::byte>> decompress(std::span<const std::byte> bytes,
                                                 std::size_t raw_bytes);

/// Compresses `bytes` with `known` as the reference prefix (zstd's patch mode), at level 1. The
/// result is small if most of `bytes` occurs in `known`, in any order. Use it for data that is kept
/// in memory.
std::vector<std::byte> compress_with_prefix(std::span<const std::byte> bytes,
                                            std::span<const std::byte> known);

/// Reverses compress_with_prefix() with the same `known`. Returns nothing on an error, or if the
/// result does not have `raw_bytes` bytes.
std::optional<std::vector<std::byte>> decompress_with_prefix(std::span<const std::byte> packed,
                                                             std::span<const std::byte> known,
                                                             std::size_t raw_bytes);

}  // namespace jostle::compression
