#pragma once

#include "shared/math/aabb.h"
#include "shared/physics/detail/records.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

/// A dynamic bounding volume hierarchy (binary AABB tree) that stays balanced while leaves are
/// inserted and removed. Its structure, and so the order of visits, depends on the order of calls.
/// To keep results independent of that order, callers sort what they find or take minima.
///
/// A new leaf becomes the sibling of the node that a greedy descent finds to increase the total
/// surface area least. Ancestors are rotated like those of an AVL tree (Catto, "Dynamic Bounding
/// Volume Hierarchies", GDC 2019).
class AabbTree {
 public:
  /// Inserts a leaf. Returns its id, which is valid until `remove`.
  std::uint32_t insert(const math::Aabb& box, std::uint32_t value);
  void remove(std::uint32_t leaf);
  /// Changes the box of a leaf.
  void move(std::uint32_t leaf, const math::Aabb& box);
  void clear();

  /// Calls `visit(value)` for each leaf whose box overlaps `box`, in no particular order.
  template <typename Visit>
  void query(const math::Aabb& box, Visit&& visit) const {
    const Box around = outward(box);
    walk([&](const Node& node) { return overlaps(node.box, around); }, visit);
  }

  /// Calls `visit(value)` for each leaf for which `test(box)` holds, provided that it holds for all
  /// ancestors of the leaf, too.
  template <typename Test, typename Visit>
  void query_if(Test&& test, Visit&& visit) const {
    walk([&](const Node& node) { return test(widened(node.box)); }, visit);
  }

 private:
  /// Size of the search stack, which needs one entry per level plus one. An AVL tree of 2³² leaves
  /// has at most 46 levels.
  static constexpr int max_depth = 64;

  /// A box in floats, half the size of one in doubles. It is rounded outward, so that no overlap is
  /// missed.
  struct Box {
    math::Vec3 lower, upper;
  };
  /// The data that a search reads. Two nodes fit in a cache line.
  struct alignas(32) Node {
    Box box;
    std::uint32_t left = no_index;   // left child; for a leaf: its value
    std::uint32_t right = no_index;  // right child; for a leaf: `no_index`
  };
  struct Link {
    std::uint32_t parent = no_index;  // parent; for a free node: the next free one
    std::int32_t height = 0;
  };

  static Box outward(const math::Aabb& box);
  static math::Aabb widened(const Box& box) {
    const auto place = [](math::Vec3 v) {
      return math::Position{static_cast<double>(v.x), static_cast<double>(v.y),
                            static_cast<double>(v.z)};
    };
    return {place(box.lower), place(box.upper)};
  }
  static bool overlaps(const Box& a, const Box& b) {
    // Uses no branches, because the result of each comparison is hard to predict.
    const int x = int{a.lower.x <= b.upper.x} & int{b.lower.x <= a.upper.x};
    const int y = int{a.lower.y <= b.upper.y} & int{b.lower.y <= a.upper.y};
    const int z = int{a.lower.z <= b.upper.z} & int{b.lower.z <= a.upper.z};
    return (x & y & z) != 0;
  }
  static bool contains(const Box& a, const Box& b) {
    return a.lower.x <= b.lower.x && a.lower.y <= b.lower.y && a.lower.z <= b.lower.z &&
           b.upper.x <= a.upper.x && b.upper.y <= a.upper.y && b.upper.z <= a.upper.z;
  }
  static Box united(const Box& a, const Box& b) {
    return {min_of(a.lower, b.lower), max_of(a.upper, b.upper)};
  }
  static float half_surface(const Box& box);

  template <typename Test, typename Visit>
  void walk(Test&& test, Visit&& visit) const {
    if (root_ == no_index || !test(nodes_[root_])) return;
    std::uint32_t stack[max_depth];
    int size = 0;
    stack[size++] = root_;
    while (size > 0) {
      const Node& node = nodes_[stack[--size]];
      if (node.right == no_index) {
        visit(node.left);
        continue;
      }
      stack[size] = node.left;
      size += int{test(nodes_[node.left])};
      stack[size] = node.right;
      size += int{test(nodes_[node.right])};
    }
  }

  std::uint32_t allocate();
  void release(std::uint32_t node);
  bool is_leaf(std::uint32_t node) const { return nodes_[node].right == no_index; }
  std::uint32_t best_sibling(const Box& box, std::uint32_t node) const;
  void join(std::uint32_t leaf, std::uint32_t parent, std::uint32_t sibling);
  std::uint32_t part(std::uint32_t leaf);
  void refit_from(std::uint32_t node);
  bool refit(std::uint32_t node);
  std::uint32_t rotate_if_lopsided(std::uint32_t node);
  std::uint32_t rotate_up(std::uint32_t node, bool is_right);
  void replace_child(std::uint32_t parent, std::uint32_t child, std::uint32_t with);

  std::vector<Node> nodes_;
  std::vector<Link> links_;  // indexed by node
  std::uint32_t root_ = no_index;
  std::uint32_t free_ = no_index;
};

}  // namespace jostle::physics
