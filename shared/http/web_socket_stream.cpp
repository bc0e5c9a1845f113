#include "shared/http/web_socket_stream.h"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/websocket/stream.hpp>

namespace jostle::http {

namespace beast = boost::beast;
using boost::system::error_code;

namespace {

constexpr std::size_t max_reason_bytes = 123;

std::span<const std::byte> bytes_of(beast::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace

// Beast finds these functions by the type of the stream.

void beast_close_socket(AnyStream& stream) {
  stream.bytes().close();
}

template <typename Handler>
void async_teardown(beast::role_type, AnyStream& stream, Handler&& handler) {
  // The parameter is never used: a closed stream sends and receives no bytes.
  IoHandler done([handler = std::forward<Handler>(handler)](error_code error, std::size_t) mutable {
    handler(error);
  });
  auto kept = std::make_shared<IoHandler>(std::move(done));
  stream.bytes().shut_down([kept](error_code error) { (*kept)(error, 0); });
}

struct WebSocketStream::Beast {
  explicit Beast(std::unique_ptr<ByteStream> bytes) : socket(std::move(bytes)) {}
  beast::websocket::stream<AnyStream> socket;
  beast::flat_buffer incoming;
  beast::websocket::response_type response;
};

WebSocketStream::WebSocketStream(std::unique_ptr<ByteStream> bytes, const Options& options)
    : beast_(std::make_unique<Beast>(std::move(bytes))) {
  auto& socket = beast_->socket;
  socket.read_message_max(options.max_message_bytes);
  socket.auto_fragment(false);
  beast::websocket::stream_base::timeout timeout{};
  timeout.handshake_timeout = options.handshake_time;
  timeout.idle_timeout = options.idle_time;
  timeout.keep_alive_pings = true;
  socket.set_option(timeout);
  this->bytes().never_expire();
}

WebSocketStream::~WebSocketStream() = default;

void WebSocketStream::accept(const EmptyRequest& request, const Headers& headers, Done done) {
  beast_->socket.set_option(beast::websocket::stream_base::decorator(
      [headers](beast::websocket::response_type& response) {
        for (const auto& [name, value] : headers)
          response.set(name, value);
      }));
  beast_->socket.async_accept(request, std::move(done));
}

void WebSocketStream::ask(const std::string& host, const std::string& target,
                          const Headers& headers,
                          std::function<void(error_code, int status)> done) {
  beast_->socket.set_option(
      beast::websocket::stream_base::decorator([headers](beast::websocket::request_type& request) {
        for (const auto& [name, value] : headers)
          request.set(name, value);
      }));
  beast_->socket.async_handshake(
      beast_->response, host, target, [this, done = std::move(done)](error_code error) {
        const bool has_answer = !error || error == beast::websocket::error::upgrade_declined;
        done(error, has_answer ? static_cast<int>(beast_->response.result_int()) : 0);
      });
}

void WebSocketStream::read(std::function<void(error_code, std::span<const std::byte>)> done) {
  beast_->socket.async_read(beast_->incoming, [this, done = std::move(done)](error_code error,
                                                                             std::size_t) {
    if (error) return done(error, {});
    const auto data = beast_->incoming.cdata();
    const std::vector<std::byte> message(static_cast<const std::byte*>(data.data()),
                                         static_cast<const std::byte*>(data.data()) + data.size());
    beast_->incoming.consume(data.size());
    done(error, message);
  });
}

bool WebSocketStream::is_binary() const {
  return beast_->socket.got_binary();
}

void WebSocketStream::write(std::span<const std::byte> message, bool is_text, Done done) {
  beast_->socket.text(is_text);
  beast_->socket.async_write(
      boost::asio::buffer(message.data(), message.size()),
      [done = std::move(done)](error_code error, std::size_t) { done(error); });
}

void WebSocketStream::ping(std::span<const std::byte> payload, Done done) {
  const beast::string_view text(reinterpret_cast<const char*>(payload.data()), payload.size());
  beast_->socket.async_ping(beast::websocket::ping_data(text), std::move(done));
}

void WebSocketStream::on_pong(std::function<void(std::span<const std::byte>)> use) {
  beast_->socket.control_callback(
      [use = std::move(use)](beast::websocket::frame_type kind, beast::string_view payload) {
        if (kind == beast::websocket::frame_type::pong) use(bytes_of(payload));
      });
}

void WebSocketStream::close(std::uint16_t code, std::string_view text, Done done) {
  text = text.substr(0, max_reason_bytes);
  beast_->socket.async_close(
      beast::websocket::close_reason(static_cast<beast::websocket::close_code>(code),
                                     beast::string_view(text.data(), text.size())),
      std::move(done));
}

WebSocketStream::CloseReason WebSocketStream::close_reason() const {
  const auto& reason = beast_->socket.reason();
  return {static_cast<std::uint16_t>(reason.code),
          std::string(reason.reason.data(), reason.reason.size())};
}

ByteStream& WebSocketStream::bytes() {
  return beast_->socket.next_layer().bytes();
}

}  // namespace jostle::http
