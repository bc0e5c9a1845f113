#include "shared/base/hash.h"
#include "shared/physics/detail/state_fields.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/step_events.h"
#include "shared/physics/world.h"

#include <algorithm>

namespace jostle::physics {
namespace {

class WritingArchive {
 public:
  explicit WritingArchive(base::ByteWriter& writer) : writer_(writer) {}

  void operator()(bool value) { writer_.boolean(value); }
  void flags(std::uint8_t value, std::uint8_t) { writer_.u8(value); }
  void operator()(std::int32_t value) { writer_.i32(value); }
  void operator()(std::uint32_t value) { writer_.u32(value); }
  void operator()(std::uint64_t value) { writer_.u64(value); }
  void operator()(float value) { writer_.f32(value); }
  void operator()(double value) { writer_.f64(value); }
  template <typename Enum>
  void enumerator(Enum value, std::uint8_t) {
    writer_.u8(static_cast<std::uint8_t>(value));
  }
  void solid(const std::shared_ptr<const state::Solid>& solid) { writer_.u64(solid->content_hash); }

 private:
  base::ByteWriter& writer_;
};

class HashingArchive {
 public:
  void operator()(bool value) { hasher_.add(value); }
  void flags(std::uint8_t value, std::uint8_t) { hasher_.add(value); }
  void operator()(std::int32_t value) { hasher_.add(value); }
  void operator()(std::uint32_t value) { hasher_.add(value); }
  void operator()(std::uint64_t value) { hasher_.add(value); }
  void operator()(float value) { hasher_.add(value); }
  void operator()(double value) { hasher_.add(value); }
  template <typename Enum>
  void enumerator(Enum value, std::uint8_t) {
    hasher_.add(static_cast<std::uint8_t>(value));
  }
  void solid(const std::shared_ptr<const state::Solid>& solid) { hasher_.add(solid->content_hash); }
  std::uint64_t finish() const { return hasher_.finish(); }

 private:
  base::Hasher hasher_;
};

template <typename Archive, typename Pool>
void visit_pool(Archive& archive, const Pool& pool) {
  for (const auto list : {pool.generations(), pool.free_slots()}) {
    archive(static_cast<std::uint32_t>(list.size()));
    for (const std::uint32_t value : list)
      archive(value);
  }
}

template <typename Archive>
void visit_bodies(Archive& archive, const WorldState& world) {
  visit_pool(archive, world.body_pool);
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (!world.body_pool.is_alive_index(i)) continue;
    const Body& body = world.bodies[i];
    visit_body(archive, body);
    archive(static_cast<std::uint32_t>(body.shapes.size()));
    for (const ShapeHandle shape : body.shapes)
      archive(shape.index);
  }
}

template <typename Archive>
void visit_shapes(Archive& archive, const WorldState& world) {
  visit_pool(archive, world.shape_pool);
  for (std::uint32_t i = 0; i < world.shape_pool.slot_count(); ++i) {
    if (world.shape_pool.is_alive_index(i)) visit_shape(archive, world.shapes[i]);
  }
}

template <typename Archive>
void visit_joints(Archive& archive, const WorldState& world) {
  visit_pool(archive, world.joint_pool);
  for (std::uint32_t i = 0; i < world.joint_pool.slot_count(); ++i) {
    if (world.joint_pool.is_alive_index(i)) visit_joint(archive, world.joints[i]);
  }
}

bool has_fields(const WorldState& world) {
  if (world.field_pool.slot_count() > 0) return true;
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (world.body_pool.is_alive_index(i) && has_field_traits(world.bodies[i])) return true;
  }
  return false;
}

template <typename Archive>
void visit_fields(Archive& archive, const WorldState& world) {
  visit_pool(archive, world.field_pool);
  for (std::uint32_t i = 0; i < world.field_pool.slot_count(); ++i) {
    if (world.field_pool.is_alive_index(i)) visit_field(archive, world.fields[i]);
  }
  std::vector<std::uint32_t> slots;
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (world.body_pool.is_alive_index(i) && has_field_traits(world.bodies[i])) slots.push_back(i);
  }
  archive(static_cast<std::uint32_t>(slots.size()));
  for (const std::uint32_t slot : slots) {
    archive(slot);
    visit_field_traits(archive, world.bodies[slot]);
  }
}

template <typename Archive>
void visit_islands(Archive& archive, const WorldState& world) {
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (world.body_pool.is_alive_index(i)) visit_sleep(archive, world.bodies[i]);
  }
}

/// In the order in which they will be reported: that in which a body's contacts are linked is not
/// state.
template <typename Archive>
void visit_pending_ends(Archive& archive, const WorldState& world) {
  std::vector<ContactEnd> ends = world.pending_ends;
  sort_ends(ends);
  archive(static_cast<std::uint32_t>(ends.size()));
  for (const ContactEnd& end : ends) {
    visit_handle(archive, end.a);
    visit_handle(archive, end.b);
  }
}

template <typename Archive>
void visit_contacts(Archive& archive, const WorldState& world) {
  std::vector<ListedContact> order;
  order.reserve(world.contact_count);
  for (std::uint32_t i = 0; i < world.contacts.size(); ++i) {
    const Contact& contact = world.contacts[i];
    if (!contact.is_dead) order.push_back({pair_key(contact.shape_a, contact.shape_b), i});
  }
  std::sort(order.begin(), order.end(),
            [](const ListedContact& x, const ListedContact& y) { return x.key < y.key; });
  archive(static_cast<std::uint32_t>(order.size()));
  for (const ListedContact& entry : order) {
    const Contact& contact = world.contacts[entry.index];
    const std::uint32_t manifolds = manifold_count(contact);
    visit_contact(archive, contact, manifolds);
    for (std::uint32_t i = 0; i < manifolds; ++i)
      visit_manifold(archive, manifold_at(contact, i));
  }
  const auto has_axis = [&](const ListedPair& pair) {
    const std::uint32_t flags =
        world.bounds[pair.shape_a()].flags | world.bounds[pair.shape_b()].flags;
    return pair.contact == no_index && pair.axis != math::Vec3{} &&
           (flags & ShapeBounds::gone) == 0;
  };
  archive(
      static_cast<std::uint32_t>(std::count_if(world.pairs.begin(), world.pairs.end(), has_axis)));
  for (const ListedPair& pair : world.pairs) {
    if (has_axis(pair)) visit_axis(archive, pair);
  }
  visit_pending_ends(archive, world);
}

/// Who is inside of each sensor, and what is to be reported.
template <typename Archive>
void visit_sensors(Archive& archive, const WorldState& world) {
  for (const SensorRecord& sensor : world.sensors) {
    archive(static_cast<std::uint32_t>(sensor.inside.size()));
    for (const ShapeHandle visitor : sensor.inside)
      visit_handle(archive, visitor);
  }
  std::vector<SensorEnd> ends = world.pending_sensor_ends;
  sort_ends(ends);
  archive(static_cast<std::uint32_t>(ends.size()));
  for (const SensorEnd& end : ends) {
    visit_handle(archive, end.sensor);
    visit_handle(archive, end.visitor);
  }
}

bool any_integrator(const WorldState& world) {
  if (!world.has_integrators) return false;
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (world.body_pool.is_alive_index(i) && world.bodies[i].integrator != 0) return true;
  }
  return false;
}

/// The bodies that name an integrator, by slot.
template <typename Archive>
void visit_integrators(Archive& archive, const WorldState& world) {
  std::vector<std::uint32_t> slots;
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (world.body_pool.is_alive_index(i) && world.bodies[i].integrator != 0) slots.push_back(i);
  }
  archive(static_cast<std::uint32_t>(slots.size()));
  for (const std::uint32_t slot : slots) {
    archive(slot);
    archive(std::uint32_t{world.bodies[slot].integrator});
  }
}

template <typename Archive>
void visit_particles(Archive& archive, const WorldState& world) {
  visit_pool(archive, world.particle_pool);
  for (std::uint32_t i = 0; i < world.particle_pool.slot_count(); ++i) {
    if (!world.particle_pool.is_alive_index(i)) continue;
    const ParticleSet& set = world.particle_sets[i];
    visit_particle_set(archive, set);
    archive(static_cast<std::uint32_t>(set.emitters.size()));
    for (const Emitter& emitter : set.def.emitters)
      visit_emitter(archive, emitter);
    for (const EmitterState& state : set.emitters)
      visit_emitter_state(archive, state);
    archive(static_cast<std::uint32_t>(set.size()));
    for (std::size_t k = 0; k < set.size(); ++k)
      visit_particle(archive, set, k);
  }
}

}  // namespace

void World::save(base::ByteWriter& writer) const {
  base::ByteWriter payload;
  WritingArchive archive(payload);
  visit_options(archive, state_->options);
  visit_bodies(archive, *state_);
  visit_shapes(archive, *state_);
  visit_islands(archive, *state_);
  visit_joints(archive, *state_);
  visit_contacts(archive, *state_);
  visit_fields(archive, *state_);
  visit_sensors(archive, *state_);
  visit_particles(archive, *state_);
  visit_integrators(archive, *state_);

  writer.u32(save_magic);
  writer.u32(save_version);
  writer.u64(payload.size());
  writer.u64(base::hash_bytes(payload.bytes()));
  writer.raw(payload.bytes());
}

StateHash World::hash() const {
  HashingArchive bodies, shapes, islands, joints, contacts, options;
  visit_bodies(bodies, *state_);
  visit_shapes(shapes, *state_);
  visit_islands(islands, *state_);
  visit_joints(joints, *state_);
  visit_contacts(contacts, *state_);
  // Worlds without sensors keep the hashes that are known of them.
  if (!state_->sensors.empty() || !state_->pending_sensor_ends.empty())
    visit_sensors(contacts, *state_);
  visit_options(options, state_->options);
  if (any_integrator(*state_)) visit_integrators(bodies, *state_);

  StateHash hash;
  hash.bodies = bodies.finish();
  hash.shapes = shapes.finish();
  hash.contacts = contacts.finish();
  hash.islands = islands.finish();
  hash.joints = joints.finish();
  base::Hasher total(options.finish());
  total.add(hash.bodies);
  total.add(hash.shapes);
  total.add(hash.contacts);
  total.add(hash.islands);
  total.add(hash.joints);
  // Worlds without fields keep the hashes that their recordings name.
  if (has_fields(*state_)) {
    HashingArchive fields;
    visit_fields(fields, *state_);
    hash.fields = fields.finish();
    total.add(hash.fields);
  }
  if (state_->particle_pool.slot_count() > 0) {
    HashingArchive particles;
    visit_particles(particles, *state_);
    hash.particles = particles.finish();
    total.add(hash.particles);
  }
  hash.total = total.finish();
  return hash;
}

}  // namespace jostle::physics
