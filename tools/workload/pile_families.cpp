#include "shared/math/trig.h"
#include "tools/workload/detail/draw.h"
#include "tools/workload/detail/family_makers.h"
#include "tools/workload/detail/layers.h"
#include "tools/workload/detail/makers.h"
#include "tools/workload/reach.h"

#include <algorithm>
#include <array>

// Families of bodies that fall into a pit or onto the ground.

namespace jostle::workload {

using math::Vec3;

namespace {

constexpr float pit_height = 120;     // m, higher than any body bounces
constexpr float wide_ground = 400;    // m, so wide that no body leaves it during the run
constexpr float start_height = 0.3f;  // m, of the lowest bodies' cells

/// Adds a pit that is wider than the region |x|, |z| ≤ half_width by a margin.
void add_pit_around(Scene& scene, float half_width) {
  add_pit(scene, half_width + 0.1f, pit_height);
}

}  // namespace

void fill_sizes(Random& random, Scene& scene) {
  constexpr std::array counts{360, 260, 180, 90, 40, 12, 4};  // bodies per octave of size
  const float smallest = random.between(0.03f, 0.045f), share = random.between(0.6f, 1.6f);
  const float half_width = random.between(6.5f, 8);
  add_pit_around(scene, half_width);
  std::array<std::size_t, counts.size()> order{0, 1, 2, 3, 4, 5, 6};
  for (std::size_t i = order.size() - 1; i > 0; --i)
    std::swap(order[i], order[pick(random, static_cast<std::uint32_t>(i + 1))]);
  Layers layers({0, start_height, 0}, half_width, half_width);
  for (const std::size_t octave : order) {
    const float size = smallest * static_cast<float>(1U << octave);
    const int count = 1 + static_cast<int>(share * static_cast<float>(counts[octave]));
    add_chunks(scene, random, layers, std::min(count, 24), count, size, 2 * size);
  }
}

void fill_mass_ratios(Random& random, Scene& scene) {
  const int count = draw_count(random, 500, 1500);
  const float size = random.between(0.4f, 1), layer_count = random.between(5, 12);
  const float half_width = half_width_for(count, 1.6f * size, layer_count);
  add_pit_around(scene, half_width);
  Layers layers({0, start_height, 0}, half_width, half_width);
  const std::uint32_t first = add_chunks(scene, random, layers, 24, count, 0.7f * size, size);
  for (std::uint32_t i = first; i < scene.bodies.size(); ++i)
    scene.bodies[i].mass = by_octaves(random, 1, 10, 1000);
}

void fill_heavy_on_light(Random& random, Scene& scene) {
  constexpr float spacing = 8;  // m, between the sites
  add_ground(scene, wide_ground);
  const int side = draw_count(random, 12, 18);
  const float light_density = by_octaves(random, 20, 5, 500), speed = random.between(0, 6);
  for (int site = 0; site < side * side; ++site) {
    const float x = spacing * (static_cast<float>(site / side) - 0.5f * static_cast<float>(side));
    const float z = spacing * (static_cast<float>(site % side) - 0.5f * static_cast<float>(side));
    const float size = random.between(0.1f, 0.5f);
    const std::uint32_t light = add_shape(scene, draw_chunk(random, size));
    const float light_reach = reach(scene.shapes[light]);
    const int lights = draw_count(random, 1, 3);
    float top = 0.01f;
    for (int i = 0; i < lights; ++i) {
      add_body(scene, Motion::Dynamic, light, {x, top + light_reach, z}, draw_yaw(random));
      Surface surface = surface_of(scene, scene.bodies.back().parts.front());
      surface.density = light_density;
      scene.bodies.back().parts.front().surface = surface;
      top += 2 * light_reach + 0.01f;
    }
    Vec3 half;
    half.x = random.between(0.4f, 1.6f);
    half.y = random.between(0.3f, 1.6f);
    half.z = random.between(0.4f, 1.6f);
    const bool is_tumbled = pick(random, 2) == 0;
    const float above = is_tumbled ? length(half) : half.y;
    const float height = top + above + random.between(0, 1);
    const math::Quat rotation = is_tumbled ? random.rotation() : draw_yaw(random);
    add_body(scene, Motion::Dynamic, add_box(scene, half), {x, height, z}, rotation);
    scene.bodies.back().linear_velocity = {0, -speed, 0};
  }
}

void fill_gravel(Random& random, Scene& scene) {
  const int pebbles = draw_count(random, 700, 1800), boulders = draw_count(random, 6, 24);
  const float size = random.between(0.12f, 0.3f), boulder = random.between(0.8f, 2);
  const float layer_count = random.between(5, 10);
  const float half_width = std::max(half_width_for(pebbles, 1.6f * size, layer_count), 2 * boulder);
  add_pit_around(scene, half_width);
  Layers layers({0, start_height, 0}, half_width, half_width);
  const bool are_boulders_below = pick(random, 3) == 0;
  const auto add_boulders = [&] {
    add_chunks(scene, random, layers, std::min(boulders, 10), boulders, 0.6f * boulder, boulder);
  };
  if (are_boulders_below) add_boulders();
  add_chunks(scene, random, layers, 40, pebbles, 0.5f * size, size);
  if (!are_boulders_below) add_boulders();
}

void fill_small_hulls(Random& random, Scene& scene) {
  const int count = draw_count(random, 600, 1500), kinds = draw_count(random, 16, 64);
  const float layer_count = random.between(6, 14);
  float farthest = 0;
  const auto first = static_cast<std::uint32_t>(scene.shapes.size());
  for (int i = 0; i < kinds; ++i) {
    Vec3 half;
    half.x = random.between(0.05f, 0.2f);
    half.y = random.between(0.05f, 0.2f);
    half.z = random.between(0.05f, 0.2f);
    farthest = std::max(farthest, reach(scene.shapes[add_shape(scene, random_hull(random, half))]));
  }
  const float cell = 2 * farthest + 0.02f, half_width = half_width_for(count, cell, layer_count);
  add_pit_around(scene, half_width);
  Layers layers({0, start_height, 0}, half_width, half_width);
  layers.begin(cell, cell);
  for (int i = 0; i < count; ++i)
    add_tumbled(scene, random, layers, first + pick(random, static_cast<std::uint32_t>(kinds)));
}

void fill_bouncy(Random& random, Scene& scene) {
  const int count = draw_count(random, 400, 1200);
  const float size = random.between(0.25f, 0.6f), layer_count = random.between(4, 10);
  const float half_width = half_width_for(count, 2 * size, layer_count);
  const float speed = random.between(8, 35);
  scene.restitution = random.between(0.6f, 0.95f);
  add_pit_around(scene, half_width);
  Layers layers({0, start_height, 0}, half_width, half_width);
  const std::uint32_t first = add_chunks(scene, random, layers, 16, count, 0.5f * size, size);
  for (std::uint32_t i = first; i < scene.bodies.size(); ++i) {
    scene.bodies[i].linear_velocity = unit_vector(random) * speed;
    scene.bodies[i].angular_velocity = random.vector() * 10;
  }
  const float lid_height = layers.top() + 3;
  const std::uint32_t lid = add_box(scene, {half_width + 1, 1, half_width + 1});
  add_body(scene, Motion::Static, lid, {0, lid_height + 1, 0}, {});
}

namespace {

/// Adds the four tilted walls of a funnel whose outlet has this half width and height.
void add_funnel(Scene& scene, float outlet, float height, float half_length) {
  constexpr float thickness = 0.15f;  // half of the thickness, m
  const std::uint32_t wall = add_box(scene, {half_length, thickness, 2 * half_length});
  const float sine = math::sin_cos(0.25f * math::pi).sin;  // the walls rise at 45°
  const float out = outlet + sine * (half_length + thickness);
  const float up = height + sine * (half_length - thickness);
  for (int i = 0; i < 4; ++i) {
    const math::Quat yaw =
        math::from_axis_angle({0, 1, 0}, 0.5f * math::pi * static_cast<float>(i));
    const math::Quat tilt = math::from_axis_angle({0, 0, 1}, 0.25f * math::pi);
    add_body(scene, Motion::Static, wall, rotate(yaw, {out, up, 0}), normalized(yaw * tilt));
  }
}

}  // namespace

void fill_pours(Random& random, Scene& scene) {
  const int count = draw_count(random, 500, 1400);
  const float size = random.between(0.25f, 0.5f), half_width = random.between(3.5f, 6);
  const float outlet = size * random.between(1.6f, 2.6f), height = random.between(4, 7);
  const float half_length = random.between(1.2f, 2);
  add_pit_around(scene, half_width);
  add_funnel(scene, outlet, height, half_length);
  const float stream = outlet + half_length;
  Layers layers({0, height + 2.5f * half_length, 0}, stream, stream);
  const std::uint32_t first = add_chunks(scene, random, layers, 20, count, 0.5f * size, size);
  const float speed = random.between(2, 10);
  for (std::uint32_t i = first; i < scene.bodies.size(); ++i)
    scene.bodies[i].linear_velocity = {0, -speed, 0};
}

}  // namespace jostle::workload
