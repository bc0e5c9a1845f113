#pragma once

#include "server/metrics.h"
#include "server/server.h"
#include "shared/journal/journal.h"

#include <cstdint>

namespace jostle::server {

/// Logs the load of a server at regular intervals: durations of its ticks, its clients, its memory
/// and the progress of its journal.
class StatusLog {
 public:
  /// `server` must outlive this object. `journal` may be null.
  StatusLog(const Server& server, const journal::Journal* journal, double interval_seconds,
            std::int64_t now_us)
      : server_(server),
        journal_(journal),
        interval_us_(static_cast<std::int64_t>(interval_seconds * 1e6)),
        due_us_(now_us + interval_us_),
        skipped_(server.metrics().ticks_skipped) {}

  /// Records the duration of a tick. Logs a line if the interval has passed. `tick` is the number
  /// of the tick.
  void add_tick(std::uint32_t tick, std::int64_t duration_us, std::int64_t now_us);

 private:
  void write(std::uint32_t tick);

  const Server& server_;
  const journal::Journal* journal_;
  std::int64_t interval_us_, due_us_;
  std::uint64_t skipped_;        // skipped ticks at the last line
  DurationHistogram durations_;  // of the ticks since the last line
};

}  // namespace jostle::server
