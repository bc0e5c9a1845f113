#pragma once

#include "shared/physics/stabilizers/articulations/tree_arrays.h"
#include "shared/simd/inline.h"

namespace jostle::physics::kernels {

// Parts of the kernels of joint trees (stabilizers/articulations/joint_trees.h, which defines the
// symbols). The rows of an edge, or the components of a velocity, are the lanes, so that a single
// tree uses SIMD instructions as well as many trees do. `F` and `D` are forms of `Floats` and
// `Doubles`.

inline constexpr std::size_t doubles_lanes = 4;

/// Number of vectors that hold `rows` rows.
template <std::size_t rows>
inline constexpr std::size_t parts_of = (rows + doubles_lanes - 1) / doubles_lanes;

/// Returns the lane of a component: the linear ones are in lanes 0 to 2, the angular ones in lanes
/// 4 to 6.
JOSTLE_SIMD_INLINE constexpr std::size_t lane_of(std::size_t component) {
  return component < 3 ? component : component + 1;
}

/// Returns the first solution plus `share` of the second one, which is ignored if `share` is 0.
JOSTLE_SIMD_INLINE double with_share(const double (&solutions)[2][8], std::size_t i, double share) {
  return share > 0 ? solutions[0][i] + share * solutions[1][i] : solutions[0][i];
}

/// A velocity or an impulse.
template <typename D>
struct Twist {
  D linear, angular;

  JOSTLE_SIMD_INLINE static Twist load(const double (&from)[8]) {
    return {D::load(from), D::load(from + doubles_lanes)};
  }
  JOSTLE_SIMD_INLINE static Twist load_floats(const float* from) {
    return {D::load_floats(from), D::load_floats(from + doubles_lanes)};
  }
  JOSTLE_SIMD_INLINE void store(double (&to)[8]) const {
    linear.store(to);
    angular.store(to + doubles_lanes);
  }
  JOSTLE_SIMD_INLINE void store_floats(float* to) const {
    linear.store_floats(to);
    angular.store_floats(to + doubles_lanes);
  }
};

template <typename D>
JOSTLE_SIMD_INLINE Twist<D> operator+(const Twist<D>& a, const Twist<D>& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}
template <typename D>
JOSTLE_SIMD_INLINE Twist<D> operator-(const Twist<D>& a, const Twist<D>& b) {
  return {a.linear - b.linear, a.angular - b.angular};
}
template <typename D>
JOSTLE_SIMD_INLINE Twist<D> operator*(const Twist<D>& a, double b) {
  return {a.linear * D::splat(b), a.angular * D::splat(b)};
}

/// Returns J·v for four rows of J. Products are added in pairs, which shortens the chain of
/// dependent additions.
template <typename D>
JOSTLE_SIMD_INLINE D product(const FourRows& rows, const double (&v)[8]) {
  const D linear = D::load(rows.of[0]) * D::splat(v[0]) + D::load(rows.of[1]) * D::splat(v[1]);
  const D mixed = D::load(rows.of[2]) * D::splat(v[2]) + D::load(rows.of[3]) * D::splat(v[4]);
  const D angular = D::load(rows.of[4]) * D::splat(v[5]) + D::load(rows.of[5]) * D::splat(v[6]);
  return (linear + mixed) + angular;
}

/// Calls `Action::run<D, count>` for an edge of `count` rows, so that the compiler can unroll loops
/// over rows. Does nothing for 0 rows.
template <typename D, typename Action, typename... Arguments>
JOSTLE_SIMD_INLINE void with_rows(const TreeView& view, TreeEdge& edge, Arguments&... arguments) {
  switch (edge.row_count) {
    case 1:
      Action::template run<D, 1>(view, edge, arguments...);
      break;
    case 2:
      Action::template run<D, 2>(view, edge, arguments...);
      break;
    case 3:
      Action::template run<D, 3>(view, edge, arguments...);
      break;
    case 4:
      Action::template run<D, 4>(view, edge, arguments...);
      break;
    case 5:
      Action::template run<D, 5>(view, edge, arguments...);
      break;
    case 6:
      Action::template run<D, 6>(view, edge, arguments...);
      break;
    default:
      break;
  }
}

}  // namespace jostle::physics::kernels
