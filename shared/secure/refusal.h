#pragma once

#include "shared/secure/admission.h"

#include <cstdint>

namespace jostle::secure {

/// Why a handshake came to nothing although the server answered: what a program tells its user to
/// do about it goes by this, the sentence beside it has the details.
enum class Refusal : std::uint8_t {
  None,
  OtherVersion,      // of sealed datagrams
  OtherKey,          // the server shows another one than is expected of it
  TokenWanted,       // there was none
  TokenExpired,      //
  TokenUsed,         // it lets in once, and has
  TokenRevoked,      //
  TokenOfNoUse,      // unreadable, forged, for another server, or for another client
  SharedKeyWanted,   // there was none
  NoSharedKeyAsked,  // there was one
  Full,
  Banned,
  Unreadable,  // the answer
};

/// Contract: not Accepted.
Refusal refusal_of(Admission admission);

}  // namespace jostle::secure
