#include "shared/geometry/detail/solid_part.h"

#include "shared/math/mat3.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

// Corners of the intersection of a polyhedron M and a convex cell C are of four kinds:
// - corners of M in C,
// - points where an edge of M crosses a face of C,
// - points where a face of M crosses an edge of C,
// - corners of C in M.
//
// Clipping the faces of M one by one at the planes of C finds the first three, and point queries
// find the last. No caps have to be closed, so any surface can be cut.

namespace jostle::geometry::detail {

using math::Vec3d;

namespace {

constexpr std::uint32_t not_copied = 0xFFFFFFFFU;

enum class Side : std::uint8_t { Below, In, Above };

/// Builder of polygons from points of other polygons.
class Collector {
 public:
  explicit Collector(const Polygons& from) : from_(from), number_(from.points.size(), not_copied) {}

  void begin_face() { first_ = static_cast<std::uint32_t>(out_.loops.size()); }
  void add_old(std::uint32_t point) {
    if (number_[point] == not_copied) number_[point] = add_point(from_.points[point]);
    out_.loops.push_back(number_[point]);
  }
  void add_new(std::uint32_t tail, std::uint32_t head, Vec3d point) {
    const auto key = std::pair{std::min(tail, head), std::max(tail, head)};
    const auto [entry, is_fresh] = crossings_.try_emplace(key, 0U);
    if (is_fresh) entry->second = add_point(point);
    out_.loops.push_back(entry->second);
  }
  void end_face(Vec3d normal) {
    const auto count = static_cast<std::uint32_t>(out_.loops.size()) - first_;
    out_.faces.push_back({first_, count, normal});
  }
  Polygons take() { return std::move(out_); }

 private:
  std::uint32_t add_point(Vec3d point) {
    out_.points.push_back(point);
    return static_cast<std::uint32_t>(out_.points.size() - 1);
  }

  const Polygons& from_;
  std::vector<std::uint32_t> number_;  // indexed by point of `from_`
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> crossings_;
  Polygons out_;
  std::uint32_t first_ = 0;
};

/// Returns the point where the segment between two points on different sides crosses the plane. The
/// result does not depend on the order of the points.
Vec3d crossing(const Polygons& polygons, const std::vector<double>& heights, std::uint32_t tail,
               std::uint32_t head) {
  const std::uint32_t a = std::min(tail, head), b = std::max(tail, head);
  const double t = heights[a] / (heights[a] - heights[b]);
  return polygons.points[a] + (polygons.points[b] - polygons.points[a]) * t;
}

/// Clips polygons to one side (`wanted`) of a plane. Polygons on the other side that only touch the
/// plane are dropped.
Polygons clip(const Polygons& polygons, const Plane& plane, const std::vector<double>& heights,
              const std::vector<Side>& sides, Side wanted) {
  const Side other = wanted == Side::Below ? Side::Above : Side::Below;
  Collector collector(polygons);
  for (const Polygons::Face& face : polygons.faces) {
    bool is_here = false, is_there = false;
    for (std::uint32_t i = 0; i < face.count; ++i) {
      const Side side = sides[polygons.loops[face.first + i]];
      is_here = is_here || side == wanted;
      is_there = is_there || side == other;
    }
    if (!is_here && !is_there)
      is_here = (dot(face.normal, plane.normal) > 0.0) == (wanted == Side::Below);
    if (!is_here) continue;
    collector.begin_face();
    for (std::uint32_t i = 0; i < face.count; ++i) {
      const std::uint32_t tail = polygons.loops[face.first + i];
      const std::uint32_t head = polygons.loops[face.first + (i + 1) % face.count];
      if (sides[tail] != other) collector.add_old(tail);
      if ((sides[tail] == wanted && sides[head] == other) ||
          (sides[tail] == other && sides[head] == wanted))
        collector.add_new(tail, head, crossing(polygons, heights, tail, head));
    }
    collector.end_face(face.normal);
  }
  return collector.take();
}

struct Sides {
  std::vector<double> heights;
  std::vector<Side> sides;
};

Sides sides_of(const Polygons& polygons, const Plane& plane, double tolerance) {
  Sides out;
  out.heights.reserve(polygons.points.size());
  for (const Vec3d p : polygons.points) {
    const double height = plane.height(p);
    out.heights.push_back(height);
    out.sides.push_back(height > tolerance    ? Side::Above
                        : height < -tolerance ? Side::Below
                                              : Side::In);
  }
  return out;
}

void add_face(Polygons& polygons, const std::vector<Vec3d>& loop, Vec3d normal) {
  const auto first = static_cast<std::uint32_t>(polygons.loops.size());
  for (const Vec3d p : loop) {
    polygons.loops.push_back(static_cast<std::uint32_t>(polygons.points.size()));
    polygons.points.push_back(p);
  }
  polygons.faces.push_back({first, static_cast<std::uint32_t>(loop.size()), normal});
}

std::pair<Vec3d, Vec3d> axes_across(Vec3d normal) {
  const Vec3d u = widened(math::perpendicular(narrowed(normal)));
  const Vec3d v = cross(normal, u);
  const Vec3d across = v * (1.0 / length(v));
  return {cross(across, normal), across};
}

/// Returns the polygon in which a plane intersects a cell, or no points if the plane misses the
/// cell. Clips a square in the plane to the cell. The square has the half edge `size`, and its
/// middle is the projection of `centre` onto the plane.
std::vector<Vec3d> section(const Polygons& cell, const Plane& plane, Vec3d centre, double size,
                           double tolerance) {
  const auto [u, v] = axes_across(plane.normal);
  const Vec3d middle = centre - plane.normal * plane.height(centre);
  Polygons square;
  add_face(square,
           {middle + (u + v) * size, middle + (v - u) * size, middle - (u + v) * size,
            middle + (u - v) * size},
           plane.normal);
  for (const Polygons::Face& face : cell.faces) {
    const Plane wall{face.normal, dot(face.normal, cell.points[cell.loops[face.first]])};
    const Sides sides = sides_of(square, wall, tolerance);
    square = clip(square, wall, sides.heights, sides.sides, Side::Below);
    if (square.faces.empty()) return {};
  }
  std::vector<Vec3d> loop;
  for (const std::uint32_t point : square.loops)
    loop.push_back(square.points[point]);
  return loop;
}

Vec3d mean_of(const std::vector<Vec3d>& points) {
  Vec3d sum;
  for (const Vec3d p : points)
    sum = sum + p;
  return sum * (1.0 / static_cast<double>(std::max<std::size_t>(points.size(), 1)));
}

/// Collects the corners of a part. If a corner of the cell lies on the solid's surface, it belongs
/// to the part if the solid continues from there into the cell. Therefore a point slightly inside
/// the cell is tested instead of the corner.
void find_corners(const SolidMesh& solid, SolidPart& part) {
  part.corners = part.surface.points;
  if (part.surface.faces.empty()) return;
  const Vec3d centre = mean_of(part.cell.points);
  const double step = 16.0 * plane_tolerance(solid);
  for (const Vec3d corner : part.cell.points) {
    const Vec3d inward = centre - corner;
    const double distance = length(inward);
    if (!(distance > step)) continue;
    if (solid.is_inside(corner + inward * (step / distance))) part.corners.push_back(corner);
  }
}

}  // namespace

double plane_tolerance(const SolidMesh& solid) {
  return solid.extent() / static_cast<double>(grid_steps);
}

SolidPart whole(const SolidMesh& solid) {
  SolidPart part;
  // Equal points are merged, so that a cut creates only one crossing for them.
  const auto is_before = [](Vec3d a, Vec3d b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
  };
  std::vector<Vec3d>& points = part.surface.points;
  for (const SolidMesh::Triangle& triangle : solid.triangles())
    points.insert(points.end(), triangle.begin(), triangle.end());
  std::sort(points.begin(), points.end(), is_before);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  for (const SolidMesh::Triangle& triangle : solid.triangles()) {
    const auto first = static_cast<std::uint32_t>(part.surface.loops.size());
    for (const Vec3d corner : triangle) {
      const auto place = std::lower_bound(points.begin(), points.end(), corner, is_before);
      part.surface.loops.push_back(static_cast<std::uint32_t>(place - points.begin()));
    }
    const Vec3d normal = cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
    part.surface.faces.push_back({first, 3, normal * (1.0 / length(normal))});
  }

  const double margin = 0.01 * solid.extent();
  const Vec3d room{margin, margin, margin};
  const std::array<Vec3d, 2> ends{solid.lower() - room, solid.upper() + room};
  const auto corner = [&](std::size_t x, std::size_t y, std::size_t z) {
    return Vec3d{ends[x].x, ends[y].y, ends[z].z};
  };
  for (std::size_t s = 0; s < 2; ++s) {
    const double sign = s == 0 ? -1.0 : 1.0;
    add_face(part.cell, {corner(s, 0, 0), corner(s, 1, 0), corner(s, 1, 1), corner(s, 0, 1)},
             {sign, 0, 0});
    add_face(part.cell, {corner(0, s, 0), corner(0, s, 1), corner(1, s, 1), corner(1, s, 0)},
             {0, sign, 0});
    add_face(part.cell, {corner(0, 0, s), corner(1, 0, s), corner(1, 1, s), corner(0, 1, s)},
             {0, 0, sign});
  }
  find_corners(solid, part);
  return part;
}

TwoParts cut(const SolidMesh& solid, const SolidPart& part, const Plane& plane) {
  const double tolerance = plane_tolerance(solid);
  const Vec3d centre = mean_of(part.cell.points);
  const std::vector<Vec3d> cap = section(part.cell, plane, centre, 4.0 * solid.extent(), tolerance);
  const Sides surface = sides_of(part.surface, plane, tolerance);
  const Sides cell = sides_of(part.cell, plane, tolerance);
  const auto side = [&](Side wanted) {
    SolidPart out;
    out.surface = clip(part.surface, plane, surface.heights, surface.sides, wanted);
    out.cell = clip(part.cell, plane, cell.heights, cell.sides, wanted);
    if (!cap.empty()) add_face(out.cell, cap, wanted == Side::Below ? plane.normal : -plane.normal);
    find_corners(solid, out);
    return out;
  };
  return {side(Side::Below), side(Side::Above)};
}

}  // namespace jostle::geometry::detail
