#include "shared/base/file_name.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace jostle::base {

std::string file_name_part(std::string text) {
  const auto is_taken = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  };
  std::replace_if(
      text.begin(), text.end(), [&](char c) { return !is_taken(c); }, '_');
  return text;
}

bool has_ending(std::string_view path, std::string_view ending) {
  if (path.size() <= ending.size() || path[path.size() - ending.size() - 1] == '/') return false;
  path.remove_prefix(path.size() - ending.size());
  return std::equal(path.begin(), path.end(), ending.begin(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

std::string utc_stamp(std::int64_t unix_s) {
  using namespace std::chrono;
  const sys_seconds time{seconds(unix_s)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  char text[40];
  std::snprintf(text, sizeof text, "%04d%02u%02uT%02lld%02lld%02lldZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<long long>(clock.hours().count()),
                static_cast<long long>(clock.minutes().count()),
                static_cast<long long>(clock.seconds().count()));
  return text;
}

}  // namespace jostle::base
