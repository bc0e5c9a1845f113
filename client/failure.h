#pragma once

#include "protocol/messages.h"
#include "shared/net/transport.h"
#include "shared/secure/refusal.h"

#include <cstdint>

namespace jostle::client {

/// Why a client has given up, as far as it makes a difference for what its user can do about it.
/// The sentence in Status has the details.
enum class Failure : std::uint8_t {
  None,
  NoAnswer,  // nobody was there, or a firewall is between
  Lost,      // the connection broke, and did not come back
  ShutDown,  // the same, after the server had said that it stops
  Full,
  OtherVersion,
  OtherKey,  // the server is not the one that is known by this name
  TokenWanted,
  TokenExpired,
  TokenUsed,
  TokenRevoked,
  TokenOfNoUse,
  SharedKeyWanted,
  NoSharedKeyAsked,
  NotAllowed,  // what was asked for, by what was shown
  Kicked,
  Banned,
  NoWorld,     // the server answers, but sends none
  Unreadable,  // the server said what makes no sense
};

Failure failure_of(secure::Refusal refusal);
/// Of a reason for which a server has ended the connection.
Failure failure_of(net::DisconnectReason reason);
Failure failure_of(protocol::RejectCode code);

}  // namespace jostle::client
