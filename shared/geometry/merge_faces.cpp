#include "shared/geometry/detail/grid_hull.h"
#include "shared/geometry/detail/segment.h"

#include <algorithm>

// The stages are: triangles → facets (exactly coplanar) → regions (coplanar to a tolerance) →
// loops.
//
// A region must be a disc, and its border convex to the tolerance. Otherwise, the region is grown
// again from the same seed facet with smaller tolerances. If all tolerances fail, the facet forms a
// region alone. This always works, because a facet of a convex polyhedron is a convex polygon.

namespace jostle::geometry::detail {
namespace {

constexpr std::uint32_t no_facet = 0xFFFFFFFFU;

constexpr std::size_t next_edge(std::size_t edge) {
  return edge == 2 ? 0 : edge + 1;
}

struct Facet {
  std::vector<std::uint32_t> triangles;
  math::Vec3d normal;  // unit normal
  double area = 0;
  std::uint32_t region = no_facet;
};

class Merger {
 public:
  Merger(std::span<const GridPoint> points, std::span<const GridTriangle> triangles,
         double tolerance)
      : points_(points), triangles_(triangles), tolerance_(tolerance) {}

  std::vector<Loop> run();

 private:
  void find_facets();
  std::vector<std::uint32_t> grow(std::uint32_t seed, double tolerance) const;
  bool is_within(const Facet& facet, const Facet& seed, double tolerance) const;
  Loop border(const std::vector<std::uint32_t>& facets) const;
  bool is_convex(const Loop& loop, math::Vec3d normal, double tolerance) const;
  std::vector<Loop> without_idle_points(std::vector<Loop> loops) const;

  std::span<const GridPoint> points_;
  std::span<const GridTriangle> triangles_;
  double tolerance_ = 0;
  std::vector<std::uint32_t> facet_of_;  // indexed by triangle
  std::vector<Facet> facets_;
};

void Merger::find_facets() {
  facet_of_.assign(triangles_.size(), no_facet);
  for (std::uint32_t first = 0; first < triangles_.size(); ++first) {
    if (facet_of_[first] != no_facet) continue;
    const auto id = static_cast<std::uint32_t>(facets_.size());
    Facet& facet = facets_.emplace_back();
    facet.triangles.push_back(first);
    facet_of_[first] = id;
    const auto& corners = triangles_[first].corners;
    const GridPoint origin = points_[corners[0]];
    const GridPoint normal = cross(points_[corners[1]] - origin, points_[corners[2]] - origin);
    math::Vec3d sum;
    for (std::size_t i = 0; i < facet.triangles.size(); ++i) {
      const GridTriangle& triangle = triangles_[facet.triangles[i]];
      const GridPoint p = points_[triangle.corners[0]];
      sum =
          sum + widened(cross(points_[triangle.corners[1]] - p, points_[triangle.corners[2]] - p));
      for (const std::uint32_t next : triangle.neighbours) {
        const auto& c = triangles_[next].corners;
        const bool is_flat = std::all_of(c.begin(), c.end(), [&](std::uint32_t corner) {
          return dot(normal, points_[corner] - origin) == 0;
        });
        if (facet_of_[next] != no_facet || !is_flat) continue;
        facet_of_[next] = id;
        facet.triangles.push_back(next);
      }
    }
    facet.area = length(sum);
    facet.normal = sum * (1.0 / facet.area);
  }
}

bool Merger::is_within(const Facet& facet, const Facet& seed, double tolerance) const {
  if (dot(facet.normal, seed.normal) <= 0.0) return false;
  const math::Vec3d origin = widened(points_[triangles_[seed.triangles[0]].corners[0]]);
  for (const std::uint32_t triangle : facet.triangles) {
    for (const std::uint32_t corner : triangles_[triangle].corners) {
      if (dot(seed.normal, origin - widened(points_[corner])) > tolerance) return false;
    }
  }
  return true;
}

/// Returns the seed and all facets connected with it that lie in its plane, to the tolerance, and
/// belong to no region yet.
std::vector<std::uint32_t> Merger::grow(std::uint32_t seed, double tolerance) const {
  std::vector<std::uint32_t> region{seed};
  std::vector<bool> is_taken(facets_.size(), false);
  is_taken[seed] = true;
  for (std::size_t i = 0; i < region.size(); ++i) {
    for (const std::uint32_t triangle : facets_[region[i]].triangles) {
      for (const std::uint32_t neighbour : triangles_[triangle].neighbours) {
        const std::uint32_t next = facet_of_[neighbour];
        if (is_taken[next] || facets_[next].region != no_facet) continue;
        is_taken[next] = true;
        if (is_within(facets_[next], facets_[seed], tolerance)) region.push_back(next);
      }
    }
  }
  return region;
}

/// Returns the loop around a region; an empty loop if the border is not one simple loop.
Loop Merger::border(const std::vector<std::uint32_t>& facets) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // tail → head
  for (const std::uint32_t facet : facets) {
    for (const std::uint32_t index : facets_[facet].triangles) {
      const GridTriangle& triangle = triangles_[index];
      for (std::size_t e = 0; e < 3; ++e) {
        const std::uint32_t beyond = facet_of_[triangle.neighbours[e]];
        if (std::find(facets.begin(), facets.end(), beyond) == facets.end())
          edges.emplace_back(triangle.corners[e], triangle.corners[next_edge(e)]);
      }
    }
  }
  std::sort(edges.begin(), edges.end());
  Loop loop;
  std::uint32_t tail = edges.front().first;
  do {
    const auto edge = std::lower_bound(edges.begin(), edges.end(), std::pair{tail, 0U});
    const auto next = edge + 1;
    if (next != edges.end() && next->first == tail) return {};
    loop.push_back(tail);
    tail = edge->second;
  } while (tail != edges.front().first && loop.size() < edges.size());
  if (loop.size() != edges.size()) return {};
  return loop;
}

/// Returns true if no point of the loop lies deeper than the tolerance inside the convex hull of
/// the loop in its plane (Andrew's monotone chain).
bool Merger::is_convex(const Loop& loop, math::Vec3d normal, double tolerance) const {
  const math::Vec3 u = math::perpendicular(narrowed(normal));
  const math::Vec3d axis_u = widened(u), axis_v = cross(normal, axis_u);
  std::vector<math::Vec3d> flat;
  for (const std::uint32_t point : loop) {
    const math::Vec3d p = widened(points_[point]);
    flat.push_back({dot(p, axis_u), dot(p, axis_v), 0});
  }
  std::vector<math::Vec3d> sorted = flat;
  std::sort(sorted.begin(), sorted.end(),
            [](math::Vec3d a, math::Vec3d b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::vector<math::Vec3d> hull;
  for (int side = 0; side < 2; ++side) {
    const std::size_t base = hull.size();
    for (const math::Vec3d p : sorted) {
      while (hull.size() >= base + 2 &&
             cross(hull.back() - hull[hull.size() - 2], p - hull.back()).z <= 0.0)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(sorted.begin(), sorted.end());
  }
  return std::all_of(flat.begin(), flat.end(), [&](math::Vec3d p) {
    for (std::size_t i = 0; i < hull.size(); ++i) {
      if (distance_to_segment(p, hull[i], hull[(i + 1) % hull.size()]) <= tolerance) return true;
    }
    return false;
  });
}

/// Removes points of fewer than three faces. They must lie on the common edge of two faces, to a
/// few tolerances. If one does not, or if a face keeps fewer than three points, returns no loops.
std::vector<Loop> Merger::without_idle_points(std::vector<Loop> loops) const {
  std::vector<std::uint32_t> faces_at(points_.size(), 0);
  for (const Loop& loop : loops) {
    for (const std::uint32_t point : loop)
      ++faces_at[point];
  }
  for (Loop& loop : loops) {
    Loop kept;
    for (const std::uint32_t point : loop) {
      if (faces_at[point] >= 3) kept.push_back(point);
    }
    if (kept.size() < 3) return {};
    const auto first = std::find(loop.begin(), loop.end(), kept[0]);
    std::rotate(loop.begin(), first, loop.end());
    std::size_t edge = 0;
    for (const std::uint32_t point : loop) {
      if (edge + 1 < kept.size() && point == kept[edge + 1]) ++edge;
      const math::Vec3d a = widened(points_[kept[edge]]),
                        b = widened(points_[kept[(edge + 1) % kept.size()]]);
      constexpr double slack = 4.0, rounding = 1.0;
      if (distance_to_segment(widened(points_[point]), a, b) > slack * tolerance_ + rounding)
        return {};
    }
    loop = std::move(kept);
  }
  return loops;
}

std::vector<Loop> Merger::run() {
  find_facets();
  std::vector<std::uint32_t> seeds(facets_.size());
  for (std::uint32_t i = 0; i < seeds.size(); ++i)
    seeds[i] = i;
  std::sort(seeds.begin(), seeds.end(), [&](std::uint32_t x, std::uint32_t y) {
    return facets_[x].area != facets_[y].area ? facets_[x].area > facets_[y].area : x < y;
  });

  std::vector<Loop> loops;
  for (const std::uint32_t seed : seeds) {
    if (facets_[seed].region != no_facet) continue;
    std::vector<std::uint32_t> region;
    Loop loop;
    constexpr int attempts = 3;
    constexpr double finer = 1.0 / 8;
    double tolerance = tolerance_;
    for (int i = 0; i < attempts && loop.empty() && tolerance > 0.0; ++i, tolerance *= finer) {
      region = grow(seed, tolerance);
      loop = border(region);
      if (region.size() > 1 && !loop.empty() && !is_convex(loop, facets_[seed].normal, tolerance))
        loop.clear();
    }
    if (loop.empty()) {
      region = {seed};
      loop = border(region);
    }
    if (loop.empty()) return {};
    for (const std::uint32_t facet : region)
      facets_[facet].region = static_cast<std::uint32_t>(loops.size());
    loops.push_back(std::move(loop));
  }
  return without_idle_points(std::move(loops));
}

}  // namespace

std::vector<Loop> merge_faces(std::span<const GridPoint> points,
                              std::span<const GridTriangle> triangles, double tolerance) {
  return Merger(points, triangles, tolerance).run();
}

}  // namespace jostle::geometry::detail
