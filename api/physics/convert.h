#pragma once

#include "api/base/checks.h"
#include "shared/math/aabb.h"
#include "shared/math/mat3.h"
#include "shared/math/transform.h"
#include "shared/math/vec3d.h"
#include "shared/physics/world.h"

#include <jostle/physics/handles.h>

namespace jostle::api {

// Conversions between the types of the C API and those of the engine.

constexpr math::Vec3 to_engine(jostle_vec3 v) {
  return {v.x, v.y, v.z};
}
constexpr math::Position to_engine(jostle_position p) {
  return {p.x, p.y, p.z};
}
constexpr math::Quat to_engine(jostle_quat q) {
  return {q.x, q.y, q.z, q.w};
}
constexpr math::Pose to_engine(const jostle_pose& pose) {
  return {to_engine(pose.position), to_engine(pose.rotation)};
}
constexpr math::Transform to_engine(const jostle_transform& t) {
  return {to_engine(t.offset), to_engine(t.rotation)};
}
constexpr math::Mat3 to_engine(const jostle_mat3& m) {
  return {to_engine(m.cx), to_engine(m.cy), to_engine(m.cz)};
}
constexpr math::Aabb to_engine(const jostle_aabb& box) {
  return {to_engine(box.lower), to_engine(box.upper)};
}

constexpr jostle_vec3 to_c(math::Vec3 v) {
  return {v.x, v.y, v.z};
}
constexpr jostle_position to_c(math::Position p) {
  return {p.x, p.y, p.z};
}
constexpr jostle_quat to_c(math::Quat q) {
  return {q.x, q.y, q.z, q.w};
}
constexpr jostle_pose to_c(const math::Pose& pose) {
  return {to_c(pose.position), to_c(pose.rotation)};
}
constexpr jostle_transform to_c(const math::Transform& t) {
  return {to_c(t.offset), to_c(t.rotation)};
}
constexpr jostle_mat3 to_c(const math::Mat3& m) {
  return {to_c(m.cx), to_c(m.cy), to_c(m.cz)};
}
constexpr jostle_aabb to_c(const math::Aabb& box) {
  return {to_c(box.lower), to_c(box.upper)};
}
constexpr jostle_bool to_c(bool value) {
  return value ? 1 : 0;
}

// Handles of the API have an index of at least 1, so that zero bytes are the null handle.

template <typename EngineHandle, typename Handle>
constexpr EngineHandle engine_handle(Handle handle) {
  if (handle.index == 0) return {};
  return {handle.index - 1, handle.generation};
}
template <typename Handle, typename EngineHandle>
constexpr Handle c_handle(EngineHandle handle) {
  if (handle.is_null()) return {0, 0};
  return {handle.index + 1, handle.generation};
}

constexpr physics::BodyHandle to_engine(jostle_body handle) {
  return engine_handle<physics::BodyHandle>(handle);
}
constexpr physics::ShapeHandle to_engine(jostle_shape handle) {
  return engine_handle<physics::ShapeHandle>(handle);
}
constexpr physics::JointHandle to_engine(jostle_joint handle) {
  return engine_handle<physics::JointHandle>(handle);
}
constexpr physics::ForceFieldHandle to_engine(jostle_field handle) {
  return engine_handle<physics::ForceFieldHandle>(handle);
}
constexpr physics::ParticleSetHandle to_engine(jostle_particle_set handle) {
  return engine_handle<physics::ParticleSetHandle>(handle);
}
constexpr jostle_body to_c(physics::BodyHandle handle) {
  return c_handle<jostle_body>(handle);
}
constexpr jostle_shape to_c(physics::ShapeHandle handle) {
  return c_handle<jostle_shape>(handle);
}
constexpr jostle_joint to_c(physics::JointHandle handle) {
  return c_handle<jostle_joint>(handle);
}
constexpr jostle_field to_c(physics::ForceFieldHandle handle) {
  return c_handle<jostle_field>(handle);
}
constexpr jostle_particle_set to_c(physics::ParticleSetHandle handle) {
  return c_handle<jostle_particle_set>(handle);
}

/// Returns the engine's handle of an object that exists in the world. `name` is the argument.
template <typename Handle>
auto require_alive(const physics::World& world, Handle handle, const char* name) {
  const auto found = to_engine(handle);
  if (world.is_alive(found)) return found;
  if (handle.index == 0)
    refuse(JOSTLE_ERROR_STALE_HANDLE, "%s is the null handle; a handle is required", name);
  refuse(JOSTLE_ERROR_STALE_HANDLE, "%s {%u, %u} does not exist in this world (any more)", name,
         handle.index, handle.generation);
}

}  // namespace jostle::api
