// Row 30: sliding over the seams of floors of many parts.
#include "shared/geometry/surface.h"
#include "shared/math/trig.h"
#include "tests/physics_laws/law.h"
#include "tests/physics_laws/worlds.h"

#include <functional>

namespace jostle::physics::laws {
namespace {

constexpr int parts = 90;  // along x, each 1.3 m long
constexpr float part_size = 1.3f;

ShapeDef smooth(const state::Shape& shape) {
  return with(shape, Material{0});
}

/// Adds a mesh with z from −2 m to 2 m and x from −5 m to 112 m.
void add_mesh_floor(World& world) {
  state::TriangleMesh mesh;
  constexpr std::uint32_t wide = 5;
  for (std::uint32_t i = 0; i <= parts; ++i) {
    for (std::uint32_t k = 0; k <= wide; ++k) {
      mesh.vertices.push_back(
          {-5 + part_size * static_cast<float>(i), 0, -2 + 0.8f * static_cast<float>(k)});
      if (i == parts || k == wide) continue;
      const std::uint32_t a = i * (wide + 1) + k, b = a + 1, c = a + wide + 1, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  }
  add_body(world, MotionType::Static, {}, smooth(state::solid(geometry::share(std::move(mesh)))));
}

void add_field_floor(World& world) {
  state::HeightField field;
  field.count_x = parts + 1;
  field.count_z = 6;
  field.cell_x = part_size;
  field.cell_z = 0.8f;
  field.heights.assign(std::size_t{parts + 1} * 6, 0.0f);
  add_body(world, MotionType::Static, {{-5, 0, -2}, {}},
           smooth(state::solid(geometry::share(std::move(field)))));
}

void add_box_floor(World& world) {
  for (int i = 0; i < parts; ++i) {
    add_body(world, MotionType::Static, {{-5 + part_size * (i + 0.5), -0.5, 0}, {}},
             smooth(state::box({part_size / 2, 0.5f, 2})));
  }
}

/// Returns the largest vertical speed, m/s, of bodies that slide 100 m at 10 m/s: a ball, a box
/// aligned with its motion, and a box turned by 0.4 rad. Returns 100 if a body falls below the
/// floor.
double worst_bump(const std::function<void(World&)>& add_floor) {
  double worst = 0;
  for (int slider = 0; slider < 3; ++slider) {
    World world(without_sleep());
    add_floor(world);
    const state::Shape shape = slider == 0 ? state::sphere(0.4f) : state::box({0.5f, 0.4f, 0.3f});
    const BodyHandle body =
        add_body(world, MotionType::Dynamic,
                 {{0, 0.4, 0.13}, math::from_axis_angle({0, 1, 0}, slider == 2 ? 0.4f : 0.0f)},
                 smooth(shape));
    run(world, 60);
    world.set_velocity(body, {10, 0, 0}, {});
    run(world, 6);
    while (world.centre_of_mass(body).x < 100) {
      world.step();
      worst = std::max(worst, std::abs(static_cast<double>(world.linear_velocity(body).y)));
      if (world.centre_of_mass(body).y < 0) return 100;
    }
  }
  return worst;
}

constexpr Law laws[]{
    {30, "ball and box slide 100 m over a triangulated plane", "no bump", "open issue in Jolt",
     "m/s", 1e-3, [] { return worst_bump(add_mesh_floor); }},
    {30, "ball and box slide 100 m over a height field", "no bump", "open issue in Jolt", "m/s",
     1e-3, [] { return worst_bump(add_field_floor); }},
    {30, "ball and box slide 100 m over flush boxes", "no bump", "open issue in Jolt", "m/s", 1e-3,
     [] { return worst_bump(add_box_floor); }},
};

}  // namespace

std::span<const Law> seam_laws() {
  return laws;
}

}  // namespace jostle::physics::laws
