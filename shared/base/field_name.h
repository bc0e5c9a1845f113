#pragma once

namespace jostle::base {

/// The name of a field of the state, such as "linear_velocity". `part` is the name of the
/// component, such as "x", if the field has several numbers; otherwise it is null.
struct FieldName {
  constexpr FieldName(const char* whole, const char* component = nullptr)  // NOLINT: implicit
      : name(whole), part(component) {}

  const char* name;
  const char* part;
};

}  // namespace jostle::base
