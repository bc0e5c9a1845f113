// Rows 7 to 10: restitution.
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

namespace jostle::physics::laws {
namespace {

/// Returns the largest error of the heights h of the first three bounces after a fall from 2.5 m.
/// The law is hₙ = e²·hₙ₋₁ with the restitution e, and each error is relative to the previous
/// measured height. Between two bounces, the energy of the ball gives the height that it reaches.
double bounce_error(float restitution) {
  World world(elastic(without_sleep()));
  add_ground(world, Material{0.5f});
  Material material{0.5f};
  material.restitution = restitution;
  const BodyHandle ball =
      add_body(world, MotionType::Dynamic, {{0, 3, 0}, {}}, with(state::sphere(0.5f), material));
  const double e = static_cast<double>(restitution);
  double before = 2.5, highest = 0, speed_before = 0, worst = 0;
  int bounces = 0;
  for (int i = 0; i < 1500 && bounces < 3; ++i) {
    world.step();
    const double speed = static_cast<double>(world.linear_velocity(ball).y);
    if (speed <= 0 && speed_before > 0) {
      worst = std::max(worst, relative(highest, e * e * before));
      before = highest;
      ++bounces;
    } else if (speed > 0) {
      highest = world.centre_of_mass(ball).y - 0.5 + speed * speed / (2 * g);
    }
    speed_before = speed;
  }
  return bounces == 3 ? worst : 1;
}

ShapeDef elastic_ball() {
  Material material{0};
  material.restitution = 1;
  return with(state::sphere(0.5f), material);
}

/// Returns the error of the speeds after a head-on collision of two equal balls, which exchange
/// their velocities.
double exchange_error() {
  double worst = 0;
  for (const float speed : {0.01f, 0.1f, 1.0f, 20.0f}) {
    World world(elastic(without_gravity()));
    const BodyHandle a = add_body(world, MotionType::Dynamic, {{-0.6, 0, 0}, {}}, elastic_ball());
    const BodyHandle b = add_body(world, MotionType::Dynamic, {{0.6, 0, 0}, {}}, elastic_ball());
    world.set_velocity(a, {speed, 0, 0}, {});
    run(world, static_cast<int>(24.0f / speed) + 6);
    worst = std::max({worst, static_cast<double>(std::abs(world.linear_velocity(a).x / speed)),
                      static_cast<double>(std::abs(world.linear_velocity(b).x / speed - 1))});
  }
  return worst;
}

/// Returns the largest error of any ball's speed in a Newton's cradle of five balls, as a fraction
/// of 2 m/s. `count` balls arrive at 2 m/s, and as many should leave.
double cradle_error(int count) {
  World world(elastic(without_gravity()));
  std::vector<BodyHandle> balls;
  for (int i = 0; i < 5; ++i) {
    const double x = i - (i < count ? 0.5 : 0.0);
    balls.push_back(add_body(world, MotionType::Dynamic, {{x, 0, 0}, {}}, elastic_ball()));
    if (i < count) world.set_velocity(balls.back(), {2, 0, 0}, {});
  }
  run(world, 60);
  double worst = 0;
  for (int i = 0; i < 5; ++i) {
    const double expected = i >= 5 - count ? 2 : 0;
    const float is = world.linear_velocity(balls[static_cast<std::size_t>(i)]).x;
    worst = std::max(worst, std::abs(static_cast<double>(is) - expected) / 2);
  }
  return worst;
}

/// Returns the largest deviation, in degrees, from the right angle at which equal balls move apart
/// after an oblique collision.
double right_angle_error() {
  double worst = 0;
  for (const double offset : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    for (const float speed : {1.0f, 5.0f, 20.0f}) {
      World world(elastic(without_gravity()));
      const BodyHandle a =
          add_body(world, MotionType::Dynamic, {{-2, offset, 0}, {}}, elastic_ball());
      const BodyHandle b = add_body(world, MotionType::Dynamic, {{}, {}}, elastic_ball());
      world.set_velocity(a, {speed, 0, 0}, {});
      run(world, 240);
      const Vec3 u = world.linear_velocity(a), v = world.linear_velocity(b);
      const double cosine = static_cast<double>(dot(u, v) / (length(u) * length(v)));
      worst = std::max(worst, std::abs(std::acos(cosine) / degree - 90));
    }
  }
  return worst;
}

constexpr Law laws[]{
    {7, "bounce, e = 1", "hₙ = e²hₙ₋₁", "2.494 of 2.5 m (model)", "", 2e-3,
     [] { return bounce_error(1); }},
    {7, "bounce, e = 0.9", "hₙ = e²hₙ₋₁", "", "", 2e-3, [] { return bounce_error(0.9f); }},
    {7, "bounce, e = 0.5", "hₙ = e²hₙ₋₁", "0.620, 0.146, 0.030 of 0.625, 0.156, 0.039 m (model)",
     "", 2e-3, [] { return bounce_error(0.5f); }},
    {8, "head-on elastic collision, 0.01 to 20 m/s", "speeds exchange", "Jolt sticks below 1 m/s",
     "", 1e-5, exchange_error},
    {9, "Newton's cradle of 5, one in", "one out", "needs a special pass", "", 0.01,
     [] { return cradle_error(1); }},
    {9, "Newton's cradle of 5, two in", "two out", "needs a special pass", "", 0.01,
     [] { return cradle_error(2); }},
    {10, "oblique collision of equal balls: angle between their paths", "90°", "", "°", 0.05,
     right_angle_error},
};

}  // namespace

std::span<const Law> bounce_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
