#include "shared/physics/solver/colouring.h"

#include "shared/physics/detail/world_state.h"

#include <array>
#include <bit>

namespace jostle::physics {
namespace {

constexpr std::uint32_t colour_count = 64;
constexpr std::uint32_t overflow = colour_count;
constexpr std::uint32_t kinds = 4;  // of bundles, by point count
constexpr std::uint32_t group_count = (colour_count + 1) * kinds;

/// Bundles of a block: enough to outweigh handing it to a thread, few enough to share them out.
constexpr std::uint32_t bundles_per_block = 16;

constexpr std::uint32_t group_of(std::uint32_t colour, std::uint32_t point_count) {
  return colour * kinds + (kinds - point_count);
}
constexpr std::uint32_t point_count_of(std::uint32_t group) {
  return kinds - group % kinds;
}
constexpr bool is_overflow(std::uint32_t group) {
  return group / kinds == overflow;
}

/// Where the contacts of each group go.
struct Layout {
  std::array<std::uint32_t, group_count> contacts{};  // how many
  std::array<std::uint32_t, group_count> bundles{};   // how many
  std::array<std::uint32_t, group_count> first{};     // among the bundles of that point count
};

/// Sleeping bodies next to awake ones that do not touch them take no part.
bool can_act(const Contact& contact, const Body& a, const Body& b) {
  if (contact.is_dead || contact.manifold.point_count == 0) return false;
  const bool is_a_asleep = is_dynamic(a) && !a.is_awake;
  const bool is_b_asleep = is_dynamic(b) && !b.is_awake;
  return !is_a_asleep && !is_b_asleep;
}

/// The solver's name of a body: 0 where nothing can move it.
std::uint32_t solver_index(const Body& body) {
  return is_active(body) ? body.solver_index : 0;
}

std::uint32_t take_colour(SolverBody& a, SolverBody& b) {
  a.is_free = b.is_free = false;
  const std::uint64_t taken = (a.is_dynamic ? a.colours : 0) | (b.is_dynamic ? b.colours : 0);
  const auto colour = static_cast<std::uint32_t>(std::countr_one(taken));
  if (colour == overflow) return overflow;
  const std::uint64_t bit = std::uint64_t{1} << colour;
  a.colours |= bit;
  b.colours |= bit;
  return colour;
}

void colour(WorldState& world, Layout& layout) {
  SolverArrays& solver = world.solver;
  solver.coloured.clear();
  for (const ListedContact& entry : world.awake_contacts) {
    if (!entry.has_points) continue;
    const Contact& contact = world.contacts[entry.index];
    const Body &body_a = world.bodies[contact.body_a], &body_b = world.bodies[contact.body_b];
    if (!can_act(contact, body_a, body_b)) continue;
    const std::uint32_t a = solver_index(body_a), b = solver_index(body_b);
    for (std::uint32_t k = 0; k < manifold_count(contact); ++k) {
      const std::uint32_t colour = take_colour(solver.bodies[a], solver.bodies[b]);
      const std::uint32_t group = group_of(colour, manifold_at(contact, k).point_count);
      ++layout.contacts[group];
      solver.coloured.push_back(
          {entry.index, a, b, static_cast<std::uint8_t>(k), static_cast<std::uint16_t>(group)});
    }
  }
}

void lay_out(SolverArrays& solver, Layout& layout) {
  std::array<std::uint32_t, kinds + 1> sizes{};  // by point count
  for (std::uint32_t group = 0; group < group_count; ++group) {
    const std::uint32_t per_bundle = is_overflow(group) ? 1 : lane_count;
    layout.bundles[group] = (layout.contacts[group] + per_bundle - 1) / per_bundle;
    layout.first[group] = sizes[point_count_of(group)];
    sizes[point_count_of(group)] += layout.bundles[group];
  }
  for (std::uint32_t count = 1; count <= kinds; ++count) {
    solver.bundles.visit(count, [&](auto& bundles, auto& records) {
      bundles.resize(sizes[count]);
      records.resize(sizes[count]);
      for (std::size_t i = 0; i < bundles.size(); ++i) {
        for (std::size_t lane = 0; lane < lane_count; ++lane) {
          bundles[i].a[lane] = bundles[i].b[lane] = 0;
        }
        records[i].used_lanes = 0;
      }
    });
  }
}

/// Cuts each colour into blocks of work.
void cut(SolverArrays& solver, const Layout& layout) {
  solver.colours.clear();
  solver.contact_blocks.clear();
  for (std::uint32_t colour = 0; colour <= overflow; ++colour) {
    ContactColour& out = solver.colours.emplace_back();
    out.first = static_cast<std::uint32_t>(solver.contact_blocks.size());
    out.is_serial = colour == overflow;
    for (std::uint32_t group = colour * kinds; group < (colour + 1) * kinds; ++group) {
      std::uint32_t first = layout.first[group];
      const std::uint32_t last = first + layout.bundles[group];
      while (first < last) {
        const std::uint32_t end =
            last - first > bundles_per_block ? first + bundles_per_block : last;
        solver.contact_blocks.push_back({point_count_of(group), first, end});
        first = end;
      }
    }
    out.last = static_cast<std::uint32_t>(solver.contact_blocks.size());
    if (out.first == out.last) solver.colours.pop_back();
  }
}

void place(SolverArrays& solver, const Layout& layout) {
  std::array<std::uint32_t, group_count> placed{};
  for (const ColouredContact& contact : solver.coloured) {
    const std::uint32_t group = contact.group;
    const std::uint32_t position = placed[group]++;
    const std::uint32_t lanes = is_overflow(group) ? 1 : lane_count;
    const std::uint32_t index = layout.first[group] + position / lanes;
    const std::uint32_t lane = position % lanes;
    solver.bundles.visit(point_count_of(group), [&](auto& bundles, auto& records) {
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
  colour(world, layout);
  lay_out(world.solver, layout);
  cut(world.solver, layout);
  place(world.solver, layout);
}

}  // namespace jostle::physics
