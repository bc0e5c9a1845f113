#include "shared/physics/solver/joint_colouring.h"

#include "shared/physics/detail/world_state.h"

#include <array>
#include <bit>

namespace jostle::physics {
namespace {

constexpr std::uint32_t colour_count = 64;
constexpr std::uint32_t overflow = colour_count;
constexpr std::uint32_t class_count = joint_class_count;
constexpr std::uint32_t group_count = (colour_count + 1) * class_count;

/// Bundles of a block: enough to outweigh handing it to a thread, few enough to share them out.
constexpr std::uint32_t bundles_per_block = 16;

constexpr bool is_overflow(std::uint32_t group) {
  return group / class_count == overflow;
}

/// Where the joints of each group go.
struct Layout {
  std::array<std::uint32_t, group_count> joints{};   // how many
  std::array<std::uint32_t, group_count> bundles{};  // how many
  std::array<std::uint32_t, group_count> first{};    // bundle
};

/// The solver's name of a body: 0 where nothing can move it.
std::uint32_t solver_index(const Body& body) {
  return is_active(body) ? body.solver_index : 0;
}

std::uint32_t class_of(const JointDef& def) {
  const bool is_plain_ball =
      def.kind == JointKind::Ball && !def.limits.is_enabled && !def.cone.is_enabled;
  std::uint32_t index = is_plain_ball ? 0 : 1;
  while (joint_classes[index].kind != def.kind)
    ++index;
  return index;
}

std::uint32_t take_colour(WorldState& world, std::uint32_t a, std::uint32_t b) {
  const SolverArrays& solver = world.solver;
  std::vector<std::uint64_t>& taken = world.joint_solver.taken;
  const std::uint64_t of_both =
      (solver.bodies[a].is_dynamic ? taken[a] : 0) | (solver.bodies[b].is_dynamic ? taken[b] : 0);
  const auto colour = static_cast<std::uint32_t>(std::countr_one(of_both));
  if (colour == overflow) return overflow;
  const std::uint64_t bit = std::uint64_t{1} << colour;
  taken[a] |= bit;
  taken[b] |= bit;
  return colour;
}

void colour(WorldState& world, Layout& layout) {
  JointArrays& arrays = world.joint_solver;
  arrays.coloured.clear();
  arrays.taken.assign(world.solver.bodies.size(), 0);
  for (const std::uint32_t index : world.awake_joints) {
    const JointDef& def = world.joints[index].def;
    const std::uint32_t a = solver_index(world.bodies[def.body_a.index]);
    const std::uint32_t b = solver_index(world.bodies[def.body_b.index]);
    const std::uint32_t group = take_colour(world, a, b) * class_count + class_of(def);
    ++layout.joints[group];
    arrays.coloured.push_back({index, a, b, group});
  }
}

void lay_out(JointArrays& arrays, Layout& layout) {
  std::uint32_t count = 0;
  for (std::uint32_t group = 0; group < group_count; ++group) {
    const std::uint32_t per_bundle = is_overflow(group) ? 1 : lane_count;
    layout.bundles[group] = (layout.joints[group] + per_bundle - 1) / per_bundle;
    layout.first[group] = count;
    count += layout.bundles[group];
  }
  arrays.bundles.resize(count);
  for (std::uint32_t group = 0; group < group_count; ++group) {
    const std::uint32_t last = layout.first[group] + layout.bundles[group];
    for (std::uint32_t i = layout.first[group]; i < last; ++i)
      arrays.bundles[i].used_lanes = 0;
    // What comes here fills the others.
    const bool is_full = !is_overflow(group) && layout.joints[group] % lane_count == 0;
    const std::uint32_t full = is_overflow(group) ? layout.first[group] : last - (is_full ? 0 : 1);
    for (std::uint32_t i = full; i < last; ++i)
      arrays.bundles[i] = JointBundle{};
  }
}

/// Cuts each colour into blocks of work.
void cut(JointArrays& arrays, const Layout& layout) {
  arrays.colours.clear();
  arrays.blocks.clear();
  for (std::uint32_t colour = 0; colour <= overflow; ++colour) {
    JointColour& out = arrays.colours.emplace_back();
    out.first = static_cast<std::uint32_t>(arrays.blocks.size());
    out.is_serial = colour == overflow;
    for (std::uint32_t joint_class = 0; joint_class < class_count; ++joint_class) {
      const std::uint32_t group = colour * class_count + joint_class;
      std::uint32_t first = layout.first[group];
      const std::uint32_t last = first + layout.bundles[group];
      while (first < last) {
        const std::uint32_t end =
            last - first > bundles_per_block ? first + bundles_per_block : last;
        arrays.blocks.push_back({joint_class, first, end});
        first = end;
      }
    }
    out.last = static_cast<std::uint32_t>(arrays.blocks.size());
    if (out.first == out.last) arrays.colours.pop_back();
  }
}

void place(JointArrays& arrays, const Layout& layout) {
  std::array<std::uint32_t, group_count> placed{};
  for (const ColouredJoint& joint : arrays.coloured) {
    const std::uint32_t position = placed[joint.group]++;
    const std::uint32_t lanes = is_overflow(joint.group) ? 1 : lane_count;
    JointBundle& bundle = arrays.bundles[layout.first[joint.group] + position / lanes];
    const std::uint32_t lane = position % lanes;
    bundle.a[lane] = joint.a;
    bundle.b[lane] = joint.b;
    bundle.joint[lane] = joint.joint;
    bundle.used_lanes |= 1U << lane;
  }
}

}  // namespace

void colour_joints(WorldState& world) {
  Layout layout;
  colour(world, layout);
  lay_out(world.joint_solver, layout);
  cut(world.joint_solver, layout);
  place(world.joint_solver, layout);
}

}  // namespace jostle::physics
