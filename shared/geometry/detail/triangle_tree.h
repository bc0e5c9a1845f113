#pragma once

#include "shared/state/solid.h"

#include <array>
#include <cstdint>
#include <vector>

namespace jostle::geometry::detail {

inline constexpr std::size_t tree_width = 8;

/// Eight children and their boxes, axis by axis, so that one comparison looks at all of them.
struct TreeNode {
  using Lanes = std::array<float, tree_width>;

  alignas(32) std::array<Lanes, 3> lower, upper;
  std::array<std::uint32_t, tree_width> child{};  // a node, or the first triangle of a leaf
  std::array<std::uint32_t, tree_width> count{};  // of triangles; 0: the child is a node
};

/// A bounding-volume hierarchy over the triangles of a mesh, built once.
struct TriangleTree {
  std::vector<TreeNode> nodes;       // the first one is the root
  std::vector<std::uint32_t> order;  // triangles, leaf after leaf, in each leaf rising
};

TriangleTree build_tree(const state::TriangleMesh& mesh);

/// Calls visit(slot) for the triangles, order[slot], of all leaves in whose box, and in those
/// above, `test` holds: test(lower, upper) gets the boxes of eight children and returns a bit for
/// each.
template <typename Test, typename Visit>
void visit_leaves(const TriangleTree& tree, Test&& test, Visit&& visit) {
  // Halving ends after 21 levels, three to a node, and each level leaves seven nodes waiting.
  constexpr std::size_t max_waiting = 64;
  std::array<std::uint32_t, max_waiting> waiting{};
  std::size_t waiting_count = 1;
  while (waiting_count > 0) {
    const TreeNode& node = tree.nodes[waiting[--waiting_count]];
    const std::uint32_t hits = test(node.lower, node.upper);
    for (std::uint32_t lane = 0; lane < tree_width; ++lane) {
      if ((hits >> lane & 1U) == 0) continue;
      if (node.count[lane] == 0) {
        waiting[waiting_count++] = node.child[lane];
        continue;
      }
      for (std::uint32_t i = 0; i < node.count[lane]; ++i)
        visit(node.child[lane] + i);
    }
  }
}

}  // namespace jostle::geometry::detail
