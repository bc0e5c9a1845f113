#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jostle::keyring {

/// Maximum lifetime of a token in seconds: ten years.
inline constexpr std::int64_t max_lifetime_s = 3'650 * 86'400LL;

/// Parses a lifetime such as "90s", "10m", "12h" or "7d" and returns it in seconds. The text is a
/// positive whole number and a unit: s, m, h or d. Returns nothing for any other text, and for
/// lifetimes above `max_lifetime_s`.
std::optional<std::int64_t> parse_lifetime(std::string_view text);
/// Returns an error message about a lifetime from the command line, or an empty string if it is
/// valid.
std::string lifetime_fault(const std::string& text);

/// Formats a Unix time as "2027-01-15 08:00:00 UTC". A time outside the years 1 to 9999 is printed
/// as a number of seconds.
std::string utc_text(std::int64_t unix_s);

}  // namespace jostle::keyring
