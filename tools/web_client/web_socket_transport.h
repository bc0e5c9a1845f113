#pragma once

#include "shared/gate_link/entry.h"
#include "shared/net/transport.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace jostle::web_client {

/// Options of a WebSocketTransport.
struct WebSocketOptions {
  std::string target = "/ws";   // path of the WebSocket
  std::string host{};           // Host header; empty: the address
  std::string origin{};         // Origin header; empty: none, as programs other than browsers
  std::string forwarded_for{};  // X-Forwarded-For header, as of a proxy; empty: none
  gate_link::EntryRequest entry{};
  /// True to send no entry. The caller sends messages with send_raw().
  bool is_raw = false;
  /// False if the caller runs the io_context, which many transports may share.
  bool runs_context = true;
};

/// Transport of a client that joins through the gate, as a browser does, for tests and load
/// tests. It has at most one connection at a time, without TLS.
class WebSocketTransport final : public net::Transport {
 public:
  /// `context` must outlive the transport. service() runs it without waiting, unless the options
  /// leave that to the caller.
  WebSocketTransport(boost::asio::io_context& context, WebSocketOptions options);
  ~WebSocketTransport() override;

  void service(std::vector<net::PeerEvent>& events) override;
  std::optional<net::PeerId> connect(net::Address to) override;
  bool send(net::PeerId peer, net::Channel channel, std::span<const std::byte> bytes) override;
  void flush() override {}
  void disconnect(net::PeerId peer, net::DisconnectReason reason) override;
  void drop(net::PeerId peer, net::DisconnectReason reason) override;
  std::size_t pending_reliable_bytes(net::PeerId) const override { return 0; }
  std::optional<net::PeerStats> stats(net::PeerId peer) const override;
  std::optional<net::PeerIdentity> identity(net::PeerId peer) const override;
  std::string trouble_with(net::PeerId peer) const override;
  bool has_answered(net::PeerId peer) const override;
  /// Returns bytes of WebSocket messages with their frame headers; a datagram stands for a message
  /// of a WebSocket.
  net::TransportCounters counters() const override { return counters_; }
  net::Address local_address() const override { return {}; }
  int native_handle() const override { return -1; }

  /// Sends any message, for tests of the gate.
  void send_raw(std::span<const std::byte> message, bool is_text = false);
  /// Stops or resumes reading from the socket, as a viewer that is too slow. A small receive buffer
  /// makes the effect visible soon.
  void set_reading(bool is_reading);
  /// Breaks the connection off without a closing handshake, as a lost network does.
  void cut();
  /// HTTP status of a refused handshake; 0 otherwise.
  int http_status() const { return http_status_; }
  /// Close code of the last connection; 0 before its end.
  std::uint16_t close_code() const { return close_code_; }
  const std::string& close_text() const { return close_text_; }
  /// Sets a function that sees each message of the WebSocket as it arrived.
  void set_tap(std::function<void(std::span<const std::byte>)> tap) { tap_ = std::move(tap); }

 private:
  struct Link;
  friend struct Link;
  void take(std::span<const std::byte> message);
  void end(std::uint16_t code, const std::string& text);
  void close(net::PeerId peer, net::DisconnectReason reason);

  boost::asio::io_context& context_;
  WebSocketOptions options_;
  std::shared_ptr<Link> link_;
  std::optional<net::PeerId> peer_;
  std::uint32_t last_peer_ = 0;
  std::optional<net::PeerIdentity> identity_;
  net::Address address_;
  std::vector<net::PeerEvent> events_;
  net::TransportCounters counters_;
  std::string trouble_;
  int http_status_ = 0;
  std::uint16_t close_code_ = 0;
  std::string close_text_;
  bool is_up_ = false;
  std::function<void(std::span<const std::byte>)> tap_;
};

}  // namespace jostle::web_client
