#include "shared/physics/solver/joint_trees.h"

#include "shared/physics/joint_list.h"
#include "shared/physics/solver/cluster.h"

#include <algorithm>

namespace jostle::physics {
namespace {

bool can_move(const Cluster& cluster, std::uint32_t body) {
  return cluster.solver.bodies[body].is_dynamic;
}

/// Notes where trees begin, and which of their joints each body has, by slot.
bool link_joints(Cluster& cluster) {
  JointTrees& trees = cluster.joint_solver.trees;
  const std::vector<ColouredJoint>& joints = cluster.joint_solver.coloured;
  trees.roots.clear();
  trees.links.clear();
  const auto is_of_tree = [](const ColouredJoint& joint) { return joint.tree != no_index; };
  if (std::ranges::none_of(joints, is_of_tree)) return false;
  trees.first_link.assign(cluster.solver.bodies.size(), JointTrees::no_link);
  const auto add = [&](std::uint32_t body, std::uint32_t joint) {
    if (!can_move(cluster, body)) return;
    trees.links.push_back({joint, trees.first_link[body]});
    trees.first_link[body] = static_cast<std::uint32_t>(trees.links.size() - 1);
  };
  for (auto i = static_cast<std::uint32_t>(joints.size()); i > 0; --i) {
    const ColouredJoint& joint = joints[i - 1];
    if (!is_of_tree(joint)) continue;
    add(joint.a, i - 1);
    add(joint.b, i - 1);
    trees.roots.push_back(cluster.world.bodies[joint.tree].solver_index);
  }
  std::sort(trees.roots.begin(), trees.roots.end());
  trees.roots.erase(std::unique(trees.roots.begin(), trees.roots.end()), trees.roots.end());
  return true;
}

/// The joints of a body that its way up does not know: to the world, or to the next bodies.
void visit_links(Cluster& cluster, std::uint32_t body, std::uint32_t way_up, JointTree& tree) {
  JointTrees& trees = cluster.joint_solver.trees;
  for (std::uint32_t i = trees.first_link[body]; i != JointTrees::no_link;
       i = trees.links[i].next) {
    const std::uint32_t index = trees.links[i].joint;
    if (index == way_up) continue;
    const ColouredJoint& joint = cluster.joint_solver.coloured[index];
    const std::uint32_t other = joint.a == body ? joint.b : joint.a;
    if (can_move(cluster, other)) {
      trees.bodies.push_back(other);
      trees.ways_up.push_back(index);
      continue;
    }
    trees.grown.push_back({index, body, 0});
    if (!tree.is_anchored) tree.anchor = other;
    tree.is_anchored = true;
  }
}

/// Bodies from the root on; each body's joint to the one before it, then its joints to the world.
void grow(Cluster& cluster, std::uint32_t root) {
  JointTrees& trees = cluster.joint_solver.trees;
  JointTree tree;
  tree.first_body = static_cast<std::uint32_t>(trees.bodies.size());
  tree.first_joint = static_cast<std::uint32_t>(trees.grown.size());
  trees.bodies.push_back(root);
  trees.ways_up.push_back(JointTrees::no_link);
  for (std::size_t i = tree.first_body; i < trees.bodies.size(); ++i) {
    const std::uint32_t body = trees.bodies[i], way_up = trees.ways_up[i];
    if (way_up != JointTrees::no_link) {
      const ColouredJoint& up = cluster.joint_solver.coloured[way_up];
      trees.grown.push_back({way_up, up.a == body ? up.b : up.a, body});
    }
    visit_links(cluster, body, way_up, tree);
  }
  tree.last_body = static_cast<std::uint32_t>(trees.bodies.size());
  tree.last_joint = static_cast<std::uint32_t>(trees.grown.size());
  trees.trees.push_back(tree);
}

bool has_acting_rows(const JointDef& def) {
  return def.limits.is_enabled || def.cone.is_enabled || def.spring.is_enabled ||
         def.motor.is_enabled;
}

/// Whether passes have to do with its bodies: then its joints are solved after each of them.
bool has_other_joints(const Cluster& cluster, const JointTree& tree) {
  const JointTrees& trees = cluster.joint_solver.trees;
  bool has_any = false;
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i) {
    const std::uint32_t slot = cluster.solver.bodies[trees.bodies[i]].body;
    for_each_joint(cluster.world, slot, [&](std::uint32_t joint) {
      const JointRecord& record = cluster.world.joints[joint];
      has_any |= record.tree == no_index || has_acting_rows(record.def);
    });
  }
  return has_any;
}

/// Joints from the leaves to the root.
void fill_joints(Cluster& cluster, const JointTree& tree) {
  JointArrays& arrays = cluster.joint_solver;
  for (std::uint32_t i = tree.first_joint; i < tree.last_joint; ++i) {
    const JointTrees::Grown& grown = arrays.trees.grown[i];
    const ColouredJoint& coloured = arrays.coloured[grown.joint];
    TreeJoint& joint = arrays.trees.joints[tree.first_joint + (tree.last_joint - 1 - i)];
    joint.bundle = coloured.place / lane_count;
    joint.lane = coloured.place % lane_count;
    joint.joint_class = coloured.joint_class;
    joint.parent = grown.parent;
    joint.child = grown.child;
    joint.is_parent_a = coloured.a == grown.parent;
    arrays.bundles[joint.bundle].tree_lanes |= 1U << joint.lane;
  }
}

}  // namespace

void find_joint_trees(Cluster& cluster) {
  JointTrees& trees = cluster.joint_solver.trees;
  trees.trees.clear();
  trees.joints.clear();
  trees.bodies.clear();
  trees.ways_up.clear();
  trees.grown.clear();
  if (!link_joints(cluster)) return;
  for (const std::uint32_t root : trees.roots)
    grow(cluster, root);
  trees.joints.resize(trees.grown.size());
  for (JointTree& tree : trees.trees) {
    fill_joints(cluster, tree);
    tree.has_others = has_other_joints(cluster, tree);
  }
}

}  // namespace jostle::physics
