#include "shared/physics/effects/particle_contacts.h"

#include "shared/geometry/closest_point.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/world/materials.h"

#include <array>
#include <cmath>
#include <optional>

namespace jostle::physics {

using math::Vec3;
using math::Vec3d;

namespace {

/// Minimum radius of a particle, so that rounding never puts a particle on the other side of a
/// surface.
constexpr float least_radius = 1e-3f;  // m
/// Distances below this count as touching. The tolerance grows with the distance from the origin of
/// the shape's frame, because floats become coarse there.
constexpr float touch_gap = 1e-4f;        // m
constexpr float touch_gap_share = 4e-7f;  // fraction of the distance from the origin
constexpr double plane_gap = 1e-9;        // m; planes are computed in doubles
/// Maximum number of advances in a search and of bounces in a step. After the last advance the
/// particle counts as touching. After the last bounce it stays where it is until the next step.
constexpr int max_advances = 64;
constexpr int max_bounces = 4;
/// Number of particles from which the grid of obstacles is built.
constexpr std::size_t least_for_grid = 1'000;

/// The first hit of a particle along its motion.
struct Encounter {
  double fraction = 2;  // fraction of the motion; above 1: no hit
  Vec3d normal;         // unit, towards the particle
  double gap = 0;       // m, gap between the surfaces at the hit; negative if they overlap
  std::uint32_t shape = no_index;
};

Vec3d place_of(math::Position p) {
  return {p.x, p.y, p.z};
}

/// Returns the velocity of a point of a body, in m/s, without surface velocities.
Vec3d velocity_at(const Body& body, Vec3d point) {
  if (!is_active(body)) return {};
  const Vec3d arm = point - place_of(body.position);
  return math::widened(body.linear_velocity) + cross(math::widened(body.angular_velocity), arm);
}

bool is_triangle_surface(const state::Shape& shape) {
  return shape.kind == state::ShapeKind::Mesh || shape.kind == state::ShapeKind::HeightField;
}

/// The motion of a ball from `start` by `travel` in the frame of a shape.
struct LocalWay {
  Vec3 start, travel;  // m
  float radius = 0;
};

struct LocalEncounter {
  float fraction = 0;
  Vec3 normal;
  float gap = 0;
};

/// Returns the first touch of the ball and the shape, or nothing if they do not touch. Outside of a
/// convex shape, the plane through its nearest point separates the ball from the shape, so the ball
/// advances to that plane. Near a mesh or height field, the ball advances only by its distance from
/// the nearest point, or by half of its radius if that is more.
std::optional<LocalEncounter> first_touch(const state::Shape& shape, const LocalWay& way) {
  const float length_of_way = length(way.travel);
  LocalEncounter at_last;
  float fraction = 0;
  for (int i = 0; i < max_advances; ++i) {
    const Vec3 at = way.start + way.travel * fraction;
    const geometry::SurfacePoint nearest = geometry::closest_point(shape, at);
    const float gap = nearest.distance - way.radius;
    const float closing = -dot(way.travel, nearest.normal);
    const float touching = touch_gap + touch_gap_share * (math::abs_of(at.x) + math::abs_of(at.y) +
                                                          math::abs_of(at.z));
    const bool is_deep = gap < -touching;
    if (is_deep || (gap <= touching && closing > 0.0f))
      return LocalEncounter{fraction, nearest.normal, gap};
    at_last = {fraction, nearest.normal, gap};
    if (is_triangle_surface(shape)) {
      // The ball may move along the surface that it touches and hit another part of it.
      if (!(length_of_way > 0.0f)) return std::nullopt;
      fraction += math::max_of(gap, 0.5f * way.radius) / length_of_way;
    } else {
      if (!(closing > 0.0f)) return std::nullopt;
      // The advance ends slightly before the plane, so that the next gap is within the tolerance.
      fraction += math::max_of(gap - 0.5f * touching, 0.25f * touching) / closing;
    }
    if (fraction > 1.0f) return std::nullopt;
  }
  return at_last;
}

/// The shapes around a particle, searched once for all its bounces in a step.
struct Nearby {
  std::array<std::uint32_t, 16> slots;  // the first `count` are valid
  std::size_t count = 0;
  /// True if more shapes were found than fit into the list; the trees are then queried again for
  /// each bounce.
  bool are_too_many = false;
  bool is_known = false;
  math::Aabb box;

  bool covers(const math::Aabb& other) const { return is_known && contains(box, other); }

  void find(const ParticleObstacles& obstacles, const math::Aabb& wanted) {
    is_known = true;
    are_too_many = false;
    count = 0;
    // The margin is for the path after a bounce, which is about as long as the path before.
    const math::Vec3 size = wanted.upper - wanted.lower;
    box = {wanted.lower - size, wanted.upper + size};
    if (!overlaps(box, obstacles.box) || obstacles.grid.is_free(box)) return;
    const auto note = [this](std::uint32_t slot) {
      if (count < slots.size()) {
        slots[count++] = slot;
      } else {
        are_too_many = true;
      }
    };
    obstacles.world->static_tree.query(box, note);
    obstacles.world->moving_tree.query(box, note);
    if (are_too_many) count = 0;
  }
};

/// The search for the first obstacle that a particle hits on the rest of its motion.
struct Search {
  const WorldState& world;
  const ParticleSetDef& def;
  Vec3d start, end;  // m
  double radius = 0;
  double seconds = 0;  // duration of the motion
  Encounter first;

  bool is_seen(const ShapeRecord& shape) const {
    return (shape.def.filter.category & def.mask) != 0 && !shape.def.is_sensor;
  }

  /// Replaces `first` by `met` if `met` is earlier. Ties are broken by the lower slot, because
  /// trees return shapes in no order.
  void take(const Encounter& met) {
    if (met.fraction < first.fraction ||
        (met.fraction == first.fraction && met.shape < first.shape))
      first = met;
  }

  void test(const ParticlePlane& plane) {
    const double before = dot(plane.normal, start) - plane.height - radius;
    const double after = dot(plane.normal, end) - plane.height - radius;
    if (after >= -plane_gap) return;
    if (before > 0) {
      take({before / (before - after), plane.normal, 0, plane.shape});
    } else if (after < before || before < -plane_gap) {
      take({0, plane.normal, before, plane.shape});
    }
  }

  void test(std::uint32_t slot) {
    const ShapeRecord& shape = world.shapes[slot];
    if (!is_seen(shape)) return;
    const Body& body = world.bodies[shape.body.index];
    const math::Pose pose = shape_pose(body, shape);
    // The frame is that of the shape after the step. In it, the motion of the particle is relative
    // to the shape, so the displacement of the shape is subtracted.
    const Vec3d origin = place_of(pose.position);
    const Vec3d shape_way = velocity_at(body, start) * seconds;
    LocalWay way;
    way.start = inverse_rotate(pose.rotation, narrowed(start + shape_way - origin));
    way.travel = inverse_rotate(pose.rotation, narrowed(end - start - shape_way));
    way.radius = static_cast<float>(radius);
    const std::optional<LocalEncounter> met = first_touch(shape.def.shape, way);
    if (!met) return;
    take({static_cast<double>(met->fraction), math::widened(rotate(pose.rotation, met->normal)),
          static_cast<double>(met->gap), slot});
  }

  math::Aabb box_around() const {
    const auto low = [this](double a, double b) { return (a < b ? a : b) - radius; };
    const auto high = [this](double a, double b) { return (a < b ? b : a) + radius; };
    return {{low(start.x, end.x), low(start.y, end.y), low(start.z, end.z)},
            {high(start.x, end.x), high(start.y, end.y), high(start.z, end.z)}};
  }

  void run(const ParticleObstacles& obstacles, Nearby& nearby) {
    for (const ParticlePlane& plane : obstacles.planes) {
      if (is_seen(world.shapes[plane.shape])) test(plane);
    }
    if (!obstacles.is_any) return;
    const math::Aabb box = box_around();
    if (!nearby.covers(box)) nearby.find(obstacles, box);
    if (nearby.are_too_many) {
      const auto visit = [this](std::uint32_t slot) { test(slot); };
      world.static_tree.query(box, visit);
      world.moving_tree.query(box, visit);
    }
    for (std::size_t i = 0; i < nearby.count; ++i)
      test(nearby.slots[i]);
  }
};

/// Returns `velocity` after friction: zero if the speed is at most `sticks`, otherwise reduced by
/// the speed `slides`.
Vec3d slowed(Vec3d velocity, double sticks, double slides) {
  const double squared = dot(velocity, velocity);
  if (!(squared > sticks * sticks)) return {};
  return velocity * (1 - slides / std::sqrt(squared));
}

/// The properties of the contact at a hit.
struct Touch {
  Vec3d normal, surface_velocity;
  ContactMaterial<double> material;
};

Touch contact_of(const WorldState& world, const ParticleSetDef& def, const Encounter& met,
                 Vec3d point) {
  const ShapeRecord& shape = world.shapes[met.shape];
  const Body& body = world.bodies[shape.body.index];
  const Material& material = shape.def.material;
  Touch contact;
  contact.normal = met.normal;
  contact.surface_velocity = velocity_at(body, point);
  if (shape.def.surface_velocity != Vec3{}) {
    const Vec3d belt =
        math::widened(rotate(shape_pose(body, shape).rotation, shape.def.surface_velocity));
    contact.surface_velocity = contact.surface_velocity + belt - met.normal * dot(belt, met.normal);
  }
  Material own;
  own.friction = def.friction;
  own.restitution = def.restitution;
  contact.material =
      combine<double>(own, material, find_pair(world.material_pairs, def.material, material.id));
  return contact;
}

}  // namespace

ParticleObstacles obstacles_of(const WorldState& world, std::size_t particles) {
  ParticleObstacles obstacles;
  obstacles.world = &world;
  for (const std::uint32_t slot : world.planes) {
    const ShapeRecord& shape = world.shapes[slot];
    const math::Pose pose = shape_pose(world.bodies[shape.body.index], shape);
    const Vec3d normal = math::widened(rotate(pose.rotation, {0, 1, 0}));
    obstacles.planes.push_back({normal, dot(normal, place_of(pose.position)), slot});
  }
  for (std::uint32_t i = 0; i < world.shape_pool.slot_count(); ++i) {
    if (!world.shape_pool.is_alive_index(i)) continue;
    const ShapeRecord& shape = world.shapes[i];
    if (shape.proxy == no_index || shape.def.is_sensor) continue;
    obstacles.box = obstacles.is_any ? united(obstacles.box, shape.fat_box) : shape.fat_box;
    obstacles.is_any = true;
  }
  if (!obstacles.is_any || particles < least_for_grid) return obstacles;
  obstacles.grid.begin(obstacles.box);
  for (std::uint32_t i = 0; i < world.shape_pool.slot_count(); ++i) {
    if (!world.shape_pool.is_alive_index(i)) continue;
    const ShapeRecord& shape = world.shapes[i];
    if (shape.proxy != no_index && !shape.def.is_sensor) obstacles.grid.add(shape.fat_box);
  }
  return obstacles;
}

void meet_obstacles(const ParticleObstacles& obstacles, const ParticleSetDef& def,
                    ParticleWay& way) {
  const WorldState& world = *obstacles.world;
  Vec3d start = way.start, velocity = way.start_velocity;
  double seconds = static_cast<double>(world.options.step_seconds);
  Nearby nearby;
  const double radius = static_cast<double>(math::max_of(way.radius, least_radius));
  for (int i = 0; i < max_bounces; ++i) {
    Search search{world, def, start, way.end, radius, seconds, {}};
    search.run(obstacles, nearby);
    const Encounter& met = search.first;
    if (met.fraction > 1) return;

    const Vec3d acceleration = (way.end_velocity - velocity) * (1 / seconds);
    const double before = seconds * met.fraction, rest = seconds - before;
    Vec3d point = start + (way.end - start) * met.fraction;
    if (met.gap < 0) point = point - met.normal * met.gap;
    const Touch contact = contact_of(world, def, met, point);
    const Vec3d impact = velocity + acceleration * before - contact.surface_velocity;
    const double approach = -dot(impact, met.normal);
    Vec3d along = impact + met.normal * approach;
    double leaving = -approach;
    if (approach > 0) {
      const bool is_bouncing = approach > static_cast<double>(world.options.restitution_threshold);
      leaving = is_bouncing ? contact.material.restitution * approach : 0;
      const double pressed = approach + leaving;
      along = slowed(along, contact.material.static_friction * pressed,
                     contact.material.friction * pressed);
    }
    start = point;
    velocity = along + met.normal * leaving + contact.surface_velocity;
    const double pressing = -dot(acceleration, met.normal);
    Vec3d after = acceleration * rest;
    if (!(leaving > 0) && pressing > 0) {
      // The particle lies on the surface for the rest of the step. The surface supports it, and
      // friction acts on it.
      const Vec3d free = along + after + met.normal * (pressing * rest);
      after = slowed(free, contact.material.static_friction * pressing * rest,
                     contact.material.friction * pressing * rest) -
              along;
    }
    way.end_velocity = velocity + after;
    way.end = start + (velocity + way.end_velocity) * (0.5 * rest);
    seconds = rest;
    if (!(rest > 0)) return;
  }
  way.end = start;  // the particle is caught in a corner
}

}  // namespace jostle::physics
