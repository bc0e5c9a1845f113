#include "shared/physics/solver/joint_colouring.h"

#include "shared/physics/detail/prefetch.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/graph_colours.h"
#include "shared/physics/solver/joint_places.h"

#include <array>

namespace jostle::physics {
namespace {

using JointLayout = ColourLayout<joint_class_count>;

/// Value of ColouredJoint::joint_class for joints with coordinates, which have no joint class
/// (coordinate_solver.h).
constexpr auto by_coordinates = static_cast<std::uint32_t>(joint_class_count);

std::uint32_t class_of(const JointDef& def) {
  const bool is_plain_ball = def.kind == JointKind::Ball && !def.limits.is_enabled &&
                             !def.cone.is_enabled && !def.motor.is_enabled;
  std::uint32_t index = is_plain_ball ? 0 : 1;
  while (joint_classes[index].kind != def.kind)
    ++index;
  return index;
}

/// Returns the tree of a joint, or no_index if neither of its bodies is dynamic and active. An
/// awake joint without such a body connects a kinematic body to a sleeping one.
std::uint32_t awake_tree(const WorldState& world, const JointRecord& joint) {
  const auto can_move = [&](BodyHandle handle) {
    const Body& body = world.bodies[handle.index];
    return is_dynamic(body) && is_active(body);
  };
  return can_move(joint.def.body_a) || can_move(joint.def.body_b) ? joint.tree : no_index;
}

/// Collects the awake joints without coordinates, with the data that the serial colouring needs, in
/// parallel.
void gather(Cluster& cluster) {
  constexpr std::size_t joints_per_piece = 256, ahead = 8;
  const std::span<const std::uint32_t> awake = cluster.joints;
  std::vector<ColouredJoint>& coloured = cluster.joint_solver.coloured;
  coloured.resize(awake.size());
  for_each_range(cluster.workers, awake.size(), joints_per_piece, [&](Range range) {
    for (std::size_t k = range.first; k < range.last; ++k) {
      if (k + ahead < range.last) prefetch(cluster.world.joints[awake[k + ahead]].def);
      const JointRecord& record = cluster.world.joints[awake[k]];
      const JointDef& def = record.solved();
      coloured[k] = {awake[k],
                     solver_index(cluster.world.bodies[def.body_a.index]),
                     solver_index(cluster.world.bodies[def.body_b.index]),
                     has_coordinates(def) ? by_coordinates : class_of(def),
                     0,
                     awake_tree(cluster.world, record)};
    }
  });
  std::erase_if(coloured,
                [](const ColouredJoint& joint) { return joint.joint_class == by_coordinates; });
}

void colour_all(Cluster& cluster, JointLayout& layout) {
  JointArrays& arrays = cluster.joint_solver;
  arrays.taken.assign(cluster.solver.bodies.size(), 0);
  arrays.is_jointed.assign(cluster.solver.bodies.size(), 0);
  for (ColouredJoint& joint : arrays.coloured) {
    arrays.is_jointed[joint.a] = arrays.is_jointed[joint.b] = 1;
    joint.group = JointLayout::group_of(
        take_joint_colour(cluster.solver, arrays.taken, joint.a, joint.b), joint.joint_class);
    ++layout.members[joint.group];
  }
}

void lay_out(JointArrays& arrays, JointLayout& layout) {
  std::uint32_t count = 0;
  layout.count_bundles();
  for (std::uint32_t group = 0; group < JointLayout::group_count; ++group) {
    layout.first[group] = count;
    count += layout.bundles[group];
  }
  arrays.bundles.resize(count);
  for (std::uint32_t group = 0; group < JointLayout::group_count; ++group) {
    const std::uint32_t last = layout.first[group] + layout.bundles[group];
    for (std::uint32_t i = layout.first[group]; i < last; ++i)
      arrays.bundles[i].used_lanes = arrays.bundles[i].tree_lanes = arrays.bundles[i].rope_lanes =
          arrays.bundles[i].friction_lanes = 0;
    // Partly used bundles must be cleared; fully used ones are overwritten completely.
    const bool is_full =
        !JointLayout::is_overflow(group) && layout.members[group] % lane_count == 0;
    const std::uint32_t full =
        JointLayout::is_overflow(group) ? layout.first[group] : last - (is_full ? 0 : 1);
    for (std::uint32_t i = full; i < last; ++i)
      arrays.bundles[i] = JointBundle{};
  }
}

void place(JointArrays& arrays, const JointLayout& layout) {
  std::array<std::uint32_t, JointLayout::group_count> placed{};
  for (ColouredJoint& joint : arrays.coloured) {
    const std::uint32_t position = placed[joint.group]++;
    const std::uint32_t lanes = JointLayout::members_per_bundle(joint.group);
    const std::uint32_t index = layout.first[joint.group] + position / lanes;
    const std::uint32_t lane = position % lanes;
    JointBundle& bundle = arrays.bundles[index];
    joint.place = index * lane_count + lane;
    bundle.a[lane] = joint.a;
    bundle.b[lane] = joint.b;
    bundle.joint[lane] = joint.joint;
    bundle.used_lanes |= 1U << lane;
  }
}

}  // namespace

void colour_joints(Cluster& cluster) {
  JointLayout layout;
  gather(cluster);
  colour_all(cluster, layout);
  lay_out(cluster.joint_solver, layout);
  layout.cut(cluster.joint_solver.blocks, [](std::uint32_t joint_class) { return joint_class; });
  place(cluster.joint_solver, layout);
}

}  // namespace jostle::physics
