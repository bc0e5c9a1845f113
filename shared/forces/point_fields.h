#pragma once

#include "shared/forces/force_field.h"
#include "shared/math/vec3d.h"

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace jostle::forces {

/// Properties of a moving point that fields depend on.
struct PointTraits {
  float mass = 1;  // kg
  float charge = 0;
  float radius = 0;  // m; wind and fluids treat the point as a sphere of this radius
  float gravity_scale = 1;
};

/// The charge of a body, which exerts forces on points through `Charges`. Its position is constant
/// while the fields are evaluated.
struct StandingCharge {
  math::Vec3d position;  // m
  double charge = 0;
};

/// Gravity and a list of fields, preprocessed for evaluation at many points and several times per
/// step. Each field has the same effect as in action_on (point_action.h), but drag is a force here,
/// which depends on the velocity.
class PointFields {
 public:
  explicit PointFields(math::Vec3 gravity) : gravity_(gravity) {}

  /// Adds a field. A pole's point is taken as a point in the world. A thrust needs a body and is
  /// ignored.
  void add(const ForceField& field);
  /// Sets the charges that act on points through `Charges`. They must outlive the calls of
  /// acceleration().
  void set_charges(std::span<const StandingCharge> charges) { charges_ = charges; }

  /// Returns the acceleration in m/s² at a position (m, world) and a velocity. The total drag rate
  /// is limited to `most_drag` (1/s). With most_drag = 1/h, a step of h seconds cannot reverse the
  /// velocity relative to a medium, even if the drag is too stiff for the step.
  math::Vec3d acceleration(const PointTraits& point, const math::Vec3d& position,
                           const math::Vec3d& velocity, double most_drag) const;

 private:
  struct DragRate {
    double rate = 0;       // 1/s
    math::Vec3d of_media;  // m/s²: sum of rates times the velocities of their media
  };
  /// A central law with its constants converted to double and squared in advance.
  struct PreparedLaw {
    math::Vec3d centre;
    double strength = 0, soft_squared = 0, outer_squared = 0;
    std::int32_t exponent = 2;

    math::Vec3d at(const math::Vec3d& position) const;
  };
  /// Drag by a medium: `linear` in 1/s, `quadratic` in 1/m. For wind, both are coefficients per
  /// area; add() multiplies them by the point's area and divides them by its mass.
  struct PreparedDrag {
    Region region;
    math::Vec3d velocity;
    double linear = 0, quadratic = 0;
    bool is_wind = false;

    void add(const PointTraits& point, const math::Vec3d& position, const math::Vec3d& velocity,
             DragRate& sum) const;
  };
  using Prepared = std::variant<PreparedLaw, PreparedDrag, ForceField>;

  math::Vec3d pushed_by_charges(const CentralLaw& law, math::Vec3d position) const;
  math::Vec3d by_other(const ForceField& field, const PointTraits& point, math::Vec3d position,
                       math::Vec3d velocity, DragRate& sum) const;

  math::Vec3 gravity_;
  std::vector<Prepared> fields_;
  std::span<const StandingCharge> charges_;
};

}  // namespace jostle::forces
