#include "shared/physics/broad_phase/shape_bounds.h"

#include "shared/geometry/bounds.h"
#include "shared/physics/continuous/fast_pairs.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"

namespace jostle::physics {

using math::Aabb;
using math::Vec3;

namespace {

std::uint32_t activity(const Body& body) {
  if (is_active(body)) return ShapeBounds::active;
  return is_dynamic(body) ? ShapeBounds::sleeper : 0;
}

/// Returns the upper bound of |turn × r| over the points r of a shape's core, with both in the
/// frame of the shape. Rotation about the axis of a cylinder or cone does not move its surface.
float turn_of_core(const state::Shape& shape, float core_radius, Vec3 turn) {
  const Vec3 size = abs_of(turn), half = shape.half_extents;
  switch (shape.kind) {
    case state::ShapeKind::Sphere:
      return 0;
    case state::ShapeKind::Capsule:
    case state::ShapeKind::Cylinder:
    case state::ShapeKind::Cone:
      return std::sqrt(turn.x * turn.x + turn.z * turn.z) * core_radius;
    case state::ShapeKind::Box:
      return length(Vec3{size.y * half.z + size.z * half.y, size.z * half.x + size.x * half.z,
                         size.x * half.y + size.y * half.x});
    case state::ShapeKind::Hull:
    case state::ShapeKind::Plane:
    case state::ShapeKind::Mesh:
    case state::ShapeKind::HeightField:
      break;
  }
  return length(turn) * core_radius;
}

void set_motion(const state::Shape& shape, const Motion& motion, ShapePlace& place) {
  place.travel = motion.travel;
  place.turn_reach = turn_reach(shape, place, motion.turn);
}

void set_pose(const Body& body, const math::Transform& local, ShapePlace& place) {
  place.from_centre = rotate(body.rotation, local.offset - body.local_centre);
  place.axes = to_matrix(body.rotation * local.rotation);
  place.centre = body.position;
}

/// Returns the rotation vector by which the body turns in the next step, rad.
Vec3 expected_turn(const WorldState& world, const Body& body) {
  return is_active(body) ? body.angular_velocity * world.options.step_seconds : Vec3{};
}

/// Returns needed_box for a shape that rotation moves by at most `reach` (turn_reach), m.
Aabb box_with_reach(const WorldState& world, const Body& body, const state::Shape& shape,
                    const ShapePlace& place, float reach) {
  const Aabb tight = geometry::bounds(shape, place.centre + place.from_centre, place.axes);
  // Above 1 rad, the margin is that of an arc of 1 rad, because a longer arc hardly takes the
  // corners farther.
  const float angle = length(expected_turn(world, body));
  const float margin = 0.5f * speculative_distance + (angle > 1.0f ? reach / angle : reach);
  return stretched(expanded(tight, margin), expected_travel(world, body));
}

}  // namespace

float core_radius_of(const state::Shape& shape) {
  const bool is_rounded =
      shape.kind == state::ShapeKind::Sphere || shape.kind == state::ShapeKind::Capsule;
  return geometry::bounding_radius(shape) - (is_rounded ? shape.radius : 0.0f);
}

float turn_reach(const state::Shape& shape, const ShapePlace& place, Vec3 turn) {
  return length(cross(turn, place.from_centre)) +
         turn_of_core(shape, place.core_radius, transpose_multiply(place.axes, turn));
}

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
  ShapePlace place;
  set_pose(body, shape.def.local, place);
  place.core_radius = core_radius_of(shape.def.shape);
  return box_with_reach(world, body, shape.def.shape, place,
                        turn_reach(shape.def.shape, place, expected_turn(world, body)));
}

Aabb place_shape(WorldState& world, std::uint32_t index, const Motion& motion) {
  const ShapeRecord& shape = world.shapes[index];
  const Body& body = world.bodies[shape.body.index];
  ShapePlace& place = world.places[index];
  set_pose(body, shape.def.local, place);
  set_motion(shape.def.shape, motion, place);
  const Vec3 turn = expected_turn(world, body);
  // `turn` and `motion.turn` differ for a kinematic body with a target.
  const float reach =
      turn == motion.turn ? place.turn_reach : turn_reach(shape.def.shape, place, turn);
  const Aabb needed = box_with_reach(world, body, shape.def.shape, place, reach);

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
    set_motion(world.shapes[shape.index].def.shape, motion, world.places[shape.index]);
  }
}

}  // namespace jostle::physics
