#include "tools/load/audience.h"

#include "shared/base/parse_number.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace jostle::load {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;
using Tcp = asio::ip::tcp;

constexpr std::chrono::milliseconds poll_interval{1'000};
constexpr std::chrono::seconds request_time{30};
constexpr std::size_t max_body_bytes = 32U << 20;

/// State that all viewers share.
struct Hall {
  net::Io& io;
  const AudienceOptions& options;
  asio::io_context context{};
  AudienceFigures figures{};
  std::vector<std::int64_t> request_us{};
  bool is_measuring = false, is_over = false;
  std::uint64_t first_newest = 0, newest = 0;
};

class Seat : public std::enable_shared_from_this<Seat> {
 public:
  explicit Seat(Hall& hall) : hall_(hall), timer_(hall.context) {}

  /// Begins after a pause, so that the viewers do not all ask at once.
  void begin(std::chrono::microseconds pause) {
    timer_.expires_after(pause);
    timer_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->connect();
    });
  }

 private:
  using Use = std::function<void(const std::string& body)>;

  void connect() {
    if (hall_.is_over) return;
    stream_.emplace(hall_.context);
    stream_->expires_after(request_time);
    const net::Address server = hall_.options.server;
    const Tcp::endpoint endpoint =
        server.ip.is_v4()
            ? Tcp::endpoint(asio::ip::address_v4(server.ip.v4()), server.port)
            : Tcp::endpoint(asio::ip::address_v6(server.ip.bytes(), server.ip.scope()),
                            server.port);
    stream_->async_connect(endpoint, [self = shared_from_this()](error_code error) {
      if (error) return self->fail(error.message());
      self->poll();
    });
  }

  void poll() {
    polled_us_ = hall_.io.now_us();
    get("live.json", [this](const std::string& body) {
      take_live(body);
      fetch();
    });
  }

  void take_live(const std::string& body) {
    constexpr std::string_view key = "\"newest\":";
    const std::size_t begin = body.find(key);
    if (begin == std::string::npos) return;
    const std::size_t end = body.find_first_not_of("0123456789", begin + key.size());
    const auto number = base::parse_number<std::uint64_t>(
        std::string_view(body).substr(begin + key.size(), end - begin - key.size()));
    if (!number) return;
    newest_ = *number;
    hall_.newest = std::max(hall_.newest, newest_);
    if (last_ == 0 && newest_ > 0) last_ = newest_ - 1;
    // Older fragments are gone from a live view.
    constexpr std::uint64_t most_behind = 4;
    if (newest_ > last_ + most_behind) {
      if (hall_.is_measuring) hall_.figures.missed += newest_ - last_ - most_behind;
      last_ = newest_ - most_behind;
    }
  }

  void fetch() {
    if (last_ >= newest_) return wait();
    get("fragment-" + std::to_string(last_ + 1) + ".jrly", [this](const std::string&) {
      ++last_;
      if (hall_.is_measuring) ++hall_.figures.fragments;
      fetch();
    });
  }

  void wait() {
    const auto passed = std::chrono::microseconds(hall_.io.now_us() - polled_us_);
    timer_.expires_after(std::max<std::chrono::microseconds>(poll_interval - passed,
                                                             std::chrono::microseconds(1'000)));
    timer_.async_wait([self = shared_from_this()](error_code error) {
      if (!error && !self->hall_.is_over) self->poll();
    });
  }

  void get(const std::string& name, Use use) {
    if (hall_.is_over) return;
    request_ = "GET " + hall_.options.path + name + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    began_us_ = hall_.io.now_us();
    stream_->expires_after(request_time);
    asio::async_write(
        *stream_, asio::buffer(request_),
        [self = shared_from_this(), use = std::move(use)](error_code error, std::size_t) {
          if (error) return self->fail(error.message());
          self->read(std::move(use));
        });
  }

  void read(Use use) {
    parser_.emplace();
    parser_->body_limit(max_body_bytes);
    beast::http::async_read(
        *stream_, buffer_, *parser_,
        [self = shared_from_this(), use = std::move(use)](error_code error, std::size_t) {
          if (error) return self->fail(error.message());
          const auto& response = self->parser_->get();
          self->note(response.body().size());
          if (response.result_int() != 200)
            return self->fail("status " + std::to_string(response.result_int()));
          const bool is_kept = response.keep_alive();
          const std::string body = response.body();
          if (!is_kept) return self->connect();
          use(body);
        });
  }

  void note(std::size_t bytes) {
    if (!hall_.is_measuring) return;
    ++hall_.figures.requests;
    hall_.figures.bytes += bytes;
    hall_.request_us.push_back(hall_.io.now_us() - began_us_);
  }

  void fail(const std::string& why) {
    if (hall_.is_over) return;
    if (hall_.is_measuring) ++hall_.figures.failures;
    hall_.figures.fault = why;
    buffer_.clear();
    begin(std::chrono::duration_cast<std::chrono::microseconds>(poll_interval));
  }

  Hall& hall_;
  std::optional<beast::tcp_stream> stream_;
  asio::steady_timer timer_;
  beast::flat_buffer buffer_;
  std::string request_;
  std::optional<beast::http::response_parser<beast::http::string_body>> parser_;
  std::int64_t polled_us_ = 0, began_us_ = 0;
  std::uint64_t last_ = 0, newest_ = 0;
};

std::int64_t share_of(std::vector<std::int64_t>& values, double share) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

}  // namespace

AudienceFigures watch_fragments(net::Io& io, const AudienceOptions& options) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  Hall hall{io, options};
  const auto settle_us = static_cast<std::int64_t>(options.settle_seconds * 1e6);
  for (std::size_t i = 0; i < options.viewers; ++i) {
    // The viewers arrive during the first half of the time before the measurement.
    const auto pause_us =
        settle_us / 2 * static_cast<std::int64_t>(i) / static_cast<std::int64_t>(options.viewers);
    std::make_shared<Seat>(hall)->begin(std::chrono::microseconds(pause_us));
  }
  hall.context.run_for(std::chrono::microseconds(settle_us));
  hall.is_measuring = true;
  hall.first_newest = hall.newest;
  hall.context.run_for(std::chrono::microseconds(static_cast<std::int64_t>(options.seconds * 1e6)));
  hall.is_measuring = false;
  hall.is_over = true;
  hall.figures.published = hall.newest - hall.first_newest;
  hall.figures.request_p50_us = share_of(hall.request_us, 0.5);
  hall.figures.request_p99_us = share_of(hall.request_us, 0.99);
  return hall.figures;
}

}  // namespace jostle::load
