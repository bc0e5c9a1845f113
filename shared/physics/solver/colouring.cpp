#include "shared/physics/solver/colouring.h"

#include "shared/physics/detail/prefetch.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/solver/flush_contacts.h"
#include "shared/physics/solver/graph_colours.h"

#include <array>

namespace jostle::physics {
namespace {

constexpr std::uint32_t kinds = 4;  // of bundles: four points first, one point last
using Layout = ColourLayout<kinds>;

constexpr std::uint32_t point_count_of(std::uint32_t kind) {
  return kinds - kind;
}
constexpr std::uint32_t kind_of_count(std::uint32_t point_count) {
  return kinds - point_count;
}

/// Sleeping bodies next to awake ones that do not touch them take no part.
bool can_act(const Contact& contact, const Body& a, const Body& b) {
  if (contact.is_dead || contact.manifold.point_count == 0) return false;
  const bool is_a_asleep = is_dynamic(a) && !a.is_awake;
  const bool is_b_asleep = is_dynamic(b) && !b.is_awake;
  return !is_a_asleep && !is_b_asleep;
}

/// What does not act has no impulse: none to report, and none to begin with when it acts again.
void forget_impulses(Manifold& manifold) {
  manifold.friction_impulse = manifold.resistance_impulse = {};
  manifold.twist_impulse = 0;
  manifold.is_held = false;
  for (ManifoldPoint& point : manifold.points)
    point.normal_impulse = point.step_impulse = 0;
}

ActingContact look_at(WorldState& world, const ListedContact& entry) {
  ActingContact acting;
  if (!entry.has_points) return acting;
  Contact& contact = world.contacts[entry.index];
  const Body &body_a = world.bodies[contact.body_a], &body_b = world.bodies[contact.body_b];
  if (!can_act(contact, body_a, body_b)) return acting;
  // Other contacts are looked at beside this one, but no look reads impulses.
  if (is_at_flush_rim(world, contact, body_a, body_b)) {
    forget_impulses(contact.manifold);
    return acting;
  }
  acting.a = solver_index(body_a);
  acting.b = solver_index(body_b);
  acting.manifold_count = static_cast<std::uint16_t>(manifold_count(contact));
  acting.point_count = static_cast<std::uint8_t>(contact.manifold.point_count);
  acting.has_resistance = contact.rolling_resistance > 0.0f || contact.spinning_resistance > 0.0f;
  return acting;
}

/// What colouring, which goes through them one after the other, reads of the listed contacts.
void gather(WorldState& world) {
  constexpr std::size_t contacts_per_piece = 256, ahead = 8;
  const std::vector<ListedContact>& entries = world.awake_contacts;
  std::vector<ActingContact>& acting = world.solver.acting;
  acting.resize(entries.size());
  for_each_range(*world.runtime.workers, entries.size(), contacts_per_piece, [&](Range range) {
    for (std::size_t k = range.first; k < range.last; ++k) {
      if (k + ahead < range.last) prefetch(world.contacts[entries[k + ahead].index]);
      acting[k] = look_at(world, entries[k]);
    }
  });
}

std::uint32_t take_colour(SolverBody& a, SolverBody& b) {
  a.is_free = b.is_free = false;
  const std::uint64_t taken = (a.is_dynamic ? a.colours : 0) | (b.is_dynamic ? b.colours : 0);
  const std::uint32_t colour = lowest_free_colour(taken);
  if (colour == overflow_colour) return colour;
  const std::uint64_t bit = std::uint64_t{1} << colour;
  a.colours |= bit;
  b.colours |= bit;
  return colour;
}

void colour(WorldState& world, Layout& layout) {
  SolverArrays& solver = world.solver;
  solver.coloured.clear();
  solver.has_resistance = false;
  for (std::size_t i = 0; i < solver.acting.size(); ++i) {
    const ActingContact& acting = solver.acting[i];
    const std::uint32_t contact = world.awake_contacts[i].index;
    solver.has_resistance = solver.has_resistance || acting.has_resistance;
    for (std::uint32_t k = 0; k < acting.manifold_count; ++k) {
      const std::uint32_t colour = take_colour(solver.bodies[acting.a], solver.bodies[acting.b]);
      const std::uint32_t points =
          k == 0 ? acting.point_count : manifold_at(world.contacts[contact], k).point_count;
      const std::uint32_t group = Layout::group_of(colour, kind_of_count(points));
      ++layout.members[group];
      solver.coloured.push_back({contact, acting.a, acting.b, static_cast<std::uint8_t>(k),
                                 static_cast<std::uint16_t>(group)});
    }
  }
}

void lay_out(SolverArrays& solver, Layout& layout) {
  std::array<std::uint32_t, kinds + 1> sizes{};  // by point count
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
      solver.resistances[count - 1].resize(solver.has_resistance ? sizes[count] : 0);
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

void colour_contacts(WorldState& world) {
  Layout layout;
  gather(world);
  colour(world, layout);
  lay_out(world.solver, layout);
  layout.cut(world.solver.contact_blocks, point_count_of);
  place(world.solver, layout);
}

}  // namespace jostle::physics
