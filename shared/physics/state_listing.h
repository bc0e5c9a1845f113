#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::physics {

/// The parts of StateHash, and what they are made of.
enum class StatePart : std::uint8_t {
  Options,
  Bodies,
  Shapes,
  Islands,
  Joints,
  Contacts,
  Fields,
  Sensors,
  Particles,
  Integrators,
  Materials,
};
std::string_view describe(StatePart part);

enum class NumberKind : std::uint8_t { Boolean, Code, Signed32, Unsigned32, Unsigned64, F32, F64 };

/// One number of the state of a world: all that the hash covers, each by itself.
struct StateNumber {
  StatePart part = StatePart::Options;
  NumberKind kind = NumberKind::Boolean;
  std::uint8_t section = 0;         // of the listing: the same in all worlds
  std::uint16_t index = 0;          // of those of this name that the owner has
  const char* name = "";            // "linear_velocity"
  const char* component = nullptr;  // "x", or nothing
  /// Slot of the body, shape, joint, field or set of particles; of contacts the pair of shapes;
  /// none where it is of the part as a whole.
  std::uint64_t owner = no_owner;
  std::uint64_t bits = 0;

  static constexpr std::uint64_t no_owner = ~std::uint64_t{0};

  /// "linear_velocity.y", "offset_a[2].x"
  std::string field() const;
  /// Decimal, so that it reads back to the same bits, and hexadecimal: "-0.412173 (0xBED30843)".
  std::string text() const;
};

/// How many floats or doubles lie between the two, counted in both directions from zero; 0 for
/// numbers of another kind.
std::uint64_t ulps_between(const StateNumber& a, const StateNumber& b);

/// Whether they are the same number of two states, by part, owner, name and index.
bool is_same_place(const StateNumber& a, const StateNumber& b);
/// The order of a listing: by section, then by owner, then as they are visited.
bool is_listed_before(const StateNumber& a, const StateNumber& b);

}  // namespace jostle::physics
