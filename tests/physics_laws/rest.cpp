// Row 49: bodies that have fallen come to rest.
#include "tests/physics/collide_oracle.h"
#include "tests/physics/joint_scenes.h"
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

namespace jostle::physics::laws {
namespace {

int awake_bodies(const World& world) {
  int count = 0;
  for (const BodyHandle body : world.bodies())
    count += world.motion_type(body) == MotionType::Dynamic && world.is_awake(body) ? 1 : 0;
  return count;
}

/// Adds six steps of 0.1 to 0.22 m.
void add_stairs(World& world, base::Random& random) {
  const float rise = random.between(0.1f, 0.22f);
  for (int i = 0; i < 6; ++i) {
    const float half = 0.5f * rise * static_cast<float>(i + 1);
    add_body(world, MotionType::Static, {{0, static_cast<double>(half), -0.3 * i}, {}},
             shape_def(state::box({1.5f, half, 0.15f})));
  }
}

/// Returns the share of rag dolls that are awake 10 s after they were dropped, one at a time, on
/// stairs and on the ground. The joints have friction.
double dolls_awake() {
  constexpr int dolls = 40;
  base::Random random(3);
  int awake = 0;
  for (int i = 0; i < dolls; ++i) {
    World world(default_options());
    add_ground(world);
    if (i % 2 == 0) add_stairs(world, random);
    const Position at{random.between(-1, 1), random.between(2.2f, 3.7f),
                      random.between(-1.4f, 0.1f)};
    add_ragdoll(world, {at, random_rotation(random)});
    for (const JointHandle joint : world.joints())
      world.set_joint_motor(joint, {true, 0, 0.7f});
    run(world, 600);
    awake += awake_bodies(world) > 0 ? 1 : 0;
  }
  return static_cast<double>(awake) / dolls;
}

/// Returns the share of hulls that are awake 10 s after a heap of 60 of them fell on `ground`, in
/// three heaps. `apart` is the distance at which they start, in their size.
double hulls_awake(const state::Shape& ground, float apart) {
  constexpr int heaps = 3, hulls = 60;
  int awake = 0;
  for (int heap = 0; heap < heaps; ++heap) {
    base::Random random(5 + static_cast<std::uint64_t>(heap));
    World world(default_options());
    add_body(world, MotionType::Static, {}, shape_def(ground));
    for (int i = 0; i < hulls; ++i) {
      const Vec3 place{static_cast<float>(i % 4) - 1.5f, static_cast<float>(i / 16),
                       static_cast<float>(i / 4 % 4) - 1.5f};
      const Position at = Position{0, 1.5, 0} + place * apart;
      const float size = random.between(0.2f, 0.5f);
      const int points = 8 + static_cast<int>(random.below(16));
      add_body(world, MotionType::Dynamic, {at, random_rotation(random)},
               shape_def(random_hull(random, points, size)));
    }
    run(world, 600);
    awake += awake_bodies(world);
  }
  return static_cast<double>(awake) / (heaps * hulls);
}

state::Shape rough_ground() {
  base::Random random(8);
  return grid_mesh(60, 0.5f, [&](float x, float z) {
    return 0.4f * math::sin_cos(0.5f * x).sin * math::sin_cos(0.4f * z).cos +
           random.between(-0.1f, 0.1f);
  });
}

/// Returns the share of light bodies of 1 kg that a box of 1,000 or 10,000 kg, which falls on them
/// from 2 m, lifts or moves by more than 5 cm.
double displaced_by_blows() {
  const state::Shape shapes[] = {state::box({0.5f, 0.5f, 0.5f}), state::cylinder(0.4f, 0.3f),
                                 state::box({0.2f, 0.1f, 0.2f}), state::box({1, 0.05f, 1})};
  const double heights[] = {0.5, 0.3, 0.1, 0.05};
  int displaced = 0, all = 0;
  for (const float mass : {1e3f, 1e4f}) {
    for (std::size_t i = 0; i < std::size(shapes); ++i) {
      for (const bool is_plane : {true, false}) {
        World world(without_sleep());
        add_body(world, MotionType::Static, {{0, is_plane ? 0.0 : -1.0, 0}, {}},
                 shape_def(is_plane ? state::plane() : state::box({20, 1, 20})));
        const auto add = [&](double y, float of, const state::Shape& shape) {
          BodyDef def;
          def.pose.position = {0, y, 0};
          def.mass = of;
          const BodyHandle body = world.create_body(def);
          world.add_shape(body, shape_def(shape));
          return body;
        };
        const BodyHandle light = add(heights[i], 1, shapes[i]);
        run(world, 30);
        add(2 * heights[i] + 2.5, mass, state::box({0.5f, 0.5f, 0.5f}));
        double farthest = 0;
        for (int k = 0; k < 240; ++k) {
          world.step();
          const Position at = world.centre_of_mass(light);
          farthest = std::max({farthest, std::abs(at.y - heights[i]), std::hypot(at.x, at.z)});
        }
        displaced += farthest > 0.05 ? 1 : 0;
        ++all;
      }
    }
  }
  return static_cast<double>(displaced) / all;
}

/// Returns the share of tall boxes that fall asleep while they fall over. They are released at
/// rest, 1° to 3° before they would be in balance on an edge, and fall back onto their base.
double toppling_asleep() {
  int asleep = 0, count = 0;
  for (const float half_height : {0.15f, 1.0f, 4.0f}) {
    for (const double before : {1.0, 2.0, 3.0}) {
      const float half_width = 0.25f * half_height;
      const double tilt = std::atan2(half_width, half_height) - before * degree;
      World world(default_options());
      add_ground(world);
      const math::Quat rotation = math::from_axis_angle({0, 0, 1}, static_cast<float>(-tilt));
      const Vec3 middle = rotate(rotation, Vec3{-half_width, half_height, 0});
      const BodyHandle box = add_body(world, MotionType::Dynamic, {Position{} + middle, rotation},
                                      shape_def(state::box({half_width, half_height, half_width})));
      for (int i = 0; i < 1200 && world.is_awake(box); ++i)
        world.step();
      const bool is_upright = rotate(world.pose(box).rotation, Vec3{0, 1, 0}).y > 0.999f;
      asleep += is_upright ? 0 : 1;
      ++count;
    }
  }
  return static_cast<double>(asleep) / count;
}

constexpr Law laws[]{
    {49, "boxes released 1° to 3° before their balance on an edge: asleep before they lie", "none",
     "", "", 0, toppling_asleep},
    {49, "40 rag dolls dropped on stairs and ground: awake after 10 s", "none", "", "", 0,
     dolls_awake},
    {49, "light bodies under blows of 1,000 and 10,000 times their mass: displaced", "none", "", "",
     0, displaced_by_blows},
    {49, "heaps of 60 hulls: awake after 10 s", "none", "", "", 0,
     [] { return hulls_awake(state::plane(), 1); }},
    {49, "60 hulls on rough ground: awake after 10 s", "none", "", "", 0,
     [] { return hulls_awake(rough_ground(), 4); }},
};

}  // namespace

std::span<const Law> rest_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
