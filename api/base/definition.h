#pragma once

#include "api/base/checks.h"

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace jostle::api {

// Structs of the API begin with `size`, the size that the caller's program was compiled with. A
// later version of a struct has additional fields at its end. A program that was compiled with an
// earlier version passes a smaller size, and the library uses the default values of the missing
// fields.

/// Size of a struct in the first version that had it. Versions that add fields specialise it.
template <typename Struct>
inline constexpr std::size_t first_size = sizeof(Struct);

/// Returns the default value of a struct, with its size set.
template <typename Struct>
Struct default_of();

template <typename Struct>
void require_size(std::size_t size, const char* name) {
  static_assert(std::is_trivially_copyable_v<Struct> && offsetof(Struct, size) == 0);
  if (size >= first_size<Struct> && size <= sizeof(Struct)) return;
  refuse(JOSTLE_ERROR_INVALID_ARGUMENT,
         "%s->size is %zu bytes; accepted: %zu to %zu; set it with the function of the struct that "
         "ends with _default, or to sizeof *%s",
         name, size, first_size<Struct>, sizeof(Struct), name);
}

/// Copies the caller's struct.
template <typename Struct>
Struct read_struct(const Struct* from, const char* name) {
  require_pointer(from, name);
  std::size_t size = 0;
  std::memcpy(&size, from, sizeof size);
  require_size<Struct>(size, name);
  Struct copy = default_of<Struct>();
  std::memcpy(&copy, from, size);
  copy.size = sizeof copy;
  return copy;
}

/// Requires a struct of the caller that a function will fill.
template <typename Struct>
void require_output(const Struct* to, const char* name) {
  require_pointer(to, name);
  require_size<Struct>(to->size, name);
}
/// Fills the caller's struct, which must have passed `require_output`.
template <typename Struct>
void write_struct(Struct* to, Struct value) {
  value.size = to->size;
  std::memcpy(to, &value, to->size);
}

/// Implements a function jostle_..._init.
template <typename Struct>
jostle_result write_default(const char* function, Struct* values, std::size_t size) {
  return guard(function, [&] {
    require_pointer(values, "the pointer to the struct");
    require_size<Struct>(size, "struct");
    Struct defaults = default_of<Struct>();
    defaults.size = size;
    std::memcpy(values, &defaults, size);
  });
}

}  // namespace jostle::api
