#include "server/overload_log.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace jostle::server {
namespace {

double in_ms(std::int64_t us) {
  return static_cast<double>(us) * 1e-3;
}

}  // namespace

std::int64_t OverloadLog::Tick::total_us() const {
  return std::accumulate(phase_us.begin(), phase_us.end(), std::int64_t{0});
}

Phase OverloadLog::Tick::longest() const {
  const auto longest = std::max_element(phase_us.begin(), phase_us.end());
  return static_cast<Phase>(longest - phase_us.begin());
}

void OverloadLog::enter(Phase phase, std::int64_t now_us) {
  const std::int64_t spent_us = since_us_ == 0 ? 0 : now_us - since_us_;
  since_us_ = now_us;
  const Phase before = std::exchange(phase_, phase);
  if (before == Phase::Other) {
    longest_gap_us_ = std::max(longest_gap_us_, spent_us);
  } else {
    tick_.phase_us[static_cast<std::size_t>(before)] += spent_us;
  }
}

void OverloadLog::end_tick(std::int64_t now_us, Clients& clients) {
  const Tick ended = std::exchange(tick_, {});
  const std::int64_t total_us = ended.total_us();
  if (total_us > slowest_.total_us()) slowest_ = ended;
  if (total_us <= interval_us_) return;
  ++overran_;
  if (!overrun_lines_.take(now_us)) return;
  const Phase phase = ended.longest();
  const auto index = static_cast<std::size_t>(phase);
  clients.log(base::LogLevel::Warn, "tick too long",
              {{"ms", in_ms(total_us)},
               {"limit_ms", in_ms(interval_us_)},
               {"stage", phase_names[index]},
               {"stage_ms", in_ms(ended.phase_us[index])},
               {"long_ticks", std::exchange(overran_, 0)}});
}

void OverloadLog::note_skipped(std::uint64_t count, Clients& clients) {
  const Tick slowest = std::exchange(slowest_, {});
  const std::int64_t gap_us = std::exchange(longest_gap_us_, 0);
  const Phase phase = slowest.longest();
  const auto index = static_cast<std::size_t>(phase);
  const bool was_stopped = gap_us > slowest.total_us();
  clients.log(base::LogLevel::Warn, "ticks skipped",
              {{"count", count},
               {"total", clients.metrics().ticks_skipped},
               {"stage", was_stopped ? std::string_view("none: the process did not run")
                                     : phase_names[index]},
               {"stage_ms", in_ms(was_stopped ? gap_us : slowest.phase_us[index])}});
}

}  // namespace jostle::server
