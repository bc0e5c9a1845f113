#pragma once

#include "shared/base/result.h"
#include "shared/crypto/x25519.h"
#include "shared/net/peer_identity.h"
#include "shared/net/transport.h"
#include "shared/secure/refusal.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// The messages of a WebSocket between a viewer and the gate. docs/WEB.md specifies them.

namespace jostle::gate_link {

/// First byte of the entry, the first message in each direction.
inline constexpr std::byte entry_mark{0x80};
/// First byte of a message that holds several messages of the channel 0: add the channel.
inline constexpr std::byte group_mark{0x40};
inline constexpr std::uint8_t entry_version = 1;
/// Size of the secret by which the server recognises a viewer, in bytes.
inline constexpr std::size_t viewer_secret_bytes = 32;
/// Maximum length of a token's text in an entry, in bytes.
inline constexpr std::size_t max_token_text_bytes = 512;
/// Maximum size of a message from a viewer after its entry, with the channel byte. It is
/// protocol::max_client_message_bytes + 1, which the gate asserts.
inline constexpr std::size_t max_viewer_message_bytes = 1'101;
/// Maximum size of an entry of a viewer, in bytes.
inline constexpr std::size_t max_entry_bytes = 2 + viewer_secret_bytes + max_token_text_bytes;

using ViewerSecret = std::array<std::byte, viewer_secret_bytes>;

/// The first message of a viewer.
struct EntryRequest {
  ViewerSecret secret{};
  std::string token_text{};  // empty: no token
  bool operator==(const EntryRequest&) const = default;
};
std::vector<std::byte> encode_entry_request(const EntryRequest& request);
/// Returns the request, or nothing if the bytes are not an entry of this version.
std::optional<EntryRequest> decode_entry_request(std::span<const std::byte> bytes);

/// Returns the public key that stands for the viewer in the token registry: a hash of its secret.
crypto::PublicKey viewer_key(const ViewerSecret& secret);

/// The first message to a viewer that was admitted: its rights, and the key of the server.
std::vector<std::byte> encode_entry_answer(const net::PeerIdentity& identity);
/// Returns the identity in an answer, or nothing if the bytes are not one.
std::optional<net::PeerIdentity> decode_entry_answer(std::span<const std::byte> bytes);

/// A message of a viewer after its entry.
struct ViewerMessage {
  net::Channel channel = net::Channel::Control;
  std::span<const std::byte> bytes{};
};
/// Splits a message of a viewer into channel and content. Returns nothing if the channel does not
/// exist, or if the content is empty or too long.
std::optional<ViewerMessage> decode_viewer_message(std::span<const std::byte> bytes);

/// Splits a message to a viewer into the messages that it holds: one, or several of one channel.
/// Returns nothing if the bytes are malformed. For viewers and tests.
std::optional<std::vector<ViewerMessage>> decode_gate_message(std::span<const std::byte> bytes);

/// Returns the WebSocket close code of a reason: 4000 plus the reason, or for a refusal of the
/// entry 4100 plus the refusal.
std::uint16_t close_code(net::DisconnectReason reason,
                         secure::Refusal refusal = secure::Refusal::None);
/// Close code if the gate cannot reach the server of a room.
inline constexpr std::uint16_t server_unreachable_code = 4200;

/// The reason of a close code.
struct CloseReason {
  net::DisconnectReason reason = net::DisconnectReason::TimedOut;
  secure::Refusal refusal = secure::Refusal::None;
};
/// Returns the reason of a close code. Codes of browsers for a page that is left count as
/// Requested, all unknown codes as TimedOut.
CloseReason close_reason(std::uint16_t code);

}  // namespace jostle::gate_link
