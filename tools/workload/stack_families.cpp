#include "shared/math/trig.h"
#include "tools/workload/detail/draw.h"
#include "tools/workload/detail/family_makers.h"
#include "tools/workload/detail/layers.h"
#include "tools/workload/detail/makers.h"
#include "tools/workload/reach.h"

#include <algorithm>
#include <array>

// Families of stacks and walls.

namespace jostle::workload {

using math::Vec3;

namespace {

constexpr float stack_ground = 400;  // m, so wide that no body leaves it during the run

/// Returns the horizontal place of number `index` in a square grid of `count` places.
Vec3 grid_place(int index, int count, float spacing) {
  int side = 1;
  while (side * side < count)
    ++side;
  const float middle = 0.5f * static_cast<float>(side - 1);
  return {spacing * (static_cast<float>(index / side) - middle), 0,
          spacing * (static_cast<float>(index % side) - middle)};
}

}  // namespace

void fill_sleepers(Random& random, Scene& scene) {
  const int stacks = draw_count(random, 250, 600), levels = draw_count(random, 2, 5);
  Vec3 half;
  half.x = random.between(0.3f, 0.6f);
  half.y = random.between(0.2f, 0.5f);
  half.z = random.between(0.3f, 0.6f);
  scene.may_sleep = true;
  scene.warm_up_steps = 120;
  add_ground(scene, stack_ground);
  const std::uint32_t box = add_box(scene, half);
  for (int stack = 0; stack < stacks; ++stack) {
    const Vec3 place = grid_place(stack, stacks, 3);
    for (int level = 0; level < levels; ++level)
      add_dynamic(scene, box, place + Vec3{0, half.y * static_cast<float>(2 * level + 1), 0});
  }
  // Every 0.25 s, hit another few boxes. The first hits come during the timed steps.
  const float mass = scene.density * 8 * half.x * half.y * half.z;
  const int pushes = draw_count(random, 10, 20), hits = draw_count(random, 8, 30);
  for (int i = 0; i < pushes; ++i) {
    state::Push push;
    push.start = 2.1 + 0.25 * static_cast<double>(i);
    for (int hit = 0; hit < hits; ++hit)
      push.bodies.push_back(1 + pick(random, static_cast<std::uint32_t>(stacks * levels)));
    state::ImpulsePush impulse;
    impulse.impulse = rotate(draw_yaw(random), {mass * random.between(2, 6), 0, 0});
    push.kind = impulse;
    scene.pushes.push_back(std::move(push));
  }
}

void fill_islands(Random& random, Scene& scene) {
  const int islands = draw_count(random, 120, 350), members = draw_count(random, 3, 8);
  const float size = random.between(0.3f, 1);
  const float spacing = 3 + 4 * size;
  constexpr int kinds = 20;
  add_ground(scene, stack_ground);
  const auto first = static_cast<std::uint32_t>(scene.shapes.size());
  for (int i = 0; i < kinds; ++i)
    add_shape(scene, draw_chunk(random, size));
  for (int island = 0; island < islands; ++island) {
    const Vec3 place = grid_place(island, islands, spacing);
    const bool is_pair_wide = pick(random, 2) == 0;
    const float cell = 1.9f * size, half_width = (is_pair_wide ? 1.01f : 0.51f) * cell;
    Layers layers(place + Vec3{0, 0.05f, 0}, half_width, 0.51f * cell);
    layers.begin(cell, cell);
    for (int i = 0; i < members; ++i)
      add_tumbled(scene, random, layers, first + pick(random, kinds));
  }
}

void fill_one_island(Random& random, Scene& scene) {
  const int columns = draw_count(random, 6, 13), rows = draw_count(random, 6, 13);
  const int levels = draw_count(random, 8, 14);
  Vec3 half;
  half.x = random.between(0.2f, 0.6f);
  half.y = random.between(0.1f, 0.4f);
  half.z = random.between(0.2f, 0.6f);
  const float drop = pick(random, 2) == 0 ? 0 : random.between(0, 0.02f);
  add_ground(scene, stack_ground);
  const std::uint32_t brick = add_box(scene, half);
  for (int level = 0; level < levels; ++level) {
    // Shift every other level by half a brick, so that the bricks of two columns are connected.
    const float shift = level % 2 == 0 ? 0 : 1;
    const float y = half.y * static_cast<float>(2 * level + 1) + drop;
    for (int i = 0; i < columns; ++i) {
      for (int j = 0; j < rows; ++j) {
        const float x = half.x * (static_cast<float>(2 * i) + shift);
        const float z = half.z * (static_cast<float>(2 * j) + shift);
        add_dynamic(scene, brick, {x, y, z});
      }
    }
  }
}

void fill_columns(Random& random, Scene& scene) {
  const int levels = draw_count(random, 12, 40), columns = draw_count(random, 300, 800) / levels;
  const float size = random.between(0.4f, 1), askew = random.between(0, 0.02f) * size;
  const float largest_gap = by_octaves(random, 0.005f, 7, 0.5f);
  add_ground(scene, stack_ground);
  Shape shape;
  shape.kind = pick(random, 3) == 0 ? ShapeKind::Cylinder : ShapeKind::Box;
  shape.radius = shape.kind == ShapeKind::Box ? 0 : 0.5f * size;
  shape.half_segment = shape.radius;
  if (shape.kind == ShapeKind::Box) shape.half_extents = {0.5f * size, 0.5f * size, 0.5f * size};
  const std::uint32_t block = add_shape(scene, shape);
  for (int column = 0; column < columns; ++column) {
    const float gap = largest_gap * random.unit();
    const float spacing = 0.25f * size * static_cast<float>(levels) + 4;
    Vec3 place = grid_place(column, columns, spacing);
    for (int level = 0; level < levels; ++level) {
      place.y += gap + 0.5f * size;
      Vec3 shift;
      shift.x = random.between(-askew, askew);
      shift.z = random.between(-askew, askew);
      add_dynamic(scene, block, place + shift);
      place.y += 0.5f * size;
    }
  }
}

namespace {

/// Adds a wall of bricks along x, in stretcher bond, with its middle at the place.
void add_wall(Scene& scene, std::uint32_t brick, Vec3 half, Vec3 place, int width, int height) {
  for (int row = 0; row < height; ++row) {
    const int count = row % 2 == 0 ? width : width - 1;
    for (int i = 0; i < count; ++i) {
      const float x = half.x * static_cast<float>(2 * i - count + 1);
      const float y = half.y * static_cast<float>(2 * row + 1);
      add_dynamic(scene, brick, place + Vec3{x, y, 0});
    }
  }
}

}  // namespace

void fill_walls(Random& random, Scene& scene) {
  const int walls = draw_count(random, 3, 6), width = draw_count(random, 10, 22);
  const int height = draw_count(random, 10, 16), shots = draw_count(random, 2, 6);
  Vec3 half;
  half.x = random.between(0.25f, 0.5f);
  half.y = random.between(0.1f, 0.25f);
  half.z = random.between(0.15f, 0.3f);
  const float speed = random.between(15, 60), radius = random.between(0.2f, 0.5f);
  const float distance = random.between(3, 8), density = by_octaves(random, 500, 4, 8000);
  add_ground(scene, stack_ground);
  const std::uint32_t brick = add_box(scene, half), ball = add_sphere(scene, radius);
  for (int wall = 0; wall < walls; ++wall) {
    const Vec3 place{0, 0, 2 * distance * static_cast<float>(wall)};
    add_wall(scene, brick, half, place, width, height);
    // Each shot flies in a lane of its own.
    const float lane = 2 * half.x * static_cast<float>(width) / static_cast<float>(shots);
    for (int shot = 0; shot < shots; ++shot) {
      if (lane < 2.1f * radius && shot % 2 == 1) continue;
      const float x = lane * (static_cast<float>(shot) - 0.5f * static_cast<float>(shots - 1));
      const float y = radius + random.between(0.3f, 0.8f) * 2 * half.y * static_cast<float>(height);
      add_dynamic(scene, ball, place + Vec3{x, y, -distance});
      Surface surface = surface_of(scene, scene.bodies.back().parts.front());
      surface.density = density;
      scene.bodies.back().parts.front().surface = surface;
      scene.bodies.back().linear_velocity = {0, 0, speed};
    }
  }
}

void fill_pyramids(Random& random, Scene& scene) {
  const int base = draw_count(random, 7, 13), boxes = draw_count(random, 400, 1800);
  const int pyramids = 1 + 2 * boxes / (base * (base + 1));
  Vec3 half;
  half.x = random.between(0.3f, 0.7f);
  half.y = random.between(0.2f, 0.6f);
  half.z = random.between(0.3f, 0.7f);
  const float spread = 1 + random.between(0, 0.3f), gap = random.between(0, 0.01f);
  add_ground(scene, stack_ground);
  const std::uint32_t box = add_box(scene, half);
  const float spacing = 2 * half.x * spread * static_cast<float>(base) + 1;
  for (int pyramid = 0; pyramid < pyramids; ++pyramid) {
    const Vec3 place = grid_place(pyramid, pyramids, spacing);
    for (int row = 0; row < base; ++row) {
      for (int i = 0; i < base - row; ++i) {
        const float x = half.x * spread * static_cast<float>(2 * i + row - base + 1);
        const float y = half.y * static_cast<float>(2 * row + 1) + gap * static_cast<float>(row);
        add_dynamic(scene, box, place + Vec3{x, y, 0});
      }
    }
  }
}

}  // namespace jostle::workload
