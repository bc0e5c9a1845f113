#pragma once

#include "shared/base/bytes.h"
#include "shared/math/transform.h"
#include "shared/physics/world.h"

#include <cstdint>
#include <span>

namespace jostle::character {

/// What a walking figure is and can do. It is a capsule that stands along its up direction.
struct CharacterOptions {
  float radius = 0.3f;  // m
  float height = 1.8f;  // m, from tip to tip
  /// The gap that it keeps to all that it touches; queries stay exact where nothing overlaps.
  float skin = 0.01f;             // m
  float max_slope = 0.87266463f;  // rad against the level: 50°; what is steeper is slid down
  float step_height = 0.35f;      // m, of ledges that it walks up
  float step_down = 0.35f;  // m, that the ground may fall away under it in a step of the world
  float gravity = 9.81f;    // m/s², against the up direction
  float jump_speed = 5.0f;  // m/s; rises jump_speed²/(2·gravity)
  /// With which it steers in the air, along the wanted velocity until it has that much along it. It
  /// is never faster by it than it was or wants to be, and what is faster is not braked: it keeps
  /// the speed of what it jumped off.
  float air_acceleration = 8.0f;  // m/s²
  float mass = 80.0f;             // kg, with which it weighs on dynamic bodies
  float push_force = 600.0f;      // N, the largest on all the bodies together that are in its way
  /// What it meets: may_collide of this and of a shape's.
  physics::Filter filter;

  bool operator==(const CharacterOptions&) const = default;
};

/// A category that the shape of each character's body has beside those of its options. By it they
/// know each other: they are in each other's way, but do not push each other as platforms do.
inline constexpr std::uint32_t character_category = 1U << 31;

/// Whether a character can be moved with these: all finite; radius 0.05 to 10 m; height from twice
/// the radius to 100 m; skin 0.002 m to a quarter of the radius; slope 0 to 1.5 rad; steps up to
/// half the height, and none of the rest negative.
bool are_valid(const CharacterOptions& options);

enum class Ground : std::uint8_t {
  None,   // in the air
  Firm,   // stands or walks
  Steep,  // slides down what is too steep to stand on
};
inline constexpr std::uint8_t ground_count = 3;

/// All that the next move reads, beside the world and the options.
struct Character {
  math::Position position;  // of the capsule's middle, at the end of the world's next step
  math::Vec3 velocity;      // m/s, in the world's frame, that of moving ground included
  math::Vec3 up{0, 1, 0};   // unit
  Ground ground = Ground::None;
  bool is_squeezed = false;           // what moves leaves it no room, and overlaps it
  physics::BodyHandle ground_body{};  // null in the air
  math::Vec3 ground_normal{0, 1, 0};
  math::Vec3 ground_velocity;  // m/s, of ground_body under the foot
  /// Where the foot stands in the frame of a body that can move; it follows this point.
  bool is_anchored = false;
  math::Vec3 anchor_local;
  /// Its capsule in the world, or null (create_body).
  physics::BodyHandle body;

  bool operator==(const Character&) const = default;
};

/// What it wants of one step of the world.
struct Wish {
  /// m/s, relative to the ground. The part along the up direction does not count.
  math::Vec3 velocity;
  bool is_jumping = false;
};

/// The capsule along y, without the skin.
state::Shape shape_of(const CharacterOptions& options);
/// In the world: the capsule's middle, its y axis along `up`.
math::Pose pose_of(const Character& character);

/// Puts the character into the world as a kinematic capsule with the filter of the options, which
/// each move drives: dynamic bodies collide with it as with a wall, other characters see it, and so
/// do queries. Its own moves look through it. Without one, dynamic bodies only feel its pushes and
/// its weight.
void create_body(physics::World& world, Character& character, const CharacterOptions& options,
                 std::uint64_t user_data);
void destroy_body(physics::World& world, Character& character);

/// Moves the character through the next step of the world (options().step_seconds). To be called
/// once before each World::step, after the calls that move platforms. Reads nothing but its
/// arguments, and changes the world by impulses on dynamic bodies and by the target of its own
/// body.
///
/// - It slides along what it meets: of all motions that lead into none of the touched planes, it
///   takes the one nearest to the wanted one. It never passes through what stands, however fast.
/// - On firm ground it has the wanted velocity at once, over slopes too: horizontally, so that it
///   is faster along a slope by 1/cos. It walks up ledges and stays on the ground where that falls
///   away, by up to `step_height` and `step_down`. It does not step onto dynamic bodies lighter
///   than itself, but pushes them.
/// - What is steeper than `max_slope` is a wall from below and a slide from above.
/// - On an edge it stands as far as the edge meets its round end at less than that slope, and
///   beyond that where there is ground below within a step.
/// - Where it stands on a body that moves or turns it stays on the spot, as far as no wall is in
///   the way, and takes the spot's velocity along when it leaves. Kinematic bodies that come
///   towards it push it out of their way, if they are not faster than 0.25 m in a step.
/// - It flies as gravity has it: exactly, at any length of step.
///
/// The method is that of collide and slide (Fauerby, "Improved Collision Detection and Response",
/// 2003), with the planes solved exactly (detail/planes.h).
void move(physics::World& world, Character& character, const CharacterOptions& options,
          const Wish& wish);

/// Everything of the character, little-endian.
void save(const Character& character, base::ByteWriter& writer);
/// Reads exactly what `save` wrote; fails the reader on what no character can be in this world:
/// values that are not finite, an up direction that is not of unit length, bodies that are not
/// there, a body of its own that is not kinematic.
Character restore(base::ByteReader& reader, const physics::World& world);
/// The same for who knows the handles of all bodies only, sorted or not; that its own body is
/// kinematic is theirs to check.
Character restore(base::ByteReader& reader, std::span<const physics::BodyHandle> bodies);
/// Of the same fields.
std::uint64_t hash(const Character& character);

}  // namespace jostle::character
