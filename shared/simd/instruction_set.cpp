#include "shared/simd/instruction_set.h"

namespace jostle::simd {

bool is_supported(InstructionSet level) {
  switch (level) {
#ifdef __x86_64__
    case InstructionSet::Plain:
    case InstructionSet::Sse2:
      return true;
    case InstructionSet::Avx2:
      return __builtin_cpu_supports("avx2") != 0;
#elif defined(__aarch64__)
    case InstructionSet::Plain:
    case InstructionSet::Neon:
      return true;
#else
    case InstructionSet::Plain:
      return true;
#endif
    default:
      return false;
  }
}

InstructionSet best_instruction_set() {
  for (const InstructionSet level :
       {InstructionSet::Avx2, InstructionSet::Neon, InstructionSet::Sse2}) {
    if (is_supported(level)) return level;
  }
  return InstructionSet::Plain;
}

std::string_view name_of(InstructionSet level) {
  switch (level) {
    case InstructionSet::Plain:
      return "plain";
    case InstructionSet::Sse2:
      return "sse2";
    case InstructionSet::Avx2:
      return "avx2";
    case InstructionSet::Neon:
      return "neon";
  }
  return "unknown";
}

std::optional<InstructionSet> parse_instruction_set(std::string_view name) {
  for (const InstructionSet level : all_instruction_sets) {
    if (name_of(level) == name) return level;
  }
  return std::nullopt;
}

}  // namespace jostle::simd
