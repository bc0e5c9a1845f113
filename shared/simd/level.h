#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace jostle::simd {

/// The instruction sets that kernels are compiled for. All give the same bits: eight lanes, the
/// same operations in the same order, no fused or approximate ones. They differ in speed only.
enum class Level : std::uint8_t {
  Plain,  // one lane after another, on any machine
  Sse2,   // two registers of four lanes; every x86-64
  Avx2,   // one register of eight lanes
  Neon,   // two registers of four lanes; every aarch64
};
inline constexpr Level all_levels[] = {Level::Plain, Level::Sse2, Level::Avx2, Level::Neon};

/// Returns true if this program was built with the level and this processor supports it.
bool is_supported(Level level);
/// Returns the fastest supported level.
Level best_level();
/// Returns the level's name on the command line: plain, sse2, avx2 or neon.
std::string_view name_of(Level level);
/// Returns the level with that name, or nothing if there is none. This machine may not support it.
std::optional<Level> level_named(std::string_view name);

}  // namespace jostle::simd
