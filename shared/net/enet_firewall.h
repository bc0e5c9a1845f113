#pragma once

#include "shared/net/transport.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace jostle::net {

/// The largest datagram that ENet may make, its own header included and what sealing adds not.
inline constexpr std::size_t enet_mtu_bytes = 1'168;
/// Payload of every fragment but the last: MTU − 4 (protocol header) − 24 (fragment command).
inline constexpr std::size_t enet_fragment_bytes = enet_mtu_bytes - 4 - 24;
inline constexpr std::size_t max_fragments = 16;
/// ENet's sender has room for this many commands in a datagram.
inline constexpr std::size_t max_commands_per_datagram = 32;
/// What both ends ask for in CONNECT. With these ENet's throttle, which silently drops unreliable
/// messages when the round trip grows, never leaves "send everything".
inline constexpr std::uint32_t throttle_interval_ms = 5'000;
inline constexpr std::uint32_t throttle_acceleration = 32;
inline constexpr std::uint32_t throttle_deceleration = 0;

static_assert(max_fragments * enet_fragment_bytes >= max_reliable_bytes,
              "the longest reliable message fits into the fragments that the firewall lets in");
static_assert(max_unreliable_bytes <= enet_fragment_bytes, "an unreliable message is never cut up");

/// Why a datagram was not handed to ENet, or Accepted.
enum class DatagramVerdict : std::uint8_t {
  Accepted,
  // Found by the firewall:
  Empty,               // no command at all
  TooShort,            // ends inside the protocol header or inside a command
  TooLong,             // beyond the MTU
  Compressed,          // we never compress: nothing may decompress
  BadPeer,             // a peer number or session that a command may not come with
  TooManyCommands,     // more than ENet puts into one datagram
  UnknownCommand,      // no such command
  ForbiddenCommand,    // a command that our programs never send
  BadFlags,            // acknowledge and unsequenced flags that do not belong to the command
  BadChannel,          // out of range, or a channel of the other kind
  BadConnect,          // CONNECT or VERIFY_CONNECT with other terms than ours
  BadBandwidth,        // BANDWIDTH_LIMIT that would switch ENet's throttle on
  BadAcknowledgement,  // its two sequence numbers differ
  BadLength,           // payload longer than its channel allows, or than the datagram
  BadFragment,         // count, number, offset, length and total do not fit together
  // Found by the transport, as ENet asks before it takes a CONNECT:
  NotAccepting,  // to a host that only connects
  ConnectLimit,  // a second one in a session
  // Found by SealedLink, before anything of ENet is seen:
  Handshake,       // nothing is wrong with it, but it is not for ENet
  BadSource,       // from port 0: nobody can be answered there
  NotSealed,       // not a datagram of ours
  BadHandshake,    // HELLO or AUTH that no client of this server makes, or too many of them
  BadCookie,       // AUTH without a cookie of ours for this address
  AddressLimit,    // too many handshakes from there
  Unexpected,      // an answer to nothing that we asked
  UnknownSession,  // sealed for a session that is not, or no more
  Forged,          // not sealed by the other end of the session
  Replayed,        // a second time, or after a thousand newer ones
  OverBudget,      // more than one session may send
  NoRoom,          // too many wait for a handshake
};
inline constexpr std::size_t datagram_verdict_count = 30;
static_assert(static_cast<std::size_t>(DatagramVerdict::NoRoom) + 1 == datagram_verdict_count);
std::string_view describe(DatagramVerdict verdict);

/// Decides from its bytes alone whether ENet may see a datagram: exactly the protocol that two
/// EnetTransports speak passes, ENet's own laxness does not. Reads nothing else, keeps nothing,
/// allocates nothing. docs/SECURITY.md gives the reason for each rule.
DatagramVerdict inspect(std::span<const std::byte> datagram);

/// The connect id when an accepted datagram is a CONNECT, as ENet keeps it (wire byte order).
std::optional<std::uint32_t> connect_id(std::span<const std::byte> accepted_datagram);

}  // namespace jostle::net
