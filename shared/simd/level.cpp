#include "shared/simd/level.h"

namespace jostle::simd {

bool is_supported(Level level) {
  switch (level) {
#ifdef __x86_64__
    case Level::Plain:
    case Level::Sse2:
      return true;
    case Level::Avx2:
      return __builtin_cpu_supports("avx2") != 0;
#elif defined(__aarch64__)
    case Level::Plain:
    case Level::Neon:
      return true;
#else
    case Level::Plain:
      return true;
#endif
    default:
      return false;
  }
}

Level best_level() {
  for (const Level level : {Level::Avx2, Level::Neon, Level::Sse2}) {
    if (is_supported(level)) return level;
  }
  return Level::Plain;
}

std::string_view name_of(Level level) {
  switch (level) {
    case Level::Plain:
      return "plain";
    case Level::Sse2:
      return "sse2";
    case Level::Avx2:
      return "avx2";
    case Level::Neon:
      return "neon";
  }
  return "unknown";
}

std::optional<Level> level_named(std::string_view name) {
  for (const Level level : all_levels) {
    if (name_of(level) == name) return level;
  }
  return std::nullopt;
}

}  // namespace jostle::simd
