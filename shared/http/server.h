#pragma once

#include "shared/base/result.h"
#include "shared/http/host_check.h"
#include "shared/http/request.h"
#include "shared/net/address.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace jostle::http {

/// An open WebSocket, as its owner sees it. The object lives until WebSocketHandler::closed().
class WebSocket {
 public:
  virtual ~WebSocket() = default;
  /// Tells the socket that WebSocketHandler::next_message() has a message.
  virtual void wake() = 0;
  /// Sends a ping with up to 125 bytes. Returns false if the last ping is still being sent.
  virtual bool ping(std::span<const std::byte> payload) = 0;
  /// Closes the connection with a code and a reason of up to 123 bytes; a longer reason is cut. The
  /// message that is being sent is completed first, for at most a second.
  virtual void close(std::uint16_t code, const std::string& reason) = 0;
  /// Returns the time for which the message that is being sent has waited, in µs; 0 if idle.
  virtual std::int64_t sending_us() const = 0;
};

/// Handler of the events of a WebSocket. All calls come from the thread of the io_context.
class WebSocketHandler {
 public:
  virtual ~WebSocketHandler() = default;
  /// The handshake is complete. `socket` is valid until closed().
  virtual void opened(WebSocket& socket) = 0;
  /// A binary message has arrived. Text messages close the connection.
  virtual void received(std::span<const std::byte> message) = 0;
  /// Returns the next message to send, or nothing. At most one message is being sent at a time;
  /// this function is called when a message can be sent at once.
  virtual std::optional<std::vector<std::byte>> next_message() = 0;
  virtual void pong(std::span<const std::byte> payload) = 0;
  /// The connection has ended, also after a failed handshake. `code` is the close code of the other
  /// end; 1006 without one. The handler is destroyed afterwards.
  virtual void closed(std::uint16_t code, const std::string& reason) = 0;
};

/// The reaction to a request for a WebSocket: a handler, or a refusal.
struct Upgrade {
  std::unique_ptr<WebSocketHandler> handler;  // null: refused
  Response refusal{};
  std::size_t max_message_bytes = 4'096;  // longer messages close the connection
};

/// The content of a server.
class Site {
 public:
  virtual ~Site() = default;
  virtual Response respond(const Request& request) = 0;
  /// Called for a request of a WebSocket whose Host and Origin are accepted.
  virtual Upgrade upgrade(const Request& request) = 0;
};

/// Options of a Server.
struct ServerOptions {
  net::Address listen{net::loopback_ip, 0};
  HostCheck::Options names{};
  /// Files of the certificate chain and its private key (PEM). Empty: without TLS.
  std::string certificate_file{}, key_file{};
  /// Proxies whose X-Forwarded-For header is believed.
  std::vector<net::Ip> trusted_proxies{};
  /// Headers of every answer.
  std::vector<std::pair<std::string, std::string>> headers{};
  /// Maximum number of connections, and of those of one remote IPv4 address or IPv6 /64. Further
  /// ones are closed at once.
  std::size_t max_connections = 4'096, max_connections_per_address = 64;
  /// Time for the TLS handshake and for each request, and the time that a connection may idle.
  double request_seconds = 10, idle_seconds = 20;
};

/// A server of HTTP/1.1 and WebSockets over TCP, with TLS if a certificate is given. It serves GET
/// and HEAD, without request bodies. It never compresses WebSocket messages.
class Server {
 public:
  /// Listens at the address. `context` and `site` must outlive the server, and the context must not
  /// run any more at the server's end. The error is one sentence.
  static base::Result<std::unique_ptr<Server>, std::string> create(boost::asio::io_context& context,
                                                                   ServerOptions options,
                                                                   Site& site);
  virtual ~Server() = default;

  virtual net::Address local_address() const = 0;
  /// Stops listening, and closes idle connections.
  virtual void stop() = 0;
  virtual std::size_t connection_count() const = 0;
};

}  // namespace jostle::http
