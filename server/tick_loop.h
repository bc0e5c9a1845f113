#pragma once

#include "server/metrics.h"
#include "server/server.h"
#include "server/tick_schedule.h"
#include "shared/net/io.h"

#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>

#include <cstdint>
#include <functional>

namespace jostle::server {

/// Loop that runs a server's ticks at absolute deadlines on an Asio event loop. Received datagrams
/// are processed as they arrive, or up to 2 ms later if processing takes long.
class TickLoop {
 public:
  TickLoop(asio::io_context& context, net::Io& io, Server& server, int native_handle,
           int tick_rate_hz);
  ~TickLoop();
  TickLoop(const TickLoop&) = delete;
  TickLoop& operator=(const TickLoop&) = delete;

  void start();
  /// Stops the ticks, so that the run() of the context can return.
  void stop();

  /// Sets a function that is called after every tick.
  void set_tick_hook(std::function<void()> hook) { tick_hook_ = std::move(hook); }

  const DurationHistogram& tick_durations() const { return durations_; }
  void reset_durations() { durations_ = {}; }
  /// Returns the duration of the newest tick.
  std::int64_t last_tick_us() const { return last_tick_us_; }
  std::uint64_t ticks_skipped() const { return schedule_.skipped(); }

 private:
  void run_due_ticks();
  void wait_for_deadline();
  void wait_for_datagrams();
  void rest(std::int64_t worked_us);

  net::Io& io_;
  Server& server_;
  asio::steady_timer timer_, rest_timer_;
  asio::posix::stream_descriptor socket_;
  TickSchedule schedule_;
  std::uint64_t told_skipped_ = 0;  // skipped ticks that the server knows
  bool is_running_ = false;
  DurationHistogram durations_;
  std::int64_t last_tick_us_ = 0;
  std::function<void()> tick_hook_;
};

}  // namespace jostle::server
