#include "shared/physics/solver/contact_solver.h"
#include "shared/physics/solver/kernel_view.h"
#include "shared/physics/solver/manifold_sources.h"

#include <bit>

namespace jostle::physics {
namespace {

/// Returns `x`, or zero if it is tiny, too large or not finite.
float snapped(float x) {
  const float size = math::abs_of(x);
  return size >= tiny && size <= max_impulse ? x : 0.0f;
}
math::Vec3 snapped(math::Vec3 v) {
  return {snapped(v.x), snapped(v.y), snapped(v.z)};
}

/// Returns the resistance data of a bundle, or null if no contact of the cluster resists rolling or
/// spinning.
const ResistanceBundle* resistance_of(const Cluster& cluster, const ColourBlock& block,
                                      std::uint32_t bundle) {
  if (!cluster.solver.has_resistance) return nullptr;
  return &cluster.solver.resistances[block.kind - 1][bundle];
}

template <typename Bundle>
void store_resistance(const ResistanceBundle* resistance, const Bundle& bundle, std::uint32_t lane,
                      Manifold& manifold) {
  manifold.resistance_impulse = {};
  if (resistance == nullptr) return;
  const math::Vec3 tangent{bundle.tangent[0][lane], bundle.tangent[1][lane],
                           bundle.tangent[2][lane]};
  manifold.resistance_impulse =
      snapped(tangent * resistance->impulse[0][lane] +
              cross(manifold.normal, tangent) * resistance->impulse[1][lane] +
              manifold.normal * resistance->impulse[2][lane]);
}

template <typename Bundle>
void store_lane(const StoredContacts& stored, const Bundle& bundle, std::uint32_t lane,
                Manifold& manifold) {
  manifold.friction_impulse = {stored.friction[0][lane], stored.friction[1][lane],
                               stored.friction[2][lane]};
  manifold.twist_impulse = stored.twist[lane];
  manifold.moved = stored.moved[lane];
  manifold.is_held = bundle.is_held[lane] != 0.0f;
  for (std::size_t i = 0; i < std::size(bundle.points); ++i) {
    manifold.points[i].separation = stored.separation[i][lane];
    manifold.points[i].normal_impulse = stored.impulse[i][lane];
    manifold.points[i].step_impulse = stored.step_impulse[i][lane];
  }
}

template <typename Visit>
void for_each_used_lane(std::uint32_t lanes, Visit&& visit) {
  for (; lanes != 0; lanes &= lanes - 1)
    visit(static_cast<std::uint32_t>(std::countr_zero(lanes)));
}

/// Records the events of a lane. A manifold has at most one hit: that of its fastest point.
template <typename Records>
void note_events(const StoredContacts& stored, const Contact& contact, std::uint32_t lane,
                 Records& records) {
  if (!contact.is_touching) records.meeting_lanes |= stored.met_lanes & 1U << lane;
  const float point = stored.hit_point[lane];
  records.hit_point[lane] = point < 0.0f ? no_hit : static_cast<std::uint8_t>(point);
}

void store_block(Cluster& cluster, const KernelView& view, const ColourBlock& block) {
  const StoreKernel store = cluster.world.runtime.kernels->store_contacts[block.kind - 1];
  cluster.solver.bundles.visit(block.kind, [&](auto& bundles, auto& records) {
    StoredContacts stored;
    for (std::uint32_t i = block.first; i < block.last; ++i) {
      if (i + 1 < block.last) fetch_manifolds(cluster, records[i + 1]);
      const LaneManifolds lanes = manifolds_of(cluster, records[i]);
      for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
        const Manifold* manifold = lanes.manifolds[lane];
        stored.moved[lane] = manifold != nullptr ? manifold->moved : 0.0f;
      }
      store(view, i, lanes.sources, stored);
      records[i].meeting_lanes = 0;
      for_each_used_lane(records[i].used_lanes, [&](std::uint32_t lane) {
        note_events(stored, *lanes.contacts[lane], lane, records[i]);
        store_lane(stored, bundles[i], lane, *lanes.manifolds[lane]);
        store_resistance(resistance_of(cluster, block, i), bundles[i], lane,
                         *lanes.manifolds[lane]);
      });
    }
  });
}

template <typename Records>
void report_events(Cluster& cluster, const Records& records, std::uint32_t lane) {
  Contact& contact = cluster.world.contacts[records.contact[lane]];
  // Shapes that touched and separated again within this step get a begin event, too.
  if ((records.meeting_lanes >> lane & 1U) != 0 && !contact.is_touching) {
    contact.is_touching = true;
    cluster.begins.push_back({cluster.world.shape_pool.at(contact.shape_a),
                              cluster.world.shape_pool.at(contact.shape_b)});
  }
  const std::uint8_t point = records.hit_point[lane];
  if (point == no_hit) return;
  const Manifold& manifold = manifold_at(contact, records.manifold[lane]);
  cluster.hits.push_back(
      {cluster.world.shape_pool.at(contact.shape_a), cluster.world.shape_pool.at(contact.shape_b),
       cluster.world.bodies[contact.body_a].position + manifold.points[point].offset_a,
       manifold.normal, -records.approach_speed[point][lane]});
}

}  // namespace

void store_impulses(Cluster& cluster) {
  const KernelView view = make_kernel_view(cluster);
  for_each_contact_block(cluster,
                         [&](const ColourBlock& block) { store_block(cluster, view, block); });
  // Events are appended in the order of blocks, and sorted at the end of the step.
  for (const ColourBlock& block : cluster.solver.contact_blocks.blocks) {
    cluster.solver.bundles.visit(block.kind, [&](auto&, auto& records) {
      for (std::uint32_t i = block.first; i < block.last; ++i) {
        for_each_used_lane(records[i].used_lanes,
                           [&](std::uint32_t lane) { report_events(cluster, records[i], lane); });
      }
    });
  }
}

}  // namespace jostle::physics
