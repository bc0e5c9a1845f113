#include "protocol/world_codec.h"

#include "protocol/detail/checks.h"
#include "protocol/detail/identifiers.h"
#include "protocol/detail/message_bytes.h"
#include "protocol/detail/solid_codec.h"
#include "protocol/detail/verified_root.h"
#include "protocol/detail/world_change.h"
#include "protocol/limits.h"
#include "protocol/schema/world_generated.h"
#include "protocol/text.h"
#include "shared/base/assert.h"
#include "shared/base/hash.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace jostle::protocol {
namespace {

using flatbuffers::FlatBufferBuilder;
using state::BodyInfo;

/// Flag in a shape reference: the shape has its own pose in the body's frame.
constexpr std::uint32_t has_local = 1U << 31;
constexpr std::size_t plain_shape_blob_bytes = 128;

Blob to_blob(const FlatBufferBuilder& builder) {
  std::vector<std::byte> bytes = detail::to_bytes(builder);
  const std::uint64_t hash = base::hash_bytes(bytes);
  return {hash, std::move(bytes)};
}

wire::Point to_wire(const math::Position& p) {
  return {p.x, p.y, p.z};
}
math::Position from_wire(const wire::Point& p) {
  return {p.x(), p.y(), p.z()};
}
wire::Rotation to_wire(const math::Quat& q) {
  return {q.x, q.y, q.z, q.w};
}
math::Quat from_wire(const wire::Rotation& q) {
  return {q.x(), q.y(), q.z(), q.w()};
}
wire::Shape to_wire(const state::Shape& shape) {
  return {static_cast<std::uint32_t>(shape.kind),
          shape.radius,
          shape.half_segment,
          shape.half_extents.x,
          shape.half_extents.y,
          shape.half_extents.z};
}
state::Shape from_wire(const wire::Shape& source) {
  state::Shape shape;
  // Clamp, so that larger values do not wrap around to a valid kind.
  shape.kind = static_cast<state::ShapeKind>(std::min<std::uint32_t>(source.kind(), 255));
  shape.radius = source.radius();
  shape.half_segment = source.half_segment();
  shape.half_extents = {source.half_extent_x(), source.half_extent_y(), source.half_extent_z()};
  return shape;
}

/// The distinct shapes of a message, in order of first use.
class ShapeTable {
 public:
  std::uint32_t index_of(const state::Shape& shape) {
    const Numbers numbers{
        static_cast<float>(shape.kind), shape.radius,         shape.half_segment,
        shape.half_extents.x,           shape.half_extents.y, shape.half_extents.z};
    const Key key{numbers, shape.solid ? shape.solid->content_hash : 0};
    const auto next = static_cast<std::uint32_t>(shapes_.size());
    const auto [entry, is_new] = indices_.try_emplace(key, next);
    if (is_new) shapes_.push_back(shape);
    return entry->second;
  }
  const std::vector<state::Shape>& shapes() const { return shapes_; }

 private:
  using Numbers = std::array<float, 6>;  // finite, because the world was checked before
  using Key = std::pair<Numbers, std::uint64_t>;

  std::map<Key, std::uint32_t> indices_;
  std::vector<state::Shape> shapes_;
};

flatbuffers::Offset<wire::Bodies> write_bodies(FlatBufferBuilder& builder,
                                               const std::vector<BodyInfo>& bodies,
                                               ShapeTable& shapes) {
  std::vector<wire::Body> heads;
  std::vector<std::uint32_t> references;
  std::vector<wire::Local> locals;
  std::string names;
  heads.reserve(bodies.size());
  for (const BodyInfo& body : bodies) {
    const std::string name = to_wire_text(body.name, max_name_bytes);
    heads.emplace_back(to_wire(body.pose.position), to_wire(body.pose.rotation), body.id.value,
                       body.owner.value, static_cast<std::uint16_t>(body.shapes.size()),
                       static_cast<std::uint8_t>(body.motion), body.grabbable ? 1 : 0,
                       body.colour.red, body.colour.green, body.colour.blue,
                       static_cast<std::uint8_t>(name.size()));
    names += name;
    for (const state::BodyShape& shape : body.shapes) {
      const bool is_placed = !(shape.local == math::Transform{});
      references.push_back(shapes.index_of(shape.shape) | (is_placed ? has_local : 0));
      if (!is_placed) continue;
      locals.emplace_back(shape.local.offset.x, shape.local.offset.y, shape.local.offset.z,
                          to_wire(shape.local.rotation));
    }
  }
  const auto heads_at = builder.CreateVectorOfStructs(heads);
  const auto references_at = builder.CreateVector(references);
  const auto locals_at = builder.CreateVectorOfStructs(locals);
  const auto names_at =
      builder.CreateVector(reinterpret_cast<const std::uint8_t*>(names.data()), names.size());
  return wire::CreateBodies(builder, heads_at, references_at, locals_at, names_at);
}

/// A reader of the bodies in the lists of a verified message, whose pointers may be null. `Shapes`
/// is a function that returns the shape at an index, or null.
template <typename Shapes>
class BodySource {
 public:
  BodySource(const wire::Bodies& source, const Shapes& shapes) : source_(source), shapes_(shapes) {}

  base::Result<std::vector<BodyInfo>, DecodeError> take_all() {
    if (!detail::is_aligned_to_eight(source_.bodies())) return DecodeError::Malformed;
    std::vector<BodyInfo> bodies;
    const std::size_t count = size(source_.bodies());
    if (count > max_bodies || size(source_.shape_references()) > max_body_shapes)
      return DecodeError::OutOfRange;
    bodies.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      bodies.emplace_back();
      if (!take(*source_.bodies()->Get(i), bodies.back())) return DecodeError::OutOfRange;
    }
    if (next_reference_ != size(source_.shape_references()) ||
        next_local_ != size(source_.locals()) || next_name_ != size(source_.names()))
      return DecodeError::Malformed;
    return bodies;
  }

 private:
  template <typename List>
  static std::size_t size(const List* list) {
    return list == nullptr ? 0 : list->size();
  }

  bool take(const wire::Body& source, BodyInfo& body) {
    body.id = {source.id()};
    body.motion = static_cast<state::MotionType>(source.motion());
    body.pose = {from_wire(source.position()), from_wire(source.rotation())};
    body.colour = {source.red(), source.green(), source.blue()};
    body.owner = {source.owner()};
    if (source.is_grabbable() > 1) return false;
    body.grabbable = source.is_grabbable() == 1;
    return take_shapes(source.shape_count(), body) && take_name(source.name_bytes(), body);
  }

  bool take_shapes(std::size_t count, BodyInfo& body) {
    if (count > max_shapes_per_body || count > size(source_.shape_references()) - next_reference_)
      return false;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t reference =
          source_.shape_references()->Get(static_cast<std::uint32_t>(next_reference_++));
      const state::Shape* shape = shapes_(reference & ~has_local);
      if (shape == nullptr) return false;
      body.shapes.push_back({*shape, {}});
      if ((reference & has_local) == 0) continue;
      if (next_local_ >= size(source_.locals())) return false;
      const wire::Local& local = *source_.locals()->Get(static_cast<std::uint32_t>(next_local_++));
      body.shapes.back().local = {{local.offset_x(), local.offset_y(), local.offset_z()},
                                  from_wire(local.rotation())};
    }
    return true;
  }

  bool take_name(std::size_t bytes, BodyInfo& body) {
    if (bytes > size(source_.names()) - next_name_) return false;
    if (bytes == 0) return true;
    const auto* data = reinterpret_cast<const char*>(source_.names()->data());
    body.name.assign(data + next_name_, bytes);
    next_name_ += bytes;
    return is_wire_text(body.name, max_name_bytes);
  }

  const wire::Bodies& source_;
  const Shapes& shapes_;
  std::size_t next_reference_ = 0, next_local_ = 0, next_name_ = 0;
};

/// Reads the solid of a shape. The solid must be present if the kind of shape has one, and absent
/// otherwise.
std::optional<DecodeError> take_solid(const wire::Solid* source, state::Shape& shape) {
  if (state::has_solid(shape.kind) != (source != nullptr)) return DecodeError::Malformed;
  if (source == nullptr) return std::nullopt;
  auto solid = detail::read_solid(*source, shape.kind);
  if (!solid) return solid.error();
  shape.solid = *std::move(solid);
  return std::nullopt;
}

constexpr detail::TableLimits world_limits{.max_depth = 3, .max_tables = 2 + max_change_solids};

}  // namespace

Blob encode_shape(const state::Shape& shape) {
  JOSTLE_ASSERT(!detail::check(shape));
  FlatBufferBuilder builder(plain_shape_blob_bytes);
  const wire::Shape content = to_wire(shape);
  flatbuffers::Offset<wire::Solid> solid;
  if (shape.solid) solid = detail::write_solid(builder, *shape.solid);
  builder.Finish(wire::CreateShapeBlob(builder, &content, solid), detail::shape_identifier);
  return to_blob(builder);
}

base::Result<state::Shape, DecodeError> decode_shape(std::span<const std::byte> bytes) {
  if (bytes.size() > max_blob_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes message(bytes);
  const auto* source = detail::verified_root<wire::ShapeBlob>(
      message, bytes.size(), detail::shape_identifier, world_limits);
  if (source == nullptr || source->shape() == nullptr) return DecodeError::Malformed;
  state::Shape shape = from_wire(*source->shape());
  if (const auto fault = take_solid(source->solid(), shape)) return *fault;
  if (const auto fault = detail::check(shape)) return *fault;
  return shape;
}

EncodedWorld encode_world(const state::WorldDef& world) {
  JOSTLE_ASSERT(!detail::check(world));
  EncodedWorld encoded;
  FlatBufferBuilder builder;
  ShapeTable shapes;
  const auto bodies = write_bodies(builder, world.bodies, shapes);
  std::vector<std::uint64_t> hashes;
  for (const state::Shape& shape : shapes.shapes()) {
    encoded.shapes.push_back(encode_shape(shape));
    hashes.push_back(encoded.shapes.back().content_hash);
  }
  const auto hashes_at = builder.CreateVector(hashes);
  const auto name = builder.CreateString(to_wire_text(world.scene_name, max_name_bytes));
  const wire::Camera camera(to_wire(world.camera.eye), to_wire(world.camera.target));
  builder.Finish(wire::CreateWorld(builder, world.revision, name, &camera, hashes_at, bodies),
                 detail::world_identifier);
  encoded.world = to_blob(builder);
  JOSTLE_ASSERT(encoded.world.bytes.size() <= max_blob_bytes);
  return encoded;
}

base::Result<std::vector<std::uint64_t>, DecodeError> shapes_needed(
    std::span<const std::byte> world_blob) {
  if (world_blob.size() > max_blob_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes message(world_blob);
  const auto* source = detail::verified_root<wire::World>(message, world_blob.size(),
                                                          detail::world_identifier, world_limits);
  if (source == nullptr || source->shape_hashes() == nullptr ||
      !detail::is_aligned_to_eight(source->shape_hashes()))
    return DecodeError::Malformed;
  if (source->shape_hashes()->size() > max_body_shapes) return DecodeError::OutOfRange;
  return std::vector<std::uint64_t>(source->shape_hashes()->begin(), source->shape_hashes()->end());
}

base::Result<state::WorldDef, DecodeError> decode_world(std::span<const std::byte> world_blob,
                                                        const ShapeLookup& shape) {
  if (world_blob.size() > max_blob_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes message(world_blob);
  const auto* source = detail::verified_root<wire::World>(message, world_blob.size(),
                                                          detail::world_identifier, world_limits);
  if (source == nullptr || source->scene_name() == nullptr || source->camera() == nullptr ||
      source->shape_hashes() == nullptr || source->bodies() == nullptr ||
      !detail::is_aligned_to_eight(source->shape_hashes()))
    return DecodeError::Malformed;

  state::WorldDef world;
  world.revision = source->revision();
  world.scene_name.assign(source->scene_name()->c_str(), source->scene_name()->size());
  if (!is_wire_text(world.scene_name, max_name_bytes)) return DecodeError::OutOfRange;
  world.camera = {from_wire(source->camera()->eye()), from_wire(source->camera()->target())};
  if (source->shape_hashes()->size() > max_body_shapes) return DecodeError::OutOfRange;
  std::vector<const state::Shape*> shapes;
  for (const std::uint64_t hash : *source->shape_hashes()) {
    shapes.push_back(shape(hash));
    if (shapes.back() == nullptr) return DecodeError::Malformed;
  }
  const auto shape_at = [&](std::uint32_t index) {
    return index < shapes.size() ? shapes[index] : nullptr;
  };
  auto bodies = BodySource(*source->bodies(), shape_at).take_all();
  if (!bodies) return bodies.error();
  world.bodies = std::move(*bodies);
  if (const auto fault = detail::check(world)) return *fault;
  return world;
}

namespace detail {

std::vector<std::byte> encode_world_change(const state::WorldChange& change) {
  JOSTLE_ASSERT(!check(change));
  FlatBufferBuilder builder;
  ShapeTable shapes;
  const auto spawns = write_bodies(builder, change.spawns, shapes);
  std::vector<wire::Shape> wire_shapes;
  std::vector<flatbuffers::Offset<wire::Solid>> solids;
  for (const state::Shape& shape : shapes.shapes()) {
    wire_shapes.push_back(to_wire(shape));
    if (shape.solid) solids.push_back(detail::write_solid(builder, *shape.solid));
  }
  std::vector<std::uint32_t> despawns;
  for (const state::BodyId id : change.despawns)
    despawns.push_back(id.value);
  const auto shapes_at = builder.CreateVectorOfStructs(wire_shapes);
  const auto despawns_at = builder.CreateVector(despawns);
  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<wire::Solid>>> solids_at;
  if (!solids.empty()) solids_at = builder.CreateVector(solids);
  builder.Finish(
      wire::CreateWorldChange(builder, change.revision, despawns_at, shapes_at, spawns, solids_at),
      detail::change_identifier);
  return detail::to_bytes(builder);
}

bool is_world_change(std::span<const std::byte> bytes) {
  constexpr std::size_t identifier_end = 8;
  return bytes.size() >= identifier_end &&
         flatbuffers::BufferHasIdentifier(bytes.data(), detail::change_identifier);
}

base::Result<state::WorldChange, DecodeError> decode_world_change(
    std::span<const std::byte> bytes) {
  if (bytes.size() > max_blob_bytes) return DecodeError::TooLarge;
  const AlignedBytes message(bytes);
  const auto* source = detail::verified_root<wire::WorldChange>(
      message, bytes.size(), detail::change_identifier, world_limits);
  if (source == nullptr || source->despawns() == nullptr || source->shapes() == nullptr ||
      source->spawns() == nullptr)
    return DecodeError::Malformed;

  state::WorldChange change;
  change.revision = source->revision();
  for (const std::uint32_t id : *source->despawns())
    change.despawns.push_back({id});
  std::vector<state::Shape> shapes;
  const std::uint32_t solid_count = source->solids() == nullptr ? 0 : source->solids()->size();
  std::uint32_t next_solid = 0;
  for (const wire::Shape* wire_shape : *source->shapes()) {
    state::Shape& shape = shapes.emplace_back(protocol::from_wire(*wire_shape));
    if (!state::has_solid(shape.kind)) continue;
    if (next_solid == solid_count) return DecodeError::Malformed;
    if (const auto fault = take_solid(source->solids()->Get(next_solid++), shape)) return *fault;
  }
  if (next_solid != solid_count) return DecodeError::Malformed;
  const auto shape_at = [&](std::uint32_t index) -> const state::Shape* {
    return index < shapes.size() ? &shapes[index] : nullptr;
  };
  auto spawns = BodySource(*source->spawns(), shape_at).take_all();
  if (!spawns) return spawns.error();
  change.spawns = std::move(*spawns);
  if (const auto fault = check(change)) return *fault;
  return change;
}

}  // namespace detail
}  // namespace jostle::protocol
