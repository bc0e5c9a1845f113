// Rows 1, 2, 17, 18, 19 and 38: free bodies without contacts.
#include "tests/physics_laws/free_tumble.h"
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

namespace jostle::physics::laws {
namespace {

/// Returns the error of the position after t = 2 s, against v·t − g·t²/2 along y with the initial
/// speed v.
double fall_error(float speed) {
  World world(without_sleep());
  const BodyHandle body = add_dynamic(world, {0, 100, 0}, state::box({0.3f, 0.4f, 0.5f}));
  world.set_velocity(body, {3, speed, -2}, {1, 2, 3});
  run(world, 120);
  const double t = 2, v = static_cast<double>(speed);
  return distance(world.centre_of_mass(body), {3 * t, 100 + v * t - g * t * t / 2, -2 * t});
}

/// Returns the largest relative error of velocity and displacement after 2 s with the linear
/// damping c. The exact velocity along y is v₀·e^−ct − (g/c)·(1 − e^−ct), with the initial velocity
/// v₀. The exact displacement is its integral.
double drag_error() {
  double worst = 0;
  for (const float damping : {0.1f, 0.5f, 2.0f, 50.0f, 5'000.0f}) {
    World world(without_sleep());
    BodyDef def;
    def.linear_damping = damping;
    def.linear_velocity = {10, 20, 0};
    const BodyHandle body = world.create_body(def);
    world.add_shape(body, shape_def(state::sphere(0.5f)));
    run(world, 120);
    const double t = 2, c = static_cast<double>(damping), left = std::exp(-c * t);
    const Position way{10 / c * (1 - left), (20 + g / c) / c * (1 - left) - g / c * t, 0};
    const Position speed{10 * left, 20 * left - g / c * (1 - left), 0};
    const Position is = math::to_position(world.linear_velocity(body));
    worst = std::max({worst, distance(is, speed) / size_of(speed),
                      distance(world.centre_of_mass(body), way) / size_of(way)});
  }
  return worst;
}

struct TumbleErrors {
  double energy = 0, momentum = 0;  // relative
  double orientation = 0;           // rad
};

/// Simulates a tumbling box for five seconds and compares it with the exact solution.
TumbleErrors tumble_errors() {
  World world(without_gravity());
  const Vec3 half{0.1f, 0.2f, 0.3f}, spin{2, 5, 3};
  const BodyHandle body = add_dynamic(world, {}, state::box(half));
  world.set_velocity(body, {}, spin);
  FreeTumble exact(half, static_cast<double>(world.mass(body)), spin);
  const double energy = kinetic_energy(world, body);
  const Vec3 momentum = angular_momentum(world, body);
  TumbleErrors worst;
  for (int i = 0; i < 300; ++i) {
    world.step();
    exact.go_on(step);
    worst.energy = std::max(worst.energy, relative(kinetic_energy(world, body), energy));
    worst.momentum = std::max(
        worst.momentum,
        static_cast<double>(length(angular_momentum(world, body) - momentum) / length(momentum)));
    worst.orientation = std::max(worst.orientation, exact.angle_to(world.pose(body).rotation));
  }
  return worst;
}

struct Flips {
  std::vector<double> times;  // s, when the spin about the intermediate axis changes sign
  double energy_error = 0;    // relative
};

/// Measures the flips of a body that spins about its intermediate axis (the Dzhanibekov effect).
Flips flips() {
  World world(without_gravity());
  const BodyHandle body = add_dynamic(world, {}, state::box({0.1f, 0.2f, 0.3f}));
  world.set_velocity(body, {}, {0.05f, 5, 0.05f});
  const double energy = kinetic_energy(world, body);
  Flips result;
  double before = 5;
  for (int i = 1; i <= 6000; ++i) {
    world.step();
    const Vec3 local = inverse_rotate(world.pose(body).rotation, world.angular_velocity(body));
    const double spin = static_cast<double>(local.y);
    // Interpolate linearly between the two steps.
    if ((spin < 0) != (before < 0)) result.times.push_back((i - spin / (spin - before)) * step);
    before = spin;
    result.energy_error =
        std::max(result.energy_error, relative(kinetic_energy(world, body), energy));
  }
  return result;
}

double flip_time_error() {
  constexpr double expected[]{2.097, 7.207, 12.317};
  const Flips is = flips();
  if (is.times.size() < 3) return 100;
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i)
    worst = std::max(worst, std::abs(is.times[i] - expected[i]));
  return worst;
}
double missed_flips() {
  return std::abs(20.0 - static_cast<double>(flips().times.size()));
}

/// Returns the error of the precession rate of a symmetric body in the body frame, (I₃ − I₁)/I₁·ω₃
/// with the moments of inertia I₁ across the axis and I₃ along it.
double precession_error() {
  World world(without_gravity());
  const BodyHandle body = add_dynamic(world, {}, state::cylinder(0.3f, 0.5f));
  const math::Mat3 inertia = world.inertia_local(body);
  const double across = static_cast<double>(inertia.cx.x),
               along = static_cast<double>(inertia.cy.y);
  world.set_velocity(body, {}, {1, 6, 0});
  double turned = 0, before = 0;
  constexpr int steps = 1200;
  for (int i = 0; i < steps; ++i) {
    world.step();
    const Vec3 spin = inverse_rotate(world.pose(body).rotation, world.angular_velocity(body));
    const double angle = std::atan2(static_cast<double>(spin.z), static_cast<double>(spin.x));
    turned += std::remainder(angle - before, 2 * pi);
    before = angle;
  }
  const double expected = std::abs((along - across) / across * 6);
  return relative(std::abs(turned) / (steps * step), expected);
}

struct SpinErrors {
  double energy = 0, momentum = 0;  // relative
};

/// Spins free bodies for 60 s: rods and nearly flat bodies with moments of inertia of 1 : 4 to 1 :
/// 100, at 5 to 150 rad/s about directions near their axes and between them.
SpinErrors spin_errors() {
  static const SpinErrors worst = [] {
    SpinErrors sum;
    for (const float ratio : {4.0f, 30.0f, 100.0f}) {
      for (const Vec3 direction :
           {Vec3{1, 0.03f, 0.01f}, Vec3{0.02f, 1, 0.03f}, Vec3{0.5f, 0.6f, 0.6f}}) {
        for (const float speed : {5.0f, 150.0f}) {
          World world(laws::without_gravity());
          BodyDef def;
          def.mass = 2;
          def.inertia =
              math::Mat3{{1e-3f, 0, 0}, {0, (ratio - 0.4f) * 1e-3f, 0}, {0, 0, ratio * 1e-3f}};
          const BodyHandle body = world.create_body(def);
          world.add_shape(body, ghost(state::sphere(0.1f)));
          world.set_velocity(body, {}, normalized_or(direction, Vec3{}) * speed);
          const double energy = kinetic_energy(world, body);
          const Vec3 momentum = angular_momentum(world, body);
          for (int i = 0; i < 3600; ++i) {
            world.step();
            sum.energy = std::max(sum.energy, relative(kinetic_energy(world, body), energy));
            const Vec3 change = angular_momentum(world, body) - momentum;
            sum.momentum =
                std::max(sum.momentum, static_cast<double>(length(change) / length(momentum)));
          }
        }
      }
    }
    return sum;
  }();
  return worst;
}

/// Returns the largest position error, in m, of a throw at 30 to 1,000 steps per second.
double rate_error() {
  double worst = 0;
  for (const int hertz : {30, 100, 480, 1000}) {
    WorldOptions options = without_sleep();
    options.step_seconds = 1.0f / static_cast<float>(hertz);
    World world(options);
    const BodyHandle body = add_dynamic(world, {0, 500, 0}, state::box({0.2f, 0.1f, 0.4f}));
    world.set_velocity(body, {7, 25, -1}, {2, 0, 1});
    run(world, 3 * hertz);
    worst = std::max(worst, distance(world.centre_of_mass(body), {21, 500 + 75 - g * 4.5, -3}));
  }
  return worst;
}

constexpr Law laws[]{
    {1, "free fall, 2 s", "v₀T + gT²/2", "Jolt 0.163 m, Box3D 0.041 m", "m", 3e-4,
     [] { return fall_error(0); }},
    {1, "throw downwards at 7 m/s, 2 s", "v₀T + gT²/2", "Jolt 0.163 m, Box3D 0.041 m", "m", 3e-4,
     [] { return fall_error(-7); }},
    {2, "projectile with linear drag: velocity and displacement", "v₀e^−ct + g/c(1−e^−ct)", "O(h)",
     "", 1e-4, drag_error},
    {17, "torque-free tumble, 5 s: energy", "constant", "0.93 to 0.97 of the initial", "", 1e-5,
     [] { return tumble_errors().energy; }},
    {17, "torque-free tumble, 5 s: angular momentum (I·ω in floats)", "constant", "", "", 2e-6,
     [] { return tumble_errors().momentum; }},
    {17, "torque-free tumble, 5 s: orientation", "the exact solution", "", "rad", 1e-3,
     [] { return tumble_errors().orientation; }},
    {18, "Dzhanibekov effect: times of the first three flips", "2.097, 7.207, 12.317 s", "", "s",
     0.02, flip_time_error},
    {18, "Dzhanibekov effect: missing flips in 100 s", "20 flips", "15 of 20", "flips", 0,
     missed_flips},
    {18, "Dzhanibekov effect: energy", "constant", "0.69 of the initial", "", 2e-5,
     [] { return flips().energy_error; }},
    {38, "free bodies, moments 1 : 4 to 1 : 100, 5 to 150 rad/s, 60 s: energy", "constant", "", "",
     1e-4, [] { return spin_errors().energy; }},
    {38, "free bodies, moments 1 : 4 to 1 : 100, 5 to 150 rad/s, 60 s: angular momentum",
     "constant", "", "", 1e-4, [] { return spin_errors().momentum; }},
    {38, "throw, 3 s, at 30 to 1,000 Hz", "v₀T + gT²/2", "", "m", 3e-4, rate_error},
    {19, "symmetric top: precession rate", "(I₃−I₁)/I₁·ω₃", "", "", 5e-4, precession_error},
};

}  // namespace

std::span<const Law> free_motion_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
