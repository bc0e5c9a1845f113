#include "server/tick_loop.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace jostle::server {
namespace {

/// Duration of processing from which on a pause follows.
constexpr std::int64_t least_worked_us = 50;
/// Length of the pause, in multiples of the duration of the processing before it.
constexpr std::int64_t rest_factor = 4;
/// Maximum length of the pause.
constexpr std::int64_t most_rest_us = 2'000;

}  // namespace

TickLoop::TickLoop(asio::io_context& context, net::Io& io, Server& server, int native_handle,
                   int tick_rate_hz)
    : io_(io),
      server_(server),
      timer_(context),
      rest_timer_(context),
      socket_(context),
      schedule_(tick_rate_hz) {
  socket_.assign(native_handle);
}

// The transport owns the socket; release() only detaches it from the event loop.
TickLoop::~TickLoop() {
  socket_.release();
}

void TickLoop::start() {
  is_running_ = true;
  schedule_.start(io_.now_us());
  wait_for_deadline();
  wait_for_datagrams();
}

void TickLoop::stop() {
  is_running_ = false;
  timer_.cancel();
  rest_timer_.cancel();
  std::error_code ignored;
  socket_.cancel(ignored);
}

void TickLoop::run_due_ticks() {
  schedule_.run_due([this] { return io_.now_us(); },
                    [this](std::int64_t due_us) {
                      const std::int64_t begin_us = io_.now_us();
                      server_.tick(due_us);
                      last_tick_us_ = io_.now_us() - begin_us;
                      durations_.add(last_tick_us_);
                      if (tick_hook_) tick_hook_();
                      return is_running_;
                    });
  if (const std::uint64_t total = schedule_.skipped(); total > told_skipped_)
    server_.note_skipped_ticks(total - std::exchange(told_skipped_, total));
}

void TickLoop::wait_for_deadline() {
  const std::int64_t wait_us = std::max<std::int64_t>(schedule_.due_us() - io_.now_us(), 0);
  timer_.expires_after(std::chrono::microseconds(wait_us));
  timer_.async_wait([this](const std::error_code& error) {
    if (error || !is_running_) return;
    run_due_ticks();
    if (is_running_) wait_for_deadline();
  });
}

void TickLoop::wait_for_datagrams() {
  socket_.async_wait(asio::posix::stream_descriptor::wait_read,
                     [this](const std::error_code& error) {
                       if (error || !is_running_) return;
                       const std::int64_t begin_us = io_.now_us();
                       server_.receive();
                       rest(io_.now_us() - begin_us);
                     });
}

/// Waits for the next datagrams, after a pause if processing the last ones took long. Each call of
/// receive() visits every peer, so under load it is cheaper to let datagrams queue in the socket.
void TickLoop::rest(std::int64_t worked_us) {
  if (worked_us < least_worked_us) return wait_for_datagrams();
  rest_timer_.expires_after(
      std::chrono::microseconds(std::min(rest_factor * worked_us, most_rest_us)));
  rest_timer_.async_wait([this](const std::error_code& error) {
    if (!error && is_running_) wait_for_datagrams();
  });
}

}  // namespace jostle::server
