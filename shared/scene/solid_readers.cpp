#include "shared/scene/detail/solid_readers.h"

#include "shared/geometry/convex_decomposition.h"
#include "shared/geometry/hull.h"
#include "shared/geometry/mass_properties.h"
#include "shared/geometry/shape_check.h"
#include "shared/geometry/surface.h"
#include "shared/scene/detail/limits.h"

#include <cmath>
#include <utility>

namespace jostle::scene::detail {

using math::Vec3;

namespace {

constexpr Range extent_range = within(1e5);             // m, coordinates in the shape's frame
constexpr Range max_error_range = positive(1e-6, 1e5);  // m

/// Reads a list of points, three numbers each. Fails the reader if the list is missing, invalid or
/// too long.
std::vector<Vec3> read_points(ValueReader& reader, const Numbers* numbers, const Path& path,
                              std::size_t max_points) {
  std::vector<Vec3> points;
  if (numbers == nullptr || numbers->size() == 0) {
    reader.fail(path, "is missing");
    return points;
  }
  if (numbers->size() % 3 != 0) {
    reader.fail(path, "must have three numbers (x, y, z) per point, has " +
                          std::to_string(numbers->size()) + " numbers");
    return points;
  }
  if (numbers->size() / 3 > max_points) {
    reader.fail(path, "may have at most " + std::to_string(max_points) + " points, has " +
                          std::to_string(numbers->size() / 3));
    return points;
  }
  points.reserve(numbers->size() / 3);
  const auto coordinate = [&](flatbuffers::uoffset_t i) {
    return reader.number(numbers->Get(i), path.entry(i), extent_range, 0.0f);
  };
  for (flatbuffers::uoffset_t i = 0; i < numbers->size() && !reader.has_failed(); i += 3)
    points.push_back({coordinate(i), coordinate(i + 1), coordinate(i + 2)});
  return points;
}

state::TriangleMesh one_triangle() {
  return {{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}}, {{0, 1, 2}}};
}

std::vector<std::array<std::uint32_t, 3>> read_triangles(ValueReader& reader,
                                                         const Numbers* numbers, const Path& path,
                                                         std::size_t vertex_count) {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  if (numbers == nullptr || numbers->size() == 0) {
    reader.fail(path, "is missing");
    return triangles;
  }
  if (numbers->size() % 3 != 0) {
    reader.fail(path, "must have three vertex indices per triangle, has " +
                          std::to_string(numbers->size()) + " numbers");
    return triangles;
  }
  if (numbers->size() / 3 > geometry::max_mesh_triangles) {
    reader.fail(path, "may have at most " + std::to_string(geometry::max_mesh_triangles) +
                          " triangles, has " + std::to_string(numbers->size() / 3));
    return triangles;
  }
  if (vertex_count == 0) return triangles;
  const Range index_range = between(0, static_cast<double>(vertex_count - 1));
  triangles.reserve(numbers->size() / 3);
  const auto index = [&](flatbuffers::uoffset_t i) {
    return static_cast<std::uint32_t>(
        reader.whole_number(numbers->Get(i), path.entry(i), index_range, 0));
  };
  for (flatbuffers::uoffset_t i = 0; i < numbers->size() && !reader.has_failed(); i += 3)
    triangles.push_back({index(i), index(i + 1), index(i + 2)});
  return triangles;
}

}  // namespace

state::Shape read_hull(ValueReader& reader, const wire::Hull& table, const Path& path) {
  const Path own = path.field("points");
  const auto points = read_points(reader, table.points(), own, geometry::max_hull_points);
  if (reader.has_failed()) return state::sphere(1);
  auto hull = geometry::build_hull(points);
  if (!hull) {
    reader.fail(path, std::string(describe(hull.error())));
    return state::sphere(1);
  }
  state::Shape shape = state::solid(geometry::share(*std::move(hull)));
  if (const auto error = geometry::check_shape(shape))
    reader.fail(path, std::string(describe(*error)));
  return shape;
}

state::Shape read_mesh(ValueReader& reader, const wire::Mesh& table, const Path& path) {
  state::TriangleMesh mesh;
  mesh.vertices =
      read_points(reader, table.vertices(), path.field("vertices"), geometry::max_mesh_vertices);
  mesh.triangles =
      read_triangles(reader, table.triangles(), path.field("triangles"), mesh.vertices.size());
  if (reader.has_failed()) return state::solid(geometry::share(one_triangle()));
  geometry::drop_degenerate(mesh);
  if (const auto error = geometry::check_surface(mesh)) {
    reader.fail(path, std::string(describe(*error)));
    return state::solid(geometry::share(one_triangle()));
  }
  return state::solid(geometry::share(std::move(mesh)));
}

DecomposedShapes read_decomposed_mesh(ValueReader& reader, const wire::DecomposedMesh& table,
                                      const Path& path) {
  const DecomposedShapes none{{state::sphere(1)}, 1, std::nullopt};
  state::TriangleMesh mesh;
  mesh.vertices =
      read_points(reader, table.vertices(), path.field("vertices"), geometry::max_mesh_vertices);
  mesh.triangles =
      read_triangles(reader, table.triangles(), path.field("triangles"), mesh.vertices.size());
  geometry::DecompositionOptions options;
  options.max_error =
      reader.number(table.max_error(), path.field("max_error"), max_error_range, options.max_error);
  options.max_hulls = reader.whole_number(
      table.max_hulls(), path.field("max_hulls"),
      between(1, static_cast<double>(geometry::max_decomposition_hulls)), options.max_hulls);
  if (reader.has_failed()) return none;
  auto decomposition = geometry::decompose(mesh, options);
  if (!decomposition) {
    reader.fail(path, describe(decomposition.error()));
    return none;
  }
  if (decomposition->error > options.max_error) {
    reader.fail(path.field("max_hulls"),
                "is too low for a max_error of " + shown(options.max_error) +
                    ": that many hulls may extend " + shown(decomposition->error) +
                    " m beyond the solid; raise max_hulls or max_error");
    return none;
  }
  DecomposedShapes shapes;
  float volume = 0;
  for (state::ConvexHull& hull : decomposition->hulls) {
    shapes.hulls.push_back(state::solid(geometry::share(std::move(hull))));
    volume += geometry::volume(shapes.hulls.back());
  }
  shapes.density_share = decomposition->volume / volume;
  // The integrals of a mesh that intersects itself count regions several times.
  constexpr float tolerance = 1e-3f;
  const geometry::MassProperties solid = geometry::mass_properties(mesh, 1);
  if (std::abs(solid.mass - decomposition->volume) <= tolerance * decomposition->volume)
    shapes.solid = solid;
  return shapes;
}

state::Shape read_height_field(ValueReader& reader, const wire::HeightField& table,
                               const Path& path) {
  const auto pair_of = [&](const Numbers* numbers, std::string_view name) {
    const bool is_pair = numbers != nullptr && numbers->size() == 2;
    if (!is_pair) reader.fail(path.field(name), "must have 2 numbers, for x and z");
    return is_pair;
  };
  state::HeightField field;
  if (pair_of(table.sample_counts(), "sample_counts")) {
    const Path own = path.field("sample_counts");
    constexpr Range range = between(2, static_cast<double>(geometry::max_field_samples));
    const auto count = [&](flatbuffers::uoffset_t i) {
      return static_cast<std::uint32_t>(
          reader.whole_number(table.sample_counts()->Get(i), own.entry(i), range, 2));
    };
    field.count_x = count(0);
    field.count_z = count(1);
  }
  if (pair_of(table.cell_size(), "cell_size")) {
    const Path own = path.field("cell_size");
    field.cell_x = reader.number(table.cell_size()->Get(0), own.entry(0), size_range, 1.0f);
    field.cell_z = reader.number(table.cell_size()->Get(1), own.entry(1), size_range, 1.0f);
  }
  const Path own = path.field("heights");
  const std::uint64_t wanted = std::uint64_t{field.count_x} * field.count_z;
  const std::size_t given = table.heights() == nullptr ? 0 : table.heights()->size();
  if (given != wanted) {
    reader.fail(own, "must have " + std::to_string(wanted) + " numbers, one per sample, has " +
                         std::to_string(given));
  }
  for (flatbuffers::uoffset_t i = 0; i < given && !reader.has_failed(); ++i)
    field.heights.push_back(
        reader.number(table.heights()->Get(i), own.entry(i), extent_range, 0.0f));
  if (!reader.has_failed()) {
    if (const auto error = geometry::check_surface(field))
      reader.fail(path, std::string(describe(*error)));
  }
  if (reader.has_failed()) return state::solid(geometry::share(one_triangle()));
  return state::solid(geometry::share(std::move(field)));
}

}  // namespace jostle::scene::detail
