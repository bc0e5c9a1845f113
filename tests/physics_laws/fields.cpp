// Rows 4, 31 and 34: bodies in the gravity of a mass and in water; numerical integrators alone.
#include "shared/forces/integrators.h"
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

namespace jostle::physics::laws {
namespace {

constexpr double attraction = 400;  // G·M, m³/s²
constexpr double radius = 16;       // m; the period is 2π·√(r³/GM) = 20.1 s

ForceFieldHandle add_attraction(World& world) {
  forces::Attraction field;
  field.law.strength = static_cast<float>(attraction);
  return world.create_force_field({field, {}});
}

/// Adds a planet at the periapsis of an orbit with the eccentricity `e` and the semi-major axis
/// `radius`.
BodyHandle add_planet(World& world, double e) {
  const BodyHandle planet = add_dynamic(world, {radius * (1 - e), 0, 0}, state::sphere(0.1f));
  const double speed = std::sqrt(attraction / radius * (1 + e) / (1 - e));
  world.set_velocity(planet, {0, 0, static_cast<float>(speed)}, {});
  return planet;
}

/// Returns the energy per kilogram, J/kg.
double energy_of(const World& world, BodyHandle planet) {
  const Position v = math::to_position(world.linear_velocity(planet));
  return 0.5 * size_of(v) * size_of(v) - attraction / size_of(world.centre_of_mass(planet));
}

double turn_seconds() {
  return 2 * pi * std::sqrt(radius * radius * radius / attraction);
}

constexpr int turns = 100;

/// Returns the largest error of the distance from the centre, relative to the radius of the circle.
double circle_error() {
  World world(without_gravity());
  add_attraction(world);
  const BodyHandle planet = add_planet(world, 0);
  double worst = 0;
  for (int i = 0; i < static_cast<int>(turns * turn_seconds() / step); ++i) {
    world.step();
    worst = std::max(worst, relative(size_of(world.centre_of_mass(planet)), radius));
  }
  return worst;
}

/// Returns the relative error of the angle after 100 turns.
double period_error() {
  World world(without_gravity());
  add_attraction(world);
  const BodyHandle planet = add_planet(world, 0);
  const int steps = static_cast<int>(turns * turn_seconds() / step);
  double angle = 0, before = 0;
  for (int i = 0; i < steps; ++i) {
    world.step();
    const Position at = world.centre_of_mass(planet);
    const double now = std::atan2(at.z, at.x);
    angle += std::remainder(now - before, 2 * pi);
    before = now;
  }
  return relative(angle, 2 * pi * steps * step / turn_seconds());
}

double orbit_energy_error() {
  World world(without_gravity());
  add_attraction(world);
  const BodyHandle planet = add_planet(world, 0.3);
  const double energy = energy_of(world, planet);
  double worst = 0;
  for (int i = 0; i < static_cast<int>(turns * turn_seconds() / step); ++i) {
    world.step();
    worst = std::max(worst, relative(energy_of(world, planet), energy));
  }
  return worst;
}

constexpr float block_height = 0.8f;  // m

BodyHandle add_block(World& world, float density, double above) {
  ShapeDef def = shape_def(state::box({0.6f, 0.5f * block_height, 0.7f}));
  def.density = density;
  const double depth = static_cast<double>(block_height * density) / 1000;
  const double middle = 0.5 * static_cast<double>(block_height) - depth;
  return add_body(world, MotionType::Dynamic, {{0, middle + above, 0}, {}}, def);
}

/// Returns the largest error of the depth at which a block rests in water with drag.
double depth_error() {
  double worst = 0;
  for (const float density : {100.0f, 400.0f, 600.0f, 900.0f}) {
    World world(without_sleep());
    forces::Fluid water;
    water.linear = 2;
    water.angular = 2;
    world.create_force_field({water, {}});
    const BodyHandle block = add_block(world, density, 0.05);
    run(world, 1200);
    const double depth = 0.5 * static_cast<double>(block_height) - world.centre_of_mass(block).y;
    worst = std::max(worst, relative(depth, static_cast<double>(block_height * density) / 1000));
  }
  return worst;
}

/// Returns the largest error of the period over 20 oscillations of a block that bobs by a
/// centimetre in water without drag.
double bobbing_error() {
  double worst = 0;
  for (const float density : {200.0f, 500.0f, 800.0f}) {
    World world(without_sleep());
    world.create_force_field({forces::Fluid{}, {}});
    const BodyHandle block = add_block(world, density, 0.01);
    const double rest = world.centre_of_mass(block).y - 0.01;
    const double period =
        2 * pi * std::sqrt(static_cast<double>(block_height * density) / (1000 * g));
    double before = 0.01, first = 0, last = 0;
    int crossings = 0;
    for (int i = 1; crossings <= 40; ++i) {
      world.step();
      const double now = world.centre_of_mass(block).y - rest;
      if ((now < 0) != (before < 0)) {
        last = (i - now / (now - before)) * step;
        if (crossings++ == 0) first = last;
      }
      before = now;
      if (i > 6000) return 1;
    }
    worst = std::max(worst, relative((last - first) / 20, period));
  }
  return worst;
}

using forces::Integrator;
using math::Vec3d;

/// Returns the position of a planet after a second, computed in doubles with `steps` steps. The
/// planet moves on an ellipse near the mass, and an additional force changes with time.
Vec3d place_after_a_second(Integrator integrator, int steps) {
  const auto acceleration = [](Vec3d x, Vec3d, double t) {
    const double r = length(x);
    return x * (-1 / (r * r * r)) + Vec3d{0.2 * t, 0, 0.1 * t * t};
  };
  forces::MotionState<Vec3d> state{{0.7, 0, 0.1}, {0, 1.3, 0}};
  const double h = 1.0 / steps;
  for (int i = 0; i < steps; ++i)
    state = forces::advanced(integrator, state, i * h, h, acceleration);
  return state.position;
}

/// Returns the difference between `order` and the slope of the error over the step length on a
/// log-log scale.
template <Integrator integrator, int order>
double order_error() {
  constexpr int coarse = 64, fine = 256;
  const Vec3d exact = place_after_a_second(Integrator::RungeKutta4, 16'384);
  const auto error = [&](int steps) {
    return length(place_after_a_second(integrator, steps) - exact);
  };
  const double slope = std::log(error(coarse) / error(fine)) / std::log(double{fine} / coarse);
  return std::abs(slope - order);
}

constexpr Law laws[]{
    {4, "circular orbit, 100 turns of 1,206 steps: radius", "constant", "", "", 1e-3, circle_error},
    {4, "circular orbit, 100 turns of 1,206 steps: period", "2π√(r³/GM)", "", "", 1e-4,
     period_error},
    {4, "orbit with e = 0.3, 100 turns: energy", "constant", "", "", 1e-4, orbit_energy_error},
    {31, "floating blocks of 100 to 900 kg/m³: depth", "ρ/ρ_w·h", "", "", 0.01, depth_error},
    {31, "floating blocks that bob without drag: period", "2π√(ρh/(ρ_w g))", "", "", 0.01,
     bobbing_error},
    {34, "explicit Euler: order of convergence", "order 1", "", "", 0.1,
     order_error<Integrator::ExplicitEuler, 1>},
    {34, "backward Euler: order of convergence", "order 1", "", "", 0.1,
     order_error<Integrator::BackwardEuler, 1>},
    {34, "semi-implicit Euler: order of convergence", "order 1", "", "", 0.1,
     order_error<Integrator::SemiImplicitEuler, 1>},
    {34, "midpoint: order of convergence", "order 2", "", "", 0.1,
     order_error<Integrator::Midpoint, 2>},
    {34, "position Verlet: order of convergence", "order 2", "", "", 0.1,
     order_error<Integrator::PositionVerlet, 2>},
    {34, "velocity Verlet: order of convergence", "order 2", "", "", 0.1,
     order_error<Integrator::VelocityVerlet, 2>},
    {34, "Runge–Kutta: order of convergence", "order 4", "", "", 0.1,
     order_error<Integrator::RungeKutta4, 4>},
};

}  // namespace

std::span<const Law> field_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
