#include "shared/keyring/lifetime.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>

namespace jostle::keyring {
namespace {

constexpr std::int64_t minute_s = 60, hour_s = 3'600, day_s = 86'400;
constexpr std::int64_t first_year_s = -62'135'596'800, last_year_end_s = 253'402'300'799;

std::int64_t seconds_of(char unit) {
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return minute_s;
    case 'h':
      return hour_s;
    case 'd':
      return day_s;
    default:
      return 0;
  }
}

}  // namespace

std::optional<std::int64_t> parse_lifetime(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const std::int64_t unit_s = seconds_of(text.back());
  text.remove_suffix(1);
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (unit_s == 0 || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (count < 1 || count > max_lifetime_s / unit_s) return std::nullopt;
  return count * unit_s;
}

std::string lifetime_fault(const std::string& text) {
  return parse_lifetime(text)
             ? std::string()
             : "'" + text +
                   "' is not a lifetime: expected a value like 90s, 10m, 12h or 7d, at most 3650d";
}

std::string utc_text(std::int64_t unix_s) {
  if (unix_s < first_year_s || unix_s > last_year_end_s) return std::to_string(unix_s);
  using std::chrono::sys_seconds, std::chrono::seconds, std::chrono::days;
  const sys_seconds time{seconds{unix_s}};
  const auto day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02u %02d:%02d:%02d UTC",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text.data();
}

}  // namespace jostle::keyring
