#include "shared/physics/solver/contact_solver.h"

#include "shared/math/trig.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/solver/kernel_view.h"

#include <array>
#include <bit>

namespace jostle::physics {
namespace {

Softness make_softness(float hertz, float damping_ratio, float h) {
  if (hertz == 0.0f) return {};
  const float omega = 2.0f * math::pi * hertz;
  const float damping = 2.0f * damping_ratio + h * omega;
  const float c = h * omega * damping;
  const float scale = 1.0f / (1.0f + c);
  return {omega / damping, c * scale, scale};
}

void set_softness(WorldState& world) {
  const WorldOptions& options = world.options;
  const float h = world.solver.substep_seconds;
  const float hertz = math::min_of(options.contact_hertz, max_hertz_per_substep_rate / h);
  world.solver.softness = make_softness(hertz, options.contact_damping_ratio, h);
}

/// Calls body(block) for all contact blocks, in any order: for what needs no colours.
template <typename Body>
void for_each_contact_block(WorldState& world, const Body& body) {
  const std::vector<ColourBlock>& blocks = world.solver.contact_blocks;
  world.runtime.workers->for_each_block(static_cast<std::uint32_t>(blocks.size()),
                                        [&](std::uint32_t i) { body(blocks[i]); });
}

/// Runs a kernel over all contacts, one colour after the other.
void run_coloured(WorldState& world, const BlockKernel (&kernels)[4]) {
  const SolverArrays& solver = world.solver;
  const KernelView view = make_kernel_view(world);
  for (const ColourRange& colour : solver.colours) {
    const auto run = [&](std::uint32_t i) {
      const ColourBlock& block = solver.contact_blocks[colour.first + i];
      kernels[block.kind - 1](view, block.first, block.last);
    };
    const std::uint32_t count = colour.last - colour.first;
    if (colour.is_serial) {
      for (std::uint32_t i = 0; i < count; ++i)
        run(i);
    } else {
      world.runtime.workers->for_each_block(count, run);
    }
  }
}

// The kernel reads manifolds by eight floats.
static_assert(sizeof(ManifoldPoint) == manifold_point_floats * sizeof(float));
static_assert(offsetof(Manifold, normal) == 0 && offsetof(Manifold, friction_impulse) == 12 &&
              offsetof(Manifold, twist_impulse) == 24 && offsetof(Manifold, point_count) == 28);
static_assert(offsetof(ManifoldPoint, offset_a) == 0 && offsetof(ManifoldPoint, offset_b) == 12 &&
              offsetof(ManifoldPoint, separation) == 24 &&
              offsetof(ManifoldPoint, normal_impulse) == 28);
static_assert(sizeof(SolverVelocity) == 32 && sizeof(SolverMotion) == 32 &&
              sizeof(SolverInertia) == 32 && sizeof(SolverGain) == 32);

const float* floats_of(const Manifold& manifold) {
  return reinterpret_cast<const float*>(&manifold);
}
const float* floats_of(const ManifoldPoint& point) {
  return reinterpret_cast<const float*>(&point);
}

template <typename Bundle, typename Records>
void set_materials(const WorldState& world, Bundle& bundle, Records& records,
                   ManifoldSources& sources) {
  static constexpr Manifold nothing;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
    const bool is_used = (records.used_lanes >> lane & 1U) != 0;
    const Contact* contact = is_used ? &world.contacts[records.contact[lane]] : nullptr;
    const Manifold& manifold = is_used ? manifold_at(*contact, records.manifold[lane]) : nothing;
    sources.header[lane] = floats_of(manifold);
    sources.points[lane] = floats_of(manifold.points[0]);
    bundle.is_held[lane] = manifold.is_held ? 1.0f : 0.0f;
    bundle.friction[lane] = is_used ? contact->friction : 0.0f;
    records.restitution[lane] = is_used ? contact->restitution : 0.0f;
  }
}

template <typename Records>
void set_resistance(const WorldState& world, const Records& records, ResistanceBundle& resistance) {
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
    const bool is_used = (records.used_lanes >> lane & 1U) != 0;
    const Contact* contact = is_used ? &world.contacts[records.contact[lane]] : nullptr;
    resistance.rolling[lane] = is_used ? contact->rolling_resistance : 0.0f;
    resistance.spinning[lane] = is_used ? contact->spinning_resistance : 0.0f;
    const math::Vec3 impulse =
        is_used ? manifold_at(*contact, records.manifold[lane]).resistance_impulse : math::Vec3{};
    resistance.impulse[0][lane] = impulse.x;
    resistance.impulse[1][lane] = impulse.y;
    resistance.impulse[2][lane] = impulse.z;
  }
}

/// Also forgets what is not finite.
float snapped(float x) {
  const float size = math::abs_of(x);
  return size >= tiny && size <= max_impulse ? x : 0.0f;
}

/// At most one hit per manifold: that of its fastest point. Points that were pressed before have
/// met already.
template <typename Bundle, typename Records>
void find_events(const WorldOptions& options, const Contact& contact, const Bundle& bundle,
                 Records& records, std::uint32_t lane) {
  const Manifold& manifold = manifold_at(contact, records.manifold[lane]);
  records.hit_point[lane] = no_hit;
  float fastest_speed = -options.restitution_threshold;
  for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
    if (bundle.points[i].max_impulse[lane] == 0.0f) continue;
    if (!contact.is_touching) records.meeting_lanes |= 1U << lane;
    if (manifold.points[i].normal_impulse != 0.0f) continue;
    if (records.approach_speed[i][lane] < fastest_speed) {
      fastest_speed = records.approach_speed[i][lane];
      records.hit_point[lane] = static_cast<std::uint8_t>(i);
    }
  }
}

math::Vec3 snapped(math::Vec3 v) {
  return {snapped(v.x), snapped(v.y), snapped(v.z)};
}

template <typename Bundle>
void store_resistance(const ResistanceBundle& resistance, const Bundle& bundle, std::uint32_t lane,
                      Manifold& manifold) {
  const math::Vec3 tangent{bundle.tangent[0][lane], bundle.tangent[1][lane],
                           bundle.tangent[2][lane]};
  manifold.resistance_impulse =
      snapped(tangent * resistance.impulse[0][lane] +
              cross(manifold.normal, tangent) * resistance.impulse[1][lane] +
              manifold.normal * resistance.impulse[2][lane]);
}

template <typename Bundle>
void store_lane(const Bundle& bundle, std::uint32_t lane, Manifold& manifold) {
  const auto vector = [&](const Lanes(&rows)[3]) {
    return math::Vec3{rows[0][lane], rows[1][lane], rows[2][lane]};
  };
  const math::Vec3 tangent = vector(bundle.tangent);
  const math::Vec3 friction = tangent * bundle.tangent_impulse[0][lane] +
                              cross(manifold.normal, tangent) * bundle.tangent_impulse[1][lane];
  manifold.friction_impulse = snapped(friction);
  manifold.twist_impulse = snapped(bundle.twist_impulse[lane]);
  manifold.is_held = bundle.is_held[lane] != 0.0f;
  for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
    manifold.points[i].normal_impulse = snapped(bundle.points[i].impulse[lane]);
    manifold.points[i].step_impulse = snapped(bundle.points[i].step_impulse[lane]);
  }
}

/// The points go with the bodies, as the solver saw it: the separations follow, unless the bodies
/// went so far that the points are looked for anew.
void follow_bodies(const SolverMotion& a, const SolverMotion& b, Manifold& manifold) {
  const math::Vec3 apart = b.offset - a.offset;
  const float turned_a = length(a.turn), turned_b = length(b.turn);
  const float before = math::max_of(manifold.moved, 0.0f);
  std::array<float, max_manifold_points> parted{};
  float farthest = before;
  bool is_near = true;  // false also where anything is not finite
  for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
    const ManifoldPoint& point = manifold.points[i];
    const math::Vec3 way = apart + cross(b.turn, point.offset_b) - cross(a.turn, point.offset_a);
    const float moved = before + length(way) + turned_a * length(point.offset_a) +
                        turned_b * length(point.offset_b);
    parted[i] = dot(manifold.normal, way);
    farthest = math::max_of(farthest, moved);
    is_near = is_near && moved <= keep_points_distance;
  }
  manifold.moved = is_near ? farthest : Manifold::not_known;
  for (std::uint32_t i = 0; i < manifold.point_count && is_near; ++i)
    manifold.points[i].separation += parted[i];
}

template <typename Records>
void report_events(WorldState& world, const Records& records, std::uint32_t lane) {
  Contact& contact = world.contacts[records.contact[lane]];
  // Shapes that met and parted within this step touched all the same.
  if ((records.meeting_lanes >> lane & 1U) != 0 && !contact.is_touching) {
    contact.is_touching = true;
    world.begins.push_back(
        {world.shape_pool.at(contact.shape_a), world.shape_pool.at(contact.shape_b)});
  }
  const std::uint8_t point = records.hit_point[lane];
  if (point == no_hit) return;
  const Manifold& manifold = manifold_at(contact, records.manifold[lane]);
  world.hits.push_back({world.shape_pool.at(contact.shape_a), world.shape_pool.at(contact.shape_b),
                        world.bodies[contact.body_a].position + manifold.points[point].offset_a,
                        manifold.normal, -records.approach_speed[point][lane]});
}

template <typename Visit>
void for_each_used_lane(std::uint32_t lanes, Visit&& visit) {
  for (; lanes != 0; lanes &= lanes - 1)
    visit(static_cast<std::uint32_t>(std::countr_zero(lanes)));
}

}  // namespace

void prepare_contacts(WorldState& world) {
  set_softness(world);
  const KernelView view = make_kernel_view(world);
  const KernelTable& kernels = *world.runtime.kernels;
  for_each_contact_block(world, [&](const ColourBlock& block) {
    world.solver.bundles.visit(block.kind, [&](auto& bundles, auto& records) {
      for (std::uint32_t i = block.first; i < block.last; ++i) {
        ManifoldSources sources;
        set_materials(world, bundles[i], records[i], sources);
        if (world.solver.has_resistance)
          set_resistance(world, records[i], world.solver.resistances[block.kind - 1][i]);
        kernels.prepare_contacts[block.kind - 1](view, i, sources);
      }
    });
  });
}

void warm_start_contacts(WorldState& world) {
  run_coloured(world, world.runtime.kernels->warm_start);
}

void solve_contacts(WorldState& world, bool uses_bias) {
  const KernelTable& kernels = *world.runtime.kernels;
  run_coloured(world, uses_bias ? kernels.solve : kernels.relax);
}

void apply_restitution(WorldState& world) {
  run_coloured(world, world.runtime.kernels->restitute);
}

void store_impulses(WorldState& world) {
  for_each_contact_block(world, [&](const ColourBlock& block) {
    world.solver.bundles.visit(block.kind, [&](auto& bundles, auto& records) {
      for (std::uint32_t i = block.first; i < block.last; ++i) {
        records[i].meeting_lanes = 0;
        for_each_used_lane(records[i].used_lanes, [&](std::uint32_t lane) {
          Contact& contact = world.contacts[records[i].contact[lane]];
          find_events(world.options, contact, bundles[i], records[i], lane);
          Manifold& manifold = manifold_at(contact, records[i].manifold[lane]);
          store_lane(bundles[i], lane, manifold);
          if (world.solver.has_resistance) {
            store_resistance(world.solver.resistances[block.kind - 1][i], bundles[i], lane,
                             manifold);
          }
          follow_bodies(world.solver.motions[bundles[i].a[lane]],
                        world.solver.motions[bundles[i].b[lane]], manifold);
        });
      }
    });
  });
  // Reports in the order of blocks; they are sorted at the end of the step.
  for (const ColourBlock& block : world.solver.contact_blocks) {
    world.solver.bundles.visit(block.kind, [&](auto&, auto& records) {
      for (std::uint32_t i = block.first; i < block.last; ++i) {
        for_each_used_lane(records[i].used_lanes,
                           [&](std::uint32_t lane) { report_events(world, records[i], lane); });
      }
    });
  }
}

}  // namespace jostle::physics
