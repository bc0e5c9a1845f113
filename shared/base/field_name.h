#pragma once

namespace jostle::base {

/// What a field of the state is called, "linear_velocity"; and of a field that is several numbers,
/// which of them, "x".
struct FieldName {
  constexpr FieldName(const char* whole, const char* component = nullptr)  // NOLINT: implicit
      : name(whole), part(component) {}

  const char* name;
  const char* part;
};

}  // namespace jostle::base
