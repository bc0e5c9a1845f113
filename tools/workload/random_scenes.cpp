#include "tools/workload/detail/draw.h"
#include "tools/workload/detail/makers.h"
#include "tools/workload/random.h"
#include "tools/workload/reach.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace jostle::workload {

using math::Vec3;

namespace {

constexpr float smallest = 0.05f, largest = 5.0f;  // m, limits of every extent of a body
constexpr float clearance = 0.02f;                 // distance between bodies at the start, m
/// Half width of the mesh floor, m: so large that no body falls over its edge within the 600 steps.
constexpr float mesh_half_width = 384;
constexpr float wall_height = 400;  // m

enum class Floor : std::uint32_t { Slab, Pit, Plane, Mesh };

/// The scene under construction.
struct Draft {
  Scene scene;
  Random random;
  float half_width = 0;      // m, half width of the starting region in x and z
  std::vector<float> radii;  // radii of bounding spheres; 0 for the floor and the walls
};

Shape random_shape(Random& random) {
  const float width = by_octaves(random, smallest, 7, 4);
  const float height = std::min(width * random.between(1.1f, 3), largest);
  const float depth = std::min(width * random.between(1, 3), largest);
  Shape shape;
  shape.kind = static_cast<ShapeKind>(pick(random, 6));
  switch (shape.kind) {
    case ShapeKind::Box:
      shape.half_extents = {0.5f * width, 0.5f * height, 0.5f * depth};
      break;
    case ShapeKind::Hull:
      return random_hull(random, {0.5f * width, 0.5f * height, 0.5f * depth});
    case ShapeKind::Capsule:
      shape.radius = 0.5f * width;
      shape.half_segment = 0.5f * (height - width);
      break;
    default:
      // A sphere has no axis. Cylinders and cones are flat or long with equal probability.
      shape.radius = 0.5f * width;
      if (shape.kind != ShapeKind::Sphere) shape.half_segment = 0.5f * height;
      if (shape.kind != ShapeKind::Sphere && pick(random, 2) == 0)
        std::swap(shape.radius, shape.half_segment);
      break;
  }
  return shape;
}

void add_mesh_floor(Scene& scene) {
  constexpr std::uint32_t cells = 96;
  constexpr float cell = 2 * mesh_half_width / cells;
  Shape mesh;
  mesh.kind = ShapeKind::Mesh;
  for (std::uint32_t i = 0; i <= cells; ++i) {
    for (std::uint32_t j = 0; j <= cells; ++j) {
      mesh.points.push_back({static_cast<float>(i) * cell - mesh_half_width, 0,
                             static_cast<float>(j) * cell - mesh_half_width});
      if (i == cells || j == cells) continue;
      const std::uint32_t a = i * (cells + 1) + j, b = a + 1, c = a + cells + 1, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  }
  add_body(scene, Motion::Static, add_shape(scene, std::move(mesh)), {}, {});
  scene.arena.half_width = mesh_half_width;
}

void add_floor(Draft& draft) {
  Scene& scene = draft.scene;
  switch (static_cast<Floor>(pick(draft.random, 4))) {
    case Floor::Slab:
      add_ground(scene, 400);
      break;
    case Floor::Pit:
      add_pit(scene, draft.half_width, wall_height);
      break;
    case Floor::Plane: {
      Shape plane;
      plane.kind = ShapeKind::Plane;
      add_body(scene, Motion::Static, add_shape(scene, std::move(plane)), {}, {});
      break;
    }
    case Floor::Mesh:
      add_mesh_floor(scene);
      break;
  }
  draft.radii.resize(scene.bodies.size());
}

bool is_free(const Draft& draft, Vec3 centre, float radius) {
  const float room = draft.half_width - radius - clearance;
  if (centre.y < radius + clearance) return false;
  if (std::abs(centre.x) > room || std::abs(centre.z) > room) return false;
  for (std::size_t i = 0; i < draft.radii.size(); ++i) {
    if (draft.radii[i] == 0) continue;
    const float distance = length(centre - draft.scene.bodies[i].position);
    if (distance < radius + draft.radii[i] + clearance) return false;
  }
  return true;
}

Vec3 find_place(Draft& draft, float radius) {
  const float room = draft.half_width - radius - 2 * clearance;
  Vec3 centre;
  centre.x = draft.random.between(-room, room);
  centre.z = draft.random.between(-room, room);
  centre.y = radius + 0.05f + draft.random.between(0, 4);
  while (!is_free(draft, centre, radius))
    centre.y += 0.5f;
  return centre;
}

/// Draws a position for the next body beside the last body, and adds a joint between the two.
/// Returns null, and adds no joint, if the position is not free or the last body belongs to the
/// floor.
std::optional<Vec3> find_place_beside_last(Draft& draft, float radius) {
  const Vec3 direction = unit_vector(draft.random);
  const float gap = draft.random.between(2 * clearance, 0.3f), last = draft.radii.back();
  const Vec3 from = draft.scene.bodies.back().position;
  const Vec3 centre = from + direction * (last + gap + radius);
  if (last == 0 || !is_free(draft, centre, radius)) return std::nullopt;

  Joint joint;
  joint.kind = static_cast<JointKind>(pick(draft.random, 6));
  joint.body_b = static_cast<std::uint32_t>(draft.scene.bodies.size());
  joint.body_a = joint.body_b - 1;
  joint.anchor = from + direction * (last + 0.5f * gap);
  joint.axis = unit_vector(draft.random);
  if (joint.kind == JointKind::ConeTwist) joint.cone = draft.random.between(0.3f, 1.5f);
  const float limit = draft.random.between(0.2f, 1.5f);
  if (joint.kind == JointKind::ConeTwist || joint.kind == JointKind::Hinge ||
      joint.kind == JointKind::Slider)
    joint.limits = Limits{-limit, limit};
  if (joint.kind == JointKind::Distance) {  // a distance joint connects the two centres
    joint.anchor = from;
    joint.anchor_b = centre;
  }
  draft.scene.joints.push_back(joint);
  return centre;
}

void add_random_body(Draft& draft) {
  Random& random = draft.random;
  Shape shape = random_shape(random);
  const float radius = reach(shape);
  std::optional<Vec3> place;
  if (pick(random, 3) == 0) place = find_place_beside_last(draft, radius);
  const Vec3 centre = place ? *place : find_place(draft, radius);
  const math::Quat rotation = random.rotation();
  const std::uint32_t index = add_shape(draft.scene, std::move(shape));
  add_body(draft.scene, Motion::Dynamic, index, centre, rotation);
  Body& body = draft.scene.bodies.back();
  body.mass = by_octaves(random, 1, 10, 1000);
  if (pick(random, 4) == 0) {
    body.linear_velocity = random.vector() * 5;
    body.angular_velocity = random.vector() * 5;
  }
  draft.radii.push_back(radius);
}

/// Adds a static ball in the air, from which the next bodies may hang.
void add_hook(Draft& draft) {
  constexpr float radius = 0.1f;
  Vec3 centre = find_place(draft, radius);
  do {
    centre.y += 3;
  } while (!is_free(draft, centre, radius));
  add_body(draft.scene, Motion::Static, add_sphere(draft.scene, radius), centre, {});
  draft.radii.push_back(radius);
}

}  // namespace

Scene make_random_scene(std::uint32_t seed) {
  Draft draft{{}, Random(seed * 2654435761U), 0, {}};
  for (int i = 0; i < 8; ++i)
    draft.random.bits();  // skip the first numbers, which are similar for similar seeds
  draft.half_width = draft.random.between(5, 12);
  draft.scene.friction = draft.random.between(0.1f, 1);
  const float bounce = draft.random.between(0, 0.9f);
  draft.scene.restitution = pick(draft.random, 2) == 0 ? 0 : bounce;
  add_floor(draft);
  const std::uint32_t count = 20 + pick(draft.random, 61);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (pick(draft.random, 12) == 0) add_hook(draft);
    add_random_body(draft);
  }
  return std::move(draft.scene);
}

}  // namespace jostle::workload
