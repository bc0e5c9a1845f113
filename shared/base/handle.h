#pragma once

#include <compare>
#include <cstdint>

namespace jostle::base {

/// Names a slot and the life of it: a handle to something destroyed is told from one to its
/// successor. `Tag` keeps handles of different things apart. The default value is the null handle.
template <typename Tag>
struct Handle {
  static constexpr std::uint32_t null_index = 0xFFFFFFFFU;

  std::uint32_t index = null_index;
  std::uint32_t generation = 0;

  constexpr bool is_null() const { return index == null_index; }
  constexpr auto operator<=>(const Handle&) const = default;
};

}  // namespace jostle::base
