#include "shared/geometry/detail/triangle_tree.h"

#include <algorithm>
#include <limits>
#include <span>

namespace jostle::geometry::detail {

using math::Vec3;

namespace {

constexpr std::size_t max_leaf_triangles = 4;

struct Box {
  Vec3 lower, upper;
};

struct Item {
  Box box;
  Vec3 centre;  // twice
  std::uint32_t triangle = 0;
};

Box box_around(std::span<const Item> items) {
  Box box = items[0].box;
  for (const Item& item : items)
    box = {min_of(box.lower, item.box.lower), max_of(box.upper, item.box.upper)};
  return box;
}

/// Halves a list at the median along the axis in which the centres spread most.
std::size_t halve(std::span<Item> items) {
  Vec3 lower = items[0].centre, upper = lower;
  for (const Item& item : items) {
    lower = min_of(lower, item.centre);
    upper = max_of(upper, item.centre);
  }
  const Vec3 spread = upper - lower;
  const int axis = spread.x >= spread.y && spread.x >= spread.z ? 0 : spread.y >= spread.z ? 1 : 2;
  // In whole leaves, so that as few as possible are left half empty.
  const std::size_t leaves = (items.size() + max_leaf_triangles - 1) / max_leaf_triangles;
  const std::size_t middle = leaves < 2 ? items.size() : (leaves + 1) / 2 * max_leaf_triangles;
  if (middle >= items.size()) return items.size();
  std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(middle), items.end(),
                   [axis](const Item& a, const Item& b) {
                     return a.centre[axis] != b.centre[axis] ? a.centre[axis] < b.centre[axis]
                                                             : a.triangle < b.triangle;
                   });
  return middle;
}

void set_lane(TreeNode& node, std::size_t lane, const Box& box) {
  node.lower[0][lane] = box.lower.x;
  node.lower[1][lane] = box.lower.y;
  node.lower[2][lane] = box.lower.z;
  node.upper[0][lane] = box.upper.x;
  node.upper[1][lane] = box.upper.y;
  node.upper[2][lane] = box.upper.z;
}

class TreeBuilder {
 public:
  TreeBuilder(std::vector<Item>& items, TriangleTree& tree) : items_(items), tree_(tree) {}

  std::uint32_t add_node(std::size_t first, std::size_t count) {
    const auto index = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.nodes.emplace_back();
    const std::span<Item> all = std::span(items_).subspan(first, count);
    const std::size_t middle = halve(all);
    const std::size_t left = halve(all.first(middle));
    const std::size_t right = middle < count ? halve(all.subspan(middle)) : 0;
    const std::array<std::size_t, tree_width + 1> cuts{0, left, middle, middle + right, count};

    TreeNode node;
    constexpr float infinite = std::numeric_limits<float>::infinity();
    for (std::size_t lane = 0; lane < tree_width; ++lane) {
      const std::size_t size = cuts[lane + 1] - cuts[lane];
      if (size == 0) {  // a box that nothing overlaps
        set_lane(node, lane, {{infinite, infinite, infinite}, {-infinite, -infinite, -infinite}});
        continue;
      }
      set_lane(node, lane, box_around(all.subspan(cuts[lane], size)));
      const std::size_t start = first + cuts[lane];
      if (size <= max_leaf_triangles) {
        node.child[lane] = static_cast<std::uint32_t>(start);
        node.count[lane] = static_cast<std::uint32_t>(size);
      } else {
        node.child[lane] = add_node(start, size);
      }
    }
    tree_.nodes[index] = node;
    return index;
  }

 private:
  std::vector<Item>& items_;
  TriangleTree& tree_;
};

}  // namespace

TriangleTree build_tree(const state::TriangleMesh& mesh) {
  std::vector<Item> items;
  items.reserve(mesh.triangles.size());
  for (const auto& corners : mesh.triangles) {
    const Vec3 a = mesh.vertices[corners[0]], b = mesh.vertices[corners[1]];
    const Vec3 c = mesh.vertices[corners[2]];
    const Box box{min_of(min_of(a, b), c), max_of(max_of(a, b), c)};
    items.push_back({box, box.lower + box.upper, static_cast<std::uint32_t>(items.size())});
  }
  TriangleTree tree;
  TreeBuilder(items, tree).add_node(0, items.size());
  tree.order.reserve(items.size());
  for (const Item& item : items)
    tree.order.push_back(item.triangle);
  return tree;
}

}  // namespace jostle::geometry::detail
