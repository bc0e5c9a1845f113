#include "shared/http/detail/web_socket_session.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <utility>

namespace jostle::http {
namespace {

using boost::system::error_code;

/// Number of bytes that the kernel accepts beyond those that it has sent. Small, so that messages
/// wait in the handler, where newer ones replace them, and not in the kernel.
constexpr int max_unsent_kernel_bytes = 16 * 1024;
/// Time for a closing handshake, with the message that is being sent.
constexpr std::chrono::seconds close_time{1};

}  // namespace

WebSocketSession::WebSocketSession(std::unique_ptr<ByteStream> bytes, Upgrade upgrade,
                                   std::function<void()> on_end)
    : stream_(std::move(bytes), {.max_message_bytes = upgrade.max_message_bytes}),
      close_timer_(stream_.bytes().socket().get_executor()),
      handler_(std::move(upgrade.handler)),
      on_end_(std::move(on_end)) {
  limit_kernel_buffer();
}

void WebSocketSession::start(const EmptyRequest& request, const Headers& headers) {
  stream_.on_pong([this](std::span<const std::byte> payload) {
    if (is_open_) handler_->pong(payload);
  });
  stream_.accept(request, headers, [self = shared_from_this()](error_code error) {
    if (error) return self->finish();
    self->is_open_ = true;
    self->handler_->opened(*self);
    self->read();
    self->wake();
  });
}

void WebSocketSession::wake() {
  if (!is_open_ || is_sending_ || is_closing_) return;
  auto message = handler_->next_message();
  if (!message) return;
  outgoing_ = *std::move(message);
  is_sending_ = true;
  sending_since_ = std::chrono::steady_clock::now();
  stream_.write(outgoing_, false, [self = shared_from_this()](error_code error) {
    self->is_sending_ = false;
    if (error) return self->finish();
    if (self->is_closing_) return self->send_close();
    self->wake();
  });
}

bool WebSocketSession::ping(std::span<const std::byte> payload) {
  if (!is_open_ || is_pinging_ || is_closing_) return false;
  is_pinging_ = true;
  stream_.ping(payload, [self = shared_from_this()](error_code error) {
    self->is_pinging_ = false;
    if (error) self->finish();
  });
  return true;
}

void WebSocketSession::close(std::uint16_t code, const std::string& reason) {
  if (is_closing_ || is_finished_) return;
  is_closing_ = true;
  close_reason_ = {code, reason};
  close_timer_.expires_after(close_time);
  close_timer_.async_wait([self = shared_from_this()](error_code error) {
    if (!error) self->finish();
  });
  if (is_open_ && !is_sending_) send_close();
}

std::int64_t WebSocketSession::sending_us() const {
  if (!is_sending_) return 0;
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                               sending_since_)
      .count();
}

void WebSocketSession::limit_kernel_buffer() {
  const int handle = stream_.bytes().socket().native_handle();
  const int yes = 1;
  ::setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  ::setsockopt(handle, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &max_unsent_kernel_bytes,
               sizeof max_unsent_kernel_bytes);
}

void WebSocketSession::read() {
  stream_.read([self = shared_from_this()](error_code error, std::span<const std::byte> message) {
    if (error) return self->finish();
    self->take_message(message);
  });
}

void WebSocketSession::take_message(std::span<const std::byte> message) {
  // Messages that arrive after close() are dropped until the other end closes, too.
  if (!is_closing_ && !stream_.is_binary()) close(4005, "text messages are not accepted");
  if (!is_closing_) handler_->received(message);
  if (!is_finished_) read();
}

void WebSocketSession::send_close() {
  stream_.close(close_reason_.code, close_reason_.text,
                [self = shared_from_this()](error_code) { self->finish(); });
}

/// Ends the session once: reports the end, and closes the connection.
void WebSocketSession::finish() {
  if (std::exchange(is_finished_, true)) return;
  const bool was_open = std::exchange(is_open_, false);
  is_closing_ = true;
  close_timer_.cancel();
  const WebSocketStream::CloseReason reason = stream_.close_reason();
  constexpr std::uint16_t abnormal_code = 1'006;
  stream_.bytes().close();
  if (on_end_) std::exchange(on_end_, nullptr)();
  handler_->closed(was_open && reason.code != 0 ? reason.code : abnormal_code, reason.text);
}

}  // namespace jostle::http
