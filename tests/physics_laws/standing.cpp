// Rows 16, 21, 22 and 23: resting bodies and stacks.
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

namespace jostle::physics::laws {
namespace {

/// Returns the displacement of a resting ball after a minute.
double resting_ball_error() {
  World world(without_sleep());
  add_ground(world);
  const BodyHandle ball = add_dynamic(world, {0, 0.5, 0}, state::sphere(0.5f));
  run(world, 3600);
  return distance(world.centre_of_mass(ball), {0, 0.5, 0});
}

/// Returns the largest displacement of any box in a stack of unit boxes during a minute. The top
/// box is `top` times as heavy as the others.
double stack_error(int count, float top) {
  World world(without_sleep());
  add_ground(world);
  std::vector<BodyHandle> boxes;
  for (int i = 0; i < count; ++i) {
    ShapeDef def = shape_def(state::box({0.5f, 0.5f, 0.5f}));
    if (i + 1 == count) def.density *= top;
    boxes.push_back(add_body(world, MotionType::Dynamic, {{0, 0.5 + i, 0}, {}}, def));
  }
  double worst = 0;
  for (int second = 0; second < 60; ++second) {
    run(world, 60);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const Position built{0, 0.5 + static_cast<double>(i), 0};
      worst = std::max(worst, distance(world.centre_of_mass(boxes[i]), built));
    }
  }
  return worst;
}

/// Returns the number of boxes in a stack of `count` boxes that are awake after ten seconds.
double sleepless(int count) {
  World world{default_options()};
  add_ground(world);
  double awake = 0;
  const std::vector<BodyHandle> boxes = add_stack(world, count);
  run(world, 600);
  for (const BodyHandle box : boxes)
    awake += world.is_awake(box) ? 1 : 0;
  return awake;
}

constexpr Law laws[]{
    {16, "resting ball without sleep, 60 s", "no sag, no drift", "drifts in Jolt", "m", 1e-4,
     resting_ball_error},
    {21, "stack of 10 boxes, 60 s", "no sag, no drift", "26 mm (model)", "m", 1e-3,
     [] { return stack_error(10, 1); }},
    {21, "stack of 20 boxes, 60 s", "no sag, no drift", "0.10 m (model)", "m", 2e-3,
     [] { return stack_error(20, 1); }},
    {21, "stack of 50 boxes, 60 s", "no sag, no drift", "0.69 m (model)", "m", 5e-3,
     [] { return stack_error(50, 1); }},
    {21, "stack of 50 boxes: bodies awake after 10 s", "none", "", "bodies", 0,
     [] { return sleepless(50); }},
    {22, "heavy box on a light one, mass ratio 100", "no sag", "0.03 m", "m", 1e-3,
     [] { return stack_error(2, 100); }},
    {22, "heavy box on a light one, mass ratio 1000", "no sag", "0.35 m", "m", 1e-3,
     [] { return stack_error(2, 1000); }},
    {23, "heavy box on 10 light ones, mass ratio 100", "no sag", "0.5 m", "m", 5e-3,
     [] { return stack_error(11, 100); }},
};

}  // namespace

std::span<const Law> standing_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
