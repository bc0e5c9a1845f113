#include "shared/math/trig.h"
#include "tools/workload/detail/makers.h"
#include "tools/workload/hull.h"
#include "tools/workload/random.h"

#include <array>

namespace jostle::workload {

using math::Vec3;

Scene make_spheres_rain() {
  Scene scene;
  add_pit(scene, 20, 40);
  const std::uint32_t sphere = add_sphere(scene, 0.5f);
  Random random(1);
  for (int k = 0; k < 20; ++k) {
    for (int i = 0; i < 20; ++i) {
      for (int j = 0; j < 20; ++j) {
        const float jitter_x = random.between(-0.1f, 0.1f);
        const float jitter_z = random.between(-0.1f, 0.1f);
        add_dynamic(
            scene, sphere,
            {1.5f * (static_cast<float>(i) - 9.5f) + jitter_x, 2 + 1.5f * static_cast<float>(k),
             1.5f * (static_cast<float>(j) - 9.5f) + jitter_z});
      }
    }
  }
  return scene;
}

namespace {

std::uint32_t add_mixed_shape(Scene& scene, int index, Random& random) {
  if (index % 3 == 0) {
    Vec3 half_extents;
    half_extents.x = 0.3f + 0.1f * random.quarter();
    half_extents.y = 0.3f + 0.1f * random.quarter();
    half_extents.z = 0.3f + 0.1f * random.quarter();
    return add_box(scene, half_extents);
  }
  if (index % 3 == 1) return add_sphere(scene, 0.3f + 0.1f * random.quarter());
  const float half_segment = 0.2f + 0.1f * random.quarter();
  const float radius = 0.2f + 0.06f * random.quarter();
  return add_capsule(scene, radius, half_segment);
}

}  // namespace

Scene make_mixed_pile() {
  constexpr int count = 4000, side = 14;
  Scene scene;
  add_pit(scene, 12, 50);
  Random random(2);
  for (int c = 0; c < count; ++c) {
    const int layer = c / (side * side);
    const auto k = static_cast<float>(layer);
    const float i = static_cast<float>(c / side % side), j = static_cast<float>(c % side);
    const std::uint32_t shape = add_mixed_shape(scene, c, random);
    const math::Quat rotation = random.rotation();
    const float jitter_x = random.between(-0.05f, 0.05f);
    const float jitter_z = random.between(-0.05f, 0.05f);
    const Vec3 position{1.6f * (i - 6.5f) + jitter_x, 1.5f + 1.6f * k,
                        1.6f * (j - 6.5f) + jitter_z};
    add_body(scene, Motion::Dynamic, shape, position, rotation);
  }
  return scene;
}

namespace {

/// Draws 12 to 20 points on a sphere, no two closer than a fifth of its radius, and scales them to
/// an ellipsoid.
std::vector<Vec3> draw_hull_points(Random& random) {
  const std::uint32_t count = 12 + (random.bits() >> 16) % 9;
  Vec3 scale;
  scale.x = random.between(0.7f, 1);
  scale.y = random.between(0.7f, 1);
  scale.z = random.between(0.7f, 1);
  std::vector<Vec3> points;
  while (points.size() < count) {
    const Vec3 v = random.vector();
    const float distance = length(v);
    if (distance > 1 || distance < 0.1f) continue;
    const Vec3 point = v * (0.6f / distance);
    bool is_apart = true;
    for (const Vec3& other : points)
      is_apart = is_apart && length(point - other) >= 0.12f;
    if (is_apart) points.push_back(point);
  }
  for (Vec3& point : points)
    point = multiply_elements(point, scale);
  return points;
}

}  // namespace

Scene make_hull_pile() {
  constexpr std::uint32_t hull_count = 64, body_count = 2000;
  Scene scene;
  add_pit(scene, 8, 40);
  const auto first_hull = static_cast<std::uint32_t>(scene.shapes.size());
  Random random(3);
  for (std::uint32_t i = 0; i < hull_count; ++i)
    scene.shapes.push_back(make_centred_hull(draw_hull_points(random)));
  for (std::uint32_t c = 0; c < body_count; ++c) {
    const std::uint32_t layer = c / 100;
    const float i = static_cast<float>(c / 10 % 10), j = static_cast<float>(c % 10);
    const Vec3 position{1.4f * (i - 4.5f), 1 + 1.4f * static_cast<float>(layer), 1.4f * (j - 4.5f)};
    add_body(scene, Motion::Dynamic, first_hull + c % hull_count, position, random.rotation());
  }
  return scene;
}

namespace {

/// Returns a value in −1..1 that depends only on the two numbers.
float lattice_noise(std::uint32_t i, std::uint32_t j) {
  std::uint32_t h = i * 374761393U + j * 668265263U;
  h = (h ^ (h >> 13)) * 1274126177U;
  h ^= h >> 16;
  return static_cast<float>(h & 0xFFFFU) / 32767.5f - 1;
}

Shape make_terrain() {
  constexpr std::uint32_t side = 317;
  Shape mesh;
  mesh.kind = ShapeKind::Mesh;
  for (std::uint32_t i = 0; i < side; ++i) {
    for (std::uint32_t j = 0; j < side; ++j) {
      const float x = (static_cast<float>(i) - 158) * 0.5f;
      const float z = (static_cast<float>(j) - 158) * 0.5f;
      const float wave = 1.5f * math::sin_cos(0.25f * x).sin * math::sin_cos(0.2f * z).cos;
      mesh.points.push_back({x, wave + 0.15f * lattice_noise(i, j), z});
    }
  }
  for (std::uint32_t i = 0; i + 1 < side; ++i) {
    for (std::uint32_t j = 0; j + 1 < side; ++j) {
      const std::uint32_t a = i * side + j, b = a + 1, c = a + side, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  }
  return mesh;
}

}  // namespace

Scene make_mesh_terrain() {
  constexpr int count = 3000, side = 55;
  Scene scene;
  scene.shapes.push_back(make_terrain());
  add_body(scene, Motion::Static, 0, {}, {});
  scene.arena = {.has_floor = true, .half_width = 79, .has_terrain = true};
  const std::uint32_t box = add_box(scene, {0.5f, 0.4f, 0.3f});
  Random random(5);
  for (int c = 0; c < count; ++c) {
    const int row = c / side;
    const float i = static_cast<float>(row), j = static_cast<float>(c % side);
    const Vec3 position{2.6f * (i - 27), 5 + static_cast<float>(c % 3), 2.6f * (j - 27)};
    add_body(scene, Motion::Dynamic, box, position, random.rotation());
  }
  return scene;
}

}  // namespace jostle::workload
