#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace jostle::simd {

/// The instruction sets that kernels are written for. All give the same bits: eight lanes, the same
/// operations in the same order, no fused or approximate ones. They differ in speed only.
enum class Level : std::uint8_t {
  Plain,  // one lane after the other, on any machine
  Sse2,   // two registers of four; every x86-64
  Avx2,   // one register of eight
  Neon,   // two registers of four; every aarch64
};
inline constexpr Level all_levels[] = {Level::Plain, Level::Sse2, Level::Avx2, Level::Neon};

/// Whether this program was built with the level and this processor runs it.
bool is_supported(Level level);
/// The fastest supported level.
Level best_level();
/// As on the command line: plain, sse2, avx2, neon.
std::string_view name_of(Level level);
/// Nothing where no level has that name; this machine may not support it.
std::optional<Level> level_named(std::string_view name);

}  // namespace jostle::simd
