#pragma once

#include "shared/math/vec3.h"
#include "shared/simd/baseline.h"
#include "shared/state/solid.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::geometry::detail {

inline constexpr std::size_t tree_width = 8;

/// A node with eight children. Their boxes are stored axis by axis, so that one SIMD comparison
/// tests all of them.
struct TreeNode {
  using Lanes = std::array<float, tree_width>;

  alignas(32) std::array<Lanes, 3> lower, upper;
  // a node, or the first triangle of a leaf; 0 (the root, never a child) in unused lanes
  std::array<std::uint32_t, tree_width> child{};
  std::array<std::uint32_t, tree_width> count{};  // number of triangles; 0 if the child is a node
};

/// A bounding-volume hierarchy over the triangles of a mesh, built once.
struct TriangleTree {
  std::vector<TreeNode> nodes;       // the first one is the root
  std::vector<std::uint32_t> order;  // triangle indices, leaf after leaf, ascending in each leaf
};

/// Maximum number of triangles in a leaf. Leaves start at multiples of this, and all but the last
/// are full.
inline constexpr std::size_t max_leaf_triangles = 8;

TriangleTree build_tree(const state::TriangleMesh& mesh);

/// A test for visit_leaves that accepts the children whose boxes overlap a given box, one bit each.
class OverlapTest {
 public:
  OverlapTest(math::Vec3 lower, math::Vec3 upper)
      : low_{Floats::splat(lower.x), Floats::splat(lower.y), Floats::splat(lower.z)},
        high_{Floats::splat(upper.x), Floats::splat(upper.y), Floats::splat(upper.z)} {}

  std::uint32_t operator()(const std::array<TreeNode::Lanes, 3>& lower,
                           const std::array<TreeNode::Lanes, 3>& upper) const {
    const auto along = [&](std::size_t axis) {
      return (Floats::load(lower[axis].data()) <= high_[axis]) &
             (low_[axis] <= Floats::load(upper[axis].data()));
    };
    return bits_of(along(0) & along(1) & along(2));
  }

 private:
  using Floats = simd::baseline::Floats;
  std::array<Floats, 3> low_, high_;
};

/// Calls visit(slot, count) for every leaf if the test accepts its box and the boxes of all its
/// ancestors. The leaf holds the triangles order[slot] to order[slot + count − 1]. test(lower,
/// upper) gets the boxes of eight children and returns one bit for each. announce(node) is called
/// some time before a node is tested, so that it can be prefetched.
template <typename Test, typename Visit, typename Announce>
void visit_leaves(const TriangleTree& tree, Test&& test, Visit&& visit, Announce&& announce) {
  // Splitting 2²¹ triangles in halves takes at most 21 levels, and a node covers three of them.
  // Each of these seven levels of nodes leaves at most seven nodes waiting.
  constexpr std::size_t max_waiting = 64;
  std::array<std::uint32_t, max_waiting> waiting;
  waiting[0] = 0;
  std::size_t waiting_count = 1;
  while (waiting_count > 0) {
    const TreeNode& node = tree.nodes[waiting[--waiting_count]];
    for (std::uint32_t hits = test(node.lower, node.upper); hits != 0; hits &= hits - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(hits));
      if (node.count[lane] == 0) {
        // an unused lane, which only an unbounded box overlaps
        if (node.child[lane] == 0) continue;
        waiting[waiting_count++] = node.child[lane];
        announce(tree.nodes[node.child[lane]]);
      } else {
        visit(node.child[lane], node.count[lane]);
      }
    }
  }
}

}  // namespace jostle::geometry::detail
