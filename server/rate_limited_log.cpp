#include "server/rate_limited_log.h"

#include <utility>

namespace jostle::server {

void RateLimitedLog::write(std::int64_t now_us, base::LogLevel level, std::string_view event,
                           std::initializer_list<base::LogField> fields) {
  if (!base::is_logged(level)) return;
  const auto kind = kinds_.try_emplace(std::string(event)).first;
  if (!kind->second.lines.take(now_us)) {
    ++kind->second.left_out;
    return;
  }
  base::log(level, event, fields);
  const std::uint64_t left_out = std::exchange(kind->second.left_out, 0);
  if (left_out > 0) base::warn("log lines suppressed", {{"event", event}, {"count", left_out}});
}

}  // namespace jostle::server
