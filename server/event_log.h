#pragma once

#include "shared/base/allowance.h"
#include "shared/base/log.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

namespace jostle::server {

/// Lines about what clients do, who may do it without end: of each event ten a second in the long
/// run, fifty at once. How many were left out, the next one tells.
class EventLog {
 public:
  void write(std::int64_t now_us, base::LogLevel level, std::string_view event,
             std::initializer_list<base::LogField> fields);

 private:
  struct Kind {
    base::Allowance lines{10, 50};
    std::uint64_t left_out = 0;
  };
  std::map<std::string, Kind, std::less<>> kinds_;  // few: events are our own words
};

}  // namespace jostle::server
