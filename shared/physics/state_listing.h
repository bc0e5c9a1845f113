#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::physics {

/// The parts of a listing of the state, by subsystem.
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

/// One number of a world's state. A listing holds every number that the hash covers.
struct StateNumber {
  StatePart part = StatePart::Options;
  NumberKind kind = NumberKind::Boolean;
  std::uint8_t section = 0;         // number of the section in the listing; the same in all worlds
  std::uint16_t index = 0;          // index among the numbers of the same name and owner
  const char* name = "";            // "linear_velocity"
  const char* component = nullptr;  // "x", or null
  /// Slot of the body, shape, joint, field or particle set; for contacts the key of the pair of
  /// shapes. `no_owner` if the number belongs to the part as a whole.
  std::uint64_t owner = no_owner;
  std::uint64_t bits = 0;

  static constexpr std::uint64_t no_owner = ~std::uint64_t{0};

  /// Returns the full name: "linear_velocity.y", "offset_a[2].x".
  std::string field() const;
  /// Returns the value as text. Floats and doubles are in decimal, with enough digits to read back
  /// to the same bits, and in hexadecimal: "-0.412173 (0xBED30843)". Other numbers are in decimal,
  /// booleans "true" or "false".
  std::string text() const;
};

/// Returns the distance of two floats or two doubles in units in the last place (ULP), counted
/// through zero if the signs differ. Returns 0 for other kinds of numbers and for different kinds.
std::uint64_t ulps_between(const StateNumber& a, const StateNumber& b);

/// Returns true if both are the same number in two states: same section, owner, name, component and
/// index.
bool is_same_place(const StateNumber& a, const StateNumber& b);
/// Returns true if `a` comes before `b` in a listing: by section, then by owner; each owner's
/// numbers are in the order of visits.
bool is_listed_before(const StateNumber& a, const StateNumber& b);

}  // namespace jostle::physics
