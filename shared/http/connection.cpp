#include "shared/http/detail/connection.h"

#include "shared/http/detail/web_socket_session.h"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jostle::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;

/// Maximum size of the head of a request, in bytes.
constexpr std::size_t max_header_bytes = 16 * 1024;

std::string_view view_of(beast::string_view text) {
  return {text.data(), text.size()};
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1e3));
}

/// One connection until it becomes a WebSocket.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::unique_ptr<ByteStream> bytes, std::shared_ptr<SharedState> shared,
             net::Address client)
      : stream_(std::move(bytes)), shared_(std::move(shared)), client_(client) {}
  ~Connection() {
    if (is_counted_) shared_->limits.remove(client_.ip);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void start() {
    bytes().expire_after(milliseconds(shared_->options.request_seconds));
    bytes().shake_hands([self = shared_from_this()](error_code error) {
      if (!error) self->read();
    });
  }

 private:
  ByteStream& bytes() { return stream_.bytes(); }

  void read() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(max_header_bytes));
    parser_->body_limit(std::uint64_t{0});
    const ServerOptions& options = shared_->options;
    bytes().expire_after(
        milliseconds(has_answered_ ? options.idle_seconds : options.request_seconds));
    beast::http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->take(error); });
  }

  void take(error_code error) {
    using beast::http::error::body_limit;
    using beast::http::error::header_limit;
    if (error == header_limit) return answer(text_response(431, "the request is too long"), false);
    if (error == body_limit) return answer(text_response(413, "requests have no body"), false);
    const bool is_ended = error == beast::http::error::end_of_stream ||
                          error == beast::error::timeout ||
                          error.category() == asio::error::get_system_category();
    if (error && is_ended) return;
    if (error) return answer(text_response(400, "this is not a request of HTTP/1.1"), false);
    const EmptyRequest& message = parser_->get();
    // A proxy might check the first of two headers and this server the second.
    if (message.count(beast::http::field::host) > 1)
      return answer(text_response(400, "a request has only one Host header"), false);
    const Request request = request_of(message);
    if (!shared_->check.accepts_host(request.host))
      return answer(text_response(421, "this server does not have the name of the Host header"),
                    false);
    if (request.path.empty()) return answer(text_response(400, "the path is malformed"), false);
    if (request.is_upgrade) return upgrade(request);
    is_head_ = message.method() == beast::http::verb::head;
    if (!is_head_ && message.method() != beast::http::verb::get) {
      Response refusal = text_response(405, "only GET and HEAD are accepted");
      refusal.headers.emplace_back("Allow", "GET, HEAD");
      return answer(refusal, message.keep_alive());
    }
    answer(shared_->site.respond(request), message.keep_alive());
  }

  Request request_of(const EmptyRequest& message) const {
    using beast::http::field;
    Request request;
    const std::string_view target = view_of(message.target());
    request.path = decode_path(target);
    const std::size_t query = target.find('?');
    if (query != std::string_view::npos) request.query = target.substr(query + 1);
    request.host = view_of(message[field::host]);
    request.accept_encoding = view_of(message[field::accept_encoding]);
    request.if_none_match = view_of(message[field::if_none_match]);
    request.client = client_address(client_, view_of(message["X-Forwarded-For"]),
                                    shared_->options.trusted_proxies);
    request.is_upgrade = beast::websocket::is_upgrade(message);
    return request;
  }

  /// Returns true if the page that asks for a WebSocket may have it. Browsers always send one
  /// Origin header; other programs need none.
  bool has_accepted_origin(const EmptyRequest& message, const Request& request) const {
    const std::size_t count = message.count(beast::http::field::origin);
    if (count == 0) return true;
    const std::string_view origin = view_of(message[beast::http::field::origin]);
    return count == 1 && shared_->check.accepts_origin(origin, request.host);
  }

  void upgrade(const Request& request) {
    if (!has_accepted_origin(parser_->get(), request))
      return answer(text_response(403, "pages of this origin may not connect"), false);
    if (shared_->is_stopped) return answer(text_response(503, "the server stops"), false);
    Upgrade upgrade = shared_->site.upgrade(request);
    if (upgrade.handler == nullptr) return answer(upgrade.refusal, false);
    is_counted_ = false;  // the session counts on
    auto session = std::make_shared<WebSocketSession>(
        stream_.release(), std::move(upgrade),
        [shared = shared_, ip = client_.ip] { shared->limits.remove(ip); });
    session->start(parser_->get(), shared_->options.headers);
  }

  void answer(const Response& response, bool keep_alive) {
    keep_alive = keep_alive && !shared_->is_stopped;
    body_ = response.body;
    using Body = beast::http::span_body<const char>;
    auto message = std::make_shared<beast::http::response<Body>>();
    message->result(static_cast<unsigned>(response.status));
    message->set(beast::http::field::content_type, response.content_type);
    for (const auto& [name, value] : shared_->options.headers)
      message->set(name, value);
    for (const auto& [name, value] : response.headers)
      message->set(name, value);
    message->keep_alive(keep_alive);
    const std::size_t size = body_ == nullptr ? 0 : body_->size();
    if (!is_head_ && body_ != nullptr) message->body() = {body_->data(), size};
    if (response.status != 304) message->content_length(size);
    bytes().expire_after(milliseconds(
        std::max(shared_->options.request_seconds, static_cast<double>(size) / min_rate)));
    // A serializer whose header only is written suits HEAD, too: the body is empty then.
    beast::http::async_write(
        stream_, *message,
        [self = shared_from_this(), message, keep_alive](error_code error, std::size_t) {
          self->has_answered_ = true;
          if (error || !keep_alive) return self->shut_down();
          self->is_head_ = false;
          self->read();
        });
  }

  void shut_down() {
    error_code ignored;
    bytes().socket().shutdown(ByteStream::Tcp::socket::shutdown_send, ignored);
  }

  /// Rate below which a client is too slow to be served, in bytes per second.
  static constexpr double min_rate = 10e3;

  AnyStream stream_;
  std::shared_ptr<SharedState> shared_;
  net::Address client_;
  beast::flat_buffer buffer_{max_header_bytes + 4'096};
  std::optional<beast::http::request_parser<beast::http::empty_body>> parser_;
  std::shared_ptr<const std::string> body_;  // kept until it is sent
  bool is_counted_ = true, is_head_ = false, has_answered_ = false;
};

}  // namespace

void serve(std::unique_ptr<ByteStream> bytes, std::shared_ptr<SharedState> shared,
           net::Address client) {
  std::make_shared<Connection>(std::move(bytes), std::move(shared), client)->start();
}

}  // namespace jostle::http
