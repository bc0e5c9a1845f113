#include "shared/geometry/detail/triangle_tree.h"

#include <algorithm>
#include <limits>
#include <span>

namespace jostle::geometry::detail {

using math::Vec3;

namespace {

struct Box {
  Vec3 lower, upper;
};

Box around(const Box& a, const Box& b) {
  return {min_of(a.lower, b.lower), max_of(a.upper, b.upper)};
}

/// A triangle during the median split. The struct is small, because the split moves it often.
struct Item {
  Vec3 centre;  // 2 × the centre of the triangle's box
  std::uint32_t triangle = 0;
};

Box box_of(const state::TriangleMesh& mesh, std::uint32_t triangle) {
  const auto& corners = mesh.triangles[triangle];
  const Vec3 a = mesh.vertices[corners[0]], b = mesh.vertices[corners[1]];
  const Vec3 c = mesh.vertices[corners[2]];
  return {min_of(min_of(a, b), c), max_of(max_of(a, b), c)};
}

/// Returns the axis along which the centres spread most.
int widest_axis(std::span<const Item> items) {
  Vec3 lower = items[0].centre, upper = lower;
  for (const Item& item : items) {
    lower = min_of(lower, item.centre);
    upper = max_of(upper, item.centre);
  }
  const Vec3 spread = upper - lower;
  return spread.x >= spread.y && spread.x >= spread.z ? 0 : spread.y >= spread.z ? 1 : 2;
}

/// Splits the items near the median of their widest axis, at a whole leaf. Returns the size of the
/// first part. Ties are broken by index, so the parts are unique.
std::size_t halve(std::span<Item> items) {
  // Splits at whole leaves, so that as few leaves as possible are partly filled.
  const std::size_t leaves = (items.size() + max_leaf_triangles - 1) / max_leaf_triangles;
  const std::size_t middle = leaves < 2 ? items.size() : (leaves + 1) / 2 * max_leaf_triangles;
  if (middle >= items.size()) return items.size();
  const auto split = [&](auto component) {
    std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(middle),
                     items.end(), [component](const Item& a, const Item& b) {
                       const float x = component(a.centre), y = component(b.centre);
                       return x != y ? x < y : a.triangle < b.triangle;
                     });
  };
  const int axis = widest_axis(items);
  if (axis == 0) split([](Vec3 v) { return v.x; });
  if (axis == 1) split([](Vec3 v) { return v.y; });
  if (axis == 2) split([](Vec3 v) { return v.z; });
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
  TreeBuilder(const state::TriangleMesh& mesh, std::vector<Item>& items, TriangleTree& tree)
      : mesh_(mesh), items_(items), tree_(tree) {}

  /// Adds the node for a range of items with all of its descendants, and returns the bounding box
  /// of the items.
  Box add_node(std::size_t first, std::size_t count) {
    const std::size_t index = tree_.nodes.size();
    tree_.nodes.emplace_back();
    std::array<std::size_t, tree_width + 1> cuts{};
    cuts[tree_width] = count;
    for (std::size_t step = tree_width; step > 1; step /= 2) {
      for (std::size_t lane = 0; lane < tree_width; lane += step) {
        const std::size_t from = cuts[lane], size = cuts[lane + step] - from;
        const std::size_t half =
            size > 0 ? halve(std::span(items_).subspan(first + from, size)) : 0;
        cuts[lane + step / 2] = from + half;
      }
    }

    TreeNode node;
    constexpr float infinite = std::numeric_limits<float>::infinity();
    const Box nothing{{infinite, infinite, infinite}, {-infinite, -infinite, -infinite}};
    Box whole = nothing;
    for (std::size_t lane = 0; lane < tree_width; ++lane) {
      const std::size_t size = cuts[lane + 1] - cuts[lane], start = first + cuts[lane];
      Box box = nothing;
      if (size > max_leaf_triangles) {
        node.child[lane] = static_cast<std::uint32_t>(tree_.nodes.size());
        box = add_node(start, size);
      } else if (size > 0) {
        node.child[lane] = static_cast<std::uint32_t>(start);
        node.count[lane] = static_cast<std::uint32_t>(size);
        box = box_of_leaf(start, size);
      }
      set_lane(node, lane, box);
      whole = around(whole, box);
    }
    tree_.nodes[index] = node;
    return whole;
  }

 private:
  Box box_of_leaf(std::size_t first, std::size_t count) {
    const std::span<Item> leaf = std::span(items_).subspan(first, count);
    std::sort(leaf.begin(), leaf.end(),
              [](const Item& a, const Item& b) { return a.triangle < b.triangle; });
    Box box = box_of(mesh_, leaf[0].triangle);
    for (const Item& item : leaf)
      box = around(box, box_of(mesh_, item.triangle));
    return box;
  }

  const state::TriangleMesh& mesh_;
  std::vector<Item>& items_;
  TriangleTree& tree_;
};

}  // namespace

TriangleTree build_tree(const state::TriangleMesh& mesh) {
  std::vector<Item> items(mesh.triangles.size());
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    const Box box = box_of(mesh, i);
    items[i] = {box.lower + box.upper, i};
  }
  TriangleTree tree;
  tree.nodes.reserve(items.size() / (2 * max_leaf_triangles) + 1);
  TreeBuilder(mesh, items, tree).add_node(0, items.size());
  tree.order.reserve(items.size());
  for (const Item& item : items)
    tree.order.push_back(item.triangle);
  return tree;
}

}  // namespace jostle::geometry::detail
