#pragma once

#include "shared/net/io.h"
#include "shared/net/peer_identity.h"
#include "shared/net/traffic_breakdown.h"
#include "shared/secure/refusal.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::net {

/// The id of a connection. A transport never reuses an id.
struct PeerId {
  std::uint32_t value = 0;

  constexpr auto operator<=>(const PeerId&) const = default;
};

/// The message streams; docs/WIRE_FORMAT.md documents the messages of each.
enum class Channel : std::uint8_t {
  Control = 0,  // reliable, ordered
  State = 1,    // unsequenced: snapshots to clients, inputs to servers
  Bulk = 2,     // reliable, ordered, paced by the sender
  Time = 3,     // unsequenced
};
inline constexpr std::size_t channel_count = 4;

/// Maximum size of an unreliable message: MTU 1,168 less ENet's headers, rounded down. ENet must
/// not fragment unreliable messages, because a lost fragment leaks memory.
inline constexpr std::size_t max_unreliable_bytes = 1'120;
/// Overhead in bytes of an unreliable message that is alone in its datagram: IPv4 and UDP headers,
/// sealing, ENet's header and its command.
inline constexpr std::size_t unreliable_datagram_bytes = 20 + 8 + 29 + 4 + 8;
/// Maximum size of a reliable message, which may be split into at most 16 fragments.
inline constexpr std::size_t max_reliable_bytes = 16 * 1024;

/// The reason why a connection ended. It crosses the wire in ENet's 32-bit disconnect data.
enum class DisconnectReason : std::uint32_t {
  None = 0,
  Requested = 1,  // the other side closed the connection
  TimedOut = 2,   // no datagram arrived for too long
  ServerFull = 3,
  VersionMismatch = 4,
  Misbehaved = 5,  // the peer exceeded its budget of rejected messages
  ServerShutdown = 6,
  HandshakeTimeout = 7,  // connected, but never sent Hello
  TooSlow = 8,           // does not keep up with the data that it must receive
  Refused = 9,  // the server did not admit the client, see PeerEvent::text; never crosses the wire
  TokenRevoked = 10,  // the token of the connection was revoked
};
std::string_view describe(DisconnectReason reason);

/// An event of a connection. Fields that do not belong to its kind are unused.
struct PeerEvent {
  enum class Kind : std::uint8_t { Connected, Disconnected, Received };
  Kind kind = Kind::Connected;
  PeerId peer;
  Channel channel = Channel::Control;                // channel of the message, for Received
  DisconnectReason reason = DisconnectReason::None;  // cause, for Disconnected
  std::vector<std::byte> bytes{};                    // the message, for Received
  std::string text{};  // details for users, for Disconnected; may be empty
  secure::Refusal refusal = secure::Refusal::None;  // cause, for the reason Refused
};

struct PeerStats {
  Address address;
  std::uint32_t round_trip_us = 0;
  std::uint32_t round_trip_variance_us = 0;
  float packet_loss = 0;  // loss rate of reliable messages, 0 to 1
};

/// Counts of datagrams and bytes below the transport. Bytes include the UDP payload and exclude the
/// IP and UDP headers.
struct TransportCounters {
  std::uint64_t datagrams_sent = 0, datagrams_received = 0;
  std::uint64_t bytes_sent = 0, bytes_received = 0;
  std::uint64_t datagrams_refused = 0;  // rejected by the link or by the command firewall
  // datagrams that were not sent, usually because the socket's buffer was full
  std::uint64_t send_failures = 0;
  std::uint64_t handshakes_failed = 0;  // handshakes by peers that do not have the required keys
  std::uint64_t service_errors = 0;     // enet_host_service() < 0: counted, never fatal
  TrafficBreakdown sent, received;      // the bytes by category, including IP and UDP headers
};

/// An interface for messages between peers, which hides ENet from the programs. Tests may use
/// another implementation.
class Transport {
 public:
  virtual ~Transport() = default;

  /// Sends queued data, receives datagrams and appends the resulting events.
  virtual void service(std::vector<PeerEvent>& events) = 0;

  /// Starts a connection; a Connected or Disconnected event follows. Returns nothing if all peer
  /// slots are in use, or if the transport does not support the address's family.
  virtual std::optional<PeerId> connect(Address to) = 0;

  /// Queues a message. Returns false if the peer is not connected or its queue is full; the caller
  /// must count the loss. The size must be within the limit of the channel: max_unreliable_bytes or
  /// max_reliable_bytes.
  virtual bool send(PeerId peer, Channel channel, std::span<const std::byte> bytes) = 0;

  /// Sends queued data now.
  virtual void flush() = 0;

  /// Closes the connection after all queued data has arrived. A Disconnected event follows.
  virtual void disconnect(PeerId peer, DisconnectReason reason) = 0;
  /// Closes the connection immediately, with a single unacknowledged notification. No event
  /// follows.
  virtual void drop(PeerId peer, DisconnectReason reason) = 0;

  /// Returns the number of bytes of reliable messages that the peer has not yet acknowledged,
  /// including queued ones.
  virtual std::size_t pending_reliable_bytes(PeerId peer) const = 0;
  virtual std::optional<PeerStats> stats(PeerId peer) const = 0;
  /// Returns the peer's identity, which is known from its Connected event on. Returns nothing if
  /// the peer is gone.
  virtual std::optional<PeerIdentity> identity(PeerId peer) const = 0;
  /// Returns, for users, the likely reason why a connection attempt has not succeeded yet. The text
  /// is usually empty.
  virtual std::string trouble_with(PeerId peer) const = 0;
  /// Returns true if the other end has answered a connection attempt. The attempt then makes
  /// progress, and a restart would only delay it.
  virtual bool has_answered(PeerId peer) const = 0;
  virtual TransportCounters counters() const = 0;
  virtual Address local_address() const = 0;
  /// Returns a handle for an event loop, or −1 if there is none.
  virtual int native_handle() const = 0;
};

}  // namespace jostle::net
