#include "shared/physics/solver/colouring.h"

#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/graph_colours.h"

#include <array>

namespace jostle::physics {
namespace {

constexpr std::uint32_t kinds = 4;  // number of kinds of bundles: four points first, one point last
using Layout = ColourLayout<kinds>;

constexpr std::uint32_t point_count_of(std::uint32_t kind) {
  return kinds - kind;
}
constexpr std::uint32_t kind_of_count(std::uint32_t point_count) {
  return kinds - point_count;
}

void note_touch(SolverArrays& solver, std::uint32_t a, std::uint32_t b) {
  SolverBody &one = solver.bodies[a], &other = solver.bodies[b];
  one.is_free = other.is_free = false;
  if (a == 0 || b == 0) return;  // one of them is the immovable body
  one.touches_movable = other.touches_movable = true;
}

std::uint32_t take_colour(SolverBody& a, SolverBody& b) {
  const std::uint64_t taken = (a.is_dynamic ? a.colours : 0) | (b.is_dynamic ? b.colours : 0);
  const std::uint32_t colour = lowest_free_colour(taken);
  if (colour == overflow_colour) return colour;
  const std::uint64_t bit = std::uint64_t{1} << colour;
  a.colours |= bit;
  b.colours |= bit;
  return colour;
}

void colour(Cluster& cluster, Layout& layout) {
  SolverArrays& solver = cluster.solver;
  solver.coloured.clear();
  solver.has_resistance = solver.has_restitution = solver.has_locks = solver.has_belts = false;
  solver.has_grips = false;
  for (const ActingContact& acting : cluster.contacts) {
    solver.has_resistance = solver.has_resistance || acting.has_resistance;
    solver.has_grips = solver.has_grips || acting.has_grip;
    solver.has_belts = solver.has_belts || acting.has_belt;
    if (acting.has_belt)
      solver.bodies[acting.a].is_carried = solver.bodies[acting.b].is_carried = true;
    solver.has_locks = solver.has_locks || acting.has_locks;
    solver.has_restitution = solver.has_restitution || acting.has_restitution;
    for (std::uint32_t k = 0; k < acting.manifold_count; ++k) {
      if ((acting.left_out >> k & 1U) != 0) continue;
      note_touch(solver, acting.a, acting.b);
      const std::uint32_t colour = take_colour(solver.bodies[acting.a], solver.bodies[acting.b]);
      const std::uint32_t points =
          k == 0 ? acting.point_count
                 : manifold_at(cluster.world.contacts[acting.contact], k).point_count;
      const std::uint32_t group = Layout::group_of(colour, kind_of_count(points));
      ++layout.members[group];
      solver.coloured.push_back({acting.contact, acting.a, acting.b, static_cast<std::uint8_t>(k),
                                 static_cast<std::uint16_t>(group)});
    }
  }
}

void lay_out(SolverArrays& solver, Layout& layout) {
  std::array<std::uint32_t, kinds + 1> sizes{};  // number of bundles, by point count
  layout.count_bundles();
  for (std::uint32_t group = 0; group < Layout::group_count; ++group) {
    std::uint32_t& size = sizes[point_count_of(Layout::kind_of(group))];
    layout.first[group] = size;
    size += layout.bundles[group];
  }
  for (std::uint32_t count = 1; count <= kinds; ++count) {
    solver.bundles.visit(count, [&](auto& bundles, auto& records) {
      bundles.resize(sizes[count]);
      records.resize(sizes[count]);
      solver.bounces[count - 1].resize(solver.has_restitution ? sizes[count] : 0);
      solver.resistances[count - 1].resize(solver.has_resistance ? sizes[count] : 0);
      solver.belts[count - 1].resize(solver.has_belts ? sizes[count] : 0);
      solver.grips[count - 1].resize(solver.has_grips ? sizes[count] : 0);
      solver.locks[count - 1].resize(solver.has_locks ? sizes[count] : 0);
      for (std::size_t i = 0; i < bundles.size(); ++i) {
        for (std::size_t lane = 0; lane < lane_count; ++lane) {
          bundles[i].a[lane] = bundles[i].b[lane] = 0;
        }
        records[i].used_lanes = 0;
      }
    });
  }
}

void place(SolverArrays& solver, const Layout& layout) {
  std::array<std::uint32_t, Layout::group_count> placed{};
  for (const ColouredContact& contact : solver.coloured) {
    const std::uint32_t group = contact.group;
    const std::uint32_t position = placed[group]++;
    const std::uint32_t lanes = Layout::members_per_bundle(group);
    const std::uint32_t index = layout.first[group] + position / lanes;
    const std::uint32_t lane = position % lanes;
    solver.bundles.visit(point_count_of(Layout::kind_of(group)), [&](auto& bundles, auto& records) {
      bundles[index].a[lane] = contact.a;
      bundles[index].b[lane] = contact.b;
      records[index].contact[lane] = contact.contact;
      records[index].manifold[lane] = contact.manifold;
      records[index].used_lanes |= 1U << lane;
    });
  }
}

}  // namespace

void colour_contacts(Cluster& cluster) {
  Layout layout;
  colour(cluster, layout);
  lay_out(cluster.solver, layout);
  layout.cut(cluster.solver.contact_blocks, point_count_of);
  place(cluster.solver, layout);
}

}  // namespace jostle::physics
