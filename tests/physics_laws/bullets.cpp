// Row 29: continuous collision detection.
#include "shared/geometry/hull.h"
#include "shared/math/trig.h"
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

namespace jostle::physics::laws {
namespace {

constexpr int shots = 2'500;  // number of shots of each kind; 10,000 in total
constexpr float radius = 0.005f, speed = 400;

/// Adds a ball with a diameter of 1 cm that moves along x. Its start is random within the distance
/// of one step, so that the time within a step at which it reaches x = 0 is also random.
BodyHandle shoot(World& world, base::Random& random, double y, double z) {
  const double before = 3 + static_cast<double>(random.between(0, speed / 60));
  const BodyHandle ball = add_dynamic(world, {-before, y, z}, state::sphere(radius));
  world.set_velocity(ball, {speed, 0, 0}, {});
  return ball;
}

/// Returns a sheet that is 1 mm thick along x and 40 m wide.
state::Shape sheet() {
  std::vector<Vec3> corners;
  for (const float x : {-0.0005f, 0.0005f})
    for (const float y : {-20.0f, 20.0f})
      for (const float z : {-20.0f, 20.0f})
        corners.push_back({x, y, z});
  return state::solid(geometry::share(geometry::build_hull(corners).value()));
}

/// Returns the number of shots that end behind a sheet. Static sheets do not move; kinematic ones
/// move along x at up to 100 m/s in either direction.
double through_plates(MotionType motion) {
  base::Random random(29);
  double through = 0;
  const ShapeDef shape = shape_def(sheet());
  for (int i = 0; i < shots; ++i) {
    World world(without_gravity());
    const float angle = random.between(-0.5f, 0.5f);
    const BodyHandle plate =
        add_body(world, motion, {{}, math::from_axis_angle({0, 0, 1}, angle)}, shape);
    if (motion == MotionType::Kinematic)
      world.set_velocity(plate, {random.between(-100, 100), 0, 0}, {});
    const BodyHandle ball = shoot(world, random, random.between(-0.5f, 0.5f), 0);
    run(world, 20);
    const math::Vec3 from =
        math::to_vec3({world.centre_of_mass(ball).x - world.centre_of_mass(plate).x,
                       world.centre_of_mass(ball).y - world.centre_of_mass(plate).y, 0});
    through += inverse_rotate(world.pose(plate).rotation, from).x > 0 ? 1 : 0;
  }
  return through;
}

/// Returns the number of shots that do not hit a stick, which is 1 m long and 1 cm thick and spins
/// about its middle at up to 190 rad/s. All shots are aimed at the stick's middle, with an offset
/// below the ball's radius.
double past_sticks() {
  base::Random random(30);
  double past = 0;
  for (int i = 0; i < shots; ++i) {
    World world(without_gravity());
    const BodyHandle stick = add_body(world, MotionType::Dynamic, {{}, random_rotation(random)},
                                      shape_def(state::capsule(radius, 0.5f)));
    world.set_velocity(stick, {}, random_vector(random, 110));
    const BodyHandle ball = shoot(world, random, random.between(-0.6f, 0.6f) * radius,
                                  random.between(-0.6f, 0.6f) * radius);
    run(world, 20);
    past += world.linear_velocity(ball).x > 0.999f * speed ? 1 : 0;
  }
  return past;
}

/// Returns the number of pairs of bullets that do not collide although their paths meet. The angle
/// between the two paths is random.
double past_bullets() {
  base::Random random(31);
  double past = 0;
  for (int i = 0; i < shots; ++i) {
    World world(without_gravity());
    const BodyHandle ball = shoot(world, random, 0, 0);
    // The second bullet starts as far from the origin as the first, so both arrive at the same
    // time. Its path is offset along z by up to a radius.
    const double way = -world.centre_of_mass(ball).x;
    const double heading = static_cast<double>(random.between(0.3f, 6.0f));
    const Position from{-way * std::cos(heading), -way * std::sin(heading),
                        static_cast<double>(random.between(-1, 1) * radius)};
    const BodyHandle other = add_dynamic(world, from, state::sphere(radius));
    const Vec3 towards = math::to_vec3({std::cos(heading), std::sin(heading), 0}) * speed;
    world.set_velocity(other, towards, {});
    run(world, 20);
    const Vec3 change = world.linear_velocity(other) - towards;
    past += length(change) < 1e-3f * speed ? 1 : 0;
  }
  return past;
}

/// Returns the number of rotors that miss a ball in their first step, of 56. They turn by 100° to
/// 350° per step, and the ball lies 5° to 95° behind their first edge.
double missed_by_rotors() {
  double missed = 0;
  for (const float turn : {100.0f, 150.0f, 184.0f, 200.0f, 260.0f, 300.0f, 350.0f}) {
    for (const float place : {5.0f, 40.0f, 70.0f, 95.0f}) {
      for (const float side : {-1.0f, 1.0f}) {
        WorldOptions options = without_gravity();
        options.max_angular_speed = 500;
        World world(options);
        const BodyHandle rotor = add_body(world, MotionType::Kinematic, {},
                                          shape_def(state::box({0.9f, 0.015f, 0.015f})));
        const float rate = side * turn * math::pi / 180 * 60;
        world.set_velocity(rotor, {}, {0, 0, rate});
        const math::SinCos at = math::sin_cos(side * place * math::pi / 180);
        const BodyHandle ball = add_dynamic(
            world, math::to_position(Vec3{at.cos, at.sin, 0} * 0.5f), state::sphere(0.03f));
        world.step();
        const Vec3 along{-at.sin * side, at.cos * side, 0};
        missed += dot(world.linear_velocity(ball), along) > 0.4f * std::abs(rate) ? 0 : 1;
      }
    }
  }
  return missed;
}

constexpr Law laws[]{
    {29, "1 cm balls at 400 m/s that tunnel through 1 mm walls, of 2,500", "none", "", "", 0,
     [] { return through_plates(MotionType::Static); }},
    {29, "1 cm balls at 400 m/s that tunnel through moving plates, of 2,500", "none", "", "", 0,
     [] { return through_plates(MotionType::Kinematic); }},
    {29, "1 cm balls at 400 m/s that miss the middle of spinning sticks, of 2,500", "none", "", "",
     0, past_sticks},
    {29, "1 cm balls at 400 m/s that pass through each other, of 2,500", "none",
     "missed by all engines", "", 0, past_bullets},
    {29, "rotors of 100° to 350° per step that miss a ball in their first step, of 56", "none", "",
     "", 0, missed_by_rotors},
};

}  // namespace

std::span<const Law> bullet_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
