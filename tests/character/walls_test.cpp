// Walls, ceilings and hills: a character must not enter them, nor oscillate between them.
#include "shared/base/random.h"
#include "shared/geometry/surface.h"
#include "tests/character/distance_oracle.h"
#include "tests/character/figure.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::character {
namespace {

using namespace jostle::character::testing;
using physics::MotionType;

/// The surroundings of a random walk, as the oracle uses them. Each part is also added to the
/// engine's world.
struct Maze {
  std::vector<OracleBox> boxes;
  std::vector<std::array<Point, 3>> triangles;

  void add_box(World& world, const math::Pose& pose, Vec3 half) {
    add_body(world, MotionType::Static, pose.position, pose.rotation, state::box(half));
    boxes.push_back(oracle_box(pose, half));
  }

  void add_mesh(World& world, state::TriangleMesh mesh, Position at) {
    for (const auto& triangle : mesh.triangles) {
      std::array<Point, 3> corners;
      for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 v = mesh.vertices[triangle[i]];
        corners[i] = {double(v.x) + at.x, double(v.y) + at.y, double(v.z) + at.z};
      }
      triangles.push_back(corners);
    }
    add_body(world, MotionType::Static, at, {}, state::solid(geometry::share(std::move(mesh))));
  }

  /// Returns the distance between the surface of the capsule and its surroundings, m. It is
  /// negative if they overlap.
  double distance(const Figure& figure) const {
    const float reach = 0.5f * figure.options.height - figure.options.radius;
    const Position low = figure.character.position - figure.character.up * reach;
    const Position high = figure.character.position + figure.character.up * reach;
    const Point a{low.x, low.y, low.z}, b{high.x, high.y, high.z};
    double least = 1e9;
    for (const OracleBox& box : boxes) {
      const double bound = length_of(minus(a, box.middle)) - length_of(box.half) - 1.8;
      if (bound > 0) continue;
      least = std::min(least, least_along(a, b, [&](const Point& p) { return to_box(p, box); }));
    }
    for (const auto& triangle : triangles) {
      // If a corner of the triangle is more than 1.6 m from the capsule's axis horizontally, the
      // whole triangle is farther than the radius of 0.3 m: seen from above, its edges are at most
      // 1.0 m long.
      const Point& corner = triangle[0];
      if (std::hypot(corner[0] - a[0], corner[2] - a[2]) > 1.6) continue;
      least = std::min(least,
                       least_along(a, b, [&](const Point& p) { return to_triangle(p, triangle); }));
    }
    return least - double(figure.options.radius);
  }

  static double length_of(const Point& p) { return std::sqrt(inner(p, p)); }
};

math::Quat random_rotation(base::Random& random) {
  const float x = random.between(-1, 1);
  const float y = random.between(-1, 1);
  const float z = random.between(-1, 1);
  const float w = random.between(-1, 1);
  return normalized(math::Quat{x, y, z, w});
}

void add_random_boxes(Maze& maze, World& world, base::Random& random) {
  maze.add_box(world, {{0, -1, 0}, {}}, {9, 1, 9});
  for (const int side : {-1, 1}) {
    maze.add_box(world, {{side * 9.0, 3, 0}, {}}, {0.5f, 5, 9});
    maze.add_box(world, {{0, 3, side * 9.0}, {}}, {9, 5, 0.5f});
  }
  for (int i = 0; i < 60; ++i) {
    const double x = double(random.between(-8, 8));
    const double y = double(random.between(0, 2));
    const double z = double(random.between(-8, 8));
    const float a = random.between(0.1f, 1.2f);
    const float b = random.between(0.1f, 1.2f);
    const float c = random.between(0.1f, 1.2f);
    const math::Quat turn = random.chance(0.5f) ? random_rotation(random) : math::Quat{};
    if (std::hypot(x, z) > 2.5) maze.add_box(world, {{x, y, z}, turn}, {a, b, c});
  }
}

/// Returns a mesh of `count` × `count` vertices, `cell` metres apart, with random heights from 0 to
/// `height`. The middle is flat at height 0, because the walks start there.
state::TriangleMesh random_hills(base::Random& random, int count, float cell, float height) {
  state::TriangleMesh mesh;
  const auto n = static_cast<std::uint32_t>(count);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      const bool is_middle = i + 3 > n / 2 && i < n / 2 + 3 && j + 3 > n / 2 && j < n / 2 + 3;
      const float y = is_middle ? 0.0f : random.between(0.0f, height);
      mesh.vertices.push_back({cell * float(i), y, cell * float(j)});
    }
  }
  for (std::uint32_t i = 0; i + 1 < n; ++i) {
    for (std::uint32_t j = 0; j + 1 < n; ++j) {
      const std::uint32_t a = i * n + j, b = a + 1, c = a + n, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  }
  return mesh;
}

/// Moves the character for `ticks` ticks with random directions, speeds and jumps. Returns its
/// minimum distance from `maze`, m (at most 1).
double least_distance_of_walk(Figure& figure, const Maze& maze, base::Random& random, int ticks) {
  figure.put({0, 0.5, 0});
  double least = 1;
  Vec3 wanted{};
  for (int i = 0; i < ticks; ++i) {
    if (i % 20 == 0) {
      const float x = random.between(-8, 8);
      const float z = random.between(-8, 8);
      wanted = {x, 0, z};
    }
    figure.step(wanted, random.chance(0.05f));
    least = std::min(least, maze.distance(figure));
  }
  return least;
}

/// Moves the character for `ticks` ticks towards `wanted`, and returns the length of its path, m. A
/// character that rests has a path of nearly 0.
double path_of(Figure& figure, int ticks, Vec3 wanted) {
  double sum = 0;
  for (int i = 0; i < ticks; ++i) {
    const Position before = figure.character.position;
    figure.step(wanted, false);
    sum += double(length(figure.character.position - before));
  }
  return sum;
}

class CharacterRandomWalk : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, CharacterRandomWalk, ::testing::Range<std::uint64_t>(0, 6));

TEST_P(CharacterRandomWalk, EntersNoBox) {
  base::Random random(GetParam());
  Figure figure;
  Maze maze;
  add_random_boxes(maze, figure.world, random);
  EXPECT_GT(least_distance_of_walk(figure, maze, random, 1200), -0.001);
  EXPECT_GT(figure.foot().y, 0.0);
}

TEST_P(CharacterRandomWalk, StaysAboveAMesh) {
  base::Random random(100 + GetParam());
  Figure figure;
  Maze maze;
  const float cell = 0.7f;
  maze.add_mesh(figure.world, random_hills(random, 24, cell, GetParam() % 2 == 0 ? 0.5f : 1.4f),
                {-11.5 * double(cell), 0, -11.5 * double(cell)});
  for (const int side : {-1, 1}) {
    maze.add_box(figure.world, {{side * 7.0, 5, 0}, {}}, {0.5f, 6, 9});
    maze.add_box(figure.world, {{0, 5, side * 7.0}, {}}, {9, 6, 0.5f});
  }
  EXPECT_GT(least_distance_of_walk(figure, maze, random, 1200), -0.001);
  EXPECT_GT(figure.foot().y, -0.001);
}

TEST_P(CharacterRandomWalk, StaysAboveAHeightField) {
  base::Random random(200 + GetParam());
  Figure figure;
  Maze maze;
  // The engine uses the height field. The oracle uses the same hills as a mesh, which is only in
  // the world `aside`.
  World aside{awake_options()};
  const float cell = 0.7f;
  const state::TriangleMesh hills = random_hills(random, 24, cell, 0.9f);
  const Position at{-11.5 * double(cell), 0, -11.5 * double(cell)};
  maze.add_mesh(aside, hills, at);
  state::HeightField field;
  field.count_x = field.count_z = 24;
  field.cell_x = field.cell_z = cell;
  for (const Vec3 vertex : hills.vertices)
    field.heights.push_back(vertex.y);
  add_body(figure.world, MotionType::Static, at, {},
           state::solid(geometry::share(std::move(field))));
  for (const int side : {-1, 1}) {
    maze.add_box(figure.world, {{side * 7.0, 5, 0}, {}}, {0.5f, 6, 9});
    maze.add_box(figure.world, {{0, 5, side * 7.0}, {}}, {9, 6, 0.5f});
  }
  EXPECT_GT(least_distance_of_walk(figure, maze, random, 1200), -0.001);
  EXPECT_GT(figure.foot().y, -0.001);
}

TEST_P(CharacterRandomWalk, ComesToRestAnywhereInHills) {
  base::Random random(300 + GetParam());
  Figure figure;
  Maze maze;
  const float cell = 0.7f, height = GetParam() % 2 == 0 ? 0.5f : 1.4f;
  maze.add_mesh(figure.world, random_hills(random, 24, cell, height),
                {-11.5 * double(cell), 0, -11.5 * double(cell)});
  for (int i = 0; i < 10; ++i) {
    const double x = double(random.between(-5, 5));
    const double z = double(random.between(-5, 5));
    figure.put({x, 2, z});
    figure.walk(300, {});
    ASSERT_TRUE(figure.is_firm()) << i;
    const Position before = figure.character.position;
    EXPECT_LT(path_of(figure, 60, {}), 1e-3) << i;
    EXPECT_LT(length(figure.character.position - before), 1e-4f) << i;
  }
}

TEST(CharacterAtWalls, ComesToRestInCornersOfAnyAngle) {
  for (const float angle : {120.0f, 90.0f, 60.0f, 20.0f, 5.0f}) {
    SCOPED_TRACE(angle);
    Figure figure;
    add_ground(figure.world);
    // The two walls meet at the origin and open towards −x.
    for (const float side : {-1.0f, 1.0f}) {
      const float turn = side * 0.5f * angle * degree;
      const math::Quat rotation{0, std::sin(turn / 2), 0, std::cos(turn / 2)};
      const Vec3 offset = rotate(rotation, {-15, 1, side * 0.5f});
      add_body(figure.world, MotionType::Static, math::to_position(offset), rotation,
               state::box({15, 1, 0.5f}));
    }
    figure.put({-10, 0, 0.1});
    figure.walk(300, {4, 0, 0.3f});
    const Position before = figure.character.position;
    EXPECT_LT(path_of(figure, 300, {4, 0, 0.3f}), 2e-3);
    EXPECT_LT(length(figure.character.position - before), 1e-3f);
    EXPECT_LT(figure.character.position.x, -0.3);
  }
}

TEST(CharacterAtWalls, SlidesAtTheProjectedSpeed) {
  Figure figure;
  add_ground(figure.world);
  add_static_box(figure.world, {1, 1, 0}, {0.5f, 1, 50});
  figure.put({0, 0, 0});
  figure.walk(60, {3, 0, 0});
  const Position before = figure.character.position;
  figure.walk(60, {3, 0, 4});
  EXPECT_NEAR(figure.character.position.z - before.z, 4, 1e-2);
  EXPECT_NEAR(figure.character.position.x, 0.5 - 0.3 - double(figure.skin()), 1e-3);
}

TEST(CharacterAtWalls, SlidesUpASlopeAtTheProjectedSpeed) {
  Figure figure;
  add_slope(figure.world, 30 * degree);
  // The wall lies along the direction (1, 0, 1).
  const math::Quat turn{0, -std::sin(22.5f * degree), 0, std::cos(22.5f * degree)};
  const Vec3 offset = rotate(turn, {0, 0, 1.2f});
  add_body(figure.world, MotionType::Static, math::to_position(offset), turn,
           state::box({30, 30, 0.5f}));
  const Vec3 along = rotate(turn, {1, 0, 0});
  figure.put({0, 0.3, 0});
  figure.walk(60, {0, 0, 3});
  const Position before = figure.character.position;
  const float part = dot(along, {0, 0, 3});
  ASSERT_GT(part * along.x, 1.0f) << "the wall must lead up the slope";
  figure.walk(60, {0, 0, 3});
  const Vec3 gone = figure.character.position - before;
  EXPECT_NEAR(gone.x, along.x * part, 0.01f);
  EXPECT_NEAR(gone.z, along.z * part, 0.01f);
  EXPECT_NEAR(gone.y, gone.x * std::tan(30 * degree), 0.01f);
  EXPECT_TRUE(figure.is_firm());
}

TEST(CharacterAtWalls, SlidesAlongABrickWallWithoutCatching) {
  Figure figure;
  add_ground(figure.world);
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < 4; ++j)
      add_static_box(figure.world, {1, 0.25 + 0.5 * j, 0.5 * i}, {0.5f, 0.25f, 0.25f});
  }
  figure.put({0, 0, 0});
  figure.walk(30, {3, 0, 0});
  const Position before = figure.character.position;
  figure.walk(240, {3, 0, 4});
  EXPECT_NEAR(figure.character.position.z - before.z, 16, 0.05);
  EXPECT_NEAR(figure.character.position.x, 0.19, 1e-3);
}

TEST(CharacterAtWalls, StopsUnderALowBeamWithoutOscillating) {
  Figure figure;
  add_ground(figure.world);
  const math::Quat lean{0, 0, std::sin(20 * degree), std::cos(20 * degree)};
  add_body(figure.world, MotionType::Static, {3, 2, 0}, lean, state::box({3, 0.1f, 3}));
  figure.put({4, 0, 0});
  figure.walk(60, {-4, 0, 0});
  const Position before = figure.character.position;
  EXPECT_LT(path_of(figure, 300, {-4, 0, 0}), 2e-3);
  EXPECT_LT(length(figure.character.position - before), 1e-3f);
  EXPECT_NEAR(figure.foot().y, double(figure.skin()), 5e-3);
}

TEST(CharacterAtWalls, SlidesAlongALowBeam) {
  Figure figure;
  add_ground(figure.world);
  const math::Quat lean{0, 0, std::sin(20 * degree), std::cos(20 * degree)};
  add_body(figure.world, MotionType::Static, {3, 2, 0}, lean, state::box({3, 0.1f, 9}));
  figure.put({4, 0, -6});
  figure.walk(60, {-4, 0, 0});
  const Position before = figure.character.position;
  figure.walk(120, {-4, 0, 2});
  EXPECT_NEAR(figure.character.position.z - before.z, 4, 0.05);
  EXPECT_NEAR(figure.character.position.x, before.x, 5e-3);
}

TEST(CharacterAtWalls, IsPushedOutOfABoxItStartsIn) {
  Figure figure;
  add_ground(figure.world);
  add_static_box(figure.world, {0, 1, 0}, {0.5f, 1, 5});
  figure.put({0.55, 0, 0});  // 0.25 m inside the box
  figure.walk(10, {});
  EXPECT_GT(figure.character.position.x, 0.5 + 0.3);
  EXPECT_TRUE(figure.is_firm());
}

}  // namespace
}  // namespace jostle::character
