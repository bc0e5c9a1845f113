// Row 26: structures of many parts that stand without motion.
#include "shared/geometry/hull.h"
#include "shared/geometry/surface.h"
#include "shared/math/trig.h"
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

#include <functional>

namespace jostle::physics::laws {
namespace {

/// Returns the number of bodies that, after half a minute, are awake or more than 1 cm from where
/// they were built.
double fallen(const std::function<void(World&)>& build) {
  World world{default_options()};
  add_ground(world, Material{0.7f});
  build(world);
  std::vector<Position> built;
  for (const BodyHandle body : world.bodies())
    built.push_back(world.centre_of_mass(body));
  run(world, 1800);
  double count = 0;
  const std::vector<BodyHandle> bodies = world.bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (world.motion_type(bodies[i]) != MotionType::Dynamic) continue;
    const bool has_moved = distance(world.centre_of_mass(bodies[i]), built[i]) > 0.01;
    count += has_moved || world.is_awake(bodies[i]) ? 1 : 0;
  }
  return count;
}

void add_part(World& world, Position at, math::Quat turned, const state::Shape& shape) {
  add_body(world, MotionType::Dynamic, {at, turned}, with(shape, Material{0.7f}));
}

/// Adds three storeys of cards that lean against each other at 20°, with a board above each storey.
void build_card_house(World& world) {
  constexpr double thick = 0.02, high = 0.4, lean = 20 * degree, pitch = 0.36;
  // A leaning card stands on the edge of its outer side and touches its partner with the edge of
  // its inner side. The board lies on the edges of the outer sides.
  const double up = (thick * std::sin(lean) + high * std::cos(lean)) / 2;
  const double aside = (thick * std::cos(lean) + high * std::sin(lean)) / 2;
  const state::Shape card = state::box({thick / 2, high / 2, 0.15f});
  for (int storey = 0; storey < 3; ++storey) {
    const double floor = storey * (2 * up + thick);
    const int tents = 3 - storey;
    for (int i = 0; i < tents; ++i) {
      const double x = (i - (tents - 1) / 2.0) * pitch;
      for (const double side : {-1.0, 1.0}) {
        add_part(world, {x + side * aside, floor + up, 0},
                 math::from_axis_angle({0, 0, 1}, static_cast<float>(side * lean)), card);
      }
    }
    const auto half = static_cast<float>((tents - 1) * pitch / 2 + 0.06);
    add_part(world, {0, floor + 2 * up + thick / 2, 0}, {}, state::box({half, thick / 2, 0.15f}));
  }
}

/// Adds an arch of eleven stones between two half circles.
void build_arch(World& world) {
  constexpr int stones = 11;
  constexpr double inner = 2, outer = 2.6, deep = 0.4;
  for (int i = 0; i < stones; ++i) {
    std::vector<Vec3> points;
    const double middle = (i + 0.5) * pi / stones, mean = (inner + outer) / 2;
    const Position centre{mean * std::cos(middle), mean * std::sin(middle), 0};
    for (const double angle : {i * pi / stones, (i + 1) * pi / stones}) {
      for (const double radius : {inner, outer}) {
        for (const double z : {-deep, deep}) {
          points.push_back(math::to_vec3(
              {radius * std::cos(angle) - centre.x, radius * std::sin(angle) - centre.y, z}));
        }
      }
    }
    add_part(world, centre, {}, state::solid(geometry::share(*geometry::build_hull(points))));
  }
}

/// Adds eighteen layers of three blocks, each layer across the one below, with gaps of a millimetre
/// between blocks.
void build_jenga(World& world) {
  const state::Shape along = state::box({0.75f, 0.15f, 0.2495f});
  const state::Shape across = state::box({0.2495f, 0.15f, 0.75f});
  for (int layer = 0; layer < 18; ++layer) {
    for (int i = -1; i <= 1; ++i) {
      const bool is_along = layer % 2 == 0;
      const Position at{is_along ? 0 : 0.5 * i, 0.15 + 0.3 * layer, is_along ? 0.5 * i : 0};
      add_part(world, at, {}, is_along ? along : across);
    }
  }
}

void build_dominoes(World& world) {
  for (int i = 0; i < 40; ++i) {
    const double angle = i * 2 * pi / 40;
    add_part(world, {4 * std::cos(angle), 0.5, 4 * std::sin(angle)},
             math::from_axis_angle({0, 1, 0}, static_cast<float>(-angle)),
             state::box({0.25f, 0.5f, 0.05f}));
  }
}

constexpr Law laws[]{
    {26, "card house of three storeys, 30 s", "stands and sleeps", "Box3D, Rapier good", "bodies",
     0, [] { return fallen(build_card_house); }},
    {26, "arch of 11 stones, 30 s", "stands and sleeps", "Box3D, Rapier good", "bodies", 0,
     [] { return fallen(build_arch); }},
    {26, "tower of 54 blocks, 30 s", "stands and sleeps", "Box3D, Rapier good", "bodies", 0,
     [] { return fallen(build_jenga); }},
    {26, "ring of 40 dominoes, 30 s", "stands and sleeps", "Box3D, Rapier good", "bodies", 0,
     [] { return fallen(build_dominoes); }},
};

}  // namespace

std::span<const Law> structure_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
