// Rows 3, 5, 6 and 20: oscillation and precession on springs and joints.
#include "tests/physics/joint_scenes.h"
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

namespace jostle::physics::laws {
namespace {

struct SwingErrors {
  double period = 0, decay = 0;  // relative
};

/// Measures a bob on a spring, without gravity, against ω_d = ω√(1−ζ²) and e^−ζωt: ω is the
/// undamped and ω_d the damped angular frequency, ζ the damping ratio. The measured values are the
/// times at which the bob passes its rest position, and the remaining amplitude at these times.
SwingErrors spring_errors(double hertz, double ratio) {
  World world(without_gravity());
  const BodyHandle pivot = add_anchor(world, {});
  const BodyHandle bob =
      add_body(world, MotionType::Dynamic, {{2.5, 0, 0}, {}}, ghost(state::sphere(0.1f)));
  JointDef def = make_distance_joint_def(world, pivot, bob, {}, {2.5, 0, 0});
  def.rest = 2;
  def.spring = {true, static_cast<float>(hertz), static_cast<float>(ratio)};
  world.create_joint(def);
  const double omega = 2 * pi * hertz, damped = omega * std::sqrt(1 - ratio * ratio);
  double first = 0, last = 0, before = 0.5, first_swing = 0, last_swing = 0;
  int halves = -1;
  for (int i = 1; i <= 300 && halves < 8; ++i) {
    world.step();
    const double x = world.centre_of_mass(bob).x - 2;
    if (x * before < 0) {
      const double now = (i - x / (x - before)) * step;
      // Unlike the speed, this amplitude does not depend on the phase.
      const double v = static_cast<double>(world.linear_velocity(bob).x);
      const double swing = std::sqrt(v * v + 2 * ratio * omega * x * v + omega * omega * x * x);
      if (halves < 0) {
        first = now;
        first_swing = swing;
      }
      last = now;
      last_swing = swing;
      ++halves;
    }
    before = x;
  }
  SwingErrors errors;
  errors.period = relative((last - first) / halves, pi / damped);
  const double decay = std::log(first_swing / last_swing) / (last - first);
  errors.decay = std::abs(decay - ratio * omega) / (ratio > 0 ? ratio * omega : omega);
  return errors;
}

SwingErrors worst_spring() {
  SwingErrors worst;
  for (const double hertz : {1.0, 2.0, 3.8}) {  // at 3.8 Hz, ω times the substep is 0.1
    const SwingErrors free = spring_errors(hertz, 0), damped = spring_errors(hertz, 0.05);
    worst.period = std::max({worst.period, free.period, damped.period});
    worst.decay = std::max({worst.decay, free.decay, damped.decay});
  }
  return worst;
}

/// Returns the largest error of the sag of a weight on a critically damped spring with the angular
/// frequency ω, along a vertical slider. After a minute, the weight hangs g/ω² below the rest
/// position of the spring, however soft the spring is.
double sag_error() {
  double worst = 0;
  for (const double hertz : {0.02, 0.1, 0.5, 2.0, 3.8}) {
    World world(without_sleep());
    const BodyHandle pivot = add_anchor(world, {});
    const BodyHandle weight = add_body(world, MotionType::Dynamic, {}, ghost(state::sphere(0.1f)));
    JointDef def = make_joint_def(world, JointKind::Slider, pivot, weight, {}, {0, 1, 0});
    def.spring = {true, static_cast<float>(hertz), 1};
    world.create_joint(def);
    const double sag = g / (2 * pi * hertz * 2 * pi * hertz);
    world.set_pose(weight, {{0, -sag, 0}, {}});
    run(world, 3600);
    worst = std::max(worst, relative(-world.centre_of_mass(weight).y, sag));
  }
  return worst;
}

/// Returns the exact period T = 4·√(L/g)·K(sin θ/2) of a pendulum with the length L and the
/// amplitude θ. The elliptic integral K is computed by the arithmetic-geometric mean.
double pendulum_period(double length, double amplitude) {
  double a = 1, b = std::cos(amplitude / 2);
  for (int i = 0; i < 20; ++i) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2 * pi * std::sqrt(length / g) / a;
}

struct PendulumErrors {
  // relative errors; that of the energy is relative to the potential energy of the swing
  double period = 0, energy = 0;
};

PendulumErrors pendulum_errors(float degrees) {
  const float amplitude = degrees * math::pi / 180.0f;
  World world(without_sleep());
  const BodyHandle pivot = add_anchor(world, {});
  const math::Quat turned = math::from_axis_angle({0, 0, 1}, amplitude);
  const BodyHandle bob =
      add_body(world, MotionType::Dynamic, {Position{} + rotate(turned, Vec3{0, -1, 0}), turned},
               ghost(state::box({0.1f, 0.3f, 0.05f})));
  world.create_joint(make_joint_def(world, JointKind::Hinge, pivot, bob, {}, {0, 0, 1}));
  const double mass = static_cast<double>(world.mass(bob));
  const double inertia = static_cast<double>(world.inertia_local(bob).cz.z) + mass;
  const double energy = total_energy(world), scale = energy + mass * g;

  PendulumErrors errors;
  double first = 0, last = 0, x_before = world.centre_of_mass(bob).x, v_before = 0;
  int turns = -1;
  for (int i = 0; i < 3600; ++i) {
    world.step();
    const double x = world.centre_of_mass(bob).x;
    const double v = static_cast<double>(world.linear_velocity(bob).x);
    errors.energy = std::max(errors.energy, std::abs(total_energy(world) - energy) / scale);
    if (x_before > 0 && x <= 0) {
      // Near the middle x is almost a straight line; the mean speed corrects for its curvature.
      last = (i + x_before / -((v_before + v) * step / 2)) * step;
      if (turns < 0) first = last;
      ++turns;
    }
    x_before = x;
    v_before = v;
  }
  const double period = pendulum_period(inertia / mass, static_cast<double>(amplitude));
  errors.period = relative((last - first) / turns, period);
  return errors;
}
PendulumErrors worst_pendulum() {
  PendulumErrors worst;
  for (const float degrees : {10.0f, 60.0f, 90.0f}) {
    const PendulumErrors errors = pendulum_errors(degrees);
    worst.period = std::max(worst.period, errors.period);
    worst.energy = std::max(worst.energy, errors.energy);
  }
  return worst;
}

/// Returns the largest difference of the lean of a conical pendulum from its initial value, in
/// degrees.
double conical_error() {
  World world(without_sleep());
  const BodyHandle pivot = add_anchor(world, {});
  // The bob's own moment of inertia lengthens the equivalent arm to 1 + 0.4·`radius`² m. This value
  // neglects that the bob also rotates about the arm, which cancels the effect. The error of the
  // lean is at most 0.02°, less than the target.
  const double lean = 0.6, radius = 0.05, arm = 1 + 0.4 * radius * radius;
  const BodyHandle bob =
      add_body(world, MotionType::Dynamic, {{std::sin(lean), -std::cos(lean), 0}, {}},
               ghost(state::sphere(static_cast<float>(radius))));
  world.create_joint(make_joint_def(world, JointKind::Ball, pivot, bob, {}, {0, 1, 0}));
  const double omega = std::sqrt(g / (arm * std::cos(lean)));
  world.set_velocity(bob, {0, 0, static_cast<float>(-omega * std::sin(lean))},
                     {0, static_cast<float>(omega), 0});
  double worst = 0;
  for (int i = 0; i < 1200; ++i) {
    world.step();
    const Position at = world.centre_of_mass(bob);
    worst = std::max(worst, std::abs(std::atan2(std::hypot(at.x, at.z), -at.y) - lean) / degree);
  }
  return worst;
}

/// Returns the error of the precession rate Ω of a disc on a shaft whose end is held by a ball
/// joint. I₁ is the moment of inertia about the pivot across the axis, I₃ along the axis, r the
/// distance of the centre of mass. The top starts in steady slow precession at the lean θ,
/// I₁cosθ·Ω² − I₃ω₃·Ω + mgr = 0, and runs for ten turns.
double heavy_top_error() {
  World world(without_sleep());
  const double lean = 0.5, arm = 0.5, spin = 60;
  const BodyHandle pivot = add_anchor(world, {});
  const Vec3 axis{static_cast<float>(std::sin(lean)), static_cast<float>(std::cos(lean)), 0};
  const math::Quat turned = math::from_axis_angle({0, 0, 1}, static_cast<float>(-lean));
  const BodyHandle top = add_body(world, MotionType::Dynamic,
                                  {math::to_position(axis * static_cast<float>(arm)), turned},
                                  ghost(state::cylinder(0.3f, 0.05f)));
  world.create_joint(make_joint_def(world, JointKind::Ball, pivot, top, {}, {0, 1, 0}));
  const double mass = static_cast<double>(world.mass(top));
  const math::Mat3 inertia = world.inertia_local(top);
  const double across = static_cast<double>(inertia.cx.x) + mass * arm * arm;
  const double along = static_cast<double>(inertia.cy.y);
  const double a = across * std::cos(lean), b = along * spin, c = mass * g * arm;
  const double rate = 2 * c / (b + std::sqrt(b * b - 4 * a * c));  // the slow precession
  const Vec3 angular = Vec3{0, static_cast<float>(rate), 0} +
                       axis * static_cast<float>(spin - rate * std::cos(lean));
  world.set_velocity(top, cross(angular, axis * static_cast<float>(arm)), angular);
  const int steps = static_cast<int>(10 * 2 * pi / rate / step);
  double turned_by = 0, before = 0;
  for (int i = 0; i < steps; ++i) {
    world.step();
    const Position at = world.centre_of_mass(top);
    const double angle = std::atan2(-at.z, at.x);
    turned_by += std::remainder(angle - before, 2 * pi);
    before = angle;
  }
  return relative(turned_by / (steps * step), rate);
}

constexpr Law laws[]{
    {3, "springs of 1, 2 and 3.8 Hz: period, ζ = 0 and 0.05", "2π/(ω√(1−ζ²))", "extra damping", "",
     1e-3, [] { return worst_spring().period; }},
    {3, "springs of 1, 2 and 3.8 Hz: decay rate, relative to ζω (to ω if ζ = 0)", "e^−ζωt",
     "extra damping", "", 1e-2, [] { return worst_spring().decay; }},
    {3, "springs of 0.02 to 3.8 Hz: sag under a weight", "g/ω²", "", "", 5e-3, sag_error},
    {5, "pendulum at 10, 60, 90°, 60 s: period", "4√(L/g)·K(sin θ/2)",
     "Box3D 3e-4, Jolt 6 % (model)", "", 5e-5, [] { return worst_pendulum().period; }},
    {5, "pendulum at 10, 60, 90°, 60 s: energy", "constant", "Box3D −1.2 %, Jolt −88 % (model)", "",
     1e-3, [] { return worst_pendulum().energy; }},
    {6, "conical pendulum: angle", "cos θ = g/(ω²L)", "", "°", 0.1, conical_error},
    {20, "heavy top: precession rate over 10 turns", "I₁cosθΩ² − I₃ω₃Ω + mgr = 0", "", "", 5e-3,
     heavy_top_error},
};

}  // namespace

std::span<const Law> swing_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
