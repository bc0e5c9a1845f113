#include "protocol/detail/solid_codec.h"

#include "protocol/limits.h"
#include "protocol/schema/world_generated.h"
#include "shared/geometry/hull.h"
#include "shared/geometry/surface.h"

#include <utility>
#include <vector>

namespace jostle::protocol::detail {

using math::Vec3;

namespace {

using SolidResult = base::Result<std::shared_ptr<const state::Solid>, DecodeError>;

flatbuffers::Offset<flatbuffers::Vector<float>> write_points(
    flatbuffers::FlatBufferBuilder& builder, const std::vector<Vec3>& points) {
  std::vector<float> numbers;
  numbers.reserve(3 * points.size());
  for (const Vec3 p : points)
    numbers.insert(numbers.end(), {p.x, p.y, p.z});
  return builder.CreateVector(numbers);
}

template <typename List>
std::size_t size(const List* list) {
  return list == nullptr ? 0 : list->size();
}

/// Reads points. Returns no points if the list is missing, too long or not a multiple of three.
std::vector<Vec3> read_points(const flatbuffers::Vector<float>* numbers, std::size_t max_points) {
  std::vector<Vec3> points;
  if (size(numbers) % 3 != 0 || size(numbers) / 3 > max_points) return points;
  points.reserve(size(numbers) / 3);
  for (std::uint32_t i = 0; i + 2 < size(numbers); i += 3) {
    // Replace -0 by 0, as in every solid, so that equal content has an equal hash.
    points.push_back(Vec3{numbers->Get(i), numbers->Get(i + 1), numbers->Get(i + 2)} + Vec3{});
  }
  return points;
}

SolidResult read_hull(const wire::Solid& source) {
  const std::size_t face_count = size(source.corner_counts());
  if (face_count > geometry::max_hull_faces) return DecodeError::OutOfRange;
  std::vector<std::vector<std::uint16_t>> faces;
  faces.reserve(face_count);
  std::size_t next = 0;
  for (std::uint32_t f = 0; f < face_count; ++f) {
    const std::size_t count = source.corner_counts()->Get(f);
    if (count > geometry::max_hull_vertices || count > size(source.corners()) - next)
      return DecodeError::OutOfRange;
    std::vector<std::uint16_t>& face = faces.emplace_back();
    for (std::size_t i = 0; i < count; ++i)
      face.push_back(source.corners()->Get(static_cast<std::uint32_t>(next++)));
  }
  if (next != size(source.corners())) return DecodeError::Malformed;
  auto hull =
      geometry::assemble_hull(read_points(source.vertices(), geometry::max_hull_vertices), faces);
  if (!hull) return DecodeError::OutOfRange;
  return geometry::share(*std::move(hull));
}

SolidResult read_mesh(const wire::Solid& source) {
  const std::size_t count = size(source.triangles());
  if (count % 3 != 0) return DecodeError::Malformed;
  if (count / 3 > geometry::max_mesh_triangles) return DecodeError::OutOfRange;
  state::TriangleMesh mesh;
  mesh.vertices = read_points(source.vertices(), geometry::max_mesh_vertices);
  mesh.triangles.reserve(count / 3);
  for (std::uint32_t i = 0; i < count; i += 3) {
    mesh.triangles.push_back({source.triangles()->Get(i), source.triangles()->Get(i + 1),
                              source.triangles()->Get(i + 2)});
  }
  if (geometry::check_surface(mesh)) return DecodeError::OutOfRange;
  return geometry::share(std::move(mesh));
}

SolidResult read_height_field(const wire::Solid& source) {
  if (size(source.heights()) > geometry::max_field_samples) return DecodeError::OutOfRange;
  state::HeightField field;
  field.count_x = source.count_x();
  field.count_z = source.count_z();
  field.cell_x = source.cell_x();
  field.cell_z = source.cell_z();
  if (source.heights() != nullptr)
    field.heights.assign(source.heights()->begin(), source.heights()->end());
  if (geometry::check_surface(field)) return DecodeError::OutOfRange;
  return geometry::share(std::move(field));
}

/// Returns true if no lists are present except those that the kind uses.
bool has_only_own_lists(const wire::Solid& source, state::ShapeKind kind) {
  const bool is_hull = kind == state::ShapeKind::Hull, is_mesh = kind == state::ShapeKind::Mesh;
  const bool is_field = kind == state::ShapeKind::HeightField;
  return (is_hull || (source.corner_counts() == nullptr && source.corners() == nullptr)) &&
         (is_mesh || source.triangles() == nullptr) && (is_field || source.heights() == nullptr) &&
         (!is_field || source.vertices() == nullptr);
}

}  // namespace

flatbuffers::Offset<wire::Solid> write_solid(flatbuffers::FlatBufferBuilder& builder,
                                             const state::Solid& solid) {
  if (const auto* hull = std::get_if<state::ConvexHull>(&solid.content)) {
    std::vector<std::uint16_t> counts;
    for (const state::HullFace& face : hull->faces)
      counts.push_back(face.corner_count);
    const auto vertices = write_points(builder, hull->vertices);
    const auto counts_at = builder.CreateVector(counts);
    const auto corners = builder.CreateVector(hull->corners);
    return wire::CreateSolid(builder, vertices, counts_at, corners);
  }
  if (const auto* mesh = std::get_if<state::TriangleMesh>(&solid.content)) {
    std::vector<std::uint32_t> indices;
    indices.reserve(3 * mesh->triangles.size());
    for (const auto& triangle : mesh->triangles)
      indices.insert(indices.end(), triangle.begin(), triangle.end());
    const auto vertices = write_points(builder, mesh->vertices);
    const auto triangles = builder.CreateVector(indices);
    return wire::CreateSolid(builder, vertices, 0, 0, triangles);
  }
  const auto& field = std::get<state::HeightField>(solid.content);
  const auto heights = builder.CreateVector(field.heights);
  return wire::CreateSolid(builder, 0, 0, 0, 0, heights, field.count_x, field.count_z, field.cell_x,
                           field.cell_z);
}

SolidResult read_solid(const wire::Solid& source, state::ShapeKind kind) {
  if (!has_only_own_lists(source, kind)) return DecodeError::Malformed;
  switch (kind) {
    case state::ShapeKind::Hull:
      return read_hull(source);
    case state::ShapeKind::Mesh:
      return read_mesh(source);
    case state::ShapeKind::HeightField:
      return read_height_field(source);
    default:
      return DecodeError::Malformed;
  }
}

}  // namespace jostle::protocol::detail
