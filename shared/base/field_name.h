#pragma once

namespace jostle::base {

/// The name of a field of the state, such as "linear_velocity", and the name of the component if
/// the field has several numbers, such as "x".
struct FieldName {
  constexpr FieldName(const char* whole, const char* component = nullptr)  // NOLINT: implicit
      : name(whole), part(component) {}

  const char* name;
  const char* part;
};

}  // namespace jostle::base
