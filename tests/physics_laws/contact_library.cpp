// Row 47: contact tests of SimBenchmark, the test suite of the authors of RaiSim. The targets are
// the results of RaiSim. docs/ACCURACY.md lists the sources (table.cpp).
#include "shared/math/trig.h"
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

namespace jostle::physics::laws {
namespace {

Material multiplied(float friction) {
  Material material{friction};
  material.friction_rule = CombineRule::Multiply;
  return material;
}

/// Pushes a box of 10 kg that carries 25 balls of 1 kg with 150 N over the ground. The box slides
/// and the balls roll on it. Returns the mean over 4 s of the sum of the squared errors of the
/// velocities of the box and a ball, in m²/s². `heading` is the angle of the force to the x axis.
double rolling_error(double heading) {
  constexpr double force = 150, box_mass = 10, ball_mass = 1, count = 25, overlap = 2e-5;
  World world(without_sleep());
  add_ground(world, multiplied(0.5f));
  const auto add = [&](Position at, double mass, const state::Shape& shape, float friction) {
    BodyDef def;
    def.pose.position = at;
    def.mass = static_cast<float>(mass);
    const BodyHandle body = world.create_body(def);
    world.add_shape(body, with(shape, multiplied(friction)));
    return body;
  };
  const BodyHandle box = add({0, 0.5 - overlap, 0}, box_mass, state::box({10, 0.5f, 10}), 0.8f);
  BodyHandle ball;
  for (int i = 0; i < 25; ++i) {
    const Position at{i / 5 * 2.0 - 4, 1.5 - 3 * overlap, i % 5 * 2.0 - 4};
    const BodyHandle added = add(at, ball_mass, state::sphere(0.5f), 1);
    if (i == 0) ball = added;
  }
  const double ground_friction = 0.5 * 0.8 * (box_mass + count * ball_mass) * g;
  const double ball_force =
      (force - ground_friction) / box_mass / (3.5 / ball_mass + count / box_mass);
  const double box_acceleration = (force - ground_friction - count * ball_force) / box_mass;
  const Position along{std::cos(heading), 0, std::sin(heading)};
  const auto squared_error = [&](BodyHandle body, double speed) {
    const double off = distance(math::to_position(world.linear_velocity(body)),
                                {along.x * speed, 0, along.z * speed});
    return off * off;
  };
  const int steps = 240;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    sum += squared_error(box, box_acceleration * i * step) +
           squared_error(ball, ball_force / ball_mass * i * step);
    world.apply_central_force(box,
                              math::to_vec3({along.x * force, along.y * force, along.z * force}));
    world.step();
  }
  return sum / steps;
}

ShapeDef ball_of_10_kg(float restitution) {
  Material material{0};
  material.restitution = restitution;
  ShapeDef def = with(state::sphere(0.1f), material);
  def.density = static_cast<float>(10 / (4 / 3.0 * pi * 1e-3));
  return def;
}

/// Adds a cube of 6 × 6 × 6 balls with random offsets of up to 1 mm. Returns the balls.
std::vector<BodyHandle> add_cube(World& world, double height, float restitution) {
  base::Random random(42);
  const auto random_offset = [&] { return static_cast<double>(random.between(0, 1e-3f)); };
  std::vector<BodyHandle> balls;
  for (int i = 0; i < 216; ++i) {
    const double x = random_offset(), y = random_offset(), z = random_offset();
    const Position at{i / 36 * 0.21 + x, i % 6 * 0.21 + height + y, i / 6 % 6 * 0.21 + z};
    balls.push_back(add_body(world, MotionType::Dynamic, {at, {}}, ball_of_10_kg(restitution)));
  }
  return balls;
}

/// Returns the root mean square over `seconds` of the error of the energy, relative to its initial
/// value above the plane y = 0.
double energy_error(World& world, double seconds) {
  const double before = total_energy(world);
  const int steps = static_cast<int>(std::lround(seconds / step));
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double off = total_energy(world) / before - 1;
    sum += off * off;
    world.step();
  }
  return std::sqrt(sum / steps);
}

/// Drops 49 elastic balls from 5 m, for 20 s.
double bouncing_error() {
  World world(elastic(without_sleep()));
  add_ground(world, Material{0});
  for (int i = 0; i < 49; ++i)
    add_body(world, MotionType::Dynamic, {{i / 7 * 2.0, 5, i % 7 * 2.0}, {}}, ball_of_10_kg(1));
  return energy_error(world, 20);
}

/// Drops a cube of 216 elastic balls from 1 m, for 10 s.
double elastic_cube_error() {
  World world(elastic(without_sleep()));
  add_ground(world, Material{0});
  add_cube(world, 1.101, 1);
  return energy_error(world, 10);
}

/// Lets a cube of 216 inelastic balls fall apart. Returns the mean over 10 s of the sum of all
/// squared overlaps, in m².
double cube_overlap() {
  World world(without_sleep());
  add_ground(world, Material{0});
  const std::vector<BodyHandle> balls = add_cube(world, 0.101, 0);
  const auto squared_overlap = [](double size) { return size > 0 ? size * size : 0; };
  double sum = 0;
  const int steps = 600;
  for (int i = 0; i < steps; ++i) {
    for (std::size_t a = 0; a < balls.size(); ++a) {
      const Position at = world.centre_of_mass(balls[a]);
      sum += squared_overlap(0.1 - at.y);
      for (std::size_t b = a + 1; b < balls.size(); ++b)
        sum += squared_overlap(0.2 - distance(at, world.centre_of_mass(balls[b])));
    }
    world.step();
  }
  return sum / steps;
}

#define JOSTLE_SINKS \
  "contacts are soft. The box sinks by 0.6 mm in the first steps, with less friction meanwhile"
constexpr Law laws[]{
    {47, "SimBenchmark: pushed box with 25 rolling balls: mean squared error of the velocities",
     "constant accelerations",
     "at 1,000 Hz: RaiSim 4.1e-7, Bullet 4.9e-9, ODE 7.7e-9, "
     "MuJoCo 2.4e-3, DART 0.43 m²/s²",
     "m²/s²", 4.1e-7, [] { return rolling_error(pi / 2); }, 1.3e-6, JOSTLE_SINKS},
    {47, "SimBenchmark: the same with an oblique force", "constant accelerations",
     "at 1,000 Hz: RaiSim 4.1e-7, Bullet 5.7e-9, MuJoCo 2.4e-3, ODE and DART 3.1 m²/s²", "m²/s²",
     4.1e-7, [] { return rolling_error(pi / 3); }, 1.3e-6, JOSTLE_SINKS},
    {47, "SimBenchmark: 49 bouncing balls, e = 1, 20 s: energy, root mean square", "constant",
     "at 100 Hz: RaiSim 5.7e-4, ODE 5.7e-3, Bullet and DART 0.11", "", 5.7e-4, bouncing_error},
    {47, "SimBenchmark: cube of 216 elastic balls, 10 s: energy, root mean square", "constant",
     "at 100 Hz: RaiSim 0.066, ODE 0.085, Bullet 0.091, DART 3.3", "", 0.066, elastic_cube_error},
    {47, "SimBenchmark: cube of 216 balls, e = 0, 10 s: sum of the squared overlaps", "none",
     "at 100 Hz: RaiSim 0.015, ODE 0.016, MuJoCo 0.93, Bullet 37, DART 215 m²", "m²", 0.015,
     cube_overlap},
};
#undef JOSTLE_SINKS

}  // namespace

std::span<const Law> contact_library_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
