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

// The datagrams of the handshake; docs/SECURITY.md has the layout and an example of each. All
// numbers are little-endian.

/// The first byte of every datagram.
enum class DatagramType : std::uint8_t {
  Hello = 1,   // client to server: is anybody there?
  Cookie = 2,  // and back: come again with this, and prove that you receive what I send
  Auth = 3,    // client to server: the cookie, and the first message of the key exchange
  Accept = 4,  // and back: its second message, which says whether it comes in
  Sealed = 5,  // both ways
};

/// Of everything below. Hello and Cookie keep their layout whatever it is, so that two of different
/// versions can tell.
inline constexpr std::uint16_t handshake_version = 1;

/// How a server tells who may come in. A client that expects another mode does not go on.
enum class AccessMode : std::uint8_t {
  Open = 0,       // everybody
  SharedKey = 1,  // who has the key that all were given
  Token = 2,      // who shows a token
};
std::string_view describe(AccessMode mode);

inline constexpr std::size_t max_datagram_bytes = 1'200;
/// Padded, so that no answer is longer than a fifth of what asked for it.
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
  std::uint64_t nonce = 0;  // random; the answer repeats it
};

/// What a server need not remember, because the client brings it back.
struct CookieStamp {
  std::uint32_t slot = 0;  // when it was made
  std::array<std::byte, mac_bytes> mac{};
};

struct Cookie {
  std::uint16_t version = handshake_version;
  AccessMode mode = AccessMode::Open;
  std::uint64_t nonce = 0;
  CookieStamp stamp;
  crypto::PublicKey server{};
};

struct Auth {
  std::uint16_t version = handshake_version;
  std::uint64_t nonce = 0;
  CookieStamp stamp;
  std::span<const std::byte> message;  // inside the datagram
};

struct Accept {
  std::uint64_t nonce = 0;
  std::span<const std::byte> message;  // inside the datagram
};

/// The text in Accept's message.
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

// Nothing where the bytes are not of that layout.
std::optional<Hello> decode_hello(std::span<const std::byte> bytes);
std::optional<Cookie> decode_cookie(std::span<const std::byte> bytes);
std::optional<Auth> decode_auth(std::span<const std::byte> bytes);
std::optional<Accept> decode_accept(std::span<const std::byte> bytes);
/// The token, which may be empty.
std::optional<std::span<const std::byte>> decode_auth_text(std::span<const std::byte> text);
std::optional<AcceptText> decode_accept_text(std::span<const std::byte> text);

/// What both ends mix into the key exchange first: an exchange belongs to one version, mode and
/// cookie.
std::vector<std::byte> prologue_of(AccessMode mode, std::uint64_t nonce, const CookieStamp& stamp);

}  // namespace jostle::secure
