#pragma once

#include "shared/net/transport.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace jostle::net {

/// Maximum size of an ENet datagram, with ENet's header and without the overhead of sealing.
inline constexpr std::size_t enet_mtu_bytes = 1'168;
/// Payload in bytes of every fragment except the last: MTU − 4 (protocol header) − 24 (fragment
/// command).
inline constexpr std::size_t enet_fragment_bytes = enet_mtu_bytes - 4 - 24;
/// Maximum number of fragments in a message.
inline constexpr std::size_t max_fragments = 16;
/// Maximum number of commands that ENet's sender puts into one datagram.
inline constexpr std::size_t max_commands_per_datagram = 32;
/// Throttle parameters that both ends must send in CONNECT. ENet's throttle drops unreliable
/// messages silently when the round-trip time grows. With these values it never drops any.
inline constexpr std::uint32_t throttle_interval_ms = 5'000;
inline constexpr std::uint32_t throttle_acceleration = 32;
inline constexpr std::uint32_t throttle_deceleration = 0;

static_assert(max_fragments * enet_fragment_bytes >= max_reliable_bytes,
              "the longest reliable message fits into the fragments that the firewall lets in");
static_assert(max_unreliable_bytes <= enet_fragment_bytes, "an unreliable message is never cut up");

/// The verdict on a received datagram: Accepted, or the reason why it was not passed to ENet.
enum class DatagramVerdict : std::uint8_t {
  Accepted,
  // From the firewall:
  Empty,               // contains no command
  TooShort,            // ends within the header or within a command
  TooLong,             // exceeds the MTU
  Compressed,          // compressed; this project never compresses, so ENet must not decompress
  BadPeer,             // the peer number or session is not allowed for the command
  TooManyCommands,     // there are more commands than ENet puts into one datagram
  UnknownCommand,      // the command does not exist
  ForbiddenCommand,    // a command that this project never sends
  BadFlags,            // the acknowledge or unsequenced flag is wrong for the command
  BadChannel,          // the channel does not exist, or is of the wrong kind for the command
  BadConnect,          // CONNECT or VERIFY_CONNECT with other parameters than ours
  BadBandwidth,        // BANDWIDTH_LIMIT with a limit, which would enable ENet's throttle
  BadAcknowledgement,  // the acknowledgement's two sequence numbers differ
  BadLength,           // payload longer than its channel allows, or than the datagram
  BadFragment,         // count, number, offset, length and total do not agree

  // From the transport, before ENet processes a CONNECT, and from SealedLink:
  NotAccepting,  // HELLO, AUTH or CONNECT to a host that only makes outgoing connections
  ConnectLimit,  // a second CONNECT in a session

  // From SealedLink, before ENet sees any plaintext:
  Handshake,       // a datagram of a handshake or a path validation, not for ENet
  BadSource,       // source port 0, to which no answer can be sent
  NotSealed,       // the datagram is not one of this protocol
  BadHandshake,    // invalid HELLO, too many HELLOs, or AUTH whose key exchange failed
  BadCookie,       // malformed AUTH, or one without a valid cookie for its address
  AddressLimit,    // too many key exchanges with the source address
  Unexpected,      // COOKIE or ACCEPT that does not advance any handshake
  UnknownSession,  // sealed for a session that does not exist or has ended
  Forged,          // authentication failed
  Replayed,        // a duplicate, older than the window, or AUTH of a used session
  OverBudget,      // the session exceeds its rate limit
  NoRoom,          // too many handshakes are waiting
};
inline constexpr std::size_t datagram_verdict_count = 30;
static_assert(static_cast<std::size_t>(DatagramVerdict::NoRoom) + 1 == datagram_verdict_count);
std::string_view describe(DatagramVerdict verdict);

/// Decides from the datagram's bytes alone whether ENet may process it. Accepts exactly the subset
/// of ENet's protocol that two EnetTransports exchange. Reads no other data, keeps no state and
/// allocates nothing. docs/SECURITY.md gives the reason for each rule.
DatagramVerdict inspect(std::span<const std::byte> datagram);

/// Returns the connect id of an accepted datagram if it is a CONNECT, and nothing otherwise. The id
/// is in wire byte order, as ENet stores it.
std::optional<std::uint32_t> connect_id(std::span<const std::byte> accepted_datagram);

}  // namespace jostle::net
