#include "api/base/definition.h"
#include "api/physics/convert.h"
#include "api/physics/joint_def.h"
#include "api/physics/tables.h"

#include <cmath>

using namespace jostle;
using namespace jostle::api;

namespace {

/// Implements a function that computes a definition: writes `make(world, engine handle of a, of
/// b)`.
template <typename Make>
jostle_result place_joint(const char* function, jostle_world world, jostle_body a, jostle_body b,
                          jostle_joint_def* def, const Make& make) {
  return read_world(function, world, [&](const physics::World& found) {
    const auto body_a = require_alive(found, a, "the first body");
    const auto body_b = require_alive(found, b, "the second body");
    require_output(def, "def");
    write_struct(def, joint_def_of(make(found, body_a, body_b)));
  });
}

}  // namespace

jostle_result jostle_joint_def_at(jostle_world world, jostle_joint_kind kind, jostle_body a,
                                  jostle_body b, jostle_position anchor, jostle_vec3 axis,
                                  jostle_joint_def* def) {
  return place_joint(__func__, world, a, b, def, [&](const auto& found, auto body_a, auto body_b) {
    require_enumerator(kind, physics::joint_kind_count, "kind");
    require_finite(anchor, "anchor");
    require_unit(axis, "axis");
    return make_joint_def(found, static_cast<physics::JointKind>(kind), body_a, body_b,
                          to_engine(anchor), to_engine(axis));
  });
}
jostle_result jostle_joint_def_distance(jostle_world world, jostle_body a, jostle_body b,
                                        jostle_position anchor_a, jostle_position anchor_b,
                                        jostle_joint_def* def) {
  return place_joint(__func__, world, a, b, def, [&](const auto& found, auto body_a, auto body_b) {
    require_finite(anchor_a, "anchor_a");
    require_finite(anchor_b, "anchor_b");
    return make_distance_joint_def(found, body_a, body_b, to_engine(anchor_a), to_engine(anchor_b));
  });
}
jostle_result jostle_joint_def_six_dof(jostle_world world, jostle_body a, jostle_body b,
                                       jostle_position anchor, jostle_quat rotation,
                                       jostle_joint_def* def) {
  return place_joint(__func__, world, a, b, def, [&](const auto& found, auto body_a, auto body_b) {
    require_finite(anchor, "anchor");
    require_unit(rotation, "rotation");
    return make_six_dof_joint_def(found, body_a, body_b, to_engine(anchor), to_engine(rotation));
  });
}
jostle_result jostle_joint_def_wheel(jostle_world world, jostle_body chassis, jostle_body wheel,
                                     jostle_position centre, jostle_vec3 up, jostle_vec3 axle,
                                     jostle_joint_def* def) {
  return place_joint(
      __func__, world, chassis, wheel, def, [&](const auto& found, auto body_a, auto body_b) {
        require_finite(centre, "centre");
        require_unit(up, "up");
        require_unit(axle, "axle");
        constexpr float max_cosine = 0.85f;
        if (std::abs(dot(to_engine(up), to_engine(axle))) > max_cosine)
          refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                      "up and axle are nearly parallel; accepted: angles above 32° between them");
        return make_wheel_joint_def(found, body_a, body_b, to_engine(centre), to_engine(up),
                                    to_engine(axle));
      });
}
jostle_result jostle_joint_def_gear(jostle_world world, jostle_body a, jostle_body b,
                                    jostle_vec3 axis_a, jostle_vec3 axis_b, float ratio,
                                    jostle_joint_def* def) {
  return place_joint(__func__, world, a, b, def, [&](const auto& found, auto body_a, auto body_b) {
    require_unit(axis_a, "axis_a");
    require_unit(axis_b, "axis_b");
    require_finite(ratio, "ratio");
    return make_gear_joint_def(found, body_a, body_b, to_engine(axis_a), to_engine(axis_b), ratio);
  });
}
jostle_result jostle_joint_def_rack_and_pinion(jostle_world world, jostle_body pinion,
                                               jostle_body rack, jostle_vec3 axis,
                                               jostle_vec3 direction, float ratio,
                                               jostle_joint_def* def) {
  return place_joint(__func__, world, pinion, rack, def,
                     [&](const auto& found, auto body_a, auto body_b) {
                       require_unit(axis, "axis");
                       require_unit(direction, "direction");
                       require_finite(ratio, "ratio");
                       return make_rack_and_pinion_joint_def(found, body_a, body_b, to_engine(axis),
                                                             to_engine(direction), ratio);
                     });
}
jostle_result jostle_joint_def_pulley(jostle_world world, jostle_body a, jostle_body b,
                                      jostle_position anchor_a, jostle_position anchor_b,
                                      jostle_position ground_anchor_a,
                                      jostle_position ground_anchor_b, float ratio,
                                      jostle_joint_def* def) {
  return place_joint(__func__, world, a, b, def, [&](const auto& found, auto body_a, auto body_b) {
    require_finite(anchor_a, "anchor_a");
    require_finite(anchor_b, "anchor_b");
    require_finite(ground_anchor_a, "ground_anchor_a");
    require_finite(ground_anchor_b, "ground_anchor_b");
    require_finite(ratio, "ratio");
    return make_pulley_joint_def(found, body_a, body_b, to_engine(anchor_a), to_engine(anchor_b),
                                 to_engine(ground_anchor_a), to_engine(ground_anchor_b), ratio);
  });
}
jostle_result jostle_joint_def_servo(jostle_world world, jostle_body a, jostle_body b,
                                     jostle_position anchor, jostle_joint_def* def) {
  return place_joint(__func__, world, a, b, def, [&](const auto& found, auto body_a, auto body_b) {
    require_finite(anchor, "anchor");
    return make_servo_joint_def(found, body_a, body_b, to_engine(anchor), {}, 0, 0);
  });
}
