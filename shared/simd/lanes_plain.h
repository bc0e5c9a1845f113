#pragma once

#include "shared/simd/inline.h"

#include <cstdint>

namespace jostle::simd::plain {

// These are the functions that every form of the lanes offers. The other forms use the same names
// in other namespaces, and kernels are templates over `Floats`. All operations act lane by lane.
// Minimum, maximum and square root give the same bits in all forms, even for signed zeros and NaN.

/// The result of a comparison in each lane.
struct Mask {
  bool lane[8];
};

/// Eight floats.
struct Floats {
  float lane[8];

  JOSTLE_SIMD_INLINE static Floats splat(float x) { return {{x, x, x, x, x, x, x, x}}; }
  /// Loads eight floats from memory aligned to 32 bytes. `store` needs the same alignment.
  JOSTLE_SIMD_INLINE static Floats load(const float* from) { return load_unaligned(from); }
  JOSTLE_SIMD_INLINE static Floats load_unaligned(const float* from) {
    Floats out;
    for (int i = 0; i < 8; ++i)
      out.lane[i] = from[i];
    return out;
  }
  JOSTLE_SIMD_INLINE void store(float* to) const {
    for (int i = 0; i < 8; ++i)
      to[i] = lane[i];
  }
};

template <typename Operation>
JOSTLE_SIMD_INLINE Floats each(Floats a, Floats b, Operation operation) {
  Floats out;
  for (int i = 0; i < 8; ++i)
    out.lane[i] = operation(a.lane[i], b.lane[i]);
  return out;
}
template <typename Operation>
JOSTLE_SIMD_INLINE Mask compare(Floats a, Floats b, Operation operation) {
  Mask out;
  for (int i = 0; i < 8; ++i)
    out.lane[i] = operation(a.lane[i], b.lane[i]);
  return out;
}

JOSTLE_SIMD_INLINE Floats operator+(Floats a, Floats b) {
  return each(a, b, [](float x, float y) { return x + y; });
}
JOSTLE_SIMD_INLINE Floats operator-(Floats a, Floats b) {
  return each(a, b, [](float x, float y) { return x - y; });
}
JOSTLE_SIMD_INLINE Floats operator*(Floats a, Floats b) {
  return each(a, b, [](float x, float y) { return x * y; });
}
JOSTLE_SIMD_INLINE Floats operator/(Floats a, Floats b) {
  return each(a, b, [](float x, float y) { return x / y; });
}
/// Flips the sign bit.
JOSTLE_SIMD_INLINE Floats operator-(Floats a) {
  return each(a, a, [](float x, float) { return -x; });
}
/// Returns a < b ? a : b in each lane.
JOSTLE_SIMD_INLINE Floats min_of(Floats a, Floats b) {
  return each(a, b, [](float x, float y) { return x < y ? x : y; });
}
/// Returns a > b ? a : b in each lane.
JOSTLE_SIMD_INLINE Floats max_of(Floats a, Floats b) {
  return each(a, b, [](float x, float y) { return x > y ? x : y; });
}
/// Returns the correctly rounded square root.
JOSTLE_SIMD_INLINE Floats sqrt_of(Floats a) {
  return each(a, a, [](float x, float) { return __builtin_sqrtf(x); });
}
JOSTLE_SIMD_INLINE Mask operator<(Floats a, Floats b) {
  return compare(a, b, [](float x, float y) { return x < y; });
}
JOSTLE_SIMD_INLINE Mask operator<=(Floats a, Floats b) {
  return compare(a, b, [](float x, float y) { return x <= y; });
}
JOSTLE_SIMD_INLINE Mask operator==(Floats a, Floats b) {
  return compare(a, b, [](float x, float y) { return x == y; });
}
JOSTLE_SIMD_INLINE Mask operator&(Mask a, Mask b) {
  for (int i = 0; i < 8; ++i)
    a.lane[i] = a.lane[i] && b.lane[i];
  return a;
}
JOSTLE_SIMD_INLINE Mask operator|(Mask a, Mask b) {
  for (int i = 0; i < 8; ++i)
    a.lane[i] = a.lane[i] || b.lane[i];
  return a;
}
/// Returns `a` in the lanes where the mask is true, else `b`.
JOSTLE_SIMD_INLINE Floats select(Mask mask, Floats a, Floats b) {
  for (int i = 0; i < 8; ++i)
    if (mask.lane[i]) b.lane[i] = a.lane[i];
  return b;
}
/// Returns a bit mask in which bit i is lane i.
JOSTLE_SIMD_INLINE std::uint32_t bits_of(Mask mask) {
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < 8; ++i)
    bits |= mask.lane[i] ? 1U << i : 0U;
  return bits;
}
/// Swaps rows[i].lane[k] with rows[k].lane[i]. Eight records of eight floats become eight lanes of
/// each float, and back.
JOSTLE_SIMD_INLINE void transpose(Floats (&rows)[8]) {
  for (int i = 0; i < 8; ++i) {
    for (int k = i + 1; k < 8; ++k) {
      const float kept = rows[i].lane[k];
      rows[i].lane[k] = rows[k].lane[i];
      rows[k].lane[i] = kept;
    }
  }
}

/// Four doubles.
struct Doubles {
  double lane[4];

  JOSTLE_SIMD_INLINE static Doubles splat(double x) { return {{x, x, x, x}}; }
  /// Loads four doubles from memory aligned to 32 bytes. `store` needs the same alignment.
  JOSTLE_SIMD_INLINE static Doubles load(const double* from) {
    return {{from[0], from[1], from[2], from[3]}};
  }
  /// Converts four floats from memory aligned to 16 bytes. `store_floats` rounds to nearest.
  JOSTLE_SIMD_INLINE static Doubles load_floats(const float* from) {
    return {{from[0], from[1], from[2], from[3]}};
  }
  JOSTLE_SIMD_INLINE void store(double* to) const {
    for (int i = 0; i < 4; ++i)
      to[i] = lane[i];
  }
  JOSTLE_SIMD_INLINE void store_floats(float* to) const {
    for (int i = 0; i < 4; ++i)
      to[i] = static_cast<float>(lane[i]);
  }
};

template <typename Operation>
JOSTLE_SIMD_INLINE Doubles each(Doubles a, Doubles b, Operation operation) {
  Doubles out;
  for (int i = 0; i < 4; ++i)
    out.lane[i] = operation(a.lane[i], b.lane[i]);
  return out;
}
JOSTLE_SIMD_INLINE Doubles operator+(Doubles a, Doubles b) {
  return each(a, b, [](double x, double y) { return x + y; });
}
JOSTLE_SIMD_INLINE Doubles operator-(Doubles a, Doubles b) {
  return each(a, b, [](double x, double y) { return x - y; });
}
JOSTLE_SIMD_INLINE Doubles operator*(Doubles a, Doubles b) {
  return each(a, b, [](double x, double y) { return x * y; });
}
/// Returns a > b ? a : b in each lane.
JOSTLE_SIMD_INLINE Doubles max_of(Doubles a, Doubles b) {
  return each(a, b, [](double x, double y) { return x > y ? x : y; });
}

}  // namespace jostle::simd::plain
