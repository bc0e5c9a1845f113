#include "shared/forces/explosion.h"
#include "shared/physics/contacts/loads.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/effects/force_field_effects.h"
#include "shared/physics/islands/sleep.h"
#include "shared/physics/world.h"
#include "shared/physics/world/body_state.h"

#include <algorithm>
#include <cmath>

namespace jostle::physics {

using math::Vec3;

namespace {

ForceFieldDef& find(WorldState& world, ForceFieldHandle handle) {
  JOSTLE_ASSERT(world.field_pool.is_alive(handle));
  return world.fields[handle.index];
}

/// Changes the fields, and scales the warm-start impulses of each contact and joint. The factor of
/// a body is the component of its new acceleration along the old one, divided by the magnitude of
/// the old one. Of the two bodies of a contact or joint, the smaller factor counts.
template <typename Change>
void change_fields(WorldState& world, const Change& change) {
  if (world.contact_count == 0 && world.joint_pool.live_count() == 0) return change();
  const std::vector<Vec3> before = field_accelerations(world);
  change();
  const std::vector<Vec3> after = field_accelerations(world);
  std::vector<float> shares(before.size(), 1.0f);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] != after[i])
      shares[i] = dot(after[i], before[i]) / math::max_of(length_squared(before[i]), tiny);
  }
  scale_loads(world, shares);
}

void remove_field(WorldState& world, std::uint32_t index) {
  bond_field(world, world.fields[index], -1);
  world.field_pool.destroy(world.field_pool.at(index));
}

}  // namespace

bool can_place(const WorldState& world, const ForceFieldDef& def) {
  if (!forces::is_valid(def.field)) return false;
  if (def.body.is_null()) return !forces::needs_body(def.field) && def.body == BodyHandle{};
  if (!forces::may_have_body(def.field) || !world.body_pool.is_alive(def.body)) return false;
  const Body& body = world.bodies[def.body.index];
  if (forces::needs_body(def.field)) return is_dynamic(body);
  const Vec3 arm = to_vec3(std::get<forces::Pole>(def.field).point);
  return length(arm) <= forces::max_arm;
}

void wake_for(WorldState& world, const ForceFieldDef& def) {
  if (std::holds_alternative<forces::Thrust>(def.field)) return wake_island(world, def.body.index);
  const bool is_of_charges = std::holds_alternative<forces::Charges>(def.field) ||
                             std::holds_alternative<forces::Pole>(def.field);
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (!world.body_pool.is_alive_index(i) || !is_dynamic(world.bodies[i])) continue;
    if (!is_of_charges || world.bodies[i].bonds > 0) wake_island(world, i);
  }
}

void bond(WorldState& world, std::uint32_t index, int change) {
  std::uint32_t& bonds = world.bodies[index].bonds;
  bonds = static_cast<std::uint32_t>(static_cast<int>(bonds) + change);
  list_bonds(world, index);
}

void list_bonds(WorldState& world, std::uint32_t index) {
  const Body& body = world.bodies[index];
  const bool acts = body.bonds > 0 && !is_disabled(body);
  std::vector<std::uint32_t>& list = world.bonded_bodies;
  const auto place = std::lower_bound(list.begin(), list.end(), index);
  const bool is_listed = place != list.end() && *place == index;
  if (acts && !is_listed) list.insert(place, index);
  if (!acts && is_listed) list.erase(place);
}

void bond_field(WorldState& world, const ForceFieldDef& def, int change) {
  const bool has_body = !def.body.is_null();
  if (!forces::is_between_bodies(def.field, has_body)) return;
  world.bond_count = static_cast<std::uint32_t>(static_cast<int>(world.bond_count) + change);
  if (has_body) bond(world, def.body.index, change);
}

void remove_fields_of_body(WorldState& world, std::uint32_t body) {
  for (std::uint32_t i = 0; i < world.field_pool.slot_count(); ++i) {
    if (world.field_pool.is_alive_index(i) && world.fields[i].body == world.body_pool.at(body))
      remove_field(world, i);
  }
}

bool is_bonded(const WorldState& world, const Body& body) {
  return world.bond_count > 0 && body.bonds > 0 && !is_disabled(body);
}

void wake_by_fields(WorldState& world) {
  if (world.bond_count == 0) return;
  const auto is_mover = [&](std::uint32_t index) {
    const Body& body = world.bodies[index];
    return is_active(body) &&
           (is_dynamic(body) || body.linear_velocity != Vec3{} || body.angular_velocity != Vec3{});
  };
  if (std::none_of(world.bonded_bodies.begin(), world.bonded_bodies.end(), is_mover)) return;
  for (const std::uint32_t index : world.bonded_bodies) {
    const Body& body = world.bodies[index];
    if (is_dynamic(body) && !body.is_awake) wake_island(world, index);
  }
  sort_awake_bodies(world);
}

ForceFieldHandle World::create_force_field(const ForceFieldDef& def) {
  WorldState& world = *state_;
  JOSTLE_ASSERT(can_place(world, def));
  const ForceFieldHandle handle = world.field_pool.create();
  if (handle.index == world.fields.size()) world.fields.emplace_back();
  ForceFieldDef& field = world.fields[handle.index];
  // a thrust of zero, which adds no acceleration before the change
  field = {forces::Thrust{}, def.body};
  change_fields(world, [&] {
    field = def;
    bond_field(world, def, 1);
  });
  wake_for(world, def);
  return handle;
}

void World::destroy_force_field(ForceFieldHandle handle) {
  wake_for(*state_, find(*state_, handle));
  change_fields(*state_, [&] { remove_field(*state_, handle.index); });
}

void World::set_force_field(ForceFieldHandle handle, const ForceFieldDef& def) {
  ForceFieldDef& field = find(*state_, handle);
  JOSTLE_ASSERT(can_place(*state_, def));
  if (field == def) return;
  wake_for(*state_, field);
  change_fields(*state_, [&] {
    bond_field(*state_, field, -1);
    field = def;
    bond_field(*state_, field, 1);
  });
  wake_for(*state_, field);
}

bool World::is_alive(ForceFieldHandle field) const {
  return state_->field_pool.is_alive(field);
}
std::uint32_t World::force_field_count() const {
  return state_->field_pool.live_count();
}
std::vector<ForceFieldHandle> World::force_fields() const {
  std::vector<ForceFieldHandle> handles;
  handles.reserve(state_->field_pool.live_count());
  for (std::uint32_t i = 0; i < state_->field_pool.slot_count(); ++i) {
    if (state_->field_pool.is_alive_index(i)) handles.push_back(state_->field_pool.at(i));
  }
  return handles;
}
const ForceFieldDef& World::force_field_def(ForceFieldHandle field) const {
  return find(*state_, field);
}

void World::set_charge(BodyHandle handle, float charge) {
  WorldState& world = *state_;
  JOSTLE_ASSERT(world.body_pool.is_alive(handle) && math::abs_of(charge) <= forces::max_charge);
  Body& body = world.bodies[handle.index];
  const bool was_charged = body.charge != 0.0f, is_charged = charge != 0.0f;
  body.charge = is_charged ? charge : 0.0f;  // stores +0 if the charge is −0
  if (was_charged) wake_touching(world, handle.index);
  if (is_charged != was_charged) bond(world, handle.index, is_charged ? 1 : -1);
  if (is_charged) wake_touching(world, handle.index);
  if (is_dynamic(body)) wake_island(world, handle.index);
}
float World::charge(BodyHandle body) const {
  JOSTLE_ASSERT(is_alive(body));
  return state_->bodies[body.index].charge;
}

void World::explode(const forces::Explosion& explosion) {
  JOSTLE_ASSERT(forces::is_valid(explosion));
  WorldState& world = *state_;
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (!world.body_pool.is_alive_index(i)) continue;
    const Body& body = world.bodies[i];
    if (!is_dynamic(body) || !is_present(body)) continue;
    if (length(body.position - explosion.centre) > explosion.radius + body.extent) continue;
    Vec3 impulse, angular;
    for (const ShapeHandle handle : body.shapes) {
      const ShapeRecord& shape = world.shapes[handle.index];
      const forces::Blow blow =
          forces::blow_of(explosion, shape.def.shape, shape_pose(body, shape));
      impulse += blow.impulse;
      angular += cross(blow.point - body.position, blow.impulse);
    }
    if (impulse == Vec3{} && angular == Vec3{}) continue;
    wake_island(world, i);
    change_momentum(world.bodies[i], impulse, angular);
  }
}

}  // namespace jostle::physics
