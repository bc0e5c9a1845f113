#include "shared/physics/effects/sensors.h"

#include "shared/geometry/bounds.h"
#include "shared/physics/broad_phase/shape_bounds.h"
#include "shared/physics/continuous/fast_pairs.h"
#include "shared/physics/continuous/stop_at_impacts.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/world/shape_overlap.h"

#include <algorithm>

namespace jostle::physics {

using math::Vec3;

namespace {

const Body& body_of(const WorldState& world, std::uint32_t shape) {
  return world.bodies[world.shapes[shape].body.index];
}

SensorRecord& sensor_at(WorldState& world, std::uint32_t shape) {
  const auto at = std::lower_bound(
      world.sensors.begin(), world.sensors.end(), shape,
      [](const SensorRecord& sensor, std::uint32_t wanted) { return sensor.shape < wanted; });
  JOSTLE_ASSERT(at != world.sensors.end() && at->shape == shape);
  return *at;
}

bool is_kept(const WorldState& world, std::uint32_t body) {
  return world.body_pool.is_alive_index(body) && is_present(world.bodies[body]);
}

/// Returns true if the step, or a call before it, may have moved the body.
bool has_moved(const WorldState& world, std::uint32_t body) {
  return world.are_sensors_stale || is_active(world.bodies[body]) ||
         std::binary_search(world.moved_for_sensors.begin(), world.moved_for_sensors.end(), body);
}

bool may_sense(const WorldState& world, std::uint32_t sensor, std::uint32_t visitor) {
  const ShapeRecord &a = world.shapes[sensor], &b = world.shapes[visitor];
  const Body &body_a = body_of(world, sensor), &body_b = body_of(world, visitor);
  const bool can_move = body_a.motion != MotionType::Static || body_b.motion != MotionType::Static;
  return a.body != b.body && !b.def.is_sensor && can_move && is_present(body_a) &&
         is_present(body_b) && may_collide(a.def.filter, b.def.filter);
}

bool are_overlapping(const WorldState& world, std::uint32_t sensor, std::uint32_t visitor) {
  const ShapeRecord& record = world.shapes[sensor];
  return shape_overlaps(world, record.def.shape, shape_pose(body_of(world, sensor), record),
                        visitor);
}

MovingShape motion_of(const WorldState& world, std::uint32_t shape, const Convex& convex,
                      math::Position origin) {
  const ShapeRecord& record = world.shapes[shape];
  const Body& body = body_of(world, shape);
  const math::Pose start = start_of_step(world, body);
  const float extent = length(record.def.local.offset - body.local_centre) +
                       geometry::bounding_radius(record.def.shape) - convex.rounding;
  return {convex,
          start.position - origin,
          rotate(start.rotation, record.def.local.offset - body.local_centre),
          to_matrix(start.rotation * record.def.local.rotation),
          {body.position - start.position, turn_of_step(world, start, body)},
          extent};
}

/// Returns true if two shapes that overlap neither before nor after the step touched during the
/// step.
bool have_passed(const WorldState& world, std::uint32_t sensor, std::uint32_t visitor) {
  constexpr float touching = 1e-4f;  // m, distance that counts as overlap
  const state::Shape &a = world.shapes[sensor].def.shape, &b = world.shapes[visitor].def.shape;
  if (state::is_static_only(b.kind)) return false;
  const Convex convex_a = convex_of(a), convex_b = convex_of(b);
  const math::Position origin = start_of_step(world, body_of(world, sensor)).position;
  const MovingShape moving_a = motion_of(world, sensor, convex_a, origin);
  const MovingShape moving_b = motion_of(world, visitor, convex_b, origin);
  const float gone = length(moving_b.motion.travel - moving_a.motion.travel) +
                     length(moving_a.motion.turn) * moving_a.extent +
                     length(moving_b.motion.turn) * moving_b.extent;
  if (gone < math::min_of(thickness_of(a), thickness_of(b))) return false;
  Vec3 axis;
  return first_impact(moving_a, moving_b, touching, axis).has_value();
}

/// Returns the union of a shape's box at the start and at the end of the step; rotation is ignored.
math::Aabb swept(const WorldState& world, const Body& body, const math::Aabb& box) {
  const Vec3 back = start_of_step(world, body).position - body.position;
  return united(box, {box.lower + back, box.upper + back});
}

/// A sensor and a shape that may overlap it, at least one of which has moved.
struct SensedCandidate {
  std::uint32_t sensor = 0, visitor = 0;
  auto operator<=>(const SensedCandidate&) const = default;
};

void add_for_visitor(const WorldState& world, std::uint32_t shape,
                     std::vector<SensedCandidate>& found) {
  const auto add = [&](std::uint32_t sensor) {
    if (may_sense(world, sensor, shape)) found.push_back({sensor, shape});
  };
  if (world.shapes[shape].def.shape.kind == state::ShapeKind::Plane) {
    for (const SensorRecord& sensor : world.sensors)
      add(sensor.shape);
    return;
  }
  world.sensor_tree.query(swept(world, body_of(world, shape), box_of_shape(world, shape)), add);
}

/// Adds candidates for the shapes that did not move. Shapes that moved are added by
/// add_for_visitor.
void add_for_sensor(const WorldState& world, std::uint32_t sensor,
                    std::vector<SensedCandidate>& found) {
  const auto add = [&](std::uint32_t visitor) {
    if (!has_moved(world, world.shapes[visitor].body.index) && may_sense(world, sensor, visitor))
      found.push_back({sensor, visitor});
  };
  const math::Aabb box = swept(world, body_of(world, sensor), box_of_shape(world, sensor));
  world.moving_tree.query(box, add);
  world.static_tree.query(box, add);
  for (const std::uint32_t plane : world.planes)
    add(plane);
}

void refit(WorldState& world, const Body& body) {
  for (const ShapeHandle shape : body.shapes) {
    const ShapeRecord& record = world.shapes[shape.index];
    if (!record.def.is_sensor || record.proxy == no_index) continue;
    // The box covers the motion within the step, too, so that shapes are found along the way.
    world.sensor_tree.move(record.proxy, swept(world, body, box_of_shape(world, shape.index)));
  }
}

void add_for_body(const WorldState& world, const Body& body, std::vector<SensedCandidate>& found) {
  if (!is_present(body)) return;
  for (const ShapeHandle shape : body.shapes) {
    if (world.shapes[shape.index].def.is_sensor) {
      add_for_sensor(world, shape.index, found);
    } else {
      add_for_visitor(world, shape.index, found);
    }
  }
}

template <typename Visit>
void for_each_moved_body(WorldState& world, Visit&& visit) {
  if (world.are_sensors_stale) {
    for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i)
      if (world.body_pool.is_alive_index(i)) visit(world.bodies[i]);
    return;
  }
  for (const std::uint32_t i : world.awake_bodies)
    if (is_kept(world, i) && is_active(world.bodies[i])) visit(world.bodies[i]);
  for (const std::uint32_t i : world.moved_for_sensors)
    if (is_kept(world, i) && !is_active(world.bodies[i])) visit(world.bodies[i]);
}

std::vector<SensedCandidate> find_candidates(WorldState& world) {
  std::vector<SensedCandidate> found;
  for_each_moved_body(world, [&](const Body& body) { refit(world, body); });
  for_each_moved_body(world, [&](const Body& body) { add_for_body(world, body, found); });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// Updates the shapes inside a sensor. A shape stays inside untested if neither it nor the sensor
/// has moved; all others are tested as candidates.
void update(WorldState& world, SensorRecord& sensor, std::span<const SensedCandidate> candidates) {
  const ShapeHandle handle = world.shape_pool.at(sensor.shape);
  const bool is_still = !has_moved(world, world.shapes[sensor.shape].body.index);
  std::vector<ShapeHandle> now;
  for (const ShapeHandle visitor : sensor.inside) {
    if (is_still && !has_moved(world, world.shapes[visitor.index].body.index))
      now.push_back(visitor);
  }
  for (const SensedCandidate& candidate : candidates) {
    const ShapeHandle visitor = world.shape_pool.at(candidate.visitor);
    const bool was_inside = std::binary_search(sensor.inside.begin(), sensor.inside.end(), visitor);
    if (are_overlapping(world, sensor.shape, candidate.visitor)) {
      now.push_back(visitor);
      if (!was_inside) world.sensor_begins.push_back({handle, visitor});
    } else if (was_inside) {
      world.pending_sensor_ends.push_back({handle, visitor});
    } else if (have_passed(world, sensor.shape, candidate.visitor)) {
      world.sensor_begins.push_back({handle, visitor});
      world.pending_sensor_ends.push_back({handle, visitor});
    }
  }
  std::sort(now.begin(), now.end());
  // These shapes were inside and are no candidates any more, for example because they are too far
  // away.
  for (const ShapeHandle visitor : sensor.inside) {
    const auto is_candidate = [&](const SensedCandidate& c) { return c.visitor == visitor.index; };
    if (!std::binary_search(now.begin(), now.end(), visitor) &&
        std::none_of(candidates.begin(), candidates.end(), is_candidate))
      world.pending_sensor_ends.push_back({handle, visitor});
  }
  sensor.inside = std::move(now);
}

}  // namespace

void add_sensor(WorldState& world, std::uint32_t shape) {
  const auto at = std::lower_bound(
      world.sensors.begin(), world.sensors.end(), shape,
      [](const SensorRecord& sensor, std::uint32_t wanted) { return sensor.shape < wanted; });
  world.sensors.insert(at, {shape, {}});
}

void remove_from_sensors(WorldState& world, std::uint32_t shape) {
  if (world.sensors.empty()) return;
  const ShapeHandle handle = world.shape_pool.at(shape);
  if (world.shapes[shape].def.is_sensor) {
    SensorRecord& sensor = sensor_at(world, shape);
    for (const ShapeHandle visitor : sensor.inside)
      world.pending_sensor_ends.push_back({handle, visitor});
    sensor.inside.clear();
    return;
  }
  for (SensorRecord& sensor : world.sensors) {
    const auto at = std::lower_bound(sensor.inside.begin(), sensor.inside.end(), handle);
    if (at == sensor.inside.end() || *at != handle) continue;
    sensor.inside.erase(at);
    world.pending_sensor_ends.push_back({world.shape_pool.at(sensor.shape), handle});
  }
}

void note_moved_for_sensors(WorldState& world, std::uint32_t body) {
  if (world.sensors.empty()) return;
  refit(world, world.bodies[body]);
  std::vector<std::uint32_t>& moved = world.moved_for_sensors;
  const auto at = std::lower_bound(moved.begin(), moved.end(), body);
  if (at == moved.end() || *at != body) moved.insert(at, body);
}

void update_sensors(WorldState& world) {
  if (!world.sensors.empty()) {
    const std::vector<SensedCandidate> candidates = find_candidates(world);
    std::size_t first = 0;
    for (SensorRecord& sensor : world.sensors) {
      std::size_t last = first;
      while (last < candidates.size() && candidates[last].sensor == sensor.shape)
        ++last;
      // For most sensors in most steps there is no candidate and no shape inside.
      if (last > first || !sensor.inside.empty())
        update(world, sensor, std::span(candidates).subspan(first, last - first));
      first = last;
    }
  }
  world.moved_for_sensors.clear();
  world.are_sensors_stale = false;
}

}  // namespace jostle::physics
