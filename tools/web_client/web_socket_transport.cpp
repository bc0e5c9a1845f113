#include "tools/web_client/web_socket_transport.h"

#include "shared/http/web_socket_stream.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <deque>
#include <utility>

namespace jostle::web_client {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Tcp = asio::ip::tcp;
using net::DisconnectReason;
using net::PeerEvent;

/// Size of the kernel's receive buffer. It is small, so that a client that does not read soon
/// blocks the sender.
constexpr int receive_buffer_bytes = 65'536;
constexpr std::size_t max_message_bytes = 2U << 20;

Tcp::endpoint endpoint_of(net::Address address) {
  if (address.ip.is_v4()) return {asio::ip::address_v4(address.ip.v4()), address.port};
  return {asio::ip::address_v6(address.ip.bytes(), address.ip.scope()), address.port};
}

/// Returns the size of a WebSocket frame's header. Frames from clients have a mask of 4 bytes.
std::size_t frame_header_bytes(std::size_t payload, bool is_from_client) {
  const std::size_t length = payload < 126 ? 0 : payload < 65'536 ? 2 : 8;
  return 2 + length + (is_from_client ? 4 : 0);
}

}  // namespace

/// A connection. Its callbacks do nothing after the transport has forgotten it.
struct WebSocketTransport::Link : std::enable_shared_from_this<Link> {
  Link(asio::io_context& context, WebSocketTransport& owner)
      : stream(http::plain_stream(Tcp::socket(context)),
               {.is_server = false,
                .max_message_bytes = max_message_bytes,
                .handshake_time = std::chrono::seconds(30),
                .idle_time = std::chrono::seconds(300)}),
        transport(&owner) {}

  void start(net::Address to, const WebSocketOptions& options) {
    Tcp::socket& socket = stream.bytes().socket();
    error_code ignored;
    socket.open(endpoint_of(to).protocol(), ignored);
    socket.set_option(asio::socket_base::receive_buffer_size(receive_buffer_bytes), ignored);
    socket.set_option(Tcp::no_delay(true), ignored);
    stream.bytes().connect(endpoint_of(to),
                           [self = shared_from_this(), to, options](error_code error) {
                             if (self->transport == nullptr) return;
                             if (error) return self->fail(error.message());
                             self->shake_hands(to, options);
                           });
  }

  void shake_hands(net::Address to, const WebSocketOptions& options) {
    http::Headers headers;
    if (!options.origin.empty()) headers.emplace_back("Origin", options.origin);
    if (!options.forwarded_for.empty())
      headers.emplace_back("X-Forwarded-For", options.forwarded_for);
    stream.ask(options.host.empty() ? net::to_string(to) : options.host, options.target, headers,
               [self = shared_from_this()](error_code error, int status) {
                 if (self->transport == nullptr) return;
                 if (error) {
                   self->transport->http_status_ = status;
                   return self->fail(error.message());
                 }
                 self->begin();
               });
  }

  void begin() {
    is_open = true;
    if (!transport->options_.is_raw)
      put(gate_link::encode_entry_request(transport->options_.entry));
    write();
    if (is_reading) read();
  }

  void read() {
    if (is_read_pending) return;
    is_read_pending = true;
    stream.read([self = shared_from_this()](error_code error, std::span<const std::byte> message) {
      self->is_read_pending = false;
      if (self->transport == nullptr) return;
      if (error) {
        const http::WebSocketStream::CloseReason reason = self->stream.close_reason();
        return self->transport->end(reason.code, reason.text);
      }
      self->transport->take(message);
      if (self->transport != nullptr && self->is_reading) self->read();
    });
  }

  void put(std::vector<std::byte> message, bool is_text = false) {
    if (transport != nullptr) {
      ++transport->counters_.datagrams_sent;
      transport->counters_.bytes_sent += message.size() + frame_header_bytes(message.size(), true);
    }
    outgoing.emplace_back(std::move(message), is_text);
    if (is_open && !is_writing) write();
  }

  void write() {
    if (outgoing.empty() || is_closing || is_writing) return;
    is_writing = true;
    stream.write(outgoing.front().first, outgoing.front().second,
                 [self = shared_from_this()](error_code error) {
                   self->is_writing = false;
                   self->outgoing.pop_front();
                   if (self->close_code) return self->send_close();
                   if (!error) self->write();
                 });
  }

  void close(std::uint16_t code) {
    close_code = code;
    if (!is_open) return cut();
    if (!is_writing) send_close();
  }

  void send_close() {
    if (std::exchange(is_closing, true)) return;
    stream.close(*close_code, {}, [self = shared_from_this()](error_code) {
      if (self->transport != nullptr) self->transport->end(*self->close_code, "");
    });
  }

  void cut() {
    error_code ignored;
    stream.bytes().socket().set_option(asio::socket_base::linger(true, 0), ignored);
    stream.bytes().close();
  }

  void fail(const std::string& why) {
    transport->trouble_ = why;
    transport->end(0, why);
  }

  http::WebSocketStream stream;
  WebSocketTransport* transport;
  std::deque<std::pair<std::vector<std::byte>, bool>> outgoing;
  std::optional<std::uint16_t> close_code;
  bool is_open = false, is_writing = false, is_closing = false, is_reading = true;
  bool is_read_pending = false;
};

WebSocketTransport::WebSocketTransport(asio::io_context& context, WebSocketOptions options)
    : context_(context), options_(std::move(options)) {}

WebSocketTransport::~WebSocketTransport() {
  if (link_ == nullptr) return;
  link_->transport = nullptr;
  link_->cut();
}

void WebSocketTransport::service(std::vector<PeerEvent>& events) {
  if (options_.runs_context) {
    context_.restart();
    context_.poll();
  }
  events.insert(events.end(), std::make_move_iterator(events_.begin()),
                std::make_move_iterator(events_.end()));
  events_.clear();
}

std::optional<net::PeerId> WebSocketTransport::connect(net::Address to) {
  if (peer_) return std::nullopt;
  peer_ = net::PeerId{++last_peer_};
  address_ = to;
  identity_.reset();
  is_up_ = false;
  http_status_ = 0;
  close_code_ = 0;
  close_text_.clear();
  link_ = std::make_shared<Link>(context_, *this);
  link_->start(to, options_);
  return peer_;
}

void WebSocketTransport::take(std::span<const std::byte> message) {
  ++counters_.datagrams_received;
  counters_.bytes_received += message.size() + frame_header_bytes(message.size(), false);
  if (tap_) tap_(message);
  if (options_.is_raw) return;
  if (!is_up_) {
    identity_ = gate_link::decode_entry_answer(message);
    if (!identity_) return end(gate_link::close_code(DisconnectReason::Misbehaved), "no entry");
    is_up_ = true;
    events_.push_back({.kind = PeerEvent::Kind::Connected, .peer = *peer_, .bytes = {}});
    return;
  }
  const auto messages = gate_link::decode_gate_message(message);
  if (!messages) return end(gate_link::close_code(DisconnectReason::Misbehaved), "malformed");
  for (const gate_link::ViewerMessage& each : *messages) {
    PeerEvent& event = events_.emplace_back();
    event.kind = PeerEvent::Kind::Received;
    event.peer = *peer_;
    event.channel = each.channel;
    event.bytes.assign(each.bytes.begin(), each.bytes.end());
  }
}

/// Ends the connection and reports it.
void WebSocketTransport::end(std::uint16_t code, const std::string& text) {
  if (!peer_) return;
  close_code_ = code;
  close_text_ = text;
  const gate_link::CloseReason why = gate_link::close_reason(code);
  PeerEvent& event = events_.emplace_back();
  event.kind = PeerEvent::Kind::Disconnected;
  event.peer = *peer_;
  event.reason = why.reason;
  event.refusal = why.refusal;
  event.text = text;
  peer_.reset();
  link_->transport = nullptr;
  link_->cut();
  link_.reset();
}

bool WebSocketTransport::send(net::PeerId peer, net::Channel channel,
                              std::span<const std::byte> bytes) {
  if (peer_ != peer || !is_up_ || link_->close_code) return false;
  std::vector<std::byte> message{static_cast<std::byte>(channel)};
  message.insert(message.end(), bytes.begin(), bytes.end());
  link_->put(std::move(message));
  return true;
}

void WebSocketTransport::send_raw(std::span<const std::byte> message, bool is_text) {
  if (link_ != nullptr) link_->put({message.begin(), message.end()}, is_text);
}

void WebSocketTransport::disconnect(net::PeerId peer, DisconnectReason reason) {
  if (peer_ == peer) link_->close(gate_link::close_code(reason));
}

void WebSocketTransport::drop(net::PeerId peer, DisconnectReason reason) {
  if (peer_ != peer) return;
  peer_.reset();
  link_->transport = nullptr;
  link_->close(gate_link::close_code(reason));
  link_.reset();
}

void WebSocketTransport::set_reading(bool is_reading) {
  if (link_ == nullptr) return;
  link_->is_reading = is_reading;
  if (is_reading && link_->is_open) link_->read();
}

void WebSocketTransport::cut() {
  if (link_ == nullptr) return;
  const auto link = link_;
  end(0, "cut");
  link->cut();
}

std::optional<net::PeerStats> WebSocketTransport::stats(net::PeerId peer) const {
  if (peer_ != peer) return std::nullopt;
  return net::PeerStats{.address = address_};
}

std::optional<net::PeerIdentity> WebSocketTransport::identity(net::PeerId peer) const {
  return peer_ == peer ? identity_ : std::nullopt;
}

std::string WebSocketTransport::trouble_with(net::PeerId) const {
  return trouble_;
}

bool WebSocketTransport::has_answered(net::PeerId peer) const {
  return peer_ == peer && link_->is_open;
}

}  // namespace jostle::web_client
