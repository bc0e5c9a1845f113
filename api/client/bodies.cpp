#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/client/client_host.h"
#include "shared/shape_mesh/mesh.h"

#include <algorithm>
#include <cstring>

namespace jostle::api {

template <>
jostle_client_arrays default_of() {
  jostle_client_arrays arrays{};
  arrays.size = sizeof arrays;
  return arrays;
}

namespace {

using client::ShownBody;

jostle_pose pose_of(const math::Pose& pose) {
  const math::Position& p = pose.position;
  const math::Quat& q = pose.rotation;
  return {{p.x, p.y, p.z}, {q.x, q.y, q.z, q.w}};
}

const ShownBody& find_body(const client::Client& client, std::uint32_t id) {
  const std::vector<ShownBody>& bodies = client.shown_bodies();
  const auto found = std::lower_bound(
      bodies.begin(), bodies.end(), state::BodyId{id},
      [](const ShownBody& body, state::BodyId wanted) { return body.info->id < wanted; });
  if (found == bodies.end() || found->info->id.value != id)
    refuse(JOSTLE_ERROR_NOT_FOUND, "body_id is %u; the client shows no body with this id", id);
  return *found;
}

/// Writes `count` numbers of one body into an array of the caller.
template <typename Number, std::size_t count>
void write_numbers(Number* array, std::size_t stride, std::size_t index,
                   const Number (&numbers)[count]) {
  if (array == nullptr) return;
  std::memcpy(reinterpret_cast<char*>(array) + index * stride, numbers, sizeof numbers);
}

/// Checks an array of the caller and returns its stride.
template <typename Number>
std::size_t checked_stride(const Number* array, std::size_t stride, std::size_t numbers,
                           std::size_t capacity, const char* name) {
  if (array == nullptr) return 0;
  const std::size_t bytes = stride_of(stride, numbers * sizeof(Number), name);
  require_array(array, capacity, bytes, name);
  return bytes;
}

jostle_client_shape shape_of(const state::BodyShape& from) {
  jostle_client_shape shape{};
  shape.kind = static_cast<std::int32_t>(from.shape.kind);
  shape.radius = from.shape.radius;
  shape.half_height = from.shape.half_segment;
  const math::Vec3 half = from.shape.half_extents;
  shape.half_extents = {half.x, half.y, half.z};
  const math::Vec3 offset = from.local.offset;
  const math::Quat q = from.local.rotation;
  shape.local = {{offset.x, offset.y, offset.z}, {q.x, q.y, q.z, q.w}};
  return shape;
}

/// Returns the corners of the triangles of a mesh, scaled to the size of a shape.
std::vector<math::Vec3> corners_of(const shape_mesh::Mesh& mesh, math::Vec3 scale, float stretch) {
  std::vector<math::Vec3> corners;
  corners.reserve(mesh.indices.size());
  for (const std::uint16_t index : mesh.indices) {
    const shape_mesh::MeshVertex& vertex = mesh.vertices[index];
    corners.push_back({vertex.unit.x * scale.x, vertex.unit.y * scale.y + vertex.segment * stretch,
                       vertex.unit.z * scale.z});
  }
  return corners;
}

/// Returns the corners of the triangles of a shape in its own frame.
std::vector<math::Vec3> triangles_of(const state::Shape& shape) {
  constexpr int sphere_levels = 2, slices = 24, stacks = 6;
  const float r = shape.radius, h = shape.half_segment;
  switch (shape.kind) {
    case state::ShapeKind::Sphere:
      return corners_of(shape_mesh::sphere_mesh(sphere_levels), {r, r, r}, 0);
    case state::ShapeKind::Box:
      return corners_of(shape_mesh::box_mesh(), shape.half_extents, 0);
    case state::ShapeKind::Capsule:
      return corners_of(shape_mesh::capsule_mesh(slices, stacks), {r, r, r}, h);
    case state::ShapeKind::Cylinder:
      return corners_of(shape_mesh::cylinder_mesh(slices), {r, h, r}, 0);
    case state::ShapeKind::Cone:
      return corners_of(shape_mesh::cone_mesh(slices), {r, h, r}, 0);
    case state::ShapeKind::Plane:
      return {};
    default: {
      std::vector<math::Vec3> corners;
      for (const shape_mesh::MeshVertex& vertex : shape_mesh::solid_corners(*shape.solid))
        corners.push_back(vertex.unit);
      return corners;
    }
  }
}

}  // namespace
}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;
using jostle::client::Client;

jostle_result jostle_client_arrays_init(jostle_client_arrays* arrays, size_t size) {
  return write_default(__func__, arrays, size);
}

jostle_result jostle_client_read(jostle_client client, const jostle_client_arrays* arrays,
                                 size_t capacity, size_t* count) {
  return read_client(__func__, client, [&](const Client& found) {
    const jostle_client_arrays to = read_struct(arrays, "arrays");
    require_pointer(count, "count");
    const std::size_t ids = checked_stride(to.ids, to.ids_stride, 1, capacity, "arrays->ids");
    const std::size_t positions =
        checked_stride(to.positions, to.positions_stride, 3, capacity, "arrays->positions");
    const std::size_t rotations =
        checked_stride(to.rotations, to.rotations_stride, 4, capacity, "arrays->rotations");
    const std::size_t awake =
        checked_stride(to.awake, to.awake_stride, 1, capacity, "arrays->awake");
    const std::vector<ShownBody>& bodies = found.shown_bodies();
    for (std::size_t i = 0; i < bodies.size() && i < capacity; ++i) {
      const ShownBody& body = bodies[i];
      const math::Position& p = body.pose.position;
      const math::Quat& q = body.pose.rotation;
      write_numbers(to.ids, ids, i, {body.info->id.value});
      write_numbers(to.positions, positions, i, {p.x, p.y, p.z});
      write_numbers(to.rotations, rotations, i, {q.x, q.y, q.z, q.w});
      write_numbers<std::uint8_t>(to.awake, awake, i,
                                  {body.is_awake ? std::uint8_t{1} : std::uint8_t{0}});
    }
    *count = bodies.size();
    if (capacity > 0 && bodies.size() > capacity) {
      refuse(JOSTLE_ERROR_BUFFER_TOO_SMALL, "the arrays hold %zu bodies; needed: %zu", capacity,
             bodies.size());
    }
  });
}
jostle_result jostle_client_get_pose(jostle_client client, uint32_t body_id, jostle_pose* pose) {
  return read_client(__func__, client, [&](const Client& found) {
    require_pointer(pose, "pose");
    *pose = pose_of(find_body(found, body_id).pose);
  });
}
jostle_result jostle_client_get_body(jostle_client client, uint32_t body_id,
                                     jostle_client_body* body) {
  return read_client(__func__, client, [&](const Client& found) {
    require_output(body, "body");
    const state::BodyInfo& info = *find_body(found, body_id).info;
    jostle_client_body values{};
    values.id = info.id.value;
    values.motion = static_cast<std::int32_t>(info.motion);
    values.owner = info.owner.value;
    values.shape_count = static_cast<std::uint32_t>(info.shapes.size());
    values.red = info.colour.red;
    values.green = info.colour.green;
    values.blue = info.colour.blue;
    values.is_grabbable = info.grabbable ? 1 : 0;
    info.name.copy(values.name, sizeof values.name - 1);
    write_struct(body, values);
  });
}
jostle_result jostle_client_find_body(jostle_client client, const char* name, uint32_t* body_id) {
  return read_client(__func__, client, [&](const Client& found) {
    require_pointer(name, "name");
    require_pointer(body_id, "body_id");
    for (const ShownBody& body : found.shown_bodies()) {
      if (body.info->name != name) continue;
      *body_id = body.info->id.value;
      return;
    }
    refuse(JOSTLE_ERROR_NOT_FOUND, "name is '%.64s'; the client shows no body with this name",
           name);
  });
}
jostle_result jostle_client_get_own_body(jostle_client client, uint32_t* body_id) {
  return read_client(__func__, client, [&](const Client& found) {
    require_pointer(body_id, "body_id");
    const state::PlayerId player = found.status().player;
    for (const ShownBody& body : found.shown_bodies()) {
      if (player.is_null() || body.info->owner != player) continue;
      *body_id = body.info->id.value;
      return;
    }
    refuse_text(JOSTLE_ERROR_NOT_FOUND, "this client has no body");
  });
}

jostle_result jostle_client_get_shapes(jostle_client client, uint32_t body_id,
                                       jostle_client_shape* shapes, size_t stride, size_t capacity,
                                       size_t* count) {
  return read_client(__func__, client, [&](const Client& found) {
    const auto output = list_output(shapes, stride, capacity, count);
    const state::BodyInfo& info = *find_body(found, body_id).info;
    write_list(output, info.shapes.size(),
               [&](std::size_t i) { return api::shape_of(info.shapes[i]); });
  });
}
jostle_result jostle_client_get_triangles(jostle_client client, uint32_t body_id, size_t shape,
                                          jostle_vec3* corners, size_t capacity, size_t* count) {
  return read_client(__func__, client, [&](const Client& found) {
    const auto output = list_output(corners, 0, capacity, count);
    const state::BodyInfo& info = *find_body(found, body_id).info;
    if (shape >= info.shapes.size()) {
      refuse(JOSTLE_ERROR_NOT_FOUND, "shape is %zu, but the body has %zu shapes", shape,
             info.shapes.size());
    }
    const state::BodyShape& wanted = info.shapes[shape];
    const std::vector<math::Vec3> points = triangles_of(wanted.shape);
    write_list(output, points.size(), [&](std::size_t i) {
      const math::Vec3 at = rotate(wanted.local.rotation, points[i]) + wanted.local.offset;
      return jostle_vec3{at.x, at.y, at.z};
    });
  });
}
