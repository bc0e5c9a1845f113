#pragma once

#include <cstdint>
#include <string_view>

namespace jostle::secure {

/// What a server says to somebody who has shown what he has.
enum class Admission : std::uint8_t {
  Accepted,
  TokenMissing,         // there is none
  TokenUnreadable,      // not the bytes of a token
  TokenForged,          // signed by another issuer, or changed
  TokenForOtherServer,  // issued for another one
  TokenExpired,
  TokenUsed,           // lets in once, and has
  TokenRevoked,        // by the issuer
  TokenOfOtherClient,  // issued to another client's key
  ServerFull,
  Banned,
};
inline constexpr std::size_t admission_count = 11;
std::string_view describe(Admission admission);

}  // namespace jostle::secure
