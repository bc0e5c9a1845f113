#include "shared/forces/detail/clip_polyhedron.h"

#include <cstddef>

namespace jostle::forces::detail {

using math::Vec3d;

namespace {

/// Returns the point where the edge from `inside` to `outside` crosses the plane. Interpolates from
/// the inner end in both loops that share an edge, so that both get the same point.
Vec3d crossing(Vec3d inside, Vec3d outside, double inside_height, double outside_height) {
  const double share = inside_height / (inside_height - outside_height);
  return inside + (outside - inside) * share;
}

/// The edges of the face that a cut creates. `close` adds a triangle between the first point and
/// each edge, which works in any order of the edges.
class Cut {
 public:
  void add(Vec3d from, Vec3d to) {
    if (count_++ == 0) apex_ = from;
    if (from == apex_ || to == apex_) return;
    edges_.push_back(from);
    edges_.push_back(to);
  }
  void close(Polyhedron& polyhedron) const {
    for (std::size_t i = 0; i < edges_.size(); i += 2) {
      polyhedron.points.insert(polyhedron.points.end(), {apex_, edges_[i], edges_[i + 1]});
      polyhedron.end_loop();
    }
  }

 private:
  std::size_t count_ = 0;
  Vec3d apex_;
  std::vector<Vec3d> edges_;
};

/// Clips one loop to one half-space (Sutherland and Hodgman, "Reentrant polygon clipping", 1974).
void clip_loop(const Polyhedron& from, std::size_t first, std::size_t end, const HalfSpace& space,
               Polyhedron& to, Cut& cut) {
  const auto height = [&](std::size_t i) {
    return dot(space.normal, from.points[i]) - space.offset;
  };
  Vec3d out, in;  // the points where the loop leaves and re-enters the half-space
  bool has_crossed = false;
  const std::size_t before = to.points.size();
  for (std::size_t i = first; i < end; ++i) {
    const std::size_t next = i + 1 < end ? i + 1 : first;
    const double here = height(i), there = height(next);
    if (here <= 0) to.points.push_back(from.points[i]);
    if (here <= 0 && there > 0) {
      out = crossing(from.points[i], from.points[next], here, there);
      to.points.push_back(out);
      has_crossed = true;
    }
    if (here > 0 && there <= 0) {
      in = crossing(from.points[next], from.points[i], there, here);
      to.points.push_back(in);
    }
  }
  if (to.points.size() > before) to.end_loop();
  // The clipped loop runs from `out` to `in` in the plane; the cap's edge runs the other way.
  if (has_crossed) cut.add(in, out);
}

}  // namespace

Polyhedron clipped(const Polyhedron& polyhedron, const HalfSpace& half_space) {
  Polyhedron rest;
  Cut cut;
  std::size_t first = 0;
  for (const std::uint32_t end : polyhedron.loop_ends) {
    clip_loop(polyhedron, first, end, half_space, rest, cut);
    first = end;
  }
  cut.close(rest);
  return rest;
}

Volume volume_of(const Polyhedron& polyhedron) {
  Volume sum;
  if (polyhedron.points.empty()) return sum;
  // Uses coordinates relative to one of the polyhedron's points, to reduce cancellation.
  const Vec3d apex = polyhedron.points[0];
  double six = 0;
  Vec3d moment;
  std::size_t first = 0;
  for (const std::uint32_t end : polyhedron.loop_ends) {
    const Vec3d a = polyhedron.points[first] - apex;
    for (std::size_t i = first + 1; i + 1 < end; ++i) {
      const Vec3d b = polyhedron.points[i] - apex, c = polyhedron.points[i + 1] - apex;
      const double part = dot(a, cross(b, c));
      six += part;
      moment = moment + (a + b + c) * part;
    }
    first = end;
  }
  if (!(six > 0)) return sum;
  sum.size = six * (1.0 / 6);
  sum.centre = apex + moment * (0.25 / six);
  return sum;
}

}  // namespace jostle::forces::detail
