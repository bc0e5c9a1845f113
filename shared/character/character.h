#pragma once

#include "shared/base/bytes.h"
#include "shared/math/transform.h"
#include "shared/physics/world.h"

#include <cstdint>
#include <span>

namespace jostle::character {

/// Dimensions and abilities of a character. Its shape is a capsule whose axis is along the up
/// direction.
struct CharacterOptions {
  float radius = 0.3f;  // m
  float height = 1.8f;  // total height with both round ends, m
  /// Gap that the character keeps to everything it touches. It is needed because distance queries
  /// are exact only for shapes that do not overlap.
  float skin = 0.01f;  // m
  /// Steepest ground that the character can stand on, rad from horizontal (50°). The character
  /// slides down steeper ground.
  float max_slope = 0.87266463f;
  float step_height = 0.35f;  // m, maximum height of a ledge that it can walk up
  // m, maximum drop of the ground in one world step at which the character stays on the ground
  float step_down = 0.35f;
  float gravity = 9.81f;    // m/s², against the up direction
  float jump_speed = 5.0f;  // m/s; the jump height is jump_speed²/(2·gravity)
  /// Maximum acceleration when steering in the air, until the velocity along the wanted direction
  /// reaches the wanted speed. Steering never raises the speed above the larger of the current and
  /// the wanted speed. It does not brake a character that already moves faster in the wanted
  /// direction, which therefore keeps the speed of the platform that it jumped off.
  float air_acceleration = 8.0f;  // m/s²
  float mass = 80.0f;             // kg, for its weight on dynamic bodies
  float push_force = 600.0f;      // N, maximum total force on all the bodies in its way
  /// The character collides with shapes for which may_collide(this, shape filter) is true.
  physics::Filter filter;

  bool operator==(const CharacterOptions&) const = default;
};

/// Category bit that create_body adds to the shape of each character's body, beside those of the
/// options. Characters block each other, but do not push each other as kinematic platforms do.
inline constexpr std::uint32_t character_category = 1U << 31;

/// Returns true if a character can be moved with these options. All values must be finite and in
/// these ranges:
///
/// - radius 0.05 to 10 m, height from twice the radius to 100 m, mass 1e-6 to 1e9 kg
/// - skin 0.002 m to a quarter of the radius
/// - max_slope 0 to 1.5 rad, step_height and step_down 0 to half the height
/// - gravity and jump_speed 0 to 1e4, air_acceleration 0 to 1e6, push_force 0 to 1e9
bool are_valid(const CharacterOptions& options);

enum class GroundState : std::uint8_t {
  InAir,          // flies or falls
  OnGround,       // stands or walks
  OnSteepGround,  // slides down ground that is too steep to stand on
};
inline constexpr std::uint8_t ground_count = 3;

/// State of a character: everything that the next `move` reads, besides the world, the options and
/// the input.
struct Character {
  math::Position position;  // centre of the capsule at the end of the next world step
  math::Vec3 velocity;  // velocity in the world frame, m/s; includes the velocity of moving ground
  math::Vec3 up{0, 1, 0};  // unit vector
  GroundState ground = GroundState::InAir;
  // True if a body overlaps the capsule itself, because the character could not move away from it.
  bool is_crushed = false;
  physics::BodyHandle ground_body{};  // body that the character stands on; null in the air
  math::Vec3 ground_normal{0, 1, 0};
  // velocity of ground_body at the point where the character stands, m/s
  math::Vec3 ground_velocity;
  /// True if the character follows a point of its ground body, because that body can move.
  /// `anchor_local` is the position of the character's foot in the frame of that body.
  bool is_anchored = false;
  math::Vec3 anchor_local;
  /// Kinematic body of its capsule in the world (see create_body), or null.
  physics::BodyHandle body;

  bool operator==(const Character&) const = default;
};

/// Input of a character for one world step.
struct CharacterInput {
  /// Wanted velocity, m/s: relative to the ground body while the character stands or jumps, in the
  /// world frame while it is in the air or on steep ground. The part along the up direction is
  /// ignored.
  math::Vec3 velocity;
  bool is_jumping = false;
};

/// Returns the capsule along y, without the skin.
state::Shape shape_of(const CharacterOptions& options);
/// Returns the pose of the capsule in the world: its centre, with the y axis along `up`.
math::Pose pose_of(const Character& character);

/// Adds a kinematic capsule with the filter of the options to the world; each `move` drives it.
/// Dynamic bodies collide with it as with a wall, and queries and other characters detect it. The
/// character's own moves ignore it. Without this body, the character acts on dynamic bodies only by
/// its pushes and its weight.
void create_body(physics::World& world, Character& character, const CharacterOptions& options,
                 std::uint64_t user_data);
void destroy_body(physics::World& world, Character& character);

/// Moves the character through the next step of the world (options().step_seconds). Call it once
/// before each World::step, after the calls that move platforms. It reads nothing but its
/// arguments. It changes the world only by impulses on dynamic bodies and by driving the
/// character's own body.
///
/// * The character slides along obstacles: of all motions that enter none of the touched planes, it
///   takes the one nearest to the wanted motion. It never passes through static bodies, at any
///   speed.
/// * On firm ground it has the wanted velocity immediately. On slopes too, this is the horizontal
///   velocity, so the speed along the slope is larger by 1/cos. It walks up ledges of up to
///   `step_height`, and stays on ground that drops by up to `step_down`. It pushes dynamic bodies
///   lighter than itself instead of stepping onto them.
/// * Ground steeper than `max_slope` acts as a wall from below and as a slide from above.
/// * On an edge it stands if the contact normal at its round end is within `max_slope`. It also
///   stands if the face behind the edge is walkable and there is walkable ground below within the
///   height of a step.
/// * On a moving or turning body it stays on the same spot unless a wall is in the way, and keeps
///   the velocity of that spot when it leaves. Approaching kinematic bodies push it out of their
///   way, if they move at most 0.25 m in a step.
/// * In the air it follows the exact ballistic parabola, at any step length.
///
/// The method is collide and slide (Fauerby, "Improved Collision Detection and Response", 2003),
/// with an exact solver for the planes (detail/planes.h).
void move(physics::World& world, Character& character, const CharacterOptions& options,
          const CharacterInput& wish);

/// Writes the whole state of the character, little-endian.
void save(const Character& character, base::ByteWriter& writer);
/// Reads exactly what `save` wrote. Fails the reader if no character can have this state in this
/// world. Examples: a value is not finite, the up direction is not of unit length, a body does not
/// exist, or the character's own body is not kinematic.
Character restore(base::ByteReader& reader, const physics::World& world);
/// Reads a character like the function above, for callers that know only the handles of all bodies,
/// in any order. The caller must check that the character's own body is kinematic.
Character restore(base::ByteReader& reader, std::span<const physics::BodyHandle> bodies);
/// Returns a hash of the fields that `save` writes.
std::uint64_t hash(const Character& character);

}  // namespace jostle::character
