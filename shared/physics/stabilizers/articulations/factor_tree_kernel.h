#pragma once

#include "shared/physics/stabilizers/articulations/tree_lanes.h"

namespace jostle::physics::kernels {

/// Share of a row's response without other joints that is its softness Σ. Because of this softness,
/// joints that contradict each other have a solution.
inline constexpr double trace_of_softness = 1e-9;

/// Computes four rows of J of one body from the directions (TreeEdge::directions) in these lanes
/// and the arm from the centre of mass to the point of action.
template <typename D>
JOSTLE_SIMD_INLINE void fill_rows(const D (&direction)[6], const double (&arm)[3], double sign,
                                  FourRows& rows) {
  const D x = D::splat(arm[0]), y = D::splat(arm[1]), z = D::splat(arm[2]), s = D::splat(sign);
  for (std::size_t i = 0; i < 3; ++i)
    (direction[i] * s).store(rows.of[i]);
  ((y * direction[2] - z * direction[1] + direction[3]) * s).store(rows.of[3]);
  ((z * direction[0] - x * direction[2] + direction[4]) * s).store(rows.of[4]);
  ((x * direction[1] - y * direction[0] + direction[5]) * s).store(rows.of[5]);
}

/// Returns J·M⁻¹·Jᵀ of each of four rows.
template <typename D>
JOSTLE_SIMD_INLINE D own_response(const OwnMass& mass, const FourRows& rows) {
  const auto& m = mass.inverse_mass;
  const auto& i = mass.inverse_inertia;
  const D v0 = D::load(rows.of[0]), v1 = D::load(rows.of[1]), v2 = D::load(rows.of[2]);
  const D w0 = D::load(rows.of[3]), w1 = D::load(rows.of[4]), w2 = D::load(rows.of[5]);
  const D linear = D::splat(m[0]) * v0 * v0 + D::splat(m[1]) * v1 * v1 + D::splat(m[2]) * v2 * v2;
  const D x = D::splat(i[0]) * w0 + D::splat(i[1]) * w1 + D::splat(i[2]) * w2;
  const D y = D::splat(i[1]) * w0 + D::splat(i[3]) * w1 + D::splat(i[4]) * w2;
  const D z = D::splat(i[2]) * w0 + D::splat(i[4]) * w1 + D::splat(i[5]) * w2;
  return linear + x * w0 + y * w1 + z * w2;
}

/// Computes J and Σ of the first `count` rows of an edge.
template <typename D, std::size_t count>
JOSTLE_SIMD_INLINE void measure_edge(const TreeView& view, TreeEdge& edge) {
  for (std::size_t part = 0; part < parts_of<count>; ++part) {
    const std::size_t first = part * doubles_lanes;
    D direction[6];
    for (std::size_t i = 0; i < 6; ++i)
      direction[i] = D::load_floats(edge.directions[i] + first);
    fill_rows(direction, edge.parent_arm, -edge.sign, edge.of_parent[part]);
    fill_rows(direction, edge.child_arm, edge.sign, edge.of_child[part]);
    D response = own_response<D>(view.masses[edge.parent], edge.of_parent[part]);
    if (edge.child != 0)
      response = response + own_response<D>(view.masses[edge.child], edge.of_child[part]);
    (response * D::splat(trace_of_softness)).store(edge.softness + first);
  }
}

/// Computes Λ·Jᵀ by row in `products`, and adds J·Λ·Jᵀ to the columns `m`.
template <typename D, std::size_t count>
JOSTLE_SIMD_INLINE void add_response(const TreeResponse& response, const FourRows (&jacobian)[2],
                                     double (&products)[6][8], double (&m)[count][8]) {
  for (std::size_t k = 0; k < count; ++k) {
    const FourRows& rows = jacobian[k / doubles_lanes];
    const std::size_t lane = k % doubles_lanes;
    Twist<D> sum = Twist<D>::load(response.columns[0]) * rows.of[0][lane];
    for (std::size_t i = 1; i < 6; ++i)
      sum = sum + Twist<D>::load(response.columns[i]) * rows.of[i][lane];
    sum.store(products[k]);
  }
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t part = 0; part < parts_of<count>; ++part) {
      double* column = m[k] + part * doubles_lanes;
      (D::load(column) + product<D>(jacobian[part], products[k])).store(column);
    }
  }
}

/// Computes the inverse L⁻¹ of the Cholesky factor of m = L·Lᵀ. For rows without any response, such
/// as those along locked axes, the diagonal element is zero, so that they get no impulse.
template <std::size_t count>
JOSTLE_SIMD_INLINE void invert_root(const double (&m)[count][8], double (&inverse)[count][count]) {
  constexpr double rounding = 1e-14;
  double root[count][count];
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      double sum = m[k][i];
      for (std::size_t j = 0; j < k; ++j)
        sum -= root[i][j] * root[k][j];
      if (i != k)
        root[i][k] = sum * inverse[k][k];
      else
        inverse[i][i] = sum > rounding * m[i][i] ? 1.0 / __builtin_sqrt(sum) : 0.0;
    }
    for (std::size_t k = 0; k < i; ++k) {
      double sum = 0;
      for (std::size_t j = k; j < i; ++j)
        sum -= root[i][j] * inverse[j][k];
      inverse[i][k] = sum * inverse[i][i];
    }
  }
}

/// Stores S⁻¹ = L⁻ᵀ·L⁻¹ in the edge, with zeros in unused lanes.
template <typename D, std::size_t count>
JOSTLE_SIMD_INLINE void store_inverse(const double (&inverse_root)[count][count], TreeEdge& edge) {
  auto& inverse = edge.child_inverse;
  for (std::size_t part = 0; part < parts_of<count>; ++part) {
    for (std::size_t k = 0; k < count; ++k)
      D::splat(0).store(inverse[part][k]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      double sum = inverse_root[i][i] * inverse_root[i][k];
      for (std::size_t j = i + 1; j < count; ++j)
        sum += inverse_root[j][i] * inverse_root[j][k];
      inverse[i / doubles_lanes][k][i % doubles_lanes] = sum;
      inverse[k / doubles_lanes][i][k % doubles_lanes] = sum;
    }
  }
}

/// Computes Λ·Jᵀ·T⁻¹ of the parent, and subtracts Λ·Jᵀ·T⁻¹·J·Λ = Y·Yᵀ from its response, with Y =
/// Λ·Jᵀ·L⁻ᵀ. `inverse_root` is L⁻¹ for T = L·Lᵀ, and `products` is Λ·Jᵀ by row.
template <typename D, std::size_t count>
JOSTLE_SIMD_INLINE void reduce_response(const double (&inverse_root)[count][count],
                                        const double (&products)[6][8], TreeEdge& edge,
                                        TreeResponse& response) {
  alignas(32) double y[count][8];
  for (std::size_t k = 0; k < count; ++k) {
    Twist<D> sum = Twist<D>::load(products[0]) * inverse_root[k][0];
    for (std::size_t j = 1; j <= k; ++j)
      sum = sum + Twist<D>::load(products[j]) * inverse_root[k][j];
    sum.store(y[k]);
  }
  for (std::size_t k = 0; k < count; ++k) {
    Twist<D> sum = Twist<D>::load(y[k]) * inverse_root[k][k];
    for (std::size_t j = k + 1; j < count; ++j)
      sum = sum + Twist<D>::load(y[j]) * inverse_root[j][k];
    sum.store(edge.parent_gain[k]);
  }
  for (std::size_t i = 0; i < 6; ++i) {
    Twist<D> column = Twist<D>::load(response.columns[i]);
    for (std::size_t k = 0; k < count; ++k)
      column = column - Twist<D>::load(y[k]) * y[k][lane_of(i)];
    column.store(response.columns[i]);
  }
}

/// Eliminates an edge: factors its matrices S and T, and updates the response of its parent.
template <typename D, std::size_t count>
JOSTLE_SIMD_INLINE void factor_edge(const TreeView& view, TreeEdge& edge) {
  alignas(32) double m[count][8] = {};
  alignas(32) double products[6][8];
  double inverse_root[count][count];
  for (std::size_t k = 0; k < count; ++k)
    m[k][k] = edge.softness[k];
  if (edge.child != 0)
    add_response<D>(view.responses[edge.child], edge.of_child, edge.child_response, m);
  invert_root(m, inverse_root);
  store_inverse<D>(inverse_root, edge);
  TreeResponse& response = view.responses[edge.parent];
  add_response<D>(response, edge.of_parent, products, m);
  invert_root(m, inverse_root);
  reduce_response<D>(inverse_root, products, edge, response);
}

struct FactorEdge {
  template <typename D, std::size_t count>
  JOSTLE_SIMD_INLINE static void run(const TreeView& view, TreeEdge& edge) {
    measure_edge<D, count>(view, edge);
    factor_edge<D, count>(view, edge);
  }
};

/// Sets the response of a body to M⁻¹.
template <typename D>
JOSTLE_SIMD_INLINE void begin_response(const OwnMass& mass, TreeResponse& response) {
  const auto& m = mass.inverse_mass;
  const auto& i = mass.inverse_inertia;
  auto& to = response.columns;
  for (std::size_t k = 0; k < 6; ++k)
    Twist<D>{D::splat(0), D::splat(0)}.store(to[k]);
  for (std::size_t k = 0; k < 3; ++k)
    to[k][k] = m[k];
  to[3][4] = i[0];
  to[3][5] = to[4][4] = i[1];
  to[3][6] = to[5][4] = i[2];
  to[4][5] = i[3];
  to[4][6] = to[5][5] = i[4];
  to[5][6] = i[5];
}

/// TreeKernelTable::factor.
template <typename D>
void factor_tree(const TreeView& view, const JointTree& tree) {
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i)
    begin_response<D>(view.masses[view.bodies[i]], view.responses[view.bodies[i]]);
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i)
    with_rows<D, FactorEdge>(view, view.edges[i]);
}

/// Computes F of the child of an edge from F of its parent
/// (stabilizers/geometric_stiffness/taut_trees.h).
template <typename D, std::size_t count>
JOSTLE_SIMD_INLINE void respond_to_parent(const TreeView& view, const TreeEdge& edge) {
  alignas(32) double of_parent[count][8] = {}, impulses[count][8], half[count][8];
  alignas(32) double products[6][8];
  const auto& inverse = edge.child_inverse;
  add_response<D>(view.full_responses[edge.parent], edge.of_parent, products, of_parent);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t part = 0; part < parts_of<count>; ++part) {
      D sum = D::load(inverse[part][0]) * D::splat(of_parent[k][0]);
      for (std::size_t j = 1; j < count; ++j)
        sum = sum + D::load(inverse[part][j]) * D::splat(of_parent[k][j]);
      sum.store(half[k] + part * doubles_lanes);
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t part = 0; part < parts_of<count>; ++part) {
      D sum = D::load(inverse[part][k]);
      for (std::size_t j = 0; j < count; ++j) {
        const double factor = inverse[j / doubles_lanes][k][j % doubles_lanes];
        sum = sum - D::load(half[j] + part * doubles_lanes) * D::splat(factor);
      }
      sum.store(impulses[k] + part * doubles_lanes);
    }
  }
  TreeResponse& response = view.full_responses[edge.child];
  for (std::size_t k = 0; k < count; ++k) {
    Twist<D> sum = Twist<D>::load(edge.child_response[0]) * impulses[k][0];
    for (std::size_t j = 1; j < count; ++j)
      sum = sum + Twist<D>::load(edge.child_response[j]) * impulses[k][j];
    for (std::size_t i = 0; i < 6; ++i) {
      const Twist<D> column = Twist<D>::load(response.columns[i]);
      (column - sum * edge.child_response[k][lane_of(i)]).store(response.columns[i]);
    }
  }
}

struct RespondToParent {
  template <typename D, std::size_t count>
  JOSTLE_SIMD_INLINE static void run(const TreeView& view, TreeEdge& edge) {
    if (edge.child != 0) respond_to_parent<D, count>(view, edge);
  }
};

/// TreeKernelTable::respond.
template <typename D>
void respond_as_tree(const TreeView& view, const JointTree& tree) {
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i)
    view.full_responses[view.bodies[i]] = view.responses[view.bodies[i]];
  for (std::uint32_t i = tree.last_edge; i > tree.first_edge; --i)
    with_rows<D, RespondToParent>(view, view.edges[i - 1]);
}

}  // namespace jostle::physics::kernels
