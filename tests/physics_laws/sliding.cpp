// Rows 36 and 37: sliding in any direction, and bounces with friction and spin.
#include "tests/physics/collide_oracle.h"
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

#include <functional>

namespace jostle::physics::laws {
namespace {

constexpr float slide_friction = 0.35f;

WorldOptions at_rate(int hertz, int substeps) {
  WorldOptions options = without_sleep();
  options.step_seconds = 1.0f / static_cast<float>(hertz);
  options.substeps = substeps;
  return options;
}

/// A body that slides on a plane, with the height of its centre of mass at rest, m.
struct Slider {
  std::vector<ShapeDef> shapes;
  double height = 0;
};

ShapeDef sliding(const state::Shape& shape, Vec3 at = {}) {
  ShapeDef def = with(shape, Material{slide_friction});
  def.local.offset = at;
  return def;
}

std::vector<Slider> sliders() {
  Slider table{{sliding(state::box({0.9f, 0.05f, 0.4f}))}, 0};
  for (const float x : {-0.8f, 0.8f}) {
    for (const float z : {-0.3f, 0.3f})
      table.shapes.push_back(sliding(state::box({0.05f, 0.15f, 0.05f}), {x, -0.2f, z}));
  }
  table.height = 0.35;
  return {
      {{sliding(state::box({1.2f, 0.15f, 0.3f}))}, 0.15},
      {{sliding(state::box({0.05f, 0.02f, 0.4f}))}, 0.02},
      {{sliding(state::cylinder(0.4f, 0.1f))}, 0.1},
      table,
  };
}

struct SlideErrors {
  double direction = 0;     // degrees
  double deceleration = 0;  // relative
};

/// Slides a body for half of the time in which friction stops it, after it has settled.
SlideErrors slide_errors(const Slider& slider, int hertz, int substeps, double heading) {
  World world(at_rate(hertz, substeps));
  add_ground(world, Material{slide_friction});
  BodyDef def;
  def.pose.position = {0, slider.height, 0};
  const BodyHandle body = world.create_body(def);
  for (const ShapeDef& shape : slider.shapes)
    world.add_shape(body, shape);
  run(world, hertz / 4);
  const double speed = 4;
  const Vec3 velocity = math::to_vec3({speed * std::cos(heading), 0, speed * std::sin(heading)});
  world.set_velocity(body, velocity, {});
  const Position start = world.centre_of_mass(body);
  const double friction = static_cast<double>(slide_friction);
  const int steps = static_cast<int>(0.5 * speed / (friction * g) * hertz);
  run(world, steps);
  const Position end = world.centre_of_mass(body);
  const Vec3 after = world.linear_velocity(body);
  SlideErrors errors;
  const double way = std::atan2(end.z - start.z, end.x - start.x);
  errors.direction = std::abs(way - heading) / degree;
  const double left = std::hypot(static_cast<double>(after.x), static_cast<double>(after.z));
  errors.deceleration = relative((speed - left) * hertz / steps, friction * g);
  return errors;
}

SlideErrors worst_slide() {
  static const SlideErrors worst = [] {
    SlideErrors sum;
    for (const Slider& slider : sliders()) {
      for (const int hertz : {30, 60, 240, 1000}) {
        for (const int substeps : {1, 8}) {
          const SlideErrors found = slide_errors(slider, hertz, substeps, 33 * degree);
          sum.direction = std::max(sum.direction, found.direction);
          sum.deceleration = std::max(sum.deceleration, found.deceleration);
        }
      }
    }
    return sum;
  }();
  return worst;
}

/// Returns the difference between the times at which a disc stops to slide and to turn, relative to
/// the time in which it stops. Both end together whatever their ratio at the start.
double disc_error() {
  double worst = 0;
  for (const float spin : {1.5f, 6.0f, 20.0f}) {
    World world(without_sleep());
    add_ground(world, Material{slide_friction});
    const BodyHandle disc = add_body(world, MotionType::Dynamic, {{0, 0.05, 0}, {}},
                                     sliding(state::cylinder(0.4f, 0.05f)));
    run(world, 15);
    world.set_velocity(disc, {3, 0, 0}, {0, spin, 0});
    int slid = 0, turned = 0;
    for (int i = 1; i <= 300; ++i) {
      world.step();
      if (length(world.linear_velocity(disc)) > 0.03f) slid = i;
      if (std::abs(world.angular_velocity(disc).y) > 0.03f / 0.4f) turned = i;
    }
    worst = std::max(worst, std::abs(slid - turned) / static_cast<double>(std::max(slid, turned)));
  }
  return worst;
}

/// Adds a static plane, box or mesh whose surface is y = 0.
void add_flat_ground(World& world, state::ShapeKind kind, const Material& material) {
  if (kind == state::ShapeKind::Plane) {
    add_ground(world, material);
  } else if (kind == state::ShapeKind::Box) {
    add_body(world, MotionType::Static, {{0, -5, 0}, {}}, with(state::box({60, 5, 60}), material));
  } else {
    const state::Shape flat = grid_mesh(2, 60, [](float, float) { return 0.0f; });
    add_body(world, MotionType::Static, {}, with(flat, material));
  }
}

/// Returns the largest error of the velocity and spin after oblique bounces of balls on `ground`,
/// as a share of the speed before. v is the normal speed, u the speed of the contact point along
/// the plane, and m the mass. The impulse along the normal is (1 + e)·m·v. The ball grips or slips:
/// the impulse against u is the smaller one of 2/7·m·|u| and μ·(1 + e)·m·v.
double oblique_bounce_error(state::ShapeKind ground) {
  struct Ball {
    float radius, speed, restitution, friction, spin;  // spin: that of the surface, m/s
  };
  constexpr Ball balls[]{
      {0.01f, 1, 0.9f, 0.1f, 0},      {0.01f, 30, 0.6f, 0.3f, 40},   {0.05f, 8, 0.3f, 0.9f, -9},
      {0.1f, 100, 1, 0.2f, 0},        {0.1f, 100, 0.7f, 0.05f, 150}, {0.25f, 3, 1, 0.6f, -4},
      {0.5f, 15, 0.5f, 0.02f, 20},    {1, 100, 0.8f, 0.15f, -180},   {1, 2, 0.95f, 0.4f, 1},
      {0.03f, 60, 0.75f, 0.25f, -70},
  };
  double worst = 0;
  for (const Ball& ball : balls) {
    for (const double angle : {25.0, 50.0, 75.0}) {  // of the path to the plane
      WorldOptions options = elastic(without_gravity());
      options.max_angular_speed = 1e5f;
      World world(options);
      Material material{ball.friction};
      material.restitution = ball.restitution;
      add_flat_ground(world, ground, material);
      const auto r = static_cast<double>(ball.radius), v = static_cast<double>(ball.speed);
      const double along = v * std::cos(angle * degree), down = v * std::sin(angle * degree);
      const double turn = static_cast<double>(ball.spin) / r;
      const BodyHandle body = add_body(world, MotionType::Dynamic, {{0, r + 0.04 * v, 0}, {}},
                                       with(state::sphere(ball.radius), material));
      world.set_velocity(body, math::to_vec3({along, -down, 0}), math::to_vec3({0, 0, turn}));
      run(world, 12);
      const double e = static_cast<double>(ball.restitution);
      const double slide = along + r * turn;
      const double most = static_cast<double>(ball.friction) * (1 + e) * down;
      const double grip = std::min(2.0 / 7 * std::abs(slide), most);
      const double change = slide > 0 ? -grip : grip;
      const Vec3 is = world.linear_velocity(body), w = world.angular_velocity(body);
      worst = std::max({worst, std::abs(static_cast<double>(is.x) - (along + change)) / v,
                        std::abs(static_cast<double>(is.y) - e * down) / v,
                        std::abs(static_cast<double>(w.z) * r - (turn * r + 2.5 * change)) / v});
    }
  }
  return worst;
}

/// Returns the largest error of the velocity, relative to μ·g·T, of a bar that a belt drags along
/// for the time T. The friction points against the motion relative to the belt.
double belt_error() {
  constexpr double seconds = 0.6, friction = 0.3;
  double worst = 0;
  for (const int hertz : {30, 60, 240, 1000}) {
    for (const int substeps : {1, 8}) {
      World world(at_rate(hertz, substeps));
      ShapeDef belt = with(state::box({100, 1, 100}), Material{static_cast<float>(friction)});
      belt.surface_velocity = {2, 0, 1.5f};
      add_body(world, MotionType::Static, {{0, -1, 0}, {}}, belt);
      const BodyHandle bar =
          add_body(world, MotionType::Dynamic, {{0, 0.1, 0}, {}},
                   with(state::box({1, 0.1f, 0.15f}), Material{static_cast<float>(friction)}));
      world.set_velocity(bar, {-2, 0, 3}, {});
      const int steps = static_cast<int>(seconds * hertz + 0.5);
      run(world, steps);
      const double x = -4, z = 1.5, speed = std::hypot(x, z);
      const double left = 1 - friction * g * steps / hertz / speed;
      const Vec3 after = world.linear_velocity(bar);
      const double error = std::hypot(static_cast<double>(after.x) - (2 + x * left),
                                      static_cast<double>(after.z) - (1.5 + z * left));
      worst = std::max(worst, error / (friction * g * steps / hertz));
    }
  }
  return worst;
}

/// Returns the largest vertical displacement, in m, of sliding discs of 4 cm on a box.
double thin_disc_error() {
  double worst = 0;
  for (const float radius : {0.2f, 0.5f, 1.0f, 2.0f}) {
    for (const int hertz : {30, 60}) {
      for (const int substeps : {1, 4}) {
        World world(at_rate(hertz, substeps));
        add_body(world, MotionType::Static, {{0, -1, 0}, {}},
                 with(state::box({50, 1, 50}), Material{0.2f}));
        const BodyHandle disc = add_body(world, MotionType::Dynamic, {{0, 0.02, 0}, {}},
                                         with(state::cylinder(radius, 0.02f), Material{0.2f}));
        run(world, hertz / 2);
        world.set_velocity(disc, {2.5f, 0, 1.6f}, {});
        for (int i = 0; i < hertz; ++i) {
          world.step();
          worst = std::max(worst, std::abs(world.centre_of_mass(disc).y - 0.02));
        }
      }
    }
  }
  return worst;
}

/// Returns the largest error of the friction impulse of balls that land without a bounce, 8 m/s
/// along the ground and 3 m/s downwards, from heights that they fall through in any part of the
/// step.
double landing_error() {
  double worst = 0;
  for (const float radius : {0.05f, 0.1f, 0.5f}) {
    for (int millimetres = 1; millimetres <= 50; millimetres += 3) {
      constexpr float along = 8, down = 3;  // m/s
      Material material{0.3f};
      material.restitution = 0;
      World world(without_gravity());
      add_body(world, MotionType::Static, {}, with(state::plane(), material));
      const double height = static_cast<double>(radius) + 0.001 * millimetres;
      const BodyHandle ball = add_body(world, MotionType::Dynamic, {{0, height, 0}, {}},
                                       with(state::sphere(radius), material));
      world.set_velocity(ball, {along, -down, 0}, {});
      run(world, 4);
      const Vec3 velocity = world.linear_velocity(ball);
      const float expected = material.friction * (down + velocity.y);
      worst = std::max(
          worst, relative(static_cast<double>(along - velocity.x), static_cast<double>(expected)));
    }
  }
  return worst;
}

constexpr Law laws[]{
    {36, "boxes, a disc and a table slide at 33°, 30 to 1,000 Hz, 1 and 8 substeps: direction",
     "straight", "", "°", 0.1, [] { return worst_slide().direction; }},
    {36, "boxes, a disc and a table slide at 33°, 30 to 1,000 Hz, 1 and 8 substeps: deceleration",
     "μg", "", "", 2e-3, [] { return worst_slide().deceleration; }},
    {36, "sliding and turning disc: difference of the two times to stop", "none", "", "", 0.05,
     disc_error},
    {36, "bar on a belt that moves in another direction, 30 to 1,000 Hz: velocity", "μgT", "", "",
     2e-3, belt_error},
    {36, "discs of 4 cm that slide on a box, 30 and 60 Hz: vertical displacement", "none", "", "m",
     1e-2, thin_disc_error},
    {37, "balls of 5 cm to 50 cm that land while they slip, at any time of the step", "J_t = μJ_n",
     "", "", 0.005, landing_error},
    {37, "oblique bounces of balls of 1 cm to 1 m at 1 to 100 m/s with spin on a plane",
     "J_t = min(2/7·m·u, μ(1 + e)·m·v)", "", "", 5e-3,
     [] { return oblique_bounce_error(state::ShapeKind::Plane); }},
    {37, "oblique bounces of balls of 1 cm to 1 m at 1 to 100 m/s with spin on a box",
     "J_t = min(2/7·m·u, μ(1 + e)·m·v)", "", "", 5e-3,
     [] { return oblique_bounce_error(state::ShapeKind::Box); }},
    {37, "oblique bounces of balls of 1 cm to 1 m at 1 to 100 m/s with spin on a mesh",
     "J_t = min(2/7·m·u, μ(1 + e)·m·v)", "", "", 5e-3,
     [] { return oblique_bounce_error(state::ShapeKind::Mesh); }},
};

}  // namespace

std::span<const Law> sliding_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
