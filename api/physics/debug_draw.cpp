#include "shared/physics/debug_draw.h"

#include "api/base/definition.h"
#include "api/physics/convert.h"
#include "api/physics/tables.h"

#include <jostle/physics/debug_draw.h>

namespace jostle::api {

static_assert(JOSTLE_DRAW_ISLAND == static_cast<int>(physics::DrawKind::Island));
static_assert(JOSTLE_DRAW_KIND_COUNT == physics::draw_kind_count);

template <>
jostle_debug_draw_def default_of() {
  const physics::DebugDrawOptions options;
  jostle_debug_draw_def def{};
  def.size = sizeof def;
  def.kinds = options.kinds;
  def.impulse_scale = options.impulse_scale;
  def.velocity_scale = options.velocity_scale;
  def.angular_velocity_scale = options.angular_velocity_scale;
  def.normal_length = options.normal_length;
  def.axis_length = options.axis_length;
  def.plane_half_size = options.plane_half_size;
  return def;
}
template <>
jostle_draw_receiver default_of() {
  jostle_draw_receiver receiver{};
  receiver.size = sizeof receiver;
  return receiver;
}

namespace {

jostle_draw_label label_of(const physics::DrawLabel& label) {
  return {static_cast<jostle_draw_kind>(label.kind), to_c(label.body), label.island, label.axis};
}

/// Passes the primitives to the functions of the caller.
class Forwarder final : public physics::DebugDrawReceiver {
 public:
  explicit Forwarder(const jostle_draw_receiver& to) : to_(to) {}

  void point(math::Position at, const physics::DrawLabel& label) override {
    call(to_.point, label, to_c(at));
  }
  void line(math::Position from, math::Position to, const physics::DrawLabel& label) override {
    call(to_.line, label, to_c(from), to_c(to));
  }
  void triangle(math::Position a, math::Position b, math::Position c,
                const physics::DrawLabel& label) override {
    const jostle_position corners[3] = {to_c(a), to_c(b), to_c(c)};
    call(to_.triangle, label, &corners[0]);
  }
  void sphere(const math::Pose& pose, float radius, const physics::DrawLabel& label) override {
    const jostle_pose at = to_c(pose);
    call(to_.sphere, label, &at, radius);
  }
  void box(const math::Pose& pose, math::Vec3 half_extents,
           const physics::DrawLabel& label) override {
    const jostle_pose at = to_c(pose);
    call(to_.box, label, &at, to_c(half_extents));
  }
  void capsule(const math::Pose& pose, float radius, float half_segment,
               const physics::DrawLabel& label) override {
    const jostle_pose at = to_c(pose);
    call(to_.capsule, label, &at, radius, half_segment);
  }
  void cylinder(const math::Pose& pose, float bottom_radius, float top_radius, float half_height,
                const physics::DrawLabel& label) override {
    const jostle_pose at = to_c(pose);
    call(to_.cylinder, label, &at, bottom_radius, top_radius, half_height);
  }

 private:
  template <typename Function, typename... Arguments>
  void call(Function function, const physics::DrawLabel& label, const Arguments&... arguments) {
    if (function == nullptr) return;
    const jostle_draw_label converted = label_of(label);
    function(to_.user, arguments..., &converted);
  }

  jostle_draw_receiver to_;
};

physics::DebugDrawOptions checked_drawing(const jostle_debug_draw_def& def) {
  require_integer(def.kinds, 0, physics::all_draw_kinds, "def->kinds");
  require_finite(def.impulse_scale, "def->impulse_scale");
  require_finite(def.velocity_scale, "def->velocity_scale");
  require_finite(def.angular_velocity_scale, "def->angular_velocity_scale");
  require_finite(def.normal_length, "def->normal_length");
  require_finite(def.axis_length, "def->axis_length");
  require_finite(def.plane_half_size, "def->plane_half_size");
  physics::DebugDrawOptions options;
  options.kinds = def.kinds;
  if (require_bool(def.has_box, "def->has_box")) {
    require_finite(def.box.lower, "def->box.lower");
    require_finite(def.box.upper, "def->box.upper");
    options.box = to_engine(def.box);
  }
  options.impulse_scale = def.impulse_scale;
  options.velocity_scale = def.velocity_scale;
  options.angular_velocity_scale = def.angular_velocity_scale;
  options.normal_length = def.normal_length;
  options.axis_length = def.axis_length;
  options.plane_half_size = def.plane_half_size;
  return options;
}

}  // namespace
}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;

jostle_result jostle_debug_draw_def_init(jostle_debug_draw_def* def, size_t size) {
  return write_default(__func__, def, size);
}
jostle_result jostle_draw_receiver_init(jostle_draw_receiver* receiver, size_t size) {
  return write_default(__func__, receiver, size);
}
jostle_result jostle_world_debug_draw(jostle_world world, const jostle_debug_draw_def* def,
                                      const jostle_draw_receiver* receiver) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const physics::DebugDrawOptions options = checked_drawing(read_struct(def, "def"));
    Forwarder forwarder(read_struct(receiver, "receiver"));
    physics::debug_draw(found, options, forwarder);
  });
}
