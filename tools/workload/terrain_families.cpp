#include "shared/math/trig.h"
#include "tools/workload/detail/draw.h"
#include "tools/workload/detail/family_makers.h"
#include "tools/workload/detail/layers.h"
#include "tools/workload/detail/makers.h"
#include "tools/workload/reach.h"

#include <algorithm>
#include <array>
#include <cmath>

// Families on meshes.

namespace jostle::workload {

using math::Vec3;

namespace {

/// Parameters of a terrain: a basin with waves and random heights.
struct Terrain {
  int cells = 100;     // along each side
  float cell = 0.5f;   // m
  float noise = 0;     // m, random height of each vertex
  float jitter = 0;    // m, random horizontal displacement of each vertex
  Vec3 wave{0, 1, 1};  // y: amplitude in m; x, z: wave numbers in rad/m
  float rim = 0;       // m, height of the edge above the middle

  float half_width() const { return 0.5f * cell * static_cast<float>(cells); }
};

/// Returns the height of the basin at (x, z), in m. The inner half of the basin is flat.
float rim_height(const Terrain& terrain, float x, float z) {
  const float far = std::max(std::abs(x), std::abs(z)) / terrain.half_width();
  const float beyond = std::max(far - 0.5f, 0.0f) * 2;
  return terrain.rim * beyond * beyond;
}

/// Adds the terrain as the first body. Returns the largest height in and around the inner half, in
/// m.
float add_terrain(Scene& scene, Random& random, const Terrain& terrain) {
  Shape mesh;
  mesh.kind = ShapeKind::Mesh;
  float highest = 0;
  const auto side = static_cast<std::uint32_t>(terrain.cells + 1);
  for (std::uint32_t i = 0; i < side; ++i) {
    for (std::uint32_t j = 0; j < side; ++j) {
      Vec3 point;
      point.x = terrain.cell * static_cast<float>(i) - terrain.half_width();
      point.z = terrain.cell * static_cast<float>(j) - terrain.half_width();
      point.y = terrain.wave.y * math::sin_cos(terrain.wave.x * point.x).sin *
                    math::sin_cos(terrain.wave.z * point.z).cos +
                rim_height(terrain, point.x, point.z);
      point.x += random.between(-terrain.jitter, terrain.jitter);
      point.y += random.between(-terrain.noise, terrain.noise);
      point.z += random.between(-terrain.jitter, terrain.jitter);
      const float far = std::max(std::abs(point.x), std::abs(point.z));
      if (far < 0.65f * terrain.half_width()) highest = std::max(highest, point.y);
      mesh.points.push_back(point);
    }
  }
  for (std::uint32_t i = 0; i + 1 < side; ++i) {
    for (std::uint32_t j = 0; j + 1 < side; ++j) {
      const std::uint32_t a = i * side + j, b = a + 1, c = a + side, d = c + 1;
      const bool is_along = terrain.jitter == 0 || pick(random, 2) == 0;
      mesh.triangles.push_back(is_along ? std::array{a, b, d} : std::array{a, b, c});
      mesh.triangles.push_back(is_along ? std::array{a, d, c} : std::array{b, d, c});
    }
  }
  add_body(scene, Motion::Static, add_shape(scene, std::move(mesh)), {}, {});
  scene.arena = {.has_floor = true, .half_width = terrain.half_width() - 1, .has_terrain = true};
  return highest;
}

Vec3 draw_wave(Random& random, float amplitude) {
  Vec3 wave;
  wave.x = random.between(0.15f, 0.4f);
  wave.y = random.between(0.4f, 1) * amplitude;
  wave.z = random.between(0.15f, 0.4f);
  return wave;
}

}  // namespace

void fill_rough_mesh(Random& random, Scene& scene) {
  const int count = draw_count(random, 500, 1300);
  Terrain terrain;
  terrain.cells = draw_count(random, 80, 160);
  terrain.cell = random.between(0.25f, 0.5f);
  terrain.noise = terrain.cell * random.between(0.1f, 0.4f);
  terrain.jitter = 0.2f * terrain.cell;
  terrain.wave = draw_wave(random, 1);
  terrain.rim = 8;
  const float highest = add_terrain(scene, random, terrain);
  const float size = random.between(0.4f, 1);
  const float region = 0.5f * terrain.half_width();
  Layers layers({0, highest + 0.1f, 0}, region, region);
  add_chunks(scene, random, layers, 24, count, 0.4f * size, size);
}

void fill_height_field(Random& random, Scene& scene) {
  const int count = draw_count(random, 500, 1500);
  Terrain terrain;
  terrain.cells = draw_count(random, 50, 110);
  terrain.cell = random.between(0.5f, 1);
  terrain.noise = terrain.cell * random.between(0, 0.1f);
  terrain.wave = draw_wave(random, 3);
  terrain.rim = 10;
  const float highest = add_terrain(scene, random, terrain);
  const float size = random.between(0.3f, 1.2f);
  const float region = 0.5f * terrain.half_width();
  Layers layers({0, highest + 0.1f, 0}, region, region);
  const std::uint32_t first = add_chunks(scene, random, layers, 24, count, 0.4f * size, size);
  const float speed = random.between(0, 6);
  for (std::uint32_t i = first; i < scene.bodies.size(); ++i)
    scene.bodies[i].linear_velocity = rotate(draw_yaw(random), {speed, 0, 0});
}

void fill_logs(Random& random, Scene& scene) {
  const int count = draw_count(random, 25, 60), parts = draw_count(random, 5, 14);
  const int stones = draw_count(random, 250, 400);
  const float radius = random.between(0.12f, 0.25f), pitch = radius * random.between(2, 4);
  const float length = pitch * static_cast<float>(parts) + 6 * radius;
  const float region = half_width_for(count, length, random.between(3, 8));
  Terrain terrain;
  terrain.cells = draw_count(random, 80, 150);
  terrain.cell = 4 * region / static_cast<float>(terrain.cells);
  terrain.noise = terrain.cell * random.between(0.02f, 0.2f);
  terrain.wave = draw_wave(random, 1.5f);
  terrain.rim = 8;
  const float highest = add_terrain(scene, random, terrain);
  const bool are_round = pick(random, 2) == 0;
  const std::uint32_t piece = are_round ? add_capsule(scene, radius, 0.5f * pitch)
                                        : add_box(scene, {radius, 0.5f * pitch, radius});
  const std::uint32_t twig = add_capsule(scene, 0.4f * radius, 2 * radius);
  Layers layers({0, highest + 0.1f, 0}, region, region);
  layers.begin(length, 8 * radius);
  for (int i = 0; i < count; ++i) {
    const math::Quat lying = math::from_axis_angle({0, 0, 1}, 0.5f * math::pi);
    const math::Quat yaw = draw_yaw(random);
    const Vec3 place = layers.next();
    const std::uint32_t log =
        add_body(scene, Motion::Dynamic, piece, place, normalized(yaw * lying));
    for (int part = 0; part < parts; ++part) {
      const float along = pitch * (static_cast<float>(part) - 0.5f * static_cast<float>(parts - 1));
      if (part == 0) {
        scene.bodies[log].parts.front().local.offset = {0, along, 0};
      } else {
        add_part(scene, log, piece, {0, along, 0});
      }
      const math::Quat across = math::from_axis_angle({1, 0, 0}, 0.5f * math::pi);
      if (pick(random, 4) == 0) add_part(scene, log, twig, {0, along, 1.2f * radius}, across);
    }
  }
  Layers above({0, layers.top(), 0}, region, region);
  add_chunks(scene, random, above, 12, stones, radius, 3 * radius);
}

}  // namespace jostle::workload
