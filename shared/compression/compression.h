#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace jostle::compression {

/// zstd at its default level, for files and for what a server sends once.
std::vector<std::byte> compress(std::span<const std::byte> bytes);

/// Nothing when the bytes are not one zstd frame of exactly `raw_bytes`. Memory grows with what
/// really comes out, not with what a header claims.
std::optional<std::vector<std::byte>> decompress(std::span<const std::byte> bytes,
                                                 std::size_t raw_bytes);

/// What `bytes` have beside `known`, by zstd at its fastest level: little where most of them stand
/// there too, in whatever order. For what is held in memory.
std::vector<std::byte> compress_difference(std::span<const std::byte> bytes,
                                           std::span<const std::byte> known);

/// As decompress(), beside the same `known`.
std::optional<std::vector<std::byte>> decompress_difference(std::span<const std::byte> packed,
                                                            std::span<const std::byte> known,
                                                            std::size_t raw_bytes);

}  // namespace jostle::compression
