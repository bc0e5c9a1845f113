// Rows 11 to 15: sliding, rolling and toppling. Row 35: static friction above dynamic friction.
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

namespace jostle::physics::laws {
namespace {

struct Slide {
  double way = 0;           // m in two seconds
  double acceleration = 0;  // m/s² in the second of these seconds
};

Slide slide(double tilt, float friction, double heading) {
  WorldOptions options = without_sleep();
  options.gravity = gravity_of_slope(tilt, heading);
  World world(options);
  add_ground(world, Material{friction});
  const BodyHandle box = add_body(world, MotionType::Dynamic, {{0, 0.25, 0}, {}},
                                  with(state::box({0.5f, 0.25f, 0.5f}), Material{friction}));
  run(world, 60);
  const Vec3 before = world.linear_velocity(box);
  run(world, 60);
  const Position at = world.centre_of_mass(box);
  return {std::hypot(at.x, at.z), static_cast<double>(length(world.linear_velocity(box) - before))};
}

constexpr int directions = 12;

/// Returns the largest error, in degrees, of the slope at which a box begins to slide, against atan
/// μ.
double onset_error() {
  constexpr double finest = 0.005;  // degrees
  double worst = 0;
  for (const float friction : {0.3f, 0.6f}) {
    const double onset = std::atan(static_cast<double>(friction)) / degree;
    for (int i = 0; i < directions; ++i) {
      const double heading = i * 2 * pi / directions;
      double holds = -1, slides = 1;  // degrees from the onset
      while (slides - holds > finest) {
        const double middle = (holds + slides) / 2;
        const bool does_slide = slide((onset + middle) * degree, friction, heading).way > 1e-3;
        (does_slide ? slides : holds) = middle;
      }
      worst = std::max({worst, std::abs(holds), std::abs(slides)});
    }
  }
  return worst;
}

double slide_error() {
  double worst = 0;
  for (const float friction : {0.3f, 0.6f}) {
    const double mu = static_cast<double>(friction), tilt = std::atan(mu) + 10 * degree;
    const double expected = g * (std::sin(tilt) - mu * std::cos(tilt));
    for (int i = 0; i < directions; ++i) {
      const double heading = i * 2 * pi / directions;
      worst = std::max(worst, relative(slide(tilt, friction, heading).acceleration, expected));
    }
  }
  return worst;
}

/// Returns the error of the distance in which a box with 5 m/s and μ = 0.5 stops, against v²/(2μg).
double stop_error() {
  double worst = 0;
  for (const float heading : {0.0f, 0.3f, 0.7854f, 2.0f}) {
    World world(without_sleep());
    add_ground(world, Material{0.5f});
    const BodyHandle box = add_body(world, MotionType::Dynamic, {{0, 0.1, 0}, {}},
                                    with(state::box({0.5f, 0.1f, 0.5f}), Material{0.5f}));
    run(world, 30);
    const Position start = world.centre_of_mass(box);
    world.set_velocity(box, Vec3{std::cos(heading), 0, std::sin(heading)} * 5.0f, {});
    run(world, 120);
    worst = std::max(worst, relative(distance(world.centre_of_mass(box), start), 25 / g));
  }
  return worst;
}

/// Returns the inertia tensor of a hollow body with the moment of inertia `moment` about its axis
/// y. For a shell, all moments are equal. For a hoop, the other moments are half of `moment`.
math::Mat3 hollow_inertia(const state::Shape& shape, double moment) {
  const double across = shape.kind == state::ShapeKind::Sphere ? moment : moment / 2;
  return math::diagonal(math::to_vec3({across, moment, across}));
}

/// Returns the error of the acceleration of a body that rolls down a slope without slipping,
/// against `share`·g·sin θ. `moment` is the moment of inertia about the rolling axis divided by
/// m·r². If it is 0, the body has the inertia of the solid shape.
double roll_error(const state::Shape& shape, double radius, double share, double moment = 0) {
  const double tilt = 0.2;
  WorldOptions options = without_sleep();
  options.gravity = gravity_of_slope(tilt);
  World world(options);
  add_ground(world);
  BodyDef def;
  def.pose = {{0, radius, 0}, lying_along_z()};
  if (moment > 0) {
    def.mass = 3;
    def.inertia = hollow_inertia(shape, moment * 3 * radius * radius);
  }
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(shape));
  run(world, 60);
  const float before = world.linear_velocity(body).x;
  run(world, 60);
  return relative(static_cast<double>(world.linear_velocity(body).x - before),
                  share * g * std::sin(tilt));
}

/// Errors of a ball that slides at the speed v₀ without spin: it starts to roll after 2v₀/(7μg), at
/// 5/7 of v₀.
struct SlipErrors {
  double time = 0, speed = 0;  // relative
};
SlipErrors slip_errors() {
  World world(without_sleep());
  add_ground(world, Material{0.3f});
  const BodyHandle ball = add_body(world, MotionType::Dynamic, {{0, 0.5, 0}, {}},
                                   with(state::sphere(0.5f), Material{0.3f}));
  world.set_velocity(ball, {5, 0, 0}, {});
  double before = 5, rolls_at = 0;
  for (int i = 1; i <= 120; ++i) {
    world.step();
    const double slip =
        static_cast<double>(world.linear_velocity(ball).x + world.angular_velocity(ball).z * 0.5f);
    // The slip decreases linearly to zero, so the last step with slip gives the time by
    // extrapolation.
    if (slip > 1e-3) rolls_at = (i + slip / (before - slip)) * step;
    before = slip;
  }
  return {relative(rolls_at, 10 / (7 * 0.3 * g)),
          relative(static_cast<double>(world.linear_velocity(ball).x), 25.0 / 7)};
}

/// Returns the error, in degrees, of the slope at which a tall box begins to topple. The exact
/// slope θ has tan θ = b/h, the box's width divided by its height.
double topple_error() {
  const double edge = std::atan2(0.5, 1.0) / degree;
  double stands = -2, topples = 2;
  while (topples - stands > 0.01) {
    const double middle = (stands + topples) / 2;
    WorldOptions options = without_sleep();
    options.gravity = gravity_of_slope((edge + middle) * degree);
    World world(options);
    add_ground(world, Material{2});
    const BodyHandle box = add_body(world, MotionType::Dynamic, {{0, 1, 0}, {}},
                                    with(state::box({0.5f, 1, 0.5f}), Material{2}));
    run(world, 600);
    const bool has_toppled = rotate(world.pose(box).rotation, {0, 1, 0}).y < 0.9f;
    (has_toppled ? topples : stands) = middle;
  }
  return std::max(std::abs(stands), std::abs(topples));
}

Material sticking(double mu_static, double mu_sliding) {
  Material material;
  material.friction = static_cast<float>(mu_sliding);
  material.static_friction = static_cast<float>(mu_static);
  return material;
}

/// A flat box at rest on a slope that descends towards `heading`.
struct Slope {
  World world;
  BodyHandle box;
};
Slope slope_with(const Material& material, double tilt, double heading) {
  WorldOptions options = without_sleep();
  options.gravity = gravity_of_slope(tilt, heading);
  Slope slope{World(options), {}};
  add_ground(slope.world, material);
  slope.box = add_body(slope.world, MotionType::Dynamic, {{0, 0.1, 0}, {}},
                       with(state::box({0.5f, 0.1f, 0.5f}), material));
  return slope;
}

/// Returns the largest error, in degrees, of the slope at which a resting box begins to slide,
/// against atan μs.
double static_onset_error() {
  constexpr double finest = 0.005;  // degrees
  double worst = 0;
  for (const double mu : {0.5, 0.8}) {
    const double onset = std::atan(mu) / degree;
    for (int i = 0; i < directions; ++i) {
      double holds = -1, slides = 1;  // degrees from the onset
      while (slides - holds > finest) {
        const double middle = (holds + slides) / 2;
        Slope slope =
            slope_with(sticking(mu, 0.3), (onset + middle) * degree, i * 2 * pi / directions);
        run(slope.world, 120);
        const Position at = slope.world.centre_of_mass(slope.box);
        (std::hypot(at.x, at.z) > 1e-3 ? slides : holds) = middle;
      }
      worst = std::max({worst, std::abs(holds), std::abs(slides)});
    }
  }
  return worst;
}

/// Returns the error of the acceleration of a moving box, on slopes between the angles of dynamic
/// and static friction.
double loose_error() {
  double worst = 0;
  for (const double tilt : {20 * degree, 28 * degree}) {
    for (int i = 0; i < directions; ++i) {
      const double heading = i * 2 * pi / directions;
      Slope slope = slope_with(sticking(0.6, 0.3), tilt, heading);
      run(slope.world, 30);
      slope.world.set_velocity(
          slope.box, math::to_vec3({0.1 * std::cos(heading), 0, 0.1 * std::sin(heading)}), {});
      run(slope.world, 10);
      const Vec3 before = slope.world.linear_velocity(slope.box);
      run(slope.world, 60);
      const Vec3 gained = slope.world.linear_velocity(slope.box) - before;
      worst = std::max(worst, relative(static_cast<double>(length(gained)),
                                       g * (std::sin(tilt) - 0.3 * std::cos(tilt))));
    }
  }
  return worst;
}

/// Returns the error of the distance that a box slides up a slope before it stops and stays,
/// against v²/(2g(sin θ + μd cos θ)). The slope is between the angles of dynamic and static
/// friction.
double turn_error() {
  const double tilt = 25 * degree;
  double worst = 0;
  for (int i = 0; i < directions; ++i) {
    const double heading = i * 2 * pi / directions, speed = 3 + 0.01 * i;
    Slope slope = slope_with(sticking(0.6, 0.3), tilt, heading);
    run(slope.world, 30);
    const Position start = slope.world.centre_of_mass(slope.box);
    slope.world.set_velocity(
        slope.box, math::to_vec3({-speed * std::cos(heading), 0, -speed * std::sin(heading)}), {});
    run(slope.world, 180);
    const double way = speed * speed / (2 * g * (std::sin(tilt) + 0.3 * std::cos(tilt)));
    worst = std::max(worst, relative(distance(slope.world.centre_of_mass(slope.box), start), way));
  }
  return worst;
}

// A spring whose end moves at V pulls a box. ω is the angular frequency of the box on the spring,
// μs and μd are the coefficients of static and dynamic friction. The box sticks until the spring
// force reaches μs·mg, then slips from rest to rest by x'' = ω²(Vt - x) + (μs - μd)·g. Let Δ = (μs
// - μd)·g/ω² and r = Δω/V. The slip takes t = 2(π - atan r)/ω and moves the box by 2Δ + Vt. The
// spring is then shorter by 2Δ, so the box sticks for 2Δ/V.
struct StickSlip {
  double slip = 0, period = 0;  // relative errors, worst of several slips
};
StickSlip stick_slip() {
  constexpr double hertz = 1, mu_static = 0.6, mu_sliding = 0.4, speed = 0.05;
  const double omega = 2 * pi * hertz, delta = (mu_static - mu_sliding) * g / (omega * omega);
  const double slip_time = 2 * (pi - std::atan(delta * omega / speed)) / omega;
  World world(without_sleep());
  add_ground(world, sticking(mu_static, mu_sliding));
  const BodyHandle box =
      add_body(world, MotionType::Dynamic, {{0, 0.1, 0}, {}},
               with(state::box({0.5f, 0.1f, 0.5f}), sticking(mu_static, mu_sliding)));
  const BodyHandle cart =
      add_body(world, MotionType::Kinematic, {{2, 0.1, 0}, {}}, ghost(state::sphere(0.05f)));
  JointDef spring = make_distance_joint_def(world, cart, box, {2, 0.1, 0}, {0, 0.1, 0});
  spring.spring = {true, static_cast<float>(hertz), 0, false};
  world.create_joint(spring);
  world.set_velocity(cart, {static_cast<float>(speed), 0, 0}, {});
  std::vector<double> places, starts;  // m; s
  bool was_moving = false;
  for (int i = 1; places.size() < 8 && i < 60 * 60; ++i) {
    const Position before = world.centre_of_mass(box);
    world.step();
    const bool is_moving = world.linear_velocity(box).x > 1e-3f;
    if (is_moving && !was_moving) {
      places.push_back(before.x);
      starts.push_back(i * step);
    }
    was_moving = is_moving;
  }
  StickSlip worst;
  for (std::size_t i = 2; i < places.size(); ++i) {
    worst.slip =
        std::max(worst.slip, relative(places[i] - places[i - 1], 2 * delta + speed * slip_time));
    worst.period =
        std::max(worst.period, relative(starts[i] - starts[i - 1], 2 * delta / speed + slip_time));
  }
  return places.size() == 8 ? worst : StickSlip{1, 1};
}

constexpr Law laws[]{
    {11, "friction on a ramp, 12 directions: onset of sliding", "tan θ = μ",
     "friction pyramids fail diagonally", "°", 0.1, onset_error},
    {11, "friction on a ramp, 12 directions: acceleration", "g(sin θ − μ cos θ)", "", "", 2e-3,
     slide_error},
    {12, "sliding to a stop from 5 m/s, μ = 0.5: distance", "v²/(2μg)", "1e-2 m", "", 2e-3,
     stop_error},
    {13, "rolling down a slope: sphere", "5/7·g·sin θ", "", "", 3e-3,
     [] { return roll_error(state::sphere(0.5f), 0.5, 5.0 / 7); }},
    {13, "rolling down a slope: cylinder", "2/3·g·sin θ", "", "", 3e-3,
     [] { return roll_error(state::cylinder(0.5f, 0.5f), 0.5, 2.0 / 3); }},
    {13, "rolling down a slope: spherical shell", "3/5·g·sin θ", "", "", 3e-3,
     [] { return roll_error(state::sphere(0.5f), 0.5, 3.0 / 5, 2.0 / 3); }},
    {13, "rolling down a slope: hoop", "1/2·g·sin θ", "", "", 3e-3,
     [] { return roll_error(state::cylinder(0.5f, 0.05f), 0.5, 1.0 / 2, 1); }},
    {14, "sliding ball that starts to roll: time", "2v₀/(7μg)", "", "", 5e-3,
     [] { return slip_errors().time; }},
    {14, "sliding ball that starts to roll: speed", "5/7·v₀", "", "", 5e-3,
     [] { return slip_errors().speed; }},
    {15, "tall box on a slope: onset of toppling", "tan θ = b/h", "", "°", 0.3, topple_error},
    {35, "static friction, 12 directions: onset of sliding", "tan θ = μs", "", "°", 0.1,
     static_onset_error},
    {35, "sliding after a kick, 12 directions: acceleration", "g(sin θ − μd cos θ)", "", "", 2e-3,
     loose_error},
    {35, "sliding uphill until it sticks, 12 directions: distance", "v²/(2g(sin θ + μd cos θ))", "",
     "", 2e-3, turn_error},
    {35, "stick-slip on a spring: distance of a slip", "2Δ + Vt, Δ = (μs − μd)g/ω²", "", "", 1e-2,
     [] { return stick_slip().slip; }},
    {35, "stick-slip on a spring: time between slips", "2Δ/V + t", "", "", 1e-2,
     [] { return stick_slip().period; }},
};

}  // namespace

std::span<const Law> friction_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
