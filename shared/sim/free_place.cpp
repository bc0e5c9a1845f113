#include "shared/sim/free_place.h"

#include "shared/geometry/bounds.h"
#include "shared/sim/character_controllers.h"

#include <algorithm>
#include <optional>

namespace jostle::sim {
namespace {

using math::Vec3;

constexpr int max_rings = 8;          // 216 places around the spawn
constexpr int max_places_above = 16;  // more players on top of each other are hardly useful
// Overlap in m that still counts as free. Shapes that rest on the ground overlap it by less.
constexpr float allowed_depth = 0.02f;
// Distance between neighbouring places, in bounding radii of the shapes. From a distance of 2 radii
// on, the shapes of two players cannot touch.
constexpr float spacing = 2.1f;
constexpr float max_ground_step = 1.0f;  // m, difference in height from the ground below the spawn

/// A search for a free place around one spawn.
class PlaceSearch {
 public:
  PlaceSearch(const physics::World& world, const SpawnShapes& spawned, Vec3 up)
      : world_(world), spawned_(spawned), filter_{spawned.mask, false}, up_(up) {}

  /// Returns true if no body blocks the shapes at a displacement from the spawn, or no moving body
  /// if `ignores_static_bodies` is set.
  bool is_free(Vec3 displacement, bool ignores_static_bodies) const {
    for (physics::QueryShape query : spawned_.shapes) {
      query.pose.position = query.pose.position + displacement;
      for (const physics::ClosestHit& hit : world_.closest_all(query, 0.0f, filter_)) {
        if (hit.distance > -allowed_depth) continue;
        if (!ignores_static_bodies || is_moving(hit.body)) return false;
      }
    }
    return true;
  }

  /// Returns true if the ground below a displacement is about as deep as the ground below the
  /// spawn. If there is no ground below the spawn, none is needed.
  bool has_ground(Vec3 displacement) {
    if (!ground_of_spawn_) ground_of_spawn_ = depth_of_ground({});
    if (*ground_of_spawn_ >= fall_depth) return true;
    return std::abs(depth_of_ground(displacement) - *ground_of_spawn_) <= max_ground_step;
  }

  /// Returns the distance between neighbouring places, m.
  float distance() const {
    float radius = 0;
    for (const physics::QueryShape& shape : spawned_.shapes) {
      const Vec3 offset = shape.pose.position - spawned_.spawn;
      radius = math::max_of(radius, length(offset) + geometry::bounding_radius(shape.shape));
    }
    return spacing * radius;
  }

 private:
  bool is_moving(physics::BodyHandle body) const {
    return world_.motion_type(body) != state::MotionType::Static;
  }

  /// Returns the distance in m from the displaced spawn down to the nearest static body, at most
  /// `fall_depth`.
  double depth_of_ground(Vec3 displacement) const {
    const physics::Ray ray{spawned_.spawn + displacement, -up_ * static_cast<float>(fall_depth)};
    double nearest = fall_depth;
    for (const physics::CastHit& hit : world_.cast_ray_all(ray, filter_)) {
      if (is_moving(hit.body)) continue;
      nearest = std::min(nearest, fall_depth * static_cast<double>(hit.fraction));
    }
    return nearest;
  }

  const physics::World& world_;
  const SpawnShapes& spawned_;
  physics::QueryFilter filter_;
  Vec3 up_;
  std::optional<double> ground_of_spawn_;
};

/// Returns the 6·`ring` points of a ring of the triangular lattice, as numbers of steps along the
/// lattice's two axes. The points begin on the first axis and continue towards the second.
std::vector<std::pair<int, int>> lattice_ring(int ring) {
  constexpr std::pair<int, int> sides[] = {{-1, 1}, {-1, 0}, {0, -1}, {1, -1}, {1, 0}, {0, 1}};
  std::vector<std::pair<int, int>> points;
  std::pair<int, int> at{ring, 0};
  for (const auto& side : sides) {
    for (int i = 0; i < ring; ++i) {
      points.push_back(at);
      at.first += side.first;
      at.second += side.second;
    }
  }
  return points;
}

}  // namespace

Vec3 free_displacement(const physics::World& world, const SpawnShapes& spawned, Vec3 up,
                       bool is_planar) {
  PlaceSearch search(world, spawned, up);
  if (search.is_free({}, true)) return {};
  const float distance = search.distance();
  // `first` and `second` are perpendicular to `up`.
  const Vec3 first = math::normalized_or(Vec3{1, 0, 0} - up * up.x, {0, 0, 1});
  const Vec3 second = cross(first, up);
  constexpr float half = 0.5f, height = 0.8660254f;  // of an equilateral triangle of side 1
  for (int ring = 1; ring <= max_rings; ++ring) {
    for (const auto& [a, b] : lattice_ring(ring)) {
      if (is_planar && b != 0) continue;
      const float along = static_cast<float>(a) + half * static_cast<float>(b);
      const Vec3 place = (first * along + second * (height * static_cast<float>(b))) * distance;
      if (search.is_free(place, false) && search.has_ground(place)) return place;
    }
  }
  for (int i = 1; i <= max_places_above; ++i) {
    const Vec3 place = up * (distance * static_cast<float>(i));
    if (search.is_free(place, false)) return place;
  }
  return {};
}

}  // namespace jostle::sim
