#pragma once

namespace jostle::client {

/// Of the servers that the clocks and the sender of inputs are tried against.
inline constexpr int test_tick_rate_hz = 60;

}  // namespace jostle::client
