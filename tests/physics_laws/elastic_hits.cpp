// Rows 42 to 44: energy of bodies with edges and corners in impacts.
#include "shared/math/trig.h"
#include "shared/physics/collision/convex.h"
#include "tests/physics/collide_oracle.h"
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

#include <array>

namespace jostle::physics::laws {
namespace {

ShapeDef smooth(const state::Shape& shape, float restitution) {
  Material material{0};
  material.restitution = restitution;
  return with(shape, material);
}

constexpr std::array mixed{state::ShapeKind::Box, state::ShapeKind::Capsule,
                           state::ShapeKind::Cylinder};

state::Shape gas_shape(state::ShapeKind kind) {
  if (kind == state::ShapeKind::Box) return state::box({0.5f, 0.35f, 0.25f});
  if (kind == state::ShapeKind::Capsule) return state::capsule(0.2f, 0.4f);
  return state::cylinder(0.3f, 0.4f);
}

/// Adds six walls around a cube of the half size `half` about the origin.
void add_walls(World& world, float half) {
  constexpr float thick = 0.5f;
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {-1, 1}) {
      const float size = half + 2 * thick, at = static_cast<float>(side) * (half + thick);
      const Vec3 halves{axis == 0 ? thick : size, axis == 1 ? thick : size,
                        axis == 2 ? thick : size};
      const Vec3 middle{axis == 0 ? at : 0, axis == 1 ? at : 0, axis == 2 ? at : 0};
      add_body(world, MotionType::Static, {Position{} + middle, {}}, smooth(state::box(halves), 1));
    }
  }
}

/// Returns the change of the kinetic energy of 50 smooth elastic bodies that fly and spin in a
/// closed box for 30 s, at 1 to 20 m/s. The kinds take turns. Some bodies spin at up to 300 rad/s.
/// The default limit of the angular speed would take energy from them.
double gas_error(std::span<const state::ShapeKind> kinds, std::uint32_t seed) {
  WorldOptions options = elastic(without_gravity());
  options.max_angular_speed = 1'000;
  World world(options);
  add_walls(world, 3.2f);
  base::Random random(seed);
  for (int i = 0; i < 50; ++i) {
    const Position at{(i % 4 - 1.5) * 1.5, (i / 4 % 4 - 1.5) * 1.5, (i / 16 - 1.5) * 1.5};
    const state::ShapeKind kind = kinds[static_cast<std::size_t>(i) % kinds.size()];
    const BodyHandle body = add_body(world, MotionType::Dynamic, {at, random_rotation(random)},
                                     smooth(gas_shape(kind), 1));
    const Vec3 way = normalized_or(random_vector(random, 1), Vec3{1, 0, 0});
    const float speed = random.between(1, 20);
    world.set_velocity(body, way * speed, random_vector(random, 10));
  }
  const double energy = total_energy(world);
  run(world, 1800);
  return relative(total_energy(world), energy);
}

/// Returns the largest change for four starts.
double gas_error(std::span<const state::ShapeKind> kinds) {
  double worst = 0;
  for (std::uint32_t seed = 7; seed < 11; ++seed)
    worst = std::max(worst, gas_error(kinds, seed));
  return worst;
}

enum class Target { Plane, Mesh, Body };

state::Shape hit_shape(base::Random& random, state::ShapeKind kind, float size) {
  if (kind == state::ShapeKind::Hull) return random_hull(random, 12, 0.5f * size);
  if (kind == state::ShapeKind::Capsule) return state::capsule(0.2f * size, 0.3f * size);
  if (kind == state::ShapeKind::Cylinder) return state::cylinder(0.25f * size, 0.5f * size);
  const float b = random.between(0.4f, 1), c = random.between(0.4f, 1);
  return state::box({0.5f * size, 0.5f * size * b, 0.5f * size * c});
}

/// Changes of the kinetic energy by a hit, relative to the energy before it.
struct Change {
  double size = 0, gain = 0;
};

/// Throws a body of 2 cm to 2 m with spin at a target, at 1 to 50 m/s, and returns the change of
/// the kinetic energy when the two are apart again. No point of the body spins faster than the body
/// flies, and no body faster than 60 rad/s.
double ratio_after_hit(base::Random& random, state::ShapeKind kind, Target target) {
  World world(elastic(without_gravity()));
  const float size = math::exp(random.between(math::log(0.02f), math::log(2.0f)));
  const float fastest = math::min_of(50.0f, 30.0f * size);
  const float speed =
      math::min_of(1.0f, fastest) + random.unit() * math::max_of(fastest - 1.0f, 0.0f);
  if (target == Target::Plane) add_body(world, MotionType::Static, {}, smooth(state::plane(), 1));
  if (target == Target::Mesh) {
    const state::Shape flat = grid_mesh(8, 10 * size, [](float, float) { return 0.0f; });
    add_body(world, MotionType::Static, {}, smooth(flat, 1));
  }
  if (target == Target::Body) {
    const BodyHandle other = add_body(world, MotionType::Dynamic, {{}, random_rotation(random)},
                                      smooth(hit_shape(random, state::ShapeKind::Box, size), 1));
    world.set_velocity(other, random_vector(random, 0.2f * speed), random_vector(random, 5));
  }
  const double away =
      1.5 * static_cast<double>(size) + static_cast<double>(speed * random.unit()) * step;
  const BodyHandle body =
      add_body(world, MotionType::Dynamic, {{0, away, 0}, random_rotation(random)},
               smooth(hit_shape(random, kind, size), 1));
  const Vec3 spin = random_vector(random, 0.5f * speed / size);
  world.set_velocity(
      body, Vec3{random.between(-0.5f, 0.5f), -1, random.between(-0.5f, 0.5f)} * speed, spin);
  const double energy = total_energy(world);
  run(world, static_cast<int>(20 * static_cast<double>(size / speed) / step) + 6);
  return total_energy(world) / energy;
}

Change worst_change(Target target) {
  base::Random random(11);
  Change worst;
  for (const state::ShapeKind kind : {state::ShapeKind::Box, state::ShapeKind::Capsule,
                                      state::ShapeKind::Cylinder, state::ShapeKind::Hull}) {
    for (int i = 0; i < 50; ++i) {
      const double change = ratio_after_hit(random, kind, target) - 1;
      worst = {std::max(worst.size, std::abs(change)), std::max(worst.gain, change)};
    }
  }
  return worst;
}

std::size_t pressed_points(const World& world) {
  std::size_t count = 0;
  for (const ContactView& contact : world.contacts())
    for (int i = 0; i < contact.point_count; ++i)
      count += contact.points[static_cast<std::size_t>(i)].normal_impulse > 0.0f ? 1 : 0;
  return count;
}

/// Returns the largest error of the kinetic energy after the first hit of a body without spin on a
/// plane, if no other point of the body hits the plane in the same step. With the speed u and the
/// arm r of the point of contact, the impact of the restitution e takes ½·(1 − e²)·m·u², where m⁻¹
/// = M⁻¹ + (r × n)·I⁻¹·(r × n).
double loss_error(float restitution) {
  base::Random random(5);
  double worst = 0;
  for (int i = 0; i < 60; ++i) {
    const auto kind = mixed[static_cast<std::size_t>(i) % mixed.size()];
    World world(elastic(without_gravity()));
    add_body(world, MotionType::Static, {}, smooth(state::plane(), restitution));
    const math::Quat rotation = random_rotation(random);
    const float speed = random.between(1, 20);
    const BodyHandle body = add_body(world, MotionType::Dynamic, {{0, 1.2, 0}, rotation},
                                     smooth(gas_shape(kind), restitution));
    world.set_velocity(body, {0, -speed, 0}, {});
    const Vec3 down = inverse_rotate(rotation, Vec3{0, -1, 0});
    const Convex convex = convex_of(gas_shape(kind));
    const Vec3 arm = math::narrowed(support(convex, math::widened(down))) + down * convex.rounding;
    const Vec3 moment = cross(arm, down);
    const math::Mat3 inverse = math::inverse(world.inertia_local(body));
    const float response = 1 / world.mass(body) + dot(moment, inverse * moment);
    const double e = static_cast<double>(restitution), before = total_energy(world);
    const double expected =
        before - 0.5 * (1 - e * e) * static_cast<double>(speed * speed / response);
    while (world.linear_velocity(body).y == -speed)
      world.step();
    if (pressed_points(world) == 1)
      worst = std::max(worst, std::abs(total_energy(world) - expected) / before);
  }
  return worst;
}

double gas_of_boxes() {
  return gas_error(std::array{state::ShapeKind::Box});
}
double gas_of_capsules() {
  return gas_error(std::array{state::ShapeKind::Capsule});
}
double gas_of_cylinders() {
  return gas_error(std::array{state::ShapeKind::Cylinder});
}
double gas_of_all() {
  return gas_error(mixed);
}

constexpr Law laws[]{
    {42, "elastic gas of 50 boxes that may spin at 1,000 rad/s, 30 s", "energy constant", "", "",
     0.02, gas_of_boxes},
    {42, "elastic gas of 50 capsules that may spin at 1,000 rad/s, 30 s", "energy constant", "", "",
     0.02, gas_of_capsules},
    {42, "elastic gas of 50 cylinders that may spin at 1,000 rad/s, 30 s", "energy constant", "",
     "", 0.02, gas_of_cylinders},
    {42, "elastic gas of boxes, capsules and cylinders that may spin at 1,000 rad/s, 30 s",
     "energy constant", "", "", 0.02, gas_of_all},
    {43, "elastic hit on a plane, any side first: change of energy", "none", "", "", 5e-3,
     [] { return worst_change(Target::Plane).size; }},
    {43, "elastic hit on a plane, any side first: gain of energy", "none", "", "", 1e-3,
     [] { return worst_change(Target::Plane).gain; }},
    {43, "elastic hit on a mesh, any side first: change of energy", "none", "", "", 5e-3,
     [] { return worst_change(Target::Mesh).size; }},
    {43, "elastic hit on a mesh, any side first: gain of energy", "none", "", "", 1e-3,
     [] { return worst_change(Target::Mesh).gain; }},
    {43, "elastic hit on a box, any side first: change of energy", "none", "", "", 5e-3,
     [] { return worst_change(Target::Body).size; }},
    {43, "elastic hit on a box, any side first: gain of energy", "none", "", "", 1e-3,
     [] { return worst_change(Target::Body).gain; }},
    {44, "hit of a corner, e = 0.5: loss of energy", "½(1 − e²)mu²", "", "", 5e-3,
     [] { return loss_error(0.5f); }},
    {44, "hit of a corner, e = 0.9: loss of energy", "½(1 − e²)mu²", "", "", 5e-3,
     [] { return loss_error(0.9f); }},
};

}  // namespace

std::span<const Law> elastic_hit_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
