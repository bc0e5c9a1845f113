#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace jostle::simd {

/// The instruction sets that kernels are compiled for. All give the same bits: eight lanes, the
/// same operations in the same order, no fused or approximate ones. They differ in speed only.
enum class InstructionSet : std::uint8_t {
  Plain,  // one lane after another, on any machine
  Sse2,   // two registers of four lanes; every x86-64
  Avx2,   // one register of eight lanes
  Neon,   // two registers of four lanes; every aarch64
};
inline constexpr InstructionSet all_instruction_sets[] = {
    InstructionSet::Plain, InstructionSet::Sse2, InstructionSet::Avx2, InstructionSet::Neon};

/// Returns true if this program was built for the instruction set and this processor supports it.
bool is_supported(InstructionSet level);
/// Returns the fastest supported instruction set.
InstructionSet best_instruction_set();
/// Returns the instruction set's name on the command line: plain, sse2, avx2 or neon.
std::string_view name_of(InstructionSet level);
/// Returns the instruction set with that name, or nothing if there is none. This machine may not
/// support it.
std::optional<InstructionSet> parse_instruction_set(std::string_view name);

}  // namespace jostle::simd
