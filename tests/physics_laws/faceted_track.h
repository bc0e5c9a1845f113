#pragma once

#include "shared/math/vec3d.h"
#include "shared/state/shape.h"

#include <cstdint>
#include <vector>

namespace jostle::physics::laws {

/// A vector of doubles, m, m/s or rad/s.
using Vector = math::Vec3d;

/// A convex room whose walls are the facets of a mesh, such as a cone or a tube. A ball runs on the
/// inner side.
struct FacetedTrack {
  struct Facet {
    Vector normal;  // unit, points inwards
    double offset = 0;
  };
  std::vector<Facet> facets;
  state::TriangleMesh mesh;

  /// Adds a planar quadrilateral as two triangles. Its inner side is the one from which the corners
  /// are counter-clockwise.
  void add_quad(math::Vec3 a, math::Vec3 b, math::Vec3 c, math::Vec3 d);
  /// Returns the position at which a ball touches facet `i` above the point `at`.
  Vector touching(std::size_t i, Vector at, double radius) const;
};

/// Cone that opens upwards, with `count` facets around. `slope` is the angle of the facets to the
/// horizontal, in rad.
FacetedTrack faceted_cone(int count, double slope, double bottom_radius, double top_radius);
/// Tube about the z axis, with `count` facets around. Facet 0 is centred below the axis.
FacetedTrack faceted_tube(int count, double radius, double half_length);
/// Lower half of a sphere with `count` facets around and count/4 rings.
FacetedTrack faceted_bowl(int count, double radius);

/// Event-driven simulation, in doubles, of a solid ball of 1 kg that runs inside a faceted track
/// without restitution. Between events the centre of the ball follows exact parabolas. At each
/// event the ball meets a facet and loses its velocity into this facet; nothing else takes energy.
class BallOnTrack {
 public:
  BallOnTrack(const FacetedTrack& track, double radius, Vector gravity, bool rolls)
      : track_(track), radius_(radius), gravity_(gravity), rolls_(rolls) {}

  Vector position, velocity, spin;

  void advance(double seconds);
  double kinetic_energy() const;
  double energy() const { return kinetic_energy() - dot(gravity_, position); }
  std::uint64_t impacts() const { return impacts_; }

 private:
  double height(const FacetedTrack::Facet& facet) const {
    return dot(facet.normal, position) - facet.offset - radius_;
  }
  void meet_facets();
  void meet(Vector normal);
  Vector acceleration();
  double next_event(Vector acceleration, double most) const;

  const FacetedTrack& track_;
  double radius_ = 0;
  Vector gravity_;
  bool rolls_ = false, is_held_ = false;
  std::vector<const FacetedTrack::Facet*> touched_;
  std::uint64_t impacts_ = 0;
};

}  // namespace jostle::physics::laws
