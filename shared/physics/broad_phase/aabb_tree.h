#pragma once

#include "shared/math/aabb.h"
#include "shared/physics/detail/records.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

/// A binary tree of boxes that stays balanced while leaves come and go. Its shape depends on the
/// order of calls, so no result may: callers sort or take minima of what they find.
///
/// A leaf goes where it enlarges the summed surface least, and ancestors are rotated like those of
/// an AVL tree (Catto, "Dynamic Bounding Volume Hierarchies", GDC 2019).
class AabbTree {
 public:
  /// Returns the leaf's name until `remove`.
  std::uint32_t insert(const math::Aabb& box, std::uint32_t value);
  void remove(std::uint32_t leaf);
  void clear();

  /// Calls `visit(value)` for each leaf whose box overlaps `box`, in no particular order.
  template <typename Visit>
  void query(const math::Aabb& box, Visit&& visit) const {
    query_if([&](const math::Aabb& node) { return overlaps(node, box); }, visit);
  }

  /// Calls `visit(value)` for each leaf for which `test(box)` holds, and held for all its
  /// ancestors.
  template <typename Test, typename Visit>
  void query_if(Test&& test, Visit&& visit) const {
    if (root_ == no_index) return;
    std::uint32_t stack[max_depth];
    int size = 0;
    stack[size++] = root_;
    while (size > 0) {
      const Node& node = nodes_[stack[--size]];
      if (!test(node.box)) continue;
      if (node.height == 0) {
        visit(node.left);
      } else {
        stack[size++] = node.left;
        stack[size++] = node.right;
      }
    }
  }

 private:
  /// An AVL tree of 2³² leaves is at most 46 high; a stack holds one more per level.
  static constexpr int max_depth = 64;

  struct Node {
    math::Aabb box;
    std::uint32_t parent = no_index;
    std::uint32_t left = no_index;   // of a leaf: its value
    std::uint32_t right = no_index;  // of a free node: the next one
    std::int32_t height = 0;
  };

  std::uint32_t allocate();
  std::uint32_t best_sibling(const math::Aabb& box) const;
  void refit_from(std::uint32_t node);
  void refit(std::uint32_t node);
  std::uint32_t rotate_if_lopsided(std::uint32_t node);
  std::uint32_t rotate_up(std::uint32_t node, bool is_right);
  void replace_child(std::uint32_t parent, std::uint32_t child, std::uint32_t with);

  std::vector<Node> nodes_;
  std::uint32_t root_ = no_index;
  std::uint32_t free_ = no_index;
};

}  // namespace jostle::physics
