#pragma once

#include "shared/http/server.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::http {

namespace beast = boost::beast;
using EmptyRequest = beast::http::request<beast::http::empty_body>;

/// Number of bytes that the kernel accepts beyond those that it has sent. Small, so that messages
/// wait in the handler, where newer ones replace them, and not in the kernel.
inline constexpr int max_unsent_kernel_bytes = 16 * 1024;
/// Time after which a connection ends if the other end sends nothing, not even the answers to
/// pings.
inline constexpr std::chrono::seconds web_socket_idle_time{30};
/// Time for a closing handshake, with the message that is being sent.
inline constexpr std::chrono::seconds web_socket_close_time{1};

/// A WebSocket over a stream of Beast, plain or TLS.
template <typename Stream>
class WebSocketSession final : public WebSocket,
                               public std::enable_shared_from_this<WebSocketSession<Stream>> {
 public:
  WebSocketSession(Stream&& stream, Upgrade upgrade, std::function<void()> on_end)
      : socket_(std::move(stream)),
        close_timer_(socket_.get_executor()),
        handler_(std::move(upgrade.handler)),
        on_end_(std::move(on_end)) {
    socket_.read_message_max(upgrade.max_message_bytes);
    socket_.binary(true);
    socket_.auto_fragment(false);
    beast::websocket::stream_base::timeout timeout{};
    timeout.handshake_timeout = std::chrono::seconds(10);
    timeout.idle_timeout = web_socket_idle_time;
    timeout.keep_alive_pings = true;
    socket_.set_option(timeout);
    beast::get_lowest_layer(socket_).expires_never();
    limit_kernel_buffer();
  }

  void start(const EmptyRequest& request,
             std::vector<std::pair<std::string, std::string>> headers) {
    socket_.control_callback([this](beast::websocket::frame_type kind, beast::string_view payload) {
      if (kind == beast::websocket::frame_type::pong && is_open_)
        handler_->pong(std::as_bytes(std::span(payload.data(), payload.size())));
    });
    socket_.set_option(beast::websocket::stream_base::decorator(
        [headers = std::move(headers)](beast::websocket::response_type& response) {
          for (const auto& [name, value] : headers)
            response.set(name, value);
        }));
    socket_.async_accept(request, [self = this->shared_from_this()](beast::error_code error) {
      if (error) return self->finish();
      self->is_open_ = true;
      self->handler_->opened(*self);
      self->read();
      self->wake();
    });
  }

  void wake() override {
    if (!is_open_ || is_sending_ || is_closing_) return;
    auto message = handler_->next_message();
    if (!message) return;
    outgoing_ = *std::move(message);
    is_sending_ = true;
    sending_since_ = std::chrono::steady_clock::now();
    socket_.async_write(boost::asio::buffer(outgoing_),
                        [self = this->shared_from_this()](beast::error_code error, std::size_t) {
                          self->is_sending_ = false;
                          if (error) return self->finish();
                          if (self->is_closing_) return self->send_close();
                          self->wake();
                        });
  }

  bool ping(std::span<const std::byte> payload) override {
    if (!is_open_ || is_pinging_ || is_closing_) return false;
    is_pinging_ = true;
    const beast::string_view text(reinterpret_cast<const char*>(payload.data()), payload.size());
    socket_.async_ping(beast::websocket::ping_data(text),
                       [self = this->shared_from_this()](beast::error_code error) {
                         self->is_pinging_ = false;
                         if (error) self->finish();
                       });
    return true;
  }

  void close(std::uint16_t code, const std::string& reason) override {
    if (is_closing_ || is_finished_) return;
    is_closing_ = true;
    constexpr std::size_t max_reason_bytes = 123;
    close_reason_ = beast::websocket::close_reason(static_cast<beast::websocket::close_code>(code),
                                                   reason.substr(0, max_reason_bytes));
    close_timer_.expires_after(web_socket_close_time);
    close_timer_.async_wait([self = this->shared_from_this()](beast::error_code error) {
      if (!error) self->finish();
    });
    if (is_open_ && !is_sending_) send_close();
  }

  std::int64_t sending_us() const override {
    if (!is_sending_) return 0;
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                                 sending_since_)
        .count();
  }

 private:
  void limit_kernel_buffer() {
    auto& tcp = beast::get_lowest_layer(socket_).socket();
    const int handle = tcp.native_handle();
    const int yes = 1;
    ::setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    ::setsockopt(handle, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &max_unsent_kernel_bytes,
                 sizeof max_unsent_kernel_bytes);
  }

  void read() {
    socket_.async_read(incoming_,
                       [self = this->shared_from_this()](beast::error_code error, std::size_t) {
                         if (error) return self->finish();
                         self->take_message();
                       });
  }

  void take_message() {
    // Messages that arrive after close() are dropped until the other end closes, too.
    if (!is_closing_ && !socket_.got_binary()) close(4005, "text messages are not accepted");
    if (!is_closing_) {
      const auto data = incoming_.cdata();
      handler_->received(
          std::as_bytes(std::span(static_cast<const char*>(data.data()), data.size())));
    }
    incoming_.consume(incoming_.size());
    if (!is_finished_) read();
  }

  void send_close() {
    socket_.async_close(close_reason_,
                        [self = this->shared_from_this()](beast::error_code) { self->finish(); });
  }

  /// Ends the session once: reports the end, and closes the connection.
  void finish() {
    if (std::exchange(is_finished_, true)) return;
    const bool was_open = std::exchange(is_open_, false);
    is_closing_ = true;
    close_timer_.cancel();
    const auto reason = socket_.reason();
    const auto code = static_cast<std::uint16_t>(reason.code);
    constexpr std::uint16_t abnormal_code = 1'006;
    beast::get_lowest_layer(socket_).close();
    if (on_end_) std::exchange(on_end_, nullptr)();
    handler_->closed(was_open && code != 0 ? code : abnormal_code,
                     std::string(reason.reason.data(), reason.reason.size()));
  }

  beast::websocket::stream<Stream> socket_;
  boost::asio::steady_timer close_timer_;
  std::unique_ptr<WebSocketHandler> handler_;
  std::function<void()> on_end_;
  beast::flat_buffer incoming_;
  std::vector<std::byte> outgoing_;
  beast::websocket::close_reason close_reason_;
  bool is_open_ = false, is_sending_ = false, is_pinging_ = false;
  bool is_closing_ = false, is_finished_ = false;
  std::chrono::steady_clock::time_point sending_since_{};
};

}  // namespace jostle::http
