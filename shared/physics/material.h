#pragma once

#include "shared/math/vec3.h"

#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace jostle::physics {

/// Rules that combine the values of two materials, in ascending precedence: if the rules of two
/// materials differ, the later one in this list is used. Exception: the default rule of a value has
/// the lowest precedence, so that a material with another rule overrides all that have the default.
enum class CombineRule : std::uint8_t { GeometricMean, Average, Minimum, Multiply, Maximum };
inline constexpr std::uint8_t combine_rule_count = 5;
inline constexpr CombineRule default_friction_rule = CombineRule::GeometricMean;
inline constexpr CombineRule default_restitution_rule = CombineRule::Maximum;

/// The id of a material for World::set_pair_material. 0: none.
struct MaterialId {
  std::uint32_t value = 0;

  auto operator<=>(const MaterialId&) const = default;
};

inline constexpr float max_friction = 1e6f;
inline constexpr float max_resistance = 1e3f;  // m

/// The surface properties of a shape. A contact uses the larger rolling resistance of its two
/// materials, and the larger spinning resistance.
struct Material {
  float friction = 0.6f;     // 0..1e6, coefficient of kinetic friction
  float restitution = 0.0f;  // 0..1
  /// Lever arms, in m and 0..1e3, at which the normal force resists rolling (rotation about the
  /// tangents) and spinning (rotation about the normal). A ball of radius r does not roll down a
  /// slope of a gradient below rolling_resistance/r.
  float rolling_resistance = 0.0f;
  float spinning_resistance = 0.0f;
  /// Coefficient of static friction: `friction`..1e6, or 0 for the same as `friction`.
  float static_friction = 0.0f;
  CombineRule friction_rule = default_friction_rule;  // rule for both coefficients of friction
  CombineRule restitution_rule = default_restitution_rule;
  MaterialId id = {};

  bool operator==(const Material&) const = default;
};

/// Values for contacts between the materials of a pair. Each value that is set replaces the one
/// combined from the two materials; ranges as in Material. A `friction` without a `static_friction`
/// replaces both coefficients. A `static_friction` needs a `friction`, and must not be less.
struct PairMaterial {
  std::optional<float> friction = {}, static_friction = {}, restitution = {};
  std::optional<float> rolling_resistance = {}, spinning_resistance = {};

  bool operator==(const PairMaterial&) const = default;
};

/// An entry of a world's table of material pairs; a <= b.
struct MaterialPair {
  MaterialId a, b;
  PairMaterial values;

  bool operator==(const MaterialPair&) const = default;
};
/// Maximum number of pairs. The table is searched by bisection once per new contact and is copied
/// with the world.
inline constexpr std::size_t max_material_pairs = 4'096;

/// The combined values of a contact.
template <typename Real>
struct ContactMaterial {
  Real friction = 0, static_friction = 0;  // static_friction >= friction
  Real restitution = 0;
  Real rolling_resistance = 0, spinning_resistance = 0;
};

/// Returns the rule for a pair of materials; `usual` is the default rule of the value.
constexpr CombineRule rule_of(CombineRule a, CombineRule b, CombineRule usual) {
  if (a == usual) return b;
  if (b == usual) return a;
  return a < b ? b : a;
}

template <typename Real>
Real combined(float a, float b, CombineRule rule) {
  switch (rule) {
    case CombineRule::GeometricMean:
      return std::sqrt(static_cast<Real>(a * b));
    case CombineRule::Average:
      return static_cast<Real>(0.5f * (a + b));
    case CombineRule::Minimum:
      return static_cast<Real>(math::min_of(a, b));
    case CombineRule::Multiply:
      return static_cast<Real>(math::min_of(a * b, max_friction));
    case CombineRule::Maximum:
      break;
  }
  return static_cast<Real>(math::max_of(a, b));
}

inline float static_friction_of(const Material& m) {
  return math::max_of(m.friction, m.static_friction);
}

/// Returns the values of a contact between two materials. `pair` is their entry in the table, or
/// null.
template <typename Real>
ContactMaterial<Real> combine(const Material& a, const Material& b, const PairMaterial* pair) {
  const CombineRule friction_rule =
      rule_of(a.friction_rule, b.friction_rule, default_friction_rule);
  const CombineRule restitution_rule =
      rule_of(a.restitution_rule, b.restitution_rule, default_restitution_rule);
  ContactMaterial<Real> both;
  both.friction = combined<Real>(a.friction, b.friction, friction_rule);
  both.static_friction =
      combined<Real>(static_friction_of(a), static_friction_of(b), friction_rule);
  both.restitution = combined<Real>(a.restitution, b.restitution, restitution_rule);
  both.rolling_resistance =
      static_cast<Real>(math::max_of(a.rolling_resistance, b.rolling_resistance));
  both.spinning_resistance =
      static_cast<Real>(math::max_of(a.spinning_resistance, b.spinning_resistance));
  if (pair == nullptr) return both;
  const auto replace = [](Real& value, const std::optional<float>& by) {
    if (by) value = static_cast<Real>(*by);
  };
  replace(both.friction, pair->friction);
  replace(both.static_friction, pair->static_friction ? pair->static_friction : pair->friction);
  replace(both.restitution, pair->restitution);
  replace(both.rolling_resistance, pair->rolling_resistance);
  replace(both.spinning_resistance, pair->spinning_resistance);
  return both;
}

/// Returns true if one of the rarely used fields differs from its default. These fields are saved
/// in a separate list.
constexpr bool has_rare_values(const Material& m) {
  return m.static_friction != 0.0f || m.friction_rule != default_friction_rule ||
         m.restitution_rule != default_restitution_rule || m.id.value != 0;
}

// The functions below return false for NaN.
constexpr bool is_friction(float x) {
  return x >= 0.0f && x <= max_friction;
}
constexpr bool is_restitution(float x) {
  return x >= 0.0f && x <= 1.0f;
}
constexpr bool is_resistance(float x) {
  return x >= 0.0f && x <= max_resistance;
}

constexpr bool is_valid(const Material& m) {
  return is_friction(m.friction) && is_restitution(m.restitution) &&
         is_resistance(m.rolling_resistance) && is_resistance(m.spinning_resistance) &&
         is_friction(m.static_friction) &&
         (m.static_friction == 0.0f || m.static_friction >= m.friction) &&
         static_cast<std::uint8_t>(m.friction_rule) < combine_rule_count &&
         static_cast<std::uint8_t>(m.restitution_rule) < combine_rule_count;
}
constexpr bool is_valid(const PairMaterial& pair) {
  return is_friction(pair.friction.value_or(0)) && is_friction(pair.static_friction.value_or(0)) &&
         is_restitution(pair.restitution.value_or(0)) &&
         is_resistance(pair.rolling_resistance.value_or(0)) &&
         is_resistance(pair.spinning_resistance.value_or(0)) &&
         (!pair.static_friction || (pair.friction && *pair.static_friction >= *pair.friction));
}

}  // namespace jostle::physics
