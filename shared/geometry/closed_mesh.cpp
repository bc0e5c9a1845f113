#include "shared/geometry/closed_mesh.h"

#include "shared/geometry/detail/surface_edges.h"
#include "shared/geometry/shape_check.h"
#include "shared/geometry/surface.h"
#include "shared/math/vec3d.h"

#include <algorithm>
#include <tuple>

namespace jostle::geometry {

using math::Vec3;
using math::Vec3d;
using state::TriangleMesh;

namespace {

/// A half-edge: an edge of a triangle, with the direction in which the triangle runs along it.
/// Vertices at the same position have the same number.
struct HalfEdge {
  std::uint32_t low = 0, high = 0;
  std::uint32_t triangle = 0, edge = 0;
  bool is_rising = false;  // the triangle runs from low to high
};

std::vector<HalfEdge> sorted_half_edges(const detail::Triangles& triangles) {
  std::vector<HalfEdge> halves;
  halves.reserve(3 * triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    for (std::uint32_t e = 0; e < 3; ++e) {
      const std::uint32_t tail = triangles[t][e], head = triangles[t][(e + 1) % 3];
      halves.push_back({std::min(tail, head), std::max(tail, head), t, e, tail < head});
    }
  }
  std::sort(halves.begin(), halves.end(), [](const HalfEdge& x, const HalfEdge& y) {
    return std::tie(x.low, x.high, x.triangle, x.edge) <
           std::tie(y.low, y.high, y.triangle, y.edge);
  });
  return halves;
}

std::optional<ClosedMeshFault> find_edge_fault(const TriangleMesh& mesh,
                                               const detail::Triangles& triangles) {
  const std::vector<HalfEdge> halves = sorted_half_edges(triangles);
  const HalfEdge* first = nullptr;
  auto error = ClosedMeshError::Open;
  for (std::size_t i = 0; i < halves.size();) {
    std::size_t end = i + 1;
    while (end < halves.size() && halves[end].low == halves[i].low &&
           halves[end].high == halves[i].high)
      ++end;
    const std::size_t count = end - i;
    const HalfEdge& half = halves[i];
    const bool is_good = count == 2 && half.is_rising != halves[i + 1].is_rising;
    const bool is_earlier = first == nullptr || std::tie(half.triangle, half.edge) <
                                                    std::tie(first->triangle, first->edge);
    if (!is_good && is_earlier) {
      first = &half;
      error = count == 1   ? ClosedMeshError::Open
              : count == 2 ? ClosedMeshError::Turned
                           : ClosedMeshError::Crowded;
    }
    i = end;
  }
  if (first == nullptr) return std::nullopt;
  const auto& corners = mesh.triangles[first->triangle];
  return ClosedMeshFault{error, 0, first->triangle, corners[first->edge],
                         corners[(first->edge + 1) % 3]};
}

std::optional<ClosedMeshFault> find_vertex_fault(const TriangleMesh& mesh) {
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    const Vec3 size = abs_of(mesh.vertices[v]);
    if (!is_finite(mesh.vertices[v]))
      return ClosedMeshFault{ClosedMeshError::NotFinite, v, 0, 0, 0};
    if (std::max({size.x, size.y, size.z}) > max_shape_size)
      return ClosedMeshFault{ClosedMeshError::TooLarge, v, 0, 0, 0};
  }
  return std::nullopt;
}

}  // namespace

double enclosed_volume(const TriangleMesh& mesh) {
  // Uses coordinates relative to a vertex, because a mesh far from its origin would lose precision.
  const Vec3d origin = widened(mesh.vertices[mesh.triangles[0][0]]);
  double sum = 0;
  for (const auto& triangle : mesh.triangles) {
    const Vec3d a = widened(mesh.vertices[triangle[0]]) - origin;
    const Vec3d b = widened(mesh.vertices[triangle[1]]) - origin;
    const Vec3d c = widened(mesh.vertices[triangle[2]]) - origin;
    sum += dot(a, cross(b, c));
  }
  return sum / 6.0;
}

std::optional<ClosedMeshFault> find_fault(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return ClosedMeshFault{ClosedMeshError::Empty, 0, 0, 0, 0};
  if (mesh.triangles.size() > max_mesh_triangles || mesh.vertices.size() > max_mesh_vertices)
    return ClosedMeshFault{ClosedMeshError::TooMany, 0, 0, 0, 0};
  if (const auto fault = find_vertex_fault(mesh)) return fault;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    for (const std::uint32_t corner : mesh.triangles[t]) {
      if (corner >= mesh.vertices.size())
        return ClosedMeshFault{ClosedMeshError::WrongIndex, corner, t, 0, 0};
    }
    if (is_degenerate(mesh, t)) return ClosedMeshFault{ClosedMeshError::Degenerate, 0, t, 0, 0};
  }
  TriangleMesh clean = mesh;
  for (Vec3& v : clean.vertices)
    v += Vec3{};  // −0 and 0 are the same position
  if (const auto fault = find_edge_fault(mesh, detail::triangles_by_place(clean))) return fault;
  const double volume = enclosed_volume(mesh);
  if (volume < 0.0) return ClosedMeshFault{ClosedMeshError::InsideOut, 0, 0, 0, 0};
  if (!(volume > 0.0)) return ClosedMeshFault{ClosedMeshError::NoVolume, 0, 0, 0, 0};
  return std::nullopt;
}

std::string describe(const ClosedMeshFault& fault) {
  const std::string triangle = "triangle " + std::to_string(fault.triangle);
  const std::string edge = "the edge from vertex " + std::to_string(fault.tail) + " to vertex " +
                           std::to_string(fault.head) + " of " + triangle;
  const std::string vertex = "vertex " + std::to_string(fault.vertex);
  switch (fault.error) {
    case ClosedMeshError::Empty:
      return "has no triangles";
    case ClosedMeshError::TooMany:
      return "has more vertices or triangles than the limit";
    case ClosedMeshError::NotFinite:
      return "has a coordinate that is not finite at " + vertex;
    case ClosedMeshError::TooLarge:
      return "has a coordinate above 100000 m at " + vertex;
    case ClosedMeshError::WrongIndex:
      return "has no " + vertex + ", to which " + triangle + " refers";
    case ClosedMeshError::Degenerate:
      return "is degenerate (no area) at " + triangle;
    case ClosedMeshError::Open:
      return "is open: no other triangle shares " + edge;
    case ClosedMeshError::Crowded:
      return "has more than two triangles that share " + edge;
    case ClosedMeshError::Turned:
      return "has two triangles that run in the same direction along " + edge +
             ": one of them is inside out";
    case ClosedMeshError::InsideOut:
      return "is inside out: its triangles must run counter-clockwise seen from outside";
    case ClosedMeshError::NoVolume:
      return "encloses no volume";
  }
  return "is invalid";
}

}  // namespace jostle::geometry
