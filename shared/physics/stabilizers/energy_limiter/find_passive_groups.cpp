#include "shared/physics/detail/disjoint_sets.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/stabilizers/energy_limiter/group_energy.h"
#include "shared/physics/stabilizers/energy_limiter/passive_groups.h"
#include "shared/physics/world/joint_coordinates.h"

#include <algorithm>

namespace jostle::physics {
namespace {

bool does_work(const JointSpring& spring, const JointMotor& motor) {
  return spring.is_enabled || (motor.is_enabled && motor.speed != 0.0f && motor.max_force > 0.0f);
}

bool does_work(const JointDef& def) {
  if (!has_coordinates(def)) return does_work(def.spring, def.motor);
  if (def.kind == JointKind::Servo) return true;
  return std::ranges::any_of(coordinate_rules(def), [](const CoordinateRule& rule) {
    return does_work(rule.spring, rule.motor);
  });
}

/// Returns true for gears and racks. They apply torques against a frame that is not simulated and
/// does not react.
bool has_hidden_frame(const JointDef& def) {
  return def.kind == JointKind::Gear || def.kind == JointKind::RackAndPinion;
}

/// Returns true if the locks keep a body in a plane: translation along one axis is locked, and
/// rotation about the two other axes.
bool are_of_plane(state::MotionLocks locks) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (state::linear_part(locks) == 1U << axis &&
        state::angular_part(locks) == (7U & ~(1U << axis)))
      return true;
  }
  return false;
}

class GroupSearch {
 public:
  explicit GroupSearch(Cluster& cluster)
      : cluster_(cluster),
        found_(cluster.joint_solver.passive),
        sets_(found_.parents, static_cast<std::uint32_t>(cluster.solver.bodies.size())) {}

  void run() {
    for_each_joint([&](std::uint32_t, std::uint32_t a, std::uint32_t b) {
      if (can_move(a) && can_move(b)) sets_.unite(a, b);
    });
    for (const ActingContact& contact : cluster_.contacts)
      if (can_move(contact.a) && can_move(contact.b)) sets_.unite(contact.a, contact.b);
    found_.sets.assign(found_.parents.size(), {});
    note_joints();
    note_contacts();
    list_groups();
    list_members();
  }

 private:
  using Set = PassiveGroups::Set;

  bool can_move(std::uint32_t body) const { return cluster_.solver.bodies[body].is_dynamic; }
  Set& set_of(std::uint32_t body) { return found_.sets[sets_.find(body)]; }

  /// Calls `visit(slot, a, b)` for all joints; `a` and `b` are solver indices.
  template <typename Visit>
  void for_each_joint(const Visit& visit) {
    const JointArrays& arrays = cluster_.joint_solver;
    for (const ColouredJoint& joint : arrays.coloured)
      visit(joint.joint, joint.a, joint.b);
    for (const ColouredCoordinates& joint : arrays.coordinates.coloured)
      visit(joint.joint, joint.a, joint.b);
  }

  /// Collects the properties of the sets from their joints. Moves the stored credits from the
  /// joints to the sets; if a set does not become a group, its credit is lost.
  void note_joints() {
    for_each_joint([&](std::uint32_t joint, std::uint32_t a, std::uint32_t b) {
      JointRecord& record = cluster_.world.joints[joint];
      const JointDef& def = record.solved();
      Set& set = set_of(can_move(a) ? a : b);
      const bool is_moved = (a != 0 && !can_move(a)) || (b != 0 && !can_move(b));
      set.is_driven |= is_moved || does_work(def);
      set.is_anchored |= a == 0 || b == 0 || def.kind == JointKind::Pulley;
      set.has_hidden_frame |= has_hidden_frame(def);
      set.credit += static_cast<double>(record.energy_credit);
      if (set.joint == no_index) set.joint = joint;
      record.energy_credit = 0;
    });
  }
  void note_contacts() {
    for (const ActingContact& contact : cluster_.contacts) {
      const bool moves_a = can_move(contact.a), moves_b = can_move(contact.b);
      Set& set = set_of(moves_a ? contact.a : contact.b);
      set.is_touched = true;
      set.is_anchored |= !moves_a || !moves_b;
      set.is_driven |= contact.has_belt || is_kinematic(contact.a) || is_kinematic(contact.b);
    }
  }
  bool is_kinematic(std::uint32_t body) const { return body != 0 && !can_move(body); }
  /// Returns true if something other than joints drives the body: a torque, or locks on a set that
  /// is not anchored. Locks do not count if all bodies of the set have the same locks and these
  /// keep the set in one plane.
  bool is_driven(std::uint32_t body, Set& set) const {
    const BodyBlock& block = cluster_.solver.body_blocks[body / lane_count];
    const state::MotionLocks locks = cluster_.solver.bodies[body].locks;
    if (set.count == 0) set.locks = locks;
    const bool is_held = locks != set.locks || (locks != 0 && !are_of_plane(locks));
    return (!set.is_anchored && is_held) ||
           vector_of(block.angular_gain, body % lane_count) != math::Vec3{};
  }

  /// Lists the sets of bodies that have joints and counts their bodies. Those that nothing drives
  /// become groups, in the order of their first bodies.
  void list_groups() {
    found_.set_of.assign(found_.parents.size(), no_index);
    for (std::uint32_t body = 1; body < found_.parents.size(); ++body) {
      if (!can_move(body)) continue;
      const std::uint32_t index = sets_.find(body);
      Set& set = found_.sets[index];
      if (set.joint == no_index) continue;
      found_.set_of[body] = index;
      set.is_driven |= is_driven(body, set) || (set.has_hidden_frame && !set.is_anchored);
      ++set.count;
      set.mass += 1.0 / static_cast<double>(cluster_.solver.velocities[body].inverse_mass);
    }
    std::uint32_t first = 0;
    for (std::uint32_t body = 1; body < found_.parents.size(); ++body) {
      if (found_.set_of[body] != body || found_.sets[body].is_driven) continue;
      Set& set = found_.sets[body];
      set.group = static_cast<std::uint32_t>(found_.groups.size());
      found_.groups.push_back({first, first, set.joint, set.is_anchored, set.is_touched, set.locks,
                               set.mass, 0, set.credit});
      first += set.count;
    }
    found_.members.resize(first);
  }
  void list_members() {
    for (std::uint32_t body = 1; body < found_.parents.size(); ++body) {
      if (found_.set_of[body] == no_index) continue;
      const std::uint32_t group = found_.sets[found_.set_of[body]].group;
      if (group != no_index) found_.members[found_.groups[group].last++] = body;
    }
  }

  Cluster& cluster_;
  PassiveGroups& found_;
  DisjointSets sets_;
};

}  // namespace

void find_passive_groups(Cluster& cluster) {
  PassiveGroups& passive = cluster.joint_solver.passive;
  passive.groups.clear();
  passive.members.clear();
  if (cluster.joints.empty() || !cluster.world.uses(Stabilizer::EnergyLimiter)) return;
  GroupSearch(cluster).run();
  for (PassiveGroup& group : passive.groups)
    group.energy = energy_of(cluster, group);
}

}  // namespace jostle::physics
