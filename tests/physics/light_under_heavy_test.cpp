// Light bodies that heavy ones squeeze against a floor: they are neither ejected nor pushed through
// (shared/physics/stabilizers/balanced_warm_start/balance_warm_start.h).
#include "shared/geometry/hull.h"
#include "shared/geometry/surface.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

enum class Floor { Plane, Box, Mesh, HeightField };

struct Squeeze {
  const char* floor_name;
  Floor floor;
  float ratio;  // heavy mass to light mass
};

std::ostream& operator<<(std::ostream& out, const Squeeze& squeeze) {
  return out << squeeze.floor_name << squeeze.ratio;
}

/// Adds a flat floor at y = 0. The cells of the mesh and the height field are half a metre wide.
void add_floor(World& world, Floor floor) {
  constexpr std::uint32_t cells = 160;
  constexpr float cell = 0.5f, half = 0.5f * cell * static_cast<float>(cells);
  if (floor == Floor::Plane) {
    add_body(world, MotionType::Static, {}, shape_def(state::plane()));
  } else if (floor == Floor::Box) {
    add_body(world, MotionType::Static, {{0, -1, 0}, {}}, shape_def(state::box({half, 1, half})));
  } else if (floor == Floor::HeightField) {
    state::HeightField field;
    field.count_x = field.count_z = cells + 1;
    field.cell_x = field.cell_z = cell;
    field.heights.assign(static_cast<std::size_t>(cells + 1) * (cells + 1), 0.0f);
    add_body(world, MotionType::Static, {{-half, 0, -half}, {}},
             shape_def(state::solid(geometry::share(std::move(field)))));
  } else {
    state::TriangleMesh mesh;
    for (std::uint32_t i = 0; i <= cells; ++i)
      for (std::uint32_t j = 0; j <= cells; ++j)
        mesh.vertices.push_back(
            {cell * static_cast<float>(i) - half, 0, cell * static_cast<float>(j) - half});
    for (std::uint32_t i = 0; i < cells; ++i) {
      for (std::uint32_t j = 0; j < cells; ++j) {
        const std::uint32_t a = i * (cells + 1) + j, b = a + 1, c = a + cells + 1, d = c + 1;
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({a, d, c});
      }
    }
    add_body(world, MotionType::Static, {},
             shape_def(state::solid(geometry::share(std::move(mesh)))));
  }
}

state::Shape light_shape(base::Random& random, std::uint32_t kind) {
  const auto size = [&] { return random.between(0.05f, 0.15f); };
  switch (kind) {
    case 0:
      return state::sphere(size());
    case 1:
      return state::box({size(), size(), size()});
    case 2:
      return state::capsule(size(), size());
    case 3:
      return state::cylinder(size(), size());
    default: {
      std::vector<Vec3> points;
      for (int i = 0; i < 12; ++i)
        points.push_back(normalized_or(random_vector(random, 1), {1, 0, 0}) * size());
      return state::solid(geometry::share(*geometry::build_hull(points)));
    }
  }
}

class LightUnderHeavy : public ::testing::TestWithParam<Squeeze> {};

TEST_P(LightUnderHeavy, IsNeitherEjectedNorPushedThroughTheFloor) {
  constexpr int rounds = 100;
  constexpr float most_speed = 30;  // m/s; a point of the heavy body has at most 13 m/s
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    base::Random random(static_cast<std::uint64_t>(round) + 1);
    WorldOptions options = without_sleep();
    options.max_linear_speed = 10'000;  // so that no clamp hides an ejection
    World world(options);
    add_floor(world, GetParam().floor);
    BodyDef light;
    light.motion = MotionType::Dynamic;
    light.pose = {{0, 0.25, 0}, random_rotation(random)};
    light.mass = 1;
    const BodyHandle small = world.create_body(light);
    world.add_shape(small, shape_def(light_shape(random, static_cast<std::uint32_t>(round) % 5)));
    run(world, 30);  // the light body comes to rest
    BodyDef heavy;
    heavy.motion = MotionType::Dynamic;
    const float half = random.between(0.4f, 1.0f);
    heavy.pose = {{random.between(-0.5f, 0.5f), 0.4 + 1.8 * static_cast<double>(half),
                   random.between(-0.5f, 0.5f)},
                  random_rotation(random)};
    heavy.mass = GetParam().ratio;
    const BodyHandle large = world.create_body(heavy);
    world.add_shape(large, shape_def(state::box({half, half, half})));
    world.set_velocity(large, {random.between(-3, 3), -6, random.between(-3, 3)},
                       random_vector(random, 3));
    const double energy = total_energy(world);
    for (int i = 0; i < 240; ++i) {
      world.step();
      EXPECT_LT(total_energy(world), 1.001 * energy) << "step " << i;
      EXPECT_LT(length(world.linear_velocity(small)), most_speed) << "step " << i;
      EXPECT_GT(world.centre_of_mass(small).y, 0.0) << "step " << i;
      EXPECT_GT(world.centre_of_mass(large).y, 0.0) << "step " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Floors, LightUnderHeavy,
    ::testing::Values(Squeeze{"Plane", Floor::Plane, 30}, Squeeze{"Plane", Floor::Plane, 1000},
                      Squeeze{"Box", Floor::Box, 30}, Squeeze{"Box", Floor::Box, 1000},
                      Squeeze{"Mesh", Floor::Mesh, 30}, Squeeze{"Mesh", Floor::Mesh, 1000},
                      Squeeze{"HeightField", Floor::HeightField, 30},
                      Squeeze{"HeightField", Floor::HeightField, 1000}),
    [](const auto& parameter) {
      return std::string(parameter.param.floor_name) +
             std::to_string(static_cast<int>(parameter.param.ratio));
    });

}  // namespace
}  // namespace jostle::physics
