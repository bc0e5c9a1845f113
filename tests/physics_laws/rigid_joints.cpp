// Row 39: joints that must not give way.
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

namespace jostle::physics::laws {
namespace {

/// Returns the largest displacement within 5 s, in m, of a mast of seven bodies that locked
/// six-axis joints connect, with an arm of 12 times the mass of a body at its side. The axes are
/// locked, or have equal limits.
double mast_error(JointFreedom freedom) {
  World world(without_sleep());
  const BodyHandle base = add_anchor(world, {0, 0, 0});
  std::vector<BodyHandle> mast;
  BodyHandle below = base;
  const auto join = [&](BodyHandle a, BodyHandle b, Position at) {
    JointDef def = make_six_dof_joint_def(world, a, b, at, {});
    for (JointAxisDef& axis : def.details.edit().axes)
      axis.freedom = freedom;
    world.create_joint(def);
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

/// A row of ropes of the length `part`, in m, with bodies of the mass `knot`, in kg, between them,
/// under a bob of the mass `load`, in kg, that starts to swing at `speed`, in m/s.
struct RopeRow {
  int count = 8;
  double part = 0.3;
  float knot = 0.2f, load = 1000, speed = 0;
  int hertz = 60;
};

/// Returns the largest relative stretch of a row of ropes within 10 s.
double rope_error(const RopeRow& row) {
  WorldOptions options = without_sleep();
  options.step_seconds = 1.0f / static_cast<float>(row.hertz);
  World world(options);
  BodyHandle above = add_anchor(world, {});
  const auto add = [&](double y, float mass) {
    BodyDef def;
    def.pose.position = {0, y, 0};
    def.mass = mass;
    const BodyHandle body = world.create_body(def);
    world.add_shape(body, ghost(state::sphere(0.04f)));
    return body;
  };
  for (int i = 1; i <= row.count; ++i) {
    const double upper = -row.part * (i - 1), lower = -row.part * i;
    const BodyHandle body = add(lower, i == row.count ? row.load : row.knot);
    JointDef def = make_distance_joint_def(world, above, body, {0, upper, 0}, {0, lower, 0});
    def.limits = {true, 0, static_cast<float>(row.part)};
    world.create_joint(def);
    above = body;
  }
  world.set_velocity(above, {row.speed, 0, 0.4f * row.speed}, {});
  double worst = 0;
  for (int i = 0; i < 10 * row.hertz; ++i) {
    world.step();
    worst = std::max(worst, size_of(world.centre_of_mass(above)) / (row.count * row.part) - 1);
  }
  return worst;
}

double swinging_ropes_error() {
  double worst = 0;
  for (const int count : {2, 3, 15, 22, 30})
    for (const int hertz : {60, 240})
      for (const float speed : {3.0f, 8.0f})
        worst = std::max(worst, rope_error({count, 0.5, 1, 5000, speed, hertz}));
  return worst;
}

/// Returns the largest momentum, relative to that of one of the bodies, that the motor between two
/// free bodies gives to both together: in a hinge, slider and six-axis joint, at a limit.
double inner_motor_error() {
  double worst = 0;
  for (const JointKind kind : {JointKind::Hinge, JointKind::Slider, JointKind::SixDof}) {
    for (const float force : {10.0f, 1e4f, 1e9f}) {
      World world(laws::without_gravity());
      const BodyHandle a = add_body(world, MotionType::Dynamic, {{-0.5, 0, 0}, {}},
                                    ghost(state::box({0.3f, 0.2f, 0.2f})));
      const BodyHandle b = add_body(world, MotionType::Dynamic, {{0.4, 0, 0}, {}},
                                    ghost(state::box({0.4f, 0.05f, 0.08f})));
      const JointMotor motor{true, 6, force};
      JointDef def = make_six_dof_joint_def(world, a, b, {}, {});
      if (kind == JointKind::SixDof) {
        JointAxisDef& axis = def.details.edit().axes[4];
        axis = {JointFreedom::Limited, -0.7f, 0.7f, 0, {}, motor, 0};
      } else {
        const Vec3 along = kind == JointKind::Slider ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        def = make_joint_def(world, kind, a, b, {}, along);
        def.limits = {true, -0.7f, 0.7f};
        def.motor = motor;
      }
      world.create_joint(def);
      for (int i = 0; i < 120; ++i) {
        world.step();
        const Vec3 of_a = world.linear_velocity(a) * world.mass(a),
                   of_b = world.linear_velocity(b) * world.mass(b);
        if (length(of_a) > 0.1f)
          worst = std::max(worst, static_cast<double>(length(of_a + of_b) / length(of_a)));
      }
    }
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

/// A body on a ball joint with friction. The other body of the joint does not move.
struct Rubbing {
  World world;
  BodyHandle body;
  double mass = 2, radius = 0.3, arm = 0;  // kg, m; `arm` is the distance from the joint

  Rubbing(const WorldOptions& options, double length, float friction)
      : world(options), arm(length) {
    const BodyHandle anchor = add_anchor(world, {});
    BodyDef def;
    def.pose.position = {arm, 0, 0};
    def.mass = static_cast<float>(mass);
    body = world.create_body(def);
    world.add_shape(body, ghost(state::sphere(static_cast<float>(radius))));
    JointDef joint = make_joint_def(world, JointKind::Ball, anchor, body, {}, {1, 0, 0});
    joint.motor = {true, 0, friction};
    world.create_joint(joint);
  }
};

/// Returns the largest relative error of the deceleration of balls that turn about a ball joint
/// with friction, in their middle or 0.5 m away, about several axes.
double friction_error() {
  constexpr float friction = 0.1f;  // N·m
  constexpr Vec3 axes[]{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0.6f, -0.8f}, {0.6f, 0, 0.8f}};
  double worst = 0;
  for (const double arm : {0.0, 0.5}) {
    for (const Vec3 axis : axes) {
      const bool turns_about_arm = axis.x != 0.0f;
      if (arm > 0 && turns_about_arm && axis.x != 1.0f) continue;  // the axis would not stay fixed
      Rubbing rubbing(without_gravity(), arm, friction);
      constexpr float speed = 3;  // rad/s
      const Vec3 to_body{static_cast<float>(arm), 0, 0};
      rubbing.world.set_velocity(rubbing.body, cross(axis * speed, to_body), axis * speed);
      run(rubbing.world, 60);
      const double own = 0.4 * rubbing.mass * rubbing.radius * rubbing.radius;
      const double moment = turns_about_arm ? own : own + rubbing.mass * arm * arm;
      const double lost =
          static_cast<double>(speed - length(rubbing.world.angular_velocity(rubbing.body)));
      worst = std::max(worst, relative(lost, static_cast<double>(friction) / moment));
    }
  }
  return worst;
}

/// Returns the angle, in degrees, by which an arm sinks within 30 s that the friction of a ball
/// joint holds, if the friction is 2 % above the torque of its weight.
double held_arm_error() {
  constexpr double arm = 0.5;
  Rubbing rubbing(without_sleep(), arm, static_cast<float>(1.02 * 2 * g * arm));
  run(rubbing.world, 1800);
  return std::asin(std::abs(rubbing.world.centre_of_mass(rubbing.body).y) / arm) / degree;
}

constexpr Law laws[]{
    {39, "turning balls on ball joints with friction: deceleration", "M/I", "", "", 0.002,
     friction_error},
    {39, "arm held by the friction of a ball joint, 30 s: angle", "none", "", "°", 0.1,
     held_arm_error},
    {39, "mast of locked six-axis joints with a heavy arm, 5 s: displacement", "none", "", "m",
     1e-4, [] { return mast_error(JointFreedom::Locked); }},
    {39, "mast of six-axis joints with equal limits and a heavy arm, 5 s: displacement", "none", "",
     "m", 1e-4, [] { return mast_error(JointFreedom::Limited); }},
    {39, "ropes under 5,000 times the mass of their knots, 10 s: stretch", "none", "", "", 1e-3,
     [] { return rope_error({}); }},
    {39, "ropes under 200 times the mass of their knots, swinging, 10 s: stretch", "none", "", "",
     1e-3, [] { return rope_error({.load = 40, .speed = 1}); }},
    {39, "ropes of 2 to 30 parts under 5,000 times their mass, 3 and 8 m/s, 10 s: stretch", "none",
     "", "", 1e-3, swinging_ropes_error},
    {39, "motors between two free bodies: momentum of both, relative to that of one", "none", "",
     "", 1e-5, inner_motor_error},
    {39, "motors of up to 1 GN·m at their limits: angle from the limit", "none", "", "°", 0.1,
     motor_error},
};

}  // namespace

std::span<const Law> rigid_joint_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
