#pragma once

#include <cstdint>

namespace jostle::link {

/// One-way latency of the tested links.
inline constexpr std::int64_t latency_us = 25'000;

}  // namespace jostle::link
