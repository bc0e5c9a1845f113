#include "shared/character/character.h"

#include "shared/base/assert.h"
#include "shared/base/hash.h"

#include <algorithm>
#include <cmath>

namespace jostle::character {

using math::Vec3;

namespace {

bool is_between(float value, float low, float high) {
  return std::isfinite(value) && value >= low && value <= high;
}

void write(base::ByteWriter& writer, Vec3 v) {
  writer.f32(v.x);
  writer.f32(v.y);
  writer.f32(v.z);
}

void write(base::ByteWriter& writer, physics::BodyHandle body) {
  writer.u32(body.index);
  writer.u32(body.generation);
}

Vec3 read_vec3(base::ByteReader& reader) {
  Vec3 v;
  v.x = reader.f32();
  v.y = reader.f32();
  v.z = reader.f32();
  // Maximum length of a character's vectors. The square of this length is finite.
  constexpr float most = 1e9f;
  if (!is_finite(v) || length(v) > most) reader.fail();
  return v;
}

Vec3 read_unit(base::ByteReader& reader) {
  const Vec3 v = read_vec3(reader);
  constexpr float tolerance = 1e-4f;
  if (!(math::abs_of(length_squared(v) - 1.0f) < tolerance)) reader.fail();
  return v;
}

/// Reads the handle of one of `bodies`, or the null handle. Any other value fails the reader, and
/// the function returns the null handle.
physics::BodyHandle read_body(base::ByteReader& reader,
                              std::span<const physics::BodyHandle> bodies) {
  physics::BodyHandle body;
  body.index = reader.u32();
  body.generation = reader.u32();
  const bool is_null = body == physics::BodyHandle{};
  if (!is_null && std::find(bodies.begin(), bodies.end(), body) == bodies.end()) reader.fail();
  return reader.ok() ? body : physics::BodyHandle{};
}

}  // namespace

bool are_valid(const CharacterOptions& o) {
  constexpr float any = 1e9f;
  return is_between(o.radius, 0.05f, 10.0f) && is_between(o.height, 2.0f * o.radius, 100.0f) &&
         is_between(o.skin, 0.002f, 0.25f * o.radius) && is_between(o.max_slope, 0.0f, 1.5f) &&
         is_between(o.step_height, 0.0f, 0.5f * o.height) &&
         is_between(o.step_down, 0.0f, 0.5f * o.height) && is_between(o.gravity, 0.0f, 1e4f) &&
         is_between(o.jump_speed, 0.0f, 1e4f) && is_between(o.air_acceleration, 0.0f, 1e6f) &&
         is_between(o.mass, 1e-6f, any) && is_between(o.push_force, 0.0f, any);
}

state::Shape shape_of(const CharacterOptions& options) {
  return state::capsule(options.radius, math::max_of(0.5f * options.height - options.radius, 0.0f));
}

math::Pose pose_of(const Character& character) {
  // The shortest rotation from y to up is the normalised (y × up, 1 + y·up), unless they are
  // opposite.
  const Vec3 up = character.up;
  const float real = 1.0f + up.y;
  constexpr float opposite = 1e-6f;
  if (real < opposite) return {character.position, {1, 0, 0, 0}};
  return {character.position, normalized(math::Quat{up.z, 0.0f, -up.x, real})};
}

void create_body(physics::World& world, Character& character, const CharacterOptions& options,
                 std::uint64_t user_data) {
  JOSTLE_ASSERT(are_valid(options) && character.body.is_null());
  physics::BodyDef body;
  body.motion = physics::MotionType::Kinematic;
  body.pose = pose_of(character);
  body.user_data = user_data;
  character.body = world.create_body(body);
  physics::ShapeDef shape;
  shape.shape = shape_of(options);
  shape.filter = options.filter;
  shape.filter.category |= character_category;
  world.add_shape(character.body, shape);
}

void destroy_body(physics::World& world, Character& character) {
  world.destroy_body(character.body);
  character.body = {};
}

void save(const Character& character, base::ByteWriter& writer) {
  writer.f64(character.position.x);
  writer.f64(character.position.y);
  writer.f64(character.position.z);
  write(writer, character.velocity);
  write(writer, character.up);
  writer.u8(static_cast<std::uint8_t>(character.ground));
  writer.boolean(character.is_crushed);
  write(writer, character.ground_body);
  write(writer, character.ground_normal);
  write(writer, character.ground_velocity);
  writer.boolean(character.is_anchored);
  write(writer, character.anchor_local);
  write(writer, character.body);
}

Character restore(base::ByteReader& reader, std::span<const physics::BodyHandle> bodies) {
  Character character;
  character.position.x = reader.f64();
  character.position.y = reader.f64();
  character.position.z = reader.f64();
  constexpr double farthest = 1e9;  // m
  const math::Position at = character.position;
  for (const double coordinate : {at.x, at.y, at.z}) {
    if (!(std::abs(coordinate) <= farthest)) reader.fail();
  }
  character.velocity = read_vec3(reader);
  character.up = read_unit(reader);
  const std::uint8_t ground = reader.u8();
  if (ground >= ground_count) reader.fail();
  character.ground = reader.ok() ? static_cast<GroundState>(ground) : GroundState::InAir;
  character.is_crushed = reader.boolean();
  character.ground_body = read_body(reader, bodies);
  character.ground_normal = read_unit(reader);
  character.ground_velocity = read_vec3(reader);
  character.is_anchored = reader.boolean();
  character.anchor_local = read_vec3(reader);
  character.body = read_body(reader, bodies);
  const bool has_ground = !character.ground_body.is_null();
  if (has_ground != (character.ground != GroundState::InAir) ||
      (character.is_anchored && character.ground != GroundState::OnGround)) {
    reader.fail();
  }
  return character;
}

Character restore(base::ByteReader& reader, const physics::World& world) {
  const Character character = restore(reader, world.bodies());
  if (!reader.ok() || character.body.is_null()) return character;
  if (world.motion_type(character.body) != physics::MotionType::Kinematic) reader.fail();
  return character;
}

std::uint64_t hash(const Character& character) {
  base::ByteWriter writer;
  save(character, writer);
  return base::hash_bytes(writer.bytes());
}

}  // namespace jostle::character
