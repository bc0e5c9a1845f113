#pragma once

#include "shared/net/byte_ledger.h"
#include "shared/net/io.h"
#include "shared/net/peer_identity.h"
#include "shared/secure/refusal.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::net {

/// A connection, as one transport names it. Never used twice within a transport's life.
struct PeerId {
  std::uint32_t value = 0;

  constexpr auto operator<=>(const PeerId&) const = default;
};

/// The message streams of the wire; docs/WIRE_FORMAT.md says what travels where.
enum class Channel : std::uint8_t {
  Control = 0,  // reliable, ordered
  State = 1,    // unsequenced: snapshots down, inputs up
  Bulk = 2,     // reliable, ordered, paced by the sender
  Time = 3,     // unsequenced
};
inline constexpr std::size_t channel_count = 4;

/// ENet may not fragment what is not reliable (a lost fragment leaks its bookkeeping), so this is a
/// hard limit there: MTU 1,168 less ENet's headers and rounded down.
inline constexpr std::size_t max_unreliable_bytes = 1'120;
/// Around a message that is not reliable, alone in its datagram: IPv4 and UDP, what sealing adds,
/// ENet's head and that of its command.
inline constexpr std::size_t unreliable_datagram_bytes = 20 + 8 + 29 + 4 + 8;
/// Reliable messages may be fragmented up to here, in at most 16 fragments.
inline constexpr std::size_t max_reliable_bytes = 16 * 1024;

/// Why a connection ended; crosses the wire in ENet's 32-bit disconnect data.
enum class DisconnectReason : std::uint32_t {
  None = 0,
  Requested = 1,  // the other side said goodbye
  TimedOut = 2,   // silence
  ServerFull = 3,
  VersionMismatch = 4,
  Misbehaved = 5,  // over its budget of refused messages
  ServerShutdown = 6,
  HandshakeTimeout = 7,  // connected but never said Hello
  TooSlow = 8,           // does not keep up with what it must receive
  Refused = 9,           // not let in: PeerEvent has the words. Never crosses the wire
  TokenRevoked = 10,     // the token that it came by
};
std::string_view describe(DisconnectReason reason);

struct PeerEvent {
  enum class Kind : std::uint8_t { Connected, Disconnected, Received };
  Kind kind = Kind::Connected;
  PeerId peer;
  Channel channel = Channel::Control;                // Received
  DisconnectReason reason = DisconnectReason::None;  // Disconnected
  std::vector<std::byte> bytes{};                    // Received
  std::string words{};  // Disconnected: why, for people, where more is known than the reason
  secure::Refusal refusal = secure::Refusal::None;  // of the reason Refused
};

struct PeerStats {
  Address address;
  std::uint32_t round_trip_us = 0;
  std::uint32_t round_trip_variance_us = 0;
  float packet_loss = 0;  // 0..1, of what was sent reliably
};

/// Datagrams and bytes on the wire below the transport, in both directions, UDP payload included
/// and IP/UDP headers not.
struct TransportCounters {
  std::uint64_t datagrams_sent = 0, datagrams_received = 0;
  std::uint64_t bytes_sent = 0, bytes_received = 0;
  std::uint64_t datagrams_refused = 0;    // not sealed for us, or a command that is not let in
  std::uint64_t datagrams_not_taken = 0;  // by the network: its buffers were full
  std::uint64_t handshakes_failed = 0;    // by those who have not the keys that they need
  std::uint64_t service_errors = 0;       // enet_host_service < 0: counted, never fatal
  ByteLedger sent, received;              // where those bytes went, and those of IP and UDP
};

/// Messages between peers. The seam between the programs and ENet; tests may put another behind it.
class Transport {
 public:
  virtual ~Transport() = default;

  /// Sends what is queued, takes in what has arrived and appends what happened to `events`.
  virtual void service(std::vector<PeerEvent>& events) = 0;

  /// Starts to connect; Connected or Disconnected follows as an event. Nothing when no slot is
  /// free, or the address is of a kind that the transport does not know.
  virtual std::optional<PeerId> connect(Address to) = 0;

  /// Queues a message. False when the peer is gone or its queue is full: the caller counts it.
  /// Contract: size within the channel's limit above.
  virtual bool send(PeerId peer, Channel channel, std::span<const std::byte> bytes) = 0;

  /// Puts what is queued on the wire now.
  virtual void flush() = 0;

  /// Tells the peer, after what is queued for it has arrived; Disconnected follows.
  virtual void disconnect(PeerId peer, DisconnectReason reason) = 0;
  /// Tells the peer if a single datagram gets through and forgets it at once. No event follows.
  virtual void drop(PeerId peer, DisconnectReason reason) = 0;

  /// Bytes queued for the peer that the network has not taken or the peer has not acknowledged.
  virtual std::size_t pending_reliable_bytes(PeerId peer) const = 0;
  virtual std::optional<PeerStats> stats(PeerId peer) const = 0;
  /// Who it is, from Connected on; nothing for one that is gone.
  virtual std::optional<PeerIdentity> identity(PeerId peer) const = 0;
  /// What may be the matter with a connection that does not come about, for people; mostly
  /// nothing is known.
  virtual std::string trouble_with(PeerId peer) const = 0;
  /// Whether the other end has had a part in a connection that is to come about: then it takes its
  /// time, and to begin anew would take longer.
  virtual bool has_answered(PeerId peer) const = 0;
  virtual TransportCounters counters() const = 0;
  virtual Address local_address() const = 0;
  /// For an event loop to wait on; −1 when there is none.
  virtual int native_handle() const = 0;
};

}  // namespace jostle::net
