#pragma once

#include "shared/forces/force_field.h"
#include "shared/math/vec3d.h"

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace jostle::forces {

/// What fields need to know of a point that moves through them.
struct PointTraits {
  float mass = 1;  // kg
  float charge = 0;
  float radius = 0;  // m: winds and fluids take it for a ball
  float gravity_scale = 1;
};

/// A charge that stands where it is: of a body, for `Charges`.
struct StandingCharge {
  math::Vec3d position;  // m
  double charge = 0;
};

/// Gravity and a list of fields, made ready to be asked for many points, and for some of them
/// several times a step. What each does is that of action_on (point_action.h); drag is a force like
/// the others here, that depends on the velocity.
class PointFields {
 public:
  explicit PointFields(math::Vec3 gravity) : gravity_(gravity) {}

  /// A pole stands at its point in the world. A thrust needs a body, and is left out.
  void add(const ForceField& field);
  /// Whom `Charges` may push points by; they must stand as long as this is asked.
  void set_charges(std::span<const StandingCharge> charges) { charges_ = charges; }

  /// m/s² at a place (m in the world) and a velocity. All drag together takes at most `most_drag`
  /// of the velocity past the media per second: 1/h keeps a step of h from turning it around where
  /// the step could not follow so stiff a drag.
  math::Vec3d acceleration(const PointTraits& point, const math::Vec3d& position,
                           const math::Vec3d& velocity, double most_drag) const;

 private:
  struct DragRate {
    double rate = 0;       // 1/s
    math::Vec3d of_media;  // m/s²: rates times the velocities of their media
  };
  /// A central law with all that it takes from one point to the next.
  struct PreparedLaw {
    math::Vec3d centre;
    double strength = 0, soft_squared = 0, outer_squared = 0;
    std::int32_t exponent = 2;

    math::Vec3d at(const math::Vec3d& position) const;
  };
  /// Drag by a medium: rates per second, and of wind times the area by the mass.
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
