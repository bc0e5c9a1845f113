#pragma once

#include <compare>
#include <cstdint>

namespace jostle::base {

/// The index of a slot and its generation. The generation distinguishes a handle to a destroyed
/// object from a handle to a later object in the same slot. `Tag` gives handles of different kinds
/// different types. The default value is the null handle.
template <typename Tag>
struct Handle {
  static constexpr std::uint32_t null_index = 0xFFFFFFFFU;

  std::uint32_t index = null_index;
  std::uint32_t generation = 0;

  constexpr bool is_null() const { return index == null_index; }
  constexpr auto operator<=>(const Handle&) const = default;
};

}  // namespace jostle::base
