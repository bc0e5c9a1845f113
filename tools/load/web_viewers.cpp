#include "tools/load/web_viewers.h"

#include "tools/load/ack_only_bot.h"
#include "tools/web_client/web_socket_transport.h"

#include <boost/asio/io_context.hpp>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace jostle::load {
namespace {

constexpr std::int64_t viewer_tick_us = 16'667;
/// Pause between two looks at the sockets, in µs.
constexpr useconds_t pause_us = 500;
/// Number of viewers that connect per tick, so that they do not all join in the same tick.
constexpr std::size_t joins_per_tick = 10;

struct BrowserBot {
  std::unique_ptr<web_client::WebSocketTransport> transport;
  std::unique_ptr<AckOnlyBot> bot;
};

/// The viewers of one thread.
class Audience {
 public:
  Audience(net::Io& io, const WebViewersOptions& options) : io_(io), options_(options) {
    for (std::size_t i = 0; i < options.viewers; ++i)
      add(i);
  }

  void run_until(std::int64_t end_us, bool (*is_done)(const Audience&)) {
    std::int64_t next_us = io_.now_us();
    while (io_.now_us() < end_us && !(is_done != nullptr && is_done(*this))) {
      receive();
      if (io_.now_us() >= next_us) {
        next_us = std::max(next_us + viewer_tick_us, io_.now_us());
        begun_ = std::min(begun_ + joins_per_tick, bots_.size());
        for (std::size_t i = 0; i < begun_; ++i)
          bots_[i].bot->advance();
      } else {
        ::usleep(pause_us);
      }
    }
  }

  static bool are_all_watching(const Audience& audience) {
    return audience.watching() == audience.bots_.size();
  }
  std::size_t watching() const {
    return static_cast<std::size_t>(std::count_if(
        bots_.begin(), bots_.end(), [](const BrowserBot& each) { return each.bot->is_playing(); }));
  }

  WebViewersFigures sums() const {
    WebViewersFigures sums;
    sums.watching = watching();
    for (const BrowserBot& each : bots_) {
      sums.lost += each.bot->times_lost();
      sums.snapshots += each.bot->snapshots();
      sums.bytes += each.transport->counters().bytes_received;
      sums.messages += each.transport->counters().datagrams_received;
      if (!each.bot->refusal().empty()) sums.refusal = each.bot->refusal();
    }
    return sums;
  }
  std::vector<std::int64_t>& ages() { return ages_; }

 private:
  void add(std::size_t number) {
    BrowserBot& each = bots_.emplace_back();
    web_client::WebSocketOptions options;
    options.target = options_.target;
    options.runs_context = false;
    options.entry.token_text = options_.token;
    io_.fill_random(options.entry.secret);
    each.transport = std::make_unique<web_client::WebSocketTransport>(context_, options);
    AckOnlyBot::Options bot;
    bot.server = options_.gate;
    bot.name = "viewer";
    each.bot = std::make_unique<AckOnlyBot>(io_, *each.transport, bot, base::Random(number + 1));
    each.bot->set_age_hook([this](std::int64_t age_us) { ages_.push_back(age_us); });
  }

  void receive() {
    context_.restart();
    context_.poll();
    for (BrowserBot& each : bots_) {
      events_.clear();
      each.transport->service(events_);
      for (const net::PeerEvent& event : events_)
        each.bot->take(event);
    }
  }

  net::Io& io_;
  const WebViewersOptions& options_;
  boost::asio::io_context context_;
  std::vector<BrowserBot> bots_;
  std::size_t begun_ = 0;
  std::vector<net::PeerEvent> events_;
  std::vector<std::int64_t> ages_;
};

std::int64_t percentile(std::vector<std::int64_t>& values, double share) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

}  // namespace

WebViewersFigures watch_in_browsers(net::Io& io, const WebViewersOptions& options) {
  Audience audience(io, options);
  audience.run_until(io.now_us() + static_cast<std::int64_t>(options.join_seconds * 1e6),
                     Audience::are_all_watching);
  const WebViewersFigures before = audience.sums();
  audience.ages().clear();
  audience.run_until(io.now_us() + static_cast<std::int64_t>(options.seconds * 1e6), nullptr);
  WebViewersFigures figures = audience.sums();
  figures.lost -= before.lost;
  figures.snapshots -= before.snapshots;
  figures.bytes -= before.bytes;
  figures.messages -= before.messages;
  figures.age_p50_us = percentile(audience.ages(), 0.5);
  figures.age_p99_us = percentile(audience.ages(), 0.99);
  return figures;
}

}  // namespace jostle::load
