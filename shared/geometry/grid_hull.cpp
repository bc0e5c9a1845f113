#include "shared/geometry/detail/grid_hull.h"

#include "shared/geometry/detail/segment.h"

#include <algorithm>

// Quickhull (Barber, Dobkin, Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", 1996) in
// integers. A face sees a point that lies strictly above its plane. Integer arithmetic decides this
// exactly, so the faces that see a point form one connected patch with a single simple border, the
// horizon.
//
// No new face over a horizon edge is degenerate: the removed face would not have seen a point in
// line with that edge. So none of the repairs that floating-point versions need are necessary.

namespace jostle::geometry::detail {
namespace {

constexpr std::uint32_t none = 0xFFFFFFFFU;

struct Face {
  GridTriangle triangle;
  GridPoint normal;   // outward normal, not normalised
  double length = 0;  // length of the normal
  bool is_alive = true;
  bool is_seen = false;  // true if it sees the point that is being added
  // points that the face sees; each point is on the list of one face only
  std::vector<std::uint32_t> outside;
};

constexpr std::size_t after(std::size_t edge) {
  return edge == 2 ? 0 : edge + 1;
}

class Builder {
 public:
  Builder(std::span<const GridPoint> points, double tolerance)
      : points_(points), tolerance_(tolerance), face_at_(points.size(), none) {}

  bool start();
  void add_points();
  std::vector<GridTriangle> take() const;

 private:
  std::int64_t height(const Face& face, std::uint32_t point) const {
    return dot(face.normal, points_[point] - points_[face.triangle.corners[0]]);
  }
  double distance(const Face& face, std::uint32_t point) const {
    return static_cast<double>(height(face, point)) / face.length;
  }

  std::uint32_t add_face(std::uint32_t a, std::uint32_t b, std::uint32_t c);
  void assign(std::uint32_t point, std::span<const std::uint32_t> faces);
  void see(std::uint32_t point, std::uint32_t first);
  double distance_to_seen(std::uint32_t point) const;
  void insert(std::uint32_t point);

  std::span<const GridPoint> points_;
  double tolerance_ = 0;
  std::vector<Face> faces_;
  std::vector<std::uint32_t> waiting_;  // queue of faces that may have points outside
  std::vector<std::uint32_t> seen_;
  // by point: the new face whose horizon edge starts at the point
  std::vector<std::uint32_t> face_at_;
};

std::uint32_t Builder::add_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  Face face;
  face.triangle.corners = {a, b, c};
  face.normal = cross(points_[b] - points_[a], points_[c] - points_[a]);
  face.length = length(widened(face.normal));
  faces_.push_back(std::move(face));
  return static_cast<std::uint32_t>(faces_.size() - 1);
}

/// Adds the point to the list of the face that it is farthest above. A point that is above none of
/// the faces is dropped, because it is inside.
void Builder::assign(std::uint32_t point, std::span<const std::uint32_t> faces) {
  double best = 0;
  std::uint32_t at = none;
  for (const std::uint32_t face : faces) {
    if (height(faces_[face], point) <= 0) continue;
    const double d = distance(faces_[face], point);
    if (at != none && d <= best) continue;
    best = d;
    at = face;
  }
  if (at != none) faces_[at].outside.push_back(point);
}

/// Builds the initial tetrahedron from distant points. Returns false if the points are coplanar to
/// the tolerance.
bool Builder::start() {
  const auto count = static_cast<std::uint32_t>(points_.size());
  const auto farthest = [&](auto&& measure) {
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < count; ++i) {
      if (measure(points_[i]) > measure(points_[best])) best = i;
    }
    return best;
  };
  const std::uint32_t a = 0;
  const auto from_a = [&](GridPoint p) { return p - points_[a]; };
  const std::uint32_t b = farthest([&](GridPoint p) { return dot(from_a(p), from_a(p)); });
  const GridPoint along = from_a(points_[b]);
  const std::uint32_t c =
      farthest([&](GridPoint p) { return length(widened(cross(along, from_a(p)))); });
  const GridPoint normal = cross(along, from_a(points_[c]));
  if (normal == GridPoint{}) return false;
  const std::uint32_t d = farthest([&](GridPoint p) {
    const std::int64_t height = dot(normal, from_a(p));
    return height < 0 ? -height : height;
  });
  const std::int64_t height = dot(normal, from_a(points_[d]));
  const double thickness = static_cast<double>(height < 0 ? -height : height);
  if (height == 0 || thickness <= tolerance_ * length(widened(normal))) return false;

  // Order b and c as p and q so that d is below the plane of a, p, q. The faces are then
  // counter-clockwise seen from outside.
  const auto [p, q] = height < 0 ? std::pair{b, c} : std::pair{c, b};
  add_face(a, p, q);
  add_face(a, d, p);
  add_face(p, d, q);
  add_face(q, d, a);
  constexpr std::array<std::array<std::uint32_t, 3>, 4> neighbours{
      {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}}};
  constexpr std::array<std::uint32_t, 4> all{0, 1, 2, 3};
  for (const std::uint32_t i : all) {
    faces_[i].triangle.neighbours = neighbours[i];
    waiting_.push_back(i);
  }
  for (std::uint32_t i = 0; i < count; ++i)
    assign(i, all);
  return true;
}

/// Collects in `seen_` the faces that see the point, starting from `first`, which must be one of
/// them.
void Builder::see(std::uint32_t point, std::uint32_t first) {
  seen_.assign(1, first);
  faces_[first].is_seen = true;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    for (const std::uint32_t next : faces_[seen_[i]].triangle.neighbours) {
      if (faces_[next].is_seen || height(faces_[next], point) <= 0) continue;
      faces_[next].is_seen = true;
      seen_.push_back(next);
    }
  }
}

/// Returns the distance of the point from the hull. The nearest point of the hull lies on a face
/// that sees the point.
double Builder::distance_to_seen(std::uint32_t point) const {
  const math::Vec3d p = widened(points_[point]);
  double best = -1.0;
  for (const std::uint32_t index : seen_) {
    const Face& face = faces_[index];
    double to_border = -1.0;
    bool is_over = true;
    for (std::size_t e = 0; e < 3; ++e) {
      const math::Vec3d a = widened(points_[face.triangle.corners[e]]);
      const math::Vec3d b = widened(points_[face.triangle.corners[after(e)]]);
      is_over = is_over && dot(cross(b - a, p - a), widened(face.normal)) >= 0.0;
      const double to_edge = distance_to_segment(p, a, b);
      if (to_border < 0.0 || to_edge < to_border) to_border = to_edge;
    }
    const double to_face = is_over ? distance(face, point) : to_border;
    if (best < 0.0 || to_face < best) best = to_face;
  }
  return best;
}

/// Replaces the faces in seen_ by faces between the horizon and the point.
void Builder::insert(std::uint32_t point) {
  std::vector<std::uint32_t> fresh;
  std::uint32_t start = none;
  for (const std::uint32_t index : seen_) {
    for (std::size_t e = 0; e < 3; ++e) {
      const GridTriangle old = faces_[index].triangle;
      const std::uint32_t beyond = old.neighbours[e];
      if (faces_[beyond].is_seen) continue;
      const std::uint32_t tail = old.corners[e], head = old.corners[after(e)];
      const std::uint32_t face = add_face(tail, head, point);
      faces_[face].triangle.neighbours[0] = beyond;
      GridTriangle& other = faces_[beyond].triangle;
      for (std::size_t k = 0; k < 3; ++k) {
        if (other.corners[k] == head && other.corners[after(k)] == tail) other.neighbours[k] = face;
      }
      face_at_[tail] = face;
      fresh.push_back(face);
      start = tail;
    }
  }
  // Link the new faces to their neighbours, once around the horizon.
  std::uint32_t tail = start;
  do {
    GridTriangle& here = faces_[face_at_[tail]].triangle;
    const std::uint32_t head = here.corners[1];
    here.neighbours[1] = face_at_[head];
    faces_[face_at_[head]].triangle.neighbours[2] = face_at_[tail];
    tail = head;
  } while (tail != start);

  for (const std::uint32_t index : seen_) {
    Face& old = faces_[index];
    old.is_alive = false;
    const std::vector<std::uint32_t> orphans = std::move(old.outside);
    old.outside.clear();
    for (const std::uint32_t orphan : orphans) {
      if (orphan != point) assign(orphan, fresh);
    }
  }
  waiting_.insert(waiting_.end(), fresh.begin(), fresh.end());
}

void Builder::add_points() {
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const std::uint32_t index = waiting_[i];
    while (faces_[index].is_alive && !faces_[index].outside.empty()) {
      std::vector<std::uint32_t>& outside = faces_[index].outside;
      const auto farthest =
          std::max_element(outside.begin(), outside.end(), [&](std::uint32_t x, std::uint32_t y) {
            const std::int64_t hx = height(faces_[index], x), hy = height(faces_[index], y);
            return hx != hy ? hx < hy : x > y;
          });
      const std::uint32_t point = *farthest;
      see(point, index);
      // A point near the plane of a face may still be far from the hull, beyond a sharp edge.
      const bool is_far =
          distance(faces_[index], point) > tolerance_ || distance_to_seen(point) > tolerance_;
      if (is_far) {
        insert(point);
      } else {
        outside.erase(farthest);
      }
      for (const std::uint32_t face : seen_)
        faces_[face].is_seen = false;
    }
  }
}

std::vector<GridTriangle> Builder::take() const {
  std::vector<std::uint32_t> renumbered(faces_.size(), none);
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    if (faces_[i].is_alive) renumbered[i] = count++;
  }
  std::vector<GridTriangle> triangles;
  triangles.reserve(count);
  for (const Face& face : faces_) {
    if (!face.is_alive) continue;
    GridTriangle triangle = face.triangle;
    for (std::uint32_t& neighbour : triangle.neighbours)
      neighbour = renumbered[neighbour];
    triangles.push_back(triangle);
  }
  return triangles;
}

}  // namespace

std::vector<GridTriangle> build_grid_hull(std::span<const GridPoint> points, double tolerance) {
  if (points.size() < 4) return {};
  Builder builder(points, tolerance);
  if (!builder.start()) return {};
  builder.add_points();
  return builder.take();
}

}  // namespace jostle::geometry::detail
