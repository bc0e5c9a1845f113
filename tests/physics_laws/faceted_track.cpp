#include "tests/physics_laws/faceted_track.h"

#include <algorithm>
#include <cmath>

namespace jostle::physics::laws {
namespace {

constexpr double full_turn = 2 * 3.14159265358979323846;
/// Height up to which the ball touches a facet, m, and speed up to which it slides on it, m/s.
constexpr double touching_height = 1e-9, sliding_speed = 1e-11;

math::Vec3 narrowed(double x, double y, double z) {
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

}  // namespace

void FacetedTrack::add_quad(math::Vec3 a, math::Vec3 b, math::Vec3 c, math::Vec3 d) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), {a, b, c, d});
  if (a != b) mesh.triangles.push_back({first, first + 1, first + 2});
  if (c != d) mesh.triangles.push_back({first, first + 2, first + 3});
  const Vector normal =
      cross(math::widened(c) - math::widened(a), math::widened(d) - math::widened(b));
  const Vector unit = normal * (1 / std::sqrt(dot(normal, normal)));
  const Vector middle =
      (math::widened(a) + math::widened(b) + math::widened(c) + math::widened(d)) * 0.25;
  facets.push_back({unit, dot(unit, middle)});
}

Vector FacetedTrack::touching(std::size_t i, Vector at, double radius) const {
  const Facet& facet = facets[i];
  return at + facet.normal * (facet.offset + radius - dot(facet.normal, at));
}

FacetedTrack faceted_cone(int count, double slope, double bottom_radius, double top_radius) {
  FacetedTrack track;
  const auto corner = [&](double radius, int i) {
    const double angle = full_turn * (i % count) / count;
    return narrowed(radius * std::cos(angle), radius * std::tan(slope), radius * std::sin(angle));
  };
  for (int i = 0; i < count; ++i) {
    track.add_quad(corner(bottom_radius, i), corner(bottom_radius, i + 1),
                   corner(top_radius, i + 1), corner(top_radius, i));
  }
  return track;
}

FacetedTrack faceted_tube(int count, double radius, double half_length) {
  FacetedTrack track;
  const auto corner = [&](int i, double z) {
    const double angle = full_turn * ((i % count) - 0.5) / count;
    return narrowed(radius * std::sin(angle), -radius * std::cos(angle), z);
  };
  for (int i = 0; i < count; ++i) {
    track.add_quad(corner(i, half_length), corner(i + 1, half_length), corner(i + 1, -half_length),
                   corner(i, -half_length));
  }
  return track;
}

FacetedTrack faceted_bowl(int count, double radius) {
  FacetedTrack track;
  const int rings = count / 4;
  const auto corner = [&](int ring, int i) {
    const double down = full_turn / 4 * ring / rings, angle = full_turn * (i % count) / count;
    if (ring == rings) return narrowed(0, -radius, 0);
    return narrowed(radius * std::cos(down) * std::cos(angle), -radius * std::sin(down),
                    radius * std::cos(down) * std::sin(angle));
  };
  for (int ring = 0; ring < rings; ++ring) {
    for (int i = 0; i < count; ++i)
      track.add_quad(corner(ring + 1, i), corner(ring + 1, i + 1), corner(ring, i + 1),
                     corner(ring, i));
  }
  return track;
}

double BallOnTrack::kinetic_energy() const {
  return 0.5 * dot(velocity, velocity) + 0.2 * radius_ * radius_ * dot(spin, spin);
}

/// Applies the impulse of an impact: it stops the velocity into the facet and, if the ball rolls,
/// the sliding of the contact point. The mass against sliding is 2/7 of the ball's.
void BallOnTrack::meet(Vector normal) {
  velocity = velocity - normal * dot(velocity, normal);
  if (!rolls_) return;
  const Vector slip = velocity - cross(spin, normal) * radius_;
  const Vector impulse = (slip - normal * dot(slip, normal)) * (-2.0 / 7);
  velocity = velocity + impulse;
  spin = spin - cross(normal, impulse) * (2.5 / radius_);
}

/// Finds the touched facets and meets those into which the ball moves.
void BallOnTrack::meet_facets() {
  touched_.clear();
  for (const FacetedTrack::Facet& facet : track_.facets) {
    const double above = height(facet);
    if (above > touching_height) continue;
    position = position - facet.normal * std::min(above, 0.0);
    touched_.push_back(&facet);
  }
  for (int round = 0; round < 100; ++round) {
    bool met = false;
    for (const FacetedTrack::Facet* facet : touched_) {
      if (dot(velocity, facet->normal) >= -sliding_speed) continue;
      meet(facet->normal);
      ++impacts_;
      met = true;
    }
    if (!met) break;
  }
  std::erase_if(touched_, [&](const FacetedTrack::Facet* facet) {
    return std::abs(dot(velocity, facet->normal)) > sliding_speed;
  });
}

/// Finds the acceleration of the centre, and whether the touched facets hold the ball.
Vector BallOnTrack::acceleration() {
  Vector result = gravity_;
  is_held_ = false;
  for (int round = 0; round < 100; ++round) {
    bool is_changed = false;
    for (const FacetedTrack::Facet* facet : touched_) {
      const double into = dot(result, facet->normal);
      if (into >= -sliding_speed) continue;
      result = result - facet->normal * into;
      is_changed = is_held_ = true;
    }
    if (!is_changed) break;
  }
  return rolls_ && is_held_ ? result * (5.0 / 7) : result;
}

/// Returns the time until the ball meets another facet, at most `most`.
double BallOnTrack::next_event(Vector acceleration, double most) const {
  double first = most;
  for (const FacetedTrack::Facet& facet : track_.facets) {
    const double c = height(facet), b = dot(velocity, facet.normal),
                 a = 0.5 * dot(acceleration, facet.normal);
    double time = most;
    if (c <= touching_height) {
      if (b > sliding_speed && a < 0) time = -b / a;
    } else {
      const double inside = b * b - 4 * a * c;
      if (inside < 0) continue;
      // The smaller positive root of a·t² + b·t + c, without cancellation.
      const double root = std::sqrt(inside);
      if (b < 0) {
        time = 2 * c / (root - b);
      } else if (a < 0) {
        time = (b + root) / (-2 * a);
      }
    }
    first = std::min(first, time);
  }
  return first;
}

void BallOnTrack::advance(double seconds) {
  while (seconds > 0) {
    meet_facets();
    const Vector a = acceleration();
    const double time = next_event(a, seconds);
    const Vector change = a * time;
    position = position + velocity * time + change * (0.5 * time);
    velocity = velocity + change;
    if (rolls_ && is_held_) {
      const Vector n = touched_.front()->normal;
      spin = n * dot(spin, n) + cross(n, velocity) * (1 / radius_);
    }
    seconds -= time;
  }
}

}  // namespace jostle::physics::laws
