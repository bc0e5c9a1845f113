#pragma once

namespace jostle::client {

/// Tick rate of the servers in tests of the clocks and the input sender.
inline constexpr int test_tick_rate_hz = 60;

}  // namespace jostle::client
