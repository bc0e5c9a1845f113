#include "shared/math/trig.h"
#include "tools/workload/detail/draw.h"
#include "tools/workload/detail/family_makers.h"
#include "tools/workload/detail/layers.h"
#include "tools/workload/detail/makers.h"
#include "tools/workload/reach.h"

#include <algorithm>

// Families of bodies with joints.

namespace jostle::workload {

using math::Vec3;

namespace {

constexpr float joint_ground = 400;  // m, so wide that no body leaves it during the run

void add_joint(Scene& scene, JointKind kind, std::uint32_t a, std::uint32_t b, Vec3 anchor,
               Vec3 axis) {
  Joint joint;
  joint.kind = kind;
  joint.body_a = a;
  joint.body_b = b;
  joint.anchor = anchor;
  joint.axis = axis;
  scene.joints.push_back(joint);
}

struct ChainShapes {
  std::uint32_t hook = 0, link = 0, weight = 0;
  float pitch = 0;          // m, between the joints of a link
  float weight_radius = 0;  // m
};

/// Adds a chain that begins at a static hook and lies along x.
void add_chain(Scene& scene, const ChainShapes& shapes, Vec3 hook, int links, float weight_mass) {
  const math::Quat lying = math::from_axis_angle({0, 0, 1}, 0.5f * math::pi);  // y to −x
  std::uint32_t last = add_body(scene, Motion::Static, shapes.hook, hook, {});
  float end = 0.5f * shapes.pitch;
  for (int i = 0; i < links; ++i) {
    const std::uint32_t link = add_body(scene, Motion::Dynamic, shapes.link,
                                        hook + Vec3{end + 0.5f * shapes.pitch, 0, 0}, lying);
    add_joint(scene, JointKind::Ball, last, link, hook + Vec3{end, 0, 0}, {1, 0, 0});
    last = link;
    end += shapes.pitch;
  }
  const float centre = end + shapes.weight_radius + 0.02f;
  const std::uint32_t weight = add_dynamic(scene, shapes.weight, hook + Vec3{centre, 0, 0});
  scene.bodies[weight].mass = weight_mass;
  add_joint(scene, JointKind::Ball, last, weight, hook + Vec3{end, 0, 0}, {1, 0, 0});
}

}  // namespace

void fill_chains(Random& random, Scene& scene) {
  const int links = draw_count(random, 24, 50), chains = 1 + draw_count(random, 450, 1300) / links;
  const float radius = random.between(0.04f, 0.1f), half_segment = radius * random.between(1, 3);
  const float ratio = by_octaves(random, 1, 7, 100);
  ChainShapes shapes;
  shapes.hook = add_sphere(scene, 0.1f);
  shapes.link = add_capsule(scene, radius, half_segment);
  shapes.weight_radius = random.between(2, 5) * radius;
  shapes.weight = add_sphere(scene, shapes.weight_radius);
  shapes.pitch = 2 * (half_segment + radius) + 0.01f;
  add_ground(scene, joint_ground);
  const float volume = math::pi * radius * radius * (2 * half_segment + 4.0f / 3 * radius);
  const float mass = scene.density * volume;
  const float length = shapes.pitch * static_cast<float>(links);
  const float height = length * random.between(0.4f, 1.3f);
  const float spacing = 2 * shapes.weight_radius + random.between(0.1f, 0.8f);
  for (int i = 0; i < chains; ++i) {
    const Vec3 hook{0, height + 1, spacing * static_cast<float>(i)};
    add_chain(scene, shapes, hook, links - draw_count(random, 0, 8), ratio * mass);
  }
}

namespace {

/// Adds a bridge along x between two static banks.
void add_bridge(Scene& scene, std::uint32_t plank, std::uint32_t bank, Vec3 middle, int planks,
                float pitch) {
  const float half_length = 0.5f * pitch * static_cast<float>(planks);
  const float bank_half = scene.shapes[bank].half_extents.x, gap = 0.01f;
  const Vec3 start = middle - Vec3{half_length, 0, 0};
  std::uint32_t last =
      add_body(scene, Motion::Static, bank, start - Vec3{bank_half + gap, 0, 0}, {});
  for (int i = 0; i < planks; ++i) {
    const Vec3 edge = start + Vec3{pitch * static_cast<float>(i), 0, 0};
    const std::uint32_t next = add_dynamic(scene, plank, edge + Vec3{0.5f * pitch, 0, 0});
    add_joint(scene, JointKind::Hinge, last, next, edge, {0, 0, 1});
    last = next;
  }
  const Vec3 end = middle + Vec3{half_length, 0, 0};
  const std::uint32_t far_bank =
      add_body(scene, Motion::Static, bank, end + Vec3{bank_half + gap, 0, 0}, {});
  add_joint(scene, JointKind::Hinge, last, far_bank, end, {0, 0, 1});
}

}  // namespace

void fill_bridges(Random& random, Scene& scene) {
  const int planks = draw_count(random, 16, 36), loads = draw_count(random, 10, 30);
  const int bridges = 1 + draw_count(random, 300, 800) / (planks + loads);
  Vec3 half;
  half.x = random.between(0.2f, 0.4f);
  half.y = random.between(0.05f, 0.12f);
  half.z = random.between(0.5f, 1.2f);
  const float pitch = 2 * half.x + 0.04f, height = random.between(3, 8);
  const float load = random.between(0.2f, 0.8f) * half.z;
  const std::uint32_t plank = add_box(scene, half), bank = add_box(scene, {1, half.y, half.z});
  add_ground(scene, joint_ground);
  const float length = pitch * static_cast<float>(planks), spacing = 2 * half.z + 1;
  for (int i = 0; i < bridges; ++i) {
    const Vec3 middle{0, height, spacing * static_cast<float>(i)};
    add_bridge(scene, plank, bank, middle, planks, pitch);
    Layers layers(middle + Vec3{0, half.y + 0.05f, 0}, 0.4f * length, half.z);
    add_chunks(scene, random, layers, 6, loads, 0.6f * load, load);
  }
}

namespace {

/// Adds a horizontal net of side × side knots whose edge is static.
void add_net(Scene& scene, std::uint32_t knot, Vec3 middle, int side, float spacing,
             JointKind kind) {
  const float centre = 0.5f * static_cast<float>(side - 1);
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    const Vec3 from = scene.bodies[a].position, to = scene.bodies[b].position;
    const bool is_distance = kind == JointKind::Distance;
    add_joint(scene, kind, a, b, is_distance ? from : 0.5f * (from + to), {0, 1, 0});
    scene.joints.back().anchor_b = is_distance ? to : Vec3{};
  };
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      const bool is_edge = i == 0 || j == 0 || i == side - 1 || j == side - 1;
      const Vec3 place = middle + spacing * Vec3{static_cast<float>(i) - centre, 0,
                                                 static_cast<float>(j) - centre};
      const std::uint32_t body =
          add_body(scene, is_edge ? Motion::Static : Motion::Dynamic, knot, place, {});
      // Two static knots need no joint.
      if (i > 0 && j > 0 && j < side - 1) join(body - static_cast<std::uint32_t>(side), body);
      if (j > 0 && i > 0 && i < side - 1) join(body - 1, body);
    }
  }
}

}  // namespace

void fill_nets(Random& random, Scene& scene) {
  const int nets = draw_count(random, 1, 3), side = draw_count(random, 20, 28) - 3 * (nets - 1);
  const int loads = draw_count(random, 30, 90) / nets;
  const float radius = random.between(0.04f, 0.08f), spacing = radius * random.between(3, 5);
  const float load = spacing * random.between(2.2f, 5), height = random.between(4, 8);
  const JointKind kind = pick(random, 2) == 0 ? JointKind::Ball : JointKind::Distance;
  const float density = by_octaves(random, 60, 5, 2000);
  const std::uint32_t knot = add_sphere(scene, radius);
  add_ground(scene, joint_ground);
  const float width = spacing * static_cast<float>(side);
  for (int i = 0; i < nets; ++i) {
    const Vec3 middle{0, height, 1.5f * width * static_cast<float>(i)};
    add_net(scene, knot, middle, side, spacing, kind);
    const float region = std::max(0.3f * width, load);
    Layers layers(middle + Vec3{0, radius + 0.2f, 0}, region, region);
    const std::uint32_t first = add_chunks(scene, random, layers, 8, loads, 0.7f * load, load);
    for (std::uint32_t body = first; body < scene.bodies.size(); ++body) {
      Surface surface = surface_of(scene, scene.bodies[body].parts.front());
      surface.density = density;
      scene.bodies[body].parts.front().surface = surface;
    }
  }
}

void fill_figures(Random& random, Scene& scene) {
  constexpr float cell = 2.2f;  // m; a doll with spread arms fits into it
  const int count = draw_count(random, 40, 140);
  const float scale = random.between(0.5f, 1.2f), layer_count = random.between(2, 6);
  const float half_width = half_width_for(count, cell * scale, layer_count);
  add_pit(scene, half_width, 60);
  const int steps = draw_count(random, 2, 8);
  const float rise = random.between(0.1f, 0.4f);
  const float depth = half_width / static_cast<float>(steps);
  for (int i = 0; i < steps; ++i) {
    const float half_height = 0.5f * rise * static_cast<float>(i + 1);
    const std::uint32_t step = add_box(scene, {half_width, half_height, 0.5f * depth});
    const Vec3 place{0, half_height, -depth * (static_cast<float>(i) + 0.5f)};
    add_body(scene, Motion::Static, step, place, {});
  }
  const RagdollShapes shapes = add_ragdoll_shapes(scene, scale);
  const float stairs = rise * static_cast<float>(steps);
  Layers layers({0, stairs + 0.5f, 0}, half_width, half_width);
  layers.begin(cell * scale, 2.4f * scale);
  for (int i = 0; i < count; ++i) {
    const Vec3 place = layers.next();
    add_ragdoll(scene, shapes, place, draw_yaw(random), scale);
  }
}

}  // namespace jostle::workload
