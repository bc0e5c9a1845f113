#include "shared/physics/broad_phase/aabb_tree.h"

#include "shared/base/assert.h"
#include "shared/physics/broad_phase/shape_bounds.h"
#include "shared/physics/detail/memory.h"

namespace jostle::physics {

using math::Vec3;

AabbTree::Box AabbTree::outward(const math::Aabb& box) {
  return {{rounded_down(box.lower.x), rounded_down(box.lower.y), rounded_down(box.lower.z)},
          {rounded_up(box.upper.x), rounded_up(box.upper.y), rounded_up(box.upper.z)}};
}

float AabbTree::half_surface(const Box& box) {
  const Vec3 size = box.upper - box.lower;
  return size.x * size.y + size.y * size.z + size.z * size.x;
}

std::uint32_t AabbTree::allocate() {
  if (free_ == no_index) {
    make_room_for_one(nodes_);
    make_room_for_one(links_);
    nodes_.emplace_back();
    links_.emplace_back();
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  const std::uint32_t node = free_;
  free_ = links_[node].parent;
  nodes_[node] = Node{};
  links_[node] = Link{};
  return node;
}

void AabbTree::release(std::uint32_t node) {
  links_[node] = {free_, -1};
  free_ = node;
}

void AabbTree::clear() {
  nodes_.clear();
  links_.clear();
  root_ = no_index;
  free_ = no_index;
}

std::uint32_t AabbTree::best_sibling(const Box& box, std::uint32_t node) const {
  while (!is_leaf(node)) {
    const float own = half_surface(nodes_[node].box);
    const float joined = half_surface(united(nodes_[node].box, box));
    const float cost_here = 2.0f * joined;
    const float inherited = 2.0f * (joined - own);
    const auto cost_below = [&](std::uint32_t child) {
      const float grown = half_surface(united(nodes_[child].box, box));
      const float before = is_leaf(child) ? 0.0f : half_surface(nodes_[child].box);
      return grown - before + inherited;
    };
    const float left = cost_below(nodes_[node].left), right = cost_below(nodes_[node].right);
    if (cost_here < left && cost_here < right) break;
    node = left < right ? nodes_[node].left : nodes_[node].right;
  }
  return node;
}

std::uint32_t AabbTree::insert(const math::Aabb& box, std::uint32_t value) {
  const std::uint32_t leaf = allocate();
  nodes_[leaf].box = outward(box);
  nodes_[leaf].left = value;
  if (root_ == no_index) {
    root_ = leaf;
    return leaf;
  }
  join(leaf, allocate(), best_sibling(nodes_[leaf].box, root_));
  return leaf;
}

void AabbTree::remove(std::uint32_t leaf) {
  JOSTLE_ASSERT(leaf < nodes_.size() && links_[leaf].height == 0);
  const std::uint32_t parent = links_[leaf].parent;
  if (parent == no_index) {
    root_ = no_index;
  } else {
    part(leaf);
    release(parent);
  }
  release(leaf);
}

void AabbTree::move(std::uint32_t leaf, const math::Aabb& box) {
  JOSTLE_ASSERT(leaf < nodes_.size() && links_[leaf].height == 0);
  const std::uint32_t parent = links_[leaf].parent;
  nodes_[leaf].box = outward(box);
  if (parent == no_index) return;
  std::uint32_t below = part(leaf);
  // Starts the search at the lowest former ancestor whose box contains the new box, or at the root.
  // The boxes above this node then do not grow.
  while (below != root_ && !contains(nodes_[below].box, nodes_[leaf].box))
    below = links_[below].parent;
  join(leaf, parent, best_sibling(nodes_[leaf].box, below));
}

/// Inserts `leaf` as the sibling of `sibling`. The unused node `parent` becomes the parent of both.
void AabbTree::join(std::uint32_t leaf, std::uint32_t parent, std::uint32_t sibling) {
  const std::uint32_t old_parent = links_[sibling].parent;
  links_[parent] = {old_parent, 0};
  nodes_[parent] = {united(nodes_[sibling].box, nodes_[leaf].box), sibling, leaf};
  replace_child(old_parent, sibling, parent);
  links_[sibling].parent = parent;
  links_[leaf].parent = parent;
  refit_from(parent);
}

/// Removes a leaf and its parent from the tree. Returns the node that takes the parent's place.
std::uint32_t AabbTree::part(std::uint32_t leaf) {
  const std::uint32_t parent = links_[leaf].parent;
  const std::uint32_t sibling =
      nodes_[parent].left == leaf ? nodes_[parent].right : nodes_[parent].left;
  const std::uint32_t grandparent = links_[parent].parent;
  replace_child(grandparent, parent, sibling);
  links_[sibling].parent = grandparent;
  refit_from(grandparent);
  return sibling;
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

bool AabbTree::refit(std::uint32_t node) {
  Node& n = nodes_[node];
  const Box box = united(nodes_[n.left].box, nodes_[n.right].box);
  const std::int32_t left = links_[n.left].height, right = links_[n.right].height;
  const std::int32_t height = 1 + (left > right ? left : right);
  const bool is_changed =
      box.lower != n.box.lower || box.upper != n.box.upper || height != links_[node].height;
  n.box = box;
  links_[node].height = height;
  return is_changed;
}

void AabbTree::refit_from(std::uint32_t node) {
  bool is_changed = true;
  while (node != no_index && is_changed) {
    const std::uint32_t top = rotate_if_lopsided(node);
    is_changed = refit(top) || top != node;
    node = links_[top].parent;
  }
}

/// Rotates the node if its children differ in height by more than one. Returns the node that takes
/// its place.
std::uint32_t AabbTree::rotate_if_lopsided(std::uint32_t node) {
  const Node& n = nodes_[node];
  const std::int32_t balance = links_[n.right].height - links_[n.left].height;
  if (balance > 1) return rotate_up(node, true);
  if (balance < -1) return rotate_up(node, false);
  return node;
}

/// Moves C, the taller child of `node` (the right one if `is_right`), into the place of `node`.
/// `node` becomes a child of C and takes over the less tall of C's children. Returns C.
std::uint32_t AabbTree::rotate_up(std::uint32_t node, bool is_right) {
  const std::uint32_t child = is_right ? nodes_[node].right : nodes_[node].left;
  const std::uint32_t f = nodes_[child].left, g = nodes_[child].right;
  const bool is_f_taller = links_[f].height > links_[g].height;
  const std::uint32_t tall = is_f_taller ? f : g, low = is_f_taller ? g : f;

  const std::uint32_t parent = links_[node].parent;
  replace_child(parent, node, child);
  links_[child].parent = parent;
  nodes_[child].left = node;
  nodes_[child].right = tall;
  links_[node].parent = child;
  (is_right ? nodes_[node].right : nodes_[node].left) = low;
  links_[low].parent = node;
  refit(node);
  return child;
}

}  // namespace jostle::physics
