#include "tools/workload/detail/makers.h"
#include "tools/workload/random.h"

namespace jostle::workload {

using math::Vec3;

std::uint32_t add_shape(Scene& scene, Shape shape) {
  scene.shapes.push_back(std::move(shape));
  return static_cast<std::uint32_t>(scene.shapes.size() - 1);
}

std::uint32_t add_sphere(Scene& scene, float radius) {
  Shape shape;
  shape.radius = radius;
  return add_shape(scene, std::move(shape));
}

std::uint32_t add_box(Scene& scene, Vec3 half_extents) {
  Shape shape;
  shape.kind = ShapeKind::Box;
  shape.half_extents = half_extents;
  return add_shape(scene, std::move(shape));
}

std::uint32_t add_capsule(Scene& scene, float radius, float half_segment) {
  Shape shape;
  shape.kind = ShapeKind::Capsule;
  shape.radius = radius;
  shape.half_segment = half_segment;
  return add_shape(scene, std::move(shape));
}

std::uint32_t add_body(Scene& scene, Motion motion, std::uint32_t shape, Vec3 position,
                       math::Quat rotation) {
  Body body;
  body.motion = motion;
  body.position = position;
  body.rotation = rotation;
  body.parts.push_back({shape, {}});
  scene.bodies.push_back(std::move(body));
  return static_cast<std::uint32_t>(scene.bodies.size() - 1);
}

std::uint32_t add_dynamic(Scene& scene, std::uint32_t shape, Vec3 position) {
  return add_body(scene, Motion::Dynamic, shape, position, {});
}

void add_ground(Scene& scene, float half_width) {
  const std::uint32_t slab = add_box(scene, {half_width, 1, half_width});
  add_body(scene, Motion::Static, slab, {0, -1, 0}, {});
  scene.arena.half_width = half_width;
}

void add_pit(Scene& scene, float half_width, float height) {
  const float w = half_width, h = 0.5f * height;
  add_body(scene, Motion::Static, add_box(scene, {w + 2, 1, w + 2}), {0, -1, 0}, {});
  const std::uint32_t along_z = add_box(scene, {0.5f, h, w + 1});
  add_body(scene, Motion::Static, along_z, {w + 0.5f, h, 0}, {});
  add_body(scene, Motion::Static, along_z, {-(w + 0.5f), h, 0}, {});
  const std::uint32_t along_x = add_box(scene, {w + 1, h, 0.5f});
  add_body(scene, Motion::Static, along_x, {0, h, w + 0.5f}, {});
  add_body(scene, Motion::Static, along_x, {0, h, -(w + 0.5f)}, {});
  scene.arena.half_width = half_width;
}

Scene make_pyramid(int base) {
  Scene scene;
  add_ground(scene, 400);
  const std::uint32_t box = add_box(scene, {0.5f, 0.5f, 0.5f});
  const float width = static_cast<float>(base);
  for (int i = 0; i < base; ++i) {
    for (int j = i; j < base; ++j) {
      const float row = static_cast<float>(i), column = static_cast<float>(j - i);
      add_dynamic(scene, box, {(row + 1) * 0.5f + column - 0.5f * width, (2 * row + 1) * 0.5f, 0});
    }
  }
  return scene;
}

Scene make_stacks() {
  Scene scene;
  add_ground(scene, 100);
  const std::uint32_t box = add_box(scene, {0.5f, 0.5f, 0.5f});
  for (int i = 0; i < 25; ++i) {
    for (int j = 0; j < 25; ++j) {
      for (int k = 0; k < 8; ++k) {
        add_dynamic(scene, box,
                    {static_cast<float>(2 * (i - 12)), 0.5f + static_cast<float>(k),
                     static_cast<float>(2 * (j - 12))});
      }
    }
  }
  return scene;
}

Scene make_cubes901() {
  Scene scene;
  add_ground(scene, 100);
  const std::uint32_t cube = add_box(scene, {0.2f, 0.2f, 0.2f});
  for (int i = 0; i < 30; ++i) {
    for (int j = 0; j < 30; ++j) {
      add_dynamic(
          scene, cube,
          {0.8f * (static_cast<float>(i) - 14.5f), 0.2f, 0.8f * (static_cast<float>(j) - 14.5f)});
    }
  }
  add_dynamic(scene, add_box(scene, {0.75f, 0.75f, 0.75f}), {0, 5, 0});
  scene.bodies.back().mass = 3375;
  // The target is (10 sin(2πt/5), 10 sin(2πt/3.5 + 1)) in x and z.
  constexpr float radian = 0.15915494309f;  // 1 rad, in turns
  state::FollowPush follow;
  follow.swing = {{10, 0, 10}, {5, 1, 3.5f}, {0, 0, radian}};
  follow.stiffness = 20;
  follow.damping = 6;
  follow.max_acceleration = 40;
  follow.axes = {true, false, true};
  state::Push push;
  push.bodies = {static_cast<std::uint32_t>(scene.bodies.size() - 1)};
  push.kind = follow;
  scene.pushes.push_back(std::move(push));
  return scene;
}

Scene make_large_world() {
  Scene scene;
  scene.may_sleep = true;
  scene.warm_up_steps = 180;
  scene.timed_steps = 300;
  add_ground(scene, 500);
  const std::uint32_t box = add_box(scene, {0.5f, 0.5f, 0.5f});
  for (int i = 0; i < 250; ++i) {
    for (int j = 0; j < 200; ++j) {
      add_dynamic(
          scene, box,
          {3 * (static_cast<float>(i) - 124.5f), 0.5f, 3 * (static_cast<float>(j) - 99.5f)});
    }
  }
  // Every hundredth body, from index 1 on, gets a rotating velocity.
  state::Push push;
  for (std::uint32_t body = 1; body < scene.bodies.size(); body += 100)
    push.bodies.push_back(body);
  push.kind = state::VelocityPush{{{1, 0, 1}, {2, 1, 2}, {0, 0, 0.25f}}};
  scene.pushes.push_back(std::move(push));
  return scene;
}

Scene make_boxes(std::uint32_t count) {
  // Columns of four boxes, two metres apart, so that the number of contacts per body stays
  // constant.
  constexpr std::uint32_t layers = 4;
  std::uint32_t side = 1;
  while (side * side * layers < count)
    ++side;
  Scene scene;
  add_ground(scene, static_cast<float>(side) + 4);
  std::array<std::uint32_t, 64> boxes;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    const auto half = [](std::uint32_t step) { return 0.3f + 0.1f * static_cast<float>(step); };
    boxes[i] = add_box(scene, {half(i % 4), half(i / 4 % 4), half(i / 16)});
  }
  Random random(6);
  const float middle = 0.5f * static_cast<float>(side - 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t column = i / layers, row = column / side;
    const float x = static_cast<float>(row), z = static_cast<float>(column % side);
    const float y = static_cast<float>(i % layers);
    const std::uint32_t box = boxes[random.bits() >> 26];
    add_dynamic(scene, box, {2 * (x - middle), 0.7f + 1.4f * y, 2 * (z - middle)});
  }
  return scene;
}

}  // namespace jostle::workload
