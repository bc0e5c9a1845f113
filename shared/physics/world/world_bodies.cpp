#include "shared/geometry/bounds.h"
#include "shared/geometry/mass_properties.h"
#include "shared/geometry/shape_check.h"
#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/contacts/loads.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/memory.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/effects/force_field_effects.h"
#include "shared/physics/effects/sensors.h"
#include "shared/physics/islands/sleep.h"
#include "shared/physics/world.h"
#include "shared/physics/world/body_state.h"
#include "shared/physics/world/joint_list.h"

#include <algorithm>
#include <utility>

namespace jostle::physics {

using math::Vec3;

namespace {

Body& find(WorldState& world, BodyHandle handle) {
  JOSTLE_ASSERT(world.body_pool.is_alive(handle));
  return world.bodies[handle.index];
}
const ShapeRecord& find(const WorldState& world, ShapeHandle handle) {
  JOSTLE_ASSERT(world.shape_pool.is_alive(handle));
  return world.shapes[handle.index];
}

/// Stores the mass properties of `def` that replace those of the shapes.
void set_mass_properties(Body& body, const BodyDef& def) {
  if (def.motion != MotionType::Dynamic || (!def.centre_of_mass && !def.inertia)) return;
  JOSTLE_ASSERT(def.mass > 0.0f);
  RareState& rare = rare_state(body);
  rare.has_centre = def.centre_of_mass.has_value();
  rare.has_inertia = def.inertia.has_value();
  if (rare.has_centre) rare.centre = *def.centre_of_mass;
  if (rare.has_inertia) rare.inertia = *def.inertia;
  JOSTLE_ASSERT(length(rare.centre) <= max_local_offset);
  JOSTLE_ASSERT(!rare.has_inertia || geometry::is_inertia(rare.inertia));
}

}  // namespace

BodyHandle World::create_body(const BodyDef& def) {
  JOSTLE_ASSERT(is_finite(def.pose.position) && is_unit(def.pose.rotation, call_unit_tolerance));
  JOSTLE_ASSERT(is_finite(def.linear_velocity) && is_finite(def.angular_velocity));
  JOSTLE_ASSERT(def.mass == 0.0f || (def.mass >= min_mass && def.mass <= max_mass));
  JOSTLE_ASSERT((def.locks & ~state::lock_all) == 0);
  JOSTLE_ASSERT(def.linear_damping >= 0.0f && def.angular_damping >= 0.0f);
  JOSTLE_ASSERT(std::isfinite(def.linear_damping) && std::isfinite(def.angular_damping) &&
                std::isfinite(def.gravity_scale));
  JOSTLE_ASSERT(math::abs_of(def.charge) <= forces::max_charge);
  JOSTLE_ASSERT(!def.integrator ||
                static_cast<std::uint8_t>(*def.integrator) < forces::integrator_count);
  WorldState& world = *state_;
  const BodyHandle handle = world.body_pool.create();
  if (handle.index == world.bodies.size()) {
    make_room_for_one(world.bodies);
    world.bodies.emplace_back();
  }
  Body& body = world.bodies[handle.index];
  // The slot may still be in WorldState::awake_bodies, which drops dead slots when it is sorted.
  const bool was_listed = body.is_listed;
  body = Body{};
  body.is_listed = was_listed;

  body.motion = def.motion;
  body.is_sleep_allowed = def.is_sleep_allowed;
  body.locks = def.motion == MotionType::Dynamic ? def.locks : MotionLocks{0};
  world.has_locks = world.has_locks || body.locks != 0;
  body.position = def.pose.position;
  body.rotation = normalized(def.pose.rotation);
  body.linear_damping = def.linear_damping;
  body.angular_damping = def.angular_damping;
  body.gravity_scale = def.gravity_scale;
  body.mass_override = def.mass;
  body.user_data = def.user_data;
  body.ignores_force_fields = def.ignores_force_fields;
  if (def.integrator && def.motion == MotionType::Dynamic) {
    body.integrator = static_cast<std::uint8_t>(static_cast<std::uint8_t>(*def.integrator) + 1);
    world.has_integrators = true;
  }
  set_mass_properties(body, def);
  body.is_awake = false;
  const bool may_move = def.motion != MotionType::Static && def.is_awake;
  body.is_reported_awake = may_move && def.is_enabled;
  if (may_move) {
    body.linear_velocity = free_linear(body.locks, def.linear_velocity);
    body.angular_velocity = free_angular(body.locks, def.angular_velocity);
  }
  if (!def.is_enabled) {
    body.absence = disabled;
    ++world.disabled_count;
  }
  if (body.is_reported_awake) wake_body(world, handle.index);
  update_mass(world, handle.index);
  if (def.charge != 0.0f) {
    body.charge = def.charge;
    bond(world, handle.index, 1);
    if (body.is_awake) wake_touching(world, handle.index);
  }
  return handle;
}

void World::destroy_body(BodyHandle handle) {
  WorldState& world = *state_;
  Body& body = find(world, handle);
  wake_touching(world, handle.index);
  destroy_contacts_of_body(world, handle.index);
  remove_joints_of_body(world, handle.index);
  remove_fields_of_body(world, handle.index);
  if (body.charge != 0.0f) bond(world, handle.index, -1);
  if (physics::is_quarantined(body)) --world.quarantined_count;
  if (is_disabled(body)) --world.disabled_count;
  for (const ShapeHandle shape : body.shapes) {
    remove_from_sensors(world, shape.index);
    remove_proxy(world, shape.index);
    if (world.shapes[shape.index].def.is_sensor) {
      std::erase_if(world.sensors,
                    [&](const SensorRecord& sensor) { return sensor.shape == shape.index; });
    }
    world.shape_pool.destroy(shape);
  }
  body.shapes.clear();
  body.is_awake = false;
  world.is_awake_list_dirty = true;
  world.body_pool.destroy(handle);
}

ShapeHandle World::add_shape(BodyHandle handle, const ShapeDef& def) {
  WorldState& world = *state_;
  Body& body = find(world, handle);
  JOSTLE_ASSERT(!geometry::check_shape(def.shape));
  JOSTLE_ASSERT(length(def.local.offset) <= max_local_offset &&
                is_unit(def.local.rotation, call_unit_tolerance));
  JOSTLE_ASSERT(def.density == 0.0f || (def.density >= min_density && def.density <= max_density));
  JOSTLE_ASSERT(is_valid(def.material) && is_finite(def.surface_velocity));
  JOSTLE_ASSERT(!state::is_static_only(def.shape.kind) ||
                (body.motion == MotionType::Static && !def.is_sensor));

  if (def.shape.solid) add_solid(def.shape.solid);
  const ShapeHandle shape = world.shape_pool.create();
  if (shape.index == world.shapes.size()) {
    make_room_for_one(world.shapes);
    world.shapes.emplace_back();
  }
  ShapeRecord& record = world.shapes[shape.index];
  record = ShapeRecord{};
  record.body = handle;
  record.def = def;
  record.def.local.rotation = normalized(def.local.rotation);
  world.has_belts = world.has_belts || def.surface_velocity != Vec3{};
  world.has_materials = world.has_materials || has_rare_values(def.material);
  body.shapes.push_back(shape);
  if (def.is_sensor) add_sensor(world, shape.index);
  update_mass(world, handle.index);
  if (is_present(body)) {
    add_proxy(world, shape.index);
    refresh_proxies(world, handle.index);
    wake_around(world, handle.index);
  }
  return shape;
}

void World::set_surface_velocity(ShapeHandle handle, Vec3 velocity) {
  JOSTLE_ASSERT(is_finite(velocity));
  find(*state_, handle);
  WorldState& world = *state_;
  ShapeRecord& shape = world.shapes[handle.index];
  if (shape.def.surface_velocity == velocity) return;
  shape.def.surface_velocity = velocity;
  world.has_belts = world.has_belts || velocity != Vec3{};
  const std::uint32_t body = shape.body.index;
  for_each_contact(world, body, [&](std::uint32_t index) { note_belts(world, index); });
  wake_touching(world, body);
  wake_island(world, body);
}

void World::add_solid(const std::shared_ptr<const state::Solid>& solid) {
  JOSTLE_ASSERT(solid != nullptr);
  state_->solids.try_emplace(solid->content_hash, solid);
}

std::shared_ptr<const state::Solid> World::find_solid(std::uint64_t content_hash) const {
  const auto known = state_->solids.find(content_hash);
  return known == state_->solids.end() ? nullptr : known->second;
}

bool World::is_alive(BodyHandle body) const {
  return state_->body_pool.is_alive(body);
}

bool World::is_alive(ShapeHandle shape) const {
  return state_->shape_pool.is_alive(shape);
}

bool World::is_quarantined(BodyHandle body) const {
  return physics::is_quarantined(find(*state_, body));
}

std::vector<BodyHandle> World::bodies() const {
  std::vector<BodyHandle> handles;
  handles.reserve(state_->body_pool.live_count());
  for (std::uint32_t i = 0; i < state_->body_pool.slot_count(); ++i) {
    if (state_->body_pool.is_alive_index(i)) handles.push_back(state_->body_pool.at(i));
  }
  return handles;
}

std::uint32_t World::body_count() const {
  return state_->body_pool.live_count();
}
math::Pose World::pose(BodyHandle body) const {
  return frame_pose(find(*state_, body));
}
Vec3 World::linear_velocity(BodyHandle body) const {
  return find(*state_, body).linear_velocity;
}
Vec3 World::angular_velocity(BodyHandle body) const {
  return find(*state_, body).angular_velocity;
}
Vec3 World::velocity_at(BodyHandle handle, math::Position point) const {
  const Body& body = find(*state_, handle);
  return body.linear_velocity + cross(body.angular_velocity, point - body.position);
}
math::Position World::centre_of_mass(BodyHandle body) const {
  return find(*state_, body).position;
}
float World::mass(BodyHandle body) const {
  return find(*state_, body).mass;
}
math::Mat3 World::inertia_local(BodyHandle body) const {
  return find(*state_, body).inertia_local;
}
MotionType World::motion_type(BodyHandle body) const {
  return find(*state_, body).motion;
}
bool World::is_awake(BodyHandle body) const {
  return find(*state_, body).is_awake;
}
float World::gravity_scale(BodyHandle handle) const {
  JOSTLE_ASSERT(is_alive(handle));
  return state_->bodies[handle.index].gravity_scale;
}
bool World::ignores_force_fields(BodyHandle handle) const {
  JOSTLE_ASSERT(is_alive(handle));
  return state_->bodies[handle.index].ignores_force_fields;
}
std::optional<forces::Integrator> World::integrator(BodyHandle handle) const {
  JOSTLE_ASSERT(is_alive(handle));
  const std::uint8_t integrator = state_->bodies[handle.index].integrator;
  if (integrator == 0) return std::nullopt;
  return static_cast<forces::Integrator>(integrator - 1);
}
std::uint64_t World::user_data(BodyHandle body) const {
  return find(*state_, body).user_data;
}

math::Aabb World::aabb(BodyHandle handle) const {
  const Body& body = find(*state_, handle);
  if (body.shapes.empty()) return {body.position, body.position};
  std::optional<math::Aabb> box;
  for (const ShapeHandle shape : body.shapes) {
    const ShapeRecord& record = state_->shapes[shape.index];
    const math::Aabb part = geometry::bounds(record.def.shape, shape_pose(body, record));
    box = box ? united(*box, part) : part;
  }
  return *box;
}

std::span<const ShapeHandle> World::sensor_overlaps(ShapeHandle shape) const {
  JOSTLE_ASSERT(find(*state_, shape).def.is_sensor);
  const auto at = std::lower_bound(
      state_->sensors.begin(), state_->sensors.end(), shape.index,
      [](const SensorRecord& sensor, std::uint32_t slot) { return sensor.shape < slot; });
  return at->inside;
}

std::span<const ShapeHandle> World::shapes(BodyHandle body) const {
  return find(*state_, body).shapes;
}
ShapeDef World::shape_def(ShapeHandle shape) const {
  return find(*state_, shape).def;
}
BodyHandle World::body_of(ShapeHandle shape) const {
  return find(*state_, shape).body;
}

void World::set_pose(BodyHandle handle, const math::Pose& pose) {
  JOSTLE_ASSERT(is_finite(pose.position) && is_unit(pose.rotation, call_unit_tolerance));
  WorldState& world = *state_;
  Body& body = find(world, handle);
  if (physics::is_quarantined(body)) return;
  if (is_present(body)) wake_around(world, handle.index);
  forget_loads_over(world, handle.index);
  excuse_joints(world, handle.index);
  body.rotation = normalized(pose.rotation);
  body.position = transform_point({pose.position, body.rotation}, body.local_centre);
  if (is_dynamic(body)) update_angular_momentum(body);
  wake_island(world, handle.index);
  refresh_proxies(world, handle.index);
  forget_points_of_body(world, handle.index);
  if (is_present(body)) wake_around(world, handle.index);
}

void World::set_velocity(BodyHandle handle, Vec3 linear, Vec3 angular) {
  JOSTLE_ASSERT(is_finite(linear) && is_finite(angular));
  Body& body = find(*state_, handle);
  if (body.motion == MotionType::Static || physics::is_quarantined(body)) return;
  wake_island(*state_, handle.index);
  if (!is_dynamic(body)) forget_loads_left(*state_, handle.index, linear, angular);
  body.linear_velocity = free_linear(body.locks, linear);
  body.linear_rest = {};
  body.angular_velocity = free_angular(body.locks, angular);
  body.target_state = TargetState::None;
  update_angular_momentum(body);
}

void World::set_awake(BodyHandle handle, bool is_awake) {
  find(*state_, handle);
  if (is_awake) {
    wake_island(*state_, handle.index);
  } else {
    put_to_sleep(*state_, handle.index);
  }
}

void World::set_gravity_scale(BodyHandle handle, float scale) {
  JOSTLE_ASSERT(std::isfinite(scale));
  find(*state_, handle).gravity_scale = scale;
  wake_island(*state_, handle.index);
}

void World::apply_impulse(BodyHandle handle, Vec3 impulse, math::Position point) {
  JOSTLE_ASSERT(is_finite(impulse) && is_finite(point));
  Body& body = find(*state_, handle);
  if (!is_dynamic(body) || !is_present(body)) return;
  wake_island(*state_, handle.index);
  change_momentum(body, impulse, cross(point - body.position, impulse));
}
void World::apply_central_impulse(BodyHandle handle, Vec3 impulse) {
  JOSTLE_ASSERT(is_finite(impulse));
  Body& body = find(*state_, handle);
  if (!is_dynamic(body) || !is_present(body)) return;
  wake_island(*state_, handle.index);
  change_momentum(body, impulse, {});
}
void World::apply_angular_impulse(BodyHandle handle, Vec3 impulse) {
  JOSTLE_ASSERT(is_finite(impulse));
  Body& body = find(*state_, handle);
  if (!is_dynamic(body) || !is_present(body)) return;
  wake_island(*state_, handle.index);
  change_momentum(body, {}, impulse);
}
void World::apply_force(BodyHandle handle, Vec3 force, math::Position point) {
  JOSTLE_ASSERT(is_finite(force) && is_finite(point));
  Body& body = find(*state_, handle);
  if (!is_dynamic(body) || !is_present(body)) return;
  wake_island(*state_, handle.index);
  body.force += free_linear(body.locks, force);
  body.torque += free_angular(body.locks, cross(point - body.position, force));
}
void World::apply_central_force(BodyHandle handle, Vec3 force) {
  JOSTLE_ASSERT(is_finite(force));
  Body& body = find(*state_, handle);
  if (!is_dynamic(body) || !is_present(body)) return;
  wake_island(*state_, handle.index);
  body.force += free_linear(body.locks, force);
}
void World::apply_torque(BodyHandle handle, Vec3 torque) {
  JOSTLE_ASSERT(is_finite(torque));
  Body& body = find(*state_, handle);
  if (!is_dynamic(body) || !is_present(body)) return;
  wake_island(*state_, handle.index);
  body.torque += free_angular(body.locks, torque);
}

void World::move_kinematic(BodyHandle handle, const math::Pose& target) {
  JOSTLE_ASSERT(is_finite(target.position) && is_unit(target.rotation, call_unit_tolerance));
  Body& body = find(*state_, handle);
  JOSTLE_ASSERT(body.motion == MotionType::Kinematic);
  if (!is_present(body)) return;
  const math::Pose goal{target.position, normalized(target.rotation)};
  const Velocities next = velocities_to(body, goal, state_->options.step_seconds);
  forget_loads_left(*state_, handle.index, next.linear, next.angular);
  set_target(body, goal);
  body.target_state = TargetState::Pending;
  wake_body(*state_, handle.index);
}

}  // namespace jostle::physics
