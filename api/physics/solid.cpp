#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/physics/convert.h"
#include "api/physics/tables.h"
#include "shared/geometry/convex_decomposition.h"
#include "shared/geometry/hull.h"
#include "shared/geometry/shape_check.h"
#include "shared/geometry/surface.h"

#include <jostle/physics/shapes.h>
#include <jostle/physics/solids.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::api {
namespace {

static_assert(JOSTLE_SHAPE_HULL == static_cast<int>(state::ShapeKind::Hull));
static_assert(JOSTLE_SHAPE_HEIGHT_FIELD == static_cast<int>(state::ShapeKind::HeightField));

/// Refuses geometry; `description` follows the name of the geometry.
[[noreturn]] void refuse_geometry(const char* name, std::string_view description) {
  refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "the %s %.*s", name, static_cast<int>(description.size()),
         description.data());
}

std::vector<math::Vec3> read_points(const float* points, std::size_t stride, std::size_t count,
                                    std::size_t max_count, const char* name) {
  const std::size_t bytes = stride_of(stride, sizeof(jostle_vec3), name);
  if (count > max_count) {
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "%s has %zu elements; accepted: up to %zu", name, count,
           max_count);
  }
  require_array(points, count, bytes, name);
  std::vector<math::Vec3> copy(count);
  for (std::size_t i = 0; i < count; ++i)
    copy[i] = to_engine(read_element(reinterpret_cast<const jostle_vec3*>(points), bytes, i));
  return copy;
}

state::TriangleMesh read_mesh(const float* vertices, std::size_t stride, std::size_t vertex_count,
                              const std::uint32_t* indices, std::size_t triangle_count) {
  state::TriangleMesh mesh;
  mesh.vertices =
      read_points(vertices, stride, vertex_count, geometry::max_mesh_vertices, "vertices");
  if (triangle_count > geometry::max_mesh_triangles) {
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "triangle_count is %zu; accepted: up to %zu",
           triangle_count, geometry::max_mesh_triangles);
  }
  using Triangle = std::array<std::uint32_t, 3>;
  require_array(indices, triangle_count, sizeof(Triangle), "indices");
  mesh.triangles.resize(triangle_count);
  for (std::size_t i = 0; i < triangle_count; ++i)
    mesh.triangles[i] =
        read_element(reinterpret_cast<const Triangle*>(indices), sizeof(Triangle), i);
  return mesh;
}

/// Requires that a shape of this solid can be simulated.
SolidPointer checked(SolidPointer solid, const char* name) {
  if (const auto error = geometry::check_shape(state::solid(solid)))
    refuse_geometry(name, describe(*error));
  return solid;
}

std::vector<std::array<std::uint32_t, 3>> triangles_of(const state::Solid& solid) {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  if (const auto* hull = std::get_if<state::ConvexHull>(&solid.content)) {
    for (const state::HullFace& face : hull->faces) {
      const std::uint16_t* corner = &hull->corners[face.first_corner];
      for (std::uint16_t i = 2; i < face.corner_count; ++i)
        triangles.push_back({corner[0], corner[i - 1], corner[i]});
    }
    return triangles;
  }
  const std::uint32_t count = geometry::triangle_count(solid);
  triangles.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i)
    triangles.push_back(geometry::triangle_of(solid, i).vertices);
  return triangles;
}

std::size_t count_vertices(const state::Solid& solid) {
  if (const auto* hull = std::get_if<state::ConvexHull>(&solid.content))
    return hull->vertices.size();
  if (const auto* mesh = std::get_if<state::TriangleMesh>(&solid.content))
    return mesh->vertices.size();
  return std::get<state::HeightField>(solid.content).heights.size();
}

std::size_t count_triangles(const state::Solid& solid) {
  const auto* hull = std::get_if<state::ConvexHull>(&solid.content);
  // A face with n corners consists of n − 2 triangles.
  return hull == nullptr ? geometry::triangle_count(solid)
                         : hull->corners.size() - 2 * hull->faces.size();
}

math::Vec3 vertex_of(const state::Solid& solid, std::size_t i) {
  if (const auto* hull = std::get_if<state::ConvexHull>(&solid.content)) return hull->vertices[i];
  if (const auto* mesh = std::get_if<state::TriangleMesh>(&solid.content)) return mesh->vertices[i];
  const auto& field = std::get<state::HeightField>(solid.content);
  return {static_cast<float>(i / field.count_z) * field.cell_x, field.heights[i],
          static_cast<float>(i % field.count_z) * field.cell_z};
}

}  // namespace
}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;

jostle_result jostle_solid_create_hull(const float* points, size_t stride, size_t count,
                                       jostle_solid* solid) {
  return guard(__func__, [&] {
    const auto copy = read_points(points, stride, count, geometry::max_hull_points, "points");
    require_pointer(solid, "solid");
    auto hull = geometry::build_hull(copy);
    if (!hull) refuse_geometry("hull", describe(hull.error()));
    *solid = create_solid(checked(geometry::share(*std::move(hull)), "hull"));
  });
}

jostle_result jostle_solid_create_mesh(const float* vertices, size_t stride, size_t vertex_count,
                                       const uint32_t* indices, size_t triangle_count,
                                       jostle_solid* solid) {
  return guard(__func__, [&] {
    auto mesh = read_mesh(vertices, stride, vertex_count, indices, triangle_count);
    require_pointer(solid, "solid");
    if (const auto error = geometry::check_surface(mesh)) refuse_geometry("mesh", describe(*error));
    *solid = create_solid(checked(geometry::share(std::move(mesh)), "mesh"));
  });
}

jostle_result jostle_solid_create_height_field(const float* heights, uint32_t count_x,
                                               uint32_t count_z, float cell_x, float cell_z,
                                               jostle_solid* solid) {
  return guard(__func__, [&] {
    constexpr std::int64_t max_count = geometry::max_field_samples / 2;
    require_integer(count_x, 2, max_count, "count_x");
    require_integer(count_z, 2, max_count, "count_z");
    const std::size_t count = std::size_t{count_x} * count_z;
    if (count > geometry::max_field_samples) {
      refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "the height field has %zu samples; accepted: up to %zu",
             count, geometry::max_field_samples);
    }
    require_array(heights, count, sizeof(float), "heights");
    require_pointer(solid, "solid");
    state::HeightField field{count_x, count_z, cell_x, cell_z, {}};
    field.heights.resize(count);
    for (std::size_t i = 0; i < count; ++i)
      field.heights[i] = read_element(heights, sizeof(float), i);
    if (const auto error = geometry::check_surface(field))
      refuse_geometry("height field", describe(*error));
    *solid = create_solid(checked(geometry::share(std::move(field)), "height field"));
  });
}

jostle_result jostle_solid_decompose_mesh(const float* vertices, size_t stride, size_t vertex_count,
                                          const uint32_t* indices, size_t triangle_count,
                                          float max_error, jostle_solid* solids, size_t capacity,
                                          size_t* count, float* error) {
  return guard(__func__, [&] {
    if (capacity < 1 || capacity > geometry::max_decomposition_hulls) {
      refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "capacity is %zu; accepted: 1 to %zu", capacity,
             geometry::max_decomposition_hulls);
    }
    const auto output = list_output(solids, 0, capacity, count);
    const auto mesh = read_mesh(vertices, stride, vertex_count, indices, triangle_count);
    auto parts = geometry::decompose(mesh, {max_error, capacity});
    if (!parts) refuse_geometry("mesh", describe(parts.error()));
    std::vector<jostle_solid> handles;
    for (state::ConvexHull& hull : parts->hulls)
      handles.push_back(create_solid(geometry::share(std::move(hull))));
    write_list(output, handles.size(), [&](std::size_t i) { return handles[i]; });
    if (error != nullptr) *error = parts->error;
  });
}

jostle_result jostle_solid_destroy(jostle_solid solid) {
  return guard(__func__, [&] { jostle::api::solids().destroy(solid); });
}
jostle_bool jostle_solid_is_alive(jostle_solid solid) {
  return to_c(jostle::api::solids().is_alive(solid));
}

jostle_result jostle_solid_get_info(jostle_solid solid, jostle_solid_info* info) {
  return guard(__func__, [&] {
    const SolidPointer found = find_solid(solid);
    require_output(info, "info");
    jostle_solid_info values{};
    values.kind = static_cast<std::int32_t>(state::solid(found).kind);
    values.vertex_count = static_cast<std::uint32_t>(count_vertices(*found));
    values.triangle_count = static_cast<std::uint32_t>(count_triangles(*found));
    values.content_hash = found->content_hash;
    write_struct(info, values);
  });
}
jostle_result jostle_solid_get_vertices(jostle_solid solid, jostle_vec3* vertices, size_t capacity,
                                        size_t* count) {
  return guard(__func__, [&] {
    const SolidPointer found = find_solid(solid);
    const auto output = list_output(vertices, 0, capacity, count);
    write_list(output, count_vertices(*found),
               [&](std::size_t i) { return to_c(vertex_of(*found, i)); });
  });
}
jostle_result jostle_solid_get_triangles(jostle_solid solid, uint32_t* indices, size_t capacity,
                                         size_t* count) {
  return guard(__func__, [&] {
    using Triangle = std::array<std::uint32_t, 3>;
    const SolidPointer found = find_solid(solid);
    const auto output = list_output(reinterpret_cast<Triangle*>(indices), 0, capacity, count);
    const auto triangles = triangles_of(*found);
    write_list(output, triangles.size(), [&](std::size_t i) { return triangles[i]; });
  });
}

jostle_result jostle_world_add_solid(jostle_world world, jostle_solid solid) {
  return change_own_world(__func__, world,
                          [&](physics::World& found) { found.add_solid(find_solid(solid)); });
}
jostle_result jostle_world_find_solid(jostle_world world, uint64_t content_hash,
                                      jostle_solid* solid) {
  return read_world(__func__, world, [&](const physics::World& found) {
    require_pointer(solid, "solid");
    SolidPointer registered = found.find_solid(content_hash);
    if (!registered)
      refuse_text(JOSTLE_ERROR_NOT_FOUND, "no solid of the world has this content hash");
    *solid = create_solid(std::move(registered));
  });
}
