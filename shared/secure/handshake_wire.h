#pragma once

#include "shared/crypto/x25519.h"
#include "shared/secure/admission.h"
#include "shared/secure/noise.h"
#include "shared/secure/token.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jostle::secure {

// The datagrams of the handshake. docs/SECURITY.md documents their layout, with an example of each.
// All numbers are little-endian.

/// The type of a datagram, which is its first byte.
enum class DatagramType : std::uint8_t {
  Hello = 1,   // client to server: requests a cookie
  Cookie = 2,  // server to client: a cookie, whose return proves that the client owns its address
  Auth = 3,    // client to server: the cookie and the first message of the key exchange
  Accept = 4,  // server to client: the second message, which says whether the client is admitted
  Sealed = 5,  // sent by both sides: an encrypted datagram of an established session
  // server to client: repeats the clear header of a Sealed datagram whose session does not exist
  NoSession = 6,
};

/// Version of all layouts below. Hello and Cookie keep their layout in all versions, so that two
/// ends of different versions can detect the mismatch.
inline constexpr std::uint16_t handshake_version = 1;

/// The credential that a server requires. A client without this credential aborts the handshake. So
/// does a client that has a shared key if the server does not use one.
enum class AccessMode : std::uint8_t {
  Open = 0,       // no authentication: every client is admitted
  SharedKey = 1,  // a pre-shared key that all clients have
  Token = 2,      // a token signed by the server's issuer
};
std::string_view describe(AccessMode mode);

/// Maximum size of a UDP payload, in bytes.
inline constexpr std::size_t max_datagram_bytes = 1'200;
/// Size of a HELLO, which is padded with zeros. No answer is larger than a fifth of its request,
/// which limits amplification.
inline constexpr std::size_t hello_bytes = max_datagram_bytes;
inline constexpr std::size_t mac_bytes = 16;
inline constexpr std::size_t cookie_bytes = 1 + 2 + 1 + 8 + 4 + mac_bytes + crypto::x25519_bytes;
inline constexpr std::size_t auth_text_bytes = 512;
inline constexpr std::size_t auth_bytes =
    1 + 2 + 8 + 4 + mac_bytes + noise_first_overhead + auth_text_bytes;
inline constexpr std::size_t accept_text_bytes = 1 + 1 + 4 + 8;
inline constexpr std::size_t accept_bytes = 1 + 8 + noise_second_overhead + accept_text_bytes;
static_assert(cookie_bytes <= 64 && cookie_bytes * 5 <= hello_bytes);
static_assert(accept_bytes * 5 <= auth_bytes && auth_bytes <= max_datagram_bytes);
static_assert(2 + token_bytes <= auth_text_bytes);

struct Hello {
  std::uint16_t version = handshake_version;
  std::uint64_t nonce = 0;  // random; the COOKIE and the ACCEPT repeat it
};

/// The part of a cookie that the client returns, so that the server stores nothing per client.
struct CookieStamp {
  std::uint32_t slot = 0;                  // the time slot in which the cookie was made
  std::array<std::byte, mac_bytes> mac{};  // keyed BLAKE2b of nonce, slot and address
};

/// The server's answer to a Hello. It is not authenticated, so it proves nothing to the client.
struct Cookie {
  std::uint16_t version = handshake_version;
  AccessMode mode = AccessMode::Open;
  std::uint64_t nonce = 0;
  CookieStamp stamp;
  crypto::PublicKey server{};
};

/// The client's request to join: the returned cookie and the first message of the key exchange.
struct Auth {
  std::uint16_t version = handshake_version;
  std::uint64_t nonce = 0;
  CookieStamp stamp;
  std::span<const std::byte> message;  // points into the datagram
};

/// The server's answer to an Auth.
struct Accept {
  std::uint64_t nonce = 0;
  std::span<const std::byte> message;  // points into the datagram
};

/// The plaintext of Accept's message.
struct AcceptText {
  Admission admission = Admission::Accepted;
  Role role = Role::Spectator;
  std::uint32_t session = 0;
  std::uint64_t client = 0;
};

std::vector<std::byte> encode(const Hello& hello);
std::vector<std::byte> encode(const Cookie& cookie);
std::vector<std::byte> encode(const Auth& auth);
std::vector<std::byte> encode(const Accept& accept);
std::vector<std::byte> encode_auth_text(std::span<const std::byte> token);
std::vector<std::byte> encode(const AcceptText& text);

// The decoders return nothing if the bytes do not have the layout of their type.
std::optional<Hello> decode_hello(std::span<const std::byte> bytes);
std::optional<Cookie> decode_cookie(std::span<const std::byte> bytes);
std::optional<Auth> decode_auth(std::span<const std::byte> bytes);
std::optional<Accept> decode_accept(std::span<const std::byte> bytes);
/// Returns the token, which may be empty, or nothing if the text does not have the layout.
std::optional<std::span<const std::byte>> decode_auth_text(std::span<const std::byte> text);
std::optional<AcceptText> decode_accept_text(std::span<const std::byte> text);

/// Returns the prologue, which both ends mix into the key exchange first. It binds the exchange to
/// one version, access mode and cookie.
std::vector<std::byte> prologue_of(AccessMode mode, std::uint64_t nonce, const CookieStamp& stamp);

}  // namespace jostle::secure
