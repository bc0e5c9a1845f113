#pragma once

#include "shared/base/random.h"
#include "shared/physics/world.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace jostle::physics::testing {

using math::Position;
using math::Vec3;

inline WorldOptions without_sleep() {
  WorldOptions options;
  options.is_sleeping_enabled = false;
  return options;
}

inline WorldOptions without_gravity() {
  WorldOptions options = without_sleep();
  options.gravity = {};
  return options;
}

inline constexpr float step_rate = 60.0f;
/// Gravity of a world with default options, m/s², for formulas in doubles and in floats.
inline constexpr double g = 9.81;
inline constexpr float g_single = 9.81f;

inline BodyHandle add_body(World& world, MotionType motion, const math::Pose& pose,
                           const ShapeDef& shape) {
  BodyDef def;
  def.motion = motion;
  def.pose = pose;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape);
  return body;
}

inline ShapeDef shape_def(const state::Shape& shape) {
  ShapeDef def;
  def.shape = shape;
  return def;
}
/// Returns a shape that collides with nothing.
inline ShapeDef ghost(const state::Shape& shape) {
  ShapeDef def = shape_def(shape);
  def.filter.mask = 0;
  return def;
}
inline BodyHandle add_anchor(World& world, Position at) {
  return add_body(world, MotionType::Static, {at, {}}, ghost(state::sphere(0.05f)));
}

inline BodyHandle add_dynamic(World& world, Position at, const state::Shape& shape) {
  return add_body(world, MotionType::Dynamic, {at, {}}, shape_def(shape));
}

/// Adds a static half-space below y = 0.
inline BodyHandle add_ground(World& world, const Material& material) {
  ShapeDef def;
  def.shape = state::plane();
  def.material = material;
  return add_body(world, MotionType::Static, {}, def);
}
inline BodyHandle add_ground(World& world) {
  return add_ground(world, Material{});
}

inline void run(World& world, int steps) {
  for (int i = 0; i < steps; ++i)
    world.step();
}

/// Rotates the y axis to the z axis. A cylinder with this rotation lies on its side and rolls along
/// x.
inline constexpr math::Quat on_side{0.70710678f, 0, 0, 0.70710678f};

inline math::Quat random_rotation(base::Random& random) {
  return normalized(math::Quat{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1),
                               random.between(-1, 1)});
}

inline Vec3 random_vector(base::Random& random, float scale) {
  return {random.between(-scale, scale), random.between(-scale, scale),
          random.between(-scale, scale)};
}

inline state::Shape random_shape(base::Random& random) {
  // Draw one by one, because the order of evaluation of arguments is unspecified.
  const std::uint32_t kind = random.below(3);
  const float a = random.between(0.15f, 0.5f);
  const float b = random.between(0.15f, 0.5f);
  const float c = random.between(0.15f, 0.5f);
  if (kind == 0) return state::sphere(0.8f * a);
  if (kind == 1) return state::box({a, b, c});
  return state::capsule(0.5f * a, 0.8f * b);
}

/// Adds boxes, spheres and capsules that fall onto each other. Some bodies have two shapes.
inline std::vector<BodyHandle> add_mixed_rain(World& world, int count, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<BodyHandle> bodies;
  for (int i = 0; i < count; ++i) {
    const Position at{(i % 4 - 1.5) * 1.1, 1.0 + 1.1 * (i / 16), (i / 4 % 4 - 1.5) * 1.1};
    ShapeDef def;
    def.shape = random_shape(random);
    def.material = {random.between(0.2f, 0.9f), random.chance(0.3f) ? 0.4f : 0.0f};
    const BodyHandle body =
        add_body(world, MotionType::Dynamic, {at, random_rotation(random)}, def);
    if (i % 5 == 4) {
      def.shape = random_shape(random);
      def.local = {random_vector(random, 0.3f), random_rotation(random)};
      world.add_shape(body, def);
    }
    bodies.push_back(body);
  }
  return bodies;
}

inline std::vector<BodyHandle> add_stack(World& world, int count) {
  std::vector<BodyHandle> bodies;
  for (int i = 0; i < count; ++i) {
    bodies.push_back(add_dynamic(world, {0, 0.5 + i, 0}, state::box({0.5f, 0.5f, 0.5f})));
  }
  return bodies;
}

/// Adds a triangular wall of unit boxes, centred at x. Its lowest row has `base` boxes, and each
/// row above has one box less.
inline std::vector<BodyHandle> add_pyramid(World& world, int base, double x = 0) {
  std::vector<BodyHandle> bodies;
  for (int i = 0; i < base; ++i) {
    for (int j = i; j < base; ++j) {
      const Position at{x + (i + 1) * 0.5 + (j - i) - 0.5 * base, i + 0.5, 0};
      bodies.push_back(add_dynamic(world, at, state::box({0.5f, 0.5f, 0.5f})));
    }
  }
  return bodies;
}

inline double kinetic_energy(const World& world, BodyHandle body) {
  const Vec3 v = world.linear_velocity(body);
  const Vec3 w = inverse_rotate(world.pose(body).rotation, world.angular_velocity(body));
  return 0.5 *
         static_cast<double>(world.mass(body) * dot(v, v) + dot(w, world.inertia_local(body) * w));
}

/// Returns the kinetic and potential energy of all dynamic bodies, J.
inline double total_energy(const World& world) {
  double sum = 0;
  const double gravity = static_cast<double>(-world.options().gravity.y);
  for (const BodyHandle body : world.bodies()) {
    sum += kinetic_energy(world, body) +
           static_cast<double>(world.mass(body)) * gravity * world.centre_of_mass(body).y;
  }
  return sum;
}

inline Vec3 angular_momentum(const World& world, BodyHandle body) {
  const math::Quat q = world.pose(body).rotation;
  return rotate(q, world.inertia_local(body) * inverse_rotate(q, world.angular_velocity(body)));
}

/// Returns the deepest overlap of all current contacts, ≥ 0.
inline float deepest_overlap(const World& world) {
  float deepest = 0;
  for (const ContactView& contact : world.contacts()) {
    for (int i = 0; i < contact.point_count; ++i) {
      deepest = math::max_of(deepest, -contact.points[static_cast<std::size_t>(i)].separation);
    }
  }
  return deepest;
}

/// Length of a save's header in bytes: magic, version, payload length and payload hash.
inline constexpr std::size_t save_header_bytes = 24;

inline std::vector<std::byte> saved(const World& world) {
  base::ByteWriter writer;
  world.save(writer);
  return writer.take();
}
inline World restored(const std::vector<std::byte>& bytes) {
  World world{WorldOptions{}};
  base::ByteReader reader(bytes);
  EXPECT_TRUE(world.restore(reader).has_value());
  return world;
}

/// Applies a random impulse, force, torque, angular impulse or velocity to a body, with a
/// probability of one half.
inline void throw_about(World& world, base::Random& random, BodyHandle body) {
  const Position at = world.centre_of_mass(body) + random_vector(random, 0.5f);
  switch (random.below(12)) {
    case 0:
      return world.apply_impulse(body, random_vector(random, 300), at);
    case 1:
      return world.apply_force(body, random_vector(random, 5e4f), at);
    case 2:
      return world.apply_torque(body, random_vector(random, 5e3f));
    case 3:
      return world.apply_angular_impulse(body, random_vector(random, 100));
    case 4:
      return world.set_velocity(body, random_vector(random, 10), random_vector(random, 10));
    case 5:
      return world.set_velocity(body, random_vector(random, 200), random_vector(random, 60));
    default:
      return;
  }
}

}  // namespace jostle::physics::testing
