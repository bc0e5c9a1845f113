#pragma once

#include "shared/http/server.h"
#include "shared/http/web_socket_stream.h"

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace jostle::http {

/// A WebSocket of the server with its handler.
class WebSocketSession final : public WebSocket,
                               public std::enable_shared_from_this<WebSocketSession> {
 public:
  /// Calls `on_end` when the connection has ended.
  WebSocketSession(std::unique_ptr<ByteStream> bytes, Upgrade upgrade,
                   std::function<void()> on_end);

  void start(const EmptyRequest& request, const Headers& headers);
  void wake() override;
  bool ping(std::span<const std::byte> payload) override;
  void close(std::uint16_t code, const std::string& reason) override;
  std::int64_t sending_us() const override;

 private:
  void limit_kernel_buffer();
  void read();
  void take_message(std::span<const std::byte> message);
  void send_close();
  void finish();

  WebSocketStream stream_;
  boost::asio::steady_timer close_timer_;
  std::unique_ptr<WebSocketHandler> handler_;
  std::function<void()> on_end_;
  std::vector<std::byte> outgoing_;
  WebSocketStream::CloseReason close_reason_;
  bool is_open_ = false, is_sending_ = false, is_pinging_ = false;
  bool is_closing_ = false, is_finished_ = false;
  std::chrono::steady_clock::time_point sending_since_{};
};

}  // namespace jostle::http
