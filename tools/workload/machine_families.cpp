#include "shared/math/transform.h"
#include "shared/math/trig.h"
#include "tools/workload/detail/draw.h"
#include "tools/workload/detail/family_makers.h"
#include "tools/workload/detail/layers.h"
#include "tools/workload/detail/makers.h"
#include "tools/workload/reach.h"

#include <algorithm>
#include <array>
#include <cmath>

// Families in which kinematic bodies or motors move other bodies.

namespace jostle::workload {

using math::Vec3;

namespace {

constexpr float machine_ground = 400;  // m, so wide that no body leaves it during the run

/// Adds a kinematic body of one shape with a motion.
std::uint32_t add_moving(Scene& scene, std::uint32_t shape, Vec3 position,
                         const state::KinematicMotion& motion) {
  const std::uint32_t body = add_body(scene, Motion::Kinematic, shape, position, {});
  scene.kinematic_motions.push_back({body, {math::to_position(position), {}}, motion});
  return body;
}

/// Adds a hollow drum about the x axis: planks around it, two ends, and a number of vanes.
void add_drum(Scene& scene, Vec3 centre, float radius, float half_length, int vanes, float spin) {
  constexpr int planks = 16;
  constexpr float thickness = 0.15f;  // half of the thickness, m
  const float step = 2 * math::pi / static_cast<float>(planks);
  const math::SinCos half_step = math::sin_cos(0.5f * step);
  const std::uint32_t plank = add_box(
      scene, {half_length, thickness, (radius + 2 * thickness) * half_step.sin / half_step.cos});
  const std::uint32_t end = add_box(scene, {thickness, radius, radius});
  const std::uint32_t vane = add_box(scene, {half_length, 0.12f * radius, 0.5f * thickness});
  state::KinematicMotion motion;
  motion.spin = {spin, 0, 0};
  const std::uint32_t drum = add_moving(scene, end, centre, motion);
  scene.bodies[drum].parts.front().local.offset = {half_length + thickness, 0, 0};
  add_part(scene, drum, end, {-half_length - thickness, 0, 0});
  for (int i = 0; i < planks; ++i) {
    const math::Quat turn = math::from_axis_angle({1, 0, 0}, step * static_cast<float>(i));
    add_part(scene, drum, plank, rotate(turn, {0, radius + thickness, 0}), turn);
    if (i < vanes) {
      const math::Quat at = math::from_axis_angle(
          {1, 0, 0}, 2 * math::pi / static_cast<float>(vanes) * static_cast<float>(i));
      add_part(scene, drum, vane, rotate(at, {0, 0.9f * radius, 0}), at);
    }
  }
}

}  // namespace

void fill_drums(Random& random, Scene& scene) {
  const int drums = draw_count(random, 1, 3), count = draw_count(random, 300, 600);
  const int vanes = draw_count(random, 0, 4);
  const float radius = random.between(2.5f, 4.5f), half_length = random.between(1.5f, 3);
  const float spin = random.between(0.4f, 2.2f);
  // Choose the size of the bodies so that they fill a part of the box in which they start.
  const float box = 0.5f * radius, fill = random.between(0.3f, 0.6f);
  const float volume = 8 * box * box * (half_length - 0.2f) * fill * static_cast<float>(drums);
  const float cell = std::cbrt(volume / static_cast<float>(count));
  const float size = std::min(0.54f * cell, 0.5f);
  add_ground(scene, machine_ground);
  for (int i = 0; i < drums; ++i) {
    const Vec3 centre{0, 1.5f * radius + 1, 2.6f * radius * static_cast<float>(i)};
    add_drum(scene, centre, radius, half_length, vanes, spin);
    Layers layers(centre - Vec3{0, box, 0}, half_length - 0.1f, box);
    add_chunks(scene, random, layers, 12, count / drums, 0.6f * size, size);
  }
}

namespace {

/// Adds a cup with an open top, whose bottom slides along x.
void add_cup(Scene& scene, Vec3 bottom_centre, float half_width, float half_height, float period) {
  constexpr float thickness = 0.1f;  // half of the thickness, m
  const float out = half_width + thickness;
  const std::uint32_t along_z = add_box(scene, {thickness, half_height, out + thickness});
  const std::uint32_t along_x = add_box(scene, {out + thickness, half_height, thickness});
  const Vec3 middle = bottom_centre + Vec3{0, half_height, 0};
  const std::uint32_t walls = add_body(scene, Motion::Static, along_z, middle, {});
  scene.bodies[walls].parts.front().local.offset = {out, 0, 0};
  add_part(scene, walls, along_z, {-out, 0, 0});
  add_part(scene, walls, along_x, {0, 0, out});
  add_part(scene, walls, along_x, {0, 0, -out});
  state::KinematicMotion motion;
  motion.amplitude = {2.3f * (half_width + 2 * thickness), 0, 0};
  motion.period = period;
  const std::uint32_t plate =
      add_box(scene, {half_width + 2 * thickness, thickness, half_width + 2 * thickness});
  add_moving(scene, plate, bottom_centre - Vec3{0, thickness, 0}, motion);
}

}  // namespace

void fill_cups(Random& random, Scene& scene) {
  const int cups = draw_count(random, 4, 12), count = draw_count(random, 500, 1300);
  const float size = random.between(0.2f, 0.4f), half_width = random.between(0.8f, 1.3f);
  const float height = random.between(1.5f, 4), period = random.between(6, 14);
  add_ground(scene, machine_ground);
  const float spacing = 7 * half_width + 2;
  for (int i = 0; i < cups; ++i) {
    const Vec3 bottom{spacing * static_cast<float>(i % 4), height,
                      spacing * static_cast<float>(i / 4)};
    add_cup(scene, bottom, half_width, 2.5f, period);
    Layers layers(bottom + Vec3{0, 0.02f, 0}, half_width - 0.05f, half_width - 0.05f);
    add_chunks(scene, random, layers, 8, count / cups, 0.6f * size, size);
  }
}

namespace {

/// Adds a compound of two to five boxes. The first box is at the origin of the body's frame; each
/// next box is displaced from the one before along a random axis. Returns the body's index.
std::uint32_t add_junk(Scene& scene, Random& random, std::uint32_t first_box, int boxes,
                       float size) {
  const std::uint32_t kind = pick(random, static_cast<std::uint32_t>(boxes));
  const std::uint32_t body = add_body(scene, Motion::Dynamic, first_box + kind, {}, {});
  const int parts = draw_count(random, 1, 4);
  Vec3 place;
  for (int i = 0; i < parts; ++i) {
    constexpr std::array directions{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    place += directions[pick(random, 3)] * (0.4f * size);
    add_part(scene, body, first_box + pick(random, static_cast<std::uint32_t>(boxes)), place);
  }
  return body;
}

}  // namespace

void fill_junkyard(Random& random, Scene& scene) {
  constexpr int boxes = 8;
  const int count = draw_count(random, 300, 700);
  const float size = random.between(0.4f, 0.9f), layer_count = random.between(3, 6);
  const float period = random.between(4, 8);
  const float half_width = half_width_for(count, 3 * size, layer_count) + 2;
  add_pit(scene, half_width, 60);
  const auto first_box = static_cast<std::uint32_t>(scene.shapes.size());
  for (int i = 0; i < boxes; ++i) {
    Vec3 half;
    half.x = 0.5f * size * random.between(0.3f, 0.8f);
    half.y = 0.5f * size * random.between(0.3f, 0.8f);
    half.z = 0.5f * size * random.between(0.3f, 0.8f);
    add_box(scene, half);
  }
  // The pusher starts in the middle of its way. It never comes near the wall behind it, where it
  // would crush bodies.
  const float start = -0.4f * half_width, amplitude = 0.3f * half_width;
  state::KinematicMotion motion;
  motion.amplitude = {amplitude, 0, 0};
  motion.period = period;
  const std::uint32_t plate =
      add_box(scene, {0.25f, random.between(0.8f, 2) * size, half_width - 0.1f});
  const float plate_height = scene.shapes[plate].half_extents.y;
  add_moving(scene, plate, {start, plate_height + 0.02f, 0}, motion);
  // The cells of the bodies begin above the plate, because some bodies start over it.
  const float cell = 4.4f * size;
  Layers layers({0, 2 * plate_height + 0.1f, 0}, half_width - 0.1f, half_width - 0.1f);
  layers.begin(cell, cell);
  for (int i = 0; i < count; ++i) {
    const std::uint32_t body = add_junk(scene, random, first_box, boxes, size);
    scene.bodies[body].position = layers.next();
    scene.bodies[body].rotation = random.rotation();
  }
}

namespace {

struct VehicleShapes {
  std::uint32_t chassis = 0, wheel = 0;
  Vec3 half;             // half extents of the chassis, m
  float radius = 0;      // radius of a wheel, m
  float half_track = 0;  // distance of a wheel's centre from the middle plane, m
};

/// Adds a vehicle with four driven wheels on the ground at this place.
void add_vehicle(Scene& scene, const VehicleShapes& shapes, Vec3 place, math::Quat yaw,
                 const Motor& motor) {
  const math::Quat sideways = math::from_axis_angle({1, 0, 0}, 0.5f * math::pi);  // y to z
  const Vec3 middle = place + Vec3{0, shapes.radius + shapes.half.y + 0.01f, 0};
  const std::uint32_t chassis = add_body(scene, Motion::Dynamic, shapes.chassis, middle, yaw);
  for (int i = 0; i < 4; ++i) {
    const Vec3 offset{(i % 2 == 0 ? 0.7f : -0.7f) * shapes.half.x, -shapes.half.y,
                      i < 2 ? shapes.half_track : -shapes.half_track};
    Joint joint;
    joint.kind = JointKind::Hinge;
    joint.body_a = chassis;
    joint.anchor = middle + rotate(yaw, offset);
    joint.axis = rotate(yaw, {0, 0, 1});
    joint.motor = motor;
    joint.body_b =
        add_body(scene, Motion::Dynamic, shapes.wheel, joint.anchor, normalized(yaw * sideways));
    scene.joints.push_back(joint);
  }
}

}  // namespace

void fill_vehicles(Random& random, Scene& scene) {
  const int side = draw_count(random, 10, 13);
  VehicleShapes shapes;
  shapes.half.x = random.between(0.7f, 1.2f);
  shapes.half.y = random.between(0.15f, 0.35f);
  shapes.half.z = random.between(0.35f, 0.6f);
  shapes.radius = random.between(0.25f, 0.42f);
  const float half_tyre = random.between(0.08f, 0.15f);
  shapes.half_track = shapes.half.z + half_tyre + 0.04f;
  const float speed = random.between(4, 14), crate = random.between(0.3f, 0.6f);
  Motor motor;
  motor.max_force = random.between(40, 250);
  add_ground(scene, machine_ground);
  shapes.chassis = add_box(scene, shapes.half);
  Shape wheel;
  wheel.kind = ShapeKind::Cylinder;
  wheel.radius = shapes.radius;
  wheel.half_segment = half_tyre;
  shapes.wheel = add_shape(scene, wheel);
  const std::uint32_t crate_shape = add_box(scene, {0.5f * crate, 0.5f * crate, 0.5f * crate});
  const std::uint32_t bump = add_capsule(scene, 0.5f, 1);
  constexpr float spacing = 4.5f;
  for (int i = 0; i < side * side; ++i) {
    const Vec3 place{spacing * static_cast<float>(i / side), 0,
                     spacing * static_cast<float>(i % side)};
    const math::Quat yaw = draw_yaw(random);
    const std::uint32_t content = pick(random, 5);
    if (content < 3) {
      motor.speed = pick(random, 2) == 0 ? speed : -speed;
      add_vehicle(scene, shapes, place, yaw, motor);
    } else if (content == 3) {
      for (int level = 0; level < 4; ++level)
        add_dynamic(scene, crate_shape,
                    place + Vec3{0, crate * (0.5f + static_cast<float>(level)), 0});
    } else {  // a lying capsule of which 0.1 m to 0.2 m are above the ground
      const math::Quat lying = math::from_axis_angle({0, 0, 1}, 0.5f * math::pi);
      const float height = random.between(0.1f, 0.2f) - 0.5f;
      add_body(scene, Motion::Static, bump, place + Vec3{0, height, 0}, normalized(yaw * lying));
    }
  }
}

}  // namespace jostle::workload
