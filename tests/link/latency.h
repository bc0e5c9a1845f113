#pragma once

#include <cstdint>

namespace jostle::link {

/// Of the links that are tried, in each direction.
inline constexpr std::int64_t latency_us = 25'000;

}  // namespace jostle::link
