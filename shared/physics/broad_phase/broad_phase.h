#pragma once

#include <cstdint>

namespace jostle::physics {

struct WorldState;

// The broad phase stores a fat AABB per shape in one of two trees (static, moving), and maintains
// the list of pairs whose fat AABBs overlap. Only shapes whose fat AABB changed, or whose body has
// woken, search for new pairs; the results are sorted before they are merged into the list
// (pair_list.h). Planes have no bounds and are kept in a list beside the trees. Sensors are in a
// third tree and form no pairs (sensors.h).

/// Resizes WorldState::bounds and WorldState::places so that every shape has an entry.
void make_room_for_bounds(WorldState& world);
/// Inserts a new shape into its tree, with a fresh fat AABB, and marks the shape as moved. A sensor
/// is inserted with its tight AABB, without a mark.
void add_proxy(WorldState& world, std::uint32_t shape);
/// Inserts a shape into its tree with the fat AABB that is stored in its record, for example after
/// a restore.
void insert_proxy(WorldState& world, std::uint32_t shape);
void remove_proxy(WorldState& world, std::uint32_t shape);

/// Updates the data of a body's shapes that is derived from its pose and velocity, and clears
/// Body::is_changed. Writes only data of this body and its shapes, so calls for different bodies
/// may run in parallel. Returns true if a shape has left its fat AABB, or may leave it in the next
/// step. Such a shape gets a new fat AABB, which is not in the tree yet.
bool refresh_places(WorldState& world, std::uint32_t body);
/// Moves the new fat AABBs into the tree and marks their shapes as moved. If the body is not
/// active, also ends those contacts whose shapes no longer have overlapping fat AABBs.
void refit_proxies(WorldState& world, std::uint32_t body);
/// Calls refresh_places and, if necessary, refit_proxies, and marks the body as moved for the
/// sensors.
void refresh_proxies(WorldState& world, std::uint32_t body);
/// Refreshes the proxies of the active bodies with Body::is_changed, or of all active bodies if
/// gravity has changed.
void refresh_changed_proxies(WorldState& world);

/// Marks the shapes of a body as moved, so that they search for pairs again.
void mark_body_moved(WorldState& world, std::uint32_t body);

/// Adds all new pairs of overlapping fat AABBs to the list of pairs.
void find_new_pairs(WorldState& world);
/// Clears the marks of moved shapes, after their pairs have been processed.
void forget_moved_shapes(WorldState& world);

/// Returns true if the fat AABBs of two shapes overlap. One of them may be a plane.
bool fat_boxes_overlap(const WorldState& world, std::uint32_t shape_a, std::uint32_t shape_b);

}  // namespace jostle::physics
