#include "shared/shape_mesh/mesh.h"

#include "shared/base/assert.h"
#include "shared/geometry/surface.h"
#include "shared/math/trig.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace jostle::shape_mesh {

using math::Vec3;

namespace {

// Returns the index of the point halfway between two corners of the unit sphere, created once per
// edge.
std::uint16_t midpoint(Mesh& mesh, std::map<std::pair<int, int>, std::uint16_t>& made, int a,
                       int b) {
  const std::pair<int, int> key = std::minmax(a, b);
  const auto found = made.find(key);
  if (found != made.end()) return found->second;
  const Vec3 sum = mesh.vertices[static_cast<std::size_t>(a)].normal +
                   mesh.vertices[static_cast<std::size_t>(b)].normal;
  const Vec3 point = math::normalized_or(sum, {0, 1, 0});
  const auto index = static_cast<std::uint16_t>(mesh.vertices.size());
  mesh.vertices.push_back({point, point, 0});
  made.emplace(key, index);
  return index;
}

Mesh icosahedron() {
  const float t = (1 + std::sqrt(5.0f)) / 2;
  const std::array<Vec3, 12> corners{{{-1, t, 0},
                                      {1, t, 0},
                                      {-1, -t, 0},
                                      {1, -t, 0},
                                      {0, -1, t},
                                      {0, 1, t},
                                      {0, -1, -t},
                                      {0, 1, -t},
                                      {t, 0, -1},
                                      {t, 0, 1},
                                      {-t, 0, -1},
                                      {-t, 0, 1}}};
  Mesh mesh;
  for (const Vec3 corner : corners) {
    const Vec3 unit = math::normalized_or(corner, {0, 1, 0});
    mesh.vertices.push_back({unit, unit, 0});
  }
  mesh.indices = {0, 11, 5,  0, 5,  1, 0, 1, 7, 0, 7,  10, 0, 10, 11, 1, 5, 9, 5, 11,
                  4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,  9,  4, 3,  4,  2, 3, 2, 6, 3,
                  6, 8,  3,  8, 9,  4, 9, 5, 2, 4, 11, 6,  2, 10, 8,  6, 7, 9, 8, 1};
  return mesh;
}

void add_triangle(Mesh& mesh, std::size_t a, std::size_t b, std::size_t c) {
  for (const std::size_t index : {a, b, c})
    mesh.indices.push_back(static_cast<std::uint16_t>(index));
}

/// Returns the unit vector to the first edge of a slice, of `slices` slices around the y axis.
Vec3 outward(int slice, int slices) {
  const float angle = 2 * math::pi * static_cast<float>(slice) / static_cast<float>(slices);
  return {std::sin(angle), 0, std::cos(angle)};
}

void add_quad(Mesh& mesh, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
  for (const std::size_t index : {a, b, c, a, c, d}) {
    mesh.indices.push_back(static_cast<std::uint16_t>(index));
  }
}

/// Adds a disc of radius 1 at height y. It faces up if side is 1, and down if it is −1.
void add_disc(Mesh& mesh, int slices, float y, float side) {
  const std::size_t centre = mesh.vertices.size();
  mesh.vertices.push_back({{0, y, 0}, {0, side, 0}, 0});
  for (int slice = 0; slice <= slices; ++slice) {
    const Vec3 out = outward(slice, slices);
    mesh.vertices.push_back({out + Vec3{0, y, 0}, {0, side, 0}, 0});
  }
  for (std::size_t i = 1; i <= static_cast<std::size_t>(slices); ++i) {
    const std::size_t a = centre + i, b = a + 1;
    add_triangle(mesh, centre, side > 0 ? a : b, side > 0 ? b : a);
  }
}

void add_corners(std::vector<MeshVertex>& corners, Vec3 a, Vec3 b, Vec3 c, Vec3 normal) {
  for (const Vec3 corner : {a, b, c})
    corners.push_back({corner, normal, 0});
}

}  // namespace

Mesh welded(const Mesh& mesh) {
  Mesh one;
  std::map<std::array<float, 4>, std::uint16_t> known;
  for (const std::uint16_t index : mesh.indices) {
    const MeshVertex& vertex = mesh.vertices[index];
    const auto next = static_cast<std::uint16_t>(one.vertices.size());
    const auto [entry, is_new] =
        known.try_emplace({vertex.unit.x, vertex.unit.y, vertex.unit.z, vertex.segment}, next);
    if (is_new) one.vertices.push_back(vertex);
    one.indices.push_back(entry->second);
  }
  return one;
}

Mesh box_mesh() {
  Mesh mesh;
  const std::array<Vec3, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const float sign : {-1.0f, 1.0f}) {
      const Vec3 normal = axes[axis] * sign;
      const Vec3 u = axes[(axis + 1) % 3];
      const Vec3 v = math::cross(normal, u);
      const std::size_t first = mesh.vertices.size();
      for (const Vec3 corner : {-u - v, u - v, u + v, -u + v}) {
        mesh.vertices.push_back({normal + corner, normal, 0});
      }
      add_quad(mesh, first, first + 1, first + 2, first + 3);
    }
  }
  return mesh;
}

Mesh sphere_mesh(int levels) {
  JOSTLE_ASSERT(levels >= 0 && levels <= 5);  // indices are 16 bits wide
  Mesh mesh = icosahedron();
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<int, int>, std::uint16_t> made;
    std::vector<std::uint16_t> finer;
    finer.reserve(mesh.indices.size() * 4);
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
      const std::uint16_t a = mesh.indices[i], b = mesh.indices[i + 1], c = mesh.indices[i + 2];
      const std::uint16_t ab = midpoint(mesh, made, a, b);
      const std::uint16_t bc = midpoint(mesh, made, b, c);
      const std::uint16_t ca = midpoint(mesh, made, c, a);
      finer.insert(finer.end(), {a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca});
    }
    mesh.indices = std::move(finer);
  }
  // The middle of an edge of angle θ lies 1 − cos(θ/2) below the sphere. Moving the vertices out by
  // half of that makes the mean radius 1. θ is 1.107 rad for the icosahedron and halves with each
  // level.
  const float half_angle = 1.107f / static_cast<float>(2 << levels);
  const float growth = 1 + (1 - std::cos(half_angle)) / 2;
  for (MeshVertex& vertex : mesh.vertices)
    vertex.unit *= growth;
  return mesh;
}

Mesh capsule_mesh(int slices, int stacks) {
  Mesh mesh;
  const int rows = 2 * (stacks + 1);
  for (int row = 0; row < rows; ++row) {
    // The equator occurs twice, once as the rim of each half.
    const bool is_upper = row > stacks;
    const int step = is_upper ? row - 1 : row;
    const float latitude =
        math::pi * (static_cast<float>(step) / static_cast<float>(2 * stacks) - 0.5f);
    for (int slice = 0; slice <= slices; ++slice) {
      const float longitude = 2 * math::pi * static_cast<float>(slice) / static_cast<float>(slices);
      const Vec3 unit{std::cos(latitude) * std::sin(longitude), std::sin(latitude),
                      std::cos(latitude) * std::cos(longitude)};
      mesh.vertices.push_back({unit, unit, is_upper ? 1.0f : -1.0f});
    }
  }
  const auto columns = static_cast<std::size_t>(slices) + 1;
  for (std::size_t row = 0; row + 1 < static_cast<std::size_t>(rows); ++row) {
    for (std::size_t slice = 0; slice + 1 < columns; ++slice) {
      const std::size_t a = row * columns + slice;
      add_quad(mesh, a, a + 1, a + columns + 1, a + columns);
    }
  }
  return mesh;
}

Mesh cylinder_mesh(int slices) {
  Mesh mesh;
  for (int slice = 0; slice <= slices; ++slice) {
    const Vec3 out = outward(slice, slices);
    mesh.vertices.push_back({out - Vec3{0, 1, 0}, out, 0});
    mesh.vertices.push_back({out + Vec3{0, 1, 0}, out, 0});
  }
  for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(slices); i += 2)
    add_quad(mesh, i, i + 2, i + 3, i + 1);
  add_disc(mesh, slices, 1, 1);
  add_disc(mesh, slices, -1, -1);
  return mesh;
}

Mesh cone_mesh(int slices) {
  Mesh mesh;
  // The side falls by 2 over a distance of 1, so its normal is (2, 1) outward and up. The tip is
  // repeated for each slice, because each slice has its own normal there.
  const auto normal = [slices](int slice) {
    return math::normalized_or(outward(slice, slices) * 2 + Vec3{0, 1, 0}, {0, 1, 0});
  };
  for (int slice = 0; slice < slices; ++slice) {
    const std::size_t first = mesh.vertices.size();
    mesh.vertices.push_back({outward(slice, slices) - Vec3{0, 1, 0}, normal(slice), 0});
    mesh.vertices.push_back({outward(slice + 1, slices) - Vec3{0, 1, 0}, normal(slice + 1), 0});
    const Vec3 middle = math::normalized_or(normal(slice) + normal(slice + 1), {0, 1, 0});
    mesh.vertices.push_back({{0, 1, 0}, middle, 0});
    add_triangle(mesh, first, first + 1, first + 2);
  }
  add_disc(mesh, slices, -1, -1);
  return mesh;
}

std::vector<MeshVertex> solid_corners(const state::Solid& solid) {
  std::vector<MeshVertex> corners;
  if (const auto* hull = std::get_if<state::ConvexHull>(&solid.content)) {
    for (const state::HullFace& face : hull->faces) {
      const auto corner = [&](std::size_t i) {
        return hull->vertices[hull->corners[face.first_corner + i]];
      };
      for (std::size_t i = 1; i + 1 < face.corner_count; ++i)
        add_corners(corners, corner(0), corner(i), corner(i + 1), face.normal);
    }
    return corners;
  }
  const std::uint32_t count = geometry::triangle_count(solid);
  corners.reserve(std::size_t{3} * count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& [a, b, c] = geometry::triangle_of(solid, i).corners;
    add_corners(corners, a, b, c, math::normalized_or(math::cross(b - a, c - a), {0, 1, 0}));
  }
  return corners;
}

}  // namespace jostle::shape_mesh
