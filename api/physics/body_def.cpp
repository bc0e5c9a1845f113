#include "api/physics/body_def.h"

#include "api/base/definition.h"
#include "api/physics/convert.h"
#include "api/physics/limits.h"
#include "shared/forces/force_field.h"
#include "shared/geometry/mass_properties.h"
#include "shared/physics/detail/constants.h"

namespace jostle::api {

static_assert(JOSTLE_MOTION_DYNAMIC == static_cast<int>(physics::MotionType::Dynamic));
static_assert(JOSTLE_LOCK_ALL == state::lock_all && JOSTLE_LOCK_PLANAR == state::lock_planar);
static_assert(JOSTLE_LOCK_ROTATION == state::lock_rotation);
static_assert(JOSTLE_INTEGRATOR_RUNGE_KUTTA_4 == static_cast<int>(forces::Integrator::RungeKutta4));

template <>
jostle_body_def default_of() {
  const physics::BodyDef body;
  jostle_body_def def{};
  def.size = sizeof def;
  def.motion = static_cast<jostle_motion>(body.motion);
  def.is_sleep_allowed = to_c(body.is_sleep_allowed);
  def.is_awake = to_c(body.is_awake);
  def.is_enabled = to_c(body.is_enabled);
  def.pose = to_c(body.pose);
  def.gravity_scale = body.gravity_scale;
  def.inertia = to_c(math::Mat3{});
  def.integrator = JOSTLE_INTEGRATOR_DEFAULT;
  return def;
}

namespace {

/// Sets the mass properties that replace those of the shapes.
void set_mass_properties(const jostle_body_def& def, physics::BodyDef& body) {
  if (require_bool(def.has_centre_of_mass, "def->has_centre_of_mass")) {
    require_range(def.centre_of_mass, -physics::max_local_offset, physics::max_local_offset,
                  "def->centre_of_mass", "m");
    body.centre_of_mass = to_engine(def.centre_of_mass);
    if (length(*body.centre_of_mass) > physics::max_local_offset)
      refuse(JOSTLE_ERROR_INVALID_ARGUMENT,
             "def->centre_of_mass is farther than %g m from the origin of the body",
             static_cast<double>(physics::max_local_offset));
  }
  if (require_bool(def.has_inertia, "def->has_inertia")) {
    require_finite(def.inertia, "def->inertia");
    body.inertia = to_engine(def.inertia);
    if (!geometry::is_inertia(*body.inertia)) {
      refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                  "def->inertia is not an inertia tensor; accepted: symmetric matrices with "
                  "positive principal moments, none of which exceeds the sum of the other two");
    }
  }
  const bool has_properties = body.centre_of_mass.has_value() || body.inertia.has_value();
  if (has_properties && def.mass == 0.0f && body.motion == physics::MotionType::Dynamic) {
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "def->mass is 0, but a centre of mass or an inertia of the caller needs a mass");
  }
}

}  // namespace

std::optional<forces::Integrator> checked_integrator(jostle_integrator integrator,
                                                     jostle_integrator first, const char* name) {
  require_integer(integrator, first, forces::integrator_count - 1, name);
  if (integrator == JOSTLE_INTEGRATOR_DEFAULT) return std::nullopt;
  return static_cast<forces::Integrator>(integrator);
}

physics::BodyDef checked_body(const jostle_body_def& def) {
  require_enumerator(def.motion, state::motion_type_count, "def->motion");
  require_body_pose(def.pose, "def->pose");
  require_speed(def.linear_velocity, "def->linear_velocity");
  require_speed(def.angular_velocity, "def->angular_velocity");
  require_range(def.linear_damping, 0, max_rate, "def->linear_damping", "1/s");
  require_range(def.angular_damping, 0, max_rate, "def->angular_damping", "1/s");
  require_range(def.gravity_scale, -max_scale, max_scale, "def->gravity_scale", "");
  if (def.mass != 0.0f)
    require_range(def.mass, physics::min_mass, physics::max_mass, "def->mass", "kg, or 0");
  require_integer(def.locks, 0, state::lock_all, "def->locks");
  require_range(def.charge, -forces::max_charge, forces::max_charge, "def->charge", "");
  physics::BodyDef body;
  body.motion = static_cast<physics::MotionType>(def.motion);
  body.pose = to_engine(def.pose);
  body.linear_velocity = to_engine(def.linear_velocity);
  body.angular_velocity = to_engine(def.angular_velocity);
  body.linear_damping = def.linear_damping;
  body.angular_damping = def.angular_damping;
  body.gravity_scale = def.gravity_scale;
  body.mass = def.mass;
  set_mass_properties(def, body);
  body.is_sleep_allowed = require_bool(def.is_sleep_allowed, "def->is_sleep_allowed");
  body.is_awake = require_bool(def.is_awake, "def->is_awake");
  body.is_enabled = require_bool(def.is_enabled, "def->is_enabled");
  body.locks = static_cast<physics::MotionLocks>(def.locks);
  body.user_data = def.user_data;
  body.charge = def.charge;
  body.integrator =
      checked_integrator(def.integrator, JOSTLE_INTEGRATOR_DEFAULT, "def->integrator");
  body.ignores_force_fields = require_bool(def.ignores_fields, "def->ignores_fields");
  return body;
}

}  // namespace jostle::api

jostle_result jostle_body_def_init(jostle_body_def* def, size_t size) {
  return jostle::api::write_default(__func__, def, size);
}
