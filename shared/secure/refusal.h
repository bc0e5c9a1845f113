#pragma once

#include "shared/secure/admission.h"

#include <cstdint>

namespace jostle::secure {

/// The reason why a handshake failed although the server answered. Programs choose their advice to
/// the user by this value; HandshakeInitiator::text() has the details.
enum class Refusal : std::uint8_t {
  None,
  OtherVersion,       // the server uses another version of the handshake
  OtherKey,           // the server's key is not the expected one
  TokenRequired,      // the server requires a token, and the client has none
  TokenExpired,       // the token is past its expiry time
  TokenUsed,          // a single-use token that another client has used
  TokenRevoked,       // the issuer revoked the token
  TokenInvalid,       // the token is unreadable, forged, for another server or for another client
  SharedKeyRequired,  // the server requires a shared key, and the client has none
  SharedKeyNotUsed,   // the client has a shared key, but the server does not use one
  Full,               // the server has no free slot
  Banned,             // the client's address is banned for a while
  Unreadable,         // the server's answer cannot be decoded
};

/// Maps an answer of the server to the reason of the refusal. `admission` must not be Accepted.
Refusal refusal_of(Admission admission);

}  // namespace jostle::secure
