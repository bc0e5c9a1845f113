#pragma once

#include "shared/base/log.h"
#include "shared/base/token_bucket.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

namespace jostle::server {

/// Log of client events with a rate limit per event name: 10 lines/s in the long run, bursts of 50.
/// The limit prevents clients from flooding the log. The next line that passes also reports the
/// number of suppressed lines.
class RateLimitedLog {
 public:
  void write(std::int64_t now_us, base::LogLevel level, std::string_view event,
             std::initializer_list<base::LogField> fields);

 private:
  struct Kind {
    base::TokenBucket lines{10, 50};
    std::uint64_t left_out = 0;
  };
  // Stays small, because event names are constants of the program.
  std::map<std::string, Kind, std::less<>> kinds_;
};

}  // namespace jostle::server
