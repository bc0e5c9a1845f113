#include "shared/physics/stabilizers/articulations/joint_forest.h"

#include "shared/physics/detail/disjoint_sets.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/stabilizers/articulations/joint_trees.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace jostle::physics {
namespace {

/// Maximum ratio of the mass that a joint supports to the mass of its lighter body. Above this
/// ratio, passes do not converge.
constexpr float heavy_load = 8;
/// Limits for a body with at least `fewest_arms` joints that constrain rotation. Consider the
/// bodies at the other ends of these joints as point masses. `rigid_load` limits their total mass,
/// divided by the mass of the body. `rigid_turn_load` limits their moment of inertia about the
/// body, divided by its largest moment.
constexpr float rigid_load = 1, rigid_turn_load = 16;
constexpr std::uint32_t fewest_arms = 3;

/// A set of bodies that joints connect.
struct Component {
  std::uint32_t body_count = 0;
  std::uint32_t inner_edges = 0;  // number of pairs of bodies that joints connect
  bool has_thick_edges = false;   // true if a pair has more joints than TreeEdge::max_parts
  bool has_pairs = false;         // true if several joints connect a pair, or a body to the world
  std::uint32_t anchored_bodies = 0;  // number of bodies with joints to immovable ones
  std::uint32_t root = no_index;      // first anchored body, or the first body if none is anchored
  float mass = 0;
};

/// Entry in the linked list of a body's joints.
struct Link {
  std::uint32_t joint = no_index, next = no_index;
};

/// Search for the trees of joints. Bodies and joints are identified by their slots.
class TreeSearch {
 public:
  explicit TreeSearch(WorldState& world)
      : world_(world),
        sets_(parents_, static_cast<std::uint32_t>(world.bodies.size())),
        components_(world.bodies.size()),
        first_link_(world.bodies.size(), no_index),
        is_anchored_(world.bodies.size()),
        loads_(world.bodies.size()) {}

  void run() {
    join();
    count_joints();
    count_edges();
    count_bodies();
    for (std::uint32_t i = 0; i < components_.size(); ++i)
      if (is_tree(components_[i])) grow(components_[i]);
  }

 private:
  bool can_move(std::uint32_t body) const { return is_dynamic(world_.bodies[body]); }
  float mass_of(std::uint32_t body) const { return world_.bodies[body].mass; }
  Component& component_of(std::uint32_t body) { return components_[sets_.find(body)]; }

  /// Calls `visit(joint, body a, body b)` for all linked joints that are solved as blocks. Joints
  /// with coordinates are skipped, because passes always solve them.
  template <typename Visit>
  void for_each_block(const Visit& visit) {
    for (std::uint32_t i = 0; i < world_.joints.size(); ++i) {
      if (!world_.joint_pool.is_alive_index(i) || !world_.joints[i].is_linked ||
          has_coordinates(world_.joints[i].solved())) {
        continue;
      }
      const JointDef& def = world_.joints[i].solved();
      visit(i, def.body_a.index, def.body_b.index);
    }
  }

  void join() {
    for_each_block([&](std::uint32_t, std::uint32_t a, std::uint32_t b) {
      if (can_move(a) && can_move(b)) sets_.unite(a, b);
    });
  }
  void count_joints() {
    for_each_block([&](std::uint32_t joint, std::uint32_t a, std::uint32_t b) {
      link(a, joint);
      link(b, joint);
      const std::uint32_t body = can_move(a) ? a : b;
      Component& component = component_of(body);
      if (can_move(a) && can_move(b)) {
        pairs_.push_back(std::uint64_t{std::min(a, b)} << 32 | std::max(a, b));
      } else {
        if (component.anchored_bodies == 0 || body < component.root) component.root = body;
        component.anchored_bodies += is_anchored_[body] == 0 ? 1 : 0;
        component.has_pairs |= is_anchored_[body] != 0;
        is_anchored_[body] = 1;
      }
    });
  }
  void count_edges() {
    std::sort(pairs_.begin(), pairs_.end());
    for (std::size_t first = 0, last = 0; first < pairs_.size(); first = last) {
      while (last < pairs_.size() && pairs_[last] == pairs_[first])
        ++last;
      Component& component = component_of(static_cast<std::uint32_t>(pairs_[first] >> 32));
      ++component.inner_edges;
      component.has_thick_edges |= last - first > TreeEdge::max_parts;
      component.has_pairs |= last - first > 1;
    }
  }
  void link(std::uint32_t body, std::uint32_t joint) {
    if (!can_move(body)) return;
    links_.push_back({joint, first_link_[body]});
    first_link_[body] = static_cast<std::uint32_t>(links_.size() - 1);
  }
  void count_bodies() {
    for (std::uint32_t body = 0; body < first_link_.size(); ++body) {
      if (first_link_[body] == no_index) continue;
      Component& component = component_of(body);
      if (component.root == no_index) component.root = body;
      component.mass += mass_of(body);
      ++component.body_count;
    }
  }
  static bool is_tree(const Component& component) {
    return component.inner_edges + 1 == component.body_count && !component.has_thick_edges;
  }

  /// Assigns the joints of a component to a tree, and decides whether the tree is needed. If it is
  /// not needed, and the component is anchored at several bodies, the joints are left to passes.
  void grow(const Component& component) {
    bodies_.assign(1, component.root);
    loads_[component.root] = mass_of(component.root);
    parents_of_.assign(1, no_index);
    joints_.clear();
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      visit_links(i);
    const bool is_needed = component.has_pairs || is_heavy_laden(component) || has_laden_hub();
    // Several anchors close loops through the world, in which rows may be redundant; passes handle
    // that better.
    if (!is_needed && component.anchored_bodies > 1) return;
    for (const std::uint32_t joint : joints_) {
      world_.joints[joint].tree = component.root;
      world_.joints[joint].is_tree_needed = is_needed;
    }
  }
  void visit_links(std::size_t place) {
    const std::uint32_t body = bodies_[place];
    for (std::uint32_t i = first_link_[body]; i != no_index; i = links_[i].next) {
      const JointDef& def = world_.joints[links_[i].joint].solved();
      const std::uint32_t other = def.body_a.index == body ? def.body_b.index : def.body_a.index;
      if (other == parents_of_[place]) continue;
      joints_.push_back(links_[i].joint);
      if (!can_move(other) || loads_[other] > 0) continue;
      loads_[other] = mass_of(other);
      bodies_.push_back(other);
      parents_of_.push_back(body);
    }
  }
  bool is_heavy_laden(const Component& component) {
    for (std::size_t i = bodies_.size() - 1; i > 0; --i) {
      const std::uint32_t body = bodies_[i], parent = parents_of_[i];
      const float beyond = loads_[body];
      loads_[parent] += beyond;
      const float carried =
          component.anchored_bodies > 0 ? beyond : math::min_of(beyond, component.mass - beyond);
      if (carried > heavy_load * math::min_of(mass_of(body), mass_of(parent))) return true;
    }
    return component.anchored_bodies > 0 && component.mass > heavy_load * mass_of(component.root);
  }

  /// Returns true if a body has at least `fewest_arms` joints to bodies that together are heavy
  /// relative to it. In passes, joints are solved one after the other, and each joint moves the
  /// body. Several joints would therefore push the body back and forth, even if each carries a
  /// small load. Joints that constrain rotation have lower limits, because they act through lever
  /// arms.
  bool has_laden_hub() const {
    return std::ranges::any_of(bodies_, [&](std::uint32_t body) {
      Arms all, rigid;
      for (std::uint32_t i = first_link_[body]; i != no_index; i = links_[i].next)
        add_arm(body, world_.joints[links_[i].joint].solved(), all, rigid);
      const float own = mass_of(body);
      return (all.count >= fewest_arms && all.mass > heavy_load * own) ||
             (rigid.count >= fewest_arms &&
              (rigid.mass > rigid_load * own ||
               rigid.moment > rigid_turn_load * largest_moment(body)));
    });
  }
  /// Sums over the dynamic bodies at the other ends of the joints of one body.
  struct Arms {
    std::uint32_t count = 0;
    float mass = 0;    // kg
    float moment = 0;  // kg·m², of their masses about the body's centre
  };
  void add_arm(std::uint32_t body, const JointDef& def, Arms& all, Arms& rigid) const {
    const bool is_a = def.body_a.index == body;
    const std::uint32_t other = is_a ? def.body_b.index : def.body_a.index;
    if (!can_move(other)) return;
    ++all.count;
    all.mass += mass_of(other);
    if (def.kind == JointKind::Ball || def.kind == JointKind::Distance) return;
    const auto arm_of = [&](std::uint32_t of, const math::Transform& frame) {
      return length(frame.offset - world_.bodies[of].local_centre);
    };
    const float lever = is_a ? arm_of(body, def.frame_a) + arm_of(other, def.frame_b)
                             : arm_of(body, def.frame_b) + arm_of(other, def.frame_a);
    ++rigid.count;
    rigid.mass += mass_of(other);
    rigid.moment += mass_of(other) * lever * lever;
  }
  float largest_moment(std::uint32_t body) const {
    const math::Mat3& inertia = world_.bodies[body].inertia_local;
    return math::max_of(inertia.cx.x, math::max_of(inertia.cy.y, inertia.cz.z));
  }

  WorldState& world_;
  std::vector<std::uint32_t> parents_;
  DisjointSets sets_;
  std::vector<Component> components_;  // indexed by the first body of the set
  std::vector<std::uint32_t> first_link_;
  std::vector<Link> links_;
  std::vector<std::uint64_t> pairs_;       // pairs of joined dynamic bodies, one entry per joint
  std::vector<std::uint8_t> is_anchored_;  // indexed by body: 1 or 0
  std::vector<float> loads_;  // by body: mass of the body and its subtree, kg; 0: not visited
  // lists of one tree, starting at the root
  std::vector<std::uint32_t> bodies_, parents_of_, joints_;
};

}  // namespace

void find_joint_forest(WorldState& world) {
  if (!world.is_forest_stale) return;
  world.is_forest_stale = false;
  for (JointRecord& joint : world.joints)
    joint.tree = no_index;
  if (!world.uses(Stabilizer::Articulations)) return;
  TreeSearch(world).run();
}

}  // namespace jostle::physics
