#include "shared/math/trig.h"
#include "tools/workload/detail/draw.h"
#include "tools/workload/detail/family_makers.h"
#include "tools/workload/detail/layers.h"
#include "tools/workload/detail/makers.h"

#include <algorithm>

// Families of thin bodies, and of bodies with many contacts.

namespace jostle::workload {

using math::Vec3;

namespace {

constexpr float open_ground = 400;     // m, so wide that no body leaves it during the run
constexpr float largest_tilt = 0.15f;  // rad, of lying bodies against the horizontal

/// Adds `count` bodies of these shapes, whose long axis is y, lying in any horizontal direction.
/// Each is at most `length` long and `thickness` thick.
void add_lying(Scene& scene, Random& random, Layers& layers, std::uint32_t first_shape, int kinds,
               int count, float length, float thickness) {
  const float cell = length + 2 * thickness;
  layers.begin(cell, 1.5f * thickness + largest_tilt * length + 0.02f);
  for (int i = 0; i < count; ++i) {
    const std::uint32_t kind = pick(random, static_cast<std::uint32_t>(kinds));
    const math::Quat yaw = draw_yaw(random);
    const float tilt = random.between(-largest_tilt, largest_tilt);
    const math::Quat lying = math::from_axis_angle({0, 0, 1}, 0.5f * math::pi + tilt);
    const Vec3 place = layers.next();
    add_body(scene, Motion::Dynamic, first_shape + kind, place, normalized(yaw * lying));
  }
}

}  // namespace

void fill_slivers(Random& random, Scene& scene) {
  constexpr int kinds = 12;
  const int count = draw_count(random, 300, 800);
  const float length = random.between(0.6f, 2), thickness = length / random.between(10, 20);
  const float half_width = half_width_for(count, length + 2 * thickness, random.between(10, 25));
  add_pit(scene, half_width + 0.1f, 120);
  const auto first = static_cast<std::uint32_t>(scene.shapes.size());
  for (int i = 0; i < kinds; ++i) {
    Vec3 half;
    half.x = 0.5f * thickness * random.between(0.5f, 1);
    half.y = 0.5f * length * random.between(0.6f, 0.98f);
    half.z = 0.5f * thickness * random.between(0.5f, 1);
    add_box(scene, half);
  }
  Layers layers({0, 0.3f, 0}, half_width, half_width);
  add_lying(scene, random, layers, first, kinds, count, length, thickness);
}

void fill_rods(Random& random, Scene& scene) {
  constexpr int kinds = 8;
  const int count = draw_count(random, 300, 800);
  const float length = random.between(0.8f, 2), radius = random.between(0.02f, 0.05f);
  const float half_width = half_width_for(count, length + 4 * radius, random.between(6, 20));
  const bool are_round = pick(random, 2) == 0;
  add_ground(scene, open_ground);
  const auto first = static_cast<std::uint32_t>(scene.shapes.size());
  for (int i = 0; i < kinds; ++i) {
    Shape rod;
    rod.kind = are_round ? ShapeKind::Capsule : ShapeKind::Cylinder;
    rod.radius = radius * random.between(0.6f, 1);
    rod.half_segment = 0.5f * length * random.between(0.5f, 0.98f) - rod.radius;
    add_shape(scene, rod);
  }
  Layers layers({0, random.between(0.5f, 4), 0}, half_width, half_width);
  add_lying(scene, random, layers, first, kinds, count, length, 2 * radius);
}

void fill_coins(Random& random, Scene& scene) {
  constexpr int kinds = 8;
  const int count = draw_count(random, 300, 900);
  const float radius = random.between(0.12f, 0.5f), flatness = random.between(0.05f, 0.15f);
  const float cell = 2.1f * radius;
  const float half_width = half_width_for(count, cell, random.between(5, 15));
  add_ground(scene, open_ground);
  const auto first = static_cast<std::uint32_t>(scene.shapes.size());
  for (int i = 0; i < kinds; ++i) {
    Shape coin;
    coin.kind = ShapeKind::Cylinder;
    coin.radius = radius * random.between(0.6f, 1);
    coin.half_segment = coin.radius * flatness;
    add_shape(scene, coin);
  }
  Layers layers({0, random.between(0.5f, 4), 0}, half_width, half_width);
  layers.begin(cell, cell);
  for (int i = 0; i < count; ++i)
    add_tumbled(scene, random, layers, first + pick(random, kinds));
}

namespace {

/// Adds `levels` levels at this place: side × side supports, and a plate on top of them.
void add_raft(Scene& scene, Random& random, Vec3 place, int side, int levels) {
  constexpr float gap = 0.002f;  // m, between supports and plates
  const float size = random.between(0.2f, 0.5f), spacing = size * random.between(1.6f, 2.4f);
  const float half = 0.5f * size, plate_half = random.between(0.1f, 0.4f);
  const float width = 0.5f * spacing * static_cast<float>(side);
  const std::uint32_t plate = add_box(scene, {width, plate_half, width});
  Shape support;
  support.kind = pick(random, 2) == 0 ? ShapeKind::Box : ShapeKind::Cylinder;
  support.radius = support.kind == ShapeKind::Box ? 0 : half;
  support.half_segment = support.radius;
  if (support.kind == ShapeKind::Box) support.half_extents = {half, half, half};
  const std::uint32_t shape = add_shape(scene, support);
  float bottom = gap;
  for (int level = 0; level < levels; ++level) {
    for (int i = 0; i < side * side; ++i) {
      const float x = static_cast<float>(i / side) - 0.5f * static_cast<float>(side - 1);
      const float z = static_cast<float>(i % side) - 0.5f * static_cast<float>(side - 1);
      add_dynamic(scene, shape, place + Vec3{spacing * x, bottom + half, spacing * z});
    }
    bottom += size + gap;
    add_dynamic(scene, plate, place + Vec3{0, bottom + plate_half, 0});
    bottom += 2 * plate_half + gap;
  }
}

}  // namespace

void fill_rafts(Random& random, Scene& scene) {
  const int levels = draw_count(random, 1, 3), supports = draw_count(random, 400, 1500);
  const int side = draw_count(random, 8, 16);
  const int rafts = 1 + supports / (levels * side * side);
  add_ground(scene, open_ground);
  for (int i = 0; i < rafts; ++i)
    add_raft(scene, random, {24 * static_cast<float>(i), 0, 0}, side, levels);
}

void fill_tiles(Random& random, Scene& scene) {
  constexpr float tile_height = 0.2f;  // half of the height, m; the tiles stand on the ground
  const int side = draw_count(random, 20, 44), blocks = draw_count(random, 300, 600);
  const int plates = draw_count(random, 6, 16);
  const float width = random.between(0.5f, 1.2f), unevenness = random.between(0, 0.004f);
  const float speed = random.between(1, 6), plate = width * random.between(3, 7);
  add_ground(scene, open_ground);
  const std::uint32_t tile = add_box(scene, {0.5f * width, tile_height, 0.5f * width});
  const float half_width = 0.5f * width * static_cast<float>(side);
  for (int i = 0; i < side * side; ++i) {
    const float x = (static_cast<float>(i / side) + 0.5f) * width - half_width;
    const float z = (static_cast<float>(i % side) + 0.5f) * width - half_width;
    const float sunk = random.between(0, unevenness);
    add_body(scene, Motion::Static, tile, {x, tile_height - sunk, z}, {});
  }
  Layers layers({0, 2 * tile_height + 0.01f, 0}, half_width, half_width);
  const float plate_half = random.between(0.1f, 0.3f);
  layers.begin(1.5f * plate, 2 * plate_half + 0.01f);
  const std::uint32_t plate_shape = add_box(scene, {0.5f * plate, plate_half, 0.5f * plate});
  const auto first = static_cast<std::uint32_t>(scene.bodies.size());
  for (int i = 0; i < plates; ++i) {
    const Vec3 place = layers.next();
    add_body(scene, Motion::Dynamic, plate_shape, place, draw_yaw(random));
  }
  add_chunks(scene, random, layers, 16, blocks, 0.3f * width, width);
  for (std::uint32_t i = first; i < scene.bodies.size(); ++i)
    scene.bodies[i].linear_velocity = rotate(draw_yaw(random), {speed, 0, 0});
}

void fill_dominoes(Random& random, Scene& scene) {
  const int length = draw_count(random, 30, 80), rows = 1 + draw_count(random, 300, 1200) / length;
  const float height = random.between(0.3f, 1.2f), thickness = height * random.between(0.1f, 0.25f);
  const float spacing = thickness + height * random.between(0.3f, 0.6f);
  const std::uint32_t domino = add_box(scene, {0.5f * thickness, 0.5f * height, 0.25f * height});
  add_ground(scene, open_ground);
  for (int row = 0; row < rows; ++row) {
    const float z = height * static_cast<float>(row), start = random.between(0, 2);
    for (int i = 0; i < length; ++i) {
      add_dynamic(scene, domino, {start + spacing * static_cast<float>(i), 0.5f * height, z});
      // The velocities are those of a rotation about the lower edge.
      const float turn = i == 0 ? 3 : 0;
      scene.bodies.back().angular_velocity = {0, 0, -turn};
      scene.bodies.back().linear_velocity = {0.5f * turn * height, 0.5f * turn * thickness, 0};
    }
  }
}

}  // namespace jostle::workload
