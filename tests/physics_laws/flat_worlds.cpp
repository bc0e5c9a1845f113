// Row 33: worlds of thin bodies whose motion is locked to a plane.
#include "tests/physics/joint_scenes.h"
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

namespace jostle::physics::laws {
namespace {

constexpr float thicknesses[]{0.02f, 0.2f, 2.0f};  // half thicknesses, m
constexpr double plane = 0.7;                      // z of the bodies, m

BodyHandle add_flat(World& world, const math::Pose& pose, const ShapeDef& shape) {
  BodyDef def;
  def.pose = pose;
  def.locks = state::lock_planar;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape);
  return body;
}

/// Returns the largest error over all thicknesses.
double worst_of(double (*error)(float)) {
  double worst = 0;
  for (const float thickness : thicknesses)
    worst = std::max(worst, error(thickness));
  return worst;
}

/// Row 11: returns the error of the acceleration of a box on a slope in the time from 1 s to 2 s,
/// against g(sin θ − μ cos θ).
double slope_error(float thickness) {
  const double mu = 0.6, tilt = std::atan(mu) + 10 * degree;
  WorldOptions options = without_sleep();
  options.gravity = gravity_of_slope(tilt);
  World world(options);
  add_ground(world, Material{0.6f});
  const BodyHandle box = add_flat(world, {{0, 0.25, plane}, {}},
                                  with(state::box({0.5f, 0.25f, thickness}), Material{0.6f}));
  run(world, 60);
  const float before = world.linear_velocity(box).x;
  run(world, 60);
  return relative(static_cast<double>(world.linear_velocity(box).x - before),
                  g * (std::sin(tilt) - mu * std::cos(tilt)));
}

/// Row 5: errors of the period and the energy of a plate that swings about a pin.
struct PendulumErrors {
  double period = 0, energy = 0;
};
PendulumErrors pendulum_errors(float thickness) {
  World world(without_sleep());
  const BodyHandle pin = add_anchor(world, {0, 0, plane});
  const double start = 10 * degree;
  const Vec3 hanging = math::to_vec3({std::sin(start), -std::cos(start), 0});
  const math::Pose pose{Position{0, 0, plane} + hanging,
                        math::from_axis_angle({0, 0, 1}, static_cast<float>(start))};
  const BodyHandle plate = add_flat(world, pose, ghost(state::box({0.1f, 0.5f, thickness})));
  world.create_joint(make_joint_def(world, JointKind::Hinge, pin, plate, {0, 0, plane}, {0, 0, 1}));
  // The equivalent length is L = I_pivot/(m·d) with the distance d from the pin to the centre of
  // mass. The loop computes the elliptic integral K(sin 5°) by the arithmetic-geometric mean.
  const double length = 1 + (0.2 * 0.2 + 1) / 12;
  double a = 1, b = std::cos(start / 2);
  for (int i = 0; i < 6; ++i) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  const double period = 2 * pi * std::sqrt(length / g) / a;
  const double before_all = total_energy(world);
  const double depth = static_cast<double>(world.mass(plate)) * g * (1 - std::cos(start));
  double first = 0, last = 0, before = 1, drift = 0;
  int halves = -1;
  for (int i = 1; i <= 3600; ++i) {
    world.step();
    const double x = world.centre_of_mass(plate).x;
    if (x * before < 0) {
      last = (i - x / (x - before)) * step;
      if (halves < 0) first = last;
      ++halves;
    }
    before = x;
    drift = std::max(drift, std::abs(total_energy(world) - before_all) / depth);
  }
  return {relative((last - first) / halves, period / 2), drift};
}

/// Row 7: returns the error of the height of a disc's first bounce with e = 0.9.
double bounce_error(float thickness) {
  World world(elastic(without_sleep()));
  add_ground(world, Material{0.5f});
  Material material{0.5f};
  material.restitution = 0.9f;
  const math::Quat lying = lying_along_z();
  const BodyHandle disc =
      add_flat(world, {{0, 3, plane}, lying}, with(state::cylinder(0.5f, thickness), material));
  double speed_before = 0;
  for (int i = 0; i < 600; ++i) {
    world.step();
    const double speed = static_cast<double>(world.linear_velocity(disc).y);
    if (speed > 0 && speed_before < 0) {
      const double height = world.centre_of_mass(disc).y - 0.5 + speed * speed / (2 * g);
      return relative(height, 0.81 * 2.5);
    }
    speed_before = speed;
  }
  return 1;
}

/// Returns by how much the plates of a pile leave their plane: the sum of the offsets along z and
/// of the quaternions' |x| and |y|. It must be exactly 0.
double off_plane() {
  double off = 0;
  for (const float thickness : thicknesses) {
    World world(without_sleep());
    add_ground(world);
    std::vector<BodyHandle> plates;
    for (int i = 0; i < 30; ++i) {
      const math::Pose pose{{(i % 5 - 2) * 0.9, 1.0 + i / 5, plane},
                            math::from_axis_angle({0, 0, 1}, static_cast<float>(i))};
      plates.push_back(add_flat(
          world, pose,
          with(state::box({0.4f, 0.2f, thickness}), Material{0.5f, i % 3 == 0 ? 0.5f : 0.0f})));
    }
    run(world, 300);
    for (const BodyHandle plate : plates) {
      const math::Pose pose = world.pose(plate);
      off += std::abs(pose.position.z - plane) +
             static_cast<double>(std::abs(pose.rotation.x) + std::abs(pose.rotation.y));
    }
  }
  return off;
}

constexpr Law laws[]{
    {33, "planar bodies of any thickness: box on a slope", "g(sin θ − μ cos θ)", "", "", 2e-3,
     [] { return worst_of(slope_error); }},
    {33, "planar bodies of any thickness: pendulum at 10°, 60 s, period", "4√(L/g)·K(sin θ/2)", "",
     "", 5e-5, [] { return worst_of([](float t) { return pendulum_errors(t).period; }); }},
    {33, "planar bodies of any thickness: pendulum at 10°, 60 s, energy", "constant", "", "", 1e-3,
     [] { return worst_of([](float t) { return pendulum_errors(t).energy; }); }},
    {33, "planar bodies of any thickness: bounce, e = 0.9", "h = e²h₀", "", "", 2e-3,
     [] { return worst_of(bounce_error); }},
    {33, "planar bodies of any thickness: deviation of a pile from its plane", "none", "", "", 0,
     off_plane},
};

}  // namespace

std::span<const Law> flat_world_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
