// Row 40: impacts whose impulses pass through joints.
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

#include <vector>

namespace jostle::physics::laws {
namespace {

using math::Vec3;

ShapeDef smooth(const state::Shape& shape, float restitution = 1) {
  Material material{0};
  material.restitution = restitution;
  return with(shape, material);
}

BodyHandle add(World& world, const math::Pose& pose, float mass, const ShapeDef& shape) {
  BodyDef def;
  def.pose = pose;
  def.mass = mass;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape);
  return body;
}

math::Quat about_z(double angle) {
  return {0, 0, static_cast<float>(std::sin(angle / 2)), static_cast<float>(std::cos(angle / 2))};
}

/// Returns the largest change of energy per impact, relative to the energy that swings, within 10 s
/// of a row of `count` balls that hang from joints and touch each other. The first one is released
/// at `angle` and hits the row about every `half_period` seconds.
double cradle_error(int count, JointKind kind, double angle = 40 * degree) {
  constexpr double length = 0.6, radius = 0.08, half_period = 0.8;
  World world(elastic(without_sleep()));
  const BodyHandle anchor = add_anchor(world, {});
  for (int i = 0; i < count; ++i) {
    const double x = 2 * radius * i, tilt = i == 0 ? angle : 0;
    const Position at{x - length * std::sin(tilt), -length * std::cos(tilt), 0};
    const BodyHandle ball = add(world, {at, {}}, 2, smooth(state::sphere(0.08f)));
    world.create_joint(kind == JointKind::Distance
                           ? make_distance_joint_def(world, anchor, ball, {x, 0, 0}, at)
                           : make_joint_def(world, kind, anchor, ball, {x, 0, 0}, {0, 0, 1}));
  }
  const double swing = 2 * g * length * (1 - std::cos(angle)), before = total_energy(world);
  double worst = 0;
  for (int i = 1; i <= 600; ++i) {
    world.step();
    const double impacts = std::max(1.0, i * step / half_period);
    worst = std::max(worst, std::abs(total_energy(world) - before) / swing / impacts);
  }
  return worst;
}

double cradles_error() {
  double worst = 0;
  for (int count = 3; count <= 7; ++count)
    for (const JointKind kind : {JointKind::Ball, JointKind::Hinge, JointKind::Distance})
      worst = std::max(worst, cradle_error(count, kind));
  return worst;
}

/// Returns the error of the turning points of a pendulum that hits a wall at the angle `at`. The
/// energy above that of the angle falls by the factor e² in each impact.
double wall_error(const state::Shape& shape, double length, double at, float restitution) {
  World world(elastic(without_sleep()));
  constexpr double angle = 50 * degree;
  const BodyHandle anchor = add_anchor(world, {});
  const Position from{-length * std::sin(angle), -length * std::cos(angle), 0};
  const BodyHandle bob = add(world, {from, about_z(-angle)}, 3, smooth(shape, restitution));
  world.create_joint(make_joint_def(world, JointKind::Hinge, anchor, bob, {}, {0, 0, 1}));
  // The wall touches the bob's surface when the pendulum has the angle `at`.
  const double half = static_cast<double>(shape.half_extents.x), thick = 0.5;
  const Position touch{length * std::sin(at) + (half + thick) * std::cos(at),
                       -length * std::cos(at) + (half + thick) * std::sin(at), 0};
  add_body(world, MotionType::Static, {touch, about_z(at)},
           smooth(state::box({static_cast<float>(thick), 3, 3}), restitution));
  const auto e = static_cast<double>(restitution);
  const double lowest = -3 * g * length * std::cos(at);
  double wanted = total_energy(world) - lowest, worst = 0, speed_before = 0;
  int impacts = 0;
  for (int i = 0; i < 900 && impacts < 6; ++i) {
    world.step();
    const double speed = static_cast<double>(world.angular_velocity(bob).z);
    if (speed < 0 && speed_before > 0) {
      wanted *= e * e;
      ++impacts;
      worst = std::max(worst, relative(total_energy(world) - lowest, wanted) / impacts);
    }
    speed_before = speed;
  }
  return impacts == 6 ? worst : 1;
}

/// Adds the walls of a cube without friction, whose inner half size is `half`.
void add_walls(World& world, double half) {
  for (int side = 0; side < 6; ++side) {
    const double at = (side % 2 == 0 ? 1 : -1) * (half + 5);
    const Position centre{side / 2 == 0 ? at : 0, side / 2 == 1 ? at : 0, side / 2 == 2 ? at : 0};
    add_body(world, MotionType::Static, {centre, {}}, smooth(state::box({5, 5, 5})));
  }
}

/// Relative changes of energy: the largest one per impact, and the largest gain and loss in a step.
struct PairChange {
  double per_impact = 0, gain = 0, loss = 0;
};

/// Returns the changes of energy within 15 s of two different bodies, which a joint connects,
/// between the walls of a cube without gravity. `pace` scales their speed along x.
PairChange change_of_pair(JointKind kind, const state::Shape& shape, float pace) {
  World world(elastic(without_gravity()));
  add_walls(world, 1.5);
  const BodyHandle a = add(world, {{0, 0.35, 0}, {}}, 1, smooth(shape));
  const BodyHandle b = add(world, {{0, -0.2, 0}, {}}, 4, smooth(state::sphere(0.15f)));
  world.create_joint(make_joint_def(world, kind, a, b, {0, 0.05, 0}, {0, 0, 1}));
  world.set_velocity(a, {3 * pace, 0.8f, 1.1f}, {0, 0, 2});
  world.set_velocity(b, {4 * pace, 0.8f, 1.1f}, {0, 0, 2});
  run(world, 1);  // the joint takes what is left of the velocities it does not allow
  const double before = total_energy(world);
  double energy = before;
  PairChange worst;
  int impacts = 0;
  Vec3 last = world.linear_velocity(a) + world.linear_velocity(b) * 4;
  for (int i = 0; i < 900; ++i) {
    world.step();
    const Vec3 momentum = world.linear_velocity(a) + world.linear_velocity(b) * 4;
    if (length(momentum - last) > 0.01f) ++impacts;
    last = momentum;
    const double now = total_energy(world);
    worst.gain = std::max(worst.gain, (now - energy) / before);
    worst.loss = std::max(worst.loss, (energy - now) / before);
    energy = now;
    if (impacts > 0) worst.per_impact = std::max(worst.per_impact, relative(now, before) / impacts);
  }
  return impacts >= 10 ? worst : PairChange{1, 1, 1};
}

PairChange worst_change_of_pairs(int starts) {
  PairChange worst;
  for (int i = 0; i < starts; ++i) {
    for (const JointKind kind : {JointKind::Fixed, JointKind::Ball, JointKind::Hinge}) {
      for (const state::Shape& shape : {state::sphere(0.2f), state::box({0.2f, 0.15f, 0.1f})}) {
        const PairChange change = change_of_pair(kind, shape, 1 + 0.07f * static_cast<float>(i));
        worst.per_impact = std::max(worst.per_impact, change.per_impact);
        worst.gain = std::max(worst.gain, change.gain);
        worst.loss = std::max(worst.loss, change.loss);
      }
    }
  }
  return worst;
}

PairChange change_of_many_pairs() {
  static SharedErrors worst([] { return worst_change_of_pairs(12); });
  return worst.get();
}

double walls_error(float restitution) {
  double worst = 0;
  for (const double at : {-15 * degree, 0.0, 12 * degree})
    for (const double length : {0.5, 1.2})
      for (const state::Shape& shape :
           {state::box({0.1f, 0.1f, 0.1f}), state::box({0.05f, 0.3f, 0.2f})})
        worst = std::max(worst, wall_error(shape, length, at, restitution));
  return worst;
}

/// Returns the relative error of the speeds after a ball has hit a rod near its end. The rod is
/// hinged at its other end. I is its moment of inertia about the hinge, m the ball's mass and l the
/// arm of the impact. After an elastic impact at the speed v, the ball has the speed v·(m·l² −
/// I)/(m·l² + I), and the rod 2·v·m·l²/(m·l² + I) at the point of impact.
double rod_error(float mass, double length, float speed) {
  World world(elastic(without_gravity()));
  const BodyHandle anchor = add_anchor(world, {});
  const auto half = static_cast<float>(length / 2);
  const BodyHandle rod =
      add(world, {{length / 2, 0, 0}, {}}, 2, smooth(state::box({half, 0.02f, 0.02f})));
  world.create_joint(make_joint_def(world, JointKind::Hinge, anchor, rod, {}, {0, 0, 1}));
  const double arm = 0.9 * length;
  const BodyHandle ball = add(world, {{arm, 0.4, 0}, {}}, mass, smooth(state::sphere(0.05f)));
  world.set_velocity(ball, {0, -speed, 0}, {});
  run(world, static_cast<int>(0.6 / static_cast<double>(speed) / step) + 2);
  const double inertia = 2 * (length * length / 3 + 0.02 * 0.02 / 3);
  const auto m = static_cast<double>(mass), v = static_cast<double>(speed);
  const double ball_speed = v * (m * arm * arm - inertia) / (m * arm * arm + inertia);
  const double turn = 2 * v * m * arm / (m * arm * arm + inertia);
  return std::max(std::abs(static_cast<double>(-world.linear_velocity(ball).y) - ball_speed) / v,
                  std::abs(static_cast<double>(-world.angular_velocity(rod).z) - turn) * arm / v);
}

double rods_error() {
  double worst = 0;
  for (const float mass : {0.1f, 2.0f, 30.0f})
    for (const double length : {0.5, 1.4})
      for (const float speed : {2.0f, 12.0f})
        worst = std::max(worst, rod_error(mass, length, speed));
  return worst;
}

/// Returns the largest change of energy in 20 steps in which a jointed box and ball hit a free
/// ball, which then hits a box 5 to 45 mm away, often within the same step.
double following_hit_error() {
  double worst = 0;
  for (int i = 0; i < 400; ++i) {
    World world(elastic(without_gravity()));
    const double gap = 0.005 + 0.0005 * (i % 80), at = 0.3 + 0.01 * (i / 80);
    const float speed = 6 + 0.05f * static_cast<float>(i);
    const BodyHandle behind =
        add(world, {{-0.5, 0, 0}, {}}, 2, smooth(state::box({0.2f, 0.1f, 0.1f})));
    const BodyHandle front = add(world, {{}, {}}, 1, smooth(state::sphere(0.1f)));
    world.create_joint(
        make_joint_def(world, JointKind::Ball, behind, front, {-0.3, 0, 0}, {0, 0, 1}));
    add(world, {{at, 0.03, 0}, {}}, 1, smooth(state::sphere(0.1f)));
    add(world, {{at + 0.2 + gap, 0.06, 0}, {}}, 1.5f, smooth(state::box({0.1f, 0.1f, 0.1f})));
    for (const BodyHandle body : {behind, front})
      world.set_velocity(body, {speed, 0, 0}, {});
    const double before = total_energy(world);
    run(world, 20);
    worst = std::max(worst, relative(total_energy(world), before));
  }
  return worst;
}

/// Joins a body to the previous one of a row. Six-axis joints may turn about x and z.
void join(World& world, JointKind kind, BodyHandle a, BodyHandle b, Position from, Position to) {
  const Position middle = from + (to - from) * 0.5f;
  JointDef def = kind == JointKind::Distance ? make_distance_joint_def(world, a, b, from, to)
                 : kind == JointKind::SixDof ? make_six_dof_joint_def(world, a, b, middle, {})
                                             : make_joint_def(world, kind, a, b, middle, {0, 0, 1});
  if (kind == JointKind::SixDof)
    for (const std::size_t axis : {3U, 5U})
      def.details.edit().axes[axis].freedom = JointFreedom::Free;
  world.create_joint(def);
}

/// Returns the changes of energy within 10 s of `count` bodies of 1, 20 and 0.5 kg, which joints
/// connect, between the walls of a cube without gravity.
PairChange change_of_row(int count, JointKind kind, const state::Shape& shape) {
  WorldOptions options = elastic(laws::without_gravity());
  options.max_angular_speed = 1e5f;
  World world(options);
  add_walls(world, 2);
  const float masses[3] = {1, 20, 0.5f};
  const auto place = [](int i) { return Position{-0.6 + 0.6 * i, 0.1 * i, 0}; };
  std::vector<BodyHandle> bodies;
  for (int i = 0; i < count; ++i) {
    bodies.push_back(add(world, {place(i), {}}, masses[i], smooth(shape)));
    if (i > 0) join(world, kind, bodies[i - 1], bodies[i], place(i - 1), place(i));
  }
  for (const BodyHandle body : bodies)
    world.set_velocity(body, {3.6f, 1.3f, -0.7f}, {});
  run(world, 1);
  const double before = total_energy(world);
  double energy = before;
  PairChange worst;
  int impacts = 0;
  const auto momentum_of = [&] {
    Vec3 sum;
    for (int i = 0; i < count; ++i)
      sum += world.linear_velocity(bodies[i]) * masses[i];
    return sum;
  };
  Vec3 last = momentum_of();
  for (int i = 0; i < 600; ++i) {
    world.step();
    const Vec3 momentum = momentum_of();
    if (length(momentum - last) > 0.05f) ++impacts;
    last = momentum;
    const double now = total_energy(world);
    worst.gain = std::max(worst.gain, (now - energy) / before);
    worst.loss = std::max(worst.loss, (energy - now) / before);
    energy = now;
    if (impacts > 0) worst.per_impact = std::max(worst.per_impact, relative(now, before) / impacts);
  }
  return impacts >= 5 ? worst : PairChange{1, 1, 1};
}

PairChange change_of_uneven_rows() {
  static SharedErrors all([] {
    PairChange worst;
    for (const int count : {2, 3}) {
      for (const JointKind kind : {JointKind::Ball, JointKind::Distance, JointKind::SixDof}) {
        for (const state::Shape& shape :
             {state::box({0.1f, 0.2f, 0.15f}), state::capsule(0.1f, 0.15f), state::sphere(0.2f)}) {
          const PairChange change = change_of_row(count, kind, shape);
          worst.per_impact = std::max(worst.per_impact, change.per_impact);
          worst.gain = std::max(worst.gain, change.gain);
          worst.loss = std::max(worst.loss, change.loss);
        }
      }
    }
    return worst;
  });
  return all.get();
}

/// Returns the largest loss of energy within a step, relative to the energy that swings, of double
/// pendulums that hit a wall for 15 s. The outer rod has 0.2 to 20 times the mass of the inner one.
double double_pendulums_loss() {
  double worst = 0;
  for (const int hertz : {30, 60}) {
    for (const float outer : {0.2f, 1.0f, 5.0f, 20.0f}) {
      WorldOptions options = elastic(without_sleep());
      options.step_seconds = 1.0f / static_cast<float>(hertz);
      World world(options);
      const BodyHandle anchor = add_anchor(world, {});
      const double angle = 60 * degree;
      const auto along = [&](double way) {
        return Position{-way * std::sin(angle), -way * std::cos(angle), 0};
      };
      const ShapeDef rod = smooth(state::box({0.05f, 0.3f, 0.05f}));
      const BodyHandle first = add(world, {along(0.3), about_z(-angle)}, 1, rod);
      const BodyHandle second = add(world, {along(0.9), about_z(-angle)}, outer, rod);
      world.create_joint(make_joint_def(world, JointKind::Hinge, anchor, first, {}, {0, 0, 1}));
      world.create_joint(
          make_joint_def(world, JointKind::Hinge, first, second, along(0.6), {0, 0, 1}));
      add_body(world, MotionType::Static, {{0.6, -1, 0}, {}}, smooth(state::box({0.5f, 3, 3})));
      const double lowest = -g * (0.3 + 0.9 * static_cast<double>(outer));
      const double all = total_energy(world) - lowest;
      double before = all;
      for (int i = 0; i < 15 * hertz; ++i) {
        world.step();
        const double now = total_energy(world) - lowest;
        worst = std::max(worst, (before - now) / all);
        before = now;
      }
    }
  }
  return worst;
}

/// Returns the largest loss of energy within a step of rows of three bodies of 1, `middle` and
/// 0.5 kg that hit a wall, in line and bent.
double row_loss(const state::Shape& shape, float middle) {
  double worst = 0;
  for (const double bend : {0.0, 0.05, 0.1, 0.3}) {
    for (const JointKind kind : {JointKind::Distance, JointKind::Ball}) {
      WorldOptions options = elastic(laws::without_gravity());
      options.max_angular_speed = 1000;
      World world(options);
      add_body(world, MotionType::Static, {{2, 0, 0}, {}}, smooth(state::box({1, 5, 5})));
      const float masses[3] = {1, middle, 0.5f};
      std::vector<BodyHandle> bodies;
      const auto place = [&](int i) { return Position{-0.5 * (2 - i), bend * i, 0}; };
      for (int i = 0; i < 3; ++i) {
        bodies.push_back(add(world, {place(i), {}}, masses[i], smooth(shape)));
        world.set_velocity(bodies.back(), {5, 0, 0}, {});
        if (i == 0) continue;
        const Position between{place(i).x - 0.25, place(i).y - 0.5 * bend, 0};
        world.create_joint(
            kind == JointKind::Distance
                ? make_distance_joint_def(world, bodies[i - 1], bodies[i], place(i - 1), place(i))
                : make_joint_def(world, kind, bodies[i - 1], bodies[i], between, {0, 0, 1}));
      }
      const double all = total_energy(world);
      double before = all;
      for (int i = 0; i < 20; ++i) {
        world.step();
        const double now = total_energy(world);
        worst = std::max(worst, std::abs(now - before) / all);
        before = now;
      }
    }
  }
  return worst;
}

double rows_loss() {
  double worst = 0;
  for (const float middle : {1.0f, 3.0f, 20.0f})
    for (const state::Shape& shape : {state::sphere(0.1f), state::box({0.1f, 0.15f, 0.12f})})
      worst = std::max(worst, row_loss(shape, middle));
  return worst;
}

constexpr Law laws[]{
    {40, "hung cradles of 3 to 7 balls, e = 1, 10 s: energy per impact", "constant", "", "", 1e-3,
     cradles_error},
    {40, "hung cradles of 7 balls released at 85°, e = 1, 10 s: energy per impact", "constant", "",
     "", 1e-3, [] { return cradle_error(7, JointKind::Ball, 85 * degree); }},
    {40, "jointed bodies of 1, 20 and 0.5 kg between walls, e = 1, 10 s: energy per impact",
     "constant", "", "", 5e-3, [] { return change_of_uneven_rows().per_impact; }},
    {40, "jointed bodies of 1, 20 and 0.5 kg between walls, e = 1, 10 s: gain in a step", "none",
     "", "", 1e-3, [] { return change_of_uneven_rows().gain; }},
    {40, "jointed bodies of 1, 20 and 0.5 kg between walls, e = 1, 10 s: loss in a step", "none",
     "", "", 5e-3, [] { return change_of_uneven_rows().loss; }},
    {40, "double pendulums against a wall, e = 1, 30 and 60 Hz, 15 s: loss in a step", "none", "",
     "", 5e-3, double_pendulums_loss},
    {40, "jointed pairs between walls, e = 1, 15 s: energy per impact", "constant", "", "", 5e-3,
     [] { return worst_change_of_pairs(1).per_impact; }},
    {40, "jointed pairs between walls, e = 1, 12 starts: gain in a step", "none", "", "", 1e-3,
     [] { return change_of_many_pairs().gain; }},
    {40, "jointed pairs between walls, e = 1, 12 starts: loss in a step", "none", "", "", 5e-3,
     [] { return change_of_many_pairs().loss; }},
    {40, "rows of three jointed bodies of up to 40 : 1 hit a wall, e = 1: change in a step", "none",
     "", "", 5e-3, rows_loss},
    {40, "jointed pair hits a ball that hits a box: energy", "constant", "", "", 5e-3,
     following_hit_error},
    {40, "pendulums against walls, e = 1: energy per impact", "constant", "", "", 5e-3,
     [] { return walls_error(1); }},
    {40, "pendulums against walls, e = 0.7: energy per impact", "e²", "", "", 5e-3,
     [] { return walls_error(0.7f); }},
    {40, "ball hits a hinged rod of 1/15 to 20 times its mass: speeds",
     "v(ml² − I)/(ml² + I), 2vml²/(ml² + I)", "", "", 5e-3, rods_error},
};

}  // namespace

std::span<const Law> jointed_impact_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
