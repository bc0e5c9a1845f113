// Row 48: laws that the core of the engine does not keep by itself (docs/ENGINE.md, "Stabilizers"),
// beside those of other rows.
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

namespace jostle::physics::laws {
namespace {

BodyHandle add_with_mass(World& world, const math::Pose& pose, const state::Shape& shape,
                         float mass) {
  BodyDef def;
  def.pose = pose;
  def.mass = mass;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(shape));
  return body;
}

/// Three balls of 1 kg bear a box of 100 kg in a shaft for 5 s. Returns the largest displacement of
/// a ball, in m.
double column_displacement() {
  World world(without_sleep());
  add_ground(world);
  for (const Vec3 side : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1}}) {
    add_body(world, MotionType::Static, {Position{} + side * 0.705f + Vec3{0, 3, 0}, {}},
             shape_def(state::box({0.5f, 3, 0.5f})));
  }
  std::vector<BodyHandle> balls;
  for (int i = 0; i < 3; ++i)
    balls.push_back(add_with_mass(world, {{0, 0.2 + 0.4 * i, 0}, {}}, state::sphere(0.2f), 1));
  add_with_mass(world, {{0, 1.6, 0}, {}}, state::box({0.2f, 0.4f, 0.2f}), 100);
  run(world, 300);
  double worst = 0;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const double rest = 0.2 + 0.4 * static_cast<double>(i);
    worst = std::max(worst, std::abs(world.centre_of_mass(balls[i]).y - rest));
  }
  return worst;
}

/// Boxes of 1,000 kg that turn land at 6 m/s on small boxes, capsules and cylinders of 1 kg.
/// Returns the largest speed of a light body, relative to the largest speed of a point of its heavy
/// box at the start.
double speed_of_struck_light_bodies() {
  double worst = 0;
  for (std::uint64_t round = 1; round <= 100; ++round) {
    base::Random random(round);
    WorldOptions options = without_sleep();
    options.max_linear_speed = 10'000;  // so that no clamp hides an ejection
    World world(options);
    add_ground(world);
    const auto size = [&] { return random.between(0.05f, 0.15f); };
    const state::Shape shapes[]{state::box({size(), size(), size()}),
                                state::capsule(size(), size()), state::cylinder(size(), size())};
    const BodyHandle light =
        add_with_mass(world, {{0, 0.25, 0}, random_rotation(random)}, shapes[round % 3], 1);
    run(world, 30);
    const float half = random.between(0.4f, 1.0f);
    const Position above{random.between(-0.5f, 0.5f), 0.4 + 1.8 * static_cast<double>(half),
                         random.between(-0.5f, 0.5f)};
    const BodyHandle heavy = add_with_mass(world, {above, random_rotation(random)},
                                           state::box({half, half, half}), 1'000);
    const Vec3 linear{random.between(-3, 3), -6, random.between(-3, 3)};
    const Vec3 angular = random_vector(random, 3);
    world.set_velocity(heavy, linear, angular);
    const double start = static_cast<double>(length(linear) + length(angular) * 1.8f * half);
    for (int i = 0; i < 120; ++i) {
      world.step();
      worst = std::max(worst, static_cast<double>(length(world.linear_velocity(light))) / start);
    }
  }
  return worst;
}

/// Two hinged boxes hit the ground. Returns the largest gap of the hinge, in m.
double gap_in_an_impact() {
  World world(default_options());
  add_ground(world);
  const BodyHandle arm = add_dynamic(world, {0, 3, 0}, state::box({0.4f, 0.1f, 0.1f}));
  const BodyHandle hand = add_dynamic(world, {0.8, 3, 0}, state::box({0.4f, 0.1f, 0.1f}));
  JointDef def = make_joint_def(world, JointKind::Hinge, arm, hand, {0.4, 3, 0}, {0, 0, 1});
  def.limits = {true, -0.1f, 0.1f};
  const JointHandle joint = world.create_joint(def);
  world.set_velocity(arm, {0, -8, 0}, {0, 0, 3});
  double worst = 0;
  for (int i = 0; i < 180; ++i) {
    world.step();
    worst = std::max(worst, static_cast<double>(world.joint_state(joint).gap));
  }
  return worst;
}

/// A chain of ten links with narrow limits swings for 20 s. Returns the largest energy above that
/// of the start, relative to the energy that the fall releases.
double energy_of_chain_with_limits() {
  World world(without_sleep());
  ShapeDef link_shape = shape_def(state::box({0.25f, 0.05f, 0.05f}));
  link_shape.filter.mask = 0;
  BodyHandle above = add_body(world, MotionType::Static, {}, link_shape);
  for (int i = 0; i < 10; ++i) {
    BodyDef link_def;
    link_def.pose.position = {0.5 * i + 0.25, 0, 0};
    link_def.mass = 5;
    const BodyHandle link = world.create_body(link_def);
    world.add_shape(link, link_shape);
    JointDef def = make_joint_def(world, JointKind::Hinge, above, link, {0.5 * i, 0, 0}, {0, 0, 1});
    def.limits = {true, -0.1f, 0.1f};
    world.create_joint(def);
    above = link;
  }
  const double start = total_energy(world);
  double most = 0;
  for (int i = 0; i < 1'200; ++i) {
    world.step();
    most = std::max(most, total_energy(world) - start);
  }
  return most / (50 * g * 2.5);  // all links below the anchor
}

constexpr Law laws[]{
    {48, "three balls bear a box of 100 times the mass of each, 5 s: displacement", "none", "", "m",
     0.02, column_displacement},
    {48, "light bodies under boxes of 1,000 times their mass: speed", "at most that of the box", "",
     "", 2, speed_of_struck_light_bodies},
    {48, "hinge at its limit that hits the ground: anchor gap", "none", "", "m", 5e-4,
     gap_in_an_impact},
    {48, "chain with limits, 20 s: growth of energy", "none", "", "", 1e-4,
     energy_of_chain_with_limits},
};

}  // namespace

std::span<const Law> stabilized_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
