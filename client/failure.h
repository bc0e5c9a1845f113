#pragma once

#include "protocol/messages.h"
#include "shared/net/transport.h"
#include "shared/secure/refusal.h"

#include <cstdint>

namespace jostle::client {

/// Reason why a client has given up. Causes with the same remedy for the user share one value.
/// Status::text has the details.
enum class Failure : std::uint8_t {
  None,
  NoAnswer,  // there is no server, or a firewall blocks it
  Lost,      // the connection was lost and could not be re-established
  ShutDown,  // the server shut down, and the connection could not be re-established
  Full,
  OtherVersion,
  OtherKey,  // the server's public key differs from the known key for this name
  TokenRequired,
  TokenExpired,
  TokenUsed,
  TokenRevoked,
  TokenInvalid,
  SharedKeyRequired,
  SharedKeyNotUsed,
  NotAllowed,  // the token or keys do not grant the requested role or rights
  NoLockstep,  // the server or this world does not support lockstep
  Replaced,    // another client has reconnected as this player
  Kicked,
  Banned,
  NoWorld,     // the server answers but sends no world
  Unreadable,  // the server sent an invalid message
};

/// Returns the failure for a refusal in the handshake.
Failure failure_of(secure::Refusal refusal);
/// Returns the failure for the reason for which a connection ended.
Failure failure_of(net::DisconnectReason reason);
Failure failure_of(protocol::RejectCode code);

}  // namespace jostle::client
