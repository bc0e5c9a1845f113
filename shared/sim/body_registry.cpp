#include "shared/sim/body_registry.h"

#include "shared/base/assert.h"
#include "shared/base/hash.h"
#include "shared/sim/instantiate.h"
#include "shared/sim/state_bytes.h"

#include <algorithm>
#include <utility>

namespace jostle::sim {
namespace {

constexpr std::size_t max_saved_name_bytes = 256;

void write_info(base::ByteWriter& writer, const state::BodyInfo& info) {
  writer.u32(info.id.value);
  writer.u8(static_cast<std::uint8_t>(info.motion));
  write_pose(writer, info.pose);
  writer.u32(static_cast<std::uint32_t>(info.shapes.size()));
  for (const state::BodyShape& shape : info.shapes) {
    writer.u8(static_cast<std::uint8_t>(shape.shape.kind));
    writer.f32(shape.shape.radius);
    writer.f32(shape.shape.half_segment);
    write_vec3(writer, shape.shape.half_extents);
    if (shape.shape.solid) writer.u64(shape.shape.solid->content_hash);
    write_vec3(writer, shape.local.offset);
    write_quat(writer, shape.local.rotation);
  }
  writer.u8(info.colour.red);
  writer.u8(info.colour.green);
  writer.u8(info.colour.blue);
  writer.u16(info.owner.value);
  writer.boolean(info.grabbable);
  writer.text(info.name);
}

state::BodyInfo read_info(base::ByteReader& reader, const physics::World& world) {
  state::BodyInfo info;
  info.id.value = reader.u32();
  const std::uint8_t motion = reader.u8();
  if (motion >= state::motion_type_count) reader.fail();
  info.motion = static_cast<state::MotionType>(motion);
  info.pose = read_pose(reader);
  constexpr std::size_t shape_bytes = 1 + 4 + 4 + 12 + 12 + 16;
  const std::uint32_t shape_count = reader.count(shape_bytes);
  for (std::uint32_t i = 0; i < shape_count; ++i) {
    state::BodyShape shape;
    const std::uint8_t kind = reader.u8();
    if (kind >= state::shape_kind_count) reader.fail();
    shape.shape.kind = static_cast<state::ShapeKind>(kind);
    shape.shape.radius = reader.f32();
    shape.shape.half_segment = reader.f32();
    shape.shape.half_extents = read_vec3(reader);
    if (reader.ok() && state::has_solid(shape.shape.kind)) {
      shape.shape.solid = world.find_solid(reader.u64());
      if (!shape.shape.solid || state::solid(shape.shape.solid).kind != shape.shape.kind)
        reader.fail();
    }
    shape.local.offset = read_vec3(reader);
    shape.local.rotation = read_quat(reader);
    info.shapes.push_back(shape);
  }
  info.colour.red = reader.u8();
  info.colour.green = reader.u8();
  info.colour.blue = reader.u8();
  info.owner.value = reader.u16();
  info.grabbable = reader.boolean();
  info.name = reader.text(max_saved_name_bytes);
  return info;
}

}  // namespace

state::BodyId BodyRegistry::spawn(physics::World& world, const scene::SceneBody& body,
                                  state::PlayerId owner) {
  const state::BodyId id{next_id_++};
  handles_.push_back(instantiate(world, body, id));
  def_.bodies.push_back(describe(body, id, owner));
  return id;
}

void BodyRegistry::despawn(physics::World& world, state::BodyId id) {
  const std::size_t index = index_of(id);
  JOSTLE_ASSERT(index < handles_.size());
  world.destroy_body(handles_[index]);
  handles_.erase(handles_.begin() + static_cast<std::ptrdiff_t>(index));
  def_.bodies.erase(def_.bodies.begin() + static_cast<std::ptrdiff_t>(index));
  // Clients are not informed of bodies that were created and removed within one tick.
  if (id.value < first_id_of_tick_) despawned_.push_back(id);
}

void BodyRegistry::teleport(physics::World& world, physics::BodyHandle body,
                            const math::Pose& pose) {
  world.set_pose(body, pose);
  const state::BodyId id = id_of(world, body);
  const auto place = std::lower_bound(teleported_.begin(), teleported_.end(), id);
  if (place == teleported_.end() || *place != id) teleported_.insert(place, id);
}

void BodyRegistry::clear() {
  teleported_.clear();
  for (const state::BodyInfo& info : def_.bodies) {
    if (info.id.value < first_id_of_tick_) despawned_.push_back(info.id);
  }
  def_.bodies.clear();
  handles_.clear();
}

void BodyRegistry::adopt(BodyRegistry&& other) {
  JOSTLE_ASSERT(other.def_.bodies.empty() || other.def_.bodies.front().id.value >= next_id_);
  clear();
  def_.bodies = std::move(other.def_.bodies);
  handles_ = std::move(other.handles_);
  next_id_ = other.next_id_;
}

std::optional<physics::BodyHandle> BodyRegistry::find(state::BodyId id) const {
  const std::size_t index = index_of(id);
  if (index == handles_.size()) return std::nullopt;
  return handles_[index];
}

physics::BodyHandle BodyRegistry::handle(state::BodyId id) const {
  const std::size_t index = index_of(id);
  JOSTLE_ASSERT(index < handles_.size());
  return handles_[index];
}

const state::BodyInfo* BodyRegistry::info(state::BodyId id) const {
  const std::size_t index = index_of(id);
  return index == handles_.size() ? nullptr : &def_.bodies[index];
}

state::BodyId BodyRegistry::id_of(const physics::World& world, physics::BodyHandle body) {
  return {static_cast<std::uint32_t>(world.user_data(body))};
}

void BodyRegistry::begin_tick() {
  despawned_.clear();
  teleported_.clear();
  first_id_of_tick_ = next_id_;
}

std::optional<state::WorldChange> BodyRegistry::end_tick(bool is_new_world) {
  if (!is_new_world && despawned_.empty() && next_id_ == first_id_of_tick_) return std::nullopt;
  state::WorldChange change;
  change.revision = ++def_.revision;
  change.despawns = despawned_;
  std::sort(change.despawns.begin(), change.despawns.end());
  for (const state::BodyInfo& info : def_.bodies) {
    if (info.id.value >= first_id_of_tick_) change.spawns.push_back(info);
  }
  update_hash();
  return change;
}

std::size_t BodyRegistry::index_of(state::BodyId id) const {
  const auto it = std::lower_bound(
      def_.bodies.begin(), def_.bodies.end(), id,
      [](const state::BodyInfo& info, state::BodyId wanted) { return info.id < wanted; });
  if (it == def_.bodies.end() || it->id != id) return def_.bodies.size();
  return static_cast<std::size_t>(it - def_.bodies.begin());
}

void BodyRegistry::update_hash() {
  base::ByteWriter writer;
  save(writer);
  hash_ = base::hash_bytes(writer.bytes());
}

void BodyRegistry::save(base::ByteWriter& writer) const {
  writer.u32(next_id_);
  writer.u32(def_.revision);
  writer.u32(static_cast<std::uint32_t>(def_.bodies.size()));
  for (std::size_t i = 0; i < def_.bodies.size(); ++i) {
    write_info(writer, def_.bodies[i]);
    writer.u32(handles_[i].index);
    writer.u32(handles_[i].generation);
  }
}

void BodyRegistry::restore(base::ByteReader& reader, const physics::World& world) {
  def_.bodies.clear();
  handles_.clear();
  next_id_ = reader.u32();
  def_.revision = reader.u32();
  constexpr std::size_t min_body_bytes = 60;
  const std::uint32_t count = reader.count(min_body_bytes);
  for (std::uint32_t i = 0; i < count && reader.ok(); ++i) {
    state::BodyInfo info = read_info(reader, world);
    physics::BodyHandle handle;
    handle.index = reader.u32();
    handle.generation = reader.u32();
    if (!reader.ok()) return;
    const bool is_in_order = def_.bodies.empty() || def_.bodies.back().id < info.id;
    if (!is_in_order || info.id.value >= next_id_ || !world.is_alive(handle) ||
        world.user_data(handle) != info.id.value || world.motion_type(handle) != info.motion) {
      reader.fail();
      return;
    }
    def_.bodies.push_back(std::move(info));
    handles_.push_back(handle);
  }
  if (count != world.body_count()) reader.fail();
  begin_tick();
  update_hash();
}

}  // namespace jostle::sim
