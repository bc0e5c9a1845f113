#pragma once

#include <cstdint>
#include <string_view>

namespace jostle::secure {

/// The server's answer to a client that has completed the key exchange.
enum class Admission : std::uint8_t {
  Accepted,
  TokenMissing,         // the client sent no token
  TokenUnreadable,      // the token's bytes do not decode as a token
  TokenForged,          // the token was signed by another issuer, or altered after signing
  TokenForOtherServer,  // the token names another server's public key
  TokenExpired,
  TokenUsed,           // the token is single-use, and another client's key has already used it
  TokenRevoked,        // the issuer revoked the token
  TokenOfOtherClient,  // the token is bound to another client's key
  ServerFull,
  Banned,
};
/// Number of values of Admission. A wire value at or above it is invalid.
inline constexpr std::size_t admission_count = 11;
/// Returns a clause for logs and for players, for example "the token has expired".
std::string_view describe(Admission admission);

}  // namespace jostle::secure
