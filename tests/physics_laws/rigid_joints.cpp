// Row 39: joints that must not give way.
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

namespace jostle::physics::laws {
namespace {

/// Returns the largest displacement within 5 s, in m, of a mast of seven bodies that locked
/// six-axis joints connect, with an arm of 12 times the mass of a body at its side.
double mast_error() {
  World world(without_sleep());
  const BodyHandle base = add_anchor(world, {0, 0, 0});
  std::vector<BodyHandle> mast;
  BodyHandle below = base;
  const auto join = [&](BodyHandle a, BodyHandle b, Position at) {
    world.create_joint(make_six_dof_joint_def(world, a, b, at, {}));
  };
  for (int i = 0; i < 7; ++i) {
    BodyDef def;
    def.pose.position = {0, 0.4 + 0.8 * i, 0};
    def.mass = 2;
    mast.push_back(world.create_body(def));
    world.add_shape(mast.back(), ghost(state::box({0.15f, 0.4f, 0.15f})));
    join(below, mast.back(), {0, 0.8 * i, 0});
    below = mast.back();
  }
  BodyDef def;
  def.pose.position = {0, 5.2, 0.9};
  def.mass = 24;
  const BodyHandle arm = world.create_body(def);
  world.add_shape(arm, ghost(state::box({0.1f, 0.1f, 0.7f})));
  join(mast.back(), arm, {0, 5.2, 0.2});
  double worst = 0;
  for (int i = 0; i < 300; ++i) {
    world.step();
    worst = std::max(worst, distance(world.centre_of_mass(arm), {0, 5.2, 0.9}));
  }
  return worst;
}

/// Returns the largest relative stretch within 10 s of a row of ropes with bodies of 0.2 kg between
/// them, under a bob of the mass `load` that starts to swing at `speed`.
double rope_error(float load, float speed) {
  World world(without_sleep());
  BodyHandle above = add_anchor(world, {});
  constexpr int count = 8;
  constexpr double part = 0.3;
  const auto add = [&](double y, float mass) {
    BodyDef def;
    def.pose.position = {0, y, 0};
    def.mass = mass;
    const BodyHandle body = world.create_body(def);
    world.add_shape(body, ghost(state::sphere(0.04f)));
    return body;
  };
  for (int i = 1; i <= count; ++i) {
    const BodyHandle body = add(-part * i, i == count ? load : 0.2f);
    JointDef def =
        make_distance_joint_def(world, above, body, {0, -part * (i - 1), 0}, {0, -part * i, 0});
    def.limits = {true, 0, static_cast<float>(part)};
    world.create_joint(def);
    above = body;
  }
  world.set_velocity(above, {speed, 0, 0.4f * speed}, {});
  double worst = 0;
  for (int i = 0; i < 600; ++i) {
    world.step();
    worst = std::max(worst, size_of(world.centre_of_mass(above)) / (count * part) - 1);
  }
  return worst;
}

/// Returns the largest angle, in degrees, between a motor's limit and its arm from 1 s to 3 s, for
/// torques from 50 N·m to 1 GN·m and both directions.
double motor_error() {
  double worst = 0;
  for (const float torque : {50.0f, 1e4f, 1e9f}) {
    for (const float side : {-1.0f, 1.0f}) {
      World world(without_sleep());
      const BodyHandle post = add_anchor(world, {});
      const BodyHandle arm = add_body(world, MotionType::Dynamic, {{0.4, 0, 0}, {}},
                                      ghost(state::box({0.4f, 0.05f, 0.08f})));
      JointDef def = make_joint_def(world, JointKind::Hinge, post, arm, {}, {0, 1, 0});
      def.limits = {true, -0.7f, 0.7f};
      def.motor = {true, 6 * side, torque};
      const JointHandle joint = world.create_joint(def);
      run(world, 60);
      for (int i = 0; i < 120; ++i) {
        world.step();
        const double angle = static_cast<double>(world.joint_state(joint).angle);
        worst = std::max(worst, std::abs(angle - 0.7 * static_cast<double>(side)) / degree);
      }
    }
  }
  return worst;
}

constexpr Law laws[]{
    {39, "mast of locked six-axis joints with a heavy arm, 5 s: displacement", "none", "", "m",
     1e-4, mast_error},
    {39, "ropes under 5,000 times the mass of their knots, 10 s: stretch", "none", "", "", 1e-3,
     [] { return rope_error(1000, 0); }},
    {39, "ropes under 200 times the mass of their knots, swinging, 10 s: stretch", "none", "", "",
     1e-3, [] { return rope_error(40, 1); }},
    {39, "motors of up to 1 GN·m at their limits: angle from the limit", "none", "", "°", 0.1,
     motor_error},
};

}  // namespace

std::span<const Law> rigid_joint_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
