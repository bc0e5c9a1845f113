#include "shared/base/hash.h"
#include "shared/geometry/mass_properties.h"
#include "shared/geometry/shape_check.h"
#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/collision/collide.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/reading_archive.h"
#include "shared/physics/detail/state_fields.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/effects/force_field_effects.h"
#include "shared/physics/islands/sleep.h"
#include "shared/physics/world.h"
#include "shared/physics/world/body_state.h"
#include "shared/physics/world/joint_coordinates.h"
#include "shared/physics/world/joint_equivalents.h"
#include "shared/physics/world/joint_list.h"
#include "shared/physics/world/materials.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace jostle::physics {

using math::Vec3;

namespace {

std::vector<std::uint32_t> read_list(ReadingArchive& archive) {
  std::vector<std::uint32_t> list(archive.count(sizeof(std::uint32_t)));
  for (std::uint32_t& value : list)
    archive("slots", value);
  return list;
}

template <typename Pool>
bool read_pool(ReadingArchive& archive, Pool& pool) {
  auto generations = read_list(archive);
  auto free_slots = read_list(archive);
  return archive.ok() && pool.restore(std::move(generations), std::move(free_slots));
}

bool is_not_negative(float x) {
  return std::isfinite(x) && x >= 0.0f;
}
bool is_place(math::Position p) {
  return std::abs(p.x) <= 2 * max_coordinate && std::abs(p.y) <= 2 * max_coordinate &&
         std::abs(p.z) <= 2 * max_coordinate;
}

bool is_consistent_with_locks(const Body& body) {
  if (body.locks == 0) return true;
  return is_dynamic(body) &&
         free_linear(body.locks, body.linear_velocity) == body.linear_velocity &&
         free_linear(body.locks, body.linear_rest) == body.linear_rest &&
         free_angular(body.locks, body.angular_velocity) == body.angular_velocity &&
         free_angular(body.locks, body.angular_momentum) == body.angular_momentum &&
         free_linear(body.locks, body.force) == body.force &&
         free_angular(body.locks, body.torque) == body.torque;
}

bool has_consistent_mass(const Body& body) {
  if (!body.rare || (!body.rare->has_centre && !body.rare->has_inertia)) return true;
  return is_dynamic(body) && body.mass_override > 0.0f &&
         length(body.rare->centre) <= max_local_offset &&
         (!body.rare->has_inertia || geometry::is_inertia(body.rare->inertia));
}

bool is_consistent(const Body& body) {
  const bool has_mass = body.mass_override == 0.0f ||
                        (body.mass_override >= min_mass && body.mass_override <= max_mass);
  const bool may_be_awake = body.motion != MotionType::Static && is_present(body);
  return is_place(body.position) && is_unit(body.rotation, save_unit_tolerance) &&
         is_finite(body.linear_velocity) && is_finite(body.angular_velocity) &&
         is_finite(body.angular_momentum) && is_finite(body.linear_rest) &&
         is_not_negative(body.turn_ratio) &&
         !std::isnan(body.force.x + body.force.y + body.force.z) &&
         !std::isnan(body.torque.x + body.torque.y + body.torque.z) &&
         is_not_negative(body.linear_damping) && is_not_negative(body.angular_damping) &&
         std::isfinite(body.gravity_scale) && has_mass && is_not_negative(body.sleep_time) &&
         is_finite(body.mean_linear) && is_finite(body.mean_angular) && body.taut_factor >= 1.0f &&
         body.taut_factor <= max_taut_factor && is_place(target_of(body).position) &&
         is_unit(target_of(body).rotation, save_unit_tolerance) && is_consistent_with_locks(body) &&
         has_consistent_mass(body) && (may_be_awake || !body.is_awake);
}

bool is_consistent(const ShapeRecord& shape) {
  const math::Aabb& box = shape.fat_box;
  const ShapeDef& def = shape.def;
  const bool has_density =
      def.density == 0.0f || (def.density >= min_density && def.density <= max_density);
  return !geometry::check_shape(def.shape) && length(def.local.offset) <= max_local_offset &&
         is_unit(def.local.rotation, save_unit_tolerance) && has_density &&
         is_valid(def.material) && is_finite(def.surface_velocity) && is_finite(box.lower) &&
         is_finite(box.upper) && box.lower.x <= box.upper.x && box.lower.y <= box.upper.y &&
         box.lower.z <= box.upper.z;
}

bool is_direction(Vec3 v) {
  constexpr float tolerance = 1e-2f;
  return math::abs_of(length_squared(v) - 1.0f) < tolerance;
}

bool is_consistent(const Manifold& manifold) {
  if (manifold.point_count == 0 || manifold.point_count > max_manifold_points) return false;
  if (!is_direction(manifold.normal)) return false;
  if (!is_finite(manifold.friction_impulse) || !std::isfinite(manifold.twist_impulse) ||
      !is_finite(manifold.resistance_impulse) ||
      !(is_not_negative(manifold.moved) || manifold.moved == Manifold::not_known)) {
    return false;
  }
  for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
    const ManifoldPoint& point = manifold.points[i];
    if (!is_finite(point.offset_a) || !is_finite(point.offset_b) ||
        !std::isfinite(point.separation) || !is_not_negative(point.normal_impulse) ||
        !std::isfinite(point.step_impulse)) {
      return false;
    }
  }
  return true;
}

/// Reads the bodies with the slots of their shapes; the shapes themselves follow later.
bool read_bodies(ReadingArchive& archive, WorldState& world) {
  if (!read_pool(archive, world.body_pool)) return false;
  world.bodies.resize(world.body_pool.slot_count());
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (!world.body_pool.is_alive_index(i)) continue;
    Body& body = world.bodies[i];
    visit_body(archive, body);
    for (const std::uint32_t slot : read_list(archive))
      body.shapes.push_back({slot, 0});
    if (!archive.ok()) return false;
  }
  return true;
}

bool read_shapes(ReadingArchive& archive, WorldState& world) {
  if (!read_pool(archive, world.shape_pool)) return false;
  world.shapes.resize(world.shape_pool.slot_count());
  for (std::uint32_t i = 0; i < world.shape_pool.slot_count(); ++i) {
    if (!world.shape_pool.is_alive_index(i)) continue;
    visit_shape(archive, world.shapes[i]);
    if (!archive.ok() || !is_consistent(world.shapes[i])) return false;
  }
  // Each shape belongs to exactly one body.
  std::uint32_t owned = 0;
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    for (ShapeHandle& handle : world.bodies[i].shapes) {
      if (!world.shape_pool.is_alive_index(handle.index)) return false;
      ShapeRecord& shape = world.shapes[handle.index];
      const bool is_static_only = state::is_static_only(shape.def.shape.kind);
      if (!shape.body.is_null()) return false;
      if (is_static_only && world.bodies[i].motion != MotionType::Static) return false;
      if (shape.def.is_sensor && (is_static_only || shape.is_moved)) return false;
      shape.body = world.body_pool.at(i);
      handle = world.shape_pool.at(handle.index);
      ++owned;
    }
  }
  return owned == world.shape_pool.live_count();
}

bool read_islands(ReadingArchive& archive, WorldState& world) {
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (!world.body_pool.is_alive_index(i)) continue;
    visit_sleep(archive, world.bodies[i]);
    if (!archive.ok() || !is_consistent(world.bodies[i])) return false;
  }
  return true;
}

bool is_consistent(const JointRecord& joint) {
  const auto is_bounded = [](Vec3 v) { return is_finite(v) && length(v) <= 2 * max_impulse; };
  for (const JointImpulses& impulses : joint.impulses) {
    if (!is_bounded(impulses.linear) || !is_bounded(impulses.angular)) return false;
    for (const float impulse : impulses.rows) {
      if (!(math::abs_of(impulse) <= max_impulse)) return false;
    }
  }
  if (joint.coordinates && !is_consistent(*joint.coordinates)) return false;
  return is_valid(joint.def) && is_unit(joint.def.frame_a.rotation, save_unit_tolerance) &&
         is_unit(joint.def.frame_b.rotation, save_unit_tolerance) && is_finite(joint.step_linear) &&
         is_finite(joint.step_angular) && std::isfinite(joint.energy_credit);
}

bool read_joints(ReadingArchive& archive, WorldState& world) {
  if (!read_pool(archive, world.joint_pool)) return false;
  world.joints.resize(world.joint_pool.slot_count());
  for (std::uint32_t i = 0; i < world.joint_pool.slot_count(); ++i) {
    if (!world.joint_pool.is_alive_index(i)) continue;
    visit_joint(archive, world.joints[i]);
    if (!archive.ok() || !is_consistent(world.joints[i]) || !can_join(world, world.joints[i].def))
      return false;
    find_equivalent(world.joints[i]);
    link_joint(world, i);
  }
  sort_awake_joints(world);
  return true;
}

bool can_pair(const WorldState& world, const Contact& contact) {
  if (contact.shape_a >= contact.shape_b) return false;
  if (!world.shape_pool.is_alive_index(contact.shape_a) ||
      !world.shape_pool.is_alive_index(contact.shape_b)) {
    return false;
  }
  const ShapeRecord &a = world.shapes[contact.shape_a], &b = world.shapes[contact.shape_b];
  const Body &body_a = world.bodies[a.body.index], &body_b = world.bodies[b.body.index];
  return a.body != b.body && !a.def.is_sensor && !b.def.is_sensor &&
         may_collide(a.def.filter, b.def.filter) &&
         !is_collision_disabled(world, a.body.index, b.body.index) &&
         (is_dynamic(body_a) || is_dynamic(body_b)) && is_present(body_a) && is_present(body_b);
}

bool is_of_surface(const WorldState& world, const Contact& contact) {
  return is_surface(world.shapes[contact.shape_a].def.shape.kind) ||
         is_surface(world.shapes[contact.shape_b].def.shape.kind);
}

bool read_manifolds(ReadingArchive& archive, const WorldState& world, std::uint32_t count,
                    Contact& contact) {
  if (count == 0 || count > max_manifolds) return false;
  if (count > 1 && !is_of_surface(world, contact)) return false;
  contact.more.resize(count - 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    Manifold& manifold = manifold_at(contact, i);
    visit_manifold(archive, manifold);
    if (!archive.ok() || !is_consistent(manifold)) return false;
  }
  return true;
}

bool read_contacts(ReadingArchive& archive, WorldState& world) {
  constexpr std::size_t min_contact_bytes = 85;
  const std::uint32_t count = archive.count(min_contact_bytes);
  for (std::uint32_t i = 0; i < count; ++i) {
    Contact& contact = world.contacts.emplace_back();
    std::uint32_t manifolds = 0;
    visit_contact(archive, contact, manifolds);
    if (!archive.ok() || !can_pair(world, contact) ||
        !read_manifolds(archive, world, manifolds, contact)) {
      return false;
    }
    if (i > 0) {
      const Contact& before = world.contacts[i - 1];
      if (pair_key(before.shape_a, before.shape_b) >= pair_key(contact.shape_a, contact.shape_b)) {
        return false;
      }
    }
  }
  return archive.ok();
}

bool read_axes(ReadingArchive& archive, WorldState& world) {
  constexpr std::size_t axis_bytes = 20;
  world.pairs.resize(archive.count(axis_bytes));
  std::uint64_t before = 0;
  for (ListedPair& pair : world.pairs) {
    visit_axis(archive, pair);
    if (!archive.ok() || pair.key <= before || pair.shape_a() >= pair.shape_b() ||
        !world.shape_pool.is_alive_index(pair.shape_a()) ||
        !world.shape_pool.is_alive_index(pair.shape_b()) || !is_direction(pair.axis)) {
      return false;
    }
    before = pair.key;
  }
  return archive.ok();
}

bool read_pending_ends(ReadingArchive& archive, WorldState& world) {
  constexpr std::size_t end_bytes = 16;
  world.pending_ends.resize(archive.count(end_bytes));
  for (ContactEnd& end : world.pending_ends) {
    visit_handle(archive, "pending_end.a", end.a);
    visit_handle(archive, "pending_end.b", end.b);
  }
  return archive.ok();
}

bool read_fields(ReadingArchive& archive, WorldState& world) {
  if (!read_pool(archive, world.field_pool)) return false;
  world.fields.resize(world.field_pool.slot_count());
  for (std::uint32_t i = 0; i < world.field_pool.slot_count(); ++i) {
    if (!world.field_pool.is_alive_index(i)) continue;
    visit_field(archive, world.fields[i]);
    if (!archive.ok() || !can_place(world, world.fields[i])) return false;
    bond_field(world, world.fields[i], 1);
  }
  constexpr std::size_t traits_bytes = 9;
  const std::uint32_t count = archive.count(traits_bytes);
  std::uint32_t next = 0;  // slots ascend
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t slot = 0;
    archive("charged_bodies", slot);
    if (!archive.ok() || slot < next || !world.body_pool.is_alive_index(slot)) return false;
    next = slot + 1;
    Body& body = world.bodies[slot];
    visit_field_traits(archive, body);
    if (!archive.ok() || !has_field_traits(body) ||
        !(math::abs_of(body.charge) <= forces::max_charge)) {
      return false;
    }
    if (body.charge != 0.0f) bond(world, slot, 1);
  }
  return archive.ok();
}

bool read_sensors(ReadingArchive& archive, WorldState& world) {
  constexpr std::size_t handle_bytes = 8;
  for (std::uint32_t i = 0; i < world.shape_pool.slot_count(); ++i) {
    if (!world.shape_pool.is_alive_index(i) || !world.shapes[i].def.is_sensor) continue;
    SensorRecord& sensor = world.sensors.emplace_back();
    sensor.shape = i;
    sensor.inside.resize(archive.count(handle_bytes));
    for (ShapeHandle& visitor : sensor.inside) {
      visit_handle(archive, "inside", visitor);
      if (!archive.ok() || !world.shape_pool.is_alive(visitor) ||
          world.shapes[visitor.index].def.is_sensor)
        return false;
    }
    const auto is_unordered = [](ShapeHandle a, ShapeHandle b) { return !(a < b); };
    if (std::adjacent_find(sensor.inside.begin(), sensor.inside.end(), is_unordered) !=
        sensor.inside.end())
      return false;
  }
  world.are_sensors_stale = !world.sensors.empty();
  world.pending_sensor_ends.resize(archive.count(2 * handle_bytes));
  for (SensorEnd& end : world.pending_sensor_ends) {
    visit_handle(archive, "pending_end.sensor", end.sensor);
    visit_handle(archive, "pending_end.visitor", end.visitor);
  }
  return archive.ok();
}

bool read_emitters(ReadingArchive& archive, ParticleSet& set) {
  constexpr std::size_t emitter_bytes = 113;  // bytes of an emitter with its EmitterState
  const std::uint32_t count = archive.count(emitter_bytes);
  if (count > max_emitters_per_set) return false;
  set.def.emitters.resize(count);
  set.emitters.resize(count);
  for (Emitter& emitter : set.def.emitters)
    visit_emitter(archive, emitter);
  for (EmitterState& state : set.emitters)
    visit_emitter_state(archive, state);
  return archive.ok();
}

bool read_particles(ReadingArchive& archive, WorldState& world) {
  if (!read_pool(archive, world.particle_pool)) return false;
  world.particle_sets.resize(world.particle_pool.slot_count());
  for (std::uint32_t i = 0; i < world.particle_pool.slot_count(); ++i) {
    if (!world.particle_pool.is_alive_index(i)) continue;
    ParticleSet& set = world.particle_sets[i];
    visit_particle_set(archive, set);
    if (!archive.ok() || !read_emitters(archive, set)) return false;
    constexpr std::size_t particle_bytes = 64;
    set.resize(archive.count(particle_bytes));
    for (std::size_t k = 0; k < set.size(); ++k)
      visit_particle(archive, set, k);
    if (!archive.ok() || !is_consistent(set)) return false;
  }
  return archive.ok();
}

bool read_integrators(ReadingArchive& archive, WorldState& world) {
  constexpr std::size_t entry_bytes = 8;
  const std::uint32_t count = archive.count(entry_bytes);
  std::uint32_t next = 0;  // slots ascend
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t slot = 0, integrator = 0;
    archive("integrators", slot);
    archive("integrator", integrator);
    if (!archive.ok() || slot < next || !world.body_pool.is_alive_index(slot) ||
        !is_dynamic(world.bodies[slot]) || integrator < 1 || integrator > forces::integrator_count)
      return false;
    next = slot + 1;
    world.bodies[slot].integrator = static_cast<std::uint8_t>(integrator);
    world.has_integrators = true;
  }
  return archive.ok();
}

/// Reads a slot of a list in ascending order. `next` is the smallest allowed slot, and is then set
/// to the one after `slot`. Returns false if the slot is out of order or not alive.
template <typename Pool>
bool read_slot(ReadingArchive& archive, const char* name, const Pool& pool, std::uint32_t& next,
               std::uint32_t& slot) {
  archive(name, slot);
  if (!archive.ok() || slot < next || !pool.is_alive_index(slot)) return false;
  next = slot + 1;
  return true;
}

bool read_rare_materials(ReadingArchive& archive, WorldState& world) {
  constexpr std::size_t shape_bytes = 14, set_bytes = 8;
  std::uint32_t next = 0, slot = 0;
  for (std::uint32_t left = archive.count(shape_bytes); left > 0; --left) {
    if (!read_slot(archive, "materials", world.shape_pool, next, slot)) return false;
    Material& material = world.shapes[slot].def.material;
    visit_rare_material(archive, material);
    if (!archive.ok() || !has_rare_values(material) || !is_valid(material)) return false;
    world.has_materials = true;
  }
  next = 0;
  for (std::uint32_t left = archive.count(set_bytes); left > 0; --left) {
    if (!read_slot(archive, "particle_materials", world.particle_pool, next, slot)) return false;
    MaterialId& id = world.particle_sets[slot].def.material;
    archive("material.id", id.value);
    if (!archive.ok() || id.value == 0) return false;
  }
  return archive.ok();
}

bool read_materials(ReadingArchive& archive, WorldState& world) {
  if (!read_rare_materials(archive, world)) return false;
  constexpr std::size_t pair_bytes = 13;  // bytes of a pair with one value
  const std::uint32_t count = archive.count(pair_bytes);
  if (count > max_material_pairs) return false;
  world.material_pairs.resize(count);
  const MaterialPair* before = nullptr;
  for (MaterialPair& pair : world.material_pairs) {
    visit_material_pair(archive, pair);
    if (!archive.ok() || !is_valid(pair)) return false;
    if (before != nullptr && std::tie(before->a, before->b) >= std::tie(pair.a, pair.b))
      return false;
    before = &pair;
  }
  return archive.ok();
}

/// Rebuilds the data that is derived from the state: masses, counts, bounds, trees, lists of active
/// bodies, and links of contacts.
void rebuild(WorldState& world) {
  world.bounds.resize(world.shapes.size());
  world.places.resize(world.shapes.size());
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (!world.body_pool.is_alive_index(i)) continue;
    Body& body = world.bodies[i];
    derive_mass(world, body);
    world.has_locks = world.has_locks || body.locks != 0;
    if (is_quarantined(body)) ++world.quarantined_count;
    if (is_disabled(body)) ++world.disabled_count;
    if (body.is_awake != body.is_reported_awake) {
      world.maybe_changed_sleep.push_back(world.body_pool.at(i));
    }
    if (is_active(body)) {
      body.is_listed = true;
      body.awake_place = static_cast<std::uint32_t>(world.awake_bodies.size());
      world.awake_bodies.push_back(i);
      world.woken_bodies.push_back(i);  // listed as woken, because its pairs are not listed yet
    }
    for (const ShapeHandle shape : body.shapes) {
      if (!is_present(body)) world.bounds[shape.index].flags = ShapeBounds::gone;
      world.has_belts = world.has_belts || world.shapes[shape.index].def.surface_velocity != Vec3{};
      if (!is_present(body)) continue;
      insert_proxy(world, shape.index);
      if (world.shapes[shape.index].is_moved) world.moved_shapes.push_back(shape.index);
    }
  }
  for (std::uint32_t i = 0; i < world.contacts.size(); ++i)
    link_contact(world, i);
}

}  // namespace

base::Result<base::Ok, RestoreError> World::restore(base::ByteReader& reader) {
  const std::uint32_t magic = reader.u32(), version = reader.u32();
  const std::uint64_t length = reader.u64(), hash = reader.u64();
  if (!reader.ok()) return RestoreError::Truncated;
  if (magic != save_magic || version != save_version) return RestoreError::WrongFormat;
  if (length > reader.remaining()) return RestoreError::Truncated;
  const auto bytes = reader.raw(static_cast<std::size_t>(length));
  if (base::hash_bytes(bytes) != hash) return RestoreError::Inconsistent;

  base::ByteReader payload(bytes);
  auto world = std::make_unique<WorldState>();
  world->solids = state_->solids;
  ReadingArchive archive(payload, world->solids);
  visit_options(archive, world->options);
  if (!payload.ok() || !are_valid(world->options) || !read_bodies(archive, *world) ||
      !read_shapes(archive, *world) || !read_islands(archive, *world) ||
      !read_joints(archive, *world) || !read_contacts(archive, *world) ||
      !read_axes(archive, *world) || !read_pending_ends(archive, *world) ||
      !read_fields(archive, *world) || !read_sensors(archive, *world) ||
      !read_particles(archive, *world) || !read_integrators(archive, *world) ||
      !read_materials(archive, *world) || !payload.at_end()) {
    return archive.is_solid_missing() ? RestoreError::MissingSolid : RestoreError::Inconsistent;
  }
  rebuild(*world);
  world->runtime = std::move(state_->runtime);
  state_ = std::move(world);
  return base::Ok{};
}

}  // namespace jostle::physics
