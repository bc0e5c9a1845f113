#include "shared/physics/mechanisms.h"

#include "shared/physics/detail/disjoint_sets.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/joint_list.h"

namespace jostle::physics {
namespace {

/// What the joints of a set of bodies come to.
struct Census {
  std::uint32_t bodies = 0, inner_joints = 0, anchors = 0;

  bool is_mechanism() const {
    return bodies <= Mechanisms::most_bodies && inner_joints < bodies && anchors <= 1;
  }
};

class Search {
 public:
  explicit Search(WorldState& world)
      : world_(world),
        found_(world.mechanisms),
        sets_(parents_, static_cast<std::uint32_t>(world.bodies.size())),
        census_(world.bodies.size()) {}

  void run() {
    found_ = {};
    count();
    std::vector<std::uint32_t> tree_of(world_.bodies.size(), Mechanisms::none);
    for_each_joint([&](JointRecord& joint, std::uint32_t body, bool) {
      const std::uint32_t first = sets_.find(body);
      joint.mechanism = Mechanisms::none;
      if (!census_[first].is_mechanism()) return;
      if (tree_of[first] == Mechanisms::none) tree_of[first] = add_tree(first);
      joint.mechanism = tree_of[first];
    });
  }

 private:
  bool can_move(std::uint32_t body) const { return is_dynamic(world_.bodies[body]); }

  /// Calls `visit(joint, a dynamic body of it, whether both are)`.
  template <typename Visit>
  void for_each_joint(const Visit& visit) {
    for (std::uint32_t i = 0; i < world_.joints.size(); ++i) {
      if (!world_.joint_pool.is_alive_index(i)) continue;
      const std::uint32_t a = world_.joints[i].def.body_a.index;
      const std::uint32_t b = world_.joints[i].def.body_b.index;
      visit(world_.joints[i], can_move(a) ? a : b, can_move(a) && can_move(b));
    }
  }

  void count() {
    for_each_joint([&](JointRecord& joint, std::uint32_t body, bool is_inner) {
      if (is_inner) sets_.unite(body, joint.def.body_b.index);
    });
    for (std::uint32_t i = 0; i < world_.bodies.size(); ++i)
      ++census_[sets_.find(i)].bodies;
    for_each_joint([&](JointRecord&, std::uint32_t body, bool is_inner) {
      Census& census = census_[sets_.find(body)];
      ++(is_inner ? census.inner_joints : census.anchors);
    });
  }

  /// From its first body on.
  std::uint32_t add_tree(std::uint32_t body) {
    Mechanisms::Tree tree{static_cast<std::uint32_t>(found_.nodes.size()), 1,
                          static_cast<std::uint32_t>(found_.edges.size()), 0};
    found_.nodes.push_back({body, Mechanisms::none, Mechanisms::none});
    for (std::uint32_t i = 0; i < tree.node_count; ++i) {
      for (const std::uint32_t joint :
           joints_of_body(world_, found_.nodes[tree.first_node + i].body))
        follow(tree, i, joint);
    }
    found_.trees.push_back(tree);
    return static_cast<std::uint32_t>(found_.trees.size() - 1);
  }
  void follow(Mechanisms::Tree& tree, std::uint32_t place, std::uint32_t joint) {
    const Mechanisms::Node node = found_.nodes[tree.first_node + place];
    const JointDef& def = world_.joints[joint].def;
    const bool is_a = def.body_a.index == node.body;
    const std::uint32_t other = is_a ? def.body_b.index : def.body_a.index;
    std::uint32_t other_place = Mechanisms::none;
    if (can_move(other)) {
      const bool is_back = node.parent != Mechanisms::none &&
                           found_.nodes[tree.first_node + node.parent].body == other;
      if (is_back) return;
      other_place = tree.node_count++;
      found_.nodes.push_back({other, place, tree.edge_count});
    }
    found_.edges.push_back({joint, is_a ? place : other_place, is_a ? other_place : place});
    ++tree.edge_count;
  }

  WorldState& world_;
  Mechanisms& found_;
  std::vector<std::uint32_t> parents_;
  DisjointSets sets_;
  std::vector<Census> census_;  // by the first body of a set
};

}  // namespace

void find_mechanisms(WorldState& world) {
  Search(world).run();
}

}  // namespace jostle::physics
