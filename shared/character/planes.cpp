#include "shared/character/detail/planes.h"

#include "shared/math/vec3d.h"

namespace jostle::character {

using math::Vec3;
using math::Vec3d;

namespace {

// The errors that result from these limits are below the allowed rounding.

/// Squared sine of the angle below which two planes count as parallel.
constexpr double min_sine_squared = 1e-6;
/// Triple product below which three normals count as coplanar.
constexpr double min_volume = 1e-4;

double rounding_of(Vec3 wanted) {
  return 1e-6 + 2e-6 * static_cast<double>(length(wanted));
}

double violation(Vec3d motion, std::span<const Plane> planes) {
  double worst = 0;
  for (const Plane& plane : planes) {
    const double missing = -static_cast<double>(plane.gap) - dot(widened(plane.normal), motion);
    if (missing > worst) worst = missing;
  }
  return worst;
}

/// The best candidate so far: the one with the smallest violation, then with the smallest distance
/// to `wanted`. Violations within rounding count as equal.
class Search {
 public:
  Search(Vec3 wanted, std::span<const Plane> planes)
      : wanted_(widened(wanted)), planes_(planes), rounding_(rounding_of(wanted)) {}

  void consider(Vec3d motion) {
    const double missing = violation(motion, planes_);
    const double allowed = missing < rounding_ ? rounding_ : missing;
    const Vec3d off = motion - wanted_;
    const double distance = dot(off, off);
    const bool is_better = allowed < violation_ || (allowed == violation_ && distance < distance_);
    if (has_any_ && !is_better) return;
    has_any_ = true;
    best_ = motion;
    violation_ = allowed;
    distance_ = distance;
  }

  void one(std::size_t i) {
    const Vec3d n = normal(i);
    consider(wanted_ + n * (offset(i) - dot(n, wanted_)));
  }

  void two(std::size_t i, std::size_t j) {
    // x = w + a·nᵢ + b·nⱼ with nᵢ·x = oᵢ and nⱼ·x = oⱼ
    const Vec3d n = normal(i), m = normal(j);
    const double c = dot(n, m), determinant = 1.0 - c * c;
    if (determinant < min_sine_squared) return;
    const double p = offset(i) - dot(n, wanted_), q = offset(j) - dot(m, wanted_);
    consider(wanted_ + n * ((p - c * q) / determinant) + m * ((q - c * p) / determinant));
  }

  void three(std::size_t i, std::size_t j, std::size_t k) {
    const Vec3d a = normal(i), b = normal(j), c = normal(k);
    const Vec3d bc = cross(b, c);
    const double volume = dot(a, bc);
    if (volume < min_volume && volume > -min_volume) return;
    const Vec3d sum = bc * offset(i) + cross(c, a) * offset(j) + cross(a, b) * offset(k);
    consider(sum * (1.0 / volume));
  }

  Vec3 best() const { return narrowed(best_); }

 private:
  Vec3d normal(std::size_t i) const { return widened(planes_[i].normal); }
  double offset(std::size_t i) const { return -static_cast<double>(planes_[i].gap); }

  Vec3d wanted_;
  std::span<const Plane> planes_;
  double rounding_;
  Vec3d best_;
  double violation_ = 0, distance_ = 0;
  bool has_any_ = false;
};

}  // namespace

bool satisfies(Vec3 motion, std::span<const Plane> planes) {
  return violation(widened(motion), planes) <= rounding_of(motion);
}

Vec3 nearest_motion(Vec3 wanted, std::span<const Plane> planes) {
  if (satisfies(wanted, planes)) return wanted;
  Search search(wanted, planes);
  search.consider({});
  for (std::size_t i = 0; i < planes.size(); ++i) {
    search.one(i);
    for (std::size_t j = i + 1; j < planes.size(); ++j) {
      search.two(i, j);
      for (std::size_t k = j + 1; k < planes.size(); ++k)
        search.three(i, j, k);
    }
  }
  return search.best();
}

}  // namespace jostle::character
