#include "shared/physics/stabilizers/articulations/joint_trees.h"

#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/joint_rows.h"
#include "shared/physics/world/joint_list.h"

#include <algorithm>

namespace jostle::physics {
namespace {

bool can_move(const Cluster& cluster, std::uint32_t body) {
  return cluster.solver.bodies[body].is_dynamic;
}

/// Returns, by solver index, 1 for dynamic bodies with a contact that has restitution; nothing if
/// there are none.
std::vector<std::uint8_t> bouncing_bodies(const Cluster& cluster) {
  const SolverArrays& solver = cluster.solver;
  std::vector<std::uint8_t> bounces;
  if (!solver.has_restitution) return bounces;
  bounces.resize(solver.bodies.size());
  for (const ColouredContact& entry : solver.coloured) {
    if (!(cluster.world.contacts[entry.contact].material.restitution > 0.0f)) continue;
    bounces[entry.a] |= solver.bodies[entry.a].is_dynamic ? 1 : 0;
    bounces[entry.b] |= solver.bodies[entry.b].is_dynamic ? 1 : 0;
  }
  return bounces;
}

/// Removes the joints of light trees (is_tree_needed is false) from their trees, so that passes
/// solve them, which is cheaper. A light tree is solved directly only in two cases. If nothing but
/// its joints acts on its bodies, errors of passes would take energy from the motion. If one of its
/// bodies may bounce, errors of passes would add to the energy of an impact.
void leave_light_trees(Cluster& cluster) {
  JointArrays& arrays = cluster.joint_solver;
  const SolverArrays& solver = cluster.solver;
  std::vector<LightTree>& lights = arrays.trees.lights;
  lights.assign(solver.bodies.size(), {});
  const auto tree_of = [&](const ColouredJoint& joint) -> LightTree& {
    const Body& root = cluster.world.bodies[joint.tree];
    return lights[is_active(root) ? root.solver_index : 0];
  };
  const auto is_light = [&](const ColouredJoint& joint) {
    return joint.tree != no_index && !cluster.world.joints[joint.joint].is_tree_needed;
  };
  for (const ColouredJoint& joint : arrays.coloured) {
    if (!is_light(joint)) continue;
    LightTree& tree = tree_of(joint);
    tree.is_acted_on |= has_acting_rows(cluster.world.joints[joint.joint].solved());
    for (const std::uint32_t body : {joint.a, joint.b}) {
      if (!can_move(cluster, body)) continue;
      tree.is_acted_on |= !solver.bodies[body].is_free;
    }
  }
  lights[0].is_acted_on = true;
  const std::vector<std::uint8_t> bounces = bouncing_bodies(cluster);
  if (!bounces.empty())
    for (const ColouredJoint& joint : arrays.coloured)
      if (is_light(joint)) tree_of(joint).bounces |= bounces[joint.a] != 0 || bounces[joint.b] != 0;
  for (ColouredJoint& joint : arrays.coloured) {
    if (!is_light(joint)) continue;
    const LightTree& tree = tree_of(joint);
    if (!tree.bounces && tree.is_acted_on) joint.tree = no_index;
  }
}

/// Lists the roots of the trees, and the tree joints of each body. Returns false if there are no
/// trees.
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
    const Body& root = cluster.world.bodies[joint.tree];
    if (is_active(root)) trees.roots.push_back(root.solver_index);
  }
  std::sort(trees.roots.begin(), trees.roots.end());
  trees.roots.erase(std::unique(trees.roots.begin(), trees.roots.end()), trees.roots.end());
  return true;
}

bool is_placed(const JointTrees& trees, std::uint32_t body) {
  const std::uint32_t place = trees.places[body];
  return place < trees.bodies.size() && trees.bodies[place] == body;
}
void place(JointTrees& trees, std::uint32_t body, std::uint32_t parent) {
  trees.places[body] = static_cast<std::uint32_t>(trees.bodies.size());
  trees.bodies.push_back(body);
  trees.parents.push_back(parent);
}

/// Calls `visit(joint, other body)` for the tree joints of a body, in the order of `coloured`.
/// `joint` is an index in `coloured`.
template <typename Visit>
void for_each_link(const Cluster& cluster, std::uint32_t body, const Visit& visit) {
  const JointTrees& trees = cluster.joint_solver.trees;
  for (std::uint32_t i = trees.first_link[body]; i != JointTrees::no_link;
       i = trees.links[i].next) {
    const std::uint32_t index = trees.links[i].joint;
    const ColouredJoint& joint = cluster.joint_solver.coloured[index];
    visit(index, joint.a == body ? joint.b : joint.a);
  }
}

void begin_edge(JointTrees& trees, std::uint32_t parent, std::uint32_t child) {
  const auto first = static_cast<std::uint32_t>(trees.joints.size());
  trees.grown.push_back({parent, child, first, first});
}
void add_to_edge(JointTrees& trees, std::uint32_t joint) {
  trees.joints.push_back(joint);
  ++trees.grown.back().last_joint;
}

/// Adds the edge between a body and its parent, with all joints between them.
void add_way_up(Cluster& cluster, std::uint32_t body, std::uint32_t parent) {
  JointTrees& trees = cluster.joint_solver.trees;
  begin_edge(trees, parent, body);
  for_each_link(cluster, body, [&](std::uint32_t joint, std::uint32_t other) {
    if (other == parent) add_to_edge(trees, joint);
  });
}

/// Adds the edges between a body and the world, with at most TreeEdge::max_parts joints each. The
/// first such joint determines the anchor of the tree.
void add_anchors(Cluster& cluster, std::uint32_t body, JointTree& tree) {
  JointTrees& trees = cluster.joint_solver.trees;
  std::uint32_t count = 0;
  for_each_link(cluster, body, [&](std::uint32_t joint, std::uint32_t other) {
    if (can_move(cluster, other)) return;
    if (count++ % TreeEdge::max_parts == 0) begin_edge(trees, body, 0);
    add_to_edge(trees, joint);
    if (!tree.is_anchored) tree.anchor = other;
    tree.is_anchored = true;
  });
}

/// Adds a tree and its bodies, from the root on. Each body adds its edge to the parent first, and
/// then those to the world.
void grow(Cluster& cluster, std::uint32_t root) {
  JointTrees& trees = cluster.joint_solver.trees;
  JointTree tree;
  tree.first_body = static_cast<std::uint32_t>(trees.bodies.size());
  tree.first_edge = static_cast<std::uint32_t>(trees.grown.size());
  place(trees, root, JointTrees::no_link);
  for (std::size_t i = tree.first_body; i < trees.bodies.size(); ++i) {
    const std::uint32_t body = trees.bodies[i], parent = trees.parents[i];
    if (parent != JointTrees::no_link) add_way_up(cluster, body, parent);
    add_anchors(cluster, body, tree);
    for_each_link(cluster, body, [&](std::uint32_t, std::uint32_t other) {
      if (can_move(cluster, other) && !is_placed(trees, other)) place(trees, other, body);
    });
  }
  tree.last_body = static_cast<std::uint32_t>(trees.bodies.size());
  tree.last_edge = static_cast<std::uint32_t>(trees.grown.size());
  trees.trees.push_back(tree);
}

/// Adds a tree for each part of a tree that is not connected to the root by awake bodies. The
/// sleeping bodies between them count as immovable, and the part is anchored to one of them.
void grow_parts(Cluster& cluster) {
  const JointTrees& trees = cluster.joint_solver.trees;
  for (const ColouredJoint& joint : cluster.joint_solver.coloured) {
    if (joint.tree == no_index) continue;
    for (const std::uint32_t body : {joint.a, joint.b}) {
      if (can_move(cluster, body) && !is_placed(trees, body)) grow(cluster, body);
    }
  }
}

/// Returns true if passes act on bodies of the tree: they have a joint outside all trees, or a
/// joint with limits, motors or springs. Ropes do not count, unless they are in shared edges.
bool has_other_joints(const Cluster& cluster, const JointTree& tree) {
  const JointTrees& trees = cluster.joint_solver.trees;
  bool has_any = false;
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i) {
    const std::uint32_t slot = cluster.solver.bodies[trees.bodies[i]].body;
    for_each_joint(cluster.world, slot, [&](std::uint32_t joint) {
      const JointRecord& record = cluster.world.joints[joint];
      const JointDef& def = record.solved();
      const bool is_free_rope = is_rope(def) && !tree.has_shared;
      has_any |= record.tree == no_index || (has_acting_rows(def) && !is_free_rope);
    });
  }
  return has_any;
}

TreePart part_of(const ColouredJoint& joint, std::uint32_t parent) {
  constexpr auto lanes = static_cast<std::uint32_t>(lane_count);
  return {joint.place / lanes, joint.place % lanes, joint.joint_class, joint.a == parent,
          holds_rotation(joint_classes[joint.joint_class])};
}

/// Assigns ranges of JointTrees::sources to the shared edges.
void place_sources(JointTrees& trees) {
  std::uint32_t count = 0;
  for (TreeEdge& edge : trees.edges) {
    edge.first_source = count;
    if (edge.is_shared())
      count += (edge.last_part - edge.first_part) * static_cast<std::uint32_t>(TreeEdge::max_rows);
  }
  trees.sources.resize(count);
}

state::MotionLocks common_locks(const Cluster& cluster, const TreeEdge& edge) {
  const std::vector<SolverBody>& bodies = cluster.solver.bodies;
  const state::MotionLocks of_child = edge.child == 0 ? state::lock_all : bodies[edge.child].locks;
  return static_cast<state::MotionLocks>(bodies[edge.parent].locks & of_child);
}

/// Fills the edges of a tree in the order from the leaves to the root, and marks their joints in
/// JointBundle::tree_lanes.
void fill_edges(Cluster& cluster, JointTree& tree) {
  JointArrays& arrays = cluster.joint_solver;
  JointTrees& trees = arrays.trees;
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    const JointTrees::Grown& grown = trees.grown[i];
    TreeEdge& edge = trees.edges[tree.first_edge + (tree.last_edge - 1 - i)];
    edge.parent = grown.parent;
    edge.child = grown.child;
    edge.locks = common_locks(cluster, edge);
    edge.first_part = grown.first_joint;
    edge.last_part = grown.last_joint;
    tree.has_shared |= edge.is_shared();
    for (std::uint32_t k = grown.first_joint; k < grown.last_joint; ++k) {
      trees.parts[k] = part_of(arrays.coloured[trees.joints[k]], grown.parent);
      JointBundle& bundle = arrays.bundles[trees.parts[k].bundle];
      const std::uint32_t lane = 1U << trees.parts[k].lane;
      bundle.tree_lanes |= lane;
      const ColouredJoint& joint = arrays.coloured[trees.joints[k]];
      if (edge.is_shared() || !is_rope(cluster.world.joints[joint.joint].solved())) continue;
      bundle.rope_lanes |= lane;
      tree.has_ropes = true;
    }
  }
}

}  // namespace

TreeView make_tree_view(Cluster& cluster) {
  JointArrays& arrays = cluster.joint_solver;
  JointTrees& trees = arrays.trees;
  TreeView view;
  view.edges = trees.edges.data();
  view.parts = trees.parts.data();
  view.bodies = trees.bodies.data();
  view.masses = trees.masses.data();
  view.responses = trees.responses.data();
  view.full_responses = trees.full_responses.data();
  view.changes = trees.changes.data();
  view.velocities = &cluster.solver.velocities[0].linear.x;
  view.bundles = arrays.bundles.data();
  return view;
}

void find_joint_trees(Cluster& cluster) {
  JointTrees& trees = cluster.joint_solver.trees;
  trees.trees.clear();
  trees.bodies.clear();
  trees.parents.clear();
  trees.grown.clear();
  trees.joints.clear();
  leave_light_trees(cluster);
  if (!link_joints(cluster)) return;
  trees.places.resize(cluster.solver.bodies.size());
  for (const std::uint32_t root : trees.roots)
    grow(cluster, root);
  grow_parts(cluster);
  trees.edges.resize(trees.grown.size());
  trees.parts.resize(trees.joints.size());
  for (JointTree& tree : trees.trees) {
    fill_edges(cluster, tree);
    tree.has_others = has_other_joints(cluster, tree);
  }
  place_sources(trees);
}

}  // namespace jostle::physics
