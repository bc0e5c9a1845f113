#include "shared/physics/broad_phase/aabb_tree.h"

#include "shared/base/assert.h"

namespace jostle::physics {

using math::Aabb;

namespace {

double half_surface(const Aabb& box) {
  const double x = box.upper.x - box.lower.x, y = box.upper.y - box.lower.y,
               z = box.upper.z - box.lower.z;
  return x * y + y * z + z * x;
}

}  // namespace

std::uint32_t AabbTree::allocate() {
  if (free_ == no_index) {
    nodes_.emplace_back();
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  const std::uint32_t node = free_;
  free_ = nodes_[node].right;
  nodes_[node] = Node{};
  return node;
}

void AabbTree::clear() {
  nodes_.clear();
  root_ = no_index;
  free_ = no_index;
}

std::uint32_t AabbTree::best_sibling(const Aabb& box) const {
  std::uint32_t node = root_;
  while (nodes_[node].height > 0) {
    const double own = half_surface(nodes_[node].box);
    const double joined = half_surface(united(nodes_[node].box, box));
    const double cost_here = 2.0 * joined;
    const double inherited = 2.0 * (joined - own);
    const auto cost_below = [&](std::uint32_t child) {
      const double grown = half_surface(united(nodes_[child].box, box));
      const double before = nodes_[child].height == 0 ? 0.0 : half_surface(nodes_[child].box);
      return grown - before + inherited;
    };
    const double left = cost_below(nodes_[node].left), right = cost_below(nodes_[node].right);
    if (cost_here < left && cost_here < right) break;
    node = left < right ? nodes_[node].left : nodes_[node].right;
  }
  return node;
}

std::uint32_t AabbTree::insert(const Aabb& box, std::uint32_t value) {
  const std::uint32_t leaf = allocate();
  nodes_[leaf].box = box;
  nodes_[leaf].left = value;
  if (root_ == no_index) {
    root_ = leaf;
    return leaf;
  }
  const std::uint32_t sibling = best_sibling(box);
  const std::uint32_t old_parent = nodes_[sibling].parent;
  const std::uint32_t parent = allocate();
  nodes_[parent].parent = old_parent;
  nodes_[parent].left = sibling;
  nodes_[parent].right = leaf;
  replace_child(old_parent, sibling, parent);
  nodes_[sibling].parent = parent;
  nodes_[leaf].parent = parent;
  refit_from(parent);
  return leaf;
}

void AabbTree::remove(std::uint32_t leaf) {
  JOSTLE_ASSERT(leaf < nodes_.size() && nodes_[leaf].height == 0);
  const std::uint32_t parent = nodes_[leaf].parent;
  nodes_[leaf].right = free_;
  nodes_[leaf].height = -1;
  free_ = leaf;
  if (parent == no_index) {
    root_ = no_index;
    return;
  }
  const std::uint32_t sibling =
      nodes_[parent].left == leaf ? nodes_[parent].right : nodes_[parent].left;
  const std::uint32_t grandparent = nodes_[parent].parent;
  replace_child(grandparent, parent, sibling);
  nodes_[sibling].parent = grandparent;
  nodes_[parent].right = free_;
  nodes_[parent].height = -1;
  free_ = parent;
  refit_from(grandparent);
}

void AabbTree::replace_child(std::uint32_t parent, std::uint32_t child, std::uint32_t with) {
  if (parent == no_index) {
    root_ = with;
  } else if (nodes_[parent].left == child) {
    nodes_[parent].left = with;
  } else {
    nodes_[parent].right = with;
  }
}

void AabbTree::refit(std::uint32_t node) {
  Node& n = nodes_[node];
  const Node &left = nodes_[n.left], &right = nodes_[n.right];
  n.box = united(left.box, right.box);
  n.height = 1 + (left.height > right.height ? left.height : right.height);
}

void AabbTree::refit_from(std::uint32_t node) {
  while (node != no_index) {
    node = rotate_if_lopsided(node);
    refit(node);
    node = nodes_[node].parent;
  }
}

/// Returns the node that now stands where `node` stood.
std::uint32_t AabbTree::rotate_if_lopsided(std::uint32_t node) {
  const Node& n = nodes_[node];
  const std::int32_t balance = nodes_[n.right].height - nodes_[n.left].height;
  if (balance > 1) return rotate_up(node, true);
  if (balance < -1) return rotate_up(node, false);
  return node;
}

/// The taller child takes the place of its parent, which keeps the lower of the child's children.
std::uint32_t AabbTree::rotate_up(std::uint32_t node, bool is_right) {
  const std::uint32_t child = is_right ? nodes_[node].right : nodes_[node].left;
  const std::uint32_t f = nodes_[child].left, g = nodes_[child].right;
  const bool is_f_taller = nodes_[f].height > nodes_[g].height;
  const std::uint32_t tall = is_f_taller ? f : g, low = is_f_taller ? g : f;

  const std::uint32_t parent = nodes_[node].parent;
  replace_child(parent, node, child);
  nodes_[child].parent = parent;
  nodes_[child].left = node;
  nodes_[child].right = tall;
  nodes_[node].parent = child;
  (is_right ? nodes_[node].right : nodes_[node].left) = low;
  nodes_[low].parent = node;
  refit(node);
  return child;
}

}  // namespace jostle::physics
