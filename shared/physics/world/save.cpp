#include "shared/base/assert.h"
#include "shared/base/hash.h"
#include "shared/physics/detail/state_walk.h"
#include "shared/physics/world.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::physics {
namespace {

class WritingArchive {
 public:
  explicit WritingArchive(base::ByteWriter& writer) : writer_(writer) {}

  void begin(std::uint64_t) {}
  void end() {}
  void operator()(base::FieldName, bool value) { writer_.boolean(value); }
  void flags(const char*, std::uint8_t value, std::uint8_t) { writer_.u8(value); }
  void operator()(base::FieldName, std::int32_t value) { writer_.i32(value); }
  void operator()(base::FieldName, std::uint32_t value) { writer_.u32(value); }
  void operator()(base::FieldName, std::uint64_t value) { writer_.u64(value); }
  void operator()(base::FieldName, float value) { writer_.f32(value); }
  void operator()(base::FieldName, double value) { writer_.f64(value); }
  template <typename Enum>
  void enumerator(const char*, Enum value, std::uint8_t) {
    writer_.u8(static_cast<std::uint8_t>(value));
  }
  void solid(const char*, const std::shared_ptr<const state::Solid>& solid) {
    writer_.u64(solid->content_hash);
  }

 private:
  base::ByteWriter& writer_;
};

class HashingArchive {
 public:
  void begin(std::uint64_t) {}
  void end() {}
  void operator()(base::FieldName, bool value) { hasher_.add(value); }
  void flags(const char*, std::uint8_t value, std::uint8_t) { hasher_.add(value); }
  void operator()(base::FieldName, std::int32_t value) { hasher_.add(value); }
  void operator()(base::FieldName, std::uint32_t value) { hasher_.add(value); }
  void operator()(base::FieldName, std::uint64_t value) { hasher_.add(value); }
  // Between two stages of a step, a body that the step will quarantine may have values that are
  // NaN. Their bits differ between machines, so all count as the same NaN.
  void operator()(base::FieldName, float value) {
    hasher_.add(std::isnan(value) ? nan_bits : std::bit_cast<std::uint32_t>(value));
  }
  void operator()(base::FieldName, double value) {
    hasher_.add(std::isnan(value) ? std::uint64_t{nan_bits} : std::bit_cast<std::uint64_t>(value));
  }
  template <typename Enum>
  void enumerator(const char*, Enum value, std::uint8_t) {
    hasher_.add(static_cast<std::uint8_t>(value));
  }
  void solid(const char*, const std::shared_ptr<const state::Solid>& solid) {
    hasher_.add(solid->content_hash);
  }
  std::uint64_t finish() const { return hasher_.finish(); }

 private:
  static constexpr std::uint32_t nan_bits = 0x7FC00000U;

  base::Hasher hasher_;
};

/// Archive that writes a save in which the lowest bit of one number of one body is flipped.
class NudgingArchive {
 public:
  NudgingArchive(base::ByteWriter& writer, std::uint32_t body, std::string_view field)
      : write_(writer), body_(body), field_(field) {}

  void begin(std::uint64_t owner) { is_in_body_ = owner == body_; }
  void end() { is_in_body_ = false; }
  void operator()(base::FieldName name, bool value) { write_(name, is_it(name) ? !value : value); }
  void operator()(base::FieldName name, float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    write_(name, is_it(name) ? std::bit_cast<float>(bits ^ 1U) : value);
  }
  void operator()(base::FieldName name, double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    write_(name, is_it(name) ? std::bit_cast<double>(bits ^ 1U) : value);
  }
  template <typename Whole>
  void operator()(base::FieldName name, Whole value) {
    write_(name, is_it(name) ? static_cast<Whole>(value ^ 1) : value);
  }
  void flags(const char* name, std::uint8_t value, std::uint8_t known) {
    write_.flags(name, value, known);
  }
  template <typename Enum>
  void enumerator(const char* name, Enum value, std::uint8_t count) {
    write_.enumerator(name, value, count);
  }
  void solid(const char* name, const std::shared_ptr<const state::Solid>& solid) {
    write_.solid(name, solid);
  }
  bool has_flipped_bit() const { return has_flipped_bit_; }

 private:
  bool is_it(base::FieldName name) {
    if (!is_in_body_ || has_flipped_bit_) return false;
    std::string text = name.name;
    if (name.part != nullptr) text.append(".").append(name.part);
    has_flipped_bit_ = text == field_;
    return has_flipped_bit_;
  }

  WritingArchive write_;
  std::uint32_t body_;
  std::string_view field_;
  bool is_in_body_ = false, has_flipped_bit_ = false;
};

void write_save(base::ByteWriter& writer, std::span<const std::byte> payload) {
  writer.u32(save_magic);
  writer.u32(save_version);
  writer.u64(payload.size());
  writer.u64(base::hash_bytes(payload));
  writer.raw(payload);
}

/// The hashes of parts that are computed in one loop.
struct HashedParts {
  HashingArchive bodies, shapes, islands, contacts;
};

/// Hashes bodies, shapes, sleep states and contacts, as visit_bodies() and the like do one after
/// the other. Each step of a hash waits for the step before it, so a processor computes several
/// hashes in the time of one if their steps alternate.
[[gnu::flatten]] HashedParts hash_parts(const WorldState& world,
                                        const std::vector<ListedContact>& order) {
  HashingArchive bodies, shapes, islands, contacts;
  visit_pool(bodies, world.body_pool);
  visit_pool(shapes, world.shape_pool);
  contacts("contacts", static_cast<std::uint32_t>(order.size()));
  const std::uint32_t body_slots = world.body_pool.slot_count();
  const std::uint32_t shape_slots = world.shape_pool.slot_count();
  const auto contact_count = static_cast<std::uint32_t>(order.size());
  const std::uint32_t last = std::max({body_slots, shape_slots, contact_count});
  for (std::uint32_t i = 0; i < last; ++i) {
    if (i < body_slots && world.body_pool.is_alive_index(i)) {
      visit_body_slot(bodies, world, i);
      islands.begin(i);
      visit_sleep(islands, world.bodies[i]);
    }
    if (i < shape_slots && world.shape_pool.is_alive_index(i)) {
      shapes.begin(i);
      visit_shape(shapes, world.shapes[i]);
    }
    if (i < contact_count) visit_listed_contact(contacts, world, order[i]);
  }
  return {bodies, shapes, islands, contacts};
}

/// Visits the parts of a save that follow the bodies, shapes and sleep states.
template <typename Archive>
void visit_rest(Archive& archive, const WorldState& world) {
  visit_joints(archive, world);
  visit_contacts(archive, world);
  visit_fields(archive, world);
  visit_sensors(archive, world);
  visit_particles(archive, world);
  visit_integrators(archive, world);
  visit_materials(archive, world);
}

}  // namespace

void World::save(base::ByteWriter& writer) const {
  base::ByteWriter payload;
  WritingArchive archive(payload);
  visit_options(archive, state_->options);
  visit_bodies(archive, *state_);
  visit_shapes(archive, *state_);
  visit_islands(archive, *state_);
  visit_rest(archive, *state_);
  write_save(writer, payload.bytes());
}

bool World::flip_lowest_bit(BodyHandle body, std::string_view field) {
  if (!is_alive(body)) return false;
  base::ByteWriter payload;
  NudgingArchive nudging(payload, body.index, field);
  WritingArchive plain(payload);
  visit_options(plain, state_->options);
  visit_bodies(nudging, *state_);
  visit_shapes(plain, *state_);
  visit_islands(nudging, *state_);
  visit_rest(plain, *state_);
  if (!nudging.has_flipped_bit()) return false;
  base::ByteWriter saved;
  write_save(saved, payload.bytes());
  base::ByteReader reader(saved.bytes());
  return restore(reader).has_value();
}

std::uint64_t World::hash(BodyHandle body) const {
  JOSTLE_ASSERT(is_alive(body));
  HashingArchive archive;
  visit_body(archive, state_->bodies[body.index]);
  visit_sleep(archive, state_->bodies[body.index]);
  return archive.finish();
}

StateHash World::hash() const {
  auto [bodies, shapes, islands, contacts] = hash_parts(*state_, contacts_by_key(*state_));
  HashingArchive joints, options;
  visit_axes_and_ends(contacts, *state_);
  visit_joints(joints, *state_);
  // Worlds without sensors skip this part, so that their recorded hashes stay valid.
  if (!state_->sensors.empty() || !state_->pending_sensor_ends.empty())
    visit_sensors(contacts, *state_);
  visit_options(options, state_->options);
  // Worlds without rarely used material values or without integrators skip these parts, so that
  // their recorded hashes stay valid.
  if (any_material(*state_)) visit_materials(shapes, *state_);
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
  // Worlds without fields skip this part, so that their recorded hashes stay valid.
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
