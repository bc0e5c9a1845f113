#include "shared/physics/broad_phase/shape_bounds.h"

#include "shared/geometry/bounds.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/narrow_phase/fast_pairs.h"

namespace jostle::physics {

using math::Aabb;
using math::Vec3;

namespace {

/// Returns an estimate of how far rotation moves the corners of a body within a step: the arc
/// length of the farthest one, at most that of 1 rad.
float rotation_reach(const WorldState& world, const Body& body) {
  if (!is_active(body)) return 0.0f;
  const float angle = length(body.angular_velocity) * world.options.step_seconds;
  return math::min_of(angle, 1.0f) * body.extent;
}

std::uint32_t activity(const Body& body) {
  if (is_active(body)) return ShapeBounds::active;
  return is_dynamic(body) ? ShapeBounds::sleeper : 0;
}

void set_motion(ShapePlace& place, const Motion& motion) {
  place.travel = motion.travel;
  place.turn_reach = length(motion.turn) * motion.extent;
}

}  // namespace

Vec3 expected_travel(const WorldState& world, const Body& body) {
  if (!is_active(body)) return {};
  const float dt = world.options.step_seconds;
  Vec3 travel = body.linear_velocity * dt;
  if (is_dynamic(body)) {
    const Vec3 acceleration =
        world.options.gravity * body.gravity_scale + body.force * body.inverse_mass;
    travel += acceleration * (dt * dt);
  }
  return travel;
}

math::Aabb box_of_shape(const WorldState& world, std::uint32_t shape) {
  const ShapeRecord& record = world.shapes[shape];
  return geometry::bounds(record.def.shape, shape_pose(world.bodies[record.body.index], record));
}

Aabb needed_box(const WorldState& world, const Body& body, const ShapeRecord& shape) {
  const Aabb tight = geometry::bounds(shape.def.shape, shape_pose(body, shape));
  const float margin = 0.5f * speculative_distance + rotation_reach(world, body);
  return stretched(expanded(tight, margin), expected_travel(world, body));
}

Aabb place_shape(WorldState& world, std::uint32_t index, const Motion& motion) {
  const ShapeRecord& shape = world.shapes[index];
  const Body& body = world.bodies[shape.body.index];
  const math::Transform& local = shape.def.local;
  const Aabb needed = needed_box(world, body, shape);

  ShapePlace& place = world.places[index];
  place.from_centre = rotate(body.rotation, local.offset - body.local_centre);
  place.axes = to_matrix(body.rotation * local.rotation);
  place.centre = body.position;
  set_motion(place, motion);

  ShapeBounds& bounds = world.bounds[index];
  bounds.lower = {rounded_down(needed.lower.x), rounded_down(needed.lower.y),
                  rounded_down(needed.lower.z)};
  bounds.upper = {rounded_up(needed.upper.x), rounded_up(needed.upper.y),
                  rounded_up(needed.upper.z)};
  bounds.body = shape.body.index;
  bounds.flags = activity(body) | (shape.is_moved ? ShapeBounds::moved : 0U);
  return needed;
}

void place_shapes(WorldState& world, std::uint32_t body_index) {
  const Body& body = world.bodies[body_index];
  const Motion motion = expected_motion(world.options, body);
  for (const ShapeHandle shape : body.shapes)
    if (!world.shapes[shape.index].def.is_sensor) place_shape(world, shape.index, motion);
}

void note_activity(WorldState& world, std::uint32_t body_index) {
  const Body& body = world.bodies[body_index];
  const Motion motion = expected_motion(world.options, body);
  for (const ShapeHandle shape : body.shapes) {
    std::uint32_t& flags = world.bounds[shape.index].flags;
    if ((flags & ShapeBounds::gone) != 0) continue;  // a sensor
    flags = (flags & ShapeBounds::moved) | activity(body);
    set_motion(world.places[shape.index], motion);
  }
}

}  // namespace jostle::physics
