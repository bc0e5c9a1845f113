#include "shared/compression/compression.h"

#include "shared/base/assert.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <memory>

namespace jostle::compression {
namespace {

constexpr int min_window_log = 17, max_window_log = 30;
constexpr int min_hash_log = 14, max_hash_log = 24;  // 14: the table of level 1

/// Returns the binary logarithm of a window that spans this number of bytes, at least
/// min_window_log and at most max_window_log.
int window_log(std::size_t bytes) {
  const int log = static_cast<int>(std::bit_width(bytes));
  return std::clamp(log, min_window_log, max_window_log);
}

/// Returns the binary logarithm of the number of hash table entries that index a prefix of this
/// size: one per 2 to 4 bytes. With more than eight bytes per entry, zstd 1.5.7 does not index the
/// start of the prefix and finds no matches there; older versions overwrite entries.
int prefix_hash_log(std::size_t bytes) {
  return std::clamp(static_cast<int>(std::bit_width(bytes)) - 2, min_hash_log, max_hash_log);
}

}  // namespace

std::vector<std::byte> compress(std::span<const std::byte> bytes) {
  std::vector<std::byte> out(ZSTD_compressBound(bytes.size()));
  const std::size_t size =
      ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), ZSTD_CLEVEL_DEFAULT);
  JOSTLE_ASSERT(ZSTD_isError(size) == 0U);
  out.resize(size);
  return out;
}

std::vector<std::byte> compress_with_prefix(std::span<const std::byte> bytes,
                                            std::span<const std::byte> known) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     &ZSTD_freeCCtx);
  JOSTLE_ASSERT(context != nullptr);
  std::vector<std::byte> out(ZSTD_compressBound(bytes.size()));
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, 1);
  // The defaults of this level are too small to find matches at the start of `known`.
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, window_log(bytes.size() + known.size()));
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_hashLog, prefix_hash_log(known.size()));
  ZSTD_CCtx_refPrefix(context.get(), known.data(), known.size());
  const std::size_t size =
      ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  JOSTLE_ASSERT(ZSTD_isError(size) == 0U);
  out.resize(size);
  out.shrink_to_fit();
  return out;
}

std::optional<std::vector<std::byte>> decompress_with_prefix(std::span<const std::byte> packed,
                                                             std::span<const std::byte> known,
                                                             std::size_t raw_bytes) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                     &ZSTD_freeDCtx);
  if (!context) return std::nullopt;
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, max_window_log);
  ZSTD_DCtx_refPrefix(context.get(), known.data(), known.size());
  std::vector<std::byte> out(raw_bytes);
  const std::size_t size =
      ZSTD_decompressDCtx(context.get(), out.data(), out.size(), packed.data(), packed.size());
  if (ZSTD_isError(size) != 0U || size != raw_bytes) return std::nullopt;
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
