#pragma once

#include <compare>
#include <cstdint>

namespace jostle::state {

/// A tick of the simulation, counted from 0 at the start of the server. 32 bits last for 2.2 years
/// at 60 Hz.
struct Tick {
  std::uint32_t number = 0;

  constexpr auto operator<=>(const Tick&) const = default;
};

constexpr Tick operator+(Tick tick, std::uint32_t steps) {
  return {tick.number + steps};
}
/// Returns the number of ticks from b to a; negative if a is earlier.
constexpr std::int64_t operator-(Tick a, Tick b) {
  return std::int64_t{a.number} - std::int64_t{b.number};
}
/// Returns the tick `steps` ticks earlier, but not below 0.
constexpr Tick previous(Tick tick, std::uint32_t steps) {
  return {tick.number > steps ? tick.number - steps : 0};
}

inline constexpr int default_tick_rate_hz = 60;
inline constexpr int min_tick_rate_hz = 10;
inline constexpr int max_tick_rate_hz = 1000;

}  // namespace jostle::state
