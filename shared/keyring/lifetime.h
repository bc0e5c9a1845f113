#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jostle::keyring {

/// The longest that a token can be good, s: ten years.
inline constexpr std::int64_t max_lifetime_s = 3'650 * 86'400LL;

/// "90s", "10m", "12h" or "7d", in s: a whole number from 1 on and a unit, up to max_lifetime_s.
/// Nothing when it is none of them.
std::optional<std::int64_t> parse_lifetime(std::string_view text);
/// For command lines: what is wrong with it, or nothing.
std::string lifetime_fault(const std::string& text);

/// A Unix time as "2027-01-15 08:00:00 UTC"; beyond the years 1 to 9999 as its number.
std::string utc_text(std::int64_t unix_s);

}  // namespace jostle::keyring
