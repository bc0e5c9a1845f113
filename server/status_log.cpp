#include "server/status_log.h"

#include "shared/base/log.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

namespace jostle::server {
namespace {

double milliseconds_of(std::int64_t us) {
  return static_cast<double>(us) * 1e-3;
}

/// Returns the resident memory of this process in MiB; 0 if it is not known.
double resident_mib() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long long total = 0, resident = 0;
  const int found = std::fscanf(file, "%llu %llu", &total, &resident);
  std::fclose(file);
  const auto page_bytes = static_cast<double>(::sysconf(_SC_PAGESIZE));
  return found == 2 ? static_cast<double>(resident) * page_bytes / (1 << 20) : 0;
}

}  // namespace

void StatusLog::add_tick(std::uint32_t tick, std::int64_t duration_us, std::int64_t now_us) {
  durations_.add(duration_us);
  if (now_us < due_us_) return;
  write(tick);
  durations_ = {};
  // After a stall, the missed lines are left out.
  while (due_us_ <= now_us)
    due_us_ += interval_us_;
}

void StatusLog::write(std::uint32_t tick) {
  const std::uint64_t skipped = server_.metrics().ticks_skipped;
  base::info("status", {{"tick", tick},
                        {"ticks", durations_.count()},
                        {"skipped", skipped - std::exchange(skipped_, skipped)},
                        {"p50_ms", milliseconds_of(durations_.percentile_us(0.50))},
                        {"p99_ms", milliseconds_of(durations_.percentile_us(0.99))},
                        {"longest_ms", milliseconds_of(durations_.max_us())},
                        {"clients", server_.session_count()},
                        {"memory_mib", resident_mib()}});
  if (journal_ == nullptr) return;
  const journal::WriterStatus status = journal_->status();
  base::info("journal", {{"written_tick", status.written_tick},
                         {"durable_tick", status.durable_tick},
                         {"lost_ticks", journal_->ticks_lost()}});
}

}  // namespace jostle::server
