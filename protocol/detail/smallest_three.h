#pragma once

#include "shared/math/quat.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace jostle::protocol::detail {

/// Rounds half away from zero with plain arithmetic, independent of the current rounding mode.
inline std::int64_t round_away(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  const double rest = value - static_cast<double>(whole);
  return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole;
}

/// A rotation quaternion without its largest component. The other three are in order, each
/// 0..2^bits − 1 ("smallest three": Fiedler, "Snapshot Compression", 2015).
struct SmallestThree {
  std::uint8_t largest = 3;
  std::array<std::uint16_t, 3> smallest{};

  bool operator==(const SmallestThree&) const = default;
};

/// Smallest-three quantisation. A component c of a unit quaternion becomes n = round(c * scale),
/// stored as n + zero. All components except the largest are at most 1/sqrt(2), so |n| <= reach.
/// The sum of the squares of all four n is scale² = 2 * reach². A component of 0 has an exact code,
/// so that axis-aligned bodies are represented exactly.
template <int bits>
class SmallestThreeCoding {
 public:
  static SmallestThree pack(const math::Quat& rotation) {
    const Components c = components(rotation);
    std::size_t largest = 0;
    for (std::size_t i = 1; i < 4; ++i) {
      if (std::abs(c[i]) > std::abs(c[largest])) largest = i;
    }
    std::array<int, 4> steps = to_steps(c, largest);
    make_canonical(steps, largest);
    return from_steps(steps, largest);
  }

  /// Quantises the three components other than `largest`, even if `largest` is not the largest one.
  static SmallestThree pack_without(const math::Quat& rotation, std::size_t largest) {
    return from_steps(to_steps(components(rotation), largest), largest);
  }

  static math::Quat unpack(const SmallestThree& packed) {
    Components c{};
    double sum = 0;
    const std::size_t largest = packed.largest & 3U;
    for (std::size_t i = 0; i < 4; ++i) {
      if (i == largest) continue;
      c[i] = static_cast<double>(packed.smallest[slot(i, largest)]) - zero;
      sum += c[i] * c[i];
    }
    // Untrusted input may hold three components that are too long together; the fourth is then
    // zero.
    c[largest] = std::sqrt(std::max(scale_squared - sum, 0.0));
    const double length = std::sqrt(std::max<double>(scale_squared, sum));
    return {static_cast<float>(c[0] / length), static_cast<float>(c[1] / length),
            static_cast<float>(c[2] / length), static_cast<float>(c[3] / length)};
  }

 private:
  using Components = std::array<double, 4>;
  static constexpr int zero = 1 << (bits - 1);
  static constexpr int reach = zero - 1;
  static constexpr int scale_squared = 2 * reach * reach;

  /// Returns the components of `q`, or the identity if all are near 0.
  static Components components(const math::Quat& q) {
    const Components c{static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z),
                       static_cast<double>(q.w)};
    return squared_length(c) > 1e-12 ? c : Components{0, 0, 0, 1};
  }
  static double squared_length(const Components& c) {
    return c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + c[3] * c[3];
  }
  static std::array<int, 4> to_steps(const Components& c, std::size_t largest) {
    const double scale =
        std::sqrt(scale_squared / squared_length(c)) * (c[largest] < 0.0 ? -1.0 : 1.0);
    std::array<int, 4> steps{};
    for (std::size_t i = 0; i < 4; ++i) {
      if (i == largest) continue;
      steps[i] = std::clamp(static_cast<int>(round_away(c[i] * scale)), -reach, reach);
    }
    return steps;
  }
  static SmallestThree from_steps(const std::array<int, 4>& steps, std::size_t largest) {
    SmallestThree packed{static_cast<std::uint8_t>(largest), {}};
    for (std::size_t i = 0; i < 4; ++i) {
      if (i != largest)
        packed.smallest[slot(i, largest)] = static_cast<std::uint16_t>(steps[i] + zero);
    }
    return packed;
  }

  /// Returns the index of component `i` (of x, y, z, w) among the three that are not the largest.
  static std::size_t slot(std::size_t i, std::size_t largest) { return i < largest ? i : i - 1; }

  /// Makes the result canonical, so that pack(unpack(p)) == p. Rounding may lift a component above
  /// the dropped one, and decoding would then find another largest. Such components are moved
  /// towards zero until the dropped one is the largest again (on a tie, the one with the lowest
  /// index).
  static void make_canonical(std::array<int, 4>& steps, std::size_t largest) {
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      int rest = scale_squared;
      for (std::size_t i = 0; i < 4; ++i) {
        if (i != largest) rest -= steps[i] * steps[i];
      }
      for (std::size_t i = 0; i < 4 && !is_changed; ++i) {
        const int square = steps[i] * steps[i];
        if (i == largest || square < rest || (square == rest && i > largest)) continue;
        steps[i] += steps[i] > 0 ? -1 : 1;
        is_changed = true;
      }
    }
  }
};

}  // namespace jostle::protocol::detail
