#include "shared/geometry/triangle_block.h"
#include "shared/physics/detail/drawing.h"

#include <array>

namespace jostle::physics {

using math::Aabb;
using math::Position;
using math::Vec3;

namespace {

void draw_plane(const Drawing& drawing, const math::Pose& pose, const DrawLabel& label) {
  const float size = drawing.options.plane_half_size;
  Position middle = pose.position;
  if (drawing.options.box) {
    // A plane is infinite, so only a square around the projection of the box's centre is drawn.
    const Aabb& box = *drawing.options.box;
    const Vec3 half = (box.upper - box.lower) * 0.5f;
    const Vec3 local = inverse_transform_point(pose, box.lower + half);
    middle = transform_point(pose, {local.x, 0, local.z});
  }
  const Vec3 x = rotate(pose.rotation, {size, 0, 0}), z = rotate(pose.rotation, {0, 0, size});
  const std::array<Position, 4> corners{middle - x - z, middle - x + z, middle + x + z,
                                        middle + x - z};
  for (std::size_t i = 0; i < corners.size(); ++i)
    drawing.receiver.line(corners[i], corners[(i + 1) % corners.size()], label);
  drawing.arrow(middle, rotate(pose.rotation, {0, drawing.options.normal_length, 0}), label);
}

void draw_hull(const Drawing& drawing, const state::ConvexHull& hull, const math::Pose& pose,
               const DrawLabel& label) {
  for (const state::HullEdge& edge : hull.edges) {
    drawing.receiver.line(transform_point(pose, hull.vertices[edge.tail]),
                          transform_point(pose, hull.vertices[edge.head]), label);
  }
}

struct LocalBox {
  Vec3 lower, upper;
};

/// Returns the bounds of `box`, a box along the world's axes, in the frame `pose`.
LocalBox local_box(const Aabb& box, const math::Pose& pose) {
  const Vec3 half = (box.upper - box.lower) * 0.5f;
  const Vec3 middle = inverse_transform_point(pose, box.lower + half);
  const math::Mat3 axes = transpose(to_matrix(pose.rotation));
  const Vec3 reach = math::abs_of(axes.cx) * half.x + math::abs_of(axes.cy) * half.y +
                     math::abs_of(axes.cz) * half.z;
  return {middle - reach, middle + reach};
}

void draw_surface(const Drawing& drawing, const state::Shape& shape, const math::Pose& pose,
                  const DrawLabel& label) {
  constexpr float everywhere = 1e9f;
  LocalBox within{{-everywhere, -everywhere, -everywhere}, {everywhere, everywhere, everywhere}};
  if (drawing.options.box) within = local_box(*drawing.options.box, pose);
  geometry::FoundBlocks found;
  geometry::find_blocks(shape, within.lower, within.upper, found);
  for (const geometry::TriangleBlock* block : found.list) {
    for (std::size_t i = 0; i < 8; ++i) {
      if ((block->present >> i & 1U) == 0) continue;
      const Position a = transform_point(pose, block->corner(0, i)),
                     b = transform_point(pose, block->corner(1, i)),
                     c = transform_point(pose, block->corner(2, i));
      const Aabb box = united(united(Aabb{a, a}, Aabb{b, b}), Aabb{c, c});
      if (drawing.options.box && !overlaps(box, *drawing.options.box)) continue;
      drawing.receiver.triangle(a, b, c, label);
    }
  }
}

}  // namespace

void draw_shape(const Drawing& drawing, std::uint32_t index, const DrawLabel& label) {
  const ShapeRecord& record = drawing.world.shapes[index];
  const math::Pose pose = shape_pose(drawing.world.bodies[record.body.index], record);
  const state::Shape& shape = record.def.shape;
  DebugDrawReceiver& receiver = drawing.receiver;
  switch (shape.kind) {
    case state::ShapeKind::Sphere:
      return receiver.sphere(pose, shape.radius, label);
    case state::ShapeKind::Box:
      return receiver.box(pose, shape.half_extents, label);
    case state::ShapeKind::Capsule:
      return receiver.capsule(pose, shape.radius, shape.half_segment, label);
    case state::ShapeKind::Cylinder:
      return receiver.cylinder(pose, shape.radius, shape.radius, shape.half_segment, label);
    case state::ShapeKind::Cone:
      return receiver.cylinder(pose, shape.radius, 0, shape.half_segment, label);
    case state::ShapeKind::Plane:
      return draw_plane(drawing, pose, label);
    case state::ShapeKind::Hull:
      return draw_hull(drawing, std::get<state::ConvexHull>(shape.solid->content), pose, label);
    case state::ShapeKind::Mesh:
    case state::ShapeKind::HeightField:
      return draw_surface(drawing, shape, pose, label);
  }
}

}  // namespace jostle::physics
