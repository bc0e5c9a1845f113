#include "shared/compression/compression.h"

#include "shared/base/assert.h"

#include <zstd.h>

#include <memory>

namespace jostle::compression {

std::vector<std::byte> compress(std::span<const std::byte> bytes) {
  std::vector<std::byte> out(ZSTD_compressBound(bytes.size()));
  const std::size_t size =
      ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), ZSTD_CLEVEL_DEFAULT);
  JOSTLE_ASSERT(ZSTD_isError(size) == 0U);
  out.resize(size);
  return out;
}

std::optional<std::vector<std::byte>> decompress(std::span<const std::byte> bytes,
                                                 std::size_t raw_bytes) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          &ZSTD_freeDStream);
  if (!stream) return std::nullopt;
  std::vector<std::byte> out;
  std::vector<std::byte> chunk(ZSTD_DStreamOutSize());
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  for (;;) {
    ZSTD_outBuffer output{chunk.data(), chunk.size(), 0};
    const std::size_t left = ZSTD_decompressStream(stream.get(), &output, &input);
    if (ZSTD_isError(left) != 0U) return std::nullopt;
    if (out.size() + output.pos > raw_bytes) return std::nullopt;
    out.insert(out.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(output.pos));
    if (left == 0) break;
    const bool is_stuck = input.pos == input.size && output.pos < output.size;
    if (is_stuck) return std::nullopt;
  }
  if (out.size() != raw_bytes || input.pos != input.size) return std::nullopt;
  return out;
}

}  // namespace jostle::compression
