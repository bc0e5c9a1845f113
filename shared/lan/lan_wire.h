#pragma once

#include "shared/base/result.h"
#include "shared/crypto/x25519.h"
#include "shared/secure/handshake_wire.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::lan {

// The two datagrams of LAN discovery; docs/SECURITY.md documents their layout. They are neither
// encrypted nor signed: any host on the link can read and forge them. They only name an address to
// connect to. The handshake authenticates the server.

/// Size of a request, which is as large as a datagram may be. No answer is larger than a fifth of
/// its request, which limits amplification.
inline constexpr std::size_t probe_bytes = secure::max_datagram_bytes;
inline constexpr std::size_t max_name_bytes = 64, max_scene_bytes = 64;
inline constexpr std::size_t answer_head_bytes = 85;
inline constexpr std::size_t max_answer_bytes =
    answer_head_bytes + max_name_bytes + max_scene_bytes;
static_assert(max_answer_bytes * 5 <= probe_bytes);

/// A discovery request, sent to the broadcast and multicast addresses.
struct DiscoveryRequest {
  std::uint64_t nonce = 0;  // random; the answer repeats it
};

/// The versions of a program's protocols. Two programs can play together only if all of them except
/// `minor` are equal.
struct ProtocolVersion {
  // version of the handshake and of sealed datagrams
  std::uint16_t sealing = secure::handshake_version;
  std::uint16_t major = 0, minor = 0;    // version of the game's protocol
  std::uint64_t schema = 0, priors = 0;  // hashes of the schema and of the codecs' training data
};
/// Returns true if programs with these versions can play together.
bool are_compatible(const ProtocolVersion& a, const ProtocolVersion& b);

/// A server's description of itself.
struct ServerInfo {
  std::uint16_t port = 0;  // UDP port of the game; not 0
  secure::AccessMode access = secure::AccessMode::Open;
  ProtocolVersion protocol_version;
  /// Number of players, and the maximum number.
  std::uint16_t players = 0, places = 0;
  crypto::PublicKey key{};
  std::string name, scene;  // printable UTF-8, as made by fitted()
};

/// A server's answer to a request.
struct DiscoveryResponse {
  std::uint64_t nonce = 0;
  // random per server start; identifies a server that answers from several addresses
  std::uint64_t instance = 0;
  ServerInfo facts;
};

/// The reason why a datagram was rejected.
enum class DecodeError : std::uint8_t {
  WrongLength,
  NotOurs,      // does not begin with the magic bytes of these datagrams
  OtherKind,    // a request where an answer is expected, or the reverse
  OtherLayout,  // another version of the layout
  NotZero,      // a reserved byte is not zero
  NoPort,
  UnknownAccess,
  BadText,  // a text is too long or not printable
};
std::string_view describe(DecodeError fault);

/// Returns the longest prefix of the text that takes at most `max_bytes`, with unprintable bytes
/// escaped.
std::string fitted(std::string_view text, std::size_t max_bytes);

std::vector<std::byte> encode(const DiscoveryRequest& probe);
/// Encodes an answer. The port must not be 0, and the texts must come from fitted().
std::vector<std::byte> encode(const DiscoveryResponse& answer);
base::Result<DiscoveryRequest, DecodeError> decode_probe(std::span<const std::byte> bytes);
base::Result<DiscoveryResponse, DecodeError> decode_answer(std::span<const std::byte> bytes);

}  // namespace jostle::lan
